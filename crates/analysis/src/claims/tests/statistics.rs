//! Claims about statistics: which of two series is read, missing months, yearly averages, and the order of times.

use model::{AssetType, Candle, DataMode, Frequency, Instrument, Observation, Symbol};
use store::{Location, Store};

use super::{C, NONE_HELD, S, day, series, time};
use crate::claims::{FigureFinding, FigureServices, check_figures};
use crate::market::MarketServices;

const LATER: &str = "2026-03-20T00:00:00Z";

/// Consumer prices unadjusted, without October 2025; in the other world adjusted as well.
async fn world(is_adjusted_held: bool) -> FigureServices {
    let store = Store::open(&Location::Memory, DataMode::Demo)
        .await
        .unwrap();
    let mut transaction = store.market_transaction(time(LATER)).await.unwrap();
    let values = |rows: &[(&str, f64)]| -> Vec<Observation> {
        let of = |(text, value): &(&str, f64)| Observation {
            day: day(text),
            value: *value,
        };
        rows.iter().map(of).collect()
    };
    let unadjusted = values(&[
        ("2023-10-01", 307.671),
        ("2023-11-01", 307.051),
        ("2024-07-01", 314.540),
        ("2024-10-01", 315.664),
        ("2024-11-01", 315.493),
        ("2025-09-01", 324.800),
        ("2025-11-01", 324.122),
    ]);
    let adjusted = values(&[("2024-10-01", 315.564), ("2024-11-01", 316.449)]);
    let monthly = Frequency::Monthly;
    let mut held = vec![("macro:CPIAUCNS", unadjusted)];
    if is_adjusted_held {
        held.push(("macro:CPIAUCSL", adjusted));
    }
    for (id, values) in held {
        let series = series(id, "index", monthly, 45);
        transaction.put_values(&series, &values).await.unwrap();
    }
    let rates = values(&[
        ("2025-03-01", 4.2),
        ("2025-04-01", 4.2),
        ("2025-05-01", 4.3),
    ]);
    transaction
        .put_values(&series("macro:UNRATE", "percent", monthly, 45), &rates)
        .await
        .unwrap();
    let mut output = Vec::new();
    for (year, level, spread) in [
        (2022, 22_000.0, 1.0),
        (2023, 22_671.0, 1.0),
        (2024, 23_305.0, 2.0),
    ] {
        for (month, apart) in [("01", -150.0), ("04", -50.0), ("07", 50.0), ("10", 150.0)] {
            output.push((format!("{year}-{month}-01"), level + spread * apart));
        }
    }
    let output: Vec<(&str, f64)> = output
        .iter()
        .map(|(day, value)| (day.as_str(), *value))
        .collect();
    let quarterly = series("macro:GDPC1", "billions of USD", Frequency::Quarterly, 119);
    transaction
        .put_values(&quarterly, &values(&output))
        .await
        .unwrap();
    let candle = |text: &str, close: f64| Candle {
        day: day(text),
        open: close,
        high: close,
        low: close,
        close,
        volume: 1e6,
    };
    let candles = [
        candle("2025-04-07", 100.0),
        candle("2025-04-08", 98.0),
        candle("2025-04-09", 107.8),
    ];
    let acme = Instrument {
        name: Some("Acme Robotics Inc.".to_owned()),
        ..Instrument::bare(Symbol::parse("ACME").unwrap(), AssetType::Equity)
    };
    transaction
        .put_instruments(std::slice::from_ref(&acme))
        .await
        .unwrap();
    transaction.put_candles(&acme, &candles).await.unwrap();
    transaction.commit().await.unwrap();
    FigureServices::of(&MarketServices::new(store))
}

async fn ask(services: &FigureServices, claim: &str) -> FigureFinding {
    let found = check_figures(services, claim, None, time(LATER)).await;
    found.unwrap().unwrap_or_else(|| panic!("{claim}: nothing"))
}

#[tokio::test]
async fn a_change_within_a_year_is_not_refuted_by_unadjusted_prices() {
    let services = world(false).await;
    for claim in [
        // As it was published, seasonally adjusted.
        "US CPI rose 0.3% in November 2024",
        "CPI rose 0.3% month on month in November 2024",
        "Consumer prices rose in November 2024",
        // Nor is what the unadjusted series would show what is meant.
        "Consumer prices fell in November 2024",
    ] {
        let found = ask(&services, claim).await;
        assert_eq!(found.verdict, NONE_HELD, "{claim}: {found:?}");
        assert!(
            found
                .statement
                .contains("CPIAUCNS, not seasonally adjusted"),
            "{found:?}"
        );
        assert!(
            found.statement.contains("the adjusted series is not held"),
            "{found:?}"
        );
    }
    for (claim, expected) in [
        (
            "CPI fell 0.1% month on month in November 2024, not seasonally adjusted",
            S,
        ),
        (
            "CPI rose 0.3% month on month in November 2024, not seasonally adjusted",
            C,
        ),
        ("The unadjusted CPI rose in November 2024", C),
        // No season moves prices that far.
        ("CPI rose 5% month on month in November 2024", C),
        // Against the year before, and levels.
        ("CPI rose 2.7% year on year in November 2024", S),
        ("CPI rose 3.7% year on year in November 2024", C),
        ("US inflation was 2.7% in November 2024", S),
        ("US inflation was 3.7% in November 2024", C),
        ("The consumer price index was 315.493 in November 2024", S),
    ] {
        let found = ask(&services, claim).await;
        assert_eq!(found.verdict, expected, "{claim}: {found:?}");
        assert!(found.statement.contains("CPIAUCNS"), "{found:?}");
    }
    let services = world(true).await;
    for (claim, expected) in [
        ("CPI rose 0.3% month on month in November 2024", S),
        ("CPI rose 0.9% month on month in November 2024", C),
        ("Consumer prices fell in November 2024", C),
    ] {
        let found = ask(&services, claim).await;
        assert_eq!(found.verdict, expected, "{claim}: {found:?}");
        assert!(
            found.reading.contains("CPIAUCSL, seasonally adjusted"),
            "{found:?}"
        );
    }
    // The adjusted series says nothing about unadjusted figures.
    let unadjusted = "month on month in November 2024, not seasonally adjusted";
    let found = ask(&services, &format!("CPI fell 0.1% {unadjusted}")).await;
    assert_eq!(found.verdict, S, "{found:?}");
    let found = ask(&services, &format!("CPI rose 0.3% {unadjusted}")).await;
    assert_ne!(found.verdict, S, "{found:?}");
}

#[tokio::test]
async fn a_month_that_is_missing_inside_is_said_to_be_missing() {
    let services = world(false).await;
    let found = ask(&services, "US CPI was 325.0 in October 2025.").await;
    assert_eq!(found.verdict, NONE_HELD);
    assert!(
        found
            .statement
            .contains("the value of that month is missing"),
        "{found:?}"
    );
    assert!(!found.statement.contains("does not cover"), "{found:?}");
    let found = ask(&services, "US CPI was 325.0 in October 2021.").await;
    assert!(found.statement.contains("does not cover"), "{found:?}");
}

#[tokio::test]
async fn averages_of_years_are_not_dated_by_their_last_quarter() {
    let services = world(false).await;
    for claim in [
        "US real GDP grew 2.8% in 2024.",
        "US real GDP was 2.8% higher in 2024 than in 2023.",
    ] {
        let found = ask(&services, claim).await;
        assert_eq!(found.verdict, S, "{found:?}");
        assert!(
            found.statement.contains(
                "rose 2.8 %, from an average of 22.671 trillion USD in 2023 to one of 23.305 trillion USD in 2024"
            ),
            "{found:?}"
        );
        assert!(!found.statement.contains("fourth quarter"), "{found:?}");
    }
}

#[tokio::test]
async fn a_change_is_told_from_the_earlier_time_to_the_later_one() {
    let services = world(false).await;
    let found = ask(
        &services,
        "Unemployment in April 2025 was higher than in May 2025.",
    )
    .await;
    assert_eq!(found.verdict, C);
    assert!(
        found
            .statement
            .contains("rose 0.1 percentage points, from 4.2 % in April 2025 to 4.3 % in May 2025"),
        "{found:?}"
    );
    assert!(found.truth[0].day < found.truth[1].day);
    let found = ask(
        &services,
        "ACME was lower on 8 April 2025 than on 9 April 2025.",
    )
    .await;
    assert_eq!(found.verdict, S);
    assert!(
        found
            .statement
            .contains("rose 10.0 %, from 98.00 USD on 8 April 2025 to 107.80 USD on 9 April 2025"),
        "{found:?}"
    );
}

//! What figures can and cannot decide: missing sessions, data that ends, targets, old values, words for sizes, levels
//! that are reached, and claims that are not about a figure.

use model::{AssetType, Candle, DataMode, Frequency, Instrument, Observation, Symbol};
use store::{Location, Store};

use super::{C, NONE_HELD, NOW, S, ask, day, series, time};
use crate::claims::{FigureServices, Reason, Verdict};
use crate::market::MarketServices;

const STALE: Verdict = Verdict::Unverifiable(Reason::Stale);

fn rows(rows: &[(&str, f64)]) -> Vec<Observation> {
    rows.iter()
        .map(|(text, value)| Observation {
            day: day(text),
            value: *value,
        })
        .collect()
}

/// A share at 100 in February 2024 that fell to 73.6 on the 14th for the rest of the month, and stood at 205 in March,
/// with a high of 209.2 on the 6th and without the sessions of 20 and 21 March. A coin at 50,000 whose data ends on 20
/// March, with a high of 64,863. Crude oil without 20 March. The market rate for a target of 5.00 to 5.25 %. A GDP
/// that grows in current dollars and shrinks in chained dollars. A monthly gold price.
async fn world() -> FigureServices {
    let store = Store::open(&Location::Memory, DataMode::Demo)
        .await
        .unwrap();
    let mut transaction = store.market_transaction(time(NOW)).await.unwrap();
    let candle = |day, close: f64, high: f64| Candle {
        day,
        open: close,
        high,
        low: close - 1.0,
        close,
        volume: 1e6,
    };
    let share: Vec<Candle> = market::calendar::sessions(day("2024-01-29"), day("2024-03-28"))
        .filter(|one| !["2024-03-20", "2024-03-21"].contains(&one.to_string().as_str()))
        .map(|one| {
            let close = match one {
                one if one < day("2024-02-14") => 100.0,
                one if one < day("2024-03-01") => 73.6,
                _ => 205.0,
            };
            let is_peak = one == day("2024-03-06");
            candle(one, close, if is_peak { 209.2 } else { close + 1.0 })
        })
        .collect();
    let coin: Vec<Candle> = (0..80)
        .map(|count| {
            let one = day("2024-01-01").plus(count);
            let is_peak = one == day("2024-03-14");
            candle(one, 50_000.0, if is_peak { 64_863.0 } else { 50_100.0 })
        })
        .collect();
    for (symbol, kind, candles) in [
        ("ACME", AssetType::Equity, share),
        ("BTC", AssetType::Crypto, coin),
    ] {
        let instrument = Instrument::bare(Symbol::parse(symbol).unwrap(), kind);
        transaction
            .put_instruments(std::slice::from_ref(&instrument))
            .await
            .unwrap();
        transaction
            .put_candles(&instrument, &candles)
            .await
            .unwrap();
    }
    let oil: Vec<Observation> = market::calendar::sessions(day("2024-01-02"), day("2024-03-28"))
        .filter(|one| one.to_string() != "2024-03-20")
        .map(|one| Observation {
            day: one,
            value: 80.0,
        })
        .collect();
    // The target is raised on the last day of January.
    let paid: Vec<Observation> = (0..103)
        .map(|count| Observation {
            day: day("2023-12-15").plus(count),
            value: if count < 47 { 4.83 } else { 5.08 },
        })
        .collect();
    let daily = Frequency::Daily;
    let (monthly, quarterly) = (Frequency::Monthly, Frequency::Quarterly);
    let quarters = |values: [f64; 2]| rows(&[("2023-07-01", values[0]), ("2023-10-01", values[1])]);
    for (id, unit, frequency, lag, values) in [
        ("commodity:crude/futures", "USD per barrel", daily, 0, oil),
        ("macro:DFF", "percent", daily, 1, paid),
        (
            "macro:FEDFUNDS",
            "percent",
            monthly,
            31,
            rows(&[
                ("2023-12-01", 4.83),
                ("2024-01-01", 4.84),
                ("2024-02-01", 5.08),
            ]),
        ),
        (
            "macro:GDP",
            "billions of USD",
            quarterly,
            90,
            quarters([27_000.0, 27_400.0]),
        ),
        (
            "macro:GDPC1",
            "billions of chained USD",
            quarterly,
            90,
            quarters([22_000.0, 21_900.0]),
        ),
        (
            "commodity:gold/spot",
            "USD per troy ounce",
            monthly,
            0,
            rows(&[("2024-01-01", 2_034.0), ("2024-02-01", 2_023.0)]),
        ),
    ] {
        transaction
            .put_values(&series(id, unit, frequency, lag), &values)
            .await
            .unwrap();
    }
    transaction.commit().await.unwrap();
    FigureServices::of(&MarketServices::new(store))
}

async fn check(rows: &[(&str, Option<Verdict>)]) {
    let services = world().await;
    for (claim, expected) in rows {
        let found = ask(&services, claim, None).await;
        let verdict = found.as_ref().map(|found| found.verdict);
        assert_eq!(verdict, *expected, "{claim}: {found:?}");
    }
}

#[tokio::test]
async fn highs_and_lows_that_are_held_decide() {
    check(&[
        ("ACME's high on 6 March 2024 was $209.20", Some(S)),
        ("ACME's high on 6 March 2024 was above $220", Some(C)),
        ("ACME's low on 6 March 2024 was below $150", Some(C)),
        ("ACME's low on 6 March 2024 was above $220", Some(C)),
    ])
    .await;
}

#[tokio::test]
async fn a_change_from_a_missing_close_says_so() {
    let services = gapped().await;
    let claim = "ACME fell 89% on 15 June 2022";
    let found = ask(&services, claim, None).await.unwrap();
    assert_eq!(found.verdict, NONE_HELD, "{found:?}");
    assert_eq!(
        found.statement,
        "The close of ACME before 15 June 2022 is missing; the last one held before it is 100.00 USD on 29 April 2022."
    );
}

/// A share at 100 in April 2022, and at 11 from 15 June on.
async fn gapped() -> FigureServices {
    let store = Store::open(&Location::Memory, DataMode::Demo)
        .await
        .unwrap();
    let mut transaction = store.market_transaction(time(NOW)).await.unwrap();
    let sessions = |first, last, close: f64| {
        market::calendar::sessions(day(first), day(last)).map(move |one| Candle {
            day: one,
            open: close,
            high: close + 1.0,
            low: close - 1.0,
            close,
            volume: 1e6,
        })
    };
    let candles: Vec<Candle> = sessions("2022-04-01", "2022-04-29", 100.0)
        .chain(sessions("2022-06-15", "2022-06-30", 11.0))
        .collect();
    let share = Instrument::bare(Symbol::parse("ACME").unwrap(), AssetType::Equity);
    transaction
        .put_instruments(std::slice::from_ref(&share))
        .await
        .unwrap();
    transaction.put_candles(&share, &candles).await.unwrap();
    transaction.commit().await.unwrap();
    FigureServices::of(&MarketServices::new(store))
}

#[tokio::test]
async fn a_missing_session_that_could_decide_leaves_the_claim_open() {
    check(&[
        ("Oil went negative in March 2024", Some(NONE_HELD)),
        ("Oil never closed above $100 in March 2024", Some(NONE_HELD)),
        ("Oil reached $100 in March 2024", Some(NONE_HELD)),
        ("Oil's highest close of March 2024 was $95", Some(NONE_HELD)),
        ("ACME closed above $300 in March 2024", Some(NONE_HELD)),
        (
            "ACME stayed above $150 throughout March 2024",
            Some(NONE_HELD),
        ),
        // The values on record decide.
        ("Oil's highest close of March 2024 was $70", Some(C)),
        ("Oil closed below $85 in March 2024", Some(S)),
        ("Oil went negative in February 2024", Some(C)),
        ("Oil never closed above $100 in February 2024", Some(S)),
        ("ACME stayed above $210 throughout March 2024", Some(C)),
        ("ACME closed above $200 in March 2024", Some(S)),
        ("ACME closed above $300 in February 2024", Some(C)),
    ])
    .await;
}

#[tokio::test]
async fn words_for_a_size_mean_at_least_about_that() {
    check(&[
        (
            "ACME doubled between 31 January 2024 and 28 March 2024",
            Some(S),
        ),
        (
            "ACME tripled between 29 February 2024 and 28 March 2024",
            Some(C),
        ),
        (
            "ACME doubled between 29 February 2024 and 28 March 2024",
            Some(S),
        ),
        ("ACME doubled in February 2024", Some(C)),
        ("ACME lost a quarter of its value in February 2024", Some(S)),
        ("ACME lost a fifth of its value in February 2024", Some(C)),
        ("ACME lost half of its value in February 2024", Some(C)),
        // Within one session, by the extreme of the period.
        (
            "ACME lost a quarter of its value in one day in February 2024",
            Some(S),
        ),
        (
            "ACME lost about a quarter of its market value in a single session in February 2024",
            Some(S),
        ),
        (
            "ACME shed a quarter of its value in a day in February 2024",
            Some(S),
        ),
        ("ACME halved in a single day in February 2024", Some(C)),
        ("ACME doubled in one day in March 2024", Some(S)),
        ("ACME tripled in one day in February 2024", Some(C)),
    ])
    .await;
}

#[tokio::test]
async fn what_the_market_pays_cannot_refute_a_target() {
    check(&[
        ("The Fed raised rates to 5.25% in January 2024", Some(S)),
        ("The Fed's target rate was 5.25% in February 2024", Some(S)),
        (
            "The Fed raised its target range to 5% to 5.25% in January 2024",
            Some(S),
        ),
        (
            "The Fed raised rates by 25 basis points in January 2024",
            Some(S),
        ),
        (
            "The Fed raised rates to 6% in January 2024",
            Some(NONE_HELD),
        ),
        (
            "The Fed raised rates by 50 basis points in January 2024",
            Some(NONE_HELD),
        ),
        (
            "The Fed's target range was 5.5% in February 2024",
            Some(NONE_HELD),
        ),
        // The direction over a month shows, and the market rate is judged as it is.
        ("The Fed raised rates in January 2024", Some(S)),
        ("The Fed cut rates in January 2024", Some(C)),
        (
            "The effective federal funds rate was 6% in February 2024",
            Some(C),
        ),
        (
            "The effective federal funds rate was 5.08% in February 2024",
            Some(S),
        ),
    ])
    .await;
}

#[tokio::test]
async fn growth_of_the_product_is_real() {
    check(&[
        ("US GDP shrank in the fourth quarter of 2023", Some(S)),
        ("US GDP grew in Q4 2023", Some(C)),
        (
            "Gross domestic product grew 1.5% in the fourth quarter of 2023",
            Some(C),
        ),
        (
            "The US economy contracted in the fourth quarter of 2023",
            Some(S),
        ),
        ("Nominal GDP grew in the fourth quarter of 2023", Some(S)),
        (
            "US GDP was $27.4 trillion in the fourth quarter of 2023",
            Some(S),
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_high_is_called_a_high_and_data_that_end_say_so() {
    let services = world().await;
    let found = ask(&services, "BTC reached $64,863 in March 2024", None)
        .await
        .unwrap();
    assert_eq!(found.verdict, S);
    assert!(found.statement.contains("within the day"), "{found:?}");
    assert!(!found.statement.contains("lose of"), "{found:?}");
    assert!(found.statement.contains("20 March 2024"), "{found:?}");
    let found = ask(
        &services,
        "BTC closed above 45,000 on every day of February 2024",
        None,
    )
    .await
    .unwrap();
    assert!(!found.statement.contains("within the day"), "{found:?}");
    check(&[
        // A level is reached or not: its zeros are digits.
        ("BTC reached 65000 in March 2024", Some(NONE_HELD)),
        ("BTC topped $65,000 in March 2024", Some(NONE_HELD)),
        ("BTC reached 65,000 in February 2024", Some(C)),
        ("BTC reached 50,000 in February 2024", Some(S)),
        ("ACME hit $209.20 in March 2024", Some(S)),
        // On the way, wherever the period ended.
        ("ACME fell to $73.60 in February 2024", Some(S)),
        ("ACME rose to $209.20 in March 2024", Some(S)),
        ("ACME fell to $60 in February 2024", Some(C)),
        ("ACME rose to $120 in February 2024", Some(C)),
        ("BTC fell to 40,000 in March 2024", Some(NONE_HELD)),
        ("ACME closed at $209.20 on 6 March 2024", Some(C)),
    ])
    .await;
}

#[tokio::test]
async fn what_is_said_of_now_needs_a_figure_of_now() {
    let services = world().await;
    let at = |as_of: &'static str, claim: &'static str| {
        let services = &services;
        async move { ask(services, claim, Some(as_of)).await.unwrap() }
    };
    let late = "2024-04-20T20:00:00Z";
    for claim in [
        "Gold is above 5000",
        "Gold is above $2,000",
        "ACME is trading above $200",
    ] {
        let found = at(late, claim).await;
        assert_eq!(found.verdict, STALE, "{claim}: {found:?}");
    }
    assert!(
        at(late, "Gold is above 5000")
            .await
            .statement
            .contains("2,023.00 USD in February 2024")
    );
    for (claim, expected) in [("ACME is above $200", S), ("ACME is above $300", C)] {
        let found = at("2024-03-29T20:00:00Z", claim).await;
        assert_eq!(found.verdict, expected, "{claim}: {found:?}");
    }
    // A statistic is current until the next one is overdue.
    let rate = "The federal funds rate is above 6%";
    assert_eq!(at("2024-04-01T00:00:00Z", rate).await.verdict, C);
    assert_eq!(at("2024-09-01T00:00:00Z", rate).await.verdict, STALE);
}

#[tokio::test]
async fn events_are_no_levels_and_takeovers_no_trades() {
    check(&[
        ("ACME announced a 20-for-1 stock split", None),
        ("ACME declared a 3:2 share split in March 2024", None),
        (
            "ACME's board approved a three-for-one split and a $10 billion share buyback",
            None,
        ),
        (
            "ACME announced a $500 million merger on 14 March 2024",
            None,
        ),
        ("ACME is buying BTC", None),
        ("BTC acquired ACME for $2 billion", None),
        // Prices around an event are prices.
        (
            "ACME shares rose on 1 March 2024 after it announced a 20-for-1 split",
            Some(S),
        ),
        (
            "ACME closed at a split-adjusted $205 on 6 March 2024",
            Some(S),
        ),
        (
            "Nancy Pelosi bought ACME shares in March 2024",
            Some(NONE_HELD),
        ),
    ])
    .await;
}

#[tokio::test]
async fn multiples_and_distances_are_compared_as_such() {
    check(&[
        (
            "BTC cost more than 200 times as much as ACME on 15 March 2024",
            Some(S),
        ),
        (
            "BTC cost three times as much as ACME on 15 March 2024",
            Some(C),
        ),
        (
            "BTC cost less than 100 times as much as ACME on 15 March 2024",
            Some(C),
        ),
        (
            "ACME was 2% below its record high on 28 March 2024",
            Some(S),
        ),
        (
            "ACME was 30% below its record high on 28 March 2024",
            Some(C),
        ),
    ])
    .await;
}

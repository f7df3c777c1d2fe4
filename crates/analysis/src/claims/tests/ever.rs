//! Claims without a time against everything on record: a coin with a long history and a recent one, a share, a monthly
//! rate; company sizes; rates of other central banks.

use model::{AssetType, Candle, DataMode, Day, Frequency, Instrument, Observation, Symbol};
use store::{Location, Store};

use super::{C, NONE_HELD, NOW, S, ask, day, series, time};
use crate::claims::{FigureServices, Verdict};
use crate::market::MarketServices;

fn flat(first: &str, close: f64, peak: (&str, f64)) -> Vec<Candle> {
    let (first, last, peak_day) = (day(first), day("2024-03-31"), day(peak.0));
    (0..=last.since(first))
        .map(|count| first.plus(count))
        .map(|one| Candle {
            day: one,
            open: close,
            high: if one == peak_day {
                peak.1
            } else {
                close * 1.01
            },
            low: close * 0.99,
            close,
            volume: 1e6,
        })
        .collect()
}

/// BTC at 90,000 since 2017 with a high of 158,243 on 14 January 2024, without missing days. SOL at 100 since 2023
/// with a high of 200. ACME and NVDA with closes in 2024 and no share count. Inflation that was 9.1 % in June 2022.
async fn world() -> FigureServices {
    let store = Store::open(&Location::Memory, DataMode::Demo)
        .await
        .unwrap();
    let mut transaction = store.market_transaction(time(NOW)).await.unwrap();
    let sessions = |close: f64| -> Vec<Candle> {
        market::calendar::sessions(day("2024-01-02"), day("2024-03-28"))
            .map(|one| Candle {
                day: one,
                open: close,
                high: close + 1.0,
                low: close - 1.0,
                close,
                volume: 1e6,
            })
            .collect()
    };
    for (symbol, kind, candles) in [
        (
            "BTC",
            AssetType::Crypto,
            flat("2017-06-01", 90_000.0, ("2024-01-14", 158_243.0)),
        ),
        (
            "SOL",
            AssetType::Crypto,
            flat("2023-01-01", 100.0, ("2023-12-25", 200.0)),
        ),
        ("ACME", AssetType::Equity, sessions(300.0)),
        ("NVDA", AssetType::Equity, sessions(10.0)),
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
    let rate: Vec<Observation> = (0..26)
        .map(|count: i32| day("2022-01-01").months_before(-count))
        .map(|one: Day| Observation {
            day: one,
            value: if one == day("2022-06-01") { 9.1 } else { 4.0 },
        })
        .collect();
    for (id, lag, values) in [
        ("macro:UNRATE", 45, rate.clone()),
        ("macro:FEDFUNDS", 31, rate),
    ] {
        transaction
            .put_values(&series(id, "percent", Frequency::Monthly, lag), &values)
            .await
            .unwrap();
    }
    transaction.commit().await.unwrap();
    FigureServices::of(&MarketServices::new(store))
}

async fn check(rows: &[(&str, Verdict)]) {
    let services = world().await;
    for (claim, expected) in rows {
        let found = ask(&services, claim, None).await;
        let verdict = found.as_ref().map(|found| found.verdict);
        assert_eq!(verdict, Some(*expected), "{claim}: {found:?}");
    }
}

#[tokio::test]
async fn what_was_reached_once_was_reached() {
    check(&[
        ("BTC hit 120,000", S),
        ("BTC reached $150,000", S),
        ("BTC has topped $150,000", S),
        ("BTC crossed $150,000", S),
        ("BTC has never traded above $150,000", C),
        ("BTC never hit $120,000", C),
        ("BTC's all-time high is $100,000", C),
        ("BTC's all-time high is $158,243", S),
        ("Unemployment hit 9.1%", S),
        ("Unemployment has never been above 9%", C),
        ("Unemployment has never risen above 9%", C),
        ("Unemployment has never fallen below 5%", C),
        ("BTC has never fallen below $89,500", C),
        ("BTC has never risen above $150,000", C),
        // With a time, the claim is about that time.
        ("BTC hit 120,000 on 31 March 2024", C),
        ("BTC hit 120,000 in February 2024", C),
        ("BTC hit 120,000 on 14 January 2024", S),
    ])
    .await;
}

#[tokio::test]
async fn that_it_never_was_takes_a_long_history() {
    check(&[
        ("BTC hit $200,000", C),
        ("BTC has never traded above $200,000", S),
        ("SOL hit $150", S),
        ("SOL hit $250", NONE_HELD),
        ("SOL has never traded above $250", NONE_HELD),
        ("Unemployment reached 14.7%", NONE_HELD),
        ("Unemployment has never fallen below 3%", NONE_HELD),
        // Older prices are mostly lower.
        ("BTC hit $1,000", NONE_HELD),
        ("SOL fell below $50", NONE_HELD),
        ("ACME has always been above $100", NONE_HELD),
        ("ACME has always been above $301", C),
    ])
    .await;
}

#[tokio::test]
async fn what_stays_open_says_what_the_news_must_name() {
    let services = world().await;
    for (claim, is_level) in [
        ("SOL has never traded above $250", true),
        ("SOL traded above $250 on 14 March 2022", false),
        ("WXYZ has never traded above $250", false),
    ] {
        let found = ask(&services, claim, None).await;
        let level = found.and_then(|found| found.level);
        assert_eq!(level.is_some(), is_level, "{claim}: {level:?}");
    }
}

#[tokio::test]
async fn the_first_day_is_shown() {
    let services = world().await;
    let found = ask(&services, "BTC hit 120,000", None).await.unwrap();
    assert!(
        found.statement.contains("14 January 2024")
            && found.statement.contains("held since 1 June 2017"),
        "{found:?}"
    );
}

#[tokio::test]
async fn a_price_is_no_size_of_a_company() {
    check(&[
        ("ACME is bigger than NVDA", NONE_HELD),
        ("NVDA is larger than ACME", NONE_HELD),
        ("NVDA is smaller than ACME", NONE_HELD),
    ])
    .await;
}

#[tokio::test]
async fn the_fed_does_not_answer_for_other_central_banks() {
    let services = world().await;
    for claim in [
        "The ECB raised its key rate to 3.00%",
        "The ECB's policy rate is 4%",
        "The Bank of Japan cut its policy rate in January 2024",
    ] {
        let found = ask(&services, claim, None).await;
        let is_open = |found: &crate::claims::FigureFinding| {
            matches!(found.verdict, Verdict::Unverifiable(_))
        };
        assert!(found.as_ref().is_none_or(is_open), "{claim}: {found:?}");
    }
}

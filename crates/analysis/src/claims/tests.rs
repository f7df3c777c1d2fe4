//! Claims against a small world: a share with four weeks of closes, monthly statistics, yields, a currency pair, a
//! report.

mod ever;
mod limits;
mod renamed;
mod splits;
mod statistics;

use model::{
    AssetType, Candle, Concept, DataMode, Day, Fact, FactSet, Frequency, Instrument, Observation,
    Series, SeriesId, Symbol, Timestamp,
};
use store::{Location, Store};

use super::{FigureFinding, FigureServices, Reason, Verdict, check_figures};
use crate::market::MarketServices;

const NOW: &str = "2024-04-01T00:00:00Z";

fn day(text: &str) -> Day {
    Day::parse(text).unwrap()
}

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn series(id: &str, unit: &str, frequency: Frequency, lag: i32) -> Series {
    Series {
        id: SeriesId(id.to_owned()),
        name: id.to_owned(),
        unit: unit.to_owned(),
        frequency,
        source: "test".to_owned(),
        publication_lag_days: lag,
    }
}

/// ACME's sessions from 1 February to 28 March 2024, each a dollar above the previous one, starting at 100; on 14
/// March it fell to 90.
async fn world() -> FigureServices {
    let store = Store::open(&Location::Memory, DataMode::Demo)
        .await
        .unwrap();
    let mut transaction = store.market_transaction(time(NOW)).await.unwrap();
    let mut close = 99.0;
    let candles: Vec<Candle> = market::calendar::sessions(day("2024-02-01"), day("2024-03-28"))
        .map(|day| {
            close += 1.0;
            let value = if day.to_string() == "2024-03-14" {
                90.0
            } else {
                close
            };
            Candle {
                day,
                open: value,
                high: value + 2.0,
                low: value - 2.0,
                close: value,
                volume: 1e6,
            }
        })
        .collect();
    let acme = Instrument {
        name: Some("Acme Robotics Inc.".to_owned()),
        exchange: Some("NASDAQ".to_owned()),
        sector: Some("Industrials".to_owned()),
        ..Instrument::bare(Symbol::parse("ACME").unwrap(), AssetType::Equity)
    };
    transaction
        .put_instruments(std::slice::from_ref(&acme))
        .await
        .unwrap();
    transaction.put_candles(&acme, &candles).await.unwrap();
    let monthly = |rows: &[(&str, f64)]| -> Vec<Observation> {
        rows.iter()
            .map(|(text, value)| Observation {
                day: day(text),
                value: *value,
            })
            .collect()
    };
    let rates = monthly(&[
        ("2023-11-01", 3.9),
        ("2023-12-01", 3.8),
        ("2024-01-01", 3.7),
        ("2024-02-01", 3.9),
    ]);
    transaction
        .put_values(
            &series("macro:UNRATE", "percent", Frequency::Monthly, 45),
            &rates,
        )
        .await
        .unwrap();
    let prices = monthly(&[
        ("2022-12-01", 299.0),
        ("2023-01-01", 300.0),
        ("2023-12-01", 308.0),
        ("2024-01-01", 309.6),
    ]);
    transaction
        .put_values(
            &series("macro:CPIAUCSL", "index", Frequency::Monthly, 45),
            &prices,
        )
        .await
        .unwrap();
    let jobs = monthly(&[("2023-12-01", 157_000.0), ("2024-01-01", 157_272.0)]);
    transaction
        .put_values(
            &series(
                "macro:PAYEMS",
                "thousands of persons",
                Frequency::Monthly,
                45,
            ),
            &jobs,
        )
        .await
        .unwrap();
    let daily = |start: f64, step: f64| -> Vec<Observation> {
        let days = market::calendar::sessions(day("2024-01-02"), day("2024-03-28"));
        days.zip(0..)
            .map(|(day, place)| Observation {
                day,
                value: start + step * f64::from(place),
            })
            .collect()
    };
    transaction
        .put_values(
            &series("macro:DGS10", "percent", Frequency::Daily, 1),
            &daily(4.0, 0.0),
        )
        .await
        .unwrap();
    transaction
        .put_values(
            &series("macro:DGS2", "percent", Frequency::Daily, 1),
            &daily(4.5, 0.0),
        )
        .await
        .unwrap();
    transaction
        .put_values(
            &series("fx:USDJPY", "JPY per USD", Frequency::Daily, 0),
            &daily(150.0, 0.1),
        )
        .await
        .unwrap();
    let fact = |concept, from: &str, to: &str, value| Fact {
        concept,
        start: Some(day(from)),
        end: day(to),
        value,
        unit: "USD".to_owned(),
    };
    let report = FactSet {
        symbol: Symbol::parse("ACME").unwrap(),
        cik: None,
        accession: "0001".to_owned(),
        form: "10-K".to_owned(),
        filed: day("2024-02-20"),
        accepted_at: None,
        facts: vec![
            fact(Concept::Revenue, "2022-01-01", "2022-12-31", 2.0e9),
            fact(Concept::Revenue, "2023-01-01", "2023-12-31", 2.5e9),
            fact(Concept::NetIncome, "2023-01-01", "2023-12-31", -1.0e8),
        ],
    };
    transaction
        .put_records([(report, time("2024-02-21T00:00:00Z"))])
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    FigureServices::of(&MarketServices::new(store))
}

async fn ask(services: &FigureServices, claim: &str, as_of: Option<&str>) -> Option<FigureFinding> {
    check_figures(services, claim, as_of.map(time), time(NOW))
        .await
        .unwrap()
}

const S: Verdict = Verdict::Supported;
const C: Verdict = Verdict::Contradicted;
const NONE_HELD: Verdict = Verdict::Unverifiable(Reason::NoEvidence);

#[tokio::test]
async fn figures_decide() {
    let services = world().await;
    // 1 February 100, … 13 March 128, 14 March 90, 15 March 130, … 28 March 139.
    for (claim, expected) in [
        ("ACME closed at $100 on 1 February 2024", S),
        ("ACME closed at 100.40 on 1 February 2024", C),
        ("Acme Robotics closed above $99 on February 1, 2024", S),
        ("ACME closed above $100 on 1 February 2024", C),
        ("ACME did not close above $100 on 1 February 2024", S),
        ("ACME fell 29.7% on 14 March 2024", S),
        ("ACME rose on 14 March 2024", C),
        (
            "ACME shares lost more than a quarter of their value on 14 March 2024",
            S,
        ),
        ("ACME traded above $101 on 1 February 2024", S),
        ("ACME's lowest close of March 2024 was $90", S),
        (
            "ACME closed at its lowest level of March 2024 on 14 March",
            S,
        ),
        ("ACME closed below $95 in March 2024", S),
        ("ACME stayed above $95 throughout March 2024", C),
        ("ACME never closed above $150 in March 2024", S),
        ("ACME ended March 2024 at $139", S),
        (
            "ACME's trading volume was 1 million shares on 1 February 2024",
            S,
        ),
        (
            "ACME closed at $100 on Saturday, 3 February 2024",
            NONE_HELD,
        ),
        ("ACME closed at $100 on 3 January 2019", NONE_HELD),
        (
            "Nowhere Industries closed at $100 on 1 February 2024",
            NONE_HELD,
        ),
        ("The unemployment rate fell to 3.7% in January 2024", S),
        ("Unemployment rose in January 2024", C),
        ("CPI rose 3.2 % in January 2024", S),
        ("CPI rose 0.5% month on month in January 2024", S),
        ("CPI rose 3.9% year on year in January 2024", C),
        ("Nonfarm payrolls rose by 272,000 in January 2024", S),
        ("The US economy lost 272,000 jobs in January 2024", C),
        ("The yield curve was inverted on 14 March 2024", S),
        ("the yield curve has been inverted for a month", S),
        (
            "The 10-year Treasury yield was above the 2-year yield on 14 March 2024",
            C,
        ),
        ("The dollar gained against the yen in March 2024", S),
        (
            "The yen fell to 150 per dollar on 2 January 2024",
            NONE_HELD,
        ),
        ("ACME reported revenue of $2.5 billion in 2023", S),
        ("ACME's revenue rose 25% in 2023", S),
        ("ACME was profitable in 2023", C),
        ("ACME's iPad revenue rose 25% in 2023", NONE_HELD),
    ] {
        let found = ask(&services, claim, None).await;
        let verdict = found.as_ref().map(|found| found.verdict);
        assert_eq!(verdict, Some(expected), "{claim}: {found:?}");
    }
    for claim in [
        "The mayor of Velden resigned",
        "Acme Robotics opened a plant in 2023",
        "",
    ] {
        assert_eq!(ask(&services, claim, None).await, None, "{claim}");
    }
}

#[tokio::test]
async fn nothing_known_later_is_used() {
    let services = world().await;
    let claim = "ACME closed at $90 on 14 March 2024";
    // The session of 14 March closed at 20:00 UTC.
    let before = ask(&services, claim, Some("2024-03-14T19:59:00Z"))
        .await
        .unwrap();
    assert_eq!(before.verdict, NONE_HELD);
    let after = ask(&services, claim, Some("2024-03-14T20:00:00Z"))
        .await
        .unwrap();
    assert_eq!(after.verdict, S);
    assert_eq!(after.known_at, Some(time("2024-03-14T20:00:00Z")));
    // January's rate is public at the end of the 45th day after 1 January.
    let claim = "The unemployment rate was 3.7% in January 2024";
    let early = ask(&services, claim, Some("2024-02-10T00:00:00Z"))
        .await
        .unwrap();
    assert_eq!(early.verdict, NONE_HELD);
    let later = ask(&services, claim, Some("2024-02-20T00:00:00Z"))
        .await
        .unwrap();
    assert_eq!(later.verdict, S);
    let report = ask(
        &services,
        "ACME's revenue rose 25% in 2023",
        Some("2024-02-20T12:00:00Z"),
    )
    .await
    .unwrap();
    assert_eq!(report.verdict, NONE_HELD);
}

#[tokio::test]
async fn a_finding_says_how_it_was_read() {
    let services = world().await;
    let found = ask(&services, "ACME closed at $121.40 on 14 March 2024", None)
        .await
        .unwrap();
    assert_eq!(
        found.statement,
        "ACME closed at 90.00 USD on 14 March 2024 (daily close, split-adjusted)."
    );
    assert_eq!(found.reading, "daily close, split-adjusted");
    assert_eq!((found.claimed, found.unit.as_str()), (Some(121.4), "USD"));
    assert_eq!(found.symbols, [Symbol::parse("ACME").unwrap()]);
    assert!(
        found
            .tolerance
            .is_some_and(|tolerance| (tolerance - 0.005).abs() < 1e-9)
    );
    let found = ask(&services, "CPI rose 3.2 % in January 2024", None)
        .await
        .unwrap();
    assert!(found.reading.contains("year on year"), "{found:?}");
    assert!(found.symbols.is_empty(), "{found:?}");
    let found = ask(&services, "ACME closed at $100 on 3 January 2019", None)
        .await
        .unwrap();
    assert!(
        found.statement.contains("1 February 2024 to 28 March 2024"),
        "{found:?}"
    );
    let stale = check_figures(
        &services,
        "ACME closed above $100",
        None,
        time("2025-01-01T00:00:00Z"),
    )
    .await
    .unwrap();
    assert_eq!(
        stale.map(|found| found.verdict),
        Some(Verdict::Unverifiable(Reason::Stale))
    );
}

#[tokio::test]
async fn a_period_that_is_going_on_ends_on_the_day_of_the_claim() {
    let services = world().await;
    let within = "2024-03-12T21:00:00Z";
    for (claim, now, expected) in [
        ("ACME rose 6.7% in March 2024", within, S),
        ("ACME fell 6.7% in March 2024", within, C),
        ("ACME rose 16.8% in March 2024", within, C),
        ("ACME rose 6.7% in March 2024", NOW, C),
        ("ACME rose 16.8% in March 2024", NOW, S),
    ] {
        let found = check_figures(&services, claim, None, time(now))
            .await
            .unwrap();
        let verdict = found.as_ref().map(|found| found.verdict);
        assert_eq!(verdict, Some(expected), "{claim} {now}: {found:?}");
    }
    // Said of an earlier time, it may be about the whole month.
    let found = ask(&services, "ACME rose 16.8% in March 2024", Some(within)).await;
    let verdict = found.map(|found| found.verdict);
    assert_eq!(verdict, Some(NONE_HELD));
}

#[tokio::test]
async fn what_is_said_beside_a_right_figure_is_looked_at_too() {
    let services = world().await;
    for (claim, expected) in [
        // The last close of March is its highest, and not that of the 14th.
        ("ACME closed at a record high of $139 on 28 March 2024", S),
        ("ACME closed at a record high of $90 on 14 March 2024", C),
        (
            "ACME fell 29.7% on 14 March 2024, its fifth straight loss",
            NONE_HELD,
        ),
    ] {
        let found = ask(&services, claim, None).await;
        let verdict = found.as_ref().map(|found| found.verdict);
        assert_eq!(verdict, Some(expected), "{claim}: {found:?}");
        // No text is asked about what stands beside a right figure.
        let is_settled = found.is_some_and(|found| found.is_settled);
        assert_eq!(is_settled, expected == NONE_HELD, "{claim}");
    }
    assert_eq!(
        ask(&services, "ACME wants to take over BTC", None).await,
        None
    );
}

#[tokio::test]
async fn several_claims_of_a_sentence_must_all_hold() {
    let services = world().await;
    for (claim, expected) in [
        ("ACME fell on 14 March 2024 but rose on 15 March 2024", S),
        ("ACME fell on 14 March 2024 and fell on 15 March 2024", C),
        (
            "ACME fell on 14 March 2024 but rose on 15 March 2031",
            NONE_HELD,
        ),
        (
            "ACME closed at $139 on 28 March 2024, the day the mayor of Velden resigned.",
            S,
        ),
        ("ACME finished March 2024 above where it started.", S),
        ("ACME finished March 2024 below where it started.", C),
    ] {
        let found = ask(&services, claim, None).await;
        let verdict = found.as_ref().map(|found| found.verdict);
        let is_open = verdict.is_none_or(|verdict| matches!(verdict, Verdict::Unverifiable(_)));
        assert!(
            verdict == Some(expected) || expected == NONE_HELD && is_open,
            "{claim}: {found:?}"
        );
    }
}

#[tokio::test]
async fn runs_first_times_best_weeks_and_peaks() {
    let services = world().await;
    for (claim, expected) in [
        ("ACME rose for 8 consecutive sessions in March 2024", S),
        // Fewer sessions than that are on record.
        (
            "ACME rose for 40 consecutive sessions in March 2024",
            NONE_HELD,
        ),
        ("ACME posted 9 straight gains ending 28 March 2024", S),
        ("ACME posted 11 straight gains ending 28 March 2024", C),
        ("ACME fell 2 sessions in a row in March 2024", C),
        ("ACME closed above $125 for the first time in March 2024", S),
        ("ACME closed above $105 for the first time in March 2024", C),
        (
            "ACME's worst week of March 2024 was the week of 25 March 2024",
            S,
        ),
        (
            "ACME's worst week of March 2024 was the week of 4 March 2024",
            C,
        ),
        (
            "ACME closed 14 March 2024 35% below its March 2024 closing peak",
            S,
        ),
        (
            "ACME closed 14 March 2024 20% below its March 2024 closing peak",
            C,
        ),
    ] {
        let found = ask(&services, claim, None).await;
        let verdict = found.as_ref().map(|found| found.verdict);
        assert_eq!(verdict, Some(expected), "{claim}: {found:?}");
    }
}

#[tokio::test]
async fn a_first_time_says_how_far_back_it_was_looked_for() {
    let services = world().await;
    let claim = "ACME closed above $125 for the first time in March 2024";
    let found = ask(&services, claim, None).await.unwrap();
    assert!(
        found.statement.ends_with(
            "It was so on no day before, as far back as values are held: 1 February 2024."
        ),
        "{found:?}"
    );
    // There may have been others before the first session on record.
    let claim = "ACME closed above $99 for the first time on 1 February 2024";
    let found = ask(&services, claim, None).await.unwrap();
    assert_eq!(found.verdict, NONE_HELD, "{found:?}");
}

#[tokio::test]
async fn exact_figures_decide_where_words_are_not_understood() {
    let services = world().await;
    for (claim, expected) in [
        // Exact to the last digit: the meaning of `idled` changes nothing.
        (
            "ACME idled at $112.00 when it closed on 20 February 2024",
            Some(S),
        ),
        (
            "ACME idled at $113.00 when it closed on 20 February 2024",
            Some(C),
        ),
        // Too round: it could be a coincidence.
        (
            "ACME idled at about $110 when it closed on 20 February 2024",
            None,
        ),
        // Two figures that agree show what the third means.
        (
            "ACME idled at $100.00 on 1 February 2024 and at $112.00 on 20 February 2024, a rise of 12.0 %",
            Some(S),
        ),
        (
            "ACME idled at $100.00 on 1 February 2024 and at $123.00 on 20 February 2024",
            Some(C),
        ),
        // A price from that day, though not its close.
        (
            "ACME idled at $100.00 on 1 February 2024 and at $113.00 on 20 February 2024",
            None,
        ),
        (
            "ACME idled at about $100 on 1 February 2024 and at $113.00 on 20 February 2024",
            None,
        ),
    ] {
        let found = ask(&services, claim, None).await;
        let verdict = found.as_ref().map(|found| found.verdict);
        let verdict = verdict.filter(|verdict| !matches!(verdict, Verdict::Unverifiable(_)));
        assert_eq!(verdict, expected, "{claim}: {found:?}");
    }
}

#[tokio::test]
async fn what_is_passed_over_is_named() {
    let services = world().await;
    let claim = "ACME idled at $112.00 when it closed on 20 February 2024";
    let found = ask(&services, claim, None).await.unwrap();
    assert_eq!(
        found.statement,
        "ACME closed at 112.00 USD on 20 February 2024 (daily close, split-adjusted). Only the figures were checked, not \
         what else is said (`idled`)."
    );
}

#[tokio::test]
async fn figures_do_not_show_a_cause() {
    let services = world().await;
    let claim = "ACME closed at $112 on 20 February 2024 because orders doubled";
    let found = ask(&services, claim, None).await.unwrap();
    assert_eq!(found.verdict, NONE_HELD, "{found:?}");
    assert!(
        found.statement.ends_with("Figures do not show the cause."),
        "{found:?}"
    );
    // Something that did not happen has no cause.
    let claim = "ACME closed at $150 on 20 February 2024 because orders doubled";
    let found = ask(&services, claim, None).await.unwrap();
    assert_eq!(found.verdict, C, "{found:?}");
}

#[tokio::test]
async fn a_share_is_where_its_listing_says() {
    let services = world().await;
    for (claim, expected) in [
        ("ACME is listed on the Nasdaq", Some(S)),
        ("ACME trades on the NYSE", Some(C)),
        ("ACME is not listed on the NYSE", Some(S)),
        ("ACME belongs to the industrials sector", Some(S)),
        ("ACME is classed under Information Technology", Some(C)),
        ("ACME is listed on the Nasdaq, not the NYSE", None),
        ("Unlike ACME, Ford trades on the NYSE", None),
        ("ACME used to trade on the NYSE", None),
        ("Is ACME listed on the Nasdaq?", None),
    ] {
        let found = ask(&services, claim, None).await;
        let verdict = found.as_ref().map(|found| found.verdict);
        let verdict = verdict.filter(|verdict| !matches!(verdict, Verdict::Unverifiable(_)));
        assert_eq!(verdict, expected, "{claim}: {found:?}");
    }
}

//! Claims about prices before a split: in the shares of that time, in today's shares, in neither, and in cases where
//! it is not known.

use model::{
    ActionKind, AssetType, Candle, CorporateAction, DataMode, Instrument, PriceScale, Symbol,
};
use store::{Location, Store};

use super::{C, NONE_HELD, S, day, time};
use crate::claims::{FigureFinding, FigureServices, Reason, Verdict, check_figures};
use crate::market::MarketServices;

const AFTER: &str = "2024-07-01T00:00:00Z";
const OPEN: Verdict = Verdict::Unverifiable(Reason::Conflicting);

/// Closes in June 2024 in the shares as counted at the end of that month; ten of them were one until the 7th.
const JUNE: [(&str, f64); 19] = [
    ("2024-06-03", 115.0),
    ("2024-06-04", 116.437),
    ("2024-06-05", 122.44),
    ("2024-06-06", 120.998),
    ("2024-06-07", 120.888),
    ("2024-06-10", 121.79),
    ("2024-06-11", 120.91),
    ("2024-06-12", 125.2),
    ("2024-06-13", 129.61),
    ("2024-06-14", 131.88),
    ("2024-06-17", 130.98),
    ("2024-06-18", 135.58),
    ("2024-06-20", 130.78),
    ("2024-06-21", 126.57),
    ("2024-06-24", 118.11),
    ("2024-06-25", 126.09),
    ("2024-06-26", 126.4),
    ("2024-06-27", 123.99),
    ("2024-06-28", 123.54),
];

fn candle(on: model::Day, close: f64) -> Candle {
    Candle {
        day: on,
        open: close,
        high: close * 1.005,
        low: close * 0.995,
        close,
        volume: 4e8,
    }
}

/// NVDA at 95 in April and May 2024, split ten for one on 10 June, all in the shares as counted then. AMZN at 170.4
/// throughout, in a file that contains every split, with none on record. INFR the same, with a split that is only
/// inferred from its files.
async fn world() -> FigureServices {
    let store = Store::open(&Location::Memory, DataMode::Demo)
        .await
        .unwrap();
    let mut transaction = store.market_transaction(time(AFTER)).await.unwrap();
    let spring: Vec<model::Day> =
        market::calendar::sessions(day("2024-04-01"), day("2024-05-31")).collect();
    let split: Vec<Candle> = spring
        .iter()
        .map(|on| candle(*on, 95.0))
        .chain(JUNE.iter().map(|(on, close)| candle(day(on), *close)))
        .collect();
    let flat: Vec<Candle> = split.iter().map(|one| candle(one.day, 170.4)).collect();
    for (symbol, candles) in [("NVDA", &split), ("AMZN", &flat), ("INFR", &flat)] {
        let instrument = Instrument::bare(Symbol::parse(symbol).unwrap(), AssetType::Equity);
        transaction
            .put_instruments(std::slice::from_ref(&instrument))
            .await
            .unwrap();
        let through = PriceScale::Through(day("2024-06-28"));
        transaction
            .put_scaled_candles(&instrument, candles, through, "file")
            .await
            .unwrap();
    }
    let action = |symbol: &str, on: &str, no_later_than, source: &str| CorporateAction {
        symbol: Symbol::parse(symbol).unwrap(),
        kind: ActionKind::Split,
        ex_date: day(on),
        ratio: Some(10.0),
        amount: None,
        currency: None,
        new_symbol: None,
        announced: None,
        no_later_than,
        source: source.to_owned(),
    };
    let last = Some(day("2024-06-28"));
    let actions = [
        action("NVDA", "2024-06-10", None, "file"),
        action("INFR", "2024-05-20", last, CorporateAction::INFERRED),
    ];
    transaction
        .put_records(actions.map(|one| (one, time("2024-05-22T20:00:00Z"))))
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    FigureServices::of(&MarketServices::new(store))
}

async fn ask(services: &FigureServices, claim: &str) -> FigureFinding {
    let found = check_figures(services, claim, None, time(AFTER)).await;
    found
        .unwrap()
        .unwrap_or_else(|| panic!("no figure: {claim}"))
}

const THEN: &str = "as traded then, before the 10-for-1 split of 10 June 2024";
const NOW: &str = "split-adjusted";

/// Checks each claim against its verdict and a part of the statement.
async fn check(rows: &[(&str, Verdict, &str)]) {
    let services = world().await;
    for (claim, verdict, part) in rows {
        let found = ask(&services, claim).await;
        assert_eq!(found.verdict, *verdict, "{claim}: {found:?}");
        assert!(found.statement.contains(part), "{claim}: {found:?}");
    }
}

#[tokio::test]
async fn a_price_of_a_day_is_true_in_either_scale() {
    check(&[
        ("NVDA closed above $1,200 on 7 June 2024", S, THEN),
        ("NVDA closed above $120 on 7 June 2024", S, NOW),
        ("NVDA closed at $1,208.88 on 7 June 2024", S, THEN),
        ("NVDA closed at $120.89 on 7 June 2024", S, NOW),
        ("NVDA traded at $1,205 on 7 June 2024", S, THEN),
        // It was paid, whatever the number of shares since then.
        ("NVDA closed above $150 on 7 June 2024", S, THEN),
        ("NVDA closed below $125 on 7 June 2024", S, NOW),
        ("NVDA closed at $121.79 on 10 June 2024", S, NOW),
    ])
    .await;
    let found = ask(&world().await, "NVDA closed above $1,200 on 7 June 2024").await;
    assert_eq!(found.reading, format!("daily close, {THEN}"));
    assert!((found.truth[0].value - 1_208.88).abs() < 1e-9, "{found:?}");
}

#[tokio::test]
async fn only_what_both_scales_refute_is_contradicted() {
    check(&[
        // The correction is in the scale of the claim.
        ("NVDA closed above $1,250 on 7 June 2024", C, "1,208.88 USD"),
        ("NVDA closed above $1,250 on 7 June 2024", C, THEN),
        ("NVDA closed at $125 on 7 June 2024", C, "120.89 USD"),
        ("NVDA closed at $125 on 7 June 2024", C, NOW),
        ("NVDA closed above $1,200 on 10 June 2024", C, "121.79 USD"),
        ("NVDA did not close above $120 on 7 June 2024", C, NOW),
        // True of the adjusted price, though its number is in the other scale.
        (
            "NVDA closed below $1,200 on 7 June 2024",
            OPEN,
            "1,208.88 USD",
        ),
        (
            "NVDA did not close above $1,200 on 7 June 2024",
            OPEN,
            "120.89 USD",
        ),
    ])
    .await;
}

#[tokio::test]
async fn changes_over_a_split_are_those_of_adjusted_prices() {
    check(&[
        ("NVDA rose 0.7% on 10 June 2024", S, "121.79 USD"),
        ("NVDA fell 90% on 10 June 2024", C, "120.89 USD"),
        ("NVDA fell on 10 June 2024", C, "121.79 USD"),
    ])
    .await;
}

#[tokio::test]
async fn a_time_has_one_scale_and_its_days_have_their_own() {
    check(&[
        // Before the split.
        ("NVDA's highest close of May 2024 was $950", S, THEN),
        ("NVDA's highest close of May 2024 was $95", S, NOW),
        ("NVDA ended May 2024 at $950", S, THEN),
        // Across it, a day shows what was paid on that day.
        ("NVDA closed above $1,220 in June 2024", S, THEN),
        ("NVDA closed above $130 in June 2024", S, "USD"),
        (
            "NVDA closed above $1,300 in June 2024",
            C,
            "As traded then, before",
        ),
        // Only one scale says what is the highest on both sides.
        ("NVDA's highest close of June 2024 was $135.58", S, NOW),
        (
            "NVDA's highest close of June 2024 was $1,224.40",
            OPEN,
            "As traded then, before",
        ),
        (
            "NVDA's highest close of June 2024 was $150",
            C,
            "135.58 USD",
        ),
        ("NVDA ended June 2024 at $123.54", S, "123.54 USD"),
        // Without a time, it is about every day.
        ("NVDA hit $1,225", S, THEN),
    ])
    .await;
}

#[tokio::test]
async fn what_was_paid_is_not_guessed() {
    check(&[
        // Twenty times as much: it may have been paid before a split that nobody reports.
        (
            "AMZN closed at $3,408 on 7 June 2024",
            NONE_HELD,
            "do not say what was paid then",
        ),
        ("AMZN closed at $200 on 7 June 2024", C, "170.40 USD"),
        ("AMZN closed at $170.40 on 7 June 2024", S, "170.40 USD"),
        (
            "INFR closed at $1,704 on 7 June 2024",
            NONE_HELD,
            "do not say what was paid then",
        ),
        // Traded share counts can be off by such a ratio without any split.
        (
            "AMZN's trading volume was 4 billion shares on 7 June 2024",
            C,
            "400",
        ),
        (
            "AMZN's trading volume was 400 million shares on 7 June 2024",
            S,
            "400",
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_bound_may_be_true_of_what_was_paid() {
    const UNSAID: &str = "do not say what was paid then";
    check(&[
        // A ten-for-one split is only inferred from its files.
        ("INFR closed above $1,600 on 7 June 2024", NONE_HELD, UNSAID),
        ("INFR closed above $400 on 3 April 2024", NONE_HELD, UNSAID),
        (
            "INFR closed between $1,600 and $1,800 on 3 April 2024",
            NONE_HELD,
            UNSAID,
        ),
        ("INFR averaged $1,704 in April 2024", NONE_HELD, UNSAID),
        // More than was paid before it, but so close that no split explains it.
        ("INFR closed above $1,800 on 3 April 2024", C, "170.40 USD"),
        ("INFR closed above $200 on 3 April 2024", C, "170.40 USD"),
        ("INFR closed below $80 on 3 April 2024", C, "170.40 USD"),
        // None is on record.
        (
            "AMZN closed above $3,000 on 3 April 2024",
            NONE_HELD,
            UNSAID,
        ),
        ("AMZN closed above $4,000 on 3 April 2024", C, "170.40 USD"),
        ("AMZN closed above $300 on 3 April 2024", C, "170.40 USD"),
        ("AMZN closed below $80 on 3 April 2024", C, "170.40 USD"),
        // A split in the last few days would be on record.
        ("AMZN closed above $3,000 on 24 June 2024", C, "170.40 USD"),
    ])
    .await;
}

#[tokio::test]
async fn a_volume_may_be_one_of_before_an_inferred_split() {
    check(&[
        (
            "INFR's trading volume was 40 million shares on 3 April 2024",
            NONE_HELD,
            "do not say what was traded then",
        ),
        (
            "INFR's trading volume was 50 million shares on 3 April 2024",
            C,
            NOW,
        ),
        (
            "INFR's trading volume was 400 million shares on 3 April 2024",
            S,
            NOW,
        ),
        (
            "AMZN's trading volume was 40 million shares on 3 April 2024",
            C,
            "400",
        ),
    ])
    .await;
}

#[tokio::test]
async fn before_the_split_there_is_one_scale() {
    let services = world().await;
    let then = Some(time("2024-06-08T00:00:00Z"));
    for (claim, verdict) in [
        ("NVDA closed above $1,200 on 7 June 2024", S),
        ("NVDA closed at $120.89 on 7 June 2024", C),
    ] {
        let found = check_figures(&services, claim, then, time(AFTER)).await;
        let found = found.unwrap().unwrap();
        assert_eq!(found.verdict, verdict, "{claim}: {found:?}");
        assert!(found.statement.contains("1,208.88 USD"), "{found:?}");
    }
}

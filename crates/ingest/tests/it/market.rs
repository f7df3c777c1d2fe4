//! Market data on their way into the store, and names of the listings in the news.

use ingest::market::{NamedDisclosures, name_disclosures, write_market};
use market::actions::Splits;
use model::{
    ActionKind, Amendment, AssetType, Candle, CorporateAction, Day, Earnings, EarningsStatus,
    Filing, Holding, HoldingLine, HoldingsReport, InsiderAction, InsiderForm, InsiderLine,
    InsiderTrade, Instrument, InstrumentKey, MarketBatch, PriceScale, Symbol,
};
use store::{BriefSentimentQuery, Record, RecordQuery, Store};

use crate::world::{RECORDED, at, prepared, publisher, raw, store};

fn day(text: &str) -> Day {
    Day::parse(text).unwrap()
}

fn symbol() -> Symbol {
    Symbol::parse("ACME").unwrap()
}

fn trade(shares: f64) -> InsiderTrade {
    InsiderTrade {
        transaction_type: InsiderAction::Buy,
        code: "P".into(),
        shares,
        price: Some(2.0),
        value: Some(2.0 * shares),
        date: day("2026-03-02"),
        derivative: false,
    }
}

fn form(accession: &str, filed: &str, amends: Option<&str>, trades: &[f64]) -> InsiderForm {
    InsiderForm {
        accession: accession.into(),
        symbol: symbol(),
        issuer: "Acme".into(),
        owner_cik: 7,
        name: "Ada Quill".into(),
        title: "Director".into(),
        filed: day(filed),
        accepted_at: None,
        amends: amends.map(day),
        filing_url: "https://example.org/form".into(),
        trades: trades.iter().map(|shares| trade(*shares)).collect(),
    }
}

async fn standing<R: Record>(store: &Store, as_of: Option<&str>) -> Vec<R> {
    let query = RecordQuery {
        symbol: Some(symbol()),
        as_of: as_of.map(at),
        ..RecordQuery::default()
    };
    let found = store.records::<R>().list(&query).await.unwrap();
    found.into_iter().map(|stored| stored.record).collect()
}

async fn shares(store: &Store, as_of: Option<&str>) -> Vec<f64> {
    let lines: Vec<InsiderLine> = standing(store, as_of).await;
    lines.iter().map(|line| line.trade.shares).collect()
}

#[tokio::test]
async fn an_amended_form_takes_the_place_of_its_original() {
    let store = store().await;
    // The amendment comes first in the file, and a form of another day stands beside them.
    let batch = MarketBatch {
        insider_forms: vec![
            form("b", "2026-03-09", Some("2026-03-04"), &[150.0]),
            form("a", "2026-03-04", None, &[100.0, 50.0]),
            form("c", "2026-03-05", None, &[7.0]),
        ],
        ..MarketBatch::default()
    };
    for _ in 0..2 {
        write_market(&store, &batch, at(RECORDED)).await.unwrap();
        assert_eq!(shares(&store, None).await, [150.0, 7.0]);
    }
    let mut before = shares(&store, Some("2026-03-07T00:00:00Z")).await;
    before.sort_by(f64::total_cmp);
    assert_eq!(before, [7.0, 50.0, 100.0]);
    assert!(
        shares(&store, Some("2026-03-04T23:59:59Z"))
            .await
            .is_empty()
    );
}

fn holding(cusip: &str, shares: f64) -> Holding {
    Holding {
        symbol: Some(symbol()),
        cusip: cusip.into(),
        issuer: "ACME INC".into(),
        class: String::new(),
        shares,
        value: shares * 10.0,
        portfolio_pct: None,
    }
}

fn report(filed: &str, amendment: Option<Amendment>, holdings: Vec<Holding>) -> HoldingsReport {
    HoldingsReport {
        accession: format!("report-{filed}"),
        institution: "Quill Capital".into(),
        institution_cik: 9,
        report_date: day("2026-03-31"),
        filed: day(filed),
        amendment,
        holdings,
    }
}

#[tokio::test]
async fn restatements_replace_and_additions_add() {
    let store = store().await;
    let held = async |as_of: Option<&str>| {
        let lines: Vec<HoldingLine> = standing(&store, as_of).await;
        let mut found: Vec<(String, f64)> = lines
            .into_iter()
            .map(|line| (line.holding.cusip, line.holding.shares))
            .collect();
        found.sort_by(|left, right| left.0.cmp(&right.0));
        found
    };
    let write = async |report: HoldingsReport| {
        let batch = MarketBatch {
            holdings_reports: vec![report],
            ..MarketBatch::default()
        };
        write_market(&store, &batch, at(RECORDED)).await.unwrap();
    };
    write(report(
        "2026-05-10",
        None,
        vec![holding("1", 10.0), holding("2", 20.0)],
    ))
    .await;
    write(report(
        "2026-05-12",
        Some(Amendment::NewHoldings),
        vec![holding("1", 5.0)],
    ))
    .await;
    assert_eq!(held(None).await, [("1".into(), 15.0), ("2".into(), 20.0)]);
    write(report(
        "2026-05-14",
        Some(Amendment::Restatement),
        vec![holding("2", 30.0)],
    ))
    .await;
    assert_eq!(held(None).await, [("2".into(), 30.0)]);
    assert_eq!(
        held(Some("2026-05-11T12:00:00Z")).await,
        [("1".into(), 10.0), ("2".into(), 20.0)]
    );
}

#[tokio::test]
async fn what_is_disclosed_before_its_listing_gets_its_symbol_from_it() {
    let store = store().await;
    let filing = Filing {
        accession: "0000000007-26-000001".into(),
        symbol: None,
        cik: 7,
        company_name: "ACME INC".into(),
        form_type: "8-K".into(),
        filed_date: day("2026-03-02"),
        accepted_at: Some(at("2026-03-02T21:09:00Z")),
        period_of_report: None,
        filing_url: "https://example.org/filing".into(),
        description: String::new(),
        other_parties: Vec::new(),
    };
    let other = Filing {
        accession: "0000000008-26-000001".into(),
        cik: 8,
        ..filing.clone()
    };
    // A form index names everybody who is party to a filing, a director before the company.
    let mut of_director = Filing {
        accession: "0000000009-26-000001".into(),
        cik: 9,
        company_name: "DOE JANE".into(),
        filing_url: "https://www.sec.gov/Archives/edgar/data/9/0000000009-26-000001.txt".into(),
        ..filing.clone()
    };
    of_director.add_party(7, "ACME INC".to_owned());
    let held = Holding {
        symbol: None,
        class: "COM".into(),
        ..holding("1", 10.0)
    };
    let batch = MarketBatch {
        filings: vec![filing.clone(), other, of_director.clone()],
        holdings_reports: vec![report("2026-05-10", None, vec![held])],
        ..MarketBatch::default()
    };
    write_market(&store, &batch, at(RECORDED)).await.unwrap();
    assert!(standing::<Filing>(&store, None).await.is_empty());
    let name = async || {
        let of_filer = |cik| (cik == 7).then(symbol);
        let of_issuer =
            |issuer: &str, class: &str| ((issuer, class) == ("ACME INC", "COM")).then(symbol);
        name_disclosures(&store, at(RECORDED), of_filer, of_issuer)
            .await
            .unwrap()
    };
    let named = name().await;
    assert_eq!((named.filings, named.holdings), (2, 1));
    let named_filing = Filing {
        symbol: Some(symbol()),
        ..filing
    };
    let of_company = Filing {
        symbol: Some(symbol()),
        cik: 7,
        company_name: "ACME INC".into(),
        filing_url: "https://www.sec.gov/Archives/edgar/data/7/0000000009-26-000001.txt".into(),
        other_parties: Vec::new(),
        ..of_director
    };
    // Known since it was filed, not since it has a symbol; importing it again with its symbol changes nothing.
    let mut found = standing::<Filing>(&store, Some("2026-03-02T21:09:00Z")).await;
    found.sort_by(|one, other| one.accession.cmp(&other.accession));
    assert_eq!(found, [named_filing.clone(), of_company.clone()]);
    assert!(
        standing::<Filing>(&store, Some("2026-03-02T21:08:00Z"))
            .await
            .is_empty()
    );
    assert_eq!(standing::<HoldingLine>(&store, None).await.len(), 1);
    let again = MarketBatch {
        filings: vec![named_filing, of_company],
        ..MarketBatch::default()
    };
    let outcome = write_market(&store, &again, at(RECORDED)).await.unwrap();
    assert_eq!(outcome.written["filings"].known, 2);
    assert_eq!(name().await, NamedDisclosures::default());
}

#[tokio::test]
async fn a_report_was_estimated_before_it_was_reported() {
    let store = store().await;
    let earnings = Earnings {
        symbol: symbol(),
        fiscal_quarter: "Q4 2025".into(),
        date: day("2026-02-10"),
        status: EarningsStatus::Reported,
        time: None,
        eps_estimate: Some(1.0),
        revenue_estimate: None,
        eps_actual: Some(1.2),
        revenue_actual: None,
        source: "test".into(),
    };
    let batch = MarketBatch {
        earnings: vec![earnings.clone()],
        ..MarketBatch::default()
    };
    write_market(&store, &batch, at(RECORDED)).await.unwrap();
    let known: Vec<Earnings> = standing(&store, Some("2026-02-10T12:00:00Z")).await;
    assert_eq!(known[0].eps_actual, None);
    assert_eq!(known[0].eps_estimate, Some(1.0));
    let known: Vec<Earnings> = standing(&store, None).await;
    assert_eq!(known, [earnings]);
}

fn listed(ticker: &str, name: &str) -> Instrument {
    Instrument {
        name: Some(name.to_owned()),
        ..Instrument::bare(Symbol::parse(ticker).unwrap(), AssetType::Equity)
    }
}

async fn tickers(store: &Store) -> Vec<String> {
    let query = BriefSentimentQuery::default();
    let found = store.brief_sentiments().list(&query).await.unwrap();
    found.into_iter().map(|row| row.ticker).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn names_of_the_listings_find_their_symbols() {
    let store = store().await;
    let publisher = publisher(&store);
    let batch = MarketBatch {
        instruments: vec![
            listed("ZZQLB", "Quillbyte Software Inc."),
            listed("ZZSOL", "Solquarry"),
        ],
        ..MarketBatch::default()
    };
    write_market(&store, &batch, at(RECORDED)).await.unwrap();
    let publish = async |url: &str, title: &str, body: &str, published: &str| {
        let items = [raw(url, title, body, published)];
        publisher
            .publish(prepared(&items), at(RECORDED))
            .await
            .unwrap();
    };
    publish(
        "https://harbour.example/1",
        "Quillbyte Software opens an office in Lyon",
        "Quillbyte Software said on Monday that it would open an office in Lyon. Quillbyte Software employs 300 people.",
        "2026-03-02T08:00:00Z",
    )
    .await;
    assert_eq!(tickers(&store).await, ["ZZQLB"]);
    publish(
        "https://harbour.example/2",
        "Solquarry digs a new tunnel near Oslo",
        "The company Solquarry said on Monday that it would dig a tunnel near Oslo. Solquarry employs 40 people.",
        "2026-03-09T08:00:00Z",
    )
    .await;
    assert_eq!(tickers(&store).await, ["ZZQLB"], "one word is not enough");
    publish(
        "https://harbour.example/3",
        "Solquarry Corp buys four mines in Peru",
        "Solquarry (ZZSOL) bought four mines in Peru, the company said on Monday. Miners had asked for a buyer since spring.",
        "2026-04-20T08:00:00Z",
    )
    .await;
    let found = tickers(&store).await;
    assert!(found.contains(&"ZZSOL".to_owned()), "{found:?}");
}

fn candles(first: &str, count: i32, close: f64) -> Vec<Candle> {
    let bars = (0..count).map(|number| Candle {
        day: day(first).plus(number),
        open: close,
        high: close,
        low: close,
        close,
        volume: 1e9 / close,
    });
    bars.collect()
}

/// A file of ACME's prices that contains the splits until its last day.
fn file(first: &str, count: i32, close: f64) -> MarketBatch {
    let candles = candles(first, count, close);
    MarketBatch {
        scale: PriceScale::Through(candles.last().unwrap().day),
        candles: vec![(InstrumentKey::stock(symbol()), candles)],
        ..MarketBatch::default()
    }
}

/// What stood of each day, in the scale of all splits that were known.
async fn closes(store: &Store, as_of: Option<&str>) -> Vec<(Day, f64)> {
    let actions: Vec<CorporateAction> = standing(store, as_of).await;
    let splits = Splits::of(&actions);
    let key = InstrumentKey::stock(symbol());
    let as_of = as_of.map(at);
    let history = store.market().scaled_candles(&key, as_of).await.unwrap();
    let rows = history.rows.into_iter();
    rows.map(|row| {
        let candle = splits.convert(row.candle, row.scale, Day::MAX);
        (candle.day, candle.close)
    })
    .collect()
}

#[tokio::test]
async fn two_files_in_different_scales_come_to_the_same_in_either_order() {
    let (old, new) = (
        file("2025-01-06", 40, 400.0),
        file("2024-12-20", 200, 40.01),
    );
    let mut found = Vec::new();
    for files in [[&old, &new], [&new, &old]] {
        let store = store().await;
        let first = write_market(&store, files[0], at(RECORDED)).await.unwrap();
        assert!(first.scales.is_empty());
        let second = write_market(&store, files[1], at(RECORDED)).await.unwrap();
        assert!(second.scales[0].words().contains("a split of 10 for 1"));
        // Again, nothing is new.
        let again = write_market(&store, files[1], at(RECORDED)).await.unwrap();
        assert!(again.scales.is_empty(), "{:?}", again.scales);
        let closes = closes(&store, None).await;
        assert!(closes.iter().all(|(_, close)| (close - 40.0).abs() < 0.02));
        let actions: Vec<CorporateAction> = standing(&store, None).await;
        assert_eq!(actions.len(), 1);
        found.push((closes, actions));
    }
    assert_eq!(found[0], found[1]);
}

#[tokio::test]
async fn of_times_before_their_import_two_files_say_the_same_in_either_order() {
    let signed = |source: &str, first: &str, count: i32, close: f64| MarketBatch {
        source: source.into(),
        ..file(first, count, close)
    };
    // The same prices, rounded otherwise, and a split of 10 for 1 later.
    let (members, exchange) = (
        signed("members", "2025-01-06", 40, 400.0),
        signed("exchange", "2024-12-20", 40, 400.012),
    );
    let split = signed("after", "2024-12-20", 200, 40.0);
    let before = Some("2026-05-31T00:00:00Z");
    for (files, close) in [
        (vec![&members, &exchange], 400.0),
        (vec![&exchange, &members], 400.0),
        (vec![&members, &exchange, &split], 40.0),
        (vec![&split, &exchange, &members], 40.0),
    ] {
        let store = store().await;
        for file in files {
            write_market(&store, file, at(RECORDED)).await.unwrap();
        }
        let then = closes(&store, before).await;
        let common = then.iter().filter(|(of, _)| *of >= day("2025-01-06"));
        for (of, stood) in common {
            assert_eq!((*of, *stood), (*of, close));
        }
        assert_eq!(then, closes(&store, None).await);
    }
}

#[tokio::test]
async fn two_files_of_a_coin_come_to_the_same_in_either_order() {
    let key = InstrumentKey::crypto(Symbol::parse("BTC").unwrap());
    let file = |source: &str, last: &str, count: i32, close: f64| MarketBatch {
        candles: vec![(key.clone(), candles("2020-01-01", count, close))],
        scale: PriceScale::Through(day(last)),
        source: source.into(),
        ..MarketBatch::default()
    };
    let (archive, chart) = (
        file("coins", "2021-07-06", 5, 7200.17),
        file("Yahoo", "2025-02-22", 3, 7_200.174_316),
    );
    let mut found = Vec::new();
    for files in [[&archive, &chart], [&chart, &archive]] {
        let store = store().await;
        for file in files {
            write_market(&store, file, at(RECORDED)).await.unwrap();
        }
        let before = Some(at("2026-05-31T00:00:00Z"));
        let then = store.market().candles(&key, before).await.unwrap();
        let history = store.market().candles(&key, None).await.unwrap();
        assert_eq!(then.rows, history.rows);
        found.push(history.rows);
    }
    assert_eq!(found[0], found[1]);
    // Of the days of both the newer file's.
    let expected = [&chart.candles[0].1[..], &archive.candles[0].1[3..]].concat();
    assert_eq!(found[0], expected);
    // An archive that is made again, later and under another name, corrects what it said.
    let store = store().await;
    let later = file("coins_again", "2021-07-07", 5, 7300.0);
    for file in [&archive, &later] {
        write_market(&store, file, at(RECORDED)).await.unwrap();
    }
    let history = store.market().candles(&key, None).await.unwrap();
    assert_eq!(history.rows, later.candles[0].1);
}

#[tokio::test]
async fn a_reported_split_takes_the_place_of_an_inferred_one() {
    let reported = split_on("2025-05-05", "actions");
    let (old, new) = (file("2025-01-06", 40, 400.0), file("2024-12-20", 200, 40.0));
    for files in [[&old, &new, &reported], [&reported, &new, &old]] {
        let store = store().await;
        for file in files {
            write_market(&store, file, at(RECORDED)).await.unwrap();
        }
        let actions: Vec<CorporateAction> = standing(&store, None).await;
        assert_eq!(actions, reported.actions);
        let closes = closes(&store, None).await;
        assert!(closes.iter().all(|(_, close)| (close - 40.0).abs() < 1e-9));
    }
}

fn split_on(ex_date: &str, source: &str) -> MarketBatch {
    MarketBatch {
        actions: vec![CorporateAction {
            symbol: symbol(),
            kind: ActionKind::Split,
            ex_date: day(ex_date),
            ratio: Some(10.0),
            amount: None,
            currency: None,
            new_symbol: None,
            announced: None,
            no_later_than: None,
            source: source.into(),
        }],
        ..MarketBatch::default()
    }
}

#[tokio::test]
async fn a_merger_and_a_delisting_end_the_life_of_a_symbol() {
    for kind in [ActionKind::Merger, ActionKind::Delisting] {
        let store = store().await;
        let mut ending = split_on("2025-05-05", "actions");
        ending.actions[0].kind = kind;
        ending.actions[0].ratio = None;
        write_market(&store, &ending, at(RECORDED)).await.unwrap();
        let listed = store.market().instruments_since(-1).await.unwrap();
        assert_eq!(listed.len(), 1, "{kind:?}");
        assert_eq!(listed[0].instrument.delisted, Some(day("2025-05-05")));
    }
}

#[tokio::test]
async fn of_two_reports_of_one_action_the_same_one_stands_in_either_order() {
    let (one, other) = (split_on("2025-05-05", "one"), split_on("2025-05-05", "two"));
    let mut fuller = split_on("2025-05-05", "fuller");
    fuller.actions[0].currency = Some("USD".into());
    let mut again = fuller.clone();
    again.actions[0].currency = Some("EUR".into());
    let mut announced = split_on("2025-05-05", "announced");
    announced.actions[0].announced = Some(day("2025-04-01"));
    for (files, expected) in [
        ([&one, &other], &other),
        ([&other, &one], &other),
        ([&one, &fuller], &fuller),
        ([&fuller, &one], &fuller),
        ([&fuller, &again], &again),
        ([&announced, &other], &announced),
        ([&other, &announced], &announced),
        ([&announced, &fuller], &fuller),
        ([&fuller, &announced], &fuller),
    ] {
        let store = store().await;
        for file in files {
            write_market(&store, file, at(RECORDED)).await.unwrap();
        }
        let actions: Vec<CorporateAction> = standing(&store, None).await;
        assert_eq!(actions, expected.actions);
        // What says less does not hide since when the action is known.
        let is_announced = files.iter().any(|file| **file == announced);
        let then: Vec<CorporateAction> = standing(&store, Some("2025-04-10T00:00:00Z")).await;
        assert_eq!(!then.is_empty(), is_announced);
    }
}

/// A file that jumps on 5 May 2025, whatever it claims.
fn jumping() -> MarketBatch {
    let mut bars = candles("2025-04-05", 30, 400.0);
    bars.extend(candles("2025-05-05", 30, 40.0));
    MarketBatch {
        scale: PriceScale::Through(bars.last().unwrap().day),
        candles: vec![(InstrumentKey::stock(symbol()), bars)],
        ..MarketBatch::default()
    }
}

#[tokio::test]
async fn prices_that_jump_on_the_day_of_a_split_do_not_contain_it() {
    let split = split_on("2025-05-05", "actions");
    for files in [[&split, &jumping()], [&jumping(), &split]] {
        let store = store().await;
        for file in files {
            write_market(&store, file, at(RECORDED)).await.unwrap();
        }
        // Also before either was imported, when the split was known.
        for as_of in [None, Some("2026-05-31T00:00:00Z")] {
            let closes = closes(&store, as_of).await;
            assert_eq!(closes.len(), 60);
            assert!(
                closes.iter().all(|(_, close)| (close - 40.0).abs() < 1e-9),
                "{as_of:?}: {closes:?}"
            );
        }
    }
}

#[tokio::test]
async fn of_two_reports_of_one_split_the_prices_tell_which_is_right() {
    let (right, late, early) = (
        split_on("2025-05-05", "one"),
        split_on("2025-05-06", "two"),
        split_on("2025-05-02", "three"),
    );
    let raw = MarketBatch {
        scale: PriceScale::AsTraded,
        ..jumping()
    };
    for files in [
        [&right, &late, &early, &raw],
        [&raw, &early, &late, &right],
        [&late, &raw, &right, &early],
    ] {
        let store = store().await;
        for file in files {
            write_market(&store, file, at(RECORDED)).await.unwrap();
        }
        let actions: Vec<CorporateAction> = standing(&store, None).await;
        assert_eq!(actions, right.actions);
        let closes = closes(&store, None).await;
        assert!(closes.iter().all(|(_, close)| (close - 40.0).abs() < 1e-9));
    }
}

#[tokio::test]
async fn rows_in_a_scale_that_no_split_explains_are_refused() {
    let store = store().await;
    let (old, new) = (file("2025-01-06", 40, 400.0), file("2025-01-06", 60, 730.0));
    write_market(&store, &old, at(RECORDED)).await.unwrap();
    let refused = write_market(&store, &new, at(RECORDED)).await.unwrap();
    assert!(refused.scales[0].words().contains("1.8250 times"));
    assert_eq!(closes(&store, None).await.len(), 40);
}

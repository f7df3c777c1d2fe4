//! A split of ten for one on the newest session, imported from files as they were traded: no answer shows it as a fall.
//!
//! The series is one of those on which the indicators are compared with Python's TA-Lib. It is imported twice: as `TENX`
//! in two files whose prices meet at the split, with the split in a file of actions; and as `TWIN`, in one scale
//! throughout. Whatever is asked, both get the same answer.

use std::fmt::Write as _;
use std::fs::File;
use std::path::Path;

use http::StatusCode;
use ingest::market::write_market;
use model::{AssetType, Category, Day};
use providers::import::market::files::{FileOptions, MarketFile, parse};
use serde_json::{Value, json};

use super::company::records::annual;
use super::fixtures::{ACME, NEWEST, SESSIONS, acme, day, fill, instrument, sessions, time};
use super::trading::publish_brief;
use crate::support::{TestMember, TestServer};

const TENX: &str = "TENX";
const TWIN: &str = "TWIN";
/// Old prices in new ones.
const RATIO: f64 = 10.0;
const RECORDED: &str = "2026-03-09T23:00:00Z";

/// The series with the indicators that TA-Lib computes of it.
struct Golden {
    names: Vec<String>,
    columns: Vec<Vec<f64>>,
}

impl Golden {
    fn read() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../market/tests/golden/walk.csv.gz");
        let file = flate2::read::GzDecoder::new(File::open(path).unwrap());
        let mut reader = csv::Reader::from_reader(file);
        let names: Vec<String> = reader
            .headers()
            .unwrap()
            .iter()
            .map(str::to_owned)
            .collect();
        let mut columns = vec![Vec::new(); names.len()];
        for record in reader.records() {
            for (column, cell) in columns.iter_mut().zip(&record.unwrap()) {
                column.push(cell.parse::<f64>().unwrap_or(f64::NAN));
            }
        }
        Self { names, columns }
    }

    fn column(&self, name: &str) -> &[f64] {
        let found = self.names.iter().position(|one| one == name);
        &self.columns[found.unwrap_or_else(|| panic!("no {name}"))]
    }

    /// The value at the newest session, or so many before it.
    fn back(&self, name: &str, back: usize) -> f64 {
        let column = self.column(name);
        column[column.len() - 1 - back]
    }

    fn days(&self) -> Vec<Day> {
        let days = sessions();
        days[days.len() - self.column("close").len()..].to_vec()
    }

    /// A file of candles, prices times a factor and volumes divided by it.
    fn file(&self, rows: std::ops::Range<usize>, factor: f64) -> String {
        let days = self.days();
        let mut text = String::from("Date,Open,High,Low,Close,Volume\n");
        for row in rows {
            write!(text, "{}", days[row]).unwrap();
            for name in ["open", "high", "low", "close"] {
                write!(text, ",{}", self.column(name)[row] * factor).unwrap();
            }
            writeln!(text, ",{}", self.column("volume")[row] / factor).unwrap();
        }
        text
    }

    fn change_pct(&self) -> f64 {
        (self.back("close", 0) / self.back("close", 1) - 1.0) * 100.0
    }
}

async fn import(server: &TestServer, kind: MarketFile, name: &str, text: &str) {
    let read = parse(
        kind,
        name,
        text.as_bytes(),
        &FileOptions::new(day("2026-03-10")),
    );
    let batch = read.unwrap().batch;
    let outcome = write_market(&server.state.store, &batch, time(RECORDED)).await;
    assert_eq!(outcome.unwrap().scales, [], "{name}");
}

/// A server and somebody who may ask it.
struct World {
    server: TestServer,
    member: TestMember,
}

/// The small market with the series twice.
async fn world(golden: &Golden) -> World {
    let server = TestServer::start().await;
    let member = server.unlimited().await;
    fill(&server).await;
    let store = &server.state.store;
    let mut transaction = store.market_transaction(time(RECORDED)).await.unwrap();
    // A sector each, so that a screen or backtest can be asked of one alone.
    for (ticker, sector) in [(TENX, "Energy"), (TWIN, "Materials")] {
        let listed = instrument(ticker, AssetType::Equity, ticker, Some(sector));
        transaction.put_instruments(&[listed]).await.unwrap();
    }
    let facts = annual(TENX, "2026-02-10", 2025, 12e9, 1.2e9, 6.0);
    let known_at = facts.accepted_at.unwrap();
    transaction.put_records([(facts, known_at)]).await.unwrap();
    transaction.commit().await.unwrap();
    let last = golden.column("close").len() - 1;
    let action = format!("date,action,ticker,value\n{NEWEST},split,{TENX},{RATIO}\n");
    import(&server, MarketFile::Actions, "actions.csv", &action).await;
    let candles = MarketFile::Candles;
    let before = golden.file(0..last, RATIO);
    import(&server, candles, "TENX.csv", &before).await;
    import(
        &server,
        candles,
        "TENX.csv",
        &golden.file(last..last + 1, 1.0),
    )
    .await;
    import(&server, candles, "TWIN.csv", &golden.file(0..last + 1, 1.0)).await;
    server.state.market.refresh().await.unwrap();
    World { server, member }
}

async fn get(world: &World, path: &str) -> Value {
    let asked = world.server.get(&format!("/api/v1{path}"));
    let reply = asked.bearer(&world.member.key).send().await;
    assert_eq!(reply.status, StatusCode::OK, "{path}: {}", reply.text());
    reply.json()
}

async fn post(world: &World, path: &str, body: &Value) -> Value {
    let asked = world.server.post(&format!("/api/v1{path}"), body);
    let reply = asked.bearer(&world.member.key).send().await;
    assert_eq!(reply.status, StatusCode::OK, "{path}: {}", reply.text());
    reply.json()
}

fn close_to(found: &Value, wanted: f64, what: &str) {
    let found = found
        .as_f64()
        .unwrap_or_else(|| panic!("{what}: {found} is no number"));
    let distance = (found - wanted).abs() / wanted.abs().max(1e-9);
    assert!(distance < 1e-9, "{what}: {found} is not {wanted}");
}

/// The same numbers to nine digits, whatever the symbol is called.
fn same(left: &Value, right: &Value, at: &str) {
    match (left, right) {
        (Value::Number(_), Value::Number(wanted)) => {
            let wanted = wanted.as_f64().unwrap();
            let found = left.as_f64().unwrap();
            let distance = (found - wanted).abs() / wanted.abs().max(1e-6);
            assert!(distance < 1e-9, "{at}: {found} is not {wanted}");
        }
        (Value::Array(left), Value::Array(right)) => {
            assert_eq!(left.len(), right.len(), "{at}");
            for (place, (left, right)) in left.iter().zip(right).enumerate() {
                same(left, right, &format!("{at}[{place}]"));
            }
        }
        (Value::Object(left), Value::Object(right)) => {
            // Only one of them was split, and its candles say so.
            let names = |one: &serde_json::Map<String, Value>| -> Vec<String> {
                one.keys()
                    .filter(|name| *name != "splits")
                    .cloned()
                    .collect()
            };
            assert_eq!(names(left), names(right), "{at}");
            for name in names(left) {
                same(&left[&name], &right[&name], &format!("{at}.{name}"));
            }
        }
        (Value::String(left), Value::String(right)) => {
            assert_eq!(left.replace(TENX, TWIN), *right, "{at}");
        }
        _ => assert_eq!(left, right, "{at}"),
    }
}

#[tokio::test]
async fn indicators_are_those_of_talib_on_the_scale_of_the_price() {
    let golden = Golden::read();
    let world = world(&golden).await;
    let latest = get(&world, "/ticker/TENX/technicals").await["latest"].clone();
    let names = [
        ("price", "close"),
        ("sma_20", "sma_20"),
        ("sma_50", "sma_50"),
        ("sma_200", "sma_200"),
        ("ema_12", "ema_12"),
        ("ema_26", "ema_26"),
        ("rsi_14", "rsi_14"),
        ("atr_14", "atr_14"),
        ("adx_14", "adx_14"),
        ("williams_r_14", "williams_r_14"),
        ("cci_20", "cci_20"),
        ("mfi_14", "mfi_14"),
        ("roc_12", "roc_12"),
        ("parabolic_sar", "parabolic_sar"),
        ("trix", "trix"),
    ];
    for (field, column) in names {
        close_to(&latest[field], golden.back(column, 0), field);
    }
    for (field, part, column) in [
        ("macd", "macd", "macd"),
        ("macd", "signal", "macd_signal"),
        ("bollinger", "upper", "bollinger_upper"),
        ("bollinger", "lower", "bollinger_lower"),
        ("stochastic", "k", "stochastic_k"),
        ("stochastic", "d", "stochastic_d"),
        ("ppo", "ppo", "ppo"),
        ("donchian", "upper", "donchian_upper"),
        ("donchian", "lower", "donchian_lower"),
    ] {
        close_to(&latest[field][part], golden.back(column, 0), column);
    }
    // Before the split everything was ten times as dear.
    let then = "/ticker/TENX/technicals?as_of=2026-03-06T22:00:00Z";
    let then = get(&world, then).await["latest"].clone();
    for name in ["sma_20", "sma_200", "atr_14"] {
        close_to(&then[name], golden.back(name, 1) * RATIO, name);
    }
    close_to(&then["rsi_14"], golden.back("rsi_14", 1), "rsi_14 then");
    // What was paid is still there.
    let traded = get(&world, "/ticker/TENX/candles?adjust=none").await;
    let rows = traded["candles"].as_array().unwrap();
    let before = &rows[rows.len() - 2]["close"];
    close_to(before, golden.back("close", 1) * RATIO, "as traded");
}

#[tokio::test]
async fn every_answer_about_one_symbol_is_that_of_its_twin() {
    let golden = Golden::read();
    let world = world(&golden).await;
    // The evening of the last day in old shares; the day after in new ones.
    for (number, ticker) in [(1, TENX), (2, TWIN)] {
        let at = "2026-03-06T22:00:00Z";
        publish_brief(&world.server, number, Category::Markets, ticker, 0.8, at).await;
    }
    for path in [
        "",
        "/price",
        "/score",
        "/technicals?series=true",
        "/candles?range=1y",
        "/candles?range=1y&interval=1wk",
        "/candles?range=1y&interval=1mo",
    ] {
        let mut answers = Vec::new();
        for ticker in [TENX, TWIN] {
            let mut body = get(&world, &format!("/ticker/{ticker}{path}")).await;
            let fields = body.as_object_mut().unwrap();
            fields.remove("sector");
            answers.push(body);
        }
        same(&answers[0], &answers[1], path);
    }
    let change = golden.change_pct();
    let price = get(&world, "/ticker/TENX/price").await;
    close_to(&price["price"], golden.back("close", 0), "price");
    close_to(&price["change_pct"], change, "change");
    let impact = get(&world, "/ticker/TENX/impact").await;
    close_to(&impact["briefs"][0]["impact_1d_pct"], change, "impact");
    let full = get(&world, "/ticker/TENX/full").await;
    close_to(&full["price"]["change_pct"], change, "full");
    close_to(
        &full["technicals"]["sma_200"],
        golden.back("sma_200", 0),
        "full",
    );
    let several = get(&world, "/ticker/prices?symbols=TENX,TWIN").await;
    let rows = several["prices"].as_array().unwrap();
    same(&rows[0], &rows[1], "/ticker/prices");
}

#[tokio::test]
async fn multiples_and_the_range_of_a_year_are_in_the_scale_of_the_price() {
    let golden = Golden::read();
    let world = world(&golden).await;
    let price = golden.back("close", 0);
    let body = get(&world, "/ticker/TENX/financials").await;
    // The filing of February counts old shares: six dollars a share, 200 million of them.
    close_to(&body["eps"], 6.0 / RATIO, "eps");
    close_to(&body["pe_ratio"], price / (6.0 / RATIO), "pe_ratio");
    close_to(&body["market_cap"], price * 2e8 * RATIO, "market_cap");
    close_to(
        &body["dividend_yield"],
        1.5 / RATIO / price * 100.0,
        "yield",
    );
    let year: Vec<usize> = (0..golden.days().len())
        .filter(|row| day(NEWEST).since(golden.days()[*row]) <= 364)
        .collect();
    let of = |name: &str, pick: fn(f64, f64) -> f64| {
        let values = year.iter().map(|row| golden.column(name)[*row]);
        values.reduce(pick).unwrap()
    };
    let (high, low) = (of("high", f64::max), of("low", f64::min));
    close_to(&body["fifty_two_week_high"], high, "high");
    close_to(&body["fifty_two_week_low"], low, "low");
    let twin = get(&world, "/ticker/TWIN/financials").await;
    for name in ["fifty_two_week_high", "fifty_two_week_low", "beta"] {
        same(&body[name], &twin[name], name);
    }
    let then = get(&world, "/ticker/TENX/financials?as_of=2026-03-06T22:00:00Z").await;
    let paid = golden.back("close", 1) * RATIO;
    close_to(&then["eps"], 6.0, "eps then");
    close_to(&then["pe_ratio"], paid / 6.0, "pe_ratio then");
    close_to(&then["market_cap"], paid * 2e8, "market_cap then");
}

#[tokio::test]
async fn rankings_and_screens_know_no_fall_of_ninety_percent() {
    let golden = Golden::read();
    let world = world(&golden).await;
    let change = golden.change_pct();
    for path in ["/market/movers", "/market/movers?change_above=-100"] {
        let body = get(&world, path).await;
        let lists = ["gainers", "losers", "matching"];
        let rows: Vec<&Value> = lists
            .iter()
            .filter_map(|list| body[list].as_array())
            .flatten()
            .filter(|row| row["symbol"] == TENX)
            .collect();
        assert!(!rows.is_empty(), "{body}");
        for row in rows {
            close_to(&row["change_pct"], change, path);
        }
    }
    // Over a stretch of time that the split lies in.
    let from = golden.days()[golden.days().len() - 20];
    let path = format!("/market/movers?from={from}&change_above=-100");
    let body = get(&world, &path).await;
    let rows = body["matching"].as_array().unwrap();
    let row = rows.iter().find(|row| row["symbol"] == TENX).unwrap();
    let wanted = (golden.back("close", 0) / golden.back("close", 20) - 1.0) * 100.0;
    close_to(&row["change_pct"], wanted, &path);

    let screen = |sector: &str| json!({"filters": {}, "sector": sector});
    let found = post(&world, "/screener", &screen("Energy")).await;
    let row = &found["matches"][0];
    assert_eq!(row["ticker"], TENX);
    close_to(&row["price"], golden.back("close", 0), "screener");
    close_to(&row["change_pct"], change, "screener");
    close_to(&row["rsi_14"], golden.back("rsi_14", 0), "screener");
    close_to(
        &row["pe_ratio"],
        golden.back("close", 0) / (6.0 / RATIO),
        "screener",
    );
    close_to(
        &row["market_cap_b"],
        golden.back("close", 0) * 2e9 / 1e9,
        "screener",
    );
    let above = golden.back("close", 0) > golden.back("sma_200", 0);
    let filter = if above {
        "above_sma_200"
    } else {
        "below_sma_200"
    };
    for (filter, wanted) in [(filter, 1), ("above_sma_200", usize::from(above))] {
        let asked = json!({"filters": {filter: true}, "sector": "Energy"});
        let body = post(&world, "/screener", &asked).await;
        assert_eq!(body["total_matches"], wanted, "{filter}");
    }
    // The range of a year in the filters, too: as far below the high as the twin is.
    let below = async |sector: &str, percent: f64| {
        let asked = json!({"filters": {"from_52w_high_above": percent}, "sector": sector});
        post(&world, "/screener", &asked).await["total_matches"].clone()
    };
    for percent in [5.0, 20.0, 40.0, 60.0, 89.0] {
        let found = below("Energy", percent).await;
        assert_eq!(found, below("Materials", percent).await, "{percent}");
    }
    assert_eq!(below("Energy", 89.0).await, 0);
}

#[tokio::test]
async fn returns_are_those_of_the_business_and_not_of_the_split() {
    let golden = Golden::read();
    let world = world(&golden).await;
    let asked = json!({"tickers": [TENX, TWIN, ACME], "days": 90});
    let body = post(&world, "/correlation", &asked).await;
    close_to(&body["matrix"][TENX][TWIN], 1.0, "twins");
    // Pearson's coefficient by hand.
    let days = golden.days();
    let first = days
        .iter()
        .position(|day| day.to_string() == body["from"].as_str().unwrap())
        .unwrap();
    let offset = SESSIONS - days.len();
    let returns: Vec<(f64, f64)> = (first + 1..days.len())
        .map(|row| {
            let close = golden.column("close");
            let other = |row: usize| acme(row + offset);
            (
                (close[row] / close[row - 1]).ln(),
                (other(row) / other(row - 1)).ln(),
            )
        })
        .collect();
    let count = returns.len() as f64;
    let mean = |pick: fn(&(f64, f64)) -> f64| returns.iter().map(pick).sum::<f64>() / count;
    let (left, right) = (mean(|one| one.0), mean(|one| one.1));
    let sum = |pick: &dyn Fn(f64, f64) -> f64| -> f64 {
        let parts = returns.iter();
        parts.map(|(a, b)| pick(a - left, b - right)).sum()
    };
    let wanted = sum(&|a, b| a * b) / (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt();
    close_to(&body["matrix"][TENX][ACME], wanted, "with ACME");

    let strategy = |sector: &str, entry: Value| json!({"strategy": {"entry_filters": entry, "exit_filters": {"stop_loss_pct": 50}, "sector": sector}, "max_positions": 1});
    for entry in [
        json!({}),
        json!({"rsi_above": 50}),
        json!({"above_sma_50": true}),
    ] {
        let mut found = Vec::new();
        for sector in ["Energy", "Materials"] {
            let body = post(&world, "/backtest", &strategy(sector, entry.clone())).await;
            assert_ne!(body["trades"].as_array().unwrap().len(), 0, "{body}");
            found.push([
                body["performance"].clone(),
                body["equity_curve"].clone(),
                body["trades"].clone(),
            ]);
        }
        for (left, right) in found[0].iter().zip(&found[1]) {
            same(left, right, "backtest");
        }
        // Held over the split until the end, sold for what it is worth.
        let last = found[0][2].as_array().unwrap().last().unwrap();
        assert_eq!(last["exit_reason"], "end_of_period", "{entry}");
        close_to(&last["exit_price"], golden.back("close", 0), "sold");
    }
}

#[tokio::test]
async fn claims_about_a_price_are_read_in_the_shares_of_then_and_of_now() {
    let golden = Golden::read();
    let world = world(&golden).await;
    let now = golden.back("close", 1);
    let then = now * RATIO;
    let verify = async |claim: &str| post(&world, "/verify", &json!({"claim": claim})).await;
    let words = "as traded then, before the 10-for-1 split of 9 March 2026";
    for (claim, verdict, part) in [
        (
            format!("TENX closed at ${then:.2} on 6 March 2026"),
            "supported",
            words,
        ),
        (
            format!("TENX closed above ${:.2} on 6 March 2026", then * 0.99),
            "supported",
            words,
        ),
        (
            format!("TENX closed at ${now:.2} on 6 March 2026"),
            "supported",
            "split-adjusted",
        ),
        (
            format!("TENX closed above ${:.2} on 6 March 2026", then * 1.2),
            "contradicted",
            words,
        ),
        (
            format!("TENX closed at ${:.2} on 6 March 2026", now * 1.2),
            "contradicted",
            "split-adjusted",
        ),
        // Its twin was always in one scale.
        (
            format!("TWIN closed above ${:.2} on 6 March 2026", then * 0.99),
            "unverifiable",
            "do not say what was paid then",
        ),
    ] {
        let body = verify(&claim).await;
        assert_eq!(body["verdict"], verdict, "{claim}: {body}");
        let summary = body["summary"].as_str().unwrap();
        assert!(summary.contains(part), "{claim}: {summary}");
    }
}

#[tokio::test]
async fn a_claim_is_remembered_with_the_symbol_whose_prices_decided_it() {
    let golden = Golden::read();
    let world = world(&golden).await;
    let now = golden.back("close", 1);
    let wrong = format!("TENX closed at ${:.2} on 6 March 2026.", now * 1.2);
    let output = json!({"text": wrong, "agent_id": "desk"});
    let body = post(&world, "/verify/output", &output).await;
    assert_eq!(body["contradicted"], 1, "{body}");
    assert_eq!(body["trust_score"].to_string(), "0.0", "{body}");
    let listed = get(&world, "/memory/list?agent_id=desk").await;
    assert_eq!(
        listed["memories"][0]["tickers"],
        json!(["TENX"]),
        "{listed}"
    );
}

//! A small market: five symbols whose candles follow simple rules, up to Monday 9 March 2026.
//!
//! The clock of the test server stands at Tuesday 12:00 UTC, before the exchange opens, so that Monday's is the newest
//! session.

use market::calendar;
use model::{AssetType, Candle, Day, Instrument, Symbol, Timestamp};

use crate::support::TestServer;

/// Shares of two sectors, a fund and a coin.
pub(super) const ACME: &str = "ACME";
pub(super) const BOLT: &str = "BOLT";
pub(super) const OAKS: &str = "OAKS.B";
pub(super) const FUND: &str = "FUND";
pub(super) const COIN: &str = "BTC";
/// A share with three candles.
pub(super) const YOUNG: &str = "YNG";

/// The newest session.
pub(super) const NEWEST: &str = "2026-03-09";
/// Sessions of each share but the young one.
pub(super) const SESSIONS: usize = 300;

pub(super) fn day(text: &str) -> Day {
    Day::parse(text).unwrap()
}

pub(super) fn symbol(text: &str) -> Symbol {
    Symbol::parse(text).unwrap()
}

pub(super) fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// The sessions of the small market, oldest first.
pub(crate) fn sessions() -> Vec<Day> {
    let newest = day(NEWEST);
    let mut found: Vec<Day> = calendar::sessions(newest.plus(-600), newest).collect();
    found.drain(..found.len() - SESSIONS);
    found
}

/// A bar around a close: opened at the close before, half a percent of air on both sides.
pub(super) fn bar(day: Day, before: f64, close: f64, volume: f64) -> Candle {
    Candle {
        day,
        open: before,
        high: before.max(close) * 1.005,
        low: before.min(close) * 0.995,
        close,
        volume,
    }
}

/// Bars whose closes are `price(0)`, `price(1)`, …
pub(crate) fn bars(days: &[Day], volume: f64, price: impl Fn(usize) -> f64) -> Vec<Candle> {
    (0..days.len())
        .map(|at| bar(days[at], price(at.saturating_sub(1)), price(at), volume))
        .collect()
}

/// ACME rises by 0.2 a session from 100 with a wave of ten sessions; BOLT falls by 0.1 from 90 with the same wave; OAKS.B is
/// flat at 50; FUND is ACME halved; BTC moves every day of the week.
pub(super) fn acme(at: usize) -> f64 {
    100.0 + 0.2 * at as f64 + 3.0 * wave(at)
}

pub(super) fn bolt(at: usize) -> f64 {
    90.0 - 0.1 * at as f64 + 3.0 * wave(at)
}

fn wave(at: usize) -> f64 {
    (at as f64 * std::f64::consts::TAU / 10.0).sin()
}

pub(crate) fn instrument(
    ticker: &str,
    asset_type: AssetType,
    name: &str,
    sector: Option<&str>,
) -> Instrument {
    Instrument {
        name: Some(name.to_owned()),
        exchange: (asset_type != AssetType::Crypto).then(|| "NASDAQ".to_owned()),
        sector: sector.map(str::to_owned),
        ..Instrument::bare(symbol(ticker), asset_type)
    }
}

/// The instruments with their candles.
pub(super) fn world() -> Vec<(Instrument, Vec<Candle>)> {
    let days = sessions();
    let coin_days: Vec<Day> = (0..400).map(|back| day(NEWEST).plus(back - 399)).collect();
    let technology = Some("Information Technology");
    vec![
        (
            instrument(ACME, AssetType::Equity, "Acme Instruments", technology),
            bars(&days, 1e6, acme),
        ),
        (
            instrument(BOLT, AssetType::Equity, "Bolt Works", technology),
            bars(&days, 2e6, bolt),
        ),
        (
            instrument(OAKS, AssetType::Equity, "Oaks Power", Some("Utilities")),
            bars(&days, 0.0, |_| 50.0),
        ),
        (
            instrument(YOUNG, AssetType::Equity, "Young Things", technology),
            bars(&days[SESSIONS - 3..], 1e5, |at| 10.0 + at as f64),
        ),
        (
            instrument(FUND, AssetType::Etf, "Acme Tracker", None),
            bars(&days, 5e5, |at| acme(at) / 2.0),
        ),
        (
            instrument(COIN, AssetType::Crypto, "Bitcoin", None),
            bars(&coin_days, 1e9, |at| 60_000.0 + 10.0 * at as f64),
        ),
    ]
}

/// A server that holds the small market.
pub(crate) async fn market() -> TestServer {
    let server = TestServer::start().await;
    fill(&server).await;
    server
}

/// Writes the small market.
pub(crate) async fn fill(server: &TestServer) {
    write(server, world()).await;
}

/// Writes instruments with their candles.
pub(super) async fn write(server: &TestServer, listed: Vec<(Instrument, Vec<Candle>)>) {
    let store = &server.state.store;
    let mut transaction = store.market_transaction(time(RECORDED)).await.unwrap();
    for (instrument, candles) in listed {
        transaction
            .put_instruments(std::slice::from_ref(&instrument))
            .await
            .unwrap();
        transaction
            .put_candles(&instrument, &candles)
            .await
            .unwrap();
    }
    transaction.commit().await.unwrap();
    server.state.market.refresh().await.unwrap();
}

/// When the small market was written.
pub(super) const RECORDED: &str = "2026-03-09T22:00:00Z";

/// Further sessions of ACME, of which the first fall and the last rise.
pub(crate) fn falling_and_rising() -> (Instrument, Vec<Candle>) {
    let newest = day(NEWEST);
    let days: Vec<Day> = calendar::sessions(newest.plus(1), newest.plus(11)).collect();
    let close = |at: usize| match at {
        0..4 => 150.0 - 5.0 * at as f64,
        _ => 135.0 + 12.0 * (at - 3) as f64,
    };
    let (instrument, _) = world().swap_remove(0);
    (instrument, bars(&days, 1e6, close))
}

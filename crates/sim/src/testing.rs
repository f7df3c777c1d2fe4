//! A world for tests: an exchange that is open on every working day, at summer hours.

use std::sync::{Arc, LazyLock};

use model::{Day, MarketBatch, Timestamp};

use crate::market::{MarketWorld, Session};

/// The seed of the world.
pub(crate) const SEED: u64 = 42;

/// Sessions up to a day.
pub(crate) fn sessions(until: Day) -> Vec<Session> {
    (MarketWorld::FIRST_DAY.get()..=until.get())
        .filter_map(Day::new)
        .filter(|day| !day.is_weekend())
        .map(|day| Session {
            day,
            opens_at: day.starts_at().plus_ms(27 * Timestamp::HOUR_MS / 2),
            closes_at: day.starts_at().plus_ms(20 * Timestamp::HOUR_MS),
        })
        .collect()
}

/// A day by its date.
pub(crate) fn day(text: &str) -> Day {
    Day::parse(text).unwrap()
}

/// Markets up to the end of 2026, drawn once for all tests.
pub(crate) fn markets() -> Arc<MarketWorld> {
    static WORLD: LazyLock<Arc<MarketWorld>> = LazyLock::new(|| {
        let world = MarketWorld::new(SEED, sessions(day("2026-12-31")))
            .with_history_from(day("2021-11-20"))
            .with_newswire_from(day("2026-01-01"));
        Arc::new(world)
    });
    Arc::clone(&WORLD)
}

/// What those markets publish up to 20 November 2026.
pub(crate) fn tables() -> &'static MarketBatch {
    static TABLES: LazyLock<MarketBatch> = LazyLock::new(|| {
        let until = day("2026-11-20").starts_at();
        markets().between(Timestamp::from_ms(0), until)
    });
    &TABLES
}

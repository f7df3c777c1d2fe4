//! Names as people type them, beside what `/ticker/resolve` finds in the demo.
//!
//! What names no company is right where nothing is found, or a guess that says so.

use analysis::market::{Instruments, MarketServices};
use market::calendar;
use model::{DataMode, Day, MarketBatch, Timestamp, table};
use sim::market::{MarketWorld, Session};
use store::{Location, Store};

use crate::data::Data;
use crate::labels;
use crate::score::ratio;
use crate::table::{Table, figure};

/// In halves: the first for development, the second only counted.
const NAMES: &str = include_str!("../../labels/asked_names.tsv");
/// When they are typed, and the seed of the demo.
const NOW: &str = "2026-11-23T22:00:00Z";
const SEED: u64 = 7;

pub(crate) fn run(_: &Data) -> anyhow::Result<Vec<Table>> {
    let mut table = Table::new(
        "Names as people type them",
        &["set", "names", "right", "words that are none", "right"],
    );
    for (set, half) in measured()? {
        let (names, none) = (half.names, half.none);
        table.row([
            set.to_owned(),
            names.of.to_string(),
            figure(names.share()),
            none.of.to_string(),
            figure(none.share()),
        ]);
        if set == "first half" && !half.missed.is_empty() {
            table.note(format!(
                "Missed in the first half: {}.",
                half.missed.join(", ")
            ));
        }
    }
    Ok(vec![table])
}

/// How many are right of how many.
#[derive(Clone, Copy, Default)]
struct Counted {
    right: usize,
    of: usize,
}

impl Counted {
    fn add(&mut self, is_right: bool) {
        self.right += usize::from(is_right);
        self.of += 1;
    }

    fn share(self) -> f64 {
        ratio(self.right as f64, self.of as f64)
    }
}

#[derive(Default)]
struct Half {
    names: Counted,
    none: Counted,
    missed: Vec<&'static str>,
}

fn measured() -> anyhow::Result<[(&'static str, Half); 2]> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .worker_threads(2)
        .build()?;
    runtime.block_on(async {
        let instruments = demo().await?;
        let (first, second) = labels::halves(NAMES);
        Ok([
            ("first half", half(&instruments, first).await?),
            ("second half", half(&instruments, second).await?),
        ])
    })
}

async fn half(instruments: &Instruments, rows: &'static str) -> anyhow::Result<Half> {
    let mut half = Half::default();
    for [typed, symbol, _] in table::rows(rows) {
        let found = instruments.meant(typed, 1).await?;
        let first = found.first();
        let is_right = if symbol == "-" {
            let is_right = first.is_none_or(|first| first.is_guess);
            half.none.add(is_right);
            is_right
        } else {
            let is_right = first.is_some_and(|first| first.listing.ticker() == symbol);
            half.names.add(is_right);
            is_right
        };
        if !is_right {
            half.missed.push(typed);
        }
    }
    Ok(half)
}

/// The listings of the demo with the prices of a month.
async fn demo() -> anyhow::Result<Instruments> {
    let now: Timestamp = NOW.parse()?;
    let today = Day::of(now);
    let sessions = calendar::sessions(MarketWorld::FIRST_DAY, today.plus(60)).filter_map(|day| {
        Some(Session {
            day,
            opens_at: calendar::opens_at(day)?,
            closes_at: calendar::closes_at(day)?,
        })
    });
    let world =
        MarketWorld::new(SEED, sessions.collect()).with_history_from(today.months_before(1));
    let store = Store::open(&Location::Memory, DataMode::Demo).await?;
    let listed = MarketBatch {
        instruments: MarketWorld::instruments(),
        ..MarketBatch::default()
    };
    ingest::market::write_market(&store, &listed, now).await?;
    let prices = world.between(Day::MIN.starts_at(), now);
    ingest::market::write_market(&store, &prices, now).await?;
    Ok(MarketServices::new(store).instruments)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nine_of_ten_names_are_found_and_words_are_no_names() {
        for (set, half) in measured().unwrap() {
            assert!(half.names.of >= 150 && half.none.of >= 25, "{set}");
            let (names, none) = (half.names.share(), half.none.share());
            assert!(
                names >= 0.9 && none >= 0.95,
                "{set}: {names:.3} of the names, {none:.3} of the words, {:?}",
                half.missed
            );
        }
    }
}

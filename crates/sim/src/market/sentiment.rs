//! Sentiment for the days before there was a newswire: simulated, and mildly in step with prices.

use std::ops::Range;

use model::{Day, MarketBatch, SimulatedSentiment, Symbol, Timestamp};

use super::MarketWorld;
use super::bars::Bar;
use super::chance::normal;
use super::clock::end_of;
use super::events::NewsEvent;
use super::tables::{Share, Tables};
use crate::kind::Direction;
use crate::random::{Random, hash_word};

/// How many days before the newswire have sentiment.
const DAYS: i32 = 730;
/// How many of the largest companies are covered, besides those that the newswire names.
const LARGEST: usize = 60;
/// How many coins are covered.
const COINS: usize = 10;
/// The share of quiet days on which there is something to read.
const QUIET: f64 = 0.22;

impl MarketWorld {
    pub(super) fn add_sentiment(&self, stretch: &Range<Timestamp>, batch: &mut MarketBatch) {
        let Some(begin) = self.newswire_from else {
            return;
        };
        let first = begin.plus(-DAYS).max(Day::of(stretch.start).plus(-1));
        let last = begin.plus(-1).min(Day::of(stretch.end));
        let days = (first.get()..=last.get())
            .filter_map(Day::new)
            .filter(|day| stretch.contains(&end_of(*day)));
        let days: Vec<Day> = days.collect();
        if days.is_empty() {
            return;
        }
        let tables = Tables::get();
        let paths = self.paths();
        for (share, line) in tables.shares.iter().zip(&paths.shares) {
            if !is_written_about(share) {
                continue;
            }
            let news = paths
                .news
                .get(share.symbol.as_str())
                .map_or(&[][..], Vec::as_slice);
            let place = |day: Day| {
                let place = self.clock.newest(day)?;
                (self.clock.sessions()[place].day == day).then_some(place)
            };
            self.add_days(&share.symbol, &days, news, &line.bars, place, batch);
        }
        for (coin, line) in tables.coins.iter().zip(&paths.coins).take(COINS) {
            if !coin.is_stable() {
                let place = |day: Day| usize::try_from(day.since(Self::FIRST_DAY)).ok();
                self.add_days(&coin.symbol, &days, &[], &line.bars, place, batch);
            }
        }
    }

    fn add_days(
        &self,
        symbol: &Symbol,
        days: &[Day],
        news: &[NewsEvent],
        bars: &[Bar],
        place: impl Fn(Day) -> Option<usize>,
        batch: &mut MarketBatch,
    ) {
        let sentiment: Vec<SimulatedSentiment> = days
            .iter()
            .filter_map(|&day| {
                let change = place(day).and_then(|place| {
                    let before = bars.get(place.checked_sub(1)?)?.close;
                    Some((bars.get(place)?.close / before).ln())
                });
                let past = news.partition_point(|event| event.at < day.starts_at());
                let story = news[past..]
                    .first()
                    .filter(|event| Day::of(event.at) == day);
                let seed = [self.seed, 81, hash_word(symbol.as_str()), day.get() as u64];
                draw(day, change, story, &mut Random::of(&seed))
            })
            .collect();
        if !sentiment.is_empty() {
            batch.sentiment.push((symbol.clone(), sentiment));
        }
    }
}

/// Whether it had coverage before the newswire.
fn is_written_about(share: &Share) -> bool {
    share.in_the_news || share.value_usd >= largest()
}

/// The market value at which a company counts among the largest that the newswire does not name.
fn largest() -> f64 {
    static LIMIT: std::sync::LazyLock<f64> = std::sync::LazyLock::new(|| {
        let mut values: Vec<f64> = Tables::get()
            .shares
            .iter()
            .filter(|share| !share.in_the_news)
            .map(|share| share.value_usd)
            .collect();
        values.sort_by(|left, right| right.total_cmp(left));
        values.get(LARGEST - 1).copied().unwrap_or(f64::MAX)
    });
    *LIMIT
}

fn draw(
    day: Day,
    change: Option<f64>,
    story: Option<&NewsEvent>,
    random: &mut Random,
) -> Option<SimulatedSentiment> {
    let stir = change.map_or(0.0, |change| (change.abs() * 8.0).min(0.6));
    if !random.chance(QUIET * if change.is_some() { 1.0 } else { 0.5 } + stir) && story.is_none() {
        return None;
    }
    let lean = match story.map(|story| story.direction) {
        Some(Direction::Up) => 0.16,
        Some(Direction::Down) => -0.2,
        _ => 0.0,
    };
    let felt = change.map_or(0.0, |change| (change * 3.0).clamp(-0.15, 0.15));
    let average = (0.53 + lean + felt + 0.1 * normal(random)).clamp(0.05, 0.95);
    let count = 1 + random.below(if story.is_some() { 6 } else { 3 });
    let spread = if count == 1 {
        0.0
    } else {
        0.04 + 0.12 * random.unit()
    };
    let thousandth = |value: f64| (value * 1000.0).round() / 1000.0;
    Some(SimulatedSentiment {
        day,
        avg_sentiment: thousandth(average),
        min_sentiment: thousandth((average - spread).max(0.0)),
        max_sentiment: thousandth((average + spread).min(1.0)),
        brief_count: count as f64,
    })
}

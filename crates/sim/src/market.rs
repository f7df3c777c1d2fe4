//! Simulated markets: prices, reports, dividends, disclosures, coins and the economy.
//!
//! Everything depends only on the seed and on the exchange sessions, so any time span can be read without what came
//! before, and reading it in pieces gives the same result. The stories of the newswire with the same seed move the
//! shares they are about. What the newswire reports about prices, results and statistics is read from here. People,
//! firms and institutions are invented; the prices of real instruments are plausible but not their actual ones. This
//! module has no calendar: the caller says when the exchanges were open.

mod bars;
mod chance;
mod clock;
mod coins;
mod companies;
mod congress;
mod defi;
mod dividends;
mod economies;
mod economy;
mod events;
mod factors;
mod filings;
mod insiders;
mod institutions;
mod intraday;
mod paths;
mod priced;
mod prices;
mod ratings;
mod readings;
mod reports;
mod sentiment;
mod tables;

use std::ops::Range;
use std::sync::OnceLock;

use model::{Day, MarketBatch, Quote, Timestamp};

use clock::Clock;
pub(crate) use economies::{Decision, Release, Statistics};
use paths::Paths;
pub(crate) use readings::{Priced, Results};

/// The source given for everything here.
const SOURCE: &str = "simulated";

/// A session of the US exchanges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Session {
    /// The day, as the exchange counts it.
    pub day: Day,
    /// Start of regular trading.
    pub opens_at: Timestamp,
    /// End of regular trading.
    pub closes_at: Timestamp,
}

/// Markets that can be read for any time span.
#[derive(Debug)]
pub struct MarketWorld {
    seed: u64,
    clock: Clock,
    history_from: Day,
    newswire_from: Option<Day>,
    hours_from: Option<Day>,
    daily_news_from: Day,
    paths: OnceLock<Paths>,
}

/// Adds what one kind of source publishes in a time span.
type Part = fn(&MarketWorld, &Range<Timestamp>, &mut MarketBatch);

/// All kinds; instruments come before anything reported about them.
const PARTS: [Part; 14] = [
    |_, stretch, batch| MarketWorld::add_instruments(stretch, batch),
    MarketWorld::add_prices,
    MarketWorld::add_economy,
    MarketWorld::add_companies,
    MarketWorld::add_dividends,
    MarketWorld::add_filings,
    MarketWorld::add_insiders,
    MarketWorld::add_institutions,
    MarketWorld::add_ratings,
    MarketWorld::add_congress,
    MarketWorld::add_coins,
    MarketWorld::add_hours,
    MarketWorld::add_defi,
    MarketWorld::add_sentiment,
];

impl MarketWorld {
    /// 2020-06-01: from here on, prices are drawn.
    pub const FIRST_DAY: Day = day(18_414);
    /// 2026-06-30: the day on which prices are those in the tables. Sessions must reach at least this far, otherwise
    /// the levels differ.
    pub const REFERENCE_DAY: Day = day(20_634);
    /// Days before the first candle that is published by default, so that averages have warmed up.
    const WARM_UP_DAYS: i32 = 200;

    /// The markets for a seed. `sessions` are all sessions from [`Self::FIRST_DAY`] to beyond any time that will be
    /// asked for; adding more at the end changes nothing that is known before.
    pub fn new(seed: u64, sessions: Vec<Session>) -> Self {
        Self {
            seed,
            clock: Clock::new(sessions),
            history_from: Self::FIRST_DAY.plus(Self::WARM_UP_DAYS),
            newswire_from: None,
            hours_from: None,
            daily_news_from: Self::FIRST_DAY,
            paths: OnceLock::new(),
        }
    }

    /// Publishes candles and series values from this day on. Documents follow later: filing facts after a year and a
    /// half, disclosures after three years, which leaves the newest years of a five-year history. Prices do not depend
    /// on it.
    #[must_use]
    pub fn with_history_from(mut self, day: Day) -> Self {
        self.history_from = day.max(Self::FIRST_DAY);
        self
    }

    /// The day on which the newswire begins. Sentiment is simulated for the two years before it; the dates of future
    /// earnings and snapshots of coins are published from then on.
    #[must_use]
    pub fn with_newswire_from(mut self, day: Day) -> Self {
        self.newswire_from = Some(day);
        self
    }

    /// Publishes hourly coin bars from this day on.
    #[must_use]
    pub fn with_hours_from(mut self, day: Day) -> Self {
        self.hours_from = Some(day);
        self
    }

    /// From this day on, the newswire looks at the largest shares and at coins every day; before that, it picks up only
    /// some of what happens. Prices do not depend on it.
    #[must_use]
    pub fn with_daily_news_from(mut self, day: Day) -> Self {
        self.daily_news_from = day.max(Self::FIRST_DAY);
        self
    }

    /// Everything that became known in `from..until`: candles at the close of their session, daily coin bars at the end
    /// of the UTC day, documents when they are accepted or, if they have no time, at the end of their day. Reading
    /// `a..b` and `b..c` gives the same as reading `a..c`.
    pub fn between(&self, from: Timestamp, until: Timestamp) -> MarketBatch {
        let mut batch = MarketBatch::default();
        if from < until {
            for add in PARTS {
                add(self, &(from..until), &mut batch);
            }
        }
        batch
    }

    /// The same in parts, none of them empty, to be written in order: one is drawn while another is being written, and
    /// only those two are in memory.
    pub fn parts(
        &self,
        from: Timestamp,
        until: Timestamp,
    ) -> impl Iterator<Item = MarketBatch> + '_ {
        let parts: &[Part] = if from < until { &PARTS } else { &[] };
        parts.iter().filter_map(move |add| {
            let mut batch = MarketBatch::default();
            add(self, &(from..until), &mut batch);
            (batch != MarketBatch::default()).then_some(batch)
        })
    }

    /// Prices at this time by the text of their key, such as `stock:AAPL`, `crypto:BTC`, `fx:EURUSD`, `index:^GSPC`.
    /// While the exchanges are closed, these are the last close, except for coins. Nothing is returned before the first
    /// session.
    pub fn quotes(&self, at: Timestamp) -> Vec<(String, Quote)> {
        prices::quotes(self.paths(), &self.clock, self.seed, at)
    }

    fn paths(&self) -> &Paths {
        self.paths
            .get_or_init(|| Paths::draw(self.seed, &self.clock))
    }

    /// Filing facts are published for quarters that end after this day.
    fn facts_from(&self) -> Day {
        self.history_from.plus(548)
    }

    /// Trades by insiders and lawmakers, market values of coins and similar data are published from this day on.
    fn disclosures_from(&self) -> Day {
        self.history_from.plus(1095)
    }

    /// Filings and ratings, which are numerous, are published from this day on.
    fn filings_from(&self) -> Day {
        self.history_from.plus(1278)
    }

    /// The months, numbered consecutively, in which a document may begin that becomes known in the time span, at most
    /// `latest` days later.
    fn months(
        stretch: &Range<Timestamp>,
        begin: Day,
        latest: i32,
    ) -> std::ops::RangeInclusive<i32> {
        let first = Day::of(stretch.start).plus(-latest).max(begin);
        let last = Day::of(stretch.end).min(Self::FIRST_DAY.plus(36_500));
        clock::month_of(first)..=clock::month_of(last)
    }
}

const fn day(days: i32) -> Day {
    match Day::new(days) {
        Some(day) => day,
        None => Day::MIN,
    }
}

#[cfg(test)]
mod tests;

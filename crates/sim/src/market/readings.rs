//! What the newswire reads from the markets: closes, changes, results, statistics.

use std::sync::LazyLock;

use model::{Day, Timestamp};

use super::paths::Line;
use super::reports::{Business, Report};
use super::tables::{SECTORS, Share, Tables};
use super::{Decision, MarketWorld, Session, Statistics, economies};
use crate::cast::Company;
use crate::world::World;

/// How many companies count among the largest.
const LARGEST: usize = 50;

/// A price and how far it moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Priced {
    pub(crate) price: f64,
    pub(crate) change_pct: f64,
}

/// A quarter's results as reported by a company, in USD.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Results {
    pub(crate) ticker: &'static str,
    pub(crate) value_usd: f64,
    pub(crate) at: Timestamp,
    /// The day on which they are reported.
    pub(crate) day: Day,
    pub(crate) eps: f64,
    pub(crate) eps_estimate: f64,
    pub(crate) revenue: f64,
    pub(crate) revenue_estimate: f64,
    /// Revenue in the same quarter a year earlier.
    pub(crate) revenue_before: f64,
    /// Net income.
    pub(crate) income: f64,
}

impl MarketWorld {
    /// The seed for everything random.
    pub(crate) const fn seed(&self) -> u64 {
        self.seed
    }

    /// Whether the newswire picks up everything that happens on a day.
    pub(crate) fn has_daily_news(&self, day: i64) -> bool {
        day >= i64::from(self.daily_news_from.get())
    }

    /// The position of a day's session, if there is one.
    pub(crate) fn session_on(&self, day: i64) -> Option<usize> {
        let day = i32::try_from(day).ok().and_then(Day::new)?;
        let place = self.clock.newest(day)?;
        (self.session(place)?.day == day).then_some(place)
    }

    /// The position of the newest session that has ended at a time.
    pub(crate) fn newest_closed(&self, at: Timestamp) -> Option<usize> {
        self.clock.closed_before(at).checked_sub(1)
    }

    /// The session at a position.
    pub(crate) fn session(&self, place: usize) -> Option<&Session> {
        self.clock.sessions().get(place)
    }

    /// The close at a position of a line, such as the one for `stock:AAPL`, and its change over that many positions.
    pub(crate) fn closed(&self, key: &str, place: usize, over: usize) -> Option<Priced> {
        let line = self.line(key)?;
        let price = line.bars.get(place)?.close;
        let before = line.bars.get(place.checked_sub(over)?)?.close;
        Some(Priced {
            price,
            change_pct: 100.0 * (price / before - 1.0),
        })
    }

    /// Whether shares are traded at a time.
    pub(crate) fn is_open(&self, at: Timestamp) -> bool {
        self.session_on(at.day())
            .and_then(|place| self.session(place))
            .is_some_and(|session| (session.opens_at..session.closes_at).contains(&at))
    }

    /// The close of a coin at the end of a UTC day, and its change on that day.
    pub(crate) fn coin_closed(&self, symbol: &str, day: i64) -> Option<Priced> {
        let place = usize::try_from(day - i64::from(Self::FIRST_DAY.get())).ok()?;
        (place < self.clock.days()).then_some(())?;
        self.closed(&format!("crypto:{symbol}"), place, 1)
    }

    /// The price at a time and its change from the previous close.
    pub(crate) fn priced_at(&self, key: &str, at: Timestamp) -> Option<Priced> {
        let quote = super::prices::quote_of(self.line(key)?, &self.clock, self.seed, at)?;
        let before = quote.previous_close?;
        Some(Priced {
            price: quote.price,
            change_pct: 100.0 * (quote.price / before - 1.0),
        })
    }

    /// The yield for a maturity in a session, in percent.
    pub(crate) fn treasury_yield(&self, place: usize, years: u32) -> Option<f64> {
        let column = super::factors::MATURITIES
            .iter()
            .position(|known| *known == years)?;
        Some(self.paths().factors.yields.get(place)?[column])
    }

    /// The sectors that moved most and least in a session.
    pub(crate) fn sectors_by_move(&self, place: usize) -> Option<(&'static str, &'static str)> {
        let factors = &self.paths().factors;
        let market = factors.market.get(place)?;
        let moved = |sector: &usize| (market + factors.sectors[*sector][place]).abs();
        let by_move = |left: &usize, right: &usize| moved(left).total_cmp(&moved(right));
        let most = (0..SECTORS.len()).max_by(by_move)?;
        let least = (0..SECTORS.len()).min_by(by_move)?;
        Some((SECTORS[most], SECTORS[least]))
    }

    /// Tickers of the largest companies in the tables, largest first; if a company has two classes, the first one.
    pub(crate) fn largest() -> &'static [&'static str] {
        static LARGE: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
            let large = by_value().iter().take(LARGEST);
            large
                .map(|&place| Tables::get().shares[place].symbol.as_str())
                .collect()
        });
        &LARGE
    }

    /// The largest companies by market value at the close of a session, largest first; if a company has two classes,
    /// the first one. The number before a ticker belongs to its company permanently: companies take turns by it.
    /// Numbers follow the values in the tables, so that each turn gets its share of the large ones.
    pub(crate) fn largest_at(&self, session: usize) -> Vec<(usize, &'static str)> {
        let lines = &self.paths().shares;
        let mut valued: Vec<(f64, usize, &'static str)> = by_value()
            .iter()
            .enumerate()
            .filter_map(|(number, &place)| {
                let share = &Tables::get().shares[place];
                let close = lines.get(place)?.bars.get(session)?.close;
                let value = share.value_usd * close / share.price;
                Some((value, number, share.symbol.as_str()))
            })
            .collect();
        valued.sort_by(|left, right| right.0.total_cmp(&left.0));
        valued.truncate(LARGEST);
        valued
            .into_iter()
            .map(|(_, number, ticker)| (number, ticker))
            .collect()
    }

    /// Every listed company as a story can name it, with additional data for those that the newswire writes more about.
    pub(crate) fn companies() -> &'static [Company] {
        static LISTED: LazyLock<Vec<Company>> = LazyLock::new(|| {
            let shares = Tables::get().shares.iter();
            let named = shares.map(|share| {
                let mut known = World::get().companies.iter();
                let known = known.find(|company| company.ticker == share.symbol.as_str());
                known.cloned().unwrap_or_else(|| Company {
                    name: share.name.to_owned(),
                    ticker: share.symbol.as_str().to_owned(),
                    sector: String::new(),
                    city: String::new(),
                    real: !share.is_fictional(),
                })
            });
            named.collect()
        });
        &LISTED
    }

    /// The currency of a share.
    pub(crate) fn currency(ticker: &str) -> Option<&'static str> {
        let shares = &Tables::get().shares;
        let share = shares
            .iter()
            .find(|share| share.symbol.as_str() == ticker)?;
        Some(share.currency)
    }

    /// Results that are reported on a day, starting with the largest company.
    pub(crate) fn results_on(&self, day: i64) -> Vec<Results> {
        let paths = self.paths();
        let mut results: Vec<Results> = Tables::get()
            .shares
            .iter()
            .zip(&paths.reports)
            .filter(|(share, _)| share.in_the_news && share.files() && !share.is_second_class())
            .filter_map(|(share, reports)| {
                let place = reports
                    .iter()
                    .position(|report| i64::from(report.day.get()) == day)?;
                self.results(share, reports, place)
            })
            .collect();
        results.sort_by(|left, right| right.value_usd.total_cmp(&left.value_usd));
        results
    }

    fn results(&self, share: &'static Share, reports: &[Report], place: usize) -> Option<Results> {
        let report = &reports[place];
        let before = reports.get(place.checked_sub(4)?)?;
        let business = Business::of(self.seed, share);
        Some(Results {
            ticker: share.symbol.as_str(),
            value_usd: share.value_usd,
            at: report.at,
            day: report.day,
            eps: report.eps,
            eps_estimate: report.eps_estimate,
            revenue: report.revenue,
            revenue_estimate: report.revenue_estimate,
            revenue_before: before.revenue,
            income: report.eps * business.shares(report.quarter),
        })
    }

    /// Statistics that are announced on a day.
    pub(crate) fn released_on(&self, day: i64) -> Vec<Statistics> {
        let day = i32::try_from(day).ok().and_then(Day::new);
        day.map_or_else(Vec::new, |day| economies::released_on(self.seed, day))
    }

    /// What central banks decide on a day.
    pub(crate) fn decided_on(&self, day: i64) -> Vec<Decision> {
        let day = i32::try_from(day).ok().and_then(Day::new);
        day.map_or_else(Vec::new, |day| economies::decided_on(self.seed, day))
    }

    fn line(&self, key: &str) -> Option<&Line> {
        let paths = self.paths();
        let mut lines = paths.series.iter().chain(&paths.coins).chain(&paths.shares);
        lines.find(|line| line.key == key)
    }
}

/// Positions of the shares in the tables, starting with the largest company; if a company has two classes, the first
/// one.
fn by_value() -> &'static [usize] {
    static PLACES: LazyLock<Vec<usize>> = LazyLock::new(|| {
        let shares = &Tables::get().shares;
        let mut places: Vec<usize> = (0..shares.len())
            .filter(|&place| !shares[place].is_second_class())
            .collect();
        places.sort_by(|&left, &right| shares[right].value_usd.total_cmp(&shares[left].value_usd));
        places
    });
    &PLACES
}

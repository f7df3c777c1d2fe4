//! Which prices are new enough for a ranking or a signal: those from at most a given number of sessions before the
//! newest known session.
//!
//! That session is the newest one in which at least ten symbols of a kind have a price, as in the screener, so that a
//! store whose history ends at some point is compared with its own end and not with the calendar. That is enough for
//! comparing prices with each other, in rows that say that they are stale. A signal is about now: it counts from the
//! newest session that had closed when it was requested ([`PointInTime::signals_from`]), because an old bar and
//! current news say nothing together.

use market::Day;
use market::screener::{newest_session, sessions_before};
use model::AssetType;

use super::{DataIssue, Listing, MAX_AGE, PointInTime, Prices};
use crate::Result;

/// The oldest days from which a price is accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Freshness {
    shares: Option<Day>,
    /// Archives of funds and shares end at different times.
    funds: Option<Day>,
    coins: Option<Day>,
}

impl Prices {
    /// The limits at a point in time for prices from at most `max_age` sessions before the newest known one.
    pub async fn freshness(&self, max_age: u32, when: PointInTime) -> Result<Freshness> {
        let (mut shares, mut funds, mut coins) = (Vec::new(), Vec::new(), Vec::new());
        for listing in self.instruments.all().await?.iter() {
            if let Some(day) = listing.priced_on(when) {
                match listing.asset_type() {
                    AssetType::Equity => shares.push(day),
                    AssetType::Etf => funds.push(day),
                    AssetType::Crypto => coins.push(day),
                }
            }
        }
        let oldest = |days, kind| Some(sessions_before(newest_session(days)?, max_age, kind));
        Ok(Freshness {
            shares: oldest(shares, AssetType::Equity),
            funds: oldest(funds, AssetType::Etf),
            coins: oldest(coins, AssetType::Crypto),
        })
    }
}

impl PointInTime {
    /// The oldest day from which prices make a signal at this point in time: at most this many sessions before the
    /// newest that had closed, and never fewer than [`MAX_AGE`], because a candle may arrive some days late.
    pub fn signals_from(self, max_age: u32, kind: AssetType) -> Day {
        sessions_before(self.newest_day(kind), max_age.max(MAX_AGE), kind)
    }
}

/// How many sessions older a price may be than the newest of the prices it is compared with, whatever its kind.
const BESIDE: u32 = 250;

impl Freshness {
    /// The same for symbols that are compared with each other, given the days of their newest prices: none may be a
    /// year older than another, whatever the kind.
    pub fn beside(self, newest: impl IntoIterator<Item = Day>) -> Self {
        let Some(newest) = newest.into_iter().max() else {
            return self;
        };
        let oldest = sessions_before(newest, BESIDE, AssetType::Equity);
        Self {
            shares: self.shares.max(Some(oldest)),
            funds: self.funds.max(Some(oldest)),
            coins: self.coins.max(Some(oldest)),
        }
    }

    /// Whether a price from this day is included.
    pub fn admits(self, kind: AssetType, day: Day) -> bool {
        let oldest = match kind {
            AssetType::Equity => self.shares,
            AssetType::Etf => self.funds,
            AssetType::Crypto => self.coins,
        };
        oldest.is_none_or(|oldest| day >= oldest)
    }

    /// Whether the newest price of a listing is too old to be included. A listing without a price has no old one.
    pub fn is_too_old(self, listing: &Listing, when: PointInTime) -> bool {
        let day = listing.priced_on(when);
        day.is_some_and(|day| !self.admits(listing.asset_type(), day))
    }
}

/// Notes that symbols are excluded because their prices are too old, naming as many symbols as there is room for.
pub fn left_out(field: &'static str, symbols: &[String], of: usize) -> Option<DataIssue> {
    let named = named(symbols)?;
    let reason = format!(
        "{} of {of} symbols are excluded: their newest price is too old compared with the latest known session (`max_age`): {named}",
        symbols.len()
    );
    Some(DataIssue {
        stale: true,
        ..DataIssue::absent(field, reason)
    })
}

/// Notes that symbols have no signal because their prices are from long before the time in question.
pub fn without_signal(field: &'static str, symbols: &[String], of: usize) -> Option<DataIssue> {
    let named = named(symbols)?;
    let reason = format!(
        "null for {} of {of} symbols: their newest price is too old for a current signal (`max_age`): {named}",
        symbols.len()
    );
    Some(DataIssue {
        stale: true,
        ..DataIssue::absent(field, reason)
    })
}

/// As many symbols as there is room for; `None` if there are none.
fn named(symbols: &[String]) -> Option<String> {
    const NAMED: usize = 10;
    let others = match symbols.len() {
        0 => return None,
        1..=NAMED => String::new(),
        count => format!(" and {} more", count - NAMED),
    };
    let named = symbols[..symbols.len().min(NAMED)].join(", ");
    Some(format!("{named}{others}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beside_another_nothing_is_a_year_older() {
        let day = |text| Day::parse(text).unwrap();
        let bounds = Freshness {
            coins: Some(day("2021-07-01")),
            ..Freshness::default()
        };
        assert!(bounds.admits(AssetType::Crypto, day("2021-07-06")));
        let beside = bounds.beside([day("2021-07-06"), day("2025-07-07")]);
        assert!(!beside.admits(AssetType::Crypto, day("2021-07-06")));
        assert!(!beside.admits(AssetType::Equity, day("2024-06-28")));
        assert!(beside.admits(AssetType::Equity, day("2024-08-01")));
        // What is already old stays old.
        assert!(
            !bounds
                .beside([day("2021-07-06")])
                .admits(AssetType::Crypto, day("2021-06-30"))
        );
    }

    #[test]
    fn at_most_ten_are_named() {
        let symbols: Vec<String> = (0..12).map(|at| format!("S{at}")).collect();
        assert_eq!(left_out("rows", &[], 5), None);
        let said = |count: usize| left_out("rows", &symbols[..count], 20).unwrap().reason;
        assert!(said(10).ends_with("S8, S9"), "{}", said(10));
        assert!(said(12).starts_with("12 of 20 symbols"), "{}", said(12));
        assert!(said(12).ends_with("S9 and 2 more"), "{}", said(12));
    }
}

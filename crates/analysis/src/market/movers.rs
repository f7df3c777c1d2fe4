//! The shares of one session with their prices, from which the movers are chosen.

use std::collections::BTreeMap;
use std::sync::Arc;

use market::Candles;
use market::movers::{MOVERS, Quote};
use market::screener::sessions_before;
use model::{AssetType, Day};

use super::{DataIssue, Listing, PointInTime, PricePoint, Prices};
use crate::Result;

/// How many days before a period to look for the close that its change is measured from.
const LEAD_IN: i32 = 10;

/// Shares with a price in one session.
#[derive(Clone, Debug, Default)]
pub struct SessionBoard {
    /// The session; `None` if no share has a price.
    pub session: Option<Day>,
    /// Shares in that session that have no close before the requested period.
    pub left_out: usize,
    /// Shares whose newest price is from a session too long ago.
    pub too_old: usize,
    /// The first day of the requested period; `None` if only the session counts.
    from: Option<Day>,
    shares: Vec<(Arc<Listing>, PricePoint, f64)>,
}

impl Prices {
    /// The shares of the newest session in which at least ten have a price and a previous close; if no session has
    /// ten, those of the newest session with any. This way a share whose history ended years ago, or the only one with
    /// a price today, is not a mover. With `max_age`, shares whose newest price is from up to that many sessions
    /// earlier are included with the change in their own session.
    pub async fn newest_session(&self, max_age: u32, when: PointInTime) -> Result<SessionBoard> {
        let mut sessions: BTreeMap<Day, Vec<(Arc<Listing>, PricePoint, f64)>> = BTreeMap::new();
        for listing in self.instruments.all().await?.iter() {
            if listing.asset_type() != AssetType::Equity {
                continue;
            }
            if let Some(point) = self.newest(listing, when).await?
                && let Some(change_pct) = point.change_pct
            {
                let shares = sessions.entry(point.day).or_default();
                shares.push((Arc::clone(listing), point, change_pct));
            }
        }
        let full = sessions
            .iter()
            .rev()
            .find(|(_, shares)| shares.len() >= MOVERS)
            .map(|(session, _)| *session);
        let session = full.or_else(|| sessions.keys().next_back().copied());
        let Some(session) = session else {
            return Ok(SessionBoard::default());
        };
        let oldest = sessions_before(session, max_age, AssetType::Equity);
        let older = sessions.range(..oldest).map(|(_, shares)| shares.len());
        let too_old = older.sum();
        let shares = sessions.into_iter();
        let shares = shares.filter(|(day, _)| (oldest..=session).contains(day));
        Ok(SessionBoard {
            session: Some(session),
            too_old,
            shares: shares.flat_map(|(_, shares)| shares).collect(),
            ..SessionBoard::default()
        })
    }

    /// The shares of the newest session by their performance since a given day: their change is measured from the last
    /// close before it, and their volume is the total of all sessions since.
    pub async fn sessions_since(
        &self,
        from: Day,
        max_age: u32,
        when: PointInTime,
    ) -> Result<SessionBoard> {
        let board = self.newest_session(max_age, when).await?;
        let mut found = SessionBoard {
            session: board.session,
            too_old: board.too_old,
            from: Some(from),
            ..SessionBoard::default()
        };
        if board.session.is_none_or(|session| session < from) {
            return Ok(found);
        }
        for (listing, point, _) in board.shares {
            let history = self.history(&listing, when).await?;
            let Some((close, volume)) = before(history.candles(), from) else {
                found.left_out += 1;
                continue;
            };
            let point = PricePoint { volume, ..point };
            let change_pct = (point.current / close - 1.0) * 100.0;
            found.shares.push((listing, point, change_pct));
        }
        Ok(found)
    }
}

/// The last close before a given day, and the volume of all sessions from that day on, if known; `None` if there is no
/// close shortly before.
fn before(candles: Candles<'_>, from: Day) -> Option<(f64, Option<f64>)> {
    let first = candles.days().partition_point(|day| *day < from);
    let last = first.checked_sub(1)?;
    let close = candles.close()[last];
    let is_close = from.since(candles.days()[last]) <= LEAD_IN && close > 0.0;
    let are_known = candles.measured().has_volumes();
    let volume = are_known.then(|| candles.volume()[first..].iter().sum());
    is_close.then_some((close, volume))
}

impl SessionBoard {
    /// The number of shares.
    pub fn len(&self) -> usize {
        self.shares.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.shares.is_empty()
    }

    /// Its shares as quotes.
    pub fn quotes(&self) -> Vec<Quote<'_>> {
        self.shares
            .iter()
            .map(|(listing, point, change_pct)| Quote {
                symbol: listing.ticker(),
                name: listing.instrument.entity_name(),
                price: point.current,
                change_pct: *change_pct,
                volume: point.volume,
                day: point.day,
                currency: listing.instrument.currency(),
                sector: listing.instrument.sector.as_deref().unwrap_or_default(),
            })
            .collect()
    }

    /// Why there are no movers, or that they are from long ago.
    pub fn issues(&self, when: PointInTime) -> Vec<DataIssue> {
        let Some(session) = self.session else {
            return vec![DataIssue::absent(
                "gainers",
                "no share has both a price and a previous close",
            )];
        };
        if let Some(from) = self.from
            && session < from
        {
            return vec![DataIssue {
                newest_available: Some(PointInTime::known_at(session, AssetType::Equity)),
                ..DataIssue::absent(
                    "gainers",
                    format!("the latest session with prices is {session}, before {from}"),
                )
            }];
        }
        let mut issues = Vec::new();
        if let Some(from) = self.from
            && self.shares.is_empty()
        {
            issues.push(DataIssue::absent(
                "gainers",
                format!(
                    "none of {} shares with a price of {session} has a close in the {LEAD_IN} days before {from}",
                    self.left_out
                ),
            ));
        }
        let newest = when.newest_day(AssetType::Equity);
        if session < newest {
            issues.push(DataIssue::stale(
                "gainers",
                format!(
                    "the latest session with prices is {session}; the session of {newest} has closed since"
                ),
                PointInTime::known_at(session, AssetType::Equity),
            ));
        }
        if self.too_old > 0 {
            let of = self.too_old + self.shares.len() + self.left_out;
            issues.push(DataIssue::absent(
                "compared",
                format!(
                    "{} of {of} shares are excluded: their newest price is of an earlier session than those that are compared (`max_age`)",
                    self.too_old
                ),
            ));
        }
        issues
    }
}

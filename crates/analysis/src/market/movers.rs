//! The shares of one session with their prices, from which the movers are picked.

use std::collections::BTreeMap;
use std::sync::Arc;

use market::movers::{MOVERS, Quote};
use model::{AssetType, Day};

use super::{DataIssue, Listing, PointInTime, PricePoint, Prices};
use crate::Result;

/// Shares with a price of one session.
#[derive(Clone, Debug, Default)]
pub struct SessionBoard {
    /// The session; `None` where no share has a price.
    pub session: Option<Day>,
    shares: Vec<(Arc<Listing>, PricePoint, f64)>,
}

impl Prices {
    /// The shares of the newest session in which at least ten have a price and a close before it; where no session has ten,
    /// of the newest session with any. A share whose history ended years ago, or the only one with a price today, is then
    /// no mover.
    pub async fn newest_session(&self, when: PointInTime) -> Result<SessionBoard> {
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
        Ok(SessionBoard {
            session,
            shares: session
                .and_then(|session| sessions.remove(&session))
                .unwrap_or_default(),
        })
    }
}

impl SessionBoard {
    /// How many shares it has.
    pub fn len(&self) -> usize {
        self.shares.len()
    }

    /// Whether it has none.
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
                currency: listing.instrument.currency(),
            })
            .collect()
    }

    /// Why there are no movers, or that they are of long ago.
    pub fn issues(&self, when: PointInTime) -> Vec<DataIssue> {
        let Some(session) = self.session else {
            return vec![DataIssue::absent(
                "gainers",
                "no share has both a price and a previous close",
            )];
        };
        let newest = when.newest_day(AssetType::Equity);
        if session >= newest {
            return Vec::new();
        }
        vec![DataIssue::stale(
            "gainers",
            format!(
                "the latest session with prices is {session}; the session of {newest} has closed since"
            ),
            PointInTime::known_at(session, AssetType::Equity),
        )]
    }
}

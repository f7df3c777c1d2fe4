//! Companies in the same sector: those with a similar market value first, or those whose prices move most alike.

use std::sync::Arc;

use market::correlation::correlation;
use market::screener::{PriceMetrics, newest_session, sessions_before};

use super::{Fundamentals, HistoryView, Listing, PointInTime, PricePoint};
use crate::{Result, light};

/// The number of calendar days over which prices are compared.
const DAYS: i32 = 365;
/// The minimum number of daily returns that two companies must share.
const LEAST_RETURNS: usize = 60;

/// A company in the same sector.
#[derive(Clone, Debug)]
pub struct Peer {
    /// Which company.
    pub listing: Arc<Listing>,
    /// Its latest price.
    pub price: Option<PricePoint>,
    /// What its candles say.
    pub metrics: PriceMetrics,
    /// The value of its shares in 10⁹ USD.
    pub market_cap_b: Option<f64>,
    /// Correlation of its daily returns over a year with those of the company, if peers are ordered by it.
    pub correlation: Option<f64>,
}

/// The peers of a company.
#[derive(Clone, Debug, Default)]
pub struct Peers {
    /// The closest first.
    pub peers: Vec<Peer>,
    /// The number of companies that are left out because their newest price is too old to compare.
    pub too_old: usize,
    /// Whether the company's own market value is known, so that peers are ordered by it; otherwise by how alike prices
    /// move.
    pub by_market_cap: bool,
}

impl Fundamentals {
    /// Companies of the same sector and kind that have candles and still trade, at most `most` of them, with a price
    /// at most `max_age` sessions older than that of the others. Those whose market value differs by the smallest
    /// factor come first, then those with an unknown value, by name. If the company's own value is not known, those
    /// whose daily returns over a year move most like its own come first.
    pub async fn peers_of(
        &self,
        listing: &Listing,
        when: PointInTime,
        most: usize,
        max_age: u32,
    ) -> Result<Peers> {
        let Some(sector) = &listing.instrument.sector else {
            return Ok(Peers::default());
        };
        let valuations = self.valuations(when).await?;
        let own_price = self.prices.metrics(listing, when).await?;
        let own_price = own_price.price.zip(own_price.date);
        let own = valuations
            .find(&listing.instrument, own_price)
            .and_then(|valuation| valuation.market_cap_b());
        let mut found = Vec::new();
        for other in self.instruments.all().await?.iter() {
            let is_peer = other.asset_type() == listing.asset_type()
                && other.instrument.symbol != listing.instrument.symbol
                && other.instrument.sector.as_ref() == Some(sector)
                && other.delisted(when).is_none();
            if !is_peer {
                continue;
            }
            let metrics = self.prices.metrics(other, when).await?;
            if metrics.price.is_none() {
                continue;
            }
            let market_cap_b = valuations
                .find(&other.instrument, metrics.price.zip(metrics.date))
                .and_then(|valuation| valuation.market_cap_b());
            found.push(Peer {
                listing: Arc::clone(other),
                price: None,
                metrics,
                market_cap_b,
                correlation: None,
            });
        }
        let days = found.iter().filter_map(|peer: &Peer| peer.metrics.date);
        let newest = newest_session(days.collect());
        let oldest = newest.map(|newest| sessions_before(newest, max_age, listing.asset_type()));
        let all = found.len();
        found.retain(|peer| peer.metrics.date >= oldest);
        let too_old = all - found.len();
        if own.is_none() {
            found = self.correlated(listing, found, when).await?;
        }
        let distance = |peer: &Peer| match own.zip(peer.market_cap_b) {
            Some((own, other)) => Some((own / other).ln().abs()),
            None => peer.correlation.map(|coefficient| 1.0 - coefficient),
        };
        found.sort_by(|left, right| {
            let (near, far) = (distance(left), distance(right));
            let by_distance = near
                .unwrap_or(f64::INFINITY)
                .total_cmp(&far.unwrap_or(f64::INFINITY));
            let name = |peer: &Peer| peer.listing.instrument.entity_name().to_lowercase();
            by_distance
                .then_with(|| name(left).cmp(&name(right)))
                .then_with(|| {
                    left.listing
                        .instrument
                        .symbol
                        .cmp(&right.listing.instrument.symbol)
                })
        });
        // Those with a price from long before the newest of all come last, whatever most of them have.
        let newest = found.iter().filter_map(|peer| peer.metrics.date).max();
        let fresh = newest.map(|newest| sessions_before(newest, max_age, listing.asset_type()));
        found.sort_by_key(|peer| peer.metrics.date < fresh);
        found.truncate(most);
        for peer in &mut found {
            peer.price = self.prices.newest(&peer.listing, when).await?;
        }
        Ok(Peers {
            peers: found,
            too_old,
            by_market_cap: own.is_some(),
        })
    }

    /// The same companies, with how alike their prices move.
    async fn correlated(
        &self,
        listing: &Listing,
        mut peers: Vec<Peer>,
        when: PointInTime,
    ) -> Result<Vec<Peer>> {
        let own = self.prices.history(listing, when).await?;
        let mut histories: Vec<HistoryView> = Vec::with_capacity(peers.len());
        for peer in &peers {
            histories.push(self.prices.history(&peer.listing, when).await?);
        }
        let compare = move || {
            for (peer, history) in peers.iter_mut().zip(&histories) {
                let found = correlation(&[own.candles(), history.candles()], DAYS).ok();
                peer.correlation = found
                    .filter(|found| found.returns >= LEAST_RETURNS)
                    .and_then(|found| found.get(0, 1));
            }
            peers
        };
        light(compare).await
    }
}

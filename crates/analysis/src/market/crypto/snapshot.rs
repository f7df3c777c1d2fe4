//! Coins as they were at one point in time.
//!
//! That time is the newest market value on the newest day when at least ten coins have one, as with the newest session
//! for shares: a single coin that was reported later neither makes all the others old nor appears next to them with a
//! later value.

use std::collections::{BTreeMap, BTreeSet};

use market::screener::newest_session;
use model::{Day, Symbol, Timestamp};

use super::{Coin, Coins};

/// Market values this far from the time of comparison belong to a different time.
pub(super) const COMPARABLE_MS: i64 = 3 * Timestamp::DAY_MS;

/// The time at which most of these coins can be compared; `None` if no market value is known.
pub(super) fn time_of(coins: &[Coin]) -> Option<Timestamp> {
    let times: Vec<Timestamp> = coins.iter().filter_map(|coin| coin.market_cap_at).collect();
    let day = newest_session(times.iter().map(|at| Day::of(*at)).collect())?;
    times.into_iter().filter(|at| Day::of(*at) == day).max()
}

/// The coins with a newest price or market value from a later day.
pub(super) fn ahead(coins: &[Coin], at: Timestamp) -> BTreeSet<Symbol> {
    let is_later = |other: Option<Timestamp>| other.is_some_and(|one| Day::of(one) > Day::of(at));
    coins
        .iter()
        .filter(|coin| is_later(coin.market_cap_at) || is_later(coin.price_at))
        .map(|coin| coin.symbol.clone())
        .collect()
}

impl Coins {
    /// These coins, and those among them that can be compared at a given time. `before` has the coins that are known
    /// on later days, as they were then.
    pub(super) fn at_one_time(mut coins: Vec<Coin>, before: Vec<Coin>, at: Timestamp) -> Self {
        let mut before: BTreeMap<Symbol, Coin> = before
            .into_iter()
            .map(|coin| (coin.symbol.clone(), coin))
            .collect();
        let mut ranked: Vec<Coin> = coins
            .iter()
            .filter_map(|coin| {
                let then = before.remove(&coin.symbol);
                let then = then.filter(|then| is_comparable(then, at));
                then.or_else(|| is_comparable(coin, at).then(|| coin.clone()))
            })
            .collect();
        ranked.sort_by(|left, right| {
            let cap = |coin: &Coin| coin.market_cap.unwrap_or_default();
            cap(right)
                .total_cmp(&cap(left))
                .then_with(|| left.symbol.cmp(&right.symbol))
        });
        rank(&mut ranked, at);
        let places: BTreeMap<&Symbol, &Coin> =
            ranked.iter().map(|coin| (&coin.symbol, coin)).collect();
        for coin in &mut coins {
            // A coin from another time has no rank: the rank a provider gave it then belongs to a different coin in
            // this list.
            let then = places.get(&coin.symbol);
            coin.market_cap_rank = then.and_then(|one| one.market_cap_rank);
            coin.is_rank_among_known = then.is_some_and(|one| one.is_rank_among_known);
        }
        Self {
            coins,
            ranked,
            at: Some(at),
        }
    }
}

fn is_comparable(coin: &Coin, at: Timestamp) -> bool {
    let other = coin.market_cap_at.filter(|_| coin.market_cap.is_some());
    other.is_some_and(|other| at.since_ms(other).abs() <= COMPARABLE_MS)
}

/// The ranks that a provider gave all of these coins at that time, in the order of their values; if it did not, their
/// positions in this list.
fn rank(ranked: &mut [Coin], at: Timestamp) {
    let given: BTreeSet<u32> = ranked
        .iter()
        .filter_map(|coin| coin.reported_rank(at))
        .collect();
    let is_reported = given.len() == ranked.len();
    let ranks: Vec<u32> = if is_reported {
        given.into_iter().collect()
    } else {
        (1..).take(ranked.len()).collect()
    };
    for (coin, rank) in ranked.iter_mut().zip(ranks) {
        coin.market_cap_rank = Some(rank);
        coin.is_rank_among_known = !is_reported;
    }
}

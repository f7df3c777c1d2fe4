//! News and reports that move individual shares.
//!
//! The stories come from the newswire with the same seed, so prices and news agree.

use std::collections::BTreeMap;

use model::Timestamp;

use super::chance::normal;
use super::clock::Clock;
use crate::kind::Direction;
use crate::newswire::{Newswire, StoryFact};
use crate::random::{Random, hash_word};

/// A story about a share.
#[derive(Clone, Debug)]
pub(super) struct NewsEvent {
    pub(super) at: Timestamp,
    /// The first session that trades after it, if it is known.
    pub(super) session: Option<usize>,
    /// Whether that session was already open when the story broke.
    pub(super) while_open: bool,
    pub(super) direction: Direction,
    /// Its effect on the price, as a logarithm.
    pub(super) size: f64,
}

/// The stories about every share that the newswire names, in chronological order.
pub(super) fn news(seed: u64, clock: &Clock) -> BTreeMap<String, Vec<NewsEvent>> {
    let mut events: BTreeMap<String, Vec<NewsEvent>> = BTreeMap::new();
    let [Some(first), Some(last)] = [clock.sessions().first(), clock.sessions().last()] else {
        return events;
    };
    let days = i64::from(first.day.get()) - 4..i64::from(last.day.get()) + 1;
    for fact in Newswire::without_markets(seed).story_facts(days.start, days.end) {
        let session = clock.trading_after(fact.breaks_at);
        let size = size(seed, &fact);
        events.entry(fact.ticker).or_default().push(NewsEvent {
            at: fact.breaks_at,
            session,
            while_open: session
                .and_then(|place| clock.sessions().get(place))
                .is_some_and(|session| session.opens_at < fact.breaks_at),
            direction: fact.direction,
            size,
        });
    }
    for events in events.values_mut() {
        events.sort_by_key(|event| event.at);
    }
    events
}

/// How far a story moves its share.
fn size(seed: u64, fact: &StoryFact) -> f64 {
    let usual: f64 = match fact.kind.as_str() {
        "bankruptcy" | "takeover" => 0.20,
        "fraud_probe" => 0.09,
        "exchange_halt" => 0.07,
        "takeover_rumour" => 0.065,
        "data_breach" => 0.04,
        "lawsuit" | "index_inclusion" => 0.035,
        "supply_partnership" | "model_release" => 0.028,
        _ => 0.02,
    };
    let words = [hash_word(&fact.ticker), hash_word(&fact.kind)];
    let noise = normal(&mut Random::of(&[
        seed,
        words[0],
        words[1],
        fact.day as u64,
    ]));
    match fact.direction {
        Direction::Up => usual * (1.0 + 0.4 * noise).max(0.2),
        Direction::Down => -usual * (1.0 + 0.4 * noise).max(0.2),
        Direction::Flat => 0.006 * noise,
    }
}

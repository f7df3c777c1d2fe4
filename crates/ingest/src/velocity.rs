//! How fast sources join a story: what makes it trend.
//!
//! A story trends if, in the six hours before its newest article, at least four outlets reported it and no more than 2
//! % of the stories active in those hours gathered more outlets. The times are the articles' own, so an imported
//! archive trends as it did at the time.

use std::collections::{BTreeMap, HashMap, HashSet};

use model::Timestamp;

const WINDOW_MS: i64 = 6 * Timestamp::HOUR_MS;
const LEAST_OUTLETS: usize = 4;
const TOP_SHARE: f64 = 0.02;

/// The recent arrivals of every story.
#[derive(Debug, Default)]
pub(crate) struct Velocity {
    arrivals: BTreeMap<(i64, i64), Arrival>,
}

#[derive(Debug)]
struct Arrival {
    story: i64,
    outlet: u64,
}

impl Velocity {
    /// Records that an outlet's article joined a story.
    pub(crate) fn note(&mut self, seq: i64, story: i64, domain: &str, published_at: Timestamp) {
        self.arrivals.insert(
            (published_at.ms(), seq),
            Arrival {
                story,
                outlet: hash(domain),
            },
        );
    }

    /// Records that an article belongs to another story.
    pub(crate) fn reassign(&mut self, seq: i64, published_at: Timestamp, story: i64) {
        if let Some(arrival) = self.arrivals.get_mut(&(published_at.ms(), seq)) {
            arrival.story = story;
        }
    }

    /// How many articles are in memory.
    pub(crate) fn len(&self) -> usize {
        self.arrivals.len()
    }

    /// Forgets the articles of one day.
    pub(crate) fn forget_day(&mut self, day: i64) {
        let from = Timestamp::start_of_day(day).ms();
        let mut rest = self.arrivals.split_off(&(from, i64::MIN));
        let after = rest.split_off(&(from + Timestamp::DAY_MS, i64::MIN));
        self.arrivals.extend(after);
    }

    /// Whether a story is trending at a given time.
    pub(crate) fn trends(&self, story: i64, at: Timestamp) -> bool {
        let mut outlets: HashMap<i64, HashSet<u64>> = HashMap::new();
        let window = (at.ms() - WINDOW_MS + 1, i64::MIN)..=(at.ms(), i64::MAX);
        for arrival in self.arrivals.range(window).map(|(_, arrival)| arrival) {
            outlets
                .entry(arrival.story)
                .or_default()
                .insert(arrival.outlet);
        }
        let own = outlets.get(&story).map_or(0, HashSet::len);
        if own < LEAST_OUTLETS {
            return false;
        }
        let faster = outlets.values().filter(|others| others.len() > own).count();
        (faster as f64) < (outlets.len() as f64 * TOP_SHARE).max(1.0)
    }
}

/// FNV-1a: the same on every machine and in every release.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(hour: i64) -> Timestamp {
        Timestamp::from_ms(1_700_000_000_000 + hour * Timestamp::HOUR_MS)
    }

    #[test]
    fn four_outlets_within_six_hours_make_the_fastest_story_trend() {
        let mut velocity = Velocity::default();
        for (seq, domain) in ["a.example", "b.example", "c.example"]
            .into_iter()
            .enumerate()
        {
            velocity.note(seq as i64, 1, domain, at(0));
        }
        velocity.note(3, 1, "a.example", at(1));
        assert!(
            !velocity.trends(1, at(1)),
            "the same outlet twice counts once"
        );
        velocity.note(4, 1, "d.example", at(2));
        assert!(velocity.trends(1, at(2)));
        assert!(
            !velocity.trends(1, at(7)),
            "the first articles are out of the window"
        );
    }

    #[test]
    fn a_faster_story_leaves_room_only_for_the_top_share() {
        let mut velocity = Velocity::default();
        for (story, outlets) in [(1, 4), (2, 6)] {
            for outlet in 0..outlets {
                velocity.note(
                    story * 100 + outlet,
                    story,
                    &format!("o{outlet}.example"),
                    at(0),
                );
            }
        }
        assert!(velocity.trends(2, at(0)));
        assert!(!velocity.trends(1, at(0)));
        velocity.forget_day(at(0).day());
        assert!(!velocity.trends(2, at(0)));
    }
}

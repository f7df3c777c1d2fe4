//! Who has a stream open, or had one a moment ago: a connection that broke is resumed without being charged again.

use std::collections::HashMap;

use model::Timestamp;
use parking_lot::Mutex;

use crate::caller::Payer;

/// Payers that are remembered. Beyond them those whose stream ended longest ago are forgotten: they may have to pay for
/// resuming it.
const MOST: usize = 50_000;

/// When each payer's streams were last alive.
#[derive(Default)]
pub(crate) struct Streams {
    alive: Mutex<HashMap<Payer, Timestamp>>,
}

impl Streams {
    /// A stream of this payer is alive.
    pub(crate) fn seen(&self, payer: Payer, now: Timestamp) {
        let mut alive = self.alive.lock();
        if alive.len() >= MOST && !alive.contains_key(&payer) {
            // Half of them at once, so that not every further one searches the table.
            let mut seen: Vec<Timestamp> = alive.values().copied().collect();
            seen.sort_unstable();
            let oldest_kept = seen[seen.len() / 2];
            alive.retain(|_, seen| *seen > oldest_kept);
        }
        alive.insert(payer, now);
    }

    /// Whether a stream of this payer was alive less than `within_ms` ago.
    pub(crate) fn resumes(&self, payer: Payer, now: Timestamp, within_ms: i64) -> bool {
        self.alive
            .lock()
            .get(&payer)
            .is_some_and(|seen| now.since_ms(*seen) < within_ms)
    }

    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.alive.lock().len()
    }

    /// Forgets streams that can no longer be resumed freely.
    pub(crate) fn sweep(&self, now: Timestamp) {
        self.alive
            .lock()
            .retain(|_, seen| now.since_ms(*seen) < 10 * Timestamp::MINUTE_MS);
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;
    use crate::client::ClientAddress;

    #[test]
    fn a_million_payers_stay_within_the_table() {
        let streams = Streams::default();
        let payer = |number: u32| {
            let address = IpAddr::V4(Ipv4Addr::from_bits(number));
            Payer::Client(ClientAddress::new(address))
        };
        for number in 0..1_000_000 {
            streams.seen(payer(number), Timestamp::from_ms(i64::from(number)));
        }
        assert!(streams.len() <= MOST);
        let now = Timestamp::from_ms(1_000_000);
        assert!(streams.resumes(payer(999_999), now, 1_000));
    }
}

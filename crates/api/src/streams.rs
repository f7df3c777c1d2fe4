//! Who has a stream open, or had one a moment ago: a connection that broke is resumed without a new charge, and nobody
//! may have more than a few open at the same time.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use model::Timestamp;
use parking_lot::Mutex;

use operations::{Caller, ClientAddress, Error, ErrorCode, Payer, Result};

/// How many payers are remembered. Beyond that, those whose stream ended longest ago are forgotten, and they may have
/// to pay to resume it.
const MOST: usize = 50_000;

/// Streams by payer and by address.
pub(crate) struct Streams {
    per_account: usize,
    per_address: usize,
    /// When each payer's streams were last alive.
    alive: Mutex<HashMap<Payer, Timestamp>>,
    open: Arc<Mutex<Open>>,
}

/// How many are open.
#[derive(Default)]
struct Open {
    payers: HashMap<Payer, usize>,
    addresses: HashMap<ClientAddress, usize>,
}

/// The place of one open stream; it is freed when dropped.
pub(crate) struct StreamPlace {
    open: Arc<Mutex<Open>>,
    payer: Payer,
    address: ClientAddress,
}

impl Streams {
    /// Allows this many streams for each account, and for each address.
    pub(crate) fn new(per_account: usize, per_address: usize) -> Self {
        Self {
            per_account,
            per_address,
            alive: Mutex::default(),
            open: Arc::default(),
        }
    }

    /// A place for one more stream of this caller.
    pub(crate) fn open(&self, caller: &Caller) -> Result<StreamPlace> {
        let (payer, address) = (caller.payer(), caller.client);
        let mut open = self.open.lock();
        let refused = |payer, most| {
            Err(Error::retry_later(
                ErrorCode::TooManyStreams,
                30,
                format!("this {payer} already has {most} streams open, the most that it may have"),
            ))
        };
        if count(&open.payers, &payer) >= self.per_account {
            return refused("account", self.per_account);
        }
        if count(&open.addresses, &address) >= self.per_address {
            return refused("address", self.per_address);
        }
        *open.payers.entry(payer).or_default() += 1;
        *open.addresses.entry(address).or_default() += 1;
        Ok(StreamPlace {
            open: Arc::clone(&self.open),
            payer,
            address,
        })
    }

    /// A stream of this payer is alive.
    pub(crate) fn seen(&self, payer: Payer, now: Timestamp) {
        let mut alive = self.alive.lock();
        if alive.len() >= MOST && !alive.contains_key(&payer) {
            // Half of them at once, so that not every further one has to search the table.
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

    /// Forgets streams that can no longer be resumed free of charge.
    pub(crate) fn sweep(&self, now: Timestamp) {
        self.alive
            .lock()
            .retain(|_, seen| now.since_ms(*seen) < 10 * Timestamp::MINUTE_MS);
    }
}

impl Drop for StreamPlace {
    fn drop(&mut self) {
        let mut open = self.open.lock();
        release(&mut open.payers, &self.payer);
        release(&mut open.addresses, &self.address);
    }
}

fn count<K: Hash + Eq>(counts: &HashMap<K, usize>, key: &K) -> usize {
    counts.get(key).copied().unwrap_or_default()
}

/// Unused entries are forgotten, so that the table is no larger than the number of open streams.
fn release<K: Hash + Eq>(counts: &mut HashMap<K, usize>, key: &K) {
    if let Some(count) = counts.get_mut(key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;

    #[test]
    fn a_million_payers_stay_within_the_table() {
        let streams = Streams::new(1, 1);
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

//! Who has a stream open, or had one a moment ago: a connection that broke is resumed without being charged again, and
//! nobody has more than a few open at the same time.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use model::Timestamp;
use parking_lot::Mutex;

use crate::caller::{Caller, Payer};
use crate::client::ClientAddress;
use crate::error::{Error, ErrorCode, Result};

/// Payers whose last stream is remembered; who comes on top of them pays when resuming.
const REMEMBERED: usize = 65_536;

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

/// The place of one open stream; dropped, it is free again.
pub(crate) struct StreamPlace {
    open: Arc<Mutex<Open>>,
    payer: Payer,
    address: ClientAddress,
}

impl Streams {
    /// So many streams for each account, and for each address.
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
        let refused = |whose, most| {
            Err(Error::retry_later(
                ErrorCode::TooManyStreams,
                30,
                format!("this {whose} has {most} streams open, which is as many as it may"),
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
        if alive.len() < REMEMBERED || alive.contains_key(&payer) {
            alive.insert(payer, now);
        }
    }

    /// Whether a stream of this payer was alive less than `within_ms` ago.
    pub(crate) fn resumes(&self, payer: Payer, now: Timestamp, within_ms: i64) -> bool {
        self.alive
            .lock()
            .get(&payer)
            .is_some_and(|seen| now.since_ms(*seen) < within_ms)
    }

    /// Forgets streams that can no longer be resumed freely.
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

/// What nobody uses is forgotten, so that the table is no larger than what is open.
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
    use std::net::IpAddr;

    use super::*;

    #[test]
    fn a_million_listeners_are_not_all_remembered() {
        let streams = Streams::new(1, 1);
        let now = Timestamp::from_ms(0);
        for address in 0..1_000_000_u32 {
            let client = ClientAddress::new(IpAddr::from(address.to_be_bytes()));
            streams.seen(Payer::Client(client), now);
        }
        assert_eq!(streams.alive.lock().len(), REMEMBERED);
        let first = Payer::Client(ClientAddress::new(IpAddr::from([0, 0, 0, 0])));
        assert!(streams.resumes(first, now, 1));
        streams.sweep(now.plus_ms(11 * Timestamp::MINUTE_MS));
        assert!(streams.alive.lock().is_empty());
    }
}

//! How often one may: fixed windows of a minute that begin with the first request.
//!
//! The table is split into shards and bounded, so that neither many callers nor many invented addresses make it grow
//! without end. A window that is counting is never dropped: a caller must not get a fresh one by flooding the table. Who
//! finds no room shares an overflow window with others, and one network of addresses fills at most an eighth of a shard,
//! so that whoever owns a large one crowds out nobody but itself. Accounts and addresses have tables of their own.
//! Nothing here is stored; a restart opens new windows.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use model::{AccountId, Timestamp};
use parking_lot::Mutex;

use crate::caller::Payer;
use crate::client::ClientAddress;

/// Length of a window.
pub(crate) const WINDOW_MS: i64 = Timestamp::MINUTE_MS;

const SHARDS: usize = 32;
/// Windows of one table of a shard; half a million altogether, some 32 MiB.
const SHARD_LIMIT: usize = 8_192;
/// Windows of one network of addresses.
const NETWORK_LIMIT: usize = SHARD_LIMIT / 8;
/// Overflow windows of a shard.
const OVERFLOW: usize = 64;
/// An overflow window allows as much as so many windows.
const OVERFLOW_FACTOR: u32 = 64;
/// A full table is searched for ended windows this often at most.
const SEARCH_EVERY_MS: i64 = 1_000;

/// Counts requests.
pub struct Limiter {
    hasher: RandomState,
    shards: [Mutex<Shard>; SHARDS],
}

/// Whose window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// Requests of an account or client.
    Payer(Payer),
    /// Failed log-ins from an address.
    LoginAddress(ClientAddress),
    /// Failed log-ins with an e-mail address, known by its hash, from an address.
    Login(u64, ClientAddress),
    /// Failed log-ins with an e-mail address from anywhere.
    Account(u64),
    /// Log-ins of a network with an e-mail address that is attacked.
    Stranger(u64, ClientAddress),
    /// Log-ins with an e-mail address, known by its hash, that succeeded from an address.
    LoggedIn(u64, ClientAddress),
    /// Tokens of an account from an address that had to be looked up.
    Token(AccountId, ClientAddress),
    /// Accounts that an address opens.
    Registration(ClientAddress),
}

struct Shard {
    /// Windows of client addresses, of which anybody may invent many.
    clients: Table,
    /// Windows of accounts and of whatever else is named.
    named: Table,
    /// Shared by those who find no room.
    overflow: [Window; OVERFLOW],
}

struct Table {
    windows: HashMap<Subject, Window>,
    /// How many windows each network has.
    networks: HashMap<u64, u32>,
    /// When a full table was last searched for windows that are over.
    searched: Timestamp,
}

/// Where a subject is counted.
#[derive(Clone, Copy)]
struct Place {
    shard: usize,
    /// The network of a client address, as a hash.
    network: Option<u64>,
    overflow: usize,
}

#[derive(Clone, Copy)]
struct Window {
    start: Timestamp,
    used: u32,
}

/// What a window still allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Requests in a window.
    pub limit: u32,
    /// Requests left in this one.
    pub remaining: u32,
    /// Seconds until the next one, 1 to 60.
    pub reset_seconds: u32,
}

impl Default for Limiter {
    fn default() -> Self {
        Self {
            hasher: RandomState::new(),
            shards: std::array::from_fn(|_| Mutex::new(Shard::new())),
        }
    }
}

impl Limiter {
    /// Counts one request. `Err` when the window is full.
    pub(crate) fn take(
        &self,
        subject: Subject,
        limit: u32,
        now: Timestamp,
    ) -> Result<Allowance, Allowance> {
        let place = self.place(&subject);
        let mut shard = self.shards[place.shard].lock();
        let (window, most) = shard.window(subject, place, limit, now, &self.hasher);
        if window.used >= most {
            return Err(window.allowance(limit, most, now));
        }
        window.used = window.used.saturating_add(1);
        Ok(window.allowance(limit, most, now))
    }

    /// What is left, without counting.
    pub fn peek(&self, subject: Subject, limit: u32, now: Timestamp) -> Allowance {
        let place = self.place(&subject);
        let shard = self.shards[place.shard].lock();
        let table = shard.table(place);
        let (window, most) = match table.windows.get(&subject) {
            Some(window) => (*window, limit),
            None if table.has_room(place) => (Window::new(now), limit),
            // It would be counted there.
            None => (
                shard.overflow[place.overflow],
                limit.saturating_mul(OVERFLOW_FACTOR),
            ),
        };
        let window = if window.is_over(now) {
            Window::new(now)
        } else {
            window
        };
        window.allowance(limit, most, now)
    }

    /// Takes back what was counted at `at`, where that window is not over.
    pub(crate) fn give_back(&self, subject: Subject, at: Timestamp) {
        let place = self.place(&subject);
        let mut shard = self.shards[place.shard].lock();
        // What was counted in an overflow window stays counted: it is shared with others.
        if let Some(window) = shard.table_mut(place).windows.get_mut(&subject)
            && !window.is_over(at)
        {
            window.used = window.used.saturating_sub(1);
        }
    }

    /// Drops windows that are over.
    pub(crate) fn sweep(&self, now: Timestamp) {
        for shard in &self.shards {
            let mut shard = shard.lock();
            shard.clients.drop_ended(now, &self.hasher);
            shard.named.drop_ended(now, &self.hasher);
        }
    }

    /// Addresses of one network are counted in one shard, where their number is known.
    fn place(&self, subject: &Subject) -> Place {
        let network = network(&self.hasher, subject);
        let hash = network.unwrap_or_else(|| self.hasher.hash_one(subject));
        Place {
            shard: hash as usize % SHARDS,
            network,
            overflow: (hash >> 32) as usize % OVERFLOW,
        }
    }

    /// How many windows are counting, or were until the next sweep.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        let windows = |table: &Table| table.windows.len();
        self.shards
            .iter()
            .map(|shard| shard.lock())
            .map(|shard| windows(&shard.clients) + windows(&shard.named))
            .sum()
    }
}

/// The network that a client address belongs to; other subjects have none.
fn network(hasher: &RandomState, subject: &Subject) -> Option<u64> {
    match subject {
        Subject::Payer(Payer::Client(client))
        | Subject::LoginAddress(client)
        | Subject::Login(_, client)
        | Subject::Stranger(_, client)
        | Subject::LoggedIn(_, client)
        | Subject::Token(_, client)
        | Subject::Registration(client) => Some(hasher.hash_one(client.allocation())),
        Subject::Payer(Payer::Account(_)) | Subject::Account(_) => None,
    }
}

impl Shard {
    fn new() -> Self {
        Self {
            clients: Table::new(),
            named: Table::new(),
            overflow: [Window::new(Timestamp::from_ms(0)); OVERFLOW],
        }
    }

    fn table(&self, place: Place) -> &Table {
        if place.network.is_some() {
            &self.clients
        } else {
            &self.named
        }
    }

    fn table_mut(&mut self, place: Place) -> &mut Table {
        if place.network.is_some() {
            &mut self.clients
        } else {
            &mut self.named
        }
    }

    /// The window in which a subject is counted now, and what that window allows.
    fn window(
        &mut self,
        subject: Subject,
        place: Place,
        limit: u32,
        now: Timestamp,
        hasher: &RandomState,
    ) -> (&mut Window, u32) {
        let table = if place.network.is_some() {
            &mut self.clients
        } else {
            &mut self.named
        };
        let has_room = table.windows.contains_key(&subject) || table.make_room(place, now, hasher);
        let (window, limit) = if has_room {
            (table.open(subject, place, now), limit)
        } else {
            let shared = &mut self.overflow[place.overflow];
            (shared, limit.saturating_mul(OVERFLOW_FACTOR))
        };
        if window.is_over(now) {
            *window = Window::new(now);
        }
        (window, limit)
    }
}

impl Table {
    fn new() -> Self {
        Self {
            windows: HashMap::new(),
            networks: HashMap::new(),
            searched: Timestamp::from_ms(0),
        }
    }

    fn open(&mut self, subject: Subject, place: Place, now: Timestamp) -> &mut Window {
        let networks = &mut self.networks;
        self.windows.entry(subject).or_insert_with(|| {
            if let Some(network) = place.network {
                *networks.entry(network).or_default() += 1;
            }
            Window::new(now)
        })
    }

    /// Whether there is room for one more, at a cost that does not depend on how full the table is: a flood of new
    /// addresses must not make every request search the whole of it.
    fn make_room(&mut self, place: Place, now: Timestamp, hasher: &RandomState) -> bool {
        if self.has_room(place) {
            return true;
        }
        if !(0..SEARCH_EVERY_MS).contains(&now.since_ms(self.searched)) {
            self.searched = now;
            self.drop_ended(now, hasher);
        }
        self.has_room(place)
    }

    fn has_room(&self, place: Place) -> bool {
        let of_network = place
            .network
            .and_then(|network| self.networks.get(&network));
        self.windows.len() < SHARD_LIMIT
            && of_network.is_none_or(|count| (*count as usize) < NETWORK_LIMIT)
    }

    fn drop_ended(&mut self, now: Timestamp, hasher: &RandomState) {
        self.windows.retain(|_, window| !window.is_over(now));
        if self.windows.capacity() > 4 * self.windows.len().max(1_024) {
            self.windows.shrink_to(self.windows.len() * 2);
        }
        self.networks.clear();
        for network in self
            .windows
            .keys()
            .filter_map(|subject| network(hasher, subject))
        {
            *self.networks.entry(network).or_default() += 1;
        }
        if self.networks.capacity() > 4 * self.networks.len().max(1_024) {
            self.networks.shrink_to(self.networks.len() * 2);
        }
    }
}

impl Window {
    const fn new(start: Timestamp) -> Self {
        Self { start, used: 0 }
    }

    /// A window is also over when the clock was set back before its start.
    fn is_over(&self, now: Timestamp) -> bool {
        !(0..WINDOW_MS).contains(&now.since_ms(self.start))
    }

    /// What is left to a caller of that limit in a window that allows `most`.
    fn allowance(self, limit: u32, most: u32, now: Timestamp) -> Allowance {
        let left_ms = WINDOW_MS - now.since_ms(self.start).clamp(0, WINDOW_MS - 1);
        Allowance {
            limit,
            remaining: most.saturating_sub(self.used).min(limit),
            reset_seconds: (left_ms as u32).div_ceil(1_000),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;
    use crate::client::ClientAddress;

    fn client(number: u32) -> Subject {
        Subject::Payer(Payer::Client(ClientAddress::new(IpAddr::V4(
            Ipv4Addr::from_bits(number),
        ))))
    }

    #[test]
    fn a_window_begins_with_the_first_request() {
        let limiter = Limiter::default();
        let at = |ms: i64| Timestamp::from_ms(1_000_000 + ms);
        assert_eq!(
            limiter.peek(client(1), 2, at(0)),
            Allowance {
                limit: 2,
                remaining: 2,
                reset_seconds: 60
            }
        );
        assert_eq!(limiter.take(client(1), 2, at(500)).unwrap().remaining, 1);
        assert_eq!(limiter.take(client(1), 2, at(1_000)).unwrap().remaining, 0);
        let full = limiter.take(client(1), 2, at(30_000)).unwrap_err();
        assert_eq!((full.remaining, full.reset_seconds), (0, 31));
        assert!(limiter.take(client(2), 2, at(30_000)).is_ok());
        assert!(limiter.take(client(1), 2, at(60_499)).is_err());
        assert_eq!(limiter.take(client(1), 2, at(60_500)).unwrap().remaining, 1);
    }

    #[test]
    fn many_clients_do_not_grow_the_table_without_end() {
        let limiter = Limiter::default();
        let now = Timestamp::from_ms(5);
        let spread = |number: u32| client(number.wrapping_mul(0x9e37_79b1));
        for number in 0..1_000_000 {
            let _ = limiter.take(spread(number), 10, now);
        }
        assert!(limiter.len() <= SHARDS * SHARD_LIMIT, "{}", limiter.len());
        limiter.sweep(now.plus_ms(WINDOW_MS));
        assert_eq!(limiter.len(), 0);
    }

    #[test]
    fn a_flood_gives_nobody_a_fresh_window() {
        let limiter = Limiter::default();
        let now = Timestamp::from_ms(5);
        let own = client(1);
        assert!(limiter.take(own, 1, now).is_ok());
        for number in 0..300_000_u32 {
            let _ = limiter.take(client(number.wrapping_mul(0x9e37_79b1)), 10, now);
        }
        assert!(
            limiter.take(own, 1, now).is_err(),
            "the window is still counted"
        );
    }

    #[test]
    fn whoever_owns_a_large_network_crowds_out_only_itself() {
        let limiter = Limiter::default();
        let now = Timestamp::from_ms(5);
        // All the /64 of one IPv6 customer with a /32, 10 requests each.
        let mut answered = 0;
        for number in 0..100_000_u128 {
            let address = IpAddr::V6(((0x2001_0db8_u128 << 96) | (number << 64)).into());
            let subject = Subject::Payer(Payer::Client(ClientAddress::new(address)));
            answered += u32::from(limiter.take(subject, 10, now).is_ok());
        }
        assert!(limiter.len() <= NETWORK_LIMIT, "{}", limiter.len());
        assert!(
            answered <= NETWORK_LIMIT as u32 + 10 * OVERFLOW_FACTOR,
            "{answered}"
        );
        // Everybody else has the whole of a window.
        for number in 0..1_000 {
            let other = client(number << 16);
            let taken = (0..11).filter(|_| limiter.take(other, 10, now).is_ok());
            assert_eq!(taken.count(), 10);
        }
        // Also the accounts.
        let account = Subject::Payer(Payer::Account(model::AccountId(uuid::Uuid::from_u128(7))));
        assert_eq!(limiter.take(account, 10, now).unwrap().remaining, 9);
    }

    #[test]
    fn who_finds_no_room_is_looked_up_where_it_is_counted() {
        let limiter = Limiter::default();
        let now = Timestamp::from_ms(5);
        // One network, until each of its overflow windows is used up.
        for number in 0..10_000_u32 {
            for _ in 0..3 {
                let _ = limiter.take(client(number), 3, now);
            }
        }
        let newcomer = client(20_000);
        assert!(limiter.take(newcomer, 3, now).is_err());
        assert_eq!(limiter.peek(newcomer, 3, now).remaining, 0);
    }

    #[test]
    fn a_million_accounts_and_names_stay_within_their_table() {
        let limiter = Limiter::default();
        let now = Timestamp::from_ms(5);
        for number in 0..1_000_000_u64 {
            let _ = limiter.take(Subject::Account(number), 5, now);
        }
        assert!(limiter.len() <= SHARDS * SHARD_LIMIT, "{}", limiter.len());
        assert!(
            limiter.take(client(1), 5, now).is_ok(),
            "addresses have a table of their own"
        );
    }
}

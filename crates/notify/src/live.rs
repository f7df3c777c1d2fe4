//! Live events by topic: each event reaches its listeners without every listener being asked about it.
//!
//! A topic is a symbol (`AAPL`, for what briefs say) or an instrument's key (`stock:AAPL`, for prices and alerts). An
//! event is written once and handed to everyone waiting for its topic. Each listener has a bounded queue; one that
//! falls behind is cut off. Prices are kept in a ring, because nothing else remembers them.
//!
//! Every event has a [`Place`] in one of three orders: the outbox, the alerts that fired, and the price versions. A
//! listener's [`Cursor`] is how far it has come in each, and the id from which a stream resumes.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use model::{AccountId, Category};
use parking_lot::Mutex;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

/// Events that a listener may lag behind before it is cut off.
const LAG: usize = 512;
/// Prices that are kept in the ring.
const RING: usize = 20_000;

/// The kinds of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LiveKind {
    /// A brief was published or changed.
    Brief,
    /// The sentiment of a symbol moved.
    Sentiment,
    /// The price of an instrument moved.
    Price,
    /// An alert fired.
    Alert,
}

impl LiveKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Brief, Self::Sentiment, Self::Price, Self::Alert];

    /// The name of the kind.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Brief => "brief",
            Self::Sentiment => "sentiment",
            Self::Price => "price",
            Self::Alert => "alert",
        }
    }

    /// The order to which events of this kind belong.
    pub const fn order(self) -> Order {
        match self {
            Self::Brief | Self::Sentiment => Order::Outbox,
            Self::Alert => Order::Alerts,
            Self::Price => Order::Prices,
        }
    }
}

/// An order of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// Positions in the outbox.
    Outbox,
    /// Positions of alerts that fired.
    Alerts,
    /// Price versions.
    Prices,
}

/// A place in an order: a position, and which of the events at that position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The position.
    pub position: i64,
    /// The index among its events.
    pub index: u32,
}

impl Place {
    /// Past every event at a position.
    pub const fn after(position: i64) -> Self {
        Self {
            position,
            index: u32::MAX,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index {
            u32::MAX => write!(f, "{}", self.position),
            index => write!(f, "{}.{index}", self.position),
        }
    }
}

impl FromStr for Place {
    type Err = NoCursor;

    fn from_str(text: &str) -> Result<Self, NoCursor> {
        let (position, index) = match text.split_once('.') {
            Some((position, index)) => (position, index.parse().map_err(|_| NoCursor)?),
            None => (text, u32::MAX),
        };
        let position: i64 = position.parse().map_err(|_| NoCursor)?;
        if position < 0 {
            return Err(NoCursor);
        }
        Ok(Self { position, index })
    }
}

/// How far a listener has come: the id of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// In the outbox.
    pub outbox: Place,
    /// In the alerts that fired.
    pub alerts: Place,
    /// In the prices.
    pub prices: Place,
}

/// Text that is not the id of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not the id of an event")]
pub struct NoCursor;

impl Cursor {
    /// Its place in an order.
    pub fn place(&self, order: Order) -> Place {
        match order {
            Order::Outbox => self.outbox,
            Order::Alerts => self.alerts,
            Order::Prices => self.prices,
        }
    }

    /// Advances to an event; `false` if the cursor is already past it.
    pub fn advance(&mut self, event: &LiveEvent) -> bool {
        let place = match event.kind.order() {
            Order::Outbox => &mut self.outbox,
            Order::Alerts => &mut self.alerts,
            Order::Prices => &mut self.prices,
        };
        let is_new = event.place > *place;
        *place = event.place.max(*place);
        is_new
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}", self.outbox, self.alerts, self.prices)
    }
}

impl FromStr for Cursor {
    type Err = NoCursor;

    fn from_str(text: &str) -> Result<Self, NoCursor> {
        let mut places = text.split('-');
        let mut next = || places.next().ok_or(NoCursor)?.parse();
        let cursor = Self {
            outbox: next()?,
            alerts: next()?,
            prices: next()?,
        };
        if places.next().is_some() {
            return Err(NoCursor);
        }
        Ok(cursor)
    }
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct LiveEvent {
    /// Where it stands in its order.
    pub place: Place,
    /// What it is.
    pub kind: LiveKind,
    /// What it is about.
    pub topic: String,
    /// The only account that receives it.
    pub account: Option<AccountId>,
    /// The category it belongs to. An event that draws on all categories has none, and is not for listeners who see
    /// only some.
    pub category: Option<Category>,
    /// What is sent, as JSON.
    pub data: String,
}

/// What a listener wants to receive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interest {
    /// Topics; `None` for all.
    pub topics: Option<Vec<String>>,
    /// Kinds.
    pub kinds: Vec<LiveKind>,
    /// The account whose alerts it wants.
    pub account: Option<AccountId>,
    /// The only categories that it may see; empty for all.
    pub categories: Vec<Category>,
}

impl Interest {
    /// Whether an event is for this listener.
    pub fn covers(&self, event: &LiveEvent) -> bool {
        let is_topic = match &self.topics {
            None => true,
            Some(topics) => topics.contains(&event.topic),
        };
        is_topic && self.admits(event)
    }

    /// The same, when the topic is already known to be one that it wants.
    fn admits(&self, event: &LiveEvent) -> bool {
        let sees = match (event.kind, event.category) {
            (LiveKind::Brief | LiveKind::Sentiment, category) => {
                self.categories.is_empty()
                    || category.is_some_and(|one| self.categories.contains(&one))
            }
            _ => true,
        };
        let is_theirs = event.account.is_none() || event.account == self.account;
        self.kinds.contains(&event.kind) && sees && is_theirs
    }
}

/// Positions in the orders that the store keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Heads {
    /// In the outbox.
    pub outbox: i64,
    /// Among the alerts that fired.
    pub alerts: i64,
}

/// Hands events to listeners. A clone is the same hub.
#[derive(Clone, Debug, Default)]
pub struct Live {
    table: Arc<Mutex<Table>>,
    ring: Arc<Mutex<Ring>>,
    /// The positions up to which the store was read; the next reader continues from there, so that no listener misses
    /// anything.
    read_to: Arc<Mutex<Option<Heads>>>,
    next: Arc<AtomicU64>,
}

#[derive(Debug, Default)]
struct Table {
    by_topic: HashMap<String, HashMap<u64, Arc<Listener>>>,
    of_everything: HashMap<u64, Arc<Listener>>,
}

#[derive(Debug)]
struct Listener {
    interest: Interest,
    sender: mpsc::Sender<Arc<LiveEvent>>,
    /// The listener was too slow: events are missing after those in its queue.
    is_cut_off: AtomicBool,
}

/// The newest prices.
#[derive(Debug, Default)]
struct Ring {
    events: VecDeque<Arc<LiveEvent>>,
    /// Nothing up to this place is kept; `None` before the first price.
    after: Option<Place>,
}

/// What a listener receives. Once dropped, it receives nothing more.
#[derive(Debug)]
pub struct Subscription {
    receiver: mpsc::Receiver<Arc<LiveEvent>>,
    live: Live,
    id: u64,
    listener: Arc<Listener>,
}

impl Live {
    /// All events of interest from now on.
    pub fn listen(&self, interest: Interest) -> Subscription {
        let (sender, receiver) = mpsc::channel(LAG);
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let listener = Arc::new(Listener {
            interest,
            sender,
            is_cut_off: AtomicBool::new(false),
        });
        let mut table = self.table.lock();
        match &listener.interest.topics {
            None => {
                table.of_everything.insert(id, Arc::clone(&listener));
            }
            Some(topics) => {
                for topic in topics {
                    let of_topic = table.by_topic.entry(topic.clone()).or_default();
                    of_topic.insert(id, Arc::clone(&listener));
                }
            }
        }
        drop(table);
        Subscription {
            receiver,
            live: self.clone(),
            id,
            listener,
        }
    }

    /// The positions up to which the store was read; if nothing was read yet, reading begins at these heads.
    ///
    /// Listeners call this too, with the heads read after [`listen`](Self::listen): what happens later is reported,
    /// even if reading begins only then.
    pub fn begin(&self, heads: Heads) -> Heads {
        *self.read_to.lock().get_or_insert(heads)
    }

    /// Records the positions up to which the store was read.
    pub fn go_on(&self, read_to: Heads) {
        *self.read_to.lock() = Some(read_to);
    }

    /// Whether anybody is listening.
    pub fn is_heard(&self) -> bool {
        let table = self.table.lock();
        !(table.of_everything.is_empty() && table.by_topic.is_empty())
    }

    /// The number of listeners.
    pub fn listeners(&self) -> usize {
        let table = self.table.lock();
        let mut ids: Vec<u64> = table.of_everything.keys().copied().collect();
        ids.extend(table.by_topic.values().flat_map(HashMap::keys));
        ids.sort_unstable();
        ids.dedup();
        ids.len()
    }

    /// Hands an event to everyone waiting for it; those who are too far behind are cut off. Prices are remembered.
    pub fn publish(&self, event: LiveEvent) {
        let event = Arc::new(event);
        if event.kind == LiveKind::Price {
            self.ring.lock().push(Arc::clone(&event));
        }
        let mut slow: Vec<(u64, Arc<Listener>)> = Vec::new();
        let mut table = self.table.lock();
        let of_topic = table.by_topic.get(&event.topic);
        let listeners = table
            .of_everything
            .iter()
            .chain(of_topic.into_iter().flatten());
        for (id, listener) in listeners {
            if !listener.interest.admits(&event) {
                continue;
            }
            if let Err(TrySendError::Full(_)) = listener.sender.try_send(Arc::clone(&event)) {
                slow.push((*id, Arc::clone(listener)));
            }
        }
        for (id, listener) in slow {
            listener.is_cut_off.store(true, Ordering::Release);
            table.remove(id, &listener.interest);
        }
    }

    /// The prices after a place; `None` if some of them are no longer kept.
    pub fn prices_after(&self, place: Place, interest: &Interest) -> Option<Vec<Arc<LiveEvent>>> {
        let ring = self.ring.lock();
        if ring.after.is_none_or(|after| place < after) {
            return None;
        }
        let newer = ring.events.iter().filter(|event| event.place > place);
        Some(
            newer
                .filter(|event| interest.covers(event))
                .cloned()
                .collect(),
        )
    }

    /// The place of the newest price; `None` before the first.
    pub fn newest_price(&self) -> Option<Place> {
        let ring = self.ring.lock();
        ring.events.back().map(|event| event.place).or(ring.after)
    }

    /// Sets the place from which prices are kept.
    pub fn begin_prices(&self, after: Place) {
        self.ring.lock().after.get_or_insert(after);
    }
}

impl Ring {
    fn push(&mut self, event: Arc<LiveEvent>) {
        if self.events.len() >= RING
            && let Some(oldest) = self.events.pop_front()
        {
            self.after = Some(oldest.place);
        }
        self.events.push_back(event);
    }
}

impl Table {
    fn remove(&mut self, id: u64, interest: &Interest) {
        self.of_everything.remove(&id);
        for topic in interest.topics.iter().flatten() {
            if let Some(of_topic) = self.by_topic.get_mut(topic) {
                of_topic.remove(&id);
                if of_topic.is_empty() {
                    self.by_topic.remove(topic);
                }
            }
        }
    }
}

impl Subscription {
    /// The next event; `None` if this listener was too slow and is cut off.
    pub async fn next(&mut self) -> Option<Arc<LiveEvent>> {
        if self.listener.is_cut_off.load(Ordering::Acquire) {
            return None;
        }
        self.receiver.recv().await
    }

    /// What it listens to.
    pub fn interest(&self) -> &Interest {
        &self.listener.interest
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let interest = &self.listener.interest;
        self.live.table.lock().remove(self.id, interest);
    }
}

#[cfg(test)]
mod tests;

//! What happens to tickers, in the order in which a stream sends it: first what its reader missed, one order after the
//! other, then live events.

use notify::{Cursor, LiveEvent, Order, Place, Subscription, read_after};
use operations::Result;
use serde_json::json;

use crate::event_stream::{LONGEST_GAP, Next, Source, StreamEvent};
use crate::state::AppState;

/// Rows that are read at once.
const BATCH: u64 = 200;

/// What one stream needs to continue.
pub(super) struct Happenings {
    state: AppState,
    live: Subscription,
    cursor: Cursor,
    /// Up to here, events are read from where they are stored; the rest is in the queue.
    heads: Cursor,
    /// The orders in which something may still be missed, the next one last.
    behind: Vec<Order>,
}

impl Source for Happenings {
    async fn missed(&mut self) -> Option<Vec<StreamEvent>> {
        loop {
            let order = *self.behind.last()?;
            match self.read(order).await {
                Ok(Missed::Events(events)) => {
                    let new = events.iter().filter_map(|event| self.pass(event));
                    return Some(new.collect());
                }
                Ok(Missed::Nothing) => {
                    self.behind.pop();
                }
                Ok(Missed::TooMuch) => return Some(vec![self.skip(order)]),
                Err(error) => {
                    tracing::warn!(
                        error = &error as &dyn std::error::Error,
                        "stream cannot catch up: {error}"
                    );
                    return Some(vec![self.skip(order)]);
                }
            }
        }
    }

    async fn next(&mut self) -> Next {
        match self.live.next().await {
            Some(event) => self.pass(&event).map_or(Next::Nothing, Next::Event),
            None => Next::TooSlow,
        }
    }

    fn position(&self) -> String {
        self.cursor.to_string()
    }
}

impl Happenings {
    /// Continues from the cursor; events up to the heads are looked up.
    pub(super) fn new(state: AppState, live: Subscription, cursor: Cursor, heads: Cursor) -> Self {
        Self {
            state,
            live,
            cursor,
            heads,
            behind: vec![Order::Prices, Order::Alerts, Order::Outbox],
        }
    }

    /// An event that has not been sent before.
    fn pass(&mut self, event: &LiveEvent) -> Option<StreamEvent> {
        self.cursor.advance(event).then(|| StreamEvent {
            name: Some(event.kind.as_str()),
            id: self.cursor.to_string(),
            data: event.data.clone(),
        })
    }

    /// Continues at the head of an order, and reports which events are not delivered.
    fn skip(&mut self, order: Order) -> StreamEvent {
        let after = self.cursor.to_string();
        self.behind.retain(|one| *one != order);
        self.jump(order, self.heads.place(order));
        let events = match order {
            Order::Outbox => json!(["brief", "sentiment"]),
            Order::Alerts => json!(["alert"]),
            Order::Prices => json!(["price"]),
        };
        let id = self.cursor.to_string();
        let data = json!({"events": events, "missed_after": after, "resumed_at": id});
        StreamEvent::gap(id, &data)
    }

    fn jump(&mut self, order: Order, to: Place) {
        match order {
            Order::Outbox => self.cursor.outbox = to,
            Order::Alerts => self.cursor.alerts = to,
            Order::Prices => self.cursor.prices = to,
        }
    }

    /// The next events of an order that the reader missed.
    async fn read(&mut self, order: Order) -> Result<Missed> {
        let interest = &self.live.interest().clone();
        let (from, head) = (self.cursor.place(order), self.heads.place(order));
        if from >= head || !interest.kinds.iter().any(|kind| kind.order() == order) {
            self.jump(order, from.max(head));
            return Ok(Missed::Nothing);
        }
        // The rest of a position that was sent in part is examined again.
        let after = match from.index {
            u32::MAX => from.position,
            _ => from.position - 1,
        };
        let events = match order {
            Order::Outbox => {
                if head.position - after > LONGEST_GAP {
                    return Ok(Missed::TooMuch);
                }
                let (published, read_to) = read_after(&self.state.store, after, BATCH).await?;
                let mut events = Vec::new();
                for one in published.iter().filter(|one| one.position <= head.position) {
                    events.extend(self.state.live_of_brief(one).await?);
                }
                events.retain(|event| event.place > from && interest.covers(event));
                if read_to >= head.position || read_to == after {
                    self.finish(order, &events, head);
                } else if events.is_empty() {
                    self.jump(order, Place::after(read_to));
                }
                events
            }
            Order::Alerts => {
                let Some(owner) = interest.account else {
                    self.jump(order, head);
                    return Ok(Missed::Nothing);
                };
                let limit = LONGEST_GAP.cast_unsigned() + 1;
                let alerts = self.state.store.alerts();
                let found = alerts
                    .fired_between(Some(owner), after, head.position, limit)
                    .await?;
                if found.len() as u64 == limit {
                    return Ok(Missed::TooMuch);
                }
                let mut events = Vec::with_capacity(found.len());
                for alert in &found {
                    events.push(self.state.live_of_alert(alert)?);
                }
                events.retain(|event| event.place > from && interest.covers(event));
                self.finish(order, &events, head);
                events
            }
            Order::Prices => {
                let Some(events) = self.state.hub.live().prices_after(from, interest) else {
                    return Ok(Missed::TooMuch);
                };
                let events: Vec<LiveEvent> = events.iter().map(|one| (**one).clone()).collect();
                self.finish(order, &events, head);
                events
            }
        };
        Ok(if events.is_empty() && self.cursor.place(order) >= head {
            Missed::Nothing
        } else {
            Missed::Events(events)
        })
    }

    /// Nothing but these events is left of an order.
    fn finish(&mut self, order: Order, events: &[LiveEvent], head: Place) {
        if events.is_empty() {
            self.jump(order, head);
        }
    }
}

/// What a stream missed while it was away.
enum Missed {
    /// These, and perhaps more.
    Events(Vec<LiveEvent>),
    /// Nothing more.
    Nothing,
    /// More than is sent again.
    TooMuch,
}

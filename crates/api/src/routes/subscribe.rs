//! `/subscribe`: briefs, sentiment, prices and alerts of some tickers, as server-sent events.

use std::convert::Infallible;

use axum::extract::{FromRequestParts, State};
use axum::response::Response;
use axum::response::sse::Event;
use futures::Stream;
use http::request::Parts;
use notify::{Cursor, Interest, LiveEvent, LiveKind, Order, Place, Subscription, read_after};
use operations::{Arguments, Caller, Error, Parameters, Result};
use serde_json::json;

use super::stream::{
    CHECK, FREE_RESUME_MS, LONGEST_GAP, last_event_id, may_go_on, presented, response,
};
use crate::error::Failure;
use crate::extract::{CallerOf, ChargeOf, ValidQuery};
use crate::presented::Presented;
use crate::state::AppState;
use crate::streams::StreamPlace;

/// Tickers of one stream.
const MOST_TICKERS: usize = 100;
/// Rows that are read at a time.
const BATCH: u64 = 200;

/// The query of `/subscribe`.
pub(crate) struct SubscribeQuery {
    /// Symbols; empty for all.
    tickers: Vec<String>,
    kinds: Vec<LiveKind>,
}

impl Parameters for SubscribeQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        let mut tickers = arguments.list(
            "tickers",
            MOST_TICKERS,
            "Symbols separated by commas, or `*` for all",
        );
        if tickers.is_empty() {
            arguments.fault("tickers is required: symbols separated by commas, or *");
        }
        if tickers.iter().any(|ticker| ticker == "*") {
            tickers.clear();
        }
        let mut kinds = Vec::new();
        let words = arguments.list(
            "events",
            LiveKind::ALL.len(),
            "brief, sentiment, price, alert, separated by commas; all by default",
        );
        for word in words {
            let known = LiveKind::ALL.into_iter();
            let mut known = known.filter(|kind| kind.as_str().eq_ignore_ascii_case(&word));
            match known.next() {
                Some(kind) => kinds.push(kind),
                None => arguments.fault(format!(
                    "events: {word:?} is none of brief, sentiment, price, alert"
                )),
            }
        }
        if kinds.is_empty() {
            kinds = LiveKind::ALL.to_vec();
        }
        Self { tickers, kinds }
    }
}

/// The connection beside the query: where it left off, and the credential with which it may continue.
pub(crate) struct Connection {
    cursor: Option<Cursor>,
    presented: Presented,
}

impl<S: Sync> FromRequestParts<S> for Connection {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Failure> {
        Ok(Self {
            cursor: last_event_id(parts, |text| text.parse().ok())?,
            presented: presented(parts)?,
        })
    }
}

/// Streams what happens to tickers: briefs, sentiment, prices, and the alerts of the caller.
///
/// Server-sent events: `event` is `brief`, `sentiment`, `price` or `alert`, `data` one line of JSON. Resume with
/// `Last-Event-ID`; an `event: gap` says what kind of events were missed. A comment is sent every 15 seconds.
#[utoipa::path(
    get,
    path = "/api/v1/subscribe",
    tag = "streams",
    params(
        ("tickers" = String, Query, description = "Symbols separated by commas, at most 100, or `*` for all", example = "AAPL,BTC"),
        ("events" = Option<String>, Query, description = "`brief`, `sentiment`, `price`, `alert`, separated by commas; default all"),
        ("Last-Event-ID" = Option<String>, Header, description = "Resume after this event"),
    ),
    responses(
        (status = 200, description = "Events", body = String, content_type = "text/event-stream"),
        (status = 404, description = "Unknown symbol, with suggestions"),
    )
)]
pub(crate) async fn subscribe(
    State(state): State<AppState>,
    CallerOf(caller): CallerOf,
    ChargeOf(charge): ChargeOf,
    ValidQuery(asked): ValidQuery<SubscribeQuery>,
    connection: Connection,
) -> Result<Response, Failure> {
    let topics = topics(&state, &asked.tickers).await?;
    let interest = Interest {
        topics,
        kinds: asked.kinds,
        account: caller.member.as_ref().map(|member| member.account),
        categories: caller.categories().to_vec(),
    };
    let place = state.streams.open(&caller)?;
    // Before the heads are read: what happens from here on is in the queue or behind the heads.
    let subscription = state.hub.live().listen(interest);
    let heads = heads(&state).await?;
    let resumed = connection.cursor.is_some()
        && state
            .streams
            .resumes(caller.payer(), state.clock.now(), FREE_RESUME_MS);
    let credits = u64::from(!resumed);
    charge.claim(credits);
    let source = Source {
        cursor: connection.cursor.map_or(heads, |cursor| Cursor {
            outbox: cursor.outbox.min(heads.outbox),
            alerts: cursor.alerts.min(heads.alerts),
            prices: cursor.prices.min(heads.prices),
        }),
        state,
        caller,
        presented: connection.presented,
        credits,
        _place: place,
    };
    Ok(response(source.events(subscription, heads)))
}

/// Under which topics the tickers are known; `None` for all.
async fn topics(state: &AppState, tickers: &[String]) -> Result<Option<Vec<String>>> {
    if tickers.is_empty() {
        return Ok(None);
    }
    let mut topics = Vec::with_capacity(2 * tickers.len());
    for ticker in tickers {
        let listing = state.instruments.resolve(ticker).await?;
        let listing = listing.map_err(Error::UnknownSymbol)?;
        for topic in [
            listing.ticker().to_owned(),
            listing.instrument.key().to_string(),
        ] {
            if !topics.contains(&topic) {
                topics.push(topic);
            }
        }
    }
    Ok(Some(topics))
}

/// The newest place in each order.
async fn heads(state: &AppState) -> Result<Cursor> {
    let outbox = state.store.outbox().head().await?;
    let alerts = state.store.alerts().versions().await?.fired;
    let prices = state.hub.live().newest_price();
    Ok(Cursor {
        outbox: Place::after(outbox),
        alerts: Place::after(alerts),
        prices: prices.unwrap_or(Place::after(0)),
    })
}

/// Says which events between two ids are not delivered.
fn gap(order: Order, after: &str, cursor: &Cursor) -> Event {
    let events = match order {
        Order::Outbox => json!(["brief", "sentiment"]),
        Order::Alerts => json!(["alert"]),
        Order::Prices => json!(["price"]),
    };
    let data = json!({"events": events, "missed_after": after, "resumed_at": cursor.to_string()});
    Event::default()
        .event("gap")
        .id(cursor.to_string())
        .data(data.to_string())
}

/// What one stream needs to continue.
struct Source {
    cursor: Cursor,
    state: AppState,
    caller: Caller,
    presented: Presented,
    credits: u64,
    /// Counts this stream for as long as it is open.
    _place: StreamPlace,
}

impl Source {
    fn events(
        mut self,
        mut live: Subscription,
        heads: Cursor,
    ) -> impl Stream<Item = Result<Event, Infallible>> {
        async_stream::stream! {
            // Something to send at once, so that the caller sees that the stream is open.
            yield Ok(Event::default().comment("listening"));
            for order in [Order::Outbox, Order::Alerts, Order::Prices] {
                loop {
                    match self.missed(order, live.interest(), &heads).await {
                        Ok(Missed::Events(events)) => {
                            for event in events {
                                if let Some(event) = self.pass(&event) {
                                    yield Ok(event);
                                }
                            }
                        }
                        Ok(Missed::Nothing) => break,
                        Ok(Missed::TooMuch) => {
                            yield Ok(self.skip(order, &heads));
                            break;
                        }
                        Err(error) => {
                            tracing::warn!(error = &error as &dyn std::error::Error, "stream cannot catch up: {error}");
                            yield Ok(self.skip(order, &heads));
                            break;
                        }
                    }
                }
            }
            let mut check = tokio::time::interval(CHECK);
            check.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
            let reason = loop {
                tokio::select! {
                    received = live.next() => match received {
                        Some(event) => {
                            if let Some(event) = self.pass(&event) {
                                yield Ok(event);
                            }
                        }
                        None => break "too_slow",
                    },
                    () = self.state.hub.closed() => break "stopping",
                    _ = check.tick() => {
                        self.state.streams.seen(self.caller.payer(), self.state.clock.now());
                        if !may_go_on(&self.state, &self.caller, &self.presented).await {
                            break "credential_revoked";
                        }
                    }
                }
            };
            self.state.streams.seen(self.caller.payer(), self.state.clock.now());
            yield Ok(Event::default().event("end").id(self.cursor.to_string()).data(format!(
                "{{\"reason\":\"{reason}\",\"credits_charged\":{}}}", self.credits
            )));
        }
    }

    /// An event that was not sent before.
    fn pass(&mut self, event: &LiveEvent) -> Option<Event> {
        self.cursor.advance(event).then(|| {
            Event::default()
                .event(event.kind.as_str())
                .id(self.cursor.to_string())
                .data(&event.data)
        })
    }

    /// Goes on at the head of an order.
    fn skip(&mut self, order: Order, heads: &Cursor) -> Event {
        let after = self.cursor.to_string();
        self.jump(order, heads.place(order));
        gap(order, &after, &self.cursor)
    }

    fn jump(&mut self, order: Order, to: Place) {
        match order {
            Order::Outbox => self.cursor.outbox = to,
            Order::Alerts => self.cursor.alerts = to,
            Order::Prices => self.cursor.prices = to,
        }
    }

    /// The next events of an order that the caller missed.
    async fn missed(
        &mut self,
        order: Order,
        interest: &Interest,
        heads: &Cursor,
    ) -> Result<Missed> {
        let (from, head) = (self.cursor.place(order), heads.place(order));
        if from >= head || !interest.kinds.iter().any(|kind| kind.order() == order) {
            self.jump(order, from.max(head));
            return Ok(Missed::Nothing);
        }
        // The rest of a position that was sent in part is looked at again.
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

    /// Nothing of an order is left but these.
    fn finish(&mut self, order: Order, events: &[LiveEvent], head: Place) {
        if events.is_empty() {
            self.jump(order, head);
        }
    }
}

/// What a stream that was away has missed.
enum Missed {
    /// These, and perhaps more.
    Events(Vec<LiveEvent>),
    /// Nothing more.
    Nothing,
    /// More than is sent again.
    TooMuch,
}

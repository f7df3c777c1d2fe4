//! `/subscribe`: briefs, sentiment, prices and alerts of some tickers, as server-sent events.

mod happenings;

use axum::extract::{FromRequestParts, State};
use axum::response::Response;
use futures::Stream;
use http::request::Parts;
use notify::{Cursor, Heads, Interest, LiveKind, Place};
use operations::{Arguments, Caller, Charge, Error, Parameters, Result};
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};

use crate::error::Failure;
use crate::event_stream::{Reader, StreamEvent, last_event_id, presented, sse};
use crate::extract::{CallerOf, ChargeOf, ValidQuery};
use crate::presented::Presented;
use crate::state::AppState;

use happenings::Happenings;

/// Most tickers of one stream.
const MOST_TICKERS: usize = 100;

/// What to listen to.
#[derive(Debug)]
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

/// The kinds of events in the document.
pub(crate) fn event_words() -> RefOr<Schema> {
    let word = ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(LiveKind::ALL.map(LiveKind::as_str)));
    let words = ArrayBuilder::new()
        .items(word)
        .max_items(Some(LiveKind::ALL.len()));
    RefOr::T(words.into())
}

/// What the connection adds to the query: where it left off, and the credential with which it may continue.
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
        ("events" = Option<String>, Query, description = "Types of events, separated by commas; all by default"),
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
    let reader = Listener {
        caller,
        presented: connection.presented,
        cursor: connection.cursor,
    };
    Ok(sse(listen(&state, reader, &charge, asked).await?))
}

/// Who is listening, and from where.
pub(super) struct Listener {
    pub(super) caller: Caller,
    pub(super) presented: Presented,
    /// How far it had got before.
    pub(super) cursor: Option<Cursor>,
}

/// Opens a stream, however it is sent, and reserves what it costs.
pub(super) async fn listen(
    state: &AppState,
    listener: Listener,
    charge: &Charge,
    asked: SubscribeQuery,
) -> Result<impl Stream<Item = StreamEvent> + Send + use<>> {
    let Listener {
        caller,
        presented,
        cursor,
    } = listener;
    let topics = topics(state, &asked.tickers).await?;
    let interest = Interest {
        topics,
        kinds: asked.kinds,
        account: caller.member.as_ref().map(|member| member.account),
        categories: caller.categories().to_vec(),
    };
    let reader = Reader::open(state, &caller, presented, cursor.is_some())?;
    // Before the heads are read: whatever happens from here on is in the queue or behind the heads.
    let subscription = state.hub.live().listen(interest);
    let heads = heads(state).await?;
    charge.claim(reader.credits());
    let cursor = cursor.map_or(heads, |cursor| Cursor {
        outbox: cursor.outbox.min(heads.outbox),
        alerts: cursor.alerts.min(heads.alerts),
        prices: cursor.prices.min(heads.prices),
    });
    let source = Happenings::new(state.clone(), subscription, cursor, heads);
    Ok(reader.events(source))
}

/// The topics under which the tickers are known; `None` for all.
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

/// The newest place in each order, or the place to report from.
async fn heads(state: &AppState) -> Result<Cursor> {
    let heads = Heads {
        outbox: state.store.outbox().head().await?,
        alerts: state.store.alerts().versions().await?.fired,
    };
    let told = state.hub.live().begin(heads);
    let prices = state.hub.live().newest_price();
    Ok(Cursor {
        outbox: Place::after(heads.outbox.max(told.outbox)),
        alerts: Place::after(heads.alerts.max(told.alerts)),
        prices: prices.unwrap_or(Place::after(0)),
    })
}

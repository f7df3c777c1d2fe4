//! Watchlists: symbols that an account wants to see together. Only their owner sees them.

mod body;
pub(crate) mod technicals;

use axum::extract::{Path, State};
use axum::response::Response;
use model::Symbol;
use serde::Deserialize;
use store::Watchlist;
use utoipa::ToSchema;

pub(crate) use body::{WatchlistAnswer, WatchlistBody, WatchlistsAnswer};

use crate::caller::Owner;
use crate::error::{Error, Result};
use crate::extract::{Checked, Faults};
use crate::idempotency::{Answer, Attempt, Idempotent, Scope};
use crate::operations::{About, Address, Arguments, Context, Keeping, Operation, Parameters};
use crate::routes::auth::Done;
use crate::routes::ticker;
use crate::state::AppState;

const MOST_LISTS: u64 = 50;
const MOST_SYMBOLS: usize = 200;

/// What a new watchlist is to be.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct NewWatchlist {
    #[schema(min_length = 1, max_length = 80)]
    name: String,
    /// Symbols to begin with.
    #[serde(default)]
    #[schema(max_items = 200)]
    tickers: Option<Vec<String>>,
}

impl Checked for NewWatchlist {
    fn check(&self, faults: &mut Faults) {
        faults.length("name", self.name.trim(), 1..=80);
        let tickers = self.tickers.as_deref().unwrap_or_default();
        faults.at_most("tickers", tickers, MOST_SYMBOLS);
    }
}

/// What to add: one symbol, several, or both.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct NewItems {
    #[serde(default)]
    ticker: Option<String>,
    #[serde(default)]
    #[schema(max_items = 200)]
    tickers: Option<Vec<String>>,
}

impl Checked for NewItems {
    fn check(&self, faults: &mut Faults) {
        let tickers = self.tickers.as_deref().unwrap_or_default();
        faults.at_most("tickers", tickers, MOST_SYMBOLS);
        if self.ticker.is_none() && tickers.is_empty() {
            faults.note("ticker or tickers must name at least one symbol");
        }
    }
}

/// Makes a watchlist.
#[utoipa::path(post, path = "/api/v1/watchlists", tag = "trading", request_body = NewWatchlist,
    params(("Idempotency-Key" = Option<String>, Header, description = "Repeats of the request get the first answer")),
    responses((status = 200, description = "The watchlist is made", body = WatchlistAnswer),
              (status = 404, description = "Unknown symbol, with suggestions")))]
pub(crate) async fn create(
    State(state): State<AppState>,
    owner: Owner,
    request: Idempotent<NewWatchlist>,
) -> Result<Response> {
    let account = owner.account;
    let scope = Scope::of_member(&owner);
    let work = async |body: NewWatchlist, attempt: &Attempt<'_>| {
        let watchlist = Watchlist {
            id: format!("wl_{}", uuid::Uuid::new_v4().simple()),
            account,
            name: body.name.trim().to_owned(),
            created_at: attempt.now,
            symbols: symbols(&state, body.tickers.iter().flatten()).await?,
        };
        let answer = Answer::json(&WatchlistAnswer::of(&state, &watchlist).await?, &[])?;
        let completion = attempt.completion(answer.stored());
        let lists = state.store.watchlists();
        let written = lists.insert(&watchlist, MOST_LISTS, completion).await;
        written.map_err(|error| match error {
            store::Error::Conflict => {
                Error::invalid(format!("an account has at most {MOST_LISTS} watchlists"))
            }
            other => other.into(),
        })?;
        Ok(answer)
    };
    request
        .once(&state, &scope, "POST /api/v1/watchlists", work)
        .await
}

/// `GET /watchlists`.
pub(crate) struct List;

impl Operation for List {
    type Input = ();
    type Output = WatchlistsAnswer;

    const ABOUT: About = About {
        name: "list_watchlists",
        address: Address::get("/api/v1/watchlists"),
        subject: "trading",
        summary: "Lists the watchlists of the account, oldest first.",
        description: "",
        answer: "The watchlists",
        missing: None,
        example: r"{}",
        takes_as_of: false,
        keeping: Keeping::Never,
    };

    async fn run(context: Context, (): ()) -> Result<WatchlistsAnswer> {
        let owner = context.owner()?;
        let found = context.store.watchlists().list(owner.account).await?;
        let mut watchlists = Vec::with_capacity(found.len());
        for watchlist in &found {
            watchlists.push(WatchlistBody::of(&context.state, watchlist).await?);
        }
        Ok(WatchlistsAnswer::new(watchlists))
    }
}

/// `GET /watchlists/{id}`.
pub(crate) struct Show;

impl Operation for Show {
    type Input = ById;
    type Output = WatchlistAnswer;

    const ABOUT: About = About {
        name: "show_watchlist",
        address: Address::get("/api/v1/watchlists/{id}"),
        subject: "trading",
        summary: "Shows a watchlist.",
        description: "",
        answer: "The watchlist",
        missing: Some("No such watchlist, or not yours"),
        example: r#"{"id": "wl_0"}"#,
        takes_as_of: false,
        keeping: Keeping::Never,
    };

    async fn run(context: Context, input: ById) -> Result<WatchlistAnswer> {
        let owner = context.owner()?;
        let id = input.id;
        let watchlist = find(&context.state, &owner, &id).await?;
        WatchlistAnswer::of(&context.state, &watchlist).await
    }
}

/// `DELETE /watchlists/{id}`.
pub(crate) struct Remove;

impl Operation for Remove {
    type Input = ById;
    type Output = Done;

    const ABOUT: About = About {
        name: "delete_watchlist",
        address: Address::delete("/api/v1/watchlists/{id}"),
        subject: "trading",
        summary: "Deletes a watchlist.",
        description: "",
        answer: "The watchlist is deleted",
        missing: Some("No such watchlist, or not yours"),
        example: r#"{"id": "wl_0"}"#,
        takes_as_of: false,
        keeping: Keeping::Never,
    };

    async fn run(context: Context, input: ById) -> Result<Done> {
        let owner = context.owner()?;
        let id = input.id;
        if context
            .store
            .watchlists()
            .delete(owner.account, &id)
            .await?
        {
            Ok(Done::new("the watchlist is deleted"))
        } else {
            Err(missing())
        }
    }
}

/// Adds symbols to a watchlist; those that stand in it stay where they are.
#[utoipa::path(post, path = "/api/v1/watchlists/{id}/items", tag = "trading", request_body = NewItems,
    params(("id" = String, Path, description = "Id of the watchlist"),
           ("Idempotency-Key" = Option<String>, Header, description = "Repeats of the request get the first answer")),
    responses((status = 200, description = "The watchlist with them", body = WatchlistAnswer),
              (status = 404, description = "No such watchlist, not yours, or an unknown symbol")))]
pub(crate) async fn add_items(
    State(state): State<AppState>,
    owner: Owner,
    Path(id): Path<String>,
    request: Idempotent<NewItems>,
) -> Result<Response> {
    let account = owner.account;
    let scope = Scope::of_member(&owner);
    let id: String = id.chars().take(80).collect();
    let route = format!("POST /api/v1/watchlists/{id}/items");
    let work = async |body: NewItems, attempt: &Attempt<'_>| {
        find(&state, &owner, &id).await?;
        let asked = body.ticker.iter().chain(body.tickers.iter().flatten());
        let symbols = symbols(&state, asked).await?;
        let most = MOST_SYMBOLS as u64;
        let lists = state.store.watchlists();
        let watchlist = lists
            .add(account, &id, &symbols, attempt.now, most)
            .await
            .map_err(|error| match error {
                store::Error::Conflict => Error::invalid(format!(
                    "tickers: a watchlist has at most {MOST_SYMBOLS} symbols"
                )),
                other => other.into(),
            })?
            .ok_or_else(missing)?;
        Answer::json(&WatchlistAnswer::of(&state, &watchlist).await?, &[])
    };
    request.once(&state, &scope, &route, work).await
}

/// `DELETE /watchlists/{id}/items/{ticker}`.
pub(crate) struct RemoveItem;

impl Operation for RemoveItem {
    type Input = ByIdAndTicker;
    type Output = WatchlistAnswer;

    const ABOUT: About = About {
        name: "remove_watchlist_ticker",
        address: Address::delete("/api/v1/watchlists/{id}/items/{ticker}"),
        subject: "trading",
        summary: "Removes a symbol from a watchlist.",
        description: "",
        answer: "The watchlist without it",
        missing: Some("No such watchlist, not yours, or the symbol does not stand in it"),
        example: r#"{"id": "wl_0", "ticker": "AAPL"}"#,
        takes_as_of: false,
        keeping: Keeping::Never,
    };

    async fn run(context: Context, input: ByIdAndTicker) -> Result<WatchlistAnswer> {
        let owner = context.owner()?;
        let ByIdAndTicker { id, ticker: asked } = input;
        find(&context.state, &owner, &id).await?;
        // What no listing knows any more can still be removed.
        let mut spellings: Vec<Symbol> = Symbol::parse(&asked).into_iter().collect();
        if let Ok(listing) = context.market.resolve(&asked).await? {
            spellings.insert(0, context.market.spelling(&listing).await?);
        }
        let lists = context.store.watchlists();
        for symbol in &spellings {
            if lists.remove(owner.account, &id, symbol).await? {
                let watchlist = find(&context.state, &owner, &id).await?;
                return WatchlistAnswer::of(&context.state, &watchlist).await;
            }
        }
        let asked: String = asked.chars().take(40).collect();
        Err(Error::not_found(format!(
            "{asked} does not stand in this watchlist"
        )))
    }
}

/// Which watchlist.
pub(crate) struct ById {
    pub(crate) id: String,
}

impl Parameters for ById {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            id: arguments.path("id", "Id of the watchlist"),
        }
    }
}

/// Which symbol of which watchlist.
pub(crate) struct ByIdAndTicker {
    id: String,
    ticker: String,
}

impl Parameters for ByIdAndTicker {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            id: arguments.path("id", "Id of the watchlist"),
            ticker: arguments.path("ticker", "The symbol"),
        }
    }
}

/// The owner's watchlist.
async fn find(state: &AppState, owner: &Owner, id: &str) -> Result<Watchlist> {
    let found = state.store.watchlists().find(owner.account, id).await?;
    found.ok_or_else(missing)
}

fn missing() -> Error {
    Error::not_found("this account has no such watchlist")
}

/// The symbols as they are kept, each once, in the order given.
async fn symbols(state: &AppState, asked: impl Iterator<Item = &String>) -> Result<Vec<Symbol>> {
    let mut found = Vec::new();
    for text in asked {
        let listing = ticker::find(state, text).await?;
        let symbol = state.market.spelling(&listing).await?;
        if !found.contains(&symbol) {
            found.push(symbol);
        }
    }
    Ok(found)
}

//! Watchlists: symbols that an account wants to follow together. Only the owner can see them.

mod body;
pub(crate) mod technicals;

use model::Symbol;
use serde::Deserialize;
use store::Watchlist;
use utoipa::ToSchema;

pub(crate) use body::{WatchlistAnswer, WatchlistBody, WatchlistsAnswer};

use crate::account::done::Done;
use crate::attempt::stored_answer;
use crate::caller::Owner;
use crate::checked::{Checked, Faults};
use crate::error::{Error, Result};
use crate::services::Services;
use crate::ticker;
use crate::{About, Address, Arguments, Context, Effect, Keeping, Operation, Parameters, Posted};

const MOST_LISTS: u64 = 50;
const MOST_SYMBOLS: usize = 200;

/// Parameters of a new watchlist.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct NewWatchlist {
    /// Name of the watchlist.
    #[schema(min_length = 1, max_length = 80)]
    name: String,
    /// Initial symbols.
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
    /// One symbol.
    #[serde(default)]
    ticker: Option<String>,
    /// Several symbols.
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

/// `POST /watchlists`.
pub(crate) struct Create;

impl Operation for Create {
    type Input = Posted<(), NewWatchlist>;
    type Output = WatchlistAnswer;

    const ABOUT: About = About {
        name: "create_watchlist",
        address: Address::post("/api/v1/watchlists"),
        subject: "trading",
        summary: "Creates a watchlist.",
        answer: "The watchlist is created",
        missing: Some("Unknown symbol, with suggestions"),
        example: r#"{"name": "Chips", "tickers": ["NVDA", "AMD"]}"#,
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
    };
    const EFFECT: Effect = Effect::Acts;

    async fn run(context: Context, asked: Self::Input) -> Result<WatchlistAnswer> {
        let Posted { body, .. } = asked;
        let watchlist = Watchlist {
            id: format!("wl_{}", uuid::Uuid::new_v4().simple()),
            account: context.owner()?.account,
            name: body.name.trim().to_owned(),
            created_at: context.attempt.now,
            symbols: symbols(&context.services, body.tickers.iter().flatten()).await?,
        };
        let answer = WatchlistAnswer::of(&context.services, &watchlist).await?;
        let stored = stored_answer(&answer, &[])?;
        let completion = context.attempt.completion(&stored);
        let lists = context.store.watchlists();
        let written = lists.insert(&watchlist, MOST_LISTS, completion).await;
        written.map_err(|error| match error {
            store::Error::Conflict => {
                Error::invalid(format!("an account has at most {MOST_LISTS} watchlists"))
            }
            other => other.into(),
        })?;
        Ok(answer)
    }
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
        answer: "The watchlists",
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
    };

    async fn run(context: Context, (): ()) -> Result<WatchlistsAnswer> {
        let owner = context.owner()?;
        let found = context.store.watchlists().list(owner.account).await?;
        let mut watchlists = Vec::with_capacity(found.len());
        for watchlist in &found {
            watchlists.push(WatchlistBody::of(&context.services, watchlist).await?);
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
        answer: "The watchlist",
        missing: Some("The account has no such watchlist"),
        example: r#"{"id": "wl_0"}"#,
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
    };

    async fn run(context: Context, input: ById) -> Result<WatchlistAnswer> {
        let owner = context.owner()?;
        let id = input.id;
        let watchlist = find(&context.services, &owner, &id).await?;
        WatchlistAnswer::of(&context.services, &watchlist).await
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
        answer: "The watchlist is deleted",
        missing: Some("The account has no such watchlist"),
        example: r#"{"id": "wl_0"}"#,
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
    };
    const EFFECT: Effect = Effect::Acts;

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

/// `POST /watchlists/{id}/items`.
pub(crate) struct AddItems;

impl Operation for AddItems {
    type Input = Posted<ById, NewItems>;
    type Output = WatchlistAnswer;

    const ABOUT: About = About {
        name: "add_watchlist_tickers",
        address: Address::post("/api/v1/watchlists/{id}/items"),
        subject: "trading",
        summary: "Adds symbols to a watchlist.",
        description: "Symbols that are already in it keep their place.",
        answer: "The updated watchlist",
        missing: Some("The account has no such watchlist, or the symbol is unknown"),
        example: r#"{"id": "wl_0", "tickers": ["AAPL"]}"#,
        takes_as_of: false,
        keeping: Keeping::Never,
    };
    const EFFECT: Effect = Effect::Acts;

    async fn run(context: Context, asked: Self::Input) -> Result<WatchlistAnswer> {
        let Posted {
            parameters: ById { id },
            body,
        } = asked;
        let owner = context.owner()?;
        find(&context.services, &owner, &id).await?;
        let asked = body.ticker.iter().chain(body.tickers.iter().flatten());
        let symbols = symbols(&context.services, asked).await?;
        let most = MOST_SYMBOLS as u64;
        let watchlist = context
            .store
            .watchlists()
            .add(owner.account, &id, &symbols, context.attempt.now, most)
            .await
            .map_err(|error| match error {
                store::Error::Conflict => Error::invalid(format!(
                    "tickers: a watchlist has at most {MOST_SYMBOLS} symbols"
                )),
                other => other.into(),
            })?
            .ok_or_else(missing)?;
        WatchlistAnswer::of(&context.services, &watchlist).await
    }
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
        answer: "The updated watchlist",
        missing: Some("The account has no such watchlist, or the symbol is not in it"),
        example: r#"{"id": "wl_0", "ticker": "AAPL"}"#,
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
    };
    const EFFECT: Effect = Effect::Acts;

    async fn run(context: Context, input: ByIdAndTicker) -> Result<WatchlistAnswer> {
        let owner = context.owner()?;
        let ByIdAndTicker { id, ticker: asked } = input;
        find(&context.services, &owner, &id).await?;
        // What no listing knows any more can still be removed.
        let mut spellings: Vec<Symbol> = Symbol::parse(&asked).into_iter().collect();
        if let Ok(listing) = context.instruments.resolve(&asked).await? {
            spellings.insert(0, context.instruments.spelling(&listing).await?);
        }
        let lists = context.store.watchlists();
        for symbol in &spellings {
            if lists.remove(owner.account, &id, symbol).await? {
                let watchlist = find(&context.services, &owner, &id).await?;
                return WatchlistAnswer::of(&context.services, &watchlist).await;
            }
        }
        let asked: String = asked.chars().take(40).collect();
        Err(Error::not_found(format!(
            "{asked} is not in this watchlist"
        )))
    }
}

/// The watchlist requested.
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

/// The watchlist and one of its symbols.
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
async fn find(services: &Services, owner: &Owner, id: &str) -> Result<Watchlist> {
    let found = services.store.watchlists().find(owner.account, id).await?;
    found.ok_or_else(missing)
}

fn missing() -> Error {
    Error::not_found("this account has no such watchlist")
}

/// The symbols as they are stored, each once, in the order given.
async fn symbols(services: &Services, asked: impl Iterator<Item = &String>) -> Result<Vec<Symbol>> {
    let mut found = Vec::new();
    for text in asked {
        let listing = ticker::find(services, text).await?;
        let symbol = services.instruments.spelling(&listing).await?;
        if !found.contains(&symbol) {
            found.push(symbol);
        }
    }
    Ok(found)
}

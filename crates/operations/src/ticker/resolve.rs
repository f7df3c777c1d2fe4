//! `/ticker/resolve`: from a name or any spelling of a symbol to the symbol.

use analysis::market::Listing;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{Error, Result};
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// What is to be resolved.
pub(crate) struct ResolveQuery {
    q: String,
    limit: usize,
}

impl Parameters for ResolveQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            q: arguments.required_text("q", 1..=100, "Name or symbol"),
            limit: arguments.integer("limit", 1..=20, 5, "Matches") as usize,
        }
    }
}

/// What a text means.
#[derive(Serialize, ToSchema)]
pub(crate) struct ResolveBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The text as asked.
    query: String,
    /// The surest symbol.
    ticker: String,
    /// Name of the first match.
    entity_name: String,
    /// The surest first.
    matches: Vec<MatchBody>,
}

/// What it may mean.
#[derive(Serialize, ToSchema)]
#[schema(as = TickerMatch)]
pub(crate) struct MatchBody {
    /// Symbol.
    ticker: String,
    /// Name of the company, fund or coin.
    entity_name: String,
    /// `equity`, `etf` or `crypto`.
    asset_type: &'static str,
    /// Exchange of the listing.
    #[schema(required)]
    exchange: Option<String>,
    /// Sector.
    #[schema(required)]
    sector: Option<String>,
    /// How surely, 0 to 1: 1 for the very symbol, 0.95 for the very name, less for parts of it.
    score: f64,
}

impl MatchBody {
    fn new(listing: &Listing, score: f64) -> Self {
        Self {
            ticker: listing.ticker().to_owned(),
            entity_name: listing.instrument.entity_name().to_owned(),
            asset_type: listing.asset_type().as_str(),
            exchange: listing.instrument.exchange.clone(),
            sector: listing.instrument.sector.clone(),
            score,
        }
    }
}

/// `GET /ticker/resolve`.
pub(crate) struct Resolve;

impl Operation for Resolve {
    type Input = ResolveQuery;
    type Output = ResolveBody;

    const ABOUT: About = About {
        name: "resolve_tickers",
        address: Address::get("/api/v1/ticker/resolve"),
        subject: "ticker",
        summary: "Resolves a name or symbol, such as `apple`, `NASDAQ:AAPL`, `BRK-B` or `bitcoin`.",
        answer: "The best match and its alternatives",
        missing: Some("No match, with suggestions"),
        example: r#"{"q": "apple"}"#,
        takes_as_of: false,
        ..About::READS
    };

    async fn run(context: Context, asked: ResolveQuery) -> Result<ResolveBody> {
        let as_symbol = context.instruments.resolve(&asked.q).await?;
        let named = context.instruments.matching(&asked.q, asked.limit).await?;
        let mut matches: Vec<MatchBody> = Vec::new();
        let unknown = match as_symbol {
            Ok(listing) => {
                matches.push(MatchBody::new(&listing, 1.0));
                None
            }
            Err(unknown) => Some(unknown),
        };
        for one in named {
            let body = MatchBody::new(&one.listing, one.score);
            let is_there = matches
                .iter()
                .any(|known| known.ticker == body.ticker && known.asset_type == body.asset_type);
            if !is_there {
                matches.push(body);
            }
        }
        matches.truncate(asked.limit);
        let Some(first) = matches.first() else {
            return Err(unknown.map_or_else(
                || Error::not_found("no instrument has this name or symbol"),
                Error::UnknownSymbol,
            ));
        };
        Ok(ResolveBody {
            status: "ok",
            query: asked.q.clone(),
            ticker: first.ticker.clone(),
            entity_name: first.entity_name.clone(),
            matches,
        })
    }
}

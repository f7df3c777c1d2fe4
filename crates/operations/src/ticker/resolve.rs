//! `/ticker/resolve`: from a name or any spelling of a symbol to the symbol.

use analysis::market::{Listing, Unknown};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{Error, Result};
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// Names of one list.
const MOST_NAMES: usize = 20;

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
    /// The surest first; of a list the best of each name.
    matches: Vec<MatchBody>,
    /// Of a list what each of its names means.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    results: Option<Vec<ResolvedBody>>,
}

/// What one name of a list means; null where it means nothing.
#[derive(Serialize, ToSchema)]
pub(crate) struct ResolvedBody {
    /// The name as asked.
    query: String,
    /// The surest symbol.
    #[schema(required)]
    ticker: Option<String>,
    /// Name of the company, fund or coin.
    #[schema(required)]
    entity_name: Option<String>,
    /// How surely, 0 to 1.
    #[schema(required)]
    score: Option<f64>,
}

/// What it may mean.
#[derive(Serialize, ToSchema)]
#[schema(as = TickerMatch)]
pub(crate) struct MatchBody {
    /// Symbol.
    ticker: String,
    /// Name of the company, fund or coin.
    entity_name: String,
    /// `equity`, `etf`, `crypto` or `index`.
    asset_type: &'static str,
    /// Exchange of the listing.
    #[schema(required)]
    exchange: Option<String>,
    /// Sector.
    #[schema(required)]
    sector: Option<String>,
    /// How surely, 0 to 1: 1 for the very symbol, 0.97 for a name that people use for the company, 0.95 for the very name, less
    /// for parts of it and for what may be misspelt.
    score: f64,
}

impl MatchBody {
    fn new(listing: &Listing, score: f64) -> Self {
        Self {
            ticker: listing.ticker().to_owned(),
            entity_name: listing.instrument.entity_name().to_owned(),
            asset_type: listing.kind(),
            exchange: listing.instrument.exchange.clone(),
            sector: listing.instrument.sector.clone(),
            score,
        }
    }
}

/// The names of a list; a comma before a legal form (`Amazon.com, Inc.`) separates none.
fn parts(text: &str) -> Vec<&str> {
    let parts: Vec<&str> = text
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect();
    let is_form = |part: &&str| {
        let word = part.to_lowercase().replace('.', "");
        text::company::is_legal_form(&word)
    };
    if parts.len() < 2 || parts.iter().skip(1).any(is_form) {
        return vec![text];
    }
    parts.into_iter().take(MOST_NAMES).collect()
}

/// What a name may mean, the surest first, and what to say where it means nothing.
async fn matching(
    context: &Context,
    name: &str,
    limit: usize,
) -> Result<(Vec<MatchBody>, Option<Unknown>)> {
    let as_symbol = context.instruments.resolve(name).await?;
    let named = context.instruments.meant(name, limit).await?;
    let mut matches: Vec<MatchBody> = named
        .iter()
        .map(|one| MatchBody::new(&one.listing, one.score))
        .collect();
    let unknown = match as_symbol {
        Ok(listing) => {
            let is_there = |one: &MatchBody| {
                one.ticker == listing.ticker() && one.asset_type == listing.kind()
            };
            // A spelling such as `NASDAQ:AAPL` or `BTC-USD`; symbols of the same letters may lead to a coin.
            let leads = matches.first().is_none_or(|first| first.score < 0.97);
            match matches.iter().position(is_there) {
                Some(0) => {}
                Some(place) if leads || is_symbol(name) => {
                    let found = matches.remove(place);
                    matches.insert(
                        0,
                        MatchBody {
                            score: 1.0,
                            ..found
                        },
                    );
                }
                None if leads || is_symbol(name) => {
                    matches.insert(0, MatchBody::new(&listing, 1.0));
                }
                Some(_) => {}
                None => matches.push(MatchBody::new(&listing, 0.96)),
            }
            None
        }
        Err(unknown) => Some(unknown),
    };
    matches.truncate(limit);
    Ok((matches, unknown))
}

/// Whether a text is written as a symbol: in capitals.
fn is_symbol(text: &str) -> bool {
    let text = text.trim();
    text.chars().any(char::is_uppercase) && !text.chars().any(char::is_lowercase)
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
        summary: "Resolves a name or symbol, such as `apple`, `NASDAQ:AAPL`, `BRK-B` or `bitcoin`, or a list of them.",
        answer: "The best match and its alternatives",
        missing: Some("No match, with suggestions"),
        example: r#"{"q": "apple"}"#,
        takes_as_of: false,
        ..About::READS
    };

    async fn run(context: Context, asked: ResolveQuery) -> Result<ResolveBody> {
        let parts = parts(&asked.q);
        let mut results = Vec::new();
        let mut matches: Vec<MatchBody> = Vec::new();
        let mut unknown = None;
        for part in &parts {
            let (found, miss) = matching(&context, part, asked.limit).await?;
            unknown = unknown.or(miss);
            let first = found.first();
            results.push(ResolvedBody {
                query: (*part).to_owned(),
                ticker: first.map(|one| one.ticker.clone()),
                entity_name: first.map(|one| one.entity_name.clone()),
                score: first.map(|one| one.score),
            });
            // Of a list the best of each.
            let kept = if parts.len() > 1 { 1 } else { asked.limit };
            matches.extend(found.into_iter().take(kept));
        }
        let Some(first) = matches.first() else {
            return Err(unknown.map_or_else(
                || Error::not_found("no instrument has this name or symbol"),
                Error::UnknownSymbol,
            ));
        };
        Ok(ResolveBody {
            results: (parts.len() > 1).then_some(results),
            status: "ok",
            query: asked.q.clone(),
            ticker: first.ticker.clone(),
            entity_name: first.entity_name.clone(),
            matches,
        })
    }
}

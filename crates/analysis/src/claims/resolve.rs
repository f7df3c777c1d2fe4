//! Turns the subject of a claim into what is stored: an instrument, a series, a currency pair. Nothing is invented: if
//! a name fits several instruments, or none, that is stated.

use std::sync::Arc;

use model::{AssetType, Day};
use text::company;
use verify::figures::{KnownSeries, Subject};

use super::FigureServices;
use crate::Result;
use crate::market::{Listing, PointInTime};

/// What a claim is about, as it is stored.
#[derive(Clone, Debug)]
pub(super) enum Target {
    Listing(Arc<Listing>),
    Series(&'static KnownSeries),
    Currency {
        base: &'static str,
        quote: &'static str,
    },
}

/// Why a subject is not one of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NotFound {
    /// Nothing has that name.
    Unknown(String),
    /// Several things have it.
    Several(String, Vec<String>),
}

/// How similar a name must be to be accepted.
const SURE: f64 = 0.95;

/// What a subject means in a claim about a given day: if nothing is on record for a symbol by then, another company
/// may have had it.
pub(super) async fn resolve_on(
    services: &FigureServices,
    subject: &Subject,
    day: Option<Day>,
) -> Result<std::result::Result<Target, NotFound>> {
    let found = resolve(services, subject).await?;
    let (Ok(Target::Listing(listing)), Some(day)) = (&found, day) else {
        return Ok(found);
    };
    let Subject::Named {
        ticker: Some(ticker),
        ..
    } = subject
    else {
        return Ok(found);
    };
    if listing.has_candles_by(day) {
        return Ok(found);
    }
    let then = PointInTime {
        end: day.starts_at(),
        as_of: Some(day.starts_at()),
    };
    let holder = services.instruments.look_up_as_of(ticker, then).await?;
    Ok(match holder {
        Some(holder) if holder.has_candles_by(day) => Ok(Target::Listing(holder)),
        _ => found,
    })
}

pub(super) async fn resolve(
    services: &FigureServices,
    subject: &Subject,
) -> Result<std::result::Result<Target, NotFound>> {
    let (text, ticker) = match subject {
        Subject::Series(code) => {
            return Ok(KnownSeries::find(code)
                .map(Target::Series)
                .ok_or_else(|| NotFound::Unknown((*code).to_owned())));
        }
        Subject::Currency { base, quote, .. } => {
            return Ok(Ok(Target::Currency { base, quote }));
        }
        Subject::Named { text, ticker } => (text, ticker),
    };
    if let Some(ticker) = ticker
        && let Some(listing) = services.instruments.look_up(ticker).await?
    {
        return Ok(Ok(Target::Listing(listing)));
    }
    if let Some((_, Some(symbol))) = text::entities::listed(text)
        && let Some(listing) = services.instruments.look_up(symbol).await?
    {
        return Ok(Ok(Target::Listing(listing)));
    }
    by_name(services, text).await
}

/// The instrument with exactly this name. Legal forms are ignored; among several, the one with prices counts,
/// otherwise none.
async fn by_name(
    services: &FigureServices,
    text: &str,
) -> Result<std::result::Result<Target, NotFound>> {
    let unknown = || NotFound::Unknown(text.to_owned());
    let folded = company::folded(text);
    if folded.is_empty() {
        return Ok(Err(unknown()));
    }
    let mut found: Vec<Arc<Listing>> = Vec::new();
    for matched in services.instruments.matching(text, 12).await? {
        let is_named = matched.score >= SURE && {
            let is_symbol = matched.listing.ticker().eq_ignore_ascii_case(text.trim());
            // A word in lower case is a symbol only if it is written as one.
            !is_symbol
                || text.chars().all(|one| !one.is_lowercase())
                || text.chars().all(|one| !one.is_uppercase())
        };
        if is_named {
            found.push(matched.listing);
        }
    }
    if let [one] = &found[..] {
        return Ok(Ok(Target::Listing(Arc::clone(one))));
    }
    // A company and a coin, or two classes of a share: those with prices.
    let priced: Vec<&Arc<Listing>> = found
        .iter()
        .filter(|listing| listing.has_candles())
        .collect();
    if let [one] = priced[..] {
        return Ok(Ok(Target::Listing(Arc::clone(one))));
    }
    let companies: Vec<&Arc<Listing>> = found
        .iter()
        .filter(|listing| listing.asset_type() == AssetType::Equity)
        .collect();
    if found.len() > 1
        && let [one] = companies[..]
    {
        return Ok(Ok(Target::Listing(Arc::clone(one))));
    }
    if found.is_empty() {
        return Ok(Err(unknown()));
    }
    let symbols = found.iter().map(|listing| listing.ticker().to_owned());
    Ok(Err(NotFound::Several(text.to_owned(), symbols.collect())))
}

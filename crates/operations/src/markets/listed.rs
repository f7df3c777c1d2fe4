//! The sectors and exchanges that a screen may be narrowed to: the usual ones, and those that something is listed under.

use std::collections::BTreeSet;

use analysis::market::Listing;
use market::screener::sector;

use crate::Context;
use crate::error::{Error, Result};

/// The American exchanges, whether something on them is listed here or not.
const EXCHANGES: [&str; 6] = [
    "BATS",
    "IEX",
    "NASDAQ",
    "NYSE",
    "NYSE AMERICAN",
    "NYSE ARCA",
];
/// Names in a refusal.
const MOST_NAMED: usize = 40;

/// Refuses a sector that nothing is in and nobody knows; `name` is the field.
pub(crate) async fn check_sector(context: &Context, name: &str, asked: Option<&str>) -> Result<()> {
    let Some(asked) = asked.map(sector::canonical) else {
        return Ok(());
    };
    let usual = sector::names().collect();
    check(context, name, &asked, usual, |listing| {
        listing.instrument.sector.as_deref()
    })
    .await
}

/// As [`check_sector`], of an exchange.
pub(crate) async fn check_exchange(
    context: &Context,
    name: &str,
    asked: Option<&str>,
) -> Result<()> {
    let Some(asked) = asked.map(str::trim) else {
        return Ok(());
    };
    let usual = EXCHANGES.into_iter().collect();
    check(context, name, asked, usual, |listing| {
        listing.instrument.exchange.as_deref()
    })
    .await
}

async fn check(
    context: &Context,
    name: &str,
    asked: &str,
    usual: BTreeSet<&str>,
    of: impl Fn(&Listing) -> Option<&str>,
) -> Result<()> {
    if usual.iter().any(|one| one.eq_ignore_ascii_case(asked)) {
        return Ok(());
    }
    let listings = context.instruments.all().await?;
    let mut known = usual;
    known.extend(listings.iter().filter_map(|listing| of(listing)));
    if known.iter().any(|one| one.eq_ignore_ascii_case(asked)) {
        return Ok(());
    }
    let named: Vec<&str> = known.into_iter().take(MOST_NAMED).collect();
    Err(Error::invalid(format!(
        "{name} must be one of {}",
        named.join(", ")
    )))
}

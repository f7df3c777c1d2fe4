//! The sectors and exchanges to which a screen can be narrowed: the usual ones, and any with at least one listing.

use std::collections::BTreeSet;

use analysis::market::Listing;
use market::screener::sector;

use crate::Context;
use crate::error::{Error, Result};

/// The American exchanges, whether or not anything on them is listed here.
const EXCHANGES: [&str; 6] = [
    "BATS",
    "IEX",
    "NASDAQ",
    "NYSE",
    "NYSE AMERICAN",
    "NYSE ARCA",
];
/// Maximum number of names in an error.
const MOST_NAMED: usize = 40;

/// Refuses a sector that is unknown and has no listings; `name` is the field.
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

/// Like [`check_sector`], for an exchange.
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
    let listed: BTreeSet<&str> = listings.iter().filter_map(|listing| of(listing)).collect();
    if listed.iter().any(|one| one.eq_ignore_ascii_case(asked)) {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "{name} must be one of {}",
        named(&usual, &listed).join(", ")
    )))
}

/// The names in an error: the usual ones first, so that the listed ones never crowd them out.
fn named<'a>(usual: &BTreeSet<&'a str>, listed: &BTreeSet<&'a str>) -> Vec<&'a str> {
    let others = listed.difference(usual);
    usual
        .iter()
        .chain(others)
        .copied()
        .take(MOST_NAMED)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_ones_are_named_first() {
        let listed: Vec<String> = (0..60).map(|number| format!("A{number}")).collect();
        let listed = listed.iter().map(String::as_str).chain(["NYSE"]).collect();
        let named = named(&EXCHANGES.into_iter().collect(), &listed);
        assert_eq!(named.len(), MOST_NAMED);
        assert_eq!(named[..EXCHANGES.len()], EXCHANGES);
        assert_eq!(named[EXCHANGES.len()], "A0");
    }
}

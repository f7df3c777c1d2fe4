//! Where a share is listed and which sector it belongs to, according to the imported listings.

use market::screener::sector;
use verify::figures::{Listed, Place};

use super::FigureServices;
use super::check::not_found;
use super::finding::{FigureFinding, Reason, Verdict};
use super::resolve::{Target, resolve};
use crate::Result;

/// `None` if the subject is not a share, or the place is unknown to the listings.
pub(super) async fn check(
    services: &FigureServices,
    claim: &Listed,
) -> Result<Option<FigureFinding>> {
    let listing = match resolve(services, &claim.subject).await? {
        Ok(Target::Listing(listing)) => listing,
        Ok(_) => return Ok(None),
        Err(missing) => return Ok(Some(not_found(&missing))),
    };
    let instrument = &listing.instrument;
    let (held, holds, words) = match &claim.place {
        Place::Exchange(name) => {
            let held = instrument.exchange.as_deref();
            // The NYSE has several markets, and the claim does not say which one it means.
            let is_part = held.is_some_and(|held| held != name && held.starts_with(name.as_str()));
            (
                held.filter(|_| !is_part),
                held == Some(name.as_str()),
                format!("listed on {}", held.unwrap_or_default()),
            )
        }
        Place::Sector(text) => {
            let Some(claimed) = sector::find(text) else {
                return Ok(None);
            };
            let held = instrument.sector.as_deref();
            (
                held,
                held == Some(claimed),
                format!("in the {} sector", held.unwrap_or_default()),
            )
        }
    };
    let ticker = listing.ticker();
    if held.is_none() {
        return Ok(Some(FigureFinding::open(
            Reason::NoEvidence,
            format!("The stored listing of {ticker} does not show this."),
        )));
    }
    let verdict = if holds == claim.is_negated {
        Verdict::Contradicted
    } else {
        Verdict::Supported
    };
    Ok(Some(FigureFinding {
        verdict,
        reading: "listings as imported".to_owned(),
        symbols: vec![instrument.symbol.clone()],
        ..FigureFinding::open(Reason::NoEvidence, format!("{ticker} is {words}."))
    }))
}

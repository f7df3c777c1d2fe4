//! A coin's share of the market value of all coins. Only some coins are on record, so the share among them is an upper
//! limit of the true share: it can refute a claim or support `below`, and decides nothing else.

use verify::figures::{Assertion, Bound, FigureClaim, Period};

use super::FigureServices;
use super::finding::{FigureFinding, Reason, Truth, Verdict};
use super::{lines, wording};
use crate::Result;
use crate::market::{Listing, PointInTime};

pub(super) async fn check(
    services: &FigureServices,
    claim: &FigureClaim,
    listing: &Listing,
    when: PointInTime,
) -> Result<FigureFinding> {
    let open = |sentence: &str| FigureFinding::open(Reason::NoEvidence, sentence);
    let bound = claim
        .assertions
        .iter()
        .find_map(|assertion| match assertion {
            Assertion::Value(bound) => Some(*bound),
            _ => None,
        });
    let (Period::In(span), Some(bound)) = (&claim.period, bound) else {
        return Ok(open(
            "Shares of coins in the whole market are checked for single days only.",
        ));
    };
    let values = lines::coin_values(services, span.first, when).await?;
    let total: f64 = values.iter().map(|(_, value)| value).sum();
    let own = values.iter().find(|(symbol, _)| symbol == listing.ticker());
    let Some((_, own)) = own.filter(|_| span.is_day() && total > 0.0) else {
        return Ok(open("No market values of coins are held for that day."));
    };
    let limit = own / total * 100.0;
    let verdict = match bound {
        Bound::Below(_) | Bound::AtMost(_) if bound.holds(limit) => Verdict::Supported,
        Bound::Above(amount) | Bound::AtLeast(amount) | Bound::JustAbove(amount)
            if limit < amount.value =>
        {
            Verdict::Contradicted
        }
        Bound::Equal(amount) | Bound::About(amount)
            if limit < amount.value - amount.tolerance(true) =>
        {
            Verdict::Contradicted
        }
        _ => Verdict::Unverifiable(Reason::NoEvidence),
    };
    let finding = FigureFinding {
        verdict,
        reading: format!("share among {} coins, an upper limit", values.len()),
        truth: vec![Truth {
            day: span.first,
            value: limit,
        }],
        unit: "percent".to_owned(),
        claimed: Some(bound.amount().value),
        source: Some("stored market values".to_owned()),
        known_at: Some(span.first.plus(1).starts_at()),
        ..open(&format!(
            "{} had {} % of the market value of the {} coins that are held {}; its share of all coins was not more.",
            listing.ticker(),
            wording::percent(limit),
            values.len(),
            wording::span(span)
        ))
    };
    Ok(if claim.is_negated {
        finding.denied()
    } else {
        finding
    })
}

//! Which parts of a portfolio a question names, and when weights next to names make it a portfolio.

use std::ops::Range;

use crate::holdings::{Holding, Told};
use crate::intent::Intent;
use crate::subjects::{Subjects, is_commodity};

/// The words for anything that may be part of a portfolio without being listed.
pub(super) fn beside_listed(found: &Subjects) -> Vec<Range<usize>> {
    let series = found.series.iter();
    let commodities = series.filter(|(series, _)| is_commodity(*series));
    let unknown = found.unknown.iter().map(|(_, range)| range.clone());
    commodities
        .map(|(_, range)| range.clone())
        .chain(unknown)
        .collect()
}

/// The intents of a question that names weights: a portfolio, if it says nothing else. `20% cash` is not a figure of a
/// company.
pub(super) fn retain_wishes(told: &Told<'_>, intents: &mut Vec<Intent>) {
    if !told.has_weights() {
        return;
    }
    let is_cash = told
        .unlisted()
        .iter()
        .any(|said| said.eq_ignore_ascii_case("cash"));
    if is_cash {
        intents.retain(|intent| *intent != Intent::Fundamentals);
    }
    if intents.is_empty() || intents[..] == [Intent::Comparison] {
        *intents = vec![Intent::Portfolio];
    }
}

/// What is held, if the question is about a portfolio or names weights next to holdings whose performance it asks for:
/// `how are my 60% MSFT 40% GLD doing this year`.
pub(super) fn holdings(told: &Told<'_>, intents: &[Intent]) -> Vec<Holding> {
    let is_portfolio = intents.contains(&Intent::Portfolio);
    let is_weighed = intents.contains(&Intent::Performance) && told.has_weights();
    if is_portfolio || is_weighed {
        told.holdings()
    } else {
        Vec::new()
    }
}

/// The note on parts that are not listed.
pub(super) fn unlisted_note(unlisted: &[&str]) -> Option<String> {
    let (last, first) = unlisted.split_last()?;
    let (said, verb) = if first.is_empty() {
        ((*last).to_owned(), "is")
    } else {
        (format!("{} and {last}", first.join(", ")), "are")
    };
    Some(format!(
        "{said} {verb} not among what is compared: only shares, funds and coins are"
    ))
}

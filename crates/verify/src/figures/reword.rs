//! Rewrites a sentence that is not a plain claim as plain claims that together say the same: without asides, split if
//! it says two things, and with the things it points to named.
//!
//! Nothing that could change what is claimed is left out: an aside is dropped only if it contains no number, no series,
//! nothing said about a figure, and no word that limits or denies.

mod asides;
mod clauses;
mod each;
mod extremes;
mod joined;
mod pointed;
mod preface;
mod several;
mod turns;
mod words;

use std::ops::Range;

use model::Day;

use super::assemble::read;
use super::claim::{FigureClaim, Reading};
use super::doubts;
use super::groups::figure_by_figure;
use super::items::{self, What};
use super::period::Period;
use super::token::{Join, Token, cut};

/// Maximum number of claims that a text is split into.
const MOST_CLAIMS: usize = 6;

/// Anything longer is no longer a sentence.
pub(super) const MOST_BYTES: usize = 600;

/// The plain claims that a sentence makes, all of which must hold; `None` if it cannot be split into them.
pub fn plain_claims(text: &str, today: Day) -> Option<Vec<FigureClaim>> {
    if text.len() > MOST_BYTES || text.trim_end().ends_with('?') {
        return None;
    }
    if let Some(parts) = each::of_each(text, today) {
        let part = |part: &String| {
            let is_plain = !is_qualified(part, today);
            is_plain.then(|| plain(&in_full(part, today), today))?
        };
        let claims: Option<Vec<FigureClaim>> = parts.iter().map(part).collect();
        return claims.filter(|claims| !supplies_years(claims, text, today));
    }
    if is_qualified(text, today) {
        return None;
    }
    let text = in_full(text, today);
    if doubts::is_measured_otherwise(&text, today) {
        return None;
    }
    let parts = several::split(&text, today);
    // A sentence that says two things is not read as one.
    let mut candidates = vec![if parts.is_empty() {
        vec![text.clone()]
    } else {
        parts
    }];
    for of in [
        clauses::from_to,
        clauses::two_clauses,
        several::compared_with,
        several::both_others,
        extremes::best_span,
        preface::without_preface,
    ] {
        candidates.extend(of(&text, today));
    }
    if let Some(parts) = extremes::extreme_on(&text, today) {
        candidates.insert(0, parts);
    }
    for parts in joined::of_clauses(&text, today) {
        candidates.insert(0, parts);
    }
    if let Some(parts) = extremes::cross(&text, today) {
        candidates.insert(0, parts);
    }
    if let Some(parts) = extremes::its_extreme(&text, today) {
        candidates.insert(0, parts);
    }
    if let Some(parts) = extremes::best_of(&text, today) {
        candidates.insert(0, parts);
    }
    candidates
        .into_iter()
        .find_map(|parts| {
            (parts.len() <= MOST_CLAIMS).then_some(())?;
            parts.iter().map(|part| plain(part, today)).collect()
        })
        .filter(|claims: &Vec<FigureClaim>| !supplies_years(claims, &text, today))
        .or_else(|| figure_by_figure(&text, today))
}

/// Whether a part assumes the newest year although the sentence names one:
/// `rose 12 % in the last quarter of 2023 and fell in the first`.
fn supplies_years(claims: &[FigureClaim], text: &str, today: Day) -> bool {
    let names_year = items::mark(text, &cut(text), today)
        .items
        .iter()
        .any(|item| matches!(item.what, What::Period(Period::In(span), _) if !span.is_assumed));
    let is_assumed = |claim: &FigureClaim| match claim.period {
        Period::In(span) => span.is_assumed,
        Period::Between(first, last) => first.is_assumed || last.is_assumed,
        _ => false,
    };
    names_year && claims.iter().any(is_assumed)
}

/// A sentence in which the things it points to are named.
pub(super) fn in_full(text: &str, today: Day) -> String {
    let plain = words::in_plain_words(&turns::plainly(text));
    let plain = turns::without_episode(&words::stripped(&plain, today), today);
    pointed::pointed(&asides::without_circumstance(&plain, today), today)
}

/// A sentence as one claim, without its asides if that is needed.
fn plain(text: &str, today: Day) -> Option<FigureClaim> {
    claim(text, today).or_else(|| claim(&asides::without_asides(text, today)?, today))
}

fn claim(text: &str, today: Day) -> Option<FigureClaim> {
    match read(text, today)? {
        Reading::Claim(claim) => Some(*claim),
        Reading::Listed(_) | Reading::Unclear(_) => None,
    }
}

/// Whether a sentence has a word that could change what any part of it claims, or that refers to another place.
pub(super) fn is_qualified(text: &str, today: Day) -> bool {
    const WORDS: [&str; 58] = [
        "hardly",
        "barely",
        "scarcely",
        "alone",
        "except",
        "unlike",
        "respectively",
        "combined",
        "together",
        "collectively",
        "jointly",
        "group",
        "average",
        "total",
        "priced",
        "hedged",
        "weighted",
        "theory",
        "hypothetically",
        "false",
        "untrue",
        "wrong",
        "contrary",
        "hoax",
        "rumour",
        "rumours",
        "rumored",
        "rumoured",
        "myth",
        "opposite",
        "majority",
        "portion",
        "most",
        "mostly",
        "hour",
        "hours",
        "among",
        "latter",
        "former",
        "would",
        "could",
        "analysts",
        "expected",
        "expect",
        "forecast",
        "adjusted",
        "supposedly",
        "allegedly",
        "almost",
        "gains",
        "half",
        "listing",
        "customers",
        "less",
        "so",
        "behind",
        "output",
        "later",
    ];
    let tokens = cut(text);
    let marks = items::mark(text, &tokens, today);
    let is_basis = tokens.iter().enumerate().any(|(at, token)| {
        token.is("basis")
            && !tokens
                .get(at + 1)
                .is_some_and(|next| next.is_any(&["point", "points"]))
    });
    // A word that belongs to an understood stretch means what it means there.
    let qualifies = tokens.iter().enumerate().any(|(at, token)| {
        let is_put = token.is("together")
            && at > 0
            && tokens[at - 1].is_any(&["put", "strung", "string", "puts"]);
        // `13 consecutive gains`.
        let is_run = token.is("gains")
            && at > 0
            && tokens[at - 1].is_any(&["consecutive", "straight", "daily"]);
        token.is_any(&WORDS) && !is_put && !is_run && !marks.items.iter().any(|item| item.holds(at))
    });
    let sums = marks
        .items
        .iter()
        .any(|item| item.what == What::Relation("total"));
    is_basis || qualifies || sums || marks.elsewhere.is_some()
}

/// Whether a sentence contains a denial.
pub(super) fn denies(tokens: &[Token<'_>]) -> bool {
    tokens.iter().any(|token| {
        token.is_any(&[
            "not", "never", "neither", "nor", "without", "no", "failed", "fails",
        ]) || token.lower.ends_with("n't")
            || token.lower.ends_with("n’t")
    })
}

/// The stretches between commas, colons and dashes, as ranges of tokens.
fn segments(tokens: &[Token<'_>]) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut first = 0;
    for (at, token) in tokens.iter().enumerate().skip(1) {
        if matches!(token.join, Join::Break | Join::Stop) {
            ranges.push(first..at);
            first = at;
        }
    }
    ranges.push(first..tokens.len());
    ranges
}

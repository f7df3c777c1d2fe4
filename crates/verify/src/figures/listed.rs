//! Claims about where a share is listed and which sector it belongs to.

use super::assemble::is_forecast;
use super::claim::{Listed, Place, Reading, Subject};
use super::items::{Items, What};
use super::period::is_seq;
use super::token::Token;

/// Exchanges as people write them, with their names in the listings.
const EXCHANGES: [(&[&str], &str); 6] = [
    (&["new", "york", "stock", "exchange"], "NYSE"),
    (&["nyse", "arca"], "NYSE ARCA"),
    (&["nyse", "american"], "NYSE AMERICAN"),
    (&["nyse"], "NYSE"),
    (&["nasdaq"], "NASDAQ"),
    (&["big", "board"], "NYSE"),
];

/// Maximum number of words in a sector name.
const SECTOR_WORDS: usize = 3;

/// Reads a claim of this kind about today; `None` if it is not one, or says more than that.
pub(super) fn read(tokens: &[Token<'_>], marks: &Items) -> Option<Reading> {
    let is_other = marks
        .items
        .iter()
        .any(|item| matches!(item.what, What::Period(..) | What::Amount(_)));
    let says_more = tokens.iter().any(|token| {
        token.is_any(&[
            "unlike", "used", "formerly", "once", "and", "or", "but", "except", "rival", "peer",
            "false", "if", "rumours", "rumors", "moved", "move", "moving", "will", "would",
            "could", "was", "were",
        ])
    });
    if is_other || says_more || is_forecast(tokens) {
        return None;
    }
    let (place, at) = exchange(tokens).or_else(|| sector(tokens))?;
    let mut subjects = marks.items.iter().filter_map(|item| match &item.what {
        What::Subject(Subject::Named { text, ticker }) if item.first < at => {
            Some((item, text, ticker))
        }
        _ => None,
    });
    let (item, text, ticker) = subjects.next()?;
    // Only an auxiliary and a denial may stand between the share and the verb.
    let between = tokens.get(item.next..at)?;
    let is_plain = between.iter().all(|token| {
        token.is_any(&[
            "is", "are", "not", "stock", "shares", "share", "sector", "gics", "been", "has",
        ]) || token.lower.ends_with("n't")
    });
    let denials = tokens
        .iter()
        .filter(|token| token.is_any(&["not", "never", "no"]) || token.lower.ends_with("n't"));
    let is_negated = between
        .iter()
        .any(|token| token.is("not") || token.lower.ends_with("n't"));
    if subjects.next().is_some() || !is_plain || denials.count() > usize::from(is_negated) {
        return None;
    }
    Some(Reading::Listed(Listed {
        subject: Subject::Named {
            text: text.clone(),
            ticker: ticker.clone(),
        },
        place,
        is_negated,
    }))
}

/// `is listed on the Nasdaq`, `trades on the NYSE`.
fn exchange(tokens: &[Token<'_>]) -> Option<(Place, usize)> {
    let at = (0..tokens.len()).find(|at| {
        tokens[*at].is_any(&["listed", "trades", "trade", "quoted", "traded", "listing"])
            && tokens
                .get(at + 1)
                .is_some_and(|next| next.is_any(&["on", "at"]))
    })?;
    let mut next = at + 2;
    while tokens.get(next).is_some_and(|token| token.is("the")) {
        next += 1;
    }
    let (_, name) = EXCHANGES
        .iter()
        .find(|(words, _)| is_seq(tokens, next, words))?;
    Some((Place::Exchange((*name).to_owned()), at))
}

/// `is classed under Information Technology`, `belongs to the energy sector`.
fn sector(tokens: &[Token<'_>]) -> Option<(Place, usize)> {
    let says_sector = tokens.iter().any(|token| token.is_any(&["sector", "gics"]));
    let at = (0..tokens.len()).find(|at| {
        let next = tokens.get(at + 1);
        let is_classed =
            tokens[*at].is_any(&["classed", "classified", "categorised", "categorized"])
                && next.is_some_and(|next| next.is_any(&["under", "as", "in", "within"]));
        let belongs = tokens[*at].is_any(&["belongs", "belong", "falls", "sits", "is", "are"])
            && next.is_some_and(|next| next.is_any(&["to", "in", "under", "part"]));
        is_classed || belongs && says_sector
    })?;
    let mut first = at + 2;
    while tokens
        .get(first)
        .is_some_and(|token| token.is_any(&["the", "of", "a", "an", "gics"]))
    {
        first += 1;
    }
    let words: Vec<&str> = tokens
        .get(first..)?
        .iter()
        .take_while(|token| !token.is_any(&["sector", "in", "by", "of", "stock", "company"]))
        .take(SECTOR_WORDS)
        .map(|token| token.lower.as_str())
        .collect();
    (!words.is_empty()).then(|| (Place::Sector(words.join(" ")), at))
}

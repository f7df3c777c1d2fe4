//! Picks from the subjects of a session: `which is riskier?`, `how correlated are they?`.

use query::{Intent, Names, Reading};

use super::OF_ONE;
use crate::sessions::Spoken;

/// Words that compare and name no figure.
const COMPARING: [&str; 12] = [
    "better", "worse", "best", "worst", "stronger", "weaker", "more", "less", "most", "least",
    "higher", "lower",
];
/// Words that mean many, rather than those that were named.
const OF_MANY: [&str; 18] = [
    "stock",
    "stocks",
    "share",
    "shares",
    "company",
    "companies",
    "sector",
    "sectors",
    "industry",
    "etf",
    "etfs",
    "fund",
    "funds",
    "coin",
    "coins",
    "commodity",
    "currency",
    "market",
];

/// Words after `which` that mean one of those that were named: `which insiders` asks about others.
const DOING: [&str; 26] = [
    "is",
    "are",
    "was",
    "were",
    "has",
    "have",
    "had",
    "did",
    "does",
    "do",
    "would",
    "will",
    "one",
    "of",
    "pays",
    "paid",
    "grows",
    "grew",
    "looks",
    "earns",
    "makes",
    "made",
    "yields",
    "trades",
    "performed",
    "carries",
];

/// Reads a question that picks one of the subjects named before, or asks how they move together; returns whether it
/// does. `words` are those of the question in small letters.
pub(super) fn read(
    reading: &mut Reading,
    spoken: &Spoken,
    words: &[&str],
    names: &Names,
    today: model::Day,
) -> bool {
    let last = &spoken.last;
    if words.iter().any(|word| word.starts_with("correlat")) && last.instruments.len() >= 2 {
        reading.instruments.clone_from(&last.instruments);
        reading.intents = vec![Intent::Correlation];
        return true;
    }
    if !picks(reading, words) {
        return false;
    }
    let named = match last.instruments.len() {
        0 => Vec::new(),
        1 => spoken.recent.iter().take(2).cloned().collect(),
        _ => last.instruments.clone(),
    };
    if named.len() >= 2 {
        let about = query::read_about(&reading.question, today, names, &named);
        let asked = about.intents.into_iter();
        let mut intents = vec![Intent::Comparison];
        intents.extend(asked.filter(|intent| OF_ONE.contains(intent)));
        reading.instruments = named;
        reading.intents = intents;
        return true;
    }
    // Series have no figures other than their price performance.
    let is_of_series = last.instruments.is_empty() && !last.series.is_empty();
    if is_of_series && spoken.recent_series.len() >= 2 && reading.measure.is_none() {
        reading.series = spoken.recent_series.iter().take(2).copied().collect();
        reading.intents.clone_from(&last.intents);
        return true;
    }
    false
}

/// Whether a question asks which of several it is: `and which pays more dividends?`.
fn picks(reading: &Reading, words: &[&str]) -> bool {
    let words = match words {
        ["and" | "so" | "but" | "ok", rest @ ..] => rest,
        all => all,
    };
    let says = |all: &[&str]| words.iter().any(|word| all.contains(word));
    matches!(words, ["which", verb, ..] if DOING.contains(verb))
        && (reading.measure.is_some() || says(&COMPARING))
        && !says(&OF_MANY)
}

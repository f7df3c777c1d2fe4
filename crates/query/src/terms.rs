//! Terms of the trade that a newcomer wants explained: `what does P/E mean`, `what is a short squeeze`.

use std::sync::LazyLock;

use model::table;

use crate::words::{self, Word};

const FILE: &str = include_str!("../data/terms.tsv");

/// A term and what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// As it is written in the trade.
    pub name: &'static str,
    /// What it means; not a full sentence.
    pub meaning: &'static str,
}

/// Phrases, cut as questions are, with their terms.
static PHRASES: LazyLock<Vec<(Vec<String>, Term)>> = LazyLock::new(|| {
    table::rows(FILE)
        .flat_map(|[name, phrases, meaning]| {
            let term = Term { name, meaning };
            let cut = |phrase| words::cut(phrase).into_iter().map(|word| word.lower);
            phrases
                .split('|')
                .map(move |phrase| (cut(phrase).collect(), term))
        })
        .collect()
});

/// The term that a question wants explained, if it asks nothing else.
pub(crate) fn asked(words: &[Word]) -> Option<Term> {
    const OPENINGS: [&[&str]; 14] = [
        &["can", "you", "explain", "what"],
        &["please", "explain", "what"],
        &["explain", "what"],
        &["explain", "to", "me", "what"],
        &["tell", "me", "what"],
        &["what", "do", "you", "mean", "by"],
        &["what", "is", "the", "meaning", "of"],
        &["what", "does"],
        &["what", "do"],
        &["what", "is"],
        &["what", "are"],
        &["whats"],
        &["explain"],
        &["define"],
    ];
    const ENDINGS: [&[&str]; 7] = [
        &["stand", "for"],
        &["means"],
        &["mean"],
        &["work"],
        &["works"],
        &["is"],
        &["are"],
    ];
    let said: Vec<&str> = words.iter().map(|word| word.lower.as_str()).collect();
    let rest = OPENINGS
        .iter()
        .find_map(|opening| said.strip_prefix(*opening))?;
    let rest = ENDINGS
        .iter()
        .find_map(|ending| rest.strip_suffix(*ending))
        .unwrap_or(rest);
    let rest = match rest {
        ["a" | "an" | "the", after @ ..] => after,
        other => other,
    };
    let rest = rest.strip_suffix(&["please"]).unwrap_or(rest);
    // `what does a P/E of 30 mean`.
    let rest = match rest {
        [term @ .., "of", value] if value.starts_with(|first: char| first.is_ascii_digit()) => term,
        other => other,
    };
    let mut phrases = PHRASES.iter();
    phrases
        .find(|(phrase, _)| phrase.iter().eq(rest.iter()))
        .map(|(_, term)| *term)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sound() {
        assert_eq!(table::fault(FILE, 3, 1), None);
        for (phrase, term) in &*PHRASES {
            assert!(!phrase.is_empty(), "{}", term.name);
            assert!(!term.meaning.ends_with('.'), "{}", term.name);
        }
    }

    #[test]
    fn a_term_is_asked_for_in_the_usual_ways() {
        let name = |text: &str| asked(&words::cut(text)).map(|term| term.name);
        for (text, expected) in [
            ("what does P/E mean", Some("p/e")),
            ("explain what a short squeeze is", Some("short squeeze")),
            ("What is staking?", Some("staking")),
            ("what's an ETF", Some("etf")),
            ("define volatility", Some("volatility")),
            ("what does a P/E of 30 mean", Some("p/e")),
            ("what is the P/E of Apple", None),
            ("what is inflation", None),
            ("stop loss at 100", None),
        ] {
            assert_eq!(name(text), expected, "{text}");
        }
    }
}

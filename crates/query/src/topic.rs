//! What remains of a question to search for.

use crate::cues::Cue;
use crate::intent::Intent;
use crate::words::Word;

/// Words by which people ask, rather than words for what they ask about.
const ASKING: [&str; 42] = [
    "show",
    "give",
    "find",
    "get",
    "list",
    "want",
    "know",
    "please",
    "tell",
    "explain",
    "describe",
    "anything",
    "something",
    "recent",
    "recently",
    "latest",
    "newest",
    "current",
    "currently",
    "today",
    "now",
    "stock",
    "stocks",
    "shares",
    "share",
    "company",
    "me",
    "happening",
    "happened",
    "going",
    "whats",
    "hows",
    "new",
    "info",
    "everyone",
    "everybody",
    "people",
    "talking",
    "tickers",
    "names",
    "companies",
    "thing",
];

/// The words that a search needs: without those that ask, those for the time, and filler words.
pub(crate) fn words(text: &str, words: &[Word], is_time: &[bool], cues: &[Cue]) -> String {
    // Words in quotation marks are what is meant.
    let quoted = text
        .split_once(['"', '“'])
        .and_then(|(_, rest)| rest.split_once(['"', '”']))
        .map(|(quoted, _)| quoted.trim())
        .filter(|quoted| quoted.chars().count() >= 3);
    if let Some(quoted) = quoted {
        return quoted.to_owned();
    }
    let mut is_asking = vec![false; words.len()];
    for cue in cues {
        let asks = matches!(
            cue.intent,
            Intent::News
                | Intent::Topic
                | Intent::Outlook
                | Intent::Help
                | Intent::Verification
                | Intent::Contradictions
                | Intent::WhyMoved
                | Intent::Sentiment
        );
        if asks && !cue.has_gap {
            is_asking[cue.words.clone()].fill(true);
        }
    }
    let kept: Vec<&str> = words
        .iter()
        .enumerate()
        .filter(|(at, word)| {
            !is_asking[*at]
                && !is_time[*at]
                && !text::token::is_stop_word(&word.lower)
                && !ASKING.contains(&word.lower.as_str())
                && (word.lower.chars().count() > 1 || word.is_number())
        })
        .map(|(_, word)| &text[word.bytes.clone()])
        .collect();
    kept.join(" ")
}

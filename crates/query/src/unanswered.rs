//! The parts of a question that none of its intents answers:
//! `what is the price of gold and who is the president of France`.
//!
//! A part begins with a joint and a question word. What it asks is considered on its own; a part that refers to what
//! was named before (`and when does it report?`) is about that, and is left to the intents of the whole question.

use std::ops::Range;

use crate::words::Word;

/// Words that begin a question.
pub(crate) const ASKING: [&str; 11] = [
    "who", "whom", "whose", "what", "whats", "when", "where", "why", "how", "which", "hows",
];
/// Words that join parts.
const JOINTS: [&str; 2] = ["and", "&"];
/// Verbs that begin a question.
pub(crate) const VERBS: [&str; 18] = [
    "is", "are", "was", "were", "do", "does", "did", "has", "have", "had", "can", "could", "will",
    "would", "should", "may", "might", "am",
];
/// Words that refer to something named before.
const POINTING: [&str; 16] = [
    "it", "its", "they", "their", "them", "this", "that", "these", "those", "he", "she", "his",
    "her", "both", "one", "there",
];
/// Words for what prices do: a part with no others is about what was named before.
const MOVING: [&str; 22] = [
    "price",
    "prices",
    "trend",
    "trends",
    "trending",
    "move",
    "moves",
    "moving",
    "moved",
    "change",
    "changes",
    "changed",
    "changing",
    "direction",
    "momentum",
    "up",
    "down",
    "high",
    "higher",
    "low",
    "lower",
    "level",
];
/// Other words that name nothing.
const BESIDE: [&str; 18] = [
    "go",
    "goes",
    "going",
    "went",
    "gone",
    "get",
    "getting",
    "much",
    "far",
    "still",
    "again",
    "now",
    "so",
    "look",
    "looking",
    "currently",
    "yet",
    "today",
];
/// Fewest words of a part.
const LEAST: usize = 3;

/// The parts of a question, each with its words; a single one if the question is not made up of several.
pub(crate) fn parts(text: &str, words: &[Word]) -> Vec<Range<usize>> {
    let mut begins = vec![0];
    for at in 1..words.len() {
        let word = &words[at];
        let is_joint = word.is_any(&JOINTS);
        let asks = |at: usize| words.get(at).is_some_and(|word| word.is_any(&ASKING));
        let begins_part = |at: usize| asks(at) || is_verb(text, words, at);
        let sign = &text[words[at - 1].bytes.end..word.bytes.start];
        // `and is it`, `and what`; after the end of a sentence, these are enough on their own. A point may be the one
        // in `Inc.`, and a comma separates a list.
        let is_begin = is_joint && begins_part(at + 1)
            || sign.contains(['?', '!', ';', '\n']) && begins_part(at)
            || sign.contains('.') && asks(at);
        let last = begins.last().copied().unwrap_or_default();
        if is_begin && at >= last + 2 {
            begins.push(at + usize::from(is_joint));
        }
    }
    let ends = begins.iter().skip(1).copied().chain([words.len()]);
    begins
        .iter()
        .zip(ends)
        .map(|(begin, end)| {
            let is_joint = |at: &usize| words[*at].is_any(&JOINTS);
            let end = (*begin..end).rev().find(|at| !is_joint(at));
            *begin..end.map_or(*begin, |last| last + 1)
        })
        .collect()
}

/// Whether a word is a verb that begins a question; `May` is a month.
fn is_verb(text: &str, words: &[Word], at: usize) -> bool {
    const MONTHS: [&str; 12] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ];
    let Some(word) = words.get(at) else {
        return false;
    };
    let is_capital = text[word.bytes.start..].starts_with('M');
    let is_of_dates = words.get(at + 1).is_some_and(|next| {
        let is_month = next
            .lower
            .get(..3)
            .is_some_and(|begin| MONTHS.contains(&begin));
        next.is_number() || next.is("and") || is_month
    });
    let is_month = word.is("may") && (is_capital || is_of_dates);
    word.is_any(&VERBS) && !is_month
}

/// Whether words express a time and nothing else: `may of 2024`.
pub(crate) fn is_time_only(words: &[Word], is_time: &[bool]) -> bool {
    const AROUND: [&str; 5] = ["of", "in", "the", "and", "may"];
    let mut all = words.iter().zip(is_time);
    is_time.contains(&true) && all.all(|(word, is_time)| *is_time || word.is_any(&AROUND))
}

/// Whether a part names nothing of its own and asks what a price is doing: `is the trend up`.
pub(crate) fn leans(words: &[Word], is_time: &[bool]) -> bool {
    let is_moving =
        |word: &Word| word.is_any(&MOVING) || verify::stance::direction_of(&word.lower) != 0;
    let names_nothing = |word: &Word| {
        word.is_any(&ASKING)
            || word.is_any(&VERBS)
            || word.is_any(&BESIDE)
            || text::token::is_stop_word(&word.lower)
    };
    let mut all = words.iter().zip(is_time);
    words.iter().any(is_moving)
        && all.all(|(word, is_time)| *is_time || is_moving(word) || names_nothing(word))
}

/// Whether a part asks something on its own: it is long enough, and refers to nothing that was said before.
pub(crate) fn stands_alone(words: &[Word]) -> bool {
    words.len() >= LEAST && !words.iter().any(|word| word.is_any(&POINTING))
}

/// Whether words are a clear English question: a question word, a verb, and something that is asked about.
pub(crate) fn is_clear(words: &[Word]) -> bool {
    let Some(first) = words.first() else {
        return false;
    };
    let is_content = |word: &&Word| {
        word.lower.chars().count() >= 3
            && !text::token::is_stop_word(&word.lower)
            && !word.is_any(&ASKING)
    };
    let is_known = |word: &Word| {
        word.is_number()
            || text::entities::is_common_word(&word.lower)
            || text::embedding::word_pieces(&word.lower).len() == 1
    };
    let asks = first.is_any(&ASKING) || first.is_any(&VERBS);
    asks && words.len() >= LEAST
        && words.iter().filter(is_content).any(is_known)
        && stands_alone(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words;

    #[test]
    fn a_question_falls_into_the_parts_that_ask() {
        for (text, expected) in [
            (
                "What is the price of gold and who is the president of France?",
                vec![
                    "What is the price of gold",
                    "who is the president of France",
                ],
            ),
            (
                "price of AAPL? How many people live in Germany?",
                vec!["price of AAPL", "How many people live in Germany"],
            ),
            ("compare AAPL and MSFT", vec!["compare AAPL and MSFT"]),
            (
                "inflation in April, May and June 2024",
                vec!["inflation in April, May and June 2024"],
            ),
            (
                "inflation in april and may and june of 2024",
                vec!["inflation in april and may and june of 2024"],
            ),
            (
                "AAPL price and is it going to rain",
                vec!["AAPL price", "is it going to rain"],
            ),
        ] {
            let words = words::cut(text);
            let said = |range: &Range<usize>| {
                &text[words[range.start].bytes.start..words[range.end - 1].bytes.end]
            };
            let found: Vec<&str> = parts(text, &words).iter().map(said).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn a_clear_question_is_told_from_words_that_are_none() {
        for (text, expected) in [
            ("What is the capital of France?", true),
            ("How many people live in Germany?", true),
            ("who won the world cup", true),
            ("??", false),
            ("asdf qwer zxcv", false),
            ("hmm and what about that then", false),
            ("what is xqzvv wwkkq", false),
        ] {
            assert_eq!(is_clear(&words::cut(text)), expected, "{text}");
        }
    }
}

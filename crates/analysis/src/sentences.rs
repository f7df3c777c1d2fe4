//! The sentences of briefs, ready to be quoted: each with its brief and the sources that say it.

use model::{Section, Timestamp};
use store::StoredBrief;

use crate::terms::{overlap, terms};

/// Sentences that depend on the one before cannot be quoted alone.
const LEANING: [&str; 26] = [
    "he",
    "she",
    "it",
    "they",
    "this",
    "that",
    "these",
    "those",
    "his",
    "her",
    "its",
    "their",
    "but",
    "and",
    "so",
    "also",
    "meanwhile",
    "however",
    "such",
    "then",
    "there",
    "here",
    "instead",
    "still",
    "figures",
    "accounts",
];
/// A sentence this similar to one already chosen adds nothing.
const ALIKE: f64 = 0.6;

/// A sentence and where it comes from.
#[derive(Clone, Debug)]
pub(crate) struct Sentence {
    pub(crate) text: String,
    /// Index of its brief among those given.
    pub(crate) brief: usize,
    /// Index of its first source within the brief.
    pub(crate) source: usize,
    pub(crate) terms: Vec<u32>,
    /// When that source was published.
    pub(crate) published_at: Timestamp,
    /// Whether it is in the summary of its brief.
    pub(crate) leads: bool,
}

/// The sentences in these briefs that can stand alone.
pub(crate) fn quotable<'a>(
    briefs: impl Iterator<Item = (usize, &'a StoredBrief)>,
) -> Vec<Sentence> {
    let mut found = Vec::new();
    for (place, stored) in briefs {
        let brief = &stored.brief;
        for sentence in &brief.sentences {
            let text = plain(&sentence.text);
            if sentence.section == Section::Headline || !stands_alone(text) {
                continue;
            }
            let source = sentence
                .sources
                .first()
                .map_or(0, |source| *source as usize);
            let published_at = brief
                .sources
                .get(source)
                .map_or(brief.published_at, |source| source.published_at);
            found.push(Sentence {
                terms: terms(text),
                text: text.to_owned(),
                brief: place,
                source,
                published_at,
                leads: sentence.section == Section::Summary,
            });
        }
    }
    found
}

/// If a brief prints a headline as a sentence, the outlet comes first: `Ledger adds: …`.
const INTRODUCTIONS: [&str; 10] = [
    " adds",
    " ask",
    " asks",
    " report",
    " reports",
    " writes",
    " says",
    " runs the headline",
    // As earlier versions wrote it.
    " puts it this way",
    " has this headline",
];

/// A sentence without the words that introduce it.
fn plain(text: &str) -> &str {
    match text.split_once(": ") {
        Some((before, after))
            if before.len() < 90 && INTRODUCTIONS.iter().any(|verb| before.ends_with(verb)) =>
        {
            after.trim()
        }
        _ => text,
    }
}

fn stands_alone(text: &str) -> bool {
    let mut words = text::token::words(text);
    let Some(first) = words.next() else {
        return false;
    };
    let count = 1 + words.count();
    (6..=50).contains(&count)
        // A question says nothing about its topic.
        && !text.trim_end().ends_with('?')
        && plain_words(text) >= 4
        && !LEANING.contains(&first.to_lowercase().as_str())
        && text.chars().next().is_some_and(|first| {
            first.is_uppercase()
                || first.is_numeric()
                || matches!(first, '“' | '"' | '$' | '€' | '£')
        })
}

/// The number of words without a capital: a sentence in capitals is a headline or a list of names.
fn plain_words(text: &str) -> usize {
    text::token::words(text)
        .filter(|word| word.chars().count() > 2 && word.chars().all(char::is_lowercase))
        .count()
}

/// The best sentences by `score`, at most `count`: none similar to another, and at most one from each brief. Sentences
/// without a positive score are left out.
pub(crate) fn choose<'a>(
    sentences: &'a [Sentence],
    count: usize,
    used: &mut Vec<Vec<u32>>,
    score: impl Fn(usize, &Sentence) -> f64,
) -> Vec<&'a Sentence> {
    let mut rated: Vec<(f64, &Sentence)> = sentences
        .iter()
        .enumerate()
        .map(|(place, sentence)| (score(place, sentence), sentence))
        .filter(|(score, _)| *score > 0.0)
        .collect();
    // Stable: among equals, the one that came first stays first.
    rated.sort_by(|left, right| right.0.total_cmp(&left.0));
    let mut chosen: Vec<&Sentence> = Vec::new();
    for (_, sentence) in rated {
        if chosen.len() == count {
            break;
        }
        let is_used = used
            .iter()
            .any(|used| overlap(used, &sentence.terms) >= ALIKE);
        if is_used || chosen.iter().any(|other| other.brief == sentence.brief) {
            continue;
        }
        used.push(sentence.terms.clone());
        chosen.push(sentence);
    }
    chosen
}

/// A sentence, with a full stop added if it has no closing punctuation.
pub(crate) fn ended(text: &str) -> String {
    let text = text.trim();
    if text.ends_with(['.', '!', '?', '…', '”', '"']) {
        text.to_owned()
    } else {
        format!("{text}.")
    }
}

/// A headline in sentence case: if its ordinary words are capitalised, they lose their capitals. Words in `names` keep
/// theirs.
pub(crate) fn sentence_case<'a>(headline: &str, names: impl Iterator<Item = &'a str>) -> String {
    let is_long = |word: &&str| word.chars().count() >= 4;
    let capital = |word: &str| word.chars().next().is_some_and(char::is_uppercase);
    let long = text::token::words(headline).filter(is_long).count();
    let capitals = text::token::words(headline)
        .filter(is_long)
        .filter(|word| capital(word))
        .count();
    if capitals * 10 < long * 7 || long < 3 {
        return headline.to_owned();
    }
    let names: Vec<String> = names
        .flat_map(text::token::words)
        .map(str::to_lowercase)
        .collect();
    let mut used = String::with_capacity(headline.len());
    let mut rest = headline;
    for (place, word) in text::token::words(headline).enumerate() {
        let Some(start) = rest.find(word) else {
            break;
        };
        used.push_str(&rest[..start]);
        let lower = word.to_lowercase();
        let is_plain = place > 0
            && (text::token::is_stop_word(&lower) || text::entities::is_common_word(&lower))
            && !names.contains(&lower)
            && word.chars().skip(1).all(char::is_lowercase);
        used.push_str(if is_plain { &lower } else { word });
        rest = &rest[start + word.len()..];
    }
    used.push_str(rest);
    used
}

/// A sentence to go inside quotation marks: without quotation marks of its own and without its full stop.
pub(crate) fn quoted(text: &str) -> String {
    let inner: String = text
        .trim()
        .trim_end_matches('.')
        .chars()
        .map(|character| match character {
            '“' => '‘',
            '”' | '"' => '’',
            other => other,
        })
        .collect();
    format!("“{inner}”")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headlines_lose_the_capitals_of_ordinary_words() {
        let check = |headline: &str, expected: &str| {
            assert_eq!(
                sentence_case(headline, ["Quill Market"].into_iter()),
                expected
            );
        };
        check(
            "Quill Market Shares Rise After Bank Says Market Will Open",
            "Quill Market shares rise after bank says Market will open",
        );
        check(
            "Bank of Velden says “no” to a merger",
            "Bank of Velden says “no” to a merger",
        );
        check("A Storm", "A Storm");
    }

    #[test]
    fn a_question_is_no_statement() {
        let asked = plain("The Ledger asks: Does a rate lock make sense after the meeting?");
        assert_eq!(asked, "Does a rate lock make sense after the meeting?");
        assert!(!stands_alone(asked));
        assert!(stands_alone("A rate lock makes sense after the meeting."));
    }

    #[test]
    fn introductions_are_left_out() {
        assert_eq!(
            plain("The Ledger adds: Rates fell again."),
            "Rates fell again."
        );
        assert_eq!(
            plain("One thing is sure: rates fell."),
            "One thing is sure: rates fell."
        );
    }
}

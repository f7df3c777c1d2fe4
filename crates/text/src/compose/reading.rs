//! What one article contributes to a brief: its headline, and those of its sentences that may be printed.

use std::sync::{LazyLock, OnceLock};

use model::{Article, table};
use regex::Regex;
use rustc_hash::FxHashSet;

use super::{headline, wording};
use crate::statement::comparison::{Figure, figures};
use crate::statement::terms;
use crate::{pattern, sentence};

/// How much of a body is read, in bytes and in sentences.
const BYTES: usize = 4_000;
pub(super) const SENTENCES: usize = 36;
/// The first sentences are compared with those of other articles, and so are their figures.
pub(super) const COMPARED: usize = 8;

static REFUSED: LazyLock<Regex> = LazyLock::new(|| {
    let phrases: Vec<String> = table::lines(include_str!("../../data/compose/refused.txt"))
        .map(regex::escape)
        .collect();
    pattern::caseless(&phrases.join("|"))
});
static DATELINE: LazyLock<Regex> = LazyLock::new(|| {
    pattern::exact(
        r"(?x)^\s*(?:
            [A-Z][\p{L}.'’\-]+(?:[,\s]+[\p{L}.'’\-]+){0,5}\s*\((?:AP|Reuters|REUTERS|AFP|CNN|UPI|Bloomberg|BBC|CBS|NBC|ABC|PTI|ANI|IANS|[A-Z]{2,6})[^)]{0,30}\)\s*[-–—:]*\s*
          | \((?:AP|Reuters|REUTERS|AFP|CNN|UPI|Bloomberg|PTI|[A-Z]{2,8})[^)]{0,20}\)\s*[-–—:]*\s*
          | (?:\p{Lu}[\p{L}.'’/\-]+(?:,?\s+\p{Lu}[\p{L}.'’/\-]+){0,4},?\s+)?
            (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?\s\d{1,2}(?:,\s\d{4})?\s*
            (?:\([A-Z][^)]{1,30}\)\s*)?(?:--|[-–—:])\s+
          | \p{Lu}{3}[\p{Lu}.'’/\-]*(?:[,\s]+\p{Lu}[\p{L}.'’]+){0,4}\s*\([A-Z][^)]{1,30}\)\s*(?:--|[-–—:])\s+
          | \p{Lu}[\p{Lu}.'’\-]+(?:[,\s]+[\p{L}.'’\-]+){0,4}(?:,?\s+\p{Lu}[a-z]{2,8}\.?\s+\d{1,2}(?:\s*\([^)]{1,20}\))?)?\s+(?:[-–—]{1,2})\s+
        )",
    )
});
/// Captions, which give the day in full, and quotations whose speaker is named in the sentence before.
static CAPTION: LazyLock<Regex> = LazyLock::new(|| {
    pattern::exact(
        r"(?x)(?-u:\b)(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,?\s\p{Lu}[a-z]{2,8}\.?\s\d{1,2},\s(?:19|20)\d\d
          | ,\s(?:on\s)?\p{Lu}[a-z]{2,8}\.?\s\d{1,2},\s(?:19|20)\d\d\.$
          | (?-u:\b)in\sthis\s(?:file|undated|still|image|photo|combination)",
    )
});
static UNNAMED: LazyLock<Regex> = LazyLock::new(|| {
    pattern::exact(
        r"(?-u:\b)(?:he|she|they)\s(?:said|says|added|wrote|told|continued|explained|tweeted|noted)(?-u:\b)",
    )
});
static DEPENDENT: LazyLock<FxHashSet<&'static str>> = LazyLock::new(|| {
    table::lines(include_str!("../../data/compose/dependent.txt"))
        .flat_map(str::split_whitespace)
        .collect()
});
static FIRST_PERSON: LazyLock<FxHashSet<&'static str>> = LazyLock::new(|| {
    table::lines(include_str!("../../data/compose/first_person.txt"))
        .flat_map(str::split_whitespace)
        .collect()
});

/// What wrongly decoded text looks like.
const MOJIBAKE: [&str; 6] = ["â€", "Ã©", "Ã¨", "â ", "Â ", "\u{fffd}"];

/// An article as a brief reads it. It is the same for each revision, so it is built once.
#[derive(Clone, Debug)]
pub struct Reading {
    pub(super) headline: Headline,
    /// Read when first needed.
    sentences: OnceLock<Vec<Sentence>>,
}

/// The headline of an article.
#[derive(Clone, Debug)]
pub(super) struct Headline {
    /// Without words that only draw attention. Empty if nothing is left.
    pub(super) text: String,
    /// Ascending and distinct, with their rarity.
    pub(super) terms: Vec<(u32, f32)>,
    pub(super) figures: Vec<Figure>,
}

/// A sentence that may be printed.
#[derive(Clone, Debug)]
pub(super) struct Sentence {
    pub(super) text: String,
    /// Its number among the sentences of its article, counting those that may not be printed.
    pub(super) position: usize,
    /// The terms that it contains, ascending and distinct, with their rarity.
    pub(super) terms: Vec<(u32, f32)>,
    /// Those of the first [`COMPARED`] sentences.
    pub(super) figures: Vec<Figure>,
    /// Depends on the sentence before it.
    pub(super) dependent: bool,
    /// Refers to its subject as already known, as `The company said` does.
    pub(super) definite: bool,
    /// Begins with quoted speech.
    pub(super) speech: bool,
    pub(super) words: usize,
}

impl Reading {
    /// Reads an article.
    pub fn of(article: &Article) -> Self {
        let reading = Self::deferred(article);
        reading.sentences(article);
        reading
    }

    /// Reads the headline. The sentences are read when first needed, which for most articles of a large story is never.
    pub fn deferred(article: &Article) -> Self {
        let text = headline::clean(&article.title);
        Self {
            headline: Headline {
                terms: terms::distinct(&text),
                figures: figures(&text),
                text,
            },
            sentences: OnceLock::new(),
        }
    }

    /// The sentences of the article that was read, in order: those of the teaser, then those of the body.
    pub(super) fn sentences(&self, article: &Article) -> &[Sentence] {
        self.sentences.get_or_init(|| sentences(article))
    }
}

/// The sentences that may be printed. One that repeats an earlier one is left out.
fn sentences(article: &Article) -> Vec<Sentence> {
    let mut found: Vec<Sentence> = Vec::new();
    let mut take = |text: &str, position: usize| {
        let Some(mut sentence) = judge(text) else {
            return;
        };
        let is_new = |other: &Sentence| terms::shared(&sentence.terms, &other.terms) <= 0.85;
        if found.iter().all(is_new) {
            sentence.position = position;
            if position < COMPARED {
                sentence.figures = figures(&sentence.text);
            }
            found.push(sentence);
        }
    };
    let teaser = teaser_sentences(&article.description);
    for (position, text) in teaser.iter().enumerate().take(SENTENCES) {
        take(text, position);
    }
    let body = sentence::split(opening(&article.body, BYTES));
    for (position, text) in (teaser.len()..SENTENCES).zip(body) {
        take(text, position);
    }
    found
}

/// The beginning of a text, at most `bytes` long.
fn opening(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// A teaser often lacks its last full stop. If it is short and ends in a plain word, it is complete all the same.
fn teaser_sentences(description: &str) -> Vec<String> {
    let mut sentences: Vec<String> = sentence::split(description)
        .into_iter()
        .map(str::to_owned)
        .collect();
    let whole = sentences.len() == 1 && description.trim().len() <= 180;
    if let Some(last) = sentences.last_mut()
        && !wording::is_ended(last)
        && whole
        && last.chars().next_back().is_some_and(char::is_alphanumeric)
        && last.split_whitespace().count() >= 7
    {
        last.push('.');
    }
    sentences
}

/// The sentence, if it may be printed.
fn judge(text: &str) -> Option<Sentence> {
    if text.len() < 30 || text.len() > 600 {
        return None;
    }
    let mut text = wording::line(text);
    if let Some(found) = DATELINE.find(&text) {
        text.drain(..found.end());
    }
    while text.ends_with("..") && !text.ends_with("...") {
        text.pop();
    }
    let length = text.chars().count();
    let words = text.split(' ').count();
    let first = text.chars().next()?;
    let complete = wording::is_ended(&text) && !text.contains('…') && !text.contains("...");
    // Scripts without spaces say more in fewer characters.
    let spaceless = words * 12 < length;
    let sized = if spaceless {
        (12..=160).contains(&length)
    } else {
        (40..=340).contains(&length) && words >= 6
    };
    let opened = first.is_uppercase()
        || first.is_numeric()
        || "“\"‘'«$£€₹".contains(first)
        || (!first.is_lowercase() && first.is_alphabetic());
    if !complete
        || !sized
        || !opened
        || text.ends_with('?')
        || text.ends_with('!')
        || !is_balanced(&text)
        || is_shouting(&text)
    {
        return None;
    }
    if text.contains([
        '|', '•', '►', '@', '#', '{', '}', '[', ']', '<', '>', '=', '_', '\\',
    ]) || text.contains(" // ")
        || MOJIBAKE.iter().any(|broken| text.contains(broken))
    {
        return None;
    }
    if REFUSED.is_match(&text) || CAPTION.is_match(&text) || speaks_in_first_person(&text) {
        return None;
    }
    let terms = terms::distinct(&text);
    if terms.len() < 4 {
        return None;
    }
    let opening: String = text
        .trim_start_matches(|character: char| !character.is_alphanumeric())
        .chars()
        .take_while(|character| character.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    Some(Sentence {
        dependent: DEPENDENT.contains(opening.as_str()) || UNNAMED.is_match(&text),
        definite: is_definite(&text),
        speech: "“\"‘«".contains(first),
        figures: Vec::new(),
        text,
        position: 0,
        terms,
        words,
    })
}

/// Whether a sentence opens with an article, a single plain noun, and a verb or something the noun owns. Which company
/// or which move is meant is then stated earlier. A noun with a further qualifier, such as `The price of oil`, needs no
/// earlier sentence.
fn is_definite(text: &str) -> bool {
    const VERBS: [&str; 23] = [
        "is", "are", "was", "were", "has", "have", "had", "will", "would", "can", "could", "may",
        "might", "must", "should", "do", "does", "did", "said", "says", "also", "now", "then",
    ];
    // After a plural noun: `The oil prices rose`, `The makers of it`.
    const BEHIND_NOUNS: [&str; 6] = ["of", "in", "for", "who", "that", "which"];
    let mut words = text.split(' ');
    let (Some("The"), Some(noun), Some(verb), Some(next)) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return false;
    };
    let is_plain = |word: &str| word.len() > 2 && word.chars().all(char::is_lowercase);
    let owner = noun.strip_suffix("'s").or(noun.strip_suffix("’s"));
    if let Some(owner) = owner.filter(|owner| is_plain(owner)) {
        // There is only one world, and `the city's largest bank` identifies itself.
        let is_only = owner == "world" || verb.ends_with("st") || verb == "only";
        return !is_only;
    }
    let is_noun = is_plain(noun)
        && !noun.ends_with("ly")
        && !noun.ends_with("est")
        && model::cardinal(noun).is_none();
    let is_inflected = is_plain(verb)
        && (verb.ends_with("ed")
            || verb.ends_with('s')
                && !verb.ends_with("ss")
                && !next.ends_with("ed")
                && !VERBS.contains(&next)
                && !BEHIND_NOUNS.contains(&next));
    is_noun && (VERBS.contains(&verb) || is_inflected)
}

fn is_balanced(text: &str) -> bool {
    let count = |sign: char| text.matches(sign).count();
    count('“') == count('”')
        && count('"').is_multiple_of(2)
        && count('«') == count('»')
        && count('(') == count(')')
}

fn is_shouting(text: &str) -> bool {
    let upper = text
        .chars()
        .filter(|character| character.is_uppercase())
        .count();
    let lower = text
        .chars()
        .filter(|character| character.is_lowercase())
        .count();
    upper > 8 && upper > lower
}

/// Whether the writer uses the first person or addresses the reader. Text in quotation marks is somebody else's.
fn speaks_in_first_person(text: &str) -> bool {
    let mut quoted = false;
    let mut outside = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '“' | '«' => quoted = true,
            '”' | '»' => quoted = false,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '’' => outside.push('\''),
            _ => outside.extend(character.to_lowercase()),
        }
    }
    // `US` and `U.S.` are a country.
    let country = text.contains("US ") || text.contains("US.") || text.contains("US-");
    outside
        .split(|character: char| !character.is_alphanumeric() && character != '\'')
        .any(|word| FIRST_PERSON.contains(word) && !(word == "us" && country))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        for pattern in [&REFUSED, &DATELINE, &CAPTION, &UNNAMED] {
            LazyLock::force(pattern);
        }
    }

    #[test]
    fn where_and_when_a_report_was_written_is_not_printed() {
        let said = "Northwind plans to open a yard in Velden next year.";
        for line in [
            "TOKYO, May 1 : ",
            "May 8 : ",
            "SANTA CLARA, California, April 22 - ",
            "GEORGE TOWN, Cayman Islands, May 06, 2026 (GLOBE NEWSWIRE) -- ",
            "London, May 6, 2026 – ",
            "BEIJING (Sputnik) - ",
        ] {
            let sentence = judge(&format!("{line}{said}")).unwrap();
            assert_eq!(sentence.text, said, "{line}");
        }
        for text in [
            "Northwind said on May 6, 2026 that it would open a yard in Velden.",
            "May 8 is the day on which Northwind opens its yard in Velden.",
        ] {
            assert_eq!(judge(text).unwrap().text, text);
        }
    }

    #[test]
    fn a_noun_alone_is_spoken_of_as_known() {
        for (text, expected) in [
            ("The company also announced a contract.", true),
            ("The deal represents the final step.", true),
            ("The bank will decide in May.", true),
            ("The company's shares fell by a tenth.", true),
            ("The world’s top bank said so.", false),
            ("The price of oil rose on Monday.", false),
            ("The oil prices have risen on Monday.", false),
            ("The makers of it were fined.", false),
            ("The Velden bank said so on Monday.", false),
            ("The two sides met on Monday.", false),
            ("Northwind said so on Monday.", false),
            ("The company", false),
        ] {
            assert_eq!(is_definite(text), expected, "{text}");
        }
    }
}

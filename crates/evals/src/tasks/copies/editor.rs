//! What other outlets do to a text that they take over.

use crate::articles::Labelled;
use crate::random::Random;

/// From headline and body to edited ones.
pub(super) type Edit = fn(&str, &str, &mut Random) -> (String, String);

pub(super) const BODY_EDITS: &[(&str, Edit)] = &[
    ("outlet in the headline, byline and dateline", byline),
    ("another headline", another_headline),
    ("first sentence rewritten", new_lead),
    ("last 30 % cut off", truncated),
    ("a fifth of the paragraphs or sentences left out", thinned),
    ("one word in fifteen changed", words_changed),
    (
        "byline, cut and one word in twenty-five changed",
        everything,
    ),
];

pub(super) const HEADLINE_EDITS: &[(&str, Edit)] = &[
    ("outlet appended", outlet_appended),
    ("one word changed", one_word_changed),
    ("a word left out", one_word_left_out),
    ("another case and punctuation", recased),
];

const OUTLETS: [&str; 4] = [
    "Daily Example",
    "Example Times",
    "Channel Example",
    "Example Post",
];
const SYNONYMS: [&str; 6] = [
    "reportedly",
    "meanwhile",
    "officials",
    "nearby",
    "roughly",
    "earlier",
];

fn byline(title: &str, body: &str, random: &mut Random) -> (String, String) {
    let outlet = OUTLETS[random.below(OUTLETS.len())];
    (
        format!("{title} - {outlet}"),
        format!(
            "EXAMPLE CITY, March 5 ({outlet}) - By our own correspondent.\n\n{body}\n\nRead more at {outlet}."
        ),
    )
}

fn another_headline(_: &str, body: &str, _: &mut Random) -> (String, String) {
    let words: Vec<&str> = body.split_whitespace().take(9).collect();
    (words.join(" "), body.to_owned())
}

fn new_lead(title: &str, body: &str, _: &mut Random) -> (String, String) {
    let rest = body.split_once(". ").map_or(body, |(_, rest)| rest);
    (
        title.to_owned(),
        format!(
            "Here is what has become known in the matter so far, as several agencies report on the day. {rest}"
        ),
    )
}

fn truncated(title: &str, body: &str, _: &mut Random) -> (String, String) {
    let words: Vec<&str> = body.split(' ').collect();
    (title.to_owned(), words[..words.len() * 7 / 10].join(" "))
}

fn thinned(title: &str, body: &str, random: &mut Random) -> (String, String) {
    let separator = if body.matches("\n\n").count() >= 5 {
        "\n\n"
    } else {
        ". "
    };
    let kept: Vec<&str> = body
        .split(separator)
        .filter(|_| random.below(5) > 0)
        .collect();
    (title.to_owned(), kept.join(separator))
}

fn words_changed(title: &str, body: &str, random: &mut Random) -> (String, String) {
    (title.to_owned(), changed(body, 15, random))
}

fn everything(title: &str, body: &str, random: &mut Random) -> (String, String) {
    let (title, body) = byline(title, body, random);
    let (title, body) = truncated(&title, &body, random);
    (title, changed(&body, 25, random))
}

/// The text with one word in `every` replaced.
fn changed(text: &str, every: usize, random: &mut Random) -> String {
    let words: Vec<&str> = text
        .split(' ')
        .map(|word| {
            if random.below(every) == 0 {
                SYNONYMS[random.below(SYNONYMS.len())]
            } else {
                word
            }
        })
        .collect();
    words.join(" ")
}

fn outlet_appended(title: &str, _: &str, random: &mut Random) -> (String, String) {
    (
        format!("{title} - {}", OUTLETS[random.below(OUTLETS.len())]),
        String::new(),
    )
}

fn one_word_changed(title: &str, _: &str, random: &mut Random) -> (String, String) {
    let mut words: Vec<&str> = title.split(' ').collect();
    let at = random.below(words.len());
    words[at] = SYNONYMS[random.below(SYNONYMS.len())];
    (words.join(" "), String::new())
}

fn one_word_left_out(title: &str, _: &str, random: &mut Random) -> (String, String) {
    let mut words: Vec<&str> = title.split(' ').collect();
    words.remove(random.below(words.len()));
    (words.join(" "), String::new())
}

fn recased(title: &str, _: &str, _: &mut Random) -> (String, String) {
    (
        title.to_uppercase().replace([',', '\'', '’'], ""),
        String::new(),
    )
}

/// The runs of three words of a text, as hashes, ascending: computed apart from what is measured.
pub(super) fn wording(article: &Labelled) -> Vec<u64> {
    use std::hash::{BuildHasher, BuildHasherDefault};
    let text = if article.body.is_empty() {
        &article.title
    } else {
        &article.body
    };
    let words: Vec<String> = text::token::words(text).map(str::to_lowercase).collect();
    let length = if article.body.is_empty() { 1 } else { 3 };
    let hasher = BuildHasherDefault::<rustc_hash::FxHasher>::default();
    let mut runs: Vec<u64> = words
        .windows(length)
        .map(|run| hasher.hash_one(run))
        .collect();
    runs.sort_unstable();
    runs.dedup();
    runs
}

/// The share of the shorter text that the other one has too.
pub(super) fn shared(left: &[u64], right: &[u64]) -> f64 {
    let both = left
        .iter()
        .filter(|run| right.binary_search(run).is_ok())
        .count();
    both as f64 / left.len().min(right.len()).max(1) as f64
}

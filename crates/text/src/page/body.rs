//! The text of an article.

use super::readers;
use crate::clean::{is_furniture, without_tail};
use crate::{markup, token};

/// Up to this many words, a line without a full stop is a label, a link or a heading.
const LONGEST_LABEL: usize = 25;

/// More labels than this at one end form a list that belongs to the article.
const MOST_LABELS: usize = 6;

/// A paragraph is recognised in another text by this many of its first letters and digits.
const RECOGNISED_BY: usize = 60;

/// Shorter paragraphs appear in many places on a page by chance.
const TELLING: usize = 40;

/// The readable paragraphs of a page, separated by a blank line. Empty if there are none.
pub(super) fn parse(html: &str, url: Option<&str>, title: &str, claimed: Option<&str>) -> String {
    let complete = tidy(&readers::complete(html, url), title);
    let strict = tidy(&readers::strict(html), title);
    let found = if complete.is_empty() {
        strict
    } else {
        ended(&complete, &strict).to_owned()
    };
    let claimed = claimed
        .map(|text| tidy(&markup::strip(text), title))
        .unwrap_or_default();
    choose(found, claimed)
}

/// The text up to the last paragraph that the stricter extractor also found. Anything after it is teasers for other
/// articles, lists of sources or forms. Returns the whole text if the two have no paragraph in common.
fn ended<'text>(complete: &'text str, strict: &str) -> &'text str {
    let strict = squeeze(strict);
    let mut end = None;
    let mut at = 0;
    for paragraph in complete.split("\n\n") {
        at += paragraph.len();
        let mut key = squeeze(paragraph);
        if let Some((cut, _)) = key.char_indices().nth(RECOGNISED_BY) {
            key.truncate(cut);
        }
        if key.len() >= TELLING && strict.contains(&key) {
            end = Some(at);
        }
        at += 2;
    }
    end.map_or(complete, |end| &complete[..end])
}

/// The publisher's own text, if the extractor found little of it. It is often no more than a teaser, so it does not
/// replace a longer text.
fn choose(found: String, claimed: String) -> String {
    let (found_words, claimed_words) =
        (token::words(&found).count(), token::words(&claimed).count());
    if claimed_words >= 60 && claimed_words > 2 * found_words {
        claimed
    } else {
        found
    }
}

/// Paragraphs without page furniture, repetition and the headline, and without the labels before the first sentence and
/// after the last one.
fn tidy(text: &str, title: &str) -> String {
    let headline = squeeze(title);
    let mut seen = rustc_hash::FxHashSet::default();
    let mut kept: Vec<String> = Vec::new();
    for paragraph in text.split('\n') {
        let paragraph = without_tail(paragraph.trim())
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        let key = squeeze(&paragraph);
        if key.is_empty() || key == headline || is_furniture(&paragraph) || is_shouted(&paragraph) {
            continue;
        }
        if seen.insert(key) {
            kept.push(paragraph);
        }
    }
    let rows = kept.iter().filter(|paragraph| is_row(paragraph)).count();
    if rows * 2 < kept.len() {
        kept.retain(|paragraph| !is_row(paragraph));
    }
    let first = kept
        .iter()
        .position(|paragraph| !is_label(paragraph))
        .unwrap_or(0);
    let end = kept
        .iter()
        .rposition(|paragraph| !is_label(paragraph))
        .map_or(kept.len(), |last| last + 1);
    let first = if first <= MOST_LABELS { first } else { 0 };
    let announced = end
        .checked_sub(1)
        .and_then(|last| kept.get(last))
        .is_some_and(|last| last.ends_with(':'));
    let behind = kept.get(end..).unwrap_or_default();
    let labels = behind.iter().filter(|paragraph| !is_row(paragraph)).count();
    let end = if labels <= MOST_LABELS && !announced {
        end
    } else {
        kept.len()
    };
    kept.get(first..end).unwrap_or_default().join("\n\n")
}

/// A table row: figures without a sentence.
fn is_row(paragraph: &str) -> bool {
    paragraph.contains(" | ") && is_label(paragraph)
}

/// A link in capitals, which some outlets put between paragraphs.
fn is_shouted(paragraph: &str) -> bool {
    let letters = || {
        paragraph
            .chars()
            .filter(|character| character.is_alphabetic())
    };
    let capitals = letters()
        .filter(|character| character.is_uppercase())
        .count();
    is_label(paragraph)
        && paragraph.split(' ').count() >= 4
        && capitals * 10 >= letters().count() * 8
}

/// A short line that is not a sentence.
fn is_label(paragraph: &str) -> bool {
    let end = paragraph.trim_end_matches(['"', '”', '’', '\'', ')', ']', '»', '*', ' ']);
    let is_sentence = end.ends_with(['.', '!', '?', ':', '…', '。', '！', '？', ';', '।', '؟']);
    !is_sentence && token::words(paragraph).count() <= LONGEST_LABEL
}

fn squeeze(text: &str) -> String {
    text.chars()
        .filter(|character| character.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn furniture_rows_and_labels_go() {
        let text = "The headline\nBy Jane Doe\n3 March\nThe first sentence of the text.\nA heading\nThe second one.\nName | 3 | 4\nREAD THE WHOLE STORY OF THIS\nThe third \"one.\"\nAdvertisement\nThe first sentence of the text.\nAnother story we wrote\nSports";
        assert_eq!(
            tidy(text, "The Headline"),
            "The first sentence of the text.\n\nA heading\n\nThe second one.\n\nThe third \"one.\""
        );
        assert_eq!(tidy("", ""), "");
    }

    #[test]
    fn a_table_behind_the_text_goes() {
        let text = format!(
            "The only sentence of it.\n{}",
            "Iron | 3 mg\nZinc | 4 mg\n".repeat(9)
        );
        assert_eq!(tidy(&text, ""), "The only sentence of it.");
    }

    #[test]
    fn the_text_ends_where_both_readings_end() {
        let (first, second) = (
            "The first paragraph, which both readings of the page found.",
            "The second paragraph, where one of them has lost half of it.",
        );
        let (last, other) = (
            "The last paragraph of the article, which both have again.",
            "Five reasons to read this other article that we have written too.",
        );
        let complete = [first, second, last, other].join("\n\n");
        assert_eq!(
            ended(&complete, &format!("{first}\n\n{last}")),
            [first, second, last].join("\n\n")
        );
        assert_eq!(ended(&complete, "Nothing in common."), complete);
        assert_eq!(ended(&complete, ""), complete);
    }

    #[test]
    fn the_longer_text_wins() {
        let long = "word ".repeat(90);
        assert_eq!(choose("few words".into(), long.clone()), long);
        assert_eq!(choose(long.clone(), "few words".into()), long);
    }
}

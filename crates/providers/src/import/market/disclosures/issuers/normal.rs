//! The form in which issuer names are compared, and the words that it is made of.

use std::sync::LazyLock;

use model::table;
use rustc_hash::{FxHashMap, FxHashSet};
use text::company;

/// Longer names are cut: no real name is longer.
const LONGEST_NAME: usize = 200;

/// Words that are dropped, depending on where they occur: `dropped` anywhere, `place` at the end.
static WORDS: LazyLock<FxHashSet<[&str; 2]>> = LazyLock::new(|| {
    table::rows(include_str!(
        "../../../../../data/disclosures/issuer_words.tsv"
    ))
    .collect()
});

/// The usual abbreviations in the official list of 13F securities, and what they stand for.
static ABBREVIATIONS: LazyLock<FxHashMap<&str, &str>> = LazyLock::new(|| {
    table::rows(include_str!(
        "../../../../../data/disclosures/issuer_abbreviations.tsv"
    ))
    .map(|[short, long]| (short, long))
    .collect()
});

/// The letter of a share class: `CL A`, `CLASS A`, `CAP STK CL C`, `COMMON STOCK A`.
pub(super) fn letter_of(class: &str) -> Option<char> {
    let words: Vec<String> = words(class);
    let is_mark = |word: &str| {
        matches!(
            word,
            "CL" | "CLASS" | "SERIES" | "SER" | "STOCK" | "SHS" | "COM"
        )
    };
    words.windows(2).find_map(|pair| {
        let mut letters = pair[1].chars();
        let letter = letters.next().filter(char::is_ascii_alphabetic)?;
        (is_mark(&pair[0]) && letters.next().is_none()).then_some(letter)
    })
}

fn words(text: &str) -> Vec<String> {
    // `/DE/`, `/NEW/` and `\DE\` say where an issuer is incorporated.
    let text: String = text.chars().take(LONGEST_NAME).collect();
    let mut text = text.to_uppercase();
    while let Some(start) = text.find(['/', '\\']) {
        let rest = &text[start + 1..];
        let length = rest.find(['/', '\\']).unwrap_or(rest.len());
        if length > 4 {
            text.replace_range(start..=start, " ");
        } else {
            let end = (start + 1 + length + 1).min(text.len());
            text.replace_range(start..end, " ");
        }
    }
    text.replace(".COM", " COM")
        .replace(['\'', '.', '’'], "")
        .replace("&AMP;", "&")
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(ToOwned::to_owned)
        .collect()
}

/// A name as used for comparison.
pub(super) struct NormalForm {
    /// Its words without spaces, as filers differ in where they put them.
    pub(super) key: String,
    /// Its words in alphabetical order.
    pub(super) sorted: String,
    /// The letter of a class that is part of it.
    pub(super) letter: Option<char>,
}

pub(super) fn normal_form(name: &str) -> NormalForm {
    let letter = letter_of(name);
    let mut words = words(name);
    if letter.is_some()
        && let Some(mark) = words
            .iter()
            .position(|word| matches!(word.as_str(), "CL" | "CLASS"))
    {
        words.truncate(mark);
    }
    while words.len() > 1
        && words
            .last()
            .is_some_and(|word| WORDS.contains(&["place", word.as_str()]))
    {
        words.pop();
    }
    let kept: Vec<&str> = words
        .iter()
        .map(|word| ABBREVIATIONS.get(word.as_str()).copied().unwrap_or(word))
        .filter(|word| {
            !WORDS.contains(&["dropped", *word]) && !company::is_legal_form(&word.to_lowercase())
        })
        .collect();
    // A name that consists only of such words, such as `THE TRUST CO`, is compared as it is.
    let mut kept: Vec<&str> = if kept.is_empty() {
        words.iter().map(String::as_str).collect()
    } else {
        kept
    };
    let key = kept.concat();
    kept.sort_unstable();
    NormalForm {
        key,
        sorted: kept.join(" "),
        letter,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sound() {
        let words = include_str!("../../../../../data/disclosures/issuer_words.tsv");
        assert_eq!(table::fault(words, 2, 2), None);
        assert!(table::rows(words).all(|[kind, _]| matches!(kind, "dropped" | "place")));
        let short = include_str!("../../../../../data/disclosures/issuer_abbreviations.tsv");
        assert_eq!(table::fault(short, 2, 1), None);
    }
}

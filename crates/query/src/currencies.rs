//! Currencies by the words, codes and signs that questions use.

use std::ops::Range;
use std::sync::LazyLock;

use model::table;

use crate::words::Word;

const FILE: &str = include_str!("../data/currencies.tsv");
/// Longest phrase in words.
const LONGEST: usize = 3;

/// Phrases of words with their codes.
static PHRASES: LazyLock<Vec<(Vec<&str>, &str)>> = LazyLock::new(|| {
    table::rows(FILE)
        .flat_map(|[code, _, phrases]| {
            let phrases = phrases.split('|');
            phrases.map(move |phrase| (phrase.split(' ').collect(), code))
        })
        .collect()
});

/// A currency named in a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) code: &'static str,
    pub(crate) words: Range<usize>,
}

/// The name of a currency for use in sentences; its code if it has none.
pub fn currency_name(code: &str) -> &str {
    let mut all = table::rows(FILE);
    all.find(|[known, _, _]| *known == code)
        .map_or(code, |[_, name, _]| name)
}

/// The currencies of a question in order; a sign belongs to the number after or before it.
pub(crate) fn find(text: &str, words: &[Word]) -> Vec<Named> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let phrase = (1..=LONGEST).rev().find_map(|length| {
            let slice = words.get(at..at + length)?;
            let mut all = PHRASES.iter();
            let (_, code) = all.find(|(phrase, _)| {
                phrase.len() == length && slice.iter().zip(phrase).all(|(word, one)| word.is(one))
            })?;
            Some((*code, at..at + length))
        });
        if let Some((first, second)) = joined(&words[at].lower) {
            for code in [first, second] {
                found.push(Named {
                    code,
                    words: at..at + 1,
                });
            }
            at += 1;
            continue;
        }
        let signed = || Some((sign(text, &words[at])?, at..at + 1));
        match phrase.or_else(signed) {
            Some((code, range)) => {
                at = range.end;
                found.push(Named { code, words: range });
            }
            None => at += 1,
        }
    }
    found
}

/// `eurjpy`: two codes in one word.
fn joined(word: &str) -> Option<(&'static str, &'static str)> {
    let (first, second) = (word.len() == 6).then(|| word.split_at_checked(3))??;
    let code = |text: &str| {
        let mut all = table::rows(FILE).map(|[code, _, _]| code);
        all.find(|known| known.eq_ignore_ascii_case(text))
    };
    Some((code(first)?, code(second)?))
}

/// The currency of the sign next to a number: `€100`, `100€`.
fn sign(text: &str, word: &Word) -> Option<&'static str> {
    if !word.is_number() {
        return None;
    }
    let before = text[..word.bytes.start].chars().next_back();
    let after = text[word.bytes.end..].chars().next();
    [before, after].into_iter().flatten().find_map(|sign| {
        let mut letters = [0; 4];
        let sign: &str = sign.encode_utf8(&mut letters);
        let mut all = PHRASES.iter();
        all.find(|(phrase, _)| phrase[..] == [sign] && !sign.starts_with(char::is_alphanumeric))
            .map(|(_, code)| *code)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words;

    #[test]
    fn the_table_is_sound() {
        assert_eq!(table::fault(FILE, 3, 1), None);
        let mut seen = std::collections::BTreeSet::new();
        for (phrase, _) in &*PHRASES {
            assert!(phrase.len() <= LONGEST, "{phrase:?}");
            assert!(seen.insert(phrase.clone()), "{phrase:?}");
        }
    }

    #[test]
    fn words_codes_and_signs_name_currencies() {
        for (text, expected) in [
            ("100 euros in yen", &["EUR", "JPY"][..]),
            ("£750 to Swiss francs", &["GBP", "CHF"]),
            ("hong kong dollars per us dollar", &["HKD", "USD"]),
            ("20€ in USD", &["EUR", "USD"]),
            ("EURJPY", &["EUR", "JPY"]),
            ("price of $AAPL", &[]),
        ] {
            let named = find(text, &words::cut(text));
            let codes: Vec<&str> = named.iter().map(|one| one.code).collect();
            assert_eq!(codes, expected, "{text}");
        }
        assert_eq!(currency_name("JPY"), "Japanese yen");
    }
}

//! Countries and regions mentioned in a text, by their names and by the words for their people and things.
//!
//! Words count only if they are capitalised: `us` and `polish` in lower case are other words.

use std::ops::Range;
use std::sync::LazyLock;

use model::table;
use rustc_hash::FxHashMap;

/// A place where a text mentions it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Such as `Thailand`, even if the text says `Thai`.
    pub name: &'static str,
    /// Its byte range in the text.
    pub bytes: Range<usize>,
}

/// Maximum number of words in a place name.
const LONGEST: usize = 4;

/// Names and words in lower case, without dots.
static PLACES: LazyLock<FxHashMap<String, &'static str>> = LazyLock::new(|| {
    let mut places = FxHashMap::default();
    for line in table::lines(include_str!("../data/demonyms.tsv")) {
        let (name, words) = line.split_once('\t').unwrap_or((line, ""));
        places.insert(name.to_lowercase(), name);
        for word in words.split(' ').filter(|word| !word.is_empty()) {
            // If a word belongs to several places, the first one keeps it.
            places.entry(word.replace('-', " ")).or_insert(name);
        }
    }
    places
});

/// Each place's canonical name and the words for its people and things.
static WORDS: LazyLock<FxHashMap<&'static str, Vec<&'static str>>> = LazyLock::new(|| {
    table::lines(include_str!("../data/demonyms.tsv"))
        .map(|line| {
            let (name, words) = line.split_once('\t').unwrap_or((line, ""));
            (name, words.split_whitespace().collect())
        })
        .collect()
});

impl Place {
    /// Its name and the words for its people and things.
    pub fn words(&self) -> impl Iterator<Item = &'static str> {
        let words = WORDS.get(self.name).map_or(&[][..], Vec::as_slice);
        std::iter::once(self.name).chain(words.iter().copied())
    }
}

/// The places in a text, in order; of overlapping names the longer one.
pub fn named(text: &str) -> Vec<Place> {
    let words = words(text);
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let longest = (at + LONGEST).min(words.len());
        let hit = (at + 1..=longest).rev().find_map(|end| {
            let bytes = words[at].start..words[end - 1].end;
            let written = text.get(bytes.clone())?;
            if !written.starts_with(char::is_uppercase) {
                return None;
            }
            let plain: String = written
                .chars()
                .filter(|mark| *mark != '.')
                .collect::<String>()
                .to_lowercase();
            // `Us` at the start of a sentence is not a country.
            if plain.len() == 2
                && !written
                    .chars()
                    .filter(|mark| *mark != '.')
                    .all(char::is_uppercase)
            {
                return None;
            }
            let name = PLACES.get(plain.as_str())?;
            Some((end, Place { name, bytes }))
        });
        match hit {
            Some((end, place)) => {
                found.push(place);
                at = end;
            }
            None => at += 1,
        }
    }
    found
}

/// The words of a text; a dot belongs to a word if a letter follows it, as in `U.S`.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut start = None;
    for (at, mark) in text.char_indices() {
        let next = text[at + mark.len_utf8()..].chars().next();
        let is_inner_dot = mark == '.' && start.is_some() && next.is_some_and(char::is_alphabetic);
        if mark.is_alphanumeric() || is_inner_dot {
            start.get_or_insert(at);
        } else if let Some(from) = start.take() {
            words.push(from..at);
        }
    }
    words.extend(start.map(|from| from..text.len()));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_by_name_and_by_the_word_for_their_people() {
        let names = |text: &str| named(text).iter().map(|one| one.name).collect::<Vec<_>>();
        for (text, expected) in [
            ("Thailand’s SEC seeks feedback", vec!["Thailand"]),
            (
                "The Thai SEC and the U.S. SEC",
                vec!["Thailand", "United States"],
            ),
            (
                "South Korea and the South African court",
                vec!["South Korea"],
            ),
            ("They told us to polish it", vec![]),
            ("Us and them", vec![]),
            ("US sanctions on Iran", vec!["United States", "Iran"]),
        ] {
            let found = names(text);
            assert!(
                expected.iter().all(|one| found.contains(one))
                    && (expected.is_empty() == found.is_empty()),
                "{text}: {found:?}"
            );
        }
        let text = "In Thailand’s SEC";
        assert_eq!(&text[named(text)[0].bytes.clone()], "Thailand");
    }
}

//! Names in a claim and in a passage: which are repeated, and which appear where the claim has another.

use std::sync::LazyLock;

use model::{EntityKind, table};
use rustc_hash::{FxHashMap, FxHashSet};
use text::entities;
use text::features::stem_hash;
use text::statement::proposition::{Proposition, Word};

use super::turned::folded;
use crate::central_banks::{self, CentralBank};

/// Maximum number of names compared per text.
const MOST: usize = 40;

/// The sort of a name, as far as names can replace one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Person,
    Country,
    Place,
    Body,
    Unknown,
}

/// A name in a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Name {
    /// In lower case, as listed in the gazetteer.
    canonical: String,
    pub(super) sort: Sort,
    /// The stems of its words, with their rarity.
    stems: Vec<(u32, f32)>,
    /// Its first letters, and all its letters if it is written only in capitals.
    initials: String,
    capitals: Option<String>,
    /// The central bank whose name it is.
    bank: Option<CentralBank>,
}

/// The names in a text, and every word of it that may be part of one.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    pub(super) names: Vec<Name>,
    stems: FxHashSet<u32>,
    /// Keys of the countries that words in the text stand for.
    countries: FxHashSet<u16>,
    capitals: FxHashSet<String>,
    /// First letters of runs of capitalised words.
    initials: FxHashSet<String>,
    /// Central banks that it mentions by name or by their seat.
    pub(super) banks: FxHashSet<CentralBank>,
}

struct Countries {
    by_name: FxHashMap<String, u16>,
    by_word: FxHashMap<&'static str, Vec<u16>>,
}

static COUNTRIES: LazyLock<Countries> = LazyLock::new(|| {
    let mut countries = Countries {
        by_name: FxHashMap::default(),
        by_word: FxHashMap::default(),
    };
    for (key, line) in (0..).zip(table::lines(include_str!("../../data/demonyms.tsv"))) {
        let (name, words) = line.split_once('\t').unwrap_or((line, ""));
        countries.by_name.insert(name.to_lowercase(), key);
        for word in words.split(' ') {
            countries.by_word.entry(word).or_default().push(key);
        }
    }
    countries
});

impl Names {
    /// Reads the names in a sentence, in order.
    pub(super) fn read(sentence: &Proposition<'_>) -> Self {
        let mut found = Self::default();
        found.add_sentence(sentence);
        found
    }

    /// Adds the names of another sentence.
    pub(super) fn add(&mut self, other: &Self) {
        for name in &other.names {
            self.push(name.clone());
        }
        self.stems.extend(&other.stems);
        self.countries.extend(&other.countries);
        self.capitals.extend(other.capitals.iter().cloned());
        self.initials.extend(other.initials.iter().cloned());
        self.banks.extend(&other.banks);
    }

    fn add_sentence(&mut self, sentence: &Proposition<'_>) {
        let text = sentence.text;
        let spans = entities::spans("", text);
        let start = text.as_ptr() as usize;
        let mut covered: Vec<std::ops::Range<usize>> = Vec::new();
        for span in spans {
            let Some(written) = text.get(span.bytes.clone()) else {
                continue;
            };
            covered.push(span.bytes.clone());
            let words: Vec<&Word<'_>> = sentence
                .words
                .iter()
                .filter(|word| span.bytes.contains(&(word.text.as_ptr() as usize - start)))
                .collect();
            self.push(Name::new(
                &span.name.to_lowercase(),
                written,
                &words,
                sort(span.kind),
            ));
        }
        let mut run = String::new();
        for word in &sentence.words {
            let lower = plain(word.text);
            self.stems.extend(word.stem);
            // `us` and `polish` in lower case are other words.
            if word.text.starts_with(char::is_uppercase) {
                if let Some(keys) = COUNTRIES.by_word.get(lower.as_str()) {
                    self.countries.extend(keys);
                }
                self.countries.extend(COUNTRIES.by_name.get(&lower));
            }
            if let Some(capitals) = capitals(word.text) {
                self.capitals.insert(capitals);
            }
            if word.text.starts_with(char::is_uppercase) {
                run.extend(word.text.chars().next());
            } else if word.stem.is_some() {
                self.end_run(&mut run);
            }
            let at = word.text.as_ptr() as usize - start;
            if word.is_name && !covered.iter().any(|span| span.contains(&at)) {
                self.push(Name::of_word(word));
            }
        }
        self.end_run(&mut run);
        self.banks.extend(central_banks::meant(text));
        let known: Vec<u16> = self
            .names
            .iter()
            .filter_map(|name| COUNTRIES.by_name.get(&name.canonical).copied())
            .collect();
        self.countries.extend(known);
    }

    fn end_run(&mut self, run: &mut String) {
        if run.chars().count() >= 2 {
            self.initials.insert(run.to_lowercase());
        }
        run.clear();
    }

    fn push(&mut self, name: Name) {
        if self.names.len() < MOST
            && !self
                .names
                .iter()
                .any(|known| known.canonical == name.canonical)
        {
            self.names.push(name);
        }
    }

    /// Whether a text with these names mentions a name.
    pub(super) fn tells(&self, name: &Name) -> bool {
        if self
            .names
            .iter()
            .any(|other| other.canonical == name.canonical)
        {
            return true;
        }
        if name.keys().any(|key| self.countries.contains(&key)) {
            return true;
        }
        if name.bank.is_some_and(|bank| self.banks.contains(&bank)) {
            return true;
        }
        let of_letters =
            |letters: &String| (2..=6).contains(&letters.len()) && self.initials.contains(letters);
        if name.capitals.as_ref().is_some_and(of_letters)
            || name.initials.len() >= 2 && self.capitals.contains(&name.initials)
        {
            return true;
        }
        if name.sort == Sort::Person {
            return name
                .stems
                .last()
                .is_some_and(|(stem, _)| self.stems.contains(stem));
        }
        let all: f32 = name.stems.iter().map(|(_, rarity)| rarity).sum();
        let held: f32 = name
            .stems
            .iter()
            .enumerate()
            .filter(|(at, (stem, _))| self.stems.contains(stem) || self.is_shortened(name, *at))
            .map(|(_, (_, rarity))| rarity)
            .sum();
        all > 0.0 && held >= 0.6 * all
    }

    /// Whether the word at this place in a name appears here as one letter of an abbreviation: `B.C.` in
    /// `Court of Appeal of British Columbia`.
    fn is_shortened(&self, name: &Name, at: usize) -> bool {
        let letters: Vec<char> = name.initials.chars().collect();
        letters.len() == name.stems.len()
            && (0..=at).any(|start| {
                (at.max(start + 1) + 1..=letters.len()).any(|end| {
                    let run: String = letters[start..end].iter().collect();
                    self.capitals.contains(&run)
                })
            })
    }

    /// Whether the first name here is mentioned as the first name there, or as that of a later sentence.
    pub(super) fn first_is_first(&self, passage: &[Self]) -> bool {
        let Some(first) = self.names.first() else {
            return true;
        };
        passage.iter().any(|sentence| {
            sentence.names.first().is_some_and(|other| {
                let one = Self {
                    names: vec![other.clone()],
                    stems: other.stems.iter().map(|(stem, _)| *stem).collect(),
                    countries: other.keys().collect(),
                    capitals: other.capitals.iter().cloned().collect(),
                    initials: std::iter::once(other.initials.clone()).collect(),
                    banks: other.bank.into_iter().collect(),
                };
                one.tells(first)
            })
        })
    }

    /// Whether this text has a name of a sort that the other text does not mention.
    pub(super) fn has_other(&self, sort: Sort, other: &Self) -> bool {
        self.names
            .iter()
            .any(|name| name.sort == sort && !other.tells(name))
    }
}

impl Name {
    fn new(canonical: &str, written: &str, of: &[&Word<'_>], sort: Sort) -> Self {
        let words: Vec<&str> = written.split_whitespace().collect();
        let sort = if COUNTRIES.by_name.contains_key(canonical) {
            Sort::Country
        } else {
            sort
        };
        Self {
            canonical: canonical.to_owned(),
            sort,
            stems: of
                .iter()
                .filter_map(|word| Some((word.stem?, word.rarity)))
                .collect(),
            initials: words
                .iter()
                .filter_map(|word| word.chars().next())
                .filter(|first| first.is_uppercase())
                .collect::<String>()
                .to_lowercase(),
            capitals: match words[..] {
                [one] => capitals(one),
                _ => None,
            },
            bank: bank(written),
        }
    }

    /// Whether it names somebody who can do something to another, rather than a place.
    pub(super) fn is_actor(&self) -> bool {
        matches!(self.sort, Sort::Person | Sort::Body | Sort::Unknown)
    }

    /// Whether another name is this one, in full, shortened or by its first letters; for persons by the last word.
    /// `German` is no form of `Germany`: one cannot stand in place of the other.
    pub(super) fn is_form_of(&self, other: &Self) -> bool {
        let of_letters = |letters: &Option<String>, initials: &String| {
            initials.len() >= 2 && letters.as_ref() == Some(initials)
        };
        let has_all = |of: &Self, in_other: &Self| {
            let mut stems = of.stems.iter().map(|(stem, _)| stem);
            !of.stems.is_empty()
                && stems.all(|stem| in_other.stems.iter().any(|(known, _)| known == stem))
        };
        if self.sort == Sort::Country || other.sort == Sort::Country {
            return self.canonical == other.canonical;
        }
        self.canonical == other.canonical
            || of_letters(&other.capitals, &self.initials)
            || of_letters(&self.capitals, &other.initials)
            || match (self.sort, other.sort) {
                (Sort::Person, Sort::Person) => {
                    self.stems.last().map(|(stem, _)| stem)
                        == other.stems.last().map(|(stem, _)| stem)
                }
                (Sort::Person, _) | (_, Sort::Person) => false,
                _ => has_all(self, other) || has_all(other, self),
            }
    }

    /// In lower case, as listed in the gazetteer.
    pub(super) fn canonical(&self) -> &str {
        &self.canonical
    }

    /// Whether a word, in lower case without accents, with its stem, belongs to this name, is its first letters, or
    /// stands for the same country.
    pub(super) fn is_of(&self, word: &str, stem: Option<u32>) -> bool {
        let countries = COUNTRIES.by_word.get(word).map_or(&[][..], Vec::as_slice);
        let country = COUNTRIES.by_name.get(word);
        let mut own = self.keys();
        if own.any(|key| countries.contains(&key) || country == Some(&key)) {
            return true;
        }
        let is_short = self.initials.len() >= 2 && self.initials == word;
        is_short
            || self.stems.iter().any(|(known, _)| Some(*known) == stem)
            || self.canonical.split(' ').any(|part| folded(part) == word)
    }

    fn of_word(word: &Word<'_>) -> Self {
        let lower = plain(word.text);
        let is_country = COUNTRIES.by_word.contains_key(lower.as_str())
            || COUNTRIES.by_name.contains_key(&lower);
        Self {
            canonical: lower,
            sort: if is_country {
                Sort::Country
            } else {
                Sort::Unknown
            },
            stems: stem_hash(word.text)
                .map(|stem| (stem, word.rarity))
                .into_iter()
                .collect(),
            initials: String::new(),
            capitals: capitals(word.text),
            bank: bank(word.text),
        }
    }

    /// Keys of the countries that it may stand for.
    fn keys(&self) -> impl Iterator<Item = u16> {
        COUNTRIES
            .by_name
            .get(&self.canonical)
            .copied()
            .into_iter()
            .chain(
                COUNTRIES
                    .by_word
                    .get(self.canonical.as_str())
                    .into_iter()
                    .flatten()
                    .copied(),
            )
    }
}

/// The central bank for a name.
fn bank(written: &str) -> Option<CentralBank> {
    let found = central_banks::named(written);
    found.first().map(|mention| mention.bank)
}

const fn sort(kind: EntityKind) -> Sort {
    match kind {
        EntityKind::Person => Sort::Person,
        EntityKind::Location => Sort::Place,
        _ => Sort::Body,
    }
}

/// A word in lower case without dots.
fn plain(word: &str) -> String {
    word.to_lowercase().replace('.', "")
}

/// The letters of a word that is written only in capitals, in lower case.
fn capitals(word: &str) -> Option<String> {
    let letters: String = word.chars().filter(|letter| *letter != '.').collect();
    ((2..=6).contains(&letters.len()) && letters.chars().all(|letter| letter.is_ascii_uppercase()))
        .then(|| letters.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Names {
        Names::read(&Proposition::parse(text))
    }

    #[test]
    fn a_name_is_told_in_many_ways() {
        for (claim, passage) in [
            (
                "The Court of Appeal of British Columbia ruled",
                "B.C. Court of Appeal says",
            ),
            ("Prices in Britain rose", "UK prices rose"),
            ("A Scot linked to it", "prices in Scotland"),
            ("India's Supreme Court ruled", "SC rules in India"),
            ("Alec Karakatsanis said", "Karakatsanis had said"),
            (
                "The ECB raised rates",
                "Rate-setters in Frankfurt raised rates",
            ),
            (
                "The Riksbank cut its rate",
                "Sweden's central bank cut its rate",
            ),
        ] {
            let (here, there) = (names(claim), names(passage));
            for name in &here.names {
                assert!(there.tells(name), "{claim} {passage} {name:?}");
            }
        }
    }

    #[test]
    fn another_name_is_not_told() {
        let (here, there) = (
            names("The United States banned it"),
            names("Germany told us"),
        );
        assert!(!there.tells(&here.names[0]));
        let (here, there) = (names("A mosque in Karachi"), names("A mosque in Peshawar"));
        assert!(!there.tells(&here.names[0]));
        assert!(there.has_other(here.names[0].sort, &here));
    }
}

//! The names of everything that is listed, indexed so that a text is compared only with those it may mean.

use std::sync::Arc;

use model::{InstrumentKey, Market, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};
use text::company::known_names;

use super::fit::{Fit, Name, Spelling, Wanted, leads, without_and};
use crate::market::Listing;

/// The maximum number of names that a text is compared with.
const MOST_COMPARED: usize = 1_000;
/// The number of words in a name for which beginnings are kept.
const LONGEST_LEAD: usize = 4;

/// What the index is built from for each listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::market) struct Named {
    key: InstrumentKey,
    name: String,
    classes: Arc<[Symbol]>,
}

impl Named {
    pub(in crate::market) fn new(listing: &Listing) -> Self {
        Self {
            key: listing.instrument.key(),
            name: listing.instrument.entity_name().to_owned(),
            classes: Arc::clone(&listing.classes),
        }
    }
}

/// A beginning of names in whole words, joined without spaces.
#[derive(Debug)]
struct Lead {
    spelling: Spelling,
    names: Vec<usize>,
}

/// Every name by its words, its beginnings and its symbol.
#[derive(Debug, Default)]
pub(in crate::market) struct NameIndex {
    listed: Vec<Named>,
    /// Each with the position of its listing.
    names: Vec<(usize, Name)>,
    leads: Vec<Lead>,
    /// Positions of leads by their letters.
    by_letters: FxHashMap<String, usize>,
    /// Words with the names that contain them, in order; names that begin with the word come first.
    by_word: Vec<(String, bool, usize)>,
    by_symbol: FxHashMap<String, Vec<usize>>,
}

impl NameIndex {
    /// Builds the index from these, in the order of their keys.
    pub(in crate::market) fn new(mut listed: Vec<Named>) -> Self {
        listed.sort_unstable_by(|left, right| left.key.cmp(&right.key));
        let mut called: FxHashMap<(&str, bool), Vec<&str>> = FxHashMap::default();
        for known in known_names() {
            let names = called.entry((known.symbol, known.is_coin)).or_default();
            names.push(known.name);
        }
        let mut index = Self::default();
        for (place, named) in listed.iter().enumerate() {
            let symbol = named.key.symbol.as_str();
            let same = index.by_symbol.entry(symbol.to_owned()).or_default();
            same.push(place);
            index.enter(place, Name::new(&named.name, false));
            let is_coin = named.key.market == Market::Crypto;
            for name in called.get(&(symbol, is_coin)).into_iter().flatten() {
                // The symbol of another class means that class.
                let is_other_class = named.classes.iter().any(|class| class.as_str() == *name);
                if !is_other_class {
                    index.enter(place, Name::new(name, true));
                }
            }
        }
        drop(called);
        index.by_word.sort_unstable();
        index.listed = listed;
        index
    }

    /// Whether it was built from these.
    pub(in crate::market) fn is_of(&self, listed: &[Named]) -> bool {
        self.listed.len() == listed.len()
            && listed.iter().all(|named| {
                let place = self.listed.binary_search_by(|one| one.key.cmp(&named.key));
                place.is_ok_and(|place| self.listed[place] == *named)
            })
    }

    fn enter(&mut self, listing: usize, name: Option<Name>) {
        let Some(name) = name else {
            return;
        };
        let place = self.names.len();
        let begins = leads(&name.words).take(LONGEST_LEAD);
        let whole = [name.letters.clone(), without_and(&name.letters)];
        for letters in begins.chain(whole) {
            let lead = *self
                .by_letters
                .entry(letters)
                .or_insert_with_key(|letters| {
                    self.leads.push(Lead {
                        spelling: Spelling::new(letters),
                        names: Vec::new(),
                    });
                    self.leads.len() - 1
                });
            self.leads[lead].names.push(place);
        }
        for (at, word) in name.words.iter().enumerate() {
            self.by_word.push((word.clone(), at > 0, place));
        }
        self.names.push((listing, name));
    }

    /// The key of the listing at this position.
    pub(super) fn key(&self, place: usize) -> &InstrumentKey {
        &self.listed[place].key
    }

    /// The positions of the listings with this symbol.
    pub(super) fn of_symbol(&self, symbol: &str) -> &[usize] {
        self.by_symbol.get(symbol).map_or(&[], Vec::as_slice)
    }

    /// The positions of the stock indices.
    pub(super) fn indices(&self) -> impl Iterator<Item = usize> + '_ {
        let from = self.listed.partition_point(|named| {
            named.key.market == Market::Stock && named.key.symbol.as_str() < "^"
        });
        let rest = self.listed[from..].iter().enumerate();
        rest.take_while(|(_, named)| named.key.symbol.as_str().starts_with('^'))
            .map(move |(at, _)| from + at)
    }

    /// How well a text fits similar names, by the position of the listing. Misspelt names count only if nothing else
    /// fits.
    pub(super) fn fits(&self, wanted: &Wanted) -> FxHashMap<usize, Fit> {
        let mut fits = self.compared(wanted, self.alike(wanted));
        if fits.values().all(|fit| fit.is_guess) {
            for (place, fit) in self.compared(wanted, self.nearly(wanted)) {
                fits.entry(place)
                    .and_modify(|best| *best = better(*best, fit))
                    .or_insert(fit);
            }
        }
        fits
    }

    fn compared(&self, wanted: &Wanted, names: Vec<usize>) -> FxHashMap<usize, Fit> {
        let mut fits: FxHashMap<usize, Fit> = FxHashMap::default();
        let mut seen = FxHashSet::default();
        let distinct = names.into_iter().filter(|name| seen.insert(*name));
        for name in distinct.take(MOST_COMPARED) {
            let (listing, name) = &self.names[name];
            if let Some(fit) = wanted.fit(name) {
                fits.entry(*listing)
                    .and_modify(|best| *best = better(*best, fit))
                    .or_insert(fit);
            }
        }
        fits
    }

    /// The names that contain the words of a text, or begin with its letters, likeliest first.
    fn alike(&self, wanted: &Wanted) -> Vec<usize> {
        let led = |letters: &str| {
            let lead = self.by_letters.get(letters);
            lead.map_or(&[][..], |lead| self.leads[*lead].names.as_slice())
        };
        let mut names = led(&wanted.letters).to_vec();
        names.extend(led(&without_and(&wanted.letters)));
        for begun in leads(&wanted.words).take(LONGEST_LEAD) {
            names.extend(led(&begun));
        }
        let Some(first) = wanted.words.first() else {
            return names;
        };
        let is_begun = |word: &str| word.starts_with(first.as_str());
        let from = self.by_word.partition_point(|(word, ..)| word < first);
        let begun = self.by_word[from..].iter();
        let begun = begun.take_while(|(word, ..)| is_begun(word));
        names.extend(begun.take(MOST_COMPARED).map(|(_, _, name)| *name));
        names
    }

    /// The names spelt almost like a text, or like its first word.
    fn nearly(&self, wanted: &Wanted) -> Vec<usize> {
        let mut asked = Vec::new();
        if !wanted.is_ordinary {
            asked.push(Spelling::new(&wanted.letters));
        }
        if let [first, _, ..] = &wanted.words[..] {
            asked.push(Spelling::new(first));
        }
        let mut names = Vec::new();
        for asked in &asked {
            let near = self.leads.iter();
            let near = near.filter(|lead| asked.may_be(&lead.spelling));
            names.extend(near.flat_map(|lead| lead.names.iter().copied()));
        }
        names
    }
}

fn better(one: Fit, other: Fit) -> Fit {
    if other.score > one.score { other } else { one }
}

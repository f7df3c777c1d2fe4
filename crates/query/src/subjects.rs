//! What a question is about.
//!
//! Names take precedence over symbols, and longer names over shorter ones. A word that is also ordinary English names a
//! company only if it is written or used like a name: with a capital inside a sentence, before `stock`, after `about`.
//! Misspelt names are found last and marked as such.

mod companies;
mod lists;
mod place;
mod reader;
mod sectors;
mod series;
mod symbols;

pub use series::{Series, is_commodity, is_index, is_macro, is_pair};
pub use symbols::reads_back;

use std::ops::Range;

use model::{Day, Symbol};
use verify::figures::{KnownSeries, Mentions, Subject};

use crate::currencies::Named;
use crate::names::{Kind, Listed, Names};
use crate::sums::Conversion;
use crate::words::Word;
use reader::Reader;
pub(crate) use reader::titled;
use series::{called, groups, usual_pair};

/// How an instrument was named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// By its symbol.
    Symbol,
    /// By its name.
    Name,
    /// By its name, misspelt.
    Misspelt,
}

/// A listed instrument that a question names.
#[derive(Clone, Debug, PartialEq)]
pub struct Instrument {
    /// Its symbol.
    pub symbol: Symbol,
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// The currency of its prices.
    pub currency: String,
    /// As it was written.
    pub said: String,
    /// How it was named.
    pub how: How,
}

/// The subjects of a question, and which of its words name them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Subjects {
    pub(crate) instruments: Vec<(Instrument, Range<usize>)>,
    pub(crate) series: Vec<(Series, Range<usize>)>,
    pub(crate) sectors: Vec<(&'static str, Range<usize>)>,
    /// Symbols that match no listing, as written.
    pub(crate) unknown: Vec<(String, Range<usize>)>,
    /// Which words are part of a name or of a time.
    pub(crate) is_taken: Vec<bool>,
}

impl Subjects {
    pub(crate) fn find(
        text: &str,
        words: &[Word],
        mentions: &Mentions,
        names: &Names,
        is_cue: &dyn Fn(usize) -> bool,
    ) -> Self {
        let mut found = Self {
            is_taken: vec![false; words.len()],
            ..Self::default()
        };
        for dated in &mentions.times {
            found.take(&covered(words, &dated.bytes));
        }
        let reader = Reader::new(text, words, names, is_cue);
        let series: Vec<(Series, Range<usize>)> = mentions
            .subjects
            .iter()
            .filter_map(|(subject, bytes)| {
                let series = match subject {
                    Subject::Series("none") | Subject::Named { .. } => return None,
                    Subject::Series(code) => Series::Known(code),
                    Subject::Currency { base, quote, .. } if base == quote => return None,
                    Subject::Currency { base, quote, .. } => usual_pair(base, quote),
                };
                let range = covered(words, bytes);
                (!range.is_empty()).then_some((series, range))
            })
            .collect();
        let mut series = series;
        series.extend(called(words));
        let groups = groups(words);
        let valued: Vec<&Range<usize>> = series.iter().chain(&groups).map(|(_, at)| at).collect();
        found.sectors(&reader, &valued);
        found.led(&reader);
        found.names(&reader, &valued);
        for (series, range) in series {
            if found.is_free(&range) {
                found.take(&range);
                found.series.push((series, range));
            }
        }
        // All members of a group share their words.
        let free = groups.into_iter().filter(|(_, range)| found.is_free(range));
        let free: Vec<_> = free.collect();
        for (series, range) in free {
            found.take(&range);
            found.series.push((series, range));
        }
        found.symbols(&reader);
        found.listed_together(&reader);
        found.joined(&reader);
        found.listed_together(&reader);
        found.misspelt(&reader);
        found.instruments.sort_by_key(|(_, range)| range.start);
        found
    }

    /// Adds names that count only because the question makes sense with them; `None` if there are none.
    pub(crate) fn with_possible(
        &self,
        text: &str,
        words: &[Word],
        names: &Names,
        is_cue: &dyn Fn(usize) -> bool,
    ) -> Option<Self> {
        let mut found = self.clone();
        found.possible(&Reader::new(text, words, names, is_cue));
        (found.instruments.len() > self.instruments.len()).then_some(found)
    }

    /// Adds the names of well-known companies that are not listed, and words written as names in the position of a
    /// company: `how is Enron doing`; `None` if there are none.
    pub(crate) fn with_unlisted(
        &self,
        text: &str,
        words: &[Word],
        names: &Names,
        is_cue: &dyn Fn(usize) -> bool,
    ) -> Option<Self> {
        let reader = Reader::new(text, words, names, is_cue);
        let mut found = self.clone();
        for at in 0..words.len() {
            let range = at..at + 1;
            if found.is_free(&range) && reader.is_unlisted(at) {
                found.take(&range);
                let said = text[words[at].bytes.clone()].to_owned();
                found.unknown.push((said, range));
            }
        }
        (found.unknown.len() == self.unknown.len() + 1).then_some(found)
    }

    /// Takes the one word that is not English for the name of something unlisted: `what is zxqv trading at`.
    pub(crate) fn take_unknown(
        &mut self,
        text: &str,
        words: &[Word],
        names: &Names,
        is_cue: &dyn Fn(usize) -> bool,
    ) {
        let reader = Reader::new(text, words, names, is_cue);
        let strange = words.iter().enumerate().filter(|(at, word)| {
            self.is_free(&(*at..*at + 1))
                && !is_cue(*at)
                && reader.has_neighbour(*at)
                && !word.is_number()
                && word.lower.chars().count() >= 3
                && text::embedding::word_pieces(&word.lower).len() > 2
                && !text::token::is_stop_word(&word.lower)
                && !text::entities::is_common_word(&word.lower)
                && text::entities::listed(&titled(&word.lower)).is_none()
        });
        if let [(at, word)] = strange.collect::<Vec<_>>()[..] {
            self.take(&(at..at + 1));
            self.unknown
                .push((text[word.bytes.clone()].to_owned(), at..at + 1));
        }
    }

    /// Replaces what their currencies were read as with the pairs of the conversions.
    pub(crate) fn convert(&mut self, conversions: &[Conversion], named: &[Named]) {
        let is_pair = |series: Series| {
            matches!(series, Series::Pair(..))
                || matches!(series, Series::Known(code) if KnownSeries::find(code)
                    .is_some_and(|known| known.ids.iter().any(|id| id.starts_with("fx:"))))
        };
        self.series.retain(|(series, _)| !is_pair(*series));
        self.unknown.retain(|(_, range)| {
            named
                .iter()
                .all(|one| one.words.end <= range.start || range.end <= one.words.start)
        });
        let Some(last) = named.last() else {
            return;
        };
        self.take(&last.words);
        for conversion in conversions {
            let pair = usual_pair(conversion.from, conversion.to);
            self.series.push((pair, last.words.clone()));
        }
    }

    /// Which of the given number of words are part of the name of something listed.
    pub(crate) fn is_listed_name(&self, count: usize) -> Vec<bool> {
        let mut is_name = vec![false; count];
        for (_, range) in &self.instruments {
            is_name[range.clone()].fill(true);
        }
        is_name
    }

    /// Whether nothing was named.
    pub(crate) fn is_nothing(&self) -> bool {
        self.instruments.is_empty()
            && self.series.is_empty()
            && self.sectors.is_empty()
            && self.unknown.is_empty()
    }

    fn is_free(&self, range: &Range<usize>) -> bool {
        !range.is_empty() && !self.is_taken[range.clone()].contains(&true)
    }

    fn take(&mut self, range: &Range<usize>) {
        self.is_taken[range.clone()].fill(true);
    }

    fn add(&mut self, listed: &Listed, how: How, reader: &Reader<'_>, range: Range<usize>) {
        self.take(&range);
        let bytes = reader.words[range.start].bytes.start..reader.words[range.end - 1].bytes.end;
        let instrument = Instrument {
            symbol: listed.symbol.clone(),
            name: listed.name.clone(),
            kind: listed.kind,
            currency: listed.currency.clone(),
            said: reader.text[bytes].to_owned(),
            how,
        };
        self.instruments.push((instrument, range));
    }
}

/// The words that some bytes cover.
pub(crate) fn covered(words: &[Word], bytes: &Range<usize>) -> Range<usize> {
    let first = words.iter().position(|word| word.bytes.end > bytes.start);
    let next = words.iter().rposition(|word| word.bytes.start < bytes.end);
    match (first, next) {
        (Some(first), Some(last)) if first <= last => first..last + 1,
        _ => 0..0,
    }
}

/// The series and times that a question names.
pub(crate) fn mentions(text: &str, words: &[Word], today: Day) -> Mentions {
    let mut mentions = verify::figures::mentions(text, today);
    crate::time::add_spoken(text, words, &mut mentions, today);
    mentions
}

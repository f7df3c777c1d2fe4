//! Names of companies, funds and coins, including misspelt ones.

use std::ops::Range;

use model::EntityKind;
use text::entities::Distinctness;

use super::lists::JOINTS;
use super::reader::{AFTER, BEFORE, Reader, titled};
use super::symbols::is_rarely_meant;
use super::{How, Subjects};
use crate::names::{self, Kind, Listed};
use crate::words::Word;

impl Subjects {
    pub(super) fn names(&mut self, reader: &Reader<'_>, valued: &[&Range<usize>]) {
        let mut at = 0;
        while at < reader.words.len() {
            let taken = (1..=names::LONGEST).rev().find_map(|length| {
                let range = at..at + length;
                let slice = reader.words.get(range.clone())?;
                if !self.is_free(&range) || slice.iter().any(|word| word.is_cashtag) {
                    return None;
                }
                // Something with values of its own: `gold`, `natural gas`.
                let is_series = valued
                    .iter()
                    .any(|other| other.start <= at && range.end <= other.end);
                if is_series {
                    return None;
                }
                let listed = reader.named(&range)?;
                Some((listed, range))
            });
            match taken {
                Some((listed, range)) => {
                    at = range.end;
                    self.add(listed, How::Name, reader, range);
                }
                None => at += 1,
            }
        }
    }

    /// `buffett's company`.
    pub(super) fn led(&mut self, reader: &Reader<'_>) {
        for at in 0..reader.words.len() {
            if let Some((listed, range)) = reader.led(at)
                && self.is_free(&range)
            {
                self.add(listed, How::Name, reader, range);
            }
        }
    }

    /// `visa and mastercard`: whatever is joined to a name is itself a name, if it can be.
    pub(super) fn joined(&mut self, reader: &Reader<'_>) {
        for at in 0..reader.words.len() {
            let range = at..at + 1;
            let is_name = |place: usize| {
                let mut all = self.instruments.iter();
                all.any(|(_, range)| range.contains(&place))
            };
            let before = at.checked_sub(1).map(|before| &reader.words[before]);
            let is_joined = reader.next(at).is_some_and(|next| {
                next.is_any(&JOINTS) && is_name(at + 2) || next.is_parted && is_name(at + 1)
            }) || before
                .is_some_and(|before| before.is_any(&JOINTS) && at >= 2 && is_name(at - 2))
                || reader.words[at].is_parted && at >= 1 && is_name(at - 1)
                || reader.is_weighed(at)
                    && self
                        .instruments
                        .iter()
                        .any(|(_, range)| reader.is_weighed(range.start));
            if !is_joined || !self.is_free(&range) || (reader.is_cue)(at) {
                continue;
            }
            let word = &reader.words[at];
            let written = &reader.text[word.bytes.clone()];
            // A well-known company of that name, or a large one.
            let listed = reader
                .known(written, &word.lower)
                .map(|(listed, _)| listed)
                .or_else(|| {
                    let named = reader.names.named(&word.lower);
                    named.filter(|listed| reader.names.is_large(listed))
                });
            if let Some(listed) = listed
                && !text::token::is_stop_word(&word.lower)
            {
                self.add(listed, How::Name, reader, range);
            }
        }
    }

    /// Names that count only because the question makes sense with them: those of large companies in small letters, and
    /// symbols.
    pub(super) fn possible(&mut self, reader: &Reader<'_>) {
        for at in 0..reader.words.len() {
            let range = at..at + 1;
            if self.is_free(&range)
                && let Some((listed, how)) = reader.possible_name(at)
            {
                self.add(listed, how, reader, range);
            }
        }
    }

    /// `johnson & jonson`, `wall mart`.
    fn misspelt_words(&mut self, reader: &Reader<'_>) {
        let mut at = 0;
        while at < reader.words.len() {
            let taken = (2..=names::LONGEST).rev().find_map(|length| {
                let range = at..at + length;
                let slice = reader.words.get(range.clone())?;
                let is_plain = self.is_free(&range)
                    && !slice[1..].iter().any(|word| word.is_parted)
                    && !slice.iter().any(Word::is_number);
                if !is_plain {
                    return None;
                }
                let said: Vec<&str> = slice.iter().map(|word| word.lower.as_str()).collect();
                // `international papers` are papers.
                let is_of_words = slice.iter().all(|word| names::is_ordinary(&word.lower));
                let spelt = (!is_of_words).then(|| said.join(" "));
                let misspelt = spelt.and_then(|spelt| reader.names.misspelt_words(&spelt));
                let listed = misspelt.or_else(|| {
                    // Two words for one.
                    let is_short = said.iter().any(|word| word.chars().count() < 4);
                    let may_be_one = length == 2 && !is_short && !(reader.is_cue)(at);
                    let joined = may_be_one.then(|| said.concat())?;
                    // `work days` is not Workday misspelt.
                    let single = joined.strip_suffix('s').unwrap_or(&joined);
                    if single != joined && reader.names.named(single).is_some() {
                        return None;
                    }
                    let listed = reader.names.named(&joined);
                    listed.or_else(|| reader.names.nearest(&joined, 1))
                })?;
                reader.names.is_large(listed).then_some((listed, range))
            });
            match taken {
                Some((listed, range)) => {
                    at = range.end;
                    self.add(listed, How::Misspelt, reader, range);
                }
                None => at += 1,
            }
        }
    }

    pub(super) fn misspelt(&mut self, reader: &Reader<'_>) {
        self.misspelt_words(reader);
        for (at, word) in reader.words.iter().enumerate() {
            let range = at..at + 1;
            // The words on either side of `vs` are names, even if they are ordinary words.
            let is_side =
                |place: Option<&Word>| place.is_some_and(|word| word.is_any(&["vs", "versus"]));
            let before = at
                .checked_sub(1)
                .and_then(|before| reader.words.get(before));
            let is_compared = is_side(before) || is_side(reader.words.get(at + 1));
            let is_plain = self.is_free(&range)
                && !word.is_number()
                && !(reader.is_cue)(at)
                && (is_compared || !names::is_ordinary(&word.lower));
            if !is_plain {
                continue;
            }
            if let Some(listed) = reader.names.misspelt(&word.lower)
                && reader.names.is_large(listed)
            {
                self.add(listed, How::Misspelt, reader, range);
            }
        }
    }
}

impl<'a> Reader<'a> {
    /// `40% apple`.
    fn is_weighed(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map(|before| &self.words[before]);
        before.is_some_and(|before| {
            let between = &self.text[before.bytes.end..self.words[at].bytes.start];
            before.is_number() && between.trim() == "%"
        })
    }

    /// Whether a word is the name of a known company or product that is not listed, or of a coin without prices.
    fn names_unlisted(&self, lower: &str) -> bool {
        match text::entities::listed(&as_written(lower)) {
            Some((EntityKind::Organization | EntityKind::Product, symbol)) => {
                symbol.is_none_or(|symbol| self.names.symbol(symbol).is_none())
            }
            _ => false,
        }
    }

    /// Whether a word is in the position of a company, and either names one that is not listed or is written like a
    /// name that nobody knows.
    pub(super) fn is_unlisted(&self, at: usize) -> bool {
        let word = &self.words[at];
        // `Warren Buffett`: part of a name of several words.
        let is_of_several = |place: Option<usize>| {
            let other = place.and_then(|place| self.words.get(place).map(|word| (place, word)));
            other.is_some_and(|(place, word)| {
                place > 0
                    && self.starts_capital(place)
                    && !word.is_capitals
                    && !text::entities::is_common_word(&word.lower)
            })
        };
        let stands_alone = !is_of_several(at.checked_sub(1))
            && !is_of_several(Some(at + 1))
            && !self.is_of_place_or_person(&(at..at + 1));
        // `Enron?`: nothing but the name, if it is that of a company; any other single word is a subject for the news.
        if self.words.len() == 1 {
            return !(self.is_cue)(at)
                && self.starts_capital(at)
                && self.names_unlisted(&word.lower)
                && text::entities::is_company(&as_written(&word.lower));
        }
        if (self.is_cue)(at) || word.is_number() || !self.has_neighbour(at) || !stands_alone {
            return false;
        }
        let is_strange = || {
            at > 0
                && self.starts_capital(at)
                && !self.is_shouted
                && !word.is_capitals
                && word.lower.chars().count() >= 3
                && !text::token::is_stop_word(&word.lower)
                && !text::entities::is_common_word(&word.lower)
                && text::entities::listed(&titled(&word.lower)).is_none()
        };
        self.names_unlisted(&word.lower) || is_strange()
    }

    /// The listing that these words name.
    fn named(&self, range: &Range<usize>) -> Option<&'a Listed> {
        let slice = &self.words[range.clone()];
        if slice[1..].iter().any(|word| word.is_parted) {
            return None;
        }
        let said: Vec<&str> = slice.iter().map(|word| word.lower.as_str()).collect();
        let said = said.join(" ");
        // `at&t` is one word of a name.
        let said =
            if self.text[slice[0].bytes.start..slice[slice.len() - 1].bytes.end].contains(' ') {
                said
            } else {
                said.replace(" & ", "&")
            };
        let bytes = slice[0].bytes.start..slice[slice.len() - 1].bytes.end;
        let known = self.known(&self.text[bytes], &said);
        // `bitcoin` is the coin, even if a fund has that symbol.
        let known = known.map(|(listed, distinctness)| {
            let coin = self
                .names
                .named(&said)
                .filter(|named| named.kind == Kind::Coin && named.symbol == listed.symbol);
            (coin.unwrap_or(listed), distinctness)
        });
        if self.is_of_place_or_person(range) || self.is_end_of_compound(range.start) {
            return None;
        }
        let listed = known.map(|(listed, _)| listed).or_else(|| {
            self.names
                .named(&said)
                .filter(|named| !self.is_another(range, named))
        })?;
        let is_sure = if let [word] = slice {
            // `peak inflation`: the highest, unless it is written as a symbol.
            let is_limit = crate::statistic::is_limit(&word.lower) && !word.is_capitals;
            !is_limit && self.is_used_as_name(range.start, word, listed, known.map(|known| known.1))
        } else {
            // `quantum computing`: words that are a name only if they are written as one, unless everybody knows it.
            let is_ordinary = slice.iter().all(|word| names::is_ordinary(&word.lower));
            !slice
                .iter()
                .all(|word| text::token::is_stop_word(&word.lower))
                && !self.only_joins(range)
                && (!is_ordinary
                    || known.is_some_and(|known| known.1 == Distinctness::Distinct)
                    || self.starts_capital(range.start)
                    || self.names.is_large(listed))
        };
        is_sure.then_some(listed)
    }

    /// Whether words are part of a longer company name: `airlines` in `southwest airlines`.
    pub(super) fn is_of_longer_name(&self, range: &Range<usize>) -> bool {
        let last = self.words.len();
        (range.start.saturating_sub(2)..=range.start).any(|start| {
            (range.end..=last.min(start + names::LONGEST)).any(|end| {
                end - start > range.len()
                    && start + 1 < end
                    && range.end - start >= 2
                    && self.named(&(start..end)).is_some()
            })
        })
    }

    /// Whether the words of a name are running text: the first is a small word that joins the others to what comes
    /// before them, as in `sanctions on semiconductor exports`. They are not if it has a capital of its own, or if the
    /// words are in the position of a name.
    fn only_joins(&self, range: &Range<usize>) -> bool {
        let at = range.start;
        if !text::token::is_stop_word(&self.words[at].lower) {
            return false;
        }
        // At the start of a sentence, and in a question written in capitals, capitals mean nothing.
        let begins = at == 0 || self.words[at].is_parted;
        let is_written_so = !begins && !self.is_shouted && self.starts_capital(at);
        let is_whole = range.len() == self.words.len();
        let after = self.words.get(range.end);
        let before = at.checked_sub(1).map(|before| &self.words[before]);
        let stands_as_name = after
            .is_some_and(|word| word.is_any(&AFTER) || word.is_any(&["vs", "versus", "or"]))
            || before.is_some_and(|word| word.is_any(&BEFORE));
        !(is_written_so || is_whole || stands_as_name)
    }

    /// The listing that a word names if the question is about one: a known name that mostly means it, or a symbol that
    /// is not a word.
    fn possible_name(&self, at: usize) -> Option<(&'a Listed, How)> {
        let word = &self.words[at];
        let lower = word.lower.as_str();
        let is_other = (self.is_cue)(at)
            || word.is_number()
            || text::token::is_stop_word(lower)
            || self.is_on_target(at)
            || self.is_end_of_compound(at)
            || self.is_of_place_or_person(&(at..at + 1));
        if is_other {
            return None;
        }
        let written = &self.text[word.bytes.clone()];
        let known = self.known(written, lower);
        if let Some((listed, distinctness)) = known {
            return (distinctness != Distinctness::Rare).then_some((listed, How::Name));
        }
        let is_plain = !text::entities::is_common_word(lower);
        let named = self
            .names
            .named(lower)
            .filter(|listed| is_plain && self.names.is_large(listed))
            .filter(|_| !crate::statistic::is_limit(lower));
        if let Some(listed) = named {
            return Some((listed, How::Name));
        }
        let symbol = self.names.symbol(written)?;
        let is_symbol = lower.len() >= 3
            && !names::is_ordinary(lower)
            && !is_rarely_meant(lower)
            && self.names.is_large(symbol);
        is_symbol.then_some((symbol, How::Symbol))
    }

    /// Whether words are part of the longer name of a known place or person: `Sea` in `Red Sea`.
    fn is_of_place_or_person(&self, range: &Range<usize>) -> bool {
        const LONGEST: usize = 3;
        let last = self.words.len();
        (range.start.saturating_sub(LONGEST - 1)..=range.start).any(|start| {
            (range.end..=last.min(start + LONGEST)).any(|end| {
                if end - start == range.len()
                    || self.words[start + 1..end].iter().any(|word| word.is_parted)
                {
                    return false;
                }
                let said: Vec<&str> = self.words[start..end]
                    .iter()
                    .map(|word| word.lower.as_str())
                    .collect();
                let kind = text::entities::listed(&titled(&said.join(" ")));
                matches!(
                    kind,
                    Some((EntityKind::Location | EntityKind::Person, None))
                )
            })
        })
    }

    /// Whether a word names something that is not listed here, and not a company or fund whose name begins with it:
    /// `AVAX` is not `Avax One`, and `openai` is not a fund that holds its shares.
    fn is_another(&self, range: &Range<usize>, named: &Listed) -> bool {
        let [word] = &self.words[range.clone()] else {
            return false;
        };
        let written = &self.text[word.bytes.clone()];
        // `Avax One` continues as the name does.
        let name = names::name_words(&named.name);
        let goes_on = self
            .words
            .get(range.end)
            .is_some_and(|next| name.get(1).is_some_and(|second| next.is(second)));
        if name.len() > 1 && !goes_on && self.names_unlisted(&word.lower) {
            return true;
        }
        word.is_capitals
            && !self.is_shouted
            && text::entities::traded(written)
                .is_some_and(|(symbol, _)| symbol == written && named.symbol.as_str() != symbol)
    }

    /// Whether a one-word name is meant as a name.
    fn is_used_as_name(
        &self,
        at: usize,
        word: &Word,
        listed: &Listed,
        distinctness: Option<Distinctness>,
    ) -> bool {
        if word.lower.chars().count() < 2 || text::token::is_stop_word(&word.lower) {
            return false;
        }
        if self.is_on_target(at) && !self.starts_capital(at) {
            return false;
        }
        if distinctness.is_some() && self.stands_as_subject(at) {
            return true;
        }
        let is_capital = self.starts_capital(at) && !self.is_shouted;
        let is_before_noun = self.next(at).is_some_and(|next| next.is_any(&AFTER));
        let is_ordinary = names::is_ordinary(&word.lower);
        // `robinhood`: a word that is not English can be nothing else where a question may name a company.
        if !(self.is_cue)(at) && distinctness == Some(Distinctness::Rare) && !is_ordinary {
            return is_capital || self.has_neighbour(at) || self.words.len() <= 3;
        }
        if (self.is_cue)(at) || distinctness == Some(Distinctness::Rare) {
            // `target price`: a term of the trade, or usually something else.
            const ACTING: [&str; 16] = [
                "got",
                "fell",
                "rose",
                "jumped",
                "dropped",
                "reported",
                "reports",
                "beat",
                "missed",
                "announced",
                "said",
                "cut",
                "raised",
                "plunged",
                "surged",
                "slid",
            ];
            let is_acting = self.next(at).is_some_and(|next| next.is_any(&ACTING));
            return is_capital && (is_before_noun || is_acting || at > 0 && self.has_neighbour(at))
                || is_before_noun && !(self.is_cue)(at)
                || self.words.len() == 1;
        }
        if distinctness == Some(Distinctness::Distinct) || !is_ordinary {
            return true;
        }
        let is_long_coin = listed.kind == Kind::Coin && word.lower.chars().count() >= 6;
        is_capital && (at > 0 || self.has_neighbour(at))
            || is_long_coin
            || (self.names.is_large(listed) || distinctness.is_some())
                && (self.has_neighbour(at) || self.words.len() <= 3)
    }
}

/// A known name in small letters, as it is properly written.
fn as_written(lower: &str) -> String {
    text::entities::spelling(lower).map_or_else(|| titled(lower), str::to_owned)
}

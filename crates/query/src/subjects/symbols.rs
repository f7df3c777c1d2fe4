//! Symbols: words that refer to one listing and nothing else.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use model::{EntityKind, table};

use super::reader::{AFTER, Reader};
use super::{How, Subjects};
use crate::currencies;
use crate::names::{self, Listed};
use crate::statistic;

static NO_SYMBOLS: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| table::lines(include_str!("../../data/no_symbols.txt")).collect());

impl Subjects {
    pub(super) fn symbols(&mut self, reader: &Reader<'_>) {
        for at in 0..reader.words.len() {
            let range = at..at + 1;
            if !self.is_free(&range) {
                continue;
            }
            let word = &reader.words[at];
            match reader.names.symbol(&reader.text[word.bytes.clone()]) {
                // `Berkshire's B shares`: a share class of what was named.
                Some(_)
                    if word.lower.len() == 1
                        && self.instruments.iter().any(|(_, named)| named.end == at) => {}
                Some(listed) if reader.is_symbol(at, listed) => {
                    self.add(listed, How::Symbol, reader, range);
                }
                None if word.is_cashtag || reader.looks_like_a_symbol(at) => {
                    let said = reader.text[word.bytes.clone()].to_owned();
                    // A company may be known by a symbol that matches no listing here.
                    self.take(&range);
                    self.unknown.push((said, range));
                }
                _ => {
                    if let Some(listed) = reader.owned_symbol(at) {
                        self.add(listed, How::Symbol, reader, range);
                    }
                }
            }
        }
    }
}

impl Reader<'_> {
    /// Whether a word that is a symbol is meant as one.
    fn is_symbol(&self, at: usize, listed: &Listed) -> bool {
        let word = &self.words[at];
        if word.is_cashtag {
            return true;
        }
        let written = &self.text[word.bytes.clone()];
        let upper = written.to_uppercase();
        let is_ordinary = names::is_ordinary(&word.lower);
        if word.is_capitals && !self.is_shouted {
            if self.is_paired(at, listed) {
                return true;
            }
            if NO_SYMBOLS.contains(upper.as_str())
                || self.is_of_compound(at)
                || self.is_indicator(at)
                || self.is_ratio(at)
            {
                return false;
            }
            // `10-K`, `8-K`: a form.
            let before = self.text[..word.bytes.start].strip_suffix('-');
            if before.is_some_and(|before| before.ends_with(|one: char| one.is_ascii_digit())) {
                return false;
            }
            // `C-suite`, `X-ray`: a letter that begins a word.
            let goes_on = self.text[word.bytes.end..].starts_with('-')
                && self.text[word.bytes.end + 1..].starts_with(char::is_alphabetic);
            return written.len() > 1
                || (self.has_neighbour(at) || self.words.len() == 1) && !goes_on;
        }
        if written.len() < 2
            || NO_SYMBOLS.contains(upper.as_str())
            || (self.is_cue)(at)
            || statistic::is_limit(&word.lower)
        {
            return false;
        }
        if self.is_end_of_compound(at) || self.is_ratio(at) {
            return false;
        }
        if !is_ordinary {
            // `nvda`, but not a foreign word or an exclamation that happens to be listed somewhere.
            let is_asked_of =
                at >= 2 && (self.is_cue)(at - 2) && self.words[at - 1].is_any(&["of", "for", "on"]);
            return self.names.is_large(listed)
                || is_asked_of
                || written.len() >= 3 && (self.has_neighbour(at) || self.words.len() == 1);
        }
        let is_common =
            text::token::is_stop_word(&word.lower) || text::entities::is_common_word(&word.lower);
        !is_common
            && self.names.is_large(listed)
            && (self.words.len() <= 3
                || self.next(at).is_some_and(|next| next.is_any(&AFTER))
                || written.len() <= 3 && self.has_neighbour(at))
    }

    /// `V and MA`, `F or GM`: the symbol of a large company next to another, if one of them rarely means anything else.
    fn is_paired(&self, at: usize, listed: &Listed) -> bool {
        let is_symbol = |place: usize| {
            let word = self.words.get(place).filter(|word| word.is_capitals)?;
            let listed = self.names.symbol(&self.text[word.bytes.clone()])?;
            self.names.is_large(listed).then(|| {
                let upper = word.lower.to_uppercase();
                !NO_SYMBOLS.contains(upper.as_str())
            })
        };
        let joins = |place: usize| {
            let word = self.words.get(place);
            word.is_some_and(|word| word.is_any(&["and", "or", "vs", "versus", "with"]))
        };
        let other = if joins(at + 1) {
            is_symbol(at + 2)
        } else if at >= 2 && joins(at - 1) {
            is_symbol(at - 2)
        } else {
            None
        };
        let own = is_symbol(at).unwrap_or(false);
        // `R and D`, `Q and A`.
        let place = if joins(at + 1) {
            at + 2
        } else {
            at.saturating_sub(2)
        };
        let length = |place: usize| self.words.get(place).map_or(0, |word| word.lower.len());
        let is_of_letters = length(at) < 2 && length(place) < 2;
        !is_of_letters && self.names.is_large(listed) && other.is_some_and(|other| own || other)
    }

    /// `AMDs rivals`: a symbol in capitals with a possessive ending that lacks its apostrophe.
    fn owned_symbol(&self, at: usize) -> Option<&Listed> {
        let written = &self.text[self.words[at].bytes.clone()];
        let symbol = written.strip_suffix('s')?;
        let is_plain = symbol.len() >= 3 && symbol.bytes().all(|byte| byte.is_ascii_uppercase());
        let listed = self.names.symbol(symbol).filter(|_| is_plain)?;
        (!NO_SYMBOLS.contains(symbol) && self.names.is_large(listed)).then_some(listed)
    }

    /// `ADX(14)`, `ATR and VWAP of TSLA`: an indicator by its abbreviation, unless the question treats it as a share.
    fn is_indicator(&self, at: usize) -> bool {
        const INDICATORS: [&str; 12] = [
            "adx", "atr", "cci", "ema", "mfi", "obv", "ppo", "roc", "sar", "stoch", "trix", "vwap",
        ];
        self.words[at].is_any(&INDICATORS)
            && self.words.len() > 1
            && !self.next(at).is_some_and(|next| next.is_any(&AFTER))
    }

    /// `the PEG ratio`.
    fn is_ratio(&self, at: usize) -> bool {
        self.words[at].is("peg")
            && self
                .next(at)
                .is_some_and(|next| next.is_any(&["ratio", "ratios"]))
    }

    /// Whether a hyphen joins a word in capitals to another that is neither a symbol nor a currency: `XQZ-ABC` names
    /// one thing, `BTC-USD` and `AAPL-MSFT` two.
    fn is_of_compound(&self, at: usize) -> bool {
        let is_strange = |place: usize| {
            let other = &self.words[place];
            let written = &self.text[other.bytes.clone()];
            other.is_capitals
                && written.len() > 1
                && self.names.symbol(written).is_none()
                && currencies::currency_name(written) == written
        };
        let hyphenated = |left: usize, right: usize| {
            let (left, right) = (&self.words[left].bytes, &self.words[right].bytes);
            self.text.get(left.end..right.start) == Some("-")
        };
        at > 0 && hyphenated(at - 1, at) && is_strange(at - 1)
            || at + 1 < self.words.len() && hyphenated(at, at + 1) && is_strange(at + 1)
    }

    /// Whether a word is written like a symbol, although it matches no listing: `XQZT stock`.
    fn looks_like_a_symbol(&self, at: usize) -> bool {
        let word = &self.words[at];
        let written = &self.text[word.bytes.clone()];
        let is_listed_so = written.contains('.')
            && written
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'.')
            && written.bytes().any(|byte| byte.is_ascii_uppercase());
        if is_listed_so && !self.is_shouted && written.len() >= 4 {
            return true;
        }
        let is_written_so = word.is_capitals
            && !self.is_shouted
            && (2..=5).contains(&written.len())
            && written.bytes().all(|byte| byte.is_ascii_uppercase());
        // `XQZT stock`, `price of XQZT`; `latest on OPEC` is about something else.
        let is_asked_of =
            at >= 2 && (self.is_cue)(at - 2) && self.words[at - 1].is_any(&["of", "for"]);
        // A well-known coin may have the same letters as a word: `ADA`.
        let is_known = text::entities::traded(written).is_some_and(|(symbol, _)| symbol == written);
        let is_word = names::is_ordinary(&word.lower)
            && (text::token::is_stop_word(&word.lower)
                || text::entities::is_common_word(&word.lower));
        // `OPEC meeting`: a well-known institution, unless the question treats it as a share.
        let is_institution = text::entities::listed(written)
            .is_some_and(|(kind, symbol)| kind == EntityKind::Organization && symbol.is_none())
            && !text::entities::is_company(written);
        let stands_so = self.words.len() <= 2 && !is_institution
            || self.next(at).is_some_and(|next| next.is_any(&AFTER))
            || is_asked_of;
        is_written_so
            && !NO_SYMBOLS.contains(written)
            && !(self.is_cue)(at)
            && (is_known || !is_word && stands_so)
    }
}

/// Whether a word in small letters is a symbol that is rarely meant.
pub(super) fn is_rarely_meant(lower: &str) -> bool {
    NO_SYMBOLS.contains(lower.to_uppercase().as_str()) || statistic::is_limit(lower)
}

/// Whether a symbol is recognised as one wherever it appears; otherwise it needs a dollar sign.
pub fn reads_back(symbol: &str) -> bool {
    symbol.len() > 1 && !NO_SYMBOLS.contains(symbol)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sound() {
        let file = include_str!("../../data/no_symbols.txt");
        assert_eq!(table::fault(file, 1, 1), None);
        assert!(table::lines(file).is_sorted());
    }
}

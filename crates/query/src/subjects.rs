//! What a question is about.
//!
//! Names go before symbols, longer names before shorter ones. A word that is also ordinary English names a company only
//! where it is written or used like a name: with a capital inside of a sentence, before `stock`, after `about`. What was
//! misspelt is found last and says so.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use market::screener::sector;
use model::{Day, EntityKind, Symbol, table};
use text::entities::Distinctness;
use verify::figures::{KnownSeries, Mentions, Subject};

use crate::currencies::{self, Named};
use crate::names::{self, Kind, Listed, Names};
use crate::sums::Conversion;
use crate::words::Word;

static NO_SYMBOLS: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| table::lines(include_str!("../data/no_symbols.txt")).collect());

/// Codes of series with a phrase as words.
static CALLED: LazyLock<Vec<(&str, Vec<&str>)>> = LazyLock::new(|| {
    table::rows(include_str!("../data/series.tsv"))
        .flat_map(|[code, phrases]| {
            let phrases = phrases.split('|');
            phrases.map(move |phrase| (code, phrase.split(' ').collect()))
        })
        .collect()
});

/// Codes of the series of a group with a phrase as words.
static GROUPS: LazyLock<Vec<(Vec<&str>, Vec<&str>)>> = LazyLock::new(|| {
    table::rows(include_str!("../data/groups.tsv"))
        .flat_map(|[codes, phrases]| {
            let codes: Vec<&str> = codes.split('|').collect();
            let phrases = phrases.split('|');
            phrases.map(move |phrase| (codes.clone(), phrase.split(' ').collect()))
        })
        .collect()
});

/// What stands behind the name of a group where shares are meant.
const OF_SHARES: [&str; 17] = [
    "sector",
    "sectors",
    "stock",
    "stocks",
    "industry",
    "company",
    "companies",
    "names",
    "space",
    "etf",
    "etfs",
    "shares",
    "equities",
    "industries",
    "plays",
    "miners",
    "producers",
];

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

/// A listed thing that a question names.
#[derive(Clone, Debug, PartialEq)]
pub struct Instrument {
    /// Its symbol.
    pub symbol: Symbol,
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// The currency of its prices.
    pub currency: String,
    /// As it was written.
    pub said: String,
    /// How.
    pub how: How,
}

/// Something with values that is not listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Series {
    /// An indicator, index or commodity by the code of [`KnownSeries`].
    Known(&'static str),
    /// How much of the second currency one unit of the first costs.
    Pair(&'static str, &'static str),
}

impl Series {
    /// Its name in sentences.
    pub fn name(self) -> String {
        match self {
            Self::Known(code) => {
                KnownSeries::find(code).map_or_else(|| code.to_owned(), |known| known.name.into())
            }
            Self::Pair(base, quote) => format!("{base}/{quote}"),
        }
    }
}

/// The subjects of a question, and which of its words name them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Subjects {
    pub(crate) instruments: Vec<(Instrument, Range<usize>)>,
    pub(crate) series: Vec<(Series, Range<usize>)>,
    pub(crate) sectors: Vec<(&'static str, Range<usize>)>,
    /// Symbols that nothing is listed under, as written.
    pub(crate) unknown: Vec<(String, Range<usize>)>,
    /// Which words are part of a name or of a time.
    pub(crate) is_taken: Vec<bool>,
}

/// Words that stand behind a name of something traded.
const AFTER: [&str; 28] = [
    "stock",
    "stocks",
    "share",
    "shares",
    "earnings",
    "inc",
    "corp",
    "price",
    "dividend",
    "ticker",
    "calls",
    "puts",
    "options",
    "rsi",
    "chart",
    "technicals",
    "fundamentals",
    "coin",
    "token",
    "etf",
    "bonds",
    "results",
    "overbought",
    "oversold",
    "overvalued",
    "undervalued",
    "bullish",
    "bearish",
];
/// Words that stand before one.
const BEFORE: [&str; 38] = [
    "about", "on", "of", "for", "in", "is", "are", "was", "did", "does", "do", "has", "buy",
    "sell", "own", "hold", "holding", "short", "long", "vs", "versus", "and", "or", "with", "at",
    "hows", "my", "our", "into", "from", "around", "behind", "by", "near", "toward", "towards",
    "over", "than",
];

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
        let reader = Reader {
            text,
            words,
            names,
            is_cue,
            // In a question in capitals, capitals say nothing.
            is_shouted: words.len() > 2
                && words
                    .iter()
                    .filter(|word| !word.is_number())
                    .all(|word| word.is_capitals),
        };
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
        found.sectors(words);
        let valued: Vec<&Range<usize>> = series.iter().chain(&groups).map(|(_, at)| at).collect();
        found.names(&reader, &valued);
        for (series, range) in series {
            if found.is_free(&range) {
                found.take(&range);
                found.series.push((series, range));
            }
        }
        // All of a group share their words.
        let free = groups.into_iter().filter(|(_, range)| found.is_free(range));
        let free: Vec<_> = free.collect();
        for (series, range) in free {
            found.take(&range);
            found.series.push((series, range));
        }
        found.symbols(&reader);
        found.joined(&reader);
        found.misspelt(&reader);
        found.instruments.sort_by_key(|(_, range)| range.start);
        found
    }

    /// Takes the pair of a conversion in place of what its currencies were read as.
    pub(crate) fn convert(&mut self, conversion: Conversion, named: &[Named]) {
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
        let pair = usual_pair(conversion.from, conversion.to);
        if let Some(last) = named.last() {
            self.take(&last.words);
            self.series.push((pair, last.words.clone()));
        }
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

    /// `chip stocks`, `the energy sector`.
    fn sectors(&mut self, words: &[Word]) {
        const NOUNS: [&str; 12] = [
            "sector",
            "sectors",
            "stocks",
            "industry",
            "companies",
            "names",
            "space",
            "etfs",
            "shares",
            "equities",
            "industries",
            "plays",
        ];
        for at in 0..words.len() {
            for length in (1..=3).rev() {
                let range = at..at + length;
                let Some(slice) = words.get(range.clone()) else {
                    continue;
                };
                let said: Vec<&str> = slice.iter().map(|word| word.lower.as_str()).collect();
                let next = words.get(range.end);
                let before = at.checked_sub(1).map(|before| &words[before]);
                // `utilities` needs no noun; `oil` and `retail` do.
                let is_plural = length == 1
                    && slice[0].lower.len() > 5
                    && (slice[0].lower.ends_with('s') || slice[0].is("healthcare"));
                let rotates = words.iter().any(|word| word.lower.starts_with("rotat"))
                    && before.is_some_and(|before| before.is_any(&["of", "into", "from", "to"]));
                let is_meant = is_plural
                    || rotates
                    || next.is_some_and(|next| next.is_any(&NOUNS))
                    || before.is_some_and(|before| before.is_any(&["sector", "sectors"]));
                if is_meant
                    && self.is_free(&range)
                    && let Some(sector) = sector::find(&said.join(" "))
                {
                    self.take(&range);
                    self.sectors.push((sector, range));
                    break;
                }
            }
        }
    }

    fn names(&mut self, reader: &Reader<'_>, valued: &[&Range<usize>]) {
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

    /// `visa and mastercard`: what is joined to a name is one, if it can be.
    fn joined(&mut self, reader: &Reader<'_>) {
        const JOINTS: [&str; 6] = ["and", "or", "vs", "versus", "with", "against"];
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
                || reader.words[at].is_parted && at >= 1 && is_name(at - 1);
            if !is_joined || !self.is_free(&range) || (reader.is_cue)(at) {
                continue;
            }
            let word = &reader.words[at];
            let written = &reader.text[word.bytes.clone()];
            let listed = reader
                .known(written, &word.lower)
                .map(|(listed, _)| listed)
                .or_else(|| reader.names.named(&word.lower))
                .filter(|listed| reader.names.is_large(listed));
            if let Some(listed) = listed
                && !text::token::is_stop_word(&word.lower)
            {
                self.add(listed, How::Name, reader, range);
            }
        }
    }

    fn symbols(&mut self, reader: &Reader<'_>) {
        for at in 0..reader.words.len() {
            let range = at..at + 1;
            if !self.is_free(&range) {
                continue;
            }
            let word = &reader.words[at];
            match reader.names.symbol(&reader.text[word.bytes.clone()]) {
                // `Berkshire's B shares`: a class of what was named.
                Some(_)
                    if word.lower.len() == 1
                        && self.instruments.iter().any(|(_, named)| named.end == at) => {}
                Some(listed) if reader.is_symbol(at, listed) => {
                    self.add(listed, How::Symbol, reader, range);
                }
                None if word.is_cashtag || reader.looks_like_a_symbol(at) => {
                    let said = reader.text[word.bytes.clone()].to_owned();
                    // A company may be known by a symbol that nothing is listed under here.
                    self.take(&range);
                    self.unknown.push((said, range));
                }
                _ => {}
            }
        }
    }

    fn misspelt(&mut self, reader: &Reader<'_>) {
        for (at, word) in reader.words.iter().enumerate() {
            let range = at..at + 1;
            // What stands on a side of `vs` is a name, also where it is a word.
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

/// One question and what is known around it.
struct Reader<'a> {
    text: &'a str,
    words: &'a [Word],
    names: &'a Names,
    is_cue: &'a dyn Fn(usize) -> bool,
    is_shouted: bool,
}

impl<'a> Reader<'a> {
    /// The listing that these words name.
    fn named(&self, range: &Range<usize>) -> Option<&'a Listed> {
        let slice = &self.words[range.clone()];
        if slice[1..].iter().any(|word| word.is_parted) {
            return None;
        }
        let said: Vec<&str> = slice.iter().map(|word| word.lower.as_str()).collect();
        let said = said.join(" ");
        let bytes = slice[0].bytes.start..slice[slice.len() - 1].bytes.end;
        let known = self.known(&self.text[bytes], &said);
        // `bitcoin` is the coin, also where a fund has its symbol.
        let known = known.map(|(listed, distinctness)| {
            let coin = self
                .names
                .named(&said)
                .filter(|named| named.kind == Kind::Coin && named.symbol == listed.symbol);
            (coin.unwrap_or(listed), distinctness)
        });
        if self.is_of_place_or_person(range) {
            return None;
        }
        let listed = known.map(|(listed, _)| listed).or_else(|| {
            self.names
                .named(&said)
                .filter(|named| !self.is_another(slice, named))
        })?;
        let is_sure = if let [word] = slice {
            self.is_used_as_name(range.start, word, listed, known.map(|known| known.1))
        } else {
            // `quantum computing`: words that are a name only where they are written as one, unless everybody knows it.
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

    /// Whether the words of a name are running text: the first is a small word that joins the others to what stands before them,
    /// as in `sanctions on semiconductor exports`. It is none where it has a capital of its own, and where the words stand as
    /// names do.
    fn only_joins(&self, range: &Range<usize>) -> bool {
        let at = range.start;
        if !text::token::is_stop_word(&self.words[at].lower) {
            return false;
        }
        // At the start of a sentence and in a question in capitals, capitals say nothing.
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

    /// Whether words are part of the longer name of a known place or person: `Sea` of `Red Sea`.
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

    /// Whether a word in capitals is the symbol of something that is not listed here, and not a company whose name begins so:
    /// `AVAX` is no `Avax One`.
    fn is_another(&self, slice: &[Word], named: &Listed) -> bool {
        let [word] = slice else {
            return false;
        };
        let written = &self.text[word.bytes.clone()];
        word.is_capitals
            && !self.is_shouted
            && text::entities::traded(written)
                .is_some_and(|(symbol, _)| symbol == written && named.symbol.as_str() != symbol)
    }

    /// The listing of a company or coin that the gazetteer knows by these words: `google`, `facebook`.
    fn known(&self, written: &str, said: &str) -> Option<(&'a Listed, Distinctness)> {
        let find = |text: &str| {
            let (symbol, distinctness) = text::entities::traded(text)?;
            Some((self.names.symbol(symbol)?, distinctness))
        };
        find(written).or_else(|| find(&titled(said)))
    }

    /// Whether a name of one word is meant as one.
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
        let is_capital = self.starts_capital(at) && !self.is_shouted;
        let is_before_noun = self.next(at).is_some_and(|next| next.is_any(&AFTER));
        let is_ordinary = names::is_ordinary(&word.lower);
        // `robinhood`: what is no word of English is no other thing where a question can name a company.
        if !(self.is_cue)(at) && distinctness == Some(Distinctness::Rare) && !is_ordinary {
            return is_capital || self.has_neighbour(at) || self.words.len() <= 3;
        }
        if (self.is_cue)(at) || distinctness == Some(Distinctness::Rare) {
            // `target price`: a word of the trade, or mostly something else.
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

    fn has_neighbour(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map(|before| &self.words[before]);
        self.next(at).is_some_and(|next| {
            next.is_any(&AFTER) || next.is_any(&["vs", "versus", "or"]) || (self.is_cue)(at + 1)
        }) || before.is_some_and(|before| before.is_any(&BEFORE))
    }

    fn next(&self, at: usize) -> Option<&Word> {
        self.words.get(at + 1)
    }

    fn starts_capital(&self, at: usize) -> bool {
        self.text[self.words[at].bytes.clone()].starts_with(char::is_uppercase)
    }

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
            if NO_SYMBOLS.contains(upper.as_str()) || self.is_of_compound(at) {
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
        if written.len() < 2 || NO_SYMBOLS.contains(upper.as_str()) || (self.is_cue)(at) {
            return false;
        }
        if !is_ordinary {
            // `nvda`, and not a foreign word or an exclamation that happens to be listed somewhere.
            return self.names.is_large(listed)
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

    /// Whether a hyphen joins a word in capitals to another that is neither a symbol nor a currency: `XQZ-ABC` names one thing,
    /// `BTC-USD` and `AAPL-MSFT` two.
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

    /// Whether a word is written as a symbol, although nothing is listed under it: `XQZT stock`.
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
        is_written_so
            && !NO_SYMBOLS.contains(written)
            && !names::is_ordinary(&word.lower)
            && !(self.is_cue)(at)
            && (text::entities::traded(written).is_some_and(|(symbol, _)| symbol == written)
                || self.words.len() <= 2
                || self.next(at).is_some_and(|next| next.is_any(&AFTER))
                || is_asked_of)
    }
}

/// Figures by the words of the table.
fn called(words: &[Word]) -> Vec<(Series, Range<usize>)> {
    CALLED
        .iter()
        .filter_map(|(code, phrase)| Some((Series::Known(code), place_of(phrase, words)?)))
        .collect()
}

/// Where the words of a phrase stand first.
fn place_of(phrase: &[&str], words: &[Word]) -> Option<Range<usize>> {
    let is_word = |(word, wanted): (&Word, &&str)| word.lower == **wanted;
    let first = words
        .windows(phrase.len())
        .position(|slice| slice.iter().zip(phrase).all(is_word))?;
    Some(first..first + phrase.len())
}

/// The figures of groups: `precious metals`, and not `metals` of these; `metals stocks` are shares.
fn groups(words: &[Word]) -> Vec<(Series, Range<usize>)> {
    let placed: Vec<(&[&'static str], Range<usize>)> = GROUPS
        .iter()
        .filter_map(|(codes, phrase)| Some((codes.as_slice(), place_of(phrase, words)?)))
        .filter(|(_, range)| {
            let next = words.get(range.end);
            !next.is_some_and(|next| next.is_any(&OF_SHARES))
        })
        .collect();
    placed
        .iter()
        .filter(|(_, range)| {
            let is_wider = |other: &Range<usize>| {
                other.len() > range.len() && other.start <= range.start && range.end <= other.end
            };
            !placed.iter().any(|(_, other)| is_wider(other))
        })
        .flat_map(|(codes, range)| {
            let codes = codes.iter();
            codes.map(|code| (Series::Known(code), range.clone()))
        })
        .collect()
}

/// Whether a symbol reads as one wherever it stands; else it takes a dollar sign.
pub fn reads_back(symbol: &str) -> bool {
    symbol.len() > 1 && !NO_SYMBOLS.contains(symbol)
}

/// As a name is written: each word with a capital.
fn titled(said: &str) -> String {
    let mut titled = String::with_capacity(said.len());
    for (place, word) in said.split(' ').enumerate() {
        if place > 0 {
            titled.push(' ');
        }
        let mut characters = word.chars();
        titled.extend(characters.next().into_iter().flat_map(char::to_uppercase));
        titled.extend(characters);
    }
    titled
}

/// Pairs are quoted one way: how many yen a dollar costs, and how many dollars a euro.
fn usual_pair(base: &'static str, quote: &'static str) -> Series {
    const ORDER: [&str; 8] = ["EUR", "GBP", "AUD", "NZD", "USD", "CAD", "CHF", "JPY"];
    let place = |code| ORDER.iter().position(|other| *other == code);
    if place(base) <= place(quote) {
        Series::Pair(base, quote)
    } else {
        Series::Pair(quote, base)
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
pub(crate) fn mentions(text: &str, today: Day) -> Mentions {
    verify::figures::mentions(text, today)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sound() {
        let file = include_str!("../data/no_symbols.txt");
        assert_eq!(table::fault(file, 1, 1), None);
        assert!(table::lines(file).is_sorted());
    }

    #[test]
    fn figures_are_called_by_what_is_known() {
        for file in [
            include_str!("../data/series.tsv"),
            include_str!("../data/groups.tsv"),
        ] {
            assert_eq!(table::fault(file, 2, 1), None);
        }
        let of_groups = GROUPS.iter().flat_map(|(codes, _)| codes);
        for code in CALLED.iter().map(|(code, _)| code).chain(of_groups) {
            assert!(KnownSeries::find(code).is_some(), "{code}");
        }
    }

    #[test]
    fn pairs_are_quoted_one_way() {
        assert_eq!(usual_pair("JPY", "USD"), Series::Pair("USD", "JPY"));
        assert_eq!(usual_pair("EUR", "USD"), Series::Pair("EUR", "USD"));
        assert_eq!(usual_pair("USD", "GBP"), Series::Pair("GBP", "USD"));
    }
}

//! What somebody says they hold.

use std::ops::Range;

use model::Symbol;

use crate::subjects::Instrument;
use crate::words::Word;

/// Words for parts of a portfolio that are neither listed nor have values of their own here.
const UNPRICED: [&str; 5] = ["cash", "savings", "bonds", "treasuries", "property"];
/// Words between a percentage and what it is a percentage of.
const BETWEEN: [&str; 8] = ["percent", "pct", "in", "of", "the", "is", "at", "into"];

/// One holding.
#[derive(Clone, Debug, PartialEq)]
pub struct Holding {
    /// The symbol held.
    pub symbol: Symbol,
    /// Its share of the portfolio, 0 to 1.
    pub weight: f64,
    /// Whether it is held short.
    pub is_short: bool,
}

/// A part of the portfolio; one without a symbol is not listed: cash, gold.
struct Part<'a> {
    symbol: Option<&'a Symbol>,
    words: Range<usize>,
    weight: Option<f64>,
    is_short: bool,
}

/// On which side of its name a percentage is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Before,
    Behind,
}

/// A question in which somebody states their holdings.
pub(crate) struct Told<'a> {
    pub(crate) text: &'a str,
    pub(crate) words: &'a [Word],
    /// The listed part of it.
    pub(crate) instruments: &'a [(Instrument, Range<usize>)],
    /// Words for other things that may be held: commodities, and names that match no listing.
    pub(crate) others: &'a [Range<usize>],
}

impl Told<'_> {
    /// The listed holdings. Percentages next to the names are weights; without any, all have the same weight, and
    /// holdings without one share what is left.
    pub(crate) fn holdings(&self) -> Vec<Holding> {
        let mut parts = self.parts();
        self.weigh(&mut parts);
        // More than the whole, by leverage or by mistake: what is shown are shares of what was named.
        let given = |parts: &[Part<'_>]| parts.iter().filter_map(|part| part.weight).sum::<f64>();
        let total = given(&parts);
        if total > 1.0 {
            for part in &mut parts {
                part.weight = Some(part.weight.unwrap_or_default() / total);
            }
        }
        let open = parts.iter().filter(|part| part.weight.is_none()).count();
        let rest = (1.0 - given(&parts)).max(0.0) / open.max(1) as f64;
        parts
            .into_iter()
            .filter_map(|part| {
                Some(Holding {
                    symbol: part.symbol?.clone(),
                    weight: part.weight.unwrap_or(rest),
                    is_short: part.is_short,
                })
            })
            .filter(|holding| holding.weight > 0.0)
            .collect()
    }

    /// Whether several listed holdings have a percentage next to their name and all together make up one whole, or a
    /// part of one if somebody speaks of their own.
    pub(crate) fn has_weights(&self) -> bool {
        const OWN: [&str; 9] = ["my", "i", "im", "ive", "our", "we", "weve", "hold", "own"];
        let mut parts = self.parts();
        let is_weighed = |part: &Part<'_>| self.percent_beside(&part.words).is_some();
        if self.instruments.len() < 2 || !parts.iter().all(is_weighed) {
            return false;
        }
        self.weigh(&mut parts);
        let total: f64 = parts.iter().filter_map(|part| part.weight).sum();
        let is_whole = (total - 1.0).abs() < 1e-6;
        is_whole || total < 1.0 && self.words.iter().any(|word| word.is_any(&OWN))
    }

    /// The unlisted parts that have a percentage, as written.
    pub(crate) fn unlisted(&self) -> Vec<&str> {
        let parts = self.parts().into_iter();
        let mut said: Vec<&str> = Vec::new();
        for part in parts.filter(|part| part.symbol.is_none()) {
            let first = self.words[part.words.start].bytes.start;
            let written = &self.text[first..self.words[part.words.end - 1].bytes.end];
            if !said.contains(&written) {
                said.push(written);
            }
        }
        said
    }

    /// What is listed, each once, and what is not listed but has a percentage, in the order of the question.
    fn parts(&self) -> Vec<Part<'_>> {
        let part = |symbol, words: &Range<usize>| Part {
            symbol,
            words: words.clone(),
            weight: None,
            is_short: false,
        };
        let mut parts: Vec<Part<'_>> = Vec::new();
        for (instrument, words) in self.instruments {
            let symbol = Some(&instrument.symbol);
            // What the previous question named has no words here.
            if !parts.iter().any(|known| known.symbol == symbol) {
                parts.push(part(symbol, words));
            }
        }
        let unpriced = (0..self.words.len()).filter(|at| self.words[*at].is_any(&UNPRICED));
        let unpriced = unpriced.map(|at| at..at + 1);
        for words in self.others.iter().cloned().chain(unpriced) {
            let is_apart =
                |known: &Part<'_>| words.end <= known.words.start || known.words.end <= words.start;
            let is_new = !words.is_empty() && parts.iter().all(is_apart);
            if is_new && self.percent_beside(&words).is_some() {
                parts.push(part(None, &words));
            }
        }
        parts.sort_by_key(|part| part.words.start);
        parts
    }

    fn weigh(&self, parts: &mut [Part<'_>]) {
        let standing = self.standing(parts);
        let places: Vec<Range<usize>> = parts.iter().map(|part| part.words.clone()).collect();
        let mut used: Vec<usize> = Vec::new();
        for (place, part) in parts.iter_mut().enumerate() {
            let begin = place.checked_sub(1).map_or(0, |last| places[last].end);
            let end = places
                .get(place + 1)
                .map_or(self.words.len(), |next| next.start);
            let before = begin..part.words.start.max(begin);
            let behind = part.words.end..end.max(part.words.end);
            // The nearest one on that side; together with other parts a percentage may be on the other side:
            // `AAPL 50%, 20% cash`.
            let usual = match standing {
                Standing::Before => self.percents(before.clone()).pop(),
                Standing::Behind => self.percents(behind).into_iter().next(),
            };
            let beside = || self.percent_beside(&part.words);
            let found = usual.or_else(beside).filter(|(at, _)| !used.contains(at));
            used.extend(found.map(|(at, _)| at));
            part.weight = found.map(|(_, weight)| weight);
            part.is_short = self.is_short(before);
        }
    }

    /// Where percentages are: preferably directly next to the names, otherwise before the first name or after it.
    fn standing(&self, parts: &[Part<'_>]) -> Standing {
        let count = |side| {
            let beside = parts
                .iter()
                .filter(|part| self.percent_on(&part.words, side).is_some());
            beside.count()
        };
        let (before, behind) = (count(Standing::Before), count(Standing::Behind));
        let first = parts.first().map_or(0, |part| part.words.start);
        let is_before = match before.cmp(&behind) {
            std::cmp::Ordering::Greater => true,
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Equal => !self.percents(0..first).is_empty(),
        };
        if is_before {
            Standing::Before
        } else {
            Standing::Behind
        }
    }

    /// The percentage directly next to a name, and which word it is.
    fn percent_beside(&self, name: &Range<usize>) -> Option<(usize, f64)> {
        let before = self.percent_on(name, Standing::Before);
        before.or_else(|| self.percent_on(name, Standing::Behind))
    }

    /// The percentage directly on one side of a name, with no punctuation that separates them.
    fn percent_on(&self, name: &Range<usize>, side: Standing) -> Option<(usize, f64)> {
        let at = match side {
            Standing::Before => {
                if self.words.get(name.start)?.is_parted {
                    return None;
                }
                let mut before = (0..name.start).rev();
                before.find(|at| {
                    let word = &self.words[*at];
                    word.is_parted || !word.is_any(&BETWEEN)
                })?
            }
            Standing::Behind => {
                let mut behind = name.end..self.words.len();
                let at = behind.find(|at| !self.words[*at].is_any(&BETWEEN))?;
                let is_parted = |word: &Word| word.is_parted;
                if self.words[name.end..=at].iter().any(is_parted) {
                    return None;
                }
                at
            }
        };
        Some((at, percent(self.text, self.words, at)?))
    }

    fn percents(&self, range: Range<usize>) -> Vec<(usize, f64)> {
        range
            .filter_map(|at| Some((at, percent(self.text, self.words, at)?)))
            .collect()
    }

    fn is_short(&self, before: Range<usize>) -> bool {
        self.words[before]
            .iter()
            .rev()
            .take_while(|word| !word.is_any(&["and", "long"]))
            .any(|word| {
                word.is_any(&["short", "shorted", "shorting"])
                    || word.is_number() && self.text[..word.bytes.start].ends_with('-')
            })
    }
}

/// The note on weights that were not taken literally.
pub(crate) fn note(text: &str, words: &[Word], holdings: &[Holding]) -> Option<String> {
    let counts_shares = words.windows(2).any(|pair| {
        pair[0].is_number()
            && pair[1].is_any(&["shares", "share", "units", "coins", "of"])
            && !text[pair[0].bytes.end..].trim_start().starts_with('%')
    });
    if counts_shares && holdings.len() > 1 {
        return Some(
            "equal weights are assumed: numbers of shares are not weighed by their prices"
                .to_owned(),
        );
    }
    let total: f64 = (0..words.len())
        .filter_map(|at| percent(text, words, at))
        .sum();
    if holdings.len() > 1 && total == 0.0 {
        return Some("no percentages are given: equal weights are assumed".to_owned());
    }
    (total > 1.000_001).then(|| {
        format!(
            "the weights of the question add up to {:.0}%; they are shown as shares of that",
            total * 100.0
        )
    })
}

/// The percentage that a word expresses, as a fraction.
fn percent(text: &str, words: &[Word], at: usize) -> Option<f64> {
    let word = words.get(at).filter(|word| word.is_number())?;
    let value: f64 = word.lower.replace(',', "").parse().ok()?;
    let is_percent = text[word.bytes.end..].trim_start().starts_with('%')
        || words
            .get(at + 1)
            .is_some_and(|next| next.is_any(&["percent", "pct"]));
    (is_percent && value > 0.0 && value <= 100_000.0).then_some(value / 100.0)
}

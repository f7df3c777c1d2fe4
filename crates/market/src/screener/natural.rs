//! From a sentence to a screen: "oversold tech stocks above their 200-day average".
//!
//! Words are read from left to right. Each phrase that means a filter, a type of symbol, a sector, an order or a
//! number of matches is consumed together with a sentence that says how it was read; anything left over is reported
//! to the caller and never guessed at. A word that is misspelt by one letter is read as the word closest to it. What
//! the filters cannot express (alternatives with `or`, two sectors at once, a 100-day average) is not bent into
//! something similar: a sentence that asks for it gets no result. The same goes for a sentence with a number that was
//! not understood, because it was a condition, with the `highest` or `most` of something that was not understood,
//! because it was an order, or with a word before a figure that turns it into a different one (`forward` P/E). No
//! model is involved: the same sentence always means the same.

mod phrases;
mod words;

use model::AssetType;

use super::industry::Industry;
use super::{Direction, Part, SortBy};
use crate::Error;
use crate::filters::{FilterKey, FilterValue, Filters, Metric};
use words::Word;

/// Words that ask for an order, whatever it is based on.
const UTMOST: [&str; 10] = [
    "highest", "lowest", "most", "least", "biggest", "largest", "smallest", "greatest", "fewest",
    "steepest",
];

/// Words that rate a figure, or merely describe it, and do not turn it into a different one, as `forward` and
/// `operating` do.
const JUDGEMENTS: [&str; 19] = [
    "actual",
    "annual",
    "attractive",
    "closing",
    "daily",
    "decent",
    "fair",
    "good",
    "great",
    "healthy",
    "high",
    "large",
    "low",
    "nice",
    "small",
    "solid",
    "stable",
    "strong",
    "total",
];

/// What a sentence was understood to ask for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Understood {
    /// The filters in the order of the sentence; if it has two thresholds for one filter, the stricter one.
    pub filters: Vec<(FilterKey, FilterValue)>,
    /// The type of symbols, if the sentence names one.
    pub asset_type: Option<AssetType>,
    /// The sector, if the sentence names one.
    pub sector: Option<String>,
    /// The industry, if the sentence names one.
    pub industry: Option<&'static Industry>,
    /// Sectors and industries that it excludes.
    pub without: Vec<Part>,
    /// The exchange, if the sentence names one.
    pub exchange: Option<String>,
    /// The order, if the sentence names one.
    pub sort: Option<SortBy>,
    /// The direction of the order, if it is not the usual one.
    pub direction: Option<Direction>,
    /// How many matches, if the sentence says so.
    pub limit: Option<usize>,
    /// ISO 4217 code of the prices in the filters, if the sentence states it: `$10` is ten US dollars.
    pub currency: Option<&'static str>,
    /// How each phrase was read, or why it was not.
    pub explanation: Vec<String>,
    /// Words that were not understood.
    pub not_understood: Vec<String>,
    /// Whether it asks for something that the screener cannot express: alternatives, two sectors, the opposite of a
    /// filter. What remains would be a different query.
    pub is_beyond: bool,
}

impl Understood {
    /// Whether there is nothing to answer: no condition and no order was understood, or one of them is beyond the
    /// screener. `stocks` alone is not a screen if the rest was not understood.
    pub fn is_nothing(&self) -> bool {
        if self.is_beyond {
            return true;
        }
        self.filters.is_empty()
            && self.sector.is_none()
            && self.industry.is_none()
            && self.without.is_empty()
            && self.exchange.is_none()
            && self.sort.is_none()
            && (self.asset_type.is_none() || !self.not_understood.is_empty())
    }

    /// The filters, checked together; two that nothing can satisfy at once are an error.
    pub fn checked(&self) -> Result<Filters, Error> {
        Filters::parse(
            self.filters
                .iter()
                .map(|(key, value)| (key.as_str(), *value)),
        )
    }

    /// Multiplies the prices in the filters by a rate to convert them to another currency.
    pub fn convert_prices(&mut self, rate: f64) {
        for (key, value) in &mut self.filters {
            if let FilterValue::Number(price) = value
                && key.metric() == Metric::Price
            {
                *price *= rate;
            }
        }
    }

    /// Adds a filter; of two thresholds for one filter the stricter counts.
    fn add(&mut self, key: FilterKey, value: FilterValue) {
        match self.filters.iter_mut().find(|(other, _)| *other == key) {
            Some((_, FilterValue::Number(known))) => {
                if let FilterValue::Number(new) = value {
                    *known = if key.wants_above() {
                        known.max(new)
                    } else {
                        known.min(new)
                    };
                }
            }
            Some(_) => {}
            None => self.filters.push((key, value)),
        }
    }

    fn explain(&mut self, words: &[Word], meaning: impl AsRef<str>) {
        let said: Vec<&str> = words.iter().map(|word| word.said.as_str()).collect();
        self.explanation
            .push(format!("{}: {}", said.join(" "), meaning.as_ref()));
    }
}

/// Reads a sentence.
///
/// ```
/// use market::filters::{FilterKey, FilterValue};
///
/// let read = market::screener::natural::understand("oversold tech stocks with a P/E below 15");
/// assert_eq!(read.filters[0], (FilterKey::RsiBelow, FilterValue::Number(30.0)));
/// assert_eq!(read.filters[1], (FilterKey::PeBelow, FilterValue::Number(15.0)));
/// assert_eq!(read.sector.as_deref(), Some("Information Technology"));
/// ```
pub fn understand(sentence: &str) -> Understood {
    let words = words::split(sentence);
    let mut found = Understood::default();
    for word in words.iter().filter(|word| word.is_mended) {
        found
            .explanation
            .push(format!("{}: read as {}", word.said, word.means));
    }
    let mut at = 0;
    // Whether a phrase ended here, so that `or` introduces an alternative to it.
    let mut follows = false;
    while at < words.len() {
        let rest = &words[at..];
        if follows && rest[0].means == "or" {
            let taken = phrases::alternative(rest, &mut found);
            if taken > 0 {
                at += taken;
                continue;
            }
        }
        match phrases::take(rest, &mut found) {
            0 => {
                let word = &rest[0];
                if !words::is_filler(&word.means) && !found.not_understood.contains(&word.said) {
                    found.not_understood.push(word.said.clone());
                    // What is left would be a different screen from the one asked for.
                    let lost = if word.number.is_some() {
                        Some(
                            "a condition with this number was not understood, so nothing is searched",
                        )
                    } else if UTMOST.contains(&word.means.as_str()) {
                        Some(
                            "the order that this asks for was not understood, so nothing is searched",
                        )
                    } else if !JUDGEMENTS.contains(&word.means.as_str())
                        && phrases::is_figure(&rest[1..])
                    {
                        Some(
                            "this makes another figure of the one behind it, so nothing is searched",
                        )
                    } else {
                        None
                    };
                    if let Some(lost) = lost {
                        found.is_beyond = true;
                        found.explain(std::slice::from_ref(word), lost);
                    }
                }
                follows = false;
                at += 1;
            }
            taken => {
                at += taken;
                follows = true;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests;

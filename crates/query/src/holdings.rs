//! What somebody says to hold.

use std::ops::Range;

use model::Symbol;

use crate::subjects::Instrument;
use crate::words::Word;

/// One holding.
#[derive(Clone, Debug, PartialEq)]
pub struct Holding {
    /// What.
    pub symbol: Symbol,
    /// Its share of the portfolio, 0 to 1.
    pub weight: f64,
    /// Whether it was sold short.
    pub is_short: bool,
}

/// The holdings that a question names. Percentages beside the names are weights; without any of them all weigh the same,
/// and those without one share what is left.
pub(crate) fn find(
    text: &str,
    words: &[Word],
    instruments: &[(Instrument, Range<usize>)],
) -> Vec<Holding> {
    // Either all weights stand before their names or all behind them: `60% AAPL, 40% XOM`, `AAPL 60%, XOM 40%`.
    let first = instruments.first().map_or(0, |(_, range)| range.start);
    let stands_before = percent_in(text, words, 0..first).is_some();
    let mut said: Vec<(Symbol, Option<f64>, bool)> = Vec::new();
    for (place, (instrument, range)) in instruments.iter().enumerate() {
        if said.iter().any(|(symbol, ..)| *symbol == instrument.symbol) {
            continue;
        }
        let before = place
            .checked_sub(1)
            .map_or(0, |before| instruments[before].1.end)..range.start;
        let after = range.end
            ..instruments
                .get(place + 1)
                .map_or(words.len(), |(_, next)| next.start);
        let is_short = words[before.clone()]
            .iter()
            .rev()
            .take_while(|word| !word.is_any(&["and", "long"]))
            .any(|word| {
                word.is_any(&["short", "shorted", "shorting"])
                    || word.is_number() && text[..word.bytes.start].ends_with('-')
            });
        let weight = percent_in(text, words, if stands_before { before } else { after });
        said.push((instrument.symbol.clone(), weight, is_short));
    }
    // More than the whole, by somebody's leverage or slip: what is shown are shares of what was named.
    let total: f64 = said.iter().filter_map(|(_, weight, _)| *weight).sum();
    if total > 1.0 {
        for (_, weight, _) in &mut said {
            *weight = Some(weight.unwrap_or_default() / total);
        }
    }
    let given: f64 = said.iter().filter_map(|(_, weight, _)| *weight).sum();
    let open = said
        .iter()
        .filter(|(_, weight, _)| weight.is_none())
        .count();
    let rest = if open > 0 {
        (1.0 - given).max(0.0) / open as f64
    } else {
        0.0
    };
    said.into_iter()
        .map(|(symbol, weight, is_short)| Holding {
            symbol,
            weight: weight.unwrap_or(rest),
            is_short,
        })
        .filter(|holding| holding.weight > 0.0)
        .collect()
}

/// What has to be said of weights that were not taken as they were said.
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
    let total: f64 = words
        .iter()
        .enumerate()
        .filter_map(|(at, _)| percent_in(text, words, at..at + 1))
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

/// The last percentage of some words, as a fraction.
fn percent_in(text: &str, words: &[Word], range: Range<usize>) -> Option<f64> {
    range.rev().find_map(|at| {
        let word = words.get(at).filter(|word| word.is_number())?;
        let value: f64 = word.lower.replace(',', "").parse().ok()?;
        let is_percent = text[word.bytes.end..].trim_start().starts_with('%')
            || words
                .get(at + 1)
                .is_some_and(|next| next.is_any(&["percent", "pct"]));
        (is_percent && value > 0.0 && value <= 100_000.0).then_some(value / 100.0)
    })
}

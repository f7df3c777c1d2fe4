//! In which order, and how many.

use super::{Phrase, Reading, begins_any, kind, skip, thresholds};
use crate::filters::Metric;
use crate::screener::SortBy;
use crate::screener::natural::words::Word;

/// Most matches that are shown.
const MOST: f64 = 50.0;

/// "most oversold first", "cheapest", "sorted by volume".
pub(super) fn sort(rest: &[Word]) -> Phrase {
    superlative(rest)
        .or_else(|| by(rest))
        .map(|(taken, reading)| {
            let after = skip(&rest[taken..], &["first", "ascending", "descending"]);
            (taken + after, reading)
        })
}

fn superlative(rest: &[Word]) -> Phrase {
    let orders: [(SortBy, &[&[&str]]); 5] = [
        (SortBy::Rsi, &[&["most", "oversold"], &["lowest", "rsi"]]),
        (
            SortBy::PeRatio,
            &[
                &["cheapest"],
                &["lowest", "p", "e"],
                &["lowest", "pe"],
                &["most", "undervalued"],
            ],
        ),
        (
            SortBy::MarketCap,
            &[
                &["largest"],
                &["biggest"],
                &["highest", "market", "cap"],
                &["most", "valuable"],
            ],
        ),
        (
            SortBy::Volume,
            &[
                &["most", "traded"],
                &["most", "active"],
                &["most", "actively", "traded"],
                &["most", "liquid"],
                &["highest", "volume"],
                &["most", "volume"],
            ],
        ),
        (
            SortBy::Sentiment,
            &[
                &["most", "bullish"],
                &["most", "positive"],
                &["highest", "sentiment"],
                &["best", "sentiment"],
                &["best", "news"],
                &["strongest", "sentiment"],
            ],
        ),
    ];
    let impossible: &[&[&str]] = &[
        &["most", "overbought"],
        &["highest", "rsi"],
        &["most", "expensive"],
        &["highest", "pe"],
        &["highest", "p", "e"],
        &["smallest"],
        &["most", "bearish"],
        &["most", "negative"],
        &["lowest", "sentiment"],
        &["worst", "sentiment"],
        &["lowest", "volume"],
    ];
    if let Some(taken) = begins_any(rest, impossible) {
        return Some((
            taken,
            Reading::Unsupported("the screener does not sort in that direction"),
        ));
    }
    orders
        .into_iter()
        .find_map(|(order, words)| Some((begins_any(rest, words)?, Reading::Sort(order))))
}

fn by(rest: &[Word]) -> Phrase {
    let mut at = begins_any(
        rest,
        &[
            &["sort", "by"],
            &["sorted", "by"],
            &["order", "by"],
            &["ordered", "by"],
            &["rank", "by"],
            &["ranked", "by"],
            &["by"],
            &["in", "terms", "of"],
        ],
    )?;
    at += skip(&rest[at..], &["lowest", "highest", "the", "their"]);
    if rest.get(at)?.means == "size" {
        return Some((at + 1, Reading::Sort(SortBy::MarketCap)));
    }
    let (taken, metric) = thresholds::metric(rest.get(at..)?)?;
    let order = match metric {
        Metric::Rsi => SortBy::Rsi,
        Metric::Sentiment => SortBy::Sentiment,
        Metric::PeRatio => SortBy::PeRatio,
        Metric::MarketCap => SortBy::MarketCap,
        Metric::Volume => SortBy::Volume,
        _ => return None,
    };
    Some((at + taken, Reading::Sort(order)))
}

/// "top 10", "first five", "20 stocks".
pub(super) fn limit(rest: &[Word]) -> Phrase {
    let before = begins_any(rest, &[&["top"], &["best"], &["first"]]).unwrap_or(0);
    let word = rest.get(before)?;
    let count = word
        .number
        .filter(|number| number.fract() == 0.0 && *number >= 1.0)?;
    // `5 ETFs`, `5 overbought large funds`; more than are shown belong to a name: `S&P 500 stocks`.
    let of_things = || (1..=4).any(|at| rest.get(at..).is_some_and(|rest| kind(rest).is_some()));
    let is_count = word.unit.is_none() && (before > 0 || count <= MOST && of_things());
    is_count.then(|| (before + 1, Reading::Limit(count.min(MOST) as usize)))
}

//! In which order, and how many.

use super::{Phrase, Reading, begins_any, extremes, kind, skip, thresholds};
use crate::filters::Metric;
use crate::screener::SortBy;
use crate::screener::natural::words::Word;

/// Most matches that are shown.
const MOST: f64 = 50.0;

/// "most oversold first", "cheapest", "sorted by volume".
pub(super) fn sort(rest: &[Word]) -> Phrase {
    dividends(rest)
        .or_else(|| moves(rest))
        .or_else(|| superlative(rest))
        .or_else(|| by(rest))
        .map(|(taken, reading)| {
            let after = skip(&rest[taken..], &["first", "ascending", "descending"]);
            (taken + after, reading)
        })
}

/// "highest dividend yield", "best dividend payers", "top 10 dividend stocks".
fn dividends(rest: &[Word]) -> Phrase {
    const UTMOST: [&str; 10] = [
        "highest", "biggest", "largest", "best", "top", "fattest", "richest", "lowest", "smallest",
        "worst",
    ];
    let paid: &[&[&str]] = &[
        &["dividend"],
        &["dividends"],
        &["dividend", "yield"],
        &["dividend", "yields"],
        &["dividend", "yielding"],
        &["dividend", "yielders"],
        &["dividend", "paying"],
        &["dividend", "payer"],
        &["dividend", "payers"],
        &["dividend", "payout"],
        &["dividend", "payouts"],
        &["paying", "dividend"],
        &["paying", "dividends"],
        &["yield"],
        &["yields"],
        &["yielding"],
        &["yielders"],
        &["yielding", "dividend"],
        &["payout"],
        &["payouts"],
    ];
    let utmost = rest
        .first()
        .filter(|word| UTMOST.contains(&word.means.as_str()))?;
    let count = rest.get(1).and_then(count);
    let at = 1 + usize::from(count.is_some());
    let taken = at + begins_any(rest.get(at..)?, paid)?;
    // How dividends grew is another figure.
    let grows = |word: &Word| word.means.starts_with("grow") || word.means.starts_with("increas");
    if rest.get(taken).is_some_and(grows) {
        return None;
    }
    let reading = match (utmost.means.as_str(), count) {
        ("lowest" | "smallest" | "worst", _) => OTHER_WAY,
        (_, Some(limit)) => Reading::Ranked(SortBy::DividendYield, limit),
        (_, None) => Reading::Sort(SortBy::DividendYield),
    };
    Some((taken, reading))
}

/// "biggest gainers this year", "best performing tech stocks over the past twelve months": over the times that are ranked. The words
/// of the time are taken where they stand.
fn moves(rest: &[Word]) -> Phrase {
    const BEST: [&str; 6] = ["best", "biggest", "top", "strongest", "largest", "highest"];
    const WORST: [&str; 2] = ["worst", "weakest"];
    const UP: [&str; 14] = [
        "rise",
        "return",
        "returns",
        "gainer",
        "gainers",
        "gain",
        "gains",
        "winner",
        "winners",
        "riser",
        "risers",
        "performer",
        "performers",
        "performing",
    ];
    const DOWN: [&str; 14] = [
        "drop",
        "drops",
        "fall",
        "decline",
        "declines",
        "loser",
        "losers",
        "loss",
        "losses",
        "faller",
        "fallers",
        "decliner",
        "decliners",
        "laggards",
    ];
    /// Words between a move and its time, at most.
    const BETWEEN: usize = 5;
    let means = |place: usize| rest.get(place).map_or("", |word| word.means.as_str());
    let count = rest.get(1).and_then(count);
    let at = 1 + usize::from(count.is_some());
    // "highest year-to-date return": the figure names its time.
    let figure = rest.get(at..).and_then(thresholds::metric);
    let order = match figure {
        Some((_, Metric::ChangeYtd)) => Some(SortBy::ChangeYtd),
        Some((_, Metric::ChangeYear)) => Some(SortBy::Change1y),
        _ => None,
    };
    if let (true, Some(order), Some((taken, _))) = (BEST.contains(&means(0)), order, figure) {
        return Some((at + taken, Reading::Sort(order)));
    }
    let is_down = match (means(0), means(at)) {
        (utmost, moved) if BEST.contains(&utmost) && UP.contains(&moved) => false,
        (utmost, moved) if WORST.contains(&utmost) && UP.contains(&moved) => true,
        (utmost, moved)
            if (BEST.contains(&utmost) || WORST.contains(&utmost)) && DOWN.contains(&moved) =>
        {
            true
        }
        _ => return None,
    };
    let behind = &rest[at + 1..];
    let is_calendar = (0..=BETWEEN).find_map(|place| {
        let (_, is_calendar) = behind.get(place..).and_then(extremes::year)?;
        Some(is_calendar)
    });
    let order = match is_calendar {
        Some(true) => SortBy::ChangeYtd,
        Some(false) => SortBy::Change1y,
        None => {
            let reading = Reading::Unsupported(
                "prices are ranked by their change this year or over twelve months; other times are those of the market's movers",
            );
            return Some((at + 1, reading));
        }
    };
    let reading = match (is_down, count) {
        (true, _) => OTHER_WAY,
        (false, Some(limit)) => Reading::Ranked(order, limit),
        (false, None) => Reading::Sort(order),
    };
    Some((at + 1, reading))
}

/// The time of an order by changes, where the words begin with it.
pub(super) fn time_of(order: SortBy, rest: &[Word]) -> Option<usize> {
    let (taken, is_calendar) = extremes::year(rest)?;
    let is_of_order = match order {
        SortBy::ChangeYtd => is_calendar,
        SortBy::Change1y => !is_calendar,
        _ => false,
    };
    is_of_order.then_some(taken)
}

const OTHER_WAY: Reading = Reading::Unsupported("the screener does not sort in that direction");

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
        return Some((taken, OTHER_WAY));
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
    let before = at;
    at += skip(&rest[at..], &["lowest", "highest", "the", "their"]);
    let says = |side: &str| rest[before..at].iter().any(|word| word.means == side);
    let (lowest, highest) = (says("lowest"), says("highest"));
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
        Metric::DividendYield => SortBy::DividendYield,
        Metric::ChangeYtd => SortBy::ChangeYtd,
        Metric::ChangeYear => SortBy::Change1y,
        _ => return None,
    };
    let (_, highest_first) = order.metric();
    let is_other_way = if highest_first { lowest } else { highest };
    let reading = if is_other_way {
        OTHER_WAY
    } else {
        Reading::Sort(order)
    };
    Some((at + taken, reading))
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

/// A bare whole number of matches.
fn count(word: &Word) -> Option<usize> {
    let number = word.number.filter(|number| {
        word.unit.is_none() && !word.is_money && number.fract() == 0.0 && *number >= 1.0
    })?;
    Some(number.min(MOST) as usize)
}

//! The order of the matches, and how many.

use super::{NEGATIONS, Phrase, Reading, begins_any, extremes, kind, phrase, skip, thresholds};
use crate::filters::Metric;
use crate::screener::natural::words::{self, Word};
use crate::screener::{Direction, SortBy};

/// Most matches that are shown.
const MOST: f64 = 50.0;

const NO_ORDER: Reading = Reading::Unsupported("matches cannot be ordered by this");

/// An order, the direction if one is said, and how many matches to show.
fn ordered(order: SortBy, way: Option<Direction>, limit: Option<usize>) -> Reading {
    match limit {
        Some(limit) => Reading::Ranked(order, way, limit),
        None => Reading::Sort(order, way),
    }
}

/// The order by a figure, if there is one.
fn order_by(metric: Metric) -> Option<SortBy> {
    let mut all = SortBy::ALL.into_iter();
    all.find(|order| order.metric().0 == metric)
}

/// "most oversold first", "cheapest", "sorted by volume".
pub(super) fn sort(rest: &[Word]) -> Phrase {
    let (taken, reading) = ranking(rest)
        .or_else(|| by(rest))
        .or_else(|| directed(rest))?;
    let first = skip(&rest[taken..], &["first"]);
    Some((taken + first, reading))
}

/// An order that itself says which way round it is.
fn ranking(rest: &[Word]) -> Phrase {
    dividends(rest)
        .or_else(|| moves(rest))
        .or_else(|| superlative(rest))
        .or_else(|| utmost(rest))
        .or_else(|| largest(rest))
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
    if rest.get(taken).is_some_and(grows) {
        return Some((taken + 1, NO_ORDER));
    }
    let way = match utmost.means.as_str() {
        "lowest" | "smallest" | "worst" => Direction::Ascending,
        _ => Direction::Descending,
    };
    let is_bounded = is_bounded(&rest[at..], Metric::DividendYield);
    let taken = if is_bounded { at } else { taken };
    Some((taken, ordered(SortBy::DividendYield, Some(way), count)))
}

/// Whether a word says how a figure changed: that is a different figure.
fn grows(word: &Word) -> bool {
    ["grow", "increas", "chang"]
        .iter()
        .any(|stem| word.means.starts_with(stem))
}

/// Whether the words are a condition on a figure: the "dividend yield above 4%" in "the highest dividend yield above
/// 4%", which is read separately. A sum of money only makes a condition on market value, as in "the highest yield
/// under $20".
fn is_bounded(rest: &[Word], metric: Metric) -> bool {
    let is_of_figure = |word: &Word| {
        let is_value = word.number.is_some_and(|number| number >= 1e6);
        !word.is_money || metric == Metric::MarketCap && is_value
    };
    thresholds::threshold(rest).is_some_and(|(taken, _)| rest[..taken].iter().all(is_of_figure))
}

/// The figure with which the words begin: how many of them are not a condition, and the order by it, if there is one.
fn figure(rest: &[Word]) -> Option<(usize, Option<SortBy>)> {
    let (taken, metric) = thresholds::metric(rest)?;
    if rest.get(taken).is_some_and(grows) {
        return Some((taken + 1, None));
    }
    let order = order_by(metric);
    let is_apart = order.is_some() && is_bounded(rest, metric);
    Some((if is_apart { 0 } else { taken }, order))
}

/// "biggest gainers this year", "best performing tech stocks over the past twelve months": over the periods that can
/// be ranked. The words for the period are taken where they occur.
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
    /// The most words between a move and its period.
    const BETWEEN: usize = 5;
    let means = |place: usize| rest.get(place).map_or("", |word| word.means.as_str());
    let count = rest.get(1).and_then(count);
    let at = 1 + usize::from(count.is_some());
    let way = match (means(0), means(at)) {
        (utmost, moved) if BEST.contains(&utmost) && UP.contains(&moved) => Direction::Descending,
        (utmost, moved) if WORST.contains(&utmost) && UP.contains(&moved) => Direction::Ascending,
        (utmost, moved)
            if (BEST.contains(&utmost) || WORST.contains(&utmost)) && DOWN.contains(&moved) =>
        {
            Direction::Ascending
        }
        _ => return None,
    };
    let behind = &rest[at + 1..];
    let Some(of_price) = of_prices(behind) else {
        return Some((at + 1, NO_ORDER));
    };
    let is_calendar = (0..=BETWEEN).find_map(|place| {
        let (_, is_calendar) = behind.get(place..).and_then(extremes::year)?;
        Some(is_calendar)
    });
    let reading = match is_calendar {
        Some(is_calendar) => ordered(change(is_calendar), Some(way), count),
        None => Reading::Unsupported(
            "prices are ranked by their change this year or over twelve months; other times are those of the market's movers",
        ),
    };
    Some((at + 1 + of_price, reading))
}

/// The order by the change over a calendar year, otherwise over twelve months.
fn change(is_calendar: bool) -> SortBy {
    if is_calendar {
        SortBy::ChangeYtd
    } else {
        SortBy::Change1y
    }
}

/// How many words after a move say that it is a move in prices; `None` if it is a move in a figure, as in "return on
/// equity" and "gain in sales". A segment of the market and a period may follow as well.
fn of_prices(behind: &[Word]) -> Option<usize> {
    const TIMES: [&str; 14] = [
        "last", "past", "day", "days", "today", "session", "week", "weeks", "month", "months",
        "quarter", "quarters", "year", "years",
    ];
    let joint = behind.first().map_or("", |first| first.means.as_str());
    let is_listed =
        |rest: &[Word]| extremes::exchange(rest).is_some() || extremes::year(rest).is_some();
    match joint {
        "on" => is_listed(behind).then_some(0),
        "in" | "of" => {
            let fillers = behind[1..].iter();
            let fillers = fillers.take_while(|word| words::is_filler(&word.means));
            let lead = 1 + fillers.count();
            // A word that stands for a price is a filler, too.
            let of = &behind[1..];
            let articles = skip(of, &["the", "their", "its"]);
            if let Some((taken, Metric::Price)) = thresholds::metric(&of[articles..]) {
                return Some(1 + articles + taken);
            }
            let of = &behind[lead..];
            let is_time =
                |first: &Word| first.number.is_some() || TIMES.contains(&first.means.as_str());
            let is_of_market = of.first().is_none_or(is_time)
                || thresholds::metric(of).is_none() && phrase(of).is_some()
                || is_listed(of)
                || is_listed(behind);
            is_of_market.then_some(0)
        }
        _ => Some(0),
    }
}

/// The period of an order by changes, if the words begin with one.
pub(super) fn time_of(order: SortBy, rest: &[Word]) -> Option<usize> {
    let (taken, is_calendar) = extremes::year(rest)?;
    let is_of_order = match order {
        SortBy::ChangeYtd => is_calendar,
        SortBy::Change1y => !is_calendar,
        _ => false,
    };
    is_of_order.then_some(taken)
}

/// The direction of an order named earlier, if the words begin with one: "highest first", "from low to high".
pub(super) fn direction_of(order: SortBy, rest: &[Word]) -> Phrase {
    let falling: &[&[&str]] = &[
        &["highest", "first"],
        &["largest", "first"],
        &["biggest", "first"],
        &["highest", "to", "lowest"],
        &["largest", "to", "smallest"],
        &["biggest", "to", "smallest"],
        &["high", "to", "low"],
        &["descending"],
        &["descending", "order"],
    ];
    let rising: &[&[&str]] = &[
        &["lowest", "first"],
        &["smallest", "first"],
        &["lowest", "to", "highest"],
        &["smallest", "to", "largest"],
        &["smallest", "to", "biggest"],
        &["low", "to", "high"],
        &["ascending"],
        &["ascending", "order"],
    ];
    let lead = skip(rest, &["from", "in", "with", "the"]);
    let ends = &rest[lead..];
    let (taken, way) = [
        (falling, Direction::Descending),
        (rising, Direction::Ascending),
    ]
    .into_iter()
    .find_map(|(words, way)| Some((begins_any(ends, words)?, way)))?;
    Some((lead + taken, ordered(order, Some(way), None)))
}

/// "dividend yield, descending": a figure and a direction make an order even without a word for it.
fn directed(rest: &[Word]) -> Phrase {
    let (taken, order) = figure(rest)?;
    let (direction, reading) = direction_of(order?, rest.get(taken..)?)?;
    Some((taken + direction, reading))
}

/// Orders with a word of their own.
fn superlative(rest: &[Word]) -> Phrase {
    let orders: [(SortBy, &[&[&str]]); 5] = [
        (SortBy::Rsi, &[&["most", "oversold"]]),
        (SortBy::PeRatio, &[&["cheapest"], &["most", "undervalued"]]),
        (SortBy::MarketCap, &[&["most", "valuable"]]),
        (
            SortBy::Volume,
            &[
                &["most", "traded"],
                &["most", "active"],
                &["most", "actively", "traded"],
                &["most", "liquid"],
            ],
        ),
        (
            SortBy::Sentiment,
            &[
                &["most", "bullish"],
                &["most", "positive"],
                &["best", "sentiment"],
                &["best", "news"],
                &["strongest", "sentiment"],
            ],
        ),
    ];
    let reversed: [(SortBy, &[&[&str]]); 3] = [
        (SortBy::Rsi, &[&["most", "overbought"]]),
        (
            SortBy::PeRatio,
            &[&["most", "expensive"], &["most", "overvalued"]],
        ),
        (
            SortBy::Sentiment,
            &[
                &["most", "bearish"],
                &["most", "negative"],
                &["worst", "sentiment"],
                &["worst", "news"],
                &["weakest", "sentiment"],
            ],
        ),
    ];
    let usual = orders.map(|(order, words)| (order, order.usual(), words));
    let other = reversed.map(|(order, words)| (order, order.usual().reversed(), words));
    usual
        .into_iter()
        .chain(other)
        .find_map(|(order, way, words)| {
            Some((begins_any(rest, words)?, Reading::Sort(order, Some(way))))
        })
}

/// "lowest P/E", "highest market value", "best year-to-date return": the extreme of a figure.
fn utmost(rest: &[Word]) -> Phrase {
    let (way, is_of_any) = match rest.first()?.means.as_str() {
        "highest" | "largest" | "biggest" | "greatest" | "most" => (Direction::Descending, true),
        "lowest" | "smallest" | "least" | "fewest" => (Direction::Ascending, true),
        // The best P/E may be either.
        "best" | "top" | "strongest" => (Direction::Descending, false),
        "worst" | "weakest" => (Direction::Ascending, false),
        _ => return None,
    };
    // "the stocks most worth buying".
    if rest.get(1).is_some_and(|next| next.means == "worth") {
        return None;
    }
    let count = rest.get(1).and_then(count);
    let places = [Some((1, None)), count.map(|count| (2, Some(count)))];
    places.into_iter().flatten().find_map(|(at, limit)| {
        let (taken, order) = figure(rest.get(at..)?)?;
        let is_meant = is_of_any || order.is_some_and(SortBy::is_change);
        let reading = order.map_or(NO_ORDER, |order| ordered(order, Some(way), limit));
        is_meant.then_some((at + taken, reading))
    })
}

/// "largest companies", "biggest in tech": by market value, unless something else is meant to be large.
fn largest(rest: &[Word]) -> Phrase {
    let (first, behind) = rest.split_first()?;
    match first.means.as_str() {
        "smallest" | "largest" | "biggest" => {}
        _ => return None,
    }
    let way = if first.means == "smallest" {
        Direction::Ascending
    } else {
        Direction::Descending
    };
    let is_said = |word: &Word| !words::is_filler(&word.means) || word.means == "by";
    let next = behind.iter().position(is_said).unwrap_or(behind.len());
    let next = &behind[next..];
    let begins = |first: &Word| {
        first.number.is_some()
            || matches!(first.means.as_str(), "by" | "first")
            || NEGATIONS.contains(&first.means.as_str())
    };
    let is_of_shares = next.first().is_none_or(begins) || phrase(next).is_some();
    is_of_shares.then_some((1, Reading::Sort(SortBy::MarketCap, Some(way))))
}

/// "sorted by market cap", "in terms of volume", "by return this year".
fn by(rest: &[Word]) -> Phrase {
    let plain: &[&[&str]] = &[&["by"], &["in", "terms", "of"]];
    let falling: &[&[&str]] = &[
        &["descending", "by"],
        &["sorted", "descending", "by"],
        &["in", "descending", "order", "of"],
        &["in", "descending", "order", "by"],
    ];
    let rising: &[&[&str]] = &[
        &["ascending", "by"],
        &["sorted", "ascending", "by"],
        &["in", "ascending", "order", "of"],
        &["in", "ascending", "order", "by"],
    ];
    let sorted: &[&[&str]] = &[
        &["sort", "by"],
        &["sorted", "by"],
        &["order", "by"],
        &["ordered", "by"],
        &["in", "order", "of"],
        &["rank", "by"],
        &["ranked", "by"],
    ];
    // `by` alone may introduce something else: "founded by pirates", "growing by 10%".
    let (lead, way, is_order) = [
        (falling, Some(Direction::Descending), true),
        (rising, Some(Direction::Ascending), true),
        (sorted, None, true),
        (plain, None, false),
    ]
    .into_iter()
    .find_map(|(words, way, is_order)| Some((begins_any(rest, words)?, way, is_order)))?;
    let at = lead + skip(&rest[lead..], &["the", "their"]);
    let of = rest.get(at..).filter(|of| !of.is_empty())?;
    if let Some((taken, reading)) = ranking(of) {
        return Some((at + taken, reading));
    }
    if of[0].means == "size" {
        return Some((at + 1, ordered(SortBy::MarketCap, way, None)));
    }
    if let Some(is_calendar) = change_of_year(of) {
        return Some((at + 1, ordered(change(is_calendar), way, None)));
    }
    match figure(of) {
        Some((taken, Some(order))) => Some((at + taken, ordered(order, way, None))),
        Some((taken, None)) if is_order || thresholds::threshold(of).is_none() => {
            Some((at + taken, NO_ORDER))
        }
        None if is_order => Some((at + 1, NO_ORDER)),
        _ => None,
    }
}

/// "return this year", "performance over the past year": whether it is the calendar year.
fn change_of_year(rest: &[Word]) -> Option<bool> {
    const CHANGES: [&str; 6] = [
        "return",
        "returns",
        "performance",
        "change",
        "gain",
        "gains",
    ];
    let (first, behind) = rest.split_first()?;
    let (_, is_calendar) = extremes::year(behind)?;
    CHANGES
        .contains(&first.means.as_str())
        .then_some(is_calendar)
}

/// "top 10", "first five", "20 stocks".
pub(super) fn limit(rest: &[Word]) -> Phrase {
    let before = begins_any(rest, &[&["top"], &["best"], &["first"]]).unwrap_or(0);
    let word = rest.get(before)?;
    let count = word
        .number
        .filter(|number| number.fract() == 0.0 && *number >= 1.0)?;
    // `5 ETFs`, `5 overbought large funds`; a number larger than can be shown belongs to a name: `S&P 500 stocks`.
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

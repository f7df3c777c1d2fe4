//! A metric, a side and a number, in any order that people write them; and averages.

use super::{Phrase, Reading, begins_any, skip};
use crate::filters::{FilterKey, FilterValue, Metric};
use crate::screener::natural::words::Word;

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Side {
    Above,
    Below,
}

/// Words between metric, side and number.
const BETWEEN: [&str; 21] = [
    "is",
    "are",
    "be",
    "of",
    "a",
    "an",
    "the",
    "has",
    "have",
    "that",
    "which",
    "ratio",
    "ratios",
    "score",
    "value",
    "currently",
    "in",
    "their",
    "its",
    "which",
    "now",
];

/// The name of a metric.
pub(super) fn metric(rest: &[Word]) -> Option<(usize, Metric)> {
    let metrics: [(Metric, &[&[&str]]); 13] = [
        (
            Metric::Rsi,
            &[
                &["rsi"],
                &["relative", "strength"],
                &["relative", "strength", "index"],
            ],
        ),
        (Metric::Sentiment, &[&["sentiment"]]),
        (
            Metric::PeRatio,
            &[
                &["p", "e"],
                &["pe"],
                &["price", "to", "earnings"],
                &["price", "earnings"],
                &["times", "earnings"],
                &["earnings", "multiple"],
                &["x", "earnings"],
            ],
        ),
        (
            Metric::MarketCap,
            &[
                &["market", "cap"],
                &["market", "caps"],
                &["market", "capitalization"],
                &["market", "capitalisation"],
                &["market", "value"],
                &["mkt", "cap"],
                &["mcap"],
                &["marketcap"],
                &["capitalization"],
                &["worth"],
                &["valued"],
                &["valued", "at"],
            ],
        ),
        (
            Metric::Volume,
            &[
                &["volume"],
                &["daily", "volume"],
                &["average", "volume"],
                &["average", "daily", "volume"],
                &["trading", "volume"],
            ],
        ),
        (
            Metric::DividendYield,
            &[
                &["dividend", "yield"],
                &["dividend", "yields"],
                &["yield"],
                &["yields"],
                &["yielding"],
                &["dividend"],
                &["dividends"],
            ],
        ),
        (
            Metric::RevenueGrowth,
            &[
                &["revenue", "growth"],
                &["sales", "growth"],
                &["growth", "in", "revenue"],
                &["growth", "in", "sales"],
                &["revenue", "up"],
                &["sales", "up"],
                &["revenue", "growing"],
                &["revenues", "growing"],
                &["sales", "growing"],
                &["top", "line", "growth"],
            ],
        ),
        (
            Metric::EpsGrowth,
            &[
                &["earnings", "growth"],
                &["eps", "growth"],
                &["profit", "growth"],
                &["growth", "in", "earnings"],
                &["earnings", "growing"],
                &["earnings", "up"],
                &["profits", "growing"],
                &["profits", "up"],
            ],
        ),
        (
            Metric::ProfitMargin,
            &[
                &["profit", "margin"],
                &["profit", "margins"],
                &["net", "margin"],
                &["net", "profit", "margin"],
                &["margin"],
                &["margins"],
            ],
        ),
        (
            Metric::DebtToEquity,
            &[
                &["debt"],
                &["debt", "ratio"],
                &["leverage"],
                &["debt", "to", "equity"],
                &["debt", "equity"],
                &["d", "e"],
            ],
        ),
        (
            Metric::ChangeYtd,
            &[
                &["year", "to", "date", "return"],
                &["year", "to", "date", "gain"],
                &["ytd", "return"],
                &["ytd", "gain"],
                &["ytd"],
            ],
        ),
        (
            Metric::ChangeYear,
            &[
                &["one", "year", "return"],
                &["12", "month", "return"],
                &["annual", "return"],
            ],
        ),
        (
            Metric::Price,
            &[
                &["price"],
                &["prices"],
                &["priced"],
                &["share", "price"],
                &["stock", "price"],
                &["trading"],
                &["trading", "at"],
            ],
        ),
    ];
    metrics
        .into_iter()
        .find_map(|(metric, words)| Some((begins_any(rest, words)?, metric)))
}

/// "under", "no more than", ">=".
pub(super) fn side(rest: &[Word]) -> Option<(usize, Side)> {
    let negations = skip(rest, &["not", "no"]).min(1);
    let rest = &rest[negations..];
    let below: &[&[&str]] = &[
        &["below"],
        &["under"],
        &["beneath"],
        &["less"],
        &["less", "than"],
        &["lower"],
        &["lower", "than"],
        &["smaller", "than"],
        &["fewer", "than"],
        &["at", "most"],
        &["up", "to"],
        &["max"],
        &["maximum"],
        &["<"],
        &["<="],
        &["=<"],
    ];
    let above: &[&[&str]] = &[
        &["above"],
        &["over"],
        &["more"],
        &["more", "than"],
        &["greater"],
        &["greater", "than"],
        &["higher"],
        &["higher", "than"],
        &["larger", "than"],
        &["bigger", "than"],
        &["at", "least"],
        &["min"],
        &["minimum"],
        &["exceeding"],
        &["exceeds"],
        &[">"],
        &[">="],
        &["=>"],
    ];
    let (taken, side) = match (begins_any(rest, below), begins_any(rest, above)) {
        (Some(taken), _) => (taken, Side::Below),
        (None, Some(taken)) => (taken, Side::Above),
        (None, None) => return None,
    };
    let side = match (negations, side) {
        (0, side) => side,
        (_, Side::Below) => Side::Above,
        (_, Side::Above) => Side::Below,
    };
    Some((negations + taken, side))
}

/// The threshold for a metric in the unit of its filter.
fn scaled(metric: Metric, word: &Word) -> Option<f64> {
    let number = word.number?;
    Some(match metric {
        Metric::Sentiment if word.unit.is_none() && number > 1.0 && number <= 100.0 => {
            number / 100.0
        }
        // Without a unit, small numbers are billions, as in the filter, and large ones dollars.
        // A share of the price is a percentage in the filter.
        Metric::Rsi if word.unit.is_some_and(|unit| unit < 1.0) => number * 100.0,
        percent if percent.is_percent() && word.unit.is_some_and(|unit| unit < 1.0) => {
            number * 100.0
        }
        Metric::MarketCap if word.unit.is_some() || number >= 1e6 => number / 1e9,
        _ => number,
    })
}

fn filter(metric: Metric, side: Side, word: &Word) -> Option<Reading> {
    // Debt stated in dollars is not a ratio.
    if metric == Metric::DebtToEquity && (word.is_money || word.number.is_some_and(|it| it > 1e3)) {
        return None;
    }
    // A percentage is a fraction of something: never a price, a market value, a volume or a multiple.
    let is_part = word.unit.is_some_and(|unit| unit < 1.0);
    let takes_part = metric.is_percent()
        || matches!(
            metric,
            Metric::Rsi | Metric::Sentiment | Metric::DebtToEquity
        );
    if is_part && !takes_part {
        return None;
    }
    let key = FilterKey::ALL.into_iter().find(|key| {
        key.metric() == metric && !key.is_flag() && key.wants_above() == (side == Side::Above)
    })?;
    let value = FilterValue::Number(scaled(metric, word)?);
    Some(Reading::Filters(vec![(key, value)]))
}

fn both(metric: Metric, low: &Word, high: &Word) -> Option<Reading> {
    let (low, high) = if low.number? <= high.number? {
        (low, high)
    } else {
        (high, low)
    };
    match (
        filter(metric, Side::Above, low)?,
        filter(metric, Side::Below, high)?,
    ) {
        (Reading::Filters(mut low), Reading::Filters(high)) => {
            low.extend(high);
            Some(Reading::Filters(low))
        }
        (_, unsupported) => Some(unsupported),
    }
}

/// Things that numbers count and that are not prices.
const COUNTED: [&str; 14] = [
    "shares",
    "units",
    "contracts",
    "times",
    "day",
    "days",
    "week",
    "weeks",
    "month",
    "months",
    "year",
    "years",
    "employees",
    "points",
];

/// "RSI under 30", "RSI between 30 and 50", "RSI 30 or less", "over 10 billion in market cap".
pub(super) fn threshold(rest: &[Word]) -> Phrase {
    metric_first(rest)
        .or_else(|| side_first(rest))
        .or_else(|| money_range(rest))
}

/// "between $20 and $30", "$20 to $30": prices, or the values of companies.
fn money_range(rest: &[Word]) -> Phrase {
    let lead = skip(rest, &["at", "for", "costing", "between", "from"]);
    let (low, high) = (rest.get(lead)?, rest.get(lead + 2)?);
    let is_joined = matches!(rest[lead + 1].means.as_str(), "and" | "to");
    // "between 20 and 30 dollars".
    let is_money = low.is_money || high.is_money;
    if !is_joined || !is_money || low.number.is_none() {
        return None;
    }
    let metric = of_money(high.number?);
    Some((lead + 3, both(metric, low, high)?))
}

/// What is meant by a sum of money: "under $10" is a price, "over $10 billion" the value of a company.
fn of_money(sum: f64) -> Metric {
    if sum >= 1e6 {
        Metric::MarketCap
    } else {
        Metric::Price
    }
}

fn metric_first(rest: &[Word]) -> Phrase {
    let (mut at, metric) = metric(rest)?;
    at += skip(&rest[at..], &BETWEEN);
    // RSI(14) below 30: the period is not a threshold.
    if rest.get(at).is_some_and(|word| word.number == Some(14.0))
        && side(rest.get(at + 1..)?).is_some()
    {
        at += 1;
    }
    if let Some((taken, side)) = side(&rest[at..]) {
        at += taken;
        at += skip(&rest[at..], &BETWEEN);
        // "trading more than 5 million shares" is not a price.
        if metric == Metric::Price && skip(rest.get(at + 1..)?, &COUNTED) > 0 {
            return None;
        }
        return Some((at + 1, filter(metric, side, rest.get(at)?)?));
    }
    at += skip(&rest[at..], &["between", "from"]);
    let first = rest.get(at).filter(|word| word.number.is_some())?;
    let joint = rest.get(at + 1)?.means.as_str();
    let next = rest.get(at + 2)?;
    match joint {
        "and" | "to" if next.number.is_some() => Some((at + 3, both(metric, first, next)?)),
        "and" | "or" => {
            let (taken, side) = side(&rest[at + 2..])?;
            Some((at + 2 + taken, filter(metric, side, first)?))
        }
        _ => None,
    }
}

fn side_first(rest: &[Word]) -> Phrase {
    let (mut at, side) = side(rest)?;
    at += skip(&rest[at..], &BETWEEN);
    let number = rest.get(at).filter(|word| word.number.is_some())?;
    at += 1;
    let ends = at;
    at += skip(&rest[at..], &BETWEEN);
    if let Some((taken, metric)) = rest.get(at..).and_then(metric) {
        return Some((at + taken, filter(metric, side, number)?));
    }
    let sum = number.number.filter(|_| number.is_money)?;
    Some((ends, filter(of_money(sum), side, number)?))
}

/// "above their 50 and 200 day averages", "under the 200dma", "over SMA 20".
pub(super) fn average(rest: &[Word]) -> Phrase {
    const MEANS: [&str; 9] = [
        "moving", "simple", "average", "averages", "sma", "ma", "dma", "mean", "line",
    ];
    const ARTICLES: [&str; 8] = ["their", "its", "the", "a", "an", "own", "both", "of"];
    let (mut at, side) = side(rest)?;
    at += skip(&rest[at..], &ARTICLES);
    let mut named = skip(&rest[at..], &MEANS);
    at += named;
    at += skip(&rest[at..], &ARTICLES);
    let mut periods = Vec::new();
    let mut is_either = false;
    while let Some((period, is_named)) = rest.get(at).and_then(period) {
        periods.push(period);
        at += 1;
        let days = skip(&rest[at..], &["day", "days", "d", "period"]);
        at += days;
        named += days + usize::from(is_named);
        let joints = skip(&rest[at..], &["and", "or", "their", "its", "the"]);
        if joints > 0 && rest.get(at + joints).and_then(self::period).is_some() {
            is_either |= rest[at..at + joints].iter().any(|word| word.means == "or");
            at += joints;
        }
    }
    let after = skip(&rest[at..], &MEANS);
    at += after;
    if periods.is_empty() || named + after == 0 {
        return None;
    }
    let key = |period: u32| {
        Some(match (side, period) {
            (Side::Above, 20) => FilterKey::AboveSma20,
            (Side::Above, 50) => FilterKey::AboveSma50,
            (Side::Above, 200) => FilterKey::AboveSma200,
            (Side::Below, 20) => FilterKey::BelowSma20,
            (Side::Below, 50) => FilterKey::BelowSma50,
            (Side::Below, 200) => FilterKey::BelowSma200,
            _ => return None,
        })
    };
    if is_either && periods.len() > 1 {
        let reading = Reading::Unsupported("alternatives are not supported: name one average");
        return Some((at, reading));
    }
    let filters: Option<Vec<_>> = periods
        .into_iter()
        .map(|period| Some((key(period)?, FilterValue::Flag(true))))
        .collect();
    let reading = filters.map_or(
        Reading::Unsupported("only averages of 20, 50 and 200 days are available"),
        Reading::Filters,
    );
    Some((at, reading))
}

/// The days in an average, and whether the word itself says that it is one.
fn period(word: &Word) -> Option<(u32, bool)> {
    if let Some(number) = word.number {
        let is_whole = number.fract() == 0.0 && (1.0..=1000.0).contains(&number);
        return (is_whole && word.unit.is_none()).then_some((number as u32, false));
    }
    let text = word.means.as_str();
    let digits = text.trim_matches(|character: char| !character.is_ascii_digit());
    let letters = text.replace(digits, "");
    let is_average = matches!(
        letters.as_str(),
        "d" | "day" | "dma" | "sma" | "ma" | "dsma"
    );
    (is_average && !digits.is_empty())
        .then(|| digits.parse().ok())?
        .map(|period| (period, true))
}

//! Distances from 52-week highs and lows, changes over a year, growth, debt and exchanges.

use super::thresholds::{self, Side, side};
use super::{Phrase, Reading, begins_any, skip};
use crate::filters::{FilterKey, FilterValue, Metric};
use crate::screener::natural::words::Word;

const ARTICLES: [&str; 6] = ["their", "its", "the", "a", "an", "own"];
/// How close to a high or low "near" is, and "at", in percent.
const NEAR: f64 = 5.0;
const AT: f64 = 1.0;

fn number(key: FilterKey, value: f64) -> (FilterKey, FilterValue) {
    (key, FilterValue::Number(value))
}

fn one(key: FilterKey, value: f64) -> Reading {
    Reading::Filters(vec![number(key, value)])
}

/// The subject of one of these phrases.
pub(super) fn phrase(rest: &[Word]) -> Phrase {
    from_extreme(rest)
        .or_else(|| signed(rest))
        .or_else(|| change(rest))
        .or_else(|| debt(rest))
        .or_else(|| growth(rest))
        .or_else(|| exchange(rest))
}

/// A distance from a high or low; a price may be named before it: "price more than 10% off its 52-week high".
fn from_extreme(rest: &[Word]) -> Phrase {
    let priced = begins_any(
        rest,
        &[
            &["price"],
            &["prices"],
            &["priced"],
            &["share", "price"],
            &["stock", "price"],
            &["trading"],
        ],
    );
    let lead = priced.map_or(0, |taken| {
        taken
            + skip(
                &rest[taken..],
                &["is", "are", "that", "which", "currently", "now"],
            )
    });
    [0, lead].into_iter().find_map(|lead| {
        let rest = rest.get(lead..).filter(|rest| !rest.is_empty())?;
        let (taken, reading) = near(rest)
            .or_else(|| within(rest))
            .or_else(|| distance(rest))
            .or_else(|| share_of(rest))?;
        Some((lead + taken, reading))
    })
}

/// "below 85% of the 52-week high", "above 120% of its 52-week low". Less than half of a high is more likely a slip
/// of the tongue for a distance, and is not guessed.
fn share_of(rest: &[Word]) -> Phrase {
    let (mut at, wanted) = side(rest)?;
    let percent = percent(rest.get(at)).filter(|_| is_part(rest.get(at)))?;
    at += 1;
    at += begins_any(&rest[at..], &[&["of"]])?;
    let (length, is_high) = extreme(&rest[at..])?;
    let (key, value) = match (is_high, wanted) {
        (true, Side::Below) if (50.0..100.0).contains(&percent) => {
            (FilterKey::From52wHighAbove, 100.0 - percent)
        }
        (true, Side::Above) if (50.0..100.0).contains(&percent) => {
            (FilterKey::From52wHighBelow, 100.0 - percent)
        }
        (false, Side::Above) if percent > 100.0 => (FilterKey::From52wLowAbove, percent - 100.0),
        (false, Side::Below) if percent > 100.0 => (FilterKey::From52wLowBelow, percent - 100.0),
        _ => return None,
    };
    Some((at + length, one(key, value)))
}

/// "their 52-week high", "the one-year low": how many words, and whether it is the high.
fn extreme(rest: &[Word]) -> Option<(usize, bool)> {
    let mut at = skip(rest, &ARTICLES);
    at += skip(&rest[at..], &["new", "fresh", "all"]);
    let word = |place: usize| rest.get(place).map_or("", |word| word.means.as_str());
    let counted = |place: usize| rest.get(place).and_then(|word| word.number);
    at += match (counted(at), word(at), word(at + 1)) {
        (Some(52.0), _, "week" | "weeks" | "wk")
        | (Some(1.0), _, "year")
        | (_, "one", "year")
        | (Some(12.0), _, "month")
        | (_, "twelve", "month") => 2,
        (_, "52w" | "52wk" | "yearly" | "annual" | "year", _) => 1,
        _ => return None,
    };
    let is_high = match word(at) {
        "high" | "highs" | "peak" | "peaks" => true,
        "low" | "lows" | "bottom" | "bottoms" => false,
        _ => return None,
    };
    Some((at + 1, is_high))
}

fn closer_than(is_high: bool, percent: f64) -> Reading {
    if is_high {
        one(FilterKey::From52wHighBelow, percent)
    } else {
        one(FilterKey::From52wLowBelow, percent)
    }
}

/// "near their 52-week high", "hitting new 52-week lows".
fn near(rest: &[Word]) -> Phrase {
    let roughly: &[&[&str]] = &[
        &["near"],
        &["nearing"],
        &["nearest"],
        &["close", "to"],
        &["closest", "to"],
        &["trading", "near"],
        &["trading", "close", "to"],
        &["not", "far", "from"],
        &["around"],
        &["approaching"],
    ];
    let precisely: &[&[&str]] = &[
        &["at"],
        &["trading", "at"],
        &["hit"],
        &["hitting"],
        &["making"],
        &["touching"],
        &["reaching"],
        &["setting"],
    ];
    let (taken, percent) = match (begins_any(rest, roughly), begins_any(rest, precisely)) {
        (Some(taken), _) => (taken, NEAR),
        (None, Some(taken)) => (taken, AT),
        // "new 52-week highs"
        (None, None) if rest[0].means == "new" => (0, AT),
        (None, None) => return None,
    };
    let (length, is_high) = extreme(&rest[taken..])?;
    Some((taken + length, closer_than(is_high, percent)))
}

/// A number of percent.
fn percent(word: Option<&Word>) -> Option<f64> {
    let number = word?.number?;
    Some(if is_part(word) {
        number * 100.0
    } else {
        number
    })
}

/// Whether a number is written as a percentage.
fn is_part(word: Option<&Word>) -> bool {
    word.and_then(|word| word.unit)
        .is_some_and(|unit| unit < 1.0)
}

/// "within 5% of their 52-week high".
fn within(rest: &[Word]) -> Phrase {
    let mut at = begins_any(rest, &[&["within"], &["inside"]])?;
    let percent = percent(rest.get(at))?;
    at += 1;
    at += skip(&rest[at..], &["of", "from"]);
    let (length, is_high) = extreme(&rest[at..])?;
    Some((at + length, closer_than(is_high, percent)))
}

/// "more than 20% below their 52-week high", "down 30% from the 52-week high", "at least 10% above the 52-week low".
fn distance(rest: &[Word]) -> Phrase {
    let mut at = skip(rest, &["down", "up", "trading"]);
    let wanted = match side(&rest[at..]) {
        Some((taken, side)) => {
            at += taken;
            side
        }
        None => Side::Above,
    };
    let percent = percent(rest.get(at))?;
    at += 1;
    at += skip(&rest[at..], &["or", "more"]);
    let either: &[&[&str]] = &[&["off"], &["from"], &["off", "of"], &["away", "from"]];
    let beneath: &[&[&str]] = &[&["below"], &["under"], &["beneath"], &["down", "from"]];
    let over: &[&[&str]] = &[&["above"], &["over"], &["up", "from"]];
    let (taken, is_high) = [(either, None), (beneath, Some(true)), (over, Some(false))]
        .into_iter()
        .find_map(|(words, of_high)| Some((begins_any(&rest[at..], words)?, of_high)))?;
    at += taken;
    let of_high = is_high;
    let (length, is_high) = extreme(&rest[at..])?;
    // Nothing is above its high or below its low.
    if of_high.is_some_and(|of_high| of_high != is_high) {
        return None;
    }
    let key = match (is_high, wanted) {
        (true, Side::Above) => FilterKey::From52wHighAbove,
        (true, Side::Below) => FilterKey::From52wHighBelow,
        (false, Side::Above) => FilterKey::From52wLowAbove,
        (false, Side::Below) => FilterKey::From52wLowBelow,
    };
    Some((at + length, one(key, percent)))
}

/// "this year", "year to date", "over the past twelve months": how many words, and whether it is the calendar year.
pub(super) fn year(rest: &[Word]) -> Option<(usize, bool)> {
    let calendar: &[&[&str]] = &[
        &["this", "year"],
        &["so", "far", "this", "year"],
        &["year", "to", "date"],
        &["ytd"],
        &["since", "january"],
        &["since", "the", "start", "of", "the", "year"],
    ];
    if let Some(taken) = begins_any(rest, calendar) {
        return Some((taken, true));
    }
    let lead = skip(
        rest,
        &[
            "over", "in", "during", "within", "for", "the", "past", "last", "a",
        ],
    );
    let ends = &rest[lead..];
    let counted = ends.first().and_then(|word| word.number);
    let word = |place: usize| ends.get(place).map_or("", |word| word.means.as_str());
    let taken = match (counted, word(0), word(1)) {
        (Some(12.0), _, "months")
        | (_, "twelve", "months")
        | (Some(1.0), _, "year")
        | (_, "one", "year")
        | (Some(52.0), _, "weeks") => 2,
        (_, "year", _) if lead > 0 => 1,
        _ => return None,
    };
    Some((lead + taken, false))
}

/// "up more than 30% this year", "that fell 20% over the past year", "down this year".
fn change(rest: &[Word]) -> Phrase {
    const UP: [&str; 9] = [
        "up", "gained", "rose", "risen", "rallied", "climbed", "returned", "advanced", "gaining",
    ];
    const DOWN: [&str; 10] = [
        "down", "fell", "fallen", "lost", "dropped", "declined", "losing", "slid", "falling",
        "shed",
    ];
    let is_up = match rest[0].means.as_str() {
        word if UP.contains(&word) => true,
        word if DOWN.contains(&word) => false,
        _ => return None,
    };
    let mut at = 1;
    at += skip(&rest[at..], &["by"]);
    let wanted = match side(&rest[at..]) {
        Some((taken, side)) => {
            at += taken;
            side
        }
        None => Side::Above,
    };
    let size = percent(rest.get(at));
    at += usize::from(size.is_some());
    let (taken, is_calendar) = year(&rest[at..])?;
    let (above, below) = if is_calendar {
        (FilterKey::ChangeYtdAbove, FilterKey::ChangeYtdBelow)
    } else {
        (FilterKey::Change1yAbove, FilterKey::Change1yBelow)
    };
    let size = size.unwrap_or(0.0);
    let filters = match (is_up, wanted) {
        (true, Side::Above) => vec![number(above, size)],
        (false, Side::Above) => vec![number(below, 0.0 - size)],
        (true, Side::Below) => vec![number(above, 0.0), number(below, size)],
        (false, Side::Below) => vec![number(below, 0.0), number(above, 0.0 - size)],
    };
    Some((at + taken, Reading::Filters(filters)))
}

/// "low debt", "highly leveraged".
fn debt(rest: &[Word]) -> Phrase {
    let low: &[&[&str]] = &[
        &["low", "debt"],
        &["little", "debt"],
        &["low", "leverage"],
        &["conservatively", "financed"],
    ];
    let none: &[&[&str]] = &[&["no", "debt"], &["debt", "free"], &["without", "debt"]];
    let high: &[&[&str]] = &[
        &["high", "debt"],
        &["heavy", "debt"],
        &["highly", "leveraged"],
        &["highly", "indebted"],
        &["heavily", "indebted"],
        &["indebted"],
    ];
    let known = [
        (none, FilterKey::DebtToEquityBelow, 0.01),
        (low, FilterKey::DebtToEquityBelow, 0.5),
        (high, FilterKey::DebtToEquityAbove, 2.0),
    ];
    known
        .into_iter()
        .find_map(|(words, key, bound)| Some((begins_any(rest, words)?, one(key, bound))))
}

/// "fast growing", "growing revenue", "high profit margins".
fn growth(rest: &[Word]) -> Phrase {
    let fast: &[&[&str]] = &[
        &["fast", "growing"],
        &["fastest", "growing"],
        &["high", "growth"],
        &["strong", "growth"],
        &["strong", "revenue", "growth"],
        &["high", "revenue", "growth"],
    ];
    let growing: &[&[&str]] = &[
        &["growing", "revenue"],
        &["growing", "revenues"],
        &["growing", "sales"],
        &["rising", "revenue"],
        &["rising", "sales"],
    ];
    let earning: &[&[&str]] = &[
        &["growing", "earnings"],
        &["rising", "earnings"],
        &["growing", "profits"],
        &["rising", "profits"],
    ];
    let margins: &[&[&str]] = &[
        &["high", "margin"],
        &["high", "margins"],
        &["high", "profit", "margin"],
        &["high", "profit", "margins"],
    ];
    let known = [
        (fast, FilterKey::RevenueGrowthAbove, 20.0),
        (growing, FilterKey::RevenueGrowthAbove, 0.0),
        (earning, FilterKey::EpsGrowthAbove, 0.0),
        (margins, FilterKey::ProfitMarginAbove, 20.0),
    ];
    known.into_iter().find_map(|(words, key, bound)| {
        let taken = begins_any(rest, words)?;
        Some(bounded(&rest[taken..], key).map_or_else(
            || (taken, one(key, bound)),
            |(more, reading)| (taken + more, reading),
        ))
    })
}

/// The number after a word for growth: "growing revenue more than 20%", "growing sales by 15%".
fn bounded(rest: &[Word], above: FilterKey) -> Phrase {
    let by = skip(rest, &["by", "of", "is", "are"]);
    let (taken, wanted) = side(&rest[by..]).unwrap_or((0, Side::Above));
    let at = by + taken;
    let percent = percent(rest.get(at))?;
    if by + taken == 0 && !is_part(rest.get(at)) {
        return None;
    }
    let key = if wanted == Side::Above {
        above
    } else {
        let (_, below) = FilterKey::OPPOSITES
            .into_iter()
            .find(|(key, _)| *key == above)?;
        below
    };
    let more = skip(rest.get(at + 1..).unwrap_or_default(), &["or", "more"]);
    Some((at + 1 + more, one(key, percent)))
}

/// "negative profit margin", "shrinking revenue", "unprofitable".
fn signed(rest: &[Word]) -> Phrase {
    let losing: &[&[&str]] = &[
        &["unprofitable"],
        &["not", "profitable"],
        &["not", "yet", "profitable"],
        &["non", "profitable"],
        &["loss", "making"],
        &["lossmaking"],
        &["losing", "money"],
        &["money", "losing"],
        &["making", "losses"],
        &["no", "profit"],
        &["no", "profits"],
        &["without", "profit"],
        &["without", "profits"],
        &["negative", "earnings"],
        &["negative", "profits"],
        &["negative", "net", "income"],
        &["in", "the", "red"],
    ];
    let shrinking: &[&[&str]] = &[
        &["shrinking", "revenue"],
        &["shrinking", "sales"],
        &["declining", "revenue"],
        &["declining", "sales"],
        &["falling", "revenue"],
        &["falling", "sales"],
    ];
    let earning_less: &[&[&str]] = &[
        &["shrinking", "earnings"],
        &["declining", "earnings"],
        &["falling", "earnings"],
        &["shrinking", "profits"],
        &["declining", "profits"],
        &["falling", "profits"],
    ];
    // Earnings growth is not a loss.
    let is_signed = |metric: &Metric| {
        matches!(
            metric,
            Metric::RevenueGrowth
                | Metric::EpsGrowth
                | Metric::ProfitMargin
                | Metric::ChangeYtd
                | Metric::ChangeYear
        )
    };
    let side = match rest[0].means.as_str() {
        "positive" => Some(Side::Above),
        "negative" => Some(Side::Below),
        _ => None,
    };
    if let Some(side) = side
        && let Some((taken, metric)) = thresholds::metric(&rest[1..])
        && is_signed(&metric)
    {
        let key = FilterKey::ALL
            .into_iter()
            .find(|key| key.metric() == metric && key.wants_above() == (side == Side::Above))?;
        return Some((1 + taken, one(key, 0.0)));
    }
    let known = [
        (losing, FilterKey::ProfitMarginBelow),
        (shrinking, FilterKey::RevenueGrowthBelow),
        (earning_less, FilterKey::EpsGrowthBelow),
    ];
    known
        .into_iter()
        .find_map(|(words, key)| Some((begins_any(rest, words)?, one(key, 0.0))))
}

/// "listed on the NYSE", "Nasdaq".
pub(super) fn exchange(rest: &[Word]) -> Phrase {
    let listed = skip(rest, &["listed", "traded", "trading"]);
    let at = listed + skip(&rest[listed..], &["on", "at", "the"]);
    let ends = &rest[at..];
    let known: [(&[&[&str]], &str); 2] = [
        (&[&["nasdaq"]], "NASDAQ"),
        (&[&["nyse"], &["new", "york", "stock", "exchange"]], "NYSE"),
    ];
    known.into_iter().find_map(|(words, exchange)| {
        Some((at + begins_any(ends, words)?, Reading::Exchange(exchange)))
    })
}

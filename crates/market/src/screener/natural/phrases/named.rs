//! Words that stand for a filter with its usual threshold.

use super::{Phrase, Reading, begins_any, skip, thresholds};
use crate::filters::{FilterKey, FilterValue, Metric};
use crate::screener::natural::words::Word;

const STRONGLY: [&str; 6] = [
    "very",
    "strongly",
    "extremely",
    "highly",
    "deeply",
    "heavily",
];
const WELL: [&str; 8] = [
    "bullish",
    "positive",
    "good",
    "favorable",
    "favourable",
    "upbeat",
    "optimistic",
    "strong",
];
const ILL: [&str; 6] = ["bearish", "negative", "bad", "poor", "pessimistic", "weak"];
const PRESS: [&str; 5] = ["sentiment", "news", "press", "coverage", "headlines"];

fn number(key: FilterKey, value: f64) -> Reading {
    Reading::Filters(vec![(key, FilterValue::Number(value))])
}

fn flag(key: FilterKey) -> Reading {
    Reading::Filters(vec![(key, FilterValue::Flag(true))])
}

/// "bullish MACD", "MACD is negative", "MACD above zero".
pub(super) fn macd(rest: &[Word]) -> Phrase {
    const UP: [&str; 6] = ["bullish", "positive", "above", "rising", "up", "buy"];
    const DOWN: [&str; 6] = ["bearish", "negative", "below", "falling", "down", "sell"];
    const TAIL: [&str; 8] = [
        "crossover",
        "cross",
        "crossing",
        "signal",
        "histogram",
        "line",
        "zero",
        "0",
    ];
    let side = |word: &Word| {
        if UP.contains(&word.means.as_str()) {
            Some(FilterKey::MacdBullish)
        } else if DOWN.contains(&word.means.as_str()) {
            Some(FilterKey::MacdBearish)
        } else {
            None
        }
    };
    let mut at = 0;
    let key = if rest[0].means == "macd" {
        at += 1;
        at += skip(
            &rest[at..],
            &["is", "are", "histogram", "line", "crossing", "turning", "a"],
        );
        side(rest.get(at)?)?
    } else {
        let key = side(&rest[0])?;
        (rest.get(1)?.means == "macd").then_some(key)?
    };
    at = if rest[0].means == "macd" { at + 1 } else { 2 };
    let its = skip(&rest[at..], &["its", "the"]);
    let tail = skip(&rest[at + its..], &TAIL);
    if tail > 0 {
        at += its + tail;
    }
    Some((at, flag(key)))
}

/// Everything else with a name.
pub(super) fn named(rest: &[Word]) -> Phrase {
    sentiment(rest)
        .or_else(|| ratio(rest))
        .or_else(|| payers(rest))
        .or_else(|| size(rest))
        .or_else(|| trend(rest))
}

fn sentiment(rest: &[Word]) -> Phrase {
    let strongly = skip(rest, &STRONGLY);
    let word = rest.get(strongly)?.means.as_str();
    let is_strong = strongly > 0;
    let threshold = |strong: f64, plain: f64| if is_strong { strong } else { plain };
    let taken = strongly + 1;
    match word {
        "oversold" => return Some((taken, number(FilterKey::RsiBelow, threshold(20.0, 30.0)))),
        "overbought" => return Some((taken, number(FilterKey::RsiAbove, threshold(80.0, 70.0)))),
        _ => {}
    }
    let well = number(FilterKey::SentimentAbove, threshold(0.75, 0.58));
    let ill = number(FilterKey::SentimentBelow, threshold(0.25, 0.42));
    let follows = |place: usize| rest.get(place).map_or("", |word| word.means.as_str());
    if PRESS.contains(&follows(taken)) {
        return match word {
            word if WELL.contains(&word) || word == "high" => Some((taken + 1, well)),
            word if ILL.contains(&word) || word == "low" => Some((taken + 1, ill)),
            _ => None,
        };
    }
    match word {
        "bullish" => return Some((taken, well)),
        "bearish" => return Some((taken, ill)),
        _ => {}
    }
    // "sentiment is very positive"
    if !is_strong && PRESS.contains(&word) {
        let mut at = 1 + skip(&rest[1..], &["is", "are"]);
        let strongly = skip(&rest[at..], &STRONGLY);
        at += strongly;
        let said = follows(at);
        let value = |strong: f64, plain: f64| if strongly > 0 { strong } else { plain };
        if WELL.contains(&said) {
            return Some((at + 1, number(FilterKey::SentimentAbove, value(0.75, 0.58))));
        }
        if ILL.contains(&said) {
            return Some((at + 1, number(FilterKey::SentimentBelow, value(0.25, 0.42))));
        }
    }
    None
}

fn ratio(rest: &[Word]) -> Phrase {
    let cheap = || number(FilterKey::PeBelow, 15.0);
    let dear = || number(FilterKey::PeAbove, 30.0);
    match rest[0].means.as_str() {
        "cheap" | "undervalued" | "inexpensive" => Some((1, cheap())),
        "expensive" | "overvalued" | "pricey" => Some((1, dear())),
        "profitable" => Some((1, number(FilterKey::PeAbove, 0.0))),
        "low" | "high" => match thresholds::metric(rest.get(1..)?)? {
            (taken, Metric::PeRatio) => {
                let reading = if rest[0].means == "low" {
                    cheap()
                } else {
                    dear()
                };
                Some((1 + taken, reading))
            }
            _ => None,
        },
        _ => None,
    }
}

/// "paying dividends", "that pay a dividend", "dividend-paying", "with dividends": any dividend at all, unless a
/// condition says how much.
pub(super) fn payers(rest: &[Word]) -> Phrase {
    const PAY: [&str; 5] = ["pay", "pays", "paying", "paid", "with"];
    /// Words that turn a dividend into a different figure.
    const OTHER: [&str; 8] = [
        "yield", "yields", "yielding", "payout", "payouts", "cover", "coverage", "history",
    ];
    let means = |place: usize| rest.get(place).map_or("", |word| word.means.as_str());
    let is_dividend = |place: usize| matches!(means(place), "dividend" | "dividends");
    let any = number(FilterKey::DividendYieldAbove, 0.0);
    if is_dividend(0) && means(1) == "paying" {
        return Some((2, any));
    }
    if !PAY.contains(&means(0)) {
        return None;
    }
    let at = 1 + skip(&rest[1..], &["a", "any", "the", "their"]);
    let is_other = is_growth(means(at + 1)) || OTHER.contains(&means(at + 1));
    // "with dividend stocks" is read in the same way.
    let is_whole = means(0) != "with" || means(at) == "dividends" || at > 1;
    if !is_dividend(at) || is_other || !is_whole {
        return None;
    }
    let is_bounded = thresholds::threshold(&rest[at..]).is_some();
    (!is_bounded).then_some((at + 1, any))
}

/// Whether a word says how a figure changed.
fn is_growth(word: &str) -> bool {
    ["grow", "increas", "chang"]
        .iter()
        .any(|stem| word.starts_with(stem))
}

/// Words for a size, and the filters for which they stand.
type Size = (&'static [&'static str], &'static [(FilterKey, f64)]);

fn size(rest: &[Word]) -> Phrase {
    use FilterKey::{MarketCapAbove, MarketCapBelow, PriceBelow};
    let sizes: [Size; 7] = [
        (&["mega"], &[(MarketCapAbove, 200.0)]),
        (&["large", "big"], &[(MarketCapAbove, 10.0)]),
        (
            &["mid", "medium"],
            &[(MarketCapAbove, 2.0), (MarketCapBelow, 10.0)],
        ),
        (&["blue"], &[(MarketCapAbove, 10.0)]),
        (&["small"], &[(MarketCapBelow, 2.0)]),
        (&["micro", "nano"], &[(MarketCapBelow, 0.3)]),
        (&["penny"], &[(PriceBelow, 5.0)]),
    ];
    let first = rest[0].means.as_str();
    let joined = first
        .strip_suffix("caps")
        .or_else(|| first.strip_suffix("cap"))
        .filter(|size| !size.is_empty());
    let follows = rest.get(1).map_or("", |word| word.means.as_str());
    let (size, taken) = match (joined, follows) {
        (Some(size), _) => (size, 1),
        (None, "cap" | "caps") => (first, 2),
        (None, "chip" | "chips") if first == "blue" => (first, 2),
        (None, "stocks" | "stock") if first == "penny" => (first, 1),
        // Those that pay a dividend.
        (None, "stocks" | "stock" | "shares" | "payers" | "companies" | "names")
            if matches!(first, "dividend" | "dividends") =>
        {
            return Some((1, number(FilterKey::DividendYieldAbove, 0.0)));
        }
        _ => return volume(rest),
    };
    let (_, bounds) = sizes.into_iter().find(|(words, _)| words.contains(&size))?;
    let bounds = bounds.iter();
    let filters = bounds.map(|(key, bound)| (*key, FilterValue::Number(*bound)));
    Some((taken, Reading::Filters(filters.collect())))
}

fn volume(rest: &[Word]) -> Phrase {
    let high: &[&[&str]] = &[
        &["high", "volume"],
        &["heavy", "volume"],
        &["large", "volume"],
        &["strong", "volume"],
        &["high", "trading", "volume"],
        &["heavy", "trading", "volume"],
        &["high", "average", "volume"],
        &["heavily", "traded"],
        &["actively", "traded"],
        &["liquid"],
    ];
    let low: &[&[&str]] = &[
        &["low", "volume"],
        &["thin", "volume"],
        &["low", "trading", "volume"],
        &["thinly", "traded"],
        &["illiquid"],
    ];
    if let Some(taken) = begins_any(rest, high) {
        return Some((taken, number(FilterKey::VolumeAbove, 1e6)));
    }
    let taken = begins_any(rest, low)?;
    Some((taken, number(FilterKey::VolumeBelow, 1e5)))
}

fn trend(rest: &[Word]) -> Phrase {
    if let Some(taken) = begins_any(
        rest,
        &[&["uptrend"], &["up", "trend"], &["long", "term", "uptrend"]],
    ) {
        return Some((taken, flag(FilterKey::AboveSma200)));
    }
    let taken = begins_any(rest, &[&["downtrend"], &["down", "trend"]])?;
    Some((taken, flag(FilterKey::BelowSma200)))
}

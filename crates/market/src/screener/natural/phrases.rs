//! The phrases that have a meaning for the screener, longest first.

mod extremes;
mod named;
mod orders;
mod thresholds;
mod traded;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use model::{AssetType, table};

use super::words::Word;
use super::{Understood, words};
use crate::filters::{FilterKey, FilterValue, Filters, Metric};
use crate::screener::industry::Industry;
use crate::screener::{Direction, Part, SortBy, industry, sector};

/// What a phrase means.
pub(super) enum Reading {
    Filters(Vec<(FilterKey, FilterValue)>),
    Kind(AssetType),
    Sector(&'static str),
    Industry(&'static Industry),
    Without(Part),
    Exchange(&'static str),
    Sort(SortBy, Option<Direction>),
    Limit(usize),
    /// This many, in an order: "top 10 dividend stocks".
    Ranked(SortBy, Option<Direction>, usize),
    /// It is understood, but the screener cannot express it.
    Unsupported(&'static str),
}

/// A phrase at the beginning of some words: how many words it takes, and what they mean.
pub(super) type Phrase = Option<(usize, Reading)>;

const NEGATIONS: [&str; 20] = [
    "avoid",
    "avoiding",
    "besides",
    "ex",
    "excl",
    "exclude",
    "excludes",
    "outside",
    "not",
    "no",
    "non",
    "without",
    "except",
    "excluding",
    "isnt",
    "arent",
    "dont",
    "never",
    "neither",
    "nor",
];

/// Words in phrases that must not be taken for misspellings.
static KNOWN: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| table::lines(include_str!("../../../data/screener/known.txt")).collect());

pub(super) fn is_known(word: &str) -> bool {
    KNOWN.contains(word)
}

/// Takes the phrase with which the words begin; returns how many words it has, 0 if there is none.
pub(super) fn take(rest: &[Word], found: &mut Understood) -> usize {
    let is_negated = NEGATIONS.contains(&rest[0].means.as_str());
    // "largest first" is the direction of an order that was named, or an order on its own.
    let direction = found
        .sort
        .and_then(|order| orders::direction_of(order, rest));
    if let Some((taken, reading)) = direction.or_else(|| phrase(rest)) {
        apply(&rest[..taken], reading, found);
        return taken;
    }
    if let Some(taken) = found.sort.and_then(|order| orders::time_of(order, rest)) {
        return taken;
    }
    if !is_negated {
        return 0;
    }
    let mut start = 1;
    while rest.get(start).is_some_and(|word| {
        let is_filler =
            words::is_filler(&word.means) || matches!(word.means.as_str(), "too" | "being");
        is_filler && named::payers(&rest[start..]).is_none()
    }) {
        start += 1;
    }
    let Some((taken, reading)) = rest.get(start..).and_then(phrase) else {
        return 0;
    };
    let reading = negated(reading);
    let excludes = matches!(reading, Reading::Without(_));
    let mut end = start + taken;
    apply(&rest[..end], reading, found);
    if excludes {
        for (taken, reading) in listed(&rest[end..]) {
            apply(&rest[end..end + taken], negated(reading), found);
            end += taken;
        }
    }
    end
}

/// The rest of a list of sectors and industries, up to its last `and`: "excluding energy, banks and utilities"
/// excludes all of them, "non-bank financials" only banks. Commas are not words.
fn listed(rest: &[Word]) -> Vec<(usize, Reading)> {
    let (mut parts, mut last, mut at) = (Vec::new(), 0, 0);
    loop {
        let joined = skip(&rest[at..], &["and", "or", "nor"]);
        let Some((taken, reading)) = rest.get(at + joined..).and_then(part) else {
            break;
        };
        at += joined + taken;
        parts.push((joined + taken, reading));
        if joined > 0 {
            last = parts.len();
        }
    }
    parts.truncate(last);
    parts
}

/// Takes `or` and the phrase after it, if that would be an alternative to what comes before: the screener cannot ask
/// for one of two. If both mean the same there is nothing to choose. Returns how many words it took.
pub(super) fn alternative(rest: &[Word], found: &mut Understood) -> usize {
    let mut with = found.clone();
    let taken = rest.get(1..).map_or(0, |rest| match rest {
        [] => 0,
        rest => take(rest, &mut with),
    });
    let reason = "all conditions must hold: `or` is not supported";
    if taken == 0 {
        // A phrase that is not understood is still one of two alternatives.
        let is_said = |word: &&Word| !words::is_filler(&word.means);
        let Some(_) = rest.get(1).filter(is_said) else {
            return 0;
        };
        beyond(&rest[..2], reason, found);
        return 2;
    }
    let means = |one: &Understood| Understood {
        explanation: Vec::new(),
        ..one.clone()
    };
    if means(&with) == means(found) {
        *found = with;
    } else {
        beyond(&rest[..=taken], reason, found);
    }
    1 + taken
}

fn phrase(rest: &[Word]) -> Phrase {
    if rest.is_empty() {
        return None;
    }
    orders::sort(rest)
        .or_else(|| orders::limit(rest))
        .or_else(|| extremes::phrase(rest))
        .or_else(|| thresholds::average(rest))
        .or_else(|| priced_by_average(rest))
        .or_else(|| named::macd(rest))
        .or_else(|| traded::volume(rest))
        .or_else(|| thresholds::threshold(rest))
        .or_else(|| named::named(rest))
        .or_else(|| kind(rest))
        .or_else(|| part(rest))
}

/// Whether the words begin with a company figure, or with a condition on any figure: a word before it may turn it
/// into a different one. Prices and sizes are also mentioned in passing (`still trading`, `well worth`).
pub(super) fn is_figure(rest: &[Word]) -> bool {
    let is_in_passing = |metric: Metric| {
        matches!(metric, Metric::Price | Metric::MarketCap | Metric::Volume)
            && thresholds::threshold(rest).is_none()
    };
    thresholds::metric(rest).is_some_and(|(_, metric)| !is_in_passing(metric))
}

/// `price above 200 day average` is not a price of 200.
fn priced_by_average(rest: &[Word]) -> Phrase {
    let (first, rest) = rest.split_first()?;
    let is_price = matches!(
        first.means.as_str(),
        "price" | "prices" | "priced" | "close" | "closing" | "trading"
    );
    let (taken, reading) = thresholds::average(rest).filter(|_| is_price)?;
    Some((taken + 1, reading))
}

/// The opposite, if the filters can express it.
fn negated(reading: Reading) -> Reading {
    match reading {
        Reading::Filters(filters) => {
            let opposite = |(key, value): (FilterKey, FilterValue)| Some((opposite(key)?, value));
            match filters.as_slice() {
                [(FilterKey::DividendYieldAbove, FilterValue::Number(bound))] if *bound <= 0.0 => {
                    Reading::Unsupported("the screener has no filter for shares without a dividend")
                }
                [one] => opposite(*one).map_or(
                    Reading::Unsupported("the screener has no filter for the opposite"),
                    |filter| Reading::Filters(vec![filter]),
                ),
                _ => Reading::Unsupported("the screener has no filter for the opposite"),
            }
        }
        Reading::Kind(_) => Reading::Unsupported(
            "the screener shows one asset type at a time, so there is nothing to exclude",
        ),
        Reading::Sector(sector) => Reading::Without(Part::Sector(sector.to_owned())),
        Reading::Industry(industry) => Reading::Without(Part::Industry(industry)),
        Reading::Without(_) => Reading::Unsupported("it is excluded twice"),
        Reading::Exchange(_) => Reading::Unsupported("an exchange can be selected, not excluded"),
        Reading::Sort(..) | Reading::Limit(_) | Reading::Ranked(..) => {
            Reading::Unsupported("a sort order cannot be negated")
        }
        other @ Reading::Unsupported(_) => other,
    }
}

fn opposite(key: FilterKey) -> Option<FilterKey> {
    let pairs = FilterKey::OPPOSITES.into_iter();
    pairs
        .flat_map(|(above, below)| [(above, below), (below, above)])
        .find_map(|(one, other)| (one == key).then_some(other))
}

fn apply(said: &[Word], reading: Reading, found: &mut Understood) {
    match reading {
        Reading::Filters(filters) => {
            let sound = Filters::parse(filters.iter().map(|(key, value)| (key.as_str(), *value)));
            match sound {
                Ok(_) => {
                    let meaning: Vec<String> = filters.iter().map(written).collect();
                    let mut meaning = meaning.join(" and ");
                    if let Some(currency) = currency(said, &filters) {
                        found.currency = Some(currency);
                        meaning = format!("{meaning} {currency}");
                    }
                    for (key, value) in filters {
                        found.add(key, value);
                    }
                    found.explain(said, meaning);
                }
                Err(error) => beyond(said, &error.to_string(), found),
            }
        }
        Reading::Kind(kind) => match found.asset_type {
            Some(other) if other != kind => beyond(
                said,
                &format!(
                    "the screener shows one asset type at a time; here {}",
                    other.as_str()
                ),
                found,
            ),
            _ => {
                found.asset_type = Some(kind);
                found.explain(said, format!("asset_type {}", kind.as_str()));
            }
        },
        Reading::Sector(sector) => match &found.sector {
            Some(other) if other != sector => {
                let reason = format!("the screener shows one sector at a time; here {other}");
                beyond(said, &reason, found);
            }
            _ => {
                found.sector = Some(sector.to_owned());
                found.explain(said, format!("sector {sector}"));
            }
        },
        Reading::Industry(industry) => match found.industry {
            Some(other) if other != industry => {
                let other = other.name;
                let reason = format!("the screener shows one industry at a time; here {other}");
                beyond(said, &reason, found);
            }
            _ => {
                found.industry = Some(industry);
                found.explain(said, format!("industry {}", industry.name));
            }
        },
        Reading::Without(part) => {
            found.explain(said, format!("without {}", part.name()));
            if !found.without.contains(&part) {
                found.without.push(part);
            }
        }
        Reading::Exchange(exchange) => match &found.exchange {
            Some(other) if other != exchange => {
                let reason = format!("the screener shows one exchange at a time; here {other}");
                beyond(said, &reason, found);
            }
            _ => {
                found.exchange = Some(exchange.to_owned());
                found.explain(said, format!("exchange {exchange}"));
            }
        },
        Reading::Sort(sort, direction) => {
            let meaning = sorted(sort, direction, found);
            found.explain(said, meaning);
        }
        Reading::Limit(limit) => {
            found.limit.get_or_insert(limit);
            found.explain(said, format!("limit {limit}"));
        }
        Reading::Ranked(sort, direction, limit) => {
            let meaning = sorted(sort, direction, found);
            found.limit.get_or_insert(limit);
            found.explain(said, format!("{meaning} and limit {limit}"));
        }
        Reading::Unsupported(reason) => beyond(said, reason, found),
    }
}

/// Takes an order, the first one named; a direction may come after its figure: "by P/E, highest first". Says what it is.
fn sorted(sort: SortBy, direction: Option<Direction>, found: &mut Understood) -> String {
    let other = direction.filter(|direction| *direction != sort.usual());
    if *found.sort.get_or_insert(sort) == sort && direction.is_some() {
        found.direction = other;
    }
    match other {
        Some(direction) => format!("sort {} and order {}", sort.as_str(), direction.as_str()),
        None => format!("sort {}", sort.as_str()),
    }
}

/// Says why a phrase asks for something that cannot be expressed, so that there is no result.
fn beyond(said: &[Word], reason: &str, found: &mut Understood) {
    found.is_beyond = true;
    leave(said, reason, found);
}

/// The currency in which words state a price: `$10`, and a penny stock costs less than five dollars wherever it is
/// listed. A bare number names none.
fn currency(said: &[Word], filters: &[(FilterKey, FilterValue)]) -> Option<&'static str> {
    let is_priced = filters.iter().any(|(key, value)| {
        key.metric() == Metric::Price && matches!(value, FilterValue::Number(_))
    });
    let is_bare = said
        .iter()
        .any(|word| word.number.is_some() && !word.is_money);
    (is_priced && !is_bare).then_some("USD")
}

/// Says why a phrase is left out.
fn leave(said: &[Word], reason: &str, found: &mut Understood) {
    found.explain(said, format!("ignored, because {reason}"));
    for word in said {
        if !words::is_filler(&word.means) && !found.not_understood.contains(&word.said) {
            found.not_understood.push(word.said.clone());
        }
    }
}

fn written((key, value): &(FilterKey, FilterValue)) -> String {
    match value {
        FilterValue::Number(number) => format!("{} {number}", key.as_str()),
        _ => key.as_str().to_owned(),
    }
}

/// How many words a sequence has, if the words begin with it.
pub(super) fn begins(rest: &[Word], sequence: &[&str]) -> Option<usize> {
    let matches = rest.len() >= sequence.len()
        && rest
            .iter()
            .zip(sequence)
            .all(|(word, wanted)| word.means == *wanted);
    matches.then_some(sequence.len())
}

/// The longest of several sequences with which the words begin.
pub(super) fn begins_any(rest: &[Word], sequences: &[&[&str]]) -> Option<usize> {
    let lengths = sequences.iter();
    lengths.filter_map(|sequence| begins(rest, sequence)).max()
}

/// How many words at the beginning belong to these.
pub(super) fn skip(rest: &[Word], among: &[&str]) -> usize {
    let is_among = |word: &&Word| among.contains(&word.means.as_str());
    rest.iter().take_while(is_among).count()
}

fn kind(rest: &[Word]) -> Phrase {
    let kinds: [(AssetType, &[&[&str]]); 3] = [
        (
            AssetType::Equity,
            &[
                &["stock"],
                &["stocks"],
                &["share"],
                &["shares"],
                &["equity"],
                &["equities"],
                &["company"],
                &["companies"],
                &["names"],
                &["tickers"],
            ],
        ),
        (
            AssetType::Etf,
            &[
                &["etf"],
                &["etfs"],
                &["fund"],
                &["funds"],
                &["exchange", "traded", "funds"],
                &["exchange", "traded", "fund"],
                &["index", "funds"],
                &["index", "fund"],
            ],
        ),
        (
            AssetType::Crypto,
            &[
                &["coin"],
                &["coins"],
                &["crypto"],
                &["cryptos"],
                &["crypto", "coins"],
                &["crypto", "currencies"],
                &["cryptocurrency"],
                &["cryptocurrencies"],
                &["token"],
                &["tokens"],
            ],
        ),
    ];
    kinds
        .into_iter()
        .find_map(|(kind, words)| Some((begins_any(rest, words)?, Reading::Kind(kind))))
}

/// A sector or an industry. A word that means both is taken for the industry: `banks` are not all financials.
fn part(rest: &[Word]) -> Phrase {
    (1..=rest.len().min(3)).rev().find_map(|length| {
        let words: Vec<&str> = rest[..length]
            .iter()
            .map(|word| word.means.as_str())
            .collect();
        let said = words.join(" ");
        let industry = industry::find(&said).map(Reading::Industry);
        let reading = industry.or_else(|| sector::find(&said).map(Reading::Sector))?;
        Some((length, reading))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sound() {
        let file = include_str!("../../../data/screener/known.txt");
        assert_eq!(table::fault(file, 1, 1), None);
        assert!(table::lines(file).is_sorted());
    }
}

//! Yields of Treasury bonds: which maturity a question names, and which indicator lists its values.

use query::Series;

/// The maturity of the series of a yield.
pub(crate) fn maturity_of(series: Series) -> Option<&'static str> {
    match series {
        Series::Known(code) => code.strip_prefix("ust_"),
        Series::Pair(..) => None,
    }
}

/// The maturity that a question names, if there is one; `in the last two years` is a period.
pub(crate) fn maturity(question: &str) -> Option<&'static str> {
    match maturities(question)[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// The maturities that a question names, the shortest first: `the 5-year and the 30-year`, `5s30s`.
pub(crate) fn maturities(question: &str) -> Vec<&'static str> {
    const MATURITIES: [(&str, [&str; 2]); 4] = [
        ("2y", ["2", "two"]),
        ("5y", ["5", "five"]),
        ("10y", ["10", "ten"]),
        ("30y", ["30", "thirty"]),
    ];
    let lower = question.to_lowercase();
    let words: Vec<&str> = lower
        .split(|one: char| !one.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let named = |written: &[&str; 2]| {
        (0..words.len()).any(|at| {
            let joined = words[at].strip_prefix(written[0]);
            let is_joined = joined.is_some_and(|unit| ["y", "yr", "year"].contains(&unit));
            let unit = words.get(at + 1);
            let is_apart = written.contains(&words[at])
                && unit.is_some_and(|unit| ["y", "yr", "year"].contains(unit));
            let of_both = words[at]
                .strip_suffix('s')
                .and_then(|rest| rest.split_once('s'));
            let is_of_both = of_both.is_some_and(|(one, other)| [one, other].contains(&written[0]));
            is_joined || is_of_both || is_apart && !is_stretch(&words, at)
        })
    };
    let all = MATURITIES.iter().filter(|(_, written)| named(written));
    all.map(|(maturity, _)| *maturity).collect()
}

/// Whether the number of years at a word is a period: `over a two year period`, `at a 10-year high`.
fn is_stretch(words: &[&str], at: usize) -> bool {
    const BEFORE: [&str; 9] = [
        "last", "past", "over", "in", "previous", "next", "within", "during", "for",
    ];
    const BONDS: [&str; 12] = [
        "yield",
        "yields",
        "treasury",
        "treasuries",
        "note",
        "notes",
        "bond",
        "bonds",
        "bill",
        "bills",
        "rate",
        "rates",
    ];
    const BEHIND: [&str; 8] = [
        "high", "highs", "low", "lows", "period", "ago", "span", "stretch",
    ];
    let behind = words.get(at + 2);
    let before = words[..at]
        .iter()
        .rev()
        .find(|word| !["the", "a"].contains(word));
    let is_of_bonds = behind.is_some_and(|word| BONDS.contains(word) || ["us", "t"].contains(word));
    !is_of_bonds
        && (before.is_some_and(|word| BEFORE.contains(word))
            || behind.is_some_and(|word| BEHIND.contains(word)))
}

/// Whether a question is about how yields relate to each other rather than about one of them.
pub(super) fn is_of_curve(question: &str) -> bool {
    let lower = question.to_lowercase();
    let mut words = lower.split(|one: char| !one.is_alphanumeric());
    words.any(|word| {
        // `2s10s`.
        let years = word.strip_suffix('s').and_then(|rest| rest.split_once('s'));
        let is_number = |part: &str| part.parse::<u8>().is_ok();
        years.is_some_and(|(one, other)| is_number(one) && is_number(other))
            || ["curve", "spread", "slope", "steepen", "flatten", "inver"]
                .iter()
                .any(|stem| word.starts_with(stem))
    })
}

/// Whether a series is one of the four yields that are available as a curve.
pub(super) fn is_on_curve(series: Series) -> bool {
    maturity_of(series).is_none_or(|maturity| ["2y", "5y", "10y", "30y"].contains(&maturity))
}

/// The indicator of a yield.
pub(super) fn indicator(question: &str, series: Series) -> Option<&'static str> {
    // Ten years also stands for yields without a maturity: in that case the words may say another.
    let asked = match maturity_of(series)? {
        "10y" => maturity(question).unwrap_or("10y"),
        own => own,
    };
    let mut all = INDICATORS.iter();
    all.find(|(own, _)| *own == asked).map(|(_, slug)| *slug)
}

/// Maturities and the indicators that list their values.
const INDICATORS: [(&str, &str); 10] = [
    ("3m", "treasury_3mo"),
    ("6m", "treasury_6mo"),
    ("1y", "treasury_1y"),
    ("2y", "treasury_2y"),
    ("3y", "treasury_3y"),
    ("5y", "treasury_5y"),
    ("7y", "treasury_7y"),
    ("10y", "treasury_10y"),
    ("20y", "treasury_20y"),
    ("30y", "treasury_30y"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_maturity_is_told_from_a_stretch_of_time() {
        for (question, expected) in [
            ("lowest 10y yield in the last two years", Some("10y")),
            ("lowest 10 yr yield over the past two years", Some("10y")),
            ("lowest treasury yield over a two year period", None),
            ("are bond yields at a 2-year high", None),
            ("highest two-year yield in 2022", Some("2y")),
            ("change in 30yr", Some("30y")),
            ("10-year and 2-year yields", None),
        ] {
            assert_eq!(maturity(question), expected, "{question}");
        }
        for (question, expected) in [
            ("30-year minus 5-year yield", ["5y", "30y"]),
            ("5s30s", ["5y", "30y"]),
            ("spread between the two year and ten year", ["2y", "10y"]),
        ] {
            assert_eq!(maturities(question), expected, "{question}");
        }
    }

    #[test]
    fn one_yield_is_told_from_how_several_lie() {
        for (question, expected) in [
            ("how much did the 10-year yield rise in 2022", false),
            ("did the curve invert in 2022", true),
            ("2s10s in 2023", true),
            ("what were the yields of bonds in 2022", false),
        ] {
            assert_eq!(is_of_curve(question), expected, "{question}");
        }
    }
}

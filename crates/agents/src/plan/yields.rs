//! Yields of Treasury bonds: which maturity a question names, and under which indicator the values of it are listed.

use query::Series;

/// The maturity of the series of a yield.
pub(crate) fn maturity_of(series: Series) -> Option<&'static str> {
    match series {
        Series::Known(code) => code.strip_prefix("ust_"),
        Series::Pair(..) => None,
    }
}

/// The maturity that a question names, where it is one; `in the last two years` is a stretch of time.
pub(crate) fn maturity(question: &str) -> Option<&'static str> {
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
            is_joined || is_apart && !is_stretch(&words, at)
        })
    };
    let mut all = MATURITIES.iter().filter(|(_, written)| named(written));
    let first = all.next()?;
    all.next().is_none().then_some(first.0)
}

/// Whether the years whose number stands at a word are a stretch of time: `over a two year period`, `at a 10-year high`.
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

/// The indicator of a yield; of other maturities no list of values is served.
pub(super) fn indicator(question: &str, series: Series) -> Option<&'static str> {
    // The ten years stand for yields of no maturity, too: there the words may say another.
    let asked = match maturity_of(series)? {
        "10y" => maturity(question).unwrap_or("10y"),
        own => own,
    };
    match asked {
        "2y" => Some("treasury_2y"),
        "10y" => Some("treasury_10y"),
        _ => None,
    }
}

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
    }
}

//! Yields of Treasury bonds: which maturity a question names, and under which indicator the values of it are listed.

use query::Series;

/// The maturity of the series of a yield.
pub(crate) fn maturity_of(series: Series) -> Option<&'static str> {
    match series {
        Series::Known(code) => code.strip_prefix("ust_"),
        Series::Pair(..) => None,
    }
}

/// The maturity that a question names, where it is one.
pub(crate) fn maturity(question: &str) -> Option<&'static str> {
    let lower = question.to_lowercase().replace('-', " ");
    let mut named = [
        ("2y", ["2 year", "2yr", "two year"]),
        ("5y", ["5 year", "5yr", "five year"]),
        ("10y", ["10 year", "10yr", "ten year"]),
        ("30y", ["30 year", "30yr", "thirty year"]),
    ]
    .into_iter()
    .filter(|(_, words)| {
        words
            .iter()
            .any(|word| format!(" {lower}").contains(&format!(" {word}")))
    });
    let first = named.next()?;
    named.next().is_none().then_some(first.0)
}

/// The indicator of a yield; of other maturities no list of values is served.
pub(super) fn indicator(question: &str, series: Series) -> Option<&'static str> {
    let own = maturity_of(series)?;
    match maturity(question).unwrap_or(own) {
        "2y" => Some("treasury_2y"),
        "10y" => Some("treasury_10y"),
        _ => None,
    }
}

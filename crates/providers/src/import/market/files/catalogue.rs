//! Metadata for the usual series: name and unit. Files seldom give them.

use std::sync::LazyLock;

use model::{Frequency, Series, SeriesId, table};

/// Identifier, name and unit of the usual FRED series.
static SERIES: LazyLock<Vec<[&str; 3]>> =
    LazyLock::new(|| table::rows(include_str!("../../../../data/market/series.tsv")).collect());

/// Something whose price is quoted in a unit of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Commodity {
    /// The name used in series.
    pub(super) slug: &'static str,
    name: &'static str,
    unit: &'static str,
    /// If the spot price has a different unit from the future.
    spot_unit: Option<&'static str>,
    /// The root symbol of the future at its exchange.
    pub(super) future: Option<&'static str>,
    /// The FRED series.
    pub(super) fred: Option<&'static str>,
    words: &'static str,
}

impl Commodity {
    /// Whether a word in a file name means it.
    pub(super) fn is_called(&self, word: &str) -> bool {
        let mut words = self.words.split(' ').filter(|other| !other.is_empty());
        self.slug == word || words.any(|other| other == word)
    }
}

/// The commodities whose prices are supported.
pub(super) static COMMODITIES: LazyLock<Vec<Commodity>> = LazyLock::new(|| {
    let known = |cell: &'static str| (cell != "-").then_some(cell);
    table::rows(include_str!("../../../../data/market/commodities.tsv"))
        .map(
            |[slug, name, unit, spot_unit, future, fred, words]| Commodity {
                slug,
                name,
                unit,
                spot_unit: known(spot_unit),
                future: known(future),
                fred: known(fred),
                words: known(words).unwrap_or_default(),
            },
        )
        .collect()
});

/// Whether FRED has a well-known series with this identifier.
pub(super) fn is_known(id: &str) -> bool {
    SERIES.iter().any(|[known, ..]| *known == id) || maturity(id).is_some()
}

/// Whether a commodity has this slug.
pub(super) fn is_commodity(slug: &str) -> bool {
    COMMODITIES.iter().any(|known| known.slug == slug)
}

/// The metadata for a series when a file gives only values. A value that is published late carries a lag: the usual
/// delay of monthly and quarterly statistics after the first day of the period they describe.
pub(super) fn series(id: SeriesId, frequency: Option<Frequency>, source: &str) -> Series {
    let frequency = frequency.unwrap_or(Frequency::Daily);
    let (name, unit) = words(&id);
    let publication_lag_days = match (id.kind(), frequency) {
        ("macro", Frequency::Daily) => 1,
        ("macro", Frequency::Weekly) => 7,
        ("macro" | "commodity", Frequency::Monthly) => 45,
        ("macro", Frequency::Quarterly) => 120,
        ("macro", Frequency::Annual) => 395,
        _ => 0,
    };
    Series {
        id,
        name,
        unit,
        frequency,
        source: source.to_owned(),
        publication_lag_days,
    }
}

fn words(id: &SeriesId) -> (String, String) {
    let name = id.name();
    let pair = |(name, unit): (&str, &str)| (name.to_owned(), unit.to_owned());
    match id.kind() {
        "macro" => {
            let known = SERIES.iter().find(|[known, ..]| *known == name);
            match (known, maturity(name)) {
                (Some([_, name, unit]), _) => pair((name, unit)),
                (None, Some(maturity)) => pair((&format!("{maturity} Treasury Yield"), "percent")),
                // FRED has hundreds of thousands of series; an unknown one is named after its identifier.
                (None, None) => pair((name, "")),
            }
        }
        "commodity" => {
            let (slug, market) = name.split_once('/').unwrap_or((name, ""));
            match COMMODITIES.iter().find(|known| known.slug == slug) {
                Some(known) => {
                    let own = known.spot_unit.filter(|_| market == "spot");
                    pair((known.name, own.unwrap_or(known.unit)))
                }
                None => pair((slug, "USD")),
            }
        }
        "fx" => match (name.get(..3), name.get(3..)) {
            (Some(base), Some(quote)) => {
                pair((&format!("{base}/{quote}"), &format!("{quote} per {base}")))
            }
            _ => pair((name, "")),
        },
        "index" => pair((name, "index")),
        "cap" => pair((&format!("Market value of {name}"), "USD")),
        _ => pair((name, "USD")),
    }
}

/// `10-Year` for `DGS10`, `3-Month` for `DGS3MO`.
fn maturity(id: &str) -> Option<String> {
    let rest = id.strip_prefix("DGS")?;
    let (digits, word) = match rest.strip_suffix("MO") {
        Some(digits) => (digits, "Month"),
        None => (rest, "Year"),
    };
    let plausible = !digits.is_empty()
        && digits.len() <= 3
        && digits
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'_');
    plausible.then(|| format!("{}-{word}", digits.replace('_', ".")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sound() {
        let series = include_str!("../../../../data/market/series.tsv");
        assert_eq!(table::fault(series, 3, 1), None);
        let commodities = include_str!("../../../../data/market/commodities.tsv");
        assert_eq!(table::fault(commodities, 7, 1), None);
        let mut seen = std::collections::BTreeSet::new();
        for known in COMMODITIES.iter() {
            let words = known.words.split(' ').filter(|word| !word.is_empty());
            for word in [known.slug]
                .into_iter()
                .chain(known.future)
                .chain(known.fred)
                .chain(words)
            {
                assert!(seen.insert(word), "{word}");
            }
        }
    }
}

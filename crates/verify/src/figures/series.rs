//! The series that claims refer to.

use std::sync::LazyLock;

use model::table;

const SERIES: &str = include_str!("../../data/figures/series.tsv");

/// How the changes of a series are quoted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeriesKind {
    /// An index: changes in percent, month on month or year on year.
    Index,
    /// In percent: changes in percentage points.
    Rate,
    /// Money or counts: changes in either.
    Amount,
    /// Quoted every day: changes in percent.
    Price,
}

/// How a series' values are derived from the stored ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Derived {
    /// They are the stored values.
    Level,
    /// The year-on-year change, in percent.
    YearOnYear,
    /// The first series minus the second.
    Minus,
}

/// A series that claims refer to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownSeries {
    /// Its code in parsed claims.
    pub code: &'static str,
    /// Its name in sentences.
    pub name: &'static str,
    /// How its changes are quoted.
    pub kind: SeriesKind,
    /// How its values are derived from the stored ones.
    pub derived: Derived,
    /// The stored series: alternatives, the usual one first; for a difference, both.
    pub ids: Vec<&'static str>,
    /// How the figure is to be read, in words; empty if there is nothing to say.
    pub note: &'static str,
}

static KNOWN: LazyLock<Vec<KnownSeries>> = LazyLock::new(|| {
    table::rows(SERIES)
        .map(|[code, name, kind, derived, ids, note]| KnownSeries {
            code,
            name,
            kind: match kind {
                "index" => SeriesKind::Index,
                "rate" => SeriesKind::Rate,
                "amount" => SeriesKind::Amount,
                _ => SeriesKind::Price,
            },
            derived: match derived {
                "yoy" => Derived::YearOnYear,
                "minus" => Derived::Minus,
                _ => Derived::Level,
            },
            ids: ids.split(',').collect(),
            note: if note == "-" { "" } else { note },
        })
        .collect()
});

impl KnownSeries {
    /// The series for a code.
    pub fn find(code: &str) -> Option<&'static Self> {
        KNOWN.iter().find(|known| known.code == code)
    }

    /// Every series.
    pub fn all() -> &'static [Self] {
        &KNOWN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sound() {
        assert_eq!(table::fault(SERIES, 6, 1), None);
        for row in table::rows::<6>(SERIES) {
            assert!(
                ["index", "rate", "amount", "price"].contains(&row[2]),
                "{row:?}"
            );
            assert!(["level", "yoy", "minus"].contains(&row[3]), "{row:?}");
        }
        for known in KnownSeries::all() {
            assert!(known.ids.iter().all(|id| id.contains(':')), "{known:?}");
            assert_eq!(
                known.derived == Derived::Minus,
                known.name.contains("minus"),
                "{known:?}"
            );
        }
    }
}

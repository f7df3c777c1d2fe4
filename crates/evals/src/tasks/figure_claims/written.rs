//! Claims written freely as traders, reporters and programs phrase them, each with the verdict that the data give.

use model::{Timestamp, table};

const WRITTEN: &str = include_str!("../../../labels/figure_claims.tsv");

/// A claim with its verdict.
pub(super) struct Written {
    pub(super) text: &'static str,
    /// `supported`, `contradicted` or `unverifiable`; `None` where it is no claim about a figure.
    pub(super) expected: Option<&'static str>,
    pub(super) as_of: Option<Timestamp>,
}

/// Every claim of the table.
pub(super) fn claims() -> Vec<Written> {
    table::rows(WRITTEN)
        .map(|[expected, as_of, text]| Written {
            text,
            expected: (expected != "none").then_some(expected),
            as_of: Timestamp::parse_date(as_of),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sound() {
        assert_eq!(table::fault(WRITTEN, 3, 3), None);
        for [expected, as_of, _] in table::rows::<3>(WRITTEN) {
            assert!(["supported", "contradicted", "unverifiable", "none"].contains(&expected));
            assert!(
                as_of == "-" || Timestamp::parse_date(as_of).is_some(),
                "{as_of}"
            );
        }
    }
}

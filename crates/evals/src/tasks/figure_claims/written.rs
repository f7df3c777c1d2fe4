//! Claims written freely as traders, reporters and programs phrase them, each with the verdict that the data give.

use model::{Timestamp, table};

/// The claims on which rules were mended.
pub(super) const WRITTEN: &str = include_str!("../../../labels/figure_claims.tsv");
/// Written from the documentation, then looked at.
pub(super) const FREE: &str = include_str!("../../../labels/figure_claims_free.tsv");
/// The same, of other subjects, looked at later.
pub(super) const HELD_OUT: &str = include_str!("../../../labels/figure_claims_held_out.tsv");

/// Written later from the documentation of the data alone.
pub(super) const DOCUMENTED: &str = include_str!("../../../labels/figure_claims_docs.tsv");
/// Written as the press does, from the documentation alone, in halves: the first for development, the second only counted.
pub(super) const PRESS: &str = include_str!("../../../labels/figure_claims_press.tsv");
/// As newspapers, brokers and fact checkers word them, in two parts likewise.
pub(super) const COPY: &str = include_str!("../../../labels/figure_claims_copy.tsv");
/// As analysts, reporters, private investors and programs word them, in halves likewise.
pub(super) const MIXED: &str = include_str!("../../../labels/figure_claims_mixed.tsv");
/// In which a careless reader takes the wrong time, subject or side.
pub(super) const TRAPS: &str = include_str!("../../../labels/figure_claims_traps.tsv");
/// As an evaluator words them, in halves likewise.
pub(super) const EVALUATOR: &str = include_str!("../../../labels/figure_claims_evaluator.tsv");
/// As fact checkers quote them, as assistants write them, and as investors say them, in two parts likewise.
pub(super) const CHECKERS: &str = include_str!("../../../labels/figure_claims_checkers.tsv");
pub(super) const ASSISTANTS: &str = include_str!("../../../labels/figure_claims_assistants.tsv");
pub(super) const INVESTORS: &str = include_str!("../../../labels/figure_claims_investors.tsv");
/// As newsletters, reports and agency copy word them, likewise.
pub(super) const RECAPS: &str = include_str!("../../../labels/figure_claims_recaps.tsv");

/// A claim with its verdict.
pub(super) struct Written {
    pub(super) text: &'static str,
    /// `supported`, `contradicted` or `unverifiable`; `None` where it is no claim about a figure.
    pub(super) expected: Option<&'static str>,
    pub(super) as_of: Option<Timestamp>,
}

/// From the first to the last millisecond of a day.
const LAST_OF_DAY: i64 = 86_400_000 - 1;

/// Every claim of a table.
pub(super) fn claims(of: &'static str) -> Vec<Written> {
    table::rows(of)
        .map(|[expected, as_of, text]| Written {
            text,
            expected: (expected != "none").then_some(expected),
            // At the end of the day: what `today` brought is known.
            as_of: Timestamp::parse_date(as_of).map(|day| day.plus_ms(LAST_OF_DAY)),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sound() {
        let files = [
            WRITTEN, FREE, HELD_OUT, DOCUMENTED, PRESS, COPY, MIXED, EVALUATOR, CHECKERS,
            ASSISTANTS, INVESTORS, RECAPS, TRAPS,
        ];
        for file in files {
            assert_eq!(table::fault(file, 3, 3), None);
        }
        for [expected, as_of, _] in files.into_iter().flat_map(table::rows::<3>) {
            assert!(["supported", "contradicted", "unverifiable", "none"].contains(&expected));
            assert!(
                as_of == "-" || Timestamp::parse_date(as_of).is_some(),
                "{as_of}"
            );
        }
    }
}

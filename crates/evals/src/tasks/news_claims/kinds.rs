//! True and false claims about the same events in many wordings, and how each kind of wording is judged.

use std::collections::BTreeMap;

use model::table;
use verify::verdict::Verdict;

use super::{Streams, explain};
use crate::table::{Table, figure};

/// The stream from which the claims were written.
const STREAM: &str = "stream_2026-04-10_05-10";
/// The halves, each of its own articles.
const HALVES: [(&str, &str); 2] = [
    (
        LOOKED_AT,
        include_str!("../../../labels/claim_wordings.tsv"),
    ),
    (
        "only counted",
        include_str!("../../../labels/claim_wordings_counted.tsv"),
    ),
];
/// The half whose misses may be looked at.
const LOOKED_AT: &str = "looked at";
/// Kinds of false claims begin so.
const FALSE: &str = "false_";

/// Verdicts on the claims of one kind.
#[derive(Default)]
struct Counts {
    claims: usize,
    right: usize,
    contrary: usize,
    in_part: usize,
}

impl Counts {
    fn note(&mut self, is_true: bool, verdict: Verdict) {
        self.claims += 1;
        self.right += usize::from(verdict == right(is_true));
        self.contrary += usize::from(verdict == right(!is_true));
        self.in_part += usize::from(verdict == Verdict::PartiallySupported);
    }
}

const fn right(is_true: bool) -> Verdict {
    if is_true {
        Verdict::Supported
    } else {
        Verdict::Contradicted
    }
}

/// The counts of each kind; `None` where the stream is not in the data.
pub(super) fn table(streams: &Streams) -> anyhow::Result<Option<Table>> {
    if !streams.has(STREAM) {
        return Ok(None);
    }
    let mut table = Table::new(
        "Claims about the same event in many wordings",
        &[
            "claims",
            "kind",
            "count",
            "right",
            "share",
            "the other way",
            "in part",
        ],
    );
    for (half, file) in HALVES {
        let mut kinds: BTreeMap<(bool, &str), Counts> = BTreeMap::new();
        for [item, kind, claim] in table::rows(file) {
            let is_true = !kind.starts_with(FALSE);
            let finding = streams.look_at(claim)?;
            let verdict = finding.assessment.verdict;
            if half == LOOKED_AT && verdict != right(is_true) {
                explain(&format!("{item} {kind}"), claim, &finding);
            }
            for kind in [kind, "all"] {
                kinds
                    .entry((!is_true, kind))
                    .or_default()
                    .note(is_true, verdict);
            }
        }
        for ((is_false, kind), counts) in kinds {
            let truth = if is_false { "false" } else { "true" };
            let kind = kind.trim_start_matches(FALSE).replace('_', " ");
            table.cells(vec![
                half.to_owned(),
                format!("{truth}: {kind}"),
                counts.claims.to_string(),
                counts.right.to_string(),
                figure(counts.right as f64 / counts.claims as f64),
                counts.contrary.to_string(),
                counts.in_part.to_string(),
            ]);
        }
    }
    table.note(
        "Written from headline and teaser of 64 articles alone. A true claim is right where it is supported, a false one where it is \
         contradicted. `roles` exchanges who did it to whom; `roles voice` says that in other words.",
    );
    Ok(Some(table))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_half_has_articles_and_claims_of_its_own() {
        let [items, claims] = [0, 2].map(|cell| {
            HALVES.map(|(_, file)| {
                assert_eq!(table::fault(file, 3, 2), None);
                table::rows::<3>(file)
                    .map(|row| row[cell])
                    .collect::<BTreeSet<_>>()
            })
        });
        for [one, other] in [items, claims] {
            assert!(one.len() >= 32 && one.is_disjoint(&other));
        }
    }
}

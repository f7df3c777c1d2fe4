//! Predictions that were judged by reading each: which were right, and how many nobody has judged.

use std::collections::{BTreeMap, HashMap};

use crate::score::{interval, ratio};
use crate::table::{Table, figure};

/// Judgements by the hash of what was predicted, and what was counted by kind: right, wrong, unjudged.
pub(crate) struct Judged {
    verdicts: HashMap<&'static str, bool>,
    counts: BTreeMap<&'static str, [f64; 3]>,
}

impl Judged {
    /// Reads lines of a hash, a tabulator, and `right` or `wrong`.
    pub(crate) fn parse(lines: &'static str) -> Self {
        let verdicts = lines
            .lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| {
                let (hash, verdict) = line.split_once('\t')?;
                Some((hash, verdict == "right"))
            })
            .collect();
        Self {
            verdicts,
            counts: BTreeMap::new(),
        }
    }

    /// Counts a prediction; whether it was judged.
    pub(crate) fn note(&mut self, kind: &'static str, hash: &str) -> bool {
        let verdict = self.verdicts.get(hash);
        let slot = match verdict {
            Some(true) => 0,
            Some(false) => 1,
            None => 2,
        };
        self.counts.entry(kind).or_default()[slot] += 1.0;
        verdict.is_some()
    }

    /// One row for each kind, and one for all.
    pub(crate) fn table(self, title: &str, seen: &str) -> Table {
        let mut table = Table::new(
            title,
            &[
                "kind",
                "seen",
                "predicted",
                "judged",
                "right",
                "precision",
                "95 % interval",
                "unjudged",
            ],
        );
        let total = self.counts.values().fold([0.0; 3], |sum, slot| {
            [sum[0] + slot[0], sum[1] + slot[1], sum[2] + slot[2]]
        });
        for (kind, [right, wrong, unjudged]) in self.counts.into_iter().chain([("all", total)]) {
            let (low, high) = interval(right, right + wrong);
            let is_judged = right + wrong > 0.0;
            let shown = |text: String| if is_judged { text } else { "–".to_owned() };
            table.row([
                kind.to_owned(),
                seen.to_owned(),
                (right + wrong + unjudged).to_string(),
                (right + wrong).to_string(),
                right.to_string(),
                shown(figure(ratio(right, right + wrong))),
                shown(format!("{} to {}", figure(low), figure(high))),
                unjudged.to_string(),
            ]);
        }
        table
    }
}

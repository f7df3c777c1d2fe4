//! `BCubed`: how much of an article's story is with it, and how much else.

use std::collections::{BTreeMap, BTreeSet};

use crate::articles::Labelled;
use crate::score::ratio;

/// Precision and recall of a grouping.
#[derive(Clone, Copy, Debug)]
pub(super) struct BCubed {
    pub(super) precision: f64,
    pub(super) recall: f64,
    /// How many groups were found, and how many there are.
    pub(super) found: f64,
    pub(super) labelled: f64,
}

impl BCubed {
    pub(super) fn of(articles: &[&Labelled], found: &[usize]) -> Self {
        let mut labels: BTreeMap<&str, f64> = BTreeMap::new();
        let mut stories: BTreeMap<usize, f64> = BTreeMap::new();
        let mut both: BTreeMap<(&str, usize), f64> = BTreeMap::new();
        for (article, story) in articles.iter().zip(found) {
            *labels.entry(&article.story).or_default() += 1.0;
            *stories.entry(*story).or_default() += 1.0;
            *both.entry((&article.story, *story)).or_default() += 1.0;
        }
        let (mut precision, mut recall) = (0.0, 0.0);
        for (article, story) in articles.iter().zip(found) {
            let common = both[&(article.story.as_str(), *story)];
            precision += common / stories[story];
            recall += common / labels[article.story.as_str()];
        }
        let count = found.len() as f64;
        Self {
            precision: ratio(precision, count),
            recall: ratio(recall, count),
            found: found.iter().collect::<BTreeSet<_>>().len() as f64,
            labelled: labels.len() as f64,
        }
    }

    pub(super) fn f1(&self) -> f64 {
        ratio(
            2.0 * self.precision * self.recall,
            self.precision + self.recall,
        )
    }

    pub(super) fn mean(runs: &[Self]) -> Self {
        let mean = |part: fn(&Self) -> f64| ratio(runs.iter().map(part).sum(), runs.len() as f64);
        Self {
            precision: mean(|run| run.precision),
            recall: mean(|run| run.recall),
            found: mean(|run| run.found),
            labelled: mean(|run| run.labelled),
        }
    }
}

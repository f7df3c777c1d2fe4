//! Whether a passage supports or contradicts a claim, as people judged it.

use serde::Deserialize;
use verify::stance::{Reading, Stance};

use crate::claims::{self, CLASSES};
use crate::data::{self, Data};
use crate::random::Random;
use crate::score::Confusion;
use crate::seen;
use crate::table::{Table, figure};

/// A claim with everything that a set gives as evidence.
struct Case {
    claim: String,
    /// Passages, each of sentences; one for most sets.
    passages: Vec<Vec<String>>,
    class: usize,
}

#[derive(Deserialize)]
struct Row {
    claim: String,
    label: String,
    #[serde(default)]
    page: Option<String>,
    #[serde(default)]
    evidence: Vec<Evidence>,
    #[serde(default)]
    gold_evidence: Vec<Evidence>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Evidence {
    Sentence(String),
    Of { text: String, title: Option<String> },
}

/// How the passages of a case are shown to the model.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    AsGiven,
    /// None: what the claim alone gives away.
    Nothing,
    /// Those of another claim.
    Shuffled,
}

pub(crate) fn run(data: &Data) -> anyhow::Result<Vec<Table>> {
    let mut table = Table::new(
        "Stance of evidence towards a claim",
        &[
            "set",
            "shown",
            "seen",
            "count",
            "balanced accuracy",
            "macro-F1",
            "supports F1",
            "contradicts F1",
            "neutral F1",
        ],
    );
    for set in data.sets(&data::CLAIMS) {
        let cases = cases(&set.rows::<Row>()?);
        if cases.is_empty() {
            continue;
        }
        let classes = classes(&cases);
        let seen = seen::mark("stance", cases.iter().map(|case| &case.claim));
        for (name, shown) in [
            ("evidence", Shown::AsGiven),
            ("claim alone", Shown::Nothing),
            ("evidence of another claim", Shown::Shuffled),
        ] {
            let counts = measure(&cases, &classes, shown);
            let balanced = classes
                .iter()
                .map(|class| counts.recall(*class))
                .sum::<f64>()
                / classes.len() as f64;
            let macro_f1 =
                classes.iter().map(|class| counts.f1(*class)).sum::<f64>() / classes.len() as f64;
            let mut cells = vec![
                set.name.clone(),
                name.to_owned(),
                seen.to_owned(),
                cases.len().to_string(),
                figure(balanced),
                figure(macro_f1),
            ];
            cells.extend((0..CLASSES.len()).map(|class| {
                if classes.contains(&class) {
                    figure(counts.f1(class))
                } else {
                    "–".to_owned()
                }
            }));
            table.cells(cells);
        }
    }
    table.note(
        "Where a set has no claims that its evidence leaves open, the better of support and contradiction counts. Disputed and \
         partly supported claims are left out here.",
    );
    Ok(if table.is_empty() {
        Vec::new()
    } else {
        vec![table]
    })
}

fn cases(rows: &[Row]) -> Vec<Case> {
    rows.iter()
        .filter_map(|row| {
            let class = claims::class(&row.label)?;
            let given = if row.gold_evidence.is_empty() {
                &row.evidence
            } else {
                &row.gold_evidence
            };
            let titled = given
                .iter()
                .any(|evidence| matches!(evidence, Evidence::Of { title: Some(_), .. }));
            let text = |evidence: &Evidence| match evidence {
                Evidence::Sentence(text) | Evidence::Of { text, .. } => text.clone(),
            };
            // Evidence of several pages is several passages.
            let passages = if titled {
                given
                    .iter()
                    .map(|evidence| {
                        let title = match evidence {
                            Evidence::Of { title, .. } => title.as_deref(),
                            Evidence::Sentence(_) => None,
                        };
                        claims::passage(title, [text(evidence).as_str()].into_iter())
                    })
                    .collect()
            } else {
                let texts: Vec<String> = given.iter().map(text).collect();
                vec![claims::passage(
                    row.page.as_deref(),
                    texts.iter().map(String::as_str),
                )]
            };
            Some(Case {
                claim: row.claim.clone(),
                passages,
                class,
            })
        })
        .collect()
}

fn classes(cases: &[Case]) -> Vec<usize> {
    (0..CLASSES.len())
        .filter(|class| cases.iter().any(|case| case.class == *class))
        .collect()
}

fn measure(cases: &[Case], classes: &[usize], shown: Shown) -> Confusion<3> {
    let mut order: Vec<usize> = (0..cases.len()).collect();
    if shown == Shown::Shuffled {
        Random::seeded(1).shuffle(&mut order);
    }
    let mut counts = Confusion::new();
    for (case, other) in cases.iter().zip(order) {
        let nothing = vec![Vec::new()];
        let passages = match shown {
            Shown::AsGiven => &case.passages,
            Shown::Nothing => &nothing,
            Shown::Shuffled => &cases[other].passages,
        };
        let claim = Reading::of_claim(&case.claim);
        let stances: Vec<Stance> = passages
            .iter()
            .map(|sentences| {
                let passage = Reading::of_sentences(sentences.iter().map(String::as_str), None);
                Stance::of(&claim, &passage)
            })
            .collect();
        let shares = joined(&stances);
        let found = classes
            .iter()
            .copied()
            .max_by(|left, right| shares[*left].total_cmp(&shares[*right]))
            .unwrap_or(2);
        counts.note(case.class, found);
    }
    counts
}

/// What several passages come to: the strongest support, the strongest contradiction, and what is left open by all.
fn joined(stances: &[Stance]) -> [f64; 3] {
    let most = |share: fn(&Stance) -> f64| stances.iter().map(share).fold(0.0, f64::max);
    let open = stances
        .iter()
        .map(|stance| stance.neutral)
        .fold(1.0, f64::min);
    [
        most(|stance| stance.supports),
        most(|stance| stance.contradicts),
        open,
    ]
}

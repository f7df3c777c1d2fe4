//! Whether a passage supports or contradicts a claim, as people judged it.

mod articles;

use serde::Deserialize;
use verify::stance::{Reading, Stance};

use crate::claims::{self, CLASSES};
use crate::data::{self, Data};
use crate::random::Random;
use crate::score::{Confusion, KEPT, right_of_surest};
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

/// What was found of a case.
struct Answer {
    expected: usize,
    found: usize,
    /// The share of the class that was found.
    confidence: f64,
}

/// The ways in which evidence is shown, with their names.
const WAYS: [(&str, Shown); 3] = [
    ("evidence", Shown::AsGiven),
    ("claim alone", Shown::Nothing),
    ("evidence of another claim", Shown::Shuffled),
];

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
    let mut surest = Surest::new("Stance, where only the surest are answered", "set");
    for set in data.sets(&data::CLAIMS) {
        let cases = cases(&set.rows::<Row>()?);
        if cases.is_empty() {
            continue;
        }
        let classes = classes(&cases);
        let seen = seen::mark("stance", cases.iter().map(|case| &case.claim));
        for (name, shown) in WAYS {
            let answers = measure(&cases, &classes, shown);
            let mut cells = vec![set.name.clone(), name.to_owned(), seen.to_owned()];
            cells.extend(scores(&answers, &classes));
            table.cells(cells);
            if shown == Shown::AsGiven {
                surest.add(&set.name, &answers);
            }
        }
    }
    table.note(
        "Where a set has no claims that its evidence leaves open, the better of support and contradiction counts. Disputed and \
         partly supported claims are left out here.",
    );
    let mut tables = Vec::new();
    if !table.is_empty() {
        tables.push(table);
    }
    tables.extend(articles::table(data, &mut surest)?);
    tables.extend(surest.table());
    Ok(tables)
}

/// Count, balanced accuracy, macro-F1 and the F1 of each class, as cells.
fn scores(answers: &[Answer], classes: &[usize]) -> Vec<String> {
    let mut counts = Confusion::<3>::new();
    for answer in answers {
        counts.note(answer.expected, answer.found);
    }
    let mean = |of: &dyn Fn(usize) -> f64| {
        classes.iter().map(|class| of(*class)).sum::<f64>() / classes.len() as f64
    };
    let mut cells = vec![
        answers.len().to_string(),
        figure(mean(&|class| counts.recall(class))),
        figure(mean(&|class| counts.f1(class))),
    ];
    cells.extend((0..CLASSES.len()).map(|class| {
        if classes.contains(&class) {
            figure(counts.f1(class))
        } else {
            "–".to_owned()
        }
    }));
    cells
}

/// How much is right of the surest answers of each set.
pub(super) struct Surest(Table);

impl Surest {
    pub(super) fn new(title: &str, of: &str) -> Self {
        let kept = KEPT.map(|percent| format!("{percent} % answered"));
        let mut columns = vec![of, "count"];
        columns.extend(kept.iter().map(String::as_str));
        let mut table = Table::new(title, &columns);
        table.note(
            "The share right of the answers that are kept, where the least sure ones are left out.",
        );
        Self(table)
    }

    fn add(&mut self, name: &str, answers: &[Answer]) {
        let answers = answers
            .iter()
            .map(|answer| (answer.confidence, answer.expected == answer.found))
            .collect::<Vec<_>>();
        self.add_sure(name, &answers);
    }

    /// Adds answers as confidences and whether they are right.
    pub(super) fn add_sure(&mut self, name: &str, answers: &[(f64, bool)]) {
        let mut cells = vec![name.to_owned(), answers.len().to_string()];
        cells.extend(right_of_surest(answers).map(figure));
        self.0.cells(cells);
    }

    pub(super) fn table(self) -> Option<Table> {
        (!self.0.is_empty()).then_some(self.0)
    }
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

fn measure(cases: &[Case], classes: &[usize], shown: Shown) -> Vec<Answer> {
    let order = order(cases.len(), shown);
    let nothing = vec![Vec::new()];
    cases
        .iter()
        .zip(order)
        .map(|(case, other)| {
            let passages = match shown {
                Shown::AsGiven => &case.passages,
                Shown::Nothing => &nothing,
                Shown::Shuffled => &cases[other].passages,
            };
            let claim = Reading::of_claim(&case.claim);
            let passages: Vec<Reading<'_>> = passages
                .iter()
                .map(|sentences| Reading::of_sentences(sentences.iter().map(String::as_str), None))
                .collect();
            let passages: Vec<&Reading<'_>> = passages.iter().collect();
            let shares = joined(&Stance::of_all(&claim, &passages));
            let found = classes
                .iter()
                .copied()
                .max_by(|left, right| shares[*left].total_cmp(&shares[*right]))
                .unwrap_or(2);
            let all: f64 = classes.iter().map(|class| shares[*class]).sum();
            Answer {
                expected: case.class,
                found,
                confidence: shares[found] / all.max(f64::MIN_POSITIVE),
            }
        })
        .collect()
}

/// Whose evidence is shown with each case: its own, or that of another one.
fn order(count: usize, shown: Shown) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    if shown == Shown::Shuffled {
        Random::seeded(1).shuffle(&mut order);
    }
    order
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

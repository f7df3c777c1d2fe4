//! Fits the weights of the model that reads names: an averaged structured perceptron on passages labelled by hand.
//!
//! The passages of every fifth item are kept back; the task `entities` measures on those. Everything is deterministic:
//! the order of the passages comes from a pinned seed.

use std::path::Path;

use anyhow::Context;
use text::chain::{LABELS, may_follow};
use text::entities::tagger::{FILE_BYTES, ROWS, Seen, observations};

use crate::data::Data;
use crate::labels::{self, Passage};
use crate::random::Random;

const EPOCHS: usize = 12;
const SEED: u64 = 20_260_403;

/// One run of capitals with its labels.
type Run = (Vec<Seen>, Vec<usize>);

/// Fits on the data and writes the weight file.
pub(crate) fn names(data: &Data, file: &Path) -> anyhow::Result<()> {
    let (passages, absent) = labels::passages(data, labels::NAMES)?;
    anyhow::ensure!(
        absent == 0,
        "{absent} labelled passages are not in the data"
    );
    let mut runs: Vec<Run> = passages
        .iter()
        .filter(|passage| !passage.kept_back())
        .flat_map(labelled)
        .collect();
    let mut weights = Weights::new();
    let mut random = Random::seeded(SEED);
    for _ in 0..EPOCHS {
        random.shuffle(&mut runs);
        for (run, gold) in &runs {
            weights.learn(run, gold);
        }
    }
    std::fs::write(file, weights.bytes()).with_context(|| file.display().to_string())
}

/// The runs of a passage; labels are 0, or 1 + 2 × class for the first word of a name and one more for those after it.
fn labelled(passage: &Passage) -> Vec<Run> {
    observations(&passage.text)
        .into_iter()
        .map(|run| {
            let mut before = None;
            let gold = run
                .iter()
                .map(|word| {
                    let at = passage.labels.iter().position(|(bytes, _)| {
                        bytes.start < word.bytes.end && word.bytes.start < bytes.end
                    });
                    let inside = at.is_some() && at == before;
                    before = at;
                    at.map_or(0, |at| {
                        let class = ["P", "L", "O"]
                            .iter()
                            .position(|class| *class == passage.labels[at].1)
                            .unwrap_or(0);
                        1 + 2 * class + usize::from(inside)
                    })
                })
                .collect();
            (run, gold)
        })
        .collect()
}

/// Weights, and the sums that average them: each change is also counted with the time at which it came.
struct Weights {
    now: Vec<f64>,
    late: Vec<f64>,
    time: f64,
}

impl Weights {
    fn new() -> Self {
        Self {
            now: vec![0.0; FILE_BYTES],
            late: vec![0.0; FILE_BYTES],
            time: 1.0,
        }
    }

    fn learn(&mut self, run: &[Seen], gold: &[usize]) {
        let found = self.decode(run);
        if found != gold {
            self.change(run, gold, 1.0);
            self.change(run, &found, -1.0);
        }
        self.time += 1.0;
    }

    fn change(&mut self, run: &[Seen], labels: &[usize], by: f64) {
        let mut before = 0;
        for (word, &label) in run.iter().zip(labels) {
            let rows = word.features.iter().map(|&row| LABELS + row as usize);
            for row in rows.chain([before]) {
                self.now[row * LABELS + label] += by;
                self.late[row * LABELS + label] += by * self.time;
            }
            before = label;
        }
    }

    fn decode(&self, run: &[Seen]) -> Vec<usize> {
        let mut back = Vec::with_capacity(run.len());
        let mut best = [f64::NEG_INFINITY; LABELS];
        best[0] = 0.0;
        for word in run {
            let mut next = [f64::NEG_INFINITY; LABELS];
            let mut from = [0; LABELS];
            for label in 0..LABELS {
                let emitted: f64 = word
                    .features
                    .iter()
                    .map(|&row| self.now[(LABELS + row as usize) * LABELS + label])
                    .sum();
                for before in (0..LABELS).filter(|&before| may_follow(before, label)) {
                    let score = best[before] + self.now[before * LABELS + label] + emitted;
                    if score > next[label] {
                        next[label] = score;
                        from[label] = before;
                    }
                }
            }
            best = next;
            back.push(from);
        }
        let mut label = (0..LABELS)
            .max_by(|&left, &right| best[left].total_cmp(&best[right]).then(right.cmp(&left)))
            .unwrap_or(0);
        let mut labels = vec![0; run.len()];
        for (at, from) in back.iter().enumerate().rev() {
            labels[at] = label;
            label = from[label];
        }
        labels
    }

    /// The averaged weights as signed bytes, the largest as 127.
    fn bytes(&self) -> Vec<u8> {
        let average: Vec<f64> = self
            .now
            .iter()
            .zip(&self.late)
            .map(|(now, late)| now - late / self.time)
            .collect();
        let most = average
            .iter()
            .fold(1e-9_f64, |most, weight| most.max(weight.abs()));
        debug_assert_eq!(average.len(), (LABELS + ROWS) * LABELS);
        average
            .iter()
            .flat_map(|weight| ((weight / most * 127.0).round() as i8).to_ne_bytes())
            .collect()
    }
}

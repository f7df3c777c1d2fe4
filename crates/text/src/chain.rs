//! A linear chain over words: decides for all words together which span each of them belongs to.
//!
//! There are three kinds of spans. Label 0 means no span. Each kind has one label that begins a span and a second one
//! that continues it. A word is represented by rows of a table. Each row has a weight for each label, and each label
//! has weights for the labels that may follow it. The transformer's scores for each word are decoded in the same way,
//! without rows and transitions.

/// Labels: none, then the beginning and the inside of a span for each kind.
pub const LABELS: usize = 7;

/// Weights as signed bytes: the transitions from each label (label 0 also covers the start), then the rows.
#[derive(Debug)]
pub(crate) struct Chain {
    pub(crate) bytes: &'static [u8],
    /// The factor by which a transition weighs more than its byte says.
    step: i32,
}

/// Whether `label` may follow `before`. The inside of a span only follows a part of the same kind.
pub fn may_follow(before: usize, label: usize) -> bool {
    label == 0 || label % 2 == 1 || before == label || before + 1 == label
}

impl Chain {
    pub(crate) const fn of(bytes: &'static [u8], step: i32) -> Self {
        Self { bytes, step }
    }

    fn row(&self, row: usize) -> [i32; LABELS] {
        let (rows, _) = self.bytes.as_chunks::<LABELS>();
        rows.get(row).map_or([0; LABELS], |row| {
            row.map(|byte| i32::from(byte.cast_signed()))
        })
    }

    /// The score of each label of a word, from its rows.
    pub(crate) fn emission(&self, rows: &[u32]) -> [i32; LABELS] {
        let mut scores = [0; LABELS];
        for row in rows {
            for (score, weight) in scores.iter_mut().zip(self.row(LABELS + *row as usize)) {
                *score += weight;
            }
        }
        scores
    }

    /// The most probable labels of the words, given the scores of each word.
    pub(crate) fn decode(&self, scores: &[[i32; LABELS]]) -> Vec<usize> {
        let transitions =
            std::array::from_fn(|label| self.row(label).map(|weight| weight * self.step));
        decode(scores, &transitions)
    }
}

/// The most probable labels of the words, given the scores of each word and of the transitions between labels.
pub(crate) fn decode(
    scores: &[[i32; LABELS]],
    transitions: &[[i32; LABELS]; LABELS],
) -> Vec<usize> {
    let mut back: Vec<[usize; LABELS]> = Vec::with_capacity(scores.len());
    let mut best = [i32::MIN / 2; LABELS];
    for (position, emitted) in scores.iter().enumerate() {
        let mut next = [i32::MIN / 2; LABELS];
        let mut from = [0; LABELS];
        for label in 0..LABELS {
            if position == 0 {
                if may_follow(0, label) {
                    next[label] = transitions[0][label] + emitted[label];
                }
                continue;
            }
            for (before, &reached) in best.iter().enumerate() {
                let score = reached + transitions[before][label] + emitted[label];
                if may_follow(before, label) && score > next[label] {
                    next[label] = score;
                    from[label] = before;
                }
            }
        }
        best = next;
        back.push(from);
    }
    let mut label = (0..LABELS)
        .max_by_key(|&label| (best[label], LABELS - label))
        .unwrap_or(0);
    let mut labels = vec![0; scores.len()];
    for position in (0..scores.len()).rev() {
        labels[position] = label;
        label = back[position][label];
    }
    labels
}

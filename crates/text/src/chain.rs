//! A linear chain over words: what each of them is part of, decided for all of them together.
//!
//! There are three kinds of spans. Label 0 is none; of each kind one label begins a span and the next one goes on with it. A word is
//! seen as rows of a table; a row has a weight for each label, and so has each label for what may follow it. What a transformer says of
//! each word is decided in the same way, without rows and transitions.

/// Labels: none, then beginning and inside of spans of each kind.
pub const LABELS: usize = 7;

/// Weights as signed bytes: of transitions from each label (label 0 also from the start), then of the rows.
#[derive(Debug)]
pub(crate) struct Chain {
    pub(crate) bytes: &'static [u8],
    /// How many times as much a transition weighs as its byte says.
    step: i32,
}

/// Whether `label` may follow `before`; the inside of a span only follows a part of the same kind.
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

    /// What speaks for each label of a word, by its rows.
    pub(crate) fn emission(&self, rows: &[u32]) -> [i32; LABELS] {
        let mut scores = [0; LABELS];
        for row in rows {
            for (score, weight) in scores.iter_mut().zip(self.row(LABELS + *row as usize)) {
                *score += weight;
            }
        }
        scores
    }

    /// The most probable labels of words, by what speaks for each.
    pub(crate) fn decode(&self, scores: &[[i32; LABELS]]) -> Vec<usize> {
        let transitions =
            std::array::from_fn(|label| self.row(label).map(|weight| weight * self.step));
        decode(scores, &transitions)
    }
}

/// The most probable labels of words, by what speaks for each and for what follows each label.
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

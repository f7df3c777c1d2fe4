//! Linear models over the features of a text: weighted rows of a table, with one weight for each row and class.
//!
//! Words are hashed into rows, so a row may stand for several of them. The weights are fitted by scripts on texts
//! labelled by reading them, and stored as signed bytes.

use crate::annotate::lexed::extend;
use crate::embedding::Embedding;

/// A row of the table and how strongly a text has it.
pub(crate) type Weighted = (u32, f32);

/// The row among `rows` that stands for a value of a given kind.
pub(crate) fn hashed(kind: u64, value: u64, rows: usize) -> u32 {
    let mixed = extend(extend(kind + 1, value), value >> 32);
    (mixed >> 40) as u32 % rows as u32
}

/// Adds rows with a joint Euclidean length of one.
pub(crate) fn add_block(rows: &mut Vec<Weighted>, mut block: Vec<u32>) {
    block.sort_unstable();
    block.dedup();
    let each = 1.0 / (block.len().max(1) as f32).sqrt();
    rows.extend(block.into_iter().map(|row| (row, each)));
}

/// Adds the components of an embedding as rows from `first` on, multiplied by `weight`.
pub(crate) fn add_meaning(
    rows: &mut Vec<Weighted>,
    first: usize,
    meaning: &Embedding,
    weight: f32,
) {
    let parts = meaning.direction().into_iter().enumerate();
    rows.extend(parts.map(|(at, part)| ((first + at) as u32, weight * part)));
}

/// A model with a fixed number of classes: a scale as a 32-bit number, then for each row a signed byte for each class.
#[derive(Debug)]
pub(crate) struct Linear<const CLASSES: usize> {
    pub(crate) bytes: &'static [u8],
}

impl<const CLASSES: usize> Linear<CLASSES> {
    pub(crate) const fn of(bytes: &'static [u8]) -> Self {
        Self { bytes }
    }

    /// The logits of all classes.
    pub(crate) fn logits(&self, rows: &[Weighted]) -> [f32; CLASSES] {
        let mut sums = [0.0; CLASSES];
        let Some((scale, weights)) = self.bytes.split_first_chunk::<4>() else {
            return sums;
        };
        let (weights, _) = weights.as_chunks::<CLASSES>();
        for (row, amount) in rows {
            if let Some(weights) = weights.get(*row as usize) {
                for (sum, weight) in sums.iter_mut().zip(weights) {
                    *sum += amount * f32::from(weight.cast_signed());
                }
            }
        }
        let scale = f32::from_le_bytes(*scale);
        sums.map(|sum| sum * scale)
    }
}

/// Logits as shares that add up to one.
pub(crate) fn shares<const CLASSES: usize>(logits: [f32; CLASSES]) -> [f32; CLASSES] {
    let most = logits.iter().copied().fold(f32::MIN, f32::max);
    let powers = logits.map(|logit| (logit - most).exp());
    let all: f32 = powers.iter().sum();
    powers.map(|power| power / all)
}

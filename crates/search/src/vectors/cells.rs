//! A partition of many vectors: similar ones are stored together, so that a search for the nearest begins where they
//! are.
//!
//! The vectors of a large segment are divided by their likeness to a number of centres, found by a few rounds of
//! k-means on a sample, and each part is divided once more in the same way. With these two small steps a vector finds
//! its cell among a thousand at the cost of sixty comparisons. Nothing is random, so the same vectors are always
//! divided in the same way. The partition only puts what is probably near first; it leaves nothing out.

use std::ops::Range;

use tantivy::DocId;
use text::embedding::{DIMENSIONS, Embedding, similarity};

/// A smaller segment is one cell: walking it takes a tenth of a millisecond.
const SMALLEST: usize = 8_192;
/// Average number of vectors in a cell; more only if [`MOST_BRANCHES`] is reached.
const USUAL: usize = 512;
/// Maximum number of parts in one step.
const MOST_BRANCHES: usize = 32;
/// Rounds of k-means; more would change little.
const ROUNDS: usize = 6;
/// Sampled vectors per centre.
const SAMPLED: usize = 64;

/// Vectors that are similar.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    /// The vector that they are similar to.
    pub(crate) centre: Embedding,
    /// Where they are stored.
    pub(crate) places: Range<u32>,
}

impl Cell {
    /// All vectors of a segment.
    pub(super) fn whole(count: u32) -> Self {
        Self {
            centre: Embedding::ZERO,
            places: 0..count,
        }
    }
}

/// Cells, and the documents in their order.
pub(super) struct Partition {
    pub(super) cells: Vec<Cell>,
    pub(super) documents: Vec<DocId>,
}

/// Divides vectors that come in order of document number; `None` if there are few.
pub(super) fn partition(vectors: &[Embedding]) -> Option<Partition> {
    if vectors.len() < SMALLEST {
        return None;
    }
    let branches = ((vectors.len() / USUAL) as f64).sqrt() as usize;
    let branches = branches.clamp(2, MOST_BRANCHES);
    let everything: Vec<DocId> = (0..vectors.len() as u32).collect();
    let mut parted = Partition {
        cells: Vec::with_capacity(branches * branches),
        documents: Vec::with_capacity(vectors.len()),
    };
    for (_, part) in split(vectors, everything, branches) {
        for (centre, documents) in split(vectors, part, branches) {
            let start = parted.documents.len() as u32;
            parted.documents.extend(documents);
            let places = start..parted.documents.len() as u32;
            parted.cells.push(Cell { centre, places });
        }
    }
    Some(parted)
}

/// Divides documents by the centres that their vectors are most similar to; empty parts are left out.
fn split(
    vectors: &[Embedding],
    documents: Vec<DocId>,
    branches: usize,
) -> Vec<(Embedding, Vec<DocId>)> {
    let step = (documents.len() / (branches * SAMPLED)).max(1);
    let sample: Vec<&Embedding> = documents
        .iter()
        .step_by(step)
        .map(|document| &vectors[*document as usize])
        .collect();
    let mut parts: Vec<(Embedding, Vec<DocId>)> = centres(&sample, branches)
        .into_iter()
        .map(|centre| (centre, Vec::new()))
        .collect();
    if parts.is_empty() {
        return parts;
    }
    for document in documents {
        let vector = &vectors[document as usize];
        let best = most_alike(parts.iter().map(|(centre, _)| centre), vector);
        parts[best].1.push(document);
    }
    parts.retain(|(_, documents)| !documents.is_empty());
    parts
}

/// Centres of a sample, at most `count`.
fn centres(sample: &[&Embedding], count: usize) -> Vec<Embedding> {
    let step = (sample.len() / count).max(1);
    let mut centres: Vec<Embedding> = sample
        .iter()
        .step_by(step)
        .take(count)
        .map(|vector| **vector)
        .collect();
    for _ in 0..ROUNDS {
        let mut sums = vec![[0_i32; DIMENSIONS]; centres.len()];
        for vector in sample {
            let sum = &mut sums[most_alike(centres.iter(), vector)];
            for (total, component) in sum.iter_mut().zip(vector.to_bytes()) {
                *total += i32::from(component.cast_signed());
            }
        }
        for (centre, sum) in centres.iter_mut().zip(&sums) {
            if let Some(mean) = direction(sum) {
                *centre = mean;
            }
        }
    }
    centres
}

/// The direction of a sum; `None` if it has none.
fn direction(sum: &[i32; DIMENSIONS]) -> Option<Embedding> {
    let greatest = sum.iter().map(|part| part.unsigned_abs()).max()?;
    if greatest == 0 {
        return None;
    }
    let scale = f32::from(i8::MAX) / greatest as f32;
    Some(Embedding::from_bytes(&sum.map(|part| {
        ((part as f32 * scale).round() as i8).cast_unsigned()
    })))
}

fn most_alike<'a>(centres: impl Iterator<Item = &'a Embedding>, vector: &Embedding) -> usize {
    let mut best = (0, f32::NEG_INFINITY);
    for (place, centre) in centres.enumerate() {
        let likeness = similarity(centre, vector);
        if likeness > best.1 {
            best = (place, likeness);
        }
    }
    best.0
}

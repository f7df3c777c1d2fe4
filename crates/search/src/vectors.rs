//! The meaning of each revision, read from the index into memory when a segment is opened.
//!
//! A vector is that of headline and summary. It lies in the index as a column of so many numbers per document, none where
//! the text says nothing; in memory it takes 132 bytes. A segment never changes, so what was read of it stays valid for as
//! long as it exists. Finding the nearest is walking them all: a hundred thousand take a few milliseconds at most, and a
//! graph over them would have to be rebuilt with every merge.

use model::Brief;
use tantivy::{DocId, SegmentReader};
use text::embedding::{DIMENSIONS, Embedding, embed};

use crate::schema::column;

/// Bytes of a vector that share a number in the index.
const BYTES: usize = size_of::<u64>();
/// Numbers that make a vector.
const WORDS: usize = DIMENSIONS / BYTES;

/// The vectors of one segment by number of document.
pub(crate) struct Vectors(Vec<Embedding>);

impl Vectors {
    pub(crate) fn read(reader: &SegmentReader) -> tantivy::Result<Self> {
        let mut vectors = vec![Embedding::ZERO; reader.max_doc() as usize];
        if let Some(column) = reader.fast_fields().column_opt::<u64>(column::VECTOR)? {
            for (document, vector) in (0..).zip(&mut vectors) {
                let mut bytes = [0; DIMENSIONS];
                for (part, word) in bytes
                    .chunks_exact_mut(BYTES)
                    .zip(column.values_for_doc(document))
                {
                    part.copy_from_slice(&word.to_le_bytes());
                }
                *vector = Embedding::from_bytes(&bytes);
            }
        }
        Ok(Self(vectors))
    }

    pub(crate) fn get(&self, document: DocId) -> &Embedding {
        self.0.get(document as usize).unwrap_or(&Embedding::ZERO)
    }
}

/// What a brief is about.
pub(crate) fn of(brief: &Brief) -> Embedding {
    embed(&format!("{}\n{}", brief.headline, brief.summary))
}

/// A vector as the index keeps it.
pub(crate) fn words(vector: &Embedding) -> Vec<u64> {
    if vector.is_zero() {
        return Vec::new();
    }
    let mut words = Vec::with_capacity(WORDS);
    for part in vector.to_bytes().chunks_exact(BYTES) {
        let mut bytes = [0; BYTES];
        bytes.copy_from_slice(part);
        words.push(u64::from_le_bytes(bytes));
    }
    words
}

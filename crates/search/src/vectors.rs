//! The meaning of each revision, read from the index into memory.
//!
//! A vector is that of the headline and summary. In the index it is a column with this many numbers per document, or
//! none if the text says nothing; in memory it takes 144 bytes. A segment never changes, so what was read of it stays
//! valid for as long as it exists. Vectors are read when they are first needed, or beforehand by
//! [`SegmentVectors::read`]. Those of a large segment are then put in an order ([`cells`]) in which the nearest come
//! early, so that little of the others has to be read ([`halves`]).

mod cells;
mod halves;

use std::sync::OnceLock;

use model::Brief;
use tantivy::columnar::Column;
use tantivy::{DocId, SegmentReader};
use text::embedding::{DIMENSIONS, Embedding, embed};

use crate::schema::column;

pub(crate) use cells::Cell;
use halves::Halves;
pub(crate) use halves::Sought;

/// Bytes of a vector that are packed into one number in the index.
const BYTES: usize = size_of::<u64>();
/// Numbers that make up a vector.
const WORDS: usize = DIMENSIONS / BYTES;

/// The vectors of one segment, read when they are first needed.
pub(crate) struct SegmentVectors {
    column: Option<Column<u64>>,
    documents: DocId,
    vectors: OnceLock<Vectors>,
}

impl SegmentVectors {
    pub(crate) fn open(reader: &SegmentReader) -> tantivy::Result<Self> {
        Ok(Self {
            column: reader.fast_fields().column_opt(column::VECTOR)?,
            documents: reader.max_doc(),
            vectors: OnceLock::new(),
        })
    }

    /// The vectors. Takes two seconds for a million if they have not been read before.
    pub(crate) fn read(&self) -> &Vectors {
        self.vectors.get_or_init(|| {
            let mut vectors = vec![Embedding::ZERO; self.documents as usize];
            if let Some(column) = &self.column {
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
            Vectors::arrange(vectors)
        })
    }
}

/// Vectors, with those of a cell next to one another.
pub(crate) struct Vectors {
    /// By place.
    vectors: Halves,
    /// The document at each place; empty if document and place are the same.
    documents: Vec<DocId>,
    /// The place of each document; empty if document and place are the same.
    places: Vec<u32>,
    cells: Vec<Cell>,
}

impl Vectors {
    /// Arranges vectors that come in order of document number.
    fn arrange(vectors: Vec<Embedding>) -> Self {
        let mut halves = Halves::with_capacity(vectors.len());
        let Some(partition) = cells::partition(&vectors) else {
            for vector in &vectors {
                halves.push(vector);
            }
            return Self {
                cells: vec![Cell::whole(vectors.len() as u32)],
                documents: Vec::new(),
                places: Vec::new(),
                vectors: halves,
            };
        };
        let mut places = vec![0; vectors.len()];
        for (place, document) in (0..).zip(&partition.documents) {
            places[*document as usize] = place;
        }
        for document in &partition.documents {
            halves.push(&vectors[*document as usize]);
        }
        Self {
            vectors: halves,
            documents: partition.documents,
            places,
            cells: partition.cells,
        }
    }

    /// The vector of a document.
    pub(crate) fn get(&self, document: DocId) -> Embedding {
        let place = self.places.get(document as usize).unwrap_or(&document);
        self.vectors.get(*place as usize)
    }

    /// The cells; only one if the segment is small.
    pub(crate) fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The document at a place.
    pub(crate) fn document(&self, place: u32) -> DocId {
        *self.documents.get(place as usize).unwrap_or(&place)
    }

    /// How similar the vector at a place is, if that is `least` or more.
    pub(crate) fn likeness(&self, place: u32, sought: &Sought, least: f32) -> Option<f32> {
        self.vectors.likeness(place as usize, sought, least)
    }
}

/// What a brief is about.
pub(crate) fn of(brief: &Brief) -> Embedding {
    embed(&format!("{}\n{}", brief.headline, brief.summary))
}

/// A vector as stored in the index.
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

#[cfg(test)]
pub(crate) mod tests;

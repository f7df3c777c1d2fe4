//! One consistent state of the index, with everything that a search touches already opened.

use std::sync::Arc;

use model::BriefId;
use tantivy::columnar::{ColumnValues, StrColumn};
use tantivy::index::InvertedIndexReader;
use tantivy::schema::IndexRecordOption;
use tantivy::{
    DocAddress, DocId, DocSet, Searcher, SegmentReader, TERMINATED, TantivyDocument, Term,
};
use uuid::Uuid;

use crate::checkpoint::Checkpoint;
use crate::schema::{Fields, RevisionKey, column};
use crate::vectors::SegmentVectors;

/// The index as of one commit. Opening columns takes longer than a quick search, so they are opened once per commit.
pub(crate) struct View {
    pub(crate) searcher: Searcher,
    pub(crate) fields: Fields,
    pub(crate) segments: Vec<Columns>,
    /// How far the commit came.
    pub(crate) checkpoint: Checkpoint,
    /// Latest publication in the index, in milliseconds: recency counts from it if no other time is requested.
    pub(crate) newest_ms: i64,
}

/// The numeric columns of one segment's documents.
pub(crate) struct Columns {
    pub(crate) category: Arc<dyn ColumnValues<u64>>,
    pub(crate) published: Arc<dyn ColumnValues<i64>>,
    pub(crate) known_from: Arc<dyn ColumnValues<i64>>,
    pub(crate) known_to: Arc<dyn ColumnValues<i64>>,
    pub(crate) confidence: Arc<dyn ColumnValues<f64>>,
    pub(crate) bias: Arc<dyn ColumnValues<f64>>,
    pub(crate) source_count: Arc<dyn ColumnValues<u64>>,
    /// Absent if no document in the segment has a source.
    pub(crate) domains: Option<StrColumn>,
    id_high: Arc<dyn ColumnValues<u64>>,
    id_low: Arc<dyn ColumnValues<u64>>,
    revision: Arc<dyn ColumnValues<u64>>,
    pub(crate) vectors: Arc<SegmentVectors>,
}

/// The text of a hit that is kept in the index.
#[derive(Debug, Default)]
pub(crate) struct StoredText {
    pub(crate) headline: String,
    pub(crate) summary: String,
    pub(crate) body: String,
    pub(crate) topics: Vec<String>,
}

impl View {
    /// Opens what the searcher sees. Vectors of segments that an earlier view has read are taken from that view.
    pub(crate) fn open(
        searcher: Searcher,
        fields: Fields,
        checkpoint: Checkpoint,
        former: Option<&Self>,
    ) -> tantivy::Result<Self> {
        let segments = searcher
            .segment_readers()
            .iter()
            .map(|reader| {
                let vectors = match former.and_then(|view| view.vectors_of(reader)) {
                    Some(vectors) => vectors,
                    None => Arc::new(SegmentVectors::open(reader)?),
                };
                Columns::open(reader, vectors)
            })
            .collect::<tantivy::Result<Vec<_>>>()?;
        let newest_ms = segments
            .iter()
            .map(|columns| columns.published.max_value())
            .max()
            .unwrap_or_default();
        Ok(Self {
            searcher,
            fields,
            segments,
            checkpoint,
            newest_ms,
        })
    }

    fn vectors_of(&self, segment: &SegmentReader) -> Option<Arc<SegmentVectors>> {
        let place = self
            .searcher
            .segment_readers()
            .iter()
            .position(|reader| reader.segment_id() == segment.segment_id())?;
        Some(Arc::clone(&self.segments.get(place)?.vectors))
    }

    /// Reads what a search would otherwise have to wait for.
    pub(crate) fn prepare(&self) {
        for columns in &self.segments {
            columns.vectors.read();
        }
    }

    /// How many of these revisions are missing.
    pub(crate) fn count_absent(&self, keys: &[RevisionKey]) -> tantivy::Result<u64> {
        if self.searcher.num_docs() == 0 {
            return Ok(keys.len() as u64);
        }
        let mut absent: Vec<&RevisionKey> = keys.iter().collect();
        for segment in self.searcher.segment_readers() {
            let index = segment.inverted_index(self.fields.key)?;
            let mut rest = Vec::with_capacity(absent.len());
            for key in absent {
                let term = Term::from_field_bytes(self.fields.key, key);
                if !is_there(segment, &index, &term)? {
                    rest.push(key);
                }
            }
            absent = rest;
        }
        Ok(absent.len() as u64)
    }

    /// The stored text of one document.
    pub(crate) fn stored_text(&self, address: DocAddress) -> tantivy::Result<StoredText> {
        let document: TantivyDocument = self.searcher.doc(address)?;
        let text = |field| {
            use tantivy::schema::Value;
            document
                .get_first(field)
                .and_then(|value| value.as_str())
                .unwrap_or_default()
        };
        Ok(StoredText {
            headline: text(self.fields.headline).to_owned(),
            summary: text(self.fields.summary).to_owned(),
            body: text(self.fields.body).to_owned(),
            topics: text(self.fields.topics)
                .lines()
                .map(str::to_owned)
                .collect(),
        })
    }
}

/// Whether a document with this term can be found, not counting deleted ones.
fn is_there(
    segment: &SegmentReader,
    index: &InvertedIndexReader,
    term: &Term,
) -> tantivy::Result<bool> {
    let Some(mut postings) = index.read_postings(term, IndexRecordOption::Basic)? else {
        return Ok(false);
    };
    let mut document = postings.doc();
    while document != TERMINATED {
        if !segment.is_deleted(document) {
            return Ok(true);
        }
        document = postings.advance();
    }
    Ok(false)
}

impl Columns {
    fn open(reader: &SegmentReader, vectors: Arc<SegmentVectors>) -> tantivy::Result<Self> {
        let columns = reader.fast_fields();
        Ok(Self {
            category: columns.column_first_or_default(column::CATEGORY)?,
            published: columns.column_first_or_default(column::PUBLISHED)?,
            known_from: columns.column_first_or_default(column::KNOWN_FROM)?,
            known_to: columns.column_first_or_default(column::KNOWN_TO)?,
            confidence: columns.column_first_or_default(column::CONFIDENCE)?,
            bias: columns.column_first_or_default(column::BIAS)?,
            source_count: columns.column_first_or_default(column::SOURCE_COUNT)?,
            domains: columns.str(column::DOMAINS)?,
            id_high: columns.column_first_or_default(column::ID_HIGH)?,
            id_low: columns.column_first_or_default(column::ID_LOW)?,
            revision: columns.column_first_or_default(column::REVISION)?,
            vectors,
        })
    }

    pub(crate) fn brief_id(&self, document: DocId) -> BriefId {
        BriefId(Uuid::from_u64_pair(
            self.id_high.get_val(document),
            self.id_low.get_val(document),
        ))
    }

    pub(crate) fn revision(&self, document: DocId) -> u32 {
        u32::try_from(self.revision.get_val(document)).unwrap_or(u32::MAX)
    }
}

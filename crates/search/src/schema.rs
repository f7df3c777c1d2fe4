//! The fields of the index and how a revision fills them.

use model::{Brief, BriefId, Category, Timestamp};
use tantivy::TantivyDocument;
use tantivy::schema::{
    BytesOptions, Field, IndexRecordOption, NumericOptions, STORED, Schema, TextFieldIndexing,
    TextOptions,
};
use tantivy::tokenizer::RAW_TOKENIZER_NAME;

use crate::{analysis, vectors};

/// Raised whenever fields, analysis or the meaning of a stored number change: an index of another version is rebuilt.
pub(crate) const VERSION: u32 = 3;

/// Names of the fast columns, for asking a segment for them by name.
pub(crate) mod column {
    pub(crate) const CATEGORY: &str = "category";
    pub(crate) const PUBLISHED: &str = "published";
    pub(crate) const KNOWN_FROM: &str = "known_from";
    pub(crate) const KNOWN_TO: &str = "known_to";
    pub(crate) const CONFIDENCE: &str = "confidence";
    pub(crate) const BIAS: &str = "bias";
    pub(crate) const SOURCE_COUNT: &str = "source_count";
    pub(crate) const DOMAINS: &str = "domains";
    pub(crate) const ID_HIGH: &str = "id_high";
    pub(crate) const ID_LOW: &str = "id_low";
    pub(crate) const REVISION: &str = "revision";
    pub(crate) const VECTOR: &str = "vector";
}

/// Handles of all fields.
///
/// `text` holds every word of a revision and alone decides what matches, so a conjunction walks one posting list per
/// word. `headline` and `lead` hold some of these words again, without positions, and only add to the score.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields {
    pub(crate) key: Field,
    pub(crate) text: Field,
    pub(crate) headline: Field,
    pub(crate) lead: Field,
    pub(crate) summary: Field,
    pub(crate) body: Field,
    pub(crate) topics: Field,
    category: Field,
    published: Field,
    updated: Field,
    known_from: Field,
    known_to: Field,
    confidence: Field,
    bias: Field,
    source_count: Field,
    domains: Field,
    id_high: Field,
    id_low: Field,
    revision: Field,
    vector: Field,
}

/// The schema and its field handles.
pub(crate) fn schema() -> (Schema, Fields) {
    let mut builder = Schema::builder();
    let words = |positions| {
        let indexing = TextFieldIndexing::default()
            .set_tokenizer(analysis::NAME)
            .set_index_option(positions);
        TextOptions::default().set_indexing_options(indexing)
    };
    let number = NumericOptions::default().set_fast();
    let fields = Fields {
        key: builder.add_bytes_field("key", BytesOptions::default().set_indexed()),
        text: builder.add_text_field("text", words(IndexRecordOption::WithFreqsAndPositions)),
        headline: builder
            .add_text_field("headline", words(IndexRecordOption::WithFreqs).set_stored()),
        lead: builder.add_text_field("lead", words(IndexRecordOption::WithFreqs)),
        summary: builder.add_text_field("summary", STORED),
        body: builder.add_text_field("body", STORED),
        topics: builder.add_text_field("topics", STORED),
        category: builder.add_u64_field(column::CATEGORY, number.clone()),
        published: builder.add_i64_field(column::PUBLISHED, number.clone()),
        updated: builder.add_i64_field("updated", number.clone()),
        known_from: builder.add_i64_field(column::KNOWN_FROM, number.clone()),
        known_to: builder.add_i64_field(column::KNOWN_TO, number.clone()),
        confidence: builder.add_f64_field(column::CONFIDENCE, number.clone()),
        bias: builder.add_f64_field(column::BIAS, number.clone()),
        source_count: builder.add_u64_field(column::SOURCE_COUNT, number.clone()),
        domains: builder.add_text_field(
            column::DOMAINS,
            TextOptions::default().set_fast(RAW_TOKENIZER_NAME),
        ),
        id_high: builder.add_u64_field(column::ID_HIGH, number.clone()),
        id_low: builder.add_u64_field(column::ID_LOW, number.clone()),
        revision: builder.add_u64_field(column::REVISION, number.clone()),
        vector: builder.add_u64_field(column::VECTOR, number),
    };
    (builder.build(), fields)
}

/// What makes a document unique: brief and revision.
pub(crate) type RevisionKey = [u8; 20];

/// The key of a revision.
pub(crate) fn key(brief_id: BriefId, revision: u32) -> RevisionKey {
    let mut key = [0; 20];
    key[..16].copy_from_slice(brief_id.0.as_bytes());
    key[16..].copy_from_slice(&revision.to_be_bytes());
    key
}

/// The place of a category in the documentation, which is its number in the index.
pub(crate) fn category_number(category: Category) -> usize {
    Category::ALL
        .iter()
        .position(|candidate| *candidate == category)
        .unwrap_or_default()
}

impl Fields {
    /// The document of one revision.
    pub(crate) fn document(
        &self,
        brief: &Brief,
        known_from: Timestamp,
        known_to: Timestamp,
    ) -> TantivyDocument {
        let mut document = TantivyDocument::default();
        document.add_bytes(self.key, &key(brief.id, brief.revision));
        document.add_text(self.text, &brief.headline);
        document.add_text(self.text, &brief.summary);
        document.add_text(self.text, &brief.body);
        document.add_text(self.headline, &brief.headline);
        document.add_text(self.lead, &brief.summary);
        document.add_text(self.summary, &brief.summary);
        document.add_text(self.body, &brief.body);
        for name in names(brief) {
            document.add_text(self.text, name);
            document.add_text(self.lead, name);
        }
        document.add_text(self.topics, topics(brief));
        document.add_u64(self.category, category_number(brief.category) as u64);
        document.add_i64(self.published, brief.published_at.ms());
        document.add_i64(self.updated, brief.updated_at.ms());
        document.add_i64(self.known_from, known_from.ms());
        document.add_i64(self.known_to, known_to.ms());
        document.add_f64(self.confidence, brief.confidence.score.get());
        document.add_f64(self.bias, brief.bias.score.get());
        document.add_u64(self.source_count, u64::from(brief.source_count));
        let mut domains: Vec<String> = brief
            .sources
            .iter()
            .map(|source| source.domain.to_lowercase())
            .collect();
        domains.sort_unstable();
        domains.dedup();
        for domain in domains {
            document.add_text(self.domains, domain);
        }
        let (high, low) = brief.id.0.as_u64_pair();
        document.add_u64(self.id_high, high);
        document.add_u64(self.id_low, low);
        document.add_u64(self.revision, u64::from(brief.revision));
        for word in vectors::words(&vectors::of(brief)) {
            document.add_u64(self.vector, word);
        }
        document
    }
}

/// Names, exchange symbols and tags, which a text may not contain in this exact form.
fn names(brief: &Brief) -> impl Iterator<Item = &str> {
    let entities = brief
        .entities
        .iter()
        .flat_map(|entity| [Some(entity.name.as_str()), entity.ticker.as_deref()]);
    entities
        .flatten()
        .chain(brief.tags.iter().map(String::as_str))
}

/// Topics that may become a related query, one per line, most distinctive first.
fn topics(brief: &Brief) -> String {
    let entities = brief
        .entities
        .iter()
        .map(|entity| entity.name.as_str())
        .take(8);
    let tags = brief.tags.iter().map(String::as_str).take(8);
    let lines: Vec<String> = entities
        .chain(tags)
        .map(|topic| topic.replace('\n', " "))
        .collect();
    lines.join("\n")
}

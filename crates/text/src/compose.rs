//! From the articles of a story to its brief.

use model::{
    Annotations, Article, Brief, BriefBias, BriefConfidence, Category, EntityMention, Score, SourcedSentence, TrustLevel,
};

/// One article of a story, read and judged.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    /// The article.
    pub article: &'a Article,
    /// What reading it found.
    pub annotations: &'a Annotations,
    /// How far its outlet is trusted.
    pub trust: TrustLevel,
    /// Index of the member of which it is a copy.
    pub copy_of: Option<usize>,
}

/// What a brief says, before it has an identity.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the fields of `model::Brief` of the same name")]
pub struct Composition {
    pub headline: String,
    pub summary: String,
    pub body: String,
    pub sentences: Vec<SourcedSentence>,
    pub category: Category,
    pub confidence: BriefConfidence,
    pub bias: BriefBias,
    pub counter_argument: String,
    pub source_count: u32,
    pub sentiment: Score,
    pub tags: Vec<String>,
    pub entities: Vec<EntityMention>,
    pub language: String,
    /// A key fact (number, name, outcome, polarity) of the previous revision no longer holds.
    pub corrects_previous: bool,
}

/// Composes a story from its members, given in the order in which they became known; at least one.
pub fn compose(members: &[Member<'_>], previous: Option<&Brief>) -> Composition {
    let _ = (members, previous);
    unimplemented!()
}

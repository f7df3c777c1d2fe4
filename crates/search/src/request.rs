//! Search requests and their answers.

use model::{BriefId, Category, Timestamp};

/// One search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchRequest {
    /// What the reader typed: words, `"phrases"`, `-word`, `AND`, `OR`, `NOT`, parentheses. Never malformed: anything
    /// that does not parse is read as words.
    pub query: String,
    /// How much work is spent on the order.
    pub depth: Depth,
    /// What comes first.
    pub sort: Sort,
    /// What is left out.
    pub filters: Filters,
    /// Hits to skip.
    pub offset: usize,
    /// Maximum number of hits to return.
    pub limit: usize,
    /// Answer from the revisions known at that time; otherwise from the current ones.
    pub as_of: Option<Timestamp>,
}

/// How much work is spent on the order of the hits. It matters only for [`Sort::Relevance`]: every other order, the
/// total and the facets are the same at each depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Depth {
    /// Words only.
    Fast,
    /// Words and likeness by meaning, fused. If fewer than 20 briefs match a query of plain words, up to 50 similar
    /// ones are added after them.
    #[default]
    Standard,
    /// Words, likeness and a second look at the sentences.
    Deep,
}

/// What comes first. Ties go to the newest publication, then to the greater brief id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sort {
    /// The highest score.
    #[default]
    Relevance,
    /// The latest publication.
    Newest,
    /// The earliest publication.
    Oldest,
    /// The highest confidence.
    Confidence,
    /// The most independent sources.
    MostSources,
}

/// What is left out. Every filter that is set must be met.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filters {
    /// Only these categories; empty means all.
    pub categories: Vec<Category>,
    /// At least this confidence.
    pub min_confidence: Option<f64>,
    /// At least this bias.
    pub min_bias: Option<f64>,
    /// At most this bias.
    pub max_bias: Option<f64>,
    /// Published at this time or later.
    pub from: Option<Timestamp>,
    /// Published before this time.
    pub to: Option<Timestamp>,
    /// Only briefs with at least one source from these registrable domains; empty means all.
    pub include_sources: Vec<String>,
    /// No briefs with any source from these registrable domains.
    pub exclude_sources: Vec<String>,
}

/// One page of hits, with the totals.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchPage {
    /// All matches by words after all filters; exact.
    pub total: u64,
    /// No brief has all the words, so any of them was enough.
    pub is_relaxed: bool,
    /// The hits on this page.
    pub hits: Vec<Hit>,
    /// Matches per category, most first; categories without a match are absent. They add up to `total`.
    pub facets: Vec<(Category, u64)>,
    /// Up to six topics that the best hits share.
    pub related_queries: Vec<String>,
}

/// One revision that matches.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The brief.
    pub brief_id: BriefId,
    /// Its revision.
    pub revision: u32,
    /// How well it matches: finite, not negative, comparable within one answer only.
    pub score: f64,
    /// Where it matches.
    pub highlight: Highlight,
    /// It does not match by words and is not counted in the total or the facets: it was added for its meaning.
    pub by_meaning: bool,
}

/// Headline and full summary as HTML: escaped, with matches inside `<mark>…</mark>`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Highlight {
    /// The headline.
    pub headline: String,
    /// The summary.
    pub summary: String,
}

/// A revision that is similar to another brief.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Similar {
    /// The brief.
    pub brief_id: BriefId,
    /// Its revision.
    pub revision: u32,
    /// Cosine similarity of the meanings of headline and summary, above 0, at most 1.
    pub similarity: f64,
}

//! `/search`: finds briefs by words and by meaning.

mod written;

use std::collections::BTreeMap;
use std::time::Instant;

use model::{Category, Timestamp};
use search::{Depth, Filters, SearchRequest, Sort};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{Error, Result};
use crate::news::brief_body::BriefBody;
use crate::news::feed::{SourceFilter, end_of, newest};
use crate::{About, Address, Arguments, Context, Keeping, Operation, Parameters};

use written::WrittenBrief;
pub(crate) use written::WrittenBriefs;

/// Maximum number of results that can be paged through.
const MOST_RESULTS: u64 = 10_000;
/// Number of revisions up to which searching the index takes less time than handing the work to another thread.
const SMALL_INDEX: u64 = 5_000;

/// Parameters of `/search`.
pub(crate) struct SearchQuery {
    q: String,
    page: u64,
    per_page: u64,
    sort: Sort,
    depth: Depth,
    category: Option<Category>,
    min_confidence: Option<f64>,
    min_bias: Option<f64>,
    max_bias: Option<f64>,
    from: Option<Timestamp>,
    to: Option<Timestamp>,
    sources: SourceFilter,
}

const SORTS: [(&str, Sort); 5] = [
    ("relevance", Sort::Relevance),
    ("newest", Sort::Newest),
    ("oldest", Sort::Oldest),
    ("confidence", Sort::Confidence),
    ("most_sources", Sort::MostSources),
];

const DEPTHS: [(&str, Depth); 3] = [
    ("fast", Depth::Fast),
    ("standard", Depth::Standard),
    ("deep", Depth::Deep),
];

impl Parameters for SearchQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        let query = Self {
            q: arguments.required_text("q", 2..=500, "Words to search for"),
            page: arguments.integer(
                "page",
                1..=MOST_RESULTS,
                1,
                "Page number, starting at 1; page × per_page may be at most 10,000",
            ),
            per_page: arguments.integer("per_page", 1..=50, 20, "Number of briefs per page"),
            sort: arguments.word_or(
                "sort",
                &SORTS,
                Sort::default(),
                "Order of the briefs",
            ),
            depth: arguments.word_or(
                "depth",
                &DEPTHS,
                Depth::default(),
                "How results are ranked: by words, by words and meaning, or with sentences compared as well",
            ),
            category: arguments.category("category", "Category slug, in upper or lower case"),
            min_confidence: arguments.number("min_confidence", 0.0..=1.0, "Minimum confidence"),
            min_bias: arguments.number("min_bias", 0.0..=1.0, "Minimum bias"),
            max_bias: arguments.number("max_bias", 0.0..=1.0, "Maximum bias"),
            from: arguments.date("from", "First day of publication, YYYY-MM-DD"),
            to: arguments.date("to", "Last day of publication, YYYY-MM-DD"),
            sources: SourceFilter::read(arguments),
        };
        if query.page.saturating_mul(query.per_page) > MOST_RESULTS {
            arguments.fault(format!(
                "page times per_page must be at most {MOST_RESULTS}; narrow the search instead"
            ));
        }
        arguments.in_order(query.from, query.to);
        if query
            .min_bias
            .zip(query.max_bias)
            .is_some_and(|(least, most)| least > most)
        {
            arguments.fault("min_bias must not be above max_bias");
        }
        query
    }
}

/// What was found.
#[derive(Serialize, ToSchema)]
pub(crate) struct SearchBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The search query.
    query: String,
    /// Number of all briefs that match by words. Exact.
    total: u64,
    /// How long it took, in milliseconds.
    took_ms: f64,
    /// The briefs.
    briefs: Vec<FoundBody>,
    /// Number of matches in each category. The numbers add up to `total`.
    facets: BTreeMap<&'static str, u64>,
    /// Topics that the best matches have in common.
    related_queries: Vec<String>,
    /// Totals for this response.
    meta: SearchMeta,
}

/// A brief that matches.
#[derive(Serialize, ToSchema)]
pub(crate) struct FoundBody {
    #[serde(flatten)]
    #[schema(value_type = BriefBody)]
    brief: WrittenBrief,
    /// How well the brief matches. Comparable only within one response.
    search_score: f64,
    /// Headline and summary with matching terms marked.
    highlights: HighlightsBody,
    /// Present and true if the brief does not match by words: it is similar to the query in meaning and is not included
    /// in any total.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    by_meaning: Option<bool>,
}

/// Where the brief matches. The text is HTML-escaped, with matching terms in `<mark>`.
#[derive(Serialize, ToSchema)]
pub(crate) struct HighlightsBody {
    /// Headline with matching terms in `<mark>`, otherwise escaped.
    headline: String,
    /// Summary with matching terms in `<mark>`, otherwise escaped.
    summary: String,
}

/// Position of this page.
#[derive(Serialize, ToSchema)]
pub(crate) struct SearchMeta {
    /// Total number of results.
    total: u64,
    /// Number of this page, starting at 1.
    page: u64,
    /// Entries per page.
    per_page: u64,
    /// Order of the briefs.
    sort: &'static str,
    /// How thorough the search was.
    depth: &'static str,
    /// `any_word` if no brief contains all the words, so that `total`, facets and briefs refer to those that contain
    /// any of them. Otherwise absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    matched: Option<&'static str>,
    /// When the newest available brief was published. Present only if nothing matches.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    newest_available: Option<String>,
}

/// `GET /search`.
pub(crate) struct Search;

impl Operation for Search {
    type Input = SearchQuery;
    type Output = SearchBody;

    const ABOUT: About = About {
        name: "search_briefs",
        address: Address::get("/api/v1/search"),
        subject: "news",
        summary: "Searches briefs.",
        description: "A query may contain words, `\"phrases\"`, `-word`, `AND`, `OR` and parentheses. Totals and facets are exact. At depths `standard` and `deep`, relevance takes meaning into account. If fewer than 20 briefs match plain words, up to 50 briefs of similar meaning follow, each with `by_meaning: true`.",
        answer: "A page of matches",
        example: r#"{"q": "interest rates", "per_page": 10}"#,
        keeping: Keeping::Never,
        ..About::READS
    };

    async fn run(context: Context, asked: SearchQuery) -> Result<SearchBody> {
        let started = Instant::now();
        let categories = context.categories(asked.category)?;
        let request = SearchRequest {
            query: asked.q.clone(),
            depth: asked.depth,
            sort: asked.sort,
            filters: Filters {
                categories: categories.clone(),
                min_confidence: asked.min_confidence,
                min_bias: asked.min_bias,
                max_bias: asked.max_bias,
                from: asked.from,
                to: asked.to.map(end_of),
                include_sources: asked.sources.include,
                exclude_sources: asked.sources.exclude,
            },
            offset: ((asked.page - 1) * asked.per_page) as usize,
            limit: asked.per_page as usize,
            as_of: context.as_of.0,
        };
        let state = context.services.news_state().await?;
        let index = context.index.clone();
        let found = if asked.depth != Depth::Deep && index.documents() <= SMALL_INDEX {
            index.search(&request)
        } else {
            analysis::light(move || index.search(&request)).await?
        }
        .map_err(Error::internal)?;
        let named: Vec<_> = found
            .hits
            .iter()
            .map(|hit| (hit.brief_id, hit.revision))
            .collect();
        let written = &context.written;
        let briefs = written.load(&context.store, state, &named, context.end());
        let briefs = found
            .hits
            .into_iter()
            .zip(briefs.await?)
            .filter_map(|(hit, brief)| {
                // A revision that the store no longer has cannot be shown; the index learns it from the next reindex.
                Some(FoundBody {
                    brief: brief?,
                    search_score: hit.score,
                    highlights: HighlightsBody {
                        headline: hit.highlight.headline,
                        summary: hit.highlight.summary,
                    },
                    by_meaning: hit.by_meaning.then_some(true),
                })
            })
            .collect();
        let newest_available = if found.total == 0 {
            newest(&context.services, categories, context.as_of).await?
        } else {
            None
        };
        Ok(SearchBody {
            status: "ok",
            query: asked.q,
            total: found.total,
            took_ms: started.elapsed().as_secs_f64() * 1_000.0,
            briefs,
            facets: found
                .facets
                .into_iter()
                .map(|(category, count)| (category.as_str(), count))
                .collect(),
            related_queries: found.related_queries,
            meta: SearchMeta {
                total: found.total,
                page: asked.page,
                per_page: asked.per_page,
                sort: word(&SORTS, asked.sort),
                depth: word(&DEPTHS, asked.depth),
                matched: found.is_relaxed.then_some("any_word"),
                newest_available,
            },
        })
    }
}

fn word<T: PartialEq>(words: &[(&'static str, T)], value: T) -> &'static str {
    words
        .iter()
        .find(|(_, other)| *other == value)
        .map_or("", |(word, _)| *word)
}

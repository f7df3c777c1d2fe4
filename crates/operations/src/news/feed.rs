//! `/feed` and `/agent-feed`: briefs, newest first.

use model::{Category, Timestamp};
use serde::Serialize;
use store::{BriefQuery, BriefSort};
use utoipa::ToSchema;

use crate::as_of::AsOf;
use crate::error::Result;
use crate::news::brief_body::{AgentBriefBody, BriefBody};
use crate::services::Services;
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// Maximum number of domains in one filter.
pub(crate) const MOST_DOMAINS: usize = 50;
/// Maximum number of pages in a feed.
const MOST_PAGES: u64 = 100_000;

/// Parameters of `/feed`.
pub(crate) struct FeedQuery {
    page: u64,
    per_page: u64,
    category: Option<Category>,
    sort: BriefSort,
    updates_only: bool,
    sources: SourceFilter,
}

impl Parameters for FeedQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        let sorts = [
            ("published", BriefSort::Published),
            ("updated", BriefSort::Updated),
        ];
        Self {
            page: arguments.integer("page", 1..=MOST_PAGES, 1, "Page number, starting at 1"),
            per_page: arguments.integer("per_page", 1..=50, 20, "Number of briefs per page"),
            category: arguments.category("category", "Category slug, in upper or lower case"),
            sort: arguments.word_or(
                "sort",
                &sorts,
                BriefSort::Published,
                "Whether the most recently published or the most recently updated briefs come first",
            ),
            updates_only: arguments.flag(
                "updates_only",
                false,
                "Only briefs that gained a source since publication",
            ),
            sources: SourceFilter::read(arguments),
        }
    }
}

/// Which sources briefs must or must not have.
pub(crate) struct SourceFilter {
    pub(crate) include: Vec<String>,
    pub(crate) exclude: Vec<String>,
}

impl Parameters for SourceFilter {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            include: domains(
                arguments,
                "include_sources",
                "Domains separated by commas; only briefs with at least one of these sources",
            ),
            exclude: domains(
                arguments,
                "exclude_sources",
                "Domains separated by commas; briefs with any of these sources are excluded",
            ),
        }
    }
}

/// Registrable domains separated by commas. An address is reduced to its host, and a leading `www.` is removed.
fn domains(
    arguments: &mut Arguments<'_>,
    name: &'static str,
    meaning: &'static str,
) -> Vec<String> {
    arguments
        .list(name, MOST_DOMAINS, meaning)
        .into_iter()
        .map(|entry| {
            let entry = entry.to_ascii_lowercase();
            let host = entry
                .split_once("://")
                .map_or(entry.as_str(), |(_, rest)| rest);
            let host = host.split(['/', ':', '?']).next().unwrap_or_default();
            host.strip_prefix("www.").unwrap_or(host).to_owned()
        })
        .collect()
}

/// One page of briefs.
#[derive(Serialize, ToSchema)]
pub(crate) struct FeedBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The briefs.
    briefs: Vec<BriefBody>,
    /// Totals for this response.
    meta: FeedMeta,
}

/// Position of this page.
#[derive(Serialize, ToSchema)]
pub(crate) struct FeedMeta {
    /// Number of briefs that match.
    total: u64,
    /// Number of this page, starting at 1.
    page: u64,
    /// Entries per page.
    per_page: u64,
    /// When the newest available brief was published. Present only if nothing matches.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    newest_available: Option<String>,
}

/// `GET /feed`.
pub(crate) struct Feed;

impl Operation for Feed {
    type Input = FeedQuery;
    type Output = FeedBody;

    const ABOUT: About = About {
        name: "list_briefs",
        address: Address::get("/api/v1/feed"),
        subject: "news",
        summary: "Lists briefs.",
        description: "Briefs are listed newest first, by publication or by last update. With `as_of`, they are listed as known at that time.",
        answer: "A page of briefs",
        example: r#"{"category": "markets", "per_page": 10}"#,
        ..About::READS
    };

    async fn run(context: Context, asked: FeedQuery) -> Result<FeedBody> {
        let categories = context.categories(asked.category)?;
        let query = BriefQuery {
            categories,
            include_sources: asked.sources.include,
            exclude_sources: asked.sources.exclude,
            updates_only: asked.updates_only,
            sort: asked.sort,
            offset: (asked.page - 1) * asked.per_page,
            limit: asked.per_page,
            as_of: context.as_of.0,
            ..BriefQuery::default()
        };
        let found = context.store.briefs().list(&query).await?;
        let at = context.end();
        let newest_available = if found.total == 0 {
            newest(&context.services, query.categories.clone(), context.as_of).await?
        } else {
            None
        };
        Ok(FeedBody {
            status: "ok",
            briefs: found
                .briefs
                .iter()
                .map(|stored| BriefBody::new(stored, at))
                .collect(),
            meta: FeedMeta {
                total: found.total,
                page: asked.page,
                per_page: asked.per_page,
                newest_available,
            },
        })
    }
}

/// When the newest available brief in these categories was published.
pub(crate) async fn newest(
    services: &Services,
    categories: Vec<Category>,
    as_of: AsOf,
) -> Result<Option<String>> {
    let query = BriefQuery {
        categories,
        limit: 1,
        as_of: as_of.0,
        ..BriefQuery::default()
    };
    let found = services.store.briefs().list(&query).await?;
    Ok(found
        .briefs
        .first()
        .map(|stored| stored.brief.published_at.to_string()))
}

/// Parameters of `/agent-feed`.
pub(crate) struct AgentFeedQuery {
    limit: u64,
    category: Option<Category>,
    min_confidence: Option<f64>,
    tags: Vec<String>,
    sources: SourceFilter,
}

impl Parameters for AgentFeedQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            limit: arguments.integer("limit", 1..=50, 20, "Briefs"),
            category: arguments.category("category", "Category slug, in upper or lower case"),
            min_confidence: arguments.number("min_confidence", 0.0..=1.0, "Minimum confidence"),
            tags: arguments
                .list(
                    "tags",
                    20,
                    "Tags separated by commas; only briefs with at least one of these",
                )
                .into_iter()
                .map(|tag| tag.to_lowercase())
                .collect(),
            sources: SourceFilter::read(arguments),
        }
    }
}

/// Briefs in the short form for agents.
#[derive(Serialize, ToSchema)]
pub(crate) struct AgentFeedBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The briefs.
    briefs: Vec<AgentBriefBody>,
    /// Totals for this response.
    meta: AgentFeedMeta,
}

/// Number of briefs.
#[derive(Serialize, ToSchema)]
pub(crate) struct AgentFeedMeta {
    /// Number of briefs in this response.
    count: usize,
    /// When the newest available brief was published. Present only if nothing matches.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    newest_available: Option<String>,
}

/// `GET /agent-feed`.
pub(crate) struct AgentFeed;

impl Operation for AgentFeed {
    type Input = AgentFeedQuery;
    type Output = AgentFeedBody;

    const ABOUT: About = About {
        name: "list_agent_briefs",
        address: Address::get("/api/v1/agent-feed"),
        subject: "news",
        summary: "Lists briefs for agents: short records, newest first.",
        answer: "Briefs",
        example: r#"{"limit": 10}"#,
        ..About::READS
    };

    async fn run(context: Context, asked: AgentFeedQuery) -> Result<AgentFeedBody> {
        let categories = context.categories(asked.category)?;
        let query = BriefQuery {
            categories,
            min_confidence: asked.min_confidence,
            tags: asked.tags,
            include_sources: asked.sources.include,
            exclude_sources: asked.sources.exclude,
            limit: asked.limit,
            as_of: context.as_of.0,
            ..BriefQuery::default()
        };
        let found = context.store.briefs().list(&query).await?;
        let newest_available = if found.briefs.is_empty() {
            newest(&context.services, query.categories.clone(), context.as_of).await?
        } else {
            None
        };
        Ok(AgentFeedBody {
            status: "ok",
            meta: AgentFeedMeta {
                count: found.briefs.len(),
                newest_available,
            },
            briefs: found.briefs.iter().map(AgentBriefBody::from).collect(),
        })
    }
}

/// Midnight after a date: the end of a period that includes the date.
pub(crate) fn end_of(date: Timestamp) -> Timestamp {
    date.plus_ms(Timestamp::DAY_MS)
}

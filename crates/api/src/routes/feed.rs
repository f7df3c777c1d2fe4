//! `/feed` and `/agent-feed`: briefs, newest first.

use axum::extract::State;
use axum::response::Response;
use model::{Category, Timestamp};
use serde::Serialize;
use store::{BriefQuery, BriefSort};
use utoipa::ToSchema;

use super::brief_body::{AgentBriefBody, BriefBody};
use crate::caller::Caller;
use crate::error::Result;
use crate::extract::{AsOf, FromQuery, Params, ValidQuery};
use crate::pages::Cacheable;
use crate::state::AppState;

/// Domains in one filter.
pub(crate) const MOST_DOMAINS: usize = 50;
/// Pages that a feed has at most.
const MOST_PAGES: u64 = 100_000;

/// What `/feed` is asked.
pub(crate) struct FeedQuery {
    page: u64,
    per_page: u64,
    category: Option<Category>,
    sort: BriefSort,
    updates_only: bool,
    include_sources: Vec<String>,
    exclude_sources: Vec<String>,
}

impl FromQuery for FeedQuery {
    fn read(params: &mut Params<'_>) -> Self {
        let sorts = [
            ("published", BriefSort::Published),
            ("updated", BriefSort::Updated),
        ];
        Self {
            page: params.integer("page", 1..=MOST_PAGES, 1),
            per_page: params.integer("per_page", 1..=50, 20),
            category: params.category("category"),
            sort: params.word("sort", &sorts).unwrap_or(BriefSort::Published),
            updates_only: params.flag("updates_only", false),
            include_sources: domains(params, "include_sources"),
            exclude_sources: domains(params, "exclude_sources"),
        }
    }
}

/// Registrable domains separated by commas; an address or a `www.` in front is taken off.
pub(crate) fn domains(params: &mut Params<'_>, name: &str) -> Vec<String> {
    params
        .list(name, MOST_DOMAINS)
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

/// Briefs of a page.
#[derive(Serialize, ToSchema)]
pub(crate) struct FeedBody {
    #[schema(example = "ok")]
    status: &'static str,
    briefs: Vec<BriefBody>,
    meta: FeedMeta,
}

/// Where the page stands.
#[derive(Serialize, ToSchema)]
pub(crate) struct FeedMeta {
    /// Briefs that match.
    total: u64,
    page: u64,
    per_page: u64,
    /// Only where nothing matches: publication of the newest brief that there is.
    #[serde(skip_serializing_if = "Option::is_none")]
    newest_available: Option<String>,
}

/// Lists briefs.
///
/// Newest first, by publication or by last update. `as_of` answers from what was known at that moment.
#[utoipa::path(
    get,
    path = "/api/v1/feed",
    tag = "news",
    params(
        ("page" = Option<u64>, Query, description = "Page, from 1", minimum = 1, maximum = 100_000, example = 1),
        ("per_page" = Option<u64>, Query, description = "Briefs on a page, default 20", minimum = 1, maximum = 50),
        ("category" = Option<String>, Query, description = "Category slug, in any case"),
        ("sort" = Option<String>, Query, description = "`published` (default) or `updated`"),
        ("updates_only" = Option<bool>, Query, description = "Only briefs that gained a source since publication"),
        ("include_sources" = Option<String>, Query, description = "Domains separated by commas; briefs with at least one source of these"),
        ("exclude_sources" = Option<String>, Query, description = "Domains separated by commas; no brief with a source of these"),
        ("as_of" = Option<String>, Query, description = "ISO 8601 moment, not in the future"),
    ),
    responses((status = 200, description = "A page of briefs", body = FeedBody))
)]
pub(crate) async fn feed(
    State(state): State<AppState>,
    caller: Caller,
    as_of: AsOf,
    ValidQuery(asked): ValidQuery<FeedQuery>,
    page: Cacheable,
) -> Result<Response> {
    let categories = caller.narrow(asked.category)?;
    let query = BriefQuery {
        categories,
        include_sources: asked.include_sources,
        exclude_sources: asked.exclude_sources,
        updates_only: asked.updates_only,
        sort: asked.sort,
        offset: (asked.page - 1) * asked.per_page,
        limit: asked.per_page,
        as_of: as_of.0,
        ..BriefQuery::default()
    };
    page.answer(&state, async {
        let found = state.store.briefs().list(&query).await?;
        let at = as_of.end(&state);
        let newest_available = if found.total == 0 {
            newest(&state, query.categories.clone(), as_of).await?
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
    })
    .await
}

/// Publication of the newest brief of these categories that there is.
pub(crate) async fn newest(
    state: &AppState,
    categories: Vec<Category>,
    as_of: AsOf,
) -> Result<Option<String>> {
    let query = BriefQuery {
        categories,
        limit: 1,
        as_of: as_of.0,
        ..BriefQuery::default()
    };
    let found = state.store.briefs().list(&query).await?;
    Ok(found
        .briefs
        .first()
        .map(|stored| stored.brief.published_at.to_string()))
}

/// What `/agent-feed` is asked.
pub(crate) struct AgentFeedQuery {
    limit: u64,
    category: Option<Category>,
    min_confidence: Option<f64>,
    tags: Vec<String>,
    include_sources: Vec<String>,
    exclude_sources: Vec<String>,
}

impl FromQuery for AgentFeedQuery {
    fn read(params: &mut Params<'_>) -> Self {
        Self {
            limit: params.integer("limit", 1..=50, 20),
            category: params.category("category"),
            min_confidence: params.number("min_confidence", 0.0..=1.0),
            tags: params
                .list("tags", 20)
                .into_iter()
                .map(|tag| tag.to_lowercase())
                .collect(),
            include_sources: domains(params, "include_sources"),
            exclude_sources: domains(params, "exclude_sources"),
        }
    }
}

/// Briefs as agents read them.
#[derive(Serialize, ToSchema)]
pub(crate) struct AgentFeedBody {
    #[schema(example = "ok")]
    status: &'static str,
    briefs: Vec<AgentBriefBody>,
    meta: AgentFeedMeta,
}

/// How many there are.
#[derive(Serialize, ToSchema)]
pub(crate) struct AgentFeedMeta {
    /// Briefs in this answer.
    count: usize,
    /// Only where nothing matches: publication of the newest brief that there is.
    #[serde(skip_serializing_if = "Option::is_none")]
    newest_available: Option<String>,
}

/// Lists briefs for agents: short records, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/agent-feed",
    tag = "news",
    params(
        ("limit" = Option<u64>, Query, description = "Briefs, default 20", minimum = 1, maximum = 50),
        ("category" = Option<String>, Query, description = "Category slug, in any case"),
        ("min_confidence" = Option<f64>, Query, description = "Least confidence", minimum = 0, maximum = 1),
        ("tags" = Option<String>, Query, description = "Tags separated by commas; briefs with at least one of these"),
        ("include_sources" = Option<String>, Query, description = "Domains separated by commas; briefs with at least one source of these"),
        ("exclude_sources" = Option<String>, Query, description = "Domains separated by commas; no brief with a source of these"),
        ("as_of" = Option<String>, Query, description = "ISO 8601 moment, not in the future"),
    ),
    responses((status = 200, description = "Briefs", body = AgentFeedBody))
)]
pub(crate) async fn agent_feed(
    State(state): State<AppState>,
    caller: Caller,
    as_of: AsOf,
    ValidQuery(asked): ValidQuery<AgentFeedQuery>,
    page: Cacheable,
) -> Result<Response> {
    let categories = caller.narrow(asked.category)?;
    let query = BriefQuery {
        categories,
        min_confidence: asked.min_confidence,
        tags: asked.tags,
        include_sources: asked.include_sources,
        exclude_sources: asked.exclude_sources,
        limit: asked.limit,
        as_of: as_of.0,
        ..BriefQuery::default()
    };
    page.answer(&state, async {
        let found = state.store.briefs().list(&query).await?;
        let newest_available = if found.briefs.is_empty() {
            newest(&state, query.categories.clone(), as_of).await?
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
    })
    .await
}

/// Midnight after a date: the end of a span that includes the date.
pub(crate) fn end_of(date: Timestamp) -> Timestamp {
    date.plus_ms(Timestamp::DAY_MS)
}

//! `/clusters`: stories about one subject.

use analysis::ClusterQuery;
use axum::extract::State;
use axum::response::Response;
use model::{Category, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use super::brief_body::AgentBriefBody;
use super::feed::newest;
use crate::caller::Caller;
use crate::error::Result;
use crate::extract::{AsOf, FromQuery, Params, ValidQuery};
use crate::pages::Cacheable;
use crate::state::AppState;

/// What `/clusters` is asked.
pub(crate) struct ClustersParams {
    days: i64,
    category: Option<Category>,
    limit: usize,
}

impl FromQuery for ClustersParams {
    fn read(params: &mut Params<'_>) -> Self {
        const PERIODS: [(&str, i64); 3] = [("24h", 1), ("7d", 7), ("30d", 30)];
        Self {
            days: params.word("period", &PERIODS).unwrap_or(7),
            category: params.category("category"),
            limit: params.integer("limit", 1..=50, 20) as usize,
        }
    }
}

/// Stories that belong together, the largest clusters first.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClustersBody {
    #[schema(example = "ok")]
    status: &'static str,
    clusters: Vec<ClusterBody>,
    meta: ClustersMeta,
}

/// Stories about one subject; each brief stands in one cluster.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClusterBody {
    /// Stays while its oldest brief stays.
    cluster_id: String,
    /// What its briefs share: names first, then topic words.
    topic: String,
    brief_count: usize,
    /// Category slugs, most frequent first.
    categories: Vec<&'static str>,
    /// The newest first, at most 20.
    briefs: Vec<AgentBriefBody>,
    /// When the newest was updated.
    latest: String,
}

/// How far was looked.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClustersMeta {
    count: usize,
    /// Briefs that were compared: the newest 600 of the period.
    briefs_compared: usize,
    /// Only where nothing was found: publication of the newest brief that there is.
    #[serde(skip_serializing_if = "Option::is_none")]
    newest_available: Option<String>,
}

/// Briefs of a cluster that are told.
const TOLD: usize = 20;

/// Lists clusters of stories about one subject.
#[utoipa::path(
    get,
    path = "/api/v1/clusters",
    tag = "news",
    params(
        ("period" = Option<String>, Query, description = "`24h`, `7d` (default) or `30d`"),
        ("category" = Option<String>, Query, description = "Category slug, in any case"),
        ("limit" = Option<u64>, Query, description = "Clusters, default 20", minimum = 1, maximum = 50),
        ("as_of" = Option<String>, Query, description = "ISO 8601 moment, not in the future"),
    ),
    responses((status = 200, description = "Clusters, the largest first", body = ClustersBody))
)]
pub(crate) async fn clusters(
    State(state): State<AppState>,
    caller: Caller,
    as_of: AsOf,
    ValidQuery(asked): ValidQuery<ClustersParams>,
    page: Cacheable,
) -> Result<Response> {
    let categories = caller.narrow(asked.category)?;
    let query = ClusterQuery {
        since: as_of.end(&state).plus_ms(-asked.days * Timestamp::DAY_MS),
        limit: asked.limit,
        as_of: as_of.0,
        categories: categories.clone(),
    };
    page.answer(&state, async {
        let (found, briefs_compared) = analysis::clusters(&state.store, &query).await?;
        let newest_available = if found.is_empty() {
            newest(&state, categories, as_of).await?
        } else {
            None
        };
        Ok(ClustersBody {
            status: "ok",
            meta: ClustersMeta {
                count: found.len(),
                briefs_compared,
                newest_available,
            },
            clusters: found
                .into_iter()
                .map(|cluster| ClusterBody {
                    cluster_id: cluster.id.to_string(),
                    topic: cluster.topic,
                    brief_count: cluster.briefs.len(),
                    categories: cluster
                        .categories
                        .into_iter()
                        .map(Category::as_str)
                        .collect(),
                    latest: cluster.latest.to_string(),
                    briefs: cluster
                        .briefs
                        .iter()
                        .take(TOLD)
                        .map(AgentBriefBody::from)
                        .collect(),
                })
                .collect(),
        })
    })
    .await
}

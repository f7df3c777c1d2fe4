//! `/clusters`: groups of stories about one subject.

use analysis::ClusterQuery;
use model::{Category, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::Result;
use crate::news::brief_body::AgentBriefBody;
use crate::news::feed::newest;
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// Parameters of `/clusters`.
pub(crate) struct ClustersParams {
    days: i64,
    category: Option<Category>,
    limit: usize,
}

impl Parameters for ClustersParams {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        const PERIODS: [(&str, i64); 3] = [("24h", 1), ("7d", 7), ("30d", 30)];
        Self {
            days: arguments.word_or("period", &PERIODS, 7, "Period that ends now or at `as_of`"),
            category: arguments.category("category", "Category slug, in upper or lower case"),
            limit: arguments.integer("limit", 1..=50, 20, "Clusters") as usize,
        }
    }
}

/// Clusters of related stories, largest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClustersBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The clusters.
    clusters: Vec<ClusterBody>,
    /// Totals for this response.
    meta: ClustersMeta,
}

/// Stories about one subject. Each brief belongs to one cluster.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClusterBody {
    /// Id of the cluster. Stays the same as long as its oldest brief remains.
    cluster_id: String,
    /// What the briefs have in common: names first, then topic words.
    topic: String,
    /// Number of briefs.
    brief_count: usize,
    /// Category slugs, most frequent first.
    categories: Vec<&'static str>,
    /// The briefs, newest first; at most 20.
    briefs: Vec<AgentBriefBody>,
    /// When the newest brief was updated.
    latest: String,
}

/// What was searched.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClustersMeta {
    /// Number of clusters in this response.
    count: usize,
    /// Number of briefs that were compared: the newest 600 of the period.
    briefs_compared: usize,
    /// When the newest available brief was published. Present only if nothing was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    newest_available: Option<String>,
}

/// Maximum number of briefs listed per cluster.
const TOLD: usize = 20;

/// `GET /clusters`.
pub(crate) struct Clusters;

impl Operation for Clusters {
    type Input = ClustersParams;
    type Output = ClustersBody;

    const ABOUT: About = About {
        name: "list_clusters",
        address: Address::get("/api/v1/clusters"),
        subject: "news",
        summary: "Lists clusters of related stories.",
        answer: "Clusters, largest first",
        example: r#"{"period": "7d", "limit": 10}"#,
        ..About::READS
    };

    async fn run(context: Context, asked: ClustersParams) -> Result<ClustersBody> {
        let categories = context.categories(asked.category)?;
        let query = ClusterQuery {
            since: context.end().plus_ms(-asked.days * Timestamp::DAY_MS),
            limit: asked.limit,
            as_of: context.as_of.0,
            categories: categories.clone(),
        };
        let (found, briefs_compared) = analysis::clusters(&context.services.store, &query).await?;
        let newest_available = if found.is_empty() {
            newest(&context.services, categories, context.as_of).await?
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
    }
}

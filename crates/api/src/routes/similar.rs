//! `/similar/{id}`: briefs that are like another one in meaning.

use axum::extract::{Path, State};
use axum::response::Response;
use search::Filters;
use serde::Serialize;
use utoipa::ToSchema;

use super::brief_body::BriefBody;
use crate::caller::Caller;
use crate::error::{Error, Result};
use crate::extract::{AsOf, FromQuery, Params, ValidQuery};
use crate::pages::Cacheable;
use crate::state::AppState;

/// What `/similar/{id}` is asked.
pub(crate) struct SimilarQuery {
    limit: u64,
}

impl FromQuery for SimilarQuery {
    fn read(params: &mut Params<'_>) -> Self {
        Self {
            limit: params.integer("limit", 1..=50, 10),
        }
    }
}

/// The briefs that are most like one.
#[derive(Serialize, ToSchema)]
pub(crate) struct SimilarBody {
    #[schema(example = "ok")]
    status: &'static str,
    /// The brief that they are like, by its identity for people.
    brief_id: String,
    /// The most like one first.
    briefs: Vec<LikeBody>,
    meta: SimilarMeta,
}

/// A brief with its likeness.
#[derive(Serialize, ToSchema)]
pub(crate) struct LikeBody {
    #[serde(flatten)]
    brief: BriefBody,
    /// 0 to 1: how alike headline and summary are in meaning.
    similarity: f64,
}

/// How many there are.
#[derive(Serialize, ToSchema)]
pub(crate) struct SimilarMeta {
    count: usize,
}

/// Lists the briefs that are most like one.
///
/// By the meaning of headline and summary, whatever words they use. With `as_of` by the revisions that were known then.
#[utoipa::path(
    get,
    path = "/api/v1/similar/{id}",
    tag = "news",
    params(
        ("id" = String, Path, description = "`PR-…` in any case, or the UUID"),
        ("limit" = Option<u64>, Query, description = "Briefs, default 10", minimum = 1, maximum = 50),
        ("as_of" = Option<String>, Query, description = "ISO 8601 moment, not in the future"),
    ),
    responses((status = 200, description = "Briefs, the most like one first", body = SimilarBody),
              (status = 404, description = "There is no such brief, then and to this key"))
)]
pub(crate) async fn similar(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<String>,
    as_of: AsOf,
    ValidQuery(asked): ValidQuery<SimilarQuery>,
    page: Cacheable,
) -> Result<Response> {
    let filters = Filters {
        categories: caller.narrow(None)?,
        ..Filters::default()
    };
    page.answer(&state, async {
        let unknown = || {
            Error::not_found(format!(
                "there is no brief {:?}",
                id.chars().take(60).collect::<String>()
            ))
        };
        let briefs = state.store.briefs();
        let asked_for = briefs.find(&id, as_of.0).await?.ok_or_else(unknown)?;
        // A key that sees only some categories does not learn that briefs of others exist.
        if !caller.sees(asked_for.brief.category) {
            return Err(unknown());
        }
        let brief_id = asked_for.brief.public_id.to_string();
        let index = state.index.clone();
        let found = analysis::light(move || {
            index.similar(
                &asked_for.brief,
                &filters,
                as_of.0,
                usize::try_from(asked.limit).unwrap_or(usize::MAX),
            )
        })
        .await?
        .map_err(Error::internal)?;
        let named: Vec<_> = found
            .iter()
            .map(|like| (like.brief_id, like.revision))
            .collect();
        let stored = briefs.load(&named).await?;
        let at = as_of.end(&state);
        let briefs: Vec<LikeBody> = found
            .iter()
            .filter_map(|like| {
                // As in a search: what the store no longer has cannot be shown.
                let stored = stored.iter().find(|stored| {
                    stored.brief.id == like.brief_id && stored.brief.revision == like.revision
                })?;
                Some(LikeBody {
                    brief: BriefBody::new(stored, at),
                    similarity: like.similarity,
                })
            })
            .collect();
        Ok(SimilarBody {
            status: "ok",
            brief_id,
            meta: SimilarMeta {
                count: briefs.len(),
            },
            briefs,
        })
    })
    .await
}

//! `/brief/{id}`: one brief with everything that is known about it.

use axum::extract::{Path, State};
use axum::response::Response;
use serde::Serialize;
use store::StoredBrief;
use utoipa::ToSchema;

use super::brief_body::{FullTextBody, SingleBriefBody};
use crate::caller::Caller;
use crate::error::{Error, Result};
use crate::extract::{AsOf, FromQuery, Params, ValidQuery};
use crate::pages::Cacheable;
use crate::state::AppState;

/// What `/brief/{id}` is asked.
pub(crate) struct BriefQuery {
    include_full_text: bool,
    explain: bool,
}

impl FromQuery for BriefQuery {
    fn read(params: &mut Params<'_>) -> Self {
        Self {
            include_full_text: params.flag("include_full_text", false),
            explain: params.flag("explain", false),
        }
    }
}

/// One brief.
#[derive(Serialize, ToSchema)]
pub(crate) struct BriefAnswer {
    #[schema(example = "ok")]
    status: &'static str,
    brief: SingleBriefBody,
}

/// Reads one brief.
///
/// By either form of its id. With `as_of` the revision that was known then; 404 where it was not known yet.
#[utoipa::path(
    get,
    path = "/api/v1/brief/{id}",
    tag = "news",
    params(
        ("id" = String, Path, description = "`PR-…` in any case, or the UUID"),
        ("include_full_text" = Option<bool>, Query, description = "Add the readable text of its sources"),
        ("explain" = Option<bool>, Query, description = "Add the parts of the scores and the sources of each sentence"),
        ("as_of" = Option<String>, Query, description = "ISO 8601 moment, not in the future"),
    ),
    responses((status = 200, description = "The brief", body = BriefAnswer),
              (status = 404, description = "There is no such brief, then and to this key"))
)]
pub(crate) async fn brief(
    State(state): State<AppState>,
    caller: Caller,
    Path(id): Path<String>,
    as_of: AsOf,
    ValidQuery(asked): ValidQuery<BriefQuery>,
    page: Cacheable,
) -> Result<Response> {
    page.answer(&state, async {
        let stored = find(&state, &caller, &id, as_of).await?;
        let mut brief = SingleBriefBody::new(&stored, as_of.end(&state));
        if asked.explain {
            brief = brief.explained(&stored.brief);
        }
        if asked.include_full_text {
            let articles = state
                .store
                .briefs()
                .articles_of(stored.brief.id, as_of.0)
                .await?;
            brief.full_text = Some(articles.iter().map(FullTextBody::from).collect());
        }
        Ok(BriefAnswer {
            status: "ok",
            brief,
        })
    })
    .await
}

/// The brief of that id as it was known then to this caller.
pub(crate) async fn find(
    state: &AppState,
    caller: &Caller,
    id: &str,
    as_of: AsOf,
) -> Result<StoredBrief> {
    let stored = state.store.briefs().find(id, as_of.0).await?;
    // A key that sees only some categories does not learn that briefs of others exist.
    stored
        .filter(|stored| caller.sees(stored.brief.category))
        .ok_or_else(|| {
            Error::not_found(format!(
                "there is no brief {:?}",
                id.chars().take(60).collect::<String>()
            ))
        })
}

impl From<&store::StoredArticle> for FullTextBody {
    fn from(stored: &store::StoredArticle) -> Self {
        let article = &stored.article;
        let text = if article.body.is_empty() {
            &article.description
        } else {
            &article.body
        };
        Self {
            source: article.outlet.clone(),
            url: article.link().to_owned(),
            title: article.title.clone(),
            word_count: text.split_whitespace().count(),
            text: text.clone(),
        }
    }
}

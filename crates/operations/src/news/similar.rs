//! `/similar/{id}`: briefs that are similar to another one in meaning.

use search::Filters;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{Error, Result};
use crate::news::brief::ID;
use crate::news::brief_body::BriefBody;
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// Parameters of `/similar/{id}`.
pub(crate) struct SimilarQuery {
    id: String,
    limit: u64,
}

impl Parameters for SimilarQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            id: arguments.path("id", ID),
            limit: arguments.integer("limit", 1..=50, 10, "Briefs"),
        }
    }
}

/// The briefs that are most similar to a given brief.
#[derive(Serialize, ToSchema)]
pub(crate) struct SimilarBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Readable id of the brief that they are similar to.
    brief_id: String,
    /// The briefs, most similar first.
    briefs: Vec<LikeBody>,
    /// Totals for this response.
    meta: SimilarMeta,
}

/// A brief and how similar it is.
#[derive(Serialize, ToSchema)]
pub(crate) struct LikeBody {
    #[serde(flatten)]
    brief: BriefBody,
    /// How similar headline and summary are in meaning, from 0 to 1.
    similarity: f64,
}

/// Number of briefs.
#[derive(Serialize, ToSchema)]
pub(crate) struct SimilarMeta {
    /// Number of briefs in this response.
    count: usize,
}

/// `GET /similar/{id}`.
pub(crate) struct Similar;

impl Operation for Similar {
    type Input = SimilarQuery;
    type Output = SimilarBody;

    const ABOUT: About = About {
        name: "list_similar_briefs",
        address: Address::get("/api/v1/similar/{id}"),
        subject: "news",
        summary: "Lists the briefs that are most similar to a given brief.",
        description: "Similarity is based on the meaning of headline and summary, whatever words they use. With `as_of`, it is based on the revisions known at that time.",
        answer: "Briefs, most similar first",
        missing: Some("No brief with this id existed at that time, or this key may not see it"),
        example: r#"{"id": "PR-2026-0301-001"}"#,
        ..About::READS
    };

    async fn run(context: Context, asked: SimilarQuery) -> Result<SimilarBody> {
        let filters = Filters {
            categories: context.categories(None)?,
            ..Filters::default()
        };
        let unknown = || {
            Error::not_found(format!(
                "there is no brief {:?}",
                asked.id.chars().take(60).collect::<String>()
            ))
        };
        let briefs = context.store.briefs();
        let asked_for = briefs
            .find(&asked.id, context.as_of.0)
            .await?
            .ok_or_else(unknown)?;
        // A key that sees only some categories does not learn that briefs of others exist.
        if !context.caller.sees(asked_for.brief.category) {
            return Err(unknown());
        }
        let brief_id = asked_for.brief.public_id.to_string();
        let index = context.index.clone();
        let found = analysis::light(move || {
            index.similar(
                &asked_for.brief,
                &filters,
                context.as_of.0,
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
        let at = context.end();
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
    }
}

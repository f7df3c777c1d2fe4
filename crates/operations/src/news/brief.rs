//! `/brief/{id}`: one brief with everything that is known about it.

use serde::Serialize;
use store::StoredBrief;
use utoipa::ToSchema;

use crate::as_of::AsOf;
use crate::caller::Caller;
use crate::error::{Error, Result};
use crate::news::brief_body::{FullTextBody, SingleBriefBody};
use crate::services::Services;
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// Parameters of `/brief/{id}`.
pub(crate) struct BriefQuery {
    id: String,
    include_full_text: bool,
    explain: bool,
}

impl Parameters for BriefQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            id: arguments.path("id", ID),
            include_full_text: arguments.flag(
                "include_full_text",
                false,
                "Include the readable text of the sources",
            ),
            explain: arguments.flag(
                "explain",
                false,
                "Include the components of the scores, the sources of each sentence and why each source is in the brief",
            ),
        }
    }
}

/// The brief, by its id.
pub(crate) struct ById {
    pub(crate) id: String,
}

impl Parameters for ById {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            id: arguments.path("id", ID),
        }
    }
}

/// The format of a brief id.
pub(crate) const ID: &str = "Id of the brief: `PR-…` in upper or lower case, or the UUID";

/// One brief.
#[derive(Serialize, ToSchema)]
pub(crate) struct BriefAnswer {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The brief.
    brief: SingleBriefBody,
}

/// `GET /brief/{id}`.
pub(crate) struct ShowBrief;

impl Operation for ShowBrief {
    type Input = BriefQuery;
    type Output = BriefAnswer;

    const ABOUT: About = About {
        name: "show_brief",
        address: Address::get("/api/v1/brief/{id}"),
        subject: "news",
        summary: "Shows one brief.",
        description: "Either form of the id is accepted. With `as_of`, the response is the revision known at that time, or 404 if there was none yet.",
        answer: "The brief",
        missing: Some("No brief with this id existed at that time, or this key may not see it"),
        example: r#"{"id": "PR-2026-0301-001", "explain": true}"#,
        ..About::READS
    };

    async fn run(context: Context, asked: BriefQuery) -> Result<BriefAnswer> {
        let stored = find(&context.services, &context.caller, &asked.id, context.as_of).await?;
        let mut brief = SingleBriefBody::new(&stored, context.end());
        if asked.explain || asked.include_full_text {
            let briefs = context.store.briefs();
            let articles = briefs.articles_of(stored.brief.id, context.as_of.0).await?;
            if asked.explain {
                brief = brief.explained(&stored.brief, &articles);
            }
            if asked.include_full_text {
                brief.full_text = Some(articles.iter().map(FullTextBody::from).collect());
            }
        }
        Ok(BriefAnswer {
            status: "ok",
            brief,
        })
    }
}

/// The brief with that id, as this caller could see it at the as-of time.
pub(crate) async fn find(
    services: &Services,
    caller: &Caller,
    id: &str,
    as_of: AsOf,
) -> Result<StoredBrief> {
    let stored = services.store.briefs().find(id, as_of.0).await?;
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

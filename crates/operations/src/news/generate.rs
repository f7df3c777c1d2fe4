//! `/generate/brief`: a brief on a topic, written on demand from what is stored.
//!
//! The articles of the briefs that fit the topic best are composed as if they were one story, by the same rules as every other
//! brief: each sentence is one of a source. The result is answered and not published: no feed has it.

use std::collections::HashMap;
use std::sync::Arc;

use model::{Brief, BriefId, BriefSource, Category, PublicBriefId, Timestamp};
use search::{Depth, Filters, SearchRequest, Sort};
use serde::{Deserialize, Serialize};
use store::{StoredArticle, StoredBrief};
use text::compose::{Member, compose};
use utoipa::ToSchema;

use super::brief_body::SingleBriefBody;
use crate::checked::{Checked, Faults, category_of};
use crate::error::{Error, Result};
use crate::{About, Address, Context, Keeping, Operation, Posted};

/// Credits of a call.
pub(crate) const CREDITS: u64 = 5;
/// Briefs whose articles are read.
const BRIEFS: usize = 6;
/// Articles that are composed.
const ARTICLES: usize = 24;
/// A brief that fits the topic less than this share of the best is left out.
const CLOSE: f64 = 0.55;

/// What is to be written.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct GenerateRequest {
    /// Words that describe the topic.
    #[schema(
        min_length = 2,
        max_length = 200,
        pattern = r"\S[\s\S]*\S",
        example = "interest rates"
    )]
    topic: String,
    /// Category slug, in any case: only briefs of this category are read.
    #[serde(default)]
    #[schema(example = "economy")]
    category: Option<String>,
}

impl Checked for GenerateRequest {
    fn check(&self, faults: &mut Faults) {
        faults.length("topic", self.topic.trim(), 2..=200);
        faults.category("category", self.category.as_deref());
    }
}

/// A brief that was written on demand.
#[derive(Serialize, ToSchema)]
pub(crate) struct GeneratedBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The brief. Its id is its own; it is answered, not published.
    brief: SingleBriefBody,
    /// The stored briefs from whose articles it was written, the closest to the topic first.
    composed_from: Vec<String>,
    /// Credits that this answer cost.
    credits_used: u64,
}

/// `POST /generate/brief`.
pub(crate) struct GenerateBrief;

impl Operation for GenerateBrief {
    type Input = Posted<(), GenerateRequest>;
    type Output = GeneratedBody;

    const ABOUT: About = About {
        name: "generate_brief",
        address: Address::post("/api/v1/generate/brief"),
        subject: "news",
        summary: "Writes a brief on a topic from the stored articles.",
        description: "The articles of the briefs that fit the topic best are composed like one story; every sentence is one of a source. The brief is not published, and no feed has it.",
        answer: "The brief",
        missing: Some("No stored brief fits the topic"),
        example: r#"{"topic": "interest rates"}"#,
        keeping: Keeping::Never,
        ..About::READS
    };

    async fn run(context: Context, asked: Self::Input) -> Result<GeneratedBody> {
        let body = asked.body;
        let topic = body.topic.trim();
        let category = category_of(body.category.as_deref());
        let found = find(&context, topic, category).await?;
        let mut articles: Vec<StoredArticle> = Vec::new();
        for (id, _) in &found {
            let briefs = context.store.briefs();
            articles.extend(briefs.articles_of(*id, context.as_of.0).await?);
        }
        articles.truncate(ARTICLES);
        if articles.is_empty() {
            return Err(Error::not_found(format!(
                "no stored brief is about {:?}",
                topic.chars().take(60).collect::<String>()
            )));
        }
        articles.sort_by_key(|stored| (stored.article.known_at, stored.seq));
        let id = BriefId(uuid::Uuid::now_v7());
        let outlets = context.services.outlets.clone();
        let brief = analysis::light(move || written(id, &articles, &outlets)).await?;
        let stored = StoredBrief {
            known_from: brief.updated_at,
            known_to: Timestamp::END,
            recorded_at: context.attempt.now,
            trending_at: None,
            brief: Arc::new(brief),
        };
        let mut brief = SingleBriefBody::new(&stored, context.end()).explained(&stored.brief);
        // It has no place among the numbers of a day.
        brief.brief.id = id.0.hyphenated().to_string();
        Ok(GeneratedBody {
            status: "ok",
            brief,
            composed_from: found.into_iter().map(|(_, name)| name).collect(),
            credits_used: context.credits(),
        })
    }
}

/// The briefs that fit the topic best.
async fn find(
    context: &Context,
    topic: &str,
    category: Option<Category>,
) -> Result<Vec<(BriefId, String)>> {
    let request = SearchRequest {
        query: topic.to_owned(),
        depth: Depth::Standard,
        sort: Sort::Relevance,
        filters: Filters {
            categories: context.categories(category)?,
            ..Filters::default()
        },
        offset: 0,
        limit: BRIEFS,
        as_of: context.as_of.0,
    };
    let index = context.index.clone();
    let page = analysis::light(move || index.search(&request))
        .await?
        .map_err(Error::internal)?;
    let best = page.hits.first().map_or(0.0, |hit| hit.score);
    let mut found = Vec::new();
    for hit in page.hits {
        // What only means something similar belongs to another story.
        if hit.by_meaning || hit.score < best * CLOSE {
            continue;
        }
        let stored = context.store.briefs();
        let id = hit.brief_id;
        if let Some(brief) = stored
            .find(&id.0.hyphenated().to_string(), context.as_of.0)
            .await?
        {
            found.push((id, brief.brief.public_id.as_str().to_owned()));
        }
    }
    Ok(found)
}

/// The brief of these articles, in the order in which they became known.
fn written(id: BriefId, articles: &[StoredArticle], outlets: &model::OutletTable) -> Brief {
    let places: HashMap<_, _> = articles
        .iter()
        .enumerate()
        .map(|(place, stored)| (stored.article.id, place))
        .collect();
    let members: Vec<Member<'_>> = articles
        .iter()
        .map(|stored| Member {
            article: &stored.article,
            annotations: &stored.annotations,
            trust: outlets.trust(&stored.article.domain),
            copy_of: stored
                .copy_of
                .and_then(|copied| places.get(&copied).copied()),
        })
        .collect();
    let composed = compose(&members, None);
    let sources = members
        .iter()
        .map(|member| BriefSource {
            article_id: member.article.id,
            name: outlets
                .name(&member.article.domain)
                .unwrap_or(&member.article.outlet)
                .to_owned(),
            url: member.article.link().to_owned(),
            domain: member.article.domain.clone(),
            trust_level: member.trust,
            title: member.article.title.clone(),
            published_at: member.article.published_at,
            known_at: member.article.known_at,
            copy_of: member.copy_of.and_then(|place| u32::try_from(place).ok()),
            via: member.article.via.clone(),
        })
        .collect();
    let first = articles.iter().map(|one| one.article.published_at).min();
    let last = articles.iter().map(|one| one.article.known_at).max();
    let number = u32::try_from(articles.len()).unwrap_or(u32::MAX);
    Brief {
        id,
        public_id: PublicBriefId::new(last.unwrap_or_default(), 0),
        revision: 1,
        headline: composed.headline,
        summary: composed.summary,
        body: composed.body,
        sentences: composed.sentences,
        category: composed.category,
        published_at: first.unwrap_or_default(),
        updated_at: last.unwrap_or_default(),
        confidence: composed.confidence,
        bias: composed.bias,
        counter_argument: composed.counter_argument,
        sources,
        source_count: composed.source_count,
        update_count: number.saturating_sub(1),
        sentiment: composed.sentiment,
        tags: composed.tags,
        entities: composed.entities,
        events: composed.events,
        data_points: composed.data_points,
        contradictions: composed.contradictions,
        language: composed.language,
        simulated: articles.iter().all(|one| one.article.simulated),
    }
}

//! `/generate/brief`: a brief on a topic, written on demand from what is stored.
//!
//! It says what the newest brief about the topic says and then, each under its own date, what earlier ones said. A
//! topic covers several events, and figures from one are not mixed with those from another. Each sentence comes from a
//! source, and the first sentences of the summary are tested in the same way as claims. The result is returned but not
//! published, so it appears in no feed. If no brief is about the topic, none is written about something similar.

use std::collections::BTreeSet;
use std::sync::Arc;

use analysis::{Period, TopicQuery, briefs_about, words_with_briefs};
use model::{Brief, BriefId, BriefSource, Day, Section, SourcedSentence};
use serde::{Deserialize, Serialize};
use store::StoredBrief;
use utoipa::ToSchema;

use super::brief_body::SingleBriefBody;
use crate::checked::{Checked, Faults, category_of};
use crate::error::{Error, Result};
use crate::verified::claim::{TestedStatement, test_statements};
use crate::{About, Address, Context, Keeping, Operation, Posted};

/// Credits charged for a call.
pub(crate) const CREDITS: u64 = 5;
/// Maximum number of briefs that the result is made from.
const BRIEFS: usize = 6;
/// How many sentences are tested, and the maximum length of each in characters.
const TESTED: usize = 3;
const CLAIM: std::ops::RangeInclusive<usize> = 10..=1_000;

/// The topic to write about.
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
    /// Category slug, in any case. Only briefs in this category are read.
    #[serde(default)]
    #[schema(schema_with = crate::field::category_word)]
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
    /// The brief. It has its own id and is returned, not published.
    brief: SingleBriefBody,
    /// The stored briefs that it was made from, newest first.
    composed_from: Vec<String>,
    /// The first sentences of its summary, each tested against the stored news and figures.
    claims: Vec<TestedStatement>,
    /// Credits charged for this response.
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
        summary: "Writes a brief on a topic from the stored news.",
        description: "The newest brief about the topic comes first: headline, summary, confidence and bias are taken from it. Up to five earlier briefs follow in the body, each under its date. Every sentence is taken from a source, and the first ones are verified. The brief is not published and does not appear in any feed.",
        answer: "The brief",
        missing: Some("No stored brief is about the topic"),
        example: r#"{"topic": "interest rates"}"#,
        keeping: Keeping::Never,
        ..About::READS
    };

    async fn run(context: Context, asked: Self::Input) -> Result<GeneratedBody> {
        let body = asked.body;
        let query = TopicQuery {
            topic: body.topic.trim().to_owned(),
            period: Period::default(),
            end: context.end(),
            as_of: context.as_of.0,
            categories: context.categories(category_of(body.category.as_deref()))?,
        };
        let found = briefs_about(&context.store, &context.index, &query, BRIEFS).await?;
        let Some((newest, earlier)) = found.split_first() else {
            let known = words_with_briefs(&context.store, &context.index, &query).await?;
            return Err(Error::not_found(nothing_about(&query.topic, &known)));
        };
        let statements = statements(&newest.brief);
        let brief = digest(&newest.brief, earlier);
        let id = BriefId(uuid::Uuid::now_v7());
        let stored = StoredBrief {
            recorded_at: context.attempt.now,
            trending_at: None,
            brief: Arc::new(Brief { id, ..brief }),
            ..newest.clone()
        };
        let mut brief = SingleBriefBody::new(&stored, context.end()).explained(&stored.brief, &[]);
        // It has no place among the numbers of a day.
        brief.brief.id = id.0.hyphenated().to_string();
        let claims = test_statements(&context, statements).await?;
        let named = found.iter().map(|stored| &stored.brief.public_id);
        Ok(GeneratedBody {
            status: "ok",
            brief,
            composed_from: named.map(|id| id.as_str().to_owned()).collect(),
            claims,
            credits_used: context.credits(),
        })
    }
}

/// The first sentences of a summary, as far as they can be tested.
fn statements(brief: &Brief) -> Vec<String> {
    let said = brief.sentences.iter();
    said.filter(|sentence| sentence.section == Section::Summary)
        .map(|sentence| sentence.text.trim().to_owned())
        .filter(|text| CLAIM.contains(&text.chars().count()))
        .take(TESTED)
        .collect()
}

/// States that no brief is about a topic, and which of its words do occur in briefs.
fn nothing_about(topic: &str, known: &[String]) -> String {
    let topic: String = topic.chars().take(60).collect();
    if known.is_empty() {
        return format!("no stored brief is about {topic:?}");
    }
    let known: Vec<String> = known.iter().map(|word| format!("{word:?}")).collect();
    format!(
        "no stored brief is about {topic:?} as a whole; there are some about {}",
        known.join(", ")
    )
}

/// The newest brief combined with what earlier ones say, each under its own date. The sources are those of all of them.
fn digest(newest: &Brief, earlier: &[StoredBrief]) -> Brief {
    let mut brief = newest.clone();
    for stored in earlier {
        let other = &stored.brief;
        let first = brief.sources.len() as u32;
        let moved = |place: &u32| place + first;
        brief.sources.extend(other.sources.iter().map(|source| {
            let copy_of = source.copy_of.as_ref().map(moved);
            BriefSource {
                copy_of,
                ..source.clone()
            }
        }));
        let day = Day::of(other.updated_at);
        let date = day.date();
        let dated = format!("{} {} {}", date.day(), day.month_name(), date.year());
        for part in ["\n\n", &dated, ": ", &other.summary] {
            brief.body.push_str(part);
        }
        let said = other.sentences.iter();
        let said = said.filter(|sentence| sentence.section == Section::Summary);
        brief.sentences.extend(said.map(|sentence| SourcedSentence {
            section: Section::Body,
            text: sentence.text.clone(),
            sources: sentence.sources.iter().map(moved).collect(),
        }));
    }
    let independent = brief.sources.iter().filter(|one| one.copy_of.is_none());
    let outlets: BTreeSet<&str> = independent.map(|one| one.domain.as_str()).collect();
    brief.source_count = u32::try_from(outlets.len()).unwrap_or(u32::MAX);
    brief
}

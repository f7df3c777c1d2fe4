//! `/context` and `/intelligence`: what several briefs say together about a topic.

use analysis::{
    Citation, ConfidenceParts, Context as Background, Intelligence, Period, Perspectives,
    TopicQuery,
};
use model::{Category, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::as_of::AsOf;
use crate::caller::Caller;
use crate::data_status::DataStatusBody;
use crate::error::Result;
use crate::services::Services;
use crate::{About, Address, Arguments, Context, Operation, Parameters};

const PERIODS: [(&str, Period); 3] = [
    ("7d", Period::Week),
    ("30d", Period::Month),
    ("90d", Period::Quarter),
];

/// Parameters of `/context` and `/intelligence`.
pub(crate) struct TopicParams {
    topic: String,
    period: Period,
    category: Option<Category>,
}

impl Parameters for TopicParams {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            topic: arguments.required_text("topic", 2..=200, "Words that describe the topic"),
            period: arguments.word_or(
                "period",
                &PERIODS,
                Period::default(),
                "Period that ends now or at `as_of`",
            ),
            category: arguments.category("category", "Category slug, in upper or lower case"),
        }
    }
}

impl TopicParams {
    fn query(self, services: &Services, caller: &Caller, as_of: AsOf) -> Result<TopicQuery> {
        Ok(TopicQuery {
            topic: self.topic,
            period: self.period,
            end: as_of.end(services),
            as_of: as_of.0,
            categories: caller.narrow(self.category)?,
        })
    }
}

/// The background of a topic.
#[derive(Serialize, ToSchema)]
pub(crate) struct ContextBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The topic as requested.
    topic: String,
    /// Sentences from the sources, oldest first. If there are few or none, the reason comes first.
    summary: String,
    /// Views for and against it.
    perspectives: PerspectivesBody,
    /// The most informative report of each day, oldest first.
    timeline: Vec<DayBody>,
    /// Entities mentioned most in the briefs.
    key_entities: Vec<KeyEntityBody>,
    /// Entities mentioned together in briefs.
    relationships: Vec<RelationshipBody>,
    /// Figures and facts from the briefs.
    key_facts: Vec<KeyFactBody>,
    /// Score from 0 to 1, calculated from its components by a documented formula. Not a probability.
    confidence: f64,
    /// Number of independent outlets.
    source_count: usize,
    /// Number of briefs about the topic that were read, at most 40. Briefs that only mention it do not count.
    brief_count: usize,
    /// The components of the confidence.
    confidence_parts: ConfidencePartsBody,
    /// The sentences of the summary with their briefs and sources.
    citations: Vec<CitationBody>,
    /// The reasons for empty fields.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// The positions that sources take, quoted.
#[derive(Serialize, ToSchema)]
pub(crate) struct PerspectivesBody {
    /// Views that approve of it. Empty if there are none.
    supporting: String,
    /// Views that object to it. Empty if there are none.
    opposing: String,
    /// What is reported about it without taking sides.
    neutral: String,
}

/// A day of the timeline.
#[derive(Serialize, ToSchema)]
#[schema(as = TopicDay)]
pub(crate) struct DayBody {
    /// Date, YYYY-MM-DD, UTC.
    date: String,
    /// Headline of the brief.
    headline: String,
    /// Confidence of the brief.
    confidence: f64,
    /// Id of the brief.
    brief_id: String,
}

/// An entity that the topic involves.
#[derive(Serialize, ToSchema)]
pub(crate) struct KeyEntityBody {
    /// Name.
    name: String,
    /// `person`, `organization`, `location`, `product` or `event`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// How often the sources name the entity.
    mentions: u64,
    /// `positive`, `negative`, `neutral` or `mixed`.
    sentiment_label: &'static str,
    /// Exchange symbol, or null.
    #[schema(required)]
    ticker: Option<String>,
}

/// Two entities that are named together.
#[derive(Serialize, ToSchema)]
pub(crate) struct RelationshipBody {
    /// First entity.
    from: String,
    /// Second entity.
    to: String,
    /// Number of briefs that name both, divided by the geometric mean of the numbers that name each; from 0 to 1.
    strength: f64,
    /// Number of briefs that name both.
    brief_count: usize,
}

/// A figure from a source.
#[derive(Serialize, ToSchema)]
pub(crate) struct KeyFactBody {
    /// The figure as printed.
    value: String,
    /// The words around the figure: what it says, and about whom.
    context: String,
    /// `money`, `percent`, `count` or `quantity`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// Id of the brief.
    brief_id: String,
}

/// Components of `confidence`, each from 0 to 1. The weighted sum of 0.4 brief confidence, 0.3 coverage, 0.2 source
/// trust and 0.1 agreement is multiplied by `focus` and by 0.6 + 0.4 `quoted`.
#[derive(Serialize, ToSchema)]
#[schema(as = TopicConfidenceParts)]
pub(crate) struct ConfidencePartsBody {
    /// Mean confidence of the briefs, weighted by relevance.
    brief_confidence: f64,
    /// Number of independent outlets, on a saturating scale.
    coverage: f64,
    /// Share of outlets with a good record. Unknown outlets count half.
    source_trust: f64,
    /// One minus the share of briefs whose sources contradict each other.
    agreement: f64,
    /// How far the briefs are about the topic rather than merely mentioning it; a quarter of that if too little is
    /// known.
    focus: f64,
    /// Number of sentences quoted, divided by three, the number that counts as complete.
    quoted: f64,
}

impl From<ConfidenceParts> for ConfidencePartsBody {
    fn from(parts: ConfidenceParts) -> Self {
        Self {
            brief_confidence: parts.brief_confidence,
            coverage: parts.coverage,
            source_trust: parts.source_trust,
            agreement: parts.agreement,
            focus: parts.focus,
            quoted: parts.quoted,
        }
    }
}

/// A quoted sentence and where it appears.
#[derive(Serialize, ToSchema)]
pub(crate) struct CitationBody {
    /// The sentence.
    sentence: String,
    /// Id of the brief.
    brief_id: String,
    /// Outlet name.
    source: String,
    /// URL of the article.
    url: String,
}

impl From<Citation> for CitationBody {
    fn from(citation: Citation) -> Self {
        Self {
            sentence: citation.sentence,
            brief_id: citation.brief_id,
            source: citation.source,
            url: citation.url,
        }
    }
}

/// Why a response has no analysis: too little is known, or nothing at all.
fn scarce(
    field: &'static str,
    brief_count: usize,
    too_little: Option<String>,
    newest_available: Option<Timestamp>,
) -> Option<DataStatusBody> {
    let nothing = || "no brief in the period covers this topic".to_owned();
    let reason = too_little.or_else(|| (brief_count == 0).then(nothing))?;
    Some(DataStatusBody {
        newest_available: newest_available.map(|at| at.to_string()),
        ..status(field, reason)
    })
}

fn status(field: &'static str, reason: String) -> DataStatusBody {
    DataStatusBody {
        field,
        reason,
        source: Some("briefs".to_owned()),
        fetched_at: None,
        reported_at: None,
        newest_available: None,
        stale: false,
    }
}

/// The positions that no source takes.
fn silent(perspectives: &Perspectives) -> Vec<DataStatusBody> {
    let sides = [
        (
            "perspectives.supporting",
            &perspectives.supporting,
            "speaks in favour of it",
        ),
        (
            "perspectives.opposing",
            &perspectives.opposing,
            "speaks against it",
        ),
        (
            "perspectives.neutral",
            &perspectives.neutral,
            "reports on it without taking sides",
        ),
    ];
    sides
        .into_iter()
        .filter(|(_, said, _)| said.is_empty())
        .map(|(field, _, what)| status(field, format!("no sentence about the topic {what}")))
        .collect()
}

impl From<Background> for ContextBody {
    fn from(context: Background) -> Self {
        Self {
            status: "ok",
            confidence: context.confidence.score(),
            confidence_parts: context.confidence.into(),
            data_status: match scarce(
                "summary",
                context.brief_count,
                context.too_little,
                context.newest_available,
            ) {
                Some(scarce) => vec![scarce],
                None => silent(&context.perspectives),
            },
            topic: context.topic,
            summary: context.summary,
            perspectives: PerspectivesBody {
                supporting: context.perspectives.supporting,
                opposing: context.perspectives.opposing,
                neutral: context.perspectives.neutral,
            },
            timeline: context
                .timeline
                .into_iter()
                .map(|day| DayBody {
                    date: day.date,
                    headline: day.headline,
                    confidence: day.confidence,
                    brief_id: day.brief_id,
                })
                .collect(),
            key_entities: context
                .key_entities
                .into_iter()
                .map(|entity| KeyEntityBody {
                    name: entity.name,
                    kind: entity.kind.as_str(),
                    mentions: entity.mentions,
                    sentiment_label: entity.sentiment.as_str(),
                    ticker: entity.ticker,
                })
                .collect(),
            relationships: context
                .relationships
                .into_iter()
                .map(|relationship| RelationshipBody {
                    from: relationship.from,
                    to: relationship.to,
                    strength: relationship.strength,
                    brief_count: relationship.briefs,
                })
                .collect(),
            key_facts: context
                .key_facts
                .into_iter()
                .map(|fact| KeyFactBody {
                    value: fact.value,
                    context: fact.context,
                    kind: fact.kind.as_str(),
                    brief_id: fact.brief_id,
                })
                .collect(),
            source_count: context.source_count,
            brief_count: context.brief_count,
            citations: context
                .citations
                .into_iter()
                .map(CitationBody::from)
                .collect(),
        }
    }
}

/// `GET /context`.
pub(crate) struct TopicContext;

impl Operation for TopicContext {
    type Input = TopicParams;
    type Output = ContextBody;

    const ABOUT: About = About {
        name: "show_topic_context",
        address: Address::get("/api/v1/context"),
        subject: "news",
        summary: "Shows the background of a topic.",
        answer: "The background of the topic",
        example: r#"{"topic": "inflation"}"#,
        ..About::READS
    };

    async fn run(context: Context, asked: TopicParams) -> Result<ContextBody> {
        let query = asked.query(&context.services, &context.caller, context.as_of)?;
        let found =
            analysis::context(&context.services.store, &context.services.index, &query).await?;
        Ok(ContextBody::from(found))
    }
}

/// A topic across categories.
#[derive(Serialize, ToSchema)]
pub(crate) struct IntelligenceBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The topic as requested.
    topic: String,
    /// Category slugs, those with the most briefs first.
    categories_affected: Vec<&'static str>,
    /// The categories that have briefs on the topic.
    cross_category_impact: Vec<ImpactBody>,
    /// Related reports, oldest first: two or more, or none.
    causal_chain: Vec<LinkBody>,
    /// What sources say about causes, and what the order of events alone suggests.
    causal_analysis: String,
    /// What sources expect and where attention is moving, in hedged wording.
    prediction: String,
    /// Score from 0 to 1, calculated from its components by a documented formula. Not a probability.
    confidence: f64,
    /// The components of the confidence.
    confidence_parts: ConfidencePartsBody,
    /// Number of independent outlets.
    source_count: usize,
    /// Number of briefs about the topic that were read, at most 40. Briefs that only mention it do not count.
    brief_count: usize,
    /// The sentences quoted in the analysis and the prediction.
    citations: Vec<CitationBody>,
    /// The reasons for empty fields.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// The topic in one category.
#[derive(Serialize, ToSchema)]
#[schema(as = CategoryImpact)]
pub(crate) struct ImpactBody {
    /// Category slug.
    category: &'static str,
    /// Number of briefs.
    brief_count: usize,
    /// `positive`, `negative`, `neutral` or `mixed`.
    dominant_sentiment: &'static str,
}

/// A report in the chain.
#[derive(Serialize, ToSchema)]
pub(crate) struct LinkBody {
    /// Date, YYYY-MM-DD, UTC.
    date: String,
    /// Category slug.
    category: &'static str,
    /// Headline of the brief.
    headline: String,
    /// Id of the brief.
    brief_id: String,
}

impl From<Intelligence> for IntelligenceBody {
    fn from(found: Intelligence) -> Self {
        Self {
            status: "ok",
            categories_affected: found
                .impact
                .iter()
                .map(|impact| impact.category.as_str())
                .collect(),
            cross_category_impact: found
                .impact
                .iter()
                .map(|impact| ImpactBody {
                    category: impact.category.as_str(),
                    brief_count: impact.brief_count,
                    dominant_sentiment: impact.sentiment.as_str(),
                })
                .collect(),
            causal_chain: found
                .causal_chain
                .into_iter()
                .map(|link| LinkBody {
                    date: link.date,
                    category: link.category.as_str(),
                    headline: link.headline,
                    brief_id: link.brief_id,
                })
                .collect(),
            confidence: found.confidence.score(),
            confidence_parts: found.confidence.into(),
            data_status: scarce(
                "causal_chain",
                found.brief_count,
                found.too_little,
                found.newest_available,
            )
            .into_iter()
            .collect(),
            topic: found.topic,
            causal_analysis: found.causal_analysis,
            prediction: found.prediction,
            source_count: found.source_count,
            brief_count: found.brief_count,
            citations: found
                .citations
                .into_iter()
                .map(CitationBody::from)
                .collect(),
        }
    }
}

/// `GET /intelligence`.
pub(crate) struct TopicIntelligence;

impl Operation for TopicIntelligence {
    type Input = TopicParams;
    type Output = IntelligenceBody;

    const ABOUT: About = About {
        name: "show_topic_intelligence",
        address: Address::get("/api/v1/intelligence"),
        subject: "news",
        summary: "Shows the impact of a topic across categories.",
        answer: "The topic across categories",
        example: r#"{"topic": "inflation"}"#,
        ..About::READS
    };

    async fn run(context: Context, asked: TopicParams) -> Result<IntelligenceBody> {
        let query = asked.query(&context.services, &context.caller, context.as_of)?;
        let found =
            analysis::intelligence(&context.services.store, &context.services.index, &query)
                .await?;
        Ok(IntelligenceBody::from(found))
    }
}

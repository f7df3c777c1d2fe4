//! `/context` and `/intelligence`: what several briefs say about a topic together.

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

/// What `/context` and `/intelligence` are asked.
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
                "Period ending now, or at `as_of`",
            ),
            category: arguments.category("category", "Category slug, in any case"),
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
    /// The topic as it was asked.
    topic: String,
    /// Sentences of the sources, oldest first; where there are few or none, why comes first.
    summary: String,
    /// Who speaks for and against.
    perspectives: PerspectivesBody,
    /// The most telling report of each day, oldest first.
    timeline: Vec<DayBody>,
    /// Entities that the briefs mention most.
    key_entities: Vec<KeyEntityBody>,
    /// Entities that briefs mention together.
    relationships: Vec<RelationshipBody>,
    /// Figures and facts from the briefs.
    key_facts: Vec<KeyFactBody>,
    /// 0 to 1, a documented score of its parts; not a probability.
    confidence: f64,
    /// Independent outlets.
    source_count: usize,
    /// Briefs about the topic that were read, at most 40; those that only mention it do not count.
    brief_count: usize,
    /// The parts of the confidence.
    confidence_parts: ConfidencePartsBody,
    /// The sentences of the summary with their briefs and sources.
    citations: Vec<CitationBody>,
    /// Why something is empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// The sides that sources take, quoted.
#[derive(Serialize, ToSchema)]
pub(crate) struct PerspectivesBody {
    /// Who approves of it; empty where nobody does.
    supporting: String,
    /// Who objects to it; empty where nobody does.
    opposing: String,
    /// What is reported on it without taking sides.
    neutral: String,
}

/// A day of the timeline.
#[derive(Serialize, ToSchema)]
#[schema(as = TopicDay)]
pub(crate) struct DayBody {
    /// YYYY-MM-DD, UTC.
    date: String,
    /// Headline of the brief.
    headline: String,
    /// Confidence of the brief.
    confidence: f64,
    /// Id of the brief.
    brief_id: String,
}

/// Somebody or something that the topic involves.
#[derive(Serialize, ToSchema)]
pub(crate) struct KeyEntityBody {
    /// Name.
    name: String,
    /// `person`, `organization`, `location`, `product` or `event`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// How often the sources name it.
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
    /// Briefs that name both by the geometric mean of those that name each, 0 to 1.
    strength: f64,
    /// Briefs that name both.
    brief_count: usize,
}

/// A figure of a source.
#[derive(Serialize, ToSchema)]
pub(crate) struct KeyFactBody {
    /// As printed.
    value: String,
    /// What it says of whom.
    context: String,
    /// `money`, `percent`, `count` or `quantity`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// Id of the brief.
    brief_id: String,
}

/// Parts of `confidence`, each 0 to 1: 0.4 brief confidence, 0.3 coverage, 0.2 source trust and 0.1 agreement, times `focus`, times
/// 0.6 + 0.4 `quoted`.
#[derive(Serialize, ToSchema)]
#[schema(as = TopicConfidenceParts)]
pub(crate) struct ConfidencePartsBody {
    /// Mean confidence of the briefs, weighted by relevance.
    brief_confidence: f64,
    /// How many independent outlets report, saturating.
    coverage: f64,
    /// Share of outlets with a good record; unknown ones count half.
    source_trust: f64,
    /// One less the share of briefs whose sources contradict each other.
    agreement: f64,
    /// How much the briefs are about the topic and do not merely mention it; a quarter of that where too little is known.
    focus: f64,
    /// Sentences that the answer quotes, by the three that make it whole.
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

/// A quoted sentence and where it stands.
#[derive(Serialize, ToSchema)]
pub(crate) struct CitationBody {
    /// The sentence.
    sentence: String,
    /// Id of the brief.
    brief_id: String,
    /// Outlet name.
    source: String,
    /// Address of its article.
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

/// Why an answer has no analysis: too little is known, or nothing at all.
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

/// The sides on which nobody speaks.
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
    /// The topic as it was asked.
    topic: String,
    /// Category slugs, most briefs first.
    categories_affected: Vec<&'static str>,
    /// The categories with briefs on the topic.
    cross_category_impact: Vec<ImpactBody>,
    /// Reports that hang together, oldest first: two or more, or none.
    causal_chain: Vec<LinkBody>,
    /// What sources say of causes, and what only the order of time says.
    causal_analysis: String,
    /// What sources expect and where attention moves, hedged.
    prediction: String,
    /// 0 to 1, a documented score of its parts; not a probability.
    confidence: f64,
    /// The parts of the confidence.
    confidence_parts: ConfidencePartsBody,
    /// Independent outlets.
    source_count: usize,
    /// Briefs about the topic that were read, at most 40; those that only mention it do not count.
    brief_count: usize,
    /// The sentences that analysis and prediction quote.
    citations: Vec<CitationBody>,
    /// Why something is empty.
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

/// A report of the chain.
#[derive(Serialize, ToSchema)]
pub(crate) struct LinkBody {
    /// YYYY-MM-DD, UTC.
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

//! `/research`.

use operations::{About, Address, Checked, Context, Faults, Keeping, Operation, Posted, Result};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Asked, Found, research};
use crate::ask::MissingBody;
use crate::runs::StepRecord;

/// Credits charged for a call.
pub(crate) const CREDITS: u64 = 5;
/// Number of briefs that are read by default.
const SOURCES: u64 = 20;
/// Maximum number of entities that are listed.
const ENTITIES: usize = 25;

/// How thorough the research is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ResearchDepth)]
pub(crate) enum DepthWord {
    /// One search and its background.
    #[default]
    Standard,
    /// Follows names and related searches, tests findings and analyses causes.
    Deep,
}

/// The research to carry out.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct ResearchRequest {
    /// The question, in plain English.
    #[schema(
        min_length = 2,
        max_length = 500,
        pattern = r"\S[\s\S]*\S",
        example = "interest rates and inflation"
    )]
    query: String,
    /// Maximum number of briefs to read; 20 by default.
    #[serde(default, deserialize_with = "operations::whole")]
    #[schema(minimum = 1, maximum = 50, default = 20)]
    max_sources: Option<u64>,
    /// `standard` by default.
    #[serde(default)]
    depth: Option<DepthWord>,
    /// Category slug, in any case. Only briefs in this category are read.
    #[serde(default)]
    #[schema(schema_with = operations::category_word)]
    category: Option<String>,
}

impl Checked for ResearchRequest {
    fn check(&self, faults: &mut Faults) {
        faults.length("query", self.query.trim(), 2..=500);
        if self
            .max_sources
            .is_some_and(|most| !(1..=50).contains(&most))
        {
            faults.note("max_sources must be from 1 to 50".to_owned());
        }
        faults.category("category", self.category.as_deref());
    }
}

/// The research report.
#[derive(Serialize, ToSchema)]
#[schema(as = ResearchReport)]
pub(crate) struct ReportBody {
    /// What was found, in a few sentences.
    summary: String,
    /// Sentences from the sources, most informative first, each with its outlet, date and brief.
    key_findings: Vec<String>,
    /// How events developed, who is for and against, and what is related. Paragraphs are separated by blank lines.
    analysis: String,
    /// How reliable the report is, and why.
    confidence_assessment: String,
    /// What is not known, one item per line.
    information_gaps: Vec<String>,
}

/// A brief that was read.
#[derive(Serialize, ToSchema)]
#[schema(as = ResearchSource)]
pub(crate) struct SourceBody {
    /// Id of the brief.
    brief_id: String,
    /// Headline of the brief.
    headline: String,
    /// Confidence of the brief, from 0 to 1.
    confidence: f64,
    /// How well it matches the query, from 0 to 1, relative to the best match.
    relevance: f64,
    /// Outlets that the brief is based on.
    outlets: Vec<String>,
    /// When the brief was published.
    published_at: String,
}

/// An entity that the sources name.
#[derive(Serialize, ToSchema)]
#[schema(as = ResearchEntity)]
pub(crate) struct EntityBody {
    /// Name.
    name: String,
    /// `person`, `organization`, `location`, `product` or `event`.
    #[serde(rename = "type")]
    kind: String,
    /// How often the briefs that were read name it.
    mentions: u64,
}

/// How the research was done.
#[derive(Serialize, ToSchema)]
#[schema(as = ResearchMetadata)]
pub(crate) struct MetadataBody {
    /// Number of briefs that were read.
    briefs_analyzed: usize,
    /// Processing time in milliseconds.
    processing_time_ms: u64,
    /// `standard` or `deep`.
    depth: &'static str,
    /// The steps of the work.
    steps: Vec<String>,
}

/// The result of the research on a question.
#[derive(Serialize, ToSchema)]
pub(crate) struct ResearchBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The query as it was sent.
    query: String,
    /// The report.
    report: ReportBody,
    /// The briefs that were read, best match first.
    sources_used: Vec<SourceBody>,
    /// The entities that they name most often.
    entity_map: Vec<EntityBody>,
    /// How the research was done.
    metadata: MetadataBody,
    /// Id of the signed receipt of the report, which can be read at `/verify/receipt/{id}`.
    receipt_id: String,
    /// Id of the run, which its owner can read at `/agents/runs/{id}`.
    run_id: String,
    /// The reasons for missing data. Absent if nothing is missing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<MissingBody>,
    /// Credits charged for this response.
    credits_used: u64,
}

fn sources(found: &Found) -> Vec<SourceBody> {
    let bodies = found.sources.iter().map(|source| {
        let brief = source.view();
        SourceBody {
            brief_id: source.id().to_owned(),
            headline: brief.text("headline").unwrap_or_default().to_owned(),
            confidence: brief.number("confidence_score").unwrap_or_default(),
            relevance: source.relevance,
            outlets: brief
                .list("sources")
                .into_iter()
                .filter_map(|one| one.text("name").map(str::to_owned))
                .collect(),
            published_at: brief.text("published_at").unwrap_or_default().to_owned(),
        }
    });
    bodies.collect()
}

fn entities(found: &Found) -> Vec<EntityBody> {
    let mut entities: Vec<EntityBody> = Vec::new();
    for entity in found
        .sources
        .iter()
        .flat_map(|source| source.view().list("entities_enriched"))
    {
        let (Some(name), Some(kind)) = (entity.text("name"), entity.text("type")) else {
            continue;
        };
        let mentions = entity.whole("mentions").unwrap_or(1);
        match entities.iter_mut().find(|known| known.name == name) {
            Some(known) => known.mentions += mentions,
            None => entities.push(EntityBody {
                name: name.to_owned(),
                kind: kind.to_owned(),
                mentions,
            }),
        }
    }
    entities.sort_by(|one, other| {
        other
            .mentions
            .cmp(&one.mentions)
            .then_with(|| one.name.cmp(&other.name))
    });
    entities.truncate(ENTITIES);
    entities
}

/// `POST /research`.
pub(crate) struct Research;

impl Operation for Research {
    type Input = Posted<(), ResearchRequest>;
    type Output = ResearchBody;

    const ABOUT: About = About {
        name: "research",
        address: Address::post("/api/v1/research"),
        subject: "news",
        summary: "Compiles what the stored news reports on a question.",
        description: "The first findings are verified. Deep research also follows the names and related searches that the first search finds, verifies more findings, and looks for causes across categories. Every finding is a sentence from a source.",
        answer: "The report with its sources",
        example: r#"{"query": "interest rates and inflation"}"#,
        keeping: Keeping::Never,
        ..About::READS
    };

    async fn run(context: Context, input: Self::Input) -> Result<ResearchBody> {
        let body = input.body;
        let category = operations::category_of(body.category.as_deref());
        // A category that the key may not see is rejected, not left out.
        context.categories(category)?;
        let asked = Asked {
            query: body.query.trim().to_owned(),
            max_sources: usize::try_from(body.max_sources.unwrap_or(SOURCES)).unwrap_or(50),
            is_deep: body.depth.unwrap_or_default() == DepthWord::Deep,
            category: category.map(|category| category.as_str().to_owned()),
        };
        let done = Box::pin(research(&context, &asked)).await?;
        let (found, report, run) = (done.found, done.report, done.run);
        let step = |step: &StepRecord| format!("{}: {}", step.name, step.summary);
        Ok(ResearchBody {
            status: "ok",
            query: asked.query,
            sources_used: sources(&found),
            entity_map: entities(&found),
            report: ReportBody {
                summary: report.summary,
                key_findings: report.key_findings,
                analysis: report.analysis,
                confidence_assessment: report.confidence_assessment,
                information_gaps: report.information_gaps,
            },
            metadata: MetadataBody {
                briefs_analyzed: found.sources.len(),
                processing_time_ms: run.duration_ms,
                depth: if asked.is_deep { "deep" } else { "standard" },
                steps: run.steps.iter().map(step).collect(),
            },
            receipt_id: run.receipt_id,
            run_id: run.id,
            data_status: found.missing,
            credits_used: context.credits(),
        })
    }
}

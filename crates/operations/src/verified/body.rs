//! What answers about claims have in common.

use analysis::verification::{BriefAbout, Evidence, Finding, LiveSearch, LookAhead};
use serde::Serialize;
use utoipa::ToSchema;
use verify::verdict::{Breakdown, Position};

/// Characters of a passage that are quoted.
const SNIPPET: usize = 400;

/// The parts of a confidence, each 0 to 1.
#[derive(Serialize, ToSchema)]
pub(crate) struct ConfidenceBreakdown {
    /// How far the sources that take a side take the same one, weighted by trust.
    source_agreement: f64,
    /// Mean trust of the sources that take a side.
    source_quality: f64,
    /// How recent the newest of them is: 1 for today, half as much for each 180 days.
    recency: f64,
    /// How many independent sources take the side of the verdict, saturating: 0.5 for one, 0.75 for two.
    corroboration_depth: f64,
}

impl From<Breakdown> for ConfidenceBreakdown {
    fn from(parts: Breakdown) -> Self {
        Self {
            source_agreement: parts.source_agreement,
            source_quality: parts.source_quality,
            recency: parts.recency,
            corroboration_depth: parts.corroboration_depth,
        }
    }
}

/// A passage and the side that it takes.
#[derive(Serialize, ToSchema)]
pub(crate) struct EvidenceItem {
    /// Outlet, document or data series.
    source: String,
    /// `supports`, `contradicts` or `neutral`.
    position: &'static str,
    /// What it says, at most 400 characters.
    snippet: String,
    /// Where it can be read; null where it has no address.
    #[schema(required)]
    url: Option<String>,
    /// When it was published; null where that is not known.
    #[schema(required, format = "date-time")]
    published: Option<String>,
    /// `corpus`, `live`, `data`, `knowledge` or `memory`.
    kind: &'static str,
    /// How clearly it takes its side, 0 to 1.
    strength: f64,
    /// Id of the brief that it belongs to; null where there is none.
    #[schema(required)]
    brief_id: Option<String>,
}

impl From<&Evidence> for EvidenceItem {
    fn from(evidence: &Evidence) -> Self {
        let passage = &evidence.passage;
        let stance = &evidence.stance;
        Self {
            source: passage.name.clone(),
            position: evidence.position.as_str(),
            snippet: shortened(&evidence.quote),
            url: passage.url.clone(),
            published: passage.published_at.map(|at| at.to_string()),
            kind: passage.kind.as_str(),
            strength: match evidence.position {
                Position::Supports => stance.supports,
                Position::Contradicts => stance.contradicts,
                Position::Neutral => stance.neutral,
            },
            brief_id: passage.brief.as_ref().map(|brief| brief.id.clone()),
        }
    }
}

/// What a live web search brought.
#[derive(Serialize, ToSchema)]
pub(crate) struct WebSources {
    /// Pages that support the claim, each independent source once.
    supporting: Vec<WebSource>,
    /// Pages that contradict it.
    contradicting: Vec<WebSource>,
    /// Pages that the search found and that were looked at.
    total: usize,
}

/// A page of the web that takes a side.
#[derive(Serialize, ToSchema)]
pub(crate) struct WebSource {
    /// Its title.
    title: String,
    /// Its address.
    url: String,
    /// When it was published; null where that is not known.
    #[schema(required, format = "date-time")]
    published: Option<String>,
}

impl WebSources {
    /// Of a finding for which the live web was searched.
    pub(super) fn of(finding: &Finding) -> Option<Self> {
        let LiveSearch::Answered { results } = finding.live else {
            return None;
        };
        let side = |position| {
            let evidence = finding.live_on(position);
            evidence
                .map(|evidence| &evidence.passage)
                .map(|passage| WebSource {
                    title: passage.title.clone(),
                    url: passage.url.clone().unwrap_or_default(),
                    published: passage.published_at.map(|at| at.to_string()),
                })
                .collect()
        };
        Some(Self {
            supporting: side(Position::Supports),
            contradicting: side(Position::Contradicts),
            total: results,
        })
    }
}

/// What a claim uses that could not be known yet.
#[derive(Serialize, ToSchema)]
#[schema(as = LookAhead)]
pub(crate) struct LookAheadBody {
    /// The end of the day of the decision that the claim tells.
    #[schema(format = "date-time")]
    as_of: String,
    /// When what decides it became known.
    #[schema(format = "date-time")]
    known_at: String,
    /// The same in a sentence.
    message: String,
}

impl From<LookAhead> for LookAheadBody {
    fn from(ahead: LookAhead) -> Self {
        Self {
            as_of: ahead.as_of.to_string(),
            known_at: ahead.known_at.to_string(),
            message: ahead.sentence(),
        }
    }
}

/// Where the evidence of a finding comes from.
pub(super) fn source(finding: &Finding) -> &'static str {
    if finding.is_of_data() {
        "data"
    } else if matches!(finding.live, LiveSearch::Answered { .. }) {
        "live"
    } else {
        "corpus"
    }
}

/// A brief that takes a side.
#[derive(Serialize, ToSchema)]
#[schema(as = VerificationBrief)]
pub(crate) struct BriefItem {
    /// Id of the brief.
    id: String,
    /// Its headline.
    headline: String,
    /// Its confidence, 0 to 1.
    confidence: f64,
    /// How well it fits the claim, 0 to 1.
    relevance: f64,
}

/// The briefs of the passages on one side, each once.
pub(crate) fn briefs(finding: &Finding, position: Position) -> Vec<BriefItem> {
    let mut found: Vec<&BriefAbout> = Vec::new();
    for evidence in finding.on(position) {
        if let Some(brief) = &evidence.passage.brief
            && !found.iter().any(|other| other.id == brief.id)
        {
            found.push(brief);
        }
    }
    found
        .into_iter()
        .map(|brief| BriefItem {
            id: brief.id.clone(),
            headline: brief.headline.clone(),
            confidence: brief.confidence,
            relevance: brief.relevance,
        })
        .collect()
}

/// A passage, cut at a word where it is long.
pub(crate) fn shortened(text: &str) -> String {
    if text.chars().count() <= SNIPPET {
        return text.to_owned();
    }
    let end = text
        .char_indices()
        .nth(SNIPPET - 1)
        .map_or(text.len(), |(at, _)| at);
    let cut = text[..end].rfind(' ').unwrap_or(end);
    format!("{}…", &text[..cut])
}

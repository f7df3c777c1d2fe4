//! What responses about claims have in common.

use analysis::verification::{BriefAbout, Evidence, Finding, LiveSearch, LookAhead};
use serde::Serialize;
use utoipa::ToSchema;
use verify::verdict::{Breakdown, Position};

/// Maximum number of characters quoted from a passage.
const SNIPPET: usize = 400;

/// The components of a confidence, each from 0 to 1.
#[derive(Serialize, ToSchema)]
pub(crate) struct ConfidenceBreakdown {
    /// How far the sources that take a side agree with each other, weighted by trust.
    source_agreement: f64,
    /// Mean trust of the sources that take a side.
    source_quality: f64,
    /// How recent the newest of these sources is: 1 for today, halved every 180 days.
    recency: f64,
    /// Number of independent sources on the side of the verdict, on a saturating scale: 0.5 for one, 0.75 for two.
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

/// A passage and its position on the claim.
#[derive(Serialize, ToSchema)]
pub(crate) struct EvidenceItem {
    /// Outlet, document or data series.
    source: String,
    /// `supports`, `contradicts` or `neutral`.
    position: &'static str,
    /// The text of the passage, at most 400 characters.
    snippet: String,
    /// Where the passage can be read. Null if it has no address.
    #[schema(required)]
    url: Option<String>,
    /// When it was published. Null if that is not known.
    #[schema(required, format = "date-time")]
    published: Option<String>,
    /// `corpus`, `live`, `data`, `knowledge` or `memory`.
    kind: &'static str,
    /// How clearly it takes its position, from 0 to 1.
    strength: f64,
    /// Id of the brief that it belongs to. Null if there is none.
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

/// What a live web search found.
#[derive(Serialize, ToSchema)]
pub(crate) struct WebSources {
    /// Pages that support the claim, one for each independent source.
    supporting: Vec<WebSource>,
    /// Pages that contradict the claim.
    contradicting: Vec<WebSource>,
    /// Number of pages that the search found and that were examined.
    total: usize,
}

/// A web page that takes a side.
#[derive(Serialize, ToSchema)]
pub(crate) struct WebSource {
    /// Title of the page.
    title: String,
    /// Address of the page.
    url: String,
    /// When it was published. Null if that is not known.
    #[schema(required, format = "date-time")]
    published: Option<String>,
}

impl WebSources {
    /// The web sources of a finding for which the live web was searched.
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

/// Information that a claim uses although it could not be known yet.
#[derive(Serialize, ToSchema)]
#[schema(as = LookAhead)]
pub(crate) struct LookAheadBody {
    /// The end of the day of the decision that the claim describes.
    #[schema(format = "date-time")]
    as_of: String,
    /// When the deciding information became known.
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

/// Where the evidence for a finding comes from.
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
    /// Headline of the brief.
    headline: String,
    /// Confidence of the brief, from 0 to 1.
    confidence: f64,
    /// How relevant it is to the claim, from 0 to 1.
    relevance: f64,
}

/// The briefs behind the passages on one side, each once.
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

/// A passage, cut at a word boundary if it is long.
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

//! What was found about a claim.

use model::{Brief, Timestamp};
use serde::{Deserialize, Serialize};
use text::statement::proposition::Proposition;
use verify::claim::Claim;
use verify::stance::Stance;
use verify::verdict::{Assessment, Position, Verdict, Witness};

use super::Passage;

/// Passages in an answer.
const SHOWN: usize = 12;

/// What kind of source a passage is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceKind {
    /// The stored news.
    Corpus,
    /// A page that was just looked up.
    Live,
    /// Stored market or economic data.
    Data,
    /// A document of the caller.
    Knowledge,
    /// A memory of the caller's agent.
    Memory,
}

impl SourceKind {
    /// The word of the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Corpus => "corpus",
            Self::Live => "live",
            Self::Data => "data",
            Self::Knowledge => "knowledge",
            Self::Memory => "memory",
        }
    }
}

/// The brief of a passage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BriefAbout {
    /// Identity for people.
    pub id: String,
    /// Its headline.
    pub headline: String,
    /// Its confidence.
    pub confidence: f64,
    /// How well it fits the claim, 0 to 1, by the search.
    pub relevance: f64,
}

impl BriefAbout {
    pub(super) fn new(brief: &Brief, relevance: f64) -> Self {
        Self {
            id: brief.public_id.to_string(),
            headline: brief.headline.clone(),
            confidence: brief.confidence.score.get(),
            relevance: relevance.clamp(0.0, 1.0),
        }
    }
}

/// A passage and what it says of the claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// The passage.
    pub passage: Passage,
    /// What it says.
    pub stance: Stance,
    /// On which side it is.
    pub position: Position,
}

/// What became of a live web search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LiveSearch {
    /// There was none.
    #[default]
    NotAsked,
    /// It brought so many results, perhaps none; all of them were looked at.
    Answered {
        /// How many.
        results: usize,
    },
    /// No service answered it.
    Blocked,
}

/// What was found about a claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The claim.
    pub claim: Claim,
    /// What the evidence comes to.
    pub assessment: Assessment,
    /// The clearest passage of each source, those on the side of the verdict first.
    pub evidence: Vec<Evidence>,
    /// Independent sources that were compared with the claim.
    pub sources_analyzed: usize,
    /// What became of a live web search.
    pub live: LiveSearch,
    /// Every passage that was compared, as it was found.
    pub(super) passages: Vec<Passage>,
    /// By which point in time evidence was old or new.
    pub(super) judged_at: Timestamp,
}

impl Finding {
    /// A claim that evidence cannot decide.
    pub(super) fn not_checkable(claim: &Claim) -> Self {
        Self {
            claim: claim.clone(),
            assessment: Assessment::not_checkable(),
            evidence: Vec::new(),
            sources_analyzed: 0,
            live: LiveSearch::NotAsked,
            passages: Vec::new(),
            judged_at: Timestamp::from_ms(0),
        }
    }

    /// A claim that stored figures decide, or leave open.
    pub(super) fn of_data(
        claim: &Claim,
        assessment: Assessment,
        evidence: Evidence,
        now: Timestamp,
    ) -> Self {
        Self {
            claim: claim.clone(),
            assessment,
            evidence: vec![evidence],
            sources_analyzed: 1,
            live: LiveSearch::NotAsked,
            passages: Vec::new(),
            judged_at: now,
        }
    }

    /// Whether stored figures were asked, not news.
    pub fn is_of_data(&self) -> bool {
        self.evidence
            .first()
            .is_some_and(|evidence| evidence.passage.kind == SourceKind::Data)
    }

    /// Compares passages with a claim.
    pub fn of(claim: &Claim, passages: Vec<Passage>, now: Timestamp) -> Self {
        let read = Proposition::parse(&claim.text);
        let compared = passages.clone();
        let mut origins: Vec<String> = Vec::new();
        let mut evidence: Vec<(Witness, Evidence)> = passages
            .into_iter()
            .map(|passage| {
                let stance = Stance::of_passage(&read, &passage.title, &passage.text);
                let place = origins
                    .iter()
                    .position(|origin| *origin == passage.origin)
                    .unwrap_or_else(|| {
                        origins.push(passage.origin.clone());
                        origins.len() - 1
                    });
                let witness = Witness {
                    stance,
                    source: place,
                    trust: passage.trust,
                    age_days: passage
                        .published_at
                        .map_or(0.0, |at| now.since_ms(at) as f64 / Timestamp::DAY_MS as f64),
                };
                let position = witness.position();
                (
                    witness,
                    Evidence {
                        passage,
                        stance,
                        position,
                    },
                )
            })
            .collect();
        let witnesses: Vec<Witness> = evidence.iter().map(|(witness, _)| *witness).collect();
        let assessment = Assessment::of(&witnesses);
        let wanted = match assessment.verdict {
            Verdict::Contradicted => Position::Contradicts,
            _ => Position::Supports,
        };
        let clearness = |stance: &Stance| stance.supports.max(stance.contradicts);
        evidence.sort_by(|(_, left), (_, right)| {
            let rank = |evidence: &Evidence| match evidence.position {
                position if position == wanted => 0,
                Position::Neutral => 2,
                _ => 1,
            };
            rank(left)
                .cmp(&rank(right))
                .then(clearness(&right.stance).total_cmp(&clearness(&left.stance)))
        });
        let mut shown: Vec<(usize, Evidence)> = Vec::new();
        for (witness, evidence) in evidence {
            if shown.len() < SHOWN && shown.iter().all(|(source, _)| *source != witness.source) {
                shown.push((witness.source, evidence));
            }
        }
        Self {
            claim: claim.clone(),
            assessment,
            evidence: shown.into_iter().map(|(_, evidence)| evidence).collect(),
            sources_analyzed: origins.len(),
            live: LiveSearch::NotAsked,
            passages: compared,
            judged_at: now,
        }
    }

    /// The evidence on one side.
    pub fn on(&self, position: Position) -> impl Iterator<Item = &Evidence> {
        self.evidence
            .iter()
            .filter(move |evidence| evidence.position == position)
    }
}

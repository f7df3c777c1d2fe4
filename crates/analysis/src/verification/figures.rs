//! What stored figures say about a claim, as a finding.

use model::{Timestamp, TrustLevel};
use verify::claim::Claim;
use verify::stance::Stance;
use verify::verdict::{Assessment, Breakdown, Position, Reason, Verdict};

use super::answer::{Evidence, Finding, SourceKind};
use super::evidence::Passage;
use super::sentences::Words;
use crate::claims::{self, FigureFinding};

/// How often a verdict from figures is right: 174 of 185 on claims that led to no fixes (docs/quality.md).
const RIGHT: f64 = 0.94;

impl Finding {
    /// The finding for a claim about a figure.
    pub fn of_figures(claim: &Claim, found: &FigureFinding, now: Timestamp) -> Self {
        let (verdict, reason, position) = match found.verdict {
            claims::Verdict::Supported => (Verdict::Supported, None, Position::Supports),
            claims::Verdict::Contradicted => (Verdict::Contradicted, None, Position::Contradicts),
            claims::Verdict::Unverifiable(reason) => (
                Verdict::Unverifiable,
                Some(written(reason)),
                Position::Neutral,
            ),
        };
        let share = |wanted| if position == wanted { 1.0 } else { 0.0 };
        let passage = Passage {
            kind: SourceKind::Data,
            name: found
                .source
                .clone()
                .unwrap_or_else(|| "stored data".to_owned()),
            url: found.url.clone(),
            origin: found.source.clone().unwrap_or_default(),
            trust: TrustLevel::High,
            published_at: found.known_at,
            brief: None,
            title: found.reading.clone(),
            text: found.statement.clone(),
        };
        let evidence = Evidence {
            quote: passage.quote(&Words::of(&claim.text)),
            passage,
            stance: Stance {
                supports: share(Position::Supports),
                contradicts: share(Position::Contradicts),
                neutral: share(Position::Neutral),
            },
            position,
            is_overtaken: false,
        };
        let is_decided = verdict != Verdict::Unverifiable;
        let mut finding = Self::of_data(
            claim,
            Assessment {
                verdict,
                reason,
                confidence: if is_decided { RIGHT } else { 0.0 },
                breakdown: if is_decided {
                    Breakdown {
                        source_agreement: 1.0,
                        source_quality: 1.0,
                        recency: 1.0,
                        corroboration_depth: 0.5,
                    }
                } else {
                    Breakdown::default()
                },
            },
            evidence,
            now,
        );
        finding.is_known_at_reckoned = found.is_known_at_reckoned;
        finding.symbols.clone_from(&found.symbols);
        finding
    }
}

const fn written(reason: claims::Reason) -> Reason {
    match reason {
        claims::Reason::NoEvidence => Reason::NoEvidence,
        claims::Reason::Stale => Reason::Stale,
        claims::Reason::Conflicting => Reason::Conflicting,
        claims::Reason::NotCheckable => Reason::NotCheckable,
    }
}

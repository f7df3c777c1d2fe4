//! Puts a finding into sentences.

use model::Timestamp;
use verify::verdict::{Position, Reason, Verdict};

use super::answer::{Evidence, Finding, LiveSearch, SourceKind};
use crate::sentences::quoted;

/// The number of outlets that a summary names.
const NAMED: usize = 3;
/// Below these values, a part of the confidence deserves a remark.
const OLD: f64 = 0.25;
const POOR: f64 = 0.7;

impl Finding {
    /// What was found, in one or two sentences.
    pub fn summary(&self) -> String {
        let assessment = &self.assessment;
        if self.is_of_data() {
            return self.of_figure();
        }
        match assessment.verdict {
            Verdict::Supported => self.taken_side(
                Position::Supports,
                "support this claim",
                "supports this claim",
            ),
            Verdict::Contradicted => self.taken_side(
                Position::Contradicts,
                "contradict this claim",
                "contradicts this claim",
            ),
            Verdict::PartiallySupported => self.taken_side(
                Position::Supports,
                "support a part of this claim",
                "supports a part of this claim",
            ),
            Verdict::Unverifiable => self.open(assessment.reason),
        }
    }

    /// What the stored figures are, and how the claim was read.
    fn of_figure(&self) -> String {
        let Some(passage) = self.evidence.first().map(|evidence| &evidence.passage) else {
            return String::new();
        };
        // Most sentences already say it in brackets.
        let is_said = passage.text.contains(&format!("({})", passage.title));
        if passage.title.is_empty() || is_said {
            return passage.text.clone();
        }
        format!("{} Read as: {}.", passage.text, passage.title)
    }

    fn taken_side(&self, position: Position, many: &str, one: &str) -> String {
        let side: Vec<&Evidence> = self.on(position).collect();
        let Some(first) = side.first() else {
            return "This follows from several passages together.".to_owned();
        };
        let says = match first.passage.published_at {
            Some(at) => format!(
                "{}, {}: {}",
                first.passage.name,
                day(at),
                quoted(&first.quote)
            ),
            None => format!("{}: {}", first.passage.name, quoted(&first.quote)),
        };
        if side.len() == 1 {
            return format!("One source {one}. {says}.");
        }
        let mut names: Vec<&str> = Vec::new();
        for evidence in &side {
            if !names.contains(&evidence.passage.name.as_str()) {
                names.push(&evidence.passage.name);
            }
        }
        let others = names.len().saturating_sub(NAMED);
        names.truncate(NAMED);
        let named = listed(&names, others);
        format!(
            "{} independent sources {many}: {named}. {says}.",
            side.len()
        )
    }

    fn open(&self, reason: Option<Reason>) -> String {
        match reason {
            Some(Reason::NotCheckable) => self
                .claim
                .unchecked
                .map_or("A statement of this kind cannot be checked against evidence.", |why| {
                    why.sentence()
                })
                .to_owned(),
            Some(Reason::Conflicting) => {
                let count = |position| self.on(position).count();
                format!(
                    "Sources of similar weight disagree: {} for this claim, {} against it.",
                    count(Position::Supports),
                    count(Position::Contradicts)
                )
            }
            Some(Reason::SourceBlocked) if self.live == LiveSearch::Blocked => {
                "The stored news does not settle this claim, and no service answered a live web search."
                    .to_owned()
            }
            Some(Reason::SourceBlocked) => {
                "A source that could settle this claim could not be reached.".to_owned()
            }
            Some(Reason::Stale) => {
                "The stored evidence is too old to settle this claim.".to_owned()
            }
            // Clear enough to be shown on one side, but not for a verdict.
            _ if self.on(Position::Contradicts).next().is_some() => {
                "What was found speaks against this claim, but not clearly enough to settle it.".to_owned()
            }
            _ if self.on(Position::Supports).next().is_some() => {
                "What was found speaks for this claim, but not clearly enough to settle it.".to_owned()
            }
            _ if matches!(self.live, LiveSearch::Answered { .. }) => {
                "Neither the stored news nor the results of a live web search state or contradict this claim."
                    .to_owned()
            }
            _ if self.sources_analyzed == 0 => "No stored source covers this claim.".to_owned(),
            _ => match self.sources_analyzed {
                1 => "One stored source covers the same subject, but neither states nor contradicts this claim.".to_owned(),
                count => format!(
                    "{count} stored sources cover the same subject, but none of them states or contradicts this claim."
                ),
            },
        }
    }

    /// What the evidence says instead of the contradicted claim, with its source.
    pub fn correction(&self) -> Option<String> {
        if self.assessment.verdict != Verdict::Contradicted {
            return None;
        }
        let first = self.on(Position::Contradicts).next()?;
        if self.is_of_data() {
            return Some(format!("{} ({})", first.passage.text, first.passage.name));
        }
        let said = quoted(&first.quote);
        Some(match first.passage.published_at {
            Some(at) => format!("{} reports on {}: {said}.", first.passage.name, day(at)),
            None => format!("{}: {said}.", first.passage.name),
        })
    }

    /// What a reader should bear in mind; always a sentence.
    pub fn nuances(&self) -> String {
        let mut notes: Vec<String> = Vec::new();
        notes.extend(self.look_ahead.map(|ahead| ahead.sentence()));
        if self.is_of_data() {
            notes.push("The verdict rests on stored figures as known at the time; later revisions may differ.".to_owned());
            return notes.join(" ");
        }
        let breakdown = &self.assessment.breakdown;
        let (supporting, contradicting) = (
            self.on(Position::Supports).count(),
            self.on(Position::Contradicts).count(),
        );
        match self.assessment.verdict {
            Verdict::Supported if contradicting > 0 => notes.push(format!(
                "{} {} the claim.",
                plural(contradicting, "source", "sources"),
                if contradicting == 1 {
                    "contradicts"
                } else {
                    "contradict"
                }
            )),
            Verdict::Contradicted if supporting > 0 => notes.push(format!(
                "{} {} the claim.",
                plural(supporting, "source", "sources"),
                if supporting == 1 {
                    "supports"
                } else {
                    "support"
                }
            )),
            _ => {}
        }
        if let Some(untold) = &self.untold {
            notes.push(format!("Not confirmed by the sources: {untold}."));
        }
        notes.extend(self.overtaken());
        if self.assessment.verdict != Verdict::Unverifiable {
            if supporting + contradicting == 1 {
                notes.push("Only one independent source reports it.".to_owned());
            }
            if self.rests_on_live() {
                notes.push(
                    "Results of a live web search are compared by what the search quotes of them, not by the whole pages."
                        .to_owned(),
                );
            }
            if breakdown.recency < OLD {
                notes.push("The newest source is more than a year old.".to_owned());
            }
            if breakdown.source_quality < POOR {
                notes.push("The sources have no established record of reliability.".to_owned());
            }
        }
        if notes.is_empty() {
            notes.push(match self.assessment.verdict {
                Verdict::Unverifiable => {
                    "A lack of evidence does not make a claim false.".to_owned()
                }
                _ => {
                    "The verdict rests on what the sources report; what they leave out is not taken into account."
                        .to_owned()
                }
            });
        }
        notes.join(" ")
    }

    /// Says that later reports replaced earlier ones.
    fn overtaken(&self) -> Option<String> {
        let overtaken: Vec<&Evidence> = self
            .evidence
            .iter()
            .filter(|evidence| evidence.is_overtaken)
            .collect();
        let first = overtaken.first()?;
        let names = match overtaken.len() {
            1 => first.passage.name.clone(),
            count => format!(
                "{} and {}",
                first.passage.name,
                plural(count - 1, "other", "others")
            ),
        };
        Some(format!(
            "What {names} reported earlier is overtaken by later reports and does not count."
        ))
    }

    /// Whether a live search result takes a side.
    fn rests_on_live(&self) -> bool {
        self.evidence.iter().any(|evidence| {
            evidence.position != Position::Neutral && evidence.passage.kind == SourceKind::Live
        })
    }
}

fn day(at: Timestamp) -> String {
    at.date()
}

fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn listed(names: &[&str], others: usize) -> String {
    match (names, others) {
        (names, others) if others > 0 => {
            format!(
                "{} and {}",
                names.join(", "),
                plural(others, "other", "others")
            )
        }
        ([one], _) => (*one).to_owned(),
        ([before @ .., last], _) => format!("{} and {last}", before.join(", ")),
        ([], _) => String::new(),
    }
}

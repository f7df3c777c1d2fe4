//! The figures given by the sources on a topic.

use model::{DataPointKind, Timestamp};

use super::material::Material;
use crate::terms::{coverage, terms};

/// The number of facts that are listed.
const FACTS: usize = 10;

/// A figure from a source.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyFact {
    /// As printed, such as `$4.2 billion`.
    pub value: String,
    /// What it says, and about whom.
    pub context: String,
    /// What it measures.
    pub kind: DataPointKind,
    /// Public id of the brief.
    pub brief_id: String,
    /// When the brief was published.
    pub published_at: Timestamp,
}

/// The figures that say most about the topic, each listed once.
pub(super) fn read(material: &Material) -> Vec<KeyFact> {
    let mut rated = Vec::new();
    for relevant in &material.briefs {
        let brief = &relevant.stored.brief;
        for (place, point) in brief.data_points.iter().enumerate() {
            let named = coverage(&material.words, &terms(&point.context));
            let measured = if point.measure.is_some() { 0.3 } else { 0.0 };
            let weight = relevant.relevance * (0.3 + named + measured) / (1.0 + place as f64 * 0.1);
            rated.push((weight, point, brief));
        }
    }
    rated.sort_by(|left, right| right.0.total_cmp(&left.0));
    let mut facts: Vec<KeyFact> = Vec::new();
    for (_, point, brief) in rated {
        let is_used = facts
            .iter()
            .any(|fact| fact.value == point.printed || fact.context == point.context);
        if !is_used {
            facts.push(KeyFact {
                value: point.printed.clone(),
                context: point.context.clone(),
                kind: point.kind,
                brief_id: brief.public_id.to_string(),
                published_at: brief.published_at,
            });
        }
        if facts.len() == FACTS {
            break;
        }
    }
    facts
}

//! Who and what a topic involves, and who is named together with whom.

use std::collections::HashMap;

use model::{Brief, EntityKind, EntityMention};
use text::entities::naming;

use super::material::Material;
use super::sentiment::OverallSentiment;

/// The number of entities and relationships that are listed.
const ENTITIES: usize = 12;
const RELATIONSHIPS: usize = 15;

/// Somebody or something that the topic involves.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyEntity {
    /// Canonical name.
    pub name: String,
    /// What kind of thing it is.
    pub kind: EntityKind,
    /// Exchange symbol.
    pub ticker: Option<String>,
    /// How often the sources of these briefs name it.
    pub mentions: u64,
    /// Briefs that name it.
    pub briefs: usize,
    /// Sentiment of the sentences that name it.
    pub sentiment: OverallSentiment,
}

/// Two entities that are named together.
#[derive(Clone, Debug, PartialEq)]
pub struct Relationship {
    /// The one named by more briefs.
    pub from: String,
    /// The other one.
    pub to: String,
    /// The number of briefs that name both, divided by the geometric mean of the numbers that name each; 0 to 1.
    pub strength: f64,
    /// Briefs that name both.
    pub briefs: usize,
}

/// What the briefs on a topic say about one entity.
struct Sum {
    first: usize,
    kind: EntityKind,
    ticker: Option<String>,
    mentions: u64,
    weight: f64,
    briefs: Vec<usize>,
    sentiments: Vec<(f64, f64)>,
}

/// The entities of the topic, most important first, and their relationships, strongest first.
pub(super) fn read(material: &Material) -> (Vec<KeyEntity>, Vec<Relationship>) {
    let mut sums: HashMap<String, (&str, Sum)> = HashMap::new();
    for (place, relevant) in material.briefs.iter().enumerate() {
        let brief = &relevant.stored.brief;
        for (entity, named) in brief.entities.iter().zip(whole_names(brief)) {
            let count = sums.len();
            let (_, sum) = sums.entry(naming::folded(&named.name)).or_insert_with(|| {
                let sum = Sum {
                    first: count,
                    kind: named.kind,
                    ticker: named.ticker.clone(),
                    mentions: 0,
                    weight: 0.0,
                    briefs: Vec::new(),
                    sentiments: Vec::new(),
                };
                (named.name.as_str(), sum)
            });
            sum.mentions += u64::from(entity.mentions);
            sum.weight += relevant.relevance * f64::from(entity.mentions).sqrt();
            if sum.briefs.last() != Some(&place) {
                sum.briefs.push(place);
            }
            sum.sentiments
                .push((entity.sentiment.get(), f64::from(entity.mentions)));
        }
    }
    let mut ranked: Vec<(&str, Sum)> = sums.into_values().collect();
    ranked.sort_by(|(_, left), (_, right)| {
        right
            .weight
            .total_cmp(&left.weight)
            .then(left.first.cmp(&right.first))
    });
    ranked.truncate(ENTITIES);
    let entities = ranked
        .iter()
        .map(|(name, sum)| KeyEntity {
            name: (*name).to_owned(),
            kind: sum.kind,
            ticker: sum.ticker.clone(),
            mentions: sum.mentions,
            briefs: sum.briefs.len(),
            sentiment: OverallSentiment::of(&sum.sentiments),
        })
        .collect();
    // A single brief that names both proves a relationship only if there are hardly any other briefs.
    let least = if material.briefs.len() > 3 { 2 } else { 1 };
    let mut relationships = Vec::new();
    for (place, (name, sum)) in ranked.iter().enumerate() {
        for (other_name, other) in &ranked[..place] {
            let both = sum
                .briefs
                .iter()
                .filter(|brief| other.briefs.contains(brief))
                .count();
            if both < least {
                continue;
            }
            let (from, to) = if other.briefs.len() >= sum.briefs.len() {
                (other_name, name)
            } else {
                (name, other_name)
            };
            relationships.push(Relationship {
                from: (*from).to_owned(),
                to: (*to).to_owned(),
                strength: both as f64 / ((sum.briefs.len() * other.briefs.len()) as f64).sqrt(),
                briefs: both,
            });
        }
    }
    relationships.sort_by(|left, right| {
        (right.strength * right.briefs as f64).total_cmp(&(left.strength * left.briefs as f64))
    });
    relationships.truncate(RELATIONSHIPS);
    (entities, relationships)
}

/// For each entity in a brief, the entity whose name it goes by there. The briefs on a topic come from several
/// stories: the `Smith` in one is not the `Jane Smith` in another.
fn whole_names(brief: &Brief) -> Vec<&EntityMention> {
    let entities: Vec<&EntityMention> = brief.entities.iter().collect();
    let are_two = |short: &str, long: &str| {
        let mut events = brief.events.iter();
        let mut sentences = brief.sentences.iter();
        events.any(|event| naming::are_parties(event, short, long))
            || sentences.any(|sentence| naming::is_named_beside(&sentence.text, short, long))
    };
    let stands_for = naming::one_by_one(&entities, are_two);
    let meant = stands_for.into_iter().enumerate();
    meant
        .map(|(at, for_it)| entities[for_it.unwrap_or(at)])
        .collect()
}

//! Who and what a topic involves, and who is named together.

use std::collections::HashMap;

use model::{EntityKind, EntityMention, EntityRole, Score};
use text::entities::naming;

use super::material::Material;
use super::sentiment::OverallSentiment;

/// How many entities and relationships are listed.
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
    /// Tone of the sentences that name it.
    pub sentiment: OverallSentiment,
}

/// Two entities that are named together.
#[derive(Clone, Debug, PartialEq)]
pub struct Relationship {
    /// The one that more briefs name.
    pub from: String,
    /// The other one.
    pub to: String,
    /// Briefs that name both, by the geometric mean of those that name each; 0 to 1.
    pub strength: f64,
    /// Briefs that name both.
    pub briefs: usize,
}

/// What the briefs of a topic say of one entity.
struct Sum {
    first: usize,
    kind: EntityKind,
    ticker: Option<String>,
    mentions: u64,
    weight: f64,
    briefs: Vec<usize>,
    sentiments: Vec<(f64, f64)>,
}

impl Sum {
    /// Adds what is said of the same entity under another name.
    fn join(&mut self, other: Self) {
        self.mentions += other.mentions;
        self.weight += other.weight;
        self.briefs.extend(other.briefs);
        self.briefs.sort_unstable();
        self.briefs.dedup();
        self.sentiments.extend(other.sentiments);
        if self.ticker.is_none() {
            self.ticker = other.ticker;
        }
    }
}

/// The entities of the topic, most important first, and their relationships, strongest first.
pub(super) fn read(material: &Material) -> (Vec<KeyEntity>, Vec<Relationship>) {
    let mut sums: HashMap<&str, Sum> = HashMap::new();
    for (place, relevant) in material.briefs.iter().enumerate() {
        for entity in &relevant.stored.brief.entities {
            let count = sums.len();
            let sum = sums.entry(entity.name.as_str()).or_insert_with(|| Sum {
                first: count,
                kind: entity.kind,
                ticker: entity.ticker.clone(),
                mentions: 0,
                weight: 0.0,
                briefs: Vec::new(),
                sentiments: Vec::new(),
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
    let mut named: Vec<(&str, Sum)> = sums.into_iter().collect();
    named.sort_by_key(|(_, sum)| sum.first);
    let mentions: Vec<EntityMention> = named
        .iter()
        .map(|(name, sum)| EntityMention {
            name: (*name).to_owned(),
            kind: sum.kind,
            ticker: sum.ticker.clone(),
            role: EntityRole::Related,
            mentions: u32::try_from(sum.mentions).unwrap_or(u32::MAX),
            sentiment: Score::NEUTRAL,
        })
        .collect();
    // One brief has the surname, another one the whole name.
    let stands_for = naming::one_by_one(&mentions.iter().collect::<Vec<_>>());
    let mut kept: Vec<Option<(&str, Sum)>> = named.into_iter().map(Some).collect();
    for (at, for_it) in stands_for.into_iter().enumerate() {
        let Some(for_it) = for_it else { continue };
        if let Some((_, other)) = kept[at].take()
            && let Some((_, sum)) = &mut kept[for_it]
        {
            sum.join(other);
        }
    }
    let mut ranked: Vec<(&str, Sum)> = kept.into_iter().flatten().collect();
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
    // One brief that names two proves a relationship only where there is hardly more than one.
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

//! The combined annotations of the members.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use model::{Category, EntityMention, EntityRole, Score};
use rustc_hash::FxHashMap;

use super::Member;
use super::renamed::Renamed;
use super::voices::Voices;
use crate::entities::naming;
use crate::sentence;

/// How many entities and tags a brief carries.
const ENTITIES: usize = 25;
const TAGS: usize = 8;

/// The category that most voices give, weighted by their trust.
pub(super) fn category(members: &[Member<'_>], voices: &Voices) -> Category {
    let mut weights: BTreeMap<Category, (f64, Reverse<usize>)> = BTreeMap::new();
    for (order, &leader) in voices.leaders.iter().enumerate() {
        let slot = weights
            .entry(members[leader].annotations.category)
            .or_insert((0.0, Reverse(order)));
        slot.0 += 0.5 + members[leader].trust.weight();
    }
    weights
        .into_iter()
        .max_by(|left, right| {
            left.1
                .0
                .total_cmp(&right.1.0)
                .then(left.1.1.cmp(&right.1.1))
        })
        .map_or(Category::World, |(category, _)| category)
}

/// The language of most voices, with known languages before unknown.
pub(super) fn language(members: &[Member<'_>], voices: &Voices) -> String {
    let mut counts: Vec<(&str, f64)> = Vec::new();
    for &leader in &voices.leaders {
        let language = members[leader].annotations.language.as_str();
        let weight = if language == "und" || language.is_empty() {
            0.01
        } else {
            0.5 + members[leader].trust.weight()
        };
        match counts.iter_mut().find(|(known, _)| *known == language) {
            Some((_, sum)) => *sum += weight,
            None => counts.push((language, weight)),
        }
    }
    let mut best: Option<(&str, f64)> = None;
    for (language, weight) in counts {
        if best.is_none_or(|(_, highest)| weight > highest) {
            best = Some((language, weight));
        }
    }
    best.map(|(language, _)| language)
        .filter(|language| !language.is_empty())
        .unwrap_or("und")
        .to_owned()
}

/// The mean sentiment of the voices.
pub(super) fn sentiment(members: &[Member<'_>], voices: &Voices) -> Score {
    let (mut sum, mut weights) = (0.0, 0.0);
    for &leader in &voices.leaders {
        let weight = 0.5 + members[leader].trust.weight();
        sum += members[leader].annotations.sentiment.get() * weight;
        weights += weight;
    }
    if weights > 0.0 {
        Score::clamped(sum / weights)
    } else {
        Score::NEUTRAL
    }
}

/// The tags that most voices in the story's language carry, earlier ones first.
pub(super) fn tags(members: &[Member<'_>], voices: &Voices, language: &str) -> Vec<String> {
    let mut scores: Vec<(&str, f64)> = Vec::new();
    let in_language = |leader: &&usize| members[**leader].annotations.language == language;
    let is_any = voices.leaders.iter().any(|leader| in_language(&leader));
    for &leader in voices
        .leaders
        .iter()
        .filter(|leader| !is_any || in_language(leader))
    {
        for (position, tag) in members[leader].annotations.tags.iter().enumerate() {
            let score = 1.0 / (2.0 + position as f64);
            match scores.iter_mut().find(|(known, _)| *known == tag.as_str()) {
                Some((_, sum)) => *sum += score,
                None => scores.push((tag, score)),
            }
        }
    }
    scores.sort_by(|left, right| right.1.total_cmp(&left.1));
    scores
        .into_iter()
        .take(TAGS)
        .map(|(tag, _)| tag.to_owned())
        .collect()
}

/// The entities of all voices: mentions added up, sentiment averaged by mentions, the most important first. If the
/// voices use different names for one entity, it is listed once. `names` records each name that was dropped, with the
/// one that replaces it.
pub(super) fn entities(
    members: &[Member<'_>],
    voices: &Voices,
    names: &mut Renamed,
) -> Vec<EntityMention> {
    let mut merged: Vec<Merged> = Vec::new();
    let mut known: FxHashMap<(String, model::EntityKind), usize> = FxHashMap::default();
    for &leader in &voices.leaders {
        for entity in &members[leader].annotations.entities {
            let key = (naming::folded(&entity.name), entity.kind);
            let index = *known.entry(key).or_insert_with(|| {
                merged.push(Merged::of(entity));
                merged.len() - 1
            });
            if let Some(slot) = merged.get_mut(index) {
                if slot.entity.name != entity.name {
                    names.note(&entity.name, &slot.entity.name);
                }
                slot.add(entity, leader);
            }
        }
    }
    let named: Vec<&EntityMention> = merged.iter().map(|slot| &slot.entity).collect();
    let stands_for =
        naming::one_by_one(&named, |short, long| are_two(members, voices, short, long));
    for (at, for_it) in stands_for.into_iter().enumerate() {
        let Some(for_it) = for_it else { continue };
        names.note(&merged[at].entity.name, &merged[for_it].entity.name);
        let other = merged[at].take();
        merged[for_it].join(other);
    }
    merged.retain(|slot| !slot.voices.is_empty());
    for slot in &mut merged {
        slot.entity.sentiment = Score::clamped(slot.sentiment / slot.weight.max(1.0));
        // If only one voice of many has it as a subject, it is not what the story is about.
        if slot.entity.role == EntityRole::Subject && slot.voices.len() * 3 < voices.count() {
            slot.entity.role = EntityRole::Related;
        }
    }
    merged.sort_by_key(|slot| {
        (
            slot.entity.role,
            Reverse(slot.voices.len()),
            Reverse(slot.entity.mentions),
        )
    });
    merged
        .into_iter()
        .take(ENTITIES)
        .map(|slot| slot.entity)
        .collect()
}

/// Whether some voice that has both names distinguishes between them.
fn are_two(members: &[Member<'_>], voices: &Voices, short: &str, long: &str) -> bool {
    voices.leaders.iter().any(|leader| {
        let Member {
            article,
            annotations,
            ..
        } = members[*leader];
        let has = |name: &str| {
            let mut named = annotations.entities.iter();
            named.any(|entity| naming::folded(&entity.name) == naming::folded(name))
        };
        let in_text = |text: &str| {
            let mut sentences = sentence::split(text).into_iter();
            sentences.any(|sentence| naming::is_named_beside(sentence, short, long))
        };
        let mut events = annotations.events.iter();
        has(short)
            && has(long)
            && (events.any(|event| naming::are_parties(event, short, long))
                || [&article.title, &article.description, &article.body]
                    .into_iter()
                    .any(|text| in_text(text)))
    })
}

/// An entity with what the voices say about it.
struct Merged {
    entity: EntityMention,
    voices: Vec<usize>,
    sentiment: f64,
    weight: f64,
}

impl Merged {
    fn of(entity: &EntityMention) -> Self {
        Self {
            entity: EntityMention {
                mentions: 0,
                ..entity.clone()
            },
            voices: Vec::new(),
            sentiment: 0.0,
            weight: 0.0,
        }
    }

    fn add(&mut self, entity: &EntityMention, voice: usize) {
        let weight = f64::from(entity.mentions.max(1));
        self.join(Self {
            entity: entity.clone(),
            voices: vec![voice],
            sentiment: entity.sentiment.get() * weight,
            weight,
        });
    }

    fn take(&mut self) -> Self {
        Self {
            entity: self.entity.clone(),
            voices: std::mem::take(&mut self.voices),
            sentiment: self.sentiment,
            weight: self.weight,
        }
    }

    fn join(&mut self, other: Self) {
        let slot = &mut self.entity;
        slot.mentions = slot.mentions.saturating_add(other.entity.mentions);
        slot.role = slot.role.min(other.entity.role);
        if slot.ticker.is_none() {
            slot.ticker = other.entity.ticker;
        }
        for voice in other.voices {
            if !self.voices.contains(&voice) {
                self.voices.push(voice);
            }
        }
        self.sentiment += other.sentiment;
        self.weight += other.weight;
    }
}

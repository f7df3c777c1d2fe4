//! Statements about simulated stories, paired with passages that say the same in other words, exclude it or leave it
//! open.
//!
//! What a passage does to a statement is known from how both are made: a story's facts have several wordings each, and
//! the slots in a wording say what it tells. A passage that tells every slot of the statement supports it. If one slot
//! of the statement is given another value, or two are swapped, the passage excludes it. A passage about other facts,
//! or about another story, leaves it open.

use model::Timestamp;

use super::cast;
use super::facts::{Facts, Value};
use super::kind::Kind;
use super::outlets::Language;
use super::prose::Scope;
use super::random::Random;
use super::world::World;

/// What a passage does to a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relation {
    /// It states the same.
    Supports,
    /// It states something that cannot be true alongside it.
    Contradicts,
    /// It does neither.
    Open,
}

/// A statement and a passage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementPair {
    /// The kind of story.
    pub kind: String,
    /// The statement.
    pub statement: String,
    /// The headline and one or two sentences below it.
    pub passage: Vec<String>,
    /// When the passage was published.
    pub published: Timestamp,
    /// What the passage does to the statement.
    pub relation: Relation,
}

/// A day in the middle of a week, used as the starting point for stories.
const DAY: i64 = 20_600;

/// Pairs about every kind of story in English, with `rounds` stories of each; the same seed gives the same pairs.
pub fn statement_pairs(seed: u64, rounds: u64) -> Vec<StatementPair> {
    let kinds = World::get()
        .kinds
        .iter()
        .filter(|kind| kind.language == Language::En && !kind.is_of_markets_alone());
    let mut pairs = Vec::new();
    for (place, kind) in kinds.enumerate() {
        for round in 0..rounds {
            let mut random = Random::of(&[seed, place as u64, round]);
            Told::new(kind, random.next()).pairs(&mut random, &mut pairs);
        }
    }
    pairs
}

/// A story of one kind with its values.
struct Told {
    kind: &'static Kind,
    seed: u64,
    facts: Facts,
    day: i64,
}

impl Told {
    fn new(kind: &'static Kind, seed: u64) -> Self {
        let mut told = Self {
            kind,
            seed,
            facts: Facts::default(),
            day: DAY + (seed % 365) as i64,
        };
        told.facts = told.drawn(None);
        told
    }

    fn published(&self) -> Timestamp {
        Timestamp::from_ms(self.day * Timestamp::DAY_MS + 15 * Timestamp::HOUR_MS)
    }

    fn drawn(&self, mistaken: Option<&str>) -> Facts {
        let mut facts = Facts::default();
        facts.draw(&self.kind.slots, self.seed, self.day, mistaken);
        facts
    }

    fn render(&self, template: &str, facts: &Facts, dated: bool, random: &mut Random) -> String {
        Self::render_on(self.day, template, facts, dated, random)
    }

    fn render_on(
        day: i64,
        template: &str,
        facts: &Facts,
        dated: bool,
        random: &mut Random,
    ) -> String {
        let scope = Scope {
            facts,
            day,
            origin: day,
            dated,
            language: Language::En,
            outlet: "The Harbour Post",
        };
        scope.render(template, random)
    }

    /// One pair for each relation, for every fact that has one.
    fn pairs(&self, random: &mut Random, pairs: &mut Vec<StatementPair>) {
        let count = self.kind.facts.len();
        for (place, wordings) in self.kind.facts.iter().enumerate() {
            let Some(own) = random.pick(wordings) else {
                continue;
            };
            let mut below: Vec<&String> = wordings.iter().filter(|other| *other != own).collect();
            // Few outlets use another's exact words.
            if below.is_empty() || random.chance(0.12) {
                below = vec![own];
            }
            let Some(same) = random.pick(&below).copied() else {
                continue;
            };
            let other_fact = |random: &mut Random| {
                let other =
                    (place + 1 + random.below(count.saturating_sub(1).max(1))) % count.max(1);
                self.kind
                    .facts
                    .get(other)
                    .filter(|_| other != place)
                    .and_then(|wordings| random.pick(wordings))
            };
            let beside = other_fact(random);
            self.about(own, Some(same), beside, random, pairs);
            if let Some(elsewhere) = other_fact(random) {
                self.left_open(own, elsewhere, random, pairs);
            }
            self.neighbour(own, same, random, pairs);
        }
        for _ in 0..2 {
            if let (Some(own), Some(other)) = (
                random.pick(&self.kind.lede.plain),
                random.pick(&self.kind.lede.plain),
            ) {
                let fact = self
                    .kind
                    .facts
                    .first()
                    .and_then(|wordings| random.pick(wordings));
                self.about(own, Some(other), fact, random, pairs);
            }
        }
    }

    /// The statement paired with a passage that tells its slots, and its false twin.
    fn about(
        &self,
        own: &str,
        same: Option<&String>,
        beside: Option<&String>,
        random: &mut Random,
        pairs: &mut Vec<StatementPair>,
    ) {
        let head = random.pick(&self.kind.head.plain);
        let mut parts: Vec<&str> = head.into_iter().chain(same).map(String::as_str).collect();
        if let Some(beside) = beside.filter(|_| random.chance(0.4)) {
            let at = 1 + random.below(parts.len());
            parts.insert(at.min(parts.len()), beside);
        }
        let told: Vec<&str> = parts.iter().flat_map(|part| self.slots(part)).collect();
        let wanted = self.slots(own);
        let dated = random.chance(0.3);
        let passage: Vec<String> = parts
            .iter()
            .map(|part| self.render(part, &self.facts, false, random))
            .collect();
        let statement = self.render(own, &self.facts, dated, random);
        let tells_all = wanted.iter().all(|slot| told.contains(slot));
        let kind = &self.kind.tag;
        let pair = |statement: String, passage: Vec<String>, relation| StatementPair {
            kind: kind.clone(),
            statement,
            passage,
            published: self.published(),
            relation,
        };
        let relation = if tells_all {
            Relation::Supports
        } else {
            Relation::Open
        };
        pairs.push(pair(statement.clone(), passage.clone(), relation));
        if tells_all && random.chance(0.35) {
            if let Some(denied) = denied(&statement) {
                pairs.push(pair(denied, passage.clone(), Relation::Contradicts));
            } else if let Some(affirmed) = affirmed(&statement) {
                pairs.push(pair(affirmed, passage.clone(), Relation::Contradicts));
            }
        }
        let shared: Vec<&str> = wanted
            .into_iter()
            .filter(|slot| told.contains(slot))
            .collect();
        for _ in 0..2 {
            let Some(slot) = random.pick(&shared) else {
                continue;
            };
            let Some(facts) = self.mistaken(slot, random) else {
                continue;
            };
            let twin = self.render(own, &facts, dated, random);
            if twin != statement {
                pairs.push(pair(twin, passage.clone(), Relation::Contradicts));
            }
        }
        let names_day = |part: &&str| part.contains("{day}") || part.contains("{date}");
        if dated && names_day(&own) && parts.iter().any(names_day) {
            let away = random.range(2, 20) * if random.chance(0.5) { 1 } else { -1 };
            let twin = Self::render_on(self.day + away, own, &self.facts, true, random);
            pairs.push(pair(twin, passage.clone(), Relation::Contradicts));
        }
        if let Some(facts) = self.turned(&shared, random) {
            let twin = self.render(own, &facts, dated, random);
            if twin != statement {
                pairs.push(pair(twin, passage, Relation::Contradicts));
            }
        }
    }

    /// The statement paired with a passage from the same story about something else.
    fn left_open(
        &self,
        own: &str,
        elsewhere: &str,
        random: &mut Random,
        pairs: &mut Vec<StatementPair>,
    ) {
        let Some(head) = random.pick(&self.kind.head.plain) else {
            return;
        };
        let parts = [head.as_str(), elsewhere];
        let told: Vec<&str> = parts.iter().flat_map(|part| self.slots(part)).collect();
        if self.slots(own).iter().all(|slot| told.contains(slot)) {
            return;
        }
        pairs.push(StatementPair {
            kind: self.kind.tag.clone(),
            statement: self.render(own, &self.facts, random.chance(0.3), random),
            passage: parts
                .iter()
                .map(|part| self.render(part, &self.facts, false, random))
                .collect(),
            published: self.published(),
            relation: Relation::Open,
        });
    }

    /// The statement paired with the same words about another story of its kind.
    fn neighbour(
        &self,
        own: &str,
        same: &str,
        random: &mut Random,
        pairs: &mut Vec<StatementPair>,
    ) {
        let Some(head) = random.pick(&self.kind.head.plain) else {
            return;
        };
        let other = Self::new(self.kind, random.next());
        let slots = self.slots(own);
        let differ = slots
            .iter()
            .filter(|slot| self.facts.get(slot) != other.facts.get(slot))
            .count();
        if differ < 2 || !random.chance(0.5) {
            return;
        }
        pairs.push(StatementPair {
            kind: self.kind.tag.clone(),
            statement: self.render(own, &self.facts, random.chance(0.3), random),
            passage: [head.as_str(), same]
                .iter()
                .map(|part| other.render(part, &other.facts, false, random))
                .collect(),
            published: self.published(),
            relation: Relation::Open,
        });
    }

    /// The slots that a template tells.
    fn slots<'t>(&self, template: &'t str) -> Vec<&'t str> {
        let mut found = Vec::new();
        let mut rest = template;
        while let Some((_, after)) = rest.split_once('{') {
            let Some((reference, tail)) = after.split_once('}') else {
                break;
            };
            let path = reference.trim_start_matches('^');
            let name = path.split('.').next().unwrap_or(path);
            if self.facts.get(name).is_some() && !found.contains(&name) {
                found.push(name);
            }
            rest = tail;
        }
        found
    }

    /// The values with a different one in this slot, close enough to be believed.
    fn mistaken(&self, slot: &str, random: &mut Random) -> Option<Facts> {
        let world = World::get();
        match self.facts.get(slot)? {
            Value::Person(_) => Some(
                self.facts
                    .with(slot, Value::Person(cast::person(world, random))),
            ),
            Value::Company(company) => {
                let others: Vec<_> = world
                    .companies
                    .iter()
                    .filter(|other| other.sector == company.sector && other.name != company.name)
                    .collect();
                let other = random.pick(&others).copied()?;
                Some(self.facts.with(slot, Value::Company(other)))
            }
            right => {
                let name = self.kind.slots.iter().find(|known| known.name == slot)?;
                let drawn = self.drawn(Some(&name.name));
                let wrong = drawn.get(slot).filter(|wrong| *wrong != right)?.clone();
                Some(self.facts.with(slot, wrong))
            }
        }
    }

    /// The values with two people or two companies swapped.
    fn turned(&self, slots: &[&str], random: &mut Random) -> Option<Facts> {
        let alike = |left: &Value, right: &Value| {
            matches!(
                (left, right),
                (Value::Person(_), Value::Person(_)) | (Value::Company(_), Value::Company(_))
            )
        };
        let mut couples = Vec::new();
        for (at, left) in slots.iter().enumerate() {
            for right in &slots[at + 1..] {
                let (here, there) = (self.facts.get(left)?, self.facts.get(right)?);
                if alike(here, there) {
                    couples.push((*left, here, *right, there));
                }
            }
        }
        let (left, here, right, there) = *random.pick(&couples)?;
        Some(
            self.facts
                .with(left, there.clone())
                .with(right, here.clone()),
        )
    }
}

/// Verbs and how English negates them.
const DENIALS: [(&str, &str); 10] = [
    (" is ", " is not "),
    (" are ", " are not "),
    (" was ", " was not "),
    (" were ", " were not "),
    (" will ", " will not "),
    (" has ", " has not "),
    (" have ", " have not "),
    (" can ", " cannot "),
    (" could ", " could not "),
    (" would ", " would not "),
];

/// The statement negated, if its first verb shows how.
fn denied(statement: &str) -> Option<String> {
    if statement.contains(" not ") || statement.contains("n't ") || statement.contains(" no ") {
        return None;
    }
    let (plain, denial) = DENIALS
        .iter()
        .filter_map(|couple| Some((statement.find(couple.0)?, couple)))
        .min_by_key(|(at, _)| *at)?
        .1;
    Some(statement.replacen(plain, denial, 1))
}

/// The statement without its negation.
fn affirmed(statement: &str) -> Option<String> {
    let (plain, denial) = DENIALS
        .iter()
        .find(|(_, denial)| statement.contains(denial))?;
    Some(statement.replacen(denial, plain, 1))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn every_relation_is_there_and_nothing_is_left_unfilled() {
        let pairs = statement_pairs(1, 1);
        let mut counts: BTreeMap<Relation, usize> = BTreeMap::new();
        for pair in &pairs {
            *counts.entry(pair.relation).or_default() += 1;
            for text in pair.passage.iter().chain([&pair.statement]) {
                assert!(!text.contains(['{', '}']), "{text}");
            }
        }
        assert_eq!(counts.len(), 3);
        assert!(
            counts.values().all(|count| *count * 6 > pairs.len()),
            "{counts:?}"
        );
    }

    #[test]
    fn the_same_seed_tells_the_same() {
        assert_eq!(statement_pairs(3, 1), statement_pairs(3, 1));
        assert_ne!(statement_pairs(3, 1), statement_pairs(4, 1));
    }

    #[test]
    fn denials_turn_once() {
        assert_eq!(
            denied("Sales were up and have held.").as_deref(),
            Some("Sales were not up and have held.")
        );
        assert_eq!(denied("It was not so."), None);
        assert_eq!(affirmed("It was not so.").as_deref(), Some("It was so."));
    }
}

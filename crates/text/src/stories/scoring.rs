//! When two articles cover the same story.

use model::{Features, Timestamp};

use crate::features::{self, TEMPLATE};

/// How far apart in time two articles of one story may be.
pub(super) const REACH_MS: i64 = 72 * Timestamp::HOUR_MS;

/// The numbers that decide; one set for headlines and full articles, with and without time.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// A story with at least this score is joined.
    pub threshold: f64,
    /// Weights of the best, second and third member.
    pub ranks: [f64; 3],
    /// How many shared heavy words full evidence needs at once.
    pub evidence: f64,
    /// How many it needs after a day.
    pub evidence_later: f64,
    /// How many it needs where the time is unknown.
    pub evidence_unknown: f64,
    /// How much of a shared word a shared pair takes back: `Elden Ring` is one thing, not two.
    pub pair: f64,
    /// The share of the score that the members at large have, not only the best.
    pub breadth: f64,
    /// How much of what its rivals score is taken from the best story.
    pub rivalry: f64,
    /// A story of one article is joined with this much more.
    pub founding: f64,
    /// What 72 hours take from the score.
    pub fading: f64,
    /// What a template headline leaves of the score.
    pub template: f64,
    /// A term in a larger share of the articles near in time loses weight.
    pub common: f64,
    /// How many articles without the term are imagined beside the real ones, so that few articles prove little.
    pub imagined: f64,
    /// What a copy has in common with its original at least: terms,
    pub copy_cosine: f64,
    /// and wording.
    pub copy_overlap: f64,
    /// How many of an article's terms are posted.
    pub posted: usize,
    /// How many terms of a new article are looked up.
    pub asked: usize,
    /// How many articles a new one is compared with in full.
    pub candidates: usize,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            threshold: 0.15,
            ranks: [0.6, 0.25, 0.15],
            evidence: 1.0,
            evidence_later: 6.0,
            evidence_unknown: 1.5,
            pair: 1.0,
            breadth: 0.5,
            rivalry: 0.6,
            founding: 0.02,
            fading: 0.2,
            template: 0.5,
            common: 0.007,
            imagined: 2000.0,
            copy_cosine: 0.6,
            copy_overlap: 0.5,
            posted: 24,
            asked: 32,
            candidates: 200,
        }
    }
}

/// The terms of an article that is kept, in six bytes each.
#[derive(Debug)]
pub(super) struct Vector {
    terms: Box<[u32]>,
    /// In steps of 1/65535.
    weights: Box<[u16]>,
}

impl Vector {
    pub(super) fn of(features: &Features) -> Self {
        let step = |weight: f32| (weight.clamp(0.0, 1.0) * f32::from(u16::MAX)).round() as u16;
        Self {
            terms: features.terms.iter().map(|(term, _)| *term).collect(),
            weights: features
                .terms
                .iter()
                .map(|(_, weight)| step(*weight))
                .collect(),
        }
    }

    fn iter(&self) -> impl Iterator<Item = (u32, f32)> {
        let weights = self
            .weights
            .iter()
            .map(|weight| f32::from(*weight) / f32::from(u16::MAX));
        self.terms.iter().copied().zip(weights)
    }

    fn is_template(&self) -> bool {
        self.terms.first() == Some(&TEMPLATE)
    }
}

/// A new article as it is compared with others.
pub(super) struct Query {
    /// Its terms, ascending: weight, and what is left of the term because it is common these days.
    pub(super) terms: Vec<(u32, f32, f32)>,
    /// The length of the vector after that.
    length: f64,
    template: bool,
    time: Option<Timestamp>,
}

impl Query {
    /// `frequency` says how many of the `count` articles near in time hold a term.
    pub(super) fn new(
        tuning: &Tuning,
        features: &Features,
        time: Option<Timestamp>,
        count: usize,
        frequency: impl Fn(u32) -> usize,
    ) -> Self {
        let terms: Vec<(u32, f32, f32)> = features
            .terms
            .iter()
            .filter(|term| term.0 != TEMPLATE)
            .map(|(term, weight)| {
                let share = frequency(*term) as f64 / (count as f64 + tuning.imagined);
                let left = if share <= tuning.common {
                    1.0
                } else {
                    (share.ln() / tuning.common.ln()).max(0.05)
                };
                (*term, *weight, left as f32)
            })
            .collect();
        let length = terms
            .iter()
            .map(|(_, weight, left)| f64::from(weight * weight * left))
            .sum::<f64>()
            .sqrt();
        let template = features
            .terms
            .first()
            .is_some_and(|term| term.0 == TEMPLATE);
        Self {
            terms,
            length: length.max(1e-6),
            template,
            time,
        }
    }

    /// How this article compares with another one.
    pub(super) fn compare(
        &self,
        tuning: &Tuning,
        other: &Vector,
        other_time: Option<Timestamp>,
    ) -> Similarity {
        let gap = match (self.time, other_time) {
            (Some(time), Some(other)) => {
                Some(time.since_ms(other).saturating_abs() as f64 / REACH_MS as f64)
            }
            _ => None,
        };
        if gap.is_some_and(|gap| gap > 1.0) {
            return Similarity {
                cosine: 0.0,
                score: 0.0,
            };
        }
        let (mut plain, mut product, mut lost, mut evidence) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
        let mut here = self.terms.as_slice();
        for (term, other) in other.iter() {
            while here.first().is_some_and(|(own, ..)| *own < term) {
                here = &here[1..];
            }
            let Some((_, weight, left)) = here.first().filter(|(own, ..)| *own == term) else {
                continue;
            };
            plain += f64::from(weight * other);
            product += f64::from(weight * other * left);
            // The other's length shrinks by what its common terms lose; only shared ones are known here.
            lost += f64::from(other * other * (1.0 - left));
            // A term is heavy where it carries more than its share of a text of 64 terms.
            let heavy = f64::from((weight.min(other) / 0.125).min(1.0) * left);
            if features::is_word(term) {
                evidence += heavy;
            } else if features::is_pair(term) {
                evidence -= heavy * tuning.pair;
            }
        }
        let cosine = product / (self.length * (1.0 - lost).max(1e-3).sqrt());
        let (needed, faded) = match gap {
            Some(gap) => {
                let day = (gap * 3.0).min(1.0).sqrt();
                let needed = tuning.evidence + (tuning.evidence_later - tuning.evidence) * day;
                (needed, 1.0 - tuning.fading * gap.sqrt())
            }
            None => (tuning.evidence_unknown, 1.0),
        };
        let evidenced = (evidence / needed).clamp(0.0, 1.0);
        let mut score = cosine.min(1.0) * evidenced * faded;
        if self.template || other.is_template() {
            score *= tuning.template;
        }
        Similarity {
            cosine: plain,
            score,
        }
    }

    /// Whether both give heavy numbers that the other does not have: the next issue of a series is worded like this
    /// one, yet no copy of it.
    pub(super) fn counts_otherwise(&self, other: &Vector) -> bool {
        let heavy = |term: &u32, weight: f32| weight >= HEAVY_NUMBER && features::is_number(*term);
        let missing_there = self.terms.iter().any(|(term, weight, _)| {
            heavy(term, *weight) && other.terms.binary_search(term).is_err()
        });
        missing_there
            && other.iter().any(|(term, weight)| {
                heavy(&term, weight) && self.terms.binary_search_by_key(&term, |own| own.0).is_err()
            })
    }
}

/// A number with this weight stands in a headline or all over a short text.
const HEAVY_NUMBER: f32 = 0.1;

/// How two articles compare.
pub(super) struct Similarity {
    /// Of the vectors as they are.
    pub(super) cosine: f64,
    /// Of the vectors without what is common these days, with evidence and time.
    pub(super) score: f64,
}

/// How many members of a story at most should resemble a new article.
const CORE: usize = 8;
/// How many of the next best stories are its rivals.
const RIVALS: usize = 6;

/// The score of a story of `size` articles near in time from its members' similarities, best first.
///
/// Some member that resembles the new article is found in every large story; so that stories do not wander from one
/// subject to the next, half of the score is the mean over the members at large.
pub(super) fn story(tuning: &Tuning, scores: &[f64], size: usize) -> f64 {
    let (mut sum, mut weights) = (0.0, 0.0);
    for (score, rank) in scores.iter().zip(tuning.ranks) {
        sum += score * rank;
        weights += rank;
    }
    let best = if weights > 0.0 { sum / weights } else { 0.0 };
    if size <= 1 {
        return best - tuning.founding;
    }
    let core = size.min(CORE);
    let mean = scores.iter().take(core).sum::<f64>() / core as f64;
    best * (1.0 - tuning.breadth) + mean * tuning.breadth
}

/// What the best story is left with, given the scores of all the others.
///
/// What resembles many stories alike speaks of their topic, a war or a market, rather than of one of their events.
/// Where the time is unknown the rivals are the stories of all times, which says nothing.
pub(super) fn contrasted(
    tuning: &Tuning,
    best: f64,
    mut others: Vec<f64>,
    time: Option<Timestamp>,
) -> f64 {
    if time.is_none() {
        return best;
    }
    others.sort_unstable_by(|left, right| right.total_cmp(left));
    let rivals = others.iter().take(RIVALS).map(|score| score.max(0.0));
    best - tuning.rivalry * rivals.sum::<f64>() / RIVALS as f64
}

/// The heaviest terms of an article.
pub(super) fn heaviest(features: &Features, count: usize) -> Vec<(u32, f32)> {
    let mut terms: Vec<(u32, f32)> = features
        .terms
        .iter()
        .filter(|term| term.0 != TEMPLATE)
        .copied()
        .collect();
    terms.sort_unstable_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
    terms.truncate(count);
    terms
}

//! When two articles tell the same story.

use model::{Features, Timestamp};

use crate::features::TEMPLATE;

/// How far apart in time two articles of one story may be.
pub(super) const REACH_MS: i64 = 72 * Timestamp::HOUR_MS;

/// The numbers that were found by measuring on labelled stories; one set for headlines and full articles.
#[derive(Clone, Debug)]
pub(super) struct Tuning {
    /// A story with at least this score is joined.
    pub(super) threshold: f64,
    /// Weights of the best, second and third member.
    pub(super) ranks: [f64; 3],
    /// How many shared heavy terms full evidence needs.
    pub(super) evidence: f64,
    /// What is left of the score without any evidence.
    pub(super) floor: f64,
    /// What 72 hours take from the score.
    pub(super) fading: f64,
    /// What a template headline takes from the score.
    pub(super) template: f64,
    pub(super) copy_cosine: f64,
    pub(super) copy_overlap: f64,
    pub(super) posted: usize,
    pub(super) asked: usize,
    pub(super) candidates: usize,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            threshold: 0.25,
            ranks: [0.6, 0.25, 0.15],
            evidence: 3.0,
            floor: 0.4,
            fading: 0.2,
            template: 0.5,
            copy_cosine: 0.6,
            copy_overlap: 0.5,
            posted: 24,
            asked: 32,
            candidates: 200,
        }
    }
}

/// How two articles compare.
pub(super) struct Similarity {
    pub(super) cosine: f64,
    pub(super) score: f64,
}

pub(super) fn similarity(
    tuning: &Tuning,
    features: &Features,
    time: Option<Timestamp>,
    terms: &[(u32, f32)],
    other_time: Option<Timestamp>,
) -> Similarity {
    let gap = match (time, other_time) {
        (Some(time), Some(other)) => time.since_ms(other).saturating_abs() as f64 / REACH_MS as f64,
        _ => 0.0,
    };
    if gap > 1.0 {
        return Similarity { cosine: 0.0, score: 0.0 };
    }
    let (mut cosine, mut evidence) = (0.0_f64, 0.0_f64);
    let (mut here, mut there) = (features.terms.as_slice(), terms);
    let template = here.first().is_some_and(|term| term.0 == TEMPLATE) || there.first().is_some_and(|term| term.0 == TEMPLATE);
    while let ([(left, weight), rest @ ..], [(right, other), others @ ..]) = (here, there) {
        if left <= right {
            here = rest;
        }
        if right <= left {
            there = others;
        }
        if left == right {
            cosine += f64::from(*weight) * f64::from(*other);
            // A term is heavy where it carries more than its share of a text of 64 terms.
            evidence += f64::from((weight.min(*other) / 0.125).min(1.0));
        }
    }
    let evidenced = tuning.floor + (1.0 - tuning.floor) * (evidence / tuning.evidence).min(1.0);
    let mut score = cosine * evidenced * (1.0 - tuning.fading * gap);
    if template {
        score *= tuning.template;
    }
    Similarity { cosine, score }
}

/// The score of a story from its members' similarities, best first.
pub(super) fn story(tuning: &Tuning, scores: &[f64]) -> f64 {
    let (mut sum, mut weights) = (0.0, 0.0);
    for (score, rank) in scores.iter().zip(tuning.ranks) {
        sum += score * rank;
        weights += rank;
    }
    if weights > 0.0 { sum / weights } else { 0.0 }
}

/// The heaviest terms of an article.
pub(super) fn heaviest(features: &Features, count: usize) -> Vec<(u32, f32)> {
    let mut terms: Vec<(u32, f32)> = features.terms.iter().filter(|term| term.0 != TEMPLATE).copied().collect();
    terms.sort_unstable_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
    terms.truncate(count);
    terms
}

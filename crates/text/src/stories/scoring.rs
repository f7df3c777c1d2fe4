//! What the members of a story come to for a new article.

use model::{Features, Timestamp};

use crate::features;

/// The numbers that decide beside the model of pairs; one set for headlines and full articles.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// A story with at least this score is joined where no other resembles the article,
    pub threshold: f64,
    /// and with this one where many do.
    pub contested: f64,
    /// How much of the scores of its rivals is added to the threshold.
    pub rivalry: f64,
    /// The threshold where the time is unknown: the rivals are then the stories of all times, which says nothing.
    pub timeless: f64,
    /// The share of the score that the members at large have, not only the best.
    pub breadth: f64,
    /// The power of its size that a story's strengths are divided by: with 1 it is their mean over all members near in time, with less
    /// a large story needs a smaller share of members that resemble the article.
    pub spread: f64,
    /// What is less probable than this holds nothing together.
    pub possible: f64,
    /// How probable one event has to be where both articles are of one outlet,
    pub one_outlet: f64,
    /// below which probability the outlet of a member tells another event with the new article,
    pub another: f64,
    /// and what that leaves of the story's score.
    pub another_leaves: f64,
    /// How much the size of the stories of these days moves the probability.
    pub density: f64,
    /// A copy is at least this probably of the same event: the next issue of a series is worded like this one.
    pub copy: f64,
    /// Whether live blogs and opinion pieces have stories of their own,
    pub forms: bool,
    /// whether what an outlet says every time loses weight,
    pub boilerplate: bool,
    /// and whether stories are divided.
    pub divides: bool,
    /// A story is two events where one event is on average less probable than this between two groups of its articles, and at least
    /// this probable within each; where it is less probable between the new article and a member, the groups are looked for.
    pub apart: f64,
    /// Two stories become one where one event is on average at least this probable between their members,
    pub merged: f64,
    /// at least this without the article that both would take,
    pub merged_before: f64,
    /// and at least this where an outlet has told both; no pair is more probable than 1.
    pub one_outlet_merged: f64,
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
            threshold: 0.3,
            contested: 0.45,
            rivalry: 0.05,
            timeless: 0.17,
            breadth: 0.4,
            spread: 0.8,
            possible: 0.2,
            one_outlet: 0.6,
            another: 0.2,
            another_leaves: 0.5,
            density: 2.0,
            copy: 0.2,
            forms: true,
            boilerplate: true,
            divides: true,
            apart: 0.3,
            merged: 0.25,
            merged_before: 0.1,
            one_outlet_merged: 0.4,
            posted: 24,
            asked: 32,
            candidates: 200,
        }
    }
}

/// Weights of the best, second and third member.
const RANKS: [f64; 3] = [0.6, 0.25, 0.15];
/// How many of the next best stories are its rivals.
const RIVALS: usize = 6;

/// The score of a story of `size` articles near in time from the strengths of its members, best first.
///
/// Some member that resembles the new article is found in every large story; so that stories do not wander from one
/// subject to the next, a part of the score is about the mean over all of them. `another` says that an outlet of the story tells another
/// event with the new article.
pub(super) fn story(tuning: &Tuning, strengths: &[f64], size: usize, another: bool) -> f64 {
    let (mut sum, mut weights) = (0.0, 0.0);
    for (strength, rank) in strengths.iter().zip(RANKS) {
        sum += strength * rank;
        weights += rank;
    }
    let best = if weights > 0.0 { sum / weights } else { 0.0 };
    let score = if size <= 1 {
        best
    } else {
        let strongest = strengths.first().copied().unwrap_or(0.0);
        let mean = strengths.iter().sum::<f64>() / (size as f64).powf(tuning.spread);
        best * (1.0 - tuning.breadth) + mean.min(strongest) * tuning.breadth
    };
    if another {
        score * tuning.another_leaves
    } else {
        score
    }
}

/// What the best story has to score, given the scores of all the others, best first.
///
/// What resembles many stories alike speaks of their topic, a war or a market, rather than of one of their events.
pub(super) fn threshold(
    tuning: &Tuning,
    others: impl Iterator<Item = f64>,
    time: Option<Timestamp>,
) -> f64 {
    if time.is_none() {
        return tuning.timeless;
    }
    let rivals: f64 = others.take(RIVALS).sum();
    (tuning.threshold + tuning.rivalry * rivals).min(tuning.contested)
}

/// The heaviest terms of an article.
pub(super) fn heaviest(of: &Features, count: usize) -> Vec<(u32, f32)> {
    let mut terms: Vec<(u32, f32)> = of
        .terms
        .iter()
        .filter(|term| !features::is_mark(term.0))
        .copied()
        .collect();
    terms.sort_unstable_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
    terms.truncate(count);
    terms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_resembles_many_stories_alike_has_to_score_more() {
        let tuning = Tuning::default();
        let time = Some(Timestamp::from_ms(1_700_000_000_000));
        let of = |others: &[f64], time| threshold(&tuning, others.iter().copied(), time);
        assert!((of(&[], time) - tuning.threshold).abs() < 1e-12);
        assert!(of(&[0.3], time) > of(&[0.1], time));
        assert!((of(&[0.9; 50], time) - tuning.contested).abs() < 1e-12);
        assert!((of(&[0.9; 50], None) - tuning.timeless).abs() < 1e-12);
    }

    #[test]
    fn a_story_of_which_few_members_resemble_an_article_scores_less() {
        let tuning = Tuning::default();
        let of = |strengths: &[f64], size| story(&tuning, strengths, size, false);
        assert!((of(&[0.6], 1) - 0.6).abs() < 1e-12);
        assert!(of(&[0.6], 8) < of(&[0.6, 0.5, 0.5], 8));
        assert!(of(&[0.6, 0.6], 2) > of(&[0.6, 0.1], 2));
        assert!(of(&[0.6; 9], 9) <= 0.6);
    }

    #[test]
    fn a_story_whose_outlet_tells_another_event_with_an_article_scores_less() {
        let tuning = Tuning::default();
        assert!(story(&tuning, &[0.6], 2, true) < story(&tuning, &[0.6], 2, false));
    }
}

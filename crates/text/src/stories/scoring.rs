//! The score of a story for a new article, computed from its members.

use model::{Features, Timestamp};

use crate::features;

/// The parameters used alongside the model of pairs. One set serves headlines and full articles.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// A story with at least this score is joined if no other resembles the article,
    pub threshold: f64,
    /// and with at least this score if many do.
    pub contested: f64,
    /// The share of its rivals' scores that is added to the threshold.
    pub rivalry: f64,
    /// The threshold if the time is unknown. The rivals are then the stories of all times, which is not informative.
    pub timeless: f64,
    /// The share of the score that comes from the members at large, not only from the best.
    pub breadth: f64,
    /// A story's strengths are divided by its size to this power. At 1 that is their mean over all members near in
    /// time. At less, a large story needs a smaller share of members that resemble the article.
    pub spread: f64,
    /// A pair less probable than this does not hold together.
    pub possible: f64,
    /// The required probability of one event if both articles come from one outlet,
    pub one_outlet: f64,
    /// the probability below which the outlet of a member reports a different event with the new article,
    pub another: f64,
    /// and the share of the story's score that this leaves.
    pub another_leaves: f64,
    /// How much the size of the stories of these days changes the probability.
    pub density: f64,
    /// The minimum probability that a copy is about the same event: the next issue of a series is worded like this one.
    pub copy: f64,
    /// Whether live blogs and opinion pieces have stories of their own,
    pub forms: bool,
    /// whether what an outlet says every time loses weight,
    pub boilerplate: bool,
    /// and whether stories are divided.
    pub divides: bool,
    /// A story is two events if one event is on average less probable than this between two groups of its articles, and
    /// at least this probable within each. The groups are looked for if it is less probable between the new article and
    /// a member.
    pub apart: f64,
    /// Two stories become one if one event is on average at least this probable between their members,
    pub merged: f64,
    /// at least this without the article that both would take,
    pub merged_before: f64,
    /// and at least this if an outlet has reported both. No pair is more probable than 1.
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

/// Weights of the best, second-best and third-best member.
const RANKS: [f64; 3] = [0.6, 0.25, 0.15];
/// How many of the next-best stories are its rivals.
const RIVALS: usize = 6;

/// The score of a story with `size` articles near in time, from the strengths of its members, best first.
///
/// Every large story has some member that resembles the new article. To keep stories from drifting from one subject to
/// the next, part of the score is the mean over all of them. `another` means that an outlet of the story reports a
/// different event with the new article.
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

/// The score that the best story needs, given the scores of all the others, best first.
///
/// An article that resembles many stories equally is about their topic, such as a war or a market, rather than one of
/// their events.
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

//! The sentences of a story that may be printed, with their weights.

use rustc_hash::FxHashMap;

use super::Member;
use super::reading::{Reading, SENTENCES, Sentence};
use crate::features;

/// How many sentences are read across all members.
const READ_SENTENCES: usize = 110;

/// A sentence of a member that may be printed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<'a> {
    pub(super) sentence: &'a Sentence,
    pub(super) member: usize,
    /// How central it is to the story, set by [`rate`].
    pub(super) weight: f32,
}

/// The printable sentences of the given members.
pub(super) fn gather<'a>(
    members: &[Member<'_>],
    readings: &[&'a Reading],
    read: &[usize],
) -> Vec<Candidate<'a>> {
    let each = (READ_SENTENCES / read.len().max(1)).clamp(8, SENTENCES);
    let of_member = |&member: &usize| {
        let sentences = readings[member].sentences(members[member].article);
        sentences
            .iter()
            .filter(move |sentence| sentence.position < each)
            .map(move |sentence| Candidate {
                sentence,
                member,
                weight: 0.0,
            })
    };
    read.iter().flat_map(of_member).collect()
}

/// Weights each sentence by how many of the story's heavy terms it contains, where it appears, and who says it.
pub(super) fn rate(
    candidates: &mut [Candidate<'_>],
    centre: &FxHashMap<u32, f32>,
    members: &[Member<'_>],
) {
    for candidate in candidates {
        let covered: f32 = candidate
            .sentence
            .terms
            .iter()
            .filter_map(|(hash, _)| centre.get(hash))
            .sum();
        let lead = 0.45 + 0.55 / (1.0 + candidate.sentence.position as f32 * 0.45);
        let trust = 0.8 + 0.25 * members[candidate.member].trust.weight() as f32;
        let length = (candidate.sentence.terms.len() as f32 + 6.0).sqrt();
        let mut weight = covered / length * lead * trust;
        if candidate.sentence.speech {
            weight *= 0.6;
        }
        if features::is_opinion(members[candidate.member].article) {
            weight *= 0.6;
        }
        if candidate.sentence.words > 45 || candidate.sentence.words < 9 {
            weight *= 0.75;
        }
        candidate.weight = weight;
    }
}

/// The heavy terms of the story: the mean of the members' vectors.
pub(super) fn centre(members: &[Member<'_>], leaders: &[usize]) -> FxHashMap<u32, f32> {
    let mut centre: FxHashMap<u32, f32> = FxHashMap::default();
    for &leader in leaders {
        for (term, weight) in &members[leader].annotations.features.terms {
            if weight.is_finite() {
                *centre.entry(*term).or_default() += weight / leaders.len() as f32;
            }
        }
    }
    centre
}

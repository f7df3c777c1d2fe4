//! How much of a claim is covered by the words of a passage.

use rustc_hash::FxHashMap;
use text::embedding::{Embedding, embed, similarity};
use text::statement::proposition::{Proposition, Word};

use super::opposites::{are_alike, are_opposite};

/// The similarity in meaning from which a word counts as at least half covered.
const LIKE: f32 = 0.45;

/// A word in the claim and the best match for it in the passage.
#[derive(Clone, Copy, Debug)]
pub(super) struct Match<'c, 'a> {
    pub(super) word: &'c Word<'a>,
    /// 1 for the same stem, less for words with a similar meaning.
    pub(super) share: f32,
    /// The same stem is negated on one side only.
    pub(super) is_turned: bool,
    /// The passage has a word that means the opposite.
    pub(super) is_opposed: bool,
}

/// A claim compared with sentences.
#[derive(Clone, Debug)]
pub(super) struct Overlap<'c, 'a> {
    pub(super) matches: Vec<Match<'c, 'a>>,
    total: f32,
}

/// Vectors of words, each computed once.
#[derive(Default)]
pub(super) struct Vectors(FxHashMap<u32, Embedding>);

impl Vectors {
    fn of(&mut self, word: &Word<'_>, stem: u32) -> Embedding {
        *self.0.entry(stem).or_insert_with(|| embed(word.text))
    }
}

impl<'c, 'a> Overlap<'c, 'a> {
    /// Compares a claim with some sentences as if they were one.
    pub(super) fn new(
        claim: &'c Proposition<'a>,
        sentences: &[&Proposition<'_>],
        vectors: &mut Vectors,
    ) -> Self {
        let others: Vec<(u32, &Word<'_>)> = sentences
            .iter()
            .flat_map(|sentence| sentence.content())
            .filter_map(|word| Some((word.stem?, word)))
            .collect();
        let mut total = 0.0;
        let matches = claim
            .content()
            .filter_map(|word| {
                let stem = word.stem?;
                total += word.rarity;
                Some(best(word, stem, &others, vectors))
            })
            .collect();
        Self { matches, total }
    }

    /// Share of the claim's words that appear in the passage, weighted by rarity; 0 for an empty claim.
    pub(super) fn exact(&self) -> f32 {
        self.share(|found| if found.share >= 1.0 { 1.0 } else { 0.0 })
    }

    /// The same, including words with a similar meaning.
    pub(super) fn soft(&self) -> f32 {
        self.share(|found| found.share)
    }

    /// Share of the words that meet a condition.
    pub(super) fn share(&self, value: impl Fn(&Match<'_, '_>) -> f32) -> f32 {
        if self.total <= 0.0 {
            return 0.0;
        }
        let sum: f32 = self
            .matches
            .iter()
            .map(|found| found.word.rarity * value(found))
            .sum();
        sum / self.total
    }

    /// Share of the words of a sort that meet a condition; 1 if there are none of the sort.
    pub(super) fn share_of(
        &self,
        is_meant: impl Fn(&Match<'_, '_>) -> bool,
        value: impl Fn(&Match<'_, '_>) -> f32,
    ) -> f32 {
        let (mut total, mut sum) = (0.0, 0.0);
        for found in self.matches.iter().filter(|found| is_meant(found)) {
            total += found.word.rarity;
            sum += found.word.rarity * value(found);
        }
        if total > 0.0 { sum / total } else { 1.0 }
    }

    /// Words in the claim whose opposite the passage has; `alone` counts only those that it does not have as well.
    pub(super) fn opposed(&self, alone: bool) -> usize {
        self.matches
            .iter()
            .filter(|found| found.is_opposed && (!alone || found.share < 0.9))
            .count()
    }

    /// Words in the claim that the passage does not have.
    pub(super) fn missing(&self) -> impl Iterator<Item = &Match<'c, 'a>> {
        self.matches.iter().filter(|found| found.share < 1.0)
    }
}

/// Whether a passage has at most one of the claim's several meaningful words, or words that stand for them. For a claim
/// with two words a name is enough: `Doro resigned` may be reported as `Doro steps down`.
pub(super) fn is_barely_shared(claim: &Proposition<'_>, sentences: &[Proposition<'_>]) -> bool {
    let is_held = |word: &&Word<'_>| {
        let words = sentences.iter().flat_map(Proposition::content);
        let mut there = words.filter_map(|word| word.stem);
        word.stem
            .is_some_and(|stem| there.any(|other| other == stem || are_alike(stem, other)))
    };
    let count = claim.content().count();
    let held: Vec<&Word<'_>> = claim.content().filter(is_held).collect();
    match held[..] {
        [] => count > 1,
        [one] => count > 2 || count == 2 && !one.is_name,
        _ => false,
    }
}

fn best<'c, 'a>(
    word: &'c Word<'a>,
    stem: u32,
    others: &[(u32, &Word<'_>)],
    vectors: &mut Vectors,
) -> Match<'c, 'a> {
    let same: Vec<&Word<'_>> = others
        .iter()
        .filter(|(other, _)| *other == stem)
        .map(|(_, other)| *other)
        .collect();
    // `did not rise` and `fell` agree.
    let is_opposed = others
        .iter()
        .any(|(other, found)| are_opposite(stem, *other) && found.is_denied == word.is_denied);
    if !same.is_empty() {
        return Match {
            word,
            share: 1.0,
            is_turned: same.iter().all(|other| other.is_denied != word.is_denied),
            is_opposed,
        };
    }
    let alike: Vec<&Word<'_>> = others
        .iter()
        .filter(|(other, _)| are_alike(stem, *other))
        .map(|(_, other)| *other)
        .collect();
    let is_turned =
        !alike.is_empty() && alike.iter().all(|other| other.is_denied != word.is_denied);
    let share = if !alike.is_empty() {
        0.9
    } else if word.is_number || word.is_name {
        // A name may be similar to another one in meaning without being the same.
        0.0
    } else {
        let own = vectors.of(word, stem);
        let nearest = others
            .iter()
            .filter(|(_, other)| !other.is_number)
            .map(|(stem, other)| similarity(&own, &vectors.of(other, *stem)))
            .fold(0.0, f32::max);
        if nearest >= LIKE {
            nearest.min(0.95)
        } else {
            0.0
        }
    };
    Match {
        word,
        share,
        is_turned,
        is_opposed,
    }
}

//! Opposite outcomes: `approves | rejects`, where each of two headlines reports one.

use std::sync::LazyLock;

use model::table;
use rustc_hash::FxHashMap;

use super::cues::Word;
use super::denial::{self, Denial};
use super::terms;
use crate::features;

type Sides = Vec<(usize, bool)>;

static OUTCOMES: LazyLock<FxHashMap<u32, Sides>> = LazyLock::new(|| {
    let mut table: FxHashMap<u32, Sides> = FxHashMap::default();
    for (pair, line) in table::lines(include_str!("../../data/compose/outcomes.txt")).enumerate() {
        for (side, words) in line.split('|').enumerate() {
            for stem in words.split_whitespace().filter_map(features::stem_hash) {
                let sides = table.entry(stem).or_default();
                if !sides.contains(&(pair, side == 0)) {
                    sides.push((pair, side == 0));
                }
            }
        }
    }
    table
});

/// The pairs of outcomes on which a headline takes a side. Empty if it denies something or takes both sides.
pub(crate) fn sides_of(title: &str, terms: &[(u32, f32)]) -> Sides {
    if denial::of(title).0 == Denial::Fact
        || denial::words_of(title)
            .iter()
            .any(|word| Word::Turning.is(word))
        || title.ends_with('?')
    {
        return Vec::new();
    }
    let mut sides: Sides = terms
        .iter()
        .filter_map(|(hash, _)| OUTCOMES.get(hash))
        .flatten()
        .copied()
        .collect();
    sides.sort_unstable();
    sides.dedup();
    let both: Vec<usize> = sides
        .windows(2)
        .filter(|pair| pair[0].0 == pair[1].0)
        .map(|pair| pair[0].0)
        .collect();
    sides.retain(|(pair, _)| !both.contains(pair));
    sides
}

/// Whether two headlines report opposite outcomes of the same thing.
pub(crate) fn is_opposite(
    left: &[(u32, f32)],
    right: &[(u32, f32)],
    left_sides: &[(usize, bool)],
    right_sides: &[(usize, bool)],
) -> bool {
    let opposed = left_sides
        .iter()
        .any(|(pair, side)| right_sides.contains(&(*pair, !side)));
    if !opposed {
        return false;
    }
    let plain = |terms: &[(u32, f32)]| -> Vec<(u32, f32)> {
        terms
            .iter()
            .filter(|(hash, _)| !OUTCOMES.contains_key(hash))
            .copied()
            .collect()
    };
    let (left, right) = (plain(left), plain(right));
    terms::common(&left, &right) >= 3 && terms::shared(&left, &right) >= 0.7
}

//! Words that mean the opposite of each other.

use std::sync::LazyLock;

use model::table;
use rustc_hash::{FxHashMap, FxHashSet};
use text::features::stem_hash;

/// Each stem with the sides on which it appears: the number of the pair, and whether it is on the left.
static SIDES: LazyLock<FxHashMap<u32, Vec<(u16, bool)>>> = LazyLock::new(|| {
    let mut sides: FxHashMap<u32, Vec<(u16, bool)>> = FxHashMap::default();
    for (pair, line) in (0..).zip(table::lines(include_str!("../../data/opposites.txt"))) {
        for (side, words) in line.split('|').enumerate() {
            for stem in words.split_whitespace().filter_map(stem_hash) {
                let known = sides.entry(stem).or_default();
                if !known.contains(&(pair, side == 0)) {
                    known.push((pair, side == 0));
                }
            }
        }
    }
    sides
});

/// Words for wholes, order and exclusiveness, by their lower-case letters.
static WHOLES: LazyLock<FxHashSet<&'static str>> = LazyLock::new(|| {
    table::lines(include_str!("../../data/whole_words.txt"))
        .flat_map(str::split_whitespace)
        .collect()
});

/// Whether two stems mean the opposite of each other.
pub(super) fn are_opposite(left: u32, right: u32) -> bool {
    let (Some(here), Some(there)) = (SIDES.get(&left), SIDES.get(&right)) else {
        return false;
    };
    here.iter()
        .any(|(pair, side)| there.contains(&(*pair, !side)))
        && !are_alike(left, right)
}

/// Whether two stems are on the same side of a pair, such as `rise` and `climb`.
pub(super) fn are_alike(left: u32, right: u32) -> bool {
    let (Some(here), Some(there)) = (SIDES.get(&left), SIDES.get(&right)) else {
        return false;
    };
    here.iter().any(|side| there.contains(side))
}

/// Whether a word makes a statement stronger than the evidence often is.
pub(super) fn is_whole(word: &str) -> bool {
    WHOLES.contains(word.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_oppose_each_other_and_synonyms_do_not() {
        let stem = |word| stem_hash(word).unwrap();
        let opposite = |left, right| are_opposite(stem(left), stem(right));
        assert!(opposite("rose", "fell") && opposite("winning", "defeated"));
        assert!(!opposite("rose", "climbed") && !opposite("rose", "lawyer"));
        assert!(are_alike(stem("rose"), stem("climbed")));
        assert!(is_whole("Only") && !is_whole("some"));
    }

    #[test]
    fn every_line_has_two_sides() {
        for line in table::lines(include_str!("../../data/opposites.txt")) {
            assert_eq!(line.split('|').count(), 2, "{line}");
        }
    }
}

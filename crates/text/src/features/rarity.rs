//! How rare a word is in news at large: a static table of hashed stems.
//!
//! `data/features/rarity.bin` has five bytes per stem, in ascending order: its hash (little endian) and its inverse
//! document frequency in steps of 1/24. The example `rarity` generates it.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// The rarity of a word that is not in the table.
pub(super) const UNKNOWN: f32 = 8.0;
/// Steps per unit in the table.
const STEPS: f32 = 24.0;

static TABLE: LazyLock<FxHashMap<u32, f32>> = LazyLock::new(|| {
    include_bytes!("../../data/features/rarity.bin")
        .as_chunks::<5>()
        .0
        .iter()
        .map(|&[a, b, c, d, steps]| (u32::from_le_bytes([a, b, c, d]), f32::from(steps) / STEPS))
        .collect()
});

/// The rarity of a stem.
pub(super) fn of(stem: u32) -> f32 {
    TABLE.get(&stem).copied().unwrap_or(UNKNOWN)
}

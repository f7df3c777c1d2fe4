//! Numbers by chance that a seed repeats.

use std::hash::{BuildHasher, RandomState};

/// `SplitMix64`.
#[derive(Clone)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// From `ASSAY_CHAOS_SEED`, else another one each time; printed, so that a run can be repeated.
    pub(crate) fn of_run(name: &str) -> Self {
        let seed = std::env::var("ASSAY_CHAOS_SEED").map_or_else(
            |_| RandomState::new().hash_one(name),
            |seed| seed.parse().unwrap(),
        );
        println!("{name}: ASSAY_CHAOS_SEED={seed}");
        Self(seed)
    }

    pub(crate) fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.draw() % limit
    }

    pub(crate) fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len() as u64) as usize]
    }
}

//! Repeatable randomness.
//!
//! The splitmix64 generator is written out here because the demo world must read the same for ever: a library's
//! generators may change between releases.

/// A stream of numbers that depends only on its seed.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// The stream for a list of numbers; every position and value matters.
    pub(crate) fn of(parts: &[u64]) -> Self {
        let mut state = 0x5EED_0A55_A7D3_3001;
        for part in parts {
            state = mix(state ^ part).wrapping_add(0x9E37_79B9_7F4A_7C15);
        }
        Self(state)
    }

    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }

    /// A number below `bound`; zero when `bound` is zero.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let wide = u128::from(self.next()) * (bound as u128);
        (wide >> 64) as usize
    }

    /// A number in `low..=high`; `low` when the range is empty.
    pub(crate) fn range(&mut self, low: i64, high: i64) -> i64 {
        let width = high.saturating_sub(low).saturating_add(1).max(1);
        low.saturating_add(self.below(width as usize) as i64)
    }

    /// A number in `0.0..1.0`.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// True in a `share` of all cases.
    pub(crate) fn chance(&mut self, share: f64) -> bool {
        self.unit() < share
    }

    /// One of the items.
    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    /// A random order, each equally likely.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end + 1));
        }
    }
}

/// A number for a word, the same in every release (FNV-1a).
pub(crate) fn hash_word(word: &str) -> u64 {
    word.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

const fn mix(mut value: u64) -> u64 {
    value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_never_changes() {
        let mut random = Random(0);
        // The first outputs of the reference implementation for seed 0.
        assert_eq!(random.next(), 0xE220_A839_7B1D_CDAF);
        assert_eq!(random.next(), 0x6E78_9E6A_A1B9_65F4);
    }

    #[test]
    fn stays_in_range() {
        let mut random = Random::of(&[1, 2]);
        for _ in 0..1000 {
            assert!((3..=5).contains(&random.range(3, 5)));
            assert!(random.below(7) < 7);
        }
        assert_eq!(random.range(5, 3), 5);
        assert_eq!(random.below(0), 0);
    }
}

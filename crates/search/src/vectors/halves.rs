//! Comparing one vector with many: the first half of the numbers often shows that the rest need not be read.
//!
//! The second halves can add at most the product of their lengths to a likeness, and these are known. So most vectors
//! are passed over after half of the work and half of the memory, and the result is exactly what comparing all of them
//! finds.

use text::embedding::{DIMENSIONS, Embedding};

const HALF: usize = DIMENSIONS / 2;
/// More than the rounding error of a likeness.
const ROUNDING: f32 = 1e-5;

/// Vectors in two halves, each half in one block of memory.
#[derive(Debug, Default)]
pub(super) struct Halves {
    first: Vec<[i8; HALF]>,
    second: Vec<[i8; HALF]>,
    lengths: Vec<Lengths>,
}

/// How long a vector is.
#[derive(Clone, Copy, Debug)]
struct Lengths {
    /// One divided by the length; 0 for the zero vector.
    inverse: f32,
    /// The share of the second half in a vector of length one.
    second: f32,
}

/// The vector that the others are compared with.
pub(crate) struct Sought {
    first: [i16; HALF],
    second: [i16; HALF],
    lengths: Lengths,
}

impl Halves {
    pub(super) fn with_capacity(count: usize) -> Self {
        Self {
            first: Vec::with_capacity(count),
            second: Vec::with_capacity(count),
            lengths: Vec::with_capacity(count),
        }
    }

    pub(super) fn push(&mut self, vector: &Embedding) {
        let (first, second) = halves(vector);
        self.lengths.push(Lengths::of(&first, &second));
        self.first.push(first);
        self.second.push(second);
    }

    pub(super) fn get(&self, place: usize) -> Embedding {
        let (Some(first), Some(second)) = (self.first.get(place), self.second.get(place)) else {
            return Embedding::ZERO;
        };
        let mut bytes = [0; DIMENSIONS];
        for (byte, component) in bytes.iter_mut().zip(first.iter().chain(second)) {
            *byte = component.cast_unsigned();
        }
        Embedding::from_bytes(&bytes)
    }

    /// How similar the vector at a place is, if that is `least` or more; equal to [`text::embedding::similarity`].
    pub(super) fn likeness(&self, place: usize, sought: &Sought, least: f32) -> Option<f32> {
        let (first, lengths) = (self.first.get(place)?, self.lengths.get(place)?);
        let scale = sought.lengths.inverse * lengths.inverse;
        let so_far = dot(&sought.first, first);
        let most = so_far as f32 * scale + sought.lengths.second * lengths.second;
        if most + ROUNDING < least {
            return None;
        }
        let whole = so_far + dot(&sought.second, self.second.get(place)?);
        let likeness = (whole as f32 * scale).clamp(-1.0, 1.0);
        (likeness >= least).then_some(likeness)
    }
}

impl Sought {
    pub(crate) fn new(vector: &Embedding) -> Self {
        let (first, second) = halves(vector);
        Self {
            lengths: Lengths::of(&first, &second),
            first: first.map(i16::from),
            second: second.map(i16::from),
        }
    }
}

impl Lengths {
    fn of(first: &[i8; HALF], second: &[i8; HALF]) -> Self {
        let square = |half: &[i8; HALF]| dot(&half.map(i16::from), half);
        let (first, second) = (square(first), square(second));
        if first + second == 0 {
            return Self {
                inverse: 0.0,
                second: 0.0,
            };
        }
        let inverse = 1.0 / ((first + second) as f32).sqrt();
        Self {
            inverse,
            second: (second as f32).sqrt() * inverse,
        }
    }
}

fn halves(vector: &Embedding) -> ([i8; HALF], [i8; HALF]) {
    let bytes = vector.to_bytes();
    let half = |from: usize| std::array::from_fn(|place| bytes[from + place].cast_signed());
    (half(0), half(HALF))
}

/// Sums of products in pairs, which the compiler turns into single instructions on any 64-bit processor.
fn dot(wide: &[i16; HALF], narrow: &[i8; HALF]) -> i32 {
    wide.iter()
        .zip(narrow)
        .map(|(wide, narrow)| i32::from(*wide) * i32::from(i16::from(*narrow)))
        .sum()
}

#[cfg(test)]
mod tests {
    use text::embedding::{embed, similarity};

    use super::*;

    #[test]
    fn likeness_is_that_of_whole_vectors() {
        let texts = [
            "rates rise",
            "central bank lifts borrowing costs",
            "striker scores twice",
            "",
            "malaria vaccine",
            "inflation slows as rates rise",
            "copper and lithium",
            "rates",
        ];
        let vectors = texts.map(embed);
        let mut halves = Halves::with_capacity(texts.len());
        for vector in &vectors {
            halves.push(vector);
        }
        for asked in &vectors {
            let sought = Sought::new(asked);
            for (place, vector) in vectors.iter().enumerate() {
                assert_eq!(halves.get(place), *vector);
                let likeness = similarity(asked, vector);
                assert_eq!(halves.likeness(place, &sought, -1.0), Some(likeness));
                assert_eq!(halves.likeness(place, &sought, likeness), Some(likeness));
                assert_eq!(halves.likeness(place, &sought, likeness + 1e-3), None);
            }
        }
        assert_eq!(halves.likeness(99, &Sought::new(&vectors[0]), -1.0), None);
        assert!(halves.get(99).is_zero());
    }
}

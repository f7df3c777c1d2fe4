//! Similarity in meaning: a text as a short vector, from a table of word pieces.
//!
//! The table is distilled from a sentence model (`data/embedding/README.md`). The vector of a text is the sum of the
//! vectors of its word pieces, so word order does not count and negation is not seen. In microseconds it recalls what
//! may belong together. Anyone who must be right looks at the words too. Punctuation, stop words and scripts other than
//! Latin have no vector. A text with nothing else has [`Embedding::ZERO`], which is similar to no text, not even
//! itself. Text in a language other than English is compared by the pieces that it shares with English, mostly names.

mod pieces;

pub use pieces::word_pieces;
pub(crate) use pieces::{is_common, placed_pieces};

/// The number of components in a vector.
pub const DIMENSIONS: usize = 128;

/// One row of [`DIMENSIONS`] signed bytes per line of the vocabulary.
static TABLE: &[u8] = include_bytes!("../data/embedding/table.bin");

/// The meaning of a text. Only its direction counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Embedding {
    components: [i8; DIMENSIONS],
    /// One divided by the length, or 0 for the zero vector.
    inverse_length: f32,
}

impl Embedding {
    /// The vector of a text about which nothing is known.
    pub const ZERO: Self = Self {
        components: [0; DIMENSIONS],
        inverse_length: 0.0,
    };

    /// The vector whose [`Embedding::to_bytes`] output these bytes are.
    pub fn from_bytes(bytes: &[u8; DIMENSIONS]) -> Self {
        Self::new(bytes.map(u8::cast_signed))
    }

    /// The bytes for storage.
    pub fn to_bytes(&self) -> [u8; DIMENSIONS] {
        self.components.map(i8::cast_unsigned)
    }

    /// Whether nothing is known about the text.
    pub fn is_zero(&self) -> bool {
        self.inverse_length == 0.0
    }

    /// Its components, scaled to a Euclidean length of one.
    pub(crate) fn direction(&self) -> [f32; DIMENSIONS] {
        self.components
            .map(|component| f32::from(component) * self.inverse_length)
    }

    fn new(components: [i8; DIMENSIONS]) -> Self {
        let square = dot(&components, &components);
        let inverse_length = if square == 0 {
            0.0
        } else {
            1.0 / (square as f32).sqrt()
        };
        Self {
            components,
            inverse_length,
        }
    }

    /// The direction of a sum, with its largest component as large as a byte allows.
    fn from_sum(sum: &[i32; DIMENSIONS]) -> Self {
        let greatest = sum.iter().map(|part| part.unsigned_abs()).max();
        let scale = match greatest {
            None | Some(0) => return Self::ZERO,
            Some(greatest) => f32::from(i8::MAX) / greatest as f32,
        };
        let mut components = [0; DIMENSIONS];
        for (component, part) in components.iter_mut().zip(sum) {
            let scaled = *part as f32 * scale;
            // Rounds half away from zero without calling the mathematics library, which is slow on old processors.
            *component = (scaled + 0.5_f32.copysign(scaled)) as i8;
        }
        Self::new(components)
    }
}

/// The meaning of a text, short or long: a sentence, a headline, a paragraph.
pub fn embed(text: &str) -> Embedding {
    let mut sum = [0; DIMENSIONS];
    pieces::for_each_piece(text, |piece, _| {
        let at = usize::from(piece) * DIMENSIONS;
        if let Some(row) = TABLE.get(at..at + DIMENSIONS) {
            for (total, component) in sum.iter_mut().zip(row) {
                *total += i32::from(component.cast_signed());
            }
        }
    });
    Embedding::from_sum(&sum)
}

/// The meaning of each of these texts.
pub fn embed_passages(texts: &[&str]) -> Vec<Embedding> {
    texts.iter().map(|text| embed(text)).collect()
}

/// How similar two texts are in meaning, -1 to 1: the cosine of their vectors. Above 0.5 they are mostly about the same
/// thing. Unrelated texts are around 0. Nothing is similar to the zero vector.
pub fn similarity(left: &Embedding, right: &Embedding) -> f32 {
    let cosine = dot(&left.components, &right.components) as f32
        * (left.inverse_length * right.inverse_length);
    cosine.clamp(-1.0, 1.0)
}

/// Written in steps that the compiler turns into single instructions, even on twenty-year-old processors.
fn dot(left: &[i8; DIMENSIONS], right: &[i8; DIMENSIONS]) -> i32 {
    const STEP: usize = 16;
    let mut total = 0;
    for (left, right) in left.chunks_exact(STEP).zip(right.chunks_exact(STEP)) {
        let mut products = [0_i16; STEP];
        for (product, (left, right)) in products.iter_mut().zip(left.iter().zip(right)) {
            // At most 128 times 128, which fits.
            *product = i16::from(*left) * i16::from(*right);
        }
        total += products
            .iter()
            .map(|product| i32::from(*product))
            .sum::<i32>();
    }
    total
}

#[cfg(test)]
mod tests;

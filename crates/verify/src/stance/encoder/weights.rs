//! The fitted numbers, as `scripts/fit_encoder.py` wrote them.

use ndarray::{Array1, Array2};

use super::{LONGEST, WIDTH};

const PIECES: usize = 30_522;
const LAYERS: usize = 5;
/// How much wider the states are within a layer.
const WIDER: usize = 4;
const CLASSES: usize = 3;

/// A table that stays in the file: of each row a scale and signed bytes.
pub(super) struct Rows {
    scales: Vec<f32>,
    bytes: &'static [u8],
}

impl Rows {
    /// The numbers of a row; none past the end.
    pub(super) fn row(&self, number: u16) -> impl Iterator<Item = f32> {
        let number = usize::from(number);
        let scale = self.scales.get(number).copied().unwrap_or(0.0);
        let bytes = self.bytes.chunks_exact(WIDTH).nth(number);
        bytes
            .unwrap_or_default()
            .iter()
            .map(move |byte| f32::from(byte.cast_signed()) * scale)
    }
}

/// A linear map: weights of each output in a row.
pub(super) struct Dense {
    pub(super) weights: Array2<f32>,
    pub(super) bias: Array1<f32>,
}

pub(super) struct Norm {
    pub(super) scale: Array1<f32>,
    pub(super) shift: Array1<f32>,
}

pub(super) struct Layer {
    pub(super) query: Dense,
    pub(super) keys_and_values: Dense,
    pub(super) attended: Dense,
    pub(super) after_attention: Norm,
    pub(super) widen: Dense,
    pub(super) narrow: Dense,
    pub(super) after_widening: Norm,
}

pub(super) struct Encoder {
    pub(super) pieces: Rows,
    pub(super) places: Array2<f32>,
    /// Of a claim and of a passage.
    pub(super) kinds: Array2<f32>,
    pub(super) norm: Norm,
    pub(super) layers: Vec<Layer>,
    pub(super) pool: Dense,
    pub(super) answer: Dense,
}

impl Encoder {
    pub(super) fn parse(file: &'static [u8]) -> Self {
        let mut rest = Rest(file);
        Self {
            pieces: rest.rows(PIECES),
            places: rest.full(LONGEST),
            kinds: rest.full(2),
            norm: rest.norm(),
            layers: (0..LAYERS)
                .map(|_| Layer {
                    query: rest.dense(WIDTH, WIDTH),
                    keys_and_values: rest.dense(WIDTH, 2 * WIDTH),
                    attended: rest.dense(WIDTH, WIDTH),
                    after_attention: rest.norm(),
                    widen: rest.dense(WIDTH, WIDER * WIDTH),
                    narrow: rest.dense(WIDER * WIDTH, WIDTH),
                    after_widening: rest.norm(),
                })
                .collect(),
            pool: rest.dense(WIDTH, WIDTH),
            answer: rest.dense(WIDTH, CLASSES),
        }
    }
}

/// What is not read yet. Past its end everything is zero.
struct Rest(&'static [u8]);

impl Rest {
    fn bytes(&mut self, count: usize) -> &'static [u8] {
        let (taken, rest) = self.0.split_at_checked(count).unwrap_or_default();
        self.0 = rest;
        taken
    }

    fn numbers(&mut self, count: usize) -> Vec<f32> {
        let (numbers, _) = self.bytes(count * size_of::<f32>()).as_chunks();
        let mut numbers: Vec<f32> = numbers.iter().copied().map(f32::from_le_bytes).collect();
        numbers.resize(count, 0.0);
        numbers
    }

    fn rows(&mut self, count: usize) -> Rows {
        Rows {
            scales: self.numbers(count),
            bytes: self.bytes(count * WIDTH),
        }
    }

    fn full(&mut self, rows: usize) -> Array2<f32> {
        let numbers = self.numbers(rows * WIDTH);
        Array2::from_shape_fn((rows, WIDTH), |(row, column)| numbers[row * WIDTH + column])
    }

    fn dense(&mut self, inputs: usize, outputs: usize) -> Dense {
        let scales = self.numbers(outputs);
        let bytes = self.bytes(inputs * outputs);
        let weight = |(output, input): (usize, usize)| {
            let byte = bytes.get(output * inputs + input).copied();
            f32::from(byte.unwrap_or(0).cast_signed()) * scales[output]
        };
        Dense {
            weights: Array2::from_shape_fn((outputs, inputs), weight),
            bias: self.numbers(outputs).into(),
        }
    }

    fn norm(&mut self) -> Norm {
        Norm {
            scale: self.numbers(WIDTH).into(),
            shift: self.numbers(WIDTH).into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_ends_with_the_last_number() {
        let linear = |inputs: usize, outputs: usize| 4 * outputs + inputs * outputs + 4 * outputs;
        let norm = 8 * WIDTH;
        let layer = 2 * linear(WIDTH, WIDTH)
            + linear(WIDTH, 2 * WIDTH)
            + linear(WIDTH, WIDER * WIDTH)
            + linear(WIDER * WIDTH, WIDTH)
            + 2 * norm;
        let expected = PIECES * (4 + WIDTH)
            + 4 * WIDTH * (LONGEST + 2)
            + norm
            + LAYERS * layer
            + linear(WIDTH, WIDTH)
            + linear(WIDTH, CLASSES);
        assert_eq!(super::super::FILE.len(), expected);
        assert!(
            Encoder::parse(super::super::FILE)
                .answer
                .bias
                .iter()
                .any(|value| *value != 0.0)
        );
    }
}

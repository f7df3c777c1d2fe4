//! The fitted numbers, as `scripts/fit_encoder.py`, `scripts/fit_event_reader.py`, `scripts/fit_role_reader.py` and `scripts/fit_category_reader.py` wrote them.

use ndarray::{Array1, Array2};
use rten_gemm::PackedBMatrix;
use rten_tensor::NdTensorView;

use crate::body::Body;
use crate::linear::packed;
use crate::{LONGEST, WIDTH};

const VOCABULARY: usize = 30_522;
/// How much wider the states are within a layer.
const WIDER: usize = 4;

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

/// A linear map: signed bytes, laid out as the processor multiplies them, with a scale and a bias for each output.
pub(super) struct Dense {
    pub(super) bytes: PackedBMatrix<i8>,
    pub(super) scales: Vec<f32>,
    pub(super) bias: Vec<f32>,
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

/// What is not read yet. Past its end everything is zero.
pub(super) struct Rest(pub(super) &'static [u8]);

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

    /// The table of word pieces.
    pub(super) fn rows(&mut self) -> Rows {
        Rows {
            scales: self.numbers(VOCABULARY),
            bytes: self.bytes(VOCABULARY * WIDTH),
        }
    }

    pub(super) fn body(&mut self, layers: usize) -> Body {
        Body {
            places: self.full(LONGEST),
            segments: self.full(2),
            norm: self.norm(),
            layers: (0..layers).map(|_| self.layer()).collect(),
        }
    }

    fn layer(&mut self) -> Layer {
        Layer {
            query: self.dense(WIDTH, WIDTH),
            keys_and_values: self.dense(WIDTH, 2 * WIDTH),
            attended: self.dense(WIDTH, WIDTH),
            after_attention: self.norm(),
            widen: self.dense(WIDTH, WIDER * WIDTH),
            narrow: self.dense(WIDER * WIDTH, WIDTH),
            after_widening: self.norm(),
        }
    }

    fn full(&mut self, rows: usize) -> Array2<f32> {
        let numbers = self.numbers(rows * WIDTH);
        Array2::from_shape_fn((rows, WIDTH), |(row, column)| numbers[row * WIDTH + column])
    }

    pub(super) fn dense(&mut self, inputs: usize, outputs: usize) -> Dense {
        let scales = self.numbers(outputs);
        let bytes = self.bytes(inputs * outputs).iter();
        let mut bytes: Vec<i8> = bytes.map(|byte| byte.cast_signed()).collect();
        bytes.resize(inputs * outputs, 0);
        let rows = NdTensorView::from_data([outputs, inputs], bytes.as_slice());
        Dense {
            bytes: packed(rows),
            scales,
            bias: self.numbers(outputs),
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
pub(super) mod tests {
    use super::*;

    /// The median of 200 rounds, in milliseconds.
    pub(crate) fn median_of_rounds(mut round: impl FnMut()) -> f64 {
        let mut rounds: Vec<f64> = (0..200)
            .map(|_| {
                let start = std::time::Instant::now();
                round();
                start.elapsed().as_secs_f64() * 1e3
            })
            .collect();
        rounds.sort_by(f64::total_cmp);
        rounds[rounds.len() / 2]
    }

    /// Bytes of a linear map in a file.
    pub(crate) const fn linear(inputs: usize, outputs: usize) -> usize {
        4 * outputs + inputs * outputs + 4 * outputs
    }

    /// Bytes of a body.
    pub(crate) const fn body(layers: usize) -> usize {
        let norm = 8 * WIDTH;
        let layer = 2 * linear(WIDTH, WIDTH)
            + linear(WIDTH, 2 * WIDTH)
            + linear(WIDTH, WIDER * WIDTH)
            + linear(WIDER * WIDTH, WIDTH)
            + 2 * norm;
        4 * WIDTH * (LONGEST + 2) + norm + layers * layer
    }

    /// Bytes of the table of word pieces.
    pub(crate) const TABLE: usize = VOCABULARY * (4 + WIDTH);
}

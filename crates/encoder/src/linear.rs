//! Linear maps in whole numbers.
//!
//! Numbers are multiplied as bytes, so that every processor finds the same sums, and most find them several times as fast as
//! with floating point (docs/decisions/0077).

use std::mem::MaybeUninit;

use ndarray::Array2;
use rten_gemm::{
    GemmExecutor, GemmInputA, GemmInputB, GemmUninitOptions, PackedBMatrix, QuantParams,
};
use rten_tensor::NdTensorView;

use crate::weights::Dense;

/// The byte that stands for zero. Bytes go up to 127, because processors that have no instruction for it add two products of a
/// byte and a weight in 16 bits.
const ZERO: u8 = 64;
/// The furthest that a byte is from zero.
const MOST: f32 = 63.0;
/// A number is two bytes: the second counts so many parts of a step of the first. One byte alone is too coarse: what a
/// headline means for an event moves by a third of a logit.
const FINER: f32 = 126.0;
/// 1.5 × 2²³: what is added to it is rounded to a whole number, which then stands in the lowest bits.
const ROUNDING: f32 = 12_582_912.0;

thread_local! {
    /// What multiplies bytes on this processor. Asking a processor for its instructions traps to the hypervisor of a virtual machine and can
    /// take as long as a small product. One per thread, since it is not `Send`.
    static MULTIPLIER: GemmExecutor<u8, i8, i32> = GemmExecutor::new();
}

/// Weights in the order in which they are multiplied; a row of `weights` makes one output.
pub(crate) fn packed(weights: NdTensorView<'_, i8, 2>) -> PackedBMatrix<i8> {
    MULTIPLIER.with(|multiplier| multiplier.prepack_b(weights.transposed()))
}

impl Dense {
    /// The outputs of each row.
    pub(crate) fn map(&self, rows: &Array2<f32>) -> Array2<f32> {
        let (count, width) = rows.dim();
        let outputs = self.bias.len();
        let mut bytes = Vec::with_capacity(2 * count * width);
        let mut steps = Vec::with_capacity(count);
        for row in rows.as_standard_layout().rows() {
            let row = row.to_slice().unwrap_or_default();
            let most = furthest(row);
            let per_step = if most > 0.0 { MOST / most } else { 0.0 };
            bytes.extend(row.iter().map(|value| whole(value * per_step).1));
            bytes.extend(row.iter().map(|value| {
                let scaled = value * per_step;
                whole((scaled - whole(scaled).0) * FINER).1
            }));
            steps.push(most / MOST / FINER);
        }
        let mut buffer = Box::new_uninit_slice(2 * count * outputs);
        let sums = self.multiply(2 * count, width, &bytes, &mut buffer);
        let mut mapped: Vec<f32> = Vec::with_capacity(count * outputs);
        for (step, sums) in steps.iter().zip(sums.chunks_exact(2 * outputs)) {
            let (coarse, fine) = sums.split_at(outputs);
            let sums = coarse.iter().zip(fine);
            let fitted = self.scales.iter().zip(&self.bias);
            mapped.extend(sums.zip(fitted).map(|((coarse, fine), (scale, bias))| {
                (*coarse as f32 * FINER + *fine as f32) * (step * scale) + bias
            }));
        }
        // Only rows of another width give no sums.
        mapped.resize(count * outputs, 0.0);
        Array2::from_shape_vec((count, outputs), mapped).unwrap_or_default()
    }

    /// The sums of all rows, one row after the other.
    fn multiply<'r>(
        &self,
        count: usize,
        width: usize,
        bytes: &[u8],
        buffer: &'r mut [MaybeUninit<i32>],
    ) -> &'r [i32] {
        let zeros = vec![ZERO; count];
        let options = GemmUninitOptions {
            a_quant: Some(QuantParams { zero_point: &zeros }),
            ..GemmUninitOptions::default()
        };
        let rows = GemmInputA::Unpacked(NdTensorView::from_data([count, width], bytes));
        let weights = GemmInputB::Packed(&self.bytes);
        let sums =
            MULTIPLIER.with(|multiplier| multiplier.gemm_uninit(buffer, rows, weights, options));
        debug_assert!(sums.is_ok(), "a matrix of another size");
        sums.map_or(&[], |sums| sums)
    }
}

/// How far from zero the numbers of a row are at most.
fn furthest(row: &[f32]) -> f32 {
    let (chunks, rest) = row.as_chunks::<16>();
    let mut most = [0.0_f32; 16];
    for chunk in chunks {
        for (most, value) in most.iter_mut().zip(chunk) {
            let value = value.abs();
            *most = if value > *most { value } else { *most };
        }
    }
    let all = most.iter().chain(rest);
    all.fold(0.0, |most, value| most.max(value.abs()))
}

/// The whole number next to one of at most [`MOST`], and the byte that stands for it.
fn whole(value: f32) -> (f32, u8) {
    let shifted = value + (ROUNDING + f32::from(ZERO));
    let [byte, ..] = shifted.to_bits().to_le_bytes();
    (shifted - (ROUNDING + f32::from(ZERO)), byte)
}

#[cfg(test)]
mod tests {
    use ndarray::Axis;

    use super::*;

    const INPUTS: usize = 384;
    const OUTPUTS: usize = 24;

    /// Weights, scales and biases that differ, and the same as floating-point numbers.
    fn dense() -> (Dense, Array2<f32>) {
        let weight = |output: usize, input: usize| ((output * 89 + input * 37) % 255) as i32 - 127;
        let bytes: Vec<i8> = (0..OUTPUTS * INPUTS)
            .map(|at| weight(at / INPUTS, at % INPUTS) as i8)
            .collect();
        let rows = NdTensorView::from_data([OUTPUTS, INPUTS], bytes.as_slice());
        let scales: Vec<f32> = (1..=OUTPUTS).map(|at| at as f32 / 1000.0).collect();
        let weights = Array2::from_shape_fn((INPUTS, OUTPUTS), |(input, output)| {
            weight(output, input) as f32 * scales[output]
        });
        let dense = Dense {
            bytes: packed(rows),
            scales,
            bias: (0..OUTPUTS).map(|at| at as f32 - 9.5).collect(),
        };
        (dense, weights)
    }

    fn rows(count: usize) -> Array2<f32> {
        Array2::from_shape_fn((count, INPUTS), |(row, column)| {
            let value = ((row * 31 + column * 17) % 101) as f32 / 50.0 - 1.0;
            // As in the states of these transformers, one number is far from the others.
            if column == 7 { 25.0 } else { value }
        })
    }

    #[test]
    fn two_bytes_are_as_good_as_floating_point() {
        let (dense, weights) = dense();
        let rows = rows(9);
        let expected = rows.dot(&weights);
        let found = dense.map(&rows);
        for (row, expected) in expected.rows().into_iter().enumerate() {
            let most = expected.fold(0.0_f32, |most, value| most.max(value.abs()));
            for (output, expected) in expected.iter().enumerate() {
                let off = found[[row, output]] - dense.bias[output] - expected;
                assert!(off.abs() < most * 1e-3, "{off} of {most}");
            }
        }
    }

    #[test]
    fn a_row_is_mapped_the_same_beside_others() {
        let (dense, _) = dense();
        let rows = rows(70);
        let together = dense.map(&rows);
        for (number, row) in rows.rows().into_iter().enumerate() {
            let alone = dense.map(&row.to_owned().insert_axis(Axis(0)));
            assert_eq!(alone.row(0), together.row(number));
        }
    }

    #[test]
    fn nothing_maps_to_the_biases() {
        let (dense, _) = dense();
        let found = dense.map(&Array2::zeros((2, INPUTS)));
        assert!(
            found
                .rows()
                .into_iter()
                .all(|row| row.iter().eq(&dense.bias))
        );
        assert_eq!(dense.map(&Array2::zeros((0, INPUTS))).dim(), (0, OUTPUTS));
    }

    #[test]
    fn bytes_stay_within_what_two_products_may_sum_up_to() {
        for (value, expected) in [
            (-63.0, 1),
            (-0.4, 64),
            (0.0, 64),
            (0.6, 65),
            (62.51, 127),
            (63.0, 127),
        ] {
            assert_eq!(whole(value).1, expected);
        }
    }
}

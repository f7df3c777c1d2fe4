//! What turns word pieces into states: layers that attend to each other's words.

use std::ops::Range;

use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, ArrayBase, Axis, Ix2, RawData, Slice};

use crate::weights::{Layer, Norm};
use crate::{PIECES, WIDTH};

/// Attention heads, and the width of each.
const HEADS: usize = 12;
const HEAD: usize = WIDTH / HEADS;

/// What turns pieces into states.
pub(crate) struct Body {
    pub(crate) places: Array2<f32>,
    /// Of a first and of a second text.
    pub(crate) segments: Array2<f32>,
    pub(crate) norm: Norm,
    pub(crate) layers: Vec<Layer>,
}

/// One text, or two of which the second begins at the piece `second`; the length where there is none.
pub(crate) struct Input<'i> {
    pub(crate) pieces: &'i [u16],
    pub(crate) second: usize,
}

/// Which of the last states are needed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    First,
    All,
}

impl Body {
    /// The last states, those of one input after the other.
    pub(crate) fn states(&self, inputs: &[Input<'_>], wanted: Wanted) -> Array2<f32> {
        let mut spans = Vec::with_capacity(inputs.len());
        let mut end = 0;
        for input in inputs {
            spans.push(end..end + input.pieces.len());
            end += input.pieces.len();
        }
        let mut states = self.embed(inputs, end);
        let firsts: Vec<usize> = spans.iter().map(|span| span.start).collect();
        let of_first: Vec<Range<usize>> = (0..inputs.len()).map(|input| input..input + 1).collect();
        for (number, layer) in self.layers.iter().enumerate() {
            let is_last = number + 1 == self.layers.len();
            states = if is_last && wanted == Wanted::First {
                layer.apply(states.select(Axis(0), &firsts), &of_first, &states, &spans)
            } else {
                layer.apply(states.clone(), &spans, &states, &spans)
            };
        }
        states
    }

    /// The states before the first layer.
    fn embed(&self, inputs: &[Input<'_>], length: usize) -> Array2<f32> {
        let mut states = Array2::zeros((length, WIDTH));
        let mut rows = states.rows_mut().into_iter();
        for input in inputs {
            for ((place, piece), mut state) in input.pieces.iter().enumerate().zip(&mut rows) {
                let segment = usize::from(place >= input.second);
                let known = self
                    .places
                    .row(place)
                    .into_iter()
                    .zip(self.segments.row(segment));
                for ((value, of_piece), (of_place, of_segment)) in
                    state.iter_mut().zip(PIECES.row(*piece)).zip(known)
                {
                    *value = of_piece + of_place + of_segment;
                }
            }
        }
        self.norm.apply(&mut states);
        states
    }
}

impl Layer {
    /// The next states of those that ask, each of a pair asking the states of the same.
    fn apply(
        &self,
        asking: Array2<f32>,
        of_asking: &[Range<usize>],
        states: &Array2<f32>,
        spans: &[Range<usize>],
    ) -> Array2<f32> {
        let queries = self.query.map(&asking);
        let asked = self.keys_and_values.map(states);
        let mut heeded = Array2::zeros(asking.raw_dim());
        let scale = 1.0 / (HEAD as f32).sqrt();
        for (own, span) in of_asking.iter().zip(spans) {
            let mut shares = Array2::zeros((own.len(), span.len()));
            for head in 0..HEADS {
                let columns = head * HEAD..(head + 1) * HEAD;
                let values = WIDTH + columns.start..WIDTH + columns.end;
                let query = part(queries.view(), own, &columns);
                let keys = part(asked.view(), span, &columns);
                general_mat_mul(scale, &query, &keys.t(), 0.0, &mut shares);
                shares.rows_mut().into_iter().for_each(|mut row| {
                    let greatest = row.fold(f32::MIN, |greatest, value| greatest.max(*value));
                    row.mapv_inplace(|value| (value - greatest).exp());
                    let sum = row.sum();
                    row.mapv_inplace(|value| value / sum);
                });
                let values = part(asked.view(), span, &values);
                let mut found = part(heeded.view_mut(), own, &columns);
                general_mat_mul(1.0, &shares, &values, 0.0, &mut found);
            }
        }
        let mut attended = self.attended.map(&heeded);
        attended += &asking;
        self.after_attention.apply(&mut attended);
        let mut wide = self.widen.map(&attended);
        wide.mapv_inplace(gelu);
        let mut next = self.narrow.map(&wide);
        next += &attended;
        self.after_widening.apply(&mut next);
        next
    }
}

impl Norm {
    /// Shifts and scales each row to a mean of zero and a deviation of one, and then as it was fitted.
    fn apply(&self, rows: &mut Array2<f32>) {
        let width = rows.ncols() as f32;
        for mut row in rows.rows_mut() {
            let mean = row.sum() / width;
            let variance =
                row.fold(0.0, |sum, value| sum + (value - mean) * (value - mean)) / width;
            let scale = 1.0 / (variance + 1e-12).sqrt();
            for (value, (by, shift)) in row.iter_mut().zip(self.scale.iter().zip(&self.shift)) {
                *value = (*value - mean) * scale * by + shift;
            }
        }
    }
}

/// Some rows and columns.
fn part<V: RawData>(
    mut view: ArrayBase<V, Ix2>,
    rows: &Range<usize>,
    columns: &Range<usize>,
) -> ArrayBase<V, Ix2> {
    view.slice_axis_inplace(Axis(0), Slice::from(rows.clone()));
    view.slice_axis_inplace(Axis(1), Slice::from(columns.clone()));
    view
}

/// The Gaussian error linear unit by its hyperbolic tangent (Hendrycks and Gimpel 2016, <https://arxiv.org/abs/1606.08415>).
#[inline]
fn gelu(value: f32) -> f32 {
    const ROOT: f32 = 0.797_884_6;
    0.5 * value * (1.0 + tanh(ROOT * (value + 0.044_715 * value * value * value)))
}

/// The hyperbolic tangent by a continued fraction, which the compiler makes steps of for many numbers at once; 1e-4 off at most.
#[inline]
pub(crate) fn tanh(value: f32) -> f32 {
    let value = value.clamp(-4.97, 4.97);
    let square = value * value;
    let above = value * (135_135.0 + square * (17_325.0 + square * (378.0 + square)));
    let below = 135_135.0 + square * (62_370.0 + square * (3_150.0 + square * 28.0));
    (above / below).clamp(-1.0, 1.0)
}

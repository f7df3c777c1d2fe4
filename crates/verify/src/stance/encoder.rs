//! What the wording of a passage does to a claim: a small transformer reads both together.
//!
//! It is BERT (Devlin et al. 2019, <https://arxiv.org/abs/1810.04805>) with five layers, 384 wide, and begins its fitting as the first four and the last
//! of all-MiniLM-L6-v2 (`scripts/fit_encoder.py`, docs/decisions/0023). It sees order and meaning of words, which
//! the measured features do not, and knows nothing of figures, days and names beyond their pieces.
//!
//! Its numbers are rounded before they are used, so that a processor that adds in another order finds the same.

mod weights;

use std::ops::Range;
use std::sync::LazyLock;

use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, ArrayBase, Axis, Ix2, RawData, Slice};

use weights::{Dense, Encoder, Layer};

/// Numbers of the state of a piece.
const WIDTH: usize = 384;
/// Parts of a state that are attended each for itself, and their width.
const HEADS: usize = 12;
const HEAD: usize = WIDTH / HEADS;
/// Pieces that are read of both together and of the claim, with marks. The file has a row for each place.
const LONGEST: usize = 112;
const LONGEST_CLAIM: usize = 56;
/// The pieces that stand before the claim, and behind claim and passage.
const START: u16 = 101;
const END: u16 = 102;
/// Pairs that are read together: more would take more memory and hardly less time.
const TOGETHER: usize = 4;
/// Steps in which its answers are told.
const STEPS: f32 = 64.0;

static FILE: &[u8] = include_bytes!("../../data/encoder/weights.bin");
static ENCODER: LazyLock<Encoder> = LazyLock::new(|| Encoder::parse(FILE));

/// A claim with a passage, as word pieces.
pub(super) struct Pair {
    pieces: Vec<u16>,
    /// Pieces up to the passage.
    claim: usize,
}

impl Pair {
    pub(super) fn new(claim: &[u16], passage: &[u16]) -> Self {
        let claim = &claim[..claim.len().min(LONGEST_CLAIM)];
        let passage = &passage[..passage.len().min(LONGEST - 3 - claim.len())];
        let mut pieces = Vec::with_capacity(claim.len() + passage.len() + 3);
        pieces.push(START);
        pieces.extend_from_slice(claim);
        pieces.push(END);
        pieces.extend_from_slice(passage);
        pieces.push(END);
        Self {
            pieces,
            claim: claim.len() + 2,
        }
    }
}

/// Of each pair the logarithms of three shares, up to a sum that they have in common: supports, contradicts, neutral.
pub(super) fn read(pairs: &[Pair]) -> Vec<[f32; 3]> {
    pairs
        .chunks(TOGETHER)
        .flat_map(|pairs| ENCODER.read(pairs))
        .collect()
}

impl Encoder {
    fn read(&self, pairs: &[Pair]) -> Vec<[f32; 3]> {
        let mut spans = Vec::with_capacity(pairs.len());
        let mut end = 0;
        for pair in pairs {
            spans.push(end..end + pair.pieces.len());
            end += pair.pieces.len();
        }
        let mut states = self.embed(pairs, end);
        let all = spans.clone();
        let firsts: Vec<usize> = spans.iter().map(|span| span.start).collect();
        let of_first: Vec<Range<usize>> = (0..pairs.len()).map(|pair| pair..pair + 1).collect();
        for (number, layer) in self.layers.iter().enumerate() {
            // Of the last layer only the first states are needed.
            states = if number + 1 == self.layers.len() {
                layer.apply(states.select(Axis(0), &firsts), &of_first, &states, &spans)
            } else {
                layer.apply(states.clone(), &all, &states, &spans)
            };
        }
        let mut pooled = self.pool.map(&states);
        pooled.mapv_inplace(tanh);
        self.answer
            .map(&pooled)
            .rows()
            .into_iter()
            .map(|row| [0, 1, 2].map(|class| (row[class] * STEPS).round() / STEPS))
            .collect()
    }

    /// The states before the first layer, those of one pair after the other.
    fn embed(&self, pairs: &[Pair], length: usize) -> Array2<f32> {
        let mut states = Array2::zeros((length, WIDTH));
        let mut rows = states.rows_mut().into_iter();
        for pair in pairs {
            for ((place, piece), mut state) in pair.pieces.iter().enumerate().zip(&mut rows) {
                let kind = usize::from(place >= pair.claim);
                let known = self.places.row(place).into_iter().zip(self.kinds.row(kind));
                for ((value, of_piece), (of_place, of_kind)) in
                    state.iter_mut().zip(self.pieces.row(*piece)).zip(known)
                {
                    *value = of_piece + of_place + of_kind;
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

impl Dense {
    fn map(&self, rows: &Array2<f32>) -> Array2<f32> {
        let mut outputs = Array2::zeros((rows.nrows(), self.bias.len()));
        outputs
            .rows_mut()
            .into_iter()
            .for_each(|mut row| row.assign(&self.bias));
        general_mat_mul(1.0, rows, &self.weights.t(), 1.0, &mut outputs);
        outputs
    }
}

impl weights::Norm {
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
fn tanh(value: f32) -> f32 {
    let value = value.clamp(-4.97, 4.97);
    let square = value * value;
    let above = value * (135_135.0 + square * (17_325.0 + square * (378.0 + square)));
    let below = 135_135.0 + square * (62_370.0 + square * (3_150.0 + square * 28.0));
    (above / below).clamp(-1.0, 1.0)
}

#[cfg(test)]
mod tests {
    use text::embedding::word_pieces;

    use super::*;

    fn pair(claim: &str, passage: &str) -> Pair {
        Pair::new(&word_pieces(claim), &word_pieces(passage))
    }

    const GOLDEN: [(&str, &str, [f32; 3]); 3] = [
        (
            "Oil prices fell on Monday.",
            "Crude climbed 3% on Monday, its best day in a month.",
            [-1.4048, 2.7915, -1.2860],
        ),
        (
            "The court upheld the ban.",
            "Judges confirm smoking ban. An appeal by landlords was dismissed on Friday.",
            [-0.7704, -0.9129, 1.3028],
        ),
        (
            "Die Zürich-Filiale closed – for good.",
            "The bank’s branch in Zürich will be renovated.",
            [-1.6220, -0.2352, 1.4965],
        ),
    ];

    /// By torch, with the weights of the file (the end of `scripts/fit_encoder.py`).
    #[test]
    fn the_script_reads_the_same() {
        for (claim, passage, expected) in GOLDEN {
            let found = read(&[pair(claim, passage)])[0];
            for (found, expected) in found.iter().zip(expected) {
                assert!(
                    (found - expected).abs() <= 1.01 / STEPS,
                    "{claim}: {found} {expected}"
                );
            }
        }
    }

    #[test]
    fn a_pair_is_read_the_same_beside_others() {
        let long = "Profits rose and shares fell. ".repeat(100);
        let texts = [
            (
                "Profits rose.",
                "Shares of the bank fell although its profits rose.",
            ),
            ("", ""),
            (&*long, &*long),
            ("Rain fell in Madrid.", "It was dry in Lisbon."),
        ];
        let pairs: Vec<Pair> = texts.map(|(claim, passage)| pair(claim, passage)).into();
        assert!(pairs.iter().all(|pair| pair.pieces.len() <= LONGEST));
        let together = read(&pairs);
        for (pair, found) in pairs.into_iter().zip(together) {
            assert_eq!(read(&[pair]), [found]);
            assert!(found.iter().all(|share| share.is_finite()));
        }
        assert!(read(&[]).is_empty());
    }

    /// Prints what eight pairs of 64 pieces take, as a verdict reads them: the median of rounds.
    #[test]
    #[ignore = "a measurement"]
    fn what_a_pair_takes() {
        let pieces: Vec<u16> = (2_000..2_040).collect();
        let pairs: Vec<Pair> = (0..8)
            .map(|pair| Pair::new(&pieces[pair..pair + 21], &pieces))
            .collect();
        let length: usize = pairs.iter().map(|pair| pair.pieces.len()).sum();
        read(&pairs);
        let mut rounds: Vec<f64> = (0..50)
            .map(|_| {
                let start = std::time::Instant::now();
                assert_eq!(read(&pairs).len(), pairs.len());
                start.elapsed().as_secs_f64() * 1e3 / pairs.len() as f64
            })
            .collect();
        rounds.sort_by(f64::total_cmp);
        println!(
            "{:.1} ms a pair of {} pieces",
            rounds[rounds.len() / 2],
            length / pairs.len()
        );
    }
}

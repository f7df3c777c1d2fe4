//! Small transformers that read wording.
//!
//! They are BERT (Devlin et al. 2019, <https://arxiv.org/abs/1810.04805>), 384 wide, and share one table of word pieces, those of all-MiniLM-L6-v2
//! (`crates/text/data/embedding/vocabulary.txt`). One reads a claim with a passage ([`stance`]), one
//! which event a sentence reports ([`events`]), one who takes part in it ([`roles`]), one what an article is about ([`category`]). They see order and meaning of words and know nothing of figures, days and
//! names beyond their pieces.
//!
//! Answers are rounded, so that processors that add in another order agree.

mod body;
pub mod category;
pub mod events;
mod linear;
pub mod roles;
pub mod stance;
mod weights;

use std::sync::LazyLock;

use ndarray::{Array2, Axis, concatenate};
use weights::Rows;

/// Numbers of the state of a piece.
const WIDTH: usize = 384;
/// Pieces that are read at most, with marks. The files have a row for each place.
const LONGEST: usize = 112;
/// The pieces that stand before a text and behind it.
const START: u16 = 101;
const END: u16 = 102;
/// Answers are rounded to multiples of one part in so many.
const STEPS: f32 = 64.0;

/// The table of word pieces, which all share: the first part of the file of [`stance`].
static PIECES: LazyLock<Rows> = LazyLock::new(|| weights::Rest(stance::FILE).rows());

/// The first state and the mean of all, as one row.
fn whole(states: &Array2<f32>) -> Array2<f32> {
    let mean = states.mean_axis(Axis(0)).unwrap_or_default();
    concatenate![Axis(0), states.row(0), mean].insert_axis(Axis(0))
}

/// Rounds answers.
fn rounded(values: impl IntoIterator<Item = f32>) -> impl Iterator<Item = f32> {
    values
        .into_iter()
        .map(|value| (value * STEPS).round() / STEPS)
}

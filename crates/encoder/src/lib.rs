//! Small transformers that read wording.
//!
//! They are BERT (Devlin et al. 2019, <https://arxiv.org/abs/1810.04805>), 384 wide, and share the word pieces of all-MiniLM-L6-v2
//! (`crates/text/data/embedding/vocabulary.txt`), of which all they know of a word is fitted. One reads a claim with a passage ([`stance`]), one
//! which event a sentence reports ([`events`]). They see order and meaning of words and know nothing of figures, days and
//! names beyond their pieces.
//!
//! Numbers are rounded before they are used, so that a processor that adds in another order finds the same.

mod body;
pub mod events;
pub mod stance;
mod weights;

use std::sync::LazyLock;

use weights::Rows;

/// Numbers of the state of a piece.
const WIDTH: usize = 384;
/// Pieces that are read at most, with marks. The files have a row for each place.
const LONGEST: usize = 112;
/// The pieces that stand before a text and behind it.
const START: u16 = 101;
const END: u16 = 102;
/// Steps in which answers are told.
const STEPS: f32 = 64.0;

/// The first part of the file of [`stance`], which all share.
static PIECES: LazyLock<Rows> = LazyLock::new(|| weights::Rest(stance::FILE).rows());

/// Answers in the steps in which they are told.
fn rounded(values: impl IntoIterator<Item = f32>) -> impl Iterator<Item = f32> {
    values
        .into_iter()
        .map(|value| (value * STEPS).round() / STEPS)
}

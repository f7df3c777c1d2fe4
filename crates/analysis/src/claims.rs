//! Checks claims about market and economic figures against the stored series.
//!
//! [`check_figures`] reads a claim, finds its figure and says whether the claim is supported, contradicted or
//! unverifiable. A sentence gives the right figure, and the reading of the claim is stated. A number agrees within its
//! own rounding; comparisons are strict. If ordinary readings lead to different verdicts and none of them is the usual
//! one, the claim is unverifiable. Nothing that became known after `as_of` is used, and missing data is never guessed.

mod answer;
mod beside;
mod check;
mod disclosed;
mod dominance;
mod exact;
mod finding;
mod gaps;
mod judge;
mod line;
mod lines;
mod listed;
mod moves;
mod reported;
mod resolve;
mod scales;
mod seasons;
mod services;
#[cfg(test)]
mod tests;
mod valued;
mod window;
mod wording;

pub use check::check_figures;
pub use finding::{FigureFinding, Reason, Truth, Verdict};
pub use services::FigureServices;

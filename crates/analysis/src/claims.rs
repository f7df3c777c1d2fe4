//! Claims about market and economic figures against the stored series.
//!
//! [`check_figures`] reads a claim, finds its figure and says whether it is supported, contradicted or unverifiable, with
//! the right figure in a sentence and the reading stated. A number agrees as far as it is rounded itself; comparisons are
//! strict. Where ordinary readings lead to different verdicts and none is usual, the claim is unverifiable. Nothing that
//! became known after `as_of` is used. What is not held is never guessed.

mod answer;
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

//! Claims about market and economic figures: which figure is meant, what is claimed about it, when, and by how much.
//!
//! [`read`] turns a sentence into a [`FigureClaim`]: subject, measure, period, and what is said about the figure.
//! Whoever has the stored series looks up the figure and compares. Nothing is guessed: a text about something else is
//! `None`, and a claim about a figure with an unclear part is [`Reading::Unclear`], which makes it unverifiable. The
//! word tables are data files under `data/figures`. Only English is read.

mod amount;
mod assemble;
mod assertions;
mod claim;
pub(crate) mod dates;
mod disclosed;
mod doubts;
mod events;
mod groups;
mod items;
mod listed;
mod loose;
mod mend;
mod mentions;
pub(crate) mod numbers;
mod parts;
mod period;
mod phrases;
mod plain;
mod respelled;
mod reword;
mod series;
mod subject;
#[cfg(test)]
mod tests;
mod times;
pub(crate) mod token;
mod undated;

pub use amount::{Amount, Bound, Unit};
pub use assemble::read;
pub use claim::{
    Assertion, AverageKind, Basis, Direction, Disclosure, FigureClaim, Listed, Measure, Other,
    Over, Place, PriceField, Reading, Subject, Unclear, Undated,
};
pub use doubts::{names_cause, names_futures};
pub use loose::{Loose, LooseFigure, LooseReading, loose_claims, passing};
pub use mentions::{Dated, Level, Mentions, mentions};
pub use period::{Length, Period, Span, SpanUnit};
pub use respelled::respelled;
pub use reword::plain_claims;
pub use series::{Derived, KnownSeries, SeriesKind};

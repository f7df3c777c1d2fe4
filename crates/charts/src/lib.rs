//! Charts as SVG: bars with volume, averages and an oscillator, lines side by side, values by period, ranked values.
//!
//! Pure functions of their input. A chart has no background and draws its text in the colour of the page around it
//! (`currentColor`), so that it can be read on paper, on a light page and on a dark one. It loads nothing and runs
//! nothing. Sessions are drawn side by side, without gaps for days on which nothing is traded.

mod axis;
mod bars;
mod columns;
mod lines;
mod no_chart;
mod paper;
mod ranks;

pub use bars::{Average, Bar, BarChart, Oscillator};
pub use columns::{ColumnChart, Panel};
pub use lines::{Line, LineChart, MOST_LINES};
pub use no_chart::NoChart;
pub use ranks::{Rank, RankChart};

#[cfg(test)]
mod tests;

//! Values side by side as horizontal bars.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::NoChart;
use crate::paper::{LINES, WIDTH, drawn, letters};

/// Bars that are drawn.
const MOST: usize = 12;
/// Height of one bar including its spacing.
const ROW: i32 = 30;

/// One bar.
#[derive(Clone, Debug, PartialEq)]
pub struct Rank {
    /// The label before it.
    pub name: String,
    /// Its length.
    pub value: f64,
    /// The label after it.
    pub shown: String,
    /// Whether it is the one with which the others are compared.
    pub stands_out: bool,
}

/// Bars below each other, in the given order.
#[derive(Clone, Debug, PartialEq)]
pub struct RankChart {
    /// What is shown, for screen readers.
    pub title: String,
    /// At most twelve are drawn.
    pub ranks: Vec<Rank>,
}

impl RankChart {
    /// The picture.
    pub fn svg(&self) -> Result<String, NoChart> {
        let ranks: Vec<&Rank> = self
            .ranks
            .iter()
            .filter(|rank| rank.value.is_finite())
            .take(MOST)
            .collect();
        let most = ranks.iter().map(|rank| rank.value).fold(0.0, f64::max);
        if ranks.len() < 2 || most <= 0.0 {
            return Err(NoChart::TooFew);
        }
        let height = ROW * i32::try_from(ranks.len()).unwrap_or(1) + 8;
        let (left, right) = (110, WIDTH.cast_signed() - 90);
        drawn(height.cast_unsigned(), &self.title, |area| {
            for (place, rank) in ranks.iter().enumerate() {
                let top = 4 + ROW * i32::try_from(place).unwrap_or(0);
                let middle = top + ROW / 2;
                let share = (rank.value / most).clamp(0.0, 1.0);
                let end = left + (f64::from(right - left) * share).round() as i32;
                let colour = if rank.stands_out { LINES[1] } else { LINES[0] };
                area.draw(&Rectangle::new(
                    [(left, top + 6), (end.max(left + 1), top + ROW - 6)],
                    colour.mix(0.8).filled(),
                ))?;
                let name: String = rank.name.chars().take(14).collect();
                let before = letters(14).pos(Pos::new(HPos::Right, VPos::Center));
                area.draw_text(&name, &before, (left - 8, middle))?;
                let behind = letters(14).pos(Pos::new(HPos::Left, VPos::Center));
                area.draw_text(&rank.shown, &behind, (end + 8, middle))?;
            }
            Ok(())
        })
    }
}

//! Lines side by side.

use std::collections::BTreeSet;

use model::Day;
use plotters::prelude::*;

use crate::NoChart;
use crate::axis::{MOST_POINTS, labels, span};
use crate::paper::{self, LINES, WIDTH, drawn, entry, grid, letters};

const HEIGHT: u32 = 320;
/// Lines side by side.
pub const MOST_LINES: usize = 6;

/// A series.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its name, for the legend.
    pub name: String,
    /// Values by day, oldest first.
    pub points: Vec<(Day, f64)>,
}

/// Several series over the same days.
#[derive(Clone, Debug, PartialEq)]
pub struct LineChart {
    /// What is shown, for screen readers.
    pub title: String,
    /// At most [`MOST_LINES`].
    pub lines: Vec<Line>,
    /// Whether each line starts at 100, so that they can be compared.
    pub is_indexed: bool,
}

impl LineChart {
    /// The picture.
    pub fn svg(&self) -> Result<String, NoChart> {
        let lines = self.prepared();
        let days: BTreeSet<Day> = lines
            .iter()
            .flat_map(|line| line.points.iter().map(|(day, _)| *day))
            .collect();
        let days: Vec<Day> = days.into_iter().collect();
        let values = lines
            .iter()
            .flat_map(|line| line.points.iter().map(|(_, value)| *value));
        let Some((least, most)) = span(values).filter(|_| days.len() > 1) else {
            return Err(NoChart::TooFew);
        };
        let marks = labels(&days);
        drawn(HEIGHT, &self.title, |area| {
            let (legend, plot) = area.split_vertically(24);
            let end = days.len() - 1;
            let mut chart = ChartBuilder::on(&plot)
                .margin_left(12)
                .margin_top(4)
                .x_label_area_size(26)
                .right_y_label_area_size(56)
                .build_cartesian_2d(0.0..end as f64, least..most)?;
            grid(&mut chart, 6)?;
            for (line, colour) in lines.iter().zip(LINES) {
                let points = line.points.iter().filter_map(|(day, value)| {
                    let place = days.binary_search(day).ok()?;
                    Some((place as f64, *value))
                });
                chart.draw_series(LineSeries::new(points, colour.stroke_width(2)))?;
            }
            let below = chart.plotting_area().get_pixel_range().1.end;
            for (place, text) in &marks {
                let (x, _) = chart
                    .plotting_area()
                    .map_coordinate(&(*place as f64, least));
                let style = letters(12).pos(paper::centred());
                area.draw_text(text, &style, (x, below + 14))?;
            }
            let mut x = 12;
            for (line, colour) in lines.iter().zip(LINES) {
                x = entry(&legend, x, &line.name, colour)?;
                if x > WIDTH.cast_signed() - 80 {
                    break;
                }
            }
            Ok(())
        })
    }

    /// The lines as drawn: not too many, not too long, and starting from 100 if they are compared.
    pub(crate) fn prepared(&self) -> Vec<Line> {
        // If lines begin on different days, they are compared from the first day that all of them have.
        let begin = if self.is_indexed {
            let firsts = self.lines.iter().filter_map(|line| line.points.first());
            firsts.map(|(day, _)| *day).max()
        } else {
            None
        };
        let lines = self.lines.iter().take(MOST_LINES).map(|line| {
            let mut points: Vec<(Day, f64)> = line
                .points
                .iter()
                .filter(|(day, value)| value.is_finite() && begin.is_none_or(|begin| *day >= begin))
                .copied()
                .collect();
            points.drain(..points.len().saturating_sub(MOST_POINTS));
            points.sort_by_key(|(day, _)| *day);
            if self.is_indexed
                && let Some((_, base)) = points.first().copied()
                && base > 0.0
            {
                for (_, value) in &mut points {
                    *value = *value / base * 100.0;
                }
            }
            Line {
                name: line.name.chars().take(40).collect(),
                points,
            }
        });
        lines.collect()
    }
}

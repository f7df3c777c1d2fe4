//! Values by period as columns, one panel below the other.

use plotters::prelude::*;

use crate::NoChart;
use crate::axis::span;
use crate::paper::{self, LINES, WIDTH, drawn, grid, legend_letters, letters};

/// Periods that are drawn; if there are more, the last ones.
const MOST: usize = 12;
/// Panels that are drawn.
const MOST_PANELS: usize = 3;
/// Height of a panel including its heading.
const PANEL: u32 = 150;
/// Space for the names of the periods.
const FOOT: u32 = 24;

/// One measure for every period.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Its name, with its unit.
    pub name: String,
    /// A value for each period; NaN if it is not known.
    pub values: Vec<f64>,
}

/// Measures for the same periods.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnChart {
    /// What is shown, for screen readers.
    pub title: String,
    /// Names of the periods, oldest first.
    pub periods: Vec<String>,
    /// Each as long as the periods; others are left out, and at most three are drawn.
    pub panels: Vec<Panel>,
}

impl ColumnChart {
    /// The picture.
    pub fn svg(&self) -> Result<String, NoChart> {
        let skipped = self.periods.len().saturating_sub(MOST);
        let periods = &self.periods[skipped..];
        let panels: Vec<(&str, &[f64], (f64, f64))> = self
            .panels
            .iter()
            .filter(|panel| panel.values.len() == self.periods.len())
            .filter_map(|panel| {
                let values = &panel.values[skipped..];
                let known = values.iter().filter(|value| value.is_finite()).count();
                // Columns stand on zero.
                let range = span(values.iter().copied().chain([0.0]))?;
                (known >= 2).then_some((&*panel.name, values, range))
            })
            .take(MOST_PANELS)
            .collect();
        if panels.is_empty() {
            return Err(NoChart::TooFew);
        }
        let height = PANEL * u32::try_from(panels.len()).unwrap_or(1) + FOOT;
        let across = -0.6..periods.len() as f64 - 0.4;
        drawn(height, &self.title, |area| {
            for (place, (name, values, (least, most))) in panels.iter().enumerate() {
                let top = PANEL.cast_signed() * i32::try_from(place).unwrap_or(0);
                let panel = area.clone().shrink((0, top), (WIDTH, PANEL));
                let (heading, plot) = panel.split_vertically(24);
                let name: String = name.chars().take(60).collect();
                heading.draw_text(&name, &legend_letters(), (12, 12))?;
                let mut chart = ChartBuilder::on(&plot)
                    .margin_left(12)
                    .right_y_label_area_size(56)
                    .build_cartesian_2d(across.clone(), *least..*most)?;
                grid(&mut chart, 4)?;
                let colour = LINES[place % LINES.len()];
                for (at, value) in values.iter().enumerate() {
                    if value.is_finite() {
                        let at = at as f64;
                        let (low, high) = (value.min(0.0), value.max(0.0));
                        let body = [(at - 0.32, low), (at + 0.32, high)];
                        chart.draw_series([Rectangle::new(body, colour.mix(0.8).filled())])?;
                    }
                }
                if place + 1 == panels.len() {
                    for (at, text) in periods.iter().enumerate() {
                        let (x, _) = chart.plotting_area().map_coordinate(&(at as f64, 0.0));
                        let style = letters(12).pos(paper::centred());
                        let text: String = text.chars().take(10).collect();
                        area.draw_text(&text, &style, (x, height.cast_signed() - 12))?;
                    }
                }
            }
            Ok(())
        })
    }
}

//! Daily bars with volume and moving averages.

use std::ops::Range;

use model::Day;
use plotters::coord::Shift;
use plotters::prelude::*;

use crate::NoChart;
use crate::axis::{MOST_POINTS, labels, span};
use crate::paper::{self, Drawn, INK, LINES, drawn, entry, grid, legend_letters, letters};

const HEIGHT: u32 = 400;
/// The part of it for the volume.
const VOLUME: i32 = 84;
/// Extra height for an oscillator below it.
const STRIP: u32 = 96;
/// Heading of the oscillator.
const STRIP_HEAD: i32 = 20;
const UP: RGBColor = RGBColor(0x1f, 0x9d, 0x78);
const DOWN: RGBColor = RGBColor(0xc8, 0x3e, 0x4d);

/// A single session.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bar {
    /// Its day.
    pub day: Day,
    /// Opening price.
    pub open: f64,
    /// Highest price.
    pub high: f64,
    /// Lowest price.
    pub low: f64,
    /// Closing price.
    pub close: f64,
    /// Volume; 0 if it is not known.
    pub volume: f64,
}

/// A line drawn over the bars.
#[derive(Clone, Debug, PartialEq)]
pub struct Average {
    /// Its name, for the legend.
    pub name: String,
    /// A value for each bar; NaN if there is none yet.
    pub values: Vec<f64>,
}

/// A line between 0 and 100 in a panel of its own, with its reference levels.
#[derive(Clone, Debug, PartialEq)]
pub struct Oscillator {
    /// Its name, for the legend.
    pub name: String,
    /// A value for each bar; NaN if there is none yet.
    pub values: Vec<f64>,
    /// Drawn across the panel, for example 30 and 70.
    pub marks: Vec<f64>,
}

/// Bars of one instrument.
#[derive(Clone, Debug, PartialEq)]
pub struct BarChart {
    /// What is shown, for screen readers and for the legend.
    pub title: String,
    /// Oldest first.
    pub bars: Vec<Bar>,
    /// Lines drawn over them.
    pub averages: Vec<Average>,
    /// Below the volume; `None` for no such panel.
    pub oscillator: Option<Oscillator>,
}

impl BarChart {
    /// The picture.
    pub fn svg(&self) -> Result<String, NoChart> {
        let skipped = self.bars.len().saturating_sub(MOST_POINTS);
        let bars = &self.bars[skipped..];
        let is_whole = |bar: &Bar| {
            [bar.open, bar.high, bar.low, bar.close, bar.volume]
                .iter()
                .all(|value| value.is_finite())
        };
        if bars.len() < 2 || !bars.iter().all(is_whole) {
            return Err(NoChart::TooFew);
        }
        let averages: Vec<(&str, &[f64])> = self
            .averages
            .iter()
            .filter(|average| average.values.len() == self.bars.len())
            .map(|average| (&*average.name, &average.values[skipped..]))
            .collect();
        let values = bars.iter().flat_map(|bar| [bar.low, bar.high]);
        let over = averages
            .iter()
            .flat_map(|(_, values)| values.iter().copied());
        let (least, most) = span(values.chain(over)).ok_or(NoChart::TooFew)?;
        let greatest = bars.iter().map(|bar| bar.volume).fold(0.0, f64::max);
        let days: Vec<Day> = bars.iter().map(|bar| bar.day).collect();
        let marks = labels(&days);
        let range = -0.5..bars.len() as f64 - 0.5;
        let strip = self
            .oscillator
            .as_ref()
            .filter(|one| one.values.len() == self.bars.len())
            .map(|one| (one, &one.values[skipped..]))
            .filter(|(_, values)| values.iter().any(|value| value.is_finite()));
        let height = HEIGHT + if strip.is_some() { STRIP } else { 0 };
        drawn(height, &self.title, |area| {
            let (own, below_all) = area.split_vertically(HEIGHT);
            if let Some((oscillator, values)) = strip {
                draw_strip(&below_all, oscillator, values, range.clone())?;
            }
            let (legend, rest) = own.split_vertically(24);
            let below = HEIGHT.cast_signed() - 24 - VOLUME;
            let (prices, volumes) = rest.split_vertically(below);
            let mut chart = ChartBuilder::on(&prices)
                .margin_left(12)
                .margin_top(4)
                .right_y_label_area_size(56)
                .build_cartesian_2d(range.clone(), least..most)?;
            grid(&mut chart, 6)?;
            let is_dense = bars.len() > 260;
            if is_dense {
                let closes = bars
                    .iter()
                    .enumerate()
                    .map(|(place, bar)| (place as f64, bar.close));
                chart.draw_series(LineSeries::new(closes, LINES[0].stroke_width(2)))?;
            } else {
                for (place, bar) in bars.iter().enumerate() {
                    let place = place as f64;
                    let colour = if bar.close >= bar.open { UP } else { DOWN };
                    let wick = vec![(place, bar.low), (place, bar.high)];
                    chart.draw_series([PathElement::new(wick, colour.stroke_width(1))])?;
                    let (low, high) = (bar.open.min(bar.close), bar.open.max(bar.close));
                    let body = [(place - 0.35, low), (place + 0.35, high)];
                    chart.draw_series([Rectangle::new(body, colour.filled())])?;
                }
            }
            let colours = LINES.iter().skip(usize::from(is_dense));
            for ((_, values), colour) in averages.iter().zip(colours.clone()) {
                let points = values
                    .iter()
                    .enumerate()
                    .filter(|(_, value)| value.is_finite())
                    .map(|(place, value)| (place as f64, *value));
                chart.draw_series(LineSeries::new(points, colour.stroke_width(2)))?;
            }
            let mut lower = ChartBuilder::on(&volumes)
                .margin_left(12)
                .x_label_area_size(26)
                .right_y_label_area_size(56)
                .build_cartesian_2d(range, 0.0..(greatest * 1.05).max(1.0))?;
            grid(&mut lower, 2)?;
            for (place, bar) in bars.iter().enumerate() {
                let place = place as f64;
                let colour = if bar.close >= bar.open { UP } else { DOWN };
                let body = [(place - 0.4, 0.0), (place + 0.4, bar.volume)];
                lower.draw_series([Rectangle::new(body, colour.mix(0.55).filled())])?;
            }
            for (place, text) in &marks {
                let (x, _) = lower.plotting_area().map_coordinate(&(*place as f64, 0.0));
                let style = letters(12).pos(paper::centred());
                area.draw_text(text, &style, (x, HEIGHT.cast_signed() - 12))?;
            }
            let title: String = self.title.chars().take(60).collect();
            legend.draw_text(&title, &legend_letters(), (12, 11))?;
            let mut x = 12 + 8 * i32::try_from(title.chars().count()).unwrap_or(0) + 16;
            for ((name, _), colour) in averages.iter().zip(colours) {
                x = entry(&legend, x, name, *colour)?;
            }
            Ok(())
        })
    }
}

/// An oscillator below the bars, on the same days.
fn draw_strip(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    oscillator: &Oscillator,
    values: &[f64],
    range: Range<f64>,
) -> Drawn<()> {
    let (heading, plot) = area.split_vertically(STRIP_HEAD);
    let name: String = oscillator.name.chars().take(60).collect();
    heading.draw_text(&name, &legend_letters(), (12, 10))?;
    let mut chart = ChartBuilder::on(&plot)
        .margin_left(12)
        .margin_bottom(4)
        .right_y_label_area_size(56)
        .build_cartesian_2d(range.clone(), 0.0..100.0)?;
    grid(&mut chart, 3)?;
    for mark in &oscillator.marks {
        let line = [(range.start, *mark), (range.end, *mark)];
        chart.draw_series([PathElement::new(line, INK.stroke_width(1))])?;
    }
    let known = values
        .iter()
        .enumerate()
        .filter(|(_, value)| value.is_finite())
        .map(|(place, value)| (place as f64, *value));
    chart.draw_series(LineSeries::new(known, LINES[3].stroke_width(2)))?;
    Ok(())
}

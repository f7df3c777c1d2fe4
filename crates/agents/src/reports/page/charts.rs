//! The charts of a page.

use charts::{
    Average, Bar, BarChart, ColumnChart, Line, LineChart, Oscillator, Panel, Rank, RankChart,
};

use crate::reports::document::{Block, day_of};

/// Title and picture of a chart; nothing if it cannot be drawn.
pub(super) fn drawn(block: &Block) -> Option<(String, String)> {
    let (title, svg) = picture(block)?;
    // The policy of the page allows no styles but its own.
    let svg = svg.replacen(" style=\"max-width:100%;height:auto\"", "", 1);
    Some((title, svg))
}

fn picture(block: &Block) -> Option<(String, String)> {
    match block {
        Block::Prices {
            title,
            bars,
            averages,
            rsi,
        } => {
            let oscillator = (!rsi.is_empty()).then(|| Oscillator {
                name: "RSI, 14 sessions, with 30 and 70".to_owned(),
                values: drawable(rsi),
                marks: vec![30.0, 70.0],
            });
            let below = if oscillator.is_some() {
                "volume and RSI below"
            } else {
                "volume below"
            };
            let bars: Vec<Bar> = bars
                .iter()
                .filter_map(|(day, open, high, low, close, volume)| {
                    Some(Bar {
                        day: day_of(*day)?,
                        open: *open,
                        high: *high,
                        low: *low,
                        close: *close,
                        volume: *volume,
                    })
                })
                .collect();
            let averages = averages.iter().map(|(name, values)| Average {
                name: name.clone(),
                values: drawable(values),
            });
            let chart = BarChart {
                title: title.clone(),
                bars,
                averages: averages.collect(),
                oscillator,
            };
            Some((
                format!("{title}: price with averages above, {below}"),
                chart.svg().ok()?,
            ))
        }
        Block::Line {
            title,
            lines,
            is_indexed,
        } => {
            let lines = lines.iter().map(|(name, points)| Line {
                name: name.clone(),
                points: points
                    .iter()
                    .filter_map(|(day, value)| Some((day_of(*day)?, *value)))
                    .collect(),
            });
            let chart = LineChart {
                title: title.clone(),
                lines: lines.collect(),
                is_indexed: *is_indexed,
            };
            Some((title.clone(), chart.svg().ok()?))
        }
        Block::Quarters {
            title,
            periods,
            panels,
        } => {
            let panels = panels.iter().map(|(name, _, values)| Panel {
                name: name.clone(),
                values: drawable(values),
            });
            let chart = ColumnChart {
                title: title.clone(),
                periods: periods.clone(),
                panels: panels.collect(),
            };
            Some((title.clone(), chart.svg().ok()?))
        }
        Block::Bars { title, bars } => {
            let bars = bars.iter().map(|(name, value, shown, is_own)| Rank {
                name: name.clone(),
                value: *value,
                shown: shown.clone(),
                stands_out: *is_own,
            });
            let chart = RankChart {
                title: title.clone(),
                ranks: bars.collect(),
            };
            Some((title.clone(), chart.svg().ok()?))
        }
        _ => None,
    }
}

/// Values in the form that a chart takes.
fn drawable(values: &[Option<f64>]) -> Vec<f64> {
    let values = values.iter().map(|value| value.unwrap_or(f64::NAN));
    values.collect()
}

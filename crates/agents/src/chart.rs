//! The chart for an answer, drawn from the prices in its data.

use charts::{Average, Bar, BarChart, Line, LineChart, NoChart};
use model::Day;
use query::Instrument;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// Maximum number of instruments drawn side by side.
pub(crate) const MOST_DRAWN: usize = 4;
/// Period of the moving average over the bars, in sessions.
const AVERAGE: usize = 20;

/// A picture.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = AskChart)]
pub struct ChartBody {
    /// What it shows.
    pub title: String,
    /// First day, YYYY-MM-DD.
    pub from: String,
    /// Last day, YYYY-MM-DD.
    pub to: String,
    /// The picture: SVG without scripts or external resources, in the colour of the surrounding text.
    pub svg: String,
}

/// Prices of one instrument.
struct Prices {
    symbol: String,
    bars: Vec<Bar>,
    /// Whether highs, lows and volumes are known.
    is_whole: bool,
}

/// The chart of these instruments. The error says why there is none.
pub(crate) fn draw(
    instruments: &[Instrument],
    data: &Map<String, Value>,
) -> Result<ChartBody, &'static str> {
    if instruments.is_empty() {
        return Err("a chart is drawn of shares, funds and coins; the question names none");
    }
    let is_one = instruments.len() == 1;
    let all: Vec<Prices> = instruments
        .iter()
        .take(MOST_DRAWN)
        .filter_map(|instrument| prices(instrument.symbol.as_str(), is_one, data))
        .collect();
    let days = || {
        all.iter()
            .flat_map(|one| one.bars.iter().map(|bar| bar.day))
    };
    // Lines are compared from the first day that all of them have.
    let firsts = all.iter().filter_map(|one| one.bars.first());
    let (Some(from), Some(to)) = (firsts.map(|bar| bar.day).max(), days().max()) else {
        return Err("no prices are known for a chart");
    };
    let (title, drawn) = match &all[..] {
        [one] if one.is_whole => {
            let title = format!("{}, daily", one.symbol);
            let chart = BarChart {
                title: title.clone(),
                averages: vec![average(&one.bars)],
                bars: one.bars.clone(),
                oscillator: None,
            };
            (title, chart.svg())
        }
        several => {
            let symbols: Vec<&str> = several.iter().map(|one| &*one.symbol).collect();
            let is_indexed = several.len() > 1;
            let title = if is_indexed {
                format!("{}: first common day = 100", symbols.join(", "))
            } else {
                format!("{}, daily closes", symbols.join(", "))
            };
            let lines = several.iter().map(|one| Line {
                name: one.symbol.clone(),
                points: one.bars.iter().map(|bar| (bar.day, bar.close)).collect(),
            });
            let chart = LineChart {
                title: title.clone(),
                lines: lines.collect(),
                is_indexed,
            };
            (title, chart.svg())
        }
    };
    let svg = drawn.map_err(|error| match error {
        NoChart::TooFew => "there are too few prices for a chart",
        NoChart::Failed => "the chart could not be drawn",
    })?;
    Ok(ChartBody {
        title,
        from: from.to_string(),
        to: to.to_string(),
        svg,
    })
}

fn prices(symbol: &str, is_one: bool, data: &Map<String, Value>) -> Option<Prices> {
    let of = |key: &str| {
        let value = data.get(key)?;
        if is_one {
            Some(value)
        } else {
            value.get(symbol)
        }
    };
    let list = |key: &str, list: &str| {
        of(key)
            .and_then(|value| value.get(list))
            .and_then(Value::as_array)
    };
    let day = |one: &Value| Day::parse(one.get("date")?.as_str()?.get(..10)?);
    let candle = |one: &Value| {
        let number = |name: &str| one.get(name).and_then(Value::as_f64);
        Some(Bar {
            day: day(one)?,
            open: number("open")?,
            high: number("high")?,
            low: number("low")?,
            close: number("close")?,
            volume: number("volume").unwrap_or(0.0),
        })
    };
    let point = |one: &Value| {
        let close = one.get("price").and_then(Value::as_f64)?;
        Some(Bar {
            day: day(one)?,
            open: close,
            high: close,
            low: close,
            close,
            volume: 0.0,
        })
    };
    let (bars, is_whole): (Vec<Bar>, bool) = if let Some(candles) = list("candles", "candles") {
        (candles.iter().filter_map(candle).collect(), true)
    } else {
        let points = list("chart", "prices")?;
        (points.iter().filter_map(point).collect(), false)
    };
    Some(Prices {
        symbol: symbol.to_owned(),
        bars,
        is_whole,
    })
}

/// The mean close of the last sessions, at each session with enough sessions before it.
fn average(bars: &[Bar]) -> Average {
    let value = |place: usize| {
        let first = (place + 1).checked_sub(AVERAGE)?;
        let sum: f64 = bars[first..=place].iter().map(|bar| bar.close).sum();
        Some(sum / AVERAGE as f64)
    };
    Average {
        name: format!("{AVERAGE}-day average"),
        values: (0..bars.len())
            .map(|place| value(place).unwrap_or(f64::NAN))
            .collect(),
    }
}

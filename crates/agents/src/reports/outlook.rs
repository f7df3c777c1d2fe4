//! Ranges of outcomes over one, three and twelve months, from the subject's own past.
//!
//! Two ranges stand beside each other. The modelled one is lognormal: half of the mean daily logarithmic return of the whole
//! history as drift (half, because a mean of few years is mostly chance), and as volatility the root of the mean of the squares of
//! the last 60 sessions' and the whole history's; its ends are the 10th and 90th percentiles. The historical one takes every
//! stretch of that length on record, with the same percentiles. Neither knows of anything that is not in the price.

use super::document::{Block, Section};
use super::facts::{Facts, Kind};
use super::points::{Point, Theme, sentences};
use super::series::{deviation, quantile};
use super::words::{day, pct, signed};

/// The 90th percentile of the normal distribution.
const Z90: f64 = 1.281_551_565_545;

/// One horizon.
struct Range {
    words: &'static str,
    sessions: usize,
    /// The newest close.
    last: f64,
    modelled: (f64, f64, f64),
    past: Option<(f64, f64, f64, usize)>,
}

pub(super) fn read(facts: &Facts) -> Option<Section> {
    // Ranges that count from a price of long ago are none of the months ahead.
    if facts.has_old_price() {
        return None;
    }
    let series = &facts.series;
    let last = series.last()?;
    let returns = series.log_returns();
    if returns.len() < 120 {
        return None;
    }
    let mean = returns.iter().sum::<f64>() / returns.len() as f64;
    let (whole, recent) = (
        deviation(&returns)?,
        deviation(&returns[returns.len() - 60..])?,
    );
    let spread = f64::midpoint(whole.powi(2), recent.powi(2)).sqrt();
    let drift = mean / 2.0;
    let scale = if facts.kind == Kind::Coin {
        365.0 / 252.0
    } else {
        1.0
    };
    let ranges: Vec<Range> = [("1 month", 21.0), ("3 months", 63.0), ("12 months", 252.0)]
        .into_iter()
        .map(|(words, sessions)| {
            let sessions: f64 = f64::round(sessions * scale);
            let at = |z: f64| last.close * (drift * sessions + z * spread * sessions.sqrt()).exp();
            let mut windows = series.windows(sessions as usize);
            windows.sort_by(f64::total_cmp);
            let past = (windows.len() >= 60).then(|| {
                let of = |share: f64| quantile(&windows, share).unwrap_or_default();
                (of(0.1), of(0.5), of(0.9), windows.len())
            });
            Range {
                words,
                sessions: sessions as usize,
                last: last.close,
                modelled: (at(-Z90), at(0.0), at(Z90)),
                past,
            }
        })
        .collect();
    let rows = ranges.iter().map(|range| {
        let (low, middle, high) = range.modelled;
        let past = range.past.map_or_else(
            || "too short a history".to_owned(),
            |(low, middle, high, _)| {
                format!("{} / {} / {}", signed(low), signed(middle), signed(high))
            },
        );
        vec![
            range.words.to_owned(),
            facts.price(low),
            facts.price(middle),
            facts.price(high),
            past,
        ]
    });
    let table = Block::Table {
        caption: "Ranges that would hold four times in five if the future resembled the past"
            .to_owned(),
        head: [
            "Horizon",
            "Low (10%)",
            "Middle",
            "High (90%)",
            "Own past: 10% / middle / 90%",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows: rows.collect(),
    };
    let points: Vec<Point> = [
        year(facts, &ranges),
        beside_past(&ranges),
        extremes(facts, &ranges),
        target(facts, &ranges),
        regime(whole, recent, facts),
    ]
    .into_iter()
    .flatten()
    .map(|(side, weight, clause)| Point::new(Theme::Risk, side, weight, clause))
    .collect();
    let method = Block::Method {
        text: format!(
            "Modelled from {} daily returns since {} with half of their mean as drift ({} a year) and a volatility of {} a year; the last column counts every stretch of that length on record.",
            returns.len(),
            series.first_day().map(day).unwrap_or_default(),
            signed((drift * facts.per_year()).exp_m1() * 100.0),
            pct(spread * facts.per_year().sqrt() * 100.0),
        ),
    };
    let sentences = sentences(points, 1, 2);
    Some(Section {
        title: "Scenarios".to_owned(),
        verdict: None,
        blocks: [table]
            .into_iter()
            .chain(Block::paragraph(sentences))
            .chain([method])
            .collect(),
    })
}

/// Side, weight and clause.
type Found = Option<(f64, f64, String)>;

/// A year's range that is wide or narrow.
fn year(facts: &Facts, ranges: &[Range]) -> Found {
    let last = facts.series.last()?.close;
    let (low, _, high) = ranges.last()?.modelled;
    let (down, up) = ((low / last - 1.0) * 100.0, (high / last - 1.0) * 100.0);
    let (low, high) = (facts.price(low), facts.price(high));
    Some(match up - down {
        ..38.0 => (
            1.0,
            0.5,
            format!("even a year keeps it on a narrow path, from {low} to {high}"),
        ),
        ..60.0 => (
            0.0,
            0.15,
            format!("a year from now anything from {low} to {high} would be unremarkable"),
        ),
        ..85.0 => (
            -1.0,
            0.22,
            format!(
                "whoever holds it for a year must be able to bear a loss of {}",
                pct(down)
            ),
        ),
        ..130.0 => (
            -1.0,
            0.45,
            format!(
                "a year is long enough for it to lose {} or to gain {} without anything extraordinary",
                pct(down),
                pct(up)
            ),
        ),
        _ => (
            -1.0,
            0.7,
            format!(
                "a year is too long for this price to be pinned down, with {low} and {high} both within the ordinary"
            ),
        ),
    })
}

/// How the past differs from the model.
fn beside_past(ranges: &[Range]) -> Found {
    let range = ranges.iter().rev().find(|range| range.past.is_some())?;
    let (low, middle, _, windows) = range.past?;
    let modelled = (range.modelled.1 / range.last - 1.0) * 100.0;
    let stretch = match range.sessions {
        ..40 => "month",
        40..150 => "quarter",
        _ => "year",
    };
    let gap = middle - modelled;
    let clause = match (middle, low, gap) {
        (_, 0.0.., _) => {
            format!("nine in ten of the {windows} overlapping {stretch}s on record ended higher")
        }
        (20.0.., ..-15.0, _) => format!(
            "a typical {stretch} of its past brought {} but one in ten cost {} or more",
            signed(middle),
            pct(low)
        ),
        (20.0.., ..) => format!(
            "a typical {stretch} of its past brought as much as {}",
            signed(middle)
        ),
        (_, ..-30.0, _) => format!(
            "one in ten of the {stretch}s on record cost it {} or more",
            pct(low)
        ),
        (..-5.0, ..) => format!(
            "a typical {stretch} of its past was a loss of {}",
            pct(middle)
        ),
        (..1.0, ..) => format!(
            "a typical {stretch} of its past led nowhere ({})",
            signed(middle)
        ),
        (_, _, 4.0..) => format!(
            "its own past was kinder than the model, with a typical {stretch} of {}",
            signed(middle)
        ),
        (_, -8.0.., _) => format!(
            "its own past was mild, for even the poorest tenth of its {stretch}s began at {}",
            signed(low)
        ),
        _ => return None,
    };
    Some((middle, 0.3 + gap.abs() / 60.0 + low.abs() / 120.0, clause))
}

/// Whether the extremes of the year are within reach.
fn extremes(facts: &Facts, ranges: &[Range]) -> Found {
    let (low, _, high) = ranges.get(1)?.modelled;
    let (_, bottom, top) = facts.series.place_in_range(facts.year())?;
    let (peak, floor) = (facts.price(top), facts.price(bottom));
    let month = ranges.first()?.modelled;
    Some(match (top < high, bottom > low) {
        (true, true) => (
            0.0,
            0.45,
            format!(
                "three months could take it to either extreme of the past year ({floor} and {peak})"
            ),
        ),
        (true, false) if top < month.2 => (
            1.0,
            0.4,
            format!("a month is enough to bring the year's high of {peak} within reach"),
        ),
        (true, false) => (
            1.0,
            0.2,
            format!("the year's high of {peak} is within reach of three months"),
        ),
        (false, true) if bottom > month.0 => (
            -1.0,
            0.4,
            format!("a month is enough to bring the year's low of {floor} within reach"),
        ),
        (false, true) => (
            -1.0,
            0.25,
            format!("the year's low of {floor} is within reach of three months"),
        ),
        (false, false) => (
            0.0,
            0.4,
            format!(
                "neither extreme of the past year ({floor} and {peak}) is within reach of three months"
            ),
        ),
    })
}

/// Where the analysts' target lies in the year's range.
fn target(facts: &Facts, ranges: &[Range]) -> Found {
    let target = facts.of("analysts").number("avg_target")?;
    let (low, middle, high) = ranges.last()?.modelled;
    let shown = facts.price(target);
    Some(match target {
        target if target > high => (
            1.0,
            0.6,
            format!("the analysts' {shown} would take more than a good year"),
        ),
        target if target < low => (
            -1.0,
            0.6,
            format!("the analysts' {shown} would take a worse than bad year"),
        ),
        target if target > middle + (high - middle) / 2.0 => (
            1.0,
            0.35,
            format!("the analysts' {shown} would take a good year"),
        ),
        target if target < middle - (middle - low) / 2.0 => (
            -1.0,
            0.4,
            format!("the analysts' {shown} would take a poor year"),
        ),
        _ => return None,
    })
}

/// Whether the present is calmer or wilder than the past that the ranges rest on.
fn regime(whole: f64, recent: f64, facts: &Facts) -> Found {
    let root = facts.per_year().sqrt() * 100.0;
    let (now, always) = (pct(recent * root), pct(whole * root));
    let weight = 0.3 + (recent / whole).ln().abs() * 0.6;
    match recent / whole {
        ..0.75 => Some((
            1.0,
            weight,
            format!(
                "the present calm ({now} a year against {always} over the whole history) narrows these ranges, which are too narrow should it end"
            ),
        )),
        1.3.. => Some((
            -1.0,
            weight,
            format!(
                "the present unrest ({now} a year against {always} over the whole history) widens these ranges, which are too wide should it settle"
            ),
        )),
        _ => None,
    }
}

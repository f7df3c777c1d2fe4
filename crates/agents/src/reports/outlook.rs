//! Ranges of outcomes over one, three and twelve months, from the subject's own past.
//!
//! Two ranges stand beside each other. The modelled one is lognormal: half of the mean daily logarithmic return of the whole
//! history as drift (half, because a mean of few years is mostly chance), and as volatility the root of the mean of the squares of
//! the last 60 sessions' and the whole history's; its ends are the 10th and 90th percentiles. The historical one takes every
//! stretch of that length on record, with the same percentiles. Neither knows of anything that is not in the price.

use super::analysts::technical::joined;
use super::document::{Block, Section, Sentence};
use super::facts::{Facts, Kind};
use super::series::{deviation, quantile};
use super::words::{day, pct, signed};

/// The 90th percentile of the normal distribution.
const Z90: f64 = 1.281_551_565_545;

/// One horizon.
struct Range {
    words: &'static str,
    sessions: usize,
    modelled: (f64, f64, f64),
    past: Option<(f64, f64, f64, usize)>,
}

pub(super) fn read(facts: &Facts) -> Option<Section> {
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
    let ahead = joined(year(facts, &ranges), beside_past(&ranges));
    let sentences = [
        joined(Some(ahead), marks(facts, &ranges)),
        regime(whole, recent, facts).unwrap_or_default(),
    ];
    let method = Block::Method {
        text: format!(
            "How the ranges are computed: {} daily returns since {}; drift is half of their mean ({} a year), because a mean of few years is mostly chance; volatility is the root mean square of that of the last 60 sessions and of the whole history ({} a year). The last column counts every stretch of that length on record instead. Neither is a forecast of events.",
            returns.len(),
            series.first_day().map(day).unwrap_or_default(),
            signed((drift * facts.per_year()).exp_m1() * 100.0),
            pct(spread * facts.per_year().sqrt() * 100.0),
        ),
    };
    let sentences: Vec<Sentence> = sentences
        .into_iter()
        .filter(|text| !text.is_empty())
        .map(Sentence::from)
        .collect();
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

fn year(facts: &Facts, ranges: &[Range]) -> Option<String> {
    let last = facts.series.last()?.close;
    let range = ranges.last()?;
    let (low, _, high) = range.modelled;
    let (down, up) = ((low / last - 1.0) * 100.0, (high / last - 1.0) * 100.0);
    let (low, high) = (facts.price(low), facts.price(high));
    Some(match up - down {
        ..35.0 => format!(
            "Even over a year it is a narrow path, {low} to {high}: at one end {}, at the other {}.",
            signed(down),
            signed(up)
        ),
        ..70.0 => format!(
            "A year from now anything from {low} to {high} would be unremarkable, that is {} to {}.",
            signed(down),
            signed(up)
        ),
        ..130.0 => format!(
            "Over a year the range opens from {low} to {high}; whoever holds it must be able to bear {}.",
            signed(down)
        ),
        _ => format!(
            "A year is too long for this price to be pinned down: {low} and {high} are both within the ordinary ({} and {}).",
            signed(down),
            signed(up)
        ),
    })
}

fn beside_past(ranges: &[Range]) -> Option<String> {
    let range = ranges.iter().rev().find(|range| range.past.is_some())?;
    let (low, middle, high, windows) = range.past?;
    let stretch = if range.sessions < 40 {
        "month"
    } else if range.sessions < 150 {
        "quarter"
    } else {
        "year"
    };
    Some(match (middle, low) {
        (8.0.., 0.0..) => format!(
            "Its past was kinder than the model: of {windows} such stretches of a {stretch} nine in ten gained, the middle one {}.",
            signed(middle)
        ),
        (20.0.., _) => format!(
            "In its past the middle {stretch} brought as much as {}, the poorest tenth {} or worse ({windows} overlapping stretches).",
            signed(middle),
            signed(low)
        ),
        (10.0.., ..-25.0) => format!(
            "Its past was rewarding and rough: a middle {stretch} of {}, and one in ten lost {} or more ({windows} overlapping stretches).",
            signed(middle),
            pct(low)
        ),
        (5.0.., ..-15.0) => format!(
            "In its past the middle {stretch} brought {}, and the poorest tenth lost {} or more ({windows} overlapping stretches).",
            signed(middle),
            pct(low)
        ),
        (5.0.., _) => format!(
            "Its past was forgiving: the middle {stretch} brought {}, and even the poorest tenth began at {} ({windows} overlapping stretches).",
            signed(middle),
            signed(low)
        ),
        (-2.0..5.0, _) => format!(
            "Its past gives no direction, a middle {stretch} of {} between {} and {} ({windows} overlapping stretches).",
            signed(middle),
            signed(low),
            signed(high)
        ),
        _ => format!(
            "Most of its past went down: the middle {stretch} of {windows} overlapping ones cost {}.",
            pct(middle)
        ),
    })
}

/// Whether known marks lie within the quarter's range.
fn marks(facts: &Facts, ranges: &[Range]) -> Option<String> {
    let (low, _, high) = ranges.get(1)?.modelled;
    let (_, bottom, top) = facts.series.place_in_range(252)?;
    let target = facts.of("analysts").number("avg_target");
    let text = match (top < high, bottom > low) {
        (true, true) => format!(
            "Within three months both the year's high ({}) and its low ({}) are in reach",
            facts.price(top),
            facts.price(bottom)
        ),
        (true, false) => format!(
            "Within three months the year's high of {} is in reach, its low of {} is not",
            facts.price(top),
            facts.price(bottom)
        ),
        (false, true) => format!(
            "Within three months the year's low of {} is in reach, its high of {} is not",
            facts.price(bottom),
            facts.price(top)
        ),
        (false, false) => format!(
            "Neither extreme of the year ({} and {}) lies within the quarter's range",
            facts.price(bottom),
            facts.price(top)
        ),
    };
    let year = ranges.last()?.modelled;
    let aim = target.map_or_else(String::new, |target| {
        let shown = facts.price(target);
        if target > year.2 {
            format!("; the analysts' {shown} would take more than a good year")
        } else if target < year.0 {
            format!("; the analysts' {shown} would take a worse than bad year")
        } else if target > year.1 {
            format!("; the analysts' {shown} lies in the better half of the year's range")
        } else {
            format!("; the analysts' {shown} lies in the poorer half of the year's range")
        }
    });
    Some(format!("{text}{aim}."))
}

fn regime(whole: f64, recent: f64, facts: &Facts) -> Option<String> {
    let root = facts.per_year().sqrt() * 100.0;
    let (now, always) = (pct(recent * root), pct(whole * root));
    match recent / whole {
        ..0.75 => Some(format!(
            "The present calm ({now} a year against {always} over the whole history) narrows these ranges; should it end, they are too narrow."
        )),
        1.3.. => Some(format!(
            "The present unrest ({now} a year against {always} over the whole history) widens these ranges; should it settle, they are too wide."
        )),
        _ => None,
    }
}

//! The labels at the side of a chart and below it.

use model::Day;

/// Points of one series that are drawn; for a longer series, its end.
pub(crate) const MOST_POINTS: usize = 1_500;

/// `Mar`, or `2026` at the beginning of a year: the labels below a chart of many months.
fn month(day: Day, is_first: bool) -> String {
    let date = day.date();
    let name = &day.month_name()[..3];
    if is_first || date.month() == 1 {
        format!("{name} {}", date.year())
    } else {
        name.to_owned()
    }
}

/// Where the labels below the days are, and what they say: months if there are several, otherwise days.
pub(crate) fn labels(days: &[Day]) -> Vec<(usize, String)> {
    const MOST: usize = 8;
    let months: Vec<usize> = (1..days.len())
        .filter(|place| {
            let (before, now) = (days[place - 1].date(), days[*place].date());
            (before.year(), before.month()) != (now.year(), now.month())
        })
        .collect();
    let is_short = months.len() < 3;
    let places = if is_short {
        let step = days.len().div_ceil(MOST).max(1);
        (0..days.len()).step_by(step).collect()
    } else {
        let step = months.len().div_ceil(MOST).max(1);
        months.into_iter().step_by(step).collect::<Vec<_>>()
    };
    let labelled = places.into_iter().enumerate().map(|(count, place)| {
        let day = days[place];
        let text = if is_short {
            let date = day.date();
            format!("{} {}", date.day(), &day.month_name()[..3])
        } else {
            month(day, count == 0)
        };
        (place, text)
    });
    labelled.collect()
}

/// A number on an axis: four significant digits, large ones with a word for their size.
pub(crate) fn tick(value: f64) -> String {
    let (divisor, word) = match value.abs() {
        1e12.. => (1e12, "T"),
        1e9.. => (1e9, "B"),
        1e6.. => (1e6, "M"),
        1e5.. => (1e3, "k"),
        _ => (1.0, ""),
    };
    let scaled = value / divisor;
    let places = match scaled.abs() {
        100.0.. => 0,
        10.0.. => 1,
        1.0.. => 2,
        _ if scaled == 0.0 => 0,
        small => (2.0 - small.log10().floor()).clamp(2.0, 10.0) as usize,
    };
    let text = format!("{scaled:.places$}");
    let text = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        &text
    };
    format!("{text}{word}")
}

/// Minimum and maximum with some margin, never equal.
pub(crate) fn span(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let (least, most) = values.filter(|value| value.is_finite()).fold(
        (f64::INFINITY, f64::NEG_INFINITY),
        |(least, most), value| (least.min(value), most.max(value)),
    );
    if least > most {
        return None;
    }
    let air = ((most - least) * 0.06).max(most.abs() * 1e-3).max(1e-12);
    Some((least - air, most + air))
}

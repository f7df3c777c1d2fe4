//! Findings in plain English: numbers, days and periods as people write them.

use model::{Day, Frequency};
use verify::figures::{Span, SpanUnit};

use super::line::{Line, Scale};

/// `14 March 2024`.
pub(super) fn day(day: Day) -> String {
    let date = day.date();
    format!("{} {} {}", date.day(), day.month_name(), date.year())
}

/// The day of a value on a line: a date, or the month, quarter or year that it covers.
pub(super) fn point_day(line: &Line, of: Day) -> String {
    let date = of.date();
    match line.frequency {
        Frequency::Daily => format!("on {}", day(of)),
        Frequency::Weekly => format!("in the week of {}", day(of)),
        Frequency::Monthly => format!("in {} {}", of.month_name(), date.year()),
        Frequency::Quarterly => {
            format!(
                "in the {} quarter of {}",
                ordinal((date.month() - 1) / 3),
                date.year()
            )
        }
        Frequency::Annual => format!("in {}", date.year()),
    }
}

fn ordinal(place: i8) -> &'static str {
    match place {
        0 => "first",
        1 => "second",
        2 => "third",
        _ => "fourth",
    }
}

/// A span with its preposition: `on 14 March 2024`, `in May 2024`, `in fiscal 2023`.
pub(super) fn span(span: &Span) -> String {
    let date = span.first.date();
    match span.unit {
        SpanUnit::Day => format!("on {}", day(span.first)),
        SpanUnit::Week => format!("in the week of {}", day(span.first)),
        SpanUnit::Month => format!("in {} {}", span.first.month_name(), date.year()),
        SpanUnit::Quarter => {
            format!(
                "in the {} quarter of {}",
                ordinal((date.month() - 1) / 3),
                date.year()
            )
        }
        SpanUnit::Half => {
            let half = if date.month() < 7 { "first" } else { "second" };
            format!("in the {half} half of {}", date.year())
        }
        SpanUnit::Year => format!("in {}", date.year()),
        SpanUnit::FiscalYear(year) => format!("in fiscal {year}"),
        SpanUnit::FiscalQuarter(year, quarter) => {
            format!(
                "in the {} quarter of fiscal {year}",
                ordinal(quarter as i8 - 1)
            )
        }
        SpanUnit::Stretch => format!("from {} to {}", day(span.first), day(span.last)),
    }
}

/// When a percentage has no meaning.
pub(super) const BESIDE_ZERO: &str = "from or to a value that is not above zero";

/// A number with its unit: `121.40 USD`, `3.2 %`, `2.07 billion USD`, `158,984,000`.
pub(super) fn value(line: &Line, value: f64) -> String {
    match &line.scale {
        Scale::Money(code) => format!("{} {code}", money(value)),
        Scale::Percent => format!("{} %", percent(value)),
        Scale::Plain => number(value),
    }
}

fn money(value: f64) -> String {
    let size = value.abs();
    if size >= 1e6 {
        number(value)
    } else if size >= 1.0 || size == 0.0 {
        let decimals = if size >= 100.0 || (value * 100.0 - (value * 100.0).round()).abs() < 0.05 {
            2
        } else {
            4
        };
        grouped(&format!("{value:.decimals$}"))
    } else {
        significant(value)
    }
}

/// Percentages with as many decimal places as statistics have.
pub(super) fn percent(value: f64) -> String {
    let text = format!("{value:.2}");
    let short = text.strip_suffix('0').unwrap_or(&text);
    if matches!(short, "-0.0") {
        "0.0".to_owned()
    } else {
        short.to_owned()
    }
}

/// A number without a unit.
pub(super) fn number(value: f64) -> String {
    let size = value.abs();
    for (limit, word) in [(1e12, "trillion"), (1e9, "billion"), (1e6, "million")] {
        if size >= limit {
            return format!("{} {word}", trimmed(&format!("{:.3}", value / limit)));
        }
    }
    if size >= 1.0 && value.fract() == 0.0 {
        grouped(&format!("{value:.0}"))
    } else if size >= 100.0 {
        grouped(&format!("{value:.2}"))
    } else if size >= 1.0 || size == 0.0 {
        trimmed(&format!("{value:.4}"))
    } else {
        significant(value)
    }
}

fn significant(value: f64) -> String {
    let digits = (-value.abs().log10()).ceil().clamp(0.0, 12.0) as usize + 3;
    trimmed(&format!("{value:.digits$}"))
}

fn trimmed(text: &str) -> String {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text.to_owned()
    }
}

/// Thousands separated by commas.
fn grouped(text: &str) -> String {
    let (sign, rest) = text
        .strip_prefix('-')
        .map_or(("", text), |rest| ("-", rest));
    let (whole, decimals) = rest.split_once('.').unwrap_or((rest, ""));
    let mut out = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if decimals.is_empty() {
        format!("{sign}{out}")
    } else {
        format!("{sign}{out}.{decimals}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_people_do() {
        for (value, expected) in [
            (121.4, "121.40"),
            (60_000.0, "60,000.00"),
            (2_065_659_000.0, "2.066 billion"),
            (0.05123, "0.05123"),
            (1.0823, "1.0823"),
        ] {
            assert_eq!(money(value), expected);
        }
        for (value, expected) in [(3.2, "3.2"), (3.0, "3.0"), (-0.001, "0.0"), (5.25, "5.25")] {
            assert_eq!(percent(value), expected);
        }
        for (value, expected) in [
            (199_000.0, "199,000"),
            (158_984_000.0, "158.984 million"),
            (49.5, "49.5"),
        ] {
            assert_eq!(number(value), expected);
        }
    }
}

//! Figures and days the way people in the trade write them.

use model::Day;

/// A price: `$217.11`, `1,234.50 EUR`, `$0.00000481`.
pub(crate) fn money(value: f64, currency: &str) -> String {
    let number = plain(value);
    match currency {
        "USD" => match number.strip_prefix('-') {
            Some(bare) => format!("-${bare}"),
            None => format!("${number}"),
        },
        "" => number,
        other => format!("{number} {other}"),
    }
}

/// A number with thousands separators: two decimals from 1 on, four significant digits below.
pub(crate) fn plain(value: f64) -> String {
    let size = value.abs();
    if size >= 1.0 || size == 0.0 {
        return grouped(&format!("{value:.2}"));
    }
    let places = (3.0 - size.log10().floor()).clamp(2.0, 12.0) as usize;
    let text = format!("{value:.places$}");
    let trimmed = text.trim_end_matches('0');
    trimmed.trim_end_matches('.').to_owned()
}

/// A number without trailing zeros: `2.5`.
pub(crate) fn trimmed(value: f64) -> String {
    let written = plain(value);
    if !written.contains('.') {
        return written;
    }
    let written = written.trim_end_matches('0');
    written.trim_end_matches('.').to_owned()
}

/// A whole number with thousands separators.
pub(crate) fn whole(value: f64) -> String {
    grouped(&format!("{value:.0}"))
}

/// A ratio or an index such as RSI: one decimal.
pub(crate) fn one(value: f64) -> String {
    grouped(&format!("{value:.1}"))
}

/// A change with its sign.
pub(crate) fn change(value: f64) -> String {
    // No minus sign before a zero.
    let value = if value.abs() < 0.005 { 0.0 } else { value };
    format!("{value:+.2}%")
}

/// A share in percent.
pub(crate) fn percent(value: f64) -> String {
    format!("{value:.1}%")
}

/// `up 4.90%`, `down 1.20%`, `unchanged`.
pub(crate) fn moved(value: f64) -> String {
    if value.abs() < 0.005 {
        "unchanged".to_owned()
    } else if value > 0.0 {
        format!("up {value:.2}%")
    } else {
        format!("down {:.2}%", -value)
    }
}

/// Why a move has no percentage.
pub(crate) const NO_PERCENTAGE: &str =
    "A percentage has no meaning from or to a price that is not above zero.";

/// A move in the unit of what moved: `up 4.90`, `down 55.29`, `unchanged`.
pub(crate) fn moved_by(value: f64) -> String {
    let size = plain(value.abs());
    if value > 0.0 {
        format!("up {size}")
    } else if value < 0.0 {
        format!("down {size}")
    } else {
        "unchanged".to_owned()
    }
}

/// An amount in words of magnitude: `$5.2 trillion`.
pub(crate) fn large(value: f64, currency: &str) -> String {
    let size = value.abs();
    let (divisor, word) = match size {
        1e12.. => (1e12, " trillion"),
        1e9.. => (1e9, " billion"),
        1e6.. => (1e6, " million"),
        _ => return money(value, currency),
    };
    let number = format!("{:.2}{word}", value / divisor);
    match currency {
        "USD" => format!("${number}"),
        "" => number,
        other => format!("{number} {other}"),
    }
}

/// `20 Nov 2026` for a day or a time as JSON writes it; anything else stays as it is.
pub(crate) fn day(text: &str) -> String {
    let Some(day) = text.get(..10).and_then(Day::parse) else {
        return text.to_owned();
    };
    let date = day.date();
    format!("{} {} {}", date.day(), &day.month_name()[..3], date.year())
}

/// The day that a time belongs to: what closes at midnight closes the day before.
pub(crate) fn day_of(moment: &str) -> String {
    let is_midnight = moment.get(10..19) == Some("T00:00:00");
    match moment.get(..10).and_then(Day::parse) {
        Some(date) if is_midnight => day(&date.plus(-1).to_string()),
        _ => day(moment),
    }
}

/// The period of an observation: `April 2020`, `Q1 2022`, or its day.
pub(crate) fn span(date: &str, frequency: &str) -> String {
    let Some(first) = date.get(..10).and_then(Day::parse) else {
        return date.to_owned();
    };
    let (month, year) = (first.date().month(), first.date().year());
    match frequency {
        "monthly" => format!("{} {year}", first.month_name()),
        "quarterly" => format!("Q{} {year}", (month - 1) / 3 + 1),
        "annual" => year.to_string(),
        _ => day(date),
    }
}

/// The same day a year earlier: `2026-05-01` becomes `2025-05-01`.
pub(crate) fn a_year_before(date: &str) -> Option<String> {
    let year: i32 = date.get(..4)?.parse().ok()?;
    Some(format!("{:04}{}", year - 1, date.get(4..)?))
}

/// Whether one observation follows another without one missing in between, given how often there is one.
pub(crate) fn follows_on(date: &str, before: &str, frequency: &str) -> bool {
    let days = match frequency {
        "monthly" => 31,
        "quarterly" => 92,
        "weekly" => 7,
        "annual" => 366,
        _ => return true,
    };
    let day = |text: &str| text.get(..10).and_then(Day::parse);
    day(date)
        .zip(day(before))
        .is_some_and(|(date, before)| date.since(before) <= days)
}

/// As a sentence: with a capital and a full stop.
pub(crate) fn sentence(text: &str) -> String {
    let mut characters = text.trim().chars();
    let mut sentence: String = match characters.next() {
        // `/api/v1/…` and symbols stay as they are.
        Some(first) if first.is_lowercase() => first.to_uppercase().collect(),
        Some(first) => first.to_string(),
        None => return String::new(),
    };
    sentence.extend(characters);
    if !sentence.ends_with(['.', '!', '?']) {
        sentence.push('.');
    }
    sentence
}

/// `1 brief`, `2 briefs`.
pub(crate) fn count(number: u64, one: &str, many: &str) -> String {
    let noun = if number == 1 { one } else { many };
    format!("{} {noun}", whole(number as f64))
}

/// An outside text inside Markdown: nothing in it formats, links or opens a tag.
pub(crate) fn quoted(text: &str) -> String {
    const LONGEST: usize = 600;
    let mut quoted = String::with_capacity(text.len());
    for (place, character) in text.chars().enumerate() {
        if place == LONGEST {
            quoted.push('…');
            break;
        }
        match character {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '~' => {
                quoted.push('\\');
                quoted.push(character);
            }
            // Markdown readers turn bare addresses into links.
            ':' => quoted.push_str(if text.contains("://") { "\\:" } else { ":" }),
            '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
            | '\u{feff}' => {}
            other if other.is_control() => quoted.push(' '),
            other => quoted.push(other),
        }
    }
    quoted
}

pub(crate) fn grouped(text: &str) -> String {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text),
    };
    let (whole, decimals) = rest.split_once('.').unwrap_or((rest, ""));
    let mut grouped = String::with_capacity(text.len() + text.len() / 3);
    grouped.push_str(sign);
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    if !decimals.is_empty() {
        grouped.push('.');
        grouped.push_str(decimals);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_read_as_the_trade_writes_them() {
        assert_eq!(money(1234.5, "USD"), "$1,234.50");
        assert_eq!(money(-3.0, "USD"), "-$3.00");
        assert_eq!(money(12.0, "EUR"), "12.00 EUR");
        assert_eq!(plain(0.000_004_81), "0.00000481");
        assert_eq!(plain(0.5), "0.5");
        assert_eq!(change(-0.001), "+0.00%");
        assert_eq!(moved(-4.899), "down 4.90%");
        assert_eq!(large(5.218e12, "USD"), "$5.22 trillion");
        assert_eq!(whole(1_234_567.0), "1,234,567");
        assert_eq!(day("2026-11-20T21:00:00Z"), "20 Nov 2026");
        assert_eq!(day("soon"), "soon");
        assert_eq!(sentence("no key"), "No key.");
        assert_eq!(a_year_before("2026-05-01").as_deref(), Some("2025-05-01"));
        assert!(follows_on("2026-05-01", "2026-04-01", "monthly"));
        assert!(!follows_on("2025-11-01", "2025-09-01", "monthly"));
        assert_eq!(count(1, "brief", "briefs"), "1 brief");
    }

    #[test]
    fn what_comes_from_outside_cannot_format() {
        assert_eq!(quoted("[x](http://e) <b>"), "\\[x\\](http\\://e) \\<b\\>");
        assert!(quoted(&"a".repeat(5_000)).len() <= 610);
        assert_eq!(quoted("a\nb\u{1b}[0m\u{202e}c"), "a b \\[0mc");
    }
}

//! Numbers and dates as generated claims write them.

use model::{Day, Observation};

use crate::random::Random;

pub(super) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A factor that makes a number wrong: 6 to 40 percent away.
pub(super) fn wrong(random: &mut Random) -> f64 {
    let away = 0.06 + random.below(340) as f64 / 1000.0;
    if random.below(2) == 0 {
        1.0 + away
    } else {
        1.0 - away
    }
}

pub(super) fn last_of(rows: &[Observation], year: i16) -> Option<f64> {
    let last = rows.iter().rfind(|row| row.day.date().year() == year)?;
    // A year that is not held to its end has no last close.
    (last.day.date().month() == 12 && last.day.date().day() >= 28).then_some(last.value)
}

pub(super) fn month(day: Day) -> String {
    let date = day.date();
    format!(
        "{} {}",
        MONTHS[usize::from(date.month().unsigned_abs()) - 1],
        date.year()
    )
}

pub(super) fn date(random: &mut Random, day: Day) -> String {
    let date = day.date();
    let name = MONTHS[usize::from(date.month().unsigned_abs()) - 1];
    match random.below(5) {
        0 => format!("on {} {name} {}", date.day(), date.year()),
        1 => format!("on {name} {}, {}", date.day(), date.year()),
        2 => format!("on {day}"),
        3 => format!("on {} {} {}", &name[..3], date.day(), date.year()),
        _ => format!(
            "on {name} {}{} {}",
            date.day(),
            match date.day() {
                1 | 21 | 31 => "st",
                2 | 22 => "nd",
                3 | 23 => "rd",
                _ => "th",
            },
            date.year()
        ),
    }
}

pub(super) fn lower_the(name: &str) -> String {
    name.strip_prefix("The ")
        .map_or_else(|| name.to_owned(), |rest| format!("the {rest}"))
}

pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

pub(super) fn grouped(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let (whole, rest) = text.split_once('.').unwrap_or((&text, ""));
    let mut out = String::new();
    for (place, digit) in whole.char_indices() {
        let left = whole.len() - place;
        if place > 0 && left.is_multiple_of(3) && !out.ends_with('-') {
            out.push(',');
        }
        out.push(digit);
    }
    if rest.is_empty() {
        out
    } else {
        format!("{out}.{rest}")
    }
}

//! Days as written in table columns, following the policy of [`text::date`].
//!
//! `04/05/2025` can be two different days. The rest of its column shows which one it is: a column in which a 13
//! appears in the second position anywhere is written the American way throughout. If the column does not show it,
//! the row is not guessed, whatever separates the figures: rows are many, and a wrong day is worse than none.

use jiff::civil::Date;
use model::Day;
use text::date::{self, Figures, Order};

/// Why a row has no day.
pub(super) const MISSING: &str = "the date is missing";
pub(super) const NO_DAY: &str = "the date is not a calendar day";
pub(super) const TWO_DAYS: &str = "the date is ambiguous";
pub(super) const FUTURE: &str = "the date is in the future";

/// What was learnt from the cells of a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Taught {
    day_first: bool,
    month_first: bool,
    /// The newest day among the unambiguous cells.
    newest: Option<Day>,
}

impl Taught {
    /// Learns from one cell of the column.
    pub(super) fn learn(&mut self, text: &str) {
        let figures = Figures::parse(text.trim());
        if figures.is_none() {
            let day = year_first(text.trim()).or_else(|| number(text.trim()));
            self.newest = self.newest.max(day);
        }
        let shown = figures.and_then(Figures::shown_order);
        self.day_first |= shown == Some(Order::DayFirst);
        self.month_first |= shown == Some(Order::MonthFirst);
    }

    /// The newest day in the column, if its days can be read without knowing their order.
    pub(super) fn newest(self) -> Option<Day> {
        self.newest
    }

    /// The order of the column; `None` if it shows none, or two.
    fn order(self) -> Option<Order> {
        match (self.day_first, self.month_first) {
            (true, false) => Some(Order::DayFirst),
            (false, true) => Some(Order::MonthFirst),
            _ => None,
        }
    }
}

/// Reads the days in a column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Days {
    /// How the column writes them.
    pub(super) taught: Taught,
    /// The last day that has happened.
    pub(super) today: Day,
}

impl Days {
    /// The day of a cell, or why it has none.
    pub(super) fn parse(self, text: &str) -> Result<Day, &'static str> {
        let text = text.trim();
        if text.is_empty() {
            return Err(MISSING);
        }
        let day = self.parse_any(text)?;
        if day > self.today {
            return Err(FUTURE);
        }
        Ok(day)
    }

    fn parse_any(self, text: &str) -> Result<Day, &'static str> {
        if let Some(figures) = Figures::parse(text) {
            let order = self.taught.order();
            if order.is_none() && figures.is_ambiguous() {
                return Err(TWO_DAYS);
            }
            return figures.day(order.unwrap_or_default()).ok_or(NO_DAY);
        }
        year_first(text)
            .or_else(|| number(text))
            .or_else(|| words(text))
            .ok_or(NO_DAY)
    }
}

fn civil(year: u32, month: u32, day: u32) -> Option<Day> {
    let year = i16::try_from(year).ok().filter(|year| *year >= 1800)?;
    let date = Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
    Some(Day::from_date(date))
}

/// Digits at the start of a text, at most four of them, and the rest.
fn digits(text: &str) -> Option<(u32, usize, &str)> {
    let end = text
        .bytes()
        .position(|byte| !byte.is_ascii_digit())
        .unwrap_or(text.len());
    if !(1..=4).contains(&end) {
        return None;
    }
    Some((text[..end].parse().ok()?, end, &text[end..]))
}

/// `2025-04-05`, `2025/4/5`, `2025-04`, `2025-Q2`, `2025`; a time after the day is ignored, so that a day is the one
/// at its exchange.
fn year_first(text: &str) -> Option<Day> {
    let (year, 4, rest) = digits(text)? else {
        return None;
    };
    if rest.is_empty() {
        return civil(year, 1, 1);
    }
    if let Some(quarter) = rest.trim_start_matches(['-', ' ']).strip_prefix(['Q', 'q']) {
        let quarter: u32 = quarter.parse().ok().filter(|q| (1..=4).contains(q))?;
        return civil(year, quarter * 3 - 2, 1);
    }
    let separator = rest.chars().next().filter(|c| "/-.".contains(*c))?;
    let (month, 1..=2, rest) = digits(&rest[1..])? else {
        return None;
    };
    if rest.is_empty() {
        return civil(year, month, 1);
    }
    let (day, 1..=2, rest) = digits(rest.strip_prefix(separator)?)? else {
        return None;
    };
    ends_here(rest).then(|| civil(year, month, day))?
}

fn ends_here(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(['T', 't', ' '])
}

/// `20250405`, or seconds, milliseconds, microseconds or nanoseconds since 1970.
fn number(text: &str) -> Option<Day> {
    if text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        let part = |from, to| text.get(from..to)?.parse().ok();
        return civil(part(0, 4)?, part(4, 6)?, part(6, 8)?);
    }
    let plain = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.' || byte == b'-');
    let value: f64 = plain.then(|| text.parse().ok())??;
    let value = if value.abs() >= 1e17 {
        value / 1e6
    } else {
        value
    };
    date::from_epoch(value).map(Day::of)
}

/// `Jan 2, 2024`, `02-Jan-2024`.
fn words(text: &str) -> Option<Day> {
    text.bytes()
        .any(|byte| byte.is_ascii_alphabetic())
        .then(|| date::parse(text, Order::Undeclared).map(Day::of))?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(column: &[&str], text: &str) -> Result<String, &'static str> {
        let mut taught = Taught::default();
        for cell in column {
            taught.learn(cell);
        }
        let today = Day::parse("2026-01-01").unwrap();
        Days { taught, today }
            .parse(text)
            .map(|day| day.to_string())
    }

    #[test]
    fn reads_what_columns_write() {
        for (text, expected) in [
            ("2025-04-05", "2025-04-05"),
            ("2025/4/5", "2025-04-05"),
            ("2025-04-05 00:00:00-04:00", "2025-04-05"),
            ("2025-04-05T23:30:00Z", "2025-04-05"),
            ("2025-04", "2025-04-01"),
            ("2025-Q2", "2025-04-01"),
            ("2025", "2025-01-01"),
            ("20250405", "2025-04-05"),
            ("1743811200", "2025-04-05"),
            ("1743811200000", "2025-04-05"),
            ("1743811200000000000", "2025-04-05"),
            ("Apr 5, 2025", "2025-04-05"),
            ("05-Apr-2025", "2025-04-05"),
            ("04/25/2025", "2025-04-25"),
            ("25.04.2025", "2025-04-25"),
            ("4/4/2025", "2025-04-04"),
        ] {
            assert_eq!(read(&[], text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn the_column_says_what_comes_first() {
        assert_eq!(read(&[], "04/05/2025"), Err(TWO_DAYS));
        assert_eq!(read(&["04/25/2025"], "04/05/2025").unwrap(), "2025-04-05");
        assert_eq!(read(&["25-04-2025"], "04-05-2025").unwrap(), "2025-05-04");
        let contradiction = ["04/25/2025", "25/04/2025"];
        assert_eq!(read(&contradiction, "04/05/2025"), Err(TWO_DAYS));
    }

    #[test]
    fn refuses_what_is_no_day() {
        for text in [
            "2025-02-30",
            "13/13/2025",
            "1700-01-01",
            "1",
            "x",
            "20251301",
        ] {
            assert_eq!(read(&[], text), Err(NO_DAY), "{text}");
        }
        assert_eq!(read(&[], " "), Err(MISSING));
        assert_eq!(read(&[], "2026-01-02"), Err(FUTURE));
    }
}

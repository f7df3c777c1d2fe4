//! What the fiscal years and quarters of a company are called.

use model::Day;

/// The days by which a fiscal year of 52 or 53 weeks may end in the January after the year that it is named by.
const INTO_JANUARY: i32 = 10;
/// The average number of days in a quarter.
const QUARTER_DAYS: f64 = 91.3;

/// The year that a fiscal year is named by, from its last day: the one in which it ends.
pub fn year(end: Day) -> i32 {
    i32::from(end.plus(-INTO_JANUARY).date().year())
}

/// The fiscal year of a quarter and its number, 1 to 4, from its last day and the last days of the company's fiscal
/// years; `None` if none of these is known.
pub fn quarter(end: Day, year_ends: &[Day]) -> Option<(i32, u8)> {
    let anchor = year_ends.iter().min_by_key(|year| year.since(end).abs())?;
    // Whole years from the anchor, so that quarters after the newest year are named too.
    let quarters = (f64::from(anchor.since(end)) / QUARTER_DAYS).round() as i32;
    let number = 4 - quarters.rem_euclid(4);
    Some((
        year(*anchor) - quarters.div_euclid(4),
        u8::try_from(number).ok()?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Day {
        Day::parse(text).unwrap()
    }

    #[test]
    fn quarters_are_counted_from_the_nearest_end_of_a_year() {
        let ends = [day("2024-09-28"), day("2025-09-27")];
        for (end, expected) in [
            ("2025-09-27", (2025, 4)),
            ("2025-06-28", (2025, 3)),
            ("2024-12-28", (2025, 1)),
            ("2024-06-29", (2024, 3)),
            ("2025-12-27", (2026, 1)),
            ("2026-06-27", (2026, 3)),
        ] {
            assert_eq!(quarter(day(end), &ends), Some(expected), "{end}");
        }
        assert_eq!(quarter(day("2025-06-28"), &[]), None);
    }

    #[test]
    fn a_year_that_ends_in_the_first_days_of_january_is_the_one_before() {
        assert_eq!(year(day("2025-01-03")), 2024);
        assert_eq!(year(day("2025-01-26")), 2025);
        assert_eq!(year(day("2024-12-31")), 2024);
    }
}

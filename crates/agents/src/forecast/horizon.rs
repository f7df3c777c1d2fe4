//! How far ahead and how far back: `6 months`, `30d`, `next quarter`.

/// Days that a forecast may reach ahead.
pub(crate) const AHEAD: std::ops::RangeInclusive<i32> = 1..=1_095;
/// Days that are looked back at.
pub(crate) const BACK: std::ops::RangeInclusive<i32> = 7..=365;

/// The days of a time in words; `None` where it is none.
pub(crate) fn days(words: &str) -> Option<i32> {
    let lower = words.trim().to_lowercase();
    let mut rest = lower.as_str();
    for prefix in ["the ", "next ", "in ", "within ", "last ", "past "] {
        rest = rest.strip_prefix(prefix).unwrap_or(rest).trim_start();
    }
    let digits = rest
        .find(|mark: char| !mark.is_ascii_digit())
        .unwrap_or(rest.len());
    let (number, unit) = rest.split_at(digits);
    let number = match number {
        "" => rest
            .split_whitespace()
            .next()
            .and_then(number_word)
            .map_or((1, unit), |word| {
                (word, rest.split_once(' ').map_or("", |(_, unit)| unit))
            }),
        digits => (digits.parse().ok()?, unit),
    };
    let (number, unit) = number;
    let unit = unit.trim_start_matches([' ', '-']).trim();
    let one = match unit {
        "d" | "day" | "days" => 1.0,
        "w" | "wk" | "week" | "weeks" => 7.0,
        "m" | "mo" | "mos" | "month" | "months" => 30.44,
        "q" | "quarter" | "quarters" => 91.31,
        "y" | "yr" | "year" | "years" => 365.25,
        _ => return None,
    };
    let days = (f64::from(number) * one).round();
    (days <= 100_000.0).then_some(days as i32)
}

fn number_word(word: &str) -> Option<i32> {
    const WORDS: [&str; 13] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    if word == "a" || word == "an" {
        return Some(1);
    }
    let place = WORDS.iter().position(|known| *known == word)?;
    i32::try_from(place).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_people_write_them() {
        for (words, expected) in [
            ("30d", Some(30)),
            ("6 months", Some(183)),
            ("next quarter", Some(91)),
            ("a year", Some(365)),
            ("two weeks", Some(14)),
            ("12-month", Some(365)),
            ("90 days", Some(90)),
            ("1y", Some(365)),
            ("soon", None),
            ("", None),
            ("5 fortnights", None),
            ("99999999999999d", None),
        ] {
            assert_eq!(days(words), expected, "{words}");
        }
    }
}

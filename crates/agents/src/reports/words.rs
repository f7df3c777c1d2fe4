//! Figures, days and lists as an English reader expects them. Prose rounds; the data behind it do not.

use model::Day;

use crate::figures;

/// `4.2%`, without its sign.
pub(super) fn pct(value: f64) -> String {
    let value = value.abs();
    if value >= 99.95 {
        format!("{value:.0}%")
    } else {
        format!("{value:.1}%")
    }
}

/// `+4.2%` or `−4.2%`.
pub(super) fn signed(value: f64) -> String {
    if pct(value) == "0.0%" {
        return "0.0%".to_owned();
    }
    let sign = if value < 0.0 { '−' } else { '+' };
    format!("{sign}{}", pct(value))
}

/// A number with the given number of decimals and thousands separators.
pub(super) fn number(value: f64, places: usize) -> String {
    match places {
        0 => figures::whole(value),
        1 => figures::one(value),
        _ => figures::plain(value),
    }
}

/// A price: `$1,234.50`, `12.00 EUR`.
pub(super) fn price(value: f64, currency: &str) -> String {
    figures::money(value, currency)
}

/// An amount of money in words of magnitude: `$1.23 trillion`.
pub(super) fn amount(value: f64, currency: &str) -> String {
    figures::large(value, currency)
}

/// `20 Nov 2026`.
pub(super) fn day(day: Day) -> String {
    figures::day(&day.to_string())
}

/// The day of a time or date as an operation writes it, `20 Nov 2026`.
pub(super) fn date(text: &str) -> String {
    figures::day(text)
}

/// `three`, `27`.
pub(super) fn count(number: usize) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    WORDS
        .get(number)
        .map_or_else(|| self::number(number as f64, 0), |word| (*word).to_owned())
}

/// `one brief`, `three briefs`.
pub(super) fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

/// The same with an initial capital.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// A text from strangers, as one line of harmless text with at most the given number of characters.
pub(super) fn foreign(text: &str, most: usize) -> String {
    let clean: String = text
        .chars()
        .map(|one| {
            if one.is_control() || is_invisible(one) {
                ' '
            } else {
                one
            }
        })
        .collect();
    let line = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = line.replace(['“', '”', '"'], "'");
    if line.chars().count() <= most {
        return line;
    }
    let cut: String = line.chars().take(most.saturating_sub(1)).collect();
    let cut = cut
        .rsplit_once(' ')
        .map_or(cut.as_str(), |(before, _)| before);
    format!("{cut}…")
}

/// Characters that reverse or hide text.
const fn is_invisible(one: char) -> bool {
    matches!(one, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_read_as_they_are_printed() {
        assert_eq!(signed(-4.25), "−4.2%");
        assert_eq!(signed(-0.01), "0.0%");
        assert_eq!(count(3), "three");
        assert_eq!(count(1234), "1,234");
        assert_eq!(list(&["a".into(), "b".into(), "c".into()]), "a, b and c");
        assert_eq!(day(Day::parse("2026-11-03").unwrap()), "3 Nov 2026");
    }

    #[test]
    fn foreign_text_is_one_harmless_line() {
        assert_eq!(foreign("a\n\n# b\u{202e}c \"d\"", 99), "a # b c 'd'");
        assert_eq!(foreign("one two three four", 12), "one two…");
    }
}

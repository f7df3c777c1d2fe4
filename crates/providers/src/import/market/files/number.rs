//! Numbers as tables write them: `$1,234.50`, `1.2e3`, `N/A`, `-`.
//!
//! A comma is a thousands separator, or the text is not a number: a decimal comma is not guessed.

/// The contents of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Cell {
    /// Nothing, or a word for nothing.
    Missing,
    /// A finite number.
    Number(f64),
    /// Something else.
    Bad,
}

impl Cell {
    /// The number, if there is one.
    pub(super) fn number(self) -> Option<f64> {
        match self {
            Self::Number(value) => Some(value),
            Self::Missing | Self::Bad => None,
        }
    }
}

/// Words for nothing, in lower case.
const NOTHING: [&str; 11] = [
    "", ".", "-", "--", "n/a", "na", "nan", "null", "none", "nd", "#n/a",
];

/// Reads a cell.
pub(super) fn parse(text: &str) -> Cell {
    let text = text.trim();
    // Almost every cell is a plain number.
    if text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.')
        && let Ok(value) = text.parse::<f64>()
        && value.is_finite()
    {
        return Cell::Number(value);
    }
    if text.len() > 40 {
        return Cell::Bad;
    }
    if NOTHING.iter().any(|word| word.eq_ignore_ascii_case(text)) {
        return Cell::Missing;
    }
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = digits.strip_prefix('$').unwrap_or(digits).trim_start();
    let starts_well = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let joined = match thousands(digits) {
        Some(joined) if starts_well => joined,
        _ => return Cell::Bad,
    };
    match joined.parse::<f64>() {
        Ok(value) if value.is_finite() => Cell::Number(sign * value),
        _ => Cell::Bad,
    }
}

/// Reads a cell that counts shares or coins, which may be abbreviated: `1.2M`.
pub(super) fn parse_volume(text: &str) -> Cell {
    let text = text.trim();
    let scale = match text.as_bytes().last() {
        Some(b'K' | b'k') => 1e3,
        Some(b'M' | b'm') => 1e6,
        Some(b'B' | b'b') => 1e9,
        _ => return parse(text),
    };
    match parse(&text[..text.len() - 1]) {
        Cell::Number(value) => Cell::Number(value * scale),
        Cell::Missing | Cell::Bad => Cell::Bad,
    }
}

/// The digits without their thousands separators; `None` if the commas separate anything else.
fn thousands(digits: &str) -> Option<String> {
    let Some((first, _)) = digits.split_once(',') else {
        return Some(digits.to_owned());
    };
    let (whole, fraction) = digits
        .split_once('.')
        .map_or((digits, ""), |(whole, fraction)| (whole, fraction));
    let in_threes = (1..=3).contains(&first.len())
        && whole.split(',').skip(1).all(|group| group.len() == 3)
        && !fraction.contains(',');
    in_threes.then(|| digits.replace(',', ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_tables_write() {
        for (text, expected) in [
            ("12.5", Cell::Number(12.5)),
            (" $1,234.50 ", Cell::Number(1234.5)),
            ("-37.63", Cell::Number(-37.63)),
            ("-$2", Cell::Number(-2.0)),
            ("1.2e3", Cell::Number(1200.0)),
            ("1,234,567", Cell::Number(1_234_567.0)),
            ("N/A", Cell::Missing),
            (".", Cell::Missing),
            ("--", Cell::Missing),
            ("", Cell::Missing),
            ("1,23", Cell::Bad),
            ("12,34.5", Cell::Bad),
            ("1e999", Cell::Bad),
            ("inf", Cell::Bad),
            ("abc", Cell::Bad),
            ("1.2.3", Cell::Bad),
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
        assert_eq!(parse_volume("1.5M"), Cell::Number(1_500_000.0));
        assert_eq!(parse_volume("12"), Cell::Number(12.0));
        assert_eq!(parse_volume("M"), Cell::Bad);
    }
}

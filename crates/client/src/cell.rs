//! One value of an answer: as people read it, and as a cell of a CSV file.

use serde_json::Value;

use crate::{number, plain};

/// What stands where there is nothing.
const NOTHING: &str = "–";
/// What begins a formula in a spreadsheet; the wide forms count as well there.
const FORMULA: [char; 9] = ['=', '+', '-', '@', '|', '＝', '＋', '－', '＠'];

/// How a value reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Free text; may be wrapped.
    Text,
    /// A short name; never wrapped.
    Name,
    /// A word of the API, such as `lean_buy`; never wrapped.
    Word,
    /// Date and time, to the minute.
    Time,
    /// A whole number.
    Count,
    /// That many decimals.
    Number(usize),
    /// A price.
    Price,
    /// A share or a rate, in percent.
    Percent,
    /// A change in percent, with its sign.
    Change,
}

impl Kind {
    /// Numbers stand on the right.
    pub(crate) const fn is_number(self) -> bool {
        matches!(
            self,
            Self::Count | Self::Number(_) | Self::Price | Self::Percent | Self::Change
        )
    }

    /// As people read it, free of control characters.
    pub(crate) fn shown(self, value: &Value) -> String {
        match value {
            Value::Null => NOTHING.to_owned(),
            Value::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
            Value::Number(found) => found
                .as_f64()
                .map_or_else(|| found.to_string(), |found| self.number(found)),
            Value::String(text) => match self {
                Self::Word => plain::line(&text.replace('_', " ")),
                Self::Time => minute(text),
                _ => plain::line(text),
            },
            Value::Array(entries) => {
                let entries: Vec<String> = entries.iter().map(|one| self.shown(one)).collect();
                entries.join(", ")
            }
            Value::Object(_) => plain::line(&value.to_string()),
        }
    }

    fn number(self, value: f64) -> String {
        match self {
            Self::Count => number::grouped(value, 0),
            Self::Number(decimals) => number::grouped(value, decimals),
            Self::Price => number::price(value),
            Self::Percent => format!("{}%", number::grouped(value, 2)),
            Self::Change => number::change(value),
            Self::Text | Self::Name | Self::Word | Self::Time => value.to_string(),
        }
    }
}

/// `2026-03-01T14:05:09.123Z` as `2026-03-01 14:05`; what looks otherwise stays.
fn minute(text: &str) -> String {
    match (text.get(..10), text.get(10..11), text.get(11..16)) {
        (Some(day), Some("T"), Some(time)) => plain::line(&format!("{day} {time}")),
        _ => plain::line(text),
    }
}

/// A cell of a CSV file: numbers in full precision; text that a spreadsheet would compute is made text again.
pub(crate) fn in_csv(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) => neutral(plain::line(text)),
        Value::Array(entries) => {
            let entries: Vec<String> = entries
                .iter()
                .map(|entry| match entry {
                    Value::String(text) => plain::line(text),
                    other => other.to_string(),
                })
                .collect();
            neutral(entries.join("; "))
        }
        Value::Object(_) => neutral(plain::line(&value.to_string())),
    }
}

/// An apostrophe before what would be a formula: spreadsheets read the rest as text.
fn neutral(text: String) -> String {
    if text.starts_with(FORMULA) {
        format!("'{text}")
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn people_read_rounded_figures() {
        for (kind, value, expected) in [
            (Kind::Count, json!(1_234_567), "1,234,567"),
            (Kind::Change, json!(2.345), "+2.35%"),
            (Kind::Percent, json!(23.5), "23.50%"),
            (Kind::Number(1), json!(68.449), "68.4"),
            (Kind::Word, json!("strong_buy"), "strong buy"),
            (
                Kind::Time,
                json!("2026-03-01T14:05:09Z"),
                "2026-03-01 14:05",
            ),
            (Kind::Time, json!("soon"), "soon"),
            (Kind::Price, Value::Null, "–"),
            (Kind::Text, json!(["a", "b"]), "a, b"),
            (Kind::Text, json!("\u{1b}[31mred"), "\u{fffd}[31mred"),
        ] {
            assert_eq!(kind.shown(&value), expected);
        }
    }

    #[test]
    fn formulas_are_text_and_numbers_stay_numbers() {
        for (value, expected) in [
            (json!("=HYPERLINK(\"x\")"), "'=HYPERLINK(\"x\")"),
            (json!("  @SUM(A1)"), "'@SUM(A1)"),
            (json!("+1"), "'+1"),
            (json!("-cmd"), "'-cmd"),
            (json!("\u{200b}=1+1"), "'=1+1"),
            (json!(-1.5), "-1.5"),
            (json!(0.1234567890123), "0.1234567890123"),
            (json!(["=a", "b"]), "'=a; b"),
            (Value::Null, ""),
        ] {
            assert_eq!(in_csv(&value), expected);
        }
    }
}

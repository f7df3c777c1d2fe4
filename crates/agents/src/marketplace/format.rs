//! How a value is written in a text: `${price | money}`, `${change | moved}`, `${tags | list}`.

use serde_json::Value;

use super::expression::Origin;
use crate::figures;

/// How many entries of a list a text names.
const MOST_LISTED: usize = 20;

/// One step between a value and its words.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Format {
    Money(Option<String>),
    Large(Option<String>),
    Number(usize),
    Percent,
    Change,
    Moved,
    Above,
    Share,
    Basis,
    Date,
    Month,
    Join(String),
    List,
    Count(String, String),
    Words,
    Title,
    Lower,
    Upper,
    Sentence,
    Short(usize),
    Or(String),
    Code,
}

const NAMES: &str = "money, large, number N, pct, change, moved, above, share, bp, date, month, join 'x', list, count 'one' 'many', words, title, lower, upper, sentence, short N, code, or 'text'";

impl Format {
    /// Reads `number 2`, `count 'brief' 'briefs'` and the like.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let given = arguments(rest)?;
        let text_at = |place: usize| {
            given
                .get(place)
                .cloned()
                .ok_or_else(|| format!("`{name}` needs a text in quotes"))
        };
        let whole_at = |place: usize, default: Option<usize>| match given.get(place) {
            Some(text) => text
                .parse::<usize>()
                .ok()
                .filter(|number| *number <= 600)
                .ok_or_else(|| format!("`{name}` needs a whole number up to 600, not {text}")),
            None => default.ok_or_else(|| format!("`{name}` needs a whole number")),
        };
        let format = match name {
            "money" => Self::Money(given.first().cloned()),
            "large" => Self::Large(given.first().cloned()),
            "number" => Self::Number(whole_at(0, Some(2))?.min(9)),
            "pct" => Self::Percent,
            "change" => Self::Change,
            "moved" => Self::Moved,
            "above" => Self::Above,
            "share" => Self::Share,
            "bp" => Self::Basis,
            "date" => Self::Date,
            "month" => Self::Month,
            "join" => Self::Join(text_at(0)?),
            "list" => Self::List,
            "count" => Self::Count(text_at(0)?, text_at(1)?),
            "words" => Self::Words,
            "title" => Self::Title,
            "lower" => Self::Lower,
            "upper" => Self::Upper,
            "sentence" => Self::Sentence,
            "short" => Self::Short(whole_at(0, None)?.max(1)),
            "or" => Self::Or(text_at(0)?),
            "code" => Self::Code,
            "" => return Err("a format must follow the bar".to_owned()),
            _ => return Err(format!("there is no format `{name}`; there are {NAMES}")),
        };
        Ok(format)
    }

    /// Applies it to words, or to a value that is not in words yet.
    fn apply(&self, value: Written, origin: Origin) -> Written {
        let Written::Value(value) = value else {
            return match (self, value) {
                (Self::Or(other), Written::Missing) => Written::Words(other.clone()),
                (Self::Lower, Written::Words(words)) => Written::Words(words.to_lowercase()),
                (Self::Upper, Written::Words(words)) => Written::Words(words.to_uppercase()),
                (Self::Sentence, Written::Words(words)) => {
                    Written::Words(figures::sentence(&words))
                }
                (_, other) => other,
            };
        };
        let number = value.as_f64();
        let words = match self {
            Self::Money(currency) => {
                number.map(|one| figures::money(one, currency.as_deref().unwrap_or("USD")))
            }
            Self::Large(currency) => {
                number.map(|one| figures::large(one, currency.as_deref().unwrap_or("USD")))
            }
            Self::Number(places) => number.map(|one| decimals(one, *places)),
            Self::Percent => number.map(|one| format!("{}%", decimals(one, 1))),
            Self::Change => number.map(figures::change),
            Self::Moved => number.map(figures::moved),
            Self::Above => number.map(|one| {
                let side = if one < 0.0 { "below" } else { "above" };
                format!("{}% {side}", decimals(one.abs(), 1))
            }),
            Self::Share => number.map(|one| format!("{}%", decimals(one * 100.0, 1))),
            Self::Basis => number.map(|one| {
                let points = (one * 100.0).round();
                let noun = if points.abs() == 1.0 {
                    "basis point"
                } else {
                    "basis points"
                };
                format!("{} {noun}", decimals(points, 0))
            }),
            Self::Date => value.as_str().map(figures::day),
            Self::Month => value.as_str().map(|date| figures::span(date, "monthly")),
            Self::Join(joint) => joined(&value, joint, joint, origin),
            Self::List => joined(&value, ", ", " and ", origin),
            Self::Count(one, many) => {
                let count = value.as_array().map(Vec::len).map(|count| count as u64);
                let count = count.or_else(|| value.as_u64());
                count.map(|count| figures::count(count, one, many))
            }
            Self::Words => value
                .as_str()
                .map(|text| figures::quoted(&text.replace('_', " "))),
            Self::Title => value.as_str().map(|text| {
                let words = figures::quoted(&text.replace('_', " "));
                let mut letters = words.chars();
                letters.next().map_or_else(String::new, |first| {
                    first.to_uppercase().chain(letters).collect()
                })
            }),
            Self::Lower => value
                .as_str()
                .map(|text| figures::quoted(&text.to_lowercase())),
            Self::Upper => value
                .as_str()
                .map(|text| figures::quoted(&text.to_uppercase())),
            Self::Sentence => value
                .as_str()
                .map(|text| figures::sentence(&figures::quoted(text))),
            Self::Short(most) => value
                .as_str()
                .map(|text| figures::quoted(&short(text, *most))),
            // An id, which cannot contain Markdown markup.
            Self::Code => value
                .as_str()
                .filter(|text| {
                    text.chars()
                        .all(|one| one.is_ascii_alphanumeric() || "_-.".contains(one))
                })
                .map(|text| format!("`{text}`")),
            Self::Or(other) => {
                let is_empty = value.as_str().is_some_and(|text| text.trim().is_empty());
                return if is_empty {
                    Written::Words(other.clone())
                } else {
                    Written::Value(value)
                };
            }
        };
        words.map_or(Written::Missing, Written::Words)
    }
}

/// A value on its way into a text.
enum Written {
    Value(Value),
    Words(String),
    Missing,
}

/// A value in words; `None` if there is none. Texts from sources cannot format, link or open a tag.
pub(crate) fn written(value: Option<Value>, formats: &[Format], origin: Origin) -> Option<String> {
    let start = match value {
        // It was quoted when its step wrote it.
        Some(Value::String(text)) if origin == Origin::Pipeline => {
            if text.is_empty() {
                Written::Missing
            } else {
                Written::Words(text)
            }
        }
        value => value.map_or(Written::Missing, Written::Value),
    };
    match formats
        .iter()
        .fold(start, |value, format| format.apply(value, origin))
    {
        Written::Words(words) => Some(words),
        Written::Value(value) => plain(&value, origin),
        Written::Missing => None,
    }
}

/// The way it is written without a format.
fn plain(value: &Value, origin: Origin) -> Option<String> {
    match value {
        Value::Null | Value::Object(_) => None,
        Value::Bool(flag) => Some(if *flag { "yes" } else { "no" }.to_owned()),
        Value::Number(number) => number.as_f64().map(|one| {
            if one.fract() == 0.0 {
                figures::whole(one)
            } else {
                figures::plain(one)
            }
        }),
        Value::String(text) if text.trim().is_empty() => None,
        Value::String(text) => Some(figures::quoted(text.trim())),
        Value::Array(_) => joined(value, ", ", " and ", origin),
    }
}

/// The entries of a list in words.
fn joined(value: &Value, joint: &str, last: &str, origin: Origin) -> Option<String> {
    let items = value.as_array()?;
    let mut words: Vec<String> = Vec::new();
    for item in items.iter().take(MOST_LISTED) {
        words.extend(match item {
            Value::String(text) if text.trim().is_empty() => None,
            Value::String(text) if origin == Origin::Pipeline => Some(text.clone()),
            Value::String(text) => Some(figures::quoted(text.trim())),
            Value::Array(_) => None,
            other => plain(other, origin),
        });
    }
    let left = items.len().saturating_sub(MOST_LISTED);
    if left > 0 {
        words.push(format!("{left} more"));
    }
    let (end, start) = words.split_last()?;
    if start.is_empty() {
        return Some(end.clone());
    }
    Some(format!("{}{last}{end}", start.join(joint)))
}

/// With the given number of decimals, thousands separators, and no minus sign before a zero.
fn decimals(value: f64, places: usize) -> String {
    let text = format!("{value:.places$}");
    let is_zero = text.chars().all(|one| matches!(one, '-' | '0' | '.'));
    figures::grouped(if is_zero {
        text.trim_start_matches('-')
    } else {
        &text
    })
}

/// The beginning of a text, cut after a word.
fn short(text: &str, most: usize) -> String {
    let text = text.trim();
    let Some((cut, _)) = text.char_indices().nth(most) else {
        return text.to_owned();
    };
    let start = &text[..cut];
    let end = start.rfind(char::is_whitespace).unwrap_or(cut);
    let cut = start[..end].trim_end_matches(|one: char| !one.is_alphanumeric());
    format!("{cut} …")
}

/// Quoted texts and bare words.
fn arguments(text: &str) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    let mut rest = text.trim();
    while let Some(first) = rest.chars().next() {
        if matches!(first, '\'' | '"') {
            let end = rest[1..]
                .find(first)
                .ok_or_else(|| format!("{first} is not closed"))?;
            found.push(rest[1..=end].to_owned());
            rest = rest[end + 2..].trim_start();
        } else {
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            found.push(rest[..end].to_owned());
            rest = rest[end..].trim_start();
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(value: Value, formats: &[&str], expected: Option<&str>) {
        let formats: Vec<Format> = formats
            .iter()
            .map(|one| Format::parse(one).unwrap())
            .collect();
        let value = (!value.is_null()).then_some(value);
        assert_eq!(
            written(value, &formats, Origin::Source).as_deref(),
            expected,
            "{formats:?}"
        );
    }

    #[test]
    fn values_read_as_the_trade_writes_them() {
        check(json!(1234.5), &["money"], Some("$1,234.50"));
        check(json!(1234.5), &["money EUR"], Some("1,234.50 EUR"));
        check(json!(5.2e12), &["large"], Some("$5.20 trillion"));
        check(json!(-0.001), &["number 1"], Some("0.0"));
        check(json!(12.345), &["pct"], Some("12.3%"));
        check(json!(-1.5), &["moved"], Some("down 1.50%"));
        check(json!(-3.21), &["above"], Some("3.2% below"));
        check(json!(""), &["or ''"], Some(""));
        check(json!(0.256), &["share"], Some("25.6%"));
        check(json!(-0.52), &["bp"], Some("-52 basis points"));
        check(json!("2026-03-01T10:00:00Z"), &["date"], Some("1 Mar 2026"));
        check(json!(["a", "b", "c"]), &["list"], Some("a, b and c"));
        check(json!(["a", "b"]), &["join '; '"], Some("a; b"));
        check(json!([1]), &["count 'brief' 'briefs'"], Some("1 brief"));
        check(json!("strong_buy"), &["words"], Some("strong buy"));
        check(json!("strong_buy"), &["title"], Some("Strong buy"));
        check(json!("one two three"), &["short 8"], Some("one two …"));
        check(json!(null), &["or 'none'"], Some("none"));
        check(json!(null), &["money"], None);
        check(json!("text"), &["money"], None);
        check(json!("text"), &["money", "or 'none'"], Some("none"));
        check(json!({"a": 1}), &[], None);
        check(
            json!("<b>[x](http://e)"),
            &[],
            Some("\\<b\\>\\[x\\](http\\://e)"),
        );
        assert!(Format::parse("run").unwrap_err().contains("no format"));
        assert!(Format::parse("short").is_err());
        assert!(Format::parse("join 'x").is_err());
    }
}

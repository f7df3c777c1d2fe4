//! How a step is reported and stored: its result as an object of limited size, and one sentence.

use serde_json::{Map, Value};

use crate::figures;

/// How many entries of a list are kept.
const MOST_ITEMS: usize = 25;
/// Longest text in characters.
const LONGEST_TEXT: usize = 4_000;
/// Largest result in bytes.
const LONGEST: usize = 48 << 10;
/// How deeply a result is inspected.
const DEEPEST: u32 = 12;
/// Fields that nobody reads in a record.
const LEFT_OUT: [&str; 5] = [
    "simulated",
    "entities_enriched",
    "provenance",
    "body",
    "facets",
];

/// A result as an object.
pub(super) fn object(value: &Value) -> Value {
    let shown = bounded(value);
    match shown {
        Value::Object(_) => shown,
        Value::Array(items) => {
            let count = value.as_array().map_or(0, Vec::len);
            serde_json::json!({"items": items, "count": count})
        }
        Value::String(text) => serde_json::json!({"text": text}),
        other => serde_json::json!({"value": other}),
    }
}

/// A value with long lists and texts cut; it says what was cut.
pub(super) fn bounded(value: &Value) -> Value {
    let shown = cut(value, MOST_ITEMS, 0);
    if shown.to_string().len() <= LONGEST {
        return shown;
    }
    let shown = cut(value, 5, 0);
    if shown.to_string().len() <= LONGEST {
        return shown;
    }
    serde_json::json!({"cut": true, "bytes": value.to_string().len()})
}

fn cut(value: &Value, most: usize, depth: u32) -> Value {
    if depth > DEEPEST {
        return Value::Null;
    }
    match value {
        Value::Object(fields) => {
            let mut shown = Map::new();
            for (name, field) in fields {
                if LEFT_OUT.contains(&name.as_str()) {
                    continue;
                }
                shown.insert(name.clone(), cut(field, most, depth + 1));
                if let Value::Array(items) = field
                    && items.len() > most
                {
                    shown.insert(format!("{name}_count"), items.len().into());
                }
            }
            Value::Object(shown)
        }
        Value::Array(items) => items
            .iter()
            .take(most)
            .map(|item| cut(item, most, depth + 1))
            .collect(),
        Value::String(text) if text.len() > LONGEST_TEXT => {
            let text: String = text.chars().take(LONGEST_TEXT).collect();
            format!("{text}…").into()
        }
        other => other.clone(),
    }
}

/// What a result contains, in a sentence.
pub(super) fn summary(value: &Value) -> String {
    match value {
        Value::String(text) => text
            .lines()
            .next()
            .unwrap_or_default()
            .chars()
            .take(300)
            .collect(),
        Value::Array(items) => figures::count(items.len() as u64, "entry", "entries"),
        Value::Object(fields) => {
            let lists = fields.iter().filter_map(|(name, field)| {
                let count = field.as_array()?.len();
                (name != "data_status").then(|| {
                    format!(
                        "{} {}",
                        figures::whole(count as f64),
                        name.replace('_', " ")
                    )
                })
            });
            let singles = fields.iter().filter_map(|(name, field)| {
                let field = match field {
                    Value::Number(number) => figures::plain(number.as_f64()?),
                    Value::String(text) if text.chars().count() <= 40 => text.clone(),
                    _ => return None,
                };
                Some(format!("{} {field}", name.replace('_', " ")))
            });
            let parts: Vec<String> = lists.chain(singles).take(5).collect();
            parts.join(", ")
        }
        other => other.to_string(),
    }
}

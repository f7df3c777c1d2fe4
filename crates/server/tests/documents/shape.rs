//! Whether an answer has the shape of the one that a page shows: the same kinds of values under the same names. Figures and
//! texts differ, because the simulated news moves with the calendar.

use serde_json::{Deserializer, Value};

/// Objects whose names are data, not fields.
const OPEN: &[&str] = &["facets"];

/// The JSON documents of a text, one behind another.
pub(crate) fn documents(text: &str) -> Result<Vec<Value>, serde_json::Error> {
    Deserializer::from_str(text).into_iter().collect()
}

/// What differs in shape, as a path with both kinds; empty where nothing does.
pub(crate) fn differences(shown: &[Value], given: &[Value]) -> Vec<String> {
    let mut found = Vec::new();
    if shown.len() != given.len() {
        found.push(format!(
            "{} documents are shown, {} came",
            shown.len(),
            given.len()
        ));
    }
    for (shown, given) in shown.iter().zip(given) {
        compare("", "", shown, given, &mut found);
    }
    found
}

fn compare(path: &str, name: &str, shown: &Value, given: &Value, found: &mut Vec<String>) {
    match (shown, given) {
        (Value::Object(shown), Value::Object(given)) if !OPEN.contains(&name) => {
            for (name, value) in shown {
                match given.get(name) {
                    Some(other) => compare(&format!("{path}.{name}"), name, value, other, found),
                    None => found.push(format!("{path}.{name} is missing")),
                }
            }
        }
        // A list of one kind may have any length; its first elements stand for all.
        (Value::Array(shown), Value::Array(given)) => {
            for (index, (shown, given)) in shown.iter().zip(given).enumerate() {
                compare(&format!("{path}[{index}]"), "", shown, given, found);
            }
            if !shown.is_empty() && given.is_empty() {
                found.push(format!("{path} is empty"));
            }
        }
        _ if kind(shown) == kind(given) => {}
        _ => found.push(format!(
            "{path} is shown as {} and came as {}",
            kind(shown),
            kind(given)
        )),
    }
}

const fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[test]
fn only_the_shape_counts() {
    let differ = |shown: &str, given: &str| {
        differences(&documents(shown).unwrap(), &documents(given).unwrap())
    };
    assert!(differ(r#"{"a":1,"facets":{"x":2}}"#, r#"{"a":2.5,"facets":{}}"#).is_empty());
    assert!(differ(r#"["a",[1]]"#, r#"["b",[2,3]]"#).is_empty());
    assert_eq!(differ(r#"{"a":1}"#, r#"{"a":null}"#).len(), 1);
    assert_eq!(differ(r#"{"a":{"b":1}}"#, r#"{"a":{}}"#).len(), 1);
    assert_eq!(differ("1 2", "1").len(), 1);
    assert_eq!(differ("[1]", "[]").len(), 1);
}

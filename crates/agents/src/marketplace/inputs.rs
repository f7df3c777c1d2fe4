//! The inputs of an agent: properties of a JSON Schema, limited to the part of it that a form can be made from.
//!
//! Supported are `type` (string, integer, number, boolean, array), `description`, `title`, `default`, `examples`,
//! `enum`, `format` (`ticker`, `date`), `minimum`, `maximum`, `minLength`, `maxLength`, `items`, `minItems`,
//! `maxItems`, `uniqueItems`. Anything else is rejected when a pipeline is saved, because it would not be checked: no
//! references, no patterns, nothing that takes time.

use model::{Day, Symbol};
use operations::{Error, Result};
use serde_json::{Map, Value, json};

use super::source::{Content, Faults, Part};

/// The most inputs of one agent.
const MOST: usize = 20;
/// The largest inputs of one run, in bytes of JSON.
const MOST_BYTES: usize = 100_000;
/// The longest text if the schema sets no limit.
const LONGEST_TEXT: u64 = 5_000;
/// The most entries of a list if the schema sets no limit.
const MOST_ITEMS: u64 = 50;
/// Words that are not names of inputs: they are next to the inputs in the body of a run.
const RESERVED: [&str; 5] = ["inputs", "delivery_target_id", "budget", "as_of", "slug"];

const KEYWORDS: [&str; 15] = [
    "type",
    "description",
    "title",
    "default",
    "examples",
    "enum",
    "format",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "items",
    "minItems",
    "maxItems",
    "uniqueItems",
];

/// The inputs of an agent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inputs {
    pub(crate) properties: Map<String, Value>,
    pub(crate) required: Vec<String>,
}

impl Inputs {
    /// Reads `[inputs]` and `required`.
    pub(crate) fn read(
        part: Option<&Part>,
        required: Option<&Part>,
        faults: &mut Faults<'_>,
    ) -> Self {
        let mut inputs = Self::default();
        if let Some(part) = part {
            let Content::Table(entries) = &part.content else {
                faults.at(
                    &part.span,
                    format!("inputs must be a table, not {}", part.content.kind()),
                );
                return inputs;
            };
            if entries.len() > MOST {
                faults.at(&part.span, format!("an agent takes at most {MOST} inputs"));
            }
            for entry in entries {
                if !is_name(&entry.key) || RESERVED.contains(&&*entry.key) {
                    faults.at(&entry.span, format!(
                        "{:?} cannot be the name of an input: small letters, digits and _, and none of {}",
                        entry.key, RESERVED.join(", ")
                    ));
                }
                property(&entry.part, &entry.key, faults, 0);
                inputs
                    .properties
                    .insert(entry.key.clone(), entry.part.json());
            }
        }
        if let Some(part) = required {
            let Content::List(names) = &part.content else {
                faults.at(&part.span, "required must be an array of names of inputs");
                return inputs;
            };
            for name in names {
                match &name.content {
                    Content::Text(text) if inputs.properties.contains_key(text) => {
                        if !inputs.required.contains(text) {
                            inputs.required.push(text.clone());
                        }
                    }
                    Content::Text(text) => {
                        faults.at(
                            &name.span,
                            format!("required names {text:?}, which is no input"),
                        );
                    }
                    other => faults.at(
                        &name.span,
                        format!("required holds names, not {}", other.kind()),
                    ),
                }
            }
        }
        inputs
    }

    /// The schema as the marketplace shows it.
    pub(crate) fn schema(&self) -> Value {
        json!({"type": "object", "properties": self.properties, "required": self.required})
    }

    /// The given values, checked and with defaults; the error names the input.
    pub(crate) fn check(&self, given: &Map<String, Value>) -> Result<Value> {
        let mut faults: Vec<String> = Vec::new();
        let mut read = Map::new();
        for name in given.keys() {
            if !self.properties.contains_key(name) {
                let name: String = name.chars().take(60).collect();
                let known: Vec<&str> = self.properties.keys().map(String::as_str).collect();
                faults.push(if known.is_empty() {
                    format!("inputs.{name}: this agent takes no inputs")
                } else {
                    format!(
                        "inputs.{name}: unknown; this agent takes {}",
                        known.join(", ")
                    )
                });
            }
        }
        for (name, schema) in &self.properties {
            let value = given.get(name).filter(|value| !value.is_null());
            match value.or_else(|| schema.get("default")) {
                Some(value) => match checked(schema, value) {
                    Ok(value) => {
                        read.insert(name.clone(), value);
                    }
                    Err(fault) => faults.push(format!("inputs.{name} {fault}")),
                },
                None if self.required.contains(name) => {
                    faults.push(format!("inputs.{name} is required"));
                }
                None => {}
            }
        }
        if !faults.is_empty() {
            faults.truncate(10);
            return Err(Error::invalid(faults.join("; ")));
        }
        let read = Value::Object(read);
        if read.to_string().len() > MOST_BYTES {
            return Err(Error::invalid(format!(
                "inputs have at most {MOST_BYTES} bytes as JSON"
            )));
        }
        Ok(read)
    }
}

/// `small_letters_2`.
pub(crate) fn is_name(name: &str) -> bool {
    name.len() <= 40
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name
            .chars()
            .all(|one| one.is_ascii_lowercase() || one.is_ascii_digit() || one == '_')
}

/// Checks one property of a schema, and its default and examples against it.
fn property(part: &Part, name: &str, faults: &mut Faults<'_>, depth: u32) {
    let Content::Table(entries) = &part.content else {
        faults.at(
            &part.span,
            format!("{name} must be a table such as {{ type = \"string\" }}"),
        );
        return;
    };
    let known = faults.are_none();
    let mut kind = None;
    for entry in entries {
        let (key, value) = (&*entry.key, &entry.part.content);
        if !KEYWORDS.contains(&key) {
            faults.at(
                &entry.span,
                format!(
                    "{key:?} is not checked here; known are {}",
                    KEYWORDS.join(", ")
                ),
            );
            continue;
        }
        let is_fine = match (key, value) {
            ("type", Content::Text(word)) => {
                kind = Some(word.as_str());
                matches!(
                    &**word,
                    "string" | "integer" | "number" | "boolean" | "array"
                ) && (depth == 0 || word != "array")
            }
            ("description" | "title", Content::Text(text)) => text.len() <= 500,
            ("format", Content::Text(word)) => matches!(&**word, "ticker" | "date"),
            ("enum" | "examples", Content::List(items)) => !items.is_empty() && items.len() <= 100,
            ("minimum" | "maximum", Content::Integer(_) | Content::Number(_))
            | ("uniqueItems", Content::Flag(_))
            | ("default", _) => true,
            ("minLength" | "maxLength" | "minItems" | "maxItems", Content::Integer(number)) => {
                (0..=50_000).contains(number)
            }
            ("items", Content::Table(_)) if depth == 0 => {
                property(&entry.part, "items", faults, 1);
                true
            }
            _ => false,
        };
        if !is_fine {
            faults.at(
                &entry.part.span,
                format!("{name}: this is no value for {key}"),
            );
        }
    }
    if kind.is_none() {
        faults.at(&part.span, format!("{name} needs a type"));
    }
    if kind == Some("array") && !entries.iter().any(|entry| entry.key == "items") {
        faults.at(&part.span, format!("{name} is an array and needs items"));
    }
    if !known || !faults.are_none() {
        return;
    }
    let schema = part.json();
    for entry in entries {
        let given: Vec<&Part> = match (&*entry.key, &entry.part.content) {
            ("default", _) => vec![&entry.part],
            ("examples" | "enum", Content::List(items)) => items.iter().collect(),
            _ => continue,
        };
        for value in given {
            if let Err(fault) = checked(&schema, &value.json()) {
                faults.at(&value.span, format!("{}: this value {fault}", entry.key));
            }
        }
    }
}

/// A value checked against its schema, as it is used; the error follows the name of the input.
pub(crate) fn checked(schema: &Value, value: &Value) -> Result<Value, String> {
    let bound = |name: &str| schema.get(name).and_then(Value::as_f64);
    let length = |name: &str| schema.get(name).and_then(Value::as_u64);
    let read = match schema
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or("string")
    {
        "string" => {
            let text = value.as_str().ok_or("must be a string")?.trim();
            let count = text.chars().count() as u64;
            let least = length("minLength").unwrap_or(0);
            let most = length("maxLength").unwrap_or(LONGEST_TEXT);
            if !(least..=most).contains(&count) {
                return Err(format!("must have from {least} to {most} characters"));
            }
            match schema.get("format").and_then(Value::as_str) {
                Some("ticker") => {
                    let symbol: Symbol =
                        text.parse().map_err(|_| "must be a symbol such as AAPL")?;
                    symbol.as_str().into()
                }
                Some("date") => {
                    let day = Day::parse(text).ok_or("must be a date such as 2026-03-01")?;
                    day.to_string().into()
                }
                _ => text.into(),
            }
        }
        kind @ ("integer" | "number") => {
            let number = value
                .as_f64()
                .ok_or_else(|| format!("must be {}", article(kind)))?;
            if kind == "integer" && number.fract() != 0.0 {
                return Err("must be an integer".to_owned());
            }
            let (least, most) = (bound("minimum"), bound("maximum"));
            if least.is_some_and(|least| number < least) || most.is_some_and(|most| number > most) {
                return Err(match (least, most) {
                    (Some(least), Some(most)) => format!("must be from {least} to {most}"),
                    (Some(least), None) => format!("must be at least {least}"),
                    (_, most) => format!("must be at most {}", most.unwrap_or_default()),
                });
            }
            value.clone()
        }
        "boolean" if value.is_boolean() => value.clone(),
        "boolean" => return Err("must be true or false".to_owned()),
        _ => {
            let items = value.as_array().ok_or("must be an array")?;
            let least = length("minItems").unwrap_or(0);
            let most = length("maxItems").unwrap_or(MOST_ITEMS);
            if !(least..=most).contains(&(items.len() as u64)) {
                return Err(format!("must have from {least} to {most} entries"));
            }
            let of = schema.get("items").unwrap_or(&Value::Null);
            let mut read = Vec::with_capacity(items.len());
            for (place, item) in items.iter().enumerate() {
                let item = checked(of, item).map_err(|fault| format!("[{place}] {fault}"))?;
                let is_twice =
                    schema.get("uniqueItems") == Some(&Value::Bool(true)) && read.contains(&item);
                if is_twice {
                    return Err(format!("[{place}] stands there twice"));
                }
                read.push(item);
            }
            Value::Array(read)
        }
    };
    if let Some(words) = schema.get("enum").and_then(Value::as_array)
        && !words.contains(&read)
    {
        let words: Vec<String> = words
            .iter()
            .map(|word| {
                word.as_str()
                    .map_or_else(|| word.to_string(), str::to_owned)
            })
            .collect();
        return Err(format!("must be one of {}", words.join(", ")));
    }
    Ok(read)
}

fn article(kind: &str) -> &'static str {
    if kind == "integer" {
        "an integer"
    } else {
        "a number"
    }
}

#[cfg(test)]
mod tests {
    use super::super::source::parse;
    use super::*;

    fn inputs(text: &str) -> Result<Inputs> {
        let part = parse(text).unwrap();
        let Content::Table(entries) = &part.content else {
            panic!("a table")
        };
        let find = |name: &str| {
            entries
                .iter()
                .find(|entry| entry.key == name)
                .map(|entry| &entry.part)
        };
        let mut faults = Faults::new(text);
        let inputs = Inputs::read(find("inputs"), find("required"), &mut faults);
        faults.finish().map(|()| inputs)
    }

    const FORM: &str = r#"
required = ["ticker"]
[inputs.ticker]
type = "string"
format = "ticker"
[inputs.days]
type = "integer"
minimum = 1
maximum = 90
default = 30
[inputs.others]
type = "array"
items = { type = "string", format = "ticker" }
minItems = 1
maxItems = 3
uniqueItems = true
[inputs.depth]
type = "string"
enum = ["fast", "deep"]
"#;

    #[test]
    fn what_is_given_is_checked_and_completed() {
        let inputs = inputs(FORM).unwrap();
        let given = json!({"ticker": " acme ", "others": ["b"]});
        let read = inputs.check(given.as_object().unwrap()).unwrap();
        assert_eq!(read, json!({"ticker": "ACME", "days": 30, "others": ["B"]}));
        for (given, part) in [
            (json!({}), "inputs.ticker is required"),
            (json!({"ticker": 5}), "inputs.ticker must be a string"),
            (
                json!({"ticker": "A", "days": 0}),
                "inputs.days must be from 1 to 90",
            ),
            (
                json!({"ticker": "A", "days": 1.5}),
                "inputs.days must be an integer",
            ),
            (
                json!({"ticker": "A", "others": ["b", "B"]}),
                "inputs.others [1] stands there twice",
            ),
            (json!({"ticker": "A", "others": []}), "from 1 to 3 entries"),
            (
                json!({"ticker": "A", "depth": "deeper"}),
                "one of fast, deep",
            ),
            (
                json!({"ticker": "A", "other": 1}),
                "inputs.other: unknown; this agent takes",
            ),
        ] {
            let fault = inputs
                .check(given.as_object().unwrap())
                .unwrap_err()
                .to_string();
            assert!(fault.contains(part), "{given}: {fault}");
        }
    }

    #[test]
    fn what_would_not_be_checked_is_refused_with_its_line() {
        for (text, part) in [
            (
                "[inputs.a]\ntype = \"string\"\npattern = \"(a+)+\"",
                "line 3, column 1: \"pattern\" is not checked",
            ),
            ("[inputs.a]\n\"$ref\" = \"#\"", "not checked here"),
            ("[inputs.a]\ntype = \"object\"", "no value for type"),
            ("[inputs.a]\ntype = \"array\"", "needs items"),
            ("[inputs.budget]\ntype = \"string\"", "cannot be the name"),
            (
                "[inputs.a]\ntype = \"integer\"\ndefault = \"x\"",
                "default: this value must be an integer",
            ),
            (
                "required = [\"b\"]\n[inputs.a]\ntype = \"string\"",
                "no input",
            ),
        ] {
            let fault = inputs(text).unwrap_err().to_string();
            assert!(fault.contains(part), "{text}: {fault}");
        }
    }
}

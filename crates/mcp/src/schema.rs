//! From an operation's description of itself to plain JSON Schema.
//!
//! Inputs are written without references, because some clients cannot read them; outputs share their parts under
//! `$defs`. Output schemas promise no more than small answers keep: lists may be cut short, and the fields that small
//! answers leave out are never required.

use std::collections::{BTreeMap, HashMap};

use operations::{Entry, Shape};
use serde_json::{Map, Value, json};

use crate::small::LEFT_OUT;
use crate::tools::Line;

const OPENAPI_PARTS: &str = "#/components/schemas/";
/// How deeply shapes may be nested; anything deeper, which only a recursive shape has, may be of any form.
const DEEPEST: usize = 12;
/// The argument that asks for everything.
pub(crate) const DETAIL: &str = "detail";

/// What a tool takes.
pub(crate) fn input(entry: &Entry) -> Map<String, Value> {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for field in &entry.input.fields {
        let mut schema = plain(&field.schema);
        describe(&mut schema, field.meaning);
        properties.insert(field.name.to_owned(), schema);
        if field.is_required {
            required.push(Value::from(field.name));
        }
    }
    if let Some(body) = &entry.input.body {
        let parts = parts(body);
        let whole = inlined(plain(&body.schema), &parts, 0);
        if let Some(Value::Object(fields)) = whole.get("properties") {
            properties.extend(fields.clone());
        }
        if let Some(Value::Array(names)) = whole.get("required") {
            required.extend(names.iter().cloned());
        }
    }
    if entry.about.takes_as_of {
        let schema = json!({
            "type": "string", "format": "date-time",
            "description": "Respond with what was known at this time (ISO 8601); now if absent.",
        });
        properties.insert("as_of".to_owned(), schema);
    }
    let detail = json!({
        "type": "string", "enum": ["small", "full"], "default": "small",
        "description": "`small` shortens long texts and lists and says what was left out; `full` returns everything.",
    });
    properties.insert(DETAIL.to_owned(), detail);
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".to_owned(), Value::Array(required));
    }
    schema.insert("additionalProperties".to_owned(), json!(false));
    schema
}

/// What a tool returns.
pub(crate) fn output(entry: &Entry, line: &Line) -> Map<String, Value> {
    let parts = parts(&entry.output);
    let mut root = plain(&entry.output.schema);
    // A shape that is only an alias of another.
    if root.get("$ref").is_some() {
        root = inlined(root, &parts, DEEPEST - 1);
    }
    let mut used = BTreeMap::new();
    collect(&mut root, &parts, &mut used);
    loosen(&mut root, line.omits);
    let Value::Object(mut root) = root else {
        return Map::new();
    };
    root.insert("type".to_owned(), json!("object"));
    let properties = root
        .entry("properties")
        .or_insert_with(|| Value::Object(Map::new()));
    if let Value::Object(properties) = properties {
        properties.insert(LEFT_OUT.to_owned(), left_out());
    }
    if !used.is_empty() {
        let mut definitions = Map::new();
        for (name, mut part) in used {
            loosen(&mut part, line.omits);
            definitions.insert(name, part);
        }
        root.insert("$defs".to_owned(), Value::Object(definitions));
    }
    root
}

fn left_out() -> Value {
    json!({
        "type": "object",
        "description": "What this small response leaves out; absent if it is complete.",
        "properties": {
            "lists": {
                "type": "array", "description": "Lists that were cut short.",
                "items": {
                    "type": "object", "required": ["list", "shown", "of"],
                    "properties": {
                        "list": {"type": "string"}, "shown": {"type": "integer"}, "of": {"type": "integer"},
                    },
                },
            },
            "fields": {
                "type": "array", "description": "Fields that were left out.", "items": {"type": "string"},
            },
            "texts": {"type": "integer", "description": "Texts that were cut short; each says how much is missing."},
            "hint": {"type": "string"},
        },
    })
}

fn parts(shape: &Shape) -> HashMap<String, Value> {
    let parts = shape.parts.iter();
    parts
        .map(|(name, part)| (name.clone(), plain(part)))
        .collect()
}

/// A schema as JSON, without anything that only OpenAPI knows.
fn plain(schema: &impl serde::Serialize) -> Value {
    let mut value = serde_json::to_value(schema).unwrap_or_default();
    tidy(&mut value);
    value
}

fn tidy(value: &mut Value) {
    match value {
        Value::Object(object) => {
            object.remove("example");
            // The format of a number, which JSON Schema does not know.
            if let Some("int32" | "int64" | "float" | "double") =
                object.get("format").and_then(Value::as_str)
            {
                object.remove("format");
            }
            for (name, inner) in object.iter_mut() {
                // Below it are names of fields, which may be the same as schema keywords.
                if let ("properties", Value::Object(fields)) = (name.as_str(), &mut *inner) {
                    fields.values_mut().for_each(tidy);
                } else if name != "default" && name != "enum" {
                    tidy(inner);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(tidy),
        _ => {}
    }
}

fn describe(schema: &mut Value, meaning: &str) {
    if let Value::Object(schema) = schema {
        schema.insert("description".to_owned(), meaning.into());
    }
}

fn part_name(object: &Map<String, Value>) -> Option<&str> {
    object.get("$ref")?.as_str()?.strip_prefix(OPENAPI_PARTS)
}

/// The schema with each reference replaced by its target.
fn inlined(value: Value, parts: &HashMap<String, Value>, depth: usize) -> Value {
    match value {
        Value::Object(mut object) => {
            if let Some(name) = part_name(&object) {
                let part = parts.get(name).filter(|_| depth < DEEPEST);
                let part = part.cloned().unwrap_or_else(|| json!({}));
                object.shift_remove("$ref");
                let mut whole = inlined(part, parts, depth + 1);
                if let Value::Object(whole) = &mut whole {
                    whole.extend(object);
                }
                return whole;
            }
            let inner = object.into_iter();
            inner
                .map(|(name, inner)| (name, inlined(inner, parts, depth)))
                .collect::<Map<_, _>>()
                .into()
        }
        Value::Array(items) => {
            let items = items.into_iter();
            items
                .map(|item| inlined(item, parts, depth))
                .collect::<Vec<_>>()
                .into()
        }
        other => other,
    }
}

/// Points references to `$defs`, and collects their targets.
fn collect(value: &mut Value, parts: &HashMap<String, Value>, used: &mut BTreeMap<String, Value>) {
    match value {
        Value::Object(object) => {
            if let Some(name) = part_name(object).map(str::to_owned) {
                object.insert("$ref".to_owned(), format!("#/$defs/{name}").into());
                if !used.contains_key(&name) {
                    let mut part = parts.get(&name).cloned().unwrap_or_else(|| json!({}));
                    used.insert(name.clone(), Value::Null);
                    collect(&mut part, parts, used);
                    used.insert(name, part);
                }
            }
            for inner in object.values_mut() {
                collect(inner, parts, used);
            }
        }
        Value::Array(items) => {
            for item in items {
                collect(item, parts, used);
            }
        }
        _ => {}
    }
}

/// Removes promises that small answers do not keep.
fn loosen(value: &mut Value, omits: &[&str]) {
    match value {
        Value::Object(object) => {
            object.shift_remove("minItems");
            if let Some(Value::Array(required)) = object.get_mut("required") {
                required.retain(|name| name.as_str().is_none_or(|name| !omits.contains(&name)));
            }
            for (name, inner) in object.iter_mut() {
                if let ("properties", Value::Object(fields)) = (name.as_str(), &mut *inner) {
                    fields.values_mut().for_each(|field| loosen(field, omits));
                } else {
                    loosen(inner, omits);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| loosen(item, omits)),
        _ => {}
    }
}

//! What is known about values before there are any: the fields in the answers of operations, and what steps make from
//! them.
//!
//! A path to a field that no answer can have is a spelling mistake, and is found when a pipeline is saved.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use operations::{Entry, Shape};
use parking_lot::Mutex;
use serde_json::{Map, Value};

use super::expression::Segment;

/// The arguments and the answer of an operation, as JSON Schemas.
#[derive(Debug)]
pub(crate) struct Described {
    pub(crate) arguments: Map<String, Value>,
    pub(crate) required: Vec<String>,
    /// Arguments that take several words separated by commas.
    pub(crate) lists: Vec<&'static str>,
    output: Value,
    parts: HashMap<String, Value>,
}

/// What is known about a value.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// Nothing.
    Any,
    /// Part of the answer of an operation.
    Of(Arc<Described>, Value),
    List(Box<Self>),
    Fields(Vec<(String, Self)>),
    /// A text or a number, which contains nothing else.
    Simple,
}

impl Described {
    /// The description of an operation; created once for each.
    pub(crate) fn of(entry: &Entry) -> Arc<Self> {
        static KNOWN: LazyLock<Mutex<HashMap<&'static str, Arc<Described>>>> =
            LazyLock::new(Mutex::default);
        let mut known = KNOWN.lock();
        let made = known
            .entry(entry.about.name)
            .or_insert_with(|| Arc::new(Self::read(entry)));
        Arc::clone(made)
    }

    fn read(entry: &Entry) -> Self {
        let mut parts = HashMap::new();
        let mut add = |shape: &Shape| {
            for (name, schema) in &shape.parts {
                if let Ok(schema) = serde_json::to_value(schema) {
                    parts.insert(name.clone(), schema);
                }
            }
            let schema = serde_json::to_value(&shape.schema).unwrap_or_default();
            parts.insert(shape.name.clone(), schema.clone());
            schema
        };
        let output = add(&entry.output);
        let body = entry.input.body.as_ref().map(&mut add);
        let mut described = Self {
            arguments: Map::new(),
            required: Vec::new(),
            lists: Vec::new(),
            output,
            parts,
        };
        for field in &entry.input.fields {
            let schema = serde_json::to_value(&field.schema).unwrap_or_default();
            described.arguments.insert(field.name.to_owned(), schema);
            if field.is_required {
                described.required.push(field.name.to_owned());
            }
            if field.is_list {
                described.lists.push(field.name);
            }
        }
        if let Some(body) = body {
            let body = described.resolved(&body).cloned().unwrap_or_default();
            if let Some(properties) = body.get("properties").and_then(Value::as_object) {
                for (name, schema) in properties {
                    let schema = described.resolved(schema).unwrap_or(schema).clone();
                    described.arguments.insert(name.clone(), schema);
                }
            }
            let required = body.get("required").and_then(Value::as_array);
            for name in required.into_iter().flatten().filter_map(Value::as_str) {
                described.required.push(name.to_owned());
            }
        }
        described
    }

    pub(crate) fn output(self: &Arc<Self>) -> Kind {
        Kind::Of(Arc::clone(self), self.output.clone())
    }

    /// A schema without references and without null; `None` if it may be several things.
    fn resolved<'s>(&'s self, schema: &'s Value) -> Option<&'s Value> {
        let mut schema = schema;
        for _ in 0..8 {
            if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
                schema = self.parts.get(name.rsplit('/').next()?)?;
                continue;
            }
            let choice = ["allOf", "oneOf", "anyOf"]
                .iter()
                .find_map(|word| schema.get(*word)?.as_array());
            let Some(choice) = choice else {
                return Some(schema);
            };
            let mut real = choice
                .iter()
                .filter(|one| one.get("type").and_then(Value::as_str) != Some("null"));
            let first = real.next()?;
            if real.next().is_some() {
                return None;
            }
            schema = first;
        }
        None
    }
}

/// Whether a schema has that type.
fn is_of(schema: &Value, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(word)) => word == name,
        Some(Value::Array(words)) => words.iter().any(|word| word == name),
        _ => false,
    }
}

impl Kind {
    /// What is at a part of it; the error says what is wrong with the path.
    pub(crate) fn step(&self, segment: &Segment) -> Result<Self, String> {
        match (self, segment) {
            (Self::Any, _) => Ok(Self::Any),
            (Self::List(of), Segment::Index(_)) => Ok((**of).clone()),
            (Self::List(_), Segment::Field(name)) => Err(in_list(name)),
            (Self::Fields(fields), Segment::Field(name)) => fields
                .iter()
                .find(|(field, _)| field == name)
                .map(|(_, kind)| kind.clone())
                .ok_or_else(|| unknown(name, fields.iter().map(|(field, _)| field.as_str()))),
            (Self::Simple, Segment::Field(name)) => {
                Err(format!("there is nothing in it, so no field {name:?}"))
            }
            (Self::Fields(_) | Self::Simple, Segment::Index(_)) => Err("it is no list".to_owned()),
            (Self::Of(described, schema), _) => {
                let Some(schema) = described.resolved(schema) else {
                    return Ok(Self::Any);
                };
                let part = |schema: &Value| Self::Of(Arc::clone(described), schema.clone());
                match (segment, schema.get("properties").and_then(Value::as_object)) {
                    (Segment::Field(name), Some(fields)) => match fields.get(name) {
                        Some(field) => Ok(part(field)),
                        None if schema.get("additionalProperties").is_some() => Ok(Self::Any),
                        None => Err(unknown(name, fields.keys().map(String::as_str))),
                    },
                    (Segment::Index(_), None) if is_of(schema, "array") => {
                        Ok(schema.get("items").map_or(Self::Any, part))
                    }
                    (Segment::Field(name), None) if is_of(schema, "array") => Err(in_list(name)),
                    (Segment::Field(_), None) if is_of(schema, "object") => Ok(schema
                        .get("additionalProperties")
                        .filter(|one| one.is_object())
                        .map_or(Self::Any, part)),
                    (_, None) if schema.get("type").is_none() => Ok(Self::Any),
                    (Segment::Field(name), None) => {
                        Err(format!("there is nothing in it, so no field {name:?}"))
                    }
                    (Segment::Index(_), _) => Err("it is no list".to_owned()),
                }
            }
        }
    }

    /// What the entries of a list are; an error if it is not a list.
    pub(crate) fn items(&self) -> Result<Self, String> {
        self.step(&Segment::Index(0))
    }

    /// What is under a dotted name.
    pub(crate) fn field(&self, name: &str) -> Result<Self, String> {
        name.split('.')
            .filter(|part| !part.is_empty())
            .try_fold(self.clone(), |kind, part| {
                kind.step(&Segment::Field(part.to_owned()))
            })
    }
}

fn in_list(name: &str) -> String {
    format!("it is a list: {name:?} stands in its entries, such as [0].{name}")
}

fn unknown<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> String {
    let known: Vec<&str> = known.filter(|one| *one != "status").collect();
    if known.is_empty() {
        return format!("there is no field {name:?}");
    }
    format!("there is no field {name:?}; there are {}", known.join(", "))
}

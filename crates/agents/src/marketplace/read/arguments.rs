//! Calls: checks that the operation exists, that the caller may call it, and that the arguments written for it fit.

use std::sync::{Arc, LazyLock};

use operations::{Arguments, Entry, Gate, Registry};
use serde_json::{Map, Value};

use super::super::pipeline::{Argument, Work};
use super::super::shape::Described;
use super::super::source::{Content, Part};
use super::Reader;

/// What steps may call: everything except the marketplace itself and anything that changes accounts, keys and log-ins.
pub(crate) static CALLABLE: LazyLock<Arc<Registry>> = LazyLock::new(crate::registry);

/// Whether a step may call it at all.
pub(crate) fn is_callable(entry: &Entry) -> bool {
    let path = entry.about.address.path;
    !path.starts_with("/api/v1/agents") && entry.tariff.gate != Gate::Jwt
}

impl Reader<'_, '_> {
    pub(super) fn call(&mut self, operation: &Part, arguments: Option<&Part>) -> Option<Work> {
        let Content::Text(name) = &operation.content else {
            self.faults
                .at(&operation.span, "the name of an operation is a string");
            return None;
        };
        let entries = CALLABLE.entries();
        let Some(entry) = entries.iter().find(|entry| entry.about.name == name.trim()) else {
            let close = closest(name, entries.iter().map(|entry| entry.about.name));
            let name: String = name.chars().take(60).collect();
            self.faults.at(
                &operation.span,
                format!("there is no operation {name:?}; close are {close}"),
            );
            return None;
        };
        if !is_callable(entry) {
            let message = format!(
                "{name} cannot be a step: an agent runs no agents and changes no accounts or keys"
            );
            self.faults.at(&operation.span, message);
            return None;
        }
        let described = Described::of(entry);
        let fields = self.fields(entry, &described, operation, arguments);
        if let Some(caller) = self.caller {
            let fixed = fields.iter().map(|(name, one)| {
                // A value that is not known yet may be any word: scopes are about whole segments.
                (name.clone(), one.fixed().unwrap_or_else(|| "x".into()))
            });
            let path = entry.path(&fixed.collect());
            let method = entry.about.address.verb.method();
            if let Err(refusal) = entry.tariff.admit(caller, method, &path) {
                self.faults
                    .at(&operation.span, format!("{name}: {refusal}"));
            }
        }
        let price = price(entry, &fields);
        Some(Work::Call {
            entry: Arc::clone(entry),
            arguments: fields,
            price,
        })
    }

    fn fields(
        &mut self,
        entry: &Entry,
        described: &Described,
        operation: &Part,
        arguments: Option<&Part>,
    ) -> Vec<(String, Argument)> {
        let lines = match arguments.map(|part| &part.content) {
            None => &[],
            Some(Content::Table(entries)) => entries.as_slice(),
            Some(other) => {
                let message = format!("arguments must be a table, not {}", other.kind());
                self.faults
                    .at(&arguments.map_or(0..0, |part| part.span.clone()), message);
                return Vec::new();
            }
        };
        let mut fields = Vec::new();
        let before = self.faults.are_none();
        for line in lines {
            let is_time = entry.about.takes_as_of && line.key == "as_of";
            let Some(schema) = described.arguments.get(&line.key) else {
                let argument = self.argument(&line.part);
                self.check_argument(&argument, &line.part.span);
                if is_time {
                    fields.push((line.key.clone(), argument));
                } else {
                    let known: Vec<&str> = described.arguments.keys().map(String::as_str).collect();
                    let name = entry.about.name;
                    self.faults.at(
                        &line.span,
                        if known.is_empty() {
                            format!("{name} takes no arguments")
                        } else {
                            format!(
                                "{name} has no argument {:?}; it takes {}",
                                line.key,
                                known.join(", ")
                            )
                        },
                    );
                }
                continue;
            };
            let argument = self.argument(&line.part);
            self.check_argument(&argument, &line.part.span);
            if let Some(value) = argument.fixed()
                && let Err(fault) = fits(schema, &value, described.lists.contains(&&*line.key))
            {
                self.faults
                    .at(&line.part.span, format!("{}: {fault}", line.key));
            }
            fields.push((line.key.clone(), argument));
        }
        for name in &described.required {
            if !fields.iter().any(|(field, _)| field == name) {
                self.faults.at(
                    &operation.span,
                    format!("{} needs the argument {name:?}", entry.about.name),
                );
            }
        }
        if before && self.faults.are_none() {
            self.try_whole(entry, &fields, operation);
        }
        fields
    }

    /// If nothing has to be looked up, the operation itself says whether it accepts the arguments.
    fn try_whole(&mut self, entry: &Entry, fields: &[(String, Argument)], operation: &Part) {
        let fixed = fields.iter().filter(|(name, _)| name != "as_of");
        let fixed: Option<Map<String, Value>> = fixed
            .map(|(name, field)| Some((name.clone(), field.fixed()?)))
            .collect();
        let Some(fixed) = fixed else {
            return;
        };
        let body = Value::Object(fixed.clone()).to_string();
        if let Err(fault) = entry.question(Arguments::of_object(&fixed), body.as_bytes()) {
            self.faults
                .at(&operation.span, format!("{}: {fault}", entry.about.name));
        }
    }
}

/// The most that one call costs: its price, or a smaller budget that is written in its arguments.
fn price(entry: &Entry, fields: &[(String, Argument)]) -> u64 {
    let most = entry.tariff.price.most;
    let budget = fields.iter().find(|(name, _)| name == "budget");
    let budget = budget.and_then(|(_, field)| field.fixed()?.as_u64());
    budget.map_or(most, |budget| budget.min(most))
}

/// Whether a value fits the schema of an argument. Anything the schema does not say is checked by the operation when it
/// is called.
fn fits(schema: &Value, value: &Value, is_list: bool) -> Result<(), String> {
    if is_list && (value.is_string() || value.is_array()) {
        return Ok(());
    }
    let kinds: Vec<&str> = match schema.get("type") {
        Some(Value::String(word)) => vec![word],
        Some(Value::Array(words)) => words.iter().filter_map(Value::as_str).collect(),
        _ => return Ok(()),
    };
    let is_of = |kind: &&str| match *kind {
        "string" => value.is_string(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => value.is_null(),
    };
    if !kinds.iter().any(is_of) {
        return Err(format!("must be of type {}", kinds.join(" or ")));
    }
    if let Some(words) = schema.get("enum").and_then(Value::as_array)
        && !words.contains(value)
        && !words.iter().any(|word| {
            let (Some(word), Some(value)) = (word.as_str(), value.as_str()) else {
                return false;
            };
            word.eq_ignore_ascii_case(value)
        })
    {
        let words: Vec<String> = words
            .iter()
            .filter_map(|word| word.as_str().map(str::to_owned))
            .collect();
        return Err(format!("must be one of {}", words.join(", ")));
    }
    if let Some(number) = value.as_f64() {
        let bound = |name: &str| schema.get(name).and_then(Value::as_f64);
        if bound("minimum").is_some_and(|least| number < least)
            || bound("maximum").is_some_and(|most| number > most)
        {
            let shown =
                |bound: Option<f64>| bound.map_or_else(|| "…".to_owned(), |one| one.to_string());
            return Err(format!(
                "must be from {} to {}",
                shown(bound("minimum")),
                shown(bound("maximum"))
            ));
        }
    }
    if let Some(text) = value.as_str() {
        let length = text.chars().count() as u64;
        let bound = |name: &str| schema.get(name).and_then(Value::as_u64);
        if bound("minLength").is_some_and(|least| length < least)
            || bound("maxLength").is_some_and(|most| length > most)
        {
            return Err("is too short or too long".to_owned());
        }
    }
    Ok(())
}

/// The names that have most in common with another.
fn closest<'n>(wanted: &str, names: impl Iterator<Item = &'n str>) -> String {
    let parts = |name: &str| -> Vec<String> {
        name.split(['_', '/', ' ']).map(str::to_lowercase).collect()
    };
    let wanted = parts(wanted);
    let mut ranked: Vec<(usize, &str)> = names
        .map(|name| {
            let own = parts(name);
            let shared = own.iter().filter(|part| {
                wanted
                    .iter()
                    .any(|word| word.trim_end_matches('s') == part.trim_end_matches('s'))
            });
            (shared.count(), name)
        })
        .collect();
    ranked.sort_by(|left, right| right.0.cmp(&left.0).then(left.1.cmp(right.1)));
    let names: Vec<&str> = ranked.iter().take(4).map(|(_, name)| *name).collect();
    names.join(", ")
}

//! A tool: a line of the table with the operation that answers it.

use std::collections::HashMap;
use std::sync::Arc;

use operations::{Effect, Entry, Registry};
use rmcp::model::{Tool, ToolAnnotations};

use crate::schema;
use crate::tools::{Line, TOOLS};

/// Operations that read from outside of the stored data.
const OPEN_WORLD: &[&str] = &["search_web", "extract_pages"];

/// A tool that can be called.
#[derive(Clone)]
pub(crate) struct Callable {
    pub(crate) line: &'static Line,
    pub(crate) entry: Arc<Entry>,
    /// The tool as clients see it.
    pub(crate) listed: Tool,
}

/// The tools of a registry, in the order of the table.
pub(crate) struct Tools {
    callables: Vec<Callable>,
    by_name: HashMap<&'static str, usize>,
}

impl Tools {
    pub(crate) fn of(registry: &Registry) -> Self {
        let find = |name: &str| {
            let entries = registry.entries().iter();
            entries.into_iter().find(|entry| entry.about.name == name)
        };
        let callables: Vec<Callable> = TOOLS
            .iter()
            .filter_map(|line| Some(Callable::new(line, find(line.operation)?.clone())))
            .collect();
        let names = callables.iter().enumerate();
        let by_name = names
            .map(|(index, callable)| (callable.line.operation, index))
            .collect();
        Self { callables, by_name }
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Callable> {
        self.callables.get(*self.by_name.get(name)?)
    }

    pub(crate) fn listed(&self) -> Vec<Tool> {
        let callables = self.callables.iter();
        callables.map(|callable| callable.listed.clone()).collect()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Callable> {
        self.callables.iter()
    }
}

impl Callable {
    fn new(line: &'static Line, entry: Arc<Entry>) -> Self {
        let reads = entry.effect == Effect::Reads;
        let annotations = ToolAnnotations::new()
            .read_only(reads)
            .open_world(OPEN_WORLD.contains(&line.operation));
        // Nothing in the table removes anything; what acts adds to it, or replaces what has the same key.
        let annotations = if reads {
            annotations
        } else {
            annotations.destructive(false)
        };
        let listed = Tool::new(
            line.operation,
            description(line, &entry),
            Arc::new(schema::input(&entry)),
        )
        .with_title(title(line.operation))
        .with_raw_output_schema(Arc::new(schema::output(&entry, line)))
        .with_annotations(annotations);
        Self {
            line,
            entry,
            listed,
        }
    }
}

/// When to choose it, and what it costs: a model may weigh both.
fn description(line: &Line, entry: &Entry) -> String {
    format!("{} {}.", line.description, cost(entry))
}

/// Such as `Costs 3 credits`.
fn cost(entry: &Entry) -> String {
    let price = entry.tariff.price;
    match (price.words, price.most) {
        (Some(words), _) => format!("Costs {words} credits"),
        (None, 0) => "Free".to_owned(),
        (None, 1) => "Costs 1 credit".to_owned(),
        (None, credits) => format!("Costs {credits} credits"),
    }
}

/// `Show brief` for `show_brief`.
fn title(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// What a tool does to what is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effects {
    /// Nothing.
    Reads,
    /// It changes what its caller owns.
    Acts,
}

/// A tool in the words of the documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolSummary {
    /// The name of the tool and of its operation.
    pub name: &'static str,
    /// Method and path of the operation over HTTP.
    pub endpoint: String,
    /// The price.
    pub credits: String,
    /// Whom it admits.
    pub gate: String,
    /// Whether it only reads.
    pub effects: Effects,
}

/// The tools of a registry as the documents list them.
pub fn summaries(registry: &Registry) -> Vec<ToolSummary> {
    let tools = Tools::of(registry);
    tools
        .iter()
        .map(|Callable { line, entry, .. }| ToolSummary {
            name: line.operation,
            endpoint: entry.tariff.endpoint.to_string(),
            credits: entry
                .tariff
                .price
                .words
                .map_or_else(|| entry.tariff.price.most.to_string(), str::to_owned),
            gate: entry.tariff.gate.to_string(),
            effects: match entry.effect {
                Effect::Reads => Effects::Reads,
                Effect::Acts => Effects::Acts,
            },
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_words() {
        assert_eq!(title("show_brief"), "Show brief");
        assert_eq!(title("ask"), "Ask");
        assert_eq!(title(""), "");
    }
}

//! A tool: a line of the table together with the operation that answers it.

use std::collections::HashMap;
use std::sync::Arc;

use operations::{Effect, Entry, Registry};
use rmcp::model::{Tool, ToolAnnotations};

use crate::schema;
use crate::tools::{Line, TOOLS};

/// Operations that read data from outside the store.
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
        // Nothing in the table removes anything; a tool that acts adds to it, or replaces what has the same key.
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

/// For example `Costs 3 credits` or `Costs 1 credit per source queried`.
fn cost(entry: &Entry) -> String {
    let price = entry.tariff.price;
    match (price.words, price.most) {
        (Some(words), _) => priced(words),
        (None, 0) => "Free".to_owned(),
        (None, 1) => "Costs 1 credit".to_owned(),
        (None, credits) => format!("Costs {credits} credits"),
    }
}

/// The wording of the price list as a statement, with the unit after the first number: `Costs 1 credit per URL` for
/// `1 per URL`.
fn priced(words: &str) -> String {
    if !words.starts_with(|first: char| first.is_ascii_digit()) {
        return format!("Priced {words}");
    }
    let (number, rest) = words.split_once(' ').unwrap_or((words, ""));
    let unit = if number == "1" { "credit" } else { "credits" };
    format!("Costs {number} {unit} {rest}")
        .trim_end()
        .to_owned()
}

/// `Show brief` for `show_brief`.
fn title(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// What a tool does to stored data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effects {
    /// Nothing.
    Reads,
    /// It changes what its caller owns.
    Acts,
}

/// A tool as the documentation lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolSummary {
    /// The name of the tool and of its operation.
    pub name: &'static str,
    /// Method and path of the operation over HTTP.
    pub endpoint: String,
    /// The price.
    pub credits: String,
    /// Who may call it.
    pub gate: String,
    /// Whether it only reads.
    pub effects: Effects,
}

/// The tools of a registry as the documentation lists them.
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
    fn prices_name_their_unit() {
        for (words, expected) in [
            ("1 per source queried", "Costs 1 credit per source queried"),
            ("5 + 2 per claim", "Costs 5 credits + 2 per claim"),
            ("9-25 by work done", "Costs 9-25 credits by work done"),
            ("15 standard, 95 deep", "Costs 15 credits standard, 95 deep"),
            ("by the agent's pipeline", "Priced by the agent's pipeline"),
            ("7", "Costs 7 credits"),
        ] {
            assert_eq!(priced(words), expected);
        }
    }

    #[test]
    fn descriptions_end_with_their_price() {
        for tool in Tools::of(&Registry::new()).listed() {
            let description = tool.description.unwrap_or_default();
            let (_, price) = description.trim_end_matches('.').rsplit_once(". ").unwrap();
            let words: Vec<&str> = price.split(' ').collect();
            let is_price = match words[..] {
                ["Free"] | ["Priced", "by", ..] => true,
                ["Costs", number, unit, ..] => (unit == "credit") == (number == "1"),
                _ => false,
            };
            assert!(is_price, "{description}");
        }
    }

    #[test]
    fn titles_are_words() {
        assert_eq!(title("show_brief"), "Show brief");
        assert_eq!(title("ask"), "Ask");
        assert_eq!(title(""), "");
    }
}

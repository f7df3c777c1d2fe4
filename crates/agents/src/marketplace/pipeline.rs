//! A pipeline: what an agent does, step by step, read from TOML and checked as a whole before it is saved.

use std::sync::Arc;

use operations::{Effect, Entry, Gate};
use serde_json::{Map, Value, json};

use super::expression::{Expression, Path, Scope};
use super::inputs::Inputs;
use super::text::{Template, Text};

/// The most steps of a pipeline.
pub(crate) const MOST_STEPS: usize = 30;
/// The most calls of one run.
pub(crate) const MOST_CALLS: u64 = 60;
/// The most entries that a step iterates over.
pub(crate) const MOST_EACH: u64 = 20;

/// What agents are for.
pub(crate) const CATEGORIES: [&str; 7] = [
    "trading",
    "research",
    "intelligence",
    "crypto",
    "monitoring",
    "analysis",
    "economy",
];

/// What an agent is and does.
#[derive(Clone)]
pub(crate) struct Pipeline {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) category: &'static str,
    pub(crate) tags: Vec<String>,
    pub(crate) inputs: Inputs,
    pub(crate) steps: Vec<Step>,
    pub(crate) output: Vec<(String, Argument)>,
    pub(crate) summary: Text,
}

/// One step.
#[derive(Clone)]
pub(crate) struct Step {
    pub(crate) name: String,
    pub(crate) work: Work,
    pub(crate) when: Option<Expression>,
    pub(crate) for_each: Option<Expression>,
    pub(crate) at_most: u64,
    /// Whether the run ends if it fails.
    pub(crate) stops: bool,
    /// The positions of the steps that it reads.
    pub(crate) depends: Vec<usize>,
    /// As its author wrote it, for people who view the agent.
    pub(crate) source: Value,
}

/// What a step does.
#[derive(Clone)]
pub(crate) enum Work {
    Call {
        entry: Arc<Entry>,
        arguments: Vec<(String, Argument)>,
        /// The most that one call costs.
        price: u64,
    },
    Select(Selection),
    Compute(Vec<(String, Expression)>),
    Text(Text),
}

/// A selection from a list.
#[derive(Clone, Debug)]
pub(crate) struct Selection {
    pub(crate) from: Expression,
    pub(crate) filter: Option<Expression>,
    /// A field; the largest value first if it is descending.
    pub(crate) sort: Option<(String, Falling)>,
    pub(crate) unique: Option<String>,
    pub(crate) limit: usize,
    pub(crate) fields: Option<Vec<(String, Argument)>>,
}

/// The direction of a sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Falling {
    No,
    Yes,
}

/// A value that may contain references.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Argument {
    Fixed(Value),
    Template(Template),
    List(Vec<Self>),
    Fields(Vec<(String, Self)>),
}

impl Argument {
    /// Its value; `None` if something is missing.
    pub(crate) fn value(&self, scope: Scope<'_>) -> Option<Value> {
        match self {
            Self::Fixed(value) => Some(value.clone()),
            Self::Template(template) => template.argument(scope),
            Self::List(items) => Some(items.iter().filter_map(|item| item.value(scope)).collect()),
            Self::Fields(fields) => Some(Value::Object(values(fields, scope))),
        }
    }

    /// The value, if there is nothing to look up.
    pub(crate) fn fixed(&self) -> Option<Value> {
        match self {
            Self::Fixed(value) => Some(value.clone()),
            Self::Template(template) => template.plain().map(Value::from),
            Self::List(items) => items
                .iter()
                .map(Self::fixed)
                .collect::<Option<Vec<_>>>()
                .map(Value::from),
            Self::Fields(fields) => {
                let fields = fields
                    .iter()
                    .map(|(name, value)| Some((name.clone(), value.fixed()?)));
                fields.collect::<Option<Map<_, _>>>().map(Value::Object)
            }
        }
    }

    pub(crate) fn visit<'e>(&'e self, visit: &mut impl FnMut(&'e Path)) {
        match self {
            Self::Fixed(_) => {}
            Self::Template(template) => template.visit(visit),
            Self::List(items) => items.iter().for_each(|item| item.visit(visit)),
            Self::Fields(fields) => fields.iter().for_each(|(_, field)| field.visit(visit)),
        }
    }
}

/// Fields with their values; missing ones are left out.
pub(crate) fn values(fields: &[(String, Argument)], scope: Scope<'_>) -> Map<String, Value> {
    fields
        .iter()
        .filter_map(|(name, field)| Some((name.clone(), field.value(scope)?)))
        .collect()
}

impl Step {
    /// Every path that it reads.
    pub(crate) fn visit<'e>(&'e self, visit: &mut impl FnMut(&'e Path)) {
        for one in self.when.iter().chain(&self.for_each) {
            one.visit(visit);
        }
        match &self.work {
            Work::Call { arguments, .. } => arguments.iter().for_each(|(_, one)| one.visit(visit)),
            Work::Select(selection) => {
                selection.from.visit(visit);
                if let Some(filter) = &selection.filter {
                    filter.visit(visit);
                }
                for (_, field) in selection.fields.iter().flatten() {
                    field.visit(visit);
                }
            }
            Work::Compute(fields) => fields.iter().for_each(|(_, one)| one.visit(visit)),
            Work::Text(text) => text.iter().for_each(|line| line.visit(visit)),
        }
    }

    /// The most calls of an operation.
    pub(crate) fn calls(&self) -> u64 {
        match (&self.work, &self.for_each) {
            (Work::Call { .. }, Some(_)) => self.at_most,
            (Work::Call { .. }, None) => 1,
            _ => 0,
        }
    }

    /// The most that one call costs.
    pub(crate) fn price(&self) -> u64 {
        match &self.work {
            Work::Call { price, .. } => *price,
            _ => 0,
        }
    }
}

/// Operations that reach beyond the stored data.
const OPEN_WORLD: [&str; 2] = ["search_web", "extract_pages"];

impl Pipeline {
    /// The most that one run can cost.
    pub(crate) fn credit_cost(&self) -> u64 {
        self.steps
            .iter()
            .map(|step| step.calls() * step.price())
            .sum()
    }

    /// The least that a useful run needs: the steps without which it fails, or otherwise its cheapest one.
    pub(crate) fn least_cost(&self) -> u64 {
        let needed = self
            .steps
            .iter()
            .filter(|step| step.stops && step.when.is_none());
        let needed: u64 = needed.map(Step::price).sum();
        let prices = self.steps.iter().map(Step::price);
        needed.max(prices.filter(|price| *price > 0).min().unwrap_or(0))
    }

    /// Whether only its creator may run it: it changes what its caller owns, or reads that and also reaches outside.
    pub(crate) fn is_personal(&self) -> bool {
        let calls = || {
            self.steps.iter().filter_map(|step| match &step.work {
                Work::Call {
                    entry, arguments, ..
                } => Some((&**entry, arguments)),
                _ => None,
            })
        };
        let names_own = |arguments: &[(String, Argument)]| {
            arguments
                .iter()
                .any(|(name, _)| matches!(&**name, "agent_id" | "use_knowledge"))
        };
        let reaches_out = |entry: &Entry| OPEN_WORLD.contains(&entry.about.name);
        let acts = calls().any(|(entry, arguments)| {
            // A verification issues a receipt, and changes what its caller owns only if it names one of their agents.
            let only_tests = entry.about.name.starts_with("verify_") && !names_own(arguments);
            entry.effect == Effect::Acts && !only_tests
        });
        let reads_own = calls().any(|(entry, arguments)| {
            let is_own =
                !matches!(entry.tariff.gate, Gate::None | Gate::Read) && !reaches_out(entry);
            is_own || names_own(arguments)
        });
        acts || reads_own && calls().any(|(entry, _)| reaches_out(entry))
    }

    /// The steps and what is made from them, as JSON.
    pub(crate) fn shown(&self) -> Value {
        let steps: Vec<&Value> = self.steps.iter().map(|step| &step.source).collect();
        json!({
            "steps": steps,
            "calls_at_most": self.steps.iter().map(Step::calls).sum::<u64>(),
        })
    }
}

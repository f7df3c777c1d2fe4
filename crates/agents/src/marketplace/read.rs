//! Reads a pipeline from TOML and checks all of it: names, references, operations, arguments, bounds.

mod arguments;
mod head;
mod references;
#[cfg(test)]
mod tests;
mod values;

use std::collections::HashMap;
use std::ops::Range;

use operations::{Caller, Error, Result};

use super::expression::Expression;
use super::inputs::{Inputs, is_name};
use super::pipeline::{
    Falling, MOST_CALLS, MOST_EACH, MOST_STEPS, Pipeline, Selection, Step, Work,
};
use super::shape::Kind;
use super::source::{Content, Entry, Faults, Part, parse as parse_source};
pub(crate) use arguments::CALLABLE;
use references::Known;

/// How many entries a step or a line takes if its author names no number.
const EACH: u64 = 10;
/// The most entries that a selection keeps.
const MOST_SELECTED: i64 = 500;
/// Names that refer to something other than a step.
const ROOTS: [&str; 5] = ["inputs", "item", "index", "run", "output"];

const OF_PIPELINE: [&str; 9] = [
    "name",
    "description",
    "category",
    "tags",
    "required",
    "inputs",
    "steps",
    "output",
    "summary",
];
const OF_STEP: [&str; 15] = [
    "name",
    "operation",
    "arguments",
    "when",
    "for_each",
    "at_most",
    "on_failure",
    "select",
    "filter",
    "sort",
    "unique",
    "limit",
    "fields",
    "compute",
    "text",
];

/// Reads a pipeline on behalf of the caller who saves it: steps that this caller may not call are faults. Without a
/// caller only the pipeline itself is checked.
pub(crate) fn read(source: &str, caller: Option<&Caller>) -> Result<Pipeline> {
    let root = parse_source(source)?;
    let Content::Table(entries) = &root.content else {
        return Err(Error::invalid("a pipeline is a TOML document"));
    };
    let mut reader = Reader {
        faults: Faults::new(source),
        known: Known::default(),
        caller,
    };
    let pipeline = reader.pipeline(entries, &root.span);
    reader.faults.finish()?;
    Ok(pipeline)
}

struct Reader<'s, 'c> {
    faults: Faults<'s>,
    known: Known,
    caller: Option<&'c Caller>,
}

/// The lines of a table by their names.
struct Lines<'p>(HashMap<&'p str, &'p Entry>);

impl<'p> Lines<'p> {
    fn part(&self, name: &str) -> Option<&'p Part> {
        self.0.get(name).map(|entry| &entry.part)
    }

    fn key(&self, name: &str) -> Option<&'p Range<usize>> {
        self.0.get(name).map(|entry| &entry.span)
    }
}

impl Reader<'_, '_> {
    /// The lines of a table; unknown names are noted.
    fn lines<'p>(&mut self, entries: &'p [Entry], names: &[&str]) -> Lines<'p> {
        for entry in entries {
            if !names.contains(&&*entry.key) {
                let message = format!(
                    "{:?} means nothing here; known are {}",
                    entry.key,
                    names.join(", ")
                );
                self.faults.at(&entry.span, message);
            }
        }
        Lines(
            entries
                .iter()
                .map(|entry| (entry.key.as_str(), entry))
                .collect(),
        )
    }

    fn pipeline(&mut self, entries: &[Entry], whole: &Range<usize>) -> Pipeline {
        let lines = self.lines(entries, &OF_PIPELINE);
        let name = self.required_text(&lines, "name", whole, 3..=80);
        let description = self.required_text(&lines, "description", whole, 10..=600);
        let category = self.category(&lines, whole);
        let tags = self.tags(lines.part("tags"));
        let inputs = Inputs::read(
            lines.part("inputs"),
            lines.part("required"),
            &mut self.faults,
        );
        self.known.set_inputs(&inputs);
        let steps = self.steps(&lines, whole);
        self.known.end_steps();
        let mut output = Vec::new();
        if let Some(part) = lines.part("output") {
            match &part.content {
                Content::Table(entries) if entries.len() <= 40 => {
                    for entry in entries {
                        if entry.key == "summary" {
                            self.faults.at(
                                &entry.span,
                                "summary of the output is the text of `summary`",
                            );
                        }
                        let argument = self.argument(&entry.part);
                        self.check_argument(&argument, &entry.part.span);
                        output.push((entry.key.clone(), argument));
                    }
                }
                _ => self
                    .faults
                    .at(&part.span, "output must be a table of at most 40 fields"),
            }
        }
        let summary = if let Some(part) = lines.part("summary") {
            self.text(part)
        } else {
            self.faults.at(whole, "a pipeline needs a summary");
            Vec::new()
        };
        Pipeline {
            name,
            description,
            category,
            tags,
            inputs,
            steps,
            output,
            summary,
        }
    }

    fn steps(&mut self, lines: &Lines<'_>, whole: &Range<usize>) -> Vec<Step> {
        let Some(part) = lines.part("steps") else {
            self.faults.at(whole, "a pipeline needs [[steps]]");
            return Vec::new();
        };
        let Content::List(parts) = &part.content else {
            self.faults
                .at(&part.span, "steps must be an array of tables: [[steps]]");
            return Vec::new();
        };
        if !(1..=MOST_STEPS).contains(&parts.len()) {
            let message = format!(
                "a pipeline has from 1 to {MOST_STEPS} steps, not {}",
                parts.len()
            );
            self.faults.at(&part.span, message);
            return Vec::new();
        }
        for part in parts {
            if let Content::Table(entries) = &part.content
                && let Some(Content::Text(name)) = entries
                    .iter()
                    .find(|entry| entry.key == "name")
                    .map(|entry| &entry.part.content)
            {
                self.known.announce(name);
            }
        }
        let mut steps: Vec<Step> = Vec::new();
        let mut calls = 0;
        for part in parts {
            let Some(step) = self.step(part, &steps) else {
                continue;
            };
            calls += step.calls();
            if calls > MOST_CALLS {
                let message = format!(
                    "with this step a run could call {calls} operations; it may call {MOST_CALLS}: lower at_most"
                );
                self.faults.at(&part.span, message);
            }
            steps.push(step);
        }
        if calls == 0 && self.faults.are_none() {
            self.faults.at(&part.span, "no step calls an operation");
        }
        steps
    }

    fn step(&mut self, part: &Part, before: &[Step]) -> Option<Step> {
        let Content::Table(entries) = &part.content else {
            self.faults.at(&part.span, "a step is a table");
            return None;
        };
        let lines = self.lines(entries, &OF_STEP);
        let name = self.step_name(&lines, &part.span, before)?;
        let for_each = self.expression(lines.part("for_each"));
        let item = match (&for_each, lines.part("for_each")) {
            (Some(list), Some(part)) => Some(self.list_items(list, part)),
            _ => None,
        };
        let has_loop = item.is_some();
        let at_most = self.number(lines.part("at_most"), 1..=MOST_EACH as i64, EACH as i64) as u64;
        if let (false, Some(span)) = (has_loop, lines.key("at_most")) {
            self.faults.at(span, "at_most belongs to for_each");
        }
        let when = self.expression(lines.part("when"));
        if let (Some(when), Some(part)) = (&when, lines.part("when")) {
            self.check(when, &part.span);
        }
        let stops = match lines.part("on_failure") {
            None => false,
            Some(part) => match &part.content {
                Content::Text(word) if word == "stop" => true,
                Content::Text(word) if word == "go_on" => false,
                _ => {
                    self.faults
                        .at(&part.span, "on_failure must be \"go_on\" or \"stop\"");
                    false
                }
            },
        };
        self.known.set_item(item);
        let work = self.work(&lines, &part.span, has_loop);
        self.known.set_item(None);
        let Some(work) = work else {
            // One fault is enough: a step that reads this one is not itself at fault.
            self.known.add(&name, Kind::Any);
            return None;
        };
        let kind = self.kind(&work, for_each.as_ref());
        let mut step = Step {
            name,
            work,
            when,
            for_each,
            at_most,
            stops,
            depends: Vec::new(),
            source: part.json(),
        };
        let mut depends = Vec::new();
        step.visit(&mut |path| {
            let place = before.iter().position(|one| one.name == path.root);
            depends.extend(place.filter(|place| !depends.contains(place)));
        });
        step.depends = depends;
        self.known.add(&step.name, kind);
        Some(step)
    }

    fn step_name(
        &mut self,
        lines: &Lines<'_>,
        whole: &Range<usize>,
        before: &[Step],
    ) -> Option<String> {
        let Some(part) = lines.part("name") else {
            self.faults.at(whole, "a step needs a name");
            return None;
        };
        let fault = match &part.content {
            Content::Text(name) if !is_name(name) => {
                "a step's name has small letters, digits and _"
            }
            Content::Text(name) if ROOTS.contains(&&**name) => {
                "this name stands for something else"
            }
            Content::Text(name) if before.iter().any(|step| step.name == *name) => {
                "another step has this name"
            }
            Content::Text(name) => return Some(name.clone()),
            _ => "a step's name is a string",
        };
        self.faults.at(&part.span, fault);
        None
    }

    fn work(&mut self, lines: &Lines<'_>, whole: &Range<usize>, has_loop: bool) -> Option<Work> {
        let kinds = ["operation", "select", "compute", "text"];
        let given: Vec<&str> = kinds
            .into_iter()
            .filter(|kind| lines.part(kind).is_some())
            .collect();
        let [kind] = *given else {
            let message = format!("a step has one of {}", kinds.join(", "));
            self.faults.at(whole, message);
            return None;
        };
        for (name, owner) in [
            ("arguments", "operation"),
            ("filter", "select"),
            ("sort", "select"),
            ("unique", "select"),
            ("limit", "select"),
            ("fields", "select"),
        ] {
            if owner != kind
                && let Some(span) = lines.key(name)
            {
                self.faults.at(span, format!("{name} belongs to {owner}"));
            }
        }
        if has_loop && !matches!(kind, "operation" | "text") {
            self.faults
                .at(whole, "for_each goes with operation or text");
        }
        match kind {
            "operation" => self.call(lines.part("operation")?, lines.part("arguments")),
            "select" => self.selection(lines).map(Work::Select),
            "text" => Some(Work::Text(self.text(lines.part("text")?))),
            _ => {
                let part = lines.part("compute")?;
                let Content::Table(entries) = &part.content else {
                    self.faults
                        .at(&part.span, "compute must be a table of expressions");
                    return None;
                };
                let mut fields = Vec::new();
                for entry in entries {
                    if let Some(expression) = self.expression(Some(&entry.part)) {
                        self.check(&expression, &entry.part.span);
                        fields.push((entry.key.clone(), expression));
                    }
                }
                Some(Work::Compute(fields))
            }
        }
    }

    fn selection(&mut self, lines: &Lines<'_>) -> Option<Selection> {
        let part = lines.part("select")?;
        let from = self.expression(Some(part))?;
        let items = self.list_items(&from, part);
        self.known.set_item(Some(items.clone()));
        let filter = self.expression(lines.part("filter"));
        if let (Some(filter), Some(part)) = (&filter, lines.part("filter")) {
            self.check(filter, &part.span);
        }
        let sort =
            self.field_name(lines.part("sort"), &items)
                .map(|name| match name.strip_prefix('-') {
                    Some(name) => (name.to_owned(), Falling::Yes),
                    None => (name, Falling::No),
                });
        let unique = self.field_name(lines.part("unique"), &items);
        let limit = self.number(lines.part("limit"), 1..=MOST_SELECTED, MOST_SELECTED);
        let fields = lines.part("fields").and_then(|part| {
            let Content::Table(entries) = &part.content else {
                self.faults.at(&part.span, "fields must be a table");
                return None;
            };
            let mut fields = Vec::new();
            for entry in entries {
                let argument = self.argument(&entry.part);
                self.check_argument(&argument, &entry.part.span);
                fields.push((entry.key.clone(), argument));
            }
            Some(fields)
        });
        Some(Selection {
            from,
            filter,
            sort,
            unique,
            limit: limit as usize,
            fields,
        })
    }

    /// The kind of value that a step gives.
    fn kind(&self, work: &Work, for_each: Option<&Expression>) -> Kind {
        match work {
            Work::Call { entry, .. } => {
                let answer = super::shape::Described::of(entry).output();
                match for_each {
                    Some(list) => {
                        let item = self.known.kind(list).items().unwrap_or(Kind::Any);
                        let fields = vec![("item".to_owned(), item), ("result".to_owned(), answer)];
                        Kind::List(Box::new(Kind::Fields(fields)))
                    }
                    None => answer,
                }
            }
            Work::Select(selection) => {
                let items = self
                    .known
                    .kind(&selection.from)
                    .items()
                    .unwrap_or(Kind::Any);
                Kind::List(Box::new(match &selection.fields {
                    Some(fields) => Kind::Fields(
                        fields
                            .iter()
                            .map(|(name, field)| {
                                (name.clone(), self.known.kind_of_argument(field, &items))
                            })
                            .collect(),
                    ),
                    None => items,
                }))
            }
            Work::Compute(fields) => Kind::Fields(
                fields
                    .iter()
                    .map(|(name, expression)| (name.clone(), self.known.kind(expression)))
                    .collect(),
            ),
            Work::Text(_) if for_each.is_some() => Kind::List(Box::new(Kind::Simple)),
            Work::Text(_) => Kind::Simple,
        }
    }
}

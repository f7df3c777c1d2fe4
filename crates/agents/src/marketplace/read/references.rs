//! References: checks that the first name of a path exists by then, and that its fields are possible.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::Range;

use serde_json::Value;

use super::super::expression::{Expression, Function, Path, Segment};
use super::super::inputs::Inputs;
use super::super::pipeline::Argument;
use super::super::shape::Kind;
use super::super::source::Part;
use super::super::text::Template;
use super::Reader;

/// What names refer to so far.
#[derive(Debug, Default)]
pub(super) struct Known {
    inputs: Vec<(String, Kind)>,
    steps: HashMap<String, Kind>,
    /// Every step of the pipeline.
    announced: Vec<String>,
    item: Option<Kind>,
}

impl Known {
    pub(super) fn set_inputs(&mut self, inputs: &Inputs) {
        let kinds = inputs.properties.iter().map(|(name, schema)| {
            let kind = match schema.get("type").and_then(Value::as_str) {
                Some("array") => Kind::List(Box::new(Kind::Simple)),
                _ => Kind::Simple,
            };
            (name.clone(), kind)
        });
        self.inputs = kinds.collect();
    }

    pub(super) fn announce(&mut self, step: &str) {
        self.announced.push(step.to_owned());
    }

    pub(super) fn end_steps(&mut self) {
        self.item = None;
    }

    pub(super) fn add(&mut self, step: &str, kind: Kind) {
        self.steps.insert(step.to_owned(), kind);
    }

    pub(super) fn item(&self) -> Option<Kind> {
        self.item.clone()
    }

    pub(super) fn set_item(&mut self, item: Option<Kind>) {
        self.item = item;
    }

    /// What a path leads to; the error says what is wrong with it.
    fn follow(&self, path: &Path) -> Result<Kind, String> {
        let root = &*path.root;
        let start = match root {
            "inputs" => Kind::Fields(self.inputs.clone()),
            "run" => Kind::Fields(
                ["id", "date", "week_ago", "month_ago", "agent"]
                    .map(|name| (name.to_owned(), Kind::Simple))
                    .to_vec(),
            ),
            "item" | "index" => match &self.item {
                Some(_) if root == "index" => Kind::Simple,
                Some(kind) => kind.clone(),
                None => {
                    return Err(format!(
                        "`{root}` has a meaning only where a list is gone through"
                    ));
                }
            },
            step => match self.steps.get(step) {
                Some(kind) => kind.clone(),
                None if self.announced.iter().any(|name| name == step) => {
                    return Err(format!(
                        "step `{step}` comes later or is this one; a step reads those before it"
                    ));
                }
                None => {
                    return Err(format!(
                        "there is no step `{step}`; a name is inputs.…, item, index, run.date or a step"
                    ));
                }
            },
        };
        path.segments
            .iter()
            .try_fold(start, |kind, segment| kind.step(segment))
            .map_err(|fault| format!("{}: {fault}", shown(path)))
    }

    /// The kind of value that an expression gives.
    pub(super) fn kind(&self, expression: &Expression) -> Kind {
        let first =
            |arguments: &[Expression]| arguments.first().map_or(Kind::Any, |one| self.kind(one));
        match expression {
            Expression::Path(path) => self.follow(path).unwrap_or(Kind::Any),
            Expression::Call(Function::First | Function::Last | Function::Find, arguments) => {
                first(arguments).items().unwrap_or(Kind::Any)
            }
            Expression::Call(Function::Overlap | Function::Unique, arguments) => first(arguments),
            Expression::Part(whole, segments) => segments
                .iter()
                .try_fold(self.kind(whole), |kind, segment| kind.step(segment))
                .unwrap_or(Kind::Any),
            Expression::Call(Function::Groups, arguments) => {
                let items = first(arguments).items().unwrap_or(Kind::Any);
                let fields = [
                    ("key", Kind::Simple),
                    ("count", Kind::Simple),
                    ("items", Kind::List(Box::new(items))),
                ];
                let fields = fields.map(|(name, kind)| (name.to_owned(), kind)).to_vec();
                Kind::List(Box::new(Kind::Fields(fields)))
            }
            Expression::Call(Function::Or | Function::If, _) => Kind::Any,
            Expression::Call(Function::Values, arguments) => {
                let name = match arguments.get(1) {
                    Some(Expression::Literal(Value::String(name))) => name.as_str(),
                    _ => return Kind::List(Box::new(Kind::Any)),
                };
                let item = first(arguments).items().and_then(|item| item.field(name));
                Kind::List(Box::new(item.unwrap_or(Kind::Any)))
            }
            _ => Kind::Simple,
        }
    }

    /// The kind of a field computed from the entries of a list.
    pub(super) fn kind_of_argument(&self, argument: &Argument, items: &Kind) -> Kind {
        let Argument::Template(template) = argument else {
            return Kind::Any;
        };
        match template.sole() {
            Some(Expression::Path(path)) if path.root == "item" => path
                .segments
                .iter()
                .try_fold(items.clone(), |kind, segment| kind.step(segment))
                .unwrap_or(Kind::Any),
            Some(expression) => self.kind(expression),
            None => Kind::Simple,
        }
    }
}

fn shown(path: &Path) -> String {
    let mut text = path.root.clone();
    for segment in &path.segments {
        match segment {
            Segment::Field(name) => {
                text.push('.');
                text.push_str(name);
            }
            Segment::Index(place) => {
                let _ = write!(text, "[{place}]");
            }
        }
    }
    text
}

impl Reader<'_, '_> {
    /// Checks every path of an expression, and the fields that its functions name.
    pub(super) fn check(&mut self, expression: &Expression, span: &Range<usize>) {
        match expression {
            Expression::Literal(_) => {}
            Expression::Path(path) => {
                if let Err(fault) = self.known.follow(path) {
                    self.faults.within(span, &shown(path), fault);
                }
            }
            Expression::Not(inner) | Expression::Negative(inner) => self.check(inner, span),
            Expression::Part(whole, segments) => {
                self.check(whole, span);
                let mut kind = self.known.kind(whole);
                for segment in segments {
                    match kind.step(segment) {
                        Ok(part) => kind = part,
                        Err(fault) => return self.faults.at(span, fault),
                    }
                }
            }
            Expression::Binary(_, left, right) => {
                self.check(left, span);
                self.check(right, span);
            }
            Expression::Call(function, arguments) => {
                for argument in arguments {
                    self.check(argument, span);
                }
                let takes_field = matches!(
                    function,
                    Function::Sum
                        | Function::Mean
                        | Function::Median
                        | Function::Min
                        | Function::Max
                        | Function::Find
                        | Function::Values
                        | Function::Groups
                        | Function::Drawdown
                        | Function::Volatility
                );
                if takes_field
                    && let [list, Expression::Literal(Value::String(name)), ..] =
                        arguments.as_slice()
                {
                    let field = self
                        .known
                        .kind(list)
                        .items()
                        .and_then(|items| items.field(name));
                    if let Err(fault) = field {
                        self.faults.within(span, name, fault);
                    }
                }
            }
        }
    }

    pub(super) fn check_template(&mut self, template: &Template, span: &Range<usize>) {
        for expression in template.expressions() {
            self.check(expression, span);
        }
    }

    pub(super) fn check_argument(&mut self, argument: &Argument, span: &Range<usize>) {
        match argument {
            Argument::Fixed(_) => {}
            Argument::Template(template) => self.check_template(template, span),
            Argument::List(items) => {
                for item in items {
                    self.check_argument(item, span);
                }
            }
            Argument::Fields(fields) => {
                for (_, field) in fields {
                    self.check_argument(field, span);
                }
            }
        }
    }

    /// The kind of the entries of a list, if it can be one.
    pub(super) fn list_items(&mut self, list: &Expression, part: &Part) -> Kind {
        self.check(list, &part.span);
        self.known.kind(list).items().unwrap_or_else(|_| {
            self.faults.at(&part.span, "a list is expected here");
            Kind::Any
        })
    }
}

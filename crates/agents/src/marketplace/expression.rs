//! The expressions of pipelines: `inputs.ticker`, `change_pct > 3 and exists(price)`, `ten - two`.
//!
//! They are parsed once, when a pipeline is checked, and compute from values alone: they call nothing, change nothing
//! and are limited in length and depth. A value that does not exist is missing, and anything computed from it is
//! missing too.

mod functions;
mod parse;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use model::Day;
use serde_json::Value;

pub(crate) use functions::Function;
pub(crate) use parse::{parse, split_formats};

/// A value that may be borrowed.
pub(crate) type Found<'a> = Option<Cow<'a, Value>>;

/// What to compute.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expression {
    Literal(Value),
    Path(Path),
    Not(Box<Self>),
    Negative(Box<Self>),
    Binary(Operator, Box<Self>, Box<Self>),
    Call(Function, Vec<Self>),
    /// Part of a computed value.
    Part(Box<Self>, Vec<Segment>),
}

/// A value by name: `prices.candles[-1].close`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Path {
    pub(crate) root: String,
    pub(crate) segments: Vec<Segment>,
}

/// A part of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Segment {
    Field(String),
    /// Counted from the end if negative.
    Index(i64),
}

/// An operator between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Or,
    And,
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Contains,
    Plus,
    Minus,
    Times,
    Divided,
}

/// Who wrote a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// An outside source: nothing in it may format.
    Source,
    /// A step of the pipeline, from values that were quoted at that point.
    Pipeline,
}

/// What names refer to.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    pub(crate) inputs: &'a Value,
    pub(crate) results: &'a HashMap<String, Arc<Value>>,
    pub(crate) run: &'a Value,
    /// The current entry of the list, and its position from 0.
    pub(crate) item: Option<(&'a Value, usize)>,
    /// Who wrote that entry.
    pub(crate) item_origin: Origin,
    /// The steps that write texts.
    pub(crate) texts: &'a HashSet<String>,
    /// The day of the data.
    pub(crate) today: Day,
}

impl<'a> Scope<'a> {
    pub(crate) fn with_item(self, item: &'a Value, place: usize, item_origin: Origin) -> Self {
        Self {
            item: Some((item, place)),
            item_origin,
            ..self
        }
    }

    /// Who wrote the value of an expression.
    pub(crate) fn origin(self, expression: &Expression) -> Origin {
        match expression {
            Expression::Path(path) if path.root == "item" => self.item_origin,
            Expression::Path(path) if self.texts.contains(&path.root) => Origin::Pipeline,
            Expression::Call(_, arguments) if !arguments.is_empty() => {
                let mut origins = arguments
                    .iter()
                    .filter(|one| !matches!(one, Expression::Literal(_)));
                if origins.all(|one| self.origin(one) == Origin::Pipeline) {
                    Origin::Pipeline
                } else {
                    Origin::Source
                }
            }
            _ => Origin::Source,
        }
    }

    fn root(self, name: &str) -> Found<'a> {
        match name {
            "inputs" => Some(Cow::Borrowed(self.inputs)),
            "run" => Some(Cow::Borrowed(self.run)),
            "item" => self.item.map(|(item, _)| Cow::Borrowed(item)),
            "index" => self.item.map(|(_, place)| Cow::Owned(place.into())),
            step => self
                .results
                .get(step)
                .map(|value| Cow::Borrowed(value.as_ref())),
        }
    }
}

impl Path {
    fn find<'a>(&self, scope: Scope<'a>) -> Found<'a> {
        let root = scope.root(&self.root)?;
        match root {
            Cow::Borrowed(value) => walk(value, &self.segments).map(Cow::Borrowed),
            Cow::Owned(value) => walk(&value, &self.segments).cloned().map(Cow::Owned),
        }
    }
}

fn walk<'v>(value: &'v Value, segments: &[Segment]) -> Option<&'v Value> {
    let found = segments
        .iter()
        .try_fold(value, |value, segment| match segment {
            Segment::Field(name) => value.get(name),
            Segment::Index(place) => {
                let list = value.as_array()?;
                let place = if *place < 0 {
                    list.len().checked_sub(place.unsigned_abs() as usize)?
                } else {
                    usize::try_from(*place).ok()?
                };
                list.get(place)
            }
        })?;
    (!found.is_null()).then_some(found)
}

/// A field of a value by a dotted name, as functions and `sort` take it.
pub(crate) fn field<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    let found = name
        .split('.')
        .filter(|part| !part.is_empty())
        .try_fold(value, |value, part| value.get(part))?;
    (!found.is_null()).then_some(found)
}

impl Expression {
    /// Its value; `None` if something is missing.
    pub(crate) fn value<'a>(&self, scope: Scope<'a>) -> Found<'a> {
        match self {
            Self::Literal(Value::Null) => None,
            Self::Literal(value) => Some(Cow::Owned(value.clone())),
            Self::Path(path) => path.find(scope),
            Self::Not(inner) => Some(Cow::Owned((!inner.holds(scope)).into())),
            Self::Negative(inner) => number(-inner.value(scope)?.as_f64()?),
            Self::Binary(operator, left, right) => operator.apply(left, right, scope),
            Self::Call(function, arguments) => function.apply(arguments, scope),
            Self::Part(whole, segments) => {
                let whole = whole.value(scope)?;
                walk(&whole, segments).cloned().map(Cow::Owned)
            }
        }
    }

    /// Whether the value exists and is neither false, nor 0, nor empty.
    pub(crate) fn holds(&self, scope: Scope<'_>) -> bool {
        match self.value(scope).as_deref() {
            None | Some(Value::Null | Value::Bool(false)) => false,
            Some(Value::Bool(true)) => true,
            Some(Value::Number(number)) => number.as_f64().is_some_and(|number| number != 0.0),
            Some(Value::String(text)) => !text.is_empty(),
            Some(Value::Array(items)) => !items.is_empty(),
            Some(Value::Object(fields)) => !fields.is_empty(),
        }
    }

    /// Every path in it.
    pub(crate) fn visit<'e>(&'e self, visit: &mut impl FnMut(&'e Path)) {
        match self {
            Self::Literal(_) => {}
            Self::Path(path) => visit(path),
            Self::Not(inner) | Self::Negative(inner) | Self::Part(inner, _) => inner.visit(visit),
            Self::Binary(_, left, right) => {
                left.visit(visit);
                right.visit(visit);
            }
            Self::Call(_, arguments) => {
                for argument in arguments {
                    argument.visit(visit);
                }
            }
        }
    }
}

/// A finite number; whole numbers have no decimals.
pub(crate) fn number<'a>(value: f64) -> Found<'a> {
    if !value.is_finite() {
        return None;
    }
    if value.fract() == 0.0 && value.abs() < 9e15 {
        return Some(Cow::Owned((value as i64).into()));
    }
    Some(Cow::Owned(value.into()))
}

impl Operator {
    fn apply<'a>(self, left: &Expression, right: &Expression, scope: Scope<'a>) -> Found<'a> {
        let truth = |truth: bool| Some(Cow::Owned(truth.into()));
        match self {
            Self::Or => return truth(left.holds(scope) || right.holds(scope)),
            Self::And => return truth(left.holds(scope) && right.holds(scope)),
            _ => {}
        }
        let (left, right) = (left.value(scope), right.value(scope));
        match self {
            Self::Equal => return truth(are_equal(left.as_deref(), right.as_deref())),
            Self::Unequal => return truth(!are_equal(left.as_deref(), right.as_deref())),
            _ => {}
        }
        let (Some(left), Some(right)) = (left, right) else {
            // A comparison with a missing value does not hold; a sum with one is missing.
            return match self {
                Self::Plus | Self::Minus | Self::Times | Self::Divided => None,
                _ => truth(false),
            };
        };
        let numbers = || Some((left.as_f64()?, right.as_f64()?));
        match self {
            Self::Contains => truth(contains(&left, &right)),
            Self::Plus => numbers().and_then(|(a, b)| number(a + b)),
            Self::Minus => numbers().and_then(|(a, b)| number(a - b)),
            Self::Times => numbers().and_then(|(a, b)| number(a * b)),
            Self::Divided => numbers().and_then(|(a, b)| number(a / b)),
            _ => truth(compare(&left, &right).is_some_and(|order| match self {
                Self::Less => order.is_lt(),
                Self::LessOrEqual => order.is_le(),
                Self::Greater => order.is_gt(),
                _ => order.is_ge(),
            })),
        }
    }
}

fn are_equal(left: Option<&Value>, right: Option<&Value>) -> bool {
    match (left, right) {
        (None, None) => true,
        (Some(left), Some(right)) => match (left.as_f64(), right.as_f64()) {
            (Some(left), Some(right)) => left == right,
            _ => left == right,
        },
        _ => false,
    }
}

/// The order of two numbers or two texts.
pub(crate) fn compare(left: &Value, right: &Value) -> Option<std::cmp::Ordering> {
    match (left, right) {
        (Value::String(left), Value::String(right)) => Some(left.cmp(right)),
        _ => left.as_f64()?.partial_cmp(&right.as_f64()?),
    }
}

fn contains(whole: &Value, part: &Value) -> bool {
    match (whole, part) {
        (Value::String(whole), Value::String(part)) => {
            whole.to_lowercase().contains(&part.to_lowercase())
        }
        (Value::Array(items), part) => items.iter().any(|item| are_equal(Some(item), Some(part))),
        (Value::Object(fields), Value::String(name)) => fields.contains_key(name),
        _ => false,
    }
}

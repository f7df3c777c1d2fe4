//! The functions of expressions: sums over lists, choices, and the few measures that the trade needs.

use std::borrow::Cow;

use model::Day;
use serde_json::Value;

use super::{Expression, Found, Scope, are_equal, field, number};

/// A function by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    Exists,
    Or,
    If,
    Count,
    Sum,
    Mean,
    Median,
    Min,
    Max,
    First,
    Last,
    Find,
    Values,
    Overlap,
    Unique,
    Groups,
    Abs,
    Round,
    Change,
    DaysSince,
    DaysUntil,
    Drawdown,
    Volatility,
    Lower,
    Upper,
}

/// The name, the fewest and the most arguments, and the result.
type Line = (Function, &'static str, usize, usize);

const TABLE: [Line; 25] = [
    (Function::Exists, "exists", 1, 1),
    (Function::Or, "coalesce", 2, 6),
    (Function::If, "if", 3, 3),
    (Function::Count, "count", 1, 1),
    (Function::Sum, "sum", 1, 2),
    (Function::Mean, "mean", 1, 2),
    (Function::Median, "median", 1, 2),
    (Function::Min, "min", 1, 2),
    (Function::Max, "max", 1, 2),
    (Function::First, "first", 1, 1),
    (Function::Last, "last", 1, 1),
    (Function::Find, "find", 3, 3),
    (Function::Values, "values", 2, 2),
    (Function::Overlap, "overlap", 2, 2),
    (Function::Unique, "unique", 1, 1),
    (Function::Groups, "groups", 2, 2),
    (Function::Abs, "abs", 1, 1),
    (Function::Round, "round", 2, 2),
    (Function::Change, "change", 2, 2),
    (Function::DaysSince, "days_since", 1, 1),
    (Function::DaysUntil, "days_until", 1, 1),
    (Function::Drawdown, "drawdown", 2, 2),
    (Function::Volatility, "volatility", 3, 3),
    (Function::Lower, "lower", 1, 1),
    (Function::Upper, "upper", 1, 1),
];

impl Function {
    pub(super) fn parse(name: &str) -> Option<Self> {
        let line = TABLE.iter().find(|line| line.1 == name);
        line.map(|line| line.0)
    }

    pub(super) fn names() -> String {
        let names: Vec<&str> = TABLE.iter().map(|line| line.1).collect();
        names.join(", ")
    }

    /// Whether it gets as many arguments as it takes.
    pub(super) fn check(self, arguments: &[Expression]) -> Result<(), String> {
        let Some((_, name, least, most)) = TABLE.iter().find(|line| line.0 == self) else {
            return Ok(());
        };
        if (*least..=*most).contains(&arguments.len()) {
            return Ok(());
        }
        let range = if least == most {
            least.to_string()
        } else {
            format!("{least} to {most}")
        };
        Err(format!(
            "`{name}` takes {range} arguments, not {}",
            arguments.len()
        ))
    }

    pub(super) fn apply<'a>(self, arguments: &[Expression], scope: Scope<'a>) -> Found<'a> {
        let value = |place: usize| arguments.get(place)?.value(scope);
        let real = |place: usize| value(place)?.as_f64();
        match self {
            Self::Exists => Some(Cow::Owned(value(0).is_some().into())),
            Self::Or => arguments.iter().find_map(|argument| argument.value(scope)),
            Self::If => value(if arguments.first()?.holds(scope) {
                1
            } else {
                2
            }),
            Self::Count => {
                let value = value(0)?;
                let count = match &*value {
                    Value::Array(items) => items.len(),
                    Value::Object(fields) => fields.len(),
                    Value::String(text) => text.chars().count(),
                    _ => return None,
                };
                Some(Cow::Owned(count.into()))
            }
            Self::Sum | Self::Mean | Self::Median | Self::Min | Self::Max => {
                if let (2, Some(left), Some(right)) = (arguments.len(), real(0), real(1)) {
                    return number(match self {
                        Self::Min => left.min(right),
                        Self::Max => left.max(right),
                        Self::Sum => left + right,
                        _ => f64::midpoint(left, right),
                    });
                }
                number(self.measure(numbers(&*value(0)?, value(1).as_deref())?)?)
            }
            Self::First => item(value(0)?, |items| items.first().cloned()),
            Self::Last => item(value(0)?, |items| items.last().cloned()),
            Self::Find => {
                let (name, wanted) = (value(1)?, value(2)?);
                let name = name.as_str()?;
                item(value(0)?, |items| {
                    let mut items = items.iter();
                    items
                        .find(|item| are_equal(field(item, name), Some(&wanted)))
                        .cloned()
                })
            }
            Self::Values => {
                let name = value(1)?;
                let name = name.as_str()?;
                item(value(0)?, |items| {
                    let values = items.iter().filter_map(|item| field(item, name).cloned());
                    Some(Value::Array(values.collect()))
                })
            }
            Self::Overlap => {
                let other = value(1)?;
                let other = other.as_array()?;
                item(value(0)?, |items| {
                    let both = items.iter().filter(|item| other.contains(item)).cloned();
                    Some(Value::Array(both.collect()))
                })
            }
            Self::Unique => item(value(0)?, |items| {
                let mut unique: Vec<Value> = Vec::new();
                for item in items {
                    if !unique.contains(item) {
                        unique.push(item.clone());
                    }
                }
                Some(Value::Array(unique))
            }),
            Self::Groups => {
                let name = value(1)?;
                let name = name.as_str()?;
                item(value(0)?, |items| Some(groups(items, name)))
            }
            Self::Abs => number(real(0)?.abs()),
            Self::Round => {
                let places = real(1)?.clamp(0.0, 9.0) as i32;
                let scale = 10_f64.powi(places);
                number((real(0)? * scale).round() / scale)
            }
            Self::Change => {
                let (from, to) = (real(0)?, real(1)?);
                number((to / from - 1.0) * 100.0)
            }
            Self::DaysSince => number(f64::from(scope.today.since(day(&*value(0)?)?))),
            Self::DaysUntil => number(f64::from(day(&*value(0)?)?.since(scope.today))),
            Self::Drawdown => number(drawdown(&numbers(&*value(0)?, value(1).as_deref())?)?),
            Self::Volatility => {
                let closes = numbers(&*value(0)?, value(1).as_deref())?;
                number(volatility(&closes, real(2)?)?)
            }
            Self::Lower => Some(Cow::Owned(value(0)?.as_str()?.to_lowercase().into())),
            Self::Upper => Some(Cow::Owned(value(0)?.as_str()?.to_uppercase().into())),
        }
    }

    fn measure(self, mut numbers: Vec<f64>) -> Option<f64> {
        let count = numbers.len();
        if self == Self::Sum {
            return Some(numbers.iter().sum());
        }
        if count == 0 {
            return None;
        }
        match self {
            Self::Mean => Some(numbers.iter().sum::<f64>() / count as f64),
            Self::Min => numbers.into_iter().reduce(f64::min),
            Self::Max => numbers.into_iter().reduce(f64::max),
            _ => {
                numbers.sort_by(f64::total_cmp);
                let middle = count / 2;
                Some(if count.is_multiple_of(2) {
                    f64::midpoint(numbers[middle - 1], numbers[middle])
                } else {
                    numbers[middle]
                })
            }
        }
    }
}

/// What is taken from a list.
fn item<'a>(list: Cow<'_, Value>, take: impl FnOnce(&[Value]) -> Option<Value>) -> Found<'a> {
    let taken = take(list.as_array()?)?;
    (!taken.is_null()).then_some(Cow::Owned(taken))
}

/// The entries of a list grouped by one of their fields, the largest groups first.
fn groups(items: &[Value], name: &str) -> Value {
    let mut groups: Vec<(&Value, Vec<Value>)> = Vec::new();
    for item in items {
        let Some(key) = field(item, name) else {
            continue;
        };
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, of)) => of.push(item.clone()),
            None => groups.push((key, vec![item.clone()])),
        }
    }
    groups.sort_by_key(|(_, of)| std::cmp::Reverse(of.len()));
    let groups = groups
        .into_iter()
        .map(|(key, of)| serde_json::json!({"key": key, "count": of.len(), "items": of}));
    groups.collect()
}

/// The numbers of a list, or of a field of its entries. Entries without it do not count.
fn numbers(list: &Value, name: Option<&Value>) -> Option<Vec<f64>> {
    let items = list.as_array()?.iter();
    Some(match name.and_then(Value::as_str) {
        Some(name) => items
            .filter_map(|item| field(item, name)?.as_f64())
            .collect(),
        None => items.filter_map(Value::as_f64).collect(),
    })
}

fn day(value: &Value) -> Option<Day> {
    Day::parse(value.as_str()?.get(..10)?)
}

/// The largest fall from an earlier high, in percent; 0 or less.
fn drawdown(values: &[f64]) -> Option<f64> {
    let mut high = *values.first()?;
    let mut deepest = 0.0_f64;
    for value in values {
        high = high.max(*value);
        deepest = deepest.min((value / high - 1.0) * 100.0);
    }
    Some(deepest)
}

/// The standard deviation of daily log returns for so many days a year, in percent.
fn volatility(values: &[f64], days: f64) -> Option<f64> {
    let returns: Vec<f64> = values
        .windows(2)
        .map(|pair| (pair[1] / pair[0]).ln())
        .filter(|one| one.is_finite())
        .collect();
    if returns.len() < 10 {
        return None;
    }
    let mean = returns.iter().sum::<f64>() / returns.len() as f64;
    let squares: f64 = returns.iter().map(|one| (one - mean).powi(2)).sum();
    Some((squares / (returns.len() - 1) as f64).sqrt() * days.sqrt() * 100.0)
}

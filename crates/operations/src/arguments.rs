//! The arguments of an operation: read, checked and described by the same lines.
//!
//! Whoever reads arguments says of each its name, its bounds and its meaning. The same calls answer for a query, for a
//! JSON object, and for nobody, in which case what they ask for is noted and becomes the document. Bounds are therefore
//! stated once. Unknown arguments are ignored; a known one with a wrong type, range or spelling is a fault that names it.

mod values;

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::checked::{Faults, NO_NUL};
use crate::error::Result;
use crate::field::Field;

/// What is said of a period that ends before it begins.
pub(crate) const OUT_OF_ORDER: &str = "from must not be after to";

/// The arguments of one call.
pub struct Arguments<'a> {
    source: Source<'a>,
    faults: Faults,
}

enum Source<'a> {
    /// The variables of a path and the parameters of a query.
    Request {
        path: Vec<(Cow<'a, str>, Cow<'a, str>)>,
        query: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    },
    /// The fields of a JSON object.
    Object(&'a Map<String, Value>),
    /// None: what would be read is noted.
    Description(Vec<Field>),
}

impl<'a> Arguments<'a> {
    /// The parameters of a raw query.
    pub fn of_query(query: &'a str) -> Self {
        Self::of_request(std::iter::empty(), query)
    }

    /// The variables of a path, decoded, and a raw query.
    pub fn of_request(path: impl Iterator<Item = (&'a str, &'a str)>, query: &'a str) -> Self {
        let (query, mut faults) = match serde_urlencoded::from_str(query) {
            Ok(pairs) => (pairs, Faults::default()),
            Err(_) => (
                Vec::new(),
                Faults::of("the query is not valid: use name=value&name=value in UTF-8"),
            ),
        };
        let path: Vec<(Cow<'a, str>, Cow<'a, str>)> = path
            .map(|(name, value)| (Cow::Borrowed(name), Cow::Borrowed(value)))
            .collect();
        for (name, value) in path.iter().chain(&query) {
            if name.contains('\0') {
                faults.note(format!("the name of a parameter {NO_NUL}"));
            } else if value.contains('\0') {
                faults.note(format!("{name} {NO_NUL}"));
            }
        }
        Self {
            source: Source::Request { path, query },
            faults,
        }
    }

    /// The fields of an object.
    pub fn of_object(object: &'a Map<String, Value>) -> Self {
        let mut faults = Faults::default();
        for (name, value) in object {
            if name.contains('\0') {
                faults.note(format!("the name of a field {NO_NUL}"));
            } else if has_nul(value) {
                faults.note(format!("{name} {NO_NUL}"));
            }
        }
        Self {
            source: Source::Object(object),
            faults,
        }
    }

    /// What `read` asks for.
    pub fn describe<T>(read: impl FnOnce(&mut Arguments<'_>) -> T) -> Vec<Field> {
        let mut arguments = Arguments {
            source: Source::Description(Vec::new()),
            faults: Faults::default(),
        };
        read(&mut arguments);
        match arguments.source {
            Source::Description(fields) => fields,
            Source::Request { .. } | Source::Object(_) => Vec::new(),
        }
    }

    /// Fails if anything was wrong.
    pub fn finish(self) -> Result<()> {
        self.faults.finish()
    }

    /// Notes a fault that the other methods cannot see, such as of two arguments that do not fit together.
    pub fn fault(&mut self, message: impl Into<String>) {
        if !matches!(self.source, Source::Description(_)) {
            self.faults.note(message);
        }
    }

    /// Refuses `from` and `to` in the wrong order, with the same words wherever the two are taken.
    pub fn in_order<T: PartialOrd>(&mut self, from: Option<T>, to: Option<T>) {
        if from.zip(to).is_some_and(|(from, to)| from > to) {
            self.fault(OUT_OF_ORDER);
        }
    }

    /// Whether an argument was given; for rules about several of them.
    pub fn is_given(&mut self, name: &'static str) -> bool {
        self.value(name).is_some()
    }

    /// Notes the argument where nothing is read; says whether that is so.
    fn note(&mut self, field: impl FnOnce() -> Field) -> bool {
        let Source::Description(fields) = &mut self.source else {
            return false;
        };
        fields.push(field());
        true
    }

    /// The argument without surrounding blanks; `None` where it is absent. An empty one is there, and wrong for
    /// whatever is not plain text: an empty `as_of` must not mean now.
    fn typed(&mut self, name: &'static str) -> Option<String> {
        self.find(name).map(|text| text.trim().to_owned())
    }

    /// The text without surrounding blanks; `None` where it is absent or empty.
    fn value(&mut self, name: &'static str) -> Option<String> {
        let text = self.find(name)?;
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// The argument as sent.
    fn find(&mut self, name: &'static str) -> Option<Cow<'a, str>> {
        let (found, is_repeated) = match &self.source {
            Source::Request { query, .. } => {
                let mut values = query
                    .iter()
                    .filter(|(other, _)| other == name)
                    .map(|(_, value)| value.clone());
                (values.next(), values.next().is_some())
            }
            Source::Object(object) => match object.get(name).map(written) {
                Some(Ok(text)) => (text, false),
                Some(Err(())) => {
                    self.fault(format!("{name} must be a single value"));
                    (None, false)
                }
                None => (None, false),
            },
            Source::Description(_) => (None, false),
        };
        if is_repeated {
            self.fault(format!("{name} must be given once"));
            return None;
        }
        found
    }
}

/// Whether a text anywhere in a value, or the name of a field in it, holds the character zero.
fn has_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(items) => items.iter().any(has_nul),
        Value::Object(fields) => fields
            .iter()
            .any(|(name, value)| name.contains('\0') || has_nul(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// A JSON value as a query would carry it: lists separated by commas.
fn written(value: &Value) -> Result<Option<Cow<'_, str>>, ()> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(Cow::Borrowed(text))),
        Value::Bool(_) | Value::Number(_) => Ok(Some(Cow::Owned(value.to_string()))),
        Value::Array(items) => {
            let mut text = String::new();
            for item in items {
                let Ok(Some(item)) = written(item) else {
                    return Err(());
                };
                if !text.is_empty() {
                    text.push(',');
                }
                text.push_str(&item);
            }
            Ok(Some(Cow::Owned(text)))
        }
        Value::Object(_) => Err(()),
    }
}

#[cfg(test)]
mod tests;

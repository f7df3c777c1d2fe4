//! The text of a pipeline as a tree whose every part knows its line.
//!
//! It knows TOML but nothing about pipelines: the meaning of the parts is read in [`super::read`].

use std::fmt::Write as _;
use std::ops::Range;

use operations::Error;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Longest text of a pipeline in bytes.
pub(crate) const LONGEST: usize = 64 << 10;
/// The most parts of one pipeline: values of every kind.
const MOST_PARTS: usize = 4_000;
/// The most faults reported at once.
const MOST_FAULTS: usize = 10;

/// A part with its position.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) content: Content,
    pub(crate) span: Range<usize>,
}

/// What a part is.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    Text(String),
    Integer(i64),
    Number(f64),
    Flag(bool),
    List(Vec<Part>),
    /// In source order.
    Table(Vec<Entry>),
}

/// A line of a table.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) span: Range<usize>,
    pub(crate) part: Part,
}

impl Content {
    /// The name of the kind.
    pub(crate) const fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "a string",
            Self::Integer(_) => "an integer",
            Self::Number(_) => "a number",
            Self::Flag(_) => "true or false",
            Self::List(_) => "an array",
            Self::Table(_) => "a table",
        }
    }
}

impl Part {
    /// As JSON.
    pub(crate) fn json(&self) -> serde_json::Value {
        match &self.content {
            Content::Text(text) => text.as_str().into(),
            Content::Integer(number) => (*number).into(),
            Content::Number(number) => (*number).into(),
            Content::Flag(flag) => (*flag).into(),
            Content::List(parts) => parts.iter().map(Self::json).collect(),
            Content::Table(entries) => serde_json::Value::Object(
                entries
                    .iter()
                    .map(|entry| (entry.key.clone(), entry.part.json()))
                    .collect(),
            ),
        }
    }
}

/// The faults of a pipeline, each with its line.
#[derive(Debug)]
pub(crate) struct Faults<'s> {
    source: &'s str,
    found: Vec<(usize, String)>,
    is_cut: bool,
}

impl<'s> Faults<'s> {
    pub(crate) fn new(source: &'s str) -> Self {
        Self {
            source,
            found: Vec::new(),
            is_cut: false,
        }
    }

    /// Notes a fault at a position.
    pub(crate) fn at(&mut self, span: &Range<usize>, message: impl Into<String>) {
        if self.found.len() >= MOST_FAULTS {
            self.is_cut = true;
            return;
        }
        let fault = (span.start, message.into());
        if !self.found.contains(&fault) {
            self.found.push(fault);
        }
    }

    /// Notes a fault in an expression that is somewhere within a part.
    pub(crate) fn within(&mut self, span: &Range<usize>, text: &str, message: impl Into<String>) {
        let start = self
            .source
            .get(span.clone())
            .and_then(|part| part.find(text))
            .map_or(span.start, |place| span.start + place);
        self.at(&(start..start), message);
    }

    pub(crate) fn are_none(&self) -> bool {
        self.found.is_empty()
    }

    /// All faults as one error, in source order.
    pub(crate) fn finish(mut self) -> Result<(), Error> {
        if self.found.is_empty() {
            return Ok(());
        }
        self.found.sort_by_key(|(place, _)| *place);
        let mut text = String::new();
        for (place, message) in &self.found {
            if !text.is_empty() {
                text.push_str("; ");
            }
            let (line, column) = place_of(self.source, *place);
            let _ = write!(text, "line {line}, column {column}: {message}");
        }
        if self.is_cut {
            text.push_str("; and more");
        }
        Err(Error::invalid(text))
    }
}

/// Line and column of a byte, both from 1.
fn place_of(source: &str, place: usize) -> (usize, usize) {
    let mut place = place.min(source.len());
    while !source.is_char_boundary(place) {
        place -= 1;
    }
    let before = &source[..place];
    let line = before.matches('\n').count() + 1;
    let column = before
        .rsplit('\n')
        .next()
        .map_or(0, |one| one.chars().count())
        + 1;
    (line, column)
}

/// Reads a text as TOML.
pub(crate) fn parse(source: &str) -> Result<Part, Error> {
    if source.len() > LONGEST {
        return Err(Error::invalid(format!(
            "a pipeline has at most {LONGEST} bytes, this one has {}",
            source.len()
        )));
    }
    let mut faults = Faults::new(source);
    let table = match DeTable::parse(source) {
        Ok(table) => table,
        Err(error) => {
            let span = error.span().unwrap_or(0..0);
            let message: String = error.message().chars().take(200).collect();
            faults.at(
                &span,
                format!("not valid TOML: {}", message.replace('\n', " ")),
            );
            faults.finish()?;
            return Err(Error::invalid("the pipeline is not valid TOML"));
        }
    };
    let mut left = MOST_PARTS;
    let span = table.span();
    let content = read_table(table.get_ref(), &mut faults, &mut left);
    if left == 0 {
        return Err(Error::invalid(format!(
            "a pipeline has at most {MOST_PARTS} values"
        )));
    }
    faults.finish()?;
    Ok(Part { content, span })
}

fn read_table(table: &DeTable<'_>, faults: &mut Faults<'_>, left: &mut usize) -> Content {
    let mut entries = Vec::with_capacity(table.len());
    for (key, value) in table {
        if *left == 0 {
            break;
        }
        entries.push(Entry {
            key: key.get_ref().to_string(),
            span: key.span(),
            part: read(value, faults, left),
        });
    }
    entries.sort_by_key(|entry| entry.span.start);
    Content::Table(entries)
}

fn read(value: &Spanned<DeValue<'_>>, faults: &mut Faults<'_>, left: &mut usize) -> Part {
    let span = value.span();
    *left = left.saturating_sub(1);
    let content = match value.get_ref() {
        DeValue::String(text) => Content::Text(text.to_string()),
        DeValue::Integer(number) => {
            let read = i64::from_str_radix(&number.as_str().replace('_', ""), number.radix());
            if read.is_err() {
                faults.at(&span, "the integer is too large");
            }
            Content::Integer(read.unwrap_or(0))
        }
        DeValue::Float(number) => match number.as_str().replace('_', "").parse::<f64>() {
            Ok(number) if number.is_finite() => Content::Number(number),
            _ => {
                faults.at(&span, "the number must be finite");
                Content::Number(0.0)
            }
        },
        DeValue::Boolean(flag) => Content::Flag(*flag),
        DeValue::Datetime(time) => Content::Text(time.to_string()),
        DeValue::Array(items) => Content::List(
            items
                .iter()
                .map_while(|item| (*left > 0).then(|| read(item, faults, left)))
                .collect(),
        ),
        DeValue::Table(table) => read_table(table, faults, left),
    };
    Part { content, span }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_names_its_line() {
        let fault = parse("a = 1\nb = = 2").unwrap_err().to_string();
        assert!(fault.starts_with("line 2, column"), "{fault}");
        assert_eq!(place_of("é\nab", 4), (2, 2));
    }

    #[test]
    fn what_is_too_large_or_too_deep_is_refused() {
        assert!(parse(&"a".repeat(LONGEST + 1)).is_err());
        let deep = format!("a = {}{}", "[".repeat(5_000), "]".repeat(5_000));
        assert!(parse(&deep).is_err());
        let many = format!("a = [{}]", "1,".repeat(5_000));
        assert!(parse(&many).unwrap_err().to_string().contains("at most"));
    }

    #[test]
    fn tables_keep_their_order() {
        let part = parse("z = 1\na = 2\n[m]\nb = true").unwrap();
        let Content::Table(entries) = part.content else {
            panic!("a table")
        };
        let keys: Vec<&str> = entries.iter().map(|entry| &*entry.key).collect();
        assert_eq!(keys, ["z", "a", "m"]);
    }
}

//! Texts of pipelines: sentences with values in them. A sentence is left out if one of its values is missing.
//!
//! A value is written once and never parsed again, so that nothing a source says is taken for part of the pipeline.

use serde_json::Value;

use super::expression::{Expression, Path, Scope, parse, split_formats};
use super::format::{Format, written};

/// Longest text that a pipeline writes, in bytes.
pub(crate) const LONGEST: usize = 24_000;

/// A text with values in it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Template(Vec<Piece>);

#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Plain(String),
    Value(Expression, Vec<Format>),
}

/// One entry of a text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    /// Condition for writing it.
    pub(crate) when: Option<Expression>,
    /// The list it iterates over, and how.
    pub(crate) each: Option<Each>,
    pub(crate) text: Template,
    /// What is written instead if the condition does not hold or a value is missing.
    pub(crate) otherwise: Option<Template>,
}

/// A list that a line iterates over.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Each {
    pub(crate) list: Expression,
    pub(crate) at_most: usize,
    pub(crate) join: String,
    pub(crate) last: String,
    pub(crate) before: Option<Template>,
    pub(crate) after: Option<Template>,
}

/// A text: its lines in order.
pub(crate) type Text = Vec<Line>;

impl Template {
    /// Parses a text. `\${` is not a value.
    pub(crate) fn parse(text: &str) -> Result<Self, (String, String)> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some(start) = rest.find("${") {
            if rest[..start].ends_with('\\') {
                pieces.push(Piece::Plain(format!("{}${{", &rest[..start - 1])));
                rest = &rest[start + 2..];
                continue;
            }
            if start > 0 {
                pieces.push(Piece::Plain(rest[..start].to_owned()));
            }
            let inner = &rest[start + 2..];
            let Some(end) = closing(inner) else {
                return Err((rest[start..].to_owned(), "${ is not closed by }".to_owned()));
            };
            let read = value(&inner[..end]).map_err(|fault| {
                let fault = format!("${{{}}}: {fault}", &inner[..end]);
                (rest[start..=start + 2 + end].to_owned(), fault)
            })?;
            pieces.push(read);
            rest = &inner[end + 1..];
        }
        if !rest.is_empty() {
            pieces.push(Piece::Plain(rest.to_owned()));
        }
        Ok(Self(pieces))
    }

    /// The expression, if the text is nothing but a single value without a format.
    pub(crate) fn sole(&self) -> Option<&Expression> {
        match &*self.0 {
            [Piece::Value(expression, formats)] if formats.is_empty() => Some(expression),
            _ => None,
        }
    }

    /// The text, if it contains no values.
    pub(crate) fn plain(&self) -> Option<String> {
        self.0.iter().try_fold(String::new(), |mut text, piece| {
            let Piece::Plain(plain) = piece else {
                return None;
            };
            text.push_str(plain);
            Some(text)
        })
    }

    /// The text; `None` if a value is missing.
    pub(crate) fn write(&self, scope: Scope<'_>) -> Option<String> {
        let mut text = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Plain(plain) => text.push_str(plain),
                Piece::Value(expression, formats) => {
                    let value = expression.value(scope).map(std::borrow::Cow::into_owned);
                    text.push_str(&written(value, formats, scope.origin(expression))?);
                }
            }
            if text.len() > LONGEST {
                break;
            }
        }
        Some(text)
    }

    /// The text as an argument: values as they are, not quoted.
    pub(crate) fn argument(&self, scope: Scope<'_>) -> Option<Value> {
        if let Some(expression) = self.sole() {
            return expression.value(scope).map(std::borrow::Cow::into_owned);
        }
        let mut text = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Plain(plain) => text.push_str(plain),
                Piece::Value(expression, formats) if formats.is_empty() => {
                    match expression.value(scope)?.as_ref() {
                        Value::String(value) => text.push_str(value),
                        Value::Array(items) => {
                            let items = items.iter().filter_map(Value::as_str);
                            text.push_str(&items.collect::<Vec<_>>().join(","));
                        }
                        Value::Object(_) | Value::Null => return None,
                        other => text.push_str(&other.to_string()),
                    }
                }
                Piece::Value(expression, formats) => {
                    let value = expression.value(scope).map(std::borrow::Cow::into_owned);
                    text.push_str(&written(value, formats, scope.origin(expression))?);
                }
            }
        }
        Some(text.into())
    }

    /// The expressions in it.
    pub(crate) fn expressions(&self) -> impl Iterator<Item = &Expression> {
        self.0.iter().filter_map(|piece| match piece {
            Piece::Value(expression, _) => Some(expression),
            Piece::Plain(_) => None,
        })
    }

    pub(crate) fn visit<'e>(&'e self, visit: &mut impl FnMut(&'e Path)) {
        for expression in self.expressions() {
            expression.visit(visit);
        }
    }
}

/// The position of the brace that closes a value; quotes may contain others.
fn closing(text: &str) -> Option<usize> {
    let mut quote = None;
    for (place, character) in text.char_indices() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (None, '\'' | '"') => quote = Some(character),
            (None, '}') => return Some(place),
            _ => {}
        }
    }
    None
}

fn value(text: &str) -> Result<Piece, String> {
    let mut parts = split_formats(text).into_iter();
    let expression = parse(parts.next().unwrap_or_default())?;
    let formats = parts.map(Format::parse).collect::<Result<_, _>>()?;
    Ok(Piece::Value(expression, formats))
}

impl Line {
    /// Nothing but words.
    pub(crate) const fn of(text: Template) -> Self {
        Self {
            when: None,
            each: None,
            text,
            otherwise: None,
        }
    }

    fn write(&self, scope: Scope<'_>) -> Option<String> {
        let is_wanted = self.when.as_ref().is_none_or(|when| when.holds(scope));
        let written = if is_wanted { self.body(scope) } else { None };
        written.or_else(|| self.otherwise.as_ref()?.write(scope))
    }

    fn body(&self, scope: Scope<'_>) -> Option<String> {
        let Some(each) = &self.each else {
            return self.text.write(scope);
        };
        let list = each.list.value(scope)?;
        let items = list.as_array()?.iter().enumerate();
        let texts: Vec<String> = items
            .filter_map(|(place, item)| {
                let inner = scope.with_item(item, place, scope.origin(&each.list));
                self.text.write(inner)
            })
            .take(each.at_most)
            .collect();
        let (end, start) = texts.split_last()?;
        let mut text = each
            .before
            .as_ref()
            .map_or(Some(String::new()), |one| one.write(scope))?;
        if !start.is_empty() {
            text.push_str(&start.join(&each.join));
            text.push_str(&each.last);
        }
        text.push_str(end);
        if let Some(after) = &each.after {
            text.push_str(&after.write(scope)?);
        }
        Some(text)
    }

    pub(crate) fn visit<'e>(&'e self, visit: &mut impl FnMut(&'e Path)) {
        if let Some(when) = &self.when {
            when.visit(visit);
        }
        if let Some(each) = &self.each {
            each.list.visit(visit);
            for one in each.before.iter().chain(&each.after) {
                one.visit(visit);
            }
        }
        self.text.visit(visit);
        if let Some(otherwise) = &self.otherwise {
            otherwise.visit(visit);
        }
    }
}

/// Writes a text. Lines are joined by a space unless one of them breaks; paragraphs without words are dropped.
pub(crate) fn write(text: &[Line], scope: Scope<'_>) -> String {
    let mut whole = String::new();
    for line in text {
        let Some(written) = line.write(scope) else {
            continue;
        };
        let needs_blank = !whole.is_empty()
            && !whole.ends_with(char::is_whitespace)
            && !written.starts_with(|one: char| {
                one.is_whitespace() || matches!(one, ',' | '.' | ';' | ':' | ')')
            });
        if needs_blank {
            whole.push(' ');
        }
        whole.push_str(&written);
        if whole.len() > LONGEST {
            let mut end = LONGEST;
            while !whole.is_char_boundary(end) {
                end -= 1;
            }
            whole.truncate(end);
            whole.push('…');
            break;
        }
    }
    tidy(&whole)
}

/// One empty line between paragraphs, none at the ends, and no heading with nothing below it.
fn tidy(text: &str) -> String {
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines() {
        let line = line.trim_end();
        if line.is_empty() && lines.last().is_none_or(|last| last.is_empty()) {
            continue;
        }
        lines.push(line);
    }
    let mut kept: Vec<&str> = Vec::with_capacity(lines.len());
    for (place, line) in lines.iter().enumerate() {
        if is_heading(line) {
            let next = lines[place + 1..].iter().find(|line| !line.is_empty());
            if next.is_none_or(|next| is_heading(next)) {
                continue;
            }
        }
        if line.is_empty() && kept.last().is_none_or(|last| last.is_empty()) {
            continue;
        }
        kept.push(line);
    }
    kept.join("\n").trim().to_owned()
}

/// `**News**` alone on its line.
fn is_heading(line: &str) -> bool {
    let bare = line
        .strip_prefix("**")
        .and_then(|rest| rest.strip_suffix("**"));
    bare.is_some_and(|bare| !bare.is_empty() && !bare.contains("**")) || line.starts_with("## ")
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};
    use std::sync::Arc;

    use super::super::expression::Origin;
    use model::Day;
    use serde_json::json;

    use super::*;

    fn with_scope<T>(work: impl FnOnce(Scope<'_>) -> T) -> T {
        let inputs = json!({"ticker": "ACME"});
        let rows = json!({"rows": [{"s": "A", "v": 1.0}, {"s": "B"}, {"s": "C", "v": -2.5}], "none": [], "hostile": "${inputs.ticker} <i>"});
        let results = HashMap::from([("r".to_owned(), Arc::new(rows))]);
        work(Scope {
            inputs: &inputs,
            results: &results,
            run: &json!({}),
            item: None,
            item_origin: Origin::Source,
            texts: &HashSet::new(),
            today: Day::parse("2026-03-11").unwrap(),
        })
    }

    fn check(text: &str, expected: Option<&str>) {
        let template = Template::parse(text).unwrap();
        let written = with_scope(|scope| template.write(scope));
        assert_eq!(written.as_deref(), expected, "{text}");
    }

    #[test]
    fn values_are_written_once() {
        check(
            "${inputs.ticker} is ${r.rows[0].v | number 1}.",
            Some("ACME is 1.0."),
        );
        check("${inputs.nothing}", None);
        check("${inputs.nothing | or '}'}", Some("}"));
        check("a \\${b}", Some("a ${b}"));
        check("${r.hostile}", Some("${inputs.ticker} \\<i\\>"));
        assert!(Template::parse("a ${b").is_err());
        assert!(Template::parse("a ${b c}").is_err());
    }

    #[test]
    fn lines_go_through_lists_and_leave_out_what_is_missing() {
        let each = Line {
            each: Some(Each {
                list: parse("r.rows").unwrap(),
                at_most: 5,
                join: ", ".to_owned(),
                last: " and ".to_owned(),
                before: Some(Template::parse("Led by ").unwrap()),
                after: Some(Template::parse(".").unwrap()),
            }),
            ..Line::of(Template::parse("${item.s} (${item.v | change})").unwrap())
        };
        let missing = Line {
            otherwise: Some(Template::parse("Nothing is known.").unwrap()),
            ..Line::of(Template::parse("${r.nothing}").unwrap())
        };
        let never = Line {
            when: Some(parse("r.none").unwrap()),
            ..Line::of(Template::parse("never").unwrap())
        };
        let heading = Line::of(Template::parse("\n\n**Empty**\n\n").unwrap());
        let text = vec![each, never, missing, heading];
        let written = with_scope(|scope| write(&text, scope));
        assert_eq!(
            written,
            "Led by A (+1.00%) and C (-2.50%). Nothing is known."
        );
    }

    #[test]
    fn an_argument_is_no_prose() {
        let argument = |text: &str| {
            let template = Template::parse(text).unwrap();
            with_scope(|scope| template.argument(scope))
        };
        assert_eq!(argument("${r.rows[0].v}"), Some(json!(1.0)));
        assert_eq!(
            argument("news of ${r.hostile}"),
            Some(json!("news of ${inputs.ticker} <i>"))
        );
        assert_eq!(argument("${inputs.nothing}"), None);
    }
}

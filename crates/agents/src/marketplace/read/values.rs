//! The values of a step: numbers, names of fields, expressions, texts and arguments.

use super::super::expression::{Expression, parse};
use super::super::pipeline::Argument;
use super::super::shape::Kind;
use super::super::source::{Content, Part};
use super::super::text::{Each, Line, Template, Text};
use super::{EACH, Lines, Reader};

const OF_LINE: [&str; 9] = [
    "when",
    "each",
    "at_most",
    "text",
    "otherwise",
    "join",
    "last",
    "before",
    "after",
];

impl Reader<'_, '_> {
    /// The name of a field of the entries of a list, with a minus sign before it if it is descending.
    pub(super) fn field_name(&mut self, part: Option<&Part>, items: &Kind) -> Option<String> {
        let part = part?;
        let Content::Text(name) = &part.content else {
            self.faults
                .at(&part.span, "the name of a field is a string");
            return None;
        };
        if let Err(fault) = items.field(name.trim_start_matches('-')) {
            self.faults.at(&part.span, fault);
        }
        Some(name.clone())
    }

    pub(super) fn number(
        &mut self,
        part: Option<&Part>,
        range: std::ops::RangeInclusive<i64>,
        default: i64,
    ) -> i64 {
        let Some(part) = part else {
            return default;
        };
        match &part.content {
            Content::Integer(number) if range.contains(number) => *number,
            _ => {
                let (least, most) = (range.start(), range.end());
                self.faults.at(
                    &part.span,
                    format!("a whole number from {least} to {most} is expected"),
                );
                default
            }
        }
    }

    /// An expression, bare or inside `${ }`.
    pub(super) fn expression(&mut self, part: Option<&Part>) -> Option<Expression> {
        let part = part?;
        let text = match &part.content {
            Content::Text(text) => text.trim(),
            Content::Integer(_) | Content::Number(_) | Content::Flag(_) => {
                return Some(Expression::Literal(part.json()));
            }
            other => {
                self.faults.at(
                    &part.span,
                    format!("an expression is expected, not {}", other.kind()),
                );
                return None;
            }
        };
        let bare = text
            .strip_prefix("${")
            .and_then(|rest| rest.strip_suffix('}'))
            .filter(|rest| !rest.contains("${"))
            .unwrap_or(text);
        match parse(bare) {
            Ok(expression) => Some(expression),
            Err(fault) => {
                self.faults.within(&part.span, bare, fault);
                None
            }
        }
    }

    pub(super) fn template(&mut self, part: &Part) -> Option<Template> {
        let Content::Text(text) = &part.content else {
            self.faults.at(
                &part.span,
                format!("a text is expected, not {}", part.content.kind()),
            );
            return None;
        };
        match Template::parse(text) {
            Ok(template) => Some(template),
            Err((place, fault)) => {
                self.faults.within(&part.span, &place, fault);
                None
            }
        }
    }

    pub(super) fn text(&mut self, part: &Part) -> Text {
        let parts = match &part.content {
            Content::Text(_) => std::slice::from_ref(part),
            Content::List(parts) if parts.len() <= 100 => parts,
            _ => {
                self.faults.at(
                    &part.span,
                    "a text is a string, or an array of at most 100 lines",
                );
                return Vec::new();
            }
        };
        parts.iter().filter_map(|part| self.line(part)).collect()
    }

    pub(super) fn line(&mut self, part: &Part) -> Option<Line> {
        let Content::Table(entries) = &part.content else {
            let template = self.template(part)?;
            self.check_template(&template, &part.span);
            return Some(Line::of(template));
        };
        let lines = self.lines(entries, &OF_LINE);
        let when = self.expression(lines.part("when"));
        if let (Some(when), Some(part)) = (&when, lines.part("when")) {
            self.check(when, &part.span);
        }
        let Some(text) = lines.part("text") else {
            self.faults.at(&part.span, "a line needs a text");
            return None;
        };
        let other = |reader: &mut Self, name: &str| {
            let part = lines.part(name)?;
            let template = reader.template(part)?;
            reader.check_template(&template, &part.span);
            Some(template)
        };
        let (otherwise, before, after) = (
            other(self, "otherwise"),
            other(self, "before"),
            other(self, "after"),
        );
        let list = self.expression(lines.part("each"));
        let outer = self.known.item();
        let each = if let (Some(list), Some(part)) = (list, lines.part("each")) {
            let items = self.list_items(&list, part);
            self.known.set_item(Some(items));
            let join = self
                .plain(&lines, "join")
                .unwrap_or_else(|| ", ".to_owned());
            Some(Each {
                at_most: self.number(lines.part("at_most"), 1..=100, EACH as i64) as usize,
                last: self.plain(&lines, "last").unwrap_or_else(|| join.clone()),
                join,
                before,
                after,
                list,
            })
        } else {
            for name in ["at_most", "join", "last", "before", "after"] {
                if let Some(span) = lines.key(name) {
                    self.faults.at(span, format!("{name} belongs to each"));
                }
            }
            None
        };
        let template = self.template(text);
        if let Some(template) = &template {
            self.check_template(template, &text.span);
        }
        self.known.set_item(outer);
        Some(Line {
            when,
            each,
            text: template?,
            otherwise,
        })
    }

    pub(super) fn plain(&mut self, lines: &Lines<'_>, name: &str) -> Option<String> {
        let part = lines.part(name)?;
        match &part.content {
            Content::Text(text) if text.len() <= 100 => Some(text.clone()),
            _ => {
                self.faults.at(
                    &part.span,
                    format!("{name} must be a string of at most 100 bytes"),
                );
                None
            }
        }
    }

    /// A value that may contain references.
    pub(super) fn argument(&mut self, part: &Part) -> Argument {
        match &part.content {
            Content::Text(_) => self
                .template(part)
                .map_or_else(|| Argument::Fixed(part.json()), Argument::Template),
            Content::List(parts) => {
                Argument::List(parts.iter().map(|part| self.argument(part)).collect())
            }
            Content::Table(entries) => Argument::Fields(
                entries
                    .iter()
                    .map(|entry| (entry.key.clone(), self.argument(&entry.part)))
                    .collect(),
            ),
            _ => Argument::Fixed(part.json()),
        }
    }
}

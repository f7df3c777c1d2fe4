//! What one argument of an operation may be: its name, meaning and bounds, as the document states them.

use std::ops::RangeInclusive;

use model::Category;
use serde_json::Value;
use utoipa::openapi::schema::{
    ArrayBuilder, Object, ObjectBuilder, Schema, SchemaFormat, SchemaType, Type,
};
use utoipa::openapi::{KnownFormat, RefOr};

/// Where HTTP carries an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A variable of the path.
    Path,
    /// A query parameter.
    Query,
}

/// One argument.
#[derive(Clone)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// Where HTTP carries it.
    pub place: Place,
    /// What it means, for a reader.
    pub meaning: &'static str,
    /// Whether it must be there.
    pub is_required: bool,
    /// Several values separated by commas.
    pub is_list: bool,
    /// Type, bounds and default.
    pub schema: RefOr<Schema>,
}

/// A type that reads itself from text and says in the document what that text is.
pub trait Textual: std::str::FromStr {
    /// The schema of the text.
    fn schema() -> Object;
}

impl Textual for model::Timestamp {
    fn schema() -> Object {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
            .build()
    }
}

impl Textual for model::Symbol {
    fn schema() -> Object {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .min_length(Some(1))
            .max_length(Some(Self::LONGEST))
            .pattern(Some("^[A-Za-z0-9.^=&-]*[A-Za-z0-9][A-Za-z0-9.^=&-]*$"))
            .build()
    }
}

impl Field {
    pub(crate) fn new(
        name: &'static str,
        meaning: &'static str,
        schema: impl Into<Schema>,
    ) -> Self {
        Self {
            name,
            place: Place::Query,
            meaning,
            is_required: false,
            is_list: false,
            schema: RefOr::T(schema.into()),
        }
    }

    pub(crate) fn required(mut self) -> Self {
        self.is_required = true;
        self
    }

    pub(crate) fn list(mut self) -> Self {
        self.is_list = true;
        self
    }

    pub(crate) fn in_path(mut self) -> Self {
        self.place = Place::Path;
        self.required()
    }
}

/// An integer within bounds.
pub(crate) fn integer(bounds: &RangeInclusive<u64>, default: Option<u64>) -> Object {
    let most = Some(*bounds.end()).filter(|most| *most < u64::MAX);
    ObjectBuilder::new()
        .schema_type(Type::Integer)
        .minimum(Some(*bounds.start() as f64))
        .maximum(most.map(|most| most as f64))
        .default(default.map(Value::from))
        .build()
}

/// One of some integers.
pub(crate) fn integer_of(values: &[u64], default: u64) -> Object {
    ObjectBuilder::new()
        .schema_type(Type::Integer)
        .enum_values(Some(values.to_vec()))
        .default(Some(Value::from(default)))
        .build()
}

/// A number within bounds.
pub(crate) fn number(bounds: &RangeInclusive<f64>) -> Object {
    ObjectBuilder::new()
        .schema_type(Type::Number)
        .minimum(Some(*bounds.start()))
        .maximum(Some(*bounds.end()))
        .build()
}

pub(crate) fn flag(default: bool) -> Object {
    ObjectBuilder::new()
        .schema_type(Type::Boolean)
        .default(Some(Value::from(default)))
        .build()
}

/// Text of so many characters, surrounding blanks not counted.
pub(crate) fn text(length: &RangeInclusive<usize>) -> Object {
    let least = *length.start();
    // Blanks around the text are dropped before it is measured, which a length alone does not say.
    let pattern = match least {
        0 => None,
        1 => Some(r"\S".to_owned()),
        _ => Some(format!(r"\S[\s\S]{{{},}}\S", least - 2)),
    };
    ObjectBuilder::new()
        .schema_type(Type::String)
        .min_length(Some(least))
        .max_length(Some(*length.end()).filter(|most| *most < usize::MAX))
        .pattern(pattern)
        .build()
}

/// Text of so many characters that may be absent; blanks alone count as absent.
pub(crate) fn optional_text(length: &RangeInclusive<usize>) -> Object {
    let mut field = text(length);
    field.min_length = Some(0);
    field.pattern = field
        .pattern
        .filter(|_| *length.start() > 1)
        .map(|pattern| format!(r"^\s*$|{pattern}"));
    field
}

/// One of some words.
pub(crate) fn word<'a>(words: impl Iterator<Item = &'a str>, default: Option<&str>) -> Object {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(words.map(str::to_owned).collect::<Vec<_>>()))
        .default(default.map(Value::from))
        .build()
}

/// One of some words in a body, or null. A schema that a function gives takes the place of the field's comment too, so it
/// says itself what it means.
#[must_use]
pub fn optional_word<'a>(
    meaning: &str,
    words: impl Iterator<Item = &'a str>,
    default: Option<&str>,
) -> Object {
    let words = words.map(Value::from).chain([Value::Null]);
    ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
        .description(Some(meaning))
        .default(default.map(Value::from))
        .enum_values(Some(words.collect::<Vec<_>>()))
        .build()
}

/// The category of which briefs are read, in a body.
#[must_use]
pub fn category_word() -> Object {
    optional_word(
        "Category slug: only briefs in this category are read.",
        Category::ALL.into_iter().map(Category::as_str),
        None,
    )
}

/// One of some words that is always there; it says itself what it means, as [`optional_word`] does.
pub(crate) fn said_word<'a>(meaning: &str, words: impl IntoIterator<Item = &'a str>) -> Object {
    let mut said = word(words.into_iter(), None);
    said.description = Some(meaning.to_owned());
    said
}

pub(crate) fn date() -> Object {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Date)))
        .build()
}

/// Words separated by commas.
pub(crate) fn list(most: usize) -> Schema {
    list_of(None, most)
}

/// As [`list`], with at least so many.
pub(crate) fn list_of(least: Option<usize>, most: usize) -> Schema {
    ArrayBuilder::new()
        .items(
            ObjectBuilder::new()
                .schema_type(Type::String)
                // A list that needs entries needs some that say something.
                .pattern(least.map(|_| r"[^\s,]")),
        )
        .min_items(least)
        .max_items(Some(most))
        .build()
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_may_be_absent_is_blank_or_long_enough() {
        let pattern = |length| optional_text(&length).pattern;
        assert_eq!(pattern(2..=500).as_deref(), Some(r"^\s*$|\S[\s\S]{0,}\S"));
        assert_eq!(pattern(1..=50), None);
        assert_eq!(optional_text(&(2..=500)).min_length, Some(0));
    }
}

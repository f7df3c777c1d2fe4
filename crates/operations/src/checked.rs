//! Bodies: read with the path of what is wrong in them, and checked beyond their types.

use std::ops::RangeInclusive;

use model::{Category, UnknownCategory};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::error::{Error, ErrorCode, Result};

/// What a body must fulfil beyond its types.
pub trait Checked: DeserializeOwned {
    /// Notes every rule that is broken.
    fn check(&self, faults: &mut Faults);
}

/// What is wrong with a request.
#[derive(Debug, Default)]
pub struct Faults(Vec<String>);

impl Faults {
    /// One fault.
    pub fn of(message: impl Into<String>) -> Self {
        Self(vec![message.into()])
    }

    /// Adds a fault; the message names the field.
    pub fn note(&mut self, message: impl Into<String>) {
        self.0.push(message.into());
    }

    /// A text must have so many characters.
    pub fn length(&mut self, name: &str, text: &str, length: RangeInclusive<usize>) {
        if !length.contains(&text.chars().count()) {
            self.note(format!(
                "{name} must have from {} to {} characters",
                length.start(),
                length.end()
            ));
        }
    }

    /// A list must not be longer.
    pub fn at_most<T>(&mut self, name: &str, list: &[T], most: usize) {
        if list.len() > most {
            self.note(format!("{name} must have at most {most} entries"));
        }
    }

    /// A slug must be one of a category; an empty one is none.
    pub fn category(&mut self, name: &str, slug: Option<&str>) {
        if let Err(error) = read_category(slug) {
            let slugs = Category::ALL.map(Category::as_str).join(", ");
            self.note(format!("{name}: {error}; one of {slugs}"));
        }
    }

    /// Fails if there is any.
    pub fn finish(self) -> Result<()> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(Error::invalid(self.0.join("; ")))
        }
    }
}

/// The category of a slug in any case; `None` where it is empty or unknown.
#[must_use]
pub fn category_of(slug: Option<&str>) -> Option<Category> {
    read_category(slug).ok().flatten()
}

fn read_category(slug: Option<&str>) -> std::result::Result<Option<Category>, UnknownCategory> {
    match slug.map(str::trim) {
        None | Some("") => Ok(None),
        Some(slug) => slug.parse().map(Some),
    }
}

/// A whole number, or nothing. JSON knows no integers: `34.0` is one as much as `34`.
pub fn whole<'de, D, N>(reader: D) -> std::result::Result<Option<N>, D::Error>
where
    D: serde::Deserializer<'de>,
    N: TryFrom<i64>,
{
    let Some(number) = Option::<serde_json::Number>::deserialize(reader)? else {
        return Ok(None);
    };
    let whole = number.as_i64().or_else(|| {
        let number = number.as_f64()?;
        (number.fract() == 0.0 && number.abs() < 9e15).then_some(number as i64)
    });
    whole
        .and_then(|whole| N::try_from(whole).ok())
        .map(Some)
        .ok_or_else(|| serde::de::Error::custom(format!("{number} is not a whole number in range")))
}

/// Reads JSON; faults of syntax carry line and column, faults of type the field.
pub fn parse_body<T: Checked>(bytes: &[u8]) -> Result<T> {
    // The library would read an array as the fields in their order, which is nobody's contract.
    if bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[') {
        return Err(Error::invalid(
            "the body must be a JSON object, not an array",
        ));
    }
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value: T = serde_path_to_error::deserialize(&mut reader).map_err(|fault| {
        let path = fault.path().to_string();
        let fault = fault.into_inner();
        if fault.is_data() {
            wrong_type(&path, &fault)
        } else {
            no_json(&fault)
        }
    })?;
    reader.end().map_err(|fault| no_json(&fault))?;
    let mut faults = Faults::default();
    value.check(&mut faults);
    faults.finish()?;
    Ok(value)
}

fn no_json(fault: &serde_json::Error) -> Error {
    let what = bare_message(fault);
    let (line, column) = (fault.line(), fault.column());
    Error::refused(
        ErrorCode::InvalidJson,
        format!("the body is not valid JSON: {what} at line {line} column {column}"),
    )
}

fn wrong_type(path: &str, fault: &serde_json::Error) -> Error {
    let what = bare_message(fault);
    let (line, column) = (fault.line(), fault.column());
    if path == "." {
        Error::invalid(format!("{what} (line {line} column {column})"))
    } else {
        Error::invalid(format!("{path}: {what} (line {line} column {column})"))
    }
}

/// The library's words without its own place, which we give in ours.
fn bare_message(fault: &serde_json::Error) -> String {
    let text = fault.to_string();
    text.rsplit_once(" at line ")
        .map_or(text.clone(), |(before, _)| before.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, serde::Deserialize)]
    struct Body {
        name: String,
        #[serde(default)]
        list: Vec<String>,
    }

    impl Checked for Body {
        fn check(&self, faults: &mut Faults) {
            faults.length("name", &self.name, 1..=5);
            faults.at_most("list", &self.list, 1);
        }
    }

    fn fault(text: &str) -> (ErrorCode, String) {
        let error = parse_body::<Body>(text.as_bytes()).unwrap_err();
        (error.code(), error.to_string())
    }

    #[test]
    fn syntax_has_a_place_and_types_have_a_field() {
        assert!(
            parse_body::<Body>(br#"{"name":"ok","other":1}"#).is_ok(),
            "unknown fields are ignored"
        );
        let (code, message) = fault("{\n \"name\": }");
        assert_eq!(code, ErrorCode::InvalidJson);
        assert!(message.contains("line 2 column"), "{message}");
        assert_eq!(fault("").0, ErrorCode::InvalidJson);
        assert_eq!(fault(r#"{"name":"a"} x"#).0, ErrorCode::InvalidJson);
        assert_eq!(fault(r#"{"name":5}"#).0, ErrorCode::InvalidRequest);
        assert!(
            fault(r#"{"name":5}"#)
                .1
                .starts_with("name: invalid type: integer `5`, expected a string")
        );
        assert!(
            fault(r#"{"name":"a","list":["x",2]}"#)
                .1
                .starts_with("list[1]: ")
        );
        assert!(fault("{}").1.contains("missing field `name`"));
        assert_eq!(
            fault(" [1]").1,
            "the body must be a JSON object, not an array"
        );
        assert_eq!(
            fault(r#"{"name":"toolong","list":["a","b"]}"#).1,
            "name must have from 1 to 5 characters; list must have at most 1 entries"
        );
    }
}

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

    /// A name stands in one line.
    pub fn one_line(&mut self, name: &str, text: &str) {
        if text.contains(char::is_control) {
            self.note(format!("{name} must not contain control characters"));
        }
    }

    /// A list must not be longer.
    pub fn at_most<T>(&mut self, name: &str, list: &[T], most: usize) {
        if list.len() > most {
            self.note(format!("{name} must have at most {most} entries"));
        }
    }

    /// A slug must be one of a category.
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

/// What is said of texts with the one character that a store cannot keep: what is answered would differ from what is stored.
pub(crate) const NO_NUL: &str = "must not contain the character U+0000";

/// Whether a text of a JSON document, or the name of a field in it, holds the character zero. Outside of texts JSON has no
/// backslash, and the character itself makes a document invalid.
fn has_nul(json: &[u8]) -> bool {
    let mut rest = json;
    while let Some(place) = rest.iter().position(|byte| *byte == b'\\') {
        let escaped = &rest[place + 1..];
        if escaped.starts_with(b"u0000") {
            return true;
        }
        rest = escaped.get(1..).unwrap_or_default();
    }
    false
}

/// The category of a slug in any case; `None` where it is unknown.
#[must_use]
pub fn category_of(slug: Option<&str>) -> Option<Category> {
    read_category(slug).ok().flatten()
}

fn read_category(slug: Option<&str>) -> std::result::Result<Option<Category>, UnknownCategory> {
    slug.map(|slug| slug.trim().parse()).transpose()
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
    if has_nul(bytes) {
        return Err(Error::invalid(format!("the body {NO_NUL}")));
    }
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
    in_json_words(
        text.rsplit_once(" at line ")
            .map_or(&text, |(bare, _)| bare),
    )
}

/// A message of the library in words of JSON: it names what was expected by the types of this program.
pub(crate) fn in_json_words(message: &str) -> String {
    const INTEGERS: [&str; 12] = [
        "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize",
    ];
    let mismatch = ["invalid type: ", "invalid value: ", "invalid length "];
    let Some((found, expected)) = message
        .rsplit_once(", expected ")
        .filter(|_| mismatch.iter().any(|start| message.starts_with(start)))
    else {
        return message.to_owned();
    };
    let found = match found {
        "invalid type: map" => "invalid type: object",
        "invalid type: sequence" => "invalid type: array",
        other => other,
    };
    let of_types = ["struct ", "internally tagged enum "];
    let is_object = of_types.iter().any(|start| expected.starts_with(start));
    let expected = match expected {
        _ if is_object => "a JSON object",
        "a map" => "a JSON object",
        "string or map" => "a string",
        "a sequence" => "an array",
        "f32" | "f64" | "a JSON number" => "a number",
        "a boolean" => "true or false",
        other if INTEGERS.contains(&other) => "a whole number",
        other => other,
    };
    format!("{found}, expected {expected}")
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
    fn no_message_names_a_type_of_this_program() {
        #[derive(Debug, serde::Deserialize)]
        struct Inner {
            #[expect(dead_code, reason = "read by the library only")]
            number: f64,
        }
        #[derive(Debug, serde::Deserialize)]
        #[expect(dead_code, reason = "read by the library only")]
        struct Whole {
            inner: Inner,
            list: Vec<String>,
            flag: bool,
            count: u32,
            #[serde(default, deserialize_with = "whole")]
            limit: Option<usize>,
            map: serde_json::Map<String, serde_json::Value>,
        }
        impl Checked for Whole {
            fn check(&self, _: &mut Faults) {}
        }
        let good = serde_json::json!({"inner": {"number": 1}, "list": [], "flag": true, "count": 1, "limit": 2, "map": {}});
        for (name, wrong, expected) in [
            (
                "inner",
                "5",
                "inner: invalid type: integer `5`, expected a JSON object",
            ),
            (
                "inner",
                "[]",
                "inner: invalid length 0, expected a JSON object",
            ),
            (
                "list",
                "{}",
                "list: invalid type: object, expected an array",
            ),
            (
                "flag",
                "[]",
                "flag: invalid type: array, expected true or false",
            ),
            (
                "count",
                "\"1\"",
                "count: invalid type: string \"1\", expected a whole number",
            ),
            (
                "count",
                "-1",
                "count: invalid value: integer `-1`, expected a whole number",
            ),
            (
                "limit",
                "true",
                "limit: invalid type: boolean `true`, expected a number",
            ),
            (
                "map",
                "[]",
                "map: invalid type: array, expected a JSON object",
            ),
        ] {
            let mut body = good.clone();
            body[name] = serde_json::from_str(wrong).unwrap();
            let fault = parse_body::<Whole>(body.to_string().as_bytes()).unwrap_err();
            let fault = fault.to_string();
            assert!(fault.starts_with(expected), "{fault}");
        }
        let body = good.to_string().replace("\"number\":1", "\"number\":\"x\"");
        let fault = parse_body::<Whole>(body.as_bytes())
            .unwrap_err()
            .to_string();
        let expected = "inner.number: invalid type: string \"x\", expected a number (line";
        assert!(fault.starts_with(expected), "{fault}");
        let fault = parse_body::<Whole>(b"5").unwrap_err().to_string();
        assert!(fault.starts_with("invalid type: integer `5`, expected a JSON object"));
    }

    #[test]
    fn the_character_zero_is_refused_in_every_text_and_name() {
        for text in [
            r#"{"name":"a\u0000"}"#,
            r#"{"name":"a\\\u0000"}"#,
            r#"{"name":"a","other":["x",{"deep":"\u0000"}]}"#,
            r#"{"name":"a","oth\u0000er":1}"#,
        ] {
            let (code, message) = fault(text);
            assert_eq!(code, ErrorCode::InvalidRequest, "{text}");
            assert_eq!(message, "the body must not contain the character U+0000");
        }
        // A backslash before the letters, another character, and digits without any.
        for text in [
            r#"{"name":"a\\u00"}"#,
            r#"{"name":"a\u0001"}"#,
            r#"{"name":"0000"}"#,
            r#"{"name":"a","other":"\\u0000"}"#,
        ] {
            assert!(parse_body::<Body>(text.as_bytes()).is_ok(), "{text}");
        }
    }

    #[test]
    fn an_empty_slug_names_no_category() {
        let fault = |slug| {
            let mut faults = Faults::default();
            faults.category("context", slug);
            faults.finish().err().map(|error| error.to_string())
        };
        assert_eq!(fault(None), None);
        assert_eq!(fault(Some(" Economy ")), None);
        for slug in ["", "  ", "nope"] {
            let fault = fault(Some(slug)).unwrap();
            assert!(fault.starts_with("context: "), "{fault}");
        }
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

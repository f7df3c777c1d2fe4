//! JSON documents: recognising one, and finding the list in it.

use serde_json::Value;

use super::unknown;
use crate::import::market::ReadError;

/// Keys under which services return their lists.
const LISTS: [&str; 8] = [
    "results",
    "data",
    "values",
    "historical",
    "candles",
    "prices",
    "items",
    "quotes",
];

/// Whether the first character is that of a JSON document.
pub(super) fn is_json(bytes: &[u8]) -> bool {
    matches!(first_sign(bytes), Some(b'{' | b'['))
}

/// Whether the file is an XML document. Some tables put their column names in angle brackets.
pub(super) fn is_xml(bytes: &[u8]) -> bool {
    let head = bytes.get(..64).unwrap_or(bytes);
    let names_of_columns = head
        .windows(2)
        .find(|pair| pair[0] == b'>')
        .is_some_and(|pair| matches!(pair[1], b',' | b';' | b'\t' | b'|'));
    first_sign(bytes) == Some(b'<') && !names_of_columns
}

fn first_sign(bytes: &[u8]) -> Option<u8> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes
        .iter()
        .copied()
        .find(|byte| !byte.is_ascii_whitespace())
}

/// Reads a document. A service's error that was saved in place of its response is not market data.
pub(super) fn parse(bytes: &[u8]) -> Result<Value, ReadError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let Ok(document) = serde_json::from_slice::<Value>(bytes) else {
        return unknown("the file begins like JSON but is not valid JSON");
    };
    if let Some(message) = error_of(&document) {
        let message: String = message.chars().take(120).collect();
        return unknown(&format!(
            "the file holds an error message of a service instead of data: {message}"
        ));
    }
    Ok(document)
}

/// The error that a service reports.
fn error_of(document: &Value) -> Option<&str> {
    let text = |pointer: &str| document.pointer(pointer).and_then(Value::as_str);
    text("/error")
        .or_else(|| text("/chart/error/description"))
        .or_else(|| text("/status/error_message"))
        .or_else(|| text("/error_message"))
        .or_else(|| text("/Error Message"))
}

/// The list of objects in a document: the document itself, or the value under one of the usual keys.
pub(super) fn objects(document: &Value) -> Option<&[Value]> {
    let list = match document {
        Value::Array(list) => Some(list),
        Value::Object(map) => LISTS
            .iter()
            .find_map(|key| map.get(*key).and_then(Value::as_array)),
        _ => None,
    };
    list.map(Vec::as_slice)
        .filter(|list| list.first().is_some_and(Value::is_object))
}

/// A number that is one, or is written as text.
pub(super) fn number(value: Option<&Value>) -> Option<f64> {
    match value? {
        Value::Number(number) => number.as_f64().filter(|number| number.is_finite()),
        Value::String(text) => super::number::parse(text).number(),
        _ => None,
    }
}

//! JSON that every parser reads in the same way.
//!
//! Most parsers silently keep one of two fields with the same name, but not all keep the same one, so two readers could
//! see two verdicts in one valid receipt. Here a repeated name is an error.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::Error;

/// Parses one value that has no repeated names.
pub(crate) fn parse(bytes: &[u8]) -> Result<Value, Error> {
    serde_json::from_slice::<Unambiguous>(bytes)
        .map(|value| value.0)
        .map_err(Error::Json)
}

struct Unambiguous(Value);

impl<'de> Deserialize<'de> for Unambiguous {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer
            .deserialize_any(UnambiguousVisitor)
            .map(Unambiguous)
    }
}

struct UnambiguousVisitor;

impl<'de> Visitor<'de> for UnambiguousVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value)
            .map(Value::Number)
            .ok_or_else(|| E::custom("the number is not finite"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element::<Unambiguous>()? {
            list.push(item.0);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            if object.contains_key(&name) {
                return Err(A::Error::custom(format_args!(
                    "the name {name:?} is repeated"
                )));
            }
            object.insert(name, fields.next_value::<Unambiguous>()?.0);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_serde_json_reads() {
        let text = br#"{"a":[1,-2,0.5,null,true,"x"],"b":{"a":18446744073709551615}}"#;
        let expected: Value = serde_json::from_slice(text).unwrap();
        assert_eq!(parse(text).unwrap(), expected);
    }

    #[test]
    fn refuses_repeated_names_however_they_are_spelled() {
        assert!(parse(br#"{"a":1,"a":1}"#).is_err());
        assert!(parse(br#"[{"b":{"a":1,"\u0061":2}}]"#).is_err());
        assert!(parse(br#"{"a":{"a":1},"b":[{"a":1},{"a":1}]}"#).is_ok());
    }

    #[test]
    fn refuses_what_is_no_json() {
        for text in [
            "",
            "{",
            "{} {}",
            "NaN",
            "1e400",
            "\"\\ud800\"",
            "{'a':1}",
            "\u{feff}{}",
        ] {
            assert!(parse(text.as_bytes()).is_err(), "{text}");
        }
        assert!(parse(b"\"\xff\"").is_err());
        assert!(parse("[".repeat(100_000).as_bytes()).is_err());
    }
}

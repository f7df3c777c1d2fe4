//! `--filter rsi_below=30`, `--filter macd_bullish`: filters as they are typed.

use std::str::FromStr;

use serde_json::{Map, Value};

/// A filter of the screener or of a backtest. Which there are is the API's business.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    key: String,
    value: Value,
}

impl FromStr for Filter {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (key, value) = text.split_once('=').unwrap_or((text, "true"));
        let (key, value) = (key.trim(), value.trim());
        let is_name = !key.is_empty()
            && key
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
        if !is_name {
            return Err("a filter is written key=value, such as rsi_below=30".to_owned());
        }
        let value = match value {
            "true" | "yes" => Value::Bool(true),
            "false" | "no" => Value::Bool(false),
            number => number
                .replace('_', "")
                .parse::<serde_json::Number>()
                .map(Value::Number)
                .map_err(|_| format!("{value:?} is neither a number nor true or false"))?,
        };
        Ok(Self {
            key: key.to_owned(),
            value,
        })
    }
}

/// The filters as the body of a request; the name of one that is given twice is an error.
pub(crate) fn object(filters: &[Filter]) -> crate::Result<Value> {
    let mut object = Map::new();
    for filter in filters {
        if object
            .insert(filter.key.clone(), filter.value.clone())
            .is_some()
        {
            return Err(crate::Error::Usage(format!(
                "the filter {} is given twice",
                filter.key
            )));
        }
    }
    Ok(Value::Object(object))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_numbers_or_flags() {
        for (text, key, value) in [
            ("rsi_below=30", "rsi_below", json!(30)),
            ("sentiment_above = 0.58", "sentiment_above", json!(0.58)),
            ("volume_above=1_000_000", "volume_above", json!(1_000_000)),
            ("macd_bullish", "macd_bullish", json!(true)),
            ("above_sma_200=false", "above_sma_200", json!(false)),
        ] {
            let filter: Filter = text.parse().unwrap();
            assert_eq!((filter.key.as_str(), &filter.value), (key, &value));
        }
        for wrong in [
            "",
            "=3",
            "rsi below=3",
            "rsi_below=low",
            "rsi_below=",
            "a=NaN",
        ] {
            assert!(wrong.parse::<Filter>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_filter_is_given_once() {
        let filters: Vec<Filter> = ["rsi_below=30", "rsi_below=40"]
            .iter()
            .map(|text| text.parse().unwrap())
            .collect();
        assert_eq!(object(&filters).unwrap_err().exit_code(), 2);
        assert_eq!(object(&filters[..1]).unwrap(), json!({"rsi_below": 30}));
    }
}

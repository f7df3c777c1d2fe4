//! The yields on the day that is asked about: those of the next day do not count.

use query::Reading;
use serde_json::{Map, Value};

/// Uses the yields that were known on the day itself if the others are from a later one.
pub(super) fn derive(data: &mut Map<String, Value>, reading: &Reading) {
    let Some(before) = data.remove("yields_before") else {
        return;
    };
    let Some(day) = reading.when.to.map(|day| day.to_string()) else {
        return;
    };
    let is_later = |one: &Value| {
        let date = one.get("date").and_then(Value::as_str);
        date.is_some_and(|date| date > day.as_str())
    };
    let found = data.get("yields").and_then(|found| found.get("yields"));
    let yields = found.and_then(Value::as_array);
    if yields.is_none_or(|yields| yields.iter().any(is_later)) {
        data.insert("yields".to_owned(), before);
    }
}

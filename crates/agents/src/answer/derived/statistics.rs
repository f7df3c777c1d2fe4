//! The highest and the lowest value of a period, the mean of all values, and the largest rise and fall from one to the
//! next, for indicators, commodities, currency pairs and indices.

use query::{Reading, Statistic};
use serde_json::{Map, Value, json};
use verify::figures::KnownSeries;

use super::sessions;

/// The most values of a history to keep in the data, the newest ones.
const KEPT: usize = 260;
/// Results for an indicator, the newest part of the period first.
const ECONOMY: [&str; 3] = ["economy", "economy_earlier", "economy_earliest"];

/// Adds what follows from the values of each series, under its code; after that only the newest of these values are
/// kept.
pub(super) fn derive(data: &mut Map<String, Value>, reading: &Reading) {
    if reading.statistics.is_empty() {
        return;
    }
    let mut found = Map::new();
    for (key, list, value) in [
        ("commodities", "history", "value"),
        ("forex", "history", "value"),
        ("levels", "candles", "close"),
    ] {
        let by_code = data.get_mut(key).and_then(Value::as_object_mut);
        for (code, one) in by_code.into_iter().flatten() {
            let values = values(one, list, value);
            if let Some(statistics) = statistics(values, kind_of(one), reading) {
                found.insert(code.clone(), named(statistics, one, code));
            }
            if let Some(Value::Array(history)) = one.get_mut(list) {
                let surplus = history.len().saturating_sub(KEPT);
                history.drain(..surplus);
            }
        }
    }
    let codes = data.get("economy").and_then(Value::as_object);
    let codes: Vec<String> = codes
        .into_iter()
        .flatten()
        .map(|(code, _)| code.clone())
        .collect();
    for code in codes {
        let parts = ECONOMY.iter().filter_map(|key| data.get(*key)?.get(&code));
        let all: Vec<(String, f64)> = parts
            .flat_map(|part| values(part, "observations", "value"))
            .collect();
        let Some(one) = data.get("economy").and_then(|all| all.get(&code)) else {
            continue;
        };
        if let Some(statistics) = statistics(all, kind_of(one), reading) {
            found.insert(code.clone(), named(statistics, one, &code));
        }
    }
    if !found.is_empty() {
        data.insert("statistics".to_owned(), Value::Object(found));
    }
}

/// The kind of the values of a result.
fn kind_of(one: &Value) -> sessions::Kind {
    let unit = super::of_history(one, "unit");
    sessions::Kind::of(unit.unwrap_or_default())
}

/// The days and values of a list.
fn values(one: &Value, list: &str, value: &str) -> Vec<(String, f64)> {
    let list = one.get(list).and_then(Value::as_array);
    let read = |one: &Value| {
        let date = one.get("date")?.as_str()?.get(..10)?.to_owned();
        Some((date, one.get(value)?.as_f64()?))
    };
    list.into_iter().flatten().filter_map(read).collect()
}

fn statistics(
    mut values: Vec<(String, f64)>,
    kind: sessions::Kind,
    reading: &Reading,
) -> Option<Map<String, Value>> {
    let when = &reading.when;
    let from = when.from.map(|day| day.to_string());
    let to = when.to.map(|day| day.to_string());
    let is_of_time = |date: &String| {
        from.as_ref().is_none_or(|from| date >= from) && to.as_ref().is_none_or(|to| date <= to)
    };
    values.retain(|(_, value)| value.is_finite());
    values.sort_by(|left, right| left.0.cmp(&right.0));
    let mut sessions = sessions::of(&values);
    sessions.retain(|session| is_of_time(&session.date));
    values.retain(|(date, _)| is_of_time(date));
    let (first, last) = (values.first()?, values.last()?);
    // Of equal values, the first.
    let mut highest = first;
    let mut lowest = first;
    for one in &values {
        if one.1 > highest.1 {
            highest = one;
        }
        if one.1 < lowest.1 {
            lowest = one;
        }
    }
    let sum: f64 = values.iter().map(|(_, value)| value).sum();
    let shown = |(date, value): &(String, f64)| json!({"date": date, "value": value});
    let found = json!({
        "from": first.0,
        "to": last.0,
        "values": values.len(),
        "highest": shown(highest),
        "lowest": shown(lowest),
        "mean": sum / values.len() as f64,
    });
    let Value::Object(mut found) = found else {
        return None;
    };
    for (statistic, field) in [
        (Statistic::BestSession, "best_session"),
        (Statistic::WorstSession, "worst_session"),
    ] {
        if reading.statistics.contains(&statistic)
            && let Some(session) = sessions::foremost(&sessions, statistic, kind)
        {
            found.insert(field.to_owned(), session);
        }
    }
    Some(found)
}

/// Adds what the values are about.
fn named(mut statistics: Map<String, Value>, one: &Value, code: &str) -> Value {
    let text = |field: &str| one.get(field).and_then(Value::as_str);
    let name = text("name").or_else(|| text("label")).map(str::to_owned);
    let name = name.or_else(|| name_of_index(code));
    statistics.insert("name".to_owned(), json!(name.as_deref().unwrap_or(code)));
    for field in ["unit", "frequency", "pair"] {
        if let Some(value) = super::of_history(one, field) {
            statistics.insert(field.to_owned(), json!(value));
        }
    }
    Value::Object(statistics)
}

fn name_of_index(symbol: &str) -> Option<String> {
    let id = format!("index:{symbol}");
    let mut all = KnownSeries::all().iter();
    all.find(|known| known.ids.iter().any(|one| *one == id))
        .map(|known| known.name.to_owned())
}

#[cfg(test)]
mod tests {
    use model::Day;
    use query::Names;

    use super::*;

    #[test]
    fn the_worst_session_counts_from_the_value_before_the_time() {
        let reading = query::read(
            "best and worst day of the S&P 500 in 2020",
            Day::parse("2026-11-26").unwrap(),
            &Names::new([]),
        );
        let seen = |date: &str, value: f64| json!({"date": date, "close": value});
        let mut data = json!({"levels": {"^GSPC": {"candles": [
            seen("2019-12-30", 50.0), seen("2019-12-31", 100.0), seen("2020-01-02", 80.0), seen("2020-01-03", 88.0),
            // A week without values is not a session.
            seen("2020-01-13", 10.0), seen("2020-01-14", 0.0), seen("2020-01-15", 5.0)]}}});
        let data = data.as_object_mut().unwrap();
        derive(data, &reading);
        let found = &data["statistics"]["^GSPC"];
        // From zero there is no percentage, so the changes are compared; among those that have one, the fall to zero is
        // the worst.
        assert_eq!(found["worst_session"]["date"], "2020-01-02");
        let with_percentage = &found["worst_session"]["with_percentage"];
        assert_eq!(with_percentage["date"], "2020-01-14");
        assert_eq!(with_percentage["change_pct"], -100.0);
        assert_eq!(found["best_session"]["date"], "2020-01-03");
        assert_eq!(found["values"], 5, "{found}");
    }

    #[test]
    fn only_values_of_the_time_count_and_all_parts_do() {
        let reading = query::read(
            "highest and lowest inflation from 2020 to 2022",
            Day::parse("2026-11-26").unwrap(),
            &Names::new([]),
        );
        assert_eq!(reading.statistics, [Statistic::Highest, Statistic::Lowest]);
        let seen = |date: &str, value: f64| json!({"date": date, "value": value});
        let mut data = json!({
            "economy": {"inflation": {"name": "Inflation", "frequency": "monthly", "unit": "percent", "observations": [
                seen("2023-01-01", 9.9), seen("2022-06-01", 9.0), seen("2021-06-01", 5.0)]}},
            "economy_earlier": {"inflation": {"observations": [seen("2020-05-01", 0.1), seen("2019-05-01", -3.0)]}},
        });
        let data = data.as_object_mut().unwrap();
        derive(data, &reading);
        let found = &data["statistics"]["inflation"];
        assert_eq!(found["highest"], seen("2022-06-01", 9.0));
        assert_eq!(found["lowest"], seen("2020-05-01", 0.1));
        assert_eq!(found["values"], 3);
        assert!((found["mean"].as_f64().unwrap() - 4.7).abs() < 1e-9);
    }
}

//! The performance of prices over a period: from the value known before it to the one at its end, both for single
//! subjects and for whole lists.

use serde_json::{Map, Value, json};

/// The results that are lists: the key, the list in it, the code of an item, its price and its day.
const LISTS: [(&str, &str, &str, &str, &str); 3] = [
    ("commodities", "commodities", "symbol", "price", "date"),
    ("forex", "pairs", "pair", "rate", "date"),
    ("coins", "tokens", "symbol", "price", "updated_at"),
];

/// Adds the change of each index, currency, commodity and coin for which there is an earlier value.
pub(super) fn derive(data: &mut Map<String, Value>) {
    let mut found = Map::new();
    for (key, value) in [("commodities", "price"), ("forex", "rate")] {
        let by_code = data.get(key).and_then(Value::as_object);
        for (code, end) in by_code.into_iter().flatten() {
            let start = data
                .get(&format!("{key}_before"))
                .and_then(|before| before.get(code));
            if let Some(period) = start.and_then(|start| period(start, end, value, "date")) {
                found.insert(code.clone(), period);
            }
        }
    }
    let indices = ("market", "indices", "symbol", "price", "date");
    for list in LISTS.into_iter().chain([indices]) {
        found.extend(of_list(data, list));
    }
    if let Some(dollar) = dollar(data, &found) {
        data.insert("dollar".to_owned(), dollar);
    }
    if !found.is_empty() {
        data.insert("period".to_owned(), Value::Object(found));
    }
}

/// How many of the listed currencies the dollar rose against, and the pairs that moved most in its favour and against
/// it.
fn dollar(data: &Map<String, Value>, periods: &Map<String, Value>) -> Option<Value> {
    let pairs = data.get("forex")?.get("pairs")?.as_array()?;
    let mut moves: Vec<(f64, &str, &Value)> = pairs
        .iter()
        .filter_map(|pair| {
            let code = pair.get("pair")?.as_str()?;
            let period = periods.get(code)?;
            let changed = period.get("change_pct")?.as_f64()?;
            // If the dollar is the second currency of a pair, it loses what the pair gains.
            let for_dollar = if code.starts_with("USD") {
                changed
            } else {
                -changed
            };
            Some((for_dollar, code, period))
        })
        .collect();
    moves.sort_by(|left, right| right.0.total_cmp(&left.0));
    let (best, worst) = (moves.first()?, moves.last()?);
    let shown = |(_, code, period): &(f64, &str, &Value)| json!({"pair": code, "change_pct": period["change_pct"]});
    Some(json!({
        "from": best.2["from"],
        "to": best.2["to"],
        "compared": moves.len(),
        "rose_against": moves.iter().filter(|(moved, ..)| *moved > 0.0).count(),
        "best": shown(best),
        "worst": shown(worst),
    }))
}

fn of_list(
    data: &Map<String, Value>,
    (key, list, code, price, date): (&str, &str, &str, &str, &str),
) -> Vec<(String, Value)> {
    let items = |key: &str| {
        let list = data.get(key).and_then(|all| all.get(list));
        list.and_then(Value::as_array).into_iter().flatten()
    };
    let before = format!("{key}_before");
    items(key)
        .filter_map(|end| {
            let named = end.get(code)?;
            let start = items(&before).find(|start| start.get(code) == Some(named))?;
            Some((named.as_str()?.to_owned(), period(start, end, price, date)?))
        })
        .collect()
}

fn period(start: &Value, end: &Value, price: &str, date: &str) -> Option<Value> {
    let number = |one: &Value| one.get(price).and_then(Value::as_f64);
    let (first, last) = (number(start)?, number(end)?);
    let day = |one: &Value| Some(day_of(one.get(date)?.as_str()?));
    let (from, to) = (day(start)?, day(end)?);
    (from < to).then(|| {
        json!({
            "from": from,
            "to": to,
            "start": first,
            "end": last,
            "change": last - first,
            "change_pct": market::change_pct(first, last),
        })
    })
}

/// The day of a value: what is known at midnight belongs to the day before.
fn day_of(moment: &str) -> String {
    if moment.len() > 10 {
        super::sums::session_of(moment)
    } else {
        moment.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_compared_item_by_item_with_an_earlier_one() {
        let mut data = json!({
            "commodities": {"commodities": [
                {"symbol": "gold", "price": 110.0, "date": "2026-11-25"},
                {"symbol": "corn", "price": 5.0, "date": "2021-06-09"},
            ]},
            "commodities_before": {"commodities": [
                {"symbol": "gold", "price": 100.0, "date": "2025-12-31"},
                {"symbol": "corn", "price": 5.0, "date": "2021-06-09"},
            ]},
            "coins": {"tokens": [{"symbol": "BTC", "price": 80.0, "updated_at": "2026-11-26T09:00:00Z"}]},
            "coins_before": {"tokens": [{"symbol": "BTC", "price": 100.0, "updated_at": "2026-01-01T00:00:00Z"}]},
        });
        let data = data.as_object_mut().unwrap();
        derive(data);
        let change = |code: &str| data["period"][code]["change_pct"].as_f64().unwrap().round();
        assert_eq!(change("gold"), 10.0);
        assert_eq!(change("BTC"), -20.0);
        assert_eq!(data["period"]["BTC"]["from"], "2025-12-31");
        // The same old value is not a change.
        assert!(data["period"].get("corn").is_none());
    }
}

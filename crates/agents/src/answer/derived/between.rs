//! The ratio of two prices, or how far apart they are, on the days on which both are known.

use model::Day;
use query::{Between, Reading, Relation, Series, Statistic};
use serde_json::{Map, Value, json};

/// The most values of a history to keep in the data, the newest ones.
const KEPT: usize = 60;

/// Adds the figure, and removes from the histories what no answer shows.
pub(super) fn derive(data: &mut Map<String, Value>, reading: &Reading) {
    let Some(between) = reading.between else {
        return;
    };
    let [Some(one), Some(other)] = between.of.map(|series| prices(data, series)) else {
        return;
    };
    // The newest prices come first; a monthly mean is not compared with a daily price.
    let pairs = one
        .iter()
        .flat_map(|one| other.iter().map(move |other| (one, other)));
    let mut alike = pairs.filter(|(one, other)| one.frequency == other.frequency);
    let found = alike.find_map(|(one, other)| figure(one, other, &between, reading));
    if let Some(found) = found {
        data.insert("between_both".to_owned(), found);
    }
    for key in ["between", "between_futures"] {
        let by_code = data.get_mut(key).and_then(Value::as_object_mut);
        for list in by_code.into_iter().flat_map(Map::values_mut) {
            for name in ["history", "candles"] {
                if let Some(Value::Array(history)) = list.get_mut(name) {
                    let surplus = history.len().saturating_sub(KEPT);
                    history.drain(..surplus);
                }
            }
        }
    }
}

/// The prices of something.
struct Prices {
    name: String,
    unit: String,
    frequency: String,
    /// Days and prices, oldest first.
    values: Vec<(String, f64)>,
}

fn prices(data: &Map<String, Value>, series: Series) -> Option<Vec<Prices>> {
    let Series::Known(code) = series else {
        return None;
    };
    let found = ["between", "between_futures"]
        .into_iter()
        .filter_map(|key| {
            let one = data.get(key)?.get(code)?;
            let (list, field) = if one.get("candles").is_some() {
                ("candles", "close")
            } else {
                ("history", "value")
            };
            let text = |field: &str| one.get(field).and_then(Value::as_str).map(str::to_owned);
            let of_history = |field: &str| super::of_history(one, field).map(str::to_owned);
            let read = |one: &Value| {
                let date = one.get("date")?.as_str()?.get(..10)?.to_owned();
                Some((date, one.get(field)?.as_f64()?))
            };
            let history = one.get(list)?.as_array()?;
            Some(Prices {
                name: text("name").unwrap_or_else(|| series.name()),
                unit: of_history("unit").unwrap_or_default(),
                frequency: of_history("frequency").unwrap_or_else(|| "daily".to_owned()),
                values: history.iter().filter_map(read).collect(),
            })
        });
    Some(found.collect())
}

fn figure(one: &Prices, other: &Prices, between: &Between, reading: &Reading) -> Option<Value> {
    let Between {
        relation, units, ..
    } = *between;
    // Prices quoted in two different units are not a number of either apart.
    if relation == Relation::Difference && one.unit != other.unit {
        return None;
    }
    // So many pounds are bought at a price per pound, and by a price of what is given for them.
    let counts = |unit: &str, asked: Option<&str>| {
        let said = |asked: &str| {
            let mut words = unit.split(|one: char| !one.is_alphanumeric());
            words.any(|word| word.strip_suffix('s').unwrap_or(word) == asked)
                || asked == "ton" && unit.contains("tonne")
        };
        asked.is_none_or(said)
    };
    let [of_one, of_other] = units;
    if !counts(&one.unit, of_one) || !counts(&other.unit, of_other) {
        return None;
    }
    let figure = |left: f64, right: f64| match relation {
        Relation::Ratio => (left > 0.0 && right > 0.0).then_some(left / right),
        Relation::Difference => Some(left - right),
    };
    let of_both: Vec<(&str, f64, f64)> = one
        .values
        .iter()
        .filter_map(|(date, left)| {
            let place = other
                .values
                .binary_search_by(|(day, _)| day.cmp(date))
                .ok()?;
            Some((date.as_str(), *left, other.values[place].1))
        })
        .collect();
    let when = &reading.when;
    let is_past = !when.is_ahead;
    let to = when.to.filter(|_| is_past).map(|to| to.to_string());
    let from = when.from.filter(|_| is_past).map(|from| from.to_string());
    let until = |date: &str| to.as_deref().is_none_or(|to| date <= to);
    let (date, left, right) = of_both.iter().rfind(|(date, ..)| until(date))?;
    // A period of several days that begins after the last day with both prices has no figure; a monthly mean covers all
    // days of the month.
    let is_of_days = when.from.is_some() && when.from != when.to && is_past;
    let digits = if one.frequency == "daily" { 10 } else { 7 };
    let is_before = |from: &String| date.get(..digits) < from.get(..digits);
    if is_of_days && from.as_ref().is_some_and(is_before) {
        return None;
    }
    let shown = |date: &str, value: f64| json!({"date": date, "value": value});
    let mut found = json!({
        "figure": relation.as_str(),
        "date": date,
        "one": {"name": one.name, "unit": one.unit, "price": left},
        "other": {"name": other.name, "unit": other.unit, "price": right},
        "frequency": one.frequency,
        "value": figure(*left, *right),
        "days": of_both.len(),
    });
    // The day from which it counts, for a period of several days.
    let begins = of_both
        .iter()
        .rfind(|(date, ..)| from.as_deref().is_some_and(|from| *date < from));
    if let Some((date, left, right)) = begins.filter(|_| is_of_days) {
        found["before"] = json!(figure(*left, *right).map(|value| shown(date, value)));
    }
    let within = of_both
        .iter()
        .filter(|(date, ..)| until(date) && from.as_deref().is_none_or(|from| *date >= from));
    let figures: Vec<(&str, f64)> = within
        .filter_map(|(date, left, right)| Some((*date, figure(*left, *right)?)))
        .collect();
    let by_value = |left: &&(&str, f64), right: &&(&str, f64)| left.1.total_cmp(&right.1);
    for (statistic, limit) in [
        (Statistic::Highest, figures.iter().max_by(by_value)),
        (Statistic::Lowest, figures.iter().min_by(by_value)),
    ] {
        if let Some((date, value)) = limit.filter(|_| reading.statistics.contains(&statistic)) {
            found[statistic.as_str()] = shown(date, *value);
        }
    }
    if reading.statistics.contains(&Statistic::Mean) && !figures.is_empty() {
        let sum: f64 = figures.iter().map(|(_, value)| value).sum();
        found["mean"] = json!(sum / figures.len() as f64);
    }
    // A day long before the one that is asked about says nothing about it.
    let asked = when.to.filter(|_| is_past && when.from == when.to);
    let apart = asked.and_then(|asked| Some(asked.since(Day::parse(date)?)));
    apart
        .is_none_or(|apart| apart <= crate::answer::NEAR)
        .then_some(found)
}

#[cfg(test)]
mod tests {
    use query::Names;

    use super::*;

    fn derived(question: &str, mut data: Value) -> Value {
        let today = Day::parse("2026-11-26").unwrap();
        let reading = query::read(question, today, &Names::new([]));
        let data = data.as_object_mut().unwrap();
        derive(data, &reading);
        data.get("between_both").cloned().unwrap_or_default()
    }

    fn of(unit: &str, frequency: &str, values: &[(&str, f64)]) -> Value {
        let seen = values
            .iter()
            .map(|(date, value)| json!({"date": date, "value": value}));
        json!({"unit": unit, "frequency": frequency, "history": seen.collect::<Vec<_>>()})
    }

    #[test]
    fn a_mean_of_a_month_is_not_divided_by_the_price_of_a_day() {
        let ounce = "USD per troy ounce";
        let found = derived(
            "what is the gold/silver ratio?",
            json!({
                "between": {
                    "gold": of(ounce, "monthly", &[("2024-04-01", 2_300.0), ("2026-06-01", 4_228.0)]),
                    "silver": of(ounce, "daily", &[("2024-04-01", 25.0), ("2024-04-17", 28.0)]),
                },
                "between_futures": {
                    "gold": of(ounce, "daily", &[("2024-04-16", 2_400.0), ("2024-04-17", 2_380.0)]),
                    "silver": of(ounce, "daily", &[("2024-04-17", 28.0)]),
                },
            }),
        );
        assert_eq!(found["date"], "2024-04-17");
        assert_eq!(found["value"], 85.0);
    }

    #[test]
    fn a_ratio_needs_prices_above_zero_and_a_difference_one_unit() {
        let barrel = "USD per barrel";
        let oil = json!({"between": {
            "brent": of(barrel, "daily", &[("2020-04-20", 17.5)]),
            "crude": of(barrel, "daily", &[("2020-04-20", -37.0)]),
        }});
        let ratio = derived("ratio of Brent to WTI on 20 April 2020", oil.clone());
        assert!(ratio["value"].is_null(), "{ratio}");
        assert_eq!(ratio["other"]["price"], -37.0);
        let spread = derived("spread of Brent over WTI on 20 April 2020", oil);
        assert_eq!(spread["value"], 54.5);
        let mixed = json!({"between": {
            "gold": of("USD per troy ounce", "daily", &[("2020-04-20", 1_700.0)]),
            "crude": of(barrel, "daily", &[("2020-04-20", 10.0)]),
        }});
        let apart = derived("difference between gold and WTI on 20 April 2020", mixed);
        assert!(apart.is_null(), "{apart}");
    }

    #[test]
    fn a_number_of_units_needs_prices_of_these_and_a_time_values_in_it() {
        let ounce = "USD per troy ounce";
        let gold = of(
            ounce,
            "daily",
            &[("2024-12-27", 2_600.0), ("2024-12-28", 2_610.0)],
        );
        let other = |code: &str, unit: &str| json!({"between": {"gold": gold, code: of(unit, "daily", &[("2024-12-27", 8_000.0), ("2024-12-28", 30.0)])}});
        let pounds = "How many pounds of copper buy an ounce of gold?";
        let found = derived(pounds, other("copper", "USD per metric ton"));
        assert!(found.is_null(), "{found}");
        let found = derived(pounds, other("copper", "USD per pound"));
        assert_eq!(found["value"], 87.0);
        let found = derived("gold/silver ratio in 2025", other("silver", ounce));
        assert!(found.is_null(), "{found}");
        let found = derived("gold/silver ratio in 2024", other("silver", ounce));
        assert_eq!(found["value"], 87.0);
        // A history from a different series than the newest price has its own unit.
        let mut of_futures = other("copper", "USD per metric ton");
        of_futures["between"]["copper"]["history_of"] =
            json!({"unit": "USD per pound", "frequency": "daily"});
        assert_eq!(derived(pounds, of_futures)["value"], 87.0);
    }

    #[test]
    fn limits_are_those_of_days_with_both_prices() {
        let ounce = "USD per troy ounce";
        let found = derived(
            "highest gold/silver ratio in March 2020",
            json!({"between": {
                "gold": of(ounce, "daily", &[("2020-02-28", 1_000.0), ("2020-03-18", 1_200.0), ("2020-03-19", 9_999.0), ("2020-03-31", 1_500.0)]),
                "silver": of(ounce, "daily", &[("2020-02-28", 1.0), ("2020-03-18", 10.0), ("2020-03-31", 15.0)]),
            }}),
        );
        assert_eq!(
            found["highest"],
            json!({"date": "2020-03-18", "value": 120.0})
        );
        assert_eq!(
            found["before"],
            json!({"date": "2020-02-28", "value": 1000.0})
        );
        assert_eq!(
            (&found["date"], &found["value"]),
            (&json!("2020-03-31"), &json!(100.0))
        );
    }
}

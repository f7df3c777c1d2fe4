//! Converted sums and valued positions.

use model::Day;
use query::{Conversion, GivenEnd, Position, Reading, Size};
use serde_json::{Map, Value, json};

use crate::plan::{Leg, closes_of_end, route};

/// Adds the converted sum and the valued positions of the question.
pub(super) fn derive(data: &mut Map<String, Value>, reading: &Reading) {
    convert(data, reading);
    convert_coins(data, reading);
    let is_divided = reading.instruments.len() > 1;
    let valued: Vec<(String, Value)> = reading
        .positions
        .iter()
        .filter_map(|position| {
            let symbol = position.symbol.as_str();
            let found = Sources {
                data,
                symbol,
                is_divided,
            };
            let mut instruments = reading.instruments.iter();
            let instrument = instruments.find(|one| one.symbol == position.symbol)?;
            let own = instrument.currency.as_str();
            let mut value = valued(&found, position, own)?;
            let to = crate::plan::shown_in(reading);
            if let Some(to) = to.filter(|to| *to != own) {
                in_currency(data, &mut value, own, to);
            }
            Some((symbol.to_owned(), value))
        })
        .collect();
    if valued.is_empty() {
        return;
    }
    let whole = if is_divided {
        let mut by_symbol: Map<String, Value> = Map::new();
        by_symbol.extend(valued);
        let is_converted = |(symbol, one): (&String, &Value)| {
            let mut instruments = reading.instruments.iter();
            let own = instruments.find(|one| one.symbol.as_str() == symbol);
            let shown = crate::plan::shown_in(reading);
            shown.is_none_or(|shown| own.is_some_and(|own| own.currency == shown))
                || one.get("converted").is_some()
        };
        // Values in different currencies do not add up.
        if by_symbol.iter().all(is_converted) {
            weigh(&mut by_symbol);
        }
        Value::Object(by_symbol)
    } else {
        valued
            .into_iter()
            .map(|(_, value)| value)
            .next()
            .unwrap_or_default()
    };
    data.insert("position".to_owned(), whole);
}

/// Adds the converted sum. Several sums to one currency each get a value, and a total; one sum to several currencies
/// gets a value for each that has a rate.
fn convert(data: &mut Map<String, Value>, reading: &Reading) {
    let asked = &reading.conversions;
    let found = asked.iter().filter_map(|one| converted(data, *one));
    let found: Vec<Value> = found.collect();
    let dates = found.iter().filter_map(|one| one.get("date")?.as_str());
    let date = dates.min();
    match (&asked[..], &found[..]) {
        (_, []) => {}
        ([_], [one]) => {
            data.insert("conversion".to_owned(), one.clone());
        }
        _ if !reading.converts_to_one() => {
            let each = json!({"date": date, "sums": found});
            data.insert("conversions".to_owned(), each);
        }
        _ if found.len() == asked.len() => {
            let results = found.iter().filter_map(|one| one.get("result")?.as_f64());
            let total = json!({
                "to": asked[0].to,
                "result": results.sum::<f64>(),
                "date": date,
                "sums": found,
            });
            data.insert("conversions".to_owned(), total);
        }
        _ => {}
    }
}

/// Adds the value of an amount of one coin in another, by their prices in the same currency.
fn convert_coins(data: &mut Map<String, Value>, reading: &Reading) {
    let Some(asked) = &reading.coin_conversion else {
        return;
    };
    let coins = [&asked.from, &asked.to].map(|symbol| {
        let mut instruments = reading.instruments.iter();
        let currency = &instruments.find(|one| one.symbol == *symbol)?.currency;
        let found = Sources {
            data,
            symbol: symbol.as_str(),
            is_divided: true,
        };
        Some((found.newest()?, currency))
    });
    let [Some((from, currency)), Some((to, other))] = coins else {
        return;
    };
    if currency != other {
        return;
    }
    let rate = from.price / to.price;
    let converted = json!({
        "amount": asked.amount,
        "from": asked.from.as_str(),
        "to": asked.to.as_str(),
        "from_price": from.price,
        "to_price": to.price,
        "currency": currency,
        "rate": rate,
        "result": asked.amount * rate,
        "date": from.date.min(to.date),
    });
    data.insert("coin_conversion".to_owned(), converted);
}

/// The exchange rate from one currency to another at the newest rates among the results, with the oldest day among
/// them.
fn newest_rate(data: &Map<String, Value>, from: &str, to: &str) -> Option<(f64, Option<String>)> {
    if from == to {
        return Some((1.0, None));
    }
    let rates = data.get("forex")?.as_object()?;
    let (rate, date, _) = rate(rates, &route(from, to)?)?;
    Some((rate, Some(date)))
}

/// The rate along a route with its oldest day, and the rates it is composed of.
fn rate(rates: &Map<String, Value>, legs: &[Leg]) -> Option<(f64, String, Vec<Value>)> {
    let mut product = 1.0;
    let mut oldest: Option<&str> = None;
    let mut route = Vec::new();
    for leg in legs {
        let one = rates.get(leg.pair)?;
        let rate = one
            .get("rate")
            .and_then(Value::as_f64)
            .filter(|rate| *rate > 0.0)?;
        let date = one.get("date").and_then(Value::as_str)?;
        product *= if leg.is_inverse { rate.recip() } else { rate };
        oldest = Some(oldest.map_or(date, |known| known.min(date)));
        route.push(json!({"pair": leg.pair, "rate": rate, "date": date}));
    }
    Some((product, oldest?.to_owned(), route))
}

fn converted(data: &Map<String, Value>, asked: Conversion) -> Option<Value> {
    if asked.from == asked.to {
        return Some(json!({
            "amount": asked.amount,
            "from": asked.from,
            "to": asked.to,
            "rate": 1.0,
            "result": asked.amount,
            "route": [],
        }));
    }
    let legs = route(asked.from, asked.to)?;
    let rates = |key: &str| data.get(key).and_then(Value::as_object);
    let (now, date, route) = rate(rates("forex")?, &legs)?;
    let mut converted = json!({
        "amount": asked.amount,
        "from": asked.from,
        "to": asked.to,
        "rate": now,
        "date": date,
        "result": asked.amount * now,
        "route": route,
    });
    let before = rates("forex_before").and_then(|rates| rate(rates, &legs));
    if let (Some((then, since, _)), Value::Object(fields)) = (before, &mut converted)
        && since < date
    {
        fields.insert(
            "period".to_owned(),
            json!({"from": since, "to": date, "start": then, "end": now, "change_pct": (now / then - 1.0) * 100.0}),
        );
    }
    Some(converted)
}

/// The results about one instrument.
struct Sources<'a> {
    data: &'a Map<String, Value>,
    symbol: &'a str,
    is_divided: bool,
}

/// A price and its day.
struct Priced {
    price: f64,
    date: String,
}

impl Sources<'_> {
    fn of(&self, key: &str) -> Option<&Value> {
        let value = self.data.get(key)?;
        if self.is_divided {
            value.get(self.symbol)
        } else {
            Some(value)
        }
    }

    fn newest(&self) -> Option<Priced> {
        let one = self.of("price").or_else(|| self.of("coin"))?;
        Some(Priced {
            price: one.get("price")?.as_f64().filter(|price| *price > 0.0)?,
            date: session_of(one.get("updated_at")?.as_str()?),
        })
    }

    /// The closes under a key, in order.
    fn closes(&self, key: &str) -> Vec<(Day, f64)> {
        let candles = self.of(key).and_then(|one| one.get("candles"));
        let candles = candles.and_then(Value::as_array).into_iter().flatten();
        let close = |candle: &Value| {
            let day = Day::parse(candle.get("date")?.as_str()?)?;
            Some((day, candle.get("close")?.as_f64().filter(|one| *one > 0.0)?))
        };
        candles.filter_map(close).collect()
    }
}

/// The day whose close a time refers to: what is known at midnight belongs to the day before.
pub(super) fn session_of(moment: &str) -> String {
    let day = moment.get(..10).unwrap_or(moment);
    let is_midnight = moment.get(10..19) == Some("T00:00:00");
    match Day::parse(day) {
        Some(day) if is_midnight => day.plus(-1).to_string(),
        _ => day.to_owned(),
    }
}

/// Adds the value of a position in another currency, if there is a rate.
fn in_currency(data: &Map<String, Value>, position: &mut Value, own: &str, to: &str) {
    let value = position.get("value").and_then(Value::as_f64);
    let found = value.zip(newest_rate(data, own, to));
    if let (Some((value, (rate, date))), Value::Object(fields)) = (found, position) {
        fields.insert(
            "converted".to_owned(),
            json!({"currency": to, "value": value * rate, "rate": rate, "date": date}),
        );
    }
}

fn valued(found: &Sources<'_>, position: &Position, own: &str) -> Option<Value> {
    let mut fields = Map::new();
    let mut note = |name: &str, value: Value| fields.insert(name.to_owned(), value);
    let bought = match position.bought {
        Some(days) => Some(purchase(&found.closes("bought"), days, &mut note)?),
        None => None,
    };
    let last = match position.end() {
        Some((from, to)) => {
            let closes = found.closes(closes_of_end(position));
            let (day, price) = within(&closes, (from, to)).last().copied().or_else(|| {
                let before = closes.iter().rfind(|(day, _)| *day <= to);
                before.copied()
            })?;
            Priced {
                price,
                date: day.to_string(),
            }
        }
        None => found.newest()?,
    };
    let newest = last.price;
    let last = match position.given {
        Some(given) => {
            note("newest_price", json!(last.price));
            let price = match given {
                GivenEnd::Sold(price) | GivenEnd::At(price) => price,
                GivenEnd::By(percent) => last.price * (1.0 + percent / 100.0),
            };
            Priced { price, ..last }
        }
        None => last,
    };
    note("price", json!(last.price));
    note("date", json!(last.date));
    let paid = position.paid.or(bought);
    let units = match (position.size, paid) {
        (Size::Units(units), _) => Some(units),
        // Money at that time buys at the price then, otherwise at the current one.
        (Size::Money(sum, currency), paid) => {
            note("invested", json!(sum));
            note("invested_currency", json!(currency));
            let (rate, date) = newest_rate(found.data, currency, own)?;
            if let Some(date) = date {
                note("invested_rate", json!(rate));
                note("invested_rate_date", json!(date));
            }
            Some(sum * rate / paid.unwrap_or(newest))
        }
        (Size::Unsaid, _) => None,
    };
    if let Some(units) = units {
        note("units", json!(units));
        note("value", json!(units * last.price));
    }
    if let Some(paid) = paid {
        note("paid", json!(paid));
        note("change_pct", json!((last.price / paid - 1.0) * 100.0));
        note("gain_per_unit", json!(last.price - paid));
        if let Some(units) = units {
            note("cost", json!(units * paid));
            note("gain", json!(units * (last.price - paid)));
        }
    }
    Some(Value::Object(fields))
}

fn within(closes: &[(Day, f64)], (from, to): (Day, Day)) -> &[(Day, f64)] {
    let first = closes.partition_point(|(day, _)| *day < from);
    let next = closes.partition_point(|(day, _)| *day <= to);
    &closes[first..next.max(first)]
}

/// The price of a purchase within a range of days: their first close, or the last one before them if none falls on
/// them. If there are several, the lowest and the highest are noted.
fn purchase(
    closes: &[(Day, f64)],
    days: (Day, Day),
    note: &mut impl FnMut(&str, Value) -> Option<Value>,
) -> Option<f64> {
    let of_time = within(closes, days);
    let before = || closes.iter().rfind(|(day, _)| *day < days.0);
    let (day, price) = of_time.first().or_else(before).copied()?;
    note("bought_on", json!(day.to_string()));
    let lowest = of_time.iter().min_by(|a, b| a.1.total_cmp(&b.1));
    let highest = of_time.iter().max_by(|a, b| a.1.total_cmp(&b.1));
    if let (Some((low_day, low)), Some((high_day, high)), true) =
        (lowest, highest, of_time.len() > 1)
    {
        note("lowest_close", json!(low));
        note("lowest_close_date", json!(low_day.to_string()));
        note("highest_close", json!(high));
        note("highest_close_date", json!(high_day.to_string()));
    }
    Some(price)
}

/// The share of each position in the total value, in percent; only if every one has a value.
fn weigh(by_symbol: &mut Map<String, Value>) {
    // If a position has a value in a currency that all are shown in, that one counts.
    let value = |one: &Value| {
        let converted = one.pointer("/converted/value");
        converted
            .or_else(|| one.get("value"))
            .and_then(Value::as_f64)
    };
    let values: Vec<Option<f64>> = by_symbol.values().map(value).collect();
    let Some(total) = values
        .into_iter()
        .sum::<Option<f64>>()
        .filter(|sum| *sum > 0.0)
    else {
        return;
    };
    for one in by_symbol.values_mut() {
        if let (Some(of_one), Value::Object(fields)) = (value(one), one) {
            fields.insert("weight_pct".to_owned(), json!(of_one / total * 100.0));
            fields.insert("total".to_owned(), json!(total));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cross_rate_is_made_of_both_rates_and_of_the_older_day() {
        let rates = json!({
            "EURUSD": {"rate": 1.25, "date": "2026-11-20"},
            "USDJPY": {"rate": 160.0, "date": "2026-11-19"},
        });
        let data = json!({"forex": rates});
        let asked = Conversion {
            amount: 100.0,
            is_said: true,
            from: "EUR",
            to: "JPY",
        };
        let made = converted(data.as_object().unwrap(), asked).unwrap();
        assert_eq!(made["result"], 20_000.0);
        assert_eq!(made["date"], "2026-11-19");
        let turned = Conversion {
            from: "JPY",
            to: "EUR",
            ..asked
        };
        let made = converted(data.as_object().unwrap(), turned).unwrap();
        let rate = made["rate"].as_f64().unwrap();
        assert!((rate - 0.005).abs() < 1e-12, "{rate}");
    }

    #[test]
    fn a_position_has_the_worth_of_the_time_that_is_asked_about() {
        let day = |text: &str| Day::parse(text).unwrap();
        let candle = |date: &str, close: f64| json!({"date": date, "close": close});
        let data = json!({
            "bought": {"candles": [candle("2021-01-04", 100.0)]},
            "valued": {"candles": [candle("2022-12-29", 120.0), candle("2022-12-30", 130.0), candle("2023-01-03", 140.0)]},
            "price": {"price": 200.0, "updated_at": "2025-07-07T20:00:00Z"},
        });
        let (then, end) = (day("2021-01-04"), day("2022-12-31"));
        let position = Position {
            symbol: model::Symbol::parse("AAPL").unwrap(),
            size: Size::Money(10_000.0, "USD"),
            paid: None,
            bought: Some((then, then)),
            sold: None,
            valued: Some((end, end)),
            given: None,
        };
        let found = Sources {
            data: data.as_object().unwrap(),
            symbol: "AAPL",
            is_divided: false,
        };
        let found = valued(&found, &position, "USD").unwrap();
        assert_eq!(found["value"], 13_000.0);
        assert_eq!(found["date"], "2022-12-30");
    }

    #[test]
    fn a_purchase_takes_the_first_close_of_its_time_or_the_last_before_it() {
        let day = |text: &str| Day::parse(text).unwrap();
        let closes = [
            (day("2020-02-28"), 9.0),
            (day("2020-03-02"), 10.0),
            (day("2020-03-16"), 5.0),
            (day("2020-04-01"), 12.0),
        ];
        let mut seen = Map::new();
        let mut note = |name: &str, value: Value| seen.insert(name.to_owned(), value);
        let march = (day("2020-03-01"), day("2020-03-31"));
        assert_eq!(purchase(&closes, march, &mut note), Some(10.0));
        let sunday = (day("2020-03-01"), day("2020-03-01"));
        assert_eq!(purchase(&closes, sunday, &mut |_, _| None), Some(9.0));
        assert_eq!(purchase(&[], march, &mut |_, _| None), None);
        assert_eq!(seen["lowest_close"], 5.0);
        assert_eq!(seen["highest_close_date"], "2020-03-02");
    }
}

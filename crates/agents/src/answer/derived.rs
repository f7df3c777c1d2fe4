//! Figures computed from results: they are placed in `data` next to what they were computed from.

mod between;
mod crossings;
mod periods;
mod sessions;
mod statistics;
mod sums;
mod together;
mod yields;

pub(super) use crossings::other_currency;

use model::Day;
use query::{LookUp, Reach, Reading};
use serde_json::{Map, Value, json};

use crate::figures;

/// Number of sessions whose mean is the usual volume.
const USUAL_SESSIONS: usize = 20;
/// Days of prices if no time is named.
const USUAL_DAYS: i32 = 365;
/// Sessions in a year, and days for instruments that trade every day.
const SESSIONS: f64 = 252.0;
const DAYS: f64 = 365.0;

/// Adds what follows from the results.
pub fn derive(data: &mut Map<String, Value>, reading: &Reading) {
    each(data, "candles", "performance", |candles| {
        performance(candles, reading)
    });
    each(data, "chart", "performance", |chart| {
        performance(&of_chart(chart), reading)
    });
    crossings::derive(data, reading);
    if reading.reach == Reach::Held
        && let Some(candles) = data.get_mut("candles")
    {
        crossings::shorten(candles);
    }
    if let Some(full) = data.get_mut("full") {
        surprises(full);
    }
    if !reading.holdings.is_empty() {
        let held = holdings(data, reading);
        data.insert("holdings".to_owned(), held);
    }
    together::derive(data, reading);
    yields::derive(data, reading);
    between::derive(data, reading);
    statistics::derive(data, reading);
    periods::derive(data);
    growth(data, reading);
    sums::derive(data, reading);
    let prices = data.get("price").cloned();
    if let Some(analysts) = data.get_mut("analysts") {
        upside(analysts, prices.as_ref());
    }
}

/// The weights of the holdings, and whether the trade signal of each one is against it.
fn holdings(data: &Map<String, Value>, reading: &Reading) -> Value {
    let is_one = reading.holdings.len() == 1;
    let held = reading.holdings.iter().map(|holding| {
        let symbol = holding.symbol.as_str();
        let analysis = data.get("analysis");
        let analysis = analysis.and_then(|all| if is_one { Some(all) } else { all.get(symbol) });
        let score = analysis
            .and_then(|one| one.pointer("/trade_signal/score"))
            .and_then(Value::as_u64);
        json!({
            "ticker": symbol,
            "weight_pct": holding.weight * 100.0,
            "direction": if holding.is_short { "short" } else { "long" },
            "has_signal": score.is_some(),
            "is_against_signal": score.is_some_and(|score| is_against(score, holding.is_short)),
        })
    });
    Value::Array(held.collect())
}

/// Whether a score is against a position: what is bad for a holding is good for somebody who sold it short.
pub(super) fn is_against(score: u64, is_short: bool) -> bool {
    if is_short { score >= 58 } else { score <= 42 }
}

/// How often a company earned more or less than expected; by symbol if there are several companies.
fn surprises(full: &mut Value) {
    let Some(earnings) = full.get_mut("earnings").and_then(Value::as_object_mut) else {
        let by_symbol = full.as_object_mut().into_iter().flat_map(Map::values_mut);
        by_symbol
            .filter(|one| one.get("earnings").is_some())
            .for_each(surprises);
        return;
    };
    let history = earnings.get("surprise_history").and_then(Value::as_array);
    let surprises: Vec<f64> = history
        .into_iter()
        .flatten()
        .filter_map(|one| one.get("surprise_pct")?.as_f64())
        .collect();
    let beaten = surprises.iter().filter(|by| **by >= 0.005).count();
    let missed = surprises.iter().filter(|by| **by <= -0.005).count();
    earnings.insert("times_beaten".to_owned(), json!(beaten));
    earnings.insert("times_missed".to_owned(), json!(missed));
}

/// A text about the values of a history: for a commodity they may come from a different series than its newest price.
pub(super) fn of_history<'a>(one: &'a Value, field: &str) -> Option<&'a str> {
    let own = one.get("history_of").and_then(|own| own.get(field));
    own.or_else(|| one.get(field)).and_then(Value::as_str)
}

/// How far the newest value of each indicator is from the previous one and from the one a year earlier, in percent. A
/// rate does not grow by a percentage of itself.
///
/// If a period is asked about, `since` is the value at its beginning and how far the last one in it is from that.
fn growth(data: &mut Map<String, Value>, reading: &Reading) {
    let Some(Value::Object(economy)) = data.get_mut("economy") else {
        return;
    };
    for one in economy.values_mut() {
        let unit = one.get("unit").and_then(Value::as_str).unwrap_or_default();
        let is_rate = unit.to_lowercase().contains("percent") || unit.contains('%');
        let frequency = one.get("frequency").and_then(Value::as_str);
        let frequency = frequency.unwrap_or_default();
        let observations = one.get("observations").and_then(Value::as_array);
        // The newest value in the period that is asked about.
        let until = reading.when.to.filter(|_| !reading.when.is_ahead);
        let until = until.map(|until| until.to_string());
        let seen: Vec<(&str, f64)> = observations
            .into_iter()
            .flatten()
            .filter_map(|one| Some((one.get("date")?.as_str()?, one.get("value")?.as_f64()?)))
            .skip_while(|(date, _)| until.as_deref().is_some_and(|until| *date > until))
            .collect();
        let newest = seen.first().copied();
        // A month for which nothing was published does not count as a step.
        let previous = newest
            .zip(seen.get(1).copied())
            .and_then(|(newest, before)| {
                figures::follows_on(newest.0, before.0, frequency).then_some(before.1)
            });
        let a_year = newest.and_then(|(date, _)| {
            let then = figures::a_year_before(date)?;
            let mut of_then = seen.iter().filter(|(date, _)| *date == then);
            matches!(frequency, "monthly" | "quarterly")
                .then(|| of_then.next().map(|(_, value)| *value))?
        });
        let grew = |then: Option<f64>| {
            let (now, then) = (newest?.1, then?);
            (then > 0.0 && !is_rate).then(|| (now / then - 1.0) * 100.0)
        };
        // For jobs the change is the number added.
        let is_counted = unit.to_lowercase().contains("thousand");
        let more = newest.zip(previous).map(|((_, now), then)| now - then);
        let found = [
            ("change_from_previous_pct", grew(previous)),
            ("change_from_previous", more.filter(|_| is_counted)),
            ("change_from_year_before_pct", grew(a_year)),
        ];
        let since = since(one, reading);
        if let Value::Object(fields) = one {
            for (name, value) in found {
                if let Some(value) = value {
                    fields.insert(name.to_owned(), json!(value));
                }
            }
            if let Some(since) = since {
                fields.insert("since".to_owned(), since);
            }
        }
    }
}

/// The value of a series at the beginning of the period that is asked about, and how far the last one in it is from
/// that.
fn since(one: &Value, reading: &Reading) -> Option<Value> {
    let when = &reading.when;
    let from = when.from.filter(|_| !when.is_ahead)?.to_string();
    let until = when.to.map(|to| to.to_string());
    let observations = one.get("observations")?.as_array()?;
    let read = |one: &'_ Value| {
        let date = one.get("date")?.as_str()?.to_owned();
        Some((date, one.get("value")?.as_f64()?))
    };
    let seen: Vec<(String, f64)> = observations.iter().filter_map(read).collect();
    let last = seen
        .iter()
        .find(|(date, _)| until.as_ref().is_none_or(|until| date <= until))?;
    // `over the last three months`: as many before the newest value, which is a month or two old.
    let is_of_months = matches!(
        one.get("frequency").and_then(Value::as_str),
        Some("monthly" | "quarterly")
    );
    let back = when.months.filter(|_| is_of_months && until.is_none());
    let from = back
        .and_then(|months| {
            let last = Day::parse(&last.0)?;
            Some(last.months_before(i32::try_from(months).ok()?).to_string())
        })
        .unwrap_or(from);
    let first = seen.iter().find(|(date, _)| *date <= from)?;
    (first.0 < last.0).then(|| {
        json!({
            "date": first.0,
            "value": first.1,
            "change": last.1 - first.1,
            "change_pct": (first.1 > 0.0).then(|| (last.1 / first.1 - 1.0) * 100.0),
        })
    })
}

/// Converts each result under one key into one under another, if it gives any.
fn each(
    data: &mut Map<String, Value>,
    from: &str,
    to: &str,
    make: impl Fn(&Value) -> Option<Value>,
) {
    let Some(source) = data.get(from) else {
        return;
    };
    let lists = ["candles", "prices"];
    let made = if lists
        .iter()
        .any(|list| source.get(list).is_some_and(Value::is_array))
    {
        make(source)
    } else {
        let by_symbol = source.as_object().into_iter().flatten();
        let made: Map<String, Value> = by_symbol
            .filter_map(|(symbol, one)| Some((symbol.clone(), make(one)?)))
            .collect();
        (!made.is_empty()).then_some(Value::Object(made))
    };
    match (made, data.get_mut(to)) {
        // Shares and coins in the same question.
        (Some(Value::Object(made)), Some(Value::Object(known))) => known.extend(made),
        (Some(made), _) => {
            data.insert(to.to_owned(), made);
        }
        (None, _) => {}
    }
}

/// One candle.
struct Bar {
    day: Day,
    date: String,
    open: Option<f64>,
    high: f64,
    low: f64,
    close: f64,
    volume: f64,
}

fn bars(candles: &Value) -> Vec<Bar> {
    let list = candles.get("candles").and_then(Value::as_array);
    let bar = |candle: &Value| {
        let number = |name: &str| candle.get(name).and_then(Value::as_f64);
        let date = candle.get("date")?.as_str()?;
        Some(Bar {
            day: Day::parse(date)?,
            date: date.to_owned(),
            open: number("open"),
            high: number("high")?,
            low: number("low")?,
            close: number("close")?,
            volume: number("volume").unwrap_or_default(),
        })
    };
    list.into_iter().flatten().filter_map(bar).collect()
}

/// The prices of a coin as candles: each daily price is open, high, low and close.
fn of_chart(chart: &Value) -> Value {
    let prices = chart.get("prices").and_then(Value::as_array);
    let candles: Vec<Value> = prices
        .into_iter()
        .flatten()
        .filter_map(|one| {
            let date = one.get("date")?.as_str()?.get(..10)?;
            let price = one.get("price")?;
            Some(json!({"date": date, "high": price, "low": price, "close": price}))
        })
        .collect();
    json!({"candles": candles})
}

/// The performance of the price over the period that was asked for, and in its last session.
fn performance(candles: &Value, reading: &Reading) -> Option<Value> {
    let all = bars(candles);
    let when = &reading.when;
    let until = when.to.filter(|_| !when.is_ahead);
    let end = all
        .iter()
        .rposition(|bar| until.is_none_or(|until| bar.day <= until))?;
    // The change over a period counts from the close before it. Without a period, a year.
    let said = when.from.filter(|_| !when.is_ahead);
    let from = match reading.reach {
        Reach::Held => all[0].day,
        Reach::Year => all[end].day.plus(-USUAL_DAYS),
        Reach::Named => said.unwrap_or_else(|| all[end].day.plus(-USUAL_DAYS)),
    };
    // A period that begins with one named day counts from the close on that day.
    let is_of_day = reading.reach == Reach::Named && said.is_some() && when.begins_on_day;
    let begin = all[..=end]
        .iter()
        .rposition(|bar| bar.day < from || is_of_day && bar.day == from)
        .unwrap_or_default();
    let (first, last) = (&all[begin], &all[end]);
    // The first close is only the starting point of the change; for the whole history on record it is part of the
    // period.
    let is_of_all = reading.reach == Reach::Held;
    let window = &all[(begin + usize::from(!is_of_all)).min(end)..=end];
    let high = window.iter().max_by(|a, b| a.high.total_cmp(&b.high))?;
    let low = window.iter().min_by(|a, b| a.low.total_cmp(&b.low))?;
    let high_close = window.iter().max_by(|a, b| a.close.total_cmp(&b.close))?;
    let low_close = window.iter().min_by(|a, b| a.close.total_cmp(&b.close))?;
    let changes: Vec<(&Bar, f64)> = all[begin..=end]
        .windows(2)
        .map(|pair| (&pair[1], (pair[1].close / pair[0].close - 1.0) * 100.0))
        .collect();
    let first_of = |order: &dyn Fn(f64, f64) -> bool| {
        let mut found: Option<(&Bar, f64)> = None;
        for (bar, changed) in &changes {
            if found.is_none_or(|(_, known)| order(*changed, known)) {
                found = Some((bar, *changed));
            }
        }
        found.map(|(bar, changed)| json!({"date": bar.date, "change_pct": changed}))
    };
    // The first of all sessions in an order, as many as the question asks for.
    let most = reading.at_most.unwrap_or_default();
    let foremost = |is_best: bool| -> Vec<Value> {
        let mut all: Vec<&(&Bar, f64)> = changes.iter().collect();
        all.sort_by(|(_, one), (_, other)| one.total_cmp(other));
        if is_best {
            all.reverse();
        }
        let first = all.into_iter().take(most);
        first
            .map(|(bar, changed)| json!({"date": bar.date, "change_pct": changed}))
            .collect()
    };
    let (best_sessions, worst_sessions) = (foremost(true), foremost(false));
    let deviation = deviation(&changes);
    let a_year = if all.iter().any(|bar| bar.day.is_weekend()) {
        DAYS
    } else {
        SESSIONS
    };
    let mut peak = f64::MIN;
    let mut drawdown: f64 = 0.0;
    // The price may also fall from the close that the change counts from.
    for bar in &all[begin..=end] {
        peak = peak.max(bar.close);
        drawdown = drawdown.min(bar.close / peak - 1.0);
    }
    let mean_close = (reading.look_up == Some(LookUp::Mean))
        .then(|| mean_close(&all[..=end], from))
        .flatten();
    let before = end.checked_sub(1).map(|before| &all[before]);
    let usual = &all[end.saturating_sub(USUAL_SESSIONS)..end];
    let mean = usual.iter().map(|bar| bar.volume).sum::<f64>() / usual.len().max(1) as f64;
    let mut told = json!({
        "from": first.date,
        "to": last.date,
        "start": first.close,
        "end": last.close,
        "change_pct": (end > begin).then(|| (last.close / first.close - 1.0) * 100.0),
        "high": high.high,
        "high_date": high.date,
        "below_high_pct": (1.0 - last.close / high.high) * 100.0,
        "above_low_pct": (last.close / low.low - 1.0) * 100.0,
        "low": low.low,
        "low_date": low.date,
        "high_close": high_close.close,
        "high_close_date": high_close.date,
        "below_high_close_pct": (1.0 - last.close / high_close.close) * 100.0,
        "low_close": low_close.close,
        "low_close_date": low_close.date,
        "above_low_close_pct": (last.close / low_close.close - 1.0) * 100.0,
        "limits_from": window[0].date,
        "max_drawdown_pct": drawdown * 100.0,
        "sessions": end - begin,
        "largest_session": first_of(&|one, known| one.abs() > known.abs()),
        "best_session": first_of(&|one, known| one > known),
        "worst_session": first_of(&|one, known| one < known),
        "best_sessions": best_sessions,
        "worst_sessions": worst_sessions,
        "daily_deviation_pct": deviation,
        "volatility_pct": deviation.map(|deviation| deviation * f64::sqrt(a_year)),
        "last_session": {
            "date": last.date,
            "open": last.open,
            "high": last.high,
            "low": last.low,
            "close": last.close,
            "previous_close": before.map(|bar| bar.close),
            "change_pct": before.map(|bar| (last.close / bar.close - 1.0) * 100.0),
            // If there is no volume at all for so long, the series has no volumes.
            "volume": (mean + last.volume > 0.0).then_some(last.volume),
            "volume_ratio": (usual.len() == USUAL_SESSIONS && mean > 0.0).then(|| last.volume / mean),
        },
    });
    if let Some(mean) = mean_close {
        told["mean"] = mean;
    }
    let volume: f64 = window.iter().map(|bar| bar.volume).sum();
    if reading.look_up == Some(LookUp::MeanVolume) && volume > 0.0 {
        told["mean_volume"] = json!({
            "volume": format!("{:.0}", volume / window.len() as f64),
            "sessions": window.len(),
            "from": window[0].date,
            "to": last.date,
        });
    }
    Some(told)
}

/// The mean close of the sessions since a day.
fn mean_close(all: &[Bar], from: Day) -> Option<Value> {
    let asked = &all[all.partition_point(|bar| bar.day < from)..];
    let (first, last) = (asked.first()?, asked.last()?);
    let sum: f64 = asked.iter().map(|bar| bar.close).sum();
    Some(json!({
        "close": sum / asked.len() as f64,
        "sessions": asked.len(),
        "from": first.date,
        "to": last.date,
    }))
}

/// The standard deviation of daily changes, in percent; `None` if there are too few.
fn deviation(changes: &[(&Bar, f64)]) -> Option<f64> {
    if changes.len() < USUAL_SESSIONS {
        return None;
    }
    let count = changes.len() as f64;
    let mean = changes.iter().map(|(_, change)| change).sum::<f64>() / count;
    let squares = changes.iter().map(|(_, change)| (change - mean).powi(2));
    Some((squares.sum::<f64>() / (count - 1.0)).sqrt())
}

/// How far the mean target is from the price.
fn upside(analysts: &mut Value, prices: Option<&Value>) {
    let target = |one: &Value| one.get("avg_target").and_then(Value::as_f64);
    let price = |one: &Value| one.get("price").and_then(Value::as_f64);
    let add = |one: &mut Value, of: Option<&Value>| {
        if let (Some(target), Some(price)) = (target(one), of.and_then(price))
            && price > 0.0
            && let Value::Object(fields) = one
        {
            fields.insert(
                "upside_pct".to_owned(),
                json!((target / price - 1.0) * 100.0),
            );
        }
    };
    if analysts.get("num_analysts").is_some() {
        add(analysts, prices);
    } else if let Value::Object(by_symbol) = analysts {
        for (symbol, one) in by_symbol {
            add(one, prices.and_then(|prices| prices.get(symbol)));
        }
    }
}

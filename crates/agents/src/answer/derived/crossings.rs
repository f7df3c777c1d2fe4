//! The day on which a price crossed the level that is asked about, according to the stored candles.

use model::Day;
use query::{Crossing, LookUp, Reading, Wanted};
use serde_json::{Map, Value, json};

use super::{Bar, bars, each};
use crate::view::View;

/// The most candles to keep in the answer: a year of them. What was found in the others is reported.
const KEPT: usize = 366;

pub(super) fn derive(data: &mut Map<String, Value>, reading: &Reading) {
    let Some(LookUp::Crossing(crossing)) = reading.look_up else {
        return;
    };
    each(data, "candles", "crossing", |candles| {
        found(candles, &crossing, reading)
    });
    if reading.instruments.is_empty() {
        of_series(data, &crossing, reading);
    }
    if let Some(candles) = data.get_mut("candles") {
        shorten(candles);
    }
}

/// The same for a commodity and an index, under its code; after that only the newest of their values are kept.
fn of_series(data: &mut Map<String, Value>, crossing: &Crossing, reading: &Reading) {
    // For these series closes are compared, whatever the question says about the day.
    let crossing = &Crossing {
        is_within_day: false,
        ..*crossing
    };
    let mut all = Map::new();
    for (key, list, field) in [
        ("commodities", "history", "value"),
        ("levels", "candles", "close"),
    ] {
        let by_code = data.get_mut(key).and_then(Value::as_object_mut);
        for (code, one) in by_code.into_iter().flatten() {
            if other_currency(View(one), crossing).is_some() {
                continue;
            }
            let Some(Value::Array(history)) = one.get_mut(list) else {
                continue;
            };
            let as_bar = |value: &Value| {
                let (date, close) = (value.get("date")?, value.get(field)?);
                Some(json!({"date": date, "high": close, "low": close, "close": close}))
            };
            let bars: Vec<Value> = history.iter().filter_map(as_bar).collect();
            if let Some(found) = found(&json!({ "candles": bars }), crossing, reading) {
                all.insert(code.clone(), found);
            }
            let surplus = history.len().saturating_sub(KEPT);
            history.drain(..surplus);
        }
    }
    if !all.is_empty() {
        data.insert("crossings".to_owned(), Value::Object(all));
    }
}

/// The currency of the prices of a series, if the level is in a different one.
pub(in crate::answer) fn other_currency<'a>(
    series: View<'a>,
    crossing: &Crossing,
) -> Option<&'a str> {
    let of_unit = || {
        series
            .text("unit")?
            .split_once(" per ")
            .map(|(code, _)| code)
    };
    let own = series.text("currency").or_else(of_unit)?;
    crossing.currency.filter(|code| *code != own).map(|_| own)
}

fn found(candles: &Value, crossing: &Crossing, reading: &Reading) -> Option<Value> {
    let when = &reading.when;
    let is_asked = |bar: &Bar| {
        when.is_ahead
            || when.from.is_none_or(|from| from <= bar.day)
                && when.to.is_none_or(|to| bar.day <= to)
    };
    let all = bars(candles);
    let begin = all.iter().position(is_asked)?;
    let end = all.iter().rposition(is_asked)?;
    let asked = &all[begin..=end];
    let price = |bar: &Bar| match (crossing.is_within_day, crossing.is_above) {
        (false, _) => bar.close,
        (true, true) => bar.high,
        (true, false) => bar.low,
    };
    let level = crossing.level;
    let reaches = |price: f64| match (crossing.is_above, crossing.is_within_day) {
        (true, true) => price >= level,
        (true, false) => price > level,
        (false, true) => price <= level,
        (false, false) => price < level,
    };
    let is_beyond = |bar: &Bar| reaches(price(bar));
    let wanted = |is_wanted: &dyn Fn(&Bar) -> bool| {
        if crossing.wanted == Wanted::First {
            asked.iter().position(is_wanted)
        } else {
            asked.iter().rposition(is_wanted)
        }
    };
    let at = wanted(&is_beyond);
    // A price is adjusted for the splits after it; the price actually paid differs.
    let splits = splits(candles, &asked[0]);
    let are_known = splits.iter().all(|split| split.is_exact);
    let shares = |bar: &Bar| {
        let later = splits.iter().filter(|split| split.day > bar.day);
        later.map(|split| split.ratio).product::<f64>()
    };
    let traded_at = wanted(&|bar: &Bar| reaches(price(bar) * shares(bar)));
    let as_traded = traded_at.filter(|_| are_known).map(|at| {
        let bar = &asked[at];
        json!({
            "date": bar.date,
            "price": price(bar) * shares(bar),
            "split_adjusted": price(bar),
        })
    });
    let day = at.map(|at| {
        let bar = &asked[at];
        let before = asked[..=at].iter().rposition(|bar| !is_beyond(bar));
        let since = before.map_or(0, |before| before + 1);
        let next = all.get(begin + at + 1).map(|next| {
            json!({
                "date": next.date,
                "close": next.close,
                "change": next.close - bar.close,
                "change_pct": market::change_pct(bar.close, next.close),
            })
        });
        json!({
            "date": bar.date,
            "close": bar.close,
            "price": price(bar),
            "next_session": next,
            "since": asked[since].date,
            "sessions": at - since + 1,
        })
    });
    let priced = asked.iter().map(|bar| (price(bar), bar));
    let order = |one: &(f64, &Bar), other: &(f64, &Bar)| one.0.total_cmp(&other.0);
    let utmost = if crossing.is_above {
        priced.max_by(order)
    } else {
        priced.min_by(order)
    };
    let (utmost, on) = utmost?;
    let last = asked.last()?;
    Some(json!({
        "level": level,
        "side": if crossing.is_above { "above" } else { "below" },
        "day": day,
        "utmost": {"date": on.date, "price": utmost},
        "held_from": asked[0].date,
        "held_to": last.date,
        "last_close": last.close,
        "days": asked.iter().filter(|bar| is_beyond(bar)).count(),
        "sessions": asked.len(),
        "splits": splits.len(),
        "is_known_as_traded": are_known,
        "as_traded": as_traded.filter(|_| !splits.is_empty()),
    }))
}

/// A split for which candles are adjusted.
struct Split {
    day: Day,
    ratio: f64,
    /// Whether its day is known.
    is_exact: bool,
}

/// The splits after a candle.
fn splits(candles: &Value, first: &Bar) -> Vec<Split> {
    let list = candles.get("splits").and_then(Value::as_object);
    let split = |(day, one): (&String, &Value)| {
        Some(Split {
            day: Day::parse(day)?,
            ratio: one.get("ratio")?.as_f64()?,
            is_exact: one.get("no_later_than").is_none_or(Value::is_null),
        })
    };
    let all = list.into_iter().flatten().filter_map(split);
    all.filter(|split| split.day > first.day).collect()
}

/// Keeps the newest candles of each list.
pub(super) fn shorten(one: &mut Value) {
    let Some(fields) = one.as_object_mut() else {
        return;
    };
    if let Some(Value::Array(list)) = fields.get_mut("candles") {
        let surplus = list.len().saturating_sub(KEPT);
        list.drain(..surplus);
        let count = list.len();
        fields.insert("candle_count".to_owned(), json!(count));
        return;
    }
    fields.values_mut().for_each(shorten);
}

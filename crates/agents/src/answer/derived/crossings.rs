//! On which day a price crossed the level that is asked about, as the stored candles have it.

use query::{Crossing, LookUp, Reading};
use serde_json::{Map, Value, json};

use super::{Bar, bars, each};

/// Candles that stay in the answer: those of a year. What was found in the others is told.
const KEPT: usize = 366;

pub(super) fn derive(data: &mut Map<String, Value>, reading: &Reading) {
    let Some(LookUp::Crossing(crossing)) = reading.look_up else {
        return;
    };
    each(data, "candles", "crossing", |candles| {
        found(candles, &crossing, reading)
    });
    if let Some(candles) = data.get_mut("candles") {
        shorten(candles);
    }
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
    let is_beyond = |bar: &Bar| match (crossing.is_above, crossing.is_within_day) {
        (true, true) => price(bar) >= level,
        (true, false) => price(bar) > level,
        (false, true) => price(bar) <= level,
        (false, false) => price(bar) < level,
    };
    let at = if crossing.is_first {
        asked.iter().position(is_beyond)
    } else {
        asked.iter().rposition(is_beyond)
    };
    let day = at.map(|at| {
        let bar = &asked[at];
        let before = asked[..=at].iter().rposition(|bar| !is_beyond(bar));
        let since = before.map_or(0, |before| before + 1);
        let next = all.get(begin + at + 1).map(|next| {
            json!({
                "date": next.date,
                "close": next.close,
                "change_pct": (next.close / bar.close - 1.0) * 100.0,
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
    }))
}

/// Leaves the newest candles of each list.
fn shorten(one: &mut Value) {
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

//! The combined performance of several holdings over a period: the sum of weight times change, or of values if shares
//! are counted.

use model::Day;
use query::{Holding, Reading, Size};
use serde_json::{Map, Value, json};

use crate::answer::NEAR;

/// One holding over the period.
struct Part<'a> {
    holding: &'a Holding,
    from: Day,
    to: Day,
    change_pct: f64,
    /// Its values at the beginning and at the end, if its shares are counted.
    values: Option<(f64, f64)>,
}

/// Adds the combined performance of the holdings, if the prices of every one cover the same period.
pub(super) fn derive(data: &mut Map<String, Value>, reading: &Reading) {
    if !reading.weighs_performance() {
        return;
    }
    let performances = data.get("performance");
    let parts: Option<Vec<Part<'_>>> = reading
        .holdings
        .iter()
        .map(|holding| {
            let found = performances?.get(holding.symbol.as_str())?;
            part(holding, found, reading)
        })
        .collect();
    if let Some(together) = parts.and_then(|parts| together(&parts, reading)) {
        data.insert("portfolio_performance".to_owned(), together);
    }
}

fn part<'a>(holding: &'a Holding, found: &Value, reading: &Reading) -> Option<Part<'a>> {
    let number = |field: &str| found.get(field).and_then(Value::as_f64);
    let day = |field: &str| Day::parse(found.get(field)?.as_str()?);
    let (start, end) = (number("start")?, number("end")?);
    let mut positions = reading.positions.iter();
    let position = positions.find(|one| one.symbol == holding.symbol);
    let units = position.and_then(|one| match one.size {
        Size::Units(units) => Some(units),
        Size::Money(..) | Size::Unsaid => None,
    });
    Some(Part {
        holding,
        from: day("from")?,
        to: day("to")?,
        change_pct: number("change_pct")?,
        values: units.map(|units| (units * start, units * end)),
    })
}

fn together(parts: &[Part<'_>], reading: &Reading) -> Option<Value> {
    let from = parts.iter().map(|part| part.from).min()?;
    let to = parts.iter().map(|part| part.to).max()?;
    let is_same_time = parts
        .iter()
        .all(|part| part.from.since(from) <= NEAR && to.since(part.to) <= NEAR);
    if !is_same_time {
        return None;
    }
    let values: Option<Vec<(f64, f64)>> = parts.iter().map(|part| part.values).collect();
    let weights = match &values {
        // Values in several currencies do not add up.
        Some(_) if currency(parts, reading).is_none() => return None,
        Some(values) => weights_of(values)?,
        None => parts.iter().map(|part| part.holding.weight).collect(),
    };
    let contributions = parts.iter().zip(&weights).map(|(part, weight)| {
        let direction = if part.holding.is_short { -1.0 } else { 1.0 };
        weight * direction * part.change_pct
    });
    let contributions: Vec<f64> = contributions.collect();
    let rest_pct = (1.0 - weights.iter().sum::<f64>()) * 100.0;
    let rows = parts.iter().zip(weights.iter().zip(&contributions));
    let rows: Vec<Value> = rows
        .map(|(part, (weight, contribution))| {
            json!({
                "ticker": part.holding.symbol.as_str(),
                "weight_pct": weight * 100.0,
                "direction": if part.holding.is_short { "short" } else { "long" },
                "change_pct": part.change_pct,
                "contribution_pct": contribution,
            })
        })
        .collect();
    let sum =
        |of: fn(&(f64, f64)) -> f64| values.as_ref().map(|all| all.iter().map(of).sum::<f64>());
    Some(json!({
        "from": from.to_string(),
        "to": to.to_string(),
        "change_pct": contributions.iter().sum::<f64>(),
        "rest_pct": (rest_pct > 0.05).then_some(rest_pct),
        "start_value": sum(|(start, _)| *start),
        "end_value": sum(|(_, end)| *end),
        "currency": currency(parts, reading),
        "parts": rows,
    }))
}

/// The share of each initial value in the total.
fn weights_of(values: &[(f64, f64)]) -> Option<Vec<f64>> {
    let total: f64 = values.iter().map(|(start, _)| start).sum();
    (total > 0.0).then(|| values.iter().map(|(start, _)| start / total).collect())
}

/// The currency of all prices, if there is only one.
fn currency<'a>(parts: &[Part<'_>], reading: &'a Reading) -> Option<&'a str> {
    let held = |part: &Part<'_>| {
        let mut instruments = reading.instruments.iter();
        let found = instruments.find(|one| one.symbol == part.holding.symbol)?;
        Some(found.currency.as_str())
    };
    let first = parts.first().and_then(held)?;
    let mut others = parts[1..].iter();
    others
        .all(|part| held(part) == Some(first))
        .then_some(first)
}

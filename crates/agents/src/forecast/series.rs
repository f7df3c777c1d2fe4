//! The forecast of an economic series from its own changes, tested on its earlier observations.

use market::forecast::{Calibration, calibrate_series, series_outlook};
use model::Day;
use serde_json::json;

use super::{Draft, Prediction, PredictionKind, Work, asked};
use crate::figures::{count, percent, plain, span};
use crate::runs::{Done, mean};
use crate::view::View;

/// The most observations of a series to read.
const OBSERVATIONS: u64 = 360;
/// Changes smaller than this do not count.
const SAME: f64 = 1e-9;
/// It is a trend if it rose this much more often than it fell, or the other way round.
const TREND: f64 = 0.15;
/// A policy rate has moved if it did so by half of its usual step: the effective rate drifts by hundredths without a
/// decision.
const POLICY_RATE: (&str, f64) = ("fed_funds", 0.125);
/// Days between two observations, by the word for their frequency.
const DAYS: [(&str, f64); 5] = [
    ("daily", 365.25 / 252.0),
    ("weekly", 7.0),
    ("monthly", 30.44),
    ("quarterly", 91.31),
    ("annual", 365.25),
];

/// Adds the cases of the first economic series that the topic names.
pub(super) async fn forecast(work: &Work<'_>, draft: &mut Draft) {
    let plan = &work.question.plan;
    let indicator = plan
        .steps
        .iter()
        .find(|step| step.operation == "show_economic_indicator")
        .and_then(|step| step.arguments.get("indicator")?.as_str().map(str::to_owned));
    let Some(indicator) = indicator else { return };
    let mut found = None;
    let step = async {
        let arguments = json!({"indicator": indicator, "limit": OBSERVATIONS});
        let answer = work
            .run
            .consult("show_economic_indicator", arguments)
            .await?;
        let view = View(&answer);
        let mut rows: Vec<(String, f64)> = view
            .list("observations")
            .iter()
            .filter_map(|row| Some((row.text("date")?.to_owned(), row.number("value")?)))
            .collect();
        rows.sort_by(|one, other| one.0.cmp(&other.0));
        let summary = format!(
            "{} of {}.",
            count(rows.len() as u64, "observation", "observations"),
            view.text("name").unwrap_or(&indicator)
        );
        let output = json!({"observations": rows.len()});
        found = Some((answer.clone(), rows));
        Ok(Done {
            summary,
            output,
            confidence: None,
            credits: None,
        })
    };
    work.run
        .step("series", json!({"indicator": indicator}), 0, step)
        .await;
    let Some((answer, rows)) = found else {
        draft.lacks(
            "predictions",
            "/api/v1/economy/{indicator}",
            format!("{indicator} is not held"),
        );
        return;
    };
    write(work, draft, &indicator, View(&answer), &rows).await;
}

/// How forecasts of this kind performed at earlier observations.
fn told(found: &Calibration) -> String {
    let words = if found.skill() > 0.01 {
        "better than past frequency alone, by how the series had moved just before"
    } else if found.skill() < 0.0 {
        "worse than past frequency alone, so that its chances are those frequencies"
    } else {
        "no better than past frequency alone"
    };
    format!(
        "Made again at {} earlier observations, such forecasts were {words} (Brier score {:.3} against {:.3}){}.",
        found.forecasts,
        found.brier,
        found.climatology,
        if found.widen > 1.02 {
            format!(
                "; their ranges held {} instead of 80% and are {:.2} times as wide here",
                percent(found.inside_80 * 100.0),
                found.widen
            )
        } else {
            String::new()
        }
    )
}

async fn write(
    work: &Work<'_>,
    draft: &mut Draft,
    indicator: &str,
    view: View<'_>,
    rows: &[(String, f64)],
) {
    let name = view.text("name").unwrap_or("The series");
    let unit = view.text("unit").unwrap_or_default();
    let frequency = view.text("frequency").unwrap_or("monthly");
    let apart = DAYS
        .iter()
        .find(|(word, _)| *word == frequency)
        .map_or(30.44, |(_, days)| *days);
    let ahead = ((f64::from(work.asked.ahead) / apart).round() as usize).max(1);
    let Some((last_date, last)) = rows.last().filter(|_| rows.len() > ahead) else {
        draft.lacks(
            "predictions",
            "economy",
            format!("too few observations of {name} are held"),
        );
        return;
    };
    let values: Vec<f64> = rows.iter().map(|(_, value)| *value).collect();
    let Some(untested) = series_outlook(&values, ahead) else {
        draft.lacks(
            "predictions",
            "economy",
            format!(
                "{name} has {} changes over such a time on record, too few for a forecast",
                values.len() - ahead
            ),
        );
        return;
    };
    let record = values.clone();
    let inputs = json!({"observations": ahead});
    let tested = work
        .made_again(inputs, "record", move || calibrate_series(&record, ahead))
        .await;
    let made = match tested {
        Some(found) if found.skill() < 0.0 => untested.by_frequency().widened(found.widen),
        Some(found) => untested.widened(found.widen),
        None => untested.by_frequency(),
    };
    let changes: Vec<f64> = values
        .windows(ahead + 1)
        .map(|window| window[ahead] - window[0])
        .collect();
    let (usual, chances) = (made.usual, made.chances);
    let counted = |is: &dyn Fn(f64) -> bool| changes.iter().filter(|one| is(**one)).count() as u64;
    let said = |value: f64| said(unit, value);
    let moved = |value: f64| moved(unit, value);
    let day = |date: &str| span(date, frequency);
    let rose = counted(&|one| one > 0.0);
    let share = (rose + 1) as f64 / (changes.len() + 2) as f64;
    let fell = (counted(&|one| one < 0.0) + 1) as f64 / (changes.len() + 2) as f64;
    draft.trend = Some(if share - fell > TREND {
        "rising"
    } else if fell - share > TREND {
        "falling"
    } else {
        "stable"
    });
    draft.summary.push(format!(
        "{name} stood at {} in the observation of {}. Of the {} of such a length on record, it rose in {} and fell in {}; half of the changes were no larger than {}.",
        said(*last),
        day(last_date),
        count(changes.len() as u64, "time", "times"),
        percent(share * 100.0),
        percent(fell * 100.0),
        moved(usual),
    ));
    draft.summary.push(format!(
        "By the changes on record, eight chances in ten lie between {} and {}.",
        said(last + made.range.0),
        said(last + made.range.1)
    ));
    match tested {
        Some(found) => {
            draft.summary.push(told(&found));
            draft.calibration = Some(found);
        }
        None => draft.lacks(
            "calibration",
            "economy",
            "the record is too short to make such forecasts again",
        ),
    }
    if let Some(on) = Day::parse(last_date.get(..10).unwrap_or_default())
        && let Some(claim) = crate::swarm::of_observation(name, unit, frequency, on, *last)
    {
        draft.states(claim);
    }
    let is_of_course = made.chances != made.frequencies;
    let basis = format!(
        "counts of {} overlapping times of {} since {}, with one of each case added{}",
        changes.len(),
        count(ahead as u64, "observation", "observations"),
        day(&rows[0].0),
        if is_of_course {
            format!(
                "; the {} that began as the present does count besides",
                made.alike
            )
        } else {
            String::new()
        }
    );
    let case = |text: String, chance: f64| Prediction {
        text,
        chance,
        timeframe: work.asked.timeframe.clone(),
        kind: PredictionKind::Case,
        basis: basis.clone(),
    };
    draft.predictions.extend([
        case(
            if usual > SAME {
                format!(
                    "{name} stays between {} and {}.",
                    said(last - usual),
                    said(last + usual)
                )
            } else {
                format!("{name} stays at {}.", said(*last))
            },
            chances[0],
        ),
        case(
            format!("{name} rises above {}.", said(last + usual)),
            chances[1],
        ),
        case(
            format!("{name} falls below {}.", said(last - usual)),
            chances[2],
        ),
    ]);
    answer(work, draft, indicator, view, rows, ahead);
    let recent = mean(changes.iter().rev().take(3).copied());
    if let Some(recent) = recent {
        draft.signals.push(format!(
            "The next observation of {name}: the last three changes of this length averaged {}{}.",
            if recent > 0.0 { "+" } else { "" },
            moved(recent)
        ));
    }
    let extreme = |is_better: fn(f64, f64) -> bool| {
        rows.windows(ahead + 1)
            .map(|window| (window[ahead].1 - window[0].1, window[ahead].0.as_str()))
            .fold(None, |best: Option<(f64, &str)>, one| match best {
                Some(best) if !is_better(one.0, best.0) => Some(best),
                _ => Some(one),
            })
    };
    if let (Some(up), Some(down)) = (extreme(|a, b| a > b), extreme(|a, b| a < b)) {
        draft.wildcards.push(format!(
            "The largest changes of this length on record: +{} to {} and {} to {}.",
            moved(up.0),
            day(up.1),
            moved(down.0),
            day(down.1)
        ));
    }
}

/// What the topic asks, counted over earlier periods of this length.
fn answer(
    work: &Work<'_>,
    draft: &mut Draft,
    indicator: &str,
    view: View<'_>,
    rows: &[(String, f64)],
    ahead: usize,
) {
    let Some((last_date, last)) = rows.last() else {
        return;
    };
    let unit = view.text("unit").unwrap_or_default();
    let is_rate = is_percent(unit);
    let least = if indicator == POLICY_RATE.0 {
        POLICY_RATE.1
    } else {
        SAME
    };
    let outcome = work.expected.outcome.as_ref();
    let Some(wanted) = asked::change_of_series(outcome, *last, least, is_rate) else {
        return;
    };
    let values: Vec<f64> = rows.iter().map(|(_, value)| *value).collect();
    let (mut made, mut all) = (0_u64, 0_u64);
    for stretch in values.windows(ahead + 1) {
        all += 1;
        made += u64::from(wanted.is_made(stretch));
    }
    let chance = (made + 1) as f64 / (all + 2) as f64;
    let name = view.text("name").unwrap_or("The series");
    let frequency = view.text("frequency").unwrap_or("monthly");
    let until = crate::figures::day(&work.end().to_string());
    let stands = format!("{} of {}", said(unit, *last), span(last_date, frequency));
    let text = match wanted.level {
        Some(level) => format!(
            "{} {until}, {name} {} {} {}, after {stands}.",
            if wanted.is_touched { "By" } else { "On" },
            if wanted.is_touched {
                "comes to"
            } else {
                "stands"
            },
            match (wanted.is_touched, wanted.is_up) {
                (true, true) => "or above",
                (true, false) => "or below",
                (false, true) => "above",
                (false, false) => "below",
            },
            said(unit, level)
        ),
        None if wanted.by <= SAME => format!(
            "On {until}, {name} stands {} than {stands}.",
            if wanted.is_up { "higher" } else { "lower" }
        ),
        None => format!(
            "On {until}, {name} stands at least {} {} than {stands}.",
            moved(unit, wanted.by),
            if wanted.is_up { "higher" } else { "lower" }
        ),
    };
    let basis = format!(
        "{made} of {} of {} since {}, with one of either outcome added",
        count(all, "overlapping time", "overlapping times"),
        count(ahead as u64, "observation", "observations"),
        span(&rows[0].0, frequency)
    );
    asked::say(work, draft, text, chance, basis);
}

fn is_percent(unit: &str) -> bool {
    unit.contains("ercent") || unit == "%"
}

fn said(unit: &str, value: f64) -> String {
    if is_percent(unit) {
        format!("{value:.2}%")
    } else if value.abs() < 1.0 {
        format!("{value:.2}")
    } else {
        plain(value)
    }
}

/// A change in a percentage figure is in percentage points.
fn moved(unit: &str, value: f64) -> String {
    if is_percent(unit) {
        format!("{value:.2} percentage points")
    } else {
        said(unit, value)
    }
}

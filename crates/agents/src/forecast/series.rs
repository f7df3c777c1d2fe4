//! The forecast of an economic series, from its own changes.

use serde_json::json;

use super::{Draft, Prediction, Work, scenarios};
use crate::figures::{count, day, percent, plain};
use crate::runs::{Done, mean};
use crate::view::View;

/// Observations of a series that are read.
const OBSERVATIONS: u64 = 360;
/// Changes smaller than this are none.
const SAME: f64 = 1e-9;
/// How much more often it rose than fell, or the other way round, where that is a trend.
const TREND: f64 = 0.15;
/// Changes before anything is said.
const LEAST: usize = 24;
/// Days between two observations by the word for them.
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
    write(work, draft, View(&answer), &rows);
}

fn write(work: &Work<'_>, draft: &mut Draft, view: View<'_>, rows: &[(String, f64)]) {
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
    let changes: Vec<f64> = rows
        .windows(ahead + 1)
        .map(|window| window[ahead].1 - window[0].1)
        .collect();
    if changes.len() < LEAST {
        draft.lacks(
            "predictions",
            "economy",
            format!(
                "{name} has {} changes over such a time on record, too few for a forecast",
                changes.len()
            ),
        );
        return;
    }
    let mut sizes: Vec<f64> = changes.iter().map(|one| one.abs()).collect();
    sizes.sort_by(f64::total_cmp);
    // Half of the changes were smaller.
    let usual = sizes[sizes.len() / 2];
    let counted = |is: &dyn Fn(f64) -> bool| changes.iter().filter(|one| is(**one)).count() as u64;
    let counts = [
        counted(&|one| one.abs() <= usual),
        counted(&|one| one > usual),
        counted(&|one| one < -usual),
    ];
    let chances = scenarios::of_counts(counts);
    let said = |value: f64| {
        if unit.contains("ercent") || unit == "%" {
            format!("{value:.2}%")
        } else if value.abs() < 1.0 {
            format!("{value:.2}")
        } else {
            plain(value)
        }
    };
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
        "{name} stood at {} in the observation of {}. Over {} on record of such a length, it rose in {} and fell in {}; half of the changes were no larger than {}.",
        said(*last),
        day(last_date),
        count(changes.len() as u64, "time", "times"),
        percent(share * 100.0),
        percent(fell * 100.0),
        said(usual),
    ));
    let basis = format!(
        "counts of {} overlapping times of {} since {}, with one of each case added",
        changes.len(),
        count(ahead as u64, "observation", "observations"),
        day(&rows[0].0)
    );
    let case = |text: String, chance: f64| Prediction {
        text,
        chance,
        timeframe: work.asked.timeframe.clone(),
        is_case: true,
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
    let recent = mean(changes.iter().rev().take(3).copied());
    if let Some(recent) = recent {
        draft.signals.push(format!(
            "The next observation of {name}: the last three changes of this length averaged {}{}.",
            if recent > 0.0 { "+" } else { "" },
            said(recent)
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
            said(up.0),
            day(up.1),
            said(down.0),
            day(down.1)
        ));
    }
}

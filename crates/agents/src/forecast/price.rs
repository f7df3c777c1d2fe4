//! The forecast of a price, from its own history.

use market::forecast::{Calibration, Outlook, calibrate, outlook};
use model::Day;
use serde_json::{Value, json};

use super::history::{self, History, Listed, Subject};
use super::scenarios::Cases;
use super::{Draft, Prediction, PredictionKind, Work, asked, scenarios};
use crate::figures::{change, count, day, percent};
use crate::runs::{Done, Run};
use crate::view::View;

/// The most peers to count.
const PEERS: usize = 5;
/// It is a trend if the probability of a rise is this far from even.
const TREND: f64 = 0.04;
/// The number of daily values used for the recent range; for other frequencies, a year's.
const QUARTER: usize = 63;
const YEAR: usize = 12;
/// A price that is older than this many days does not count as current.
const OLD: i32 = 7;
/// Ranges that contained more than this share of the outcomes say less than they could.
const TOO_WIDE: f64 = 0.92;
/// Below this many non-overlapping periods, a base rate counts for little.
const FEW_TIMES: f64 = 8.0;

/// Adds the cases of the first subject that the topic names.
pub(super) async fn forecast(work: &Work<'_>, subject: &Subject, draft: &mut Draft) {
    let code = subject.code();
    let mut history = None;
    let step = async {
        let found = history::load(work, subject).await?;
        let summary = format!(
            "{} of {code}, the newest of {}.",
            found.counted(found.values.len()),
            found.newest_date()
        );
        let output = json!({"values": found.values.len(), "newest": found.newest_date()});
        history = Some(found);
        Ok(Done {
            summary,
            output,
            confidence: None,
            credits: None,
        })
    };
    work.run
        .step("price history", json!({"symbol": code}), 0, step)
        .await;
    let Some(history) = history else {
        draft.lacks(
            "predictions",
            "prices",
            format!("no prices of {code} are held"),
        );
        return;
    };
    let age = history.days_to(work.today);
    if history.is_too_old(work.today, work.asked.ahead) {
        draft.lacks(
            "predictions",
            "prices",
            format!(
                "the newest price of {code} is of {}, {age} days ago: a forecast over {} from today would mostly guess what has happened since",
                history.newest_date(),
                count(work.asked.ahead.unsigned_abs().into(), "day", "days")
            ),
        );
        return;
    }
    // Prices spread from the day of the newest one, however long ago that was.
    let steps = history.steps_to(work.end());
    if age > OLD && history.rhythm() == "daily" {
        draft.lacks(
            "predictions",
            "prices",
            format!(
                "the newest price of {code} is of {}, {age} days ago; the ranges count from there",
                history.newest_date()
            ),
        );
    }
    let Some(mut made) = outlook(&history.values, steps) else {
        draft.lacks(
            "predictions",
            "prices",
            format!(
                "{code} has {}, too few for a forecast of {}",
                history.counted(history.values.len()),
                count(
                    steps as u64,
                    history.step(),
                    &format!("{}s", history.step())
                )
            ),
        );
        return;
    };
    // The constants of the method are for daily prices: for other prices it is always tested.
    if work.is_deep() || history.rhythm() != "daily" {
        let cases = scenarios::of(&made);
        let (values, events) = (history.values.clone(), (cases.low_pct, cases.high_pct));
        let inputs = json!({"sessions": steps});
        let tested = work
            .made_again(inputs, "history", move || calibrate(&values, steps, events))
            .await;
        if let Some(calibration) = tested {
            made = tempered(made, calibration);
            draft.calibration = Some(calibration);
        } else {
            draft.lacks(
                "calibration",
                "prices",
                "the history is too short to make such forecasts again",
            );
        }
    }
    write(work, draft, subject, &history, &made);
    if work.is_deep() && subject.is_share() {
        peers(work, draft, code, steps).await;
    }
}

/// An outlook after its method was tested: wide enough to contain what ranges should contain, and moved towards the
/// past frequency if that did better.
fn tempered(made: Outlook, calibration: Calibration) -> Outlook {
    let mut made = made.widened(calibration.widen);
    // A method that does worse than the frequency gives way to it.
    if calibration.skill() < 0.0
        && let Some(rate) = made.base_rate
    {
        made.chance_up = f64::midpoint(made.chance_up, rate);
    }
    made
}

/// What may happen to a listed instrument by a given day.
#[derive(Clone, Debug)]
pub(crate) struct Ahead {
    pub(crate) until: Day,
    pub(crate) outlook: Outlook,
    pub(crate) cases: Cases,
    /// `None` if the history is too short to repeat such forecasts.
    pub(crate) calibration: Option<Calibration>,
}

/// The prices that [`Ahead`] counts from.
#[derive(Clone, Debug)]
pub(crate) struct Base {
    pub(crate) last: f64,
    pub(crate) closes: usize,
    pub(crate) first_date: String,
    /// The factor that turns a daily swing into a yearly one, in percent.
    pub(crate) yearly: f64,
}

/// The deep forecast of a listed instrument over each of these numbers of days from today, as [`forecast`] makes it;
/// none for horizons that the history is too short for.
pub(crate) async fn of_listed(
    run: &Run<'_>,
    listed: Listed<'_>,
    today: Day,
    horizons: &[i32],
) -> Result<(Base, Vec<Ahead>), String> {
    let history = history::of_listed(run, listed).await?;
    let days: Vec<(Day, usize)> = horizons
        .iter()
        .filter(|ahead| !history.is_too_old(today, **ahead))
        .map(|ahead| {
            let until = today.plus(*ahead);
            (until, history.steps_to(until))
        })
        .collect();
    let base = Base {
        last: history.last(),
        closes: history.values.len(),
        first_date: history.first_date(),
        yearly: history.yearly(),
    };
    let values = history.values;
    // Hundreds of forecasts, each over the whole history before it.
    let made = tokio::task::spawn_blocking(move || {
        let made = days.into_iter().filter_map(|(until, steps)| {
            let untested = outlook(&values, steps)?;
            let cases = scenarios::of(&untested);
            let calibration = calibrate(&values, steps, (cases.low_pct, cases.high_pct));
            let outlook = calibration.map_or(untested, |found| tempered(untested, found));
            Some(Ahead {
                until,
                cases: scenarios::of(&outlook),
                outlook,
                calibration,
            })
        });
        made.collect()
    });
    let made = made
        .await
        .map_err(|_| "the forecast ended early".to_owned())?;
    Ok((base, made))
}

fn write(work: &Work<'_>, draft: &mut Draft, subject: &Subject, history: &History, made: &Outlook) {
    let (code, name) = (subject.code(), subject.name());
    let last = history.last();
    let price = |change_pct: f64| history.price(last * (1.0 + change_pct / 100.0));
    let until = day(&work.end().to_string());
    let cases = scenarios::of(made);
    let range = (made.quantile_pct(0.1), made.quantile_pct(0.9));
    draft.trend = Some(if made.chance_up > 0.5 + TREND {
        "rising"
    } else if made.chance_up < 0.5 - TREND {
        "falling"
    } else {
        "stable"
    });
    draft.summary.push(format!(
        "{name} {}. By {until}, eight chances in ten lie between {} and {} ({} to {}); a higher {} has a chance of {}.",
        history.stood(),
        price(range.0),
        price(range.1),
        change(range.0),
        change(range.1),
        history.word(),
        percent(made.chance_up * 100.0),
    ));
    if matches!(subject, Subject::Listed(_)) {
        draft.states(format!("{code} {}", history.stood()));
    }
    swings(draft, history, made);
    if let Some(calibration) = &draft.calibration {
        draft.summary.push(tested(calibration));
    }
    let basis = format!(
        "spread of {} {} changes, with the swings of late reverting to their usual size",
        history.values.len() - 1,
        history.rhythm()
    );
    let case = |text: String, chance: f64| Prediction {
        text,
        chance,
        timeframe: work.asked.timeframe.clone(),
        kind: PredictionKind::Case,
        basis: basis.clone(),
    };
    let from = history.newest_date();
    draft.predictions.extend([
        case(
            format!(
                "On {until}, {code} stands between {} and {} ({} to {} from {from}).",
                price(cases.low_pct),
                price(cases.high_pct),
                change(cases.low_pct),
                change(cases.high_pct)
            ),
            cases.between,
        ),
        case(
            format!(
                "On {until}, {code} stands above {} ({} or more).",
                price(cases.high_pct),
                change(cases.high_pct)
            ),
            cases.above,
        ),
        case(
            format!(
                "On {until}, {code} stands below {} ({} or worse).",
                price(cases.low_pct),
                change(cases.low_pct)
            ),
            cases.below,
        ),
        Prediction {
            text: format!(
                "On {until}, {code} stands higher than the {} of {from}.",
                history.price(last)
            ),
            chance: made.chance_up,
            timeframe: work.asked.timeframe.clone(),
            kind: PredictionKind::Event,
            basis: asked::basis_of_rise(made),
        },
    ]);
    asked::of_price(work, draft, subject, history, made);
    marks(draft, history, made);
}

/// How wide its swings are, and how often a period of this length ended higher.
fn swings(draft: &mut Draft, history: &History, made: &Outlook) {
    let a_year = history.yearly();
    let (recent, usual) = (made.recent_daily * a_year, made.usual_daily * a_year);
    let unrest = if recent > 1.15 * usual {
        "wider than usual"
    } else if recent < 0.85 * usual {
        "narrower than usual"
    } else {
        "about as wide as usual"
    };
    draft.summary.push(format!(
        "Its swings of late are {unrest}: {} a year against {} since {}, the first {} that was read.",
        percent(recent),
        percent(usual),
        history.first_date(),
        history.word()
    ));
    if let Some(rate) = made.base_rate {
        draft.summary.push(format!(
            "Of the times of this length since then, {} ended higher{}.",
            percent(rate * 100.0),
            if made.times < FEW_TIMES {
                format!(
                    "; only {:.0} of them do not overlap, so that this counts for little",
                    made.times
                )
            } else {
                String::new()
            }
        ));
    }
}

/// How forecasts of this kind performed on earlier days.
fn tested(calibration: &Calibration) -> String {
    let words = if calibration.skill() > 0.01 {
        "better than past frequency"
    } else if calibration.skill() < -0.01 {
        "worse than past frequency, so that its chances were moved towards it"
    } else {
        "no better than past frequency"
    };
    format!(
        "Made again at {} earlier days, such forecasts were {words} (Brier score {:.3} against {:.3}; a coin toss scores 0.25){}.",
        calibration.forecasts,
        calibration.brier,
        calibration.climatology,
        if calibration.widen > 1.02 {
            format!(
                "; their ranges held {} instead of 80% and are {:.2} times as wide here",
                percent(calibration.inside_80 * 100.0),
                calibration.widen
            )
        } else if calibration.inside_80 > TOO_WIDE {
            format!(
                "; their ranges held {}, where 80% was meant, so that they are too wide",
                percent(calibration.inside_80 * 100.0)
            )
        } else {
            String::new()
        }
    )
}

/// What would be a signal, and what would be a surprise.
fn marks(draft: &mut Draft, history: &History, made: &Outlook) {
    let (word, step) = (history.word(), history.step());
    let late = if history.rhythm() == "daily" {
        QUARTER
    } else {
        YEAR
    };
    let recent = &history.values[history.values.len().saturating_sub(late)..];
    let high = recent.iter().copied().fold(f64::MIN, f64::max);
    let low = recent.iter().copied().fold(f64::MAX, f64::min);
    draft.signals.push(format!(
        "A {word} above {} or below {}, the range of the last {} {step}s.",
        history.price(high),
        history.price(low),
        recent.len()
    ));
    draft.signals.push(format!(
        "A move of more than {} in one {step}, three times the {} swing of late.",
        percent(300.0 * made.recent_daily),
        history.rhythm()
    ));
    let last = history.last();
    let price = |change_pct: f64| history.price(last * (1.0 + change_pct / 100.0));
    let tails = (made.quantile_pct(0.025), made.quantile_pct(0.975));
    draft.wildcards.push(format!(
        "One chance in forty: below {} ({}); one in forty: above {} ({}).",
        price(tails.0),
        change(tails.0),
        price(tails.1),
        change(tails.1)
    ));
    let worst = history
        .values
        .windows(made.sessions + 1)
        .map(|window| (window[made.sessions] / window[0] - 1.0) * 100.0)
        .fold(f64::MAX, f64::min);
    if worst < 0.0 && worst.is_finite() {
        draft.wildcards.push(format!(
            "The worst such time since {}: {}.",
            history.first_date(),
            change(worst)
        ));
    }
}

/// How peers did in periods of this length.
async fn peers(work: &Work<'_>, draft: &mut Draft, symbol: &str, sessions: usize) {
    let step = async {
        let found = work
            .run
            .consult("list_competitors", json!({"symbol": symbol}))
            .await?;
        let symbols: Vec<String> = View(&found)
            .list("competitors")
            .iter()
            .filter_map(|one| one.text("ticker").map(str::to_owned))
            .take(PEERS)
            .collect();
        let (mut up, mut all) = (0_u64, 0_u64);
        let mut counted = Vec::new();
        for peer in &symbols {
            let arguments = json!({"symbol": peer, "range": "5y"});
            let Ok(found) = work.run.consult("list_candles", arguments).await else {
                continue;
            };
            let rows = found.get("candles").and_then(Value::as_array);
            let closes: Vec<f64> = rows
                .into_iter()
                .flatten()
                .filter_map(|row| row.get("close").and_then(Value::as_f64))
                .collect();
            let before = all;
            for window in closes.windows(sessions + 1) {
                all += 1;
                up += u64::from(window[sessions] > window[0]);
            }
            if all > before {
                counted.push(peer.clone());
            }
        }
        if all == 0 {
            return Err("no peer has a history of this length".to_owned());
        }
        Ok(Done {
            summary: format!(
                "Of such times of {}, {} ended higher.",
                counted.join(", "),
                percent(up as f64 / all as f64 * 100.0)
            ),
            output: json!({"peers": counted, "share_higher": up as f64 / all as f64, "times": all}),
            confidence: None,
            credits: None,
        })
    };
    let inputs = json!({"symbol": symbol, "sessions": sessions});
    if let Some(result) = work.run.step("peers", inputs, 0, step).await {
        let view = View(&result);
        if let Some(share) = view.number("share_higher") {
            let names: Vec<&str> = view
                .list("peers")
                .iter()
                .filter_map(|one| one.0.as_str())
                .collect();
            draft.summary.push(format!(
                "Of such times of its peers {}, {} ended higher.",
                names.join(", "),
                percent(share * 100.0)
            ));
        }
    } else {
        draft.lacks(
            "executive_summary",
            "/api/v1/ticker/{symbol}/competitors",
            "no peer with a history of this length is held",
        );
    }
}

//! The forecast of an instrument, from its own prices.

use market::forecast::{Calibration, Outlook, calibrate, outlook};
use model::Day;
use query::{Instrument, Kind};
use serde_json::{Value, json};

use super::{Draft, Prediction, Work, scenarios};
use crate::figures::{change, count, day, money, percent};
use crate::runs::Done;
use crate::view::View;

/// Sessions of a year: of exchanges, and of coins.
const SESSIONS: [f64; 2] = [252.0, 365.0];
/// Peers that are counted.
const PEERS: usize = 5;
/// A trend is one where the chance of a rise is this far from even.
const TREND: f64 = 0.04;
/// Closes that are looked back at for the range of late.
const QUARTER: usize = 63;
/// A close that is older than this many days is no price of now.
const OLD_CLOSE: i32 = 7;

/// Closes of an instrument.
struct Closes {
    values: Vec<f64>,
    first_date: String,
    last_date: String,
}

impl Closes {
    /// Days from the newest close to a day.
    fn days_to(&self, day: Day) -> i32 {
        let newest = self.last_date.get(..10).and_then(Day::parse);
        newest.map_or(0, |newest| day.since(newest))
    }
}

/// Adds the cases of the first instrument that the topic names.
pub(super) async fn forecast(work: &Work<'_>, draft: &mut Draft) {
    let Some(instrument) = work.question.reading.instruments.first() else {
        return;
    };
    let symbol = instrument.symbol.as_str();
    let mut closes = None;
    let step = async {
        let found = load(work, instrument).await?;
        let summary = format!(
            "{} of {symbol}, the newest of {}.",
            count(found.values.len() as u64, "close", "closes"),
            day(&found.last_date)
        );
        let output = json!({"closes": found.values.len(), "newest": found.last_date});
        closes = Some(found);
        Ok(Done {
            summary,
            output,
            confidence: None,
            credits: None,
        })
    };
    work.run
        .step("price history", json!({"symbol": symbol}), 0, step)
        .await;
    let Some(closes) = closes else {
        draft.lacks(
            "predictions",
            "prices",
            format!("no prices of {symbol} are held"),
        );
        return;
    };
    // Prices spread from the day of the newest close, however long ago that was.
    let sessions = sessions(instrument, closes.days_to(work.end()));
    let age = closes.days_to(work.today);
    if age > OLD_CLOSE {
        draft.lacks(
            "predictions",
            "prices",
            format!(
                "the newest close of {symbol} is of {}, {age} days ago; the ranges count from there",
                day(&closes.last_date)
            ),
        );
    }
    let Some(mut made) = outlook(&closes.values, sessions) else {
        draft.lacks(
            "predictions",
            "prices",
            format!(
                "{symbol} has {}, too few for a forecast of {sessions} sessions",
                count(closes.values.len() as u64, "close", "closes")
            ),
        );
        return;
    };
    if work.is_deep() {
        let cases = scenarios::of(&made);
        let tested = test(work, &closes, sessions, (cases.low_pct, cases.high_pct)).await;
        match tested {
            Some(calibration) => {
                made = made.widened(calibration.widen);
                // A method that frequency beats gives way to it.
                if calibration.skill() < 0.0
                    && let Some(rate) = made.base_rate
                {
                    made.chance_up = f64::midpoint(made.chance_up, rate);
                }
                draft.calibration = Some(calibration);
            }
            None => draft.lacks(
                "calibration",
                "prices",
                "the history is too short to make such forecasts again",
            ),
        }
    }
    write(work, draft, instrument, &closes, &made);
    if work.is_deep() && instrument.kind == Kind::Share {
        peers(work, draft, instrument, sessions).await;
    }
}

fn sessions(instrument: &Instrument, days: i32) -> usize {
    let a_year = SESSIONS[usize::from(instrument.kind == Kind::Coin)];
    let sessions = f64::from(days) * a_year / 365.25;
    (sessions.round() as usize).max(1)
}

async fn load(work: &Work<'_>, instrument: &Instrument) -> Result<Closes, String> {
    let symbol = instrument.symbol.as_str();
    let (operation, arguments, list, field) = if instrument.kind == Kind::Coin {
        let arguments = json!({"symbol": symbol, "days": 365});
        ("list_coin_prices", arguments, "prices", "price")
    } else {
        let arguments = json!({"symbol": symbol, "range": "5y"});
        ("list_candles", arguments, "candles", "close")
    };
    let found = work.run.consult(operation, arguments).await?;
    let rows = View(&found).list(list);
    let values: Vec<f64> = rows.iter().filter_map(|row| row.number(field)).collect();
    let date = |row: Option<&View<'_>>| {
        let date = row.and_then(|row| row.text("date")).map(str::to_owned);
        date.ok_or_else(|| format!("no prices of {symbol} are held"))
    };
    Ok(Closes {
        first_date: date(rows.first())?,
        last_date: date(rows.last())?,
        values,
    })
}

/// Makes such forecasts again at earlier days.
async fn test(
    work: &Work<'_>,
    closes: &Closes,
    sessions: usize,
    events: (f64, f64),
) -> Option<Calibration> {
    let mut found = None;
    let step = async {
        let values = closes.values.clone();
        // Hundreds of forecasts, each over the whole history before it.
        let tested = tokio::task::spawn_blocking(move || calibrate(&values, sessions, events))
            .await
            .map_err(|_| "the test ended early".to_owned())?
            .ok_or("the history is too short to make such forecasts again")?;
        found = Some(tested);
        Ok(Done {
            summary: format!(
                "{} made again: Brier score {:.3}, {:.3} by frequency alone; {} of outcomes inside the 80% range.",
                count(tested.forecasts as u64, "forecast", "forecasts"),
                tested.brier,
                tested.climatology,
                percent(tested.inside_80 * 100.0)
            ),
            output: json!({"forecasts": tested.forecasts, "brier": tested.brier, "climatology": tested.climatology, "inside_80": tested.inside_80}),
            confidence: Some((0.5 + tested.skill()).clamp(0.1, 0.9)),
            credits: None,
        })
    };
    work.run
        .step("test of the method", json!({"sessions": sessions}), 0, step)
        .await;
    found
}

fn write(
    work: &Work<'_>,
    draft: &mut Draft,
    instrument: &Instrument,
    closes: &Closes,
    made: &Outlook,
) {
    let name = format!("{} ({})", instrument.name, instrument.symbol);
    let last = closes.values.last().copied().unwrap_or_default();
    let price = |change_pct: f64| money(last * (1.0 + change_pct / 100.0), &instrument.currency);
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
        "{name} closed at {} on {}. By {until}, eight chances in ten lie between {} and {} ({} to {}); a higher close has a chance of {}.",
        money(last, &instrument.currency),
        day(&closes.last_date),
        price(range.0),
        price(range.1),
        change(range.0),
        change(range.1),
        percent(made.chance_up * 100.0),
    ));
    let a_year = SESSIONS[usize::from(instrument.kind == Kind::Coin)].sqrt() * 100.0;
    let (recent, usual) = (made.recent_daily * a_year, made.usual_daily * a_year);
    let unrest = if recent > 1.15 * usual {
        "wider than usual"
    } else if recent < 0.85 * usual {
        "narrower than usual"
    } else {
        "about as wide as usual"
    };
    draft.summary.push(format!(
        "Its swings of late are {unrest}: {} a year against {} since {}, the first close that was read.",
        percent(recent),
        percent(usual),
        day(&closes.first_date)
    ));
    if let Some(rate) = made.base_rate {
        draft.summary.push(format!(
            "Of the times of this length since its first close held, {} ended higher{}.",
            percent(rate * 100.0),
            if made.times < 8.0 {
                format!(
                    "; that is only {:.0} without overlap, so that it counts for little",
                    made.times
                )
            } else {
                String::new()
            }
        ));
    }
    if let Some(calibration) = &draft.calibration {
        let words = if calibration.skill() > 0.01 {
            "better than past frequency"
        } else if calibration.skill() < -0.01 {
            "worse than past frequency, so that its chances were moved towards it"
        } else {
            "no better than past frequency"
        };
        draft.summary.push(format!(
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
            } else {
                String::new()
            }
        ));
    }
    let basis = format!(
        "spread of {} daily changes, with the swings of late reverting to their usual size",
        closes.values.len() - 1
    );
    let case = |text: String, chance: f64| Prediction {
        text,
        chance,
        timeframe: work.asked.timeframe.clone(),
        is_case: true,
        basis: basis.clone(),
    };
    let symbol = &instrument.symbol;
    draft.predictions.extend([
        case(
            format!(
                "{symbol} stays between {} and {} ({} to {}).",
                price(cases.low_pct),
                price(cases.high_pct),
                change(cases.low_pct),
                change(cases.high_pct)
            ),
            cases.between,
        ),
        case(
            format!(
                "{symbol} ends above {} ({} or more).",
                price(cases.high_pct),
                change(cases.high_pct)
            ),
            cases.above,
        ),
        case(
            format!(
                "{symbol} ends below {} ({} or worse).",
                price(cases.low_pct),
                change(cases.low_pct)
            ),
            cases.below,
        ),
        Prediction {
            text: format!(
                "{symbol} ends higher than {}.",
                money(last, &instrument.currency)
            ),
            chance: made.chance_up,
            timeframe: work.asked.timeframe.clone(),
            is_case: false,
            basis: match made.base_rate {
                Some(rate) => format!(
                    "{} of earlier times of this length, and the drift shrunk towards zero",
                    percent(rate * 100.0)
                ),
                None => "the drift, shrunk towards zero".to_owned(),
            },
        },
    ]);
    let recent_closes = &closes.values[closes.values.len().saturating_sub(QUARTER)..];
    let high = recent_closes.iter().copied().fold(f64::MIN, f64::max);
    let low = recent_closes.iter().copied().fold(f64::MAX, f64::min);
    draft.signals.push(format!(
        "A close above {} or below {}, the range of closes of the last {} sessions.",
        money(high, &instrument.currency),
        money(low, &instrument.currency),
        recent_closes.len()
    ));
    let daily = made.recent_daily * 100.0;
    draft.signals.push(format!(
        "A move of more than {} in one session, three times the daily swing of late.",
        percent(3.0 * daily)
    ));
    let tails = (made.quantile_pct(0.025), made.quantile_pct(0.975));
    draft.wildcards.push(format!(
        "One chance in forty: below {} ({}); one in forty: above {} ({}).",
        price(tails.0),
        change(tails.0),
        price(tails.1),
        change(tails.1)
    ));
    let worst = closes
        .values
        .windows(made.sessions + 1)
        .map(|window| (window[made.sessions] / window[0] - 1.0) * 100.0)
        .fold(f64::MAX, f64::min);
    if worst < 0.0 && worst.is_finite() {
        draft.wildcards.push(format!(
            "The worst such time since {}: {}.",
            day(&closes.first_date),
            change(worst)
        ));
    }
}

/// What became of peers in such times.
async fn peers(work: &Work<'_>, draft: &mut Draft, instrument: &Instrument, sessions: usize) {
    let symbol = instrument.symbol.as_str();
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

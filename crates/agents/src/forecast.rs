//! What may happen: chances from frequencies, the spread of a price, the pace of the news and what is scheduled.
//!
//! A topic that names an instrument is forecast from its own prices; an economic series from its own changes; anything else from
//! how often the news reported such events before and how its coverage moved. Cases add up to 1. The deep forecast also makes
//! its forecasts again at earlier days, widens ranges where they held too little, and counts peers. It is a run of steps with a
//! receipt; nothing in it is a model's opinion.

mod horizon;
mod news;
pub(crate) mod operation;
mod price;
mod scenarios;
mod series;

use model::Day;
use operations::{Context, Error, Result};
use serde_json::{Value, json};

use crate::ask::{self, MissingBody, Question};
use crate::runs::{Done, Finished, Keeping, NewRun, Run};

/// How thorough it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    Standard,
    Deep,
}

/// What is to be forecast.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) topic: String,
    pub(crate) depth: Depth,
    /// Days back.
    pub(crate) back: i32,
    /// Days ahead, and how the caller said it.
    pub(crate) ahead: i32,
    pub(crate) timeframe: String,
}

/// One thing that may happen.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Prediction {
    pub(crate) text: String,
    pub(crate) chance: f64,
    pub(crate) timeframe: String,
    /// Whether it is one of the cases that add up to 1.
    pub(crate) is_case: bool,
    /// What the chance rests on.
    pub(crate) basis: String,
}

/// What a forecast says.
#[derive(Default)]
pub(crate) struct Draft {
    /// Sentences of the summary.
    pub(crate) summary: Vec<String>,
    pub(crate) predictions: Vec<Prediction>,
    pub(crate) signals: Vec<String>,
    pub(crate) wildcards: Vec<String>,
    /// `rising`, `falling` or `stable`.
    pub(crate) trend: Option<&'static str>,
    pub(crate) calibration: Option<market::forecast::Calibration>,
    pub(crate) missing: Vec<MissingBody>,
}

impl Draft {
    fn lacks(&mut self, field: &'static str, source: &str, reason: impl Into<String>) {
        self.missing.push(MissingBody {
            field,
            reason: reason.into(),
            source: source.to_owned(),
        });
    }
}

/// A forecast that was made.
pub(crate) struct Made {
    pub(crate) draft: Draft,
    pub(crate) run: Finished,
}

/// What every part knows.
struct Work<'a> {
    run: &'a Run<'a>,
    question: &'a Question,
    asked: &'a Asked,
    today: Day,
}

impl Work<'_> {
    /// The last day of the time ahead.
    fn end(&self) -> Day {
        self.today.plus(self.asked.ahead)
    }

    fn is_deep(&self) -> bool {
        self.asked.depth == Depth::Deep
    }
}

/// Makes a forecast.
pub(crate) async fn make(context: &Context, asked: &Asked) -> Result<Made> {
    let question = Question::read(
        context,
        ask::Asked {
            question: asked.topic.clone(),
            ..ask::Asked::default()
        },
    )
    .await?;
    let run = Run::new(
        context,
        NewRun {
            kind: "forecast",
            subject: asked.topic.chars().take(80).collect(),
            inputs: json!({"topic": asked.topic, "deep": asked.depth == Depth::Deep, "days_back": asked.back, "days_ahead": asked.ahead}),
            budget: u64::MAX,
            keeping: Keeping::AtTheEnd,
        },
        None,
    );
    let mut draft = Draft::default();
    {
        let work = Work {
            run: &run,
            question: &question,
            asked,
            today: question.today,
        };
        if question.reading.instruments.is_empty() {
            series::forecast(&work, &mut draft).await;
        } else {
            price::forecast(&work, &mut draft).await;
        }
        Box::pin(news::forecast(&work, &mut draft)).await;
        calendar(&work, &mut draft).await;
    }
    if draft.predictions.is_empty() {
        let topic: String = asked.topic.chars().take(80).collect();
        let reasons: Vec<&str> = draft
            .missing
            .iter()
            .map(|one| one.reason.as_str())
            .collect();
        return Err(Error::not_found(format!(
            "nothing can be forecast of {topic:?}: {}",
            if reasons.is_empty() {
                format!(
                    "no series, no event and no coverage of the last {} days",
                    asked.back
                )
            } else {
                reasons.join("; ")
            }
        )));
    }
    let summary = draft.summary.join(" ");
    let output = json!({
        "summary": summary,
        "predictions": draft.predictions.iter().map(|one| json!({"prediction": one.text, "confidence": one.chance})).collect::<Vec<_>>(),
    });
    let status = run.status();
    let run = run.finish(status, &summary, output).await?;
    Ok(Made { draft, run })
}

/// What is scheduled within the time ahead.
async fn calendar(work: &Work<'_>, draft: &mut Draft) {
    /// Days that the calendar is read ahead.
    const FAR: i32 = 90;
    const SHOWN: usize = 4;
    let to = work.end().min(work.today.plus(FAR));
    let symbols: Vec<&str> = work
        .question
        .reading
        .instruments
        .iter()
        .map(|one| one.symbol.as_str())
        .collect();
    let arguments = json!({"from": work.today.to_string(), "to": to.to_string(), "limit": 200});
    let step = async {
        let found = work.run.consult("list_calendar_events", arguments).await?;
        let events = found.get("events").and_then(Value::as_array);
        let mut lines = Vec::new();
        for event in events.into_iter().flatten().map(crate::view::View) {
            let (Some(date), Some(title)) = (event.text("date"), event.text("title")) else {
                continue;
            };
            let ticker = event.text("ticker");
            let is_ours = match ticker {
                Some(ticker) => symbols.contains(&ticker),
                // Releases and meetings move everything.
                None => event.text("type").is_some_and(|kind| kind != "holiday"),
            };
            if is_ours {
                lines.push((
                    ticker.is_none(),
                    format!("{}: {title}.", crate::figures::day(date)),
                ));
            }
        }
        // What is about the instrument itself goes first.
        lines.sort_by_key(|(is_general, _)| *is_general);
        let lines: Vec<String> = lines
            .into_iter()
            .map(|(_, line)| line)
            .take(SHOWN)
            .collect();
        Ok(Done {
            summary: match lines.len() {
                0 => "Nothing that bears on it is scheduled.".to_owned(),
                number => format!("{number} scheduled."),
            },
            output: json!({"scheduled": lines}),
            confidence: None,
            credits: None,
        })
    };
    let inputs = json!({"until": to.to_string()});
    match work.run.step("calendar", inputs, 0, step).await {
        Some(result) => {
            let lines = result.get("scheduled").and_then(Value::as_array);
            let lines = lines.into_iter().flatten().filter_map(Value::as_str);
            draft.signals.extend(lines.map(str::to_owned));
        }
        None => draft.lacks(
            "key_signals_to_watch",
            "/api/v1/events/calendar",
            "the calendar could not be read",
        ),
    }
}

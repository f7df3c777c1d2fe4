//! What may happen: probabilities from frequencies, the spread of a price, the pace of the news and what is scheduled.
//!
//! A topic that asks whether something will happen gets the probability of exactly that first. A topic that names an
//! instrument, a commodity, an index or a currency pair is forecast from its own prices; an economic series from its
//! own changes; anything else from how often the news reported such events before and how its coverage moved. Cases add
//! up to 1. The deep forecast also repeats its forecasts for earlier days, widens ranges that contained too few
//! outcomes, and counts peers. Its statements about the past are tested by the verifier. It is a run of steps with a
//! receipt; nothing in it is a model's opinion.

mod asked;
mod calendar;
mod deed;
mod history;
mod news;
pub(crate) mod operation;
mod price;
mod scenarios;
mod series;

use market::forecast::Calibration;
use model::Day;
use operations::{Context, Error, Result};
use query::{Expected, Outcome};
use serde_json::{Value, json};

use crate::ask::{self, MissingBody, Question};
use crate::figures::{count, percent};
use crate::runs::{Done, Finished, Keeping, NewRun, Run, Verified};
use history::Subject;

pub(crate) use history::Listed;
pub(crate) use price::{Ahead, Base, of_listed};

/// The most statements that are tested, and how long one may be in characters.
const MOST_CLAIMS: usize = 4;
const CLAIM: std::ops::RangeInclusive<usize> = 10..=1_000;

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
    /// What the topic asks the probability of.
    pub(crate) expected: Expected,
}

/// One thing that may happen.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Prediction {
    pub(crate) text: String,
    pub(crate) chance: f64,
    pub(crate) timeframe: String,
    pub(crate) kind: PredictionKind,
    /// What the probability is based on.
    pub(crate) basis: String,
}

/// How a prediction relates to the others, in the order in which they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PredictionKind {
    /// Exactly what the topic asks.
    Asked,
    /// One of the cases that add up to 1.
    Case,
    /// Stands alone.
    Event,
}

impl PredictionKind {
    /// The word of the wire contract.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::Case => "case",
            Self::Event => "event",
        }
    }
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
    /// What it states about the past, to be tested.
    claims: Vec<String>,
    pub(crate) tested: Vec<Verified>,
}

impl Draft {
    /// Notes a statement of the forecast, in a form that a verifier reads; statements beyond the limit are not tested.
    fn states(&mut self, claim: String) {
        let fits = CLAIM.contains(&claim.chars().count());
        if fits && self.claims.len() < MOST_CLAIMS && !self.claims.contains(&claim) {
            self.claims.push(claim);
        }
    }

    fn lacks(&mut self, field: &'static str, source: &str, reason: impl Into<String>) {
        self.missing.push(MissingBody {
            field,
            reason: reason.into(),
            source: source.to_owned(),
        });
    }
}

/// A finished forecast.
pub(crate) struct Made {
    pub(crate) draft: Draft,
    pub(crate) run: Finished,
}

/// What every part needs to know.
struct Work<'a> {
    run: &'a Run<'a>,
    question: &'a Question,
    asked: &'a Asked,
    expected: &'a Expected,
    today: Day,
}

impl Work<'_> {
    /// The last day of the forecast period.
    fn end(&self) -> Day {
        self.today.plus(self.asked.ahead)
    }

    fn is_deep(&self) -> bool {
        self.asked.depth == Depth::Deep
    }

    /// Repeats forecasts like this for earlier times, as a step of its own; `record` is what may be too short for it.
    async fn made_again(
        &self,
        inputs: Value,
        record: &str,
        again: impl FnOnce() -> Option<Calibration> + Send + 'static,
    ) -> Option<Calibration> {
        let mut found = None;
        let step = async {
            // Hundreds of forecasts, each over everything that was known before it.
            let tested = tokio::task::spawn_blocking(again)
                .await
                .map_err(|_| "the test ended early".to_owned())?
                .ok_or_else(|| format!("the {record} is too short to make such forecasts again"))?;
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
        self.run.step("test of the method", inputs, 0, step).await;
        found
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
            expected: &asked.expected,
            today: question.today,
        };
        match (&asked.expected.outcome, Subject::of(&question.reading)) {
            // Whether somebody acts does not depend on a price.
            (Some(Outcome::Event(deed)), _) => {
                Box::pin(deed::forecast(&work, &mut draft, deed)).await;
            }
            (_, Some(subject)) => Box::pin(price::forecast(&work, &subject, &mut draft)).await,
            (_, None) => series::forecast(&work, &mut draft).await,
        }
        Box::pin(news::forecast(&work, &mut draft)).await;
        calendar::read(&work, &mut draft).await;
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
    test(&run, &mut draft).await;
    let summary = draft.summary.join(" ");
    let output = json!({
        "summary": summary,
        "predictions": draft.predictions.iter().map(|one| json!({"prediction": one.text, "confidence": one.chance})).collect::<Vec<_>>(),
    });
    let status = run.status();
    let run = run.finish(status, &summary, output).await?;
    Ok(Made { draft, run })
}

/// Tests what the forecast states about the past; contradicted statements are reported.
async fn test(run: &Run<'_>, draft: &mut Draft) {
    let claims: Vec<&str> = draft.claims.iter().map(String::as_str).collect();
    if claims.is_empty() {
        return;
    }
    draft.tested = crate::tested::test(run, &claims, "statement", "statements").await;
    for one in draft
        .tested
        .iter()
        .filter(|one| one.verdict == "contradicted")
    {
        draft.summary.push(format!(
            "What is on record contradicts a statement that this rests on: “{}”",
            crate::figures::quoted(&one.claim)
        ));
    }
}

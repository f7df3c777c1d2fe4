//! A question and its answer.
//!
//! [`Question::prepare`] reads the question and plans the answer, so that a caller can be refused before any work is
//! done. [`Question::answer`] runs the plan and writes the answer. If the question refers to the previous one
//! (`and its P/E?`), the session supplies the subject.

mod follow_up;
pub mod operation;
mod part;

use std::sync::Arc;
use std::time::Instant;

use model::Day;
use operations::{Context, Error, Result};
use query::{Intent, Reading};
use serde::Serialize;
use serde_json::{Map, Value};
use tokio::sync::mpsc::Sender;
use utoipa::ToSchema;

use crate::MOST_SOURCES;
use crate::answer::{Answer, TradeSignal};
use crate::chart::{self, ChartBody};
use crate::plan::{self, Plan};
use crate::prose::{self, Facts, Prose, Told};
use crate::run::Outcome;
use crate::sessions::Sessions;
use crate::state::State;
use follow_up::lean_on;
use part::Part;

/// The remark for a question about two times if the budget is too small for both.
const SECOND_TIME_LEFT: &str = "this is of the first of the two times that are asked about; the budget does not reach for the second";

/// Minimum and maximum length of a question, in characters.
pub const LENGTH: std::ops::RangeInclusive<usize> = 2..=500;

/// The request.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// The question, with a length in [`LENGTH`].
    pub question: String,
    /// Maximum number of credits.
    pub budget: Option<u64>,
    /// The session of an earlier answer that this question may refer to.
    pub session: Option<String>,
    /// Whether to include a chart with the answer.
    pub wants_chart: bool,
}

/// A question that has been read and planned.
#[derive(Debug)]
pub struct Question {
    asked: Asked,
    pub(crate) session: String,
    pub(crate) reading: Reading,
    pub(crate) plan: Plan,
    budget: u64,
    /// The part that a language model played in the answer. Its words appear in no summary.
    remarks: Vec<String>,
    names: Arc<query::Names>,
    pub(crate) today: Day,
    started: Instant,
    /// Whether the subject comes from the previous question.
    follows_up: bool,
    /// The same for another time, if the question is about two.
    other_time: Option<(Reading, Plan)>,
}

/// An event sent while a question is answered.
#[derive(Debug)]
pub enum Event {
    /// How the question was interpreted.
    Thinking {
        /// What the question asks for.
        intents: Vec<&'static str>,
        /// Symbols.
        tickers: Vec<String>,
        /// Sectors.
        sectors: Vec<&'static str>,
    },
    /// The result of one source.
    Data {
        /// Key of the result in `data`.
        key: &'static str,
        /// What the result is about, if the question names several instruments.
        subject: Option<String>,
        /// The result.
        data: Value,
    },
    /// The answer as the template wrote it.
    Template(String),
    /// The next part of the answer as a language model writes it.
    Token(String),
}

/// How reliable the answer is.
#[derive(Clone, Copy, Debug)]
pub struct Confidence {
    /// `high`, `medium` or `low`.
    pub level: &'static str,
    /// Share of the required data that was found, reduced for anything that was guessed; from 0 to 1.
    pub score: f64,
}

/// Why something is missing.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = AskDataStatus)]
pub struct MissingBody {
    /// The key in `data`.
    pub field: &'static str,
    /// The reason.
    pub reason: String,
    /// The operation that was called.
    pub source: String,
}

/// Everything that an answer contains.
#[derive(Debug)]
pub struct Answered {
    /// The question as it was sent.
    pub question: String,
    /// The session, for questions that refer to this one.
    pub session: String,
    /// Symbols.
    pub tickers: Vec<String>,
    /// What the question asked for.
    pub intents: Vec<&'static str>,
    /// How reliable the answer is.
    pub confidence: Confidence,
    /// How the question was interpreted and planned.
    pub reasoning: Vec<String>,
    /// The answer in Markdown, the signal and the follow-up questions.
    pub answer: Answer,
    /// The answer as a language model wrote it from the same data, if one did.
    pub prose: Option<String>,
    /// The chart, if one was requested and there is something to draw.
    pub chart: Option<ChartBody>,
    /// The results by key.
    pub data: Map<String, Value>,
    /// What is missing.
    pub missing: Vec<MissingBody>,
    /// Paths of the operations that were called, in the order of the plan.
    pub endpoints: Vec<String>,
    /// Cost in credits: one for each source that answered.
    pub credits: u64,
    /// Milliseconds since the question was received.
    pub took_ms: u64,
}

impl Answered {
    /// The signal, if one instrument was assessed.
    pub fn trade_signal(&self) -> Option<&TradeSignal> {
        self.answer.trade_signal.as_ref()
    }
}

impl Question {
    /// Reads and plans a question. Refuses a budget that is too small for any plan.
    pub async fn prepare(context: &Context, asked: Asked) -> Result<Self> {
        let state = State::of(&context.services);
        let mut question = Self::read(context, asked).await?;
        if let Some(budget) = question.asked.budget {
            let least = question.plan.least_credits().max(1);
            if budget < least {
                return Err(Error::invalid(format!(
                    "budget is {budget}; the smallest plan that answers this question costs {least}"
                )));
            }
            question.plan.cut_to(budget);
        }
        context.charge.raise(
            &context.services,
            &context.caller,
            question.budget.min(MOST_SOURCES),
        )?;
        let clock = context.services.clock.now();
        state
            .popular
            .note(&question.asked.question, context.payer(), clock);
        Ok(question)
    }

    /// Reads and plans a question, whatever it costs.
    pub(crate) async fn read(context: &Context, asked: Asked) -> Result<Self> {
        let started = Instant::now();
        let state = State::of(&context.services);
        let names = state.names.get(&context.services).await?;
        let now = context.end();
        let today = Day::of(now);
        let mut reading = query::read(&asked.question, today, &names);
        let clock = context.services.clock.now();
        let mut follows_up = false;
        let session = match &asked.session {
            Some(session) => {
                if let Some(last) = state.sessions.spoken(context.payer(), session, clock) {
                    follows_up = lean_on(&mut reading, last, &names, today);
                }
                session.clone()
            }
            None => Sessions::fresh(),
        };
        let mut plan = plan::plan_with(&reading, today, asked.wants_chart);
        suggest(&reading, &names, &mut plan);
        let budget = asked.budget.unwrap_or(MOST_SOURCES);
        let of_each = query::of_each_time(&reading, today).filter(|_| !follows_up);
        let other_time = of_each.and_then(|[first, second]| {
            let planned = |text: &str, wants_chart: bool| {
                let reading = query::read(text, today, &names);
                let plan = plan::plan_with(&reading, today, wants_chart);
                (reading, plan)
            };
            let second = planned(&second, false);
            (reading, plan) = planned(&first, asked.wants_chart);
            suggest(&reading, &names, &mut plan);
            if plan.credits() + second.1.credits() <= budget {
                return Some(second);
            }
            plan.notes.push(SECOND_TIME_LEFT.to_owned());
            None
        });
        Ok(Self {
            asked,
            session,
            reading,
            plan,
            budget,
            remarks: Vec::new(),
            names,
            today,
            started,
            follows_up,
            other_time,
        })
    }

    /// How it was interpreted.
    pub fn thinking(&self) -> Event {
        Event::Thinking {
            intents: self.intents(),
            tickers: self.tickers(),
            sectors: self.reading.sectors.clone(),
        }
    }

    /// Maximum cost in credits.
    pub fn credits(&self) -> u64 {
        let of_other = self.other_time.as_ref().map(|(_, plan)| plan.credits());
        self.plan.credits() + of_other.unwrap_or_default()
    }

    pub(crate) fn intents(&self) -> Vec<&'static str> {
        let intents = self.reading.intents.iter();
        intents.map(|intent| intent.as_str()).collect()
    }

    pub(crate) fn tickers(&self) -> Vec<String> {
        let instruments = self.reading.instruments.iter();
        instruments.map(|one| one.symbol.to_string()).collect()
    }

    /// Runs the plan and writes the answer, sending the listener every result as it arrives. The work ends when the
    /// future is dropped or the listener has left.
    pub async fn answer(mut self, context: &Context, listener: Option<&Sender<Event>>) -> Answered {
        let deadline = self.deadline(context);
        self.let_model_restate(context, deadline, listener).await;
        let mut part = Part::answer(context, &self.reading, &self.plan, listener).await;
        if let Some((reading, plan)) = self.other_time.take() {
            part.join(Part::answer(context, &reading, &plan, listener).await);
        }
        let Part {
            outcomes,
            data,
            mut missing,
            answer,
            confidence,
        } = part;
        let credits = outcomes
            .iter()
            .filter(|outcome| outcome.result.is_ok())
            .count() as u64;
        if let Some(listener) = listener {
            // If the listener has left, those who continue will notice.
            let _ = listener.send(Event::Template(answer.summary.clone())).await;
        }
        let prose = match self
            .prose(context, &data, &answer.summary, deadline, listener)
            .await
        {
            Ok(Some(prose)) => {
                self.remarks.push(prose.note());
                Some(prose.text.clone())
            }
            Ok(None) => None,
            Err(reason) => {
                missing.push(MissingBody {
                    field: "summary",
                    reason,
                    source: "chat".to_owned(),
                });
                None
            }
        };
        let chart = if self.asked.wants_chart {
            match chart::draw(&self.reading.instruments, &data) {
                Ok(chart) => Some(chart),
                Err(reason) => {
                    missing.push(MissingBody {
                        field: "chart",
                        reason: reason.to_owned(),
                        source: "ask".to_owned(),
                    });
                    None
                }
            }
        } else {
            None
        };
        let endpoints = outcomes
            .iter()
            .map(|outcome| outcome.step.endpoint.clone())
            .collect();
        let state = State::of(&context.services);
        let now = context.services.clock.now();
        let reasoning = self.reasoning();
        let (tickers, intents) = (self.tickers(), self.intents());
        state
            .sessions
            .note(context.payer(), &self.session, self.reading, now);
        Answered {
            question: self.asked.question,
            session: self.session,
            tickers,
            intents,
            confidence,
            reasoning,
            answer,
            prose,
            chart,
            data,
            missing,
            endpoints,
            credits,
            took_ms: u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX),
        }
    }

    /// Asks the language model to rephrase the question if the reader found nothing to look up.
    async fn let_model_restate(
        &mut self,
        context: &Context,
        deadline: tokio::time::Instant,
        listener: Option<&Sender<Event>>,
    ) {
        let Some(model) = &context.services.chat else {
            return;
        };
        if !prose::would_help(&self.reading) {
            return;
        }
        let now = context.services.clock.now();
        let restated = prose::restate(model, &self.asked.question, now, deadline);
        match prose::or_left(listener, restated).await {
            Some(Ok(Some(said))) => {
                let reading = query::read(&said, self.today, &self.names);
                if reading.wants(Intent::Unclear) {
                    return;
                }
                self.remarks
                    .push(format!("understood by the language model as: {said}"));
                self.plan = plan::plan_with(&reading, self.today, self.asked.wants_chart);
                suggest(&reading, &self.names, &mut self.plan);
                self.plan.cut_whatever(self.budget);
                self.reading = reading;
            }
            Some(Err(error)) => self.remarks.push(format!("not understood better: {error}")),
            Some(Ok(None)) | None => {}
        }
    }

    /// The deadline for a model, early enough for the template to answer instead.
    pub(crate) fn deadline(&self, context: &Context) -> tokio::time::Instant {
        const RESERVE: std::time::Duration = std::time::Duration::from_secs(3);
        let limit = context.services.settings.request_timeout;
        let begun = tokio::time::Instant::from_std(self.started);
        begun + limit.saturating_sub(RESERVE.min(limit / 2))
    }

    /// Asks the language model to write the answer, if there is a model and something to write from.
    pub(crate) async fn prose(
        &self,
        context: &Context,
        data: &Map<String, Value>,
        draft: &str,
        deadline: tokio::time::Instant,
        listener: Option<&Sender<Event>>,
    ) -> std::result::Result<Option<Arc<Prose>>, String> {
        let services = &context.services;
        let Some(model) = services.chat.as_ref().filter(|_| !data.is_empty()) else {
            return Ok(None);
        };
        let instruments = self.reading.instruments.iter();
        let facts = Facts::new(&Told {
            question: &self.asked.question,
            today: self.today,
            subjects: instruments
                .map(|one| (one.symbol.as_str(), &*one.name))
                .collect(),
            data,
            draft,
        });
        let state = State::of(services);
        let written = prose::write(model, services, &state.prose, &facts, deadline, listener).await;
        written.map(Some)
    }

    /// How the question was interpreted and planned, in sentences.
    fn reasoning(&self) -> Vec<String> {
        let mut lines = self.reading.explanation.clone();
        if self.follows_up {
            lines.push(format!(
                "the subject comes from the question before: {}",
                self.tickers().join(", ")
            ));
        }
        for unknown in &self.reading.unknown {
            lines.push(format!("nothing is listed as {unknown}"));
        }
        let names: Vec<String> = self.reading.series.iter().map(|one| one.name()).collect();
        if !names.is_empty() {
            lines.push(format!("about {}", names.join(", ")));
        }
        lines.push(format!("read as: {}", self.intents().join(", ")));
        if !self.reading.when.is_unsaid() {
            let when = &self.reading.when;
            let from = when
                .from
                .map_or_else(|| "the beginning".to_owned(), |day| day.to_string());
            let to = when
                .to
                .map_or_else(|| "now".to_owned(), |day| day.to_string());
            lines.push(format!("time “{}”: {from} to {to}", when.said.trim()));
        }
        if let Some(day) = self.plan.as_of {
            lines.push(format!("answered from what was known on {day}"));
        }
        for step in &self.plan.steps {
            let why = if step.is_needed {
                "needed"
            } else {
                "for context"
            };
            lines.push(format!("{} ({why})", step.endpoint));
        }
        lines.extend(self.plan.notes.iter().cloned());
        lines.extend(self.remarks.iter().cloned());
        lines
    }
}

/// Suggests what an unknown symbol may have meant.
fn suggest(reading: &Reading, names: &query::Names, plan: &mut Plan) {
    for unknown in &reading.unknown {
        let near = names.near_symbols(unknown, 3);
        let near: Vec<&str> = near.iter().map(model::Symbol::as_str).collect();
        plan.notes.push(if near.is_empty() {
            format!("nothing is listed as {unknown}")
        } else {
            format!(
                "nothing is listed as {unknown}; did you mean {}?",
                near.join(", ")
            )
        });
    }
}

/// The results by key. Results about one of several instruments are placed under its symbol.
pub(crate) fn collect(outcomes: &[Outcome]) -> Map<String, Value> {
    let mut data = Map::new();
    for outcome in outcomes {
        let Ok(result) = &outcome.result else {
            continue;
        };
        match &outcome.step.subject {
            None => {
                data.insert(outcome.step.key.to_owned(), Value::clone(result));
            }
            Some(subject) => {
                let by_subject = data
                    .entry(outcome.step.key.to_owned())
                    .or_insert_with(|| Value::Object(Map::new()));
                if let Value::Object(by_subject) = by_subject {
                    by_subject.insert(subject.clone(), Value::clone(result));
                }
            }
        }
    }
    data
}

/// Keeps only those results of a news search that are shown.
fn keep_first_found(data: &mut Map<String, Value>, outcomes: &[Outcome]) {
    const SHOWN: usize = 5;
    let is_searched = outcomes
        .iter()
        .any(|outcome| outcome.step.key == "news" && outcome.step.operation == "search_briefs");
    let found = data.get_mut("news").filter(|_| is_searched);
    if let Some(Value::Array(briefs)) = found.and_then(|news| news.get_mut("briefs")) {
        briefs.truncate(SHOWN);
    }
}

pub(crate) fn missing(outcomes: &[Outcome]) -> Vec<MissingBody> {
    let failed = outcomes.iter().filter_map(|outcome| {
        let reason = outcome.result.as_ref().err()?;
        Some(MissingBody {
            field: outcome.step.key,
            reason: reason.clone(),
            source: outcome.step.endpoint.clone(),
        })
    });
    failed.collect()
}

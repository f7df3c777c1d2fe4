//! `/ask`: a question, answered in one response.

use operations::{
    About, Address, Arguments, Checked, Context, Faults, Keeping, Operation, Parameters, Posted,
    Result,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::{Answered, Asked, LENGTH, MissingBody, Question};
use crate::MOST_SOURCES;
use crate::chart::ChartBody;

/// Maximum length of a session name.
const LONGEST_SESSION: usize = 80;

/// A question.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct AskRequest {
    /// The question, in plain English.
    #[schema(
        min_length = 2,
        max_length = 500,
        pattern = r"\S[\s\S]*\S",
        example = "How is NVDA doing?"
    )]
    question: String,
    /// Maximum number of credits that the answer may cost. A plan that costs more is reduced to fit.
    #[serde(default, deserialize_with = "operations::whole")]
    #[schema(minimum = 1, maximum = 20)]
    budget: Option<u64>,
    /// The session of an earlier answer that this question may refer to.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 80)]
    session_id: Option<String>,
    /// What else to include with the answer: `chart`, a picture of the prices of the instruments in question.
    #[serde(default)]
    #[schema(max_items = 4)]
    include: Vec<Include>,
    /// Answers as of this time (ISO 8601), like the query parameter of the same name. If both are given, the earlier
    /// one applies.
    #[serde(default)]
    #[schema(format = DateTime)]
    as_of: Option<String>,
}

/// What may be included with an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = AskInclude)]
pub(crate) enum Include {
    /// A chart of prices as SVG.
    Chart,
}

/// The values of [`Include`] in a query.
const INCLUDES: [(&str, Include); 1] = [("chart", Include::Chart)];

impl Checked for AskRequest {
    fn check(&self, faults: &mut Faults) {
        faults.length("question", self.question.trim(), LENGTH);
        if self
            .budget
            .is_some_and(|budget| !(1..=MOST_SOURCES).contains(&budget))
        {
            faults.note(format!("budget must be from 1 to {MOST_SOURCES}"));
        }
        if let Some(session) = &self.session_id {
            faults.length("session_id", session, 1..=LONGEST_SESSION);
        }
        if self.include.len() > 4 {
            faults.note("include takes at most 4 words".to_owned());
        }
    }
}

/// A question passed as query parameters.
#[derive(Debug)]
pub struct AskParameters {
    asked: Asked,
}

impl Parameters for AskParameters {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            asked: read(arguments, "q"),
        }
    }
}

/// Reads a question from query parameters; `name` is the parameter of the question.
pub fn read(arguments: &mut Arguments<'_>, name: &'static str) -> Asked {
    Asked {
        question: arguments.required_text(name, LENGTH, "The question in plain English"),
        budget: arguments.optional_integer(
            "budget",
            1..=MOST_SOURCES,
            "Maximum number of credits that the answer may cost",
        ),
        session: arguments.text(
            "session_id",
            1..=LONGEST_SESSION,
            "Session of an earlier answer that this question may refer to",
        ),
        wants_chart: arguments
            .word(
                "include",
                &INCLUDES,
                "What else to include with the answer: a chart of the prices of the instruments in question",
            )
            .is_some(),
    }
}

/// A signal calculated by a documented formula from technicals, sentiment, events and fundamentals.
#[derive(Serialize, ToSchema)]
#[schema(as = AskTradeSignal)]
pub(crate) struct TradeSignalBody {
    /// `strong_buy`, `lean_buy`, `hold`, `lean_sell` or `strong_sell`.
    action: String,
    /// Score from 0 to 100; 50 is neutral.
    score: u64,
    /// The factors behind the signal, each with its number.
    factors: Vec<String>,
}

/// An answer.
#[derive(Serialize, ToSchema)]
pub(crate) struct AskBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The question as it was sent.
    question: String,
    /// Symbols named in the question.
    tickers: Vec<String>,
    /// What the question was understood to ask for.
    intents: Vec<&'static str>,
    /// `high`, `medium` or `low`: how much of the required data was found.
    confidence: &'static str,
    /// The signal. Absent unless one instrument was assessed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    trade_signal: Option<TradeSignalBody>,
    /// How the question was interpreted, and the plan.
    reasoning: Vec<String>,
    /// The answer in Markdown. Every number in it appears in `data`.
    summary: String,
    /// `template`, or `llm` if the operator's language model wrote the answer and every sentence passed the check
    /// against `data`.
    summary_source: &'static str,
    /// The answer without the model. Present if `summary_source` is `llm`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    summary_template: Option<String>,
    /// Suggested follow-up questions. Absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    follow_ups: Vec<String>,
    /// The prices of the instruments in question as a picture. Present if requested with `include`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    chart: Option<ChartBody>,
    /// Results of the sources by key, such as `price`, `technicals`, `news`. If the question names several instruments,
    /// the results for each are under its symbol.
    #[schema(value_type = Object)]
    data: Map<String, Value>,
    /// Sources that did not answer. Absent if all of them did.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<MissingBody>,
    /// Pass this with the next question, which may then refer to this one.
    session_id: String,
    /// Credits charged for this answer: one for each source that answered.
    credits_used: u64,
    /// Paths of the sources that were called.
    endpoints_called: Vec<String>,
    /// Response time in milliseconds.
    response_time_ms: u64,
}

impl From<Answered> for AskBody {
    fn from(answered: Answered) -> Self {
        let Answered { answer, prose, .. } = answered;
        let (summary, summary_source, summary_template) = match prose {
            Some(prose) => (prose, "llm", Some(answer.summary)),
            None => (answer.summary, "template", None),
        };
        Self {
            status: "ok",
            question: answered.question,
            tickers: answered.tickers,
            intents: answered.intents,
            confidence: answered.confidence.level,
            trade_signal: answer.trade_signal.map(|signal| TradeSignalBody {
                action: signal.action,
                score: signal.score,
                factors: signal.factors,
            }),
            reasoning: answered.reasoning,
            summary,
            summary_source,
            summary_template,
            follow_ups: answer.follow_ups,
            chart: answered.chart,
            data: answered.data,
            data_status: answered.missing,
            session_id: answered.session,
            credits_used: answered.credits,
            endpoints_called: answered.endpoints,
            response_time_ms: answered.took_ms,
        }
    }
}

async fn answered(context: Context, asked: Asked) -> Result<AskBody> {
    let question = Question::prepare(&context, asked).await?;
    let answered = question.answer(&context, None).await;
    context.charge.claim(answered.credits);
    Ok(answered.into())
}

const ABOUT: About = About {
    subject: "ask",
    summary: "Answers a question in plain English.",
    description: "The question is turned into a plan of operations that run at the same time; the answer is written from their results alone. Each source that answers costs one credit. Without a language model, which only the operator can configure, the same question on the same data gets the same answer; with one, `summary_template` is still that answer.",
    answer: "The answer, its data and how it was obtained",
    keeping: Keeping::Never,
    ..About::READS
};

/// `POST /ask`.
pub(crate) struct Ask;

impl Operation for Ask {
    type Input = Posted<(), AskRequest>;
    type Output = AskBody;

    const ABOUT: About = About {
        name: "ask",
        address: Address::post("/api/v1/ask"),
        example: r#"{"question": "How is NVDA doing?"}"#,
        ..ABOUT
    };

    async fn run(context: Context, input: Posted<(), AskRequest>) -> Result<AskBody> {
        let AskRequest {
            question,
            budget,
            session_id,
            include,
            as_of,
        } = input.body;
        let mut context = context;
        if let Some(text) = as_of {
            context.as_of = context.as_of.narrowed(&text, &context.services)?;
        }
        let asked = Asked {
            question: question.trim().to_owned(),
            budget,
            session: session_id,
            wants_chart: include.contains(&Include::Chart),
        };
        answered(context, asked).await
    }
}

/// `GET /ask`.
pub(crate) struct AskByQuery;

impl Operation for AskByQuery {
    type Input = AskParameters;
    type Output = AskBody;

    const ABOUT: About = About {
        name: "ask_by_query",
        address: Address::get("/api/v1/ask"),
        example: r#"{"q": "How is NVDA doing?"}"#,
        ..ABOUT
    };

    async fn run(context: Context, input: AskParameters) -> Result<AskBody> {
        answered(context, input.asked).await
    }
}

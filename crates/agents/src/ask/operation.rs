//! `/ask`: a question, answered at once.

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

/// Longest name of a session.
const LONGEST_SESSION: usize = 80;

/// A question.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct AskRequest {
    /// In plain English.
    #[schema(
        min_length = 2,
        max_length = 500,
        pattern = r"\S[\s\S]*\S",
        example = "How is NVDA doing?"
    )]
    question: String,
    /// Credits that the answer may cost at most; a plan that costs more is cut to what fits.
    #[serde(default, deserialize_with = "operations::whole")]
    #[schema(minimum = 1, maximum = 20)]
    budget: Option<u64>,
    /// The session of an answer before, which this question may lean on.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 80)]
    session_id: Option<String>,
    /// What else is to come with the answer: `chart`, a picture of the prices of the instruments in question.
    #[serde(default)]
    #[schema(max_items = 4)]
    include: Vec<Include>,
    /// Answers as of this time (ISO 8601), as the parameter of the query; of both the earlier counts.
    #[serde(default)]
    #[schema(format = DateTime)]
    as_of: Option<String>,
}

/// What may come with an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = AskInclude)]
pub(crate) enum Include {
    /// A chart of prices as SVG.
    Chart,
}

/// The words of [`Include`] in a query.
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

/// A question in a query.
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

/// Reads a question from a query; `name` is the parameter of the question.
pub fn read(arguments: &mut Arguments<'_>, name: &'static str) -> Asked {
    Asked {
        question: arguments.required_text(name, LENGTH, "The question in plain English"),
        budget: arguments.optional_integer(
            "budget",
            1..=MOST_SOURCES,
            "Credits that the answer may cost at most",
        ),
        session: arguments.text(
            "session_id",
            1..=LONGEST_SESSION,
            "Session of an earlier answer that this question may lean on",
        ),
        wants_chart: arguments
            .word(
                "include",
                &INCLUDES,
                "What else is to come with the answer: a picture of the prices of the instruments in question",
            )
            .is_some(),
    }
}

/// The documented function of technicals, sentiment, events and fundamentals.
#[derive(Serialize, ToSchema)]
#[schema(as = AskTradeSignal)]
pub(crate) struct TradeSignalBody {
    /// `strong_buy`, `lean_buy`, `hold`, `lean_sell` or `strong_sell`.
    action: String,
    /// 0 to 100; 50 is neutral.
    score: u64,
    /// What it rests on, each with its number.
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
    /// Symbols that the question names.
    tickers: Vec<String>,
    /// What the question was read to ask for.
    intents: Vec<&'static str>,
    /// `high`, `medium` or `low`: how much of what was needed was found.
    confidence: &'static str,
    /// Absent unless one instrument was assessed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    trade_signal: Option<TradeSignalBody>,
    /// How the question was read, and the plan.
    reasoning: Vec<String>,
    /// The answer in Markdown. Every number in it stands in `data`.
    summary: String,
    /// `template`, or `llm` where a language model of the operator wrote it and every sentence passed the check against `data`.
    summary_source: &'static str,
    /// The answer without the model; there where `summary_source` is `llm`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    summary_template: Option<String>,
    /// What may be asked next; absent where nothing suggests itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    follow_ups: Vec<String>,
    /// The prices of the instruments in question as a picture, where `include` asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    chart: Option<ChartBody>,
    /// Results of the sources by key, such as `price`, `technicals`, `news`. Where the question names several instruments, the
    /// results of each stand below its symbol.
    #[schema(value_type = Object)]
    data: Map<String, Value>,
    /// Sources that gave no answer; absent where all did.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<MissingBody>,
    /// Give it with the next question, which may then lean on this one.
    session_id: String,
    /// Credits that this answer cost: one for each source that answered.
    credits_used: u64,
    /// Paths of the sources.
    endpoints_called: Vec<String>,
    /// How long it took.
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
    description: "The question becomes a plan of operations, which run at the same time; the answer is written from their results alone. One credit for each source that answers. Without a language model, which only the operator can name, the same question on the same data gets the same answer; with one, `summary_template` still is that answer.",
    answer: "The answer, its data and how it came about",
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

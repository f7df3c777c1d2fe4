//! `/forecast`.

use operations::{About, Address, Checked, Context, Faults, Keeping, Operation, Posted, Result};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Asked, Depth, Made, make};
use crate::ask::MissingBody;

/// Number of days that a forecast may reach ahead.
const AHEAD: std::ops::RangeInclusive<i32> = 1..=1_095;
/// Number of days that a forecast may look back.
const BACK: std::ops::RangeInclusive<i32> = 7..=365;

/// Credits for each depth.
pub(crate) const STANDARD: u64 = 15;
pub(crate) const DEEP: u64 = 95;

/// How thorough a forecast is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ForecastDepth)]
pub(crate) enum DepthWord {
    /// Probabilities from history, coverage and events.
    #[default]
    Standard,
    /// Also backtests the method, widens ranges that contained too few outcomes, and counts peers.
    Deep,
}

/// The forecast to make.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct ForecastRequest {
    /// A symbol, company, coin, economic series or news topic, or the question whether something will happen, in plain
    /// English.
    #[schema(min_length = 1, max_length = 300, pattern = r"\S", example = "NVDA")]
    topic: String,
    /// `standard` by default.
    #[serde(default)]
    depth: Option<DepthWord>,
    /// How far back to read the news: `30d`, `90d`, `6 months`; 7 to 365 days, 90 by default.
    #[serde(default)]
    #[schema(
        max_length = 40,
        pattern = r"^(([7-9]|[1-9][0-9]|[12][0-9]{2}) ?(d|days)|([1-9]|[1-4][0-9]) weeks?|([1-9]|1[0-2]) months?|1 year)$",
        example = "90d"
    )]
    period: Option<String>,
    /// How far ahead to forecast: `30d`, `6 months`, `next quarter`; 1 day to 3 years. By default until the time that
    /// the topic names (`by year end`), otherwise 3 months.
    #[serde(default)]
    #[schema(
        max_length = 40,
        pattern = r"^([1-9][0-9]{0,2} ?(d|days)|([1-9][0-9]?|1[0-4][0-9]) weeks?|([1-9]|[12][0-9]|3[0-5]) months?|next quarter|[12] years?)$",
        example = "6 months"
    )]
    timeframe: Option<String>,
}

const PERIOD: &str = "90d";
const TIMEFRAME: &str = "3 months";

fn days(words: Option<&str>, usual: &str, bounds: &std::ops::RangeInclusive<i32>) -> Option<i32> {
    let words = words.map_or(usual, str::trim);
    query::days(words).filter(|days| bounds.contains(days))
}

impl Checked for ForecastRequest {
    fn check(&self, faults: &mut Faults) {
        faults.length("topic", self.topic.trim(), 1..=300);
        if days(self.period.as_deref(), PERIOD, &BACK).is_none() {
            faults.note(
                "period must be a time such as 30d, 90d or 6 months, from 7 to 365 days".to_owned(),
            );
        }
        if days(self.timeframe.as_deref(), TIMEFRAME, &AHEAD).is_none() {
            faults.note(
                "timeframe must be a time such as 30d, 6 months or 1 year, from 1 day to 3 years"
                    .to_owned(),
            );
        }
    }
}

/// A possible outcome.
#[derive(Serialize, ToSchema)]
#[schema(as = ForecastPrediction)]
pub(crate) struct PredictionBody {
    /// What may happen.
    prediction: String,
    /// Probability, from 0 to 1.
    confidence: f64,
    /// The period in which it may happen.
    timeframe: String,
    /// `asked`: exactly what the topic asks; `case`: exactly one of these comes true, and the sum of their
    /// probabilities is 1; or `event`, which stands alone.
    kind: &'static str,
    /// The basis for the probability.
    basis: String,
}

/// How forecasts of this kind performed on earlier days.
#[derive(Serialize, ToSchema)]
#[schema(as = ForecastCalibration)]
pub(crate) struct CalibrationBody {
    /// Number of forecasts that were repeated for earlier days.
    forecasts: usize,
    /// Mean squared difference between probability and outcome (Brier score), from 0 to 1; lower is better.
    brier: f64,
    /// The same for past frequency alone.
    climatology: f64,
    /// Share by which the method improves on the score of climatology; negative if it does worse.
    skill: f64,
    /// Share of outcomes inside the range that was expected to contain 80 %, before ranges were widened.
    inside_80: f64,
}

/// A statement about the past in a forecast, tested.
#[derive(Serialize, ToSchema)]
#[schema(as = ForecastClaim)]
pub(crate) struct ClaimBody {
    /// The statement as it was tested.
    claim: String,
    /// `supported`, `contradicted`, `partially_supported` or `unverifiable`.
    verdict: String,
    /// Probability that the verdict is right, from 0 to 1.
    confidence: f64,
    /// Id of the signed receipt of the test, which can be read at `/verify/receipt/{id}`.
    receipt_id: String,
}

/// A forecast.
#[derive(Serialize, ToSchema)]
pub(crate) struct ForecastBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The forecast.
    forecast: ForecastContent,
}

/// The contents of a forecast.
#[derive(Serialize, ToSchema)]
#[schema(as = Forecast)]
pub(crate) struct ForecastContent {
    /// The topic as requested.
    topic: String,
    /// The most important points, in sentences.
    executive_summary: String,
    /// Possible outcomes with their probabilities: first what the topic asks, then the cases.
    predictions: Vec<PredictionBody>,
    /// What would change the outlook, and the dates of the next scheduled events.
    key_signals_to_watch: Vec<String>,
    /// Improbable events that would matter.
    wildcards: Vec<String>,
    /// `rising`, `falling` or `stable`: the direction of the price or series, or else of the coverage.
    trend_direction: &'static str,
    /// `standard` or `deep`.
    depth: &'static str,
    /// Last day of the forecast period, YYYY-MM-DD.
    until: String,
    /// How forecasts of this kind performed at earlier times. For a price only in deep forecasts, for a series always.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    calibration: Option<CalibrationBody>,
    /// Its statements about the past, with the verdicts of the verifier.
    claims: Vec<ClaimBody>,
    /// Id of the signed receipt of the forecast, which can be read at `/verify/receipt/{id}`.
    receipt_id: String,
    /// Id of the run, which its owner can read at `/agents/runs/{id}`.
    run_id: String,
    /// The reasons for missing data. Absent if nothing is missing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<MissingBody>,
    /// Credits charged for this response.
    credits_used: u64,
    /// Processing time in milliseconds.
    processing_time_ms: u64,
}

/// `POST /forecast`.
pub(crate) struct MakeForecast;

impl Operation for MakeForecast {
    type Input = Posted<(), ForecastRequest>;
    type Output = ForecastBody;

    const ABOUT: About = About {
        name: "make_forecast",
        address: Address::post("/api/v1/forecast"),
        subject: "news",
        summary: "Forecasts a price, an economic series or a news topic.",
        description: "For a topic that asks whether something will happen (`Will NVDA reach $300 by year end?`, `Will Microsoft buy OpenAI?`), the response begins with the probability of exactly that. Probabilities come from frequencies: of past changes of a price or series over a period of the same length, of events in the news, and of coverage. `docs/quality.md` describes how they were tested. The price is 15 credits, or 95 for depth `deep`. Keys on every paid plan may call this; others get 402 with the price.",
        answer: "The forecast",
        missing: Some("Nothing on record is relevant to the topic"),
        example: r#"{"topic": "NVDA", "timeframe": "6 months"}"#,
        keeping: Keeping::Never,
        ..About::READS
    };

    async fn run(context: Context, input: Self::Input) -> Result<ForecastBody> {
        let body = input.body;
        let depth = match body.depth.unwrap_or_default() {
            DepthWord::Standard => Depth::Standard,
            DepthWord::Deep => Depth::Deep,
        };
        let (credits, word) = match depth {
            Depth::Standard => (STANDARD, "standard"),
            Depth::Deep => (DEEP, "deep"),
        };
        // Both have been checked.
        let today = model::Day::of(context.end());
        let expected = query::expected(body.topic.trim(), today);
        let named = expected
            .until
            .map(|until| until.since(today).clamp(*AHEAD.start(), *AHEAD.end()))
            .filter(|_| body.timeframe.is_none());
        let ahead = named
            .or_else(|| days(body.timeframe.as_deref(), TIMEFRAME, &AHEAD))
            .unwrap_or(91);
        let until = today.plus(ahead).to_string();
        let timeframe = match (named, body.timeframe.as_deref()) {
            (Some(_), _) => format!("until {}", crate::figures::day(&until)),
            (None, said) => said.unwrap_or(TIMEFRAME).trim().to_owned(),
        };
        let asked = Asked {
            topic: body.topic.trim().to_owned(),
            depth,
            back: days(body.period.as_deref(), PERIOD, &BACK).unwrap_or(90),
            ahead,
            timeframe,
            expected,
        };
        context
            .charge
            .raise(&context.services, &context.caller, credits)?;
        let Made { draft, run } = Box::pin(make(&context, &asked)).await?;
        let mut predictions = draft.predictions;
        predictions.sort_by_key(|one| one.kind);
        Ok(ForecastBody {
            status: "ok",
            forecast: ForecastContent {
                topic: asked.topic,
                executive_summary: draft.summary.join(" "),
                predictions: predictions
                    .into_iter()
                    .map(|one| PredictionBody {
                        prediction: one.text,
                        confidence: one.chance,
                        timeframe: one.timeframe,
                        kind: one.kind.as_str(),
                        basis: one.basis,
                    })
                    .collect(),
                key_signals_to_watch: draft.signals,
                wildcards: draft.wildcards,
                trend_direction: draft.trend.unwrap_or("stable"),
                depth: word,
                until,
                calibration: draft.calibration.map(|tested| CalibrationBody {
                    forecasts: tested.forecasts,
                    brier: tested.brier,
                    climatology: tested.climatology,
                    skill: tested.skill(),
                    inside_80: tested.inside_80,
                }),
                claims: draft
                    .tested
                    .into_iter()
                    .map(|one| ClaimBody {
                        claim: one.claim,
                        verdict: one.verdict,
                        confidence: one.confidence,
                        receipt_id: one.receipt_id,
                    })
                    .collect(),
                receipt_id: run.receipt_id,
                run_id: run.id,
                data_status: draft.missing,
                credits_used: credits,
                processing_time_ms: run.duration_ms,
            },
        })
    }
}

//! `/forecast`.

use operations::{About, Address, Checked, Context, Faults, Keeping, Operation, Posted, Result};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Asked, Depth, Made, make};
use crate::ask::MissingBody;

/// Days that a forecast may reach ahead.
const AHEAD: std::ops::RangeInclusive<i32> = 1..=1_095;
/// Days that are looked back at.
const BACK: std::ops::RangeInclusive<i32> = 7..=365;

/// Credits by depth.
pub(crate) const STANDARD: u64 = 15;
pub(crate) const DEEP: u64 = 95;

/// How thorough a forecast is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ForecastDepth)]
pub(crate) enum DepthWord {
    /// Chances from history, coverage and events.
    #[default]
    Standard,
    /// Also tests the method at earlier days, widens ranges that held too little, and counts peers.
    Deep,
}

/// What is to be forecast.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct ForecastRequest {
    /// A symbol, company, coin, economic series or subject of the news, or whether something will happen, in plain English.
    #[schema(min_length = 1, max_length = 300, pattern = r"\S", example = "NVDA")]
    topic: String,
    /// `standard` where it is left out.
    #[serde(default)]
    depth: Option<DepthWord>,
    /// How far back the news is read: `30d`, `90d`, `6 months`; 7 to 365 days, 90 where it is left out.
    #[serde(default)]
    #[schema(
        max_length = 40,
        pattern = r"^(([7-9]|[1-9][0-9]|[12][0-9]{2}) ?(d|days)|([1-9]|[1-4][0-9]) weeks?|([1-9]|1[0-2]) months?|1 year)$",
        example = "90d"
    )]
    period: Option<String>,
    /// How far ahead: `30d`, `6 months`, `next quarter`; 1 day to 3 years. Where it is left out, until the time that the topic names (`by year end`), else 3 months.
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

/// Something that may happen.
#[derive(Serialize, ToSchema)]
#[schema(as = ForecastPrediction)]
pub(crate) struct PredictionBody {
    /// What may happen.
    prediction: String,
    /// Its chance, 0 to 1.
    confidence: f64,
    /// Within which time.
    timeframe: String,
    /// `asked`: just what the topic asks; `case`: exactly one of these comes true and their chances add up to 1; or `event`,
    /// which stands alone.
    kind: &'static str,
    /// What the chance rests on.
    basis: String,
}

/// How such forecasts did at earlier days.
#[derive(Serialize, ToSchema)]
#[schema(as = ForecastCalibration)]
pub(crate) struct CalibrationBody {
    /// Forecasts that were made again.
    forecasts: usize,
    /// Mean squared distance of chance and outcome (Brier), 0 to 1; lower is better.
    brier: f64,
    /// The same for past frequency alone.
    climatology: f64,
    /// Share of climatology's score that the method saves; negative where it does worse.
    skill: f64,
    /// Share of outcomes inside the range that was to hold 80 %, before ranges were widened.
    inside_80: f64,
}

/// Something that a forecast states of the past, tested.
#[derive(Serialize, ToSchema)]
#[schema(as = ForecastClaim)]
pub(crate) struct ClaimBody {
    /// As it was tested.
    claim: String,
    /// `supported`, `contradicted`, `partially_supported` or `unverifiable`.
    verdict: String,
    /// How probable it is that the verdict is right, 0 to 1.
    confidence: f64,
    /// The signed receipt of the test, readable at `/verify/receipt/{id}`.
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

/// A forecast.
#[derive(Serialize, ToSchema)]
#[schema(as = Forecast)]
pub(crate) struct ForecastContent {
    /// The topic as it was asked.
    topic: String,
    /// What matters, in sentences.
    executive_summary: String,
    /// What may happen, with chances: first what the topic asks, then the cases.
    predictions: Vec<PredictionBody>,
    /// What would change the picture, and when the next scheduled events are.
    key_signals_to_watch: Vec<String>,
    /// What is improbable and would matter.
    wildcards: Vec<String>,
    /// `rising`, `falling` or `stable`: of the price or series, else of the coverage.
    trend_direction: &'static str,
    /// `standard` or `deep`.
    depth: &'static str,
    /// The last day of the time ahead, YYYY-MM-DD.
    until: String,
    /// How such forecasts did at earlier times; of a price only in deep ones, of a series always.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    calibration: Option<CalibrationBody>,
    /// What it states of the past, as the verifier found it.
    claims: Vec<ClaimBody>,
    /// The signed receipt of the forecast, readable at `/verify/receipt/{id}`.
    receipt_id: String,
    /// Id of the run, readable at `/agents/runs/{id}` by its owner.
    run_id: String,
    /// Why something is missing; absent where nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<MissingBody>,
    /// Credits that this answer cost.
    credits_used: u64,
    /// How long it took.
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
        summary: "Forecasts a price, an economic series or a subject of the news.",
        description: "A topic that asks whether something will happen (`Will NVDA reach $300 by year end?`, `Will Microsoft buy OpenAI?`) gets the chance of just that first. Chances come from frequencies: of the changes of a price or series over such a time before, of events in the news, of coverage. `docs/quality.md` says how they were tested. 15 credits, 95 for depth `deep`; open to the keys of every paid plan, others get 402 with what it costs.",
        answer: "The forecast",
        missing: Some("Nothing on record bears on the topic"),
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
        // Both were checked.
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

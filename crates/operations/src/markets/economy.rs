//! `/economy`: economic indicators and the yield curve.

use analysis::market::{
    DataIssue, INDICATORS, Indicator, IndicatorReading, LISTED, PointInTime, YIELDS,
};
use model::Day;
use serde::Serialize;
use utoipa::ToSchema;

use crate::data_status::{DataStatusBody, written};
use crate::error::{Error, Result};
use crate::markets::past::ObservationBody;
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// The economic indicators.
#[derive(Serialize, ToSchema)]
pub(crate) struct EconomyBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Twelve indicators; those without a known value are absent and named in `data_status`.
    indicators: Vec<IndicatorBody>,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// An indicator with its latest value.
#[derive(Serialize, ToSchema)]
#[schema(as = Indicator)]
pub(crate) struct IndicatorBody {
    /// Name of the series.
    name: &'static str,
    /// FRED ID of the series.
    series_id: &'static str,
    /// Latest value, in `unit`.
    latest_value: f64,
    /// Day of the value, or the first day of its month or quarter, YYYY-MM-DD.
    latest_date: String,
    /// Identifier of the indicator in `/economy/{indicator}`.
    slug: &'static str,
    /// Unit of the values.
    unit: String,
    /// `daily`, `weekly`, `monthly`, `quarterly` or `annual`.
    frequency: &'static str,
    /// Source of the figure.
    source: String,
}

/// `GET /economy`.
pub(crate) struct List;

impl Operation for List {
    type Input = ();
    type Output = EconomyBody;

    const ABOUT: About = About {
        name: "list_economic_indicators",
        address: Address::get("/api/v1/economy"),
        subject: "markets",
        summary: "Lists twelve US economic indicators with their latest values.",
        description: "A value counts from its publication, not from the end of its month. If a series has no values or has fallen behind, another series for the same indicator replaces it; `series_id` says which one was read. `inflation` is the year-over-year change of that consumer price series in percent, computed here.",
        answer: "The indicators",
        ..About::READS
    };

    async fn run(context: Context, (): ()) -> Result<EconomyBody> {
        let when = context.when();
        let mut indicators = Vec::new();
        let mut issues = Vec::new();
        for indicator in INDICATORS.iter().take(LISTED) {
            let reading = context.economy.indicator(indicator, when).await?;
            let newest = reading
                .as_ref()
                .and_then(|reading| reading.observations.last().copied());
            let (Some(reading), Some(newest)) = (reading, newest) else {
                issues.push(DataIssue {
                    field: "indicators",
                    ..nothing(indicator)
                });
                continue;
            };
            issues.extend(reading.staleness.map(|issue| DataIssue {
                field: "indicators",
                ..issue
            }));
            indicators.push(IndicatorBody {
                name: indicator.name,
                series_id: reading.series_id,
                latest_value: newest.value,
                latest_date: newest.day.to_string(),
                slug: indicator.slug,
                unit: reading.unit,
                frequency: reading.frequency.as_str(),
                source: reading.source,
            });
        }
        Ok(EconomyBody {
            status: "ok",
            indicators,
            data_status: written(issues),
        })
    }
}

fn nothing(indicator: &Indicator) -> DataIssue {
    let (name, id) = (indicator.name, indicator.series_id);
    DataIssue::absent("latest", format!("no value is available for {name} ({id})"))
}

/// Maximum number of observations in a response.
const MOST: u64 = 500;

/// Which observations to list.
pub(crate) struct IndicatorQuery {
    indicator: String,
    limit: usize,
    from: Day,
    to: Day,
}

impl Parameters for IndicatorQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        let from = arguments.date("from", "First day of the observations, YYYY-MM-DD");
        let to = arguments.date("to", "Last day of the observations, YYYY-MM-DD");
        arguments.in_order(from, to);
        let limit = arguments.optional_integer(
            "limit",
            1..=MOST,
            "Maximum number of observations, newest first; 10 by default, or 500 with `from` or `to`",
        );
        let usual = if from.or(to).is_some() { MOST } else { 10 };
        Self {
            indicator: arguments.path_of_names(
                "indicator",
                INDICATORS.iter().map(|indicator| indicator.slug),
                "Name of the indicator, in upper or lower case",
            ),
            limit: limit.unwrap_or(usual) as usize,
            from: from.map_or(Day::MIN, Day::of),
            to: to.map_or(Day::MAX, Day::of),
        }
    }
}

/// A single indicator.
#[derive(Serialize, ToSchema)]
pub(crate) struct OneIndicatorBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Name of the series.
    name: &'static str,
    /// The latest observation; null if none is known.
    #[schema(required)]
    latest: Option<ObservationBody>,
    /// The observations, newest first.
    observations: Vec<ObservationBody>,
    /// FRED ID of the series.
    series_id: &'static str,
    /// Unit of the values.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    unit: Option<String>,
    /// `daily`, `weekly`, `monthly`, `quarterly` or `annual`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    frequency: Option<&'static str>,
    /// Source of the figure.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    source: Option<String>,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// `GET /economy/{indicator}`.
pub(crate) struct Show;

impl Operation for Show {
    type Input = IndicatorQuery;
    type Output = OneIndicatorBody;

    const ABOUT: About = About {
        name: "show_economic_indicator",
        address: Address::get("/api/v1/economy/{indicator}"),
        subject: "markets",
        summary: "Shows the latest values of one indicator, newest first.",
        description: "Values have the unit and frequency used by FRED; `inflation` is the year-over-year change of the consumer price series in `series_id`, in percent.",
        answer: "The indicator",
        missing: Some("Unknown indicator, with suggestions"),
        example: r#"{"indicator": "cpi", "limit": 12}"#,
        ..About::READS
    };

    async fn run(context: Context, asked: IndicatorQuery) -> Result<OneIndicatorBody> {
        let when = context.when();
        let unknown = |unknown| Error::UnknownName("indicator", unknown);
        let indicator = Indicator::find(&asked.indicator).map_err(unknown)?;
        let reading = context.economy.indicator(indicator, when).await?;
        Ok(one(indicator, reading, &asked, when))
    }
}

fn one(
    indicator: &'static Indicator,
    reading: Option<IndicatorReading>,
    asked: &IndicatorQuery,
    when: PointInTime,
) -> OneIndicatorBody {
    let Some(reading) = reading else {
        return OneIndicatorBody {
            status: "ok",
            name: indicator.name,
            latest: None,
            observations: Vec::new(),
            series_id: indicator.series_id,
            unit: None,
            frequency: None,
            source: None,
            data_status: written(vec![nothing(indicator)]),
        };
    };
    let newest_first = || reading.observations.iter().rev().copied();
    OneIndicatorBody {
        status: "ok",
        name: indicator.name,
        latest: newest_first().next().map(ObservationBody::from),
        observations: newest_first()
            .filter(|one| (asked.from..=asked.to).contains(&one.day))
            .take(asked.limit)
            .map(ObservationBody::from)
            .collect(),
        series_id: reading.series_id,
        unit: Some(reading.unit).filter(|unit| !unit.is_empty()),
        frequency: Some(reading.frequency.as_str()),
        data_status: written(
            reading
                .staleness
                .into_iter()
                .chain(vintage(&reading.source, when))
                .collect(),
        ),
        source: Some(reading.source),
    }
}

/// States that a point-in-time response shows values as they stand now: if a source revised a value before it was read,
/// the first release is not on record.
fn vintage(source: &str, when: PointInTime) -> Option<DataIssue> {
    (when.as_of.is_some() && source != "simulated").then(|| {
        DataIssue::note(
            "observations",
            "values published by then, as the source reported them at import; earlier revisions are not reconstructed",
            source,
        )
    })
}

/// The yield curve.
#[derive(Serialize, ToSchema)]
pub(crate) struct YieldsBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Yields by maturity, shortest first; maturities without a known yield are absent and named in `data_status`.
    yields: Vec<YieldBody>,
    /// 10-year yield minus 2-year yield on the latest day that has both, in percentage points.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    spread_10y_2y: Option<f64>,
    /// Whether that spread is negative.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    inverted: Option<bool>,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// The latest yield for one maturity.
#[derive(Serialize, ToSchema)]
#[schema(as = Yield)]
pub(crate) struct YieldBody {
    /// `2y`, `5y`, `10y` or `30y`.
    maturity: &'static str,
    /// Name of the maturity, such as `10-Year Treasury`.
    name: &'static str,
    /// Yield in percent.
    yield_pct: f64,
    /// Date of the yield, YYYY-MM-DD.
    date: String,
}

/// `GET /economy/yields`.
pub(crate) struct Yields;

impl Operation for Yields {
    type Input = ();
    type Output = YieldsBody;

    const ABOUT: About = About {
        name: "show_treasury_yields",
        address: Address::get("/api/v1/economy/yields"),
        subject: "markets",
        summary: "Shows US Treasury yields.",
        answer: "The yield curve",
        ..About::READS
    };

    async fn run(context: Context, (): ()) -> Result<YieldsBody> {
        let when = context.when();
        let (curve, issues) = context.economy.treasury_yields(when).await?;
        let name = |maturity| {
            let known = YIELDS.iter().find(|one| one.maturity == maturity);
            known.map_or("", |one| one.name)
        };
        Ok(YieldsBody {
            status: "ok",
            yields: curve
                .yields
                .iter()
                .map(|one| YieldBody {
                    maturity: one.maturity.as_str(),
                    name: name(one.maturity),
                    yield_pct: one.yield_pct,
                    date: one.day.to_string(),
                })
                .collect(),
            spread_10y_2y: curve.spread_10y_2y,
            inverted: curve.inverted,
            data_status: written(issues),
        })
    }
}

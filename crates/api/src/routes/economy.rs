//! `/economy`: indicators and the yield curve.

use analysis::market::{
    Gap, INDICATORS, Indicator, IndicatorReading, Moment, YIELDS, treasury_yields,
};
use axum::extract::{Path, State};
use axum::response::Response;
use model::Observation;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{Error, Result};
use crate::extract::{AsOf, FromQuery, Params, ValidQuery};
use crate::pages::Cacheable;
use crate::routes::data_status::{DataStatusBody, written};
use crate::routes::ticker::moment;
use crate::state::AppState;

/// The indicators.
#[derive(Serialize, ToSchema)]
pub(crate) struct EconomyBody {
    #[schema(example = "ok")]
    status: &'static str,
    /// Twelve indicators; those of which no value is known are absent and named in `data_status`.
    indicators: Vec<IndicatorBody>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// An indicator with its newest value.
#[derive(Serialize, ToSchema)]
#[schema(as = Indicator)]
pub(crate) struct IndicatorBody {
    name: &'static str,
    /// FRED id of the series.
    series_id: &'static str,
    /// In `unit`.
    latest_value: f64,
    /// Its day, or the first day of its month or quarter, YYYY-MM-DD.
    latest_date: String,
    /// Its word in `/economy/{indicator}`.
    slug: &'static str,
    unit: String,
    /// `daily`, `weekly`, `monthly`, `quarterly` or `annual`.
    frequency: &'static str,
    source: String,
}

/// Lists twelve indicators of the American economy with their newest values.
///
/// A value is known when it was published, not at the end of its month. `inflation` is the change of CPIAUCSL against the
/// same month of the year before, in percent, computed here.
#[utoipa::path(
    get,
    path = "/api/v1/economy",
    tag = "markets",
    params(("as_of" = Option<String>, Query, description = "ISO 8601 moment, not in the future")),
    responses((status = 200, description = "The indicators", body = EconomyBody))
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    as_of: AsOf,
    page: Cacheable,
) -> Result<Response> {
    let moment = moment(&state, as_of);
    page.answer(&state, async {
        let mut indicators = Vec::new();
        let mut gaps = Vec::new();
        for indicator in &INDICATORS {
            let reading = indicator.read(&state.market, moment).await?;
            let newest = reading
                .as_ref()
                .and_then(|reading| reading.observations.last().copied());
            let (Some(reading), Some(newest)) = (reading, newest) else {
                gaps.push(Gap {
                    field: "indicators",
                    ..nothing(indicator)
                });
                continue;
            };
            gaps.extend(reading.staleness.map(|gap| Gap {
                field: "indicators",
                ..gap
            }));
            indicators.push(IndicatorBody {
                name: indicator.name,
                series_id: indicator.series_id,
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
            data_status: written(gaps),
        })
    })
    .await
}

fn nothing(indicator: &Indicator) -> Gap {
    let (name, id) = (indicator.name, indicator.series_id);
    Gap::absent(
        "latest",
        format!("no value of {name} ({id}) is known at this moment"),
    )
}

/// How many observations.
pub(crate) struct IndicatorQuery {
    limit: usize,
}

impl FromQuery for IndicatorQuery {
    fn read(params: &mut Params<'_>) -> Self {
        Self {
            limit: params.integer("limit", 1..=500, 10) as usize,
        }
    }
}

/// One indicator.
#[derive(Serialize, ToSchema)]
pub(crate) struct OneIndicatorBody {
    #[schema(example = "ok")]
    status: &'static str,
    name: &'static str,
    /// The newest observation; null where none is known.
    latest: Option<ObservationBody>,
    /// Newest first.
    observations: Vec<ObservationBody>,
    /// FRED id of the series.
    series_id: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<String>,
    /// `daily`, `weekly`, `monthly`, `quarterly` or `annual`.
    #[serde(skip_serializing_if = "Option::is_none")]
    frequency: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A value.
#[derive(Serialize, ToSchema)]
#[schema(as = Observation)]
pub(crate) struct ObservationBody {
    /// Its day, or the first day of its month or quarter, YYYY-MM-DD.
    date: String,
    value: f64,
}

impl From<Observation> for ObservationBody {
    fn from(observation: Observation) -> Self {
        Self {
            date: observation.day.to_string(),
            value: observation.value,
        }
    }
}

/// Tells the newest values of one indicator, newest first.
///
/// In the unit and frequency of FRED; `inflation` is the change of CPIAUCSL against the same month of the year before, in
/// percent.
#[utoipa::path(
    get,
    path = "/api/v1/economy/{indicator}",
    tag = "markets",
    params(
        ("indicator" = String, Path, description = "`gdp`, `cpi`, `core_cpi`, `unemployment`, `fed_funds`, `treasury_10y`, \
            `treasury_2y`, `inflation`, `retail_sales`, `nonfarm_payroll`, `consumer_sentiment` or `housing_starts`"),
        ("limit" = Option<u32>, Query, description = "Number of observations, 1 to 500, default 10", minimum = 1, maximum = 500),
        ("as_of" = Option<String>, Query, description = "ISO 8601 moment, not in the future"),
    ),
    responses((status = 200, description = "The indicator", body = OneIndicatorBody),
              (status = 404, description = "Unknown indicator, with suggestions"))
)]
pub(crate) async fn show(
    State(state): State<AppState>,
    Path(indicator): Path<String>,
    as_of: AsOf,
    ValidQuery(asked): ValidQuery<IndicatorQuery>,
    page: Cacheable,
) -> Result<Response> {
    let moment = moment(&state, as_of);
    page.answer(&state, async {
        let unknown = |unknown| Error::UnknownName("indicator", unknown);
        let indicator = Indicator::find(&indicator).map_err(unknown)?;
        let reading = indicator.read(&state.market, moment).await?;
        Ok(one(indicator, reading, asked.limit, moment))
    })
    .await
}

fn one(
    indicator: &'static Indicator,
    reading: Option<IndicatorReading>,
    limit: usize,
    moment: Moment,
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
            .take(limit)
            .map(ObservationBody::from)
            .collect(),
        series_id: indicator.series_id,
        unit: Some(reading.unit).filter(|unit| !unit.is_empty()),
        frequency: Some(reading.frequency.as_str()),
        data_status: written(
            reading
                .staleness
                .into_iter()
                .chain(vintage(&reading.source, moment))
                .collect(),
        ),
        source: Some(reading.source),
    }
}

/// That a past answer shows values as they stand now: what a source revised before it was read is not known as first told.
fn vintage(source: &str, moment: Moment) -> Option<Gap> {
    (moment.as_of.is_some() && source != "simulated").then(|| {
        Gap::note(
            "observations",
            "values that were published by then, as the source told them when it was imported; revisions before that are not undone",
            source,
        )
    })
}

/// The yield curve.
#[derive(Serialize, ToSchema)]
pub(crate) struct YieldsBody {
    #[schema(example = "ok")]
    status: &'static str,
    /// Shortest first; maturities of which no yield is known are absent and named in `data_status`.
    yields: Vec<YieldBody>,
    /// 10-year yield minus 2-year yield of the newest day that has both, in percentage points.
    #[serde(skip_serializing_if = "Option::is_none")]
    spread_10y_2y: Option<f64>,
    /// Whether that spread is negative.
    #[serde(skip_serializing_if = "Option::is_none")]
    inverted: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// The newest yield of one maturity.
#[derive(Serialize, ToSchema)]
#[schema(as = Yield)]
pub(crate) struct YieldBody {
    /// `2y`, `5y`, `10y` or `30y`.
    maturity: &'static str,
    /// Such as `10-Year Treasury`.
    name: &'static str,
    yield_pct: f64,
    /// YYYY-MM-DD.
    date: String,
}

/// Tells the yields of American Treasury bonds.
#[utoipa::path(
    get,
    path = "/api/v1/economy/yields",
    tag = "markets",
    params(("as_of" = Option<String>, Query, description = "ISO 8601 moment, not in the future")),
    responses((status = 200, description = "The yield curve", body = YieldsBody))
)]
pub(crate) async fn yields(
    State(state): State<AppState>,
    as_of: AsOf,
    page: Cacheable,
) -> Result<Response> {
    let moment = moment(&state, as_of);
    page.answer(&state, async {
        let (curve, gaps) = treasury_yields(&state.market, moment).await?;
        let name = |maturity| {
            let known = YIELDS.iter().find(|(one, _, _)| *one == maturity);
            known.map_or("", |(_, name, _)| *name)
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
            data_status: written(gaps),
        })
    })
    .await
}

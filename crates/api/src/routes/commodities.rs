//! `/commodities`: what raw materials cost.

use analysis::market::{COMMODITIES, Commodity, Gap, Moment, Values};
use axum::extract::{Path, State};
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{Error, Result};
use crate::extract::AsOf;
use crate::pages::Cacheable;
use crate::routes::data_status::{DataStatusBody, written};
use crate::routes::ticker::moment;
use crate::state::AppState;

const CURRENCY: &str = "USD";

/// The commodities.
#[derive(Serialize, ToSchema)]
pub(crate) struct CommoditiesBody {
    #[schema(example = "ok")]
    status: &'static str,
    /// Ten commodities; those of which no price is known are absent and named in `data_status`.
    commodities: Vec<CommodityBody>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A commodity.
#[derive(Serialize, ToSchema)]
#[schema(as = Commodity)]
pub(crate) struct CommodityBody {
    /// Such as `crude`.
    symbol: &'static str,
    /// Such as `Crude Oil (WTI)`.
    name: &'static str,
    /// As the market quotes it: in `unit`. Absent where no price is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    price: Option<f64>,
    /// Against the price before it in the same series, in percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    change_pct: Option<f64>,
    /// The money of the price; grains, coffee, cotton and sugar are quoted in its cents, which `unit` says.
    currency: &'static str,
    /// Such as `USD per barrel`, `US cents per bushel`.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<String>,
    /// `daily` or `monthly`.
    #[serde(skip_serializing_if = "Option::is_none")]
    frequency: Option<&'static str>,
    /// The day of the price, or the first day of its month, YYYY-MM-DD.
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    /// Who told it.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    /// The series that it is from, such as `commodity:crude/futures`: of several that with the newest value.
    #[serde(skip_serializing_if = "Option::is_none")]
    series: Option<String>,
}

/// One commodity.
#[derive(Serialize, ToSchema)]
pub(crate) struct OneCommodityBody {
    #[schema(example = "ok")]
    status: &'static str,
    #[serde(flatten)]
    commodity: CommodityBody,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// Lists ten commodities with their newest prices.
///
/// Of futures and spot prices those that are newer; `frequency` tells apart daily prices and monthly averages.
#[utoipa::path(
    get,
    path = "/api/v1/commodities",
    tag = "markets",
    params(("as_of" = Option<String>, Query, description = "ISO 8601 moment, not in the future")),
    responses((status = 200, description = "The commodities", body = CommoditiesBody))
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    as_of: AsOf,
    page: Cacheable,
) -> Result<Response> {
    let moment = moment(&state, as_of);
    page.answer(&state, async {
        let mut commodities = Vec::new();
        let mut gaps = Vec::new();
        for commodity in &COMMODITIES {
            let (body, gap) = read(&state, commodity, moment, "commodities").await?;
            gaps.extend(gap);
            if body.price.is_some() {
                commodities.push(body);
            }
        }
        Ok(CommoditiesBody {
            status: "ok",
            commodities,
            data_status: written(gaps),
        })
    })
    .await
}

/// Tells the newest price of one commodity.
#[utoipa::path(
    get,
    path = "/api/v1/commodities/{symbol}",
    tag = "markets",
    params(
        ("symbol" = String, Path, description = "`crude`, `gold`, `silver`, `copper`, `natgas`, `wheat`, `corn`, `coffee`, \
                                                 `cotton` or `sugar`"),
        ("as_of" = Option<String>, Query, description = "ISO 8601 moment, not in the future"),
    ),
    responses((status = 200, description = "The commodity", body = OneCommodityBody),
              (status = 404, description = "Unknown commodity, with suggestions"))
)]
pub(crate) async fn show(
    State(state): State<AppState>,
    Path(symbol): Path<String>,
    as_of: AsOf,
    page: Cacheable,
) -> Result<Response> {
    let moment = moment(&state, as_of);
    page.answer(&state, async {
        let unknown = |unknown| Error::UnknownName("commodity", unknown);
        let commodity = Commodity::find(&symbol).map_err(unknown)?;
        let (commodity, gap) = read(&state, commodity, moment, "price").await?;
        Ok(OneCommodityBody {
            status: "ok",
            commodity,
            data_status: written(gap.into_iter().collect()),
        })
    })
    .await
}

async fn read(
    state: &AppState,
    commodity: &'static Commodity,
    moment: Moment,
    field: &'static str,
) -> Result<(CommodityBody, Option<Gap>)> {
    let values = state.market.newest_values(commodity.series, moment).await?;
    let level = values.as_ref().and_then(Values::level);
    let gap = match &values {
        Some(values) => values.staleness(field, commodity.slug, moment),
        None => Some(Gap::absent(
            field,
            format!("no price of {} is known at this moment", commodity.slug),
        )),
    };
    let series = values.map(|values| values.series);
    let body = CommodityBody {
        symbol: commodity.slug,
        name: commodity.name,
        price: level.map(|level| level.value),
        change_pct: level.and_then(|level| level.change_pct),
        currency: CURRENCY,
        unit: series
            .as_ref()
            .map(|series| series.unit.clone())
            .filter(|unit| !unit.is_empty()),
        frequency: series.as_ref().map(|series| series.frequency.as_str()),
        date: level.map(|level| level.day.to_string()),
        source: series.as_ref().map(|series| series.source.clone()),
        series: series.map(|series| series.id.0),
    };
    Ok((body, gap))
}

//! `/screener`: which symbols satisfy every filter, and `/screener/presets`: filters that people ask for often.

mod answer;
pub(crate) mod natural;

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use market::filters::{FilterValue, Filters};
use market::screener::presets::{PRESETS, Preset};
use market::screener::{Screen, SortBy};
use model::AssetType;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

pub(crate) use answer::{ScreenBody, given};

use crate::caller::Caller;
use crate::error::Result;
use crate::extract::{AsOf, Checked, Faults};
use crate::idempotency::Idempotent;
use crate::meter::Charge;
use crate::routes::ticker;
use crate::state::AppState;

pub(crate) const CREDITS: u64 = 5;
const LIMIT: usize = 20;
const MOST: usize = 50;

/// What must hold, and what is shown.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct ScreenRequest {
    /// Every given filter must hold. Numbers: `rsi_below`, `rsi_above`, `sentiment_above`, `sentiment_below`, `pe_below`,
    /// `pe_above`, `market_cap_above` (in billions of dollars), `volume_above` (daily average). True or false:
    /// `macd_bullish`, `macd_bearish`, `above_sma_20`, `below_sma_20`, and the same of 50 and 200.
    #[schema(value_type = Object, example = json!({"rsi_below": 30, "above_sma_200": true}))]
    filters: Map<String, Value>,
    /// `equity` (default), `etf` or `crypto`.
    #[serde(default)]
    asset_type: Option<String>,
    /// Only this sector, in any case; common short forms such as `tech` are understood.
    #[serde(default)]
    sector: Option<String>,
    /// `sentiment` (default), `rsi`, `pe_ratio`, `market_cap` or `volume`.
    #[serde(default)]
    sort: Option<String>,
    /// How many matches are shown, 20 by default.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 50)]
    limit: Option<usize>,
}

/// Which symbols, in which order, how many, as a request says it.
pub(crate) struct Shown<'a> {
    pub(crate) asset_type: Option<&'a str>,
    pub(crate) sector: Option<&'a str>,
    pub(crate) sort: Option<&'a str>,
    pub(crate) limit: Option<usize>,
}

impl Shown<'_> {
    pub(crate) fn check(&self, faults: &mut Faults) {
        if let Some(Err(error)) = self.asset_type.map(str::parse::<AssetType>) {
            faults.note(format!("asset_type {error}"));
        }
        if let Some(Err(error)) = self.sort.map(str::parse::<SortBy>) {
            faults.note(format!("sort {error}"));
        }
        if let Some(sector) = self.sector {
            faults.length("sector", sector.trim(), 1..=80);
        }
        if !(1..=MOST).contains(&self.limit.unwrap_or(LIMIT)) {
            faults.note(format!("limit must be an integer from 1 to {MOST}"));
        }
    }

    /// What was asked for, else what `otherwise` says.
    pub(crate) fn screen(&self, filters: Filters, otherwise: Screen) -> Screen {
        let sector = self.sector.map(market::screener::sector::canonical);
        Screen {
            filters,
            asset_type: read(self.asset_type).unwrap_or(otherwise.asset_type),
            sector: sector.or(otherwise.sector),
            sort: read(self.sort).unwrap_or(otherwise.sort),
            limit: self.limit.unwrap_or(match otherwise.limit {
                0 => LIMIT,
                limit => limit.min(MOST),
            }),
        }
    }
}

fn read<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word?.parse().ok()
}

impl ScreenRequest {
    fn shown(&self) -> Shown<'_> {
        Shown {
            asset_type: self.asset_type.as_deref(),
            sector: self.sector.as_deref(),
            sort: self.sort.as_deref(),
            limit: self.limit,
        }
    }
}

impl Checked for ScreenRequest {
    fn check(&self, faults: &mut Faults) {
        self.shown().check(faults);
        if let Err(error) = filters(&self.filters) {
            faults.note(error.to_string());
        }
    }
}

/// The values of a request as the filters read them.
pub(crate) fn values(given: &Map<String, Value>) -> impl Iterator<Item = (&str, FilterValue)> {
    given.iter().map(|(key, value)| {
        let value = match value {
            Value::Bool(flag) => FilterValue::Flag(*flag),
            Value::Number(number) => number
                .as_f64()
                .map_or(FilterValue::Other, FilterValue::Number),
            _ => FilterValue::Other,
        };
        (key.as_str(), value)
    })
}

fn filters(given: &Map<String, Value>) -> Result<Filters, market::Error> {
    Filters::parse(values(given))
}

/// Finds the symbols that satisfy every filter.
///
/// Indicators are those of the newest close, sentiment is the mean of the briefs of the last seven days; the price shown is
/// the newest. With a sort of `rsi` the most oversold come first, with `pe_ratio` the cheapest, else the highest; what has
/// no value comes last.
#[utoipa::path(post, path = "/api/v1/screener", tag = "trading", request_body = ScreenRequest,
    params(("as_of" = Option<String>, Query, description = "ISO 8601 moment, not in the future"),
           ("Idempotency-Key" = Option<String>, Header, description = "Repeats of the request get the first answer")),
    responses((status = 200, description = "The matches", body = ScreenBody)))]
pub(crate) async fn screen(
    State(state): State<AppState>,
    caller: Caller,
    charge: Charge,
    as_of: AsOf,
    request: Idempotent<ScreenRequest>,
) -> Result<Response> {
    let moment = ticker::moment(&state, as_of);
    let categories = caller.narrow(None)?;
    let (asked, repeat) = request.apart();
    let make = async {
        let filters = filters(&asked.filters)?;
        let question = asked.shown().screen(filters, Screen::default());
        ScreenBody::answering(&state, moment, &categories, &question, caller.payer()).await
    };
    let price = ("POST /api/v1/screener", CREDITS);
    Box::pin(repeat.charged(&state, &caller, charge, price, make)).await
}

/// Ready screens.
#[derive(Serialize, ToSchema)]
pub(crate) struct PresetsBody {
    #[schema(example = "ok")]
    status: &'static str,
    presets: Vec<PresetBody>,
}

/// A ready screen: send its filters, `asset_type` and `sort` to `/screener`.
#[derive(Serialize, ToSchema)]
pub(crate) struct PresetBody {
    id: &'static str,
    name: &'static str,
    description: &'static str,
    #[schema(value_type = Object)]
    filters: Map<String, Value>,
    asset_type: &'static str,
    sort: &'static str,
}

impl From<Preset> for PresetBody {
    fn from(preset: Preset) -> Self {
        let filters = Filters::parse(
            preset
                .filters
                .iter()
                .map(|(key, value)| (key.as_str(), *value)),
        );
        Self {
            id: preset.id,
            name: preset.name,
            description: preset.description,
            filters: given(&filters.unwrap_or_default()),
            asset_type: preset.asset_type.as_str(),
            sort: preset.sort.as_str(),
        }
    }
}

/// Lists ready screens.
#[utoipa::path(get, path = "/api/v1/screener/presets", tag = "trading",
    responses((status = 200, description = "The screens", body = PresetsBody)))]
pub(crate) async fn presets() -> Json<PresetsBody> {
    Json(PresetsBody {
        status: "ok",
        presets: PRESETS.into_iter().map(PresetBody::from).collect(),
    })
}

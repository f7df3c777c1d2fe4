//! `/forex`: what currencies cost.

use analysis::market::{Gap, Moment, PAIRS, Pair, Values};
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

/// The pairs.
#[derive(Serialize, ToSchema)]
pub(crate) struct ForexBody {
    #[schema(example = "ok")]
    status: &'static str,
    /// Seven pairs; those of which no rate is known are absent and named in `data_status`.
    pairs: Vec<PairBody>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A pair of currencies.
#[derive(Serialize, ToSchema)]
#[schema(as = CurrencyPair)]
pub(crate) struct PairBody {
    /// Such as `EURUSD`.
    pair: &'static str,
    /// Such as `Euro / US Dollar`.
    label: &'static str,
    /// Units of the second currency for one of the first; absent where no rate is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    rate: Option<f64>,
    /// Against the rate of the day before, in percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    change_pct: Option<f64>,
    /// The day of the rate, YYYY-MM-DD.
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    /// Who told it.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
}

/// One pair.
#[derive(Serialize, ToSchema)]
pub(crate) struct OnePairBody {
    #[schema(example = "ok")]
    status: &'static str,
    #[serde(flatten)]
    pair: PairBody,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// Lists seven currency pairs with their newest rates.
///
/// A quote counts, else the newest daily rate. With `as_of` the daily rates known then.
#[utoipa::path(
    get,
    path = "/api/v1/forex",
    tag = "markets",
    params(("as_of" = Option<String>, Query, description = "ISO 8601 moment, not in the future")),
    responses((status = 200, description = "The pairs", body = ForexBody))
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    as_of: AsOf,
    page: Cacheable,
) -> Result<Response> {
    let moment = moment(&state, as_of);
    page.answer(&state, async {
        let mut pairs = Vec::new();
        let mut gaps = Vec::new();
        for pair in &PAIRS {
            let (body, gap) = read(&state, pair, moment, "pairs").await?;
            gaps.extend(gap);
            if body.rate.is_some() {
                pairs.push(body);
            }
        }
        Ok(ForexBody {
            status: "ok",
            pairs,
            data_status: written(gaps),
        })
    })
    .await
}

/// Tells the newest rate of one currency pair.
#[utoipa::path(
    get,
    path = "/api/v1/forex/{pair}",
    tag = "markets",
    params(
        ("pair" = String, Path, description = "`EURUSD`, `GBPUSD`, `USDJPY`, `AUDUSD`, `USDCAD`, `USDCHF` or `NZDUSD`, in any \
                                               case; also `EUR-USD`, `EUR%2FUSD`, `EURUSD=X`"),
        ("as_of" = Option<String>, Query, description = "ISO 8601 moment, not in the future"),
    ),
    responses((status = 200, description = "The pair", body = OnePairBody),
              (status = 404, description = "Unknown pair, with suggestions"))
)]
pub(crate) async fn show(
    State(state): State<AppState>,
    Path(pair): Path<String>,
    as_of: AsOf,
    page: Cacheable,
) -> Result<Response> {
    let moment = moment(&state, as_of);
    page.answer(&state, async {
        let unknown = |unknown| Error::UnknownName("currency pair", unknown);
        let pair = Pair::find(&pair).map_err(unknown)?;
        let (pair, gap) = read(&state, pair, moment, "rate").await?;
        Ok(OnePairBody {
            status: "ok",
            pair,
            data_status: written(gap.into_iter().collect()),
        })
    })
    .await
}

async fn read(
    state: &AppState,
    pair: &'static Pair,
    moment: Moment,
    field: &'static str,
) -> Result<(PairBody, Option<Gap>)> {
    let values = state.market.newest_values(&pair.series, moment).await?;
    let level = values.as_ref().and_then(Values::level);
    let gap = match &values {
        Some(values) => values.staleness(field, pair.pair, moment),
        None => Some(Gap::absent(
            field,
            format!("no rate of {} is known at this moment", pair.pair),
        )),
    };
    let body = PairBody {
        pair: pair.pair,
        label: pair.label,
        rate: level.map(|level| level.value),
        change_pct: level.and_then(|level| level.change_pct),
        date: level.map(|level| level.day.to_string()),
        source: values.map(|values| values.series.source),
    };
    Ok((body, gap))
}

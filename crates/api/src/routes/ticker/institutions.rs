//! `/ticker/{symbol}/institutions`: who holds a share, from the Forms 13F.

use analysis::market::{Gap, Holder};
use axum::extract::{Path, State};
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::Result;
use crate::extract::{AsOf, FromQuery, Params, ValidQuery};
use crate::pages::Cacheable;
use crate::routes::data_status::{DataStatusBody, written};
use crate::state::AppState;

/// How many.
pub(crate) struct InstitutionsQuery {
    limit: u64,
}

impl FromQuery for InstitutionsQuery {
    fn read(params: &mut Params<'_>) -> Self {
        Self {
            limit: params.integer("limit", 1..=100, 20),
        }
    }
}

/// Who holds a share, the largest holding first.
#[derive(Serialize, ToSchema)]
pub(crate) struct InstitutionsBody {
    holders: Vec<HolderBody>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// What an institution held at the end of the newest quarter that it reported.
#[derive(Serialize, ToSchema)]
#[schema(as = InstitutionalHolder)]
pub(crate) struct HolderBody {
    institution: String,
    shares: f64,
    /// In USD.
    value: f64,
    /// Its part of everything that the institution reports, in percent; null where the report does not tell.
    portfolio_pct: Option<f64>,
    /// Change of the number of shares against the institution's quarter before, in percent; null for a new position and
    /// where that quarter is not known.
    change_pct: Option<f64>,
    /// Last day of the quarter, YYYY-MM-DD.
    report_date: String,
}

impl From<Holder> for HolderBody {
    fn from(holder: Holder) -> Self {
        Self {
            institution: holder.institution,
            shares: holder.shares,
            value: holder.value,
            portfolio_pct: holder.portfolio_pct,
            change_pct: holder.change_pct,
            report_date: holder.report_date.to_string(),
        }
    }
}

/// Lists the institutions that hold a share.
///
/// From the Forms 13F known at the moment, which are filed up to 45 days after their quarter.
#[utoipa::path(
    get,
    path = "/api/v1/ticker/{symbol}/institutions",
    tag = "ticker",
    params(
        ("symbol" = String, Path, description = "Such as `AAPL`, `BRK.B`"),
        ("limit" = Option<u64>, Query, description = "1 to 100; default 20"),
        ("as_of" = Option<String>, Query, description = "ISO 8601 moment, not in the future"),
    ),
    responses((status = 200, description = "The largest holders", body = InstitutionsBody),
              (status = 404, description = "Unknown symbol, with suggestions"))
)]
pub(crate) async fn institutions(
    State(state): State<AppState>,
    Path(symbol): Path<String>,
    as_of: AsOf,
    ValidQuery(asked): ValidQuery<InstitutionsQuery>,
    page: Cacheable,
) -> Result<Response> {
    let moment = super::moment(&state, as_of);
    page.answer(&state, async {
        let listing = super::find(&state, &symbol).await?;
        let told = state.market.holders_of(&listing, moment).await?;
        let mut gaps = Vec::new();
        if told.holders.is_empty() {
            gaps.push(Gap::absent(
                "holders",
                "no Form 13F that names this symbol is known at this moment",
            ));
        }
        Ok(InstitutionsBody {
            holders: told
                .holders
                .into_iter()
                .take(asked.limit as usize)
                .map(HolderBody::from)
                .collect(),
            data_status: written(gaps),
        })
    })
    .await
}

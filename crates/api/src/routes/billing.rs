//! The spending cap.

use axum::Json;
use axum::extract::State;
use model::MicroUsd;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::caller::Owner;
use crate::error::{Error, Result};
use crate::extract::{Checked, Faults, ValidJson};
use crate::routes::usage::dollars;
use crate::state::AppState;

/// A million dollars: beyond that it is a slip of the keyboard.
const HIGHEST_USD: f64 = 1e6;

/// The new cap.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct Cap {
    /// Most that a month may cost beyond the plan's price; `null` goes back to the plan's default.
    #[schema(minimum = 0, maximum = 1_000_000)]
    #[serde(deserialize_with = "Option::deserialize")]
    spending_cap_usd: Option<f64>,
}

impl Checked for Cap {
    fn check(&self, faults: &mut Faults) {
        if self
            .spending_cap_usd
            .is_some_and(|usd| !(0.0..=HIGHEST_USD).contains(&usd))
        {
            faults.note("spending_cap_usd must be a number from 0 to 1000000, or null");
        }
    }
}

/// The cap that holds from now on.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CapAnswer {
    status: &'static str,
    plan: &'static str,
    spending_cap_usd: f64,
}

/// Sets how much a month may cost beyond the plan's price. Calls that could exceed it are refused with 429.
#[utoipa::path(put, path = "/api/v1/billing/cap", tag = "account", request_body = Cap,
    responses((status = 200, description = "The cap is set", body = CapAnswer)))]
pub(crate) async fn set_cap(
    State(state): State<AppState>,
    owner: Owner,
    ValidJson(body): ValidJson<Cap>,
) -> Result<Json<CapAnswer>> {
    let cap = body.spending_cap_usd.and_then(MicroUsd::from_usd);
    if !state
        .store
        .accounts()
        .set_spending_cap(owner.account, cap)
        .await?
    {
        return Err(Error::not_found("the account is gone"));
    }
    state.access.forget();
    let effective = cap.unwrap_or(state.settings.plans.terms(owner.plan).default_cap);
    Ok(Json(CapAnswer {
        status: "ok",
        plan: owner.plan.as_str(),
        spending_cap_usd: dollars(effective),
    }))
}

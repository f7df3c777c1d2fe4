//! A request for a new alert.

use market::alerts::bounds;
use model::AlertType;
use providers::callbacks::LONGEST_ADDRESS;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa::openapi::schema::{Object, ObjectBuilder, Type};

use crate::checked::{Checked, Faults};
use crate::error::{Error, Result};

/// An alert to create.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(crate) struct NewAlertRequest {
    /// Symbol of a share, fund or coin.
    #[schema(min_length = 1, max_length = 40, pattern = r"\S")]
    ticker: String,
    /// The condition that is watched.
    #[schema(schema_with = alert_types)]
    alert_type: String,
    /// The threshold value, inclusive: a price in the currency of the listing (above 0), a sentiment from 0 to 1, for
    /// `rsi_cross` an RSI from 0 to 100, or for `volume_spike` a multiple of the average volume of 20 days (0.01 to
    /// 1000).
    #[schema(minimum = 0, maximum = 1_000_000_000_000_000_f64)]
    threshold: f64,
    /// Where a message is posted when the alert fires: an https address on the public internet, on port 443 or any port
    /// from 1024 upwards.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 2048, format = "uri")]
    callback_url: Option<String>,
}

fn alert_types() -> Object {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(AlertType::ALL.map(AlertType::as_str)))
        .build()
}

impl Checked for NewAlertRequest {
    fn check(&self, faults: &mut Faults) {
        faults.length("ticker", self.ticker.trim(), 1..=40);
        let Some(kind) = AlertType::parse(&self.alert_type) else {
            let words = AlertType::ALL.map(AlertType::as_str).join(", ");
            faults.note(format!("alert_type must be one of {words}"));
            return;
        };
        let (low, high) = bounds(kind);
        if !(low..=high).contains(&self.threshold) {
            faults.note(match kind {
                AlertType::PriceAbove | AlertType::PriceBelow => {
                    "threshold must be a price above 0".to_owned()
                }
                _ => format!("threshold of {kind} must be a number from {low} to {high}"),
            });
        }
        if let Some(address) = &self.callback_url {
            faults.length("callback_url", address.trim(), 1..=LONGEST_ADDRESS);
            faults.one_line("callback_url", address);
        }
    }
}

impl NewAlertRequest {
    pub(super) fn ticker(&self) -> &str {
        self.ticker.trim()
    }

    pub(super) fn kind(&self) -> Result<AlertType> {
        AlertType::parse(&self.alert_type).ok_or_else(|| Error::invalid("alert_type is unknown"))
    }

    pub(super) fn threshold(&self) -> f64 {
        self.threshold
    }

    pub(super) fn callback(&self) -> Option<&str> {
        self.callback_url.as_deref().map(str::trim)
    }
}

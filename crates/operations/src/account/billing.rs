//! The spending cap.

use model::MicroUsd;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::account::usage::dollars;
use crate::checked::{Checked, Faults};
use crate::error::{Error, Result};
use crate::{About, Address, Context, Effect, Keeping, Operation, Posted};

/// A million dollars. Anything higher is a typing error.
const HIGHEST_USD: f64 = 1e6;

/// The new cap.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct Cap {
    /// Maximum spending per month beyond the plan's price; `null` restores the plan's default.
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

/// The cap that now applies.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CapAnswer {
    /// `ok`.
    status: &'static str,
    /// Name of the plan.
    plan: &'static str,
    /// Maximum spending per month beyond the plan's price, in USD.
    spending_cap_usd: f64,
}

/// `PUT /billing/cap`.
pub(crate) struct SetCap;

impl Operation for SetCap {
    type Input = Posted<(), Cap>;
    type Output = CapAnswer;

    const ABOUT: About = About {
        name: "set_spending_cap",
        address: Address::put("/api/v1/billing/cap"),
        subject: "account",
        summary: "Sets the monthly spending cap on top of the price of the plan.",
        description: "Calls that could exceed the cap are refused with 429.",
        answer: "The cap is set",
        example: r#"{"spending_cap_usd": 50}"#,
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
    };
    const EFFECT: Effect = Effect::Acts;

    async fn run(context: Context, asked: Self::Input) -> Result<CapAnswer> {
        let owner = context.owner()?;
        let cap = asked.body.spending_cap_usd.and_then(MicroUsd::from_usd);
        let accounts = context.store.accounts();
        if !accounts.set_spending_cap(owner.account, cap).await? {
            return Err(Error::not_found("the account no longer exists"));
        }
        context.access.forget();
        let effective = cap.unwrap_or(context.settings.plans.terms(owner.plan).default_cap);
        Ok(CapAnswer {
            status: "ok",
            plan: owner.plan.as_str(),
            spending_cap_usd: dollars(effective),
        })
    }
}

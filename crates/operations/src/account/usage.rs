//! What an account has used and what it costs.

use model::{MicroUsd, Plan};
use serde::Serialize;
use store::{AccountKey, DayUsage, EndpointUsage};
use utoipa::ToSchema;

use crate::caller::Member;
use crate::error::Result;
use crate::settings::PlanTerms;
use crate::{About, Address, Context, Keeping, Operation};

/// Usage of an account. Months and days are in UTC.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Usage {
    /// `ok`.
    status: &'static str,
    /// Name of the plan.
    plan: &'static str,
    /// `plan`, `payg` or `unlimited`.
    billing_model: &'static str,
    /// Calls today (UTC).
    calls_today: u64,
    /// Credits that the plan includes each month; `null` means no limit.
    #[schema(required)]
    monthly_limit: Option<u64>,
    /// Calls this month (UTC).
    calls_this_month: u64,
    /// Spending beyond the plan's price, in US dollars.
    spend_today_usd: f64,
    /// Spending beyond the plan's price, in US dollars.
    spend_this_month_usd: f64,
    /// Maximum spending per month beyond the plan's price; `null` if nothing is charged.
    #[schema(required)]
    spending_cap_usd: Option<f64>,
    /// Remaining budget under the cap.
    #[schema(required)]
    budget_remaining_usd: Option<f64>,
    /// Credits used this month (UTC).
    credits_used_month: u64,
    /// Same as `monthly_limit`.
    #[schema(required)]
    credits_included: Option<u64>,
    /// Calls and credits of this month by endpoint.
    by_endpoint: Vec<Endpoint>,
    /// Calls and credits of this month by day (UTC), newest first. Days without a call are left out.
    by_day: Vec<Day>,
}

/// Usage on one day.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UsageDay)]
pub(crate) struct Day {
    /// The day, UTC.
    date: String,
    /// Number of calls.
    calls: u64,
    /// Credits used.
    credits: u64,
    /// Calls and credits of the day by endpoint.
    by_endpoint: Vec<Endpoint>,
}

/// The share of one endpoint in the usage of the month or day.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Endpoint {
    /// Method and route.
    endpoint: String,
    /// Number of calls.
    calls: u64,
    /// Credits used.
    credits: u64,
}

/// `GET /usage`.
pub(crate) struct Show;

impl Operation for Show {
    type Input = ();
    type Output = Usage;

    const ABOUT: About = About {
        name: "show_usage",
        address: Address::get("/api/v1/usage"),
        subject: "account",
        summary: "Shows the usage of the account, up to the last settled call.",
        answer: "Usage of the account",
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
    };

    async fn run(context: Context, (): ()) -> Result<Usage> {
        let owner = context.owner()?;
        context.meter.flush().await?;
        let report = context
            .store
            .ledger()
            .usage(&AccountKey::Account(owner.account), context.clock.now())
            .await?;
        let terms = context.settings.plans.terms(owner.plan);
        let cap = effective_cap(&owner, terms);
        let left = cap.map(|cap| MicroUsd((cap.0 - report.overage_month.0).max(0)));
        Ok(Usage {
            status: "ok",
            plan: owner.plan.as_str(),
            billing_model: billing_model(owner.plan),
            calls_today: report.calls_today,
            monthly_limit: terms.credits,
            calls_this_month: report.calls_month,
            spend_today_usd: dollars(report.overage_today),
            spend_this_month_usd: dollars(report.overage_month),
            spending_cap_usd: cap.map(dollars),
            budget_remaining_usd: left.map(dollars),
            credits_used_month: report.credits_month,
            credits_included: terms.credits,
            by_endpoint: report.by_endpoint.into_iter().map(Endpoint::from).collect(),
            by_day: report.by_day.into_iter().map(Day::from).collect(),
        })
    }
}

impl From<DayUsage> for Day {
    fn from(usage: DayUsage) -> Self {
        Self {
            date: usage.date,
            calls: usage.by_endpoint.iter().map(|one| one.calls).sum(),
            credits: usage.by_endpoint.iter().map(|one| one.credits).sum(),
            by_endpoint: usage.by_endpoint.into_iter().map(Endpoint::from).collect(),
        }
    }
}

impl From<EndpointUsage> for Endpoint {
    fn from(usage: EndpointUsage) -> Self {
        Self {
            endpoint: usage.endpoint,
            calls: usage.calls,
            credits: usage.credits,
        }
    }
}

/// The cap that is enforced; `None` if the credits of the plan have no limit, so that nothing is charged beyond it.
pub(crate) fn effective_cap(member: &Member, terms: &PlanTerms) -> Option<MicroUsd> {
    terms.credits?;
    Some(match terms.overage {
        Some(_) => member.spending_cap.unwrap_or(terms.default_cap),
        // A plan that stops spends nothing, whatever the account has set.
        None => MicroUsd(0),
    })
}

fn billing_model(plan: Plan) -> &'static str {
    match plan {
        Plan::Unlimited => "unlimited",
        Plan::Payg => "payg",
        _ => "plan",
    }
}

/// Dollars with four decimals.
pub(crate) fn dollars(amount: MicroUsd) -> f64 {
    (amount.0 as f64 / 100.0).round() / 1e4
}

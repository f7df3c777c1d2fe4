//! `/ticker/{symbol}/earnings`: the next earnings report and its estimates.

use analysis::market::{DataIssue, EarningsView, Listing, Projection};
use model::{EarningsStatus, ReportTime};
use serde::Serialize;
use utoipa::ToSchema;

use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::money::formatted_usd;
use crate::ticker::{self, BySymbol};
use crate::{About, Address, Context, Operation};

/// The next earnings report. Fields that no source reports are absent.
#[derive(Serialize, ToSchema)]
pub(crate) struct EarningsBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Symbol.
    ticker: String,
    /// Date of the report, YYYY-MM-DD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    earnings_date: Option<String>,
    /// Expected earnings per share, in `currency`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    eps_estimate: Option<f64>,
    /// Expected revenue, in `currency`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    revenue_estimate: Option<f64>,
    /// Expected revenue, such as `$12.34B`; absent if `currency` is not USD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    revenue_estimate_formatted: Option<String>,
    /// ISO 4217 code of the estimates, which are in the currency of the listing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    currency: Option<String>,
    /// Fiscal quarter, such as `Q3 2026`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    fiscal_quarter: Option<String>,
    /// Status of the date: `estimated` from earlier dates or `confirmed` by the company.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    earnings_status: Option<&'static str>,
    /// When the company announces its results: `before_market`, `during_market` or `after_market`. This is as stated by
    /// the source of the date or, if the date is estimated from earlier ones, the time shared by three of the last four
    /// announcements.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    usual_time: Option<&'static str>,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// `GET /ticker/{symbol}/earnings`.
pub(crate) struct Earnings;

impl Operation for Earnings {
    type Input = BySymbol;
    type Output = EarningsBody;

    const ABOUT: About = About {
        name: "list_earnings",
        address: Address::get("/api/v1/ticker/{symbol}/earnings"),
        summary: "Shows the next earnings report and its estimates.",
        description: "If no source has the date, it is estimated from when the company reported the same quarter in up to three earlier years.",
        answer: "The next report",
        ..ticker::OF_SYMBOL
    };

    async fn run(context: Context, input: BySymbol) -> Result<EarningsBody> {
        let when = context.when();
        let listing = context.listing(&input.symbol).await?;
        let view = context.estimates.earnings_of(&listing, when).await?;
        let mut issues = issues(&view, &listing);
        let (day, next, projection) = (
            view.next_day(),
            view.next.as_ref(),
            view.projection.as_ref(),
        );
        let estimated = || projection.map(|_| EarningsStatus::Estimated.as_str());
        let revenue = next.and_then(|next| next.revenue_estimate);
        let currency = listing.instrument.currency();
        let eps_estimate = next.and_then(|next| next.eps_estimate);
        if eps_estimate.is_some() {
            issues.extend(listing.inferred_shares("eps_estimate", when));
        }
        Ok(EarningsBody {
            status: "ok",
            ticker: listing.ticker().to_owned(),
            earnings_date: day.map(|day| day.to_string()),
            eps_estimate,
            revenue_estimate: revenue,
            revenue_estimate_formatted: revenue.filter(|_| currency == "USD").map(formatted_usd),
            currency: day.map(|_| currency.to_owned()),
            earnings_status: next.map_or_else(estimated, |next| Some(next.status.as_str())),
            usual_time: view.usual_time().map(ReportTime::as_str),
            fiscal_quarter: view.next_quarter(),
            data_status: written(issues),
        })
    }
}

/// What is unknown about the next report, and the source of the rest.
pub(crate) fn issues(view: &EarningsView, listing: &Listing) -> Vec<DataIssue> {
    let Some(next) = &view.next else {
        if let Some(projection) = &view.projection {
            return vec![
                DataIssue::note(
                    "earnings_date",
                    estimated_from(projection),
                    "earlier reports",
                ),
                DataIssue::absent("eps_estimate", "no source reports an estimate"),
                DataIssue::absent("revenue_estimate", "no source reports an estimate"),
            ];
        }
        let newest = view.reported.first().map(|one| one.report.date.starts_at());
        return vec![DataIssue {
            newest_available: newest,
            ..DataIssue::absent(
                "earnings_date",
                listing.only_companies("earnings").unwrap_or_else(|| {
                    "no upcoming report is available for this symbol".to_owned()
                }),
            )
        }];
    };
    let mut issues = vec![DataIssue::note(
        "earnings_date",
        format!("the date is {}", next.status.as_str()),
        next.source.clone(),
    )];
    if next.eps_estimate.is_none() {
        issues.push(DataIssue::absent(
            "eps_estimate",
            "no source reports an estimate",
        ));
    }
    if next.revenue_estimate.is_none() {
        issues.push(DataIssue::absent(
            "revenue_estimate",
            "no source reports an estimate",
        ));
    }
    issues
}

/// States that a date was projected, and from which dates.
fn estimated_from(projection: &Projection) -> String {
    let days: Vec<String> = projection.from.iter().map(ToString::to_string).collect();
    format!(
        "the date is estimated from when the same quarter was reported before: {}",
        days.join(", ")
    )
}

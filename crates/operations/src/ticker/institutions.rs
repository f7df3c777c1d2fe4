//! `/ticker/{symbol}/institutions`: institutional holders of a share, from Form 13F filings.

use analysis::market::{DataIssue, Holder};
use serde::Serialize;
use utoipa::ToSchema;

use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::ticker::{self, SYMBOL};
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// How many holders to list.
pub(crate) struct InstitutionsQuery {
    symbol: String,
    limit: u64,
}

impl Parameters for InstitutionsQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            symbol: arguments.path("symbol", SYMBOL),
            limit: arguments.integer("limit", 1..=100, 20, "Maximum number of entries"),
        }
    }
}

/// Institutional holders of a share, largest holding first.
#[derive(Serialize, ToSchema)]
pub(crate) struct InstitutionsBody {
    /// The institutions.
    holders: Vec<HolderBody>,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// Holding of an institution at the end of the latest quarter that it reported.
#[derive(Serialize, ToSchema)]
#[schema(as = InstitutionalHolder)]
pub(crate) struct HolderBody {
    /// Name of the institution.
    institution: String,
    /// Number of shares.
    shares: f64,
    /// Value of the holding in USD.
    value: f64,
    /// Holding as a percentage of the institution's reported portfolio; null if the report does not give it.
    #[schema(required)]
    portfolio_pct: Option<f64>,
    /// Change in the number of shares from the institution's previous quarter, in percent; null for a new position or
    /// if that quarter is unknown.
    #[schema(required)]
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

/// `GET /ticker/{symbol}/institutions`.
pub(crate) struct Institutions;

impl Operation for Institutions {
    type Input = InstitutionsQuery;
    type Output = InstitutionsBody;

    const ABOUT: About = About {
        name: "list_institutional_holders",
        address: Address::get("/api/v1/ticker/{symbol}/institutions"),
        summary: "Lists the institutions that hold shares of a company.",
        description: "Holdings come from Form 13F, which is filed up to 45 days after the end of the quarter.",
        answer: "The largest holders",
        ..ticker::OF_SYMBOL
    };

    async fn run(context: Context, asked: InstitutionsQuery) -> Result<InstitutionsBody> {
        let when = context.when();
        let listing = context.listing(&asked.symbol).await?;
        let reported = context.disclosures.holders_of(&listing, when).await?;
        let issues = DataIssue::absent_if(
            reported.holders.is_empty(),
            "holders",
            "no Form 13F lists this symbol",
        );
        Ok(InstitutionsBody {
            holders: reported
                .holders
                .into_iter()
                .take(asked.limit as usize)
                .map(HolderBody::from)
                .collect(),
            data_status: written(issues),
        })
    }
}

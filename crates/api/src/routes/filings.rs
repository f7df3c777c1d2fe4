//! `/ticker/{symbol}/filings` and `/filings/search`: what companies filed at the SEC.

use analysis::market::Gap;
use axum::extract::{Path, State};
use axum::response::Response;
use model::Filing;
use serde::Serialize;
use store::RecordQuery;
use utoipa::ToSchema;

use super::ticker;
use crate::error::Result;
use crate::extract::{AsOf, FromQuery, Params, ValidQuery};
use crate::pages::Cacheable;
use crate::routes::data_status::{DataStatusBody, written};
use crate::state::AppState;

/// Words of one search.
const MOST_WORDS: usize = 12;

/// Which filings of one company.
pub(crate) struct FilingsQuery {
    form: Option<String>,
    limit: u64,
}

impl FromQuery for FilingsQuery {
    fn read(params: &mut Params<'_>) -> Self {
        Self {
            form: params.text("form", 1..=20),
            limit: params.integer("limit", 1..=100, 20),
        }
    }
}

/// Which filings of all companies.
pub(crate) struct FilingSearchQuery {
    words: Vec<String>,
    filings: FilingsQuery,
}

impl FromQuery for FilingSearchQuery {
    fn read(params: &mut Params<'_>) -> Self {
        let asked = params.required_text("q", 1..=200);
        let words: Vec<String> = asked.split_whitespace().map(str::to_owned).collect();
        if words.len() > MOST_WORDS {
            params.fault(format!("q must have at most {MOST_WORDS} words"));
        }
        Self {
            words,
            filings: FilingsQuery::read(params),
        }
    }
}

/// Filings of a company, the newest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct FilingsBody {
    filings: Vec<FilingBody>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A filing.
#[derive(Serialize, ToSchema)]
#[schema(as = Filing)]
pub(crate) struct FilingBody {
    /// Such as `10-K`, `10-Q`, `8-K`, `S-1`.
    form_type: String,
    /// YYYY-MM-DD.
    filed_date: String,
    /// Last day of the period that it reports on; null where it is about none.
    period_of_report: Option<String>,
    filing_url: String,
    description: String,
}

impl From<Filing> for FilingBody {
    fn from(filing: Filing) -> Self {
        Self {
            form_type: filing.form_type,
            filed_date: filing.filed_date.to_string(),
            period_of_report: filing.period_of_report.map(|day| day.to_string()),
            filing_url: filing.filing_url,
            description: filing.description,
        }
    }
}

/// Filings that were found, the newest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct FilingSearchBody {
    filings: Vec<FoundFilingBody>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A filing and whose it is.
#[derive(Serialize, ToSchema)]
#[schema(as = FoundFiling)]
pub(crate) struct FoundFilingBody {
    /// Null where the filer has none.
    symbol: Option<String>,
    company_name: String,
    form_type: String,
    /// YYYY-MM-DD.
    filed_date: String,
    filing_url: String,
    description: String,
}

impl From<Filing> for FoundFilingBody {
    fn from(filing: Filing) -> Self {
        Self {
            symbol: filing.symbol.map(|symbol| symbol.to_string()),
            company_name: filing.company_name,
            form_type: filing.form_type,
            filed_date: filing.filed_date.to_string(),
            filing_url: filing.filing_url,
            description: filing.description,
        }
    }
}

/// Lists the filings of a company.
#[utoipa::path(
    get,
    path = "/api/v1/ticker/{symbol}/filings",
    tag = "ticker",
    params(
        ("symbol" = String, Path, description = "Such as `AAPL`, `BRK.B`"),
        ("form" = Option<String>, Query, description = "Exactly this form, such as `10-K`, `10-Q`, `8-K`, `S-1`, in any case; amendments have names of their own, such as `10-K/A`"),
        ("limit" = Option<u64>, Query, description = "1 to 100; default 20"),
        ("as_of" = Option<String>, Query, description = "ISO 8601 moment, not in the future"),
    ),
    responses((status = 200, description = "The newest filings", body = FilingsBody),
              (status = 404, description = "Unknown symbol, with suggestions"))
)]
pub(crate) async fn of_ticker(
    State(state): State<AppState>,
    Path(symbol): Path<String>,
    as_of: AsOf,
    ValidQuery(asked): ValidQuery<FilingsQuery>,
    page: Cacheable,
) -> Result<Response> {
    let moment = ticker::moment(&state, as_of);
    page.answer(&state, async {
        let listing = ticker::find(&state, &symbol).await?;
        let query = RecordQuery {
            words: asked.form.into_iter().collect(),
            limit: asked.limit,
            ..RecordQuery::default()
        };
        let found = state.market.records_of::<Filing>(&listing, moment, query);
        let found = found.await?;
        let mut gaps = Vec::new();
        if found.is_empty() {
            gaps.push(Gap::absent(
                "filings",
                "no such filing of this symbol is known at this moment",
            ));
        }
        Ok(FilingsBody {
            filings: found
                .into_iter()
                .map(|stored| stored.record.into())
                .collect(),
            data_status: written(gaps),
        })
    })
    .await
}

/// Finds filings by the words of their company's name, symbol, form and description.
///
/// Every word has to be there, in any case and also as part of a longer one. The documents themselves are not searched.
#[utoipa::path(
    get,
    path = "/api/v1/filings/search",
    tag = "ticker",
    params(
        ("q" = String, Query, description = "1 to 200 characters, at most 12 words"),
        ("form" = Option<String>, Query, description = "Exactly this form, such as `10-K`, in any case"),
        ("limit" = Option<u64>, Query, description = "1 to 100; default 20"),
        ("as_of" = Option<String>, Query, description = "ISO 8601 moment, not in the future"),
    ),
    responses((status = 200, description = "The newest that match", body = FilingSearchBody))
)]
pub(crate) async fn search(
    State(state): State<AppState>,
    as_of: AsOf,
    ValidQuery(asked): ValidQuery<FilingSearchQuery>,
    page: Cacheable,
) -> Result<Response> {
    let moment = ticker::moment(&state, as_of);
    page.answer(&state, async {
        let query = RecordQuery {
            words: asked.filings.form.into_iter().collect(),
            containing: asked.words,
            limit: asked.filings.limit,
            ..RecordQuery::default()
        };
        let found = state.market.records::<Filing>(moment, query).await?;
        let mut gaps = Vec::new();
        if found.is_empty() {
            gaps.push(Gap::absent(
                "filings",
                "no known filing has all these words in its company's name, symbol, form or description; \
                 the full text of documents is not searched",
            ));
        }
        Ok(FilingSearchBody {
            filings: found
                .into_iter()
                .map(|stored| stored.record.into())
                .collect(),
            data_status: written(gaps),
        })
    })
    .await
}

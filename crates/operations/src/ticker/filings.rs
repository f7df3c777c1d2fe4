//! `/ticker/{symbol}/filings` and `/filings/search`: company filings with the SEC.

use analysis::market::{DataIssue, FilingQuery};
use model::Filing;
use serde::Serialize;
use utoipa::ToSchema;

use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::ticker;
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// Maximum number of words in one search.
const MOST_WORDS: usize = 12;

/// Which filings to list.
struct Filter {
    form: Option<String>,
    limit: u64,
}

/// Which filings of one company to list.
pub(crate) struct FilingsQuery {
    symbol: String,
    filter: Filter,
}

impl Parameters for Filter {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            form: arguments.text(
                "form",
                1..=20,
                "Exact name of the form, such as `10-K`, `10-Q`, `8-K` or `S-1`, in upper or lower case; amendments \
                 have their own names, such as `10-K/A`",
            ),
            limit: arguments.integer("limit", 1..=100, 20, "Maximum number of filings"),
        }
    }
}

impl Filter {
    fn query(self, containing: Vec<String>) -> FilingQuery {
        FilingQuery {
            form: self.form,
            containing,
            limit: self.limit,
        }
    }
}

impl Parameters for FilingsQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            symbol: arguments.path("symbol", crate::ticker::SYMBOL),
            filter: Filter::read(arguments),
        }
    }
}

/// Which filings of all companies to list.
pub(crate) struct FilingSearchQuery {
    words: Vec<String>,
    filter: Filter,
}

impl Parameters for FilingSearchQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        let asked = arguments.required_text(
            "q",
            1..=200,
            "Words in the company name, symbol, form or description; at most 12",
        );
        let words: Vec<String> = asked.split_whitespace().map(str::to_owned).collect();
        if words.len() > MOST_WORDS {
            arguments.fault(format!("q must have at most {MOST_WORDS} words"));
        }
        Self {
            words,
            filter: Filter::read(arguments),
        }
    }
}

/// Filings of a company, newest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct FilingsBody {
    /// The filings, newest first.
    filings: Vec<FilingBody>,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A filing.
#[derive(Serialize, ToSchema)]
#[schema(as = Filing)]
pub(crate) struct FilingBody {
    /// Form type, such as `10-K`, `10-Q`, `8-K` or `S-1`.
    form_type: String,
    /// Filing date, YYYY-MM-DD.
    filed_date: String,
    /// Last day of the reporting period; null if the filing does not cover a period.
    #[schema(required)]
    period_of_report: Option<String>,
    /// URL of the filing; null if the source does not provide one.
    #[schema(required)]
    filing_url: Option<String>,
    /// Description of the filing.
    description: String,
}

impl From<Filing> for FilingBody {
    fn from(filing: Filing) -> Self {
        Self {
            form_type: filing.form_type,
            filed_date: filing.filed_date.to_string(),
            period_of_report: filing.period_of_report.map(|day| day.to_string()),
            filing_url: Some(filing.filing_url).filter(|url| !url.is_empty()),
            description: filing.description,
        }
    }
}

/// Matching filings, newest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct FilingSearchBody {
    /// The filings, newest first.
    filings: Vec<FoundFilingBody>,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A filing and its filer.
#[derive(Serialize, ToSchema)]
#[schema(as = FoundFiling)]
pub(crate) struct FoundFilingBody {
    /// Symbol of the filer; null if it has none.
    #[schema(required)]
    symbol: Option<String>,
    /// Name of the company.
    company_name: String,
    /// Form type, such as `10-K`.
    form_type: String,
    /// Filing date, YYYY-MM-DD.
    filed_date: String,
    /// URL of the filing; null if the source does not provide one.
    #[schema(required)]
    filing_url: Option<String>,
    /// Description of the filing.
    description: String,
}

impl From<Filing> for FoundFilingBody {
    fn from(filing: Filing) -> Self {
        Self {
            symbol: filing.symbol.map(|symbol| symbol.to_string()),
            company_name: filing.company_name,
            form_type: filing.form_type,
            filed_date: filing.filed_date.to_string(),
            filing_url: Some(filing.filing_url).filter(|url| !url.is_empty()),
            description: filing.description,
        }
    }
}

/// The symbols under which filings are stored.
pub(crate) fn symbols(filings: &[Filing]) -> Vec<String> {
    let symbols = filings.iter().filter_map(|filing| filing.symbol.as_ref());
    symbols.map(ToString::to_string).collect()
}

/// `GET /ticker/{symbol}/filings`.
pub(crate) struct OfTicker;

impl Operation for OfTicker {
    type Input = FilingsQuery;
    type Output = FilingsBody;

    const ABOUT: About = About {
        name: "list_filings",
        address: Address::get("/api/v1/ticker/{symbol}/filings"),
        summary: "Lists the filings of a company.",
        answer: "The latest filings",
        ..ticker::OF_SYMBOL
    };

    async fn run(context: Context, asked: FilingsQuery) -> Result<FilingsBody> {
        let when = context.when();
        let listing = context.listing(&asked.symbol).await?;
        let query = asked.filter.query(Vec::new());
        let found = context.disclosures.filings_of(&listing, query, when);
        let found = found.await?;
        let reason = if listing.disclosing_symbol().is_some() && !listing.is_index() {
            None
        } else {
            listing.only_companies("filings")
        };
        let reason =
            reason.unwrap_or_else(|| "no matching filing is available for this symbol".to_owned());
        let mut issues = DataIssue::absent_if(found.is_empty(), "filings", &reason);
        issues.extend(listing.of_other_classes("filings", &symbols(&found)));
        Ok(FilingsBody {
            filings: found.into_iter().map(Into::into).collect(),
            data_status: written(issues),
        })
    }
}

/// `GET /filings/search`.
pub(crate) struct Search;

impl Operation for Search {
    type Input = FilingSearchQuery;
    type Output = FilingSearchBody;

    const ABOUT: About = About {
        name: "search_filings",
        address: Address::get("/api/v1/filings/search"),
        subject: "ticker",
        summary: "Finds filings by company name, symbol, form and description.",
        description: "Every word must match, in upper or lower case, and may be part of a longer word. The documents themselves are not searched.",
        answer: "The latest matches",
        example: r#"{"q": "merger"}"#,
        ..About::READS
    };

    async fn run(context: Context, asked: FilingSearchQuery) -> Result<FilingSearchBody> {
        let when = context.when();
        let query = asked.filter.query(asked.words);
        let found = context.disclosures.filings(query, when).await?;
        let issues = DataIssue::absent_if(
            found.is_empty(),
            "filings",
            "no filing contains all of these words in its company name, symbol, form or description; the full text of documents is not searched",
        );
        Ok(FilingSearchBody {
            filings: found.into_iter().map(Into::into).collect(),
            data_status: written(issues),
        })
    }
}

//! `/ticker/{symbol}/insider` and `/insider/recent`: insider transactions in company shares.

use analysis::market::{DataIssue, InsiderQuery as OfCompany, RecentInsiderQuery};
use model::InsiderLine;
use serde::Serialize;
use utoipa::ToSchema;

use crate::counted::counted;
use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::ticker;
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// Longest period that can be requested: five years, in days.
const MOST_DAYS: u64 = 1_826;

/// Which insider trades of one company to list.
pub(crate) struct InsiderQuery {
    symbol: String,
    limit: u64,
    days: u64,
}

impl Parameters for InsiderQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            symbol: arguments.path("symbol", crate::ticker::SYMBOL),
            limit: arguments.integer("limit", 1..=100, 20, "Maximum number of entries"),
            days: arguments.integer(
                "days",
                1..=MOST_DAYS,
                90,
                "Number of days up to now or to `as_of`",
            ),
        }
    }
}

/// Which insider trades of all companies to list.
pub(crate) struct RecentQuery {
    limit: u64,
    kind: Option<&'static str>,
    min_value: Option<f64>,
}

impl Parameters for RecentQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        let kinds = [("buy", Some("buy")), ("sell", Some("sell")), ("all", None)];
        Self {
            limit: arguments.integer("limit", 1..=100, 20, "Maximum number of entries"),
            kind: arguments.word_or("type", &kinds, None, "Only purchases or only sales"),
            min_value: arguments.number(
                "min_value",
                0.0..=1e15,
                "Minimum value in USD; if given, trades without a price are excluded",
            ),
        }
    }
}

/// Insider trades of one company, newest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct InsiderBody {
    /// The trades, newest first.
    insider_trades: Vec<InsiderTradeBody>,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A transaction reported on a Form 4.
#[derive(Serialize, ToSchema)]
#[schema(as = InsiderTrade)]
pub(crate) struct InsiderTradeBody {
    /// Name of the insider.
    name: String,
    /// Title of the insider, such as `Chief Financial Officer` or `Director`.
    title: String,
    /// `buy`, `sell`, `award`, `exercise`, `tax_withholding`, `gift`, `conversion`, `disposition` or `other`.
    transaction_type: &'static str,
    /// Number of shares.
    shares: f64,
    /// Shares times price, in USD; null if the form gives no price.
    #[schema(required)]
    value: Option<f64>,
    /// Transaction date, YYYY-MM-DD.
    date: String,
    /// URL of the filing; null if the source does not provide one.
    #[schema(required)]
    filing_url: Option<String>,
    /// Whether the transaction is in a derivative, such as an option.
    derivative: bool,
}

impl From<InsiderLine> for InsiderTradeBody {
    fn from(line: InsiderLine) -> Self {
        Self {
            name: line.name,
            title: line.title,
            transaction_type: line.trade.transaction_type.as_str(),
            shares: line.trade.shares,
            value: line.trade.value,
            date: line.trade.date.to_string(),
            filing_url: Some(line.filing_url).filter(|url| !url.is_empty()),
            derivative: line.trade.derivative,
        }
    }
}

/// Insider trades of all companies, newest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct RecentBody {
    /// The trades, newest first.
    trades: Vec<RecentTradeBody>,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A transaction reported on a Form 4, with the symbol of the company.
#[derive(Serialize, ToSchema)]
#[schema(as = RecentInsiderTrade)]
pub(crate) struct RecentTradeBody {
    /// Symbol.
    symbol: String,
    #[serde(flatten)]
    trade: InsiderTradeBody,
}

/// `GET /ticker/{symbol}/insider`.
pub(crate) struct OfTicker;

impl Operation for OfTicker {
    type Input = InsiderQuery;
    type Output = InsiderBody;

    const ABOUT: About = About {
        name: "list_insider_trades",
        address: Address::get("/api/v1/ticker/{symbol}/insider"),
        summary: "Lists insider trades in a company.",
        description: "Trades come from Forms 4 and 5, as corrected by their amendments; `days` is counted back from today or from `as_of`.",
        answer: "The latest trades",
        ..ticker::OF_SYMBOL
    };

    async fn run(context: Context, asked: InsiderQuery) -> Result<InsiderBody> {
        let when = context.when();
        let listing = context.listing(&asked.symbol).await?;
        let query = OfCompany {
            days: asked.days as i32,
            limit: asked.limit,
        };
        let disclosures = &context.services.disclosures;
        let found = disclosures.insider_trades_of(&listing, query, when).await?;
        let mut issues = Vec::new();
        if found.is_empty() {
            let newest = disclosures.newest_insider_trade(&listing, when).await?;
            issues.push(DataIssue {
                newest_available: newest.map(|one| one.trade.date.starts_at()),
                ..DataIssue::absent(
                    "insider_trades",
                    listing.only_companies("insider trades").unwrap_or_else(|| {
                        let days = counted(asked.days as usize, "day", "days");
                        format!("no insider trade is available for the last {days}")
                    }),
                )
            });
        }
        Ok(InsiderBody {
            insider_trades: found.into_iter().map(InsiderTradeBody::from).collect(),
            data_status: written(issues),
        })
    }
}

/// `GET /insider/recent`.
pub(crate) struct Recent;

impl Operation for Recent {
    type Input = RecentQuery;
    type Output = RecentBody;

    const ABOUT: About = About {
        name: "list_recent_insider_trades",
        address: Address::get("/api/v1/insider/recent"),
        subject: "ticker",
        summary: "Lists the latest insider trades across all companies.",
        answer: "The latest trades",
        example: r#"{"limit": 20}"#,
        ..About::READS
    };

    async fn run(context: Context, asked: RecentQuery) -> Result<RecentBody> {
        let when = context.when();
        let query = RecentInsiderQuery {
            kind: asked.kind,
            min_value: asked.min_value,
            limit: asked.limit,
        };
        let found = context.disclosures.insider_trades(query, when).await?;
        let issues = DataIssue::absent_if(
            found.is_empty(),
            "trades",
            "no matching insider trade is available",
        );
        Ok(RecentBody {
            trades: found
                .into_iter()
                .map(|line| RecentTradeBody {
                    symbol: line.symbol.to_string(),
                    trade: line.into(),
                })
                .collect(),
            data_status: written(issues),
        })
    }
}

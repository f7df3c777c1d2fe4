//! `/ticker/{symbol}/insider` and `/insider/recent`: what insiders did with shares of their companies.

use analysis::market::{DataIssue, InsiderQuery as OfCompany, RecentInsiderQuery};
use model::InsiderLine;
use serde::Serialize;
use utoipa::ToSchema;

use crate::counted::counted;
use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::ticker;
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// More than five years of them are not asked for.
const MOST_DAYS: u64 = 1_826;

/// Which trades of one company.
pub(crate) struct InsiderQuery {
    symbol: String,
    limit: u64,
    days: u64,
}

impl Parameters for InsiderQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            symbol: arguments.path("symbol", crate::ticker::SYMBOL),
            limit: arguments.integer("limit", 1..=100, 20, "Entries in the answer"),
            days: arguments.integer(
                "days",
                1..=MOST_DAYS,
                90,
                "Days up to now, or up to `as_of`",
            ),
        }
    }
}

/// Which trades of all companies.
pub(crate) struct RecentQuery {
    limit: u64,
    kind: Option<&'static str>,
    min_value: Option<f64>,
}

impl Parameters for RecentQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        let kinds = [("buy", Some("buy")), ("sell", Some("sell")), ("all", None)];
        Self {
            limit: arguments.integer("limit", 1..=100, 20, "Entries in the answer"),
            kind: arguments.word_or("type", &kinds, None, "Only purchases or only sales"),
            min_value: arguments.number(
                "min_value",
                0.0..=1e15,
                "Minimum value in USD; trades without a price are then left out",
            ),
        }
    }
}

/// Trades of the insiders of one company, the newest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct InsiderBody {
    /// The trades, newest first.
    insider_trades: Vec<InsiderTradeBody>,
    /// Why figures are missing, stale or from another source; absent where nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A line of a Form 4.
#[derive(Serialize, ToSchema)]
#[schema(as = InsiderTrade)]
pub(crate) struct InsiderTradeBody {
    /// Name of the insider.
    name: String,
    /// Such as `Chief Financial Officer`, `Director`.
    title: String,
    /// `buy`, `sell`, `award`, `exercise`, `tax_withholding`, `gift`, `conversion`, `disposition` or `other`.
    transaction_type: &'static str,
    /// Number of shares.
    shares: f64,
    /// Shares times price in USD; null where the form gives no price.
    #[schema(required)]
    value: Option<f64>,
    /// When it was done, YYYY-MM-DD.
    date: String,
    /// URL of the filing; null where its source names none.
    #[schema(required)]
    filing_url: Option<String>,
    /// Whether it is about a derivative, such as an option.
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

/// Trades of insiders of all companies, the newest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct RecentBody {
    /// The trades, newest first.
    trades: Vec<RecentTradeBody>,
    /// Why figures are missing, stale or from another source; absent where nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A line of a Form 4 and whose it is.
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
        description: "From Forms 4 and 5, corrected by their amendments; `days` are counted back from today or from `as_of`.",
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

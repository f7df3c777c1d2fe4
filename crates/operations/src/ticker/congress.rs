//! `/congress/trades`: trades disclosed by members of Congress.

use analysis::market::{CongressQuery, DataIssue};
use model::{CongressTrade, Symbol};
use serde::Serialize;
use utoipa::ToSchema;

use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// Which trades to list.
pub(crate) struct TradesQuery {
    symbol: Option<Symbol>,
    chamber: Option<&'static str>,
    member: Option<String>,
    limit: u64,
}

impl Parameters for TradesQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        let chambers = [
            ("house", Some("house")),
            ("senate", Some("senate")),
            ("all", None),
        ];
        Self {
            symbol: arguments.parsed(
                "symbol",
                "Symbol, such as `AAPL` or `BRK.B`; it need not be listed",
            ),
            chamber: arguments.word_or("chamber", &chambers, None, "Chamber of Congress"),
            member: arguments.text(
                "member",
                2..=100,
                "Name of the member or parts of it, such as `Pelosi`, in upper or lower case",
            ),
            limit: arguments.integer("limit", 1..=100, 20, "Maximum number of entries"),
        }
    }
}

/// Trades, by disclosure date, newest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct TradesBody {
    /// The trades, newest first.
    trades: Vec<CongressTradeBody>,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A disclosed trade.
#[derive(Serialize, ToSchema)]
#[schema(as = CongressTrade)]
pub(crate) struct CongressTradeBody {
    /// Name of the member of Congress.
    member: String,
    /// `Democrat`, `Republican` or `Independent`; null if no current member has that name.
    #[schema(required)]
    party: Option<String>,
    /// `house` or `senate`.
    chamber: &'static str,
    /// Symbol; null for bonds, for funds without a symbol, and if unknown.
    #[schema(required)]
    symbol: Option<String>,
    /// `buy`, `sell`, `sell_partial`, `sell_full`, `exchange` or `receive`.
    transaction_type: String,
    /// Range of the amount as disclosed, such as `$1,001 - $15,000`.
    amount_range: String,
    /// Disclosure date, YYYY-MM-DD.
    disclosure_date: String,
    /// Asset traded, as disclosed.
    asset: String,
    /// Transaction date, YYYY-MM-DD; null if the disclosure gives an impossible date.
    #[schema(required)]
    transaction_date: Option<String>,
    /// `self`, `spouse`, `joint` or `dependent`; null if not stated.
    #[schema(required)]
    owner: Option<String>,
    /// URL of the disclosure; null if unknown.
    #[schema(required)]
    url: Option<String>,
}

impl From<CongressTrade> for CongressTradeBody {
    fn from(trade: CongressTrade) -> Self {
        Self {
            member: trade.member,
            party: trade.party,
            chamber: trade.chamber.as_str(),
            symbol: trade.symbol.map(|symbol| symbol.to_string()),
            transaction_type: trade.transaction_type,
            amount_range: trade.amount_range,
            disclosure_date: trade.disclosure_date.to_string(),
            asset: trade.asset,
            transaction_date: trade.transaction_date.map(|day| day.to_string()),
            owner: trade.owner,
            url: trade.url,
        }
    }
}

/// `GET /congress/trades`.
pub(crate) struct Trades;

impl Operation for Trades {
    type Input = TradesQuery;
    type Output = TradesBody;

    const ABOUT: About = About {
        name: "list_congress_trades",
        address: Address::get("/api/v1/congress/trades"),
        subject: "ticker",
        summary: "Lists trades disclosed by members of Congress.",
        answer: "The latest disclosures",
        example: r#"{"limit": 20}"#,
        ..About::READS
    };

    async fn run(context: Context, asked: TradesQuery) -> Result<TradesBody> {
        let when = context.when();
        let query = CongressQuery {
            symbol: asked.symbol,
            chamber: asked.chamber,
            member: asked
                .member
                .iter()
                .flat_map(|name| name.split_whitespace())
                .map(str::to_owned)
                .collect(),
            limit: asked.limit,
        };
        let found = context.disclosures.congress_trades(query, when).await?;
        let issues = DataIssue::absent_if(
            found.is_empty(),
            "trades",
            "no matching trade by a member of Congress is available",
        );
        Ok(TradesBody {
            trades: found.into_iter().map(CongressTradeBody::from).collect(),
            data_status: written(issues),
        })
    }
}

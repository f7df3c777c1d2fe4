//! `/congress/trades`: what lawmakers disclosed of their trades.

use analysis::market::{CongressQuery, DataIssue};
use model::{CongressTrade, Symbol};
use serde::Serialize;
use utoipa::ToSchema;

use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// Which trades.
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
                "Such as `AAPL` or `BRK.B`; it need not be a listed symbol",
            ),
            chamber: arguments.word_or("chamber", &chambers, None, "Chamber of Congress"),
            member: arguments.text(
                "member",
                2..=100,
                "Name of the member or parts of it, such as `Pelosi`, in any case",
            ),
            limit: arguments.integer("limit", 1..=100, 20, "Entries in the answer"),
        }
    }
}

/// Trades, the newest disclosure first.
#[derive(Serialize, ToSchema)]
pub(crate) struct TradesBody {
    /// The trades, newest first.
    trades: Vec<CongressTradeBody>,
    /// Why figures are missing, stale or from another source; absent where nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A disclosed trade.
#[derive(Serialize, ToSchema)]
#[schema(as = CongressTrade)]
pub(crate) struct CongressTradeBody {
    /// Name of the member of Congress.
    member: String,
    /// `Democrat`, `Republican`, `Independent`; null where nobody of that name sits there now.
    #[schema(required)]
    party: Option<String>,
    /// `house` or `senate`.
    chamber: &'static str,
    /// Null for bonds, funds without a symbol and where it is unknown.
    #[schema(required)]
    symbol: Option<String>,
    /// `buy`, `sell`, `sell_partial`, `sell_full`, `exchange` or `receive`.
    transaction_type: String,
    /// As disclosed, such as `$1,001 - $15,000`.
    amount_range: String,
    /// YYYY-MM-DD.
    disclosure_date: String,
    /// What was traded, as disclosed.
    asset: String,
    /// When it was done, YYYY-MM-DD; null where the disclosure names an impossible day.
    #[schema(required)]
    transaction_date: Option<String>,
    /// `self`, `spouse`, `joint`, `dependent`; null where it is not said.
    #[schema(required)]
    owner: Option<String>,
    /// Address of the disclosure; null where none is known.
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

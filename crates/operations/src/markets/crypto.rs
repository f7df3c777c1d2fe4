//! `/crypto`: the coin market as a whole, individual coins, and the value locked in decentralised finance.

pub(crate) mod coin;
pub(crate) mod defi;

use analysis::market::{Coin, Coins, DataIssue};
use serde::Serialize;
use utoipa::ToSchema;

use crate::counted::counted;
use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::money::formatted_usd;
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// The coin market as a whole.
#[derive(Serialize, ToSchema)]
pub(crate) struct CryptoBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Total market value, such as `$2.31T`; absent if no market value is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    total_market_cap_formatted: Option<String>,
    /// Total 24-hour volume; absent if no volume is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    total_volume_formatted: Option<String>,
    /// Bitcoin's share of total market value, in percent.
    #[schema(required)]
    btc_dominance: Option<f64>,
    /// Ether's share of total market value, in percent.
    #[schema(required)]
    eth_dominance: Option<f64>,
    /// Number of coins.
    #[schema(required)]
    active_cryptocurrencies: Option<u64>,
    /// 24-hour change in market value, in percent.
    #[schema(required)]
    market_cap_change_24h: Option<f64>,
    /// Total market value in USD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    total_market_cap: Option<f64>,
    /// Total volume in USD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    total_volume: Option<f64>,
    /// Time at which these figures were reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    updated_at: Option<String>,
    /// Source that reported the figures; absent if they were summed over the coins known here.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    source: Option<String>,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// `GET /crypto`.
pub(crate) struct Overview;

impl Operation for Overview {
    type Input = ();
    type Output = CryptoBody;

    const ABOUT: About = About {
        name: "show_crypto_market",
        address: Address::get("/api/v1/crypto"),
        subject: "markets",
        summary: "Shows the total market value of all coins.",
        description: "The value is the one last reported by a provider. If no provider reports it, or if the report is older than most of what its total counts, the value is the sum over the coins of `/crypto/top`; `data_status` says so and names them. A market value is the latest price times the coins in circulation; total, shares and change refer to the same time.",
        answer: "All coins together",
        ..About::READS
    };

    async fn run(context: Context, (): ()) -> Result<CryptoBody> {
        let when = context.when();
        let (totals, issues) = context.crypto.totals(when).await?;
        Ok(CryptoBody {
            status: "ok",
            total_market_cap_formatted: totals.total_market_cap.map(formatted_usd),
            total_volume_formatted: totals.total_volume.map(formatted_usd),
            btc_dominance: totals.btc_dominance,
            eth_dominance: totals.eth_dominance,
            active_cryptocurrencies: totals.active_cryptocurrencies,
            market_cap_change_24h: totals.market_cap_change_24h,
            total_market_cap: totals.total_market_cap,
            total_volume: totals.total_volume,
            updated_at: totals.at.map(|at| at.to_string()),
            source: totals.source,
            data_status: written(issues),
        })
    }
}

/// How many coins to list.
pub(crate) struct TopQuery {
    limit: usize,
}

impl Parameters for TopQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            limit: arguments.integer("limit", 1..=50, 20, "Maximum number of entries") as usize,
        }
    }
}

/// The largest coins.
#[derive(Serialize, ToSchema)]
pub(crate) struct TopBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The coins, highest market value first.
    tokens: Vec<TokenBody>,
    /// Number of tracked coins with a market value.
    total: usize,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A coin in the list.
#[derive(Serialize, ToSchema)]
#[schema(as = Token)]
pub(crate) struct TokenBody {
    /// Symbol of the coin.
    symbol: String,
    /// Name of the coin.
    name: String,
    /// Price in USD; null if only the market value is known.
    #[schema(required)]
    price: Option<f64>,
    /// Market value, such as `$1.23T`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    market_cap_formatted: Option<String>,
    /// 24-hour change, in percent; null if no earlier value is known.
    #[schema(required)]
    change_24h: Option<f64>,
    /// Seven-day change, in percent; null if no earlier value is known.
    #[schema(required)]
    change_7d: Option<f64>,
    /// Rank by market value, as reported by a provider, or among the coins known here if no provider reports it.
    #[schema(required)]
    market_cap_rank: Option<u32>,
    /// Market value in USD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    market_cap: Option<f64>,
    /// Timestamp of the price.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    updated_at: Option<String>,
}

impl From<&Coin> for TokenBody {
    fn from(coin: &Coin) -> Self {
        Self {
            symbol: coin.symbol.to_string(),
            name: coin.name.clone(),
            price: coin.price,
            market_cap_formatted: coin.market_cap.map(formatted_usd),
            change_24h: coin.change_24h,
            change_7d: coin.change_7d,
            market_cap_rank: coin.market_cap_rank,
            market_cap: coin.market_cap,
            updated_at: coin.price_at.map(|at| at.to_string()),
        }
    }
}

/// `GET /crypto/top`.
pub(crate) struct Top;

impl Operation for Top {
    type Input = TopQuery;
    type Output = TopBody;

    const ABOUT: About = About {
        name: "list_top_coins",
        address: Address::get("/api/v1/crypto/top"),
        subject: "markets",
        summary: "Lists the largest coins by market value.",
        description: "All rows refer to the same time: the latest day for which at least ten coins have a market value. Coins whose value is more than three days away from it are excluded, because the values cannot be compared.",
        answer: "The coins",
        example: r#"{"limit": 10}"#,
        ..About::READS
    };

    async fn run(context: Context, asked: TopQuery) -> Result<TopBody> {
        let when = context.when();
        let coins = context.crypto.coins(when).await?;
        let ranked = coins.ranked();
        let mut issues: Vec<DataIssue> = coins.staleness("tokens", when).into_iter().collect();
        if ranked.is_empty() {
            let reason = "no market value is available for any coin";
            issues.push(DataIssue::absent("tokens", reason));
        }
        if ranked.iter().any(|coin| coin.is_rank_among_known) {
            issues.push(rank_issue(&coins));
        }
        match coins.outdated() {
            0 => {}
            outdated => issues.push(DataIssue::absent(
                "tokens",
                format!(
                    "left out because their market value is of another time than those that are compared: {}",
                    counted(outdated, "other coin", "other coins")
                ),
            )),
        }
        Ok(TopBody {
            status: "ok",
            tokens: ranked
                .iter()
                .take(asked.limit)
                .map(TokenBody::from)
                .collect(),
            total: ranked.len(),
            data_status: written(issues),
        })
    }
}

/// States that ranks are among the coins known here.
fn rank_issue(coins: &Coins) -> DataIssue {
    let time = coins.at().map_or(String::new(), |at| format!(" at {at}"));
    DataIssue::absent(
        "market_cap_rank",
        format!(
            "no provider reports ranks of all these coins for that time; these are the places among the {} with a known market value{time}",
            counted(coins.ranked().len(), "coin", "coins")
        ),
    )
}

//! `/crypto/defi`: total value locked in decentralised finance.

use analysis::market::ProtocolHistory;
use model::{Chain, Observation, Protocol};
use serde::Serialize;
use utoipa::ToSchema;

use crate::data_status::{DataStatusBody, written};
use crate::error::{Error, Result};
use crate::money::formatted_usd;
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// Number of protocols and chains listed.
const LISTED: usize = 20;

/// Overview of decentralised finance. All amounts are in USD.
#[derive(Serialize, ToSchema)]
pub(crate) struct DefiBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Total value locked across all chains, or across all protocols if no chain is known, such as `$98.7B`; absent if
    /// unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    total_tvl_formatted: Option<String>,
    /// The largest protocols, at most 20, largest first; centralised exchanges are excluded.
    top_protocols: Vec<ProtocolBody>,
    /// The largest chains, at most 20, largest first.
    chains: Vec<ChainBody>,
    /// Total value locked in USD.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    total_tvl: Option<f64>,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A protocol in the list.
#[derive(Serialize, ToSchema)]
#[schema(as = Protocol)]
pub(crate) struct ProtocolBody {
    /// Name of the protocol.
    name: String,
    /// Total value locked, such as `$1.2B`.
    tvl_formatted: String,
    /// Category, such as `Lending`.
    category: String,
    /// One-day change, in percent; null if unknown.
    #[schema(required)]
    change_1d: Option<f64>,
    /// Identifier of the protocol in `/crypto/defi/{protocol}`.
    slug: String,
    /// Total value locked in USD.
    tvl: f64,
}

impl From<&Protocol> for ProtocolBody {
    fn from(protocol: &Protocol) -> Self {
        Self {
            name: protocol.name.clone(),
            tvl_formatted: formatted_usd(protocol.tvl),
            category: protocol.category.clone(),
            change_1d: protocol.change_1d,
            slug: protocol.slug.clone(),
            tvl: protocol.tvl,
        }
    }
}

/// A chain.
#[derive(Serialize, ToSchema)]
#[schema(as = Chain)]
pub(crate) struct ChainBody {
    /// Name of the chain.
    name: String,
    /// Total value locked, such as `$1.2B`.
    tvl_formatted: String,
    /// Total value locked in USD.
    tvl: f64,
}

impl From<&Chain> for ChainBody {
    fn from(chain: &Chain) -> Self {
        Self {
            name: chain.name.clone(),
            tvl_formatted: formatted_usd(chain.tvl),
            tvl: chain.tvl,
        }
    }
}

/// `GET /crypto/defi`.
pub(crate) struct Overview;

impl Operation for Overview {
    type Input = ();
    type Output = DefiBody;

    const ROWS: Option<&'static str> = Some("top_protocols");
    const ABOUT: About = About {
        name: "show_defi_market",
        address: Address::get("/api/v1/crypto/defi"),
        subject: "markets",
        summary: "Shows the total value locked in decentralised finance (DeFi).",
        answer: "Protocols and chains",
        ..About::READS
    };

    async fn run(context: Context, (): ()) -> Result<DefiBody> {
        let when = context.when();
        let found = context.crypto.defi(when).await?;
        let protocols = found.protocols.iter().take(LISTED);
        let chains = found.chains.iter().take(LISTED);
        Ok(DefiBody {
            status: "ok",
            total_tvl_formatted: found.total_tvl.map(formatted_usd),
            top_protocols: protocols.map(ProtocolBody::from).collect(),
            chains: chains.map(ChainBody::from).collect(),
            total_tvl: found.total_tvl,
            data_status: written(found.issues),
        })
    }
}

/// A single protocol. All amounts are in USD.
#[derive(Serialize, ToSchema)]
pub(crate) struct OneProtocolBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Identifier of the protocol, such as `aave-v3`.
    slug: String,
    /// Name of the protocol.
    name: String,
    /// Category, such as `Lending`.
    category: String,
    /// Total value locked in USD.
    tvl: f64,
    /// Total value locked, such as `$1.2B`.
    tvl_formatted: String,
    /// One-day change, in percent; null if unknown.
    #[schema(required)]
    change_1d: Option<f64>,
    /// Seven-day change, in percent; null if unknown.
    #[schema(required)]
    change_7d: Option<f64>,
    /// Chains on which the protocol runs.
    chains: Vec<String>,
    /// History of the total value locked, oldest first.
    tvl_history: Vec<TvlBody>,
    /// Time at which the value was reported.
    updated_at: String,
    /// Source of the figure.
    source: String,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// Total value locked on one day.
#[derive(Serialize, ToSchema)]
#[schema(as = TvlPoint)]
pub(crate) struct TvlBody {
    /// Date, YYYY-MM-DD.
    date: String,
    /// Total value locked in USD.
    tvl: f64,
}

impl From<Observation> for TvlBody {
    fn from(observation: Observation) -> Self {
        Self {
            date: observation.day.to_string(),
            tvl: observation.value,
        }
    }
}

/// The request parameters.
pub(crate) struct ByProtocol {
    protocol: String,
}

impl Parameters for ByProtocol {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            protocol: arguments.path(
                "protocol",
                "Slug or name, in upper or lower case, such as `aave-v3`",
            ),
        }
    }
}

/// `GET /crypto/defi/{protocol}`.
pub(crate) struct Show;

impl Operation for Show {
    type Input = ByProtocol;
    type Output = OneProtocolBody;

    const ABOUT: About = About {
        name: "show_defi_protocol",
        address: Address::get("/api/v1/crypto/defi/{protocol}"),
        subject: "markets",
        summary: "Shows the value locked in one protocol and its history.",
        answer: "The protocol",
        missing: Some("Unknown protocol, with suggestions"),
        example: r#"{"protocol": "aave"}"#,
        ..About::READS
    };

    async fn run(context: Context, input: ByProtocol) -> Result<OneProtocolBody> {
        let ByProtocol { protocol } = input;
        let when = context.when();
        let unknown = |unknown| Error::UnknownName("protocol", unknown);
        let found = context.crypto.protocol(&protocol, when).await?;
        let ProtocolHistory {
            protocol,
            history,
            issues,
        } = found.map_err(unknown)?;
        Ok(OneProtocolBody {
            status: "ok",
            slug: protocol.slug,
            name: protocol.name,
            category: protocol.category,
            tvl: protocol.tvl,
            tvl_formatted: formatted_usd(protocol.tvl),
            change_1d: protocol.change_1d,
            change_7d: protocol.change_7d,
            chains: protocol.chains,
            tvl_history: history.into_iter().map(TvlBody::from).collect(),
            updated_at: protocol.at.to_string(),
            source: protocol.source,
            data_status: written(issues),
        })
    }
}

//! Configuration: built-in defaults, then `assay.toml` in the data directory or the file of `--config`, then `ASSAY_*`
//! variables (`ASSAY_SERVER__LISTEN`, two underscores between levels).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use figment::Figment;
use figment::providers::{Env, Format, Toml};
use model::{FeedSource, MicroUsd, Outlet, Plan, SecretUrl};
use serde::{Deserialize, Serialize};

/// The commented defaults; `assay config --defaults` prints them.
pub(crate) const DEFAULTS: &str = include_str!("../assay.default.toml");

/// Everything that can be configured.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Config {
    pub(crate) server: Server,
    pub(crate) store: Store,
    pub(crate) network: Network,
    pub(crate) ingest: Ingest,
    pub(crate) extraction: Extraction,
    pub(crate) web_search: WebSearch,
    pub(crate) chat: Chat,
    pub(crate) demo: Demo,
    pub(crate) reports: Reports,
    pub(crate) log: Log,
    pub(crate) plans: BTreeMap<Plan, PlanFigures>,
    #[serde(default)]
    pub(crate) outlets: Vec<Outlet>,
    /// The operator's feeds; they are added to the starter list.
    #[serde(default)]
    pub(crate) feeds: Vec<FeedSource>,
}

/// How the service listens.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Server {
    pub(crate) listen: String,
    pub(crate) registration: Switch,
    pub(crate) anonymous: Switch,
    pub(crate) hosts: Vec<String>,
    /// Empty means the address it listens on.
    pub(crate) public_url: String,
    pub(crate) cors_origins: CorsOrigins,
    pub(crate) trusted_proxies: Vec<String>,
    pub(crate) metrics: Metrics,
    pub(crate) metrics_token: Secret,
    pub(crate) body_limit_bytes: usize,
    pub(crate) request_timeout_seconds: u64,
    pub(crate) shutdown_seconds: u64,
    pub(crate) connections: usize,
    pub(crate) connections_per_address: usize,
    pub(crate) stalled_seconds: u64,
    pub(crate) streams_per_account: usize,
    pub(crate) streams_per_address: usize,
    pub(crate) failed_credentials_per_minute: u32,
}

/// What is on in the demo world and off with real data, unless the operator decides otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Switch {
    /// On in the demo world, off otherwise.
    Auto,
    On,
    Off,
}

/// The origins whose pages may read responses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum CorsOrigins {
    /// `auto` or `*`.
    Word(String),
    /// Such as `https://app.example.org`.
    List(Vec<String>),
}

/// A word that must never be shown.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub(crate) struct Secret(String);

impl Secret {
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }

    const fn masked(&self) -> &'static str {
        if self.0.is_empty() { "" } else { "***" }
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Secret({:?})", self.masked())
    }
}

impl Serialize for Secret {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.masked())
    }
}

/// Who may read `/metrics`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Metrics {
    Loopback,
    Everyone,
}

/// Reports on tickers.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reports {
    /// Symbols with free quick reports that are kept fresh.
    pub(crate) cached: Vec<String>,
}

/// Where rows are stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Store {
    /// `postgres://…`; empty means SQLite in the data directory.
    pub(crate) url: SecretUrl,
    /// How many days news is kept; 0 keeps everything.
    pub(crate) keep_days: u32,
}

/// How requests leave the server.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Network {
    pub(crate) contact: String,
    pub(crate) allow: Vec<String>,
}

/// Reading the news.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ingest {
    pub(crate) poll_minutes: u64,
    pub(crate) starter_feeds: bool,
    pub(crate) full_text: bool,
}

/// Reading pages from other sites.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Extraction {
    pub(crate) workers: usize,
    pub(crate) pages_per_account: usize,
    pub(crate) page_seconds: u64,
    pub(crate) memory_mb: u64,
}

/// Searching the live web.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WebSearch {
    pub(crate) searxng: SecretUrl,
    pub(crate) wikipedia: bool,
    pub(crate) brave_key: Secret,
    pub(crate) tavily_key: Secret,
    pub(crate) exa_key: Secret,
    pub(crate) serper_key: Secret,
    pub(crate) searches_per_minute: u32,
}

/// A language model that can add prose.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Chat {
    pub(crate) base_url: SecretUrl,
    pub(crate) api_key: Secret,
    pub(crate) model: String,
    pub(crate) seconds: u64,
    pub(crate) silence_seconds: u64,
    pub(crate) at_once: usize,
    pub(crate) tokens_per_day: u64,
    pub(crate) usd_per_day: f64,
    pub(crate) usd_per_million_input: f64,
    pub(crate) usd_per_million_output: f64,
}

/// The simulated world.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Demo {
    pub(crate) seed: u64,
    pub(crate) days: u32,
}

/// Logs.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Log {
    pub(crate) filter: String,
    pub(crate) format: LogFormat,
}

/// The format of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LogFormat {
    Text,
    Json,
}

/// What a plan includes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlanFigures {
    pub(crate) price_usd: f64,
    pub(crate) requests_per_minute: u32,
    pub(crate) credits_per_month: u64,
    /// Price of a credit beyond the included ones; absent if none can be bought.
    #[serde(default)]
    pub(crate) overage_usd_per_credit: Option<f64>,
    /// Default cap on spending beyond the base fee.
    #[serde(default)]
    pub(crate) spending_cap_usd: Option<f64>,
    #[serde(default)]
    pub(crate) unlimited: bool,
}

impl Config {
    /// Reads the configuration that applies to a data directory.
    pub(crate) fn load(file: Option<&Path>, data: &Path) -> anyhow::Result<Self> {
        let mut figment = Figment::from(Toml::string(DEFAULTS));
        let beside: PathBuf = data.join("assay.toml");
        match file {
            Some(file) => {
                anyhow::ensure!(
                    file.is_file(),
                    "configuration file {} does not exist",
                    file.display()
                );
                figment = figment.merge(Toml::file_exact(file));
            }
            None if beside.is_file() => figment = figment.merge(Toml::file_exact(&beside)),
            None => {}
        }
        let variables = Env::prefixed("ASSAY_")
            .split("__")
            .filter(|key| key.as_str().contains('.') || key.as_str().contains("__"));
        let config: Self = figment
            .merge(variables)
            .extract()
            .context("configuration cannot be read")?;
        if config.store.keep_days > 0 {
            crate::pruning::check(config.store.keep_days).context("store.keep_days")?;
        }
        for plan in Plan::ALL {
            anyhow::ensure!(
                config.plans.contains_key(&plan),
                "configuration lacks [plans.{plan}]"
            );
        }
        for feed in &config.feeds {
            for name in &feed.speaks_for {
                anyhow::ensure!(
                    text::address::domain_of_name(name).is_some(),
                    "feed {}: speaks_for takes domains such as \"paper.example\", not {name:?}",
                    feed.name
                );
            }
        }
        Ok(config)
    }
}

impl PlanFigures {
    /// The figures in the units the API counts in.
    pub(crate) fn terms(&self) -> anyhow::Result<operations::PlanTerms> {
        let money = |usd: f64| {
            MicroUsd::from_usd(usd).with_context(|| format!("{usd} is not an amount in USD"))
        };
        Ok(operations::PlanTerms {
            price: money(self.price_usd)?,
            requests_per_minute: self.requests_per_minute,
            credits: (!self.unlimited).then_some(self.credits_per_month),
            overage: self.overage_usd_per_credit.map(money).transpose()?,
            default_cap: money(self.spending_cap_usd.unwrap_or(0.0))?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_complete() {
        let config = Config::load(None, Path::new("nowhere")).unwrap();
        assert_eq!(config.server.listen, "127.0.0.1:8080");
        assert_eq!(config.plans[&Plan::Builder].credits_per_month, 5_000);
        assert_eq!(config.plans[&Plan::Scale].requests_per_minute, 1_200);
    }

    #[test]
    fn what_is_shown_bears_no_secret() {
        let text = r#"
            [store]
            url = "postgres://user:hushhush@db.example/assay?password=hushhush"
            [server]
            metrics_token = "hushhush"
            [web_search]
            searxng = "http://searx.example/?token=hushhush"
            brave_key = "hushhush"
            tavily_key = "hushhush"
            exa_key = "hushhush"
            serper_key = "hushhush"
            [chat]
            base_url = "http://models.example/v1?token=hushhush"
            api_key = "hushhush"
            [[feeds]]
            url = "https://user:hushhush@feeds.example/rss?token=hushhush"
            name = "Private"
        "#;
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("assay.toml"), text).unwrap();
        let config = Config::load(None, directory.path()).unwrap();
        assert!(config.store.url.expose().contains("hushhush"));
        assert_eq!(config.server.metrics_token.expose(), "hushhush");
        assert_eq!(config.web_search.serper_key.expose(), "hushhush");
        for shown in [
            serde_json::to_string_pretty(&config).unwrap(),
            toml::to_string_pretty(&config).unwrap(),
            format!("{config:?}"),
        ] {
            assert!(!shown.contains("hushhush"), "{shown}");
            assert!(shown.contains("feeds.example") && shown.contains("db.example"));
        }
    }
}

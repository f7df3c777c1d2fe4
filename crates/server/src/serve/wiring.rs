//! The parts of a server, as its configuration and data directory require.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use model::{DataMode, OutletTable, Timestamp};
use providers::callbacks::{Callbacks, Reach};
use providers::{Transport, TransportSettings};
use search::Index;
use store::Store;

use crate::config::Config;
use crate::data::DataDirectory;
use crate::exposure::Exposure;

/// The index of a data directory. One that cannot be read, or that belongs to another store, is rebuilt by following
/// from the start. One from a different history of this store is served until the follower has replaced it.
pub(crate) async fn open_index(data: &DataDirectory, store: &Store) -> anyhow::Result<Index> {
    let path = data.index_path();
    let reason = match Index::open(&path) {
        Ok(index) => match ingest::find_divergence(store, &index).await? {
            Some(divergence @ ingest::Divergence::OtherStore) => divergence.to_string(),
            Some(_) | None => return Ok(index),
        },
        Err(search::Error::Rebuild { reason, .. }) => reason.to_owned(),
        Err(other) => return Err(other.into()),
    };
    tracing::warn!("rebuilding the search index: {reason}");
    std::fs::remove_dir_all(&path).context("unusable search index cannot be removed")?;
    Ok(Index::open(&path)?)
}

/// The outlets for real data: the built-in table and the operator's rows.
pub(crate) fn outlet_table(config: &Config) -> Arc<OutletTable> {
    Arc::new(OutletTable::new(
        providers::outlets()
            .into_iter()
            .chain(config.outlets.iter().cloned()),
    ))
}

/// How to reach addresses that callers name.
pub(super) fn callbacks(may_be_private: bool, transport: &Transport) -> anyhow::Result<Callbacks> {
    let reach = if may_be_private {
        tracing::warn!(
            "callbacks may go to private addresses (--allow-private-callbacks): whoever has a key can reach this network"
        );
        Reach::Private
    } else {
        Reach::Public
    };
    Ok(Callbacks::new(transport.settings(), reach)?)
}

/// How requests leave the server, as configured.
pub(crate) fn transport(config: &Config, contact: Option<String>) -> anyhow::Result<Transport> {
    let settings = TransportSettings {
        contact: contact
            .or_else(|| Some(config.network.contact.clone()))
            .filter(|contact| !contact.is_empty()),
        allow: providers::guard::Allow::parse(&config.network.allow)?,
        ..TransportSettings::default()
    };
    Ok(Transport::new(settings)?)
}

/// The part of the configuration passed to operations and their interface.
pub(crate) fn settings(
    data: &DataDirectory,
    mode: DataMode,
    local: SocketAddr,
    as_of: Option<Timestamp>,
) -> anyhow::Result<api::Settings> {
    let config = &data.config;
    let mut plans = operations::Plans::default();
    for (plan, figures) in &config.plans {
        plans.set(*plan, figures.terms()?);
    }
    plans.set_demo(config.plans[&model::Plan::Free].terms()?);
    let exposure = Exposure::new(&config.server, mode, local)?;
    if let Some(warning) = exposure.warning() {
        tracing::warn!("{warning}");
    }
    Ok(api::Settings {
        service: operations::Settings {
            as_of,
            plans,
            registration: config.server.registration.holds(mode),
            pages_per_account: config.extraction.pages_per_account,
            web_searches_per_minute: config.web_search.searches_per_minute,
            anonymous: exposure.anonymous,
            failed_credentials_per_minute: config.server.failed_credentials_per_minute,
            request_timeout: Duration::from_secs(config.server.request_timeout_seconds),
            journal: Some(data.journal_path()),
            public_url: Some(public_url(&config.server, local)),
            cached_reports: config.reports.cached.clone(),
            ..operations::Settings::default()
        },
        version: env!("CARGO_PKG_VERSION").to_owned(),
        trusted_proxies: networks(&config.server.trusted_proxies)?,
        metrics: exposure.metrics,
        hosts: exposure.hosts,
        origins: exposure.origins,
        body_limit: config.server.body_limit_bytes,
        streams_per_account: config.server.streams_per_account,
        streams_per_address: config.server.streams_per_address,
        ..api::Settings::default()
    })
}

/// Where others reach this server: as configured, or else where it listens.
fn public_url(server: &crate::config::Server, local: SocketAddr) -> String {
    let configured = server.public_url.trim().trim_end_matches('/');
    if !configured.is_empty() {
        return configured.to_owned();
    }
    if local.ip().is_unspecified() {
        return format!("http://localhost:{}", local.port());
    }
    format!("http://{local}")
}

/// Addresses and networks as the configuration lists them.
pub(super) fn networks(entries: &[String]) -> anyhow::Result<Vec<ipnet::IpNet>> {
    entries
        .iter()
        .map(|entry| {
            let network = entry.parse().or_else(|_| {
                entry
                    .parse()
                    .map(|address: std::net::IpAddr| address.into())
            });
            network.with_context(|| {
                format!("server.trusted_proxies: {entry:?} is neither an address nor a network")
            })
        })
        .collect()
}

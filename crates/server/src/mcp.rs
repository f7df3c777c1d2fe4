//! `assay mcp`: the tools over standard input and output, for a client that starts this program itself.
//!
//! With `--url`, another Assay answers. Without it, this process opens the data directory as `assay serve` does, but
//! neither listens on a port nor ingests anything. Standard output belongs to the protocol; the log goes to standard
//! error.

use std::sync::Arc;

use anyhow::Context;
use clap::Args;
use mcp::{Backend, CallerSource, Embedded, Remote, Server};
use tokio_util::sync::CancellationToken;

use crate::commands::Place;
use crate::opened::{Opened, OpenedFor};

#[derive(Debug, Args)]
pub(crate) struct McpOptions {
    /// Ask the Assay at this address instead of opening a data directory
    #[arg(long, value_name = "URL", env = "ASSAY_URL")]
    url: Option<String>,
    /// API key to call with; without one, what the demo key may
    #[arg(
        long,
        value_name = "KEY",
        env = "ASSAY_API_KEY",
        hide_env_values = true
    )]
    key: Option<String>,
}

pub(crate) async fn mcp(place: &Place, options: McpOptions) -> anyhow::Result<()> {
    let url = options.url.filter(|url| !url.trim().is_empty());
    let key = options.key.filter(|key| !key.trim().is_empty());
    match url {
        Some(url) => {
            crate::process::init_log(&place.either()?.config)?;
            let backend = Backend::Remote(Remote::new(url.trim(), key.as_deref())?);
            let cancel = CancellationToken::new();
            Ok(mcp::stdio(Server::new(backend, &agents::registry()), cancel).await?)
        }
        None => Box::pin(embedded(place, key)).await,
    }
}

async fn embedded(place: &Place, key: Option<String>) -> anyhow::Result<()> {
    let data = place.either()?;
    crate::process::init_log(&data.config)?;
    let whom = match key {
        Some(_) => OpenedFor::Member,
        None => OpenedFor::Owner,
    };
    let opened = Opened::open(data, whom).await.context(
        "the data directory cannot be opened here; where a server runs on it, use `assay mcp --url http://…`",
    )?;
    let services = opened.services().clone();
    // The first call may come immediately; prices are in memory by then.
    services.market.refresh().await?;
    let caller = match key {
        // Rejected now rather than on every call.
        Some(key) => {
            let here = operations::ClientAddress::new(std::net::Ipv4Addr::LOCALHOST.into());
            let now = services.clock.now();
            let found = services.access.find_member(key.trim(), here, now).await;
            found.context("ASSAY_API_KEY")?;
            CallerSource::Credential(key.trim().into())
        }
        None => CallerSource::Anonymous,
    };
    let registry = agents::registry();
    let backend = Backend::Embedded(Embedded {
        services,
        registry: Arc::clone(&registry),
        caller,
    });
    let server = Server::new(backend, &registry);
    let cancel = CancellationToken::new();
    let ended = tokio::select! {
        ended = mcp::stdio(server, cancel.clone()) => ended,
        () = crate::process::wait_for_signal() => {
            cancel.cancel();
            Ok(())
        }
    };
    opened.close().await;
    Ok(ended?)
}

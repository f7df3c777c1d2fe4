//! The API of a data directory for the duration of one command: on a loopback port chosen by the system, in this
//! process.
//!
//! It answers from the contents of the directory; nothing is ingested. Whoever starts it may read everything
//! ([`OpenedFor::Owner`]), so every request must carry a pass that only this process knows: others on this machine
//! could find the port.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use rand::distr::{Alphanumeric, SampleString};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::data::DataDirectory;
use crate::opened::{Opened, OpenedFor};

/// How often the search index is checked while it catches up.
const PAUSE: Duration = Duration::from_millis(10);
/// How long that may take: an index that has to be rebuilt takes minutes.
const MOST_WAIT: Duration = Duration::from_mins(10);

/// An API that is running.
pub(crate) struct Embedded {
    opened: Opened,
    address: String,
    pass: String,
    cancel: CancellationToken,
    serving: JoinHandle<()>,
}

impl Embedded {
    /// Serves a data directory as soon as it is ready to answer.
    pub(crate) async fn start(data: DataDirectory, whom: OpenedFor) -> anyhow::Result<Self> {
        let mut config = data.config.clone();
        // Next to a command's answer, only failures matter.
        "error".clone_into(&mut config.log.filter);
        crate::process::init_log(&config)?;
        let listener = TcpListener::bind("127.0.0.1:0")
            .await
            .context("cannot listen on a port of this machine")?;
        let address = format!("http://{}", listener.local_addr()?);
        let opened = Opened::open(data, whom).await?;
        catch_up(opened.state()).await?;
        let pass = Alphanumeric.sample_string(&mut rand::rng(), 32);
        let cancel = CancellationToken::new();
        let router = api::router(opened.state().clone())
            .layer(from_fn_with_state(Arc::<str>::from(pass.as_str()), check));
        let serving = tokio::spawn(api::serve(
            listener,
            router,
            api::Connections::default(),
            cancel.clone(),
        ));
        Ok(Self {
            opened,
            address,
            pass,
            cancel,
            serving,
        })
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// What a request must carry.
    pub(crate) fn pass(&self) -> &str {
        &self.pass
    }

    /// Stops it: charges are in the ledger afterwards.
    pub(crate) async fn stop(self) {
        self.cancel.cancel();
        // How it ends no longer matters once the answer is printed.
        let _ = self.serving.await;
        self.opened.close().await;
    }
}

/// Waits until prices are in memory and the search index has everything that is in the store.
pub(crate) async fn catch_up(state: &api::AppState) -> anyhow::Result<()> {
    state.market.refresh().await?;
    let head = state.store.outbox().head().await?;
    let ends = tokio::time::Instant::now() + MOST_WAIT;
    while state.index.position() < head {
        if tokio::time::Instant::now() > ends {
            bail!("the search index does not follow the store; `assay reindex` builds it again");
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(())
}

/// Rejects anyone who does not know the pass.
async fn check(State(pass): State<Arc<str>>, request: Request, next: Next) -> Response {
    let shown = request.headers().get(client::PASS_HEADER);
    let is_right = shown.is_some_and(|shown| {
        // Digests take the same time to compare, however much of them matches.
        shown
            .to_str()
            .is_ok_and(|shown| operations::digest(shown) == operations::digest(&pass))
    });
    if is_right {
        next.run(request).await
    } else {
        StatusCode::FORBIDDEN.into_response()
    }
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::routing::get;

    use super::*;

    #[tokio::test]
    async fn only_who_knows_the_pass_is_answered() {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/", listener.local_addr().unwrap());
        let router = Router::new()
            .route("/", get(async || "rows"))
            .layer(from_fn_with_state(Arc::<str>::from("right"), check));
        let cancel = CancellationToken::new();
        let serving = tokio::spawn(api::serve(
            listener,
            router,
            api::Connections::default(),
            cancel.clone(),
        ));
        let asker = reqwest::Client::builder().no_proxy().build().unwrap();
        for (pass, expected) in [(None, 403), (Some("wrong"), 403), (Some("right"), 200)] {
            let mut request = asker.get(&address);
            if let Some(pass) = pass {
                request = request.header(client::PASS_HEADER, pass);
            }
            let status = request.send().await.unwrap().status().as_u16();
            assert_eq!(status, expected, "{pass:?}");
        }
        drop(asker);
        cancel.cancel();
        serving.await.unwrap();
    }
}

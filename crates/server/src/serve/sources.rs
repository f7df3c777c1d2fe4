//! Where articles and prices come from while a server runs: the simulated world or feeds.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use anyhow::ensure;
use extraction::Extraction;
use ingest::Publisher;
use ingest::poll::{Poller, Polling};
use model::{FeedSource, OutletTable, SecretUrl};
use providers::Transport;
use store::Store;
use tokio_util::sync::CancellationToken;

use super::ServeOptions;
use super::wiring::{outlet_table, transport};
use crate::clock::now;
use crate::config::Config;
use crate::data::DataDirectory;
use crate::supervisor::{Promise, Supervisor};
use crate::{demo, web_search};

/// Where articles come from while the server runs.
pub(super) struct Sources<'a> {
    pub(super) data: &'a DataDirectory,
    pub(super) store: &'a Store,
    pub(super) options: &'a ServeOptions,
    pub(super) transport: &'a Arc<Transport>,
    pub(super) extraction: &'a Extraction,
    /// The simulated world has just been created.
    pub(super) is_new_world: bool,
}

impl Sources<'_> {
    /// Starts the sources. True if a newcomer should be shown how to begin.
    pub(super) async fn start(
        &self,
        supervisor: &mut Supervisor,
        cancel: &CancellationToken,
    ) -> anyhow::Result<bool> {
        if self.options.as_of.is_some() {
            return Ok(false);
        }
        if self.options.demo {
            let outlets = demo::outlet_table(&self.data.config.outlets);
            let publisher = publisher(supervisor, cancel, self.store, outlets);
            let settings = self.data.config.demo.clone();
            let market = demo::DemoMarket::open(self.store.clone(), &settings).await?;
            if !self.is_new_world {
                demo::catch_up(self.store, &publisher, &market, &settings).await?;
            }
            let newswire = market.newswire();
            let optional = Promise::OPTIONAL.beating_within(300);
            supervisor.start("demo_market", optional, cancel, move |cancel| {
                let market = market.clone();
                async move {
                    market.run(cancel).await;
                    Ok(())
                }
            });
            let store = self.store.clone();
            supervisor.start("demo_newswire", optional, cancel, move |cancel| {
                let (store, publisher) = (store.clone(), publisher.clone());
                let (newswire, settings) = (newswire.clone(), settings.clone());
                async move {
                    demo::run(store, publisher, newswire, settings, cancel).await;
                    Ok(())
                }
            });
            return Ok(true);
        }
        if self.options.live {
            let contact = self
                .options
                .contact
                .clone()
                .unwrap_or_else(|| self.data.config.network.contact.clone());
            ensure!(
                !contact.trim().is_empty(),
                "--live needs --contact EMAIL (or network.contact): publishers want to know who reads them"
            );
            let outlets = outlet_table(&self.data.config);
            let publisher = publisher(supervisor, cancel, self.store, outlets);
            let polling = Polling {
                feeds: feeds(&self.data.config),
                every_minutes: self.data.config.ingest.poll_minutes,
                full_text: self.data.config.ingest.full_text,
                now: Arc::new(now),
            };
            tracing::info!("polling {} feeds", polling.feeds.len());
            let poller = Poller::new(
                self.store.clone(),
                publisher,
                Arc::clone(self.transport),
                self.extraction.clone(),
                polling,
            );
            let essential = Promise::ESSENTIAL.beating_within(600);
            supervisor.start("poller", essential, cancel, move |cancel| {
                let poller = poller.clone();
                async move {
                    poller.run(cancel).await;
                    Ok(())
                }
            });
        }
        Ok(false)
    }
}

/// A publisher with a supervised worker.
fn publisher(
    supervisor: &mut Supervisor,
    cancel: &CancellationToken,
    store: &Store,
    outlets: Arc<OutletTable>,
) -> Publisher {
    let (publisher, worker) = Publisher::new(store.clone(), outlets);
    let worker = Arc::new(worker);
    // It waits for articles, which may take hours, so no beat is expected.
    supervisor.start("publisher", Promise::ESSENTIAL, cancel, move |cancel| {
        let worker = Arc::clone(&worker);
        async move { Ok(worker.run(cancel).await?) }
    });
    publisher
}

/// The feeds to poll: the operator's, and the starter list if it is wanted.
fn feeds(config: &Config) -> Vec<FeedSource> {
    let mut feeds = config.feeds.clone();
    if config.ingest.starter_feeds {
        let own: HashSet<SecretUrl> = feeds.iter().map(|feed| feed.url.clone()).collect();
        feeds.extend(
            providers::starter_feeds()
                .into_iter()
                .filter(|feed| !own.contains(&feed.url)),
        );
    }
    feeds
}

/// Asks every configured feed and search service once, for `assay doctor --sources`.
pub(crate) async fn ask_sources(
    data: &DataDirectory,
) -> anyhow::Result<Vec<(String, Result<String, String>)>> {
    let transport = transport(&data.config, None)?;
    let mut answers = Vec::new();
    for feed in feeds(&data.config).into_iter().filter(|feed| feed.enabled) {
        let call = providers::feeds::FetchFeed {
            url: feed.url.expose().to_owned(),
            etag: None,
            last_modified: None,
        };
        let answer = match transport.call(call).await {
            Ok(providers::Fetched::New(fetched)) => Ok(format!("{} items", fetched.items.len())),
            Ok(providers::Fetched::NotModified) => Ok("nothing new".to_owned()),
            Err(error) => Err(error.to_string()),
        };
        answers.push((feed.name, answer));
    }
    for service in web_search::services(&data.config, transport.settings())? {
        let deadline = tokio::time::Instant::now() + Duration::from_secs(10);
        let answer = service.search("central bank", 5, deadline).await;
        answers.push((
            format!("web search: {}", service.provider()),
            answer
                .map(|results| format!("{} results", results.len()))
                .map_err(|error| error.to_string()),
        ));
    }
    Ok(answers)
}

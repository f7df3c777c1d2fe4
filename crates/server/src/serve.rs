//! `assay serve`: everything wired together, until it is asked to stop.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use clap::Args;
use extraction::Extraction;
use ingest::Publisher;
use ingest::poll::{Poller, Polling};
use model::{DataMode, FeedSource, OutletTable, SecretUrl, Timestamp};
use notify::{DeliveryWorker, Hub};
use providers::callbacks::{Callbacks, Reach};
use providers::pages::Pages;
use providers::{Transport, TransportSettings};
use search::Index;
use store::Store;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::clock::{SystemClock, now};
use crate::commands::Place;
use crate::config::{Config, LogFormat};
use crate::data::DataDirectory;
use crate::exposure::Exposure;
use crate::lock::ServerLock;
use crate::output::say;
use crate::supervisor::{BackOff, Promise, Supervisor};
use crate::{chat, demo, descriptors, newcomer, web_search};

/// A stop takes this long at most even where the configuration says less: charges have to be written.
const SHORTEST_STOP: Duration = Duration::from_secs(1);

#[derive(Debug, Args)]
pub(crate) struct ServeOptions {
    /// Serve the simulated world
    #[arg(long, conflicts_with = "live")]
    demo: bool,
    /// Poll the configured feeds
    #[arg(long)]
    live: bool,
    /// E-mail address or page at which publishers reach you, sent to every upstream
    #[arg(long, value_name = "EMAIL")]
    contact: Option<String>,
    /// Address to listen on
    #[arg(long, value_name = "ADDR")]
    listen: Option<String>,
    /// Answer as of this time, from what was known then; nothing new is ingested
    #[arg(long, value_name = "TIME", conflicts_with = "live")]
    as_of: Option<Timestamp>,
    /// Let callbacks go to private addresses, also without TLS: for tests and closed networks
    #[arg(long)]
    allow_private_callbacks: bool,
}

pub(crate) async fn serve(place: &Place, options: ServeOptions) -> anyhow::Result<()> {
    let started = Instant::now();
    let data = place.directory(if options.demo {
        "assay-demo"
    } else {
        "assay-data"
    })?;
    init_log(&data.config)?;
    let descriptors = descriptors::raise();
    // Held until the process ends, however it ends.
    let _lock = ServerLock::take(&data.path)?;
    let store = if options.demo {
        data.open(DataMode::Demo).await?
    } else if options.live {
        data.open(DataMode::Real).await?
    } else {
        let store = data.open_any().await?;
        if store.counts().await?.articles == 0 {
            tracing::info!(
                "the store is empty: fill it with `assay import articles FILE` or `assay serve --live`"
            );
        }
        store
    };
    if let Some(as_of) = options.as_of {
        ensure!(as_of <= now(), "--as-of {as_of} is in the future");
    }
    let address = options
        .listen
        .clone()
        .unwrap_or_else(|| data.config.server.listen.clone());
    let listener = TcpListener::bind(&address)
        .await
        .with_context(|| format!("cannot listen on {address}"))?;
    let local = listener.local_addr()?;

    let index = open_index(&data, &store).await?;
    let hub = Hub::default();
    let transport = Arc::new(transport(&data.config, options.contact.clone())?);
    let callbacks = Arc::new(callbacks(&options, &transport)?);
    let extraction = crate::page_worker::extraction(&data.config)?;
    let state = api::AppState::open(api::Wiring {
        store: store.clone(),
        index: index.clone(),
        hub: hub.clone(),
        // Budgets and breakers of its own: callers and feeds must not use up each other's.
        web: Arc::new(Pages::new(Arc::new(transport.separate()))),
        extraction: extraction.clone(),
        callbacks: Arc::clone(&callbacks),
        web_search: web_search::searches(&data.config, store.mode(), &transport)?,
        chat: chat::model(&data.config, &transport)?,
        outlets: match store.mode() {
            DataMode::Demo => demo::outlet_table(&data.config.outlets),
            DataMode::Real => outlet_table(&data.config),
        },
        clock: Arc::new(SystemClock),
        settings: settings(&data, store.mode(), local, options.as_of)?,
        keys: crate::receipt_keys::load_or_create(&data.path)?,
    })
    .await?;

    let cancel = CancellationToken::new();
    let drained = CancellationToken::new();
    let mut supervisor = Supervisor::new(state.tasks.clone(), BackOff::STANDARD);
    start_tasks(&mut supervisor, &state, &cancel, &drained);
    start_way_out(&mut supervisor, &state, &cancel);
    supervisor.start(
        "cached_reports",
        Promise::OPTIONAL.beating_within(300),
        &cancel,
        {
            let state = state.clone();
            move |cancel| {
                let state = state.clone();
                async move { Ok(agents::reports::refresh_cached(&state.services, cancel).await?) }
            }
        },
    );
    if options.as_of.is_none() {
        let (store, keep_days) = (store.clone(), data.config.store.keep_days);
        supervisor.start("prune", Promise::OPTIONAL, &cancel, move |cancel| {
            let store = store.clone();
            async move {
                crate::pruning::run(store, keep_days, cancel).await;
                Ok(())
            }
        });
    }
    let sources = Sources {
        data: &data,
        store: &store,
        options: &options,
        transport: &transport,
        extraction: &extraction,
    };
    let welcome = sources.start(&mut supervisor, &cancel).await?;

    let budget = Duration::from_secs(data.config.server.shutdown_seconds).max(SHORTEST_STOP);
    let mut serving = tokio::spawn(api::serve(
        listener,
        router(&state, data.config.server.body_limit_bytes),
        connections(&data.config, descriptors, budget)?,
        cancel.clone(),
    ));
    say(&format!("listening on http://{local}"));
    tracing::info!(
        duration_ms = started.elapsed().as_millis() as u64,
        data.mode = store.mode().as_str(),
        "ready after {} ms",
        started.elapsed().as_millis()
    );
    if welcome {
        newcomer::welcome(&store, local).await?;
    }
    let failed = tokio::select! {
        () = wait_for_signal() => None,
        served = &mut serving => Some(served),
    };

    tracing::info!("stopping: no new requests are accepted, those in flight are finished");
    let ends = tokio::time::Instant::now() + budget;
    state.begin_stopping();
    hub.close();
    cancel.cancel();
    let served = match failed {
        Some(served) => served,
        None => serving.await,
    };
    drained.cancel();
    if tokio::time::timeout_at(ends, supervisor.ended())
        .await
        .is_err()
    {
        tracing::warn!("background work did not end in time");
    }
    served.context("server failed")
}

/// The routes of HTTP, and beside them the protocol for models.
fn router(state: &api::AppState, body_limit: usize) -> axum::Router {
    let registry = agents::registry();
    let backend = mcp::Backend::Embedded(mcp::Embedded {
        services: state.services.clone(),
        registry: Arc::clone(&registry),
        caller: mcp::CallerSource::Request,
    });
    let server = mcp::Server::new(backend, &registry);
    let guest = mcp::http(server, body_limit);
    api::with_guest(api::router(state.clone()), state, mcp::PATH, guest)
}

/// The part of the time to stop that is kept for what comes after the last answer: the ledger above all.
fn kept_for_the_end(budget: Duration) -> Duration {
    (budget / 4).min(Duration::from_secs(3))
}

/// What connections may do: no more of them than there are descriptors for.
fn connections(
    config: &Config,
    descriptors: usize,
    budget: Duration,
) -> anyhow::Result<api::Connections> {
    let server = &config.server;
    let most = server
        .connections
        .min(descriptors::for_connections(descriptors));
    if most < server.connections {
        tracing::warn!(
            "at most {most} connections instead of {}: the limit of open files is {descriptors}",
            server.connections
        );
    }
    Ok(api::Connections {
        most,
        most_per_address: server.connections_per_address,
        trusted_proxies: networks(&server.trusted_proxies)?,
        reads_within: Duration::from_secs(server.stalled_seconds.max(1)),
        drain: budget.saturating_sub(kept_for_the_end(budget)),
        ..api::Connections::default()
    })
}

/// Starts what a server does beside answering, each as a task of its own: none takes another with it.
pub(crate) fn start_tasks(
    supervisor: &mut Supervisor,
    state: &api::AppState,
    cancel: &CancellationToken,
    drained: &CancellationToken,
) {
    let essential = |seconds| Promise::ESSENTIAL.beating_within(seconds);
    let of_state = || state.clone();
    supervisor.start("ledger", essential(60), drained, {
        let state = of_state();
        move |drained| {
            let state = state.clone();
            async move {
                state.flush_ledger(drained).await;
                Ok(())
            }
        }
    });
    supervisor.start("access", essential(60), cancel, {
        let state = of_state();
        move |cancel| {
            let state = state.clone();
            async move {
                state.watch_access(cancel).await;
                Ok(())
            }
        }
    });
    supervisor.start("sweep", Promise::OPTIONAL.beating_within(300), cancel, {
        let state = of_state();
        move |cancel| {
            let state = state.clone();
            async move {
                state.sweep(cancel).await;
                Ok(())
            }
        }
    });
    supervisor.start("market", essential(120), cancel, {
        let state = of_state();
        move |cancel| {
            let state = state.clone();
            async move { Ok(state.follow_market(cancel).await?) }
        }
    });
    let optional = Promise::OPTIONAL.beating_within(300);
    supervisor.start("screens", optional, cancel, {
        let state = of_state();
        move |cancel| {
            let state = state.clone();
            async move { Ok(state.prepare_screens(cancel).await?) }
        }
    });
    supervisor.start("brief_sentiments", Promise::OPTIONAL, cancel, {
        let state = of_state();
        move |cancel| {
            let state = state.clone();
            async move {
                tokio::select! {
                    () = cancel.cancelled() => {}
                    written = complete_brief_sentiments(&state.store, &cancel) => written?,
                }
                Ok(())
            }
        }
    });
    supervisor.start("reports", optional, cancel, {
        let state = of_state();
        move |cancel| {
            let state = state.clone();
            async move { Ok(agents::reports::worker::run(&state.services, cancel).await?) }
        }
    });
    supervisor.start("index", essential(120), cancel, {
        let state = of_state();
        move |cancel| {
            let (state, moved) = (state.clone(), state.clone());
            async move {
                let moved = move |position| moved.set_revision(position);
                let (store, index) = (state.store.clone(), state.index.clone());
                Ok(ingest::follow::follow(store, index, cancel, moved).await?)
            }
        }
    });
    supervisor.start("index_lag", essential(60), cancel, {
        let state = of_state();
        move |cancel| {
            let state = state.clone();
            async move { Ok(state.watch_index(cancel).await?) }
        }
    });
    supervisor.start("streams", essential(60), cancel, {
        let state = of_state();
        move |cancel| {
            let state = state.clone();
            async move { Ok(state.hub.run(state.store.clone(), cancel).await?) }
        }
    });
    supervisor.start("live", essential(60), cancel, {
        let state = of_state();
        move |cancel| {
            let state = state.clone();
            async move { Ok(state.follow_live(state.hub.live(), cancel).await?) }
        }
    });
}

/// Starts what checks the monitors of agents, evaluates alerts, tells webhooks, and what delivers their messages.
fn start_way_out(supervisor: &mut Supervisor, state: &api::AppState, cancel: &CancellationToken) {
    // A check may take five minutes.
    let checks = Promise::OPTIONAL.beating_within(600);
    supervisor.start("monitors", checks, cancel, {
        let state = state.clone();
        move |cancel| {
            let state = state.clone();
            async move { Ok(state.check_monitors(cancel).await?) }
        }
    });
    let delivery = DeliveryWorker {
        store: state.store.clone(),
        callbacks: Arc::clone(&state.callbacks),
        now: Arc::new(now),
    };
    supervisor.start("alerts", Promise::OPTIONAL.beating_within(60), cancel, {
        let state = state.clone();
        move |cancel| {
            let state = state.clone();
            async move { Ok(state.evaluate_alerts(cancel).await?) }
        }
    });
    // A run may take five minutes.
    let runs = Promise::OPTIONAL.beating_within(600);
    supervisor.start("agent_schedules", runs, cancel, {
        let state = state.clone();
        move |cancel| {
            let state = state.clone();
            async move { Ok(agents::marketplace::schedule::run(&state.services, cancel).await?) }
        }
    });
    supervisor.start("webhooks", Promise::OPTIONAL.beating_within(60), cancel, {
        let state = state.clone();
        move |cancel| {
            let state = state.clone();
            async move { Ok(state.tell_webhooks(cancel).await?) }
        }
    });
    let deliveries = Promise::OPTIONAL.beating_within(60);
    supervisor.start("deliveries", deliveries, cancel, move |cancel| {
        let delivery = delivery.clone();
        async move { Ok(delivery.run(cancel).await?) }
    });
}

/// Writes the brief sentiments that a store of an earlier version lacks, then waits for the end.
async fn complete_brief_sentiments(
    store: &Store,
    cancel: &CancellationToken,
) -> anyhow::Result<()> {
    let written = store.brief_sentiments().complete().await?;
    if written > 0 {
        tracing::info!("sentiments of earlier briefs written: {written}");
    }
    cancel.cancelled().await;
    Ok(())
}

/// A publisher whose worker is supervised.
fn publisher(
    supervisor: &mut Supervisor,
    cancel: &CancellationToken,
    store: &Store,
    outlets: Arc<OutletTable>,
) -> Publisher {
    let (publisher, worker) = Publisher::new(store.clone(), outlets);
    let worker = Arc::new(worker);
    // It waits for articles, which may take hours: no beat is expected.
    supervisor.start("publisher", Promise::ESSENTIAL, cancel, move |cancel| {
        let worker = Arc::clone(&worker);
        async move { Ok(worker.run(cancel).await?) }
    });
    publisher
}

/// Where articles come from while the server runs.
struct Sources<'a> {
    data: &'a DataDirectory,
    store: &'a Store,
    options: &'a ServeOptions,
    transport: &'a Arc<Transport>,
    extraction: &'a Extraction,
}

impl Sources<'_> {
    /// Starts the sources. True where a newcomer should be shown how to begin.
    async fn start(
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
            let started = Instant::now();
            let market = demo::DemoMarket::open(self.store.clone(), &settings).await?;
            market.list().await?;
            let (outcome, caught_up) = tokio::try_join!(
                demo::catch_up(self.store, &publisher, &settings),
                market.catch_up()
            )?;
            tracing::info!(
                ingest.articles = outcome.articles,
                market.rows = caught_up.rows,
                "simulated world: {} articles, {} new briefs, {} rows of market data in {} ms",
                outcome.articles,
                outcome.briefs,
                caught_up.rows,
                started.elapsed().as_millis()
            );
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
                let (store, publisher, settings) =
                    (store.clone(), publisher.clone(), settings.clone());
                async move {
                    demo::run(store, publisher, settings, cancel).await;
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

/// The index of a data directory; one that cannot be read, or that is of another store, is built again by following from the
/// start. One of another past of this store is served until whoever follows has replaced it.
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

/// The outlets of real data: the built-in table and the operator's rows.
pub(crate) fn outlet_table(config: &Config) -> Arc<OutletTable> {
    Arc::new(OutletTable::new(
        providers::outlets()
            .into_iter()
            .chain(config.outlets.iter().cloned()),
    ))
}

/// The feeds that are polled: the operator's, and the starter list where it is wanted.
fn feeds(config: &Config) -> Vec<FeedSource> {
    let mut feeds = config.feeds.clone();
    if config.ingest.starter_feeds {
        let own: std::collections::HashSet<SecretUrl> =
            feeds.iter().map(|feed| feed.url.clone()).collect();
        feeds.extend(
            providers::starter_feeds()
                .into_iter()
                .filter(|feed| !own.contains(&feed.url)),
        );
    }
    feeds
}

/// The way to addresses that callers name.
fn callbacks(options: &ServeOptions, transport: &Transport) -> anyhow::Result<Callbacks> {
    let reach = if options.allow_private_callbacks {
        tracing::warn!(
            "callbacks may go to private addresses (--allow-private-callbacks): whoever has a key can reach this network"
        );
        Reach::Private
    } else {
        Reach::Public
    };
    Ok(Callbacks::new(transport.settings(), reach)?)
}

/// The way out, as configured.
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

/// Where others reach this server: as configured, else where it listens.
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

fn networks(entries: &[String]) -> anyhow::Result<Vec<ipnet::IpNet>> {
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

pub(crate) fn init_log(config: &Config) -> anyhow::Result<()> {
    let mut filter = tracing_subscriber::EnvFilter::try_new(&config.log.filter)
        .context("log.filter cannot be read")?;
    // It has three lines to say about every request, and one about every mistake of a client.
    if !config.log.filter.contains("rmcp") {
        filter = filter.add_directive("rmcp=error".parse()?);
    }
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    match config.log.format {
        LogFormat::Text => builder.with_target(false).init(),
        LogFormat::Json => builder.json().init(),
    }
    Ok(())
}

pub(crate) async fn wait_for_signal() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = interrupt => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = interrupt.await;
}

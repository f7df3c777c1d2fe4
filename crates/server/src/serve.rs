//! `assay serve`: everything wired together, until it is asked to stop.

mod sources;
mod tasks;
mod wiring;

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use clap::Args;
use model::{DataMode, Timestamp};
use notify::Hub;
use providers::pages::Pages;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::clock::{SystemClock, now};
use crate::commands::Place;
use crate::config::Config;
use crate::lock::ServerLock;
use crate::output::say;
use crate::process::{init_log, wait_for_signal};
use crate::supervisor::{BackOff, Promise, Supervisor};
use crate::{chat, demo, descriptors, embedded, newcomer, web_search};
use sources::Sources;
use tasks::start_work;
use wiring::{callbacks, networks};

pub(crate) use sources::ask_sources;
pub(crate) use tasks::{start_reports, start_tasks};
pub(crate) use wiring::{open_index, outlet_table, settings, transport};

/// The minimum time allowed for a stop, even if the configuration says less: charges have to be written.
const SHORTEST_STOP: Duration = Duration::from_secs(1);
/// How long a starting demo waits for its search index.
const CATCH_UP: Duration = Duration::from_secs(20);

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
    /// What this process does; others beside it need a store on PostgreSQL
    #[arg(long, value_enum, default_value_t = Role::All)]
    role: Role,
}

/// What one of several processes on a store does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Role {
    /// Everything
    All,
    /// Answers requests and streams, and leaves the work to workers
    Api,
    /// Polls feeds, evaluates alerts, delivers messages, writes reports, keeps schedules; answers /health, /ready and /metrics
    Worker,
}

pub(crate) async fn serve(place: &Place, options: ServeOptions) -> anyhow::Result<()> {
    let started = Instant::now();
    let data = place.directory(if options.demo {
        "assay-demo"
    } else {
        "assay-data"
    })?;
    init_log(&data.config)?;
    ensure!(
        options.role == Role::All || !data.config.store.url.is_empty(),
        "--role needs a store on PostgreSQL (store.url): a data directory has one server, which does everything"
    );
    ensure!(
        options.role == Role::All || !options.demo,
        "--role is for real data: the simulated world is one process"
    );
    ensure!(
        options.role != Role::Api || !options.live,
        "--live is for workers: --role api polls no feeds"
    );
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

    // Before anything follows the store: otherwise each part of the world would be read again, and its creation would
    // wait for what the others write.
    let is_new_world =
        options.demo && options.as_of.is_none() && demo::make_first(&data, &store).await?;
    let index = open_index(&data, &store).await?;
    let hub = Hub::default();
    let transport = Arc::new(transport(&data.config, options.contact.clone())?);
    let callbacks = Arc::new(callbacks(options.allow_private_callbacks, &transport)?);
    let extraction = crate::page_worker::extraction(&data.config)?;
    let state = api::AppState::open(api::Wiring {
        store: store.clone(),
        index: index.clone(),
        hub: hub.clone(),
        // Its own budgets and circuit breakers: callers and feeds must not use up each other's.
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
    let mut welcome = false;
    if options.role != Role::Api {
        start_work(&mut supervisor, &state, &cancel);
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
            is_new_world,
        };
        welcome = sources.start(&mut supervisor, &cancel).await?;
    }
    if welcome {
        // Someone who has just started the program finds all of it.
        let caught_up = tokio::time::timeout(CATCH_UP, embedded::catch_up(&state)).await;
        if !matches!(caught_up, Ok(Ok(()))) {
            tracing::warn!("search does not find everything yet: /ready says how far it is");
        }
    }

    let budget = Duration::from_secs(data.config.server.shutdown_seconds).max(SHORTEST_STOP);
    let routes = match options.role {
        Role::All | Role::Api => router(&state, data.config.server.body_limit_bytes),
        Role::Worker => api::probes(state.clone()),
    };
    let mut serving = tokio::spawn(api::serve(
        listener,
        routes,
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

/// The HTTP routes and, next to them, the protocol for models.
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

/// The part of the stop time reserved for what comes after the last response: the ledger above all.
fn kept_for_the_end(budget: Duration) -> Duration {
    (budget / 4).min(Duration::from_secs(3))
}

/// The limits on connections: no more of them than there are descriptors for.
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

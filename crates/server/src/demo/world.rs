//! `assay demo-world`: the process that creates the simulated world of a new data directory.
//!
//! Creating and indexing it takes some 180 MB that an allocator does not give back. That memory goes away with this
//! process, so a server uses the same after its first start as after any other.

use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use ingest::Publisher;
use ingest::follow;
use model::DataMode;
use store::Store;
use tokio::process::Command;
use tokio_util::sync::CancellationToken;

use super::{DemoMarket, PUBLISHED_UNTIL, outlet_table};
use crate::config::Demo;
use crate::data::DataDirectory;
use crate::output::complain;
use crate::serve::open_index;

/// Revisions indexed at a time while the world is being created: each one that is replaced later is indexed again.
const INDEXED_AT_A_TIME: u64 = 1_000;
/// How often it is checked whether there are that many.
const PAUSE: Duration = Duration::from_millis(100);

/// Creates the world of a new store in a separate process. `false` if there is one already.
pub(crate) async fn make_first(data: &DataDirectory, store: &Store) -> anyhow::Result<bool> {
    if store.setting(PUBLISHED_UNTIL).await?.is_some() {
        return Ok(false);
    }
    let mut command = Command::new(crate::process::own_program()?);
    command.arg("demo-world").arg("--data").arg(&data.path);
    if let Some(file) = &data.config_file {
        command.arg("--config").arg(file);
    }
    // What it has to say goes to the log.
    let mut process = command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .context("the simulated world cannot be made: no process can be started")?;
    // Open as long as this process lives: when it closes, the other process knows that nobody is waiting for the world.
    let _input = process.stdin.take();
    let ended = process.wait().await?;
    ensure!(
        ended.success(),
        "the simulated world was not finished ({ended}): start again to go on with it"
    );
    Ok(true)
}

/// Creates it in this process, as long as standard input stays open.
pub(crate) async fn make(data: &DataDirectory) -> anyhow::Result<()> {
    end_with_input();
    let store = data.open(DataMode::Demo).await?;
    let settings = &data.config.demo;
    let market = DemoMarket::open(store.clone(), settings).await?;
    let outlets = outlet_table(&data.config.outlets);
    let (publisher, worker) = Publisher::new(store.clone(), outlets);
    let (cancel, made) = (CancellationToken::new(), CancellationToken::new());
    let making = async {
        catch_up(&store, &publisher, &market, settings).await?;
        made.cancel();
        Ok(())
    };
    let world = async { tokio::try_join!(making, index(data, &store, &made)) };
    tokio::select! {
        ended = worker.run(cancel) => Ok(ended?),
        world = world => world.map(drop),
    }
}

/// Indexes the world while it is being created, and the rest afterwards.
async fn index(
    data: &DataDirectory,
    store: &Store,
    made: &CancellationToken,
) -> anyhow::Result<()> {
    let index = open_index(data, store).await?;
    let mut writer = index.writer()?;
    loop {
        let is_made = made.is_cancelled();
        let waiting = store.counts().await?.revisions;
        let waiting = waiting.saturating_sub(index.position().unsigned_abs());
        if is_made || waiting >= INDEXED_AT_A_TIME {
            let has_more = follow::catch_up(store, &index, &mut writer, &|_| {}).await?;
            match (is_made, has_more) {
                (true, false) => return Ok(()),
                (true, true) => continue,
                (false, _) => {}
            }
        }
        tokio::select! {
            () = made.cancelled() => {}
            () = tokio::time::sleep(PAUSE) => {}
        }
    }
}

/// Ends this process when standard input is closed. It does so at once: the database rolls back anything half written.
fn end_with_input() {
    std::thread::spawn(|| {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        complain("nobody waits for the simulated world any more");
        std::process::exit(1);
    });
}

/// Writes and publishes everything since the last time, and reports what that was.
pub(crate) async fn catch_up(
    store: &Store,
    publisher: &Publisher,
    market: &DemoMarket,
    settings: &Demo,
) -> anyhow::Result<()> {
    let started = Instant::now();
    market.list().await?;
    let newswire = market.newswire();
    let (outcome, caught_up) = tokio::try_join!(
        super::read_newswire(store, publisher, &newswire, settings),
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
    Ok(())
}

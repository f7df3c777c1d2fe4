//! `assay reindex`, `backup`, `status`, `doctor`, `config`.

use std::path::Path;

use anyhow::{Context, ensure};
use ingest::comparison::compare_with_store;
use serde::Serialize;
use store::Store;

use super::Place;
use crate::clock::now;
use crate::config;
use crate::data::DataDirectory;
use crate::output::{remark, say, show};

pub(crate) async fn reindex(place: &Place) -> anyhow::Result<()> {
    let data = place.either()?;
    let store = data.open_existing().await?;
    let mut beside = search::Index::build_beside(&data.index_path())?;
    let count = ingest::follow::rebuild(&store, &mut beside, |count| {
        if count % 10_000 < 500 {
            remark(&format!("{count} revisions"));
        }
    })
    .await?;
    let words = match beside.swap()? {
        search::Swap::Done => "in use",
        search::Swap::Waiting => "the running server switches to it within a second",
    };
    remark(&format!(
        "search index rebuilt from {count} revisions: {words}"
    ));
    Ok(())
}

pub(crate) async fn backup(place: &Place, file: &Path) -> anyhow::Result<()> {
    ensure!(!file.exists(), "{} exists already", file.display());
    let store = place.either()?.open_existing().await?;
    store.backup(file).await?;
    let size = std::fs::metadata(file)
        .context("backup cannot be read back")?
        .len();
    remark(&format!("{size} bytes written to {}", file.display()));
    Ok(())
}

#[derive(Serialize)]
struct Status {
    data: String,
    data_mode: String,
    schema_version: i64,
    articles: u64,
    briefs: u64,
    revisions: u64,
    entities: u64,
    accounts: u64,
    keys: u64,
    outbox_head: i64,
    outbox_waiting: u64,
    index_position: Option<i64>,
    alerts_active: u64,
    messages: Messages,
    jobs: Vec<Jobs>,
}

/// Messages to callers' addresses.
#[derive(Serialize)]
struct Messages {
    waiting: u64,
    due: u64,
    /// How long the longest overdue message has been waiting.
    late_seconds: Option<i64>,
    under_way: u64,
    dead: u64,
}

/// Jobs of one kind.
#[derive(Serialize)]
struct Jobs {
    kind: String,
    queued: u64,
    running: u64,
    dead: u64,
}

pub(crate) async fn status(place: &Place) -> anyhow::Result<()> {
    let data = place.either()?;
    let store = data.open_existing().await?;
    let counts = store.counts().await?;
    let now = now();
    let queues = store.queues().figures(now).await?;
    let index = data.index_path();
    let index_position = index
        .exists()
        .then(|| {
            search::Index::open(&index)
                .ok()
                .map(|index| index.position())
        })
        .flatten();
    let status = Status {
        data: data.path.display().to_string(),
        data_mode: store.mode().as_str().to_owned(),
        schema_version: counts.schema_version,
        articles: counts.articles,
        briefs: counts.briefs,
        revisions: counts.revisions,
        entities: counts.entities,
        accounts: counts.accounts,
        keys: counts.keys,
        outbox_head: counts.outbox_head,
        outbox_waiting: counts.outbox_unsequenced,
        index_position,
        alerts_active: queues.alerts_active,
        messages: Messages {
            waiting: queues.messages.waiting,
            due: queues.messages.due,
            late_seconds: queues
                .messages
                .due_since
                .map(|since| now.since_ms(since) / 1_000),
            under_way: queues.messages.under_way,
            dead: queues.messages.dead,
        },
        jobs: queues
            .jobs
            .into_iter()
            .map(|jobs| Jobs {
                kind: jobs.kind,
                queued: jobs.queued,
                running: jobs.running,
                dead: jobs.dead,
            })
            .collect(),
    };
    show(place.json(), &status, |status| {
        let index = status
            .index_position
            .map_or("none".to_owned(), |position| position.to_string());
        let Messages {
            waiting,
            due,
            under_way,
            dead,
            ..
        } = status.messages;
        let late = match status.messages.late_seconds {
            Some(seconds) => format!(", the first for {seconds} s"),
            None => String::new(),
        };
        let mut lines = vec![
            format!("data directory   {} ({})", status.data, status.data_mode),
            format!("schema version   {}", status.schema_version),
            format!("articles         {}", status.articles),
            format!(
                "briefs           {} in {} revisions",
                status.briefs, status.revisions
            ),
            format!("entities         {}", status.entities),
            format!("accounts, keys   {}, {}", status.accounts, status.keys),
            format!(
                "outbox           {} (waiting: {})",
                status.outbox_head, status.outbox_waiting
            ),
            format!("index position   {index}"),
            format!("alerts           {} active", status.alerts_active),
            format!(
                "messages         {waiting} waiting, {due} due{late}, {under_way} under way, {dead} given up"
            ),
        ];
        lines.extend(status.jobs.iter().map(|jobs| {
            let Jobs {
                kind,
                queued,
                running,
                dead,
            } = jobs;
            format!("jobs             {kind}: {queued} queued, {running} running, {dead} given up")
        }));
        lines
    })
}

#[derive(Serialize)]
struct Check {
    name: String,
    ok: bool,
    detail: String,
}

pub(crate) async fn doctor(place: &Place, sources: bool) -> anyhow::Result<()> {
    let data = place.either()?;
    let mut checks = Vec::new();
    let mut check = |name: &str, result: Result<String, String>| {
        let (ok, detail) = match result {
            Ok(detail) => (true, detail),
            Err(detail) => (false, detail),
        };
        checks.push(Check {
            name: name.to_owned(),
            ok,
            detail,
        });
    };
    check("configuration", Ok("readable".into()));
    let store = match data.open_existing().await {
        Ok(store) => {
            check(
                "store",
                Ok(format!("{} data, opens", store.mode().as_str())),
            );
            Some(store)
        }
        Err(error) => {
            check("store", Err(format!("{error:#}")));
            None
        }
    };
    if let Some(store) = &store {
        check("search index", examine_index(&data, store).await?);
    }
    if sources {
        for (name, result) in crate::serve::ask_sources(&data).await? {
            check(&name, result);
        }
    }
    let healthy = checks.iter().all(|check| check.ok);
    show(place.json(), &checks, |checks| {
        checks
            .iter()
            .map(|check| {
                format!(
                    "{}  {}: {}",
                    if check.ok { "ok  " } else { "FAIL" },
                    check.name,
                    check.detail
                )
            })
            .collect()
    })?;
    ensure!(healthy, "problems were found");
    Ok(())
}

/// Compares the index with the store; any problem is reported with its remedy.
async fn examine_index(
    data: &DataDirectory,
    store: &Store,
) -> anyhow::Result<Result<String, String>> {
    let path = data.index_path();
    // A server that merges segments may remove a file after its name is read and before it is opened.
    let index = search::Index::open(&path).or_else(|_| search::Index::open(&path));
    let index = match index {
        Ok(index) => index,
        Err(error) => return Ok(Err(format!("{error}; run `assay reindex`"))),
    };
    let found = compare_with_store(store, &index).await?;
    let place = format!(
        "at position {} of {}, {} revisions",
        found.position, found.head, found.documents
    );
    if found.is_sound() {
        return Ok(Ok(format!("{place}, in step with the store")));
    }
    let mut faults: Vec<String> = found.divergence.iter().map(ToString::to_string).collect();
    for (some, what) in [
        (&found.missing, "missing"),
        (&found.surplus, "not in the store or duplicated"),
        (&found.outdated, "outdated"),
    ] {
        if some.count > 0 {
            let examples: Vec<String> = some
                .examples
                .iter()
                .map(|(brief, revision)| format!("{brief} revision {revision}"))
                .collect();
            faults.push(format!("{} {what} ({})", some.count, examples.join(", ")));
        }
    }
    let cure = match found.divergence {
        Some(ingest::Divergence::Pruned) => {
            "a running server removes them within seconds; if none is running, run `assay reindex`"
        }
        _ => "run `assay reindex`",
    };
    Ok(Err(format!("{place}; {}; {cure}", faults.join("; "))))
}

pub(crate) fn config(place: &Place, defaults: bool) -> anyhow::Result<()> {
    if defaults {
        say(config::DEFAULTS.trim_end());
        return Ok(());
    }
    let config = place.either()?.config;
    if place.json() {
        say(&serde_json::to_string_pretty(&config)?);
    } else {
        say(toml::to_string_pretty(&config)?.trim_end());
    }
    Ok(())
}

//! The whole service under kills: importers, feeds, callers, and a server that dies again and again.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::TURN;
use crate::clients::{CALLERS, Clients};
use crate::files;
use crate::importer::Importer;
use crate::place::{Kind, Place};
use crate::random::Random;
use crate::rows::Rows;
use crate::service::Service;
use crate::upstream::Upstream;

const KILLS: u64 = 10;
/// Files of articles, and articles in each.
const FILES: u64 = 6;
const ARTICLES: u64 = 30;
/// Callers rest for up to so long, so that a debug build on two cores has time for the importers as well.
const REST: Duration = Duration::from_millis(200);
/// How often the service is looked at after the last kill until it must be in step; each look starts a program.
const MOST_LOOKS: u32 = 1_000;
/// Beyond this a run is given up.
const CATCH_UP: Duration = Duration::from_mins(2);
/// Beyond this a run is given up, whatever is left.
const LONGEST_KILL: Duration = Duration::from_secs(30);

const SERVE: [&str; 3] = ["--live", "--contact", "chaos@assay.example"];

async fn chaos(kind: Kind) {
    let _turn = TURN.lock().await;
    let Some(place) = Place::new(kind) else {
        println!("TEST_DATABASE_URL is not set: PostgreSQL is left out");
        return;
    };
    let kills = std::env::var("ASSAY_CHAOS_KILLS").map_or(KILLS, |kills| kills.parse().unwrap());
    let bound = LONGEST_KILL * u32::try_from(kills).unwrap() + 2 * CATCH_UP;
    let place = Arc::new(place);
    let run = tokio::time::timeout(bound, run(place.clone(), kills)).await;
    let place = Arc::into_inner(place);
    let log = place.as_ref().map_or(String::new(), Place::log);
    if let Some(place) = place {
        place.remove().await;
    }
    let faults = run.unwrap_or_else(|_| vec![format!("not finished within {} s", bound.as_secs())]);
    assert!(faults.is_empty(), "{}\n{log}", faults.join("\n"));
}

async fn run(place: Arc<Place>, kills: u64) -> Vec<String> {
    let started = Instant::now();
    let mut random = Random::of_run("chaos");
    let upstream = Upstream::start(&mut random).await;
    place.configure(&upstream.configuration());
    for file in 0..FILES {
        let path = place.path(&format!("articles-{file}.jsonl"));
        files::write_articles(&path, file, ARTICLES, &mut random);
    }
    let key = place.account("chaos@assay.example").await;

    let articles = {
        let named = place.clone();
        Importer::start(place.clone(), "articles", FILES, move |round| {
            named.path(&format!("articles-{}.jsonl", round % FILES))
        })
    };
    let candles = {
        let named = place.clone();
        Importer::start(place.clone(), "candles", 2, move |round| {
            let path = named.path("AAAA.csv");
            files::write_candles(&path, 60 + 7 * round);
            path
        })
    };
    let clients = Clients::start(&key, REST, &mut random);
    let mut service = Service::start(&place, &SERVE).await;
    clients.turn_to(&service.base);
    let mut server_kills = 0;
    for kill in 1..=kills {
        clients.receive(10 + random.below(200)).await;
        match random.below(4) {
            0 => articles.kill(),
            1 => candles.kill(),
            _ => {
                service.kill().await;
                clients.pause().await;
                // Feeds are due at once, not in a minute.
                let mut rows = Rows::open(&place).await;
                rows.execute("UPDATE feed SET next_due = 0").await;
                service = Service::start(&place, &SERVE).await;
                clients.turn_to(&service.base);
                server_kills += 1;
            }
        }
        println!(
            "kill {kill} of {kills} after {} s",
            started.elapsed().as_secs()
        );
    }

    let accounts = clients.finish().await;
    let (files_imported, articles_killed) = articles.finish().await;
    let (bars_imported, candles_killed) = candles.finish().await;
    let mut faults = settle(&place, &upstream).await;
    faults.extend(Rows::open(&place).await.faults().await);
    faults.extend(repeat(&place).await);
    service.stop(&place).await;
    let known = accounts.sums();
    let mut rows = Rows::open(&place).await;
    faults.extend(rows.uncharged(&known).await);
    faults.extend(index(&place, &mut rows).await);

    let answers: u64 = known.values().map(|sums| sums.answers).sum();
    let lost: u64 = known.values().map(|sums| sums.lost).sum();
    println!(
        "{kills} kills ({server_kills} of the server, {articles_killed} and {candles_killed} of importers) in {} s: \
         {answers} answers to {CALLERS} callers, at most {lost} credits without an answer, {files_imported} files of articles, \
         {bars_imported} of bars, {} visits to feeds",
        started.elapsed().as_secs(),
        upstream.visits()
    );
    faults
}

/// Waits until the feeds are read and the index is in step.
async fn settle(place: &Place, upstream: &Upstream) -> Vec<String> {
    let items = upstream.stop_growing();
    let mut rows = Rows::open(place).await;
    rows.execute("UPDATE feed SET next_due = 0").await;
    let mut looks = 0;
    loop {
        looks += 1;
        let of_files = rows
            .number("SELECT COUNT(*) FROM article WHERE url LIKE 'https://outlet%'")
            .await as u64;
        let of_feeds = rows
            .number("SELECT COUNT(*) FROM article WHERE url LIKE 'https://127.0.0.1%'")
            .await as u64;
        let status = status(place).await;
        let is_in_step =
            status["outbox_waiting"] == 0 && status["outbox_head"] == status["index_position"];
        if of_files == FILES * ARTICLES && of_feeds == items && is_in_step {
            return Vec::new();
        }
        if looks == MOST_LOOKS {
            return vec![format!(
                "not in step: {of_files} of {} articles of files, {of_feeds} of {items} of feeds, {status}",
                FILES * ARTICLES
            )];
        }
    }
}

/// Everything again: nothing may be new.
async fn repeat(place: &Place) -> Vec<String> {
    let mut faults = Vec::new();
    for file in 0..FILES {
        let path = place.path(&format!("articles-{file}.jsonl"));
        let arguments = [
            "import",
            "articles",
            path.to_str().unwrap(),
            "--json",
            "--backfill",
        ];
        let report: Value = serde_json::from_str(&place.run(&arguments).await).unwrap();
        if report["imported"] != 0 || report["known_already"] != ARTICLES {
            faults.push(format!("file {file} again: {report}"));
        }
    }
    let path = place.path("AAAA.csv");
    let arguments = ["import", "candles", path.to_str().unwrap(), "--json"];
    let report: Value = serde_json::from_str(&place.run(&arguments).await).unwrap();
    let candles = &report["written"]["candles"];
    if candles["added"] != 0 || candles["corrected"] != 0 || candles["known"].as_u64() < Some(100) {
        faults.push(format!("bars again: {report}"));
    }
    faults
}

/// The index beside the rows, both closed.
async fn index(place: &Place, rows: &mut Rows) -> Vec<String> {
    let mut faults = Vec::new();
    let status = status(place).await;
    if status["outbox_head"] != status["index_position"] {
        faults.push(format!(
            "the index is not at the head of the outbox: {status}"
        ));
    }
    let revisions = rows.number("SELECT COUNT(*) FROM brief_revision").await as u64;
    let index = search::Index::open(&place.data().join("index")).unwrap();
    if index.documents() != revisions {
        faults.push(format!(
            "{} documents in the index, {revisions} revisions in the store",
            index.documents()
        ));
    }
    drop(index);
    place.run(&["doctor"]).await;
    faults
}

async fn status(place: &Place) -> Value {
    serde_json::from_str(&place.run(&["status", "--json"]).await).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_and_nothing_is_there_twice() {
    chaos(Kind::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_and_nothing_is_there_twice_on_postgresql() {
    chaos(Kind::Postgres).await;
}

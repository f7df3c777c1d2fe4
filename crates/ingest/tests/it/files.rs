//! Files are read line by line; a bad line is named and the rest goes on.

use std::io::Cursor;

use ingest::{ImportOptions, Line, import_articles};
use providers::import::articles::Reader;
use text::clean::Arrival;

use crate::world::{at, everything, publisher, store, week};

fn lines(text: String) -> impl Iterator<Item = Line> + Send + 'static {
    Reader::new(Cursor::new(text.into_bytes()))
        .map(|(line, item)| (line, item.map_err(|error| error.fault.to_string())))
}

fn file() -> String {
    week()
        .iter()
        .map(|item| serde_json::to_string(item).unwrap() + "\n")
        .collect()
}

fn options(dry_run: bool) -> ImportOptions {
    ImportOptions {
        arrival: Arrival::Backfill,
        dry_run,
        now: at("2026-06-01T00:00:00Z"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_lines_are_named_and_the_rest_is_imported() {
    let store = store().await;
    let publisher = publisher(&store);
    let text = format!("nonsense\n{}{{\"title\":\"no address\"}}\n[1,2]\n", file());
    let summary = import_articles(lines(text), &store, &publisher, options(false), |_| {})
        .await
        .unwrap();
    assert_eq!((summary.outcome.articles, summary.failed_total), (9, 3));
    let numbers: Vec<_> = summary.failed.iter().map(|problem| problem.line).collect();
    assert_eq!(numbers, [1, 11, 12]);
    assert_eq!(summary.lines, 12);
}

#[tokio::test(flavor = "multi_thread")]
async fn importing_twice_changes_nothing() {
    let store = store().await;
    let publisher = publisher(&store);
    import_articles(lines(file()), &store, &publisher, options(false), |_| {})
        .await
        .unwrap();
    let before = everything(&store).await;
    let again = import_articles(lines(file()), &store, &publisher, options(false), |_| {})
        .await
        .unwrap();
    assert_eq!((again.outcome.articles, again.outcome.known), (0, 9));
    assert_eq!(everything(&store).await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dry_run_counts_and_stores_nothing() {
    let store = store().await;
    let publisher = publisher(&store);
    let summary = import_articles(
        lines(file() + &file()),
        &store,
        &publisher,
        options(true),
        |_| {},
    )
    .await
    .unwrap();
    assert_eq!((summary.outcome.articles, summary.outcome.known), (9, 9));
    assert!(everything(&store).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backfilled_file_grows_its_stories_in_the_order_of_the_news() {
    let in_order = store().await;
    import_articles(
        lines(file()),
        &in_order,
        &publisher(&in_order),
        options(false),
        |_| {},
    )
    .await
    .unwrap();
    let backwards = store().await;
    let text = file().lines().rev().collect::<Vec<_>>().join("\n");
    import_articles(
        lines(text),
        &backwards,
        &publisher(&backwards),
        options(false),
        |_| {},
    )
    .await
    .unwrap();
    assert_eq!(everything(&backwards).await, everything(&in_order).await);
}

//! Never a 304 for what has changed: not while search lags behind, not after a restart, not beside another process.

use std::time::Duration;

use model::{Category, Quote, Timestamp};
use operations::Clock;

use crate::news::fixtures::{BriefBuilder, index, publish, publish_unindexed, world};
use crate::support::{Reply, StillTime, TestMember, TestServer};

/// Read from the index.
const SIMILAR: &str = "/api/v1/similar/PR-2026-0309-001";
/// Read from the store.
const FEED: &str = "/api/v1/feed";
/// How long the last word of the store is good; a kept answer is for a second.
const GOOD_FOR: Duration = Duration::from_millis(100);

fn another(number: u128) -> model::Brief {
    let id = format!("PR-2026-0310-{number:03}");
    BriefBuilder::new(
        number,
        &id,
        Category::Health,
        "A hospital opens in Harborview",
    )
    .source("courier.example", "2026-03-10T10:00:00Z")
    .brief
}

async fn get(server: &TestServer, member: &TestMember, path: &str) -> Reply {
    let reply = server.get(path).bearer(&member.key).send().await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply
}

/// Asks again as somebody who has an answer.
async fn again(server: &TestServer, member: &TestMember, path: &str, had: &Reply) -> Reply {
    server
        .get(path)
        .bearer(&member.key)
        .header("if-none-match", had.header("etag"))
        .send()
        .await
}

/// Asserts that the content differs, and that a 304 did not hide it.
fn assert_sent_again(before: &Reply, after: &Reply) {
    assert_eq!(after.status, 200, "the content changed");
    assert_ne!(before.json(), after.json());
    assert_ne!(before.header("etag"), after.header("etag"));
}

#[tokio::test]
async fn search_that_lags_behind_is_not_taken_for_the_newest() {
    let (server, member) = world().await;
    publish_unindexed(&server, &another(11)).await;
    let late = get(&server, &member, SIMILAR).await;
    assert_eq!(
        late.json()["meta"]["count"],
        4,
        "search does not see it yet"
    );
    index(&server).await;
    let caught_up = again(&server, &member, SIMILAR, &late).await;
    assert_sent_again(&late, &caught_up);
    assert_eq!(caught_up.json()["meta"]["count"], 5);
    assert_eq!(
        again(&server, &member, SIMILAR, &caught_up).await.status,
        304
    );
}

#[tokio::test]
async fn a_restart_neither_hides_changes_nor_forgets_what_stands() {
    let (server, member) = world().await;
    quote(&server, "stock:ACME", 10.0, server.clock.now()).await;
    server.state.market.refresh().await.unwrap();
    let (similar, feed) = (
        get(&server, &member, SIMILAR).await,
        get(&server, &member, FEED).await,
    );
    // The index in memory is gone with the process; the new one begins from nothing.
    let store = server.state.store.clone();
    drop(server);
    let server = TestServer::on(store, |_| {}).await;
    let empty = again(&server, &member, SIMILAR, &similar).await;
    assert_sent_again(&similar, &empty);
    index(&server).await;
    server.state.market.refresh().await.unwrap();
    assert_eq!(
        again(&server, &member, SIMILAR, &similar).await.status,
        304,
        "the same data by the same program"
    );
    assert_eq!(again(&server, &member, FEED, &feed).await.status, 304);
    publish(&server, &another(11)).await;
    let found = again(&server, &member, SIMILAR, &similar).await;
    assert_sent_again(&similar, &found);
    assert_sent_again(&feed, &again(&server, &member, FEED, &feed).await);
}

/// One process had read more often than the next one, so that the sums of what they counted were equal.
#[tokio::test]
async fn equal_sums_of_counters_are_not_equal_data() {
    let (server, member) = world().await;
    server.state.market.refresh().await.unwrap();
    let feed = get(&server, &member, FEED).await;
    let store = server.state.store.clone();
    drop(server);
    let server = TestServer::on(store, |_| {}).await;
    publish(&server, &another(11)).await;
    let changed = again(&server, &member, FEED, &feed).await;
    assert_sent_again(&feed, &changed);
}

#[tokio::test]
async fn what_nobody_announced_is_noticed() {
    let time = StillTime::begin();
    let (server, member) = world().await;
    let feed = get(&server, &member, FEED).await;
    // Another process publishes; nothing here follows the outbox.
    let other = TestServer::on(server.state.store.clone(), |_| {}).await;
    publish_unindexed(&other, &another(11)).await;
    time.pass(GOOD_FOR).await;
    let changed = again(&server, &member, FEED, &feed).await;
    assert_sent_again(&feed, &changed);
}

#[tokio::test]
async fn a_server_in_the_past_has_tags_of_its_own() {
    let (server, member) = world().await;
    let feed = get(&server, &member, FEED).await;
    let past = "2026-03-08T12:00:00Z".parse::<Timestamp>().unwrap();
    let store = server.state.store.clone();
    let earlier = TestServer::on(store, |settings| settings.service.as_of = Some(past)).await;
    let other = again(&earlier, &member, FEED, &feed).await;
    assert_sent_again(&feed, &other);
}

async fn quote(server: &TestServer, series: &str, price: f64, at: Timestamp) {
    let quote = Quote {
        price,
        previous_close: None,
        volume: None,
        at,
    };
    let market = server.state.store.market();
    market
        .put_quotes(&[(series.to_owned(), quote)])
        .await
        .unwrap();
}

#[tokio::test]
async fn prices_of_another_process_are_noticed_whatever_their_time() {
    let server = TestServer::start().await;
    let cache = &server.state.market;
    quote(&server, "fx:EURUSD", 1.1, server.clock.now()).await;
    cache.refresh().await.unwrap();
    let before = cache.versions();
    // Paid earlier than the newest price of all, and written later.
    let other = TestServer::on(server.state.store.clone(), |_| {}).await;
    let earlier = server.clock.now().plus_ms(-60_000);
    quote(&other, "fx:GBPUSD", 1.3, earlier).await;
    cache.refresh().await.unwrap();
    let found = server.state.series.quote("fx:GBPUSD").await.unwrap();
    assert_eq!(found.map(|quote| quote.price), Some(1.3));
    assert_ne!(cache.versions(), before);
}

#[tokio::test]
async fn tags_change_with_quotes_before_the_book_has_read_them() {
    let time = StillTime::begin();
    let (server, member) = world().await;
    server.state.market.refresh().await.unwrap();
    let feed = get(&server, &member, FEED).await;
    quote(&server, "stock:ACME", 10.0, server.clock.now()).await;
    time.pass(GOOD_FOR).await;
    let unread = again(&server, &member, FEED, &feed).await;
    assert_eq!(unread.status, 200);
    server.state.market.refresh().await.unwrap();
    let read = again(&server, &member, FEED, &unread).await;
    assert_eq!(read.status, 200);
    assert_eq!(again(&server, &member, FEED, &read).await.status, 304);
}

#[tokio::test]
async fn an_answer_that_was_overtaken_is_kept_for_the_data_that_it_was_made_from() {
    const OVERTAKEN: &str = "/api/v1/test/overtaken";
    let server = TestServer::start().await;
    let member = server.unlimited().await;
    let first = get(&server, &member, OVERTAKEN).await;
    assert_eq!(first.json()["read"], 0);
    let second = again(&server, &member, OVERTAKEN, &first).await;
    assert_sent_again(&first, &second);
    assert_eq!(second.json()["read"], 1);
}

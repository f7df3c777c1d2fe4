//! A story writer that panics is replaced.

use model::{Brief, DataMode, OutletTable, RawArticle};
use store::Location;
use text::compose::{Composition, Member, Reading, compose_read};

use super::*;

/// An article with this title makes the story writer panic.
const POISON: &str = "An article nobody can write about";

fn fragile(members: &[Member<'_>], readings: &[&Reading], previous: Option<&Brief>) -> Composition {
    let is_poison = members.iter().any(|member| member.article.title == POISON);
    assert!(!is_poison, "on purpose");
    compose_read(members, readings, previous)
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn articles(titles: &[&str]) -> Vec<Prepared> {
    let now = at("2026-06-01T00:00:00Z");
    let items: Vec<RawArticle> = titles
        .iter()
        .map(|title| RawArticle {
            url: format!(
                "https://outlet.example/{}",
                title.to_lowercase().replace(' ', "-")
            ),
            title: (*title).into(),
            body: Some(format!("{title}. Nobody else has said so until now.")),
            outlet: Some("Outlet".into()),
            published_at: Some(at("2026-05-31T10:00:00Z")),
            ..RawArticle::default()
        })
        .collect();
    prepare(&items, now, Arrival::Backfill)
        .into_iter()
        .map(Result::unwrap)
        .collect()
}

async fn fragile_publisher() -> (Store, Publisher, PublishWorker) {
    let store = Store::open(&Location::Memory, DataMode::Real)
        .await
        .unwrap();
    let (publisher, mut worker) = Publisher::new(store.clone(), Arc::new(OutletTable::new([])));
    worker.compose = fragile;
    (store, publisher, worker)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_panic_costs_one_article_and_the_worker_goes_on() {
    let (store, publisher, worker) = fragile_publisher().await;
    let cancel = CancellationToken::new();
    let now = at("2026-06-01T00:00:00Z");
    let batch = articles(&[
        "Port of Rotterdam reopens after storm",
        POISON,
        "Bank of Canada holds interest rates",
    ]);
    let running = tokio::spawn(async move { worker.run(cancel).await });
    let outcome = publisher.publish(batch, now).await.unwrap();
    assert_eq!(outcome.failed, 1);
    assert_eq!(store.counts().await.unwrap().articles, 2, "the neighbours");

    let next = articles(&["Volcano erupts in Iceland"]);
    assert_eq!(publisher.publish(next, now).await.unwrap().articles, 1);
    drop(publisher);
    running.await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_worker_ends_and_what_waits_is_left_for_the_next_run() {
    let (_, publisher, worker) = fragile_publisher().await;
    let cancel = CancellationToken::new();
    cancel.cancel();
    let now = at("2026-06-01T00:00:00Z");
    let waiting = tokio::spawn(async move {
        publisher
            .publish(articles(&["Volcano erupts in Iceland"]), now)
            .await
    });
    worker.run(cancel).await.unwrap();
    worker.run(CancellationToken::new()).await.unwrap();
    assert_eq!(waiting.await.unwrap().unwrap().articles, 1);
}

#[test]
fn an_item_that_panics_is_left_out_alone() {
    let items = ["one", "two", "three"].map(|title| RawArticle {
        url: format!("https://news.example/{title}"),
        title: format!("The council widens bridge number {title}"),
        ..RawArticle::default()
    });
    let now = Timestamp::from_ms(1_772_366_400_000);
    let read = prepare_each(&items, |raw| {
        assert!(!raw.url.ends_with("two"), "a defect");
        let article = clean(raw, now, Arrival::Live)?;
        let annotations = text::annotate::annotate(&article, &[]);
        Ok(Prepared::new(article, annotations))
    });
    let refused: Vec<_> = read.iter().map(|read| read.as_ref().err()).collect();
    assert_eq!(refused, [None, Some(&Refusal::Defect), None]);
}

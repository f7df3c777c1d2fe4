//! Webhooks: each is notified of each event once, and one that keeps failing is disabled.

use model::{AccountId, OutboxKind, Timestamp};

use super::access::account;
use super::on_each_database;
use super::samples::{News, hour, publish};
use crate::{AttemptReport, DeliveryState, KEPT_MS, Store, Webhook, WebhookFormat, WebhookMessage};

const LEASE: i64 = 60_000;

fn webhook(id: &str, owner: AccountId) -> Webhook {
    Webhook {
        id: id.to_owned(),
        account: owner,
        url: "https://hooks.example/in".into(),
        events: vec![OutboxKind::BriefPublished, OutboxKind::BriefTrending],
        format: WebhookFormat::Slack,
        categories: Vec::new(),
        created_at: hour(0),
        after_position: 0,
        disabled: None,
        failing_since: None,
    }
}

fn message(webhook: &str, event: i64) -> WebhookMessage {
    WebhookMessage {
        id: format!("msg_{webhook}_{event}_{}", uuid::Uuid::new_v4().simple()),
        webhook: webhook.to_owned(),
        kind: "brief.published",
        subject: "PR-1".to_owned(),
        event: Some(event.to_string()),
        body: "{}".to_owned(),
    }
}

fn failure(at: Timestamp) -> AttemptReport {
    AttemptReport {
        at,
        status: Some(503),
        error: Some("status 503".to_owned()),
    }
}

async fn subscribed(store: &Store) -> AccountId {
    let account = account("a@mail.example");
    store.accounts().insert(&account).await.unwrap();
    let webhooks = store.webhooks();
    let secret = "whsec_1".to_owned().into();
    for id in ["whk_1", "whk_2"] {
        let one = webhook(id, account.id);
        webhooks.insert(&one, &secret, 2, None).await.unwrap();
        let found = webhooks.find(account.id, id).await.unwrap().unwrap();
        let expected = Webhook {
            after_position: found.after_position,
            ..one
        };
        assert_eq!(found, expected);
    }
    let third = webhook("whk_3", account.id);
    let full = webhooks.insert(&third, &secret, 2, None);
    assert!(full.await.is_err());
    account.id
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_becomes_one_message_whoever_tells() {
    on_each_database(|place| async move {
        let stores = [place.open().await, place.open().await];
        publish(&stores[0], &News::new(1, hour(0))).await;
        stores[0].outbox().sequence().await.unwrap();
        let owner = subscribed(&stores[0]).await;
        let from = stores[0].webhooks().position().await.unwrap();
        assert_eq!(from, stores[0].outbox().head().await.unwrap());
        let tell = |store: Store| async move {
            let both = [message("whk_1", 7), message("whk_2", 7)];
            store.webhooks().tell(from, from + 1, &both, hour(1)).await
        };
        let (one, other) = tokio::join!(tell(stores[0].clone()), tell(stores[1].clone()));
        assert_ne!(one.unwrap(), other.unwrap(), "one of them");
        // This also holds if a position went back, as after restoring a backup.
        let sql = "UPDATE counter SET value = value - 1 WHERE name = 'webhook'";
        stores[0].database().write(sql, Vec::new()).await.unwrap();
        assert!(tell(stores[1].clone()).await.unwrap());
        let deliveries = stores[0].deliveries();
        for id in ["whk_1", "whk_2"] {
            assert_eq!(deliveries.list(owner, id, 9).await.unwrap().len(), 1);
        }
        // One that is deleted in the meantime does not hold up the others.
        assert!(stores[0].webhooks().delete(owner, "whk_1").await.unwrap());
        let both = [message("whk_1", 8), message("whk_2", 8)];
        let webhooks = stores[0].webhooks();
        assert!(
            webhooks
                .tell(from + 1, from + 2, &both, hour(1))
                .await
                .unwrap()
        );
        assert_eq!(deliveries.list(owner, "whk_2", 9).await.unwrap().len(), 2);
        assert!(deliveries.list(owner, "whk_1", 9).await.unwrap().is_empty());
    })
    .await;
}

#[tokio::test]
async fn what_fails_for_five_days_is_disabled_and_kept_for_thirty() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let owner = subscribed(&store).await;
        let (webhooks, deliveries) = (store.webhooks(), store.deliveries());
        let from = webhooks.position().await.unwrap();
        let events: Vec<_> = (0..3).map(|event| message("whk_1", event)).collect();
        assert!(
            webhooks
                .tell(from, from + 1, &events, hour(0))
                .await
                .unwrap()
        );
        for hours in [0, 24, 119] {
            let due = deliveries
                .claim(hour(hours), LEASE, &[])
                .await
                .unwrap()
                .unwrap();
            let retry = Some(hour(hours + 1));
            let noted = deliveries
                .failed(&due, &failure(hour(hours)), retry, &[])
                .await;
            assert!(noted.unwrap());
            assert_eq!(webhooks.subscribed().await.unwrap().len(), 2);
        }
        let failing = webhooks.find(owner, "whk_1").await.unwrap().unwrap();
        assert_eq!(failing.failing_since, Some(hour(0)));
        let due = deliveries
            .claim(hour(120), LEASE, &[])
            .await
            .unwrap()
            .unwrap();
        let retry = Some(hour(121));
        assert!(
            deliveries
                .failed(&due, &failure(hour(120)), retry, &[])
                .await
                .unwrap()
        );
        let disabled = webhooks
            .find(owner, "whk_1")
            .await
            .unwrap()
            .unwrap()
            .disabled;
        assert_eq!(disabled.unwrap().0, hour(120));
        assert_eq!(webhooks.subscribed().await.unwrap().len(), 1);
        let listed = deliveries.list(owner, "whk_1", 9).await.unwrap();
        assert!(
            listed.iter().all(|one| one.state == DeliveryState::Dead),
            "{listed:?}"
        );
        let messages = store.queues().figures(hour(120)).await.unwrap().messages;
        assert_eq!((messages.waiting, messages.due, messages.dead), (0, 0, 3));
        let end = hour(0).plus_ms(KEPT_MS);
        assert_eq!(deliveries.prune(end).await.unwrap(), 0);
        assert_eq!(deliveries.prune(end.plus_ms(1)).await.unwrap(), 3);
    })
    .await;
}

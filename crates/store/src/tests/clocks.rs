//! Clocks that jump by hours: what was leased or postponed under a different time is neither blocked nor kept waiting.

use model::{OutboxKind, Timestamp};

use super::access::account;
use super::on_each_database;
use super::samples::hour;
use crate::{
    AttemptReport, Begin, DeliveryState, FeedState, Store, Webhook, WebhookFormat, WebhookMessage,
};

const LEASE: i64 = crate::LEASE_MS;
const KIND: &str = "report";
/// How far apart the clocks of two processes may be.
const SECOND: i64 = 1_000;

async fn one_message(store: &Store) {
    let owner = account("a@mail.example");
    store.accounts().insert(&owner).await.unwrap();
    let webhook = Webhook {
        id: "whk_1".to_owned(),
        account: owner.id,
        url: "https://hooks.example/in".into(),
        events: vec![OutboxKind::BriefPublished],
        format: WebhookFormat::Raw,
        categories: Vec::new(),
        created_at: hour(10),
        after_position: 0,
        disabled: None,
        failing_since: None,
    };
    let secret = "whsec_1".to_owned().into();
    let webhooks = store.webhooks();
    webhooks.insert(&webhook, &secret, 1, None).await.unwrap();
    let message = WebhookMessage {
        id: "msg_1".to_owned(),
        webhook: webhook.id.clone(),
        kind: "brief.published",
        subject: String::new(),
        event: Some("1".to_owned()),
        body: "{}".to_owned(),
    };
    webhooks.send(&message, hour(10), None).await.unwrap();
}

fn report(at: Timestamp, error: Option<&str>) -> AttemptReport {
    AttemptReport {
        at,
        status: None,
        error: error.map(str::to_owned),
    }
}

#[tokio::test]
async fn a_lease_of_another_time_holds_up_no_message() {
    on_each_database(|place| async move {
        let store = place.open().await;
        one_message(&store).await;
        let deliveries = store.deliveries();
        let claim = async |now| deliveries.claim(now, LEASE, &[]).await.unwrap();
        let lost = claim(hour(10)).await.unwrap();
        assert_eq!(claim(hour(10).plus_ms(LEASE - 1)).await, None, "it is held");
        assert_eq!(
            claim(hour(10).plus_ms(-SECOND)).await,
            None,
            "also by a clock that is a little behind"
        );
        // Set back: the end of the lease would not be reached for three hours.
        deliveries.follow_clock(hour(7)).await.unwrap();
        let second = claim(hour(7)).await.unwrap();
        assert_eq!(
            (second.delivery.id.as_str(), second.delivery.attempts),
            ("msg_1", 2)
        );
        let late = report(hour(7), None);
        assert!(
            !deliveries.delivered(&lost, &late).await.unwrap(),
            "it has no say any more"
        );
        let again = Some(hour(7).plus_ms(5 * SECOND));
        let failure = report(hour(7), Some("timeout"));
        assert!(
            deliveries
                .failed(&second, &failure, again, &[])
                .await
                .unwrap()
        );
        // Set forward: it is due, once.
        let third = claim(hour(12)).await.unwrap();
        assert_eq!(claim(hour(12)).await, None);
        let success = report(hour(12), None);
        assert!(deliveries.delivered(&third, &success).await.unwrap());
        let owner = third.account;
        let listed = deliveries.list(owner, "whk_1", 9).await.unwrap();
        assert_eq!(
            (listed.len(), listed[0].state),
            (1, DeliveryState::Delivered)
        );
    })
    .await;
}

#[tokio::test]
async fn what_was_put_off_under_a_later_clock_is_due_at_once() {
    on_each_database(|place| async move {
        let store = place.open().await;
        one_message(&store).await;
        let deliveries = store.deliveries();
        let first = deliveries
            .claim(hour(10), LEASE, &[])
            .await
            .unwrap()
            .unwrap();
        let later = Some(hour(10).plus_ms(5 * SECOND));
        let failure = report(hour(10), Some("timeout"));
        assert!(
            deliveries
                .failed(&first, &failure, later, &[])
                .await
                .unwrap()
        );
        // A pause is kept as long as the clock is not set back.
        assert_eq!(
            deliveries
                .follow_clock(hour(10).plus_ms(SECOND))
                .await
                .unwrap(),
            0
        );
        assert_eq!(
            deliveries
                .claim(hour(10).plus_ms(SECOND), LEASE, &[])
                .await
                .unwrap(),
            None
        );
        assert_eq!(deliveries.claim(hour(7), LEASE, &[]).await.unwrap(), None);
        assert_eq!(deliveries.follow_clock(hour(7)).await.unwrap(), 1);
        assert!(
            deliveries
                .claim(hour(7), LEASE, &[])
                .await
                .unwrap()
                .is_some()
        );
    })
    .await;
}

#[tokio::test]
async fn a_job_is_taken_over_and_renewed_under_any_clock() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let jobs = store.jobs();
        assert!(jobs.enqueue(KIND, "one", hour(10), None).await.unwrap());
        let claim = async |now| jobs.claim(&[KIND], now, LEASE).await.unwrap();
        let first = claim(hour(10)).await.unwrap();
        // Whoever works on it holds it for longer than one lease.
        let late = hour(10).plus_ms(LEASE - 1);
        assert!(jobs.renew(&first, late, LEASE).await.unwrap());
        assert_eq!(claim(hour(10).plus_ms(LEASE)).await, None);
        assert_eq!(claim(hour(10).plus_ms(-SECOND)).await, None);
        let second = claim(late.plus_ms(LEASE)).await.unwrap();
        assert_eq!((second.id, second.attempts), (first.id, 2));
        assert!(
            !jobs.renew(&first, late, LEASE).await.unwrap(),
            "it is the other one's"
        );
        // Set back.
        let third = claim(hour(7)).await.unwrap();
        assert_eq!(claim(hour(7)).await, None);
        // Postponed by a clock that was hours ahead.
        jobs.fail(third.id, "tried again", Some(hour(12)))
            .await
            .unwrap();
        assert!(claim(hour(7)).await.is_some());
    })
    .await;
}

#[tokio::test]
async fn a_request_that_was_begun_in_the_future_is_begun_again() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let requests = store.idempotency();
        let begin = async |now| requests.begin("s", "r", "k", &[1; 32], now).await.unwrap();
        assert_eq!(begin(hour(10)).await, Begin::Started);
        assert_eq!(begin(hour(10).plus_ms(-SECOND)).await, Begin::InFlight);
        assert_eq!(begin(hour(7)).await, Begin::Started);
        assert_eq!(begin(hour(7)).await, Begin::InFlight);
    })
    .await;
}

#[tokio::test]
async fn a_feed_is_read_by_one_process_under_any_clock() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let feeds = store.feeds();
        let url = "https://daily.example/feed".into();
        let claim = async |now| feeds.claim(&url, now, LEASE).await.unwrap();
        let first = claim(hour(10)).await.unwrap();
        assert_eq!(claim(hour(10)).await, None, "another one reads it");
        let late = hour(10).plus_ms(LEASE - 1);
        let renewed = feeds.renew(&url, first.next_due, late, LEASE).await;
        assert_eq!(renewed.unwrap(), Some(late.plus_ms(LEASE)));
        assert_eq!(claim(hour(10).plus_ms(LEASE)).await, None);
        // Its reader was killed.
        let end = late.plus_ms(LEASE);
        let second = claim(end).await.unwrap();
        let renewed = feeds.renew(&url, end, end, LEASE).await;
        assert_eq!(renewed.unwrap(), None);
        let read = FeedState {
            next_due: hour(11),
            last_success: Some(end),
            etag: Some("e".to_owned()),
            ..second
        };
        feeds.save(&read).await.unwrap();
        assert!(!read.is_due(end) && claim(end).await.is_none());
        // Set back by three hours: it is read now, with its stored state.
        assert!(read.is_due(hour(7)));
        let third = claim(hour(7)).await.unwrap();
        assert_eq!(third.etag.as_deref(), Some("e"));
        assert_eq!(claim(hour(7)).await, None, "once");
    })
    .await;
}

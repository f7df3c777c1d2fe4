//! Reports: ordered once, refunded once, seen by their owner.

use model::{AccountId, MicroUsd};

use super::access::account;
use super::on_each_database;
use super::samples::hour;
use crate::{
    AccountKey, Error, LedgerEntry, LedgerKind, REPORT_JOB, ReportOrigin, ReportRow, ReportScope,
    ReportStatus, Store, WrittenReport,
};

async fn owner(store: &Store, email: &str) -> AccountId {
    let account = account(email);
    store.accounts().insert(&account).await.unwrap();
    account.id
}

fn report(id: &str, owner: AccountId) -> ReportRow {
    ReportRow {
        id: id.to_owned(),
        account: Some(owner),
        origin: ReportOrigin::Ordered,
        ticker: "QLF".to_owned(),
        entity_name: "Quillfeather".to_owned(),
        tier: "full".to_owned(),
        status: ReportStatus::Queued,
        is_public: false,
        scope: ReportScope::default(),
        credits: 250,
        created_at: hour(1),
        changed_at: hour(1),
        processing_ms: 0,
        markdown: String::new(),
        document: None,
        receipt: None,
        reason: None,
    }
}

fn charge(owner: AccountId) -> LedgerEntry {
    LedgerEntry {
        account: AccountKey::Account(owner),
        key: None,
        endpoint: "POST /api/v1/reports/generate".to_owned(),
        calls: 1,
        credits: 250,
        overage: MicroUsd(2_000_000),
        at: hour(1),
        kind: LedgerKind::Charge,
    }
}

const BOUNDS: (u64, u64) = (3, 5);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_report_that_fails_is_refunded_once() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let mine = owner(&store, "a@mail.example").await;
        let key = AccountKey::Account(mine);
        let reports = store.reports();
        let row = report("RPT-1", mine);
        reports
            .order(&row, Some(charge(mine)), BOUNDS, None)
            .await
            .unwrap();
        assert_eq!(store.ledger().total(&key).await.unwrap(), 250);
        assert!(
            matches!(
                reports.order(&row, Some(charge(mine)), BOUNDS, None).await,
                Err(Error::Conflict)
            ),
            "the same id"
        );
        assert_eq!(
            store.ledger().total(&key).await.unwrap(),
            250,
            "nor is it charged again"
        );

        let job = store
            .jobs()
            .claim(&[REPORT_JOB], hour(2), 60_000)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(job.payload, "RPT-1");
        assert!(reports.start("RPT-1", hour(2)).await.unwrap());
        let refund = reports
            .fail("RPT-1", job.id, "no data", hour(2))
            .await
            .unwrap()
            .unwrap();
        assert_eq!(
            (refund.credits, refund.kind, refund.at),
            (250, LedgerKind::Refund, hour(1))
        );
        assert!(
            reports
                .fail("RPT-1", job.id, "again", hour(3))
                .await
                .unwrap()
                .is_none()
        );
        assert_eq!(store.ledger().total(&key).await.unwrap(), 0);
        let month = store.ledger().month(&key, &hour(1).month()).await.unwrap();
        assert_eq!((month.credits, month.overage), (0, MicroUsd(0)));
        let failed = reports.find("RPT-1").await.unwrap().unwrap();
        assert_eq!((failed.status, failed.credits), (ReportStatus::Failed, 0));
        assert_eq!(failed.reason.as_deref(), Some("no data"));
        assert!(
            store
                .jobs()
                .claim(&[REPORT_JOB], hour(9), 60_000)
                .await
                .unwrap()
                .is_none()
        );
        assert!(
            !reports.start("RPT-1", hour(9)).await.unwrap(),
            "it has ended"
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_report_is_written_once_and_seen_by_its_owner() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (mine, yours) = (
            owner(&store, "a@mail.example").await,
            owner(&store, "b@mail.example").await,
        );
        let reports = store.reports();
        reports
            .order(&report("RPT-1", mine), None, BOUNDS, None)
            .await
            .unwrap();
        let job = store
            .jobs()
            .claim(&[REPORT_JOB], hour(2), 60_000)
            .await
            .unwrap()
            .unwrap();
        assert!(
            store
                .jobs()
                .claim(&[REPORT_JOB], hour(2), 60_000)
                .await
                .unwrap()
                .is_none(),
            "leased"
        );
        let again = store
            .jobs()
            .claim(&[REPORT_JOB], hour(3), 60_000)
            .await
            .unwrap()
            .unwrap();
        assert_eq!((again.id, again.attempts), (job.id, 2), "the lease ran out");
        let written = WrittenReport {
            markdown: "# Q\0",
            document: "{}",
            receipt: Some("vr_1"),
            processing_ms: 7,
        };
        assert!(
            reports
                .complete("RPT-1", job.id, written, hour(3))
                .await
                .unwrap()
        );
        assert!(
            !reports
                .complete("RPT-1", job.id, written, hour(4))
                .await
                .unwrap()
        );
        assert!(
            reports
                .fail("RPT-1", job.id, "late", hour(4))
                .await
                .unwrap()
                .is_none()
        );

        assert!(
            !reports
                .publish(yours, "RPT-1", true, hour(5))
                .await
                .unwrap()
        );
        assert!(!reports.delete(yours, "RPT-1").await.unwrap());
        assert_eq!(reports.list(yours, 9).await.unwrap(), (Vec::new(), 0));
        assert!(reports.publish(mine, "RPT-1", true, hour(5)).await.unwrap());
        let (changed, is_public, of) = reports.version("RPT-1").await.unwrap().unwrap();
        assert_eq!((changed, is_public, of), (hour(5), true, Some(mine)));
        let (found, total) = reports.list(mine, 9).await.unwrap();
        assert_eq!(
            (found.len(), total, found[0].status),
            (1, 1, ReportStatus::Complete)
        );
        assert!(reports.delete(mine, "RPT-1").await.unwrap());
        assert!(reports.version("RPT-1").await.unwrap().is_none());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_account_has_so_many_and_no_more() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let mine = owner(&store, "a@mail.example").await;
        let key = AccountKey::Account(mine);
        let reports = store.reports();
        for number in 0..3 {
            let row = report(&format!("RPT-{number}"), mine);
            reports
                .order(&row, Some(charge(mine)), BOUNDS, None)
                .await
                .unwrap();
        }
        let more = report("RPT-9", mine);
        let refused = reports.order(&more, Some(charge(mine)), BOUNDS, None).await;
        assert!(
            matches!(refused, Err(Error::Full { most: 3, .. })),
            "{refused:?}"
        );
        assert_eq!(
            store.ledger().total(&key).await.unwrap(),
            750,
            "a refusal is not charged"
        );
        assert!(
            !reports.delete(mine, "RPT-0").await.unwrap(),
            "it is being written"
        );
        let upload = |id: &str| ReportRow {
            origin: ReportOrigin::Uploaded,
            status: ReportStatus::Complete,
            ..report(id, mine)
        };
        reports.upload(&upload("RPT-U1"), 1, None).await.unwrap();
        let refused = reports.upload(&upload("RPT-U2"), 1, None).await;
        assert!(
            matches!(refused, Err(Error::Full { most: 1, .. })),
            "{refused:?}"
        );

        let free = ReportRow {
            account: None,
            origin: ReportOrigin::Cached,
            is_public: true,
            ..report("RPT-CACHED-QLF", mine)
        };
        for text in ["one", "two"] {
            let row = ReportRow {
                markdown: text.to_owned(),
                ..free.clone()
            };
            reports.put_cached(&row).await.unwrap();
            assert_eq!(
                reports
                    .find("RPT-CACHED-QLF")
                    .await
                    .unwrap()
                    .unwrap()
                    .markdown,
                text
            );
        }
    })
    .await;
}

//! Accounts, keys, tokens, ledger, feeds.

use model::{AccountId, Category, KeyId, KeyScope, MicroUsd, Plan, Timestamp};
use uuid::Uuid;

use super::on_each_database;
use super::samples::hour;
use crate::{
    Account, AccountKey, ApiKey, BatchId, Error, FeedState, LedgerEntry, LedgerKind, Standing,
    Store,
};

pub(super) fn account(email: &str) -> Account {
    Account {
        id: AccountId(Uuid::new_v4()),
        email: email.to_owned(),
        name: "Somebody".to_owned(),
        password_hash: "$argon2id$".to_owned(),
        plan: Plan::Builder,
        spending_cap: None,
        created_at: hour(0),
        standing: Standing::default(),
    }
}

pub(super) fn api_key(account: AccountId, number: u8) -> ApiKey {
    ApiKey {
        id: KeyId(Uuid::new_v4()),
        account,
        name: format!("key {number}"),
        prefix: format!("as_live_{number}"),
        hash: [number; 32],
        scope: KeyScope {
            allowed_endpoints: vec!["GET feed".into()],
            allowed_categories: vec![Category::Energy],
        },
        created_at: hour(i64::from(number)),
        last_used_at: None,
        revoked_at: None,
    }
}

pub(super) fn charge(
    account: &AccountKey,
    key: Option<KeyId>,
    credits: u64,
    at: Timestamp,
) -> LedgerEntry {
    LedgerEntry {
        account: account.clone(),
        key,
        endpoint: "GET /api/v1/feed".to_owned(),
        calls: 1,
        credits,
        overage: MicroUsd(7),
        at,
        kind: LedgerKind::Charge,
    }
}

#[tokio::test]
async fn accounts_are_found_in_any_case_and_once() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let one = account("Reader@Mail.Example");
        store.accounts().insert(&one).await.unwrap();
        assert!(matches!(
            store
                .accounts()
                .insert(&account("READER@mail.example"))
                .await,
            Err(Error::Conflict)
        ));
        assert_eq!(
            store
                .accounts()
                .find_by_email("reader@MAIL.example")
                .await
                .unwrap()
                .unwrap(),
            one
        );
        assert_eq!(store.accounts().find(one.id).await.unwrap().unwrap(), one);
        assert_eq!(
            store.accounts().list().await.unwrap(),
            std::slice::from_ref(&one)
        );
        assert!(
            store
                .accounts()
                .find(AccountId(Uuid::new_v4()))
                .await
                .unwrap()
                .is_none()
        );

        let before = store.access_version().await.unwrap();
        assert!(
            store
                .accounts()
                .set_plan(one.id, Plan::Scale)
                .await
                .unwrap()
        );
        assert!(
            store
                .accounts()
                .set_spending_cap(one.id, Some(MicroUsd(5_000_000)))
                .await
                .unwrap()
        );
        assert_eq!(store.access_version().await.unwrap(), before + 2);
        assert!(
            !store
                .accounts()
                .set_plan(AccountId(Uuid::new_v4()), Plan::Free)
                .await
                .unwrap()
        );
        assert_eq!(store.access_version().await.unwrap(), before + 2);
        let changed = store.accounts().find(one.id).await.unwrap().unwrap();
        assert_eq!(
            (changed.plan, changed.spending_cap),
            (Plan::Scale, Some(MicroUsd(5_000_000)))
        );
    })
    .await;
}

#[tokio::test]
async fn keys_belong_to_their_account() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let (mine, yours) = (account("a@mail.example"), account("b@mail.example"));
        store.accounts().insert(&mine).await.unwrap();
        store.accounts().insert(&yours).await.unwrap();
        let (first, second, other) = (
            api_key(mine.id, 1),
            api_key(mine.id, 2),
            api_key(yours.id, 3),
        );
        for key in [&first, &second, &other] {
            store.keys().insert(key).await.unwrap();
        }
        assert!(matches!(
            store
                .keys()
                .insert(&api_key(AccountId(Uuid::new_v4()), 9))
                .await,
            Err(Error::Conflict)
        ));
        assert_eq!(
            store.keys().list(mine.id).await.unwrap(),
            [second.clone(), first.clone()]
        );
        assert_eq!(
            store.keys().find_by_hash(&[1; 32]).await.unwrap().unwrap(),
            (first.clone(), mine.clone())
        );
        assert_eq!(
            store
                .keys()
                .find_prefix(mine.id, "as_live_2")
                .await
                .unwrap(),
            std::slice::from_ref(&second)
        );
        assert_eq!(
            store
                .keys()
                .find_prefix(mine.id, "as_live_3")
                .await
                .unwrap(),
            []
        );

        let version = store.access_version().await.unwrap();
        assert!(
            !store
                .keys()
                .revoke(yours.id, first.id, hour(9))
                .await
                .unwrap(),
            "not yours to revoke"
        );
        assert!(store.keys().find_by_hash(&[1; 32]).await.unwrap().is_some());
        assert!(
            store
                .keys()
                .revoke(mine.id, first.id, hour(9))
                .await
                .unwrap()
        );
        assert!(
            !store
                .keys()
                .revoke(mine.id, first.id, hour(9))
                .await
                .unwrap(),
            "once is enough"
        );
        assert!(store.keys().find_by_hash(&[1; 32]).await.unwrap().is_none());
        assert_eq!(store.access_version().await.unwrap(), version + 1);

        store
            .keys()
            .touch(&[(second.id, hour(5)), (other.id, hour(6))])
            .await
            .unwrap();
        store.keys().touch(&[(second.id, hour(4))]).await.unwrap();
        assert_eq!(
            store.keys().list(mine.id).await.unwrap()[0].last_used_at,
            Some(hour(5))
        );
        assert_eq!(store.counts().await.unwrap().keys, 2);
    })
    .await;
}

#[tokio::test]
async fn tokens_are_revoked_until_they_expire() {
    on_each_database(|place| async move {
        let store = place.open().await;
        store.tokens().revoke("one", hour(1)).await.unwrap();
        store.tokens().revoke("one", hour(1)).await.unwrap();
        store.tokens().revoke("two", hour(3)).await.unwrap();
        assert!(store.tokens().is_revoked("one").await.unwrap());
        assert!(!store.tokens().is_revoked("three").await.unwrap());
        assert_eq!(store.tokens().prune(hour(2)).await.unwrap(), 1);
        assert_eq!(
            store.tokens().revoked().await.unwrap(),
            [("two".to_owned(), hour(3))]
        );
        assert_eq!(store.access_version().await.unwrap(), 2);
    })
    .await;
}

#[tokio::test]
async fn days_and_months_roll_over_in_utc() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let owner = AccountKey::Account(AccountId(Uuid::new_v4()));
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let (last, first) = (at("2026-03-31T23:59:59.999Z"), at("2026-04-01T00:00:00Z"));
        let entries = [
            charge(&owner, None, 3, last),
            charge(&owner, None, 5, first),
            charge(&owner, None, 1, first),
        ];
        store.ledger().append(&entries).await.unwrap();
        assert_eq!(
            store
                .ledger()
                .month(&owner, "2026-03")
                .await
                .unwrap()
                .credits,
            3
        );
        assert_eq!(
            store
                .ledger()
                .month(&owner, "2026-04")
                .await
                .unwrap()
                .credits,
            6
        );
        assert_eq!(
            store
                .ledger()
                .month(&owner, "2026-05")
                .await
                .unwrap()
                .credits,
            0
        );
        let march = store.ledger().usage(&owner, last).await.unwrap();
        assert_eq!(
            (march.credits_today, march.credits_month, march.calls_month),
            (3, 3, 1)
        );
        let later = store
            .ledger()
            .usage(&owner, at("2026-04-02T00:00:00Z"))
            .await
            .unwrap();
        assert_eq!((later.credits_today, later.credits_month), (0, 6));
        assert_eq!(later.overage_month, MicroUsd(14));
        let somebody = AccountKey::Demo("192.0.2.7".to_owned());
        assert_eq!(
            store.ledger().usage(&somebody, first).await.unwrap(),
            crate::UsageReport::default()
        );
    })
    .await;
}

async fn send_batch(store: &Store, owner: &AccountKey, journal: Uuid, number: u64) -> bool {
    let entries = [charge(owner, None, 3, hour(1))];
    let id = BatchId { journal, number };
    let ledger = store.ledger();
    ledger.append_batch(id, &entries, hour(1)).await.unwrap()
}

#[tokio::test]
async fn a_batch_counts_once_however_often_it_is_sent() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let owner = AccountKey::Account(AccountId(Uuid::new_v4()));
        let journal = Uuid::new_v4();
        let send = |journal: Uuid, number: u64| send_batch(&store, &owner, journal, number);
        assert!(send(journal, 1).await);
        assert!(!send(journal, 1).await, "the answer of the commit was lost");
        assert!(send(journal, 4).await, "numbers may be left out");
        assert!(!send(journal, 2).await, "and are over then");
        assert!(send(Uuid::new_v4(), 1).await, "another process");
        assert_eq!(store.ledger().total(&owner).await.unwrap(), 9);
        assert_eq!(
            store
                .ledger()
                .month(&owner, "2026-03")
                .await
                .unwrap()
                .credits,
            9
        );

        // Both attempts at once, as when the first is still in progress on the server.
        let (left, right) = tokio::join!(send(journal, 5), send(journal, 5));
        assert!(left ^ right, "one of them counts");
        assert_eq!(store.ledger().total(&owner).await.unwrap(), 12);

        assert_eq!(store.ledger().prune_journals(hour(1)).await.unwrap(), 0);
        assert_eq!(store.ledger().prune_journals(hour(2)).await.unwrap(), 2);
        assert!(
            send(journal, 6).await,
            "a journal that was forgotten goes on"
        );
    })
    .await;
}

#[tokio::test]
async fn usage_equals_the_ledger() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let id = AccountId(Uuid::new_v4());
        let owner = AccountKey::Account(id);
        let keys = [KeyId(Uuid::new_v4()), KeyId(Uuid::new_v4())];
        let mut entries = Vec::new();
        for number in 0..150_u64 {
            let mut entry = charge(
                &owner,
                Some(keys[(number % 2) as usize]),
                number % 7,
                hour(0),
            );
            entry.endpoint = format!(
                "GET /api/v1/{}",
                ["feed", "search", "brief"][(number % 3) as usize]
            );
            entries.push(entry);
        }
        let refund = LedgerEntry {
            calls: 0,
            kind: LedgerKind::Refund,
            ..charge(&owner, Some(keys[0]), 10, hour(1))
        };
        entries.push(refund);
        store.ledger().append_durable(&entries).await.unwrap();
        let expected: u64 = (0..150).map(|number| number % 7).sum::<u64>() - 10;
        let report = store.ledger().usage(&owner, hour(2)).await.unwrap();
        assert_eq!(store.ledger().total(&owner).await.unwrap(), expected);
        assert_eq!(report.credits_month, expected);
        assert_eq!(report.calls_month, 150);
        assert_eq!(report.overage_month, MicroUsd(149 * 7));
        assert_eq!(
            report
                .by_endpoint
                .iter()
                .map(|part| part.credits)
                .sum::<u64>(),
            expected
        );
        assert_eq!(report.by_endpoint.len(), 3);
        let mut by_key = store.ledger().key_usage(id, hour(2)).await.unwrap();
        by_key.sort_unstable();
        let mut wanted = vec![(keys[0], 75, 75), (keys[1], 75, 75)];
        wanted.sort_unstable();
        assert_eq!(by_key, wanted);
    })
    .await;
}

#[tokio::test]
async fn feeds_settings_and_secrets_are_kept() {
    on_each_database(|place| async move {
        let store = place.open().await;
        let mut feed = FeedState {
            url: "https://daily.example/feed".into(),
            next_due: hour(1),
            ..FeedState::default()
        };
        store.feeds().save(&feed).await.unwrap();
        feed = FeedState {
            failures: 2,
            last_error: Some("timed\0 out".into()),
            etag: Some("\"e\"".into()),
            ..feed
        };
        store.feeds().save(&feed).await.unwrap();
        feed.last_error = Some("timed out".into());
        assert_eq!(store.feeds().load().await.unwrap(), [feed]);

        assert_eq!(store.secret("jwt", b"first").await.unwrap(), b"first");
        assert_eq!(store.secret("jwt", b"second").await.unwrap(), b"first");
        assert_eq!(store.setting("motd").await.unwrap(), None);
        store.put_setting("motd", "a").await.unwrap();
        store.put_setting("motd", "b").await.unwrap();
        assert_eq!(store.setting("motd").await.unwrap().as_deref(), Some("b"));
        store.is_alive().await.unwrap();
    })
    .await;
}

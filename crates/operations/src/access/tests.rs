use super::*;

#[test]
fn fresh_keys_have_the_documented_form() {
    let key = fresh_key();
    assert_eq!(key.len(), 40);
    assert!(key[8..].bytes().all(|byte| byte.is_ascii_alphanumeric()));
    assert_ne!(key, fresh_key());
    assert_eq!(visible_prefix(&key).len(), 12);
}

#[tokio::test]
async fn a_million_invented_keys_push_no_caller_out() {
    let store = Store::open(&store::Location::Memory, model::DataMode::Demo)
        .await
        .unwrap();
    let access = Access::open(store, 10).await.unwrap();
    let known = Known {
        generation: 0,
        member: Arc::new(Member {
            account: AccountId(uuid::Uuid::from_u128(1)),
            email: String::new(),
            name: String::new(),
            plan: model::Plan::Free,
            spending_cap: None,
            credential: Credential::Token {
                id: String::new(),
                expires: Timestamp::END,
            },
        }),
        is_disabled: false,
    };
    access.known.insert(digest("known"), known);
    let unknown = Unknown {
        generation: 0,
        until: Instant::now(),
    };
    for number in 0..1_000_000_u64 {
        let mut digest = [0; 32];
        digest[..8].copy_from_slice(&number.to_le_bytes());
        access.unknown.insert(digest, unknown);
    }
    // The library keeps a few more than asked, because its shards are rounded up.
    assert!(access.unknown.len() <= UNKNOWN_KEPT * 11 / 10);
    assert!(access.known.get(&digest("known")).is_some());
}

#[tokio::test]
async fn tokens_of_ours_are_no_guesses_and_are_not_looked_up_without_end() {
    let store = Store::open(&store::Location::Memory, model::DataMode::Demo)
        .await
        .unwrap();
    let access = Access::open(store.clone(), 3).await.unwrap();
    let now = Timestamp::from_ms(1_772_366_400_000);
    let client = |number: u8| ClientAddress::new([198, 51, 100, number].into());
    let account = |number: u128| AccountId(uuid::Uuid::from_u128(number));
    // There are no such accounts, as there is none for a token that was revoked.
    let token = |number: u128| access.tokens.issue(account(number), 0, now).unwrap().0;
    let ask = async |text: &str, from: u8, now: Timestamp| {
        let found = access.find_member(text, client(from), now).await;
        found.err().unwrap().code()
    };
    for _ in 0..TOKENS_LOOKED_UP {
        assert_eq!(ask(&token(1), 1, now).await, ErrorCode::InvalidCredential);
    }
    // From here on a look-up fails.
    store.close().await;
    let limited = ErrorCode::CredentialsLimited;
    assert_eq!(ask(&token(1), 1, now).await, limited);
    assert_eq!(ask(&token(1), 1, now).await, limited);
    let looked_up = ErrorCode::Internal;
    assert_eq!(ask(&token(1), 2, now).await, looked_up, "elsewhere");
    assert_eq!(ask(&token(2), 1, now).await, looked_up, "another account");
    assert_eq!(ask(&fresh_key(), 1, now).await, looked_up, "no guess yet");
    let later = now.plus_ms(Timestamp::MINUTE_MS);
    assert_eq!(ask(&token(1), 1, later).await, looked_up);
    let over = now.plus_ms(crate::access::token::LIFETIME_MS);
    assert_eq!(ask(&token(1), 1, over).await, ErrorCode::TokenExpired);

    // What only looks like one is a guess.
    let mut forged = token(3);
    forged.pop();
    let overlong = format!("{}{}", "x".repeat(LONGEST_TOKEN), token(3));
    for text in ["nonsense", &forged, &overlong] {
        assert_eq!(ask(text, 3, now).await, ErrorCode::InvalidCredential);
    }
    assert_eq!(ask(&forged, 3, now).await, limited);
    assert_eq!(ask(&fresh_key(), 3, now).await, limited);
    assert_eq!(ask(&token(3), 3, now).await, looked_up);
}

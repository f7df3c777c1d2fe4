use super::*;

fn presented(headers: &[(&'static str, &str)], path: &str) -> Result<Presented> {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        map.append(*name, value.parse().unwrap());
    }
    Presented::of_request(&map, &path.parse().unwrap())
}

#[test]
fn one_credential_however_it_is_sent() {
    let text = |text: &str| Presented::Text(text.into());
    assert!(presented(&[], "/x?q=1").unwrap() == Presented::Nothing);
    assert!(presented(&[("authorization", "Bearer abc")], "/x").unwrap() == text("abc"));
    assert!(presented(&[("authorization", "bearer  abc ")], "/x").unwrap() == text("abc"));
    assert!(presented(&[("x-api-key", "abc")], "/x?api_key=abc").unwrap() == text("abc"));
    assert!(presented(&[], "/x?api_key=a%62c&q=1").unwrap() == text("abc"));
    assert!(presented(&[], "/x?api_key=demo").unwrap() == Presented::Demo);
    let code = |result: Result<Presented>| result.err().unwrap().code();
    assert_eq!(
        code(presented(&[("x-api-key", "a")], "/x?api_key=b")),
        ErrorCode::ConflictingCredentials
    );
    assert_eq!(
        code(presented(&[], "/x?api_key=a&api_key=b")),
        ErrorCode::ConflictingCredentials
    );
    assert_eq!(
        code(presented(&[("authorization", "Basic YTpi")], "/x")),
        ErrorCode::InvalidCredential
    );
}

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

//! How often one may.

use model::{KeyScope, Plan};

use crate::support::TestServer;

#[tokio::test]
async fn the_demo_key_is_counted_by_address() {
    let server = TestServer::start().await;
    let ask = |peer: &str| server.get("/api/v1/test/free").from(peer);
    for left in (0..10).rev() {
        let reply = ask("203.0.113.1").send().await;
        assert_eq!(reply.status, 200);
        assert_eq!(
            (
                reply.number("ratelimit-limit"),
                reply.number("ratelimit-remaining")
            ),
            (10, left)
        );
    }
    server.clock.advance(20_000);
    let reply = ask("203.0.113.1").send().await;
    reply.expect_error(429, "rate_limited");
    assert_eq!(reply.header("retry-after"), "40");
    assert_eq!(reply.header("ratelimit-reset"), "40");
    assert_eq!(ask("203.0.113.2").send().await.status, 200);

    assert_eq!(
        ask("2001:db8:0:1::1")
            .send()
            .await
            .number("ratelimit-remaining"),
        9
    );
    assert_eq!(
        ask("2001:db8:0:1:ffff::2")
            .send()
            .await
            .number("ratelimit-remaining"),
        8,
        "one /64 is one client"
    );
    assert_eq!(
        ask("2001:db8:0:2::1")
            .send()
            .await
            .number("ratelimit-remaining"),
        9
    );

    server.clock.advance(40_000);
    assert_eq!(ask("203.0.113.1").send().await.status, 200);
}

#[tokio::test]
async fn keys_of_an_account_share_its_window() {
    let server = TestServer::start().await;
    let first = server.member(Plan::Builder, KeyScope::default()).await;
    let token = server.state.store.keys().list(first.account).await.unwrap();
    assert_eq!(token.len(), 1);
    let raw = operations::fresh_key();
    let mut second = token[0].clone();
    second.id = model::KeyId(uuid::Uuid::new_v4());
    second.hash = operations::digest(&raw);
    server.state.store.keys().insert(&second).await.unwrap();
    assert_eq!(
        server
            .get("/api/v1/test/free")
            .bearer(&first.key)
            .send()
            .await
            .number("ratelimit-remaining"),
        119
    );
    assert_eq!(
        server
            .get("/api/v1/test/free")
            .bearer(&raw)
            .send()
            .await
            .number("ratelimit-remaining"),
        118
    );
    let demo = server.get("/api/v1/test/free").send().await;
    assert_eq!(
        (
            demo.number("ratelimit-limit"),
            demo.number("ratelimit-remaining")
        ),
        (10, 9)
    );
}

#[tokio::test]
async fn what_needs_no_key_does_not_count_but_tells() {
    let server = TestServer::start().await;
    let member = server.member(Plan::Scale, KeyScope::default()).await;
    for _ in 0..20 {
        let reply = server.get("/health").send().await;
        assert_eq!(
            (
                reply.number("ratelimit-limit"),
                reply.number("ratelimit-remaining")
            ),
            (10, 10)
        );
        assert_eq!(
            server
                .get("/nowhere")
                .send()
                .await
                .number("ratelimit-remaining"),
            10
        );
        assert_eq!(
            server
                .get("/api/v1/usage")
                .send()
                .await
                .number("ratelimit-remaining"),
            10
        );
    }
    server
        .get("/api/v1/test/free")
        .bearer(&member.key)
        .send()
        .await;
    let reply = server.get("/nowhere").bearer(&member.key).send().await;
    assert_eq!(
        (
            reply.number("ratelimit-limit"),
            reply.number("ratelimit-remaining")
        ),
        (1200, 1199)
    );
}

#[tokio::test]
async fn trusted_proxies_name_the_client() {
    let server = TestServer::start_with(|settings| {
        settings.trusted_proxies = vec!["10.0.0.0/8".parse().unwrap()];
    })
    .await;
    let ask = |peer: &str, forwarded: &str| {
        server
            .get("/api/v1/test/free")
            .from(peer)
            .header("x-forwarded-for", forwarded)
    };
    assert_eq!(
        ask("10.0.0.1", "198.51.100.1")
            .send()
            .await
            .number("ratelimit-remaining"),
        9
    );
    assert_eq!(
        ask("10.0.0.1", "6.6.6.6, 198.51.100.1")
            .send()
            .await
            .number("ratelimit-remaining"),
        8
    );
    assert_eq!(
        ask("10.0.0.1", "198.51.100.2")
            .send()
            .await
            .number("ratelimit-remaining"),
        9
    );
    assert_eq!(
        ask("192.0.2.1", "198.51.100.1")
            .send()
            .await
            .number("ratelimit-remaining"),
        9,
        "not a proxy of ours"
    );
}

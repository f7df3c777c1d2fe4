//! To create, change, pause and delete monitors, and who may.

use http::Method;
use model::{Category, KeyScope, Plan};
use serde_json::{Value, json};
use wiremock::ResponseTemplate;

use super::fixtures::{CREATE, DAY, HOUR, JANUARY, MONITORS, world};
use crate::news::fixtures::narrow;
use crate::receiver::{address, received, receiver};
use crate::support::TestMember;

#[tokio::test]
async fn paused_and_deleted_monitors_are_never_checked() {
    let receiver = receiver(ResponseTemplate::new(200)).await;
    let (server, member) = world(&receiver).await;
    server.said(&member, JANUARY).await;
    let monitor = server
        .monitor(&member, json!({"alert_webhook": address(&receiver)}))
        .await;
    let path = format!("{MONITORS}/{}", monitor["monitor_id"].as_str().unwrap());
    let set = async |state: &str| {
        let body = json!({"state": state});
        server.call(&member, Method::PATCH, &path, Some(body)).await
    };
    let paused = set("paused").await;
    assert_eq!((paused.status.as_u16(), paused.charged()), (200, 0));
    let paused = paused.json();
    assert_eq!(
        (
            &paused["monitor"]["state"],
            &paused["monitor"]["next_check"]
        ),
        (&json!("paused"), &Value::Null)
    );
    server.publish_rates(&[("2026-01-01", 4.2)]).await;
    server.clock.advance(30 * DAY);
    assert_eq!(server.work().await, (0, 0));
    for state in ["deleted", "Active", ""] {
        set(state).await.expect_error(400, "invalid_request");
    }
    assert_eq!(set("active").await.json()["monitor"]["state"], "active");
    assert_eq!(
        server.state.check_due_monitors().await.unwrap(),
        1,
        "it was due meanwhile"
    );
    let deleted = server.call(&member, Method::DELETE, &path, None).await;
    assert_eq!(deleted.status.as_u16(), 200, "{}", deleted.text());
    server.clock.advance(30 * DAY);
    assert_eq!(
        server.work().await,
        (0, 0),
        "also its alert is not sent any more"
    );
    assert!(received(&receiver).await.is_empty());
    set("active").await.expect_error(404, "not_found");
    let listed = server
        .call(&member, Method::GET, MONITORS, None)
        .await
        .json();
    assert_eq!(listed["total"], 0);
}

#[tokio::test]
async fn nobody_else_sees_a_monitor_and_nobody_sees_its_secret_twice() {
    let receiver = receiver(ResponseTemplate::new(200)).await;
    let (server, member) = world(&receiver).await;
    let other = server.unlimited().await;
    let settings = json!({"agent_id": "desk", "alert_webhook": address(&receiver)});
    let create = async |settings: &Value| {
        let ask = server.post(CREATE, settings).bearer(&member.key);
        ask.header("idempotency-key", "once").send().await.json()
    };
    let monitor = create(&settings).await;
    let secret = monitor["secret"].as_str().unwrap().to_owned();
    let replayed = create(&settings).await;
    assert_eq!(
        (&replayed["monitor_id"], replayed.get("secret")),
        (&monitor["monitor_id"], None)
    );
    let path = format!("{MONITORS}/{}", monitor["monitor_id"].as_str().unwrap());
    let pause = json!({"state": "paused"});
    for (method, body) in [
        (Method::GET, None),
        (Method::PATCH, Some(pause)),
        (Method::DELETE, None),
    ] {
        let theirs = server
            .call(&other, method.clone(), &path, body.clone())
            .await;
        theirs.expect_error(404, "not_found");
        let nobody = server.ask(method.clone(), &path);
        let nobody = match body {
            Some(body) => nobody.json(&body).send().await,
            None => nobody.send().await,
        };
        nobody.expect_error(401, "credential_required");
    }
    assert_eq!(
        server
            .call(&other, Method::GET, MONITORS, None)
            .await
            .json()["total"],
        0
    );
    let shown = server.call(&member, Method::GET, &path, None).await;
    assert_eq!(shown.json()["monitor"]["state"], "active", "untouched");
    let listed = server.call(&member, Method::GET, MONITORS, None).await;
    for text in [shown.text(), listed.text()] {
        assert!(text.contains("/in?token=***"), "{text}");
        assert!(
            !text.contains(&secret) && !text.contains("swordfish"),
            "{text}"
        );
    }
}

#[tokio::test]
async fn what_cannot_be_monitored_is_refused() {
    let receiver = receiver(ResponseTemplate::new(200)).await;
    let (server, member) = world(&receiver).await;
    let ask = async |member: &TestMember, body: Value| {
        server.call(member, Method::POST, CREATE, Some(body)).await
    };
    for (body, named) in [
        (json!({}), "agent_id"),
        (json!({"agent_id": " "}), "agent_id"),
        (json!({"agent_id": "a".repeat(101)}), "agent_id"),
        (
            json!({"agent_id": "a", "trust_threshold": 1.01}),
            "trust_threshold",
        ),
        (
            json!({"agent_id": "a", "trust_threshold": -0.1}),
            "trust_threshold",
        ),
        (
            json!({"agent_id": "a", "check_interval_hours": 0.5}),
            "check_interval_hours",
        ),
        (
            json!({"agent_id": "a", "check_interval_hours": 721}),
            "check_interval_hours",
        ),
        (
            json!({"agent_id": "a", "escalate_on_low_trust": "yes"}),
            "escalate_on_low_trust",
        ),
    ] {
        let fault = ask(&member, body)
            .await
            .expect_error(400, "invalid_request");
        assert!(
            fault["message"].as_str().unwrap().contains(named),
            "{fault}"
        );
    }
    for address in [
        "",
        "hooks.example/in",
        "http://hooks.example/in",
        "ftp://hooks.example/in",
        "https://user:word@hooks.example/in",
        "https://hooks.example:22/in",
        "https://localhost/in",
        "https://127.0.0.1/in",
        "https://10.0.0.8:8443/in",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/in",
        "https://[fd00::1]/in",
        "https://2130706433/in",
        "https://hooks.internal/in",
        "https://hooks.example/in\n",
        "https://hooks.example\\in",
    ] {
        let body = json!({"agent_id": "a", "alert_webhook": address});
        let fault = ask(&member, body)
            .await
            .expect_error(400, "invalid_request");
        assert!(
            fault["message"]
                .as_str()
                .unwrap()
                .starts_with("alert_webhook"),
            "{fault}"
        );
    }
    let settings = json!({"agent_id": "a"});
    let builder = server.member(Plan::Builder, KeyScope::default()).await;
    ask(&builder, settings.clone())
        .await
        .expect_error(403, "plan_required");
    let nobody = server.post(CREATE, &settings).send().await;
    nobody.expect_error(401, "credential_required");
    let narrow = narrow(&server, &[Category::Economy]).await;
    ask(&narrow, settings)
        .await
        .expect_error(403, "category_not_allowed");

    for number in 0..20 {
        let body = json!({"agent_id": format!("agent-{number}")});
        assert_eq!(ask(&member, body).await.status.as_u16(), 200);
    }
    let one_more = json!({"agent_id": "agent-20"});
    ask(&member, one_more.clone())
        .await
        .expect_error(409, "too_many_entries");
    let again = json!({"agent_id": "agent-19", "trust_threshold": 0.1});
    assert_eq!(
        ask(&member, again).await.status.as_u16(),
        200,
        "no further one"
    );
    let listed = server
        .call(&member, Method::GET, MONITORS, None)
        .await
        .json();
    assert_eq!(listed["total"], 20);
    let path = format!(
        "{MONITORS}/{}",
        listed["monitors"][0]["monitor_id"].as_str().unwrap()
    );
    server.call(&member, Method::DELETE, &path, None).await;
    assert_eq!(ask(&member, one_more).await.status.as_u16(), 200);
}

#[tokio::test]
async fn an_agent_has_one_monitor_that_a_second_call_changes() {
    let receiver = receiver(ResponseTemplate::new(200)).await;
    let (server, member) = world(&receiver).await;
    let first = server
        .monitor(&member, json!({"check_interval_hours": 12}))
        .await;
    assert_eq!(
        (&first["alert_webhook"], first.get("secret")),
        (&Value::Null, None)
    );
    server.clock.advance(HOUR);
    let second = server
        .monitor(
            &member,
            json!({"trust_threshold": 0.9, "alert_webhook": address(&receiver)}),
        )
        .await;
    assert_eq!(second["monitor_id"], first["monitor_id"]);
    assert_eq!(second["next_check"], first["next_check"]);
    assert_eq!(
        (&second["trust_threshold"], &second["check_interval_hours"]),
        (&json!(0.9), &json!(12.0))
    );
    let secret = second["secret"].as_str().unwrap();
    let third = server
        .monitor(
            &member,
            json!({"check_interval_hours": 2, "alert_webhook": address(&receiver)}),
        )
        .await;
    assert_eq!(
        (&third["trust_threshold"], third.get("secret")),
        (&json!(0.9), None)
    );
    assert_eq!(third["next_check"], "2026-03-10T14:00:00Z");
    let elsewhere = format!("{}/elsewhere", receiver.uri());
    let fourth = server
        .monitor(&member, json!({"alert_webhook": elsewhere}))
        .await;
    let other_secret = fourth["secret"].as_str().unwrap();
    assert_ne!(
        other_secret, secret,
        "who knows the old one must not sign for the new address"
    );
    assert_eq!(
        server
            .call(&member, Method::GET, MONITORS, None)
            .await
            .json()["total"],
        1
    );
}

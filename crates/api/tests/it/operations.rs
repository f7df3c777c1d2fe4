//! Operations as values: what they say of themselves, and that another interface is held to the same rules.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use model::{KeyScope, Plan};
use operations::{
    About, Address, Answered, Caller, ClientAddress, Context, Effect, Entry, Gate, Keeping, Limits,
    Member, Operation, Price, Registry, RepeatKey, Result,
};
use serde::Serialize;
use serde_json::{Map, Value, json};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use utoipa::ToSchema;

use crate::contract::compiled;
use crate::support::{TestMember, TestServer};

fn limits(budget: u64) -> Limits {
    Limits {
        budget,
        ..Limits::default()
    }
}

fn arguments(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

fn json_of(answered: &Answered) -> Value {
    serde_json::from_slice(&answered.body).unwrap()
}

/// The caller that a key stands for.
async fn caller(server: &TestServer, member: &TestMember) -> Caller {
    let client = ClientAddress::new("203.0.113.1".parse().unwrap());
    let found: std::sync::Arc<Member> = server
        .state
        .access
        .find_member(&member.key, client, operations::Clock::now(&*server.clock))
        .await
        .unwrap();
    Caller {
        member: Some(found),
        client,
    }
}

#[test]
fn every_operation_describes_itself_once() {
    let registry = Registry::new();
    let document = serde_json::to_value(api::document()).unwrap();
    let mut names = HashSet::new();
    for entry in registry.entries() {
        let about = &entry.about;
        assert!(names.insert(about.name), "{} stands twice", about.name);
        assert!(
            about
                .name
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'_' || byte.is_ascii_digit()),
            "{}",
            about.name
        );
        for text in [about.summary, about.answer] {
            assert!(!text.trim().is_empty(), "{}", about.name);
        }
        assert!(about.summary.ends_with('.'), "{}", about.name);
        let method = about.address.verb.method().to_lowercase();
        let operation = &document["paths"][about.address.path][&method];
        assert!(operation.is_object(), "{} is not documented", about.name);

        let example: Value = serde_json::from_str(about.example).unwrap();
        let example = example.as_object().unwrap();
        let mut parameters = HashSet::new();
        for field in &entry.input.fields {
            assert!(
                parameters.insert(field.name),
                "{} {}",
                about.name,
                field.name
            );
            assert!(!field.meaning.is_empty(), "{} {}", about.name, field.name);
            let Some(value) = example.get(field.name) else {
                assert!(!field.is_required, "{} lacks {}", about.name, field.name);
                continue;
            };
            let schema = serde_json::to_value(&field.schema).unwrap();
            let at = format!("{} {}", about.name, field.name);
            assert!(compiled(&at, &schema).is_valid(value), "{at}: {value}");
        }
        let mut rest = example.clone();
        rest.retain(|name, _| !parameters.contains(name.as_str()));
        match &entry.input.body {
            None => assert!(rest.is_empty(), "{} does not take {rest:?}", about.name),
            Some(body) => {
                let schema = serde_json::to_value(&body.schema).unwrap();
                let faults: Vec<String> = compiled(about.name, &schema)
                    .iter_errors(&Value::Object(rest))
                    .map(|fault| fault.to_string())
                    .collect();
                assert!(faults.is_empty(), "{}: {faults:?}", about.name);
            }
        }
    }
    assert!(names.len() >= 75, "{}", names.len());
}

#[tokio::test]
async fn a_scope_holds_through_every_interface() {
    let server = TestServer::start().await;
    let registry = Registry::new();
    let scope = KeyScope {
        allowed_endpoints: vec!["forex".parse().unwrap()],
        ..KeyScope::default()
    };
    let member = server.member(Plan::Scale, scope).await;
    let caller = caller(&server, &member).await;
    let call = async |name: &str, of: Value| {
        registry
            .call(&server.state, &caller, name, arguments(of), &limits(100))
            .await
    };
    let answered = call("list_currency_pairs", json!({})).await.unwrap();
    assert_eq!(
        (json_of(&answered)["status"].as_str(), answered.credits),
        (Some("ok"), 1)
    );
    for (name, of) in [
        ("show_price", json!({"symbol": "AAPL"})),
        ("search_briefs", json!({"q": "rates"})),
        // A path cannot be escaped from within.
        ("show_price", json!({"symbol": "../forex"})),
    ] {
        let refused = call(name, of).await.unwrap_err();
        assert_eq!(refused.code().word(), "endpoint_not_allowed", "{name}");
    }
    let unknown = call("no_such_operation", json!({})).await.unwrap_err();
    assert_eq!(unknown.code().word(), "not_found");
}

#[tokio::test]
async fn what_is_asked_by_name_is_charged_once_and_never_above_the_budget() {
    let server = TestServer::start().await;
    let registry = Registry::new();
    let member = server.member(Plan::Scale, KeyScope::default()).await;
    let caller = caller(&server, &member).await;
    let used = async || {
        let usage = server.get("/api/v1/usage").bearer(&member.key).send().await;
        usage.json()["credits_used_month"].as_u64().unwrap()
    };
    let call = async |name: &str, of: Value, limits: Limits| {
        registry
            .call(&server.state, &caller, name, arguments(of), &limits)
            .await
    };
    call("list_currency_pairs", json!({}), limits(1))
        .await
        .unwrap();
    assert_eq!(used().await, 1);
    // Too dear, wrong, unknown, and no longer wanted: none of them costs anything.
    let dear = call("show_topic_context", json!({"topic": "rates"}), limits(4)).await;
    assert_eq!(dear.unwrap_err().code().word(), "budget_exceeded");
    let wrong = call("search_briefs", json!({"q": "x"}), limits(9)).await;
    assert_eq!(wrong.unwrap_err().code().word(), "invalid_request");
    let unknown = call("show_price", json!({"symbol": "NOPE"}), limits(9)).await;
    assert_eq!(unknown.unwrap_err().code().word(), "unknown_symbol");
    let ended = limits(9);
    ended.cancel.cancel();
    let unwanted = call("list_currency_pairs", json!({}), ended).await;
    assert_eq!(unwanted.unwrap_err().code().word(), "cancelled");
    let future = call(
        "list_currency_pairs",
        json!({"as_of": "2099-01-01T00:00:00Z"}),
        limits(9),
    );
    assert_eq!(future.await.unwrap_err().code().word(), "invalid_request");
    assert_eq!(used().await, 1);
}

#[tokio::test]
async fn the_demo_key_asks_by_name_only_where_it_may_over_http() {
    for is_admitted in [true, false] {
        let server =
            TestServer::start_with(|settings| settings.service.anonymous = is_admitted).await;
        let client = ClientAddress::new("203.0.113.1".parse().unwrap());
        let demo = Caller {
            member: None,
            client,
        };
        let registry = Registry::new();
        let by_name = registry
            .call(
                &server.state,
                &demo,
                "list_currency_pairs",
                Map::new(),
                &limits(9),
            )
            .await;
        let over_http = server.get("/api/v1/forex").send().await;
        if is_admitted {
            assert_eq!(json_of(&by_name.unwrap()), over_http.json());
        } else {
            let refusal = by_name.unwrap_err().code().word();
            assert_eq!(refusal, "credential_required");
            over_http.expect_error(401, "credential_required");
        }
    }
}

#[tokio::test]
async fn both_ways_answer_alike() {
    let server = TestServer::start().await;
    let registry = Registry::new();
    let member = server.unlimited().await;
    let caller = caller(&server, &member).await;
    for (name, of, path) in [
        (
            "list_briefs",
            json!({"per_page": 5, "sort": "updated"}),
            "/api/v1/feed?per_page=5&sort=updated",
        ),
        ("list_currency_pairs", json!({}), "/api/v1/forex"),
        (
            "show_economic_indicator",
            json!({"indicator": "cpi", "limit": "3"}),
            "/api/v1/economy/cpi?limit=3",
        ),
    ] {
        let by_name = registry
            .call(&server.state, &caller, name, arguments(of), &limits(9))
            .await
            .unwrap();
        let over_http = server.get(path).bearer(&member.key).send().await.json();
        assert_eq!(json_of(&by_name), over_http, "{name}");
    }
}

/// How often [`Deposit`] acted, that it began, and that it may end.
static DEPOSITS: AtomicUsize = AtomicUsize::new(0);
static BEGUN: Semaphore = Semaphore::const_new(0);
static MAY_END: Semaphore = Semaphore::const_new(0);

/// Acts, and waits in the middle of it.
struct Deposit;

#[derive(Serialize, ToSchema)]
struct DepositBody {
    number: usize,
}

impl Operation for Deposit {
    type Input = ();
    type Output = DepositBody;

    const ABOUT: About = About {
        name: "make_deposit",
        address: Address::post("/api/v1/deposit"),
        subject: "account",
        summary: "Makes a deposit.",
        description: "",
        answer: "Its number",
        missing: None,
        example: "{}",
        takes_as_of: false,
        keeping: Keeping::Never,
    };
    const EFFECT: Effect = Effect::Acts;

    async fn run(_: Context, (): ()) -> Result<DepositBody> {
        let number = DEPOSITS.fetch_add(1, Ordering::SeqCst) + 1;
        BEGUN.add_permits(1);
        MAY_END.acquire().await.unwrap().forget();
        Ok(DepositBody { number })
    }
}

#[tokio::test]
async fn an_act_that_was_cancelled_is_repeated_without_acting_or_charging_twice() {
    let server = TestServer::start().await;
    let registry = Registry::of([Entry::of::<Deposit>(Price::fixed(5), Gate::Read)]);
    let member = server.member(Plan::Scale, KeyScope::default()).await;
    let caller = caller(&server, &member).await;
    let used = async || {
        let usage = server.get("/api/v1/usage").bearer(&member.key).send().await;
        usage.json()["credits_used_month"].as_u64().unwrap()
    };
    let under = |key: &str, cancel: &CancellationToken| Limits {
        cancel: cancel.clone(),
        repeat_key: RepeatKey::new(key),
        ..Limits::default()
    };
    let call = async |limits: Limits| {
        registry
            .call(&server.state, &caller, "make_deposit", Map::new(), &limits)
            .await
    };
    let cancel = CancellationToken::new();
    let hang_up = async {
        BEGUN.acquire().await.unwrap().forget();
        cancel.cancel();
    };
    let (first, ()) = tokio::join!(call(under("one", &cancel)), hang_up);
    assert_eq!(first.unwrap_err().code().word(), "cancelled");
    // It goes on without its caller.
    let fresh = CancellationToken::new();
    let running = call(under("one", &fresh)).await.unwrap_err();
    assert_eq!(running.code().word(), "idempotency_in_flight");
    MAY_END.add_permits(1);
    let repeated = loop {
        match call(under("one", &fresh)).await {
            Ok(answered) => break answered,
            Err(error) => assert_eq!(error.code().word(), "idempotency_in_flight"),
        }
        tokio::task::yield_now().await;
    };
    assert_eq!(
        (json_of(&repeated), repeated.credits),
        (json!({"number": 1, "simulated": true}), 0)
    );
    assert_eq!(DEPOSITS.load(Ordering::SeqCst), 1);
    assert_eq!(used().await, 5);
    // Another key is another call; one that was cancelled before it began does nothing.
    let unwanted = call(under("two", &cancel)).await.unwrap_err();
    assert_eq!(unwanted.code().word(), "cancelled");
    assert_eq!(DEPOSITS.load(Ordering::SeqCst), 1);
    MAY_END.add_permits(1);
    let second = call(under("two", &fresh)).await.unwrap();
    assert_eq!(
        (json_of(&second), second.credits),
        (json!({"number": 2, "simulated": true}), 5)
    );
    assert_eq!(used().await, 10);
}

use serde_json::json;

use super::*;

fn check(text: &str, expected: &Value) {
    let inputs = json!({"ticker": "ACME", "limit": 3, "empty": null});
    let prices = json!({
        "price": 12.5, "change_pct": -2.0, "name": "Acme Corp", "tags": ["a", "b"],
        "rows": [
            {"symbol": "A", "change": 3.0, "at": {"close": 10}},
            {"symbol": "B", "change": -1.0, "at": {"close": 8}},
            {"symbol": "C", "at": {"close": 12}},
        ],
        "day": "2026-03-01T12:00:00Z",
    });
    let results = HashMap::from([("prices".to_owned(), Arc::new(prices))]);
    let run = json!({"date": "2026-03-11"});
    let item = json!({"symbol": "X"});
    let scope = Scope {
        inputs: &inputs,
        results: &results,
        run: &run,
        item: Some((&item, 4)),
        item_origin: Origin::Source,
        texts: &HashSet::new(),
        today: Day::parse("2026-03-11").unwrap(),
    };
    let found = parse(text).unwrap().value(scope);
    let found = found.map_or(Value::Null, Cow::into_owned);
    assert_eq!(&found, expected, "{text}");
}

#[test]
fn values_are_found_and_computed() {
    for (text, expected) in [
        ("inputs.ticker", json!("ACME")),
        ("inputs.empty", Value::Null),
        ("nothing.at.all", Value::Null),
        ("prices.rows[0].symbol", json!("A")),
        ("prices.rows.1.symbol", json!("B")),
        ("prices.rows[-1].at.close", json!(12)),
        ("prices.rows[9]", Value::Null),
        ("prices['name']", json!("Acme Corp")),
        ("item.symbol", json!("X")),
        ("index + 1", json!(5)),
        ("1 + 2 * 3 - 4 / 8", json!(6.5)),
        ("-(1 + 1)", json!(-2)),
        ("prices.price / 0", Value::Null),
        ("prices.nothing + 1", Value::Null),
        ("prices.price > 12 and prices.change_pct < 0", json!(true)),
        ("not prices.price > 12 or false", json!(false)),
        ("prices.nothing > 1", json!(false)),
        ("prices.nothing == null", json!(true)),
        ("prices.price != null", json!(true)),
        ("prices.name contains 'acme'", json!(true)),
        ("prices.tags contains 'b'", json!(true)),
        ("exists(prices.nothing)", json!(false)),
        ("coalesce(prices.nothing, inputs.limit)", json!(3)),
        ("if(prices.change_pct < 0, 'fell', 'rose')", json!("fell")),
        ("count(prices.rows)", json!(3)),
        ("sum(prices.rows, 'change')", json!(2)),
        ("mean(prices.rows, 'at.close')", json!(10)),
        ("median(prices.rows, 'at.close')", json!(10)),
        ("max(prices.rows, 'change')", json!(3)),
        ("min(2, 1)", json!(1)),
        ("mean(prices.tags)", Value::Null),
        ("find(prices.rows, 'symbol', 'B').change", json!(-1.0)),
        ("(prices.rows)[0].symbol", json!("A")),
        ("values(prices.rows, 'change')", json!([3.0, -1.0])),
        (
            "overlap(prices.tags, values(prices.rows, 'symbol'))",
            json!([]),
        ),
        ("groups(prices.rows, 'symbol')[0].key", json!("A")),
        ("count(groups(prices.rows, 'symbol'))", json!(3)),
        ("round(2 / 3, 2)", json!(0.67)),
        ("change(8, 10)", json!(25)),
        ("days_since(prices.day)", json!(10)),
        ("days_until(prices.day)", json!(-10)),
        ("round(drawdown(prices.rows, 'at.close'), 0)", json!(-20)),
        ("volatility(prices.rows, 'at.close', 252)", Value::Null),
        ("upper(prices.name)", json!("ACME CORP")),
    ] {
        check(text, &expected);
    }
}

#[test]
fn what_cannot_be_read_says_why() {
    for (text, part) in [
        ("", "empty"),
        ("a ==", "breaks off"),
        ("a = 1", "=="),
        ("a b", "not expected"),
        ("(a", "`)` is missing"),
        ("a[b]", "whole number"),
        ("a.", "name must follow"),
        ("eval(a)", "no function"),
        ("count()", "takes 1"),
        ("'open", "not closed"),
        ("a; b", "means nothing"),
        ("1.2.3", "not a number"),
    ] {
        let fault = parse(text).unwrap_err();
        assert!(fault.contains(part), "{text}: {fault}");
    }
    let deep = format!("{}1{}", "(".repeat(400), ")".repeat(400));
    assert!(parse(&deep).unwrap_err().contains("deep"));
    let negated = "not ".repeat(200) + "a";
    assert!(parse(&negated).unwrap_err().contains("deep"));
    assert!(parse(&"a+".repeat(2_000)).unwrap_err().contains("bytes"));
}

#[test]
fn bars_divide_outside_of_quotes() {
    assert_eq!(
        split_formats("a | join ' | ' | or \"x\""),
        ["a", "join ' | '", "or \"x\""]
    );
}

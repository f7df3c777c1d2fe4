use super::read;

const GOOD: &str = r#"
name = "Price watch"
description = "Tells how a symbol stands."
category = "trading"
tags = ["price"]
required = ["ticker"]
summary = ["${price.ticker} trades at ${price.price | money}.", { each = "${top}", text = "${item.symbol} ${item.change_pct | moved}", before = "Ahead of it are ", after = "." }]

[inputs.ticker]
type = "string"
format = "ticker"

[[steps]]
name = "price"
operation = "show_price"
arguments = { symbol = "${inputs.ticker}" }
on_failure = "stop"

[[steps]]
name = "movers"
operation = "list_market_movers"

[[steps]]
name = "top"
select = "${movers.gainers}"
filter = "item.change_pct > 1"
sort = "-change_pct"
limit = 3

[[steps]]
name = "each"
operation = "show_price"
for_each = "${top}"
at_most = 3
arguments = { symbol = "${item.symbol}" }

[[steps]]
name = "mean"
compute = { change = "mean(top, 'change_pct')", first = "each[0].result.price" }

[output]
price = "${price.price}"
mean = "${mean.change}"
"#;

#[test]
fn a_pipeline_is_read_and_priced() {
    let pipeline = read(GOOD, None).unwrap();
    assert_eq!(pipeline.steps.len(), 5);
    assert_eq!(pipeline.credit_cost(), 1 + 1 + 3);
    assert_eq!(pipeline.least_cost(), 1);
    assert_eq!(pipeline.steps[3].depends, [2]);
    assert_eq!(pipeline.steps[4].depends, [2, 3]);
    assert!(!pipeline.is_personal());
}

/// The fault of the pipeline when one text is replaced.
fn fault(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from}");
    match read(&GOOD.replacen(from, to, 1), None) {
        Ok(_) => format!("{to} is taken"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_fault_is_found_when_a_pipeline_is_saved_and_names_its_line() {
    for (from, to, expected) in [
        (
            "${price.price | money}",
            "${price.prize}",
            "line 7, column 41: price.prize: there is no field \"prize\"; there are",
        ),
        (
            "inputs.ticker}",
            "inputs.tiker}",
            "inputs.tiker: there is no field \"tiker\"; there are ticker",
        ),
        (
            "${movers.gainers}",
            "${mean.change}",
            "step `mean` comes later",
        ),
        (
            "${movers.gainers}",
            "${nothing}",
            "there is no step `nothing`",
        ),
        (
            "${movers.gainers}",
            "${movers.date}",
            "line 25, column 10: a list is expected",
        ),
        (
            "show_price\"",
            "show_prices\"",
            "there is no operation \"show_prices\"; close are show_price",
        ),
        ("show_price\"", "run_agent\"", "run_agent cannot be a step"),
        (
            "show_price\"",
            "revoke_api_key\"",
            "revoke_api_key cannot be a step",
        ),
        (
            "{ symbol = \"${inputs.ticker}\" }",
            "{ ticker = \"A\" }",
            "has no argument \"ticker\"; it takes symbol",
        ),
        (
            "{ symbol = \"${inputs.ticker}\" }",
            "{ symbol = 5 }",
            "symbol: must be of type string",
        ),
        (
            "{ symbol = \"${inputs.ticker}\" }",
            "{}",
            "needs the argument \"symbol\"",
        ),
        (
            "item.change_pct > 1",
            "item.changed > 1",
            "no field \"changed\"",
        ),
        (
            "item.change_pct > 1",
            "item.change_pct >",
            "line 26, column 11: the expression breaks off",
        ),
        ("-change_pct", "-changed", "no field \"changed\""),
        ("'change_pct'", "'changed'", "no field \"changed\""),
        ("at_most = 3", "at_most = 21", "from 1 to 20"),
        (
            "at_most = 3",
            "at_mots = 3",
            "\"at_mots\" means nothing here",
        ),
        (
            "each[0].result.price",
            "each[0].price",
            "there are item, result",
        ),
        (
            "name = \"mean\"",
            "name = \"top\"",
            "another step has this name",
        ),
        (
            "name = \"mean\"",
            "name = \"inputs\"",
            "stands for something else",
        ),
        (
            "category = \"trading\"",
            "category = \"fun\"",
            "line 4, column 12: category must be one of trading, research",
        ),
        ("name = \"Price watch\"\n", "", "a pipeline needs a name"),
        (
            "on_failure = \"stop\"",
            "on_failure = \"retry\"",
            "\"go_on\" or \"stop\"",
        ),
        (
            "compute = { change",
            "select = \"${top}\"\ncompute = { change",
            "a step has one of",
        ),
    ] {
        let found = fault(from, to);
        assert!(found.contains(expected), "{to}: {found}");
    }
}

#[test]
fn what_would_take_too_long_is_refused() {
    let step = |number: usize| {
        format!(
            "[[steps]]\nname = \"s{number}\"\noperation = \"show_price\"\nfor_each = \"${{movers.gainers}}\"\nat_most = 20\narguments = {{ symbol = \"${{item.symbol}}\" }}\n"
        )
    };
    let head = "name = \"Many calls\"\ndescription = \"Calls too often.\"\ncategory = \"trading\"\nsummary = \"Done.\"\n[[steps]]\nname = \"movers\"\noperation = \"list_market_movers\"\n";
    let many: String = (0..4).map(step).collect();
    let fault = read(&format!("{head}{many}"), None)
        .map(drop)
        .unwrap_err()
        .to_string();
    assert!(fault.contains("it may call 60"), "{fault}");
    let steps = bare_steps(5_000);
    let fault = read(&format!("{head}{steps}"), None)
        .map(drop)
        .unwrap_err()
        .to_string();
    assert!(fault.contains("pipeline has"), "{fault}");
    let steps = bare_steps(40);
    let fault = read(&format!("{head}{steps}"), None)
        .map(drop)
        .unwrap_err()
        .to_string();
    assert!(fault.contains("from 1 to 30 steps"), "{fault}");
    let itself = format!("{head}[[steps]]\nname = \"loop\"\ncompute = {{ a = \"loop.a + 1\" }}\n");
    let fault = read(&itself, None).map(drop).unwrap_err().to_string();
    assert!(fault.contains("comes later or is this one"), "{fault}");
}

fn bare_steps(count: usize) -> String {
    let steps: Vec<String> = (0..count)
        .map(|number| format!("[[steps]]\nname = \"s{number}\"\n"))
        .collect();
    steps.concat()
}

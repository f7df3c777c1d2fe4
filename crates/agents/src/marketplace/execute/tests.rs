//! What the program's own agents write when the answers of their operations are given.

use super::*;
use crate::marketplace::builtin::BUILT_IN;

/// The text of an agent, given its inputs and the answers of those of its steps that call operations.
fn told(slug: &str, inputs: Value, answers: &Value) -> String {
    let agent = BUILT_IN.iter().find(|agent| agent.slug == slug).unwrap();
    let today = Day::parse("2022-03-14").unwrap();
    let pipeline = &agent.pipeline;
    let mut knowledge = Knowledge {
        results: HashMap::new(),
        inputs,
        run: json!({"date": today.to_string()}),
        texts: texts_of(pipeline),
        today,
    };
    let mut missing = Vec::new();
    for step in &pipeline.steps {
        let value = match answers.get(&step.name) {
            Some(answer) => Some(answer.clone()),
            None => made(step, knowledge.scope()).ok(),
        };
        let Some(value) = value else { continue };
        let states = value.get("data_status").and_then(Value::as_array);
        for state in states.into_iter().flatten() {
            let mut state = state.clone();
            let field = state["field"].as_str().unwrap_or_default();
            state["field"] = format!("{}.{field}", step.name).into();
            missing.push(state);
        }
        knowledge.results.insert(step.name.clone(), Arc::new(value));
    }
    output(pipeline, &knowledge, &missing, None).0
}

fn says(text: &str, wanted: &[&str], unwanted: &[&str]) {
    for one in wanted {
        assert!(text.contains(one), "no “{one}” in:\n{text}");
    }
    for one in unwanted {
        assert!(!text.contains(one), "“{one}” in:\n{text}");
    }
}

#[test]
fn the_furthest_target_may_lie_below_the_price() {
    let price = |ticker: &str, price: f64| json!({"item": ticker, "result": {"price": price}});
    let rated = |ticker: &str, target: f64| json!({"item": ticker, "result": {"consensus": "hold", "num_analysts": 4, "avg_target": target, "low_target": 1, "high_target": 2}});
    let answers = json!({
        "prices": [price("NVDA", 227.21), price("AAPL", 307.2)],
        "ratings": [rated("NVDA", 203.615), rated("AAPL", 304.685)],
    });
    let text = told(
        "analyst-change-watch",
        json!({"tickers": ["NVDA", "AAPL"], "days": 30}),
        &answers,
    );
    says(
        &text,
        &[
            "The furthest from its mean target is NVDA: the target of 203.62 is 10.4% below its price of 227.21.",
        ],
        &[],
    );
}

#[test]
fn a_correction_is_told_once() {
    let text = told(
        "claim-audit",
        json!({"text": "…", "claims": 5}),
        &json!({"audit": {
            "total_claims": 2, "verified": 1, "contradicted": 1, "unverifiable": 0,
            "overall_verdict": "contradicted", "trust_score": 0.7, "receipt_id": "vr_1",
            "claims": [
                {"claim": "Unemployment is 4.1%.", "verdict": "contradicted", "confidence": 0.9,
                 "correction": "US unemployment rate was 3.5 % in October 2026.",
                 "evidence_chain": [{"source": "FRED", "position": "contradicts", "snippet": "US unemployment rate was 3.5 % in October 2026."}]},
                {"claim": "Seven banks were excluded.", "verdict": "supported", "confidence": 0.8,
                 "evidence_chain": [
                    {"source": "Mint", "position": "neutral", "snippet": "Banks met"},
                    {"source": "Reuters", "position": "supports", "snippet": "The EU excluded seven banks"}]},
            ],
        }}),
    );
    assert_eq!(text.matches("was 3.5 %").count(), 1, "{text}");
    says(
        &text,
        &["Reuters: The EU excluded seven banks."],
        &["Banks met"],
    );
}

#[test]
fn what_is_not_on_record_is_no_finding() {
    let reason = "none of the scanned symbols has the value that dividend\\_yield\\_above needs";
    let text = told(
        "dividend-quality",
        json!({"least_yield": 2, "least_margin": 8, "most_debt": 1.5}),
        &json!({"screen": {"total_scanned": 500, "total_matches": 0, "matches": [], "data_status": [
            {"field": "matches", "reason": "none of the scanned symbols has the value that dividend_yield_above needs"}]},
            "figures": []}),
    );
    says(
        &text,
        &[
            "No company was found to yield more than 2.0%. None of",
            &reason[9..],
        ],
        &["on record yields"],
    );
    let text = told(
        "contradiction-watch",
        json!({"period": "7d"}),
        &json!({"found": {"total": 0, "contradictions": [], "meta": {"newest_available": "2022-03-14T10:00:00Z"}}, "briefs": []}),
    );
    says(
        &text,
        &["in the past seven days. The newest story on record is of 14 Mar 2022."],
        &["newest one"],
    );
    let candles = json!({"currency": "USD", "candle_count": 2, "candles": [
        {"date": "2022-03-11", "close": 100}, {"date": "2022-03-14", "close": 98}]});
    let text = told(
        "drawdown-check",
        json!({"ticker": "AAPL", "benchmark": "SPY", "range": "1y"}),
        &json!({"own": candles, "benchmark": {"candles": [], "candle_count": 0}, "together": {"pairs": []}}),
    );
    says(
        &text,
        &["Of SPY, with which it would be compared, too few prices are on record."],
        &[],
    );
}

#[test]
fn shares_of_unknown_size_are_not_the_largest_and_each_has_a_reason() {
    let row = |ticker: &str, size: Option<f64>| json!({"ticker": ticker, "entity_name": ticker, "price": 10, "date": "2022-03-14", "currency": "USD", "change_pct": 1, "rsi_14": 60, "market_cap_b": size});
    let assessed = |row: &Value| {
        json!({"item": row, "result": {"trade_signal": {"score": 70, "action": "lean_buy",
            "factors": ["a neutral score (50 points)", "momentum 0.78: the price is up over 20 sessions (+16.9 points)"]}}})
    };
    let told = |size| {
        let rows = [row("AAA", size), row("BBB", size)];
        let answers = json!({
            "screen": {"total_matches": 2, "total_scanned": 9, "matches": rows},
            "assessed": [assessed(&rows[0]), assessed(&rows[1])],
        });
        told(
            "momentum-screen",
            json!({"rsi_from": 50, "rsi_to": 68}),
            &answers,
        )
    };
    says(
        &told(None),
        &[
            "2 of them were assessed, the first by symbol, since no market value is on record;",
            "Momentum 0.78",
        ],
        &["largest", "neutral score"],
    );
    says(
        &told(Some(3.0)),
        &["2 of them were assessed, the largest;"],
        &["by symbol"],
    );
}

#[test]
fn figures_have_their_time_and_old_ones_are_said_to_be_old() {
    let old = |name: &str| json!({"field": "yields", "stale": true, "reason": format!("the latest value of {name} is from 2021-12-01, 103 days ago; a daily series is normally updated within 6 days")});
    let monthly = |value: f64| json!({"latest": {"date": "2022-01-01", "value": value}, "observations": [{"date": "2022-01-01", "value": value}, {"date": "2021-12-01", "value": 3.9}]});
    let text = told(
        "macro-dashboard",
        json!({}),
        &json!({
            "indicators": {"indicators": [
                {"name": "Unemployment Rate", "latest_value": 4.0, "unit": "percent", "latest_date": "2022-01-01", "frequency": "monthly"},
                {"name": "Gross Domestic Product", "latest_value": 24777.0, "unit": "billions of USD", "latest_date": "2021-10-01", "frequency": "quarterly"},
            ]},
            "inflation": monthly(7.48), "jobs": monthly(4.0),
            "gdp": {"latest": {"date": "2021-10-01", "value": 24777.0}, "observations": [{"date": "2021-10-01", "value": 24777.0}, {"date": "2021-07-01", "value": 23900.0}]},
            "curve": {"inverted": false, "spread_10y_2y": 0.25, "yields": [{"maturity": "2y", "yield_pct": 1.75, "date": "2021-12-01"}],
                "data_status": [old("2-Year Treasury"), old("10-Year Treasury")]},
            "calendar": {"events": []},
        }),
    );
    says(
        &text,
        &[
            "2 of 12 indicators are on record.",
            "Unemployment was 4.0% in January 2022 after 3.9% the month before.",
            "in the quarter that began in October 2021.",
            "between two and ten years on 1 Dec 2021.",
            "(percent; January 2022).",
            "(billions of USD; quarter from October 2021).",
            "**Out of date**\n\n- The latest value of 2-Year and 10-Year Treasury is from 2021-12-01",
        ],
        &["1 Jan 2022"],
    );
}

#[test]
fn what_changed_since_a_day_reads_back_to_that_day() {
    let agent = BUILT_IN
        .iter()
        .find(|agent| agent.slug == "what-changed-since")
        .unwrap();
    assert!(
        !agent
            .source
            .contains("limit = 50, days = 90 }\n\n[[steps]]\nname = \"signals\"")
    );
    let stories: Vec<Value> = (1..=10)
        .map(|day| json!({"headline": format!("Story {day}"), "published_at": format!("2022-03-{day:02}T10:00:00Z"), "sentiment_score": 0.5}))
        .collect();
    let text = told(
        "what-changed-since",
        json!({"ticker": "AMZN", "since": "2022-03-01"}),
        &json!({
            "company": {"entity_name": "Amazon"}, "candles": {"candles": []}, "news": {"briefs": stories},
            "signals": {"signals": []}, "filings": {"filings": []}, "insider": {"insider_trades": []}, "analysts": {"recent_ratings": []},
        }),
    );
    says(
        &text,
        &[
            "In all 10 stories mention it",
            "**The newest eight stories**",
        ],
        &["**Stories**", "Story 1\n"],
    );
}

#[test]
fn a_few_strong_sectors_are_no_mood_of_the_market() {
    let fund = |ticker: &str, change: f64| json!({"item": ticker, "result": {"candles": [{"date": "2021-12-14", "close": 100.0}, {"date": "2022-03-14", "close": 100.0 + change}]}});
    let funds = ["XLE", "XLF", "XLB", "XLY", "XLP", "XLV", "XLU"];
    let text = told(
        "sector-rotation",
        json!({"funds": funds}),
        &json!({
            "sectors": {"sectors": []}, "spy": {"candles": []}, "details": [],
            "candles": [fund("XLE", 34.5), fund("XLF", -5.1), fund("XLB", -6.8), fund("XLY", -17.4), fund("XLP", -4.5), fund("XLV", -4.0)],
        }),
    );
    says(
        &text,
        &[
            "The market (SPY) has no prices on record",
            "1 of 7 funds have no prices on record.",
        ],
        &["take risk"],
    );
}

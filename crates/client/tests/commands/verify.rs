//! Claims: what is sent, and the verdict as people, programs and spreadsheets read it.

use serde_json::json;

use crate::output::{run, run_at};
use crate::server::Server;

const ANSWER: &str = r#"{"status":"ok","claim":"Rates rose by a quarter point.","verdict":"supported","confidence":0.9123,"confidence_breakdown":{"source_agreement":1},"evidence_chain":[
 {"source":"Daily","position":"supports","snippet":"The bank raised rates by 25 basis points.","url":"https://daily.example/1","published":"2026-03-01T09:30:00.000Z","kind":"corpus","strength":0.8734,"brief_id":"PR-2026-0301-001"},
 {"source":"\u001b[31mEcho","position":"neutral","snippet":"Rates are an issue.","url":null,"published":null,"kind":"knowledge","strength":0.5,"brief_id":null}],
 "summary":"One source supports this claim.","supporting_briefs":[],"contradicting_briefs":[],"nuances":"Only one independent source reports it.","sources_analyzed":4,"source":"corpus","receipt_id":"vr_1","credits_used":3,"processing_time_ms":4}"#;

#[test]
fn a_verdict_is_shown_with_what_it_rests_on() {
    let output = run_at(
        100,
        "verify Rates rose by a quarter~point.",
        &Server::json(ANSWER),
    );
    assert_eq!(
        output.out,
        "\
Rates rose by a quarter point.
verdict     supported
confidence  0.91
sources     4
decided by  corpus
receipt     vr_1

One source supports this claim.
Only one independent source reports it.

POSITION  STRENGTH  SOURCE     PUBLISHED         SAYS
supports      0.87  Daily      2026-03-01 09:30  The bank raised rates by 25 basis points.
neutral       0.50  \u{fffd}[31mEcho  –                 Rates are an issue.
"
    );
    assert_eq!(output.remarks, "credits 3\n");
    assert_eq!(output.exit_code(), 0);
}

#[test]
fn a_claim_is_sent_with_its_category_and_time() {
    let server = Server::json(ANSWER);
    let line = "verify Rates rose. --category economy --as-of 2026-03-02T00:00:00Z --json";
    let output = run(line, &server);
    assert!(
        output.out.contains("\"verdict\": \"supported\""),
        "{}",
        output.out
    );
    let asked = server.asked();
    assert_eq!(
        asked.line,
        "POST /api/v1/verify?as_of=2026-03-02T00%3A00%3A00Z HTTP/1.1"
    );
    assert_eq!(
        asked.json(),
        json!({"claim": "Rates rose.", "context": "economy"})
    );
}

#[test]
fn evidence_is_a_table_for_spreadsheets() {
    let output = run("verify Rates rose. --csv", &Server::json(ANSWER));
    let lines: Vec<&str> = output.out.lines().collect();
    assert_eq!(lines.len(), 3, "{}", output.out);
    assert!(
        lines[0].starts_with("position,strength,source"),
        "{}",
        lines[0]
    );
    assert!(lines[1].contains("https://daily.example/1"));
}

#[test]
fn an_empty_claim_is_a_wrong_use() {
    let output = run("verify ~", &Server::json(ANSWER));
    assert_eq!(output.exit_code(), 2);
}

//! The statements of a product, tested by the verifier as a step of its run.

use serde_json::json;

use crate::figures::count;
use crate::runs::{Done, Run, Verified, mean};

/// Confidence in a statement with no evidence for or against it, and in one that is contradicted.
const OPEN: f64 = 0.4;
const CONTRADICTED: f64 = 0.1;

/// The results of tests, and the reasons why others have none.
///
/// # Errors
///
/// The first reason, if there were tests and none gave a result.
pub(crate) fn parted<T>(results: Vec<Result<T, String>>) -> Result<(Vec<T>, Vec<String>), String> {
    let mut done = Vec::with_capacity(results.len());
    let mut refused = Vec::new();
    for result in results {
        match result {
            Ok(one) => done.push(one),
            Err(reason) => refused.push(reason),
        }
    }
    match refused.first() {
        Some(reason) if done.is_empty() => Err(reason.clone()),
        _ => Ok((done, refused)),
    }
}

/// A sentence on the tests without a result, with the space before it; empty if there are none.
pub(crate) fn refusals(refused: &[String]) -> String {
    refused.first().map_or_else(String::new, |reason| {
        let number = count(refused.len() as u64, "statement", "statements");
        format!(" {number} could not be tested: {reason}.")
    })
}

/// Tests statements in parallel; `word` and `words` are the singular and plural of what they are called. Statements
/// that could not be tested are left out.
pub(crate) async fn test(run: &Run<'_>, claims: &[&str], word: &str, words: &str) -> Vec<Verified> {
    let mut tested = Vec::new();
    let inputs = json!({"claims": claims});
    let step = async {
        let tests = claims.iter().map(|claim| run.verify(claim));
        let results = futures::future::join_all(tests).await;
        let refused;
        (tested, refused) = parted(results)?;
        let supported = tested
            .iter()
            .filter(|one| one.verdict == "supported")
            .count();
        Ok(Done {
            summary: format!(
                "{} tested, {supported} supported.{}",
                count(tested.len() as u64, word, words),
                refusals(&refused)
            ),
            output: json!({"receipts": tested.iter().map(|one| &one.receipt_id).collect::<Vec<_>>()}),
            confidence: mean(tested.iter().map(|one| match one.verdict.as_str() {
                "supported" => one.confidence,
                "contradicted" => CONTRADICTED,
                _ => OPEN,
            })),
            credits: None,
        })
    };
    run.step("verification", inputs, 0, step).await;
    tested
}

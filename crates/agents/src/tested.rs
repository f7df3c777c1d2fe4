//! What a product states, tested by the verifier as a step of its run.

use serde_json::json;

use crate::figures::count;
use crate::runs::{Done, Run, Verified, mean};

/// Confidence in a statement that nothing speaks for and nothing against, and in one that is contradicted.
const OPEN: f64 = 0.4;
const CONTRADICTED: f64 = 0.1;

/// Tests statements side by side; `word` and `words` are what they are called. Those that could not be tested are left out.
pub(crate) async fn test(run: &Run<'_>, claims: &[&str], word: &str, words: &str) -> Vec<Verified> {
    let mut tested = Vec::new();
    let inputs = json!({"claims": claims});
    let step = async {
        let tests = claims.iter().map(|claim| run.verify(claim));
        let results = futures::future::join_all(tests).await;
        tested = results
            .into_iter()
            .filter_map(Result::ok)
            .collect::<Vec<_>>();
        if tested.is_empty() {
            return Err("the verifier answered none of them".to_owned());
        }
        let supported = tested
            .iter()
            .filter(|one| one.verdict == "supported")
            .count();
        Ok(Done {
            summary: format!(
                "{} tested, {supported} supported.",
                count(tested.len() as u64, word, words)
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

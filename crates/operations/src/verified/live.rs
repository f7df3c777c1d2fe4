//! The live web as a second source for a claim that the stored news does not settle.
//!
//! Only the words of the claim leave this server, and only if the operator has configured a service. Whatever goes
//! wrong, the verdict from the stored news stands.

use std::sync::OnceLock;
use std::time::Duration;

use analysis::verification::{Finding, verify_with_live};
use providers::web_search::LONGEST_QUERY;
use tokio::time::{Instant, timeout_at};
use verify::verdict::Reason;

use crate::Context;
use crate::error::ErrorCode;

/// Time limit for the live searches of one request, however many claims it has.
const BUDGET: Duration = Duration::from_secs(6);

/// The remaining time for live searches of one request, counted from its first search.
#[derive(Debug, Default)]
pub(super) struct LiveTime(OnceLock<Instant>);

impl LiveTime {
    fn ends(&self) -> Instant {
        *self.0.get_or_init(|| Instant::now() + BUDGET)
    }
}

/// The finding, complemented by a live search if nothing that is stored decides the claim.
pub(super) async fn look_further(context: &Context, finding: Finding, time: &LiveTime) -> Finding {
    let is_open = matches!(
        finding.assessment.reason,
        Some(Reason::NoEvidence | Reason::Stale)
    );
    if !is_open || context.as_of.0.is_some() || !context.live_web.is_available() {
        return finding;
    }
    let query = words(&finding.claim.text);
    let ends = time.ends();
    if query.is_empty() || Instant::now() >= ends {
        return finding;
    }
    let now = context.clock.now();
    let search = context.live_web.search(context.payer(), &query, now);
    let found = match timeout_at(ends, search).await {
        Ok(Ok(found)) => found,
        Ok(Err(error)) if error.code() == ErrorCode::SourceUnavailable => {
            return finding.with_blocked_search();
        }
        // Nobody was asked: the account, or this server, searches as often as it may.
        Ok(Err(_)) => return finding,
        Err(_) => return finding.with_blocked_search(),
    };
    // What a service that did not answer would have found is not known.
    if found.answer.results.is_empty() && !found.answer.is_complete() {
        return finding.with_blocked_search();
    }
    let results = found.answer.results.clone();
    let outlets = context.outlets.clone();
    match verify_with_live(finding.clone(), results, outlets).await {
        Ok(finding) => finding,
        Err(error) => {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "results of a web search could not be compared: {error}"
            );
            finding
        }
    }
}

/// The words of a claim, as many as are sent. None of them acts as an operator of a search service.
fn words(claim: &str) -> String {
    let mut query = String::new();
    let mut length = 0;
    for word in text::token::words(claim).filter(|word| !matches!(*word, "AND" | "OR" | "NOT")) {
        length += word.chars().count() + usize::from(length > 0);
        if length > LONGEST_QUERY {
            break;
        }
        if !query.is_empty() {
            query.push(' ');
        }
        query.push_str(word);
    }
    query
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_are_sent() {
        assert_eq!(
            words("site:x.example \"Velden\" OR -rates !bang: 4.25%, it's so."),
            "site x.example Velden rates bang 4.25 it's so"
        );
        assert!(words(&"word ".repeat(500)).chars().count() <= LONGEST_QUERY);
        assert_eq!(words(&"é".repeat(400)), "");
    }
}

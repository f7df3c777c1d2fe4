//! Calls by name that act and may be repeated: with the same key they act once and are charged once.
//!
//! The work of such a call belongs to a task of its own. Whoever cancels the call no longer waits for it, but it goes
//! on to its end, because nobody could say how far it had come. A repetition gets its answer, or is told that it is
//! still running.

use std::sync::Arc;

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use store::{Begin, StoredAnswer};
use tracing::Instrument;

use crate::admission;
use crate::attempt::{Attempt, Repeatable};
use crate::context::Context;
use crate::error::{Error, ErrorCode, Result};
use crate::registry::{Answered, Question, say_simulated};

/// A caller's word for a call that it may repeat: 1 to 255 visible ASCII characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepeatKey(Box<str>);

impl RepeatKey {
    const LONGEST: usize = 255;

    /// `None` where the text is empty, too long or not visible ASCII.
    pub fn new(text: &str) -> Option<Self> {
        let fits = (1..=Self::LONGEST).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_graphic());
        fits.then(|| Self(text.into()))
    }
}

/// Distinguishes one call from another under the same key.
pub(crate) fn digest(arguments: &Map<String, Value>) -> [u8; 32] {
    let mut fields: Vec<(&String, &Value)> = arguments.iter().collect();
    fields.sort_unstable_by_key(|(name, _)| *name);
    let mut digest = Sha256::new();
    for (name, value) in fields {
        digest.update(format!("{name:?}={value}\n"));
    }
    digest.finalize().into()
}

/// Does the work of a call, or answers as the first time. Nothing is set aside yet in the charge of `context`.
pub(crate) async fn once(
    mut context: Context,
    key: &RepeatKey,
    tariff: Arc<crate::price::Tariff>,
    (route, digest): (String, [u8; 32]),
    within_budget: Result<()>,
    question: Box<dyn Question>,
) -> Result<Answered> {
    let cancelled = || Error::refused(ErrorCode::Cancelled, "the call was cancelled");
    let cancel = context.limits.cancel.clone();
    if cancel.is_cancelled() {
        return Err(cancelled());
    }
    let (scope, now) = (context.caller.repeat_scope(), context.attempt.now);
    let records = context.store.idempotency();
    match records.begin(&scope, &route, &key.0, &digest, now).await? {
        Begin::Started => {
            if let Err(refusal) = within_budget {
                records.abandon(&scope, &route, &key.0).await?;
                return Err(refusal);
            }
        }
        Begin::Replay(answer) => {
            return Ok(Answered {
                body: say_simulated(context.store.mode(), answer.body),
                credits: 0,
            });
        }
        Begin::InFlight => {
            return Err(Error::retry_later(
                ErrorCode::IdempotencyInFlight,
                1,
                "the first call with this key is still running",
            ));
        }
        Begin::OtherBody => {
            return Err(Error::refused(
                ErrorCode::IdempotencyMismatch,
                "this key was used with other arguments",
            ));
        }
    }
    let repeatable = Repeatable {
        scope: scope.clone(),
        route: route.clone(),
        key: key.0.clone(),
    };
    context.attempt = Arc::new(Attempt::new(Some(repeatable), now));
    let (store, key) = (context.store.clone(), key.0.clone());
    let work = tokio::spawn(act(context, tariff, question).in_current_span());
    // It outlives the call, and so does what has to be done where it fails.
    let whole = tokio::spawn(async move {
        let outcome = work
            .await
            .unwrap_or_else(|fault| Err(Error::internal(fault)));
        if outcome.is_err() {
            // Only a record that was not completed is removed: an effect that was committed keeps its answer.
            if let Err(error) = store.idempotency().abandon(&scope, &route, &key).await {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "the record of a failed call stays until its lease ends: {error}"
                );
            }
        }
        outcome
    });
    tokio::select! {
        biased;
        () = cancel.cancelled() => Err(cancelled()),
        outcome = whole => outcome.unwrap_or_else(|fault| Err(Error::internal(fault))),
    }
}

async fn act(
    context: Context,
    tariff: Arc<crate::price::Tariff>,
    question: Box<dyn Question>,
) -> Result<Answered> {
    let Context {
        services,
        caller,
        charge,
        attempt,
        ..
    } = context.clone();
    charge.pay(&services, &caller, &tariff)?;
    let body = admission::in_time(&services, question.answer(context)).await??;
    let most = tariff.price.most;
    if attempt.is_taken() {
        charge.settle(most).await?;
    } else {
        let (store, answer) = (services.store.clone(), StoredAnswer::json(body.clone()));
        let write = |entry| async move {
            let completion = attempt.completion(&answer);
            store.ledger().append_completing(entry, completion).await?;
            Ok(())
        };
        charge.commit(most, write).await?;
    }
    Ok(Answered {
        body,
        credits: charge.credits(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_key_is_short_and_visible() {
        for (text, fits) in [
            ("order-17", true),
            ("", false),
            ("a b", false),
            ("é", false),
        ] {
            assert_eq!(RepeatKey::new(text).is_some(), fits, "{text:?}");
        }
        assert!(RepeatKey::new(&"k".repeat(255)).is_some());
        assert!(RepeatKey::new(&"k".repeat(256)).is_none());
    }

    #[test]
    fn the_order_of_arguments_does_not_matter() {
        let of = |value: Value| digest(value.as_object().unwrap());
        assert_eq!(of(json!({"a": 1, "b": 2})), of(json!({"b": 2, "a": 1})));
        assert_ne!(of(json!({"a": 1})), of(json!({"a": "1"})));
        assert_ne!(of(json!({"a": 1})), of(json!({"a": 1, "b": null})));
    }
}

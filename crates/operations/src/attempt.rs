//! One try at a call that may be repeated.
//!
//! A call that is repeated with the same key gets the first answer. An operation that acts writes the record of the
//! call in the transaction of its effect, so that both commit together; for all others whoever calls them writes it.
//! What is recorded never bears a secret: a repeated call does not get those fields.

use std::sync::atomic::{AtomicBool, Ordering};

use model::Timestamp;
use serde::Serialize;
use store::{Completion, Store, StoredAnswer};

use crate::error::{Error, Result};

/// One try at a call, to be completed by its effect.
#[derive(Debug)]
pub struct Attempt {
    repeatable: Option<Repeatable>,
    /// When the call came.
    pub now: Timestamp,
    is_taken: AtomicBool,
}

/// Under what a repeated call finds the record.
#[derive(Debug)]
pub struct Repeatable {
    /// Whose keys they are.
    pub scope: String,
    /// Method and path, with its variables filled in.
    pub route: String,
    /// The caller's word for this call.
    pub key: Box<str>,
}

impl Attempt {
    /// At a call that came then.
    pub const fn new(repeatable: Option<Repeatable>, now: Timestamp) -> Self {
        Self {
            repeatable,
            now,
            is_taken: AtomicBool::new(false),
        }
    }

    /// The record for the transaction of the effect; `None` when the caller sent no key. The effect must commit it, or
    /// the operation must fail.
    pub fn completion<'a>(&'a self, answer: &'a StoredAnswer) -> Option<Completion<'a>> {
        let Repeatable { scope, route, key } = self.repeatable.as_ref()?;
        self.is_taken.store(true, Ordering::Relaxed);
        Some(Completion {
            scope,
            route,
            key,
            answer,
            now: self.now,
        })
    }

    /// Writes the record alone.
    pub async fn complete(&self, store: &Store, answer: &StoredAnswer) -> Result<(), store::Error> {
        let Some(Repeatable { scope, route, key }) = &self.repeatable else {
            return Ok(());
        };
        let records = store.idempotency();
        records.complete(scope, route, key, answer, self.now).await
    }

    /// Whether the record is written with the effect.
    pub fn is_taken(&self) -> bool {
        self.is_taken.load(Ordering::Relaxed)
    }
}

/// What a repeated call is answered: all but `secrets`, which are top-level fields.
pub(crate) fn stored_answer<T: Serialize>(answer: &T, secrets: &[&str]) -> Result<StoredAnswer> {
    let body = if secrets.is_empty() {
        serde_json::to_vec(answer)
    } else {
        serde_json::to_value(answer).and_then(|mut answer| {
            if let Some(fields) = answer.as_object_mut() {
                fields.retain(|name, _| !secrets.contains(&name.as_str()));
            }
            serde_json::to_vec(&answer)
        })
    };
    Ok(StoredAnswer::json(body.map_err(Error::internal)?))
}

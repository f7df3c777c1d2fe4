//! What a session asked last, so that `and its P/E?` has a subject.

use model::Timestamp;
use operations::Payer;
use query::Reading;
use quick_cache::sync::Cache;
use uuid::Uuid;

/// Sessions that are remembered.
const MOST: usize = 20_000;
/// A session is forgotten after this time without a question.
const KEPT_MS: i64 = 2 * 3_600 * 1_000;

/// The last question of each session, for whoever asked it.
pub(crate) struct Sessions {
    last: Cache<(Payer, Box<str>), (Timestamp, Box<Reading>)>,
}

impl Default for Sessions {
    fn default() -> Self {
        Self {
            last: Cache::new(MOST),
        }
    }
}

impl Sessions {
    /// What was asked last in a session of this caller.
    pub(crate) fn last(&self, payer: Payer, session: &str, now: Timestamp) -> Option<Reading> {
        let (at, reading) = self.last.get(&(payer, Box::from(session)))?;
        (now.since_ms(at) < KEPT_MS).then_some(*reading)
    }

    pub(crate) fn note(&self, payer: Payer, session: &str, reading: Reading, now: Timestamp) {
        let key = (payer, Box::from(session));
        self.last.insert(key, (now, Box::new(reading)));
    }

    /// The name of a new session.
    pub(crate) fn fresh() -> String {
        format!("ses_{}", Uuid::new_v4().simple())
    }
}

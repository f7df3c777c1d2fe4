//! What a session asked last, so that `and its P/E?` has a subject.

use model::Timestamp;
use operations::Payer;
use query::{Instrument, Reading};
use quick_cache::sync::Cache;
use uuid::Uuid;

/// Sessions that are remembered.
const MOST: usize = 20_000;
/// A session is forgotten after this time without a question.
const KEPT_MS: i64 = 2 * 3_600 * 1_000;

/// Instruments that a session spoke of and that are remembered beyond its last question.
const RECENT: usize = 4;

/// What a session spoke of.
#[derive(Clone)]
pub(crate) struct Spoken {
    /// The last question.
    pub(crate) last: Reading,
    /// The instruments of all questions, the newest first.
    pub(crate) recent: Vec<Instrument>,
}

/// What each session spoke of, for whoever asked it.
pub(crate) struct Sessions {
    last: Cache<(Payer, Box<str>), (Timestamp, Box<Spoken>)>,
}

impl Default for Sessions {
    fn default() -> Self {
        Self {
            last: Cache::new(MOST),
        }
    }
}

impl Sessions {
    /// What was said in a session of this caller.
    pub(crate) fn spoken(&self, payer: Payer, session: &str, now: Timestamp) -> Option<Spoken> {
        let (at, spoken) = self.last.get(&(payer, Box::from(session)))?;
        (now.since_ms(at) < KEPT_MS).then_some(*spoken)
    }

    pub(crate) fn note(&self, payer: Payer, session: &str, reading: Reading, now: Timestamp) {
        let earlier = self.spoken(payer, session, now);
        let earlier = earlier.map(|spoken| spoken.recent).unwrap_or_default();
        let mut recent: Vec<Instrument> = Vec::new();
        for instrument in reading.instruments.iter().cloned().chain(earlier) {
            if recent.len() < RECENT && recent.iter().all(|one| one.symbol != instrument.symbol) {
                recent.push(instrument);
            }
        }
        let spoken = Spoken {
            last: reading,
            recent,
        };
        let key = (payer, Box::from(session));
        self.last.insert(key, (now, Box::new(spoken)));
    }

    /// The name of a new session.
    pub(crate) fn fresh() -> String {
        format!("ses_{}", Uuid::new_v4().simple())
    }
}

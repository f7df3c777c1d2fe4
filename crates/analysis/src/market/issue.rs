//! What is missing from an answer, and why.

use model::Timestamp;

/// A field that is absent, or older than one would wish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataIssue {
    /// The field's name on the wire.
    pub field: &'static str,
    /// Why, in words.
    pub reason: String,
    /// Who reports it, or would, where that is known.
    pub source: Option<String>,
    /// When what is shown was written into this store.
    pub fetched_at: Option<Timestamp>,
    /// When what is shown was reported, or the session of a price ended.
    pub reported_at: Option<Timestamp>,
    /// Until when there is something, where that lies before the period that was asked for.
    pub newest_available: Option<Timestamp>,
    /// Whether what is shown is older than one would wish.
    pub stale: bool,
}

impl DataIssue {
    /// A field that is absent.
    pub fn absent(field: &'static str, reason: impl Into<String>) -> Self {
        Self {
            field,
            reason: reason.into(),
            source: None,
            fetched_at: None,
            reported_at: None,
            newest_available: None,
            stale: false,
        }
    }

    /// A field that is absent in that case; nothing otherwise.
    pub fn absent_if(is_absent: bool, field: &'static str, reason: &str) -> Vec<Self> {
        is_absent
            .then(|| Self::absent(field, reason))
            .into_iter()
            .collect()
    }

    /// A field that is shown although it was reported long ago.
    pub fn stale(field: &'static str, reason: impl Into<String>, reported_at: Timestamp) -> Self {
        Self {
            reported_at: Some(reported_at),
            stale: true,
            ..Self::absent(field, reason)
        }
    }

    /// The same with the time at which what is shown was written into this store, where that is known.
    #[must_use]
    pub fn fetched(self, recorded_at: Option<Timestamp>) -> Self {
        Self {
            fetched_at: recorded_at,
            ..self
        }
    }

    /// A field that is shown, with where it is from.
    pub fn note(field: &'static str, reason: impl Into<String>, source: impl Into<String>) -> Self {
        Self {
            source: Some(source.into()),
            ..Self::absent(field, reason)
        }
    }
}

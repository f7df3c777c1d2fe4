//! What is missing from an answer, and why.

use model::Timestamp;

/// A field that is absent, or older than it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataIssue {
    /// The field's name on the wire.
    pub field: &'static str,
    /// Why, in words.
    pub reason: String,
    /// Who reports it, or would report it, if known.
    pub source: Option<String>,
    /// When the value shown was written to this store.
    pub fetched_at: Option<Timestamp>,
    /// When the value shown was reported, or when the session of a price ended.
    pub reported_at: Option<Timestamp>,
    /// How far the available data goes, if it ends before the requested period.
    pub newest_available: Option<Timestamp>,
    /// Whether the value shown is older than it should be.
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

    /// A field that is absent if the condition holds; otherwise nothing.
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

    /// The same, with the time at which the value shown was written to this store, if known.
    #[must_use]
    pub fn fetched(self, recorded_at: Option<Timestamp>) -> Self {
        Self {
            fetched_at: recorded_at,
            ..self
        }
    }

    /// A field that is shown, with a note on where it comes from.
    pub fn note(field: &'static str, reason: impl Into<String>, source: impl Into<String>) -> Self {
        Self {
            source: Some(source.into()),
            ..Self::absent(field, reason)
        }
    }
}

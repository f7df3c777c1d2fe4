//! Why a request cannot be answered: always something that the caller can correct, and always named.

use crate::Day;

/// A request that cannot be answered as it stands.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// No filter has this name.
    #[error("unknown filter {key}; known filters: {known}")]
    UnknownFilter {
        /// The name given.
        key: String,
        /// The valid names, separated by commas.
        known: String,
    },
    /// The value has the wrong type.
    #[error("filter {key} must be {wanted}")]
    FilterType {
        /// The filter's name.
        key: &'static str,
        /// What it accepts.
        wanted: &'static str,
    },
    /// The value lies outside the meaningful range of the filter.
    #[error("filter {key} must be {wanted}")]
    FilterRange {
        /// The filter's name.
        key: &'static str,
        /// What it accepts.
        wanted: &'static str,
    },
    /// Two filters that nothing can satisfy at once.
    #[error("filters {key} and {other} contradict each other")]
    Contradiction {
        /// One filter.
        key: &'static str,
        /// The other.
        other: &'static str,
    },
    /// A period that begins after the last possible session.
    #[error(
        "from must not be after the newest session of the period: from is {from}, and that session {newest}"
    )]
    AfterNewest {
        /// The first day requested.
        from: Day,
        /// The newest session.
        newest: Day,
    },
    /// A period that ends before the first stored session.
    #[error(
        "to must not be before the first session that is held: to is {to}, and that session {first}"
    )]
    BeforeFirst {
        /// The last day requested.
        to: Day,
        /// The first session.
        first: Day,
    },
    /// A parameter lies outside its range.
    #[error("{name} must be {wanted}")]
    Parameter {
        /// The parameter's name on the wire.
        name: &'static str,
        /// What it accepts.
        wanted: &'static str,
    },
}

impl Error {
    /// The key in the request that caused the error.
    pub fn key(&self) -> &str {
        match self {
            Self::UnknownFilter { key, .. } => key,
            Self::FilterType { key, .. }
            | Self::FilterRange { key, .. }
            | Self::Contradiction { key, .. } => key,
            Self::AfterNewest { .. } => "from",
            Self::BeforeFirst { .. } => "to",
            Self::Parameter { name, .. } => name,
        }
    }
}

//! Why a question cannot be answered: always something that the caller can correct, and always named.

use crate::Day;

/// A question that cannot be answered as it was put.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// No filter has this name.
    #[error("unknown filter {key}; known filters: {known}")]
    UnknownFilter {
        /// The name that was given.
        key: String,
        /// The names that exist here, separated by commas.
        known: String,
    },
    /// The value has the wrong type.
    #[error("filter {key} must be {wanted}")]
    FilterType {
        /// The filter's name.
        key: &'static str,
        /// What it takes.
        wanted: &'static str,
    },
    /// The value lies outside what the filter can mean.
    #[error("filter {key} must be {wanted}")]
    FilterRange {
        /// The filter's name.
        key: &'static str,
        /// What it takes.
        wanted: &'static str,
    },
    /// Two filters that nothing can satisfy together.
    #[error("filters {key} and {other} contradict each other")]
    Contradiction {
        /// One filter.
        key: &'static str,
        /// The other.
        other: &'static str,
    },
    /// A period that begins after the last session that it could have.
    #[error(
        "from must not be after the newest session of the period: from is {from}, and that session {newest}"
    )]
    AfterNewest {
        /// The first day that was asked for.
        from: Day,
        /// The newest session.
        newest: Day,
    },
    /// A period that ends before the first session that is held.
    #[error(
        "to must not be before the first session that is held: to is {to}, and that session {first}"
    )]
    BeforeFirst {
        /// The last day that was asked for.
        to: Day,
        /// The first session.
        first: Day,
    },
    /// A parameter lies outside its range.
    #[error("{name} must be {wanted}")]
    Parameter {
        /// The parameter's name on the wire.
        name: &'static str,
        /// What it takes.
        wanted: &'static str,
    },
}

impl Error {
    /// The key of the request that is to blame.
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

//! `data_status`: what an answer lacks, or shows although it is old, and why.

use analysis::market::Gap;
use serde::Serialize;
use utoipa::ToSchema;

/// Why a field is absent, empty or old.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DataStatusBody {
    /// The field.
    pub(crate) field: &'static str,
    /// Why.
    pub(crate) reason: String,
    /// Where it comes from, or would.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) source: Option<String>,
    /// When what is shown was told; absent where nothing is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fetched_at: Option<String>,
    /// Until when there is something, where that lies before the period.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) newest_available: Option<String>,
    /// Whether what is shown is older than one would wish.
    pub(crate) stale: bool,
}

impl From<Gap> for DataStatusBody {
    fn from(gap: Gap) -> Self {
        Self {
            field: gap.field,
            reason: gap.reason,
            source: gap.source,
            fetched_at: gap.fetched_at.map(|at| at.to_string()),
            newest_available: gap.newest_available.map(|at| at.to_string()),
            stale: gap.stale,
        }
    }
}

/// The gaps of an answer as they are written.
pub(crate) fn written(gaps: Vec<Gap>) -> Vec<DataStatusBody> {
    gaps.into_iter().map(DataStatusBody::from).collect()
}

//! `data_status`: what an answer lacks, or shows although it is old, and why.

use analysis::market::DataIssue;
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
    #[schema(nullable = false)]
    pub(crate) source: Option<String>,
    /// When this server recorded what is shown; absent where nothing is shown, or where it is of many records.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) fetched_at: Option<String>,
    /// When what is shown was reported, or the session of a price ended; absent where nothing is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) reported_at: Option<String>,
    /// Until when there is something, where that lies before the period.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) newest_available: Option<String>,
    /// Whether what is shown is older than one would wish.
    pub(crate) stale: bool,
}

impl From<DataIssue> for DataStatusBody {
    fn from(issue: DataIssue) -> Self {
        Self {
            field: issue.field,
            reason: issue.reason,
            source: issue.source,
            fetched_at: issue.fetched_at.map(|at| at.to_string()),
            reported_at: issue.reported_at.map(|at| at.to_string()),
            newest_available: issue.newest_available.map(|at| at.to_string()),
            stale: issue.stale,
        }
    }
}

/// The gaps of an answer as they are written.
pub(crate) fn written(issues: Vec<DataIssue>) -> Vec<DataStatusBody> {
    issues.into_iter().map(DataStatusBody::from).collect()
}

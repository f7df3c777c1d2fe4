//! `data_status`: what is missing or stale in a response, and why.

use analysis::market::DataIssue;
use serde::Serialize;
use utoipa::ToSchema;

/// Why a field is absent, empty or stale.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DataStatusBody {
    /// Name of the field.
    pub(crate) field: &'static str,
    /// Reason.
    pub(crate) reason: String,
    /// Source of the data, or the source that would provide it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) source: Option<String>,
    /// When this server recorded the data shown; absent if nothing is shown or if the data comes from many records.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) fetched_at: Option<String>,
    /// When the data shown was reported or, for a price, when its session ended; absent if nothing is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) reported_at: Option<String>,
    /// Time up to which data is available, if that is before the period.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) newest_available: Option<String>,
    /// Whether the data shown is out of date.
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

/// The data issues of a response in their output form.
pub(crate) fn written(issues: Vec<DataIssue>) -> Vec<DataStatusBody> {
    issues.into_iter().map(DataStatusBody::from).collect()
}

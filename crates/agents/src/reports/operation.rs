//! The operations on reports: order, show, list, upload, publish, delete, and the free set.

mod body;
mod order;
mod own;
mod show;
mod upload;

pub use body::{ReportBody, ReportProgressBody, ReportStepBody};
pub(crate) use order::Generate;
pub(crate) use own::{Delete, List, Publish};
pub(crate) use show::{Show, ShowCached};
pub(crate) use upload::Upload;

pub use show::readable;

use operations::{Arguments, Error, ErrorCode, Parameters};

/// The most reports of an account that may be in progress at the same time.
const MOST_OPEN: u64 = 50;
/// The most ordered reports that an account can keep.
const MOST_ORDERED: u64 = 10_000;
/// The most uploaded reports that an account can keep.
const MOST_UPLOADED: u64 = 200;

/// A report.
pub(crate) struct ById {
    id: String,
}

impl Parameters for ById {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            id: arguments.path(
                "id",
                "Id of the report: `RPT-` followed by 32 hexadecimal digits",
            ),
        }
    }
}

fn unknown() -> Error {
    Error::not_found("there is no such report")
}

/// The refusal of anything beyond a limit.
fn too_many(error: store::Error) -> Error {
    match error {
        store::Error::Full { .. } => Error::refused(
            ErrorCode::TooManyEntries,
            format!("{error}; wait for some, or delete some first"),
        ),
        other => other.into(),
    }
}

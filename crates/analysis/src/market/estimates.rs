//! What is expected of a company: analyst ratings and upcoming earnings.

use super::records::Records;

/// Reads ratings, price targets and earnings with their estimates.
#[derive(Clone, Debug)]
pub struct Estimates {
    pub(super) records: Records,
}

impl Estimates {
    pub(super) fn new(records: Records) -> Self {
        Self { records }
    }
}

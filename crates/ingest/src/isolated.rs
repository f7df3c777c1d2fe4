//! Work on one item, so that a defect costs only that item.
//!
//! Text written by strangers exposes the defects of whatever reads it. A panic in the pure work on an item (cleaning,
//! annotating, composing) ends here: the item is refused and counted, and its neighbours carry on.

use std::panic::{AssertUnwindSafe, catch_unwind};

use text::clean::Rejection;

/// Why an item is not published.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It is not an article.
    #[error(transparent)]
    Rejected(#[from] Rejection),
    /// Reading it panicked.
    #[error("the item cannot be read: a bug in the reader")]
    Defect,
}

/// Runs the work on one item. The work must own or only read its data: after a panic nobody looks at that data again.
pub(crate) fn isolated<T>(work: impl FnOnce() -> T) -> Result<T, Refusal> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| {
        metrics::counter!("assay_ingest_defects_total").increment(1);
        Refusal::Defect
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_costs_one_item() {
        let read: Vec<_> = ["one", "two", "three"]
            .map(|item| isolated(|| assert!(item != "two", "a defect")))
            .into();
        assert_eq!(read, [Ok(()), Err(Refusal::Defect), Ok(())]);
    }
}

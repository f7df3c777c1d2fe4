//! Work on one item, where a defect costs that item and no other.
//!
//! What strangers write finds the defects of whoever reads it. A panic in the pure work on an item (cleaning,
//! annotating, composing) ends here: the item is refused and counted, its neighbours go on.

use std::panic::{AssertUnwindSafe, catch_unwind};

use text::clean::Rejection;

/// Why an item is not published.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It is no article.
    #[error(transparent)]
    Rejected(#[from] Rejection),
    /// Reading it ended in a panic.
    #[error("the item cannot be read: a bug in the reader")]
    Defect,
}

/// Runs the work on one item. It must own or only read what it works on: after a panic nobody looks at it again.
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

//! When segments are merged.

use tantivy::index::SegmentMeta;
use tantivy::indexer::{LogMergePolicy, MergeCandidate, MergePolicy};

/// A segment with fewer documents than this is soon part of an ordinary merge, which drops its deleted documents
/// anyway.
const LEAST_REWRITTEN: u32 = 5_000;

/// Merges segments of similar size and rewrites large ones when a quarter is deleted.
///
/// Every superseded revision is put again with its end, which deletes its earlier document. The engine's own threshold
/// for deletes merges the whole level as soon as one tiny segment exceeds it, which happens every time with small
/// commits. So only large segments count here, and each is rewritten alone.
#[derive(Debug, Default)]
pub(crate) struct TidyMergePolicy {
    by_size: LogMergePolicy,
}

impl MergePolicy for TidyMergePolicy {
    fn compute_merge_candidates(&self, segments: &[SegmentMeta]) -> Vec<MergeCandidate> {
        let mut candidates = self.by_size.compute_merge_candidates(segments);
        let rewritten: Vec<MergeCandidate> = segments
            .iter()
            .filter(|segment| {
                segment.max_doc() >= LEAST_REWRITTEN
                    && segment.num_deleted_docs() * 4 > segment.max_doc()
            })
            .filter(|segment| {
                !candidates
                    .iter()
                    .any(|candidate| candidate.0.contains(&segment.id()))
            })
            .map(|segment| MergeCandidate(vec![segment.id()]))
            .collect();
        candidates.extend(rewritten);
        candidates
    }
}

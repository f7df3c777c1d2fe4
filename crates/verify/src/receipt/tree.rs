//! The Merkle tree of the log, hashed as RFC 6962 and RFC 9162 define it.
//!
//! Only perfect subtrees are stored: once all leaves below one are there, its hash never changes. The root for any size
//! and every proof are put together from at most two such hashes per level, so a proof at a million leaves reads some
//! thirty rows. Nothing here reads rows: [`Frontier`] says what to write, [`ProofPlan`] what to read.

mod frontier;
mod plan;
#[cfg(test)]
mod tests;
mod verification;

use std::ops::Range;

pub use frontier::{Frontier, Node};
pub use plan::{MissingNode, ProofPlan};
pub use verification::{verify_consistency, verify_inclusion};

use super::Hash;

/// The position of a perfect subtree: `index` counts the subtrees of `2^level` leaves from the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subtree {
    /// 0 for a leaf.
    pub level: u8,
    /// 0 for the leftmost subtree on its level.
    pub index: u64,
}

/// The hash of a leaf with this content.
pub fn leaf_hash(content: &[u8]) -> Hash {
    Hash::of_parts(&[&[0], content])
}

/// The hash of a node with these children.
pub fn node_hash(left: &Hash, right: &Hash) -> Hash {
    Hash::of_parts(&[&[1], left.as_bytes(), right.as_bytes()])
}

/// The perfect subtrees that make up a tree of this size, largest and leftmost first: one for each set bit of the size.
pub fn peaks(size: u64) -> Vec<Subtree> {
    subtrees(0..size)
}

/// The root of the tree whose [`peaks`] have these hashes, in order. Without peaks it is the empty tree's root.
pub fn root(peaks: &[Hash]) -> Hash {
    peaks
        .iter()
        .rev()
        .copied()
        .reduce(|right, left| node_hash(&left, &right))
        .unwrap_or_else(|| Hash::of(b""))
}

/// The perfect subtrees of a range of leaves, left to right. The range must be one that occurs in the RFC's recursion:
/// it starts at a multiple of a power of two that is not shorter than the range.
fn subtrees(leaves: Range<u64>) -> Vec<Subtree> {
    let mut found = Vec::new();
    let mut start = leaves.start;
    while start < leaves.end {
        let level = (leaves.end - start).ilog2();
        found.push(Subtree {
            level: level as u8,
            index: start >> level,
        });
        start += 1 << level;
    }
    found
}

//! Which stored nodes a proof needs, and how it is put together from them.

use std::ops::Range;

use super::{Hash, Subtree, root, subtrees};

/// The hashes of a proof in the order of RFC 6962, each with the stored nodes that it is computed from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofPlan {
    hashes: Vec<Vec<Subtree>>,
}

/// A node that a plan needs is not stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("log node {} of level {} is missing", .0.index, .0.level)]
pub struct MissingNode(pub Subtree);

impl ProofPlan {
    /// The proof that leaf `index` is in the tree of `size` leaves; `None` if the tree is too small for it.
    pub fn inclusion(index: u64, size: u64) -> Option<Self> {
        let mut siblings = Vec::new();
        let mut range = (index < size).then_some(0..size)?;
        while range.end - range.start > 1 {
            let middle = split(&range);
            let (descend, sibling) = if index < middle {
                (range.start..middle, middle..range.end)
            } else {
                (middle..range.end, range.start..middle)
            };
            siblings.push(subtrees(sibling));
            range = descend;
        }
        siblings.reverse();
        Some(Self { hashes: siblings })
    }

    /// The proof that the tree of `new` leaves begins with that of `old` leaves; `None` if `old` is the larger. For
    /// equal sizes and from the empty tree it has no hashes.
    pub fn consistency(old: u64, new: u64) -> Option<Self> {
        let mut hashes = Vec::new();
        let mut range = (old <= new).then_some(0..new)?;
        if old == 0 {
            return Some(Self { hashes });
        }
        while range.end > old {
            let middle = split(&range);
            let (descend, sibling) = if old <= middle {
                (range.start..middle, middle..range.end)
            } else {
                (middle..range.end, range.start..middle)
            };
            hashes.push(subtrees(sibling));
            range = descend;
        }
        // The verifier knows the old root, so it is sent only if it is not a whole subtree of the new tree.
        if range.start > 0 {
            hashes.push(subtrees(range));
        }
        hashes.reverse();
        Some(Self { hashes })
    }

    /// The nodes to read, each listed once.
    pub fn nodes(&self) -> impl Iterator<Item = Subtree> + '_ {
        self.hashes.iter().flatten().copied()
    }

    /// The proof, from the hashes of [`nodes`](Self::nodes).
    pub fn assemble(
        &self,
        mut node: impl FnMut(Subtree) -> Option<Hash>,
    ) -> Result<Vec<Hash>, MissingNode> {
        self.hashes
            .iter()
            .map(|subtrees| {
                let hashes: Vec<Hash> = subtrees
                    .iter()
                    .map(|subtree| node(*subtree).ok_or(MissingNode(*subtree)))
                    .collect::<Result<_, _>>()?;
                Ok(root(&hashes))
            })
            .collect()
    }
}

/// Where the RFC splits a range of at least two leaves: after the largest power of two that is smaller than its length.
fn split(range: &Range<u64>) -> u64 {
    range.start + (1 << (range.end - range.start - 1).ilog2())
}

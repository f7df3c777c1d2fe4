//! Appending: the right edge of the tree, and what each new leaf completes.

use super::{Hash, Subtree, node_hash, peaks, root};

/// A perfect subtree and its hash: one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its position.
    pub subtree: Subtree,
    /// Its hash, which never changes.
    pub hash: Hash,
}

/// The size of a tree and the hashes of its [`peaks`]: everything needed to append.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frontier {
    size: u64,
    hashes: Vec<Hash>,
}

impl Frontier {
    /// The frontier of a stored tree: `hashes` belong to [`peaks`]`(size)`, in that order. `None` if their number does
    /// not fit the size.
    pub fn new(size: u64, hashes: Vec<Hash>) -> Option<Self> {
        (peaks(size).len() == hashes.len()).then_some(Self { size, hashes })
    }

    /// Leaves in the tree.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The root of the tree.
    pub fn root(&self) -> Hash {
        root(&self.hashes)
    }

    /// Appends a leaf and returns the nodes that it completes, starting with itself: the rows to write.
    pub fn append(&mut self, leaf: Hash) -> Vec<Node> {
        let mut subtree = Subtree {
            level: 0,
            index: self.size,
        };
        let mut hash = leaf;
        let mut completed = vec![Node { subtree, hash }];
        while subtree.index % 2 == 1
            && let Some(left) = self.hashes.pop()
        {
            hash = node_hash(&left, &hash);
            subtree = Subtree {
                level: subtree.level + 1,
                index: subtree.index / 2,
            };
            completed.push(Node { subtree, hash });
        }
        self.hashes.push(hash);
        self.size += 1;
        completed
    }

    /// Appends leaves in order and returns all the nodes that they complete.
    pub fn extend(&mut self, leaves: impl IntoIterator<Item = Hash>) -> Vec<Node> {
        leaves
            .into_iter()
            .flat_map(|leaf| self.append(leaf))
            .collect()
    }
}

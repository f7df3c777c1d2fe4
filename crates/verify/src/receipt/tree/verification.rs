//! Verifying proofs with the algorithms in RFC 9162, sections 2.1.3.2 and 2.1.4.2.

use super::{Hash, node_hash};

/// Whether the proof leads from leaf `index` to the root of the tree of `size` leaves.
///
/// A proof alone does not fix the size: for some leaves it has the same shape at several sizes. Take the size and the
/// root from the same signed checkpoint.
pub fn verify_inclusion(leaf: &Hash, index: u64, size: u64, proof: &[Hash], root: &Hash) -> bool {
    if index >= size {
        return false;
    }
    let mut path = Path {
        node: index,
        last: size - 1,
    };
    let mut hash = *leaf;
    for sibling in proof {
        if path.last == 0 {
            return false;
        }
        if path.is_right() {
            hash = node_hash(sibling, &hash);
            path.skip_levels_without_sibling();
        } else {
            hash = node_hash(&hash, sibling);
        }
        path.ascend();
    }
    path.last == 0 && hash == *root
}

/// Whether the tree of `new` leaves begins with the leaves of the tree of `old` leaves.
pub fn verify_consistency(
    old: u64,
    new: u64,
    old_root: &Hash,
    new_root: &Hash,
    proof: &[Hash],
) -> bool {
    if old == new {
        return proof.is_empty() && old_root == new_root;
    }
    if old == 0 {
        return proof.is_empty() && *old_root == super::root(&[]);
    }
    if old > new {
        return false;
    }
    let mut path = Path {
        node: old - 1,
        last: new - 1,
    };
    while path.node % 2 == 1 {
        path.ascend();
    }
    // A tree whose size is a power of two is a whole subtree, and its root is not repeated in the proof.
    let (first, rest) = if old.is_power_of_two() {
        (old_root, proof)
    } else {
        match proof.split_first() {
            Some(found) => found,
            None => return false,
        }
    };
    let (mut old_hash, mut new_hash) = (*first, *first);
    for sibling in rest {
        if path.last == 0 {
            return false;
        }
        if path.is_right() {
            old_hash = node_hash(sibling, &old_hash);
            new_hash = node_hash(sibling, &new_hash);
            path.skip_levels_without_sibling();
        } else {
            new_hash = node_hash(&new_hash, sibling);
        }
        path.ascend();
    }
    path.last == 0 && old_hash == *old_root && new_hash == *new_root
}

/// A node on the way up, and the last node on its level.
struct Path {
    node: u64,
    last: u64,
}

impl Path {
    /// Whether the next sibling is on the left. The last node on a level has none on the right.
    fn is_right(&self) -> bool {
        self.node % 2 == 1 || self.node == self.last
    }

    /// If the last node on a level is a left child, it has no sibling there, and its hash moves up unchanged.
    fn skip_levels_without_sibling(&mut self) {
        while self.node != 0 && self.node.is_multiple_of(2) {
            self.ascend();
        }
    }

    fn ascend(&mut self) {
        self.node /= 2;
        self.last /= 2;
    }
}

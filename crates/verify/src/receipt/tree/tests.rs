//! The published test vectors, a naive definition to compare with, and tampered proofs.

use std::collections::HashMap;

use proptest::prelude::*;

use super::*;

/// The leaves, roots and proofs in the Certificate Transparency test suite (google/certificate-transparency,
/// `merkle_tree_test.cc` and `log_verifier_test.cc`).
const LEAVES: [&str; 8] = [
    "",
    "00",
    "10",
    "2021",
    "3031",
    "40414243",
    "5051525354555657",
    "606162636465666768696a6b6c6d6e6f",
];
const ROOTS: [&str; 9] = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];
const LEAF_1: &str = "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7";
const LEAF_4: &str = "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b";
const LEAVES_2_3: &str = "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e";
const LEAVES_4_5: &str = "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a";
const LEAVES_6_7: &str = "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0";
const LEAVES_4_7: &str = "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4";
const INCLUSION: [(u64, u64, &[&str]); 6] = [
    (0, 1, &[]),
    (0, 8, &[LEAF_1, LEAVES_2_3, LEAVES_4_7]),
    (5, 8, &[LEAF_4, LEAVES_6_7, ROOTS[4]]),
    (2, 3, &[ROOTS[2]]),
    (1, 5, &[ROOTS[1], LEAVES_2_3, LEAF_4]),
    (4, 5, &[ROOTS[4]]),
];
const CONSISTENCY: [(u64, u64, &[&str]); 4] = [
    (1, 1, &[]),
    (1, 8, &[LEAF_1, LEAVES_2_3, LEAVES_4_7]),
    (6, 8, &[LEAVES_4_5, LEAVES_6_7, ROOTS[4]]),
    (2, 5, &[LEAVES_2_3, LEAF_4]),
];

/// A stored log: its leaves and the rows that appending wrote.
#[derive(Default)]
struct Log {
    leaves: Vec<Hash>,
    frontier: Frontier,
    rows: HashMap<Subtree, Hash>,
}

impl Log {
    fn of(leaves: impl IntoIterator<Item = Hash>) -> Self {
        let leaves: Vec<Hash> = leaves.into_iter().collect();
        let mut log = Self {
            leaves: leaves.clone(),
            ..Self::default()
        };
        for node in log.frontier.extend(leaves) {
            assert_eq!(
                log.rows.insert(node.subtree, node.hash),
                None,
                "written twice"
            );
        }
        log
    }

    fn numbered(size: u64) -> Self {
        Self::of((0..size).map(|number| leaf_hash(&number.to_be_bytes())))
    }

    fn root(&self, size: u64) -> Hash {
        let hashes: Vec<Hash> = peaks(size).iter().map(|peak| self.rows[peak]).collect();
        root(&hashes)
    }

    fn prove(&self, plan: &ProofPlan) -> Vec<Hash> {
        plan.assemble(|subtree| self.rows.get(&subtree).copied())
            .unwrap()
    }

    fn inclusion(&self, index: u64, size: u64) -> Vec<Hash> {
        self.prove(&ProofPlan::inclusion(index, size).unwrap())
    }

    fn consistency(&self, old: u64, new: u64) -> Vec<Hash> {
        self.prove(&ProofPlan::consistency(old, new).unwrap())
    }
}

fn hashes(texts: &[&str]) -> Vec<Hash> {
    texts
        .iter()
        .map(|text| Hash::parse(text).unwrap())
        .collect()
}

fn published() -> Log {
    Log::of(LEAVES.map(|leaf| leaf_hash(&hex::decode(leaf).unwrap())))
}

#[test]
fn roots_are_the_published_ones() {
    let log = published();
    for (size, expected) in ROOTS.iter().enumerate() {
        assert_eq!(log.root(size as u64).to_string(), *expected, "size {size}");
    }
    assert_eq!(log.frontier.root(), log.root(8));
}

#[test]
fn inclusion_proofs_are_the_published_ones() {
    let log = published();
    for (index, size, expected) in INCLUSION {
        let expected = hashes(expected);
        assert_eq!(
            log.inclusion(index, size),
            expected,
            "leaf {index} of {size}"
        );
        let leaf = &log.leaves[index as usize];
        assert!(verify_inclusion(
            leaf,
            index,
            size,
            &expected,
            &log.root(size)
        ));
    }
}

#[test]
fn consistency_proofs_are_the_published_ones() {
    let log = published();
    for (old, new, expected) in CONSISTENCY {
        let expected = hashes(expected);
        assert_eq!(log.consistency(old, new), expected, "{old} to {new}");
        assert!(verify_consistency(
            old,
            new,
            &log.root(old),
            &log.root(new),
            &expected
        ));
    }
}

/// The definitions of RFC 6962, section 2.1, word for word.
mod naive {
    use super::*;

    fn middle(leaves: &[Hash]) -> usize {
        leaves.len().next_power_of_two() / 2
    }

    pub(super) fn root(leaves: &[Hash]) -> Hash {
        match leaves {
            [] => Hash::of(b""),
            [leaf] => *leaf,
            _ => {
                let (left, right) = leaves.split_at(middle(leaves));
                node_hash(&root(left), &root(right))
            }
        }
    }

    pub(super) fn inclusion(index: usize, leaves: &[Hash]) -> Vec<Hash> {
        if leaves.len() == 1 {
            return Vec::new();
        }
        let (left, right) = leaves.split_at(middle(leaves));
        let (mut proof, sibling) = if index < left.len() {
            (inclusion(index, left), root(right))
        } else {
            (inclusion(index - left.len(), right), root(left))
        };
        proof.push(sibling);
        proof
    }

    pub(super) fn consistency(old: usize, leaves: &[Hash], old_is_known: bool) -> Vec<Hash> {
        if old == leaves.len() {
            return if old_is_known {
                Vec::new()
            } else {
                vec![root(leaves)]
            };
        }
        let (left, right) = leaves.split_at(middle(leaves));
        let (mut proof, sibling) = if old <= left.len() {
            (consistency(old, left, old_is_known), root(right))
        } else {
            (consistency(old - left.len(), right, false), root(left))
        };
        proof.push(sibling);
        proof
    }
}

#[test]
fn every_root_up_to_300_is_that_of_the_definition() {
    let log = Log::numbered(300);
    for size in 0..=300 {
        let expected = naive::root(&log.leaves[..size as usize]);
        assert_eq!(log.root(size), expected, "size {size}");
    }
}

#[test]
fn a_log_goes_on_from_its_stored_peaks() {
    let whole = Log::numbered(200);
    let begun = Log::numbered(77);
    let stored = peaks(77).iter().map(|peak| begun.rows[peak]).collect();
    let mut frontier = Frontier::new(77, stored).unwrap();
    let later = frontier.extend(whole.leaves[77..].iter().copied());
    assert_eq!(frontier, whole.frontier);
    assert!(
        later
            .iter()
            .all(|node| whole.rows[&node.subtree] == node.hash)
    );
    assert_eq!(begun.rows.len() + later.len(), whole.rows.len());
    assert_eq!(Frontier::new(77, Vec::new()), None);
}

/// A million leaves and more: the number of rows that a proof reads, which is its cost.
#[test]
fn a_proof_at_a_million_leaves_reads_at_most_fifty_nodes() {
    for size in [1_000_000, 1_048_575, 1_048_576, 1_048_577] {
        for part in 0..1_000 {
            let leaf = (size - 1) * part / 999;
            let inclusion = ProofPlan::inclusion(leaf, size).unwrap().nodes().count();
            assert!(inclusion <= 50, "{inclusion} for leaf {leaf} of {size}");
            let consistency = ProofPlan::consistency(leaf + 1, size)
                .unwrap()
                .nodes()
                .count();
            assert!(
                consistency <= 50,
                "{consistency} from {} to {size}",
                leaf + 1
            );
        }
    }
}

#[test]
fn sizes_at_the_end_of_the_numbers_have_plans() {
    assert_eq!(peaks(u64::MAX).len(), 64);
    for size in [u64::MAX, 1 << 63, (1 << 63) + 1] {
        assert!(
            ProofPlan::inclusion(size - 1, size)
                .unwrap()
                .nodes()
                .count()
                <= 128
        );
        assert!(
            ProofPlan::consistency(size / 2 + 1, size)
                .unwrap()
                .nodes()
                .count()
                <= 128
        );
    }
    assert_eq!(ProofPlan::inclusion(3, 3), None);
    assert_eq!(ProofPlan::consistency(4, 3), None);
    assert_eq!(ProofPlan::consistency(0, 3).unwrap().nodes().count(), 0);
}

#[test]
fn a_missing_row_is_named() {
    let plan = ProofPlan::inclusion(0, 8).unwrap();
    let missing = plan.assemble(|_| None).unwrap_err();
    assert_eq!(missing.to_string(), "log node 1 of level 0 is missing");
}

/// Every variant that differs from the proof by one bit, one hash more or one hash less.
fn tampered(proof: &[Hash], bit: usize) -> Vec<Vec<Hash>> {
    let mut found = Vec::new();
    for place in 0..proof.len() {
        let mut changed = proof.to_vec();
        changed[place] = flipped(&proof[place], bit);
        let mut shorter = proof.to_vec();
        shorter.remove(place);
        let mut longer = proof.to_vec();
        longer.insert(place, proof[place]);
        found.extend([changed, shorter, longer]);
    }
    found.push([proof, &[Hash::of(b"")]].concat());
    found
}

fn flipped(hash: &Hash, bit: usize) -> Hash {
    let mut bytes = *hash.as_bytes();
    bytes[bit / 8] ^= 1 << (bit % 8);
    Hash::from_bytes(bytes)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn inclusion_is_the_definition_and_nothing_else(size in 1_u64..300, part in 0.0..1.0_f64, bit in 0_usize..256) {
        let index = (size as f64 * part) as u64;
        let log = Log::numbered(size);
        let (leaf, root) = (log.leaves[index as usize], log.root(size));
        let proof = log.inclusion(index, size);
        prop_assert_eq!(&proof, &naive::inclusion(index as usize, &log.leaves));
        prop_assert!(verify_inclusion(&leaf, index, size, &proof, &root));
        prop_assert!(!verify_inclusion(&flipped(&leaf, bit), index, size, &proof, &root));
        prop_assert!(!verify_inclusion(&leaf, index, size, &proof, &flipped(&root, bit)));
        for other in 0..size + 3 {
            prop_assert!(other == index || !verify_inclusion(&leaf, other, size, &proof, &root));
        }
        for proof in tampered(&proof, bit) {
            prop_assert!(!verify_inclusion(&leaf, index, size, &proof, &root));
        }
        // Another size has another root, and a proof fits only its own.
        let longer = Log::numbered(2 * size + 1);
        for other in (0..size).chain(size + 1..=2 * size + 1) {
            prop_assert!(!verify_inclusion(&leaf, index, other, &proof, &longer.root(other)));
        }
    }

    #[test]
    fn consistency_is_the_definition_and_nothing_else(new in 1_u64..300, part in 0.0..1.0_f64, bit in 0_usize..256) {
        let old = (new as f64 * part) as u64 + 1;
        let log = Log::numbered(new);
        let (old_root, new_root) = (log.root(old), log.root(new));
        let proof = log.consistency(old, new);
        prop_assert_eq!(&proof, &naive::consistency(old as usize, &log.leaves, true));
        prop_assert!(verify_consistency(old, new, &old_root, &new_root, &proof));
        prop_assert!(!verify_consistency(old, new, &flipped(&old_root, bit), &new_root, &proof));
        prop_assert!(!verify_consistency(old, new, &old_root, &flipped(&new_root, bit), &proof));
        for proof in tampered(&proof, bit) {
            prop_assert!(!verify_consistency(old, new, &old_root, &new_root, &proof));
        }
        for other in (1..=new).filter(|other| *other != old) {
            prop_assert!(!verify_consistency(other, new, &log.root(other), &new_root, &proof));
        }
    }

    #[test]
    fn a_history_that_was_rewritten_has_no_proof(size in 2_u64..200, part in 0.0..1.0_f64) {
        let changed = (size as f64 * part) as u64;
        let honest = Log::numbered(size);
        let mut leaves = honest.leaves.clone();
        leaves[changed as usize] = leaf_hash(b"something else");
        let rewritten = Log::of(leaves);
        for old in changed + 1..size {
            let proof = rewritten.consistency(old, size);
            prop_assert!(!verify_consistency(old, size, &honest.root(old), &rewritten.root(size), &proof));
        }
    }
}

//! Near-duplicates: how much of the wording two texts share.
//!
//! A text is represented by the set of its word triples, and the smallest of their hashes are kept. Two such samples
//! estimate the Jaccard similarity of the sets without the texts. Headlines have few triples, so short texts also count
//! single words and pairs, and a changed word then costs less.

use crate::token;

/// How many hashes are kept.
const SIZE: usize = 64;

/// Texts with fewer words are sampled by words, pairs and triples.
const SHORT: usize = 30;

/// The smallest hashes of the word shingles of a text, ascending and distinct, at most 64.
pub fn sketch(text: &str) -> Vec<u32> {
    let words: Vec<u64> = token::words(text)
        .map(hash_word)
        .filter(|hash| *hash != EMPTY)
        .collect();
    let longest: usize = 3;
    let lengths = if words.len() < SHORT {
        1..=longest
    } else {
        longest..=longest
    };
    let mut hashes: Vec<u32> = lengths
        .flat_map(|length| words.windows(length))
        .map(hash_shingle)
        .collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes.truncate(SIZE);
    hashes
}

/// Estimated Jaccard similarity of the shingle sets behind two sketches, 0 to 1.
pub fn overlap(left: &[u32], right: &[u32]) -> f64 {
    let (mut first, mut second) = (0, 0);
    let (mut union, mut shared) = (0_u32, 0_u32);
    // The smallest hashes of the union are a sample of it. Beyond them a sketch may have been cut off.
    while union < SIZE as u32 && (first < left.len() || second < right.len()) {
        match (left.get(first), right.get(second)) {
            (Some(one), Some(other)) if one == other => {
                shared += 1;
                first += 1;
                second += 1;
            }
            (Some(one), Some(other)) if one < other => first += 1,
            (Some(_), None) => first += 1,
            _ => second += 1,
        }
        union += 1;
    }
    if union == 0 {
        0.0
    } else {
        f64::from(shared) / f64::from(union)
    }
}

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;
const EMPTY: u64 = OFFSET;

/// FNV-1a of the letters and digits in lower case: `U.S.` is `us`, `Don’t` is `don't`. The result is stored, so it must
/// not change.
fn hash_word(word: &str) -> u64 {
    let mut hash = OFFSET;
    let mut buffer = [0; 4];
    for character in word
        .chars()
        .filter(|character| character.is_alphanumeric())
        .flat_map(char::to_lowercase)
    {
        for byte in character.encode_utf8(&mut buffer).bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(PRIME);
        }
    }
    hash
}

fn hash_shingle(words: &[u64]) -> u32 {
    let mut hash = OFFSET ^ words.len() as u64;
    for word in words {
        hash = (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    // The splitmix64 finaliser: the lowest values must be a fair sample.
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((hash ^ (hash >> 31)) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A text whose words are drawn from a vocabulary by a fixed recurrence.
    fn article(seed: u64, words: usize) -> Vec<String> {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        (0..words)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                format!("w{}", state % 700)
            })
            .collect()
    }

    fn between(left: &str, right: &str) -> f64 {
        overlap(&sketch(left), &sketch(right))
    }

    #[test]
    fn lightly_edited_copies_are_near() {
        for seed in 1..40 {
            let original = article(seed, 400);
            let text = original.join(" ");
            let mut edited = original.clone();
            for (at, word) in edited.iter_mut().enumerate() {
                if at % 12 == 5 {
                    *word = format!("other{at}");
                }
            }
            assert!(
                between(&text, &edited.join(" ")) > 0.45,
                "one word in twelve changed"
            );
            assert!(between(&text, &original[..280].join(" ")) > 0.5, "tail cut");
            assert!(
                between(
                    &text,
                    &format!("Example City, 5 March, by our own correspondent: {text}")
                ) > 0.8,
                "prefix"
            );
            assert!(
                between(&text, &article(seed + 1000, 400).join(" ")) < 0.1,
                "another article"
            );
        }
    }

    #[test]
    fn headlines_bear_a_changed_word() {
        let headline = "Central bank raises its key rate by half a point to fight inflation";
        assert!(
            between(
                headline,
                "Central Bank raises key rate by half a point to fight inflation"
            ) > 0.5
        );
        assert!(
            between(
                headline,
                "Striker signs three year deal after long talks with the club"
            ) < 0.1
        );
        assert!(sketch("").is_empty());
        assert_eq!(between("", ""), 0.0);
        assert_eq!(between("U.S. Stocks", "us stocks"), 1.0);
    }

    proptest! {
        #[test]
        fn overlap_is_a_similarity(left in "([a-e]{1,2} ){0,200}", right in "([a-e]{1,2} ){0,200}", apart in "([v-z]{1,2} ){0,80}") {
            let (first, second) = (sketch(&left), sketch(&right));
            let value = overlap(&first, &second);
            prop_assert!((0.0..=1.0).contains(&value));
            prop_assert_eq!(value, overlap(&second, &first));
            if !first.is_empty() {
                prop_assert_eq!(overlap(&first, &first), 1.0);
            }
            prop_assert_eq!(overlap(&first, &sketch(&apart)), 0.0);
            prop_assert!(first.windows(2).all(|pair| pair[0] < pair[1]) && first.len() <= SIZE);
        }
    }
}

//! The compact encoding of features: a version byte, two counts, then plain little-endian numbers.
//!
//! Hundreds of thousands of them are read when clustering starts; as JSON they would be four times as large.

use model::Features;

use crate::{Error, Result};

const VERSION: u8 = 1;

/// Features as stored.
pub(crate) fn encode(features: &Features) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(9 + features.terms.len() * 8 + features.sketch.len() * 4);
    bytes.push(VERSION);
    bytes.extend((features.terms.len() as u32).to_le_bytes());
    bytes.extend((features.sketch.len() as u32).to_le_bytes());
    for (term, _) in &features.terms {
        bytes.extend(term.to_le_bytes());
    }
    for (_, weight) in &features.terms {
        bytes.extend(weight.to_le_bytes());
    }
    for hash in &features.sketch {
        bytes.extend(hash.to_le_bytes());
    }
    bytes
}

/// Features as stored under article `seq`.
pub(crate) fn decode(bytes: &[u8], seq: i64) -> Result<Features> {
    read(bytes).ok_or_else(|| Error::corrupt("article_feature", seq.to_string()))
}

fn read(bytes: &[u8]) -> Option<Features> {
    let (&version, rest) = bytes.split_first()?;
    let (words, remainder) = rest.as_chunks::<4>();
    let [terms, sketch, words @ ..] = words else {
        return None;
    };
    let (terms, sketch) = (
        u32::from_le_bytes(*terms) as usize,
        u32::from_le_bytes(*sketch) as usize,
    );
    let expected = terms.checked_mul(2)?.checked_add(sketch)?;
    if version != VERSION || !remainder.is_empty() || words.len() != expected {
        return None;
    }
    let (hashes, rest) = words.split_at(terms);
    let (weights, sketch) = rest.split_at(terms);
    let terms = hashes.iter().zip(weights);
    Some(Features {
        terms: terms
            .map(|(term, weight)| (u32::from_le_bytes(*term), f32::from_le_bytes(*weight)))
            .collect(),
        sketch: sketch
            .iter()
            .map(|hash| u32::from_le_bytes(*hash))
            .collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_encoded_decodes(
            terms in prop::collection::vec((any::<u32>(), -1e3_f32..1e3), 0..200),
            sketch in prop::collection::vec(any::<u32>(), 0..130),
        ) {
            let features = Features { terms, sketch };
            prop_assert_eq!(decode(&encode(&features), 1).unwrap(), features);
        }

        #[test]
        fn nonsense_is_refused_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            if let Ok(features) = decode(&bytes, 1) {
                prop_assert_eq!(encode(&features).len(), bytes.len());
            }
        }
    }

    #[test]
    fn what_is_cut_off_is_refused() {
        let bytes = encode(&Features {
            terms: vec![(1, 0.5), (2, 0.5)],
            sketch: vec![3],
        });
        for end in 0..bytes.len() {
            assert!(decode(&bytes[..end], 7).is_err());
        }
    }
}

//! The compact encoding of features: a version byte and three counts, followed by plain little-endian numbers.
//!
//! Hundreds of thousands of them are read when clustering starts; as JSON they would take four times the space.

use model::Features;

use crate::{Error, Result};

/// For features with the headline's terms, its pattern, the names, the report probability and the meaning after the
/// sketch.
const VERSION: u8 = 4;
/// For features whose report probability is unknown.
const WITHOUT_REPORT: u8 = 3;
/// For features without names.
const WITHOUT_NAMES: u8 = 2;
/// For features that end with the sketch.
const WITHOUT_HEADLINE: u8 = 1;

/// Features as stored.
pub(crate) fn encode(features: &Features) -> Vec<u8> {
    let hashes = features.sketch.len() + features.headline.len() + features.names.len();
    let numbers = 5 + features.terms.len() * 2 + hashes;
    let mut bytes = Vec::with_capacity(2 + numbers * 4 + features.meaning.len());
    bytes.push(VERSION);
    bytes.extend((features.terms.len() as u32).to_le_bytes());
    bytes.extend((features.sketch.len() as u32).to_le_bytes());
    bytes.extend((features.headline.len() as u32).to_le_bytes());
    for (term, _) in &features.terms {
        bytes.extend(term.to_le_bytes());
    }
    for (_, weight) in &features.terms {
        bytes.extend(weight.to_le_bytes());
    }
    for hash in features.sketch.iter().chain(&features.headline) {
        bytes.extend(hash.to_le_bytes());
    }
    bytes.extend(features.pattern.to_le_bytes());
    bytes.extend((features.names.len() as u32).to_le_bytes());
    for name in &features.names {
        bytes.extend(name.to_le_bytes());
    }
    bytes.push(features.report);
    bytes.extend(&features.meaning);
    bytes
}

/// Features as stored under article `seq`.
pub(crate) fn decode(bytes: &[u8], seq: i64) -> Result<Features> {
    read(bytes).ok_or_else(|| Error::corrupt("article_feature", seq.to_string()))
}

fn read(bytes: &[u8]) -> Option<Features> {
    let (&version, bytes) = bytes.split_first()?;
    let mut rest = Numbers(bytes);
    let (terms, sketch) = (rest.next()?, rest.next()?);
    let headline = match version {
        VERSION | WITHOUT_REPORT | WITHOUT_NAMES => rest.next()?,
        WITHOUT_HEADLINE => 0,
        _ => return None,
    };
    let hashes = rest.take(terms)?;
    let weights = rest.take(terms)?.into_iter().map(f32::from_bits);
    let mut features = Features {
        terms: hashes.into_iter().zip(weights).collect(),
        sketch: rest.take(sketch)?,
        headline: rest.take(headline)?,
        ..Features::default()
    };
    if version != WITHOUT_HEADLINE {
        features.pattern = rest.next()?;
        if version != WITHOUT_NAMES {
            let names = rest.next()?;
            features.names = rest.take(names)?;
        }
        if version == VERSION {
            let (report, meaning) = rest.0.split_first()?;
            (features.report, rest.0) = (*report, meaning);
        }
        features.meaning = rest.0.to_vec();
    } else if !rest.0.is_empty() {
        return None;
    }
    Some(features)
}

/// Numbers that have not been read yet.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn next(&mut self) -> Option<u32> {
        let (number, rest) = self.0.split_first_chunk::<4>()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*number))
    }

    /// Takes this many of them; no memory is allocated for any before it is known to be there.
    fn take(&mut self, count: u32) -> Option<Vec<u32>> {
        let (numbers, rest) = self.0.split_at_checked((count as usize).checked_mul(4)?)?;
        self.0 = rest;
        let (numbers, _) = numbers.as_chunks::<4>();
        Some(
            numbers
                .iter()
                .map(|number| u32::from_le_bytes(*number))
                .collect(),
        )
    }
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
            headline in prop::collection::vec(any::<u32>(), 0..30),
            pattern in any::<u32>(),
            names in prop::collection::vec(any::<u32>(), 0..30),
            meaning in prop::collection::vec(any::<u8>(), 0..130),
            report in any::<u8>(),
        ) {
            let features = Features { terms, sketch, headline, pattern, names, meaning, report };
            prop_assert_eq!(decode(&encode(&features), 1).unwrap(), features);
        }

        #[test]
        fn nonsense_is_refused_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            if let Ok(features) = decode(&bytes, 1) {
                prop_assert_eq!(decode(&encode(&features), 1).unwrap().terms.len(), features.terms.len());
            }
        }
    }

    #[test]
    fn what_is_cut_off_is_refused() {
        let bytes = encode(&Features {
            terms: vec![(1, 0.5), (2, 0.5)],
            sketch: vec![3],
            headline: vec![2],
            pattern: 7,
            names: vec![4],
            meaning: Vec::new(),
            report: 200,
        });
        for end in 0..bytes.len() {
            assert!(decode(&bytes[..end], 7).is_err());
        }
    }

    #[test]
    fn features_of_which_the_form_is_not_known_are_read() {
        let mut bytes = vec![3];
        for number in [1_u32, 1, 1, 5, 0.5_f32.to_bits(), 9, 6, 7, 1, 4] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend([1, 2]);
        let features = decode(&bytes, 1).unwrap();
        assert_eq!((features.names.as_slice(), features.report), (&[4][..], 0));
        assert_eq!(features.meaning, [1, 2]);
        assert_eq!(decode(&encode(&features), 1).unwrap(), features);
    }

    #[test]
    fn features_without_names_are_read() {
        let mut bytes = vec![2];
        for number in [1_u32, 1, 1, 5, 0.5_f32.to_bits(), 9, 6, 7] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend([1, 2]);
        let features = decode(&bytes, 1).unwrap();
        assert_eq!(
            (features.headline.as_slice(), features.pattern),
            (&[6][..], 7)
        );
        assert_eq!(
            (features.names.len(), features.meaning.as_slice()),
            (0, &[1, 2][..])
        );
        assert_eq!(decode(&encode(&features), 1).unwrap(), features);
    }

    #[test]
    fn features_without_a_headline_are_read() {
        let mut bytes = vec![1];
        for number in [1_u32, 1, 5, 0.5_f32.to_bits(), 9] {
            bytes.extend(number.to_le_bytes());
        }
        let features = decode(&bytes, 1).unwrap();
        assert_eq!(
            (features.terms.as_slice(), features.sketch.as_slice()),
            (&[(5, 0.5)][..], &[9][..])
        );
        assert_eq!(
            (
                features.headline.len(),
                features.pattern,
                features.meaning.len()
            ),
            (0, 0, 0)
        );
        bytes.extend([0; 4]);
        assert!(decode(&bytes, 1).is_err());
    }
}

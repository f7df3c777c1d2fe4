//! What the wording of a passage does to a claim: a transformer of five layers reads both together.
//!
//! It begins its fitting as the first four layers and the last of all-MiniLM-L6-v2 (`scripts/fit_encoder.py`, docs/decisions/0023).

use std::sync::LazyLock;

use crate::body::{Body, Input, Wanted, tanh};
use crate::weights::{Dense, Rest};
use crate::{END, LONGEST, START, WIDTH, rounded};

const LAYERS: usize = 5;
const CLASSES: usize = 3;
/// Pieces that are read of a claim.
const LONGEST_CLAIM: usize = 56;
/// Pairs that are read together: more would take more memory and hardly less time.
const TOGETHER: usize = 4;

pub(crate) static FILE: &[u8] = include_bytes!("../data/stance.bin");
static READER: LazyLock<Reader> = LazyLock::new(|| Reader::parse(FILE));

struct Reader {
    body: Body,
    pool: Dense,
    answer: Dense,
}

/// A claim with a passage, as word pieces.
pub struct Pair {
    pieces: Vec<u16>,
    /// Pieces up to the passage.
    claim: usize,
}

impl Pair {
    /// What is too long is cut.
    pub fn new(claim: &[u16], passage: &[u16]) -> Self {
        let claim = &claim[..claim.len().min(LONGEST_CLAIM)];
        let passage = &passage[..passage.len().min(LONGEST - 3 - claim.len())];
        let mut pieces = Vec::with_capacity(claim.len() + passage.len() + 3);
        pieces.push(START);
        pieces.extend_from_slice(claim);
        pieces.push(END);
        pieces.extend_from_slice(passage);
        pieces.push(END);
        Self {
            pieces,
            claim: claim.len() + 2,
        }
    }
}

/// Of each pair three logits: supports, contradicts, neutral.
pub fn read(pairs: &[Pair]) -> Vec<[f32; 3]> {
    pairs
        .chunks(TOGETHER)
        .flat_map(|pairs| READER.read(pairs))
        .collect()
}

impl Reader {
    fn parse(file: &'static [u8]) -> Self {
        let mut rest = Rest(file);
        rest.rows();
        Self {
            body: rest.body(LAYERS),
            pool: rest.dense(WIDTH, WIDTH),
            answer: rest.dense(WIDTH, CLASSES),
        }
    }

    fn read(&self, pairs: &[Pair]) -> Vec<[f32; CLASSES]> {
        let inputs: Vec<Input<'_>> = pairs
            .iter()
            .map(|pair| Input {
                pieces: &pair.pieces,
                second: pair.claim,
            })
            .collect();
        let mut pooled = self.pool.map(&self.body.states(&inputs, Wanted::First));
        pooled.mapv_inplace(tanh);
        let answers = self.answer.map(&pooled);
        let mut answers = rounded(answers);
        pairs
            .iter()
            .map(|_| std::array::from_fn(|_| answers.next().unwrap_or(0.0)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::STEPS;
    use crate::weights::tests::{TABLE, body, linear, median_of_rounds};

    /// Claims and passages as pieces, and what torch makes of them with the weights of the file (the end of `scripts/fit_encoder.py`).
    const GOLDEN: [(&[u16], &[u16], [f32; CLASSES]); 3] = [
        // Oil prices fell on Monday. – Crude climbed 3% on Monday, its best day in a month.
        (
            &[3514, 7597, 3062, 2006, 6928, 1012],
            &[
                13587, 6589, 1017, 1003, 2006, 6928, 1010, 2049, 2190, 2154, 1999, 1037, 3204, 1012,
            ],
            [-1.4048, 2.7915, -1.2860],
        ),
        // The court upheld the ban. – Judges confirm smoking ban. An appeal by landlords was dismissed on Friday.
        (
            &[1996, 2457, 16813, 1996, 7221, 1012],
            &[
                6794, 12210, 9422, 7221, 1012, 2019, 5574, 2011, 18196, 2015, 2001, 7219, 2006,
                5958, 1012,
            ],
            [-0.7704, -0.9129, 1.3028],
        ),
        // Die Zürich-Filiale closed – for good. – The bank’s branch in Zürich will be renovated.
        (
            &[
                3280, 10204, 1011, 10882, 6632, 2571, 2701, 1516, 2005, 2204, 1012,
            ],
            &[
                1996, 2924, 1521, 1055, 3589, 1999, 10204, 2097, 2022, 10601, 1012,
            ],
            [-1.6220, -0.2352, 1.4965],
        ),
    ];

    #[test]
    fn the_script_reads_the_same() {
        for (claim, passage, expected) in GOLDEN {
            let found = read(&[Pair::new(claim, passage)])[0];
            for (found, expected) in found.iter().zip(expected) {
                assert!(
                    (found - expected).abs() <= 1.01 / STEPS,
                    "{found} {expected}"
                );
            }
        }
    }

    #[test]
    fn a_pair_is_read_the_same_beside_others() {
        let long = GOLDEN[1].1.repeat(40);
        let texts: [(&[u16], &[u16]); 4] = [
            (GOLDEN[0].0, GOLDEN[1].1),
            (&[], &[]),
            (&long, &long),
            (GOLDEN[2].0, GOLDEN[0].1),
        ];
        let pairs: Vec<Pair> = texts
            .map(|(claim, passage)| Pair::new(claim, passage))
            .into();
        assert!(pairs.iter().all(|pair| pair.pieces.len() <= LONGEST));
        let together = read(&pairs);
        for (pair, found) in pairs.into_iter().zip(together) {
            assert_eq!(read(&[pair]), [found]);
            assert!(found.iter().all(|share| share.is_finite()));
        }
        assert!(read(&[]).is_empty());
    }

    #[test]
    fn the_file_ends_with_the_last_number() {
        let expected = TABLE + body(LAYERS) + linear(WIDTH, WIDTH) + linear(WIDTH, CLASSES);
        assert_eq!(FILE.len(), expected);
        assert!(READER.answer.bias.iter().any(|value| *value != 0.0));
    }

    /// Prints what eight pairs of 64 pieces take, as a verdict reads them: the median of rounds.
    #[test]
    #[ignore = "a measurement"]
    fn what_a_pair_takes() {
        let pieces: Vec<u16> = (2_000..2_040).collect();
        let pairs: Vec<Pair> = (0..8)
            .map(|pair| Pair::new(&pieces[pair..pair + 21], &pieces))
            .collect();
        let length: usize = pairs.iter().map(|pair| pair.pieces.len()).sum();
        read(&pairs);
        let all = median_of_rounds(|| assert_eq!(read(&pairs).len(), pairs.len()));
        println!(
            "{:.1} ms a pair of {} pieces",
            all / pairs.len() as f64,
            length / pairs.len()
        );
    }
}

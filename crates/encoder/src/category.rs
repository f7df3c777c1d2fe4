//! What an article is mainly about: a transformer of four layers reads its headline and its opening.
//!
//! It begins its fitting as the first three layers and the last of all-MiniLM-L6-v2 (`scripts/fit_category_reader.py`, docs/decisions/0078).

use std::sync::LazyLock;

use crate::body::{Body, Input, Wanted};
use crate::weights::{Dense, Rest};
use crate::{END, START, WIDTH, rounded, whole};

const LAYERS: usize = 4;
/// Pieces that are read of a headline.
const HEADLINE: usize = 22;
/// Pieces that are read of a headline and its opening together.
pub const MOST: usize = 32;
/// Pieces that it was fitted on; it loses nothing by reading fewer.
pub const FITTED: usize = 44;
/// How many categories there are, in the order of `model::Category::ALL`.
pub const CATEGORIES: usize = 15;

static FILE: &[u8] = include_bytes!("../data/category.bin");
static READER: LazyLock<Reader> = LazyLock::new(|| Reader::parse(FILE));

struct Reader {
    body: Body,
    answer: Dense,
}

/// The logits of all categories, by the pieces of a headline and of what follows it; pieces beyond the limits are ignored.
pub fn read(headline: &[u16], opening: &[u16]) -> [f32; CATEGORIES] {
    let headline = &headline[..headline.len().min(HEADLINE)];
    READER.read(
        headline,
        &opening[..opening.len().min(MOST - headline.len())],
    )
}

impl Reader {
    fn parse(file: &'static [u8]) -> Self {
        let mut rest = Rest(file);
        Self {
            body: rest.body(LAYERS),
            answer: rest.dense(2 * WIDTH, CATEGORIES),
        }
    }

    fn read(&self, headline: &[u16], opening: &[u16]) -> [f32; CATEGORIES] {
        let mut marked = Vec::with_capacity(MOST + 3);
        marked.push(START);
        marked.extend_from_slice(headline);
        marked.push(END);
        let second = marked.len();
        if !opening.is_empty() {
            marked.extend_from_slice(opening);
            marked.push(END);
        }
        let input = Input {
            pieces: &marked,
            second,
        };
        let states = self.body.states(&[input], Wanted::All);
        let mut answer = rounded(self.answer.map(&whole(&states)));
        std::array::from_fn(|_| answer.next().unwrap_or(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::STEPS;
    use crate::weights::tests::{body, linear, median_of_rounds};

    /// Headlines and openings as pieces, and what torch makes of them with the weights of the file (the end of `scripts/fit_category_reader.py`).
    const GOLDEN: [(&[u16], &[u16], [f32; CATEGORIES]); 3] = [
        // Striker scores twice as club wins the cup
        (
            &[11854, 7644, 3807, 2004, 2252, 5222, 1996, 2452],
            &[],
            [
                -0.7278, -0.9011, -0.1069, -1.1478, -0.204, -0.9028, 0.0744, -1.2446, 0.1321,
                -0.6207, -0.2315, 0.3272, 0.4937, 5.5288, -1.3202,
            ],
        ),
        // Central bank holds rates as prices rise / The bank kept its key rate at three percent on Thursday. Prices rose faster than wages, it said.
        (
            &[2430, 2924, 4324, 6165, 2004, 7597, 4125],
            &[
                1996, 2924, 2921, 2049, 3145, 3446, 2012, 2093, 3867, 2006, 9432, 1012, 7597, 3123,
                5514, 2084, 12678, 1010, 2009, 2056, 1012,
            ],
            [
                -0.8233, -1.6056, 2.3695, -0.5093, 5.9802, 0.3013, -1.835, 1.3605, -1.8136,
                -0.2625, -0.049, -0.2968, -0.5319, -2.2917, -2.0215,
            ],
        ),
        // Zürich clinic opens ward for flu patients after winter wave / The clinic’s former owner paid for thirty beds, doctors said.
        (
            &[10204, 9349, 7480, 4829, 2005, 19857, 5022, 2044, 3467, 4400],
            &[
                1996, 9349, 1521, 1055, 2280, 3954, 3825, 2005, 4228, 9705, 1010, 7435, 2056, 1012,
            ],
            [
                -1.5543, -1.4678, 0.2094, -1.3757, 0.1872, 0.3862, 1.1094, 0.7285, -0.6472, 5.984,
                -1.2107, 0.0317, -0.6717, -1.6403, -0.3561,
            ],
        ),
    ];

    #[test]
    fn the_script_reads_the_same() {
        for (headline, opening, expected) in GOLDEN {
            for (found, expected) in read(headline, opening).iter().zip(expected) {
                assert!(
                    (found - expected).abs() <= 1.51 / STEPS,
                    "{found} {expected}"
                );
            }
        }
    }

    #[test]
    fn what_is_empty_or_too_long_is_read() {
        let long: Vec<u16> = (2_000..2_100).collect();
        assert_eq!(
            read(&long, &long),
            read(&long[..HEADLINE], &long[..MOST - HEADLINE])
        );
        assert_eq!(read(&[], &long), read(&[], &long[..MOST]));
        assert!(read(&[], &[]).iter().all(|logarithm| logarithm.is_finite()));
    }

    #[test]
    fn the_file_ends_with_the_last_number() {
        assert_eq!(FILE.len(), body(LAYERS) + linear(2 * WIDTH, CATEGORIES));
        assert!(READER.answer.bias.iter().any(|value| *value != 0.0));
    }

    /// Prints what an article takes whose headline has 14 pieces, and whose opening is as long as is read: the median of rounds.
    #[test]
    #[ignore = "a measurement"]
    fn what_an_article_takes() {
        let pieces: Vec<u16> = (2_000..2_050).collect();
        let article = median_of_rounds(|| assert!(read(&pieces[..14], &pieces)[0].is_finite()));
        println!("{article:.1} ms an article");
    }
}

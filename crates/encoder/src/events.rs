//! Which event of business or law a sentence reports: a transformer of four layers reads it.
//!
//! It begins its fitting as the first three layers and the last of all-MiniLM-L6-v2 (`scripts/fit_event_reader.py`, docs/decisions/0073).

use std::sync::LazyLock;

use crate::body::{Body, Input, Wanted};
use crate::weights::{Dense, Rest};
use crate::{END, START, WIDTH, rounded, whole};

const LAYERS: usize = 4;
/// Pieces that are read of a sentence, as many as it was fitted on.
const MOST: usize = 80;
/// How many kinds there are: none, acquisition, funding, launch, partnership, regulation, lawsuit, ipo, bankruptcy.
pub const KINDS: usize = 9;

static FILE: &[u8] = include_bytes!("../data/events.bin");
static READER: LazyLock<Reader> = LazyLock::new(|| Reader::parse(FILE));

struct Reader {
    body: Body,
    kinds: Dense,
}

/// The logits of all kinds, by the pieces of a sentence; pieces beyond the limit are ignored.
pub fn read(pieces: &[u16]) -> [f32; KINDS] {
    READER.read(&pieces[..pieces.len().min(MOST)])
}

impl Reader {
    fn parse(file: &'static [u8]) -> Self {
        let mut rest = Rest(file);
        Self {
            body: rest.body(LAYERS),
            kinds: rest.dense(2 * WIDTH, KINDS),
        }
    }

    fn read(&self, pieces: &[u16]) -> [f32; KINDS] {
        let mut marked = Vec::with_capacity(pieces.len() + 2);
        marked.push(START);
        marked.extend_from_slice(pieces);
        marked.push(END);
        let input = Input {
            pieces: &marked,
            second: marked.len(),
        };
        let states = self.body.states(&[input], Wanted::All);
        let mut kinds = rounded(self.kinds.map(&whole(&states)));
        std::array::from_fn(|_| kinds.next().unwrap_or(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::STEPS;
    use crate::weights::tests::{body, linear, median_of_rounds};

    /// Headlines as pieces, and what torch makes of them with the weights of the file (the end of `scripts/fit_event_reader.py`).
    const GOLDEN: [(&[u16], [f32; KINDS]); 3] = [
        // Acme buys Nordlys for $2 billion
        (
            &[9353, 4168, 23311, 13926, 2135, 2015, 2005, 1002, 1016, 4551],
            [
                -1.3617, 8.8548, 0.1879, -2.6048, 0.3264, -0.6425, -0.1948, -2.1773, -5.6718,
            ],
        ),
        // Zürich regulator fines the bank’s former owner
        (
            &[10204, 21618, 21892, 1996, 2924, 1521, 1055, 2280, 3954],
            [
                3.2654, -3.9916, -5.8225, -3.7305, -5.4375, 8.4259, 2.4748, -4.573, 0.2681,
            ],
        ),
        // Five things to know before the opening bell
        (
            &[2274, 2477, 2000, 2113, 2077, 1996, 3098, 4330],
            [
                10.911, -5.1335, -3.0118, -3.126, -6.2681, -4.1343, -3.8948, -2.7532, -3.0782,
            ],
        ),
    ];

    #[test]
    fn the_script_reads_the_same() {
        for (pieces, expected) in GOLDEN {
            for (found, expected) in read(pieces).iter().zip(expected) {
                assert!(
                    (found - expected).abs() <= 1.51 / STEPS,
                    "{found} {expected}"
                );
            }
        }
    }

    #[test]
    fn what_is_empty_or_too_long_is_read() {
        let long = GOLDEN[0].0.repeat(40);
        assert_eq!(read(&long), read(&long[..MOST]));
        assert!(read(&[]).iter().all(|logarithm| logarithm.is_finite()));
    }

    #[test]
    fn the_file_ends_with_the_last_number() {
        assert_eq!(FILE.len(), body(LAYERS) + linear(2 * WIDTH, KINDS));
        assert!(READER.kinds.bias.iter().any(|value| *value != 0.0));
    }

    /// Prints what a headline of 24 pieces takes: the median of rounds.
    #[test]
    #[ignore = "a measurement"]
    fn what_a_headline_takes() {
        let pieces: Vec<u16> = (2_000..2_022).collect();
        let headline = median_of_rounds(|| assert!(read(&pieces)[0].is_finite()));
        println!("{headline:.1} ms a headline");
    }
}

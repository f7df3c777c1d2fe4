//! Who takes part in an event that a sentence reports: a transformer of four layers reads the sentence and the kind of the event.
//!
//! It begins its fitting as the first three layers and the last of all-MiniLM-L6-v2 (`scripts/fit_role_reader.py`, docs/decisions/0073).

use std::sync::LazyLock;

use crate::body::{Body, Input, Wanted};
use crate::weights::{Dense, Rest};
use crate::{END, START, WIDTH, rounded};

const LAYERS: usize = 4;
/// Pieces that are read of a sentence, as many as it was fitted on.
const MOST: usize = 80;
/// Pieces of the word for a kind.
const KIND: usize = 8;
/// What a piece can be: nothing, then the beginning and the rest of who acts, of what it concerns, and of who sells.
pub const LABELS: usize = 7;

static FILE: &[u8] = include_bytes!("../data/roles.bin");
static READER: LazyLock<Reader> = LazyLock::new(|| Reader::parse(FILE));

struct Reader {
    body: Body,
    roles: Dense,
}

/// The logits of all labels for each piece of a sentence with an event, by them and the pieces of the word for its kind, such as `lawsuit`.
/// Pieces beyond the limit are left out.
pub fn read(sentence: &[u16], kind: &[u16]) -> Vec<[f32; LABELS]> {
    READER.read(
        &sentence[..sentence.len().min(MOST)],
        &kind[..kind.len().min(KIND)],
    )
}

impl Reader {
    fn parse(file: &'static [u8]) -> Self {
        let mut rest = Rest(file);
        Self {
            body: rest.body(LAYERS),
            roles: rest.dense(WIDTH, LABELS),
        }
    }

    fn read(&self, sentence: &[u16], kind: &[u16]) -> Vec<[f32; LABELS]> {
        let mut marked = Vec::with_capacity(sentence.len() + kind.len() + 3);
        marked.push(START);
        marked.extend_from_slice(sentence);
        marked.push(END);
        let second = marked.len();
        marked.extend_from_slice(kind);
        marked.push(END);
        let input = Input {
            pieces: &marked,
            second,
        };
        let states = self.body.states(&[input], Wanted::All);
        let logits: Vec<f32> = rounded(self.roles.map(&states)).collect();
        let (logits, _) = logits.as_chunks::<LABELS>();
        logits[1..=sentence.len()].to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::STEPS;
    use crate::weights::tests::{body, linear, median_of_rounds};

    /// A sentence and a kind as pieces, and the logits of the first and the last piece.
    type Golden = (&'static [u16], &'static [u16], [[f32; LABELS]; 2]);

    /// Sentences and kinds as pieces, and what torch makes of the first and the last piece with the weights of the file (the end of
    /// `scripts/fit_role_reader.py`).
    const GOLDEN: [Golden; 3] = [
        // Acme buys Nordlys for $2 billion / acquisition
        (
            &[9353, 4168, 23311, 13926, 2135, 2015, 2005, 1002, 1016, 4551],
            &[7654],
            [
                [-1.8282, 5.0391, 1.8643, -1.0211, -1.1355, 0.0176, -1.0191],
                [5.1348, -0.8102, -0.7971, -0.7678, -0.9942, -1.4111, -1.1814],
            ],
        ),
        // Zürich regulator fines the bank’s former owner / regulation
        (
            &[10204, 21618, 21892, 1996, 2924, 1521, 1055, 2280, 3954],
            &[7816],
            [
                [2.0607, 5.3201, -1.8306, -2.1326, -1.2398, -0.344, -1.7755],
                [2.1402, -0.939, -2.6702, -0.7664, 4.6942, -1.6405, -1.97],
            ],
        ),
        // Bellhop asks judge to toss former cook’s suit / lawsuit
        (
            &[
                4330, 18471, 5176, 3648, 2000, 10055, 2280, 5660, 1521, 1055, 4848,
            ],
            &[9870],
            [
                [-0.1105, -1.576, -1.9429, 6.6614, -0.1201, -0.9663, -1.5653],
                [5.121, -1.2284, -1.3476, -0.9185, -0.9226, -1.1543, -1.03],
            ],
        ),
    ];

    #[test]
    fn the_script_reads_the_same() {
        for (sentence, kind, expected) in GOLDEN {
            let found = read(sentence, kind);
            let ends = [found[0], found[sentence.len() - 1]];
            for (found, expected) in ends.iter().flatten().zip(expected.iter().flatten()) {
                assert!(
                    (found - expected).abs() <= 1.51 / STEPS,
                    "{found} {expected}"
                );
            }
        }
    }

    #[test]
    fn what_is_empty_or_too_long_is_read() {
        let long: Vec<u16> = (2_000..2_200).collect();
        assert_eq!(read(&long, &long).len(), MOST);
        assert_eq!(read(&long, &long), read(&long[..MOST], &long[..KIND]));
        assert_eq!(read(&[], &long), Vec::<[f32; LABELS]>::new());
        assert_eq!(read(&long[..3], &[]).len(), 3);
    }

    #[test]
    fn the_file_ends_with_the_last_number() {
        assert_eq!(FILE.len(), body(LAYERS) + linear(WIDTH, LABELS));
        assert!(READER.roles.bias.iter().any(|value| *value != 0.0));
    }

    /// Prints what a headline of 24 pieces takes, with the word for its kind: the median of rounds.
    #[test]
    #[ignore = "a measurement"]
    fn what_a_headline_takes_for_its_roles() {
        let pieces: Vec<u16> = (2_000..2_022).collect();
        let headline = median_of_rounds(|| assert_eq!(read(&pieces, &[7654]).len(), 22));
        println!("{headline:.1} ms a headline");
    }
}

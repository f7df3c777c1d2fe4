//! Whether a question speaks of a price that moved.

use super::Wishes;
use crate::words::Word;

const MOVING: [&str; 74] = [
    "fall",
    "fell",
    "falling",
    "fallen",
    "falls",
    "drop",
    "drops",
    "dropped",
    "dropping",
    "down",
    "crash",
    "crashed",
    "crashing",
    "tank",
    "tanked",
    "tanking",
    "plunge",
    "plunged",
    "plunging",
    "sink",
    "sank",
    "sinking",
    "slide",
    "slid",
    "sliding",
    "decline",
    "declined",
    "declining",
    "sell",
    "selling",
    "selloff",
    "red",
    "dump",
    "dumped",
    "dumping",
    "rise",
    "rose",
    "rising",
    "risen",
    "up",
    "jump",
    "jumped",
    "jumping",
    "rally",
    "rallied",
    "rallying",
    "surge",
    "surged",
    "surging",
    "soar",
    "soared",
    "soaring",
    "spike",
    "spiked",
    "spiking",
    "climb",
    "climbed",
    "climbing",
    "gain",
    "gained",
    "gaining",
    "green",
    "pop",
    "popped",
    "pump",
    "pumped",
    "pumping",
    "ripping",
    "move",
    "moved",
    "moving",
    "bleeding",
    "lower",
    "higher",
];

impl Wishes<'_> {
    pub(in crate::reading) fn moves(&self) -> bool {
        let directed = |word: &Word| verify::stance::direction_of(&word.lower) != 0;
        self.says(&MOVING)
            || self.words.iter().any(directed)
            || self.says(&[
                "happened",
                "happening",
                "driving",
                "drove",
                "behind",
                "doing",
                "wrong",
            ])
    }

    /// `is it up this month`: the direction of a price in the current period, not where it is going.
    pub(super) fn went_since(&self) -> bool {
        let is_running = self.words.windows(2).any(|pair| {
            pair[0].is("this") && pair[1].is_any(&["week", "month", "quarter", "year"])
        });
        let is_ahead = self.says(&["will", "going", "gonna", "could", "would", "should", "may"]);
        let directed = |word: &Word| verify::stance::direction_of(&word.lower) != 0;
        let is_directed = self.says(&["up", "down", "higher", "lower", "green", "red"])
            || self.words.iter().any(directed);
        is_running && !is_ahead && !self.asks_outlook() && is_directed
    }
}

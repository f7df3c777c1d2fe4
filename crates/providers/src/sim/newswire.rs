//! A simulated newswire.

use model::{Outlet, RawArticle, Timestamp};

/// The outlets of the simulated world, with their trust, for the source table.
pub fn outlets() -> Vec<Outlet> {
    Vec::new()
}

/// A newswire that can be read for any stretch of time.
#[derive(Clone, Debug)]
pub struct Newswire {
    seed: u64,
}

impl Newswire {
    /// The newswire of a seed.
    pub const fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// Every article whose `first_seen` lies in `from..to`, in that order. Reading `a..b` and `b..c` gives the same
    /// articles as reading `a..c`.
    pub fn between(&self, from: Timestamp, to: Timestamp) -> Vec<RawArticle> {
        let _ = (self.seed, from, to);
        Vec::new()
    }
}

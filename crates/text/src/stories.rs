//! Which story an article belongs to: streaming, one pass.

use model::{Features, Timestamp};

/// Where an article belongs.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement {
    /// The story that it joins; `None` founds a new one.
    pub story: Option<u64>,
    /// How well it fits, 0 to 1.
    pub similarity: f64,
    /// The article of which it is a near-duplicate (syndicated copy).
    pub copy_of: Option<u64>,
}

/// The articles that a new one is compared with.
#[derive(Debug, Default)]
pub struct StoryIndex {}

impl StoryIndex {
    /// An empty index.
    pub fn new() -> Self {
        Self::default()
    }

    /// Where an article with these features belongs. `time` is `None` where it is unknown, then time does not count.
    pub fn place(&self, features: &Features, time: Option<Timestamp>) -> Placement {
        let _ = (features, time);
        Placement { story: None, similarity: 0.0, copy_of: None }
    }

    /// Adds an article to a story (its own number where it founds one).
    pub fn insert(&mut self, article: u64, story: u64, features: &Features, time: Option<Timestamp>) {
        let _ = (article, story, features, time);
    }

    /// Drops all articles of one day since the epoch, in UTC.
    pub fn forget_day(&mut self, day: i64) {
        let _ = day;
    }

    /// How many articles it holds.
    pub fn len(&self) -> usize {
        0
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

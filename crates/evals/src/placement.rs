//! Placing articles one after the other, as the story writer of the service does, without a store.

use std::collections::HashMap;

use model::Timestamp;
use text::stories::{Compared, StoryIndex, Tuning};

use crate::articles::{Stream, Streamed};

/// Where an article was placed: its story is the number of the article that founded it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    pub(crate) story: usize,
    pub(crate) copy_of: Option<usize>,
}

/// The placements of articles in their order.
pub(crate) fn place<'a>(
    articles: impl Iterator<Item = Compared<'a>>,
    tuning: &Tuning,
) -> Vec<Placed> {
    let mut index = StoryIndex::tuned(tuning.clone());
    let mut began: HashMap<u64, Timestamp> = HashMap::new();
    let mut placed = Vec::new();
    for (number, article) in articles.enumerate() {
        let placement = index.place(article);
        let since = placement.story.and_then(|story| began.get(&story).copied());
        let placement = placement.for_story_since(since, article.time);
        let story = placement.story.unwrap_or(number as u64);
        if let Some(time) = article.time {
            let first = began.entry(story).or_insert(time);
            *first = time.min(*first);
        }
        index.insert(number as u64, story, article);
        placed.push(Placed {
            story: story as usize,
            copy_of: placement.copy_of.map(|original| original as usize),
        });
    }
    placed
}

/// The placements of the articles of a stream.
pub(crate) fn place_stream(stream: &Stream, tuning: &Tuning) -> Vec<Placed> {
    place(stream.articles.iter().map(Streamed::compared), tuning)
}

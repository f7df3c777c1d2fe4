//! The stored briefs that make up a digest of a topic.

use search::Index;
use store::{Store, StoredBrief};

use super::material::{LEAST_BRIEFS, Relevant, find, language};
use super::{TopicQuery, subject};
use crate::Result;
use crate::terms::terms;

/// A brief whose relevance is below this fraction of the best one's is left out.
const CLOSE: f64 = 0.75;
/// The number of words in a topic that are searched for one by one.
const WORDS: usize = 8;

/// The briefs about a topic in one language, published at any time up to the end of the query: newest first, and if
/// there are more than `most`, the most important ones. The period of the query is ignored.
pub async fn briefs_about(
    store: &Store,
    index: &Index,
    query: &TopicQuery,
    most: usize,
) -> Result<Vec<StoredBrief>> {
    let mut briefs = find(store, index, query, &terms(&query.topic), None).await?;
    subject::keep_focused(&mut briefs, &query.topic);
    let best = briefs
        .iter()
        .map(|brief| brief.relevance)
        .fold(0.0, f64::max);
    briefs.retain(|brief| brief.relevance >= best * CLOSE);
    let language = language(&briefs, &query.topic, LEAST_BRIEFS);
    briefs.retain(|brief| brief.stored.brief.language == language);
    briefs.truncate(most);
    let mut found: Vec<StoredBrief> = briefs.into_iter().map(|brief| brief.stored).collect();
    found.sort_by_key(|stored| std::cmp::Reverse((stored.brief.updated_at, stored.brief.id)));
    Ok(found)
}

/// The words of a topic that some brief is about, for a topic that no brief is about as a whole.
pub async fn words_with_briefs(
    store: &Store,
    index: &Index,
    query: &TopicQuery,
) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for word in text::token::words(&query.topic).take(WORDS) {
        let alone = TopicQuery {
            topic: word.to_owned(),
            ..query.clone()
        };
        let words = terms(word);
        if words.is_empty() {
            continue;
        }
        let briefs = find(store, index, &alone, &words, None).await?;
        if briefs.iter().any(Relevant::is_in_focus) {
            found.push(word.to_owned());
        }
    }
    Ok(found)
}

//! Which articles of a story count, and what they are copies of.
//!
//! A feed's entry stands in for an article that nobody has read yet. As soon as the story has the article itself, the
//! stand-in gives way: it stays stored, but is not a source of the revisions that follow. What counts is a pure
//! function of the story's articles, so a restart arrives at the same members.

use std::collections::HashMap;

use model::ArticleId;
use store::StoredArticle;

use super::part::Told;

/// The articles that count, in order, each with the counted article that it copies.
pub(super) fn counted(articles: &[Told]) -> Vec<(&Told, Option<ArticleId>)> {
    let stored = || articles.iter().map(|told| &told.stored);
    let replaced: HashMap<ArticleId, (&StoredArticle, &StoredArticle)> = stored()
        .filter(|stored| stored.article.is_stand_in())
        .filter_map(|stand_in| {
            let own = stored().find(|other| stand_in.article.is_replaced_by(&other.article))?;
            Some((stand_in.article.id, (stand_in, own)))
        })
        .collect();
    articles
        .iter()
        .filter(|told| !replaced.contains_key(&told.stored.article.id))
        .map(|told| (told, original(&told.stored, &replaced)))
        .collect()
}

/// What an article copies, skipping stand-ins that gave way.
fn original(
    stored: &StoredArticle,
    replaced: &HashMap<ArticleId, (&StoredArticle, &StoredArticle)>,
) -> Option<ArticleId> {
    let mut copied = stored.copy_of?;
    // Each step leads to another stand-in, so there are no more steps than stand-ins.
    for _ in 0..=replaced.len() {
        let Some((stand_in, own)) = replaced.get(&copied) else {
            return (copied != stored.article.id).then_some(copied);
        };
        // The article itself reads like its stand-in, so it takes the stand-in's place as the original too.
        if own.article.id != stored.article.id && own.copy_of == Some(copied) {
            return Some(own.article.id);
        }
        copied = stand_in.copy_of?;
    }
    None
}

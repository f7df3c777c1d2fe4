//! Everything that reading one article finds, in one pass.

use model::{Annotations, Article};

/// Reads an article. `hints` are the category words that its feed or file gave, not trusted on their own.
pub fn annotate(article: &Article, hints: &[String]) -> Annotations {
    let _ = (article, hints);
    unimplemented!()
}

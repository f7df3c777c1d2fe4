//! Who and what a text names.

use model::EntityMention;

/// The entities of a text, most important first.
pub fn find(title: &str, body: &str) -> Vec<EntityMention> {
    let _ = (title, body);
    Vec::new()
}

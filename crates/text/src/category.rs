//! What a text is mainly about.

use model::Category;

/// The category of a text. `hints` are words such as `business` or `ai_tech` that came with it.
pub fn classify(title: &str, body: &str, hints: &[String]) -> Category {
    let _ = (title, body, hints);
    Category::World
}

//! Whether an article that resembles a story is told in it.

use model::{Annotations, EntityKind, EntityRole, Timestamp};
use store::StoredArticle;

use crate::desk::Prepared;

/// An article this much like its story belongs to it, however old that is.
const CLOSE: f64 = 0.5;
/// An article this much like its story belongs to it, whoever is named. Set by eye after reading 25
/// of 109 refusals on real headlines of 2026: three of the five plainly wrong ones lay above it.
const ALIKE: f64 = 0.32;
/// Up to this age a story takes in articles that are less like it.
const LONGEST_SPAN_MS: i64 = 96 * Timestamp::HOUR_MS;

/// Whether an article that resembles a story is told in it. Likeness alone chains: results of one company resemble those
/// of the next, and a topic goes on for weeks. So an article of moderate likeness joins only while the story is young, and
/// only if somebody whom it is about is named there at all.
pub(crate) fn belongs(prepared: &Prepared, story: &[StoredArticle], similarity: f64) -> bool {
    let first = story.iter().map(|stored| stored.article.published_at).min();
    let age_ms = first.map_or(0, |first| prepared.article.published_at.since_ms(first));
    if age_ms > LONGEST_SPAN_MS && similarity < CLOSE {
        return false;
    }
    if similarity >= ALIKE {
        return true;
    }
    let actors = |annotations: &Annotations| -> Vec<String> {
        annotations
            .entities
            .iter()
            .filter(|entity| entity.role == EntityRole::Subject)
            .filter(|entity| matches!(entity.kind, EntityKind::Organization | EntityKind::Person))
            .map(|entity| entity.name.clone())
            .collect()
    };
    let own = actors(&prepared.annotations);
    let has_actors = story
        .iter()
        .any(|stored| !actors(&stored.annotations).is_empty());
    let is_named = |name: &String| {
        story.iter().any(|stored| {
            stored
                .annotations
                .entities
                .iter()
                .any(|entity| entity.name == *name)
        })
    };
    own.is_empty() || !has_actors || own.iter().any(is_named)
}

#[cfg(test)]
mod tests {
    use model::{BriefId, RawArticle};
    use text::clean::Arrival;
    use uuid::Uuid;

    use super::*;

    fn read(title: &str, published: &str) -> Prepared {
        let raw = RawArticle {
            url: format!("https://paper.example/{}", title.replace(' ', "-")),
            title: title.into(),
            published_at: Some(published.parse().unwrap()),
            ..RawArticle::default()
        };
        let now = "2026-06-01T00:00:00Z".parse().unwrap();
        crate::newsroom::prepare(&[raw], now, Arrival::Backfill)
            .remove(0)
            .unwrap()
    }

    fn story(title: &str) -> Vec<StoredArticle> {
        let Prepared {
            article,
            annotations,
        } = read(title, "2026-03-02T08:00:00Z");
        vec![StoredArticle {
            seq: 1,
            recorded_at: article.known_at,
            article,
            annotations,
            brief: BriefId(Uuid::nil()),
            story: 1,
            copy_of: None,
        }]
    }

    #[test]
    fn results_of_one_company_are_not_those_of_another() {
        let told = story("Microsoft reports higher quarterly profit");
        let other = read(
            "Toyota reports higher quarterly profit",
            "2026-03-02T10:00:00Z",
        );
        let same = read("Microsoft profit beats forecasts", "2026-03-02T10:00:00Z");
        assert!(!belongs(&other, &told, 0.25));
        assert!(belongs(&other, &told, 0.4), "so much alike is the same");
        assert!(belongs(&same, &told, 0.25));
    }

    #[test]
    fn an_old_story_takes_in_only_what_is_close_to_it() {
        let told = story("Microsoft reports higher quarterly profit");
        let later = read("Microsoft profit beats forecasts", "2026-03-07T10:00:00Z");
        assert!(!belongs(&later, &told, 0.4));
        assert!(belongs(&later, &told, 0.6));
    }
}

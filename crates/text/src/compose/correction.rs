//! Whether the newest evidence retracts what the previous revision said.

use model::Brief;

use super::Member;
use super::reading::Reading;
use super::voices::Voices;
use crate::statement::{comparison, outcome, terms};

/// Words that open the headline of a correction.
const CORRECTIONS: &[&str] = &[
    "correction:",
    "corrected:",
    "corrected-",
    "correction -",
    "retraction:",
    "retracted:",
];

/// Whether members that became known after the previous revision contradict one of its key figures or outcomes.
///
/// A rising toll is a correction too: what the brief said before no longer holds.
pub(super) fn is_correction(
    members: &[Member<'_>],
    readings: &[&Reading],
    voices: &Voices,
    previous: Option<&Brief>,
) -> bool {
    let Some(previous) = previous else {
        return false;
    };
    let known: Vec<model::ArticleId> = previous
        .sources
        .iter()
        .map(|source| source.article_id)
        .collect();
    let fresh = (0..members.len()).filter(|member| {
        members[*member].copy_of.is_none() && !known.contains(&members[*member].article.id)
    });
    let said_before = [previous.headline.as_str(), previous.summary.as_str()].join(". ");
    let figures_before = comparison::figures(&said_before);
    let title_before = terms::distinct(&previous.headline);
    let sides_before = outcome::sides_of(&previous.headline, &title_before);
    for member in fresh {
        let article = members[member].article;
        let lower = article.title.trim().to_lowercase();
        if CORRECTIONS.iter().any(|word| lower.starts_with(word)) {
            return true;
        }
        let headline = &readings[member].headline;
        let contradicted = headline.figures.iter().any(|new| {
            figures_before
                .iter()
                .any(|old| new.is_comparable(old) && !new.agrees(old))
                && !figures_before
                    .iter()
                    .any(|old| new.measure == old.measure && new.agrees(old))
        });
        let reversed = outcome::is_opposite(
            &title_before,
            &headline.terms,
            &sides_before,
            &outcome::sides_of(&headline.text, &headline.terms),
        );
        // One low-trust voice does not overturn what several others said.
        let outweighed =
            previous.source_count >= 3 && members[member].trust == model::TrustLevel::Low;
        if (contradicted || reversed) && !outweighed && voices.of(member) < members.len() {
            return true;
        }
    }
    false
}

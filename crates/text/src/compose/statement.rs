//! What the voices of a story say: their headlines and first sentences, made comparable.

use model::EntityKind;

use super::candidate::Candidate;
use super::voices::Voices;
use super::{Member, headline};
use crate::statement::comparison::{Statement, figures};
use crate::statement::terms;

/// How many voices are compared, and how many sentences of each beside its headline.
const VOICES: usize = 40;
pub(super) const SENTENCES: usize = 8;

/// The headlines and first sentences of the voices.
pub(super) fn of_voices(
    members: &[Member<'_>],
    voices: &Voices,
    candidates: &[Candidate],
) -> Vec<Statement> {
    let mut statements = Vec::new();
    for &member in voices.leaders.iter().take(VOICES) {
        let published_at = members[member].article.published_at;
        let title = headline::clean(&members[member].article.title);
        let mut add = |text: &str, is_headline: bool, terms: Vec<(u32, f32)>| {
            statements.push(Statement {
                member,
                published_at,
                figures: figures(text),
                places: places(text, &members[member]),
                text: text.to_owned(),
                is_headline,
                terms,
            });
        };
        let terms = terms::distinct(&title);
        add(&title, true, terms);
        for candidate in candidates
            .iter()
            .filter(|candidate| candidate.member == member && candidate.position < SENTENCES)
        {
            add(&candidate.text, false, candidate.terms.clone());
        }
    }
    statements
}

/// The places of a member that a sentence names.
fn places(text: &str, member: &Member<'_>) -> Vec<String> {
    member
        .annotations
        .entities
        .iter()
        .filter(|entity| entity.kind == EntityKind::Location && text.contains(&entity.name))
        .map(|entity| entity.name.clone())
        .collect()
}

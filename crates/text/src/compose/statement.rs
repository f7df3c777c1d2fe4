//! What the voices of a story say: their headlines and first sentences, prepared for comparison.

use model::EntityKind;

use super::Member;
use super::candidate::Candidate;
use super::reading::{COMPARED, Reading};
use super::voices::Voices;
use crate::statement::comparison::Statement;

/// How many voices are compared.
const VOICES: usize = 40;

/// The headlines of the voices, and the first sentences of those that are read.
pub(super) fn of_voices<'a>(
    members: &[Member<'_>],
    readings: &[&'a Reading],
    voices: &Voices,
    candidates: &[Candidate<'a>],
) -> Vec<Statement<'a>> {
    let mut statements = Vec::new();
    for &member in voices.leaders.iter().take(VOICES) {
        let published_at = members[member].article.published_at;
        let headline = &readings[member].headline;
        statements.push(Statement {
            member,
            published_at,
            text: &headline.text,
            is_headline: true,
            terms: &headline.terms,
            places: places(&headline.text, &members[member]),
            figures: &headline.figures,
        });
        let own = candidates
            .iter()
            .filter(|candidate| candidate.member == member)
            .map(|candidate| candidate.sentence)
            .filter(|sentence| sentence.position < COMPARED);
        statements.extend(own.map(|sentence| Statement {
            member,
            published_at,
            text: &sentence.text,
            is_headline: false,
            terms: &sentence.terms,
            places: places(&sentence.text, &members[member]),
            figures: &sentence.figures,
        }));
    }
    statements
}

/// The places known from a member that a sentence names.
fn places(text: &str, member: &Member<'_>) -> Vec<String> {
    member
        .annotations
        .entities
        .iter()
        .filter(|entity| entity.kind == EntityKind::Location && text.contains(&entity.name))
        .map(|entity| entity.name.clone())
        .collect()
}

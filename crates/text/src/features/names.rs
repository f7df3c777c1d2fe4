//! The entities that a text names, and the one it is about.
//!
//! A name is identified by its rarest word, so `Halden Freight` matches `Halden` in another text. What is stored is the
//! hash of that word without its lowest bits, one of which marks the subject.

use model::{EntityKind, EntityMention, EntityRole};

use super::term;
use crate::annotate::lexed::lex;
use crate::annotate::mentions::Mentions;
use crate::company::is_written_legal_form;
use crate::entities;

/// How many names are kept.
const KEPT: usize = 25;
const BITS: u32 = 4;
/// Marks the name of the subject.
const SUBJECT: u32 = 1;

/// The names in a text, its subject first. The subject is the first actor named in the headline or, if it names none,
/// the entity that the text is about.
pub(super) fn of(title: &str, entities: &[EntityMention], mentions: &Mentions<'_>) -> Vec<u32> {
    let mut tokens = Vec::new();
    lex(title, &mut tokens);
    let places = mentions.of(&tokens);
    let named = || places.iter().map(|place| place.entity);
    let subject = named()
        .find(|entity| can_act(entity))
        .or_else(|| named().next())
        .or_else(|| entities.iter().find(|entity| is_subject(entity)));
    let mut names: Vec<u32> = Vec::new();
    names.extend(subject.and_then(name).map(|name| name | SUBJECT));
    for name in entities.iter().filter_map(name) {
        if names.len() < KEPT && !names.contains(&name) && !names.contains(&(name | SUBJECT)) {
            names.push(name);
        }
    }
    names
}

/// A product or an event in first place usually belongs to somebody.
fn can_act(entity: &EntityMention) -> bool {
    matches!(
        entity.kind,
        EntityKind::Person | EntityKind::Organization | EntityKind::Location
    )
}

fn is_subject(entity: &EntityMention) -> bool {
    entity.role == EntityRole::Subject
}

fn name(entity: &EntityMention) -> Option<u32> {
    let short = entities::short_name(entity);
    // A match on `Inc.` is not informative.
    let words = short
        .split(' ')
        .filter(|word| !is_written_legal_form(word))
        .flat_map(term::terms);
    let rarest = words.max_by(|left, right| left.rarity.total_cmp(&right.rarity))?;
    Some(word(rarest.hash) << BITS)
}

/// The subject among the names of a text.
pub(crate) fn subject(names: &[u32]) -> Option<u32> {
    names.first().copied().filter(|name| name & SUBJECT != 0)
}

/// The word that identifies a name or, for a term, the part comparable with it.
pub(crate) fn word(name: u32) -> u32 {
    name >> BITS
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of the names in a text, the subject first, and whether there is a subject.
    fn names(title: &str, body: &str) -> (Vec<u32>, bool) {
        let entities = entities::find(title, body);
        let names = of(title, &entities, &Mentions::new(&entities));
        let has_subject = subject(&names).is_some();
        (names.into_iter().map(word).collect(), has_subject)
    }

    fn known_as(name: &str) -> u32 {
        word(term::term_hash(name))
    }

    #[test]
    fn the_subject_is_who_the_headline_names_first() {
        let body =
            "Microsoft said on Monday that Apple had asked a court in Ireland for more time.";
        let (found, has_subject) =
            names("In court: Apple asks for more time, Microsoft waits", body);
        assert!(has_subject);
        assert_eq!(found[0], known_as("appl"), "{found:?}");
        assert!(found[1..].contains(&known_as("microsoft")));
    }

    #[test]
    fn where_the_headline_names_nobody_it_is_whom_the_text_is_about() {
        let body =
            "Sweden slowed its price rises. Prices in Sweden rose less, said an office in Sweden.";
        let (found, has_subject) = names("Price tags are calming down at last", body);
        assert!(has_subject);
        assert_eq!(found[0], known_as("sweden"), "{found:?}");
        assert_eq!(
            names("Price tags are calming down at last", ""),
            (Vec::new(), false)
        );
    }
}

//! Where the entities of a text appear in its sentences.

use model::EntityMention;

use super::lexed::{Token, gap, shape};
use super::phrases::{PhraseTable, Spelling};
use crate::{abbreviation, entities};

/// Maximum number of words in an alias.
const LONGEST_ALIAS: usize = 4;

/// The entities of one text, located again by their names.
#[derive(Debug)]
pub(crate) struct Mentions<'e> {
    names: PhraseTable<u32>,
    /// Most important first.
    pub(crate) entities: &'e [EntityMention],
}

/// One place where an entity appears: the words `start..end`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'e> {
    pub(crate) entity: &'e EntityMention,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl<'e> Mentions<'e> {
    /// Builds the lookup from the entities found in a text.
    pub(crate) fn new(entities: &'e [EntityMention]) -> Self {
        let mut names = PhraseTable::new(Spelling::AnyCase);
        for (at, entity) in entities.iter().enumerate() {
            let short = entities::short_name(entity);
            for name in [entity.name.as_str(), short] {
                names.insert_with(name, at as u32, |_, _| {});
            }
        }
        Self { names, entities }
    }

    /// The entities that these words name, in order.
    pub(crate) fn of(&self, tokens: &[Token<'_>]) -> Vec<Place<'e>> {
        let mut places = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            if let Some((length, entity)) = self.at(&tokens[at..]) {
                places.push(Place {
                    entity,
                    start: at,
                    end: at + length,
                });
                at += length;
            } else {
                at += 1;
            }
        }
        places
    }

    /// The entity whose name these words begin with, and the number of words in that name.
    fn at(&self, tokens: &[Token<'_>]) -> Option<(usize, &'e EntityMention)> {
        let first = tokens.first()?;
        if !first.is(shape::CAPITAL | shape::NUMBER) && !first.text.chars().any(char::is_uppercase)
        {
            return None;
        }
        if let Some((length, &at)) = self.names.longest(tokens) {
            return Some((length, self.entities.get(at as usize)?));
        }
        // Other names of known entities: `Fed` for the Federal Reserve.
        let run = tokens
            .iter()
            .take(LONGEST_ALIAS)
            .enumerate()
            .take_while(|(at, token)| *at == 0 || !token.after(gap::BREAK))
            .count();
        let known = (1..=run).rev().find_map(|length| {
            let name = entities::canonical_name(&tokens[..length])?;
            let entity = self.entities.iter().find(|entity| entity.name == name)?;
            Some((length, entity))
        });
        known.or_else(|| Some((1, self.spelt_by(first)?)))
    }

    /// The entity that has this word as its initials: `CBI` for the Confederation of British Industry.
    fn spelt_by(&self, word: &Token<'_>) -> Option<&'e EntityMention> {
        let is_abbreviation =
            word.is(shape::ALL_CAPS) && abbreviation::LETTERS.contains(&word.text.len());
        let mut spelt = self
            .entities
            .iter()
            .filter(|entity| is_abbreviation && abbreviation::spells(word.text, &entity.name));
        spelt.next().filter(|_| spelt.next().is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::annotate::lexed::Lexed;

    #[test]
    fn an_abbreviation_stands_for_what_the_text_writes_out() {
        let title = "CBI warns of slower growth in Britain";
        let body = "The Confederation of British Industry said on Monday that growth would slow.";
        let entities = entities::find(title, body);
        let lexed = Lexed::new(title, body);
        let places = Mentions::new(&entities).of(lexed.title());
        let names: Vec<&str> = places
            .iter()
            .map(|place| place.entity.name.as_str())
            .collect();
        assert_eq!(
            names.first(),
            Some(&"Confederation of British Industry"),
            "{names:?}"
        );
    }
}

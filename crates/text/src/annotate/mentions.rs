//! Where the entities of a text stand in its sentences.

use model::EntityMention;

use super::lexed::{Token, gap, shape};
use super::phrases::{PhraseTable, Spelling};
use crate::entities;

/// Words of an alias at most.
const LONGEST_ALIAS: usize = 4;

/// The entities of one text, found again by their names.
#[derive(Debug)]
pub(crate) struct Mentions<'e> {
    names: PhraseTable<u32>,
    /// Most important first.
    pub(crate) entities: &'e [EntityMention],
}

/// One place where an entity stands: the words `start..end`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'e> {
    pub(crate) entity: &'e EntityMention,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl<'e> Mentions<'e> {
    /// Of the entities that were found in a text.
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

    /// The entities that these words name, in their order.
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

    /// The entity whose name these words begin with, and the number of its words.
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
        (1..=run).rev().find_map(|length| {
            let name = entities::canonical_name(&tokens[..length])?;
            let entity = self.entities.iter().find(|entity| entity.name == name)?;
            Some((length, entity))
        })
    }
}

//! Names written entirely in capitals, as in datelines, which say where a report was written: `RICHMOND`.

use std::borrow::Cow;

use model::EntityKind;

use super::super::gazetteer::GAZETTEER;
use super::{Scan, Who};
use crate::annotate::lexed::{Token, lex, shape};

/// A shorter word in capitals is an abbreviation.
const SHORTEST: usize = 4;

impl Scan<'_, '_> {
    /// The name that the words form, written as other names are, or the known entity if there is one.
    pub(super) fn calm(&self, from: usize, to: usize, kind: EntityKind) -> Option<Calm> {
        let words = &self.lexed.tokens[from..to];
        let is_shouted = words.iter().all(|word| word.is(shape::ALL_CAPS))
            && words.iter().any(|word| word.text.len() >= SHORTEST);
        if !is_shouted {
            return None;
        }
        let calm: Vec<String> = words.iter().map(calmed).collect();
        let calm = calm.join(" ");
        let mut lexed = Vec::new();
        lex(&calm, &mut lexed);
        if let Some(known) = GAZETTEER.likely(&lexed, kind) {
            return Some(Calm::Known(known));
        }
        // Companies and their products may be officially written in capitals.
        (kind == EntityKind::Location).then_some(Calm::Written(calm))
    }

    /// Records that a name already found is spelled differently.
    pub(super) fn rewrite(&mut self, who: Who, name: String) {
        if let Who::Found(index) = who
            && let Some(found) = self.found.get_mut(index as usize)
        {
            found.name = Cow::Owned(name);
        }
    }
}

/// A name in capitals as it is written elsewhere.
pub(super) enum Calm {
    /// An entity in the tables.
    Known(u32),
    /// `Richmond`.
    Written(String),
}

fn calmed(word: &Token<'_>) -> String {
    let mut letters = word.text.chars();
    let first = letters.next().into_iter();
    first.chain(letters.flat_map(char::to_lowercase)).collect()
}

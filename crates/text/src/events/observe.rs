//! The features that the model of kinds sees in a sentence.
//!
//! Names are represented by the kind of thing they name, not by their letters. `Acme buys Nordlys` and
//! `Siemens buys Altera` are the same words around two organisations.

use model::EntityKind;

use super::clause::Clause;
use crate::annotate::lexed::extend;
use crate::embedding::{self, DIMENSIONS};
use crate::linear::{self, Weighted, add_block, add_meaning};

/// Rows into which the words of a sentence are hashed.
const HASHED: usize = 1 << 16;
/// Rows of meaning and the constant, which precede the hashed rows.
const PLAIN: usize = DIMENSIONS + 1;
/// Rows of the model of kinds.
#[cfg(test)]
pub(super) const KIND_ROWS: usize = PLAIN + HASHED;

/// The weights of words, punctuation and meaning relative to word order.
const WORDS: f32 = 0.7;
const MARKS: f32 = 0.3;
const MEANING: f32 = 0.5;

/// Markers for the positions before the first word and after the last.
const START: u64 = 2;
const END: u64 = 3;

/// The features of a sentence that indicate its kind of event, as rows.
pub(super) fn sentence(clause: &Clause<'_, '_, '_>) -> Vec<Weighted> {
    beginning(clause, clause.tokens.len())
}

/// The features of its first words, up to the given number.
pub(super) fn beginning(clause: &Clause<'_, '_, '_>, count: usize) -> Vec<Weighted> {
    let mut rows = Vec::with_capacity(PLAIN + 5 * count + 8);
    let text = match clause.tokens.get(count) {
        Some(next) => &clause.text[..next.text.as_ptr() as usize - clause.text.as_ptr() as usize],
        None => clause.text,
    };
    add_meaning(&mut rows, 0, &embedding::embed(text), MEANING);
    rows.push((DIMENSIONS as u32, 1.0));
    let row = |kind: u64, value: u64| PLAIN as u32 + linear::hashed(kind, value, HASHED);

    let mut words: Vec<u64> = Vec::with_capacity(count + 2);
    words.push(START);
    words.extend((0..count).filter_map(|at| clause.masked(at)));
    words.push(END);
    let mut block: Vec<u32> = Vec::with_capacity(4 * words.len());
    block.extend(words.iter().map(|word| row(1, *word)));
    block.extend(
        words
            .windows(2)
            .map(|pair| row(2, extend(pair[0], pair[1]))),
    );
    block.extend(words.windows(3).flat_map(|three| {
        [
            row(3, extend(extend(three[0], three[1]), three[2])),
            row(4, extend(three[0], three[2])),
        ]
    }));
    add_block(&mut rows, block);
    let block = clause.tokens[..count].iter().map(|word| row(5, word.lower));
    add_weighted(&mut rows, block.collect(), WORDS);
    let marks = [
        row(6, (count / 4).min(6) as u64),
        row(7, u64::from(text.trim_end().ends_with('?'))),
        row(8, words[1]),
        row(9, u64::from(clause.headline)),
    ];
    rows.extend(marks.map(|mark| (mark, MARKS)));
    rows
}

fn add_weighted(rows: &mut Vec<Weighted>, block: Vec<u32>, weight: f32) {
    let from = rows.len();
    add_block(rows, block);
    for (_, amount) in &mut rows[from..] {
        *amount *= weight;
    }
}

/// The code for a rare word with a capital: probably an unknown name.
pub(super) const UNKNOWN: u8 = 12;

/// The kind of thing that a name names, as a small number: 0 for nothing, then two for each kind.
pub(super) fn code(kind: EntityKind, is_inside: bool) -> u8 {
    let kind = match kind {
        EntityKind::Person => 1,
        EntityKind::Organization => 2,
        EntityKind::Location => 3,
        EntityKind::Product => 4,
        EntityKind::Event => 5,
    };
    2 * kind + u8::from(is_inside)
}

//! Words and their effect on the polarity of a sentence.

use std::sync::LazyLock;

use crate::annotate::lexed::Token;
use crate::annotate::phrases::{PhraseTable, Spelling, rows};

/// The effect of one word or phrase.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Entry {
    /// Good or bad in itself.
    pub(crate) polarity: f32,
    /// Moves something up (positive) or down.
    pub(crate) direction: f32,
    /// Can be moved. More of it is good (positive) or bad.
    pub(crate) quantity: f32,
    /// Reverses what follows.
    pub(crate) negation: bool,
    /// Strengthens or weakens what follows, or 0 if it does neither.
    pub(crate) degree: f32,
}

static LEXICON: LazyLock<PhraseTable<Entry>> = LazyLock::new(|| {
    let mut table = PhraseTable::new(Spelling::AnyCase);
    for mut row in rows(include_str!("../../data/sentiment/lexicon.tsv")) {
        let (class, weight) = (
            row.next().unwrap_or(""),
            row.next()
                .and_then(|weight| weight.parse().ok())
                .unwrap_or(0.0),
        );
        let mut entry = Entry::default();
        match class {
            "tone" => entry.polarity = weight,
            "up" | "down" => entry.direction = weight,
            "good" | "bad" => entry.quantity = weight,
            "not" => entry.negation = true,
            _ => entry.degree = weight,
        }
        for word in row.next().unwrap_or("").split('|') {
            table.insert_with(word, entry, |present: &mut Entry, more| {
                if present.polarity == 0.0 {
                    present.polarity = more.polarity;
                }
                if present.direction == 0.0 {
                    present.direction = more.direction;
                }
                if present.quantity == 0.0 {
                    present.quantity = more.quantity;
                }
                present.negation |= more.negation;
                if present.degree == 0.0 {
                    present.degree = more.degree;
                }
            });
        }
    }
    table
});

/// The longest entry that the words begin with.
pub(crate) fn longest<'t>(tokens: &[Token<'_>]) -> Option<(usize, &'t Entry)> {
    LEXICON.longest(tokens)
}

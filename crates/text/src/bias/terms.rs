//! The table of words that colour what they report.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

use crate::annotate::lexed::{Token, lower_hash, shape};
use crate::annotate::phrases::{PhraseTable, Spelling, rows};

/// What a word or phrase does.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Colour {
    pub(super) loaded: f32,
    pub(super) shade: f32,
    pub(super) opinion: f32,
    pub(super) left: f32,
    pub(super) right: f32,
    pub(super) sensational: f32,
    pub(super) promotional: f32,
    pub(super) superlative: bool,
    pub(super) attributed: bool,
    pub(super) otherwise: bool,
}

static TERMS: LazyLock<PhraseTable<Colour>> = LazyLock::new(|| {
    let mut table = PhraseTable::new(Spelling::AnyCase);
    for mut row in rows(include_str!("../../data/bias/terms.tsv")) {
        let class = row.next().unwrap_or("");
        let weight: f32 = row
            .next()
            .and_then(|weight| weight.parse().ok())
            .unwrap_or(1.0);
        for phrase in row.next().unwrap_or("").split('|') {
            table.insert_with(
                phrase,
                Colour::default().with(class, weight),
                |present: &mut Colour, _| {
                    *present = present.with(class, weight);
                },
            );
        }
    }
    table
});

static FIRST_PERSON: LazyLock<FxHashSet<u64>> = LazyLock::new(|| {
    [
        "i", "my", "me", "we", "our", "us", "i'm", "i've", "we're", "you", "your", "you're",
    ]
    .into_iter()
    .map(lower_hash)
    .collect()
});

impl Colour {
    fn with(mut self, class: &str, weight: f32) -> Self {
        match class {
            "loaded" => self.loaded = self.loaded.max(weight),
            "shade" => self.shade = weight,
            "opinion" => self.opinion = weight,
            "left" => self.left = weight,
            "right" => self.right = weight,
            "sensational" => self.sensational = weight,
            "promotional" => self.promotional = weight,
            "superlative" => self.superlative = true,
            "attributed" => self.attributed = true,
            "otherwise" => self.otherwise = true,
            // `plain`: crude oil is not a crude remark.
            _ => {}
        }
        self
    }
}

/// What the words at a place express, and how many words that takes. A single capitalised word inside a sentence is a
/// name: Brave Software is not brave.
pub(super) fn at<'t>(words: &[Token<'_>], place: usize) -> Option<(usize, &'t Colour)> {
    let (length, colour) = TERMS.longest(&words[place..])?;
    let token = &words[place];
    let name = length == 1
        && place > 0
        && token.is(shape::CAPITAL)
        && !token.is(shape::ALL_CAPS)
        && !is_headline_case(words);
    (!name).then_some((length, colour))
}

/// Whether the writer uses the first person or addresses the reader.
pub(super) fn is_first_person(token: &Token<'_>) -> bool {
    FIRST_PERSON.contains(&token.lower) && (!token.is(shape::ALL_CAPS) || token.text == "I")
}

/// Most words are capitalised, so a capital carries no information.
fn is_headline_case(words: &[Token<'_>]) -> bool {
    let capitals = words.iter().filter(|word| word.is(shape::CAPITAL)).count();
    capitals * 2 > words.len()
}

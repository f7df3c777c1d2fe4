//! Splits text into the word pieces of the table, as the model's own tokenizer does.
//!
//! The text is lower-cased and stripped of accents, and each punctuation mark and each Chinese character is separate.
//! Each word then yields the longest piece in the vocabulary, again and again. A word that cannot be split completely,
//! or that has more than a hundred characters, is unknown and yields nothing.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use rustc_hash::FxHashMap;
use unicode_normalization::UnicodeNormalization;

use crate::pattern;

const LONGEST_WORD: usize = 100;

/// The pieces in the table, one per line. A piece inside a word begins with `##`.
static VOCABULARY: &str = include_str!("../../data/embedding/vocabulary.txt");

static PIECES: LazyLock<Pieces> = LazyLock::new(Pieces::parse);

struct Pieces {
    at_start: FxHashMap<&'static str, u16>,
    inside: FxHashMap<&'static str, u16>,
    longest_bytes: usize,
}

/// How the tokenizer classifies a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Letter,
    Space,
    /// Is separate.
    Mark,
    /// Is dropped.
    Nothing,
}

/// The pieces of a text as line numbers in the vocabulary, counted from 0. Unknown words are left out.
pub fn word_pieces(text: &str) -> Vec<u16> {
    let mut found = Vec::new();
    for_each_piece(text, |piece, _| found.push(piece));
    found
}

/// Whether a word is a single piece. Rare words are several.
pub(crate) fn is_common(word: &str) -> bool {
    let mut folded = String::with_capacity(word.len());
    word.chars().for_each(|letter| fold(letter, &mut folded));
    PIECES.at_start.contains_key(folded.as_str())
}

/// The pieces of a text, each with the byte range of its word.
pub(crate) fn placed_pieces(text: &str) -> Vec<(u16, Range<usize>)> {
    let mut found = Vec::new();
    for_each_piece(text, |piece, word| found.push((piece, word)));
    found
}

/// Calls `note` with each piece of a text and the byte range of its word.
pub(super) fn for_each_piece(text: &str, mut note: impl FnMut(u16, Range<usize>)) {
    let pieces = &*PIECES;
    let mut word = String::with_capacity(32);
    let mut start = 0;
    for (at, character) in text.char_indices() {
        if word.is_empty() {
            start = at;
        }
        if character.is_ascii_alphanumeric() {
            word.push(character.to_ascii_lowercase());
            continue;
        }
        match kind(character) {
            Kind::Nothing => {}
            Kind::Letter => fold(character, &mut word),
            Kind::Space => pieces.cut(&mut word, &mut |piece| note(piece, start..at)),
            Kind::Mark => {
                pieces.cut(&mut word, &mut |piece| note(piece, start..at));
                fold(character, &mut word);
                let end = at + character.len_utf8();
                pieces.cut(&mut word, &mut |piece| note(piece, at..end));
            }
        }
    }
    pieces.cut(&mut word, &mut |piece| note(piece, start..text.len()));
}

impl Pieces {
    fn parse() -> Self {
        let mut pieces = Self {
            at_start: FxHashMap::default(),
            inside: FxHashMap::default(),
            longest_bytes: 0,
        };
        for (number, piece) in (0..).zip(VOCABULARY.lines()) {
            pieces.longest_bytes = pieces.longest_bytes.max(piece.len());
            match piece.strip_prefix("##") {
                Some(rest) if !rest.is_empty() => pieces.inside.insert(rest, number),
                _ => pieces.at_start.insert(piece, number),
            };
        }
        pieces
    }

    /// Splits a word and empties it. Nothing is noted for a word that cannot be split completely.
    fn cut(&self, word: &mut String, note: &mut impl FnMut(u16)) {
        if word.is_empty() {
            return;
        }
        if let Some(whole) = self.at_start.get(word.as_str()) {
            note(*whole);
        } else if word.len() <= LONGEST_WORD || word.chars().count() <= LONGEST_WORD {
            let mut found = [0; LONGEST_WORD];
            let mut count = 0;
            let mut rest = word.as_str();
            while let Some((piece, length)) = self.longest(rest, count == 0) {
                found[count] = piece;
                count += 1;
                rest = &rest[length..];
            }
            if rest.is_empty() {
                found[..count].iter().for_each(|piece| note(*piece));
            }
        }
        word.clear();
    }

    /// The longest piece that a text begins with, and its length.
    fn longest(&self, text: &str, is_start: bool) -> Option<(u16, usize)> {
        let known = if is_start {
            &self.at_start
        } else {
            &self.inside
        };
        (1..=text.len().min(self.longest_bytes))
            .rev()
            .filter(|length| text.is_char_boundary(*length))
            .find_map(|length| Some((*known.get(&text[..length])?, length)))
    }
}

static MARK: LazyLock<Regex> = LazyLock::new(|| pattern::exact(r"^\p{P}"));
static OTHER: LazyLock<Regex> = LazyLock::new(|| pattern::exact(r"^\p{C}"));
static ACCENT: LazyLock<Regex> = LazyLock::new(|| pattern::exact(r"^\p{Mn}"));

fn kind(character: char) -> Kind {
    let is = |class: &Regex| class.is_match(character.encode_utf8(&mut [0; 4]));
    match character {
        ' ' | '\t' | '\n' | '\r' => Kind::Space,
        '\0'..='\x1f' | '\x7f' | '\u{fffd}' => Kind::Nothing,
        _ if character.is_ascii_punctuation() => Kind::Mark,
        '\u{c0}'..='\u{24f}' => Kind::Letter,
        '‘' | '’' | '“' | '”' | '–' | '—' | '…' => Kind::Mark,
        _ if is(&OTHER) => Kind::Nothing,
        _ if character.is_whitespace() => Kind::Space,
        _ if is_ideograph(character) || is(&MARK) => Kind::Mark,
        _ => Kind::Letter,
    }
}

/// The blocks of Chinese characters that the tokenizer separates.
fn is_ideograph(character: char) -> bool {
    matches!(character,
        '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{2a6df}'
        | '\u{2a700}'..='\u{2b81f}' | '\u{2b920}'..='\u{2ceaf}' | '\u{2f800}'..='\u{2fa1f}')
}

/// Appends a character without its accents and in lower case.
fn fold(character: char, word: &mut String) {
    let is_accent = |part: char| !part.is_ascii() && ACCENT.is_match(part.encode_utf8(&mut [0; 4]));
    for part in std::iter::once(character).nfd() {
        if !is_accent(part) {
            word.extend(part.to_lowercase());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        for pattern in [&MARK, &OTHER, &ACCENT] {
            LazyLock::force(pattern);
        }
    }
}

//! The phrases by which a question says what it wants.

use std::ops::Range;
use std::sync::LazyLock;

use model::table;
use rustc_hash::FxHashMap;

use crate::intent::Intent;
use crate::words::{self, Word};

const CUES: &str = include_str!("../data/cues.tsv");

/// How many words a gap in a phrase may span.
const GAP: usize = 8;

/// One word of a phrase.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Word(String),
    Beginning(String),
    Gap,
}

#[derive(Debug)]
struct Phrase {
    intent: Intent,
    pieces: Vec<Piece>,
}

#[derive(Default)]
struct Phrases {
    by_word: FxHashMap<String, Vec<Phrase>>,
    /// Phrases whose first word is only a beginning.
    by_beginning: Vec<(String, Phrase)>,
}

static PHRASES: LazyLock<Phrases> = LazyLock::new(|| {
    let mut phrases = Phrases::default();
    for [word, all] in table::rows(CUES) {
        let Some(intent) = Intent::find(word) else {
            continue;
        };
        for text in all.split('|') {
            let pieces = pieces(text);
            let phrase = |pieces| Phrase { intent, pieces };
            match pieces.first().cloned() {
                Some(Piece::Word(first)) => {
                    let same = phrases.by_word.entry(first).or_default();
                    same.push(phrase(pieces));
                }
                Some(Piece::Beginning(first)) => {
                    phrases.by_beginning.push((first, phrase(pieces)));
                }
                Some(Piece::Gap) | None => {}
            }
        }
    }
    phrases
});

fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for written in text.split(' ') {
        if written == "_" {
            pieces.push(Piece::Gap);
        } else if let Some(beginning) = written.strip_suffix('*') {
            pieces.push(Piece::Beginning(beginning.to_owned()));
        } else {
            // Cut as the question is: `p/e` is two words.
            let cut = words::cut(written);
            pieces.extend(cut.into_iter().map(|word| Piece::Word(word.lower)));
        }
    }
    pieces
}

/// An intent and the words that express it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cue {
    pub(crate) intent: Intent,
    pub(crate) words: Range<usize>,
    /// Whether words of any kind may come in between.
    pub(crate) has_gap: bool,
}

/// The intents in the order of their words, without those that are only part of a longer phrase: `price` in
/// `price target`.
pub(crate) fn find_whole(words: &[Word], is_name: &[bool]) -> Vec<Cue> {
    let all = find(words, is_name);
    let is_part = |cue: &Cue| {
        all.iter().any(|other| {
            !other.has_gap
                && other.words.len() > cue.words.len()
                && other.words.start <= cue.words.start
                && cue.words.end <= other.words.end
        })
    };
    all.iter().filter(|cue| !is_part(cue)).cloned().collect()
}

/// The intents in the order of their words. `is_name` says which words are part of a name, which no phrase begins or
/// ends with. Of two phrases for the same intent in the same place, the longer one counts.
pub(crate) fn find(words: &[Word], is_name: &[bool]) -> Vec<Cue> {
    let phrases = &*PHRASES;
    let mut found: Vec<Cue> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        if is_name[at] {
            continue;
        }
        let by_word = phrases.by_word.get(&word.lower).into_iter().flatten();
        let by_beginning = phrases
            .by_beginning
            .iter()
            .filter(|(first, _)| word.lower.starts_with(first.as_str()))
            .map(|(_, phrase)| phrase);
        for phrase in by_word.chain(by_beginning) {
            let Some(next) = matched(&phrase.pieces[1..], words, is_name, at + 1) else {
                continue;
            };
            let cue = Cue {
                intent: phrase.intent,
                words: at..next,
                has_gap: phrase.pieces.contains(&Piece::Gap),
            };
            let same = found
                .iter_mut()
                .find(|other| other.intent == cue.intent && other.words.start == at);
            match same {
                Some(other) => other.words.end = other.words.end.max(next),
                None => found.push(cue),
            }
        }
    }
    found
}

/// Where the pieces end, if the words continue with them.
fn matched(pieces: &[Piece], words: &[Word], is_name: &[bool], at: usize) -> Option<usize> {
    let Some((piece, rest)) = pieces.split_first() else {
        return Some(at);
    };
    match piece {
        Piece::Gap => (0..=GAP).find_map(|skipped| matched(rest, words, is_name, at + skipped)),
        Piece::Word(wanted) => {
            let word = words.get(at).filter(|_| !is_name[at])?;
            (word.lower == *wanted).then(|| matched(rest, words, is_name, at + 1))?
        }
        Piece::Beginning(wanted) => {
            let word = words.get(at).filter(|_| !is_name[at])?;
            word.lower
                .starts_with(wanted.as_str())
                .then(|| matched(rest, words, is_name, at + 1))?
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sound() {
        assert_eq!(table::fault(CUES, 2, 1), None);
        for [word, phrases] in table::rows(CUES) {
            assert!(Intent::find(word).is_some(), "{word}");
            let mut seen = std::collections::BTreeSet::new();
            for phrase in phrases.split('|') {
                assert!(seen.insert(phrase), "{word}: {phrase}");
                assert_eq!(phrase, phrase.to_lowercase().trim());
                let pieces = pieces(phrase);
                assert!(!pieces.is_empty(), "{word}: {phrase}");
                assert_ne!(pieces.first(), Some(&Piece::Gap), "{phrase}");
                assert_ne!(pieces.last(), Some(&Piece::Gap), "{phrase}");
            }
        }
    }
}

//! Who does what to whom, in a question about the future.

use std::ops::Range;
use std::sync::LazyLock;

use model::{EventKind, table};

use super::{Deed, anchor};
use crate::words::Word;

const DEEDS: &str = include_str!("../../data/deeds.tsv");

/// How the names relate to a verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Acts,
    By,
    Done,
    Alone,
}

impl Form {
    fn find(word: &str) -> Option<Self> {
        Some(match word {
            "acts" => Self::Acts,
            "by" => Self::By,
            "done" => Self::Done,
            "alone" => Self::Alone,
            _ => return None,
        })
    }
}

/// An action, with its phrases.
struct Verb {
    phrases: Vec<Vec<&'static str>>,
    kind: EventKind,
    form: Form,
    /// One of these has to follow; empty if anything may.
    needs: Vec<&'static str>,
}

static VERBS: LazyLock<Vec<Verb>> = LazyLock::new(|| {
    table::rows(DEEDS)
        .filter_map(|[phrases, kind, form, needs]| {
            Some(Verb {
                phrases: phrases
                    .split('|')
                    .map(|phrase| phrase.split(' ').collect())
                    .collect(),
                kind: EventKind::ALL
                    .into_iter()
                    .find(|known| known.as_str() == kind)?,
                form: Form::find(form)?,
                needs: needs.split(' ').filter(|word| *word != "-").collect(),
            })
        })
        .collect()
});

/// Words between the question word and the name.
const BEFORE_NAME: &str =
    "that of the a an there is are it for will be could would to what s whether";
/// Words between the name and the verb.
const AFTER_NAME: &str = "ever finally really actually also soon to going be will would could likely eventually still s an and";
/// Words that end the second name.
const ENDS: &str = "by before in within this next until during on for over at after and or if when soon ever again from with \
                    because as year end tomorrow now to anytime any";
/// Words that are not a name.
const NOBODY: &str = "i we you one people they it investors";
const ARTICLES: &str = "the a an";
/// Longest second name in words.
const LONGEST: usize = 6;
/// How near to the verb its required word has to be, in words.
const NEAR: usize = 5;

fn is_one(word: &Word, words: &str) -> bool {
    words.split(' ').any(|known| word.is(known))
}

pub(super) fn find(text: &str, words: &[Word]) -> Option<Deed> {
    let start = start(words)?;
    let (verb, place, next) = verb(words, start + 1)?;
    if !verb.needs.is_empty()
        && !words[next..]
            .iter()
            .take(NEAR)
            .any(|word| word.is_any(&verb.needs))
    {
        return None;
    }
    // What is bought back is one's own shares.
    if words.get(next).is_some_and(|word| word.is("back")) {
        return None;
    }
    let mut first = start..place;
    while first.start < first.end && is_one(&words[first.start], BEFORE_NAME) {
        first.start += 1;
    }
    while first.start < first.end && is_one(&words[first.end - 1], AFTER_NAME) {
        first.end -= 1;
    }
    // `Should I buy Apple?` is not a question about an event.
    if first.len() == 1 && is_one(&words[first.start], NOBODY) {
        return None;
    }
    let second = matches!(verb.form, Form::Acts | Form::By)
        .then(|| second(text, words, next))
        .flatten();
    Some(Deed {
        kind: verb.kind,
        first: said(text, words, first)?,
        second,
        is_passive: matches!(verb.form, Form::By | Form::Done),
    })
}

/// Where the first name may begin.
fn start(words: &[Word]) -> Option<usize> {
    let is_asked = |asking: &[&str]| words.first().is_some_and(|first| first.is_any(asking));
    match anchor(words) {
        // `Is Microsoft going to buy …`: the name comes first.
        Some(at) if words[at].is_any(&["going", "likely", "gonna"]) && is_asked(&["is", "are"]) => {
            Some(1)
        }
        Some(at) => Some(at + 1),
        // `Is OpenAI about to go public?`
        None => is_asked(&["is", "does", "when"]).then_some(1),
    }
}

/// The first verb from a word onwards, its place and its end.
fn verb(words: &[Word], from: usize) -> Option<(&'static Verb, usize, usize)> {
    (from..words.len()).find_map(|at| {
        VERBS.iter().find_map(|verb| {
            let phrase = verb.phrases.iter().find(|phrase| {
                phrase
                    .iter()
                    .enumerate()
                    .all(|(step, piece)| words.get(at + step).is_some_and(|word| word.is(piece)))
            })?;
            Some((verb, at, at + phrase.len()))
        })
    })
}

fn second(text: &str, words: &[Word], next: usize) -> Option<String> {
    let begin = (next..words.len()).find(|place| !is_one(&words[*place], ARTICLES))?;
    let end = (begin..words.len())
        .find(|place| {
            let word = &words[*place];
            let is_year = word.is_number() && word.lower.len() == 4;
            *place > begin && word.is_parted || is_one(word, ENDS) || is_year
        })
        .unwrap_or(words.len());
    said(text, words, begin..end.min(begin + LONGEST))
}

/// Words as they are written.
fn said(text: &str, words: &[Word], range: Range<usize>) -> Option<String> {
    const CHARACTERS: usize = 80;
    if range.is_empty() {
        return None;
    }
    let said = &text[words[range.start].bytes.start..words[range.end - 1].bytes.end];
    Some(said.chars().take(CHARACTERS).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sound() {
        assert_eq!(table::fault(DEEDS, 4, 1), None);
        assert_eq!(VERBS.len(), table::lines(DEEDS).count());
    }
}

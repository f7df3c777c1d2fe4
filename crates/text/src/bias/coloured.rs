//! How far one sentence colours what it reports.
//!
//! A sentence scores points for loaded words, wording typical of one political side, words of opinion, addressing the
//! reader, shouting and scare quotes. Text in quotation marks is somebody else's wording and counts less. One clear
//! value judgement is enough, or several hints.

use std::ops::Range;

use super::terms;
use crate::annotate::lexed::{Token, shape};

/// Points at which a sentence is as likely coloured as not, chosen on 228 sentences of real articles labelled by hand.
const EVEN: f64 = 0.65;
/// Maximum length in bytes of text in quotation marks that are scare quotes rather than a quotation.
const SCARE: usize = 24;

/// The score, 0 to 1.
pub(super) fn score(text: &str, words: &[Token<'_>]) -> f64 {
    let points = points(text.trim(), words);
    points / (points + EVEN)
}

fn points(text: &str, words: &[Token<'_>]) -> f64 {
    let quotes = quotes(text);
    let base = text.as_ptr() as usize;
    let inside = |token: &Token<'_>| {
        let at = token.text.as_ptr() as usize - base;
        quotes
            .iter()
            .any(|quote| quote.contains(&at) && quote.len() > SCARE)
    };
    let mut points = 0.0;
    let mut first_person = false;
    let mut at = 0;
    while at < words.len() {
        let token = &words[at];
        let own = if inside(token) { 0.35 } else { 1.0 };
        first_person |= own == 1.0 && terms::is_first_person(token);
        if token.is(shape::ALL_CAPS)
            && token.text.len() >= 6
            && token.text.bytes().all(|byte| byte.is_ascii_alphabetic())
        {
            points += 0.2;
        }
        let Some((length, colour)) = terms::at(words, at) else {
            at += 1;
            continue;
        };
        let side = 0.6 * colour.left.max(colour.right);
        let strongest = colour
            .loaded
            .max(colour.shade)
            .max(colour.opinion)
            .max(side)
            .max(0.4 * colour.sensational)
            .max(if colour.superlative { 0.25 } else { 0.0 });
        points += own * f64::from(strongest);
        at += length;
    }
    if first_person {
        points += 0.3;
    }
    let unquoted = quotes.iter().all(|quote| quote.len() <= SCARE);
    if unquoted && text.trim_end().ends_with('?') {
        points += 0.4;
    }
    if unquoted && text.contains('!') {
        points += 0.5;
    }
    let scare = quotes
        .iter()
        .filter(|quote| (3..=SCARE).contains(&quote.len()))
        .count();
    points + 0.3 * scare.min(2) as f64
}

/// The ranges in double quotation marks.
fn quotes(text: &str) -> Vec<Range<usize>> {
    let mut quotes = Vec::new();
    let mut open: Option<usize> = None;
    for (at, character) in text.char_indices() {
        if !matches!(character, '"' | '“' | '”' | '«' | '»' | '„') {
            continue;
        }
        match open.take() {
            Some(start) => quotes.push(start..at),
            None if character == '”' => quotes.push(0..at),
            None => open = Some(at + character.len_utf8()),
        }
    }
    // The sentence was cut from a longer quotation.
    quotes.extend(open.map(|start| start..text.len()));
    quotes
}

#[cfg(test)]
mod tests {
    use super::super::{COLOURED, sentence};

    #[test]
    fn judgements_colour_and_facts_do_not() {
        for (text, coloured) in [
            (
                "The council approved the budget on Monday, officials said.",
                false,
            ),
            ("Crude oil fell 2% on Monday.", false),
            ("Hero MotoCorp sales rose in March.", false),
            ("The senator slammed the disgraceful bill as a sham.", true),
            (
                "Of course the so-called experts simply refuse to answer.",
                true,
            ),
            ("These far-left zealots want to destroy our country!", true),
        ] {
            let score = sentence(text).get();
            assert_eq!(score >= COLOURED, coloured, "{text}: {score}");
        }
    }

    #[test]
    fn quoted_judgements_are_of_somebody_else() {
        let own = sentence("The disgraceful plan was passed on Monday after a long debate.").get();
        let quoted =
            sentence("“The disgraceful plan was passed on Monday after a long debate,” she said.")
                .get();
        assert!(quoted < own, "{quoted} {own}");
    }
}

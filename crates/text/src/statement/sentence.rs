//! Splitting text into sentences.

use std::sync::LazyLock;

use model::table;
use rustc_hash::FxHashMap;

use crate::token::is_stop_word;

/// A bracket that stays open for more bytes than this does not hold sentences together.
const LONGEST_ASIDE: usize = 200;

/// What a full stop after an abbreviation may mean.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Abbreviation {
    /// Something always follows in the same sentence: `Mr.`, `e.g.`
    NeverLast,
    /// Ends a sentence only if the next word is one that starts sentences: `Inc.`, `U.S.`, `p.m.`
    SometimesLast,
    /// Does not end a sentence if a figure follows: `No. 5`, `Jan. 3`.
    BeforeFigure,
}

/// A table row: what the abbreviation may mean, and whether the same letters in lower case are an ordinary word (`no.`,
/// `ill.`).
#[derive(Clone, Copy)]
struct Row {
    kind: Abbreviation,
    capitalised: bool,
}

static ABBREVIATIONS: LazyLock<FxHashMap<&'static str, Row>> = LazyLock::new(|| {
    let mut table = FxHashMap::default();
    let mut row = Row {
        kind: Abbreviation::SometimesLast,
        capitalised: false,
    };
    for line in table::lines(include_str!("../../data/abbreviations.txt")) {
        match line.trim() {
            "[never last]" => {
                row = Row {
                    kind: Abbreviation::NeverLast,
                    capitalised: false,
                }
            }
            "[sometimes last]" => {
                row = Row {
                    kind: Abbreviation::SometimesLast,
                    capitalised: false,
                }
            }
            "[capitalised, sometimes last]" => {
                row = Row {
                    kind: Abbreviation::SometimesLast,
                    capitalised: true,
                }
            }
            "[capitalised, before figure]" => {
                row = Row {
                    kind: Abbreviation::BeforeFigure,
                    capitalised: true,
                }
            }
            words => table.extend(words.split_whitespace().map(|word| (word, row))),
        }
    }
    table
});

/// The sentences of a text, trimmed, in order. A paragraph break ends a sentence.
pub fn split(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    for paragraph in paragraphs(text) {
        split_paragraph(paragraph, &mut sentences);
    }
    sentences
}

/// The parts between blank lines.
fn paragraphs(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let current = rest?;
        let mut search = 0;
        while let Some(found) = current[search..].find('\n') {
            let newline = search + found;
            let after = &current[newline + 1..];
            let blank = after.len() - after.trim_start().len();
            if after[..blank].contains('\n') || after[..blank].contains('\u{2029}') {
                rest = Some(&after[blank..]);
                return Some(&current[..newline]);
            }
            search = newline + 1 + blank;
        }
        rest = None;
        Some(current)
    })
}

fn split_paragraph<'text>(paragraph: &'text str, sentences: &mut Vec<&'text str>) {
    let mut start = 0;
    let mut aside_until = 0;
    let mut position = 0;
    while let Some(found) = paragraph[position..].find(is_interesting) {
        let at = position + found;
        let Some(mark) = paragraph[at..].chars().next() else {
            break;
        };
        if mark == '(' {
            if at >= aside_until {
                aside_until = end_of_aside(paragraph, at).unwrap_or(aside_until);
            }
            position = at + 1;
            continue;
        }
        let run = &paragraph[at..];
        let marks = run.len() - run.trim_start_matches(is_terminator).len();
        let end = at + run.len() - run[marks..].trim_start_matches(is_closer).len();
        position = end.max(at + mark.len_utf8());
        if at >= aside_until && is_boundary(paragraph, start, at, marks, end) {
            push(&paragraph[start..end], sentences);
            start = end;
        }
    }
    push(&paragraph[start..], sentences);
}

fn push<'text>(sentence: &'text str, sentences: &mut Vec<&'text str>) {
    let sentence = sentence.trim();
    if !sentence.is_empty() {
        sentences.push(sentence);
    }
}

/// Where the bracket that opens at `open` closes, provided that is soon and within this paragraph.
fn end_of_aside(paragraph: &str, open: usize) -> Option<usize> {
    let mut depth = 0_u32;
    for (offset, byte) in paragraph.bytes().enumerate().skip(open).take(LONGEST_ASIDE) {
        match byte {
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return Some(offset);
                }
            }
            _ => {}
        }
    }
    None
}

/// Whether the terminators at `at..at + marks`, with closing quotes up to `end`, end the sentence that begins at
/// `start`.
fn is_boundary(paragraph: &str, start: usize, at: usize, marks: usize, end: usize) -> bool {
    let run = &paragraph[at..at + marks];
    let rest = &paragraph[end..];
    if rest.is_empty() {
        return true;
    }
    if run.contains(['。', '！', '？']) {
        return true;
    }
    let before = last_word(&paragraph[start..at]);
    if !rest.starts_with(char::is_whitespace) {
        return is_missing_space(before, run, rest);
    }
    let next = next_word(rest);
    let Some(first) = next.chars().next() else {
        return true;
    };
    let starts_low = first.is_lowercase() && !next.chars().skip(1).any(char::is_uppercase);
    if starts_low {
        return false;
    }
    if run != "." {
        // An ellipsis, question mark or exclamation mark. A company may have the latter in its name.
        return !(run == "!" && before == "Yahoo");
    }
    if end > at + marks {
        // A closing quote or bracket follows the full stop. Abbreviations are rare there.
        return true;
    }
    if is_list_number(&paragraph[start..at]) {
        return false;
    }
    !goes_on(before, next)
}

/// Whether the full stop at a byte of a text belongs to an abbreviation and does not end a sentence: `Oct. 22`,
/// `Inc. rose`.
pub fn is_of_abbreviation(text: &str, at: usize) -> bool {
    let rest = text.get(at + 1..).unwrap_or_default();
    let next = next_word(rest);
    !next.is_empty()
        && text
            .get(..at)
            .is_some_and(|before| goes_on(last_word(before), next))
}

/// Whether a sentence continues after a word with a full stop.
fn goes_on(before: &str, next: &str) -> bool {
    match abbreviation(before) {
        None => false,
        Some(Abbreviation::NeverLast) => true,
        Some(Abbreviation::BeforeFigure) => next.starts_with(char::is_numeric),
        Some(Abbreviation::SometimesLast) => !starts_sentences(next),
    }
}

/// `…of the girl.According to police…`: a space was lost, which happens in feeds.
fn is_missing_space(before: &str, run: &str, rest: &str) -> bool {
    let mut following = rest.chars();
    let capitalised = following.next().is_some_and(char::is_uppercase)
        && following.next().is_some_and(char::is_lowercase);
    let plain = before.chars().count() >= 3 && before.chars().skip(1).all(char::is_lowercase);
    capitalised
        && plain
        && run.len() == 1
        && !["Com", "Net", "Org", "Js"].contains(&next_word(rest))
}

/// `3.` at the start of a list item. It belongs to the text it numbers.
fn is_list_number(sentence: &str) -> bool {
    let sentence = sentence.trim();
    sentence.len() <= 2
        && !sentence.is_empty()
        && sentence.bytes().all(|byte| byte.is_ascii_digit())
}

fn abbreviation(word: &str) -> Option<Abbreviation> {
    let mut characters = word.chars();
    let first = characters.next()?;
    if characters.next().is_none() && first.is_uppercase() {
        return Some(Abbreviation::SometimesLast);
    }
    if let Some(row) = ABBREVIATIONS.get(word.to_lowercase().as_str()) {
        return (!row.capitalised || first.is_uppercase()).then_some(row.kind);
    }
    let letters_between_dots =
        word.contains('.') && word.split('.').all(|part| part.chars().count() == 1);
    letters_between_dots.then_some(Abbreviation::SometimesLast)
}

fn starts_sentences(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_uppercase) && is_stop_word(&word.to_lowercase())
}

/// The word that ends right before the end of `text`, with its inner dots.
fn last_word(text: &str) -> &str {
    let start = text
        .char_indices()
        .rev()
        .take_while(|(_, character)| {
            character.is_alphanumeric()
                || *character == '.'
                || *character == '’'
                || *character == '\''
        })
        .last()
        .map_or(text.len(), |(offset, _)| offset);
    text[start..].trim_start_matches(['.', '\'', '’'])
}

/// The first word of `text`, after any quotes, brackets and dashes.
fn next_word(text: &str) -> &str {
    let Some(start) = text.find(char::is_alphanumeric) else {
        return "";
    };
    let word = &text[start..];
    &word[..word
        .find(|character: char| {
            !character.is_alphanumeric() && character != '\'' && character != '’'
        })
        .unwrap_or(word.len())]
}

fn is_interesting(character: char) -> bool {
    character == '(' || is_terminator(character)
}

fn is_terminator(character: char) -> bool {
    matches!(character, '.' | '!' | '?' | '…' | '。' | '！' | '？')
}

fn is_closer(character: char) -> bool {
    matches!(
        character,
        '"' | '\'' | '”' | '’' | '»' | ')' | ']' | '」' | '』'
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(split(text), expected, "{text}");
    }

    #[test]
    fn abbreviations_and_figures_do_not_end_sentences() {
        check(
            "The U.S. economy grew 2.5 percent. Mr. J. P. Smith of Acme Inc. disagreed.",
            &[
                "The U.S. economy grew 2.5 percent.",
                "Mr. J. P. Smith of Acme Inc. disagreed.",
            ],
        );
        check(
            "The Roe v. Velden trial began. Exhibits follow.",
            &["The Roe v. Velden trial began.", "Exhibits follow."],
        );
        // In lower case alone it never ends a sentence.
        check(
            "It was the reign of Henry V. The next king followed.",
            &["It was the reign of Henry V.", "The next king followed."],
        );
        check(
            "He left the U.S. The next day he returned.",
            &["He left the U.S.", "The next day he returned."],
        );
        check(
            "It opens at 9 a.m. Monday in Washington, D.C. for all.",
            &["It opens at 9 a.m. Monday in Washington, D.C. for all."],
        );
        check(
            "She answered no. Nobody came. Room No. 5 is free.",
            &["She answered no.", "Nobody came.", "Room No. 5 is free."],
        );
        check(
            "On Jan. 5 it rose. In Feb. it fell.",
            &["On Jan. 5 it rose.", "In Feb. it fell."],
        );
    }

    #[test]
    fn quotes_and_brackets_stay_with_their_sentence() {
        check(
            "“We won.” He smiled. \"Really?\" he asked.",
            &["“We won.”", "He smiled.", "\"Really?\" he asked."],
        );
        check(
            "It fell (it rose. Then fell) again. Yes.",
            &["It fell (it rose. Then fell) again.", "Yes."],
        );
        check(
            "Well... maybe. Hmm… Perhaps!",
            &["Well... maybe.", "Hmm…", "Perhaps!"],
        );
        check(
            "Yahoo! Finance says so! Good.",
            &["Yahoo! Finance says so!", "Good."],
        );
    }

    #[test]
    fn paragraphs_and_lost_spaces_end_sentences() {
        check(
            "No full stop\n\nNext one\nwraps here.",
            &["No full stop", "Next one\nwraps here."],
        );
        check(
            "A neighbour saw the girl.According to police, yes.",
            &["A neighbour saw the girl.", "According to police, yes."],
        );
        check(
            "Visit Amazon.com today. 1. First item.",
            &["Visit Amazon.com today.", "1. First item."],
        );
        check("市場は動いた。次の日。", &["市場は動いた。", "次の日。"]);
        check("", &[]);
        check(" \n\n ", &[]);
    }

    proptest! {
        #[test]
        fn nothing_but_space_is_lost(text in "(\\PC|[.!?\"() \n]|Mr\\.|U\\.S\\. |The ){0,60}") {
            let joined: String = split(&text).concat().chars().filter(|character| !character.is_whitespace()).collect();
            let whole: String = text.chars().filter(|character| !character.is_whitespace()).collect();
            prop_assert_eq!(joined, whole);
            prop_assert!(split(&text).iter().all(|sentence| !sentence.is_empty() && sentence.trim() == *sentence));
        }
    }
}

//! Cleans up external text for printing, and supplies small pieces of fixed wording.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use crate::{pattern, references};

static TAG: LazyLock<Regex> = LazyLock::new(|| pattern::exact(r"<[A-Za-z/!?][^<>]*>"));

/// Characters that close a quotation or bracket after the end of a sentence.
const CLOSERS: &[char] = &['"', '\'', '”', '’', '»', ')', ']'];
/// Characters that end a sentence.
const ENDS: &[char] = &['.', '!', '?', '。', '！', '？'];

/// One line without tags, control characters and runs of spaces.
pub(super) fn line(text: &str) -> String {
    let mut text = Cow::Borrowed(text);
    while text.contains('<') {
        let Cow::Owned(shorter) = TAG.replace_all(&text, " ") else {
            break;
        };
        text = Cow::Owned(shorter);
    }
    let spaced: String = text
        .chars()
        .filter(|character| !matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{feff}'))
        .map(|character| if character.is_control() { ' ' } else { character })
        .collect();
    let mut line = String::with_capacity(spaced.len());
    for word in spaced.split_whitespace() {
        // A link that was cut out leaves a space before the comma.
        if !line.is_empty() && word != "," && word != "." {
            line.push(' ');
        }
        line.push_str(word);
    }
    match references::with_apostrophes(&line) {
        Cow::Borrowed(_) => line,
        Cow::Owned(mended) => mended,
    }
}

/// Whether a text ends like a sentence.
pub(super) fn is_ended(text: &str) -> bool {
    let text = text.trim_end_matches(CLOSERS);
    text.ends_with(ENDS) && !text.ends_with("...")
}

/// The text with a full stop, unless it already ends like a sentence.
pub(super) fn ended(text: &str) -> String {
    let text = text.trim_end();
    let bare = text.trim_end_matches(['.', '…', ',', ';', ':', '-', '–', '—', ' ']);
    if is_ended(text) {
        text.to_owned()
    } else if bare.is_empty() {
        text.to_owned() + "."
    } else {
        format!("{bare}.")
    }
}

/// `A`, `A and B`, `A, B and C`, `A, B and 4 others`.
pub(super) fn list(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first, second] => format!("{first} and {second}"),
        [first, second, third] => format!("{first}, {second} and {third}"),
        [first, second, rest @ ..] => format!("{first}, {second} and {} others", rest.len()),
    }
}

/// The name of an outlet as shown to readers.
pub(super) fn outlet(member: &super::Member<'_>) -> String {
    let name = line(member.outlet);
    if name.is_empty() {
        line(&member.article.domain)
    } else {
        name
    }
}

/// `1 source`, `3 sources`.
pub(super) fn counted(count: usize, noun: &str) -> String {
    if count == 1 {
        format!("1 {noun}")
    } else {
        format!("{count} {noun}s")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        LazyLock::force(&TAG);
    }
}

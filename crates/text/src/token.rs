//! Splitting text into words.

use std::iter::FusedIterator;
use std::sync::LazyLock;

use model::table;
use rustc_hash::FxHashSet;

static STOP_WORDS: LazyLock<FxHashSet<&'static str>> = LazyLock::new(|| {
    table::lines(include_str!("../data/english_stop_words.txt"))
        .flat_map(str::split_whitespace)
        .collect()
});

/// The words of a text as written, made of letters, digits, inner apostrophes, hyphens and dots (`U.S.`, `AT&T`).
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    Words { text, position: 0 }
}

/// English stop words, lower case.
pub fn is_stop_word(word: &str) -> bool {
    if word.contains('’') {
        STOP_WORDS.contains(word.replace('’', "'").as_str())
    } else {
        STOP_WORDS.contains(word)
    }
}

struct Words<'text> {
    text: &'text str,
    position: usize,
}

impl<'text> Iterator for Words<'text> {
    type Item = &'text str;

    fn next(&mut self) -> Option<&'text str> {
        let rest = self.text.get(self.position..)?;
        let start = rest.find(char::is_alphanumeric)?;
        let word = &rest[start..];
        let length = word_length(word);
        self.position += start + length;
        Some(&word[..length])
    }
}

impl FusedIterator for Words<'_> {}

/// How many bytes of `text`, which starts with a letter or digit, belong to its first word.
fn word_length(text: &str) -> usize {
    let mut characters = text.char_indices().peekable();
    let mut end = 0;
    let mut previous = ' ';
    while let Some((offset, character)) = characters.next() {
        if is_ideograph(character) {
            // In scripts without spaces, each character is a word.
            return if end == 0 { character.len_utf8() } else { end };
        }
        if character.is_alphanumeric() || is_mark(character) {
            end = offset + character.len_utf8();
            previous = character;
            continue;
        }
        let Some(&(_, following)) = characters.peek() else {
            break;
        };
        if !joins(&text[..offset], previous, character, following) {
            break;
        }
        previous = character;
    }
    if text[end..].starts_with('.') && is_dotted_acronym(&text[..end]) {
        end + 1
    } else {
        end
    }
}

/// Whether `connector` between two characters is inside a word. `before` is the part of the word so far.
fn joins(before: &str, previous: char, connector: char, following: char) -> bool {
    if !(previous.is_alphanumeric() || is_mark(previous))
        || !following.is_alphanumeric()
        || is_ideograph(following)
    {
        return false;
    }
    match connector {
        '\'' | '’' | 'ʼ' | '-' | '‐' | '‑' | '_' => true,
        ',' => previous.is_ascii_digit() && following.is_ascii_digit(),
        '&' => previous.is_uppercase() && following.is_uppercase(),
        // A full stop without a space after it ends a sentence unless the word is a number, an acronym or a domain.
        '.' => {
            (previous.is_numeric() && following.is_numeric())
                || (previous.is_alphanumeric() && following.is_lowercase())
                || (is_single_letters(before) && following.is_uppercase())
        }
        _ => false,
    }
}

/// `U`, `U.S`, `U.S.A`: single letters between dots.
fn is_single_letters(word: &str) -> bool {
    word.split('.').all(|part| {
        let mut characters = part.chars();
        characters.next().is_some_and(char::is_alphabetic) && characters.next().is_none()
    })
}

fn is_dotted_acronym(word: &str) -> bool {
    word.contains('.') && is_single_letters(word)
}

fn is_mark(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{20d0}'..='\u{20ff}')
        || unicode_normalization::char::is_combining_mark(character)
}

fn is_ideograph(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{2fa1f}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(words(text).collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn words_are_taken_as_written() {
        check(
            "The U.S. and AT&T don’t agree.",
            &["The", "U.S.", "and", "AT&T", "don’t", "agree"],
        );
        check(
            "U.S.-Iran talks: 3.5% of $1,200",
            &["U.S.", "Iran", "talks", "3.5", "of", "1,200"],
        );
        check(
            "Amazon.com's follow-up—again",
            &["Amazon.com's", "follow-up", "again"],
        );
        check(
            "a neighbour girl.According to police",
            &["a", "neighbour", "girl", "According", "to", "police"],
        );
        check(
            "S&P 500, 'quoted' words--here",
            &["S&P", "500", "quoted", "words", "here"],
        );
        check("市場の動き up", &["市", "場", "の", "動", "き", "up"]);
        check("at 5 p.m. on", &["at", "5", "p.m.", "on"]);
        check("", &[]);
        check(" … !", &[]);
    }

    #[test]
    fn stop_words_are_the_small_change_of_english() {
        assert!(is_stop_word("the") && is_stop_word("don't") && is_stop_word("don’t"));
        assert!(!is_stop_word("market") && !is_stop_word("The") && !is_stop_word(""));
    }

    proptest! {
        #[test]
        fn every_letter_and_digit_is_in_a_word(text in "\\PC{0,80}") {
            let kept: String = words(&text).flat_map(str::chars).filter(|character| character.is_alphanumeric()).collect();
            let all: String = text.chars().filter(|character| character.is_alphanumeric()).collect();
            prop_assert_eq!(kept, all);
            prop_assert!(words(&text).all(|word| word.chars().next().is_some_and(char::is_alphanumeric)));
        }
    }
}

//! Text of strangers, made harmless for a terminal.
//!
//! A headline may contain anything, also sequences that clear a screen, rename a window or make text run the other way.
//! Everything that is printed goes through here, except JSON, which has escapes of its own ([`crate::json`]).

/// Stands where a control character was, so that nothing disappears unnoticed.
const REPLACEMENT: char = '\u{fffd}';

/// The text on one line.
pub(crate) fn line(text: &str) -> String {
    let mut cleaned = String::with_capacity(text.len());
    for word in text.split(is_blank).filter(|word| !word.is_empty()) {
        if !cleaned.is_empty() {
            cleaned.push(' ');
        }
        cleaned.extend(word.chars().filter_map(visible));
    }
    cleaned
}

/// The text with its line ends and blanks.
pub(crate) fn lines(text: &str) -> String {
    text.chars()
        .filter_map(|character| match character {
            '\n' => Some('\n'),
            '\r' => None,
            blank if is_blank(blank) => Some(' '),
            other => visible(other),
        })
        .collect()
}

fn is_blank(character: char) -> bool {
    matches!(
        character,
        ' ' | '\t' | '\n' | '\r' | '\u{2028}' | '\u{2029}'
    )
}

/// What is shown of a character: itself, a replacement or nothing.
fn visible(character: char) -> Option<char> {
    if is_invisible(character) {
        None
    } else if character.is_control() {
        Some(REPLACEMENT)
    } else {
        Some(character)
    }
}

/// Characters without a shape that change what stands around them: direction, tags, marks of byte order.
pub(crate) const fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{61c}'
            | '\u{200b}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
            | '\u{feff}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_never_pass() {
        for (input, expected) in [
            ("Rates rise", "Rates rise"),
            ("\u{1b}[2JRates", "\u{fffd}[2JRates"),
            ("a\u{9b}31mb", "a\u{fffd}31mb"),
            ("\u{1b}]0;owned\u{7}", "\u{fffd}]0;owned\u{fffd}"),
            ("two\r\nlines\tand  blanks ", "two lines and blanks"),
            ("\u{202e}gpj.exe", "gpj.exe"),
            ("Zürich 東京 👩‍🚀", "Zürich 東京 👩‍🚀"),
        ] {
            assert_eq!(line(input), expected);
        }
        assert_eq!(lines("a\r\nb\u{1b}c\td"), "a\nb\u{fffd}c d");
    }
}

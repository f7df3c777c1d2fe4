//! Character references of XML and HTML.

use std::borrow::Cow;
use std::sync::LazyLock;

use encoding_rs::WINDOWS_1252;
use rustc_hash::FxHashMap;

/// The names of HTML 4 and `apos`: a name and a code point in hexadecimal on each line.
const NAMES: &str = include_str!("../data/entities.tsv");

/// Longest reference, without `&` and `;`.
const LONGEST_NAME: usize = 10;

static BY_NAME: LazyLock<FxHashMap<&'static str, char>> = LazyLock::new(|| {
    let row = |line: &'static str| {
        let (name, code) = line.split_once('\t')?;
        Some((
            name,
            u32::from_str_radix(code, 16)
                .ok()
                .and_then(char::from_u32)?,
        ))
    };
    NAMES.lines().filter_map(row).collect()
});

/// Replaces references by their characters, once. What is no reference, such as a bare `&`, stays as it is.
pub(crate) fn decode(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find('&') else {
        return Cow::Borrowed(text);
    };
    let mut decoded = String::with_capacity(text.len());
    decoded.push_str(&text[..first]);
    let mut rest = &text[first..];
    while let Some(after) = rest.strip_prefix('&') {
        if let Some((character, length)) = reference(after) {
            decoded.push(character);
            rest = &after[length..];
        } else {
            decoded.push('&');
            rest = after;
        }
        let next = rest.find('&').unwrap_or(rest.len());
        decoded.push_str(&rest[..next]);
        rest = &rest[next..];
    }
    Cow::Owned(decoded)
}

/// The character that the text behind a `&` stands for, and how much of it that takes.
fn reference(after: &str) -> Option<(char, usize)> {
    let end = after
        .bytes()
        .take(LONGEST_NAME + 1)
        .position(|byte| byte == b';')?;
    let name = &after[..end];
    Some((character(name)?, end + 1))
}

/// The character of a reference between `&` and `;`.
pub(crate) fn character(name: &str) -> Option<char> {
    let Some(number) = name.strip_prefix('#') else {
        return BY_NAME.get(name).copied();
    };
    let code = match number.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => number.parse(),
    };
    let code = code.ok()?;
    // Numbers of the C1 range come from Windows-1252 text whose bytes were written as references.
    if let Ok(byte @ 0x80..=0x9f) = u8::try_from(code) {
        return WINDOWS_1252
            .decode_without_bom_handling(&[byte])
            .0
            .chars()
            .next();
    }
    char::from_u32(code).filter(|c| !c.is_control() || matches!(c, '\n' | '\t' | '\r'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_decoded_once_and_the_rest_is_kept() {
        for (text, expected) in [
            ("plain", "plain"),
            ("a &amp; b &lt;i&gt;", "a & b <i>"),
            ("caf&eacute;&nbsp;&hellip;", "café\u{a0}…"),
            ("&amp;eacute;", "&eacute;"),
            ("don&#146;t &#8217; &#x2019;", "don’t ’ ’"),
            (
                "AT&T & co; a=1&b=2 &nosuch; &#xffffffff; &;&",
                "AT&T & co; a=1&b=2 &nosuch; &#xffffffff; &;&",
            ),
            ("ü&ü;é&#0;", "ü&ü;é&#0;"),
        ] {
            assert_eq!(decode(text), expected);
        }
    }
}

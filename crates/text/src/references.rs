//! HTML and XML character references: `&amp;`, `&#8217;`, `&#x2019;`.
//!
//! The table and the rules are those of the HTML standard, provided by a library. A reference may lack its semicolon
//! only if a browser would read it in an attribute too (`&amp more`, not `?a=1&lt=2`), because texts contain addresses.
//! A reference that stands for nothing, such as `&#0;`, becomes a space. One level is decoded. If a text was escaped
//! twice, the caller has to decode it again.

use std::borrow::Cow;

/// The longest name, without `&` and `;`.
const LONGEST_NAME: usize = 31;

/// The text with every reference replaced by what it stands for. Anything that is not a reference, such as a bare `&`,
/// stays as it is.
pub fn decode(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find('&') else {
        return Cow::Borrowed(text);
    };
    let mut decoded = String::with_capacity(text.len());
    decoded.push_str(&text[..first]);
    let mut rest = &text[first..];
    while !rest.is_empty() {
        let consumed = if let Some((meaning, length)) = leading(rest) {
            decoded.push_str(&meaning);
            length
        } else {
            decoded.push('&');
            1
        };
        rest = &rest[consumed..];
        let next = rest.find('&').unwrap_or(rest.len());
        decoded.push_str(&rest[..next]);
        rest = &rest[next..];
    }
    Cow::Owned(decoded)
}

/// What the reference at the start of `text` stands for, and how many bytes it takes.
pub fn leading(text: &str) -> Option<(String, usize)> {
    let (meaning, length) = behind(text.strip_prefix('&')?)?;
    Some((meaning, 1 + length))
}

/// What the reference whose `&` comes before `body` stands for, and how many bytes of `body` it takes.
pub(crate) fn behind(body: &str) -> Option<(String, usize)> {
    let count = |text: &str, is_part: fn(&u8) -> bool| text.bytes().take_while(is_part).count();
    let length = if let Some(number) = body.strip_prefix('#') {
        match number.strip_prefix(['x', 'X']) {
            Some(digits) => 2 + count(digits, u8::is_ascii_hexdigit),
            None => 1 + count(number, u8::is_ascii_digit),
        }
    } else {
        let letters = count(body, u8::is_ascii_alphanumeric);
        let is_name = (1..=LONGEST_NAME).contains(&letters) && !body[letters..].starts_with('=');
        is_name.then_some(letters)?
    };
    let length = length + usize::from(body[length..].starts_with(';'));
    let reference = format!("&{}", &body[..length]);
    match htmlize::unescape_attribute(&reference) {
        Cow::Borrowed(_) => None,
        Cow::Owned(meaning) if is_nothing(&meaning) => Some((" ".to_owned(), length)),
        Cow::Owned(meaning) => Some((meaning, length)),
    }
}

/// Restores apostrophes that lost the first character of their reference in a feed: `India#39;s`.
pub(crate) fn with_apostrophes(text: &str) -> Cow<'_, str> {
    if !text.contains("#39;") {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace("&#39;", "'").replace("#39;", "'"))
}

/// A control character, or the replacement for an invalid character.
fn is_nothing(meaning: &str) -> bool {
    meaning.chars().all(|character| {
        character == '\u{fffd}' || character.is_control() && !character.is_whitespace()
    })
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
            ("don&#146;t &#8217; &#x2019; &#39s", "don’t ’ ’ 's"),
            ("&NotEqualTilde; &CounterClockwiseContourIntegral;", "≂̸ ∳"),
            ("cut &amp here &lt", "cut & here <"),
            (
                "AT&T & co; a=1&b=2&lt=3&copy=4 &ampere &nosuch; &;&#;&#x;&",
                "AT&T & co; a=1&b=2&lt=3&copy=4 &ampere &nosuch; &;&#;&#x;&",
            ),
            ("ü&ü;é&#0;&#xffffffff;&#xD800;&#7;.", "ü&ü;é    ."),
        ] {
            assert_eq!(decode(text), expected);
        }
    }

    #[test]
    fn a_long_row_of_letters_is_no_reference() {
        let text = format!("&{};", "a".repeat(100_000));
        assert_eq!(decode(&text), text);
        let number = format!("&#{}65;", "0".repeat(100_000));
        assert_eq!(decode(&number), "A");
    }
}

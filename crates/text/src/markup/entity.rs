//! Character references: `&amp;`, `&#8217;`, `&#x2019;`.

use std::sync::LazyLock;

static NAMED: LazyLock<Vec<(&'static str, char)>> = LazyLock::new(|| {
    let mut table: Vec<(&str, char)> = include_str!("../../data/entities.txt")
        .lines()
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(name, code)| {
            Some((name, char::from_u32(u32::from_str_radix(code, 16).ok()?)?))
        })
        .collect();
    table.sort_unstable_by_key(|(name, _)| *name);
    table
});

/// What code points 128 to 159 mean where somebody wrote bytes of Windows-1252 as references.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The longest name in the table.
const LONGEST_NAME: usize = 24;

/// The character that the reference at the start of `text` stands for, and the bytes it takes.
///
/// What was escaped several times (`&amp;amp;lt;`) is one reference. References that stand for nothing become a space.
pub(super) fn decode(text: &str) -> Option<(char, usize)> {
    let bytes = text.as_bytes();
    let mut start = 1;
    while bytes[start.min(bytes.len())..].starts_with(b"amp;")
        || bytes[start.min(bytes.len())..].starts_with(b"#38;")
    {
        start += 4;
    }
    if let Some((character, length)) = decode_body(&text[start..]) {
        return Some((character, start + length));
    }
    (start > 1).then_some(('&', start))
}

/// The reference whose `&` stands before `body`.
fn decode_body(body: &str) -> Option<(char, usize)> {
    if let Some(number) = body.strip_prefix('#') {
        let (digits, radix, prefix) = match number.strip_prefix(['x', 'X']) {
            Some(digits) => (digits, 16, 2),
            None => (number, 10, 1),
        };
        let length = digits
            .bytes()
            .take_while(|byte| (*byte as char).is_digit(radix))
            .count();
        if length == 0 {
            return None;
        }
        let code = u32::from_str_radix(&digits[..length], radix).unwrap_or(0);
        let semicolon = usize::from(digits[length..].starts_with(';'));
        return Some((character(code), prefix + length + semicolon));
    }
    let length = body
        .bytes()
        .take(LONGEST_NAME)
        .take_while(u8::is_ascii_alphanumeric)
        .count();
    let name = &body[..length];
    if body[length..].starts_with(';') {
        let found = NAMED.binary_search_by_key(&name, |(name, _)| name).ok()?;
        return NAMED
            .get(found)
            .map(|(_, character)| (*character, length + 1));
    }
    // Without its semicolon only what browsers accept too, and not inside an address (`?a=1&lt=2`).
    let bare = match name {
        "amp" | "AMP" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "nbsp" => '\u{a0}',
        _ => return None,
    };
    (!body[length..].starts_with('=')).then_some((bare, length))
}

fn character(code: u32) -> char {
    let code = match code {
        128..=159 => return WINDOWS_1252[code as usize - 128],
        other => other,
    };
    char::from_u32(code)
        .filter(|character| !character.is_control() || character.is_whitespace())
        .unwrap_or(' ')
}

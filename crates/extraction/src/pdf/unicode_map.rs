//! The map from a font's codes to characters that a PDF may include.
//!
//! It is a small PostScript program, of which only the tables are read. Whatever surrounds them differs from one writer
//! to the next, and a reader that insists on a particular form loses the text.

use std::collections::HashMap;

/// The number of two-byte codes; longer tables are not read to their end.
const MOST_CODES: usize = 1 << 16;
/// Bytes of the characters for one code. A ligature has some six.
const LONGEST: usize = 64;

/// Characters by code.
#[derive(Debug)]
pub(super) struct UnicodeMap {
    /// Length of codes in bytes, if the map gives it.
    pub(super) code_bytes: Option<usize>,
    characters: HashMap<u32, String>,
}

enum Token<'a> {
    /// Bytes between angle brackets.
    Code(Vec<u8>),
    Open,
    Close,
    Word(&'a [u8]),
}

/// What a table contains: a code, or a list of them.
enum Entry {
    One(Vec<u8>),
    List(Vec<Vec<u8>>),
}

impl UnicodeMap {
    pub(super) fn parse(mut program: &[u8]) -> Self {
        let mut map = Self {
            code_bytes: None,
            characters: HashMap::new(),
        };
        let mut entries = Vec::new();
        let mut list: Option<Vec<Vec<u8>>> = None;
        while let Some(token) = next_token(&mut program) {
            match (token, &mut list) {
                (Token::Code(code), Some(list)) => list.push(code),
                (Token::Code(code), None) => entries.push(Entry::One(code)),
                (Token::Open, _) => list = Some(Vec::new()),
                (Token::Close, _) => entries.extend(list.take().map(Entry::List)),
                (Token::Word(word), _) => {
                    map.take_table(word, &entries);
                    entries.clear();
                    list = None;
                }
            }
        }
        map
    }

    /// The characters for a code.
    pub(super) fn get(&self, code: u32) -> Option<&str> {
        self.characters.get(&code).map(String::as_str)
    }

    /// Takes over a table, given the word that ends it.
    fn take_table(&mut self, word: &[u8], entries: &[Entry]) {
        match word {
            b"endcodespacerange" => {
                if let Some(Entry::One(first)) = entries.first() {
                    self.code_bytes = Some(first.len()).filter(|length| (1..=4).contains(length));
                }
            }
            b"endbfchar" => {
                for pair in entries.chunks_exact(2) {
                    if let [Entry::One(code), Entry::One(target)] = pair {
                        self.put(number(code), target, 0);
                    }
                }
            }
            b"endbfrange" => {
                for range in entries.chunks_exact(3) {
                    let [Entry::One(first), Entry::One(last), target] = range else {
                        continue;
                    };
                    if self.characters.len() >= MOST_CODES {
                        return;
                    }
                    let codes = (number(first)..=number(last)).take(MOST_CODES);
                    match target {
                        Entry::One(target) => {
                            for (step, code) in codes.enumerate() {
                                self.put(code, target, step as u16);
                            }
                        }
                        Entry::List(list) => {
                            for (code, target) in codes.zip(list) {
                                self.put(code, target, 0);
                            }
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// UTF-16 characters, the last of which is advanced by some steps.
    fn put(&mut self, code: u32, target: &[u8], step: u16) {
        if self.characters.len() >= MOST_CODES {
            return;
        }
        let target = &target[..target.len().min(LONGEST)];
        let mut units: Vec<u16> = target.chunks(2).map(|unit| number(unit) as u16).collect();
        if let Some(last) = units.last_mut() {
            *last = last.wrapping_add(step);
        }
        let characters = String::from_utf16_lossy(&units);
        self.characters.insert(code, characters);
    }
}

fn number(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .fold(0, |number, byte| number << 8 | u32::from(*byte))
}

fn next_token<'a>(rest: &mut &'a [u8]) -> Option<Token<'a>> {
    loop {
        let whole = *rest;
        let (&first, after) = whole.split_first()?;
        *rest = after;
        match first {
            b'%' => {
                let end = after.iter().position(|byte| matches!(byte, b'\r' | b'\n'));
                *rest = &after[end.unwrap_or(after.len())..];
            }
            b'[' => return Some(Token::Open),
            b']' => return Some(Token::Close),
            b'<' if after.first() != Some(&b'<') => {
                let end = memchr::memchr(b'>', after)?;
                *rest = &after[end + 1..];
                return Some(Token::Code(hexadecimal(&after[..end])));
            }
            letter if letter.is_ascii_alphabetic() => {
                let others = after.iter().position(|byte| !byte.is_ascii_alphanumeric());
                let (_, others) = after.split_at(others.unwrap_or(after.len()));
                *rest = others;
                return Some(Token::Word(&whole[..whole.len() - others.len()]));
            }
            _ => {}
        }
    }
}

/// The bytes written as hexadecimal digits; anything between the digits is ignored.
fn hexadecimal(digits: &[u8]) -> Vec<u8> {
    let values = digits
        .iter()
        .filter_map(|digit| char::from(*digit).to_digit(16));
    let values: Vec<u8> = values.map(|value| value as u8).collect();
    values
        .chunks(2)
        .map(|pair| pair.iter().fold(0, |byte, value| byte << 4 | value))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_whatever_stands_around_them() {
        let map = UnicodeMap::parse(
            b"begincmap 1 begincodespacerange<00><FF>endcodespacerange % comment <41> <42>\n\
              2 beginbfchar <41><03A9> <42> <00660069>\nendbfchar\n\
              2 beginbfrange <50> <52> <0061> <60> <61> [<0078> <D83DDE00>] endbfrange",
        );
        assert_eq!(map.code_bytes, Some(1));
        let expected = [
            (0x41, "\u{3a9}"),
            (0x42, "fi"),
            (0x52, "c"),
            (0x60, "x"),
            (0x61, "\u{1f600}"),
        ];
        for (code, characters) in expected {
            assert_eq!(map.get(code), Some(characters), "{code:x}");
        }
        assert_eq!(map.get(0x62), None);
    }

    #[test]
    fn tables_without_end_have_one() {
        let map = UnicodeMap::parse(
            b"<00000000> <FFFFFFFF> <0041> endbfrange <0000> <FFFF> [<0041> endbfrange <1>",
        );
        assert_eq!(map.characters.len(), MOST_CODES);
    }
}

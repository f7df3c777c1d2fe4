//! A headline and its body, split into sentences and words once for all later readings.
//!
//! Each word carries two hashes: one of its letters as written and one of its letters in lower case. Both ignore
//! accents, dots and curly apostrophes, so `U.S.` matches `US` and `São Paulo` matches `Sao Paulo`. Word tables compare
//! these hashes and never allocate.

use std::ops::Range;

use unicode_normalization::char::{decompose_canonical, is_combining_mark};

/// Text beyond this many bytes adds nothing new about an article.
const LONGEST_BODY: usize = 60_000;

/// What separates a word from the one before it.
pub(crate) mod gap {
    /// Only white space.
    pub(crate) const SPACE: u8 = 1;
    /// A hyphen inside a compound.
    pub(crate) const HYPHEN: u8 = 1 << 1;
    /// A comma.
    pub(crate) const COMMA: u8 = 1 << 2;
    /// Quotation marks of any kind.
    pub(crate) const QUOTE: u8 = 1 << 3;
    /// An opening bracket.
    pub(crate) const OPEN: u8 = 1 << 4;
    /// A closing bracket.
    pub(crate) const CLOSE: u8 = 1 << 5;
    /// A colon.
    pub(crate) const COLON: u8 = 1 << 6;
    /// Any other mark, or the start of a sentence.
    pub(crate) const OTHER: u8 = 1 << 7;
    /// Marks that end a phrase.
    pub(crate) const BREAK: u8 = COMMA | QUOTE | OPEN | CLOSE | COLON | OTHER;
}

/// How a word is written.
pub(crate) mod shape {
    /// Begins with a capital.
    pub(crate) const CAPITAL: u8 = 1;
    /// Two letters or more, all of them capitals.
    pub(crate) const ALL_CAPS: u8 = 1 << 1;
    /// Begins with a digit.
    pub(crate) const NUMBER: u8 = 1 << 2;
    /// A possessive ending was cut off.
    pub(crate) const POSSESSIVE: u8 = 1 << 3;
    /// Follows a dollar sign directly.
    pub(crate) const DOLLAR: u8 = 1 << 4;
    /// A percent sign follows.
    pub(crate) const PERCENT: u8 = 1 << 5;
    /// Followed by a full stop, as abbreviations are.
    pub(crate) const STOPPED: u8 = 1 << 6;
    /// Follows a minus sign that is not a hyphen.
    pub(crate) const MINUS: u8 = 1 << 7;
}

/// One word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'a> {
    /// As written, without its possessive ending.
    pub(crate) text: &'a str,
    /// Hash of its letters as written.
    pub(crate) exact: u64,
    /// Hash of its letters in lower case.
    pub(crate) lower: u64,
    /// Marks before it.
    pub(crate) gap: u8,
    /// How it is written.
    pub(crate) shape: u8,
}

impl Token<'_> {
    /// Whether one of these shapes applies.
    pub(crate) fn is(&self, shape: u8) -> bool {
        self.shape & shape != 0
    }

    /// Whether one of these marks comes before it.
    pub(crate) fn after(&self, gap: u8) -> bool {
        self.gap & gap != 0
    }
}

/// One sentence: a range of words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sentence<'a> {
    /// As written.
    pub(crate) text: &'a str,
    /// Index of its first word.
    pub(crate) start: usize,
    /// Index after its last word.
    pub(crate) end: usize,
}

/// A headline and its body as words. The headline is sentence 0, even if it is empty.
#[derive(Debug)]
pub(crate) struct Lexed<'a> {
    /// All words, headline first.
    pub(crate) tokens: Vec<Token<'a>>,
    /// All sentences, headline first.
    pub(crate) sentences: Vec<Sentence<'a>>,
    /// The headline capitalises (nearly) every word, so capitals in it carry no information.
    pub(crate) title_case: bool,
}

impl<'a> Lexed<'a> {
    /// Splits a headline and its body.
    pub(crate) fn new(title: &'a str, body: &'a str) -> Self {
        let body = &body[..floor_boundary(body, LONGEST_BODY)];
        let mut lexed = Self {
            tokens: Vec::with_capacity((title.len() + body.len()) / 5 + 8),
            sentences: Vec::with_capacity(body.len() / 90 + 2),
            title_case: false,
        };
        lexed.push(title);
        lexed.title_case = is_title_case(&lexed.tokens);
        for sentence in crate::sentence::split(body) {
            lexed.push(sentence);
        }
        lexed
    }

    /// The words of one sentence.
    pub(crate) fn words(&self, sentence: &Sentence<'_>) -> &[Token<'a>] {
        &self.tokens[sentence.start..sentence.end]
    }

    /// The words `start..end` of one sentence as written, including what separates them.
    pub(crate) fn written(&self, start: usize, end: usize) -> &'a str {
        let at = self
            .sentences
            .partition_point(|sentence| sentence.end <= start);
        let (Some(sentence), Some(first), Some(last)) = (
            self.sentences.get(at),
            self.tokens.get(start),
            self.tokens.get(end - 1),
        ) else {
            return "";
        };
        let base = sentence.text.as_ptr() as usize;
        let begin = (first.text.as_ptr() as usize).saturating_sub(base);
        let finish = (last.text.as_ptr() as usize).saturating_sub(base) + last.text.len();
        sentence.text.get(begin..finish).unwrap_or(first.text)
    }

    /// The position of the words `start..end` in the text they were split from, including the full stop of an
    /// abbreviation.
    pub(crate) fn bytes(&self, text: &str, start: usize, end: usize) -> Range<usize> {
        let base = text.as_ptr() as usize;
        let begin = (self.tokens[start].text.as_ptr() as usize).saturating_sub(base);
        let last = &self.tokens[end - 1];
        let finish = (last.text.as_ptr() as usize).saturating_sub(base) + last.text.len();
        let stop =
            last.is(shape::STOPPED) && (last.text.contains('.') || is_abbreviation(last.text));
        begin..finish + usize::from(stop)
    }

    /// The words of the headline.
    pub(crate) fn title(&self) -> &[Token<'a>] {
        &self.tokens[..self.sentences[0].end]
    }

    /// The sentences of the body.
    pub(crate) fn body(&self) -> &[Sentence<'a>] {
        &self.sentences[1..]
    }

    fn push(&mut self, text: &'a str) {
        let start = self.tokens.len();
        lex(text, &mut self.tokens);
        self.sentences.push(Sentence {
            text,
            start,
            end: self.tokens.len(),
        });
    }
}

/// The words of a text.
pub(crate) fn lex<'a>(text: &'a str, tokens: &mut Vec<Token<'a>>) {
    let bytes = text.as_bytes();
    let mut marks = gap::OTHER;
    let mut dollar = false;
    let mut minus = false;
    let mut position = 0;
    let first = tokens.len();
    while position < bytes.len() {
        let Some(character) = text[position..].chars().next() else {
            break;
        };
        if !character.is_alphanumeric() {
            let next = position + character.len_utf8();
            if character == '%' && marks & !gap::SPACE == 0 && tokens.len() > first {
                if let Some(last) = tokens.last_mut() {
                    last.shape |= shape::PERCENT;
                }
                position = next;
                continue;
            }
            dollar = character == '$';
            minus = matches!(character, '-' | '\u{2212}' | '–')
                && (marks & gap::SPACE != 0 || tokens.len() == first);
            marks |= match character {
                '-' | '\u{2010}' | '\u{2011}'
                    if bytes.get(next).is_some_and(u8::is_ascii_alphanumeric) && marks == 0 =>
                {
                    gap::HYPHEN
                }
                ',' => gap::COMMA,
                '"' | '“' | '”' | '«' | '»' | '‘' | '’' | '\'' | '„' => gap::QUOTE,
                '(' | '[' => gap::OPEN,
                ')' | ']' => gap::CLOSE,
                ':' => gap::COLON,
                '$' | '€' | '£' | '&' => 0,
                other if other.is_whitespace() => gap::SPACE,
                _ => gap::OTHER,
            };
            position = next;
            continue;
        }
        let end = word_end(text, position);
        if is_address(text, position, end) {
            position += text[position..]
                .find(char::is_whitespace)
                .unwrap_or(text.len() - position);
            marks |= gap::OTHER;
            continue;
        }
        let stopped = bytes.get(end) == Some(&b'.');
        let word = &text[position..end];
        let mut flags = 0;
        if dollar {
            flags |= shape::DOLLAR;
        }
        if minus {
            flags |= shape::MINUS;
        }
        if stopped {
            flags |= shape::STOPPED;
        }
        if let Some((head, tail)) = elision(word) {
            tokens.push(token(head, marks, flags));
            tokens.push(named(tail, gap::HYPHEN, flags));
        } else {
            tokens.push(named(word, marks, flags));
        }
        marks = 0;
        dollar = false;
        minus = false;
        position = end;
        // A full stop that belongs to an initialism is not a punctuation mark.
        if stopped && (word.contains('.') || is_abbreviation(word)) {
            position += 1;
        }
    }
}

fn is_abbreviation(word: &str) -> bool {
    matches!(
        word,
        "Mr" | "Mrs"
            | "Ms"
            | "Dr"
            | "Sen"
            | "Rep"
            | "Gov"
            | "Gen"
            | "St"
            | "Inc"
            | "Corp"
            | "Ltd"
            | "Co"
            | "Jr"
            | "Sr"
            | "Prof"
            | "Lt"
            | "Col"
            | "Sgt"
            | "Capt"
            | "Rev"
            | "Hon"
            | "vs"
            | "No"
            | "Rs"
    ) || (word.len() == 1 && word.as_bytes()[0].is_ascii_uppercase())
}

/// Where the word that begins at `start` ends.
fn word_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut end = start;
    let mut previous = ' ';
    while let Some(character) = text[end..].chars().next() {
        let next = end + character.len_utf8();
        let follows = || text[next..].chars().next();
        let joined = match character {
            c if c.is_alphanumeric() || (!c.is_ascii() && is_combining_mark(c)) => true,
            '\'' | '’' => previous.is_alphabetic() && follows().is_some_and(char::is_alphabetic),
            '&' => previous.is_uppercase() && follows().is_some_and(char::is_uppercase),
            ',' => {
                previous.is_ascii_digit()
                    && bytes[start].is_ascii_digit()
                    && bytes.len() >= next + 3
                    && bytes[next..next + 3].iter().all(u8::is_ascii_digit)
                    && !bytes.get(next + 3).is_some_and(u8::is_ascii_digit)
            }
            '.' => match follows() {
                Some(c) if c.is_ascii_digit() => previous.is_ascii_digit(),
                Some(c) if c.is_ascii_uppercase() => {
                    previous.is_ascii_uppercase() && is_initialism(&bytes[start..end])
                }
                Some(c) if c.is_ascii_lowercase() => {
                    previous.is_ascii_lowercase() && is_domain_ending(&text[next..])
                        || is_initialism(&bytes[start..end])
                }
                _ => false,
            },
            _ => false,
        };
        if !joined {
            break;
        }
        previous = character;
        end = next;
    }
    end.max(start + text[start..].chars().next().map_or(1, char::len_utf8))
}

/// `U`, `U.S`, `a.m`: single letters with dots between them.
fn is_initialism(bytes: &[u8]) -> bool {
    bytes.iter().enumerate().all(|(at, byte)| {
        if at % 2 == 0 {
            byte.is_ascii_alphabetic()
        } else {
            *byte == b'.'
        }
    })
}

fn is_domain_ending(text: &str) -> bool {
    ["com", "org", "net", "io", "ai", "co", "gov", "fr", "de"]
        .iter()
        .any(|ending| {
            text.strip_prefix(ending)
                .is_some_and(|rest| !rest.chars().next().is_some_and(char::is_alphanumeric))
        })
}

fn is_address(text: &str, start: usize, end: usize) -> bool {
    matches!(&text[start..end], "http" | "https") && text[end..].starts_with("://")
        || &text[start..end] == "www" && text[end..].starts_with('.')
}

/// French and Italian elisions: `l'Iran` is two words.
fn elision(word: &str) -> Option<(&str, &str)> {
    let at = word.find(['\'', '’'])?;
    let (head, rest) = word.split_at(at);
    let tail = rest.trim_start_matches(['\'', '’']);
    let elided = matches!(
        head,
        "l" | "d"
            | "n"
            | "s"
            | "j"
            | "c"
            | "m"
            | "t"
            | "qu"
            | "L"
            | "D"
            | "N"
            | "S"
            | "J"
            | "C"
            | "M"
            | "T"
            | "Qu"
            | "dell"
            | "nell"
            | "all"
    );
    (elided && tail.len() >= 2).then_some((head, tail))
}

/// A word without its possessive ending, with a flag that records it.
fn named(word: &str, marks: u8, flags: u8) -> Token<'_> {
    let (stem, possessive) = without_possessive(word);
    token(
        stem,
        marks,
        flags | if possessive { shape::POSSESSIVE } else { 0 },
    )
}

fn without_possessive(word: &str) -> (&str, bool) {
    for ending in ["'s", "’s", "'S", "’S"] {
        if let Some(stem) = word.strip_suffix(ending)
            && !stem.is_empty()
        {
            return (stem, true);
        }
    }
    (word, false)
}

fn token(text: &str, gap: u8, mut flags: u8) -> Token<'_> {
    let (mut letters, mut capitals) = (0_u32, 0_u32);
    let first = text.chars().next().unwrap_or(' ');
    let (exact, lower) = if text.is_ascii() {
        let (mut exact, mut lower) = (SEED, SEED);
        for &byte in text.as_bytes() {
            letters += u32::from(byte.is_ascii_alphabetic());
            capitals += u32::from(byte.is_ascii_uppercase());
            if byte != b'.' {
                exact = step(exact, u32::from(byte));
                lower = step(lower, u32::from(byte.to_ascii_lowercase()));
            }
        }
        (exact, lower)
    } else {
        for character in text.chars() {
            letters += u32::from(character.is_alphabetic());
            capitals += u32::from(character.is_uppercase());
        }
        (hash(text, false), hash(text, true))
    };
    if first.is_uppercase() {
        flags |= shape::CAPITAL;
    }
    if letters >= 2 && letters == capitals {
        flags |= shape::ALL_CAPS;
    }
    if first.is_ascii_digit() {
        flags |= shape::NUMBER;
    }
    Token {
        text,
        exact,
        lower,
        gap,
        shape: flags,
    }
}

const SEED: u64 = 0xcbf2_9ce4_8422_2325;

fn step(hash: u64, character: u32) -> u64 {
    (hash ^ u64::from(character)).wrapping_mul(0x0000_0100_0000_01b3)
}

fn hash(text: &str, lower: bool) -> u64 {
    let mut state = SEED;
    for character in text.chars() {
        match character {
            '.' => {}
            '’' => state = step(state, u32::from('\'')),
            plain if plain.is_ascii() => {
                state = step(
                    state,
                    u32::from(if lower {
                        plain.to_ascii_lowercase()
                    } else {
                        plain
                    }),
                );
            }
            other => decompose_canonical(other, |part| {
                if !('\u{300}'..='\u{36f}').contains(&part) {
                    for part in part
                        .to_lowercase()
                        .filter(|_| lower)
                        .chain((!lower).then_some(part))
                    {
                        state = step(state, u32::from(part));
                    }
                }
            }),
        }
    }
    state
}

/// The lower-case hash of a single word.
pub(crate) fn lower_hash(word: &str) -> u64 {
    hash(word, true)
}

/// Combines the hash of a phrase with that of its next word.
pub(crate) fn extend(phrase: u64, word: u64) -> u64 {
    (phrase.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn is_title_case(tokens: &[Token<'_>]) -> bool {
    let long: Vec<_> = tokens
        .iter()
        .skip(1)
        .filter(|t| t.text.len() >= 4 && !t.is(shape::NUMBER))
        .collect();
    let capitals = long.iter().filter(|t| t.is(shape::CAPITAL)).count();
    long.len() >= 2 && capitals * 10 >= long.len() * 7
}

/// The largest character boundary of `text` at or below `at`.
pub(crate) fn floor_boundary(text: &str, at: usize) -> usize {
    if at >= text.len() {
        return text.len();
    }
    (0..=at)
        .rev()
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(text: &str) -> Vec<&str> {
        let mut tokens = Vec::new();
        lex(text, &mut tokens);
        tokens.into_iter().map(|token| token.text).collect()
    }

    #[test]
    fn cuts_words_as_readers_see_them() {
        assert_eq!(
            texts("The U.S. said AT&T's profit rose 1,234.5%."),
            ["The", "U.S", "said", "AT&T", "profit", "rose", "1,234.5"]
        );
        assert_eq!(
            texts("l'Iran et Coca-Cola"),
            ["l", "Iran", "et", "Coca", "Cola"]
        );
        assert_eq!(texts("see https://t.co/abc now"), ["see", "now"]);
    }

    #[test]
    fn accents_and_dots_do_not_separate_names() {
        assert_eq!(lower_hash("São"), lower_hash("sao"));
        assert_eq!(lower_hash("U.S."), lower_hash("us"));
    }

    proptest! {
        #[test]
        fn never_panics_and_keeps_order(title in ".{0,60}", body in ".{0,300}") {
            let lexed = Lexed::new(&title, &body);
            for sentence in &lexed.sentences {
                prop_assert!(sentence.start <= sentence.end && sentence.end <= lexed.tokens.len());
            }
        }
    }
}

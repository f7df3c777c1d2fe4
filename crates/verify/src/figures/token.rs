//! Splits a claim into words, numbers and signs.
//!
//! Claims and table phrases are split in the same way, so `P/E`, `10-K` and `13F` are found in either however they are
//! written. Adjacent digits and letters are separate tokens joined tightly (`1.2bn`, `10y`).

/// What comes between a token and the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Join {
    /// A space, or the beginning.
    Space,
    /// Nothing.
    Tight,
    /// A hyphen or a dash without spaces.
    Hyphen,
    /// A slash.
    Slash,
    /// A comma, colon, bracket or a dash between spaces.
    Break,
    /// The end of a sentence or a semicolon.
    Stop,
}

/// A number as it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Digits {
    pub(crate) value: f64,
    /// Digits after the decimal point.
    pub(crate) decimals: u8,
    /// Digits before the decimal point.
    pub(crate) whole: u8,
    /// Whether thousands are separated.
    pub(crate) grouped: bool,
    /// Whether there is a minus sign before it.
    pub(crate) negative: bool,
}

/// A word, number or sign.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token<'a> {
    pub(crate) text: &'a str,
    /// In lower case, without a possessive ending.
    pub(crate) lower: String,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) join: Join,
    pub(crate) number: Option<Digits>,
    /// Whether it had a possessive ending.
    pub(crate) possessive: bool,
}

/// Maximum number of tokens read of a claim; a claim has at most 1,000 characters.
const MOST: usize = 220;

impl Token<'_> {
    pub(crate) fn is(&self, word: &str) -> bool {
        self.lower == word
    }

    pub(crate) fn is_any(&self, words: &[&str]) -> bool {
        words.contains(&self.lower.as_str())
    }

    pub(crate) fn is_word(&self) -> bool {
        self.text.starts_with(char::is_alphabetic)
    }

    pub(crate) fn is_capital(&self) -> bool {
        self.text.starts_with(char::is_uppercase)
    }

    /// A whole number without thousands separators.
    pub(crate) fn whole(&self) -> Option<i32> {
        let number = self.number?;
        let plain =
            number.decimals == 0 && !number.grouped && !number.negative && number.whole <= 6;
        plain.then_some(number.value as i32)
    }
}

/// Splits a text.
pub(crate) fn cut(text: &str) -> Vec<Token<'_>> {
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let mut join = Join::Space;
    let mut negative = false;
    let mut at = 0;
    while let Some(character) = text[at..].chars().next() {
        if tokens.len() == MOST {
            break;
        }
        let length = if character.is_ascii_digit() {
            digits_length(&text[at..])
        } else if character.is_alphabetic() {
            word_length(&text[at..])
        } else if "$€£¥%^&".contains(character) {
            character.len_utf8()
        } else {
            (join, negative) = after_sign(text, at, character, join);
            at += character.len_utf8();
            continue;
        };
        let part = &text[at..at + length];
        let previous_ended = tokens.last().is_some_and(|last| last.end == at);
        let number = character
            .is_ascii_digit()
            .then(|| digits(part, negative))
            .flatten();
        let (bare, possessive) = without_possessive(part);
        tokens.push(Token {
            text: part,
            lower: bare.to_lowercase(),
            start: at,
            end: at + length,
            join: if previous_ended { Join::Tight } else { join },
            number,
            possessive,
        });
        at += length;
        // `the S&P 500's`: the ending belongs to the number.
        if number.is_some()
            && let Some(ending) = ["'s", "’s"]
                .into_iter()
                .find(|ending| text[at..].starts_with(ending))
            && !text[at + ending.len()..].starts_with(char::is_alphanumeric)
        {
            at += ending.len();
        }
        join = Join::Space;
        // `-$5`: the minus applies to the number.
        negative = negative && "$€£¥".contains(part);
    }
    tokens
}

/// What a sign between tokens means for the next one.
fn after_sign(text: &str, at: usize, character: char, join: Join) -> (Join, bool) {
    let next = text[at + character.len_utf8()..].chars().next();
    let before = text[..at].chars().next_back();
    let tight_before = before.is_some_and(|before| !before.is_whitespace());
    let tight_after = next.is_some_and(|next| !next.is_whitespace());
    match character {
        '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' => {
            let before_number =
                next.is_some_and(|next| next.is_ascii_digit() || "$€£".contains(next));
            let begins = before.is_none_or(|before| before.is_whitespace() || before == '(');
            if begins && before_number {
                (join, true)
            } else if tight_before && tight_after {
                (Join::Hyphen, false)
            } else {
                (Join::Break, false)
            }
        }
        '/' => (Join::Slash, false),
        ',' | ':' | '(' | ')' | '[' | ']' | '"' | '“' | '”' if join != Join::Stop => {
            (Join::Break, false)
        }
        '.' if ::text::sentence::is_of_abbreviation(text, at) => (join, false),
        '.' | '!' | '?' | ';' | '\n' => (Join::Stop, false),
        _ => (join, false),
    }
}

/// Length of a number in bytes: digits with thousands separators and a point.
fn digits_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let (mut at, mut pointed) = (0, false);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'0'..=b'9' => {}
            b',' if !pointed
                && is_digit(at + 1)
                && is_digit(at + 2)
                && is_digit(at + 3)
                && !is_digit(at + 4) => {}
            b'.' if !pointed && is_digit(at + 1) => pointed = true,
            _ => break,
        }
        at += 1;
    }
    at
}

/// Length of a word in bytes: letters and digits, with `&`, dots between letters and apostrophes inside.
fn word_length(text: &str) -> usize {
    let mut length = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let next = characters.peek().map(|(_, next)| *next);
        let goes_on = next.is_some_and(char::is_alphanumeric);
        let inside = match character {
            _ if character.is_alphanumeric() => true,
            '&' | '\'' | '’' => goes_on,
            // `U.S.`, `BRK.B`, `p.a.`: single letters.
            '.' => {
                goes_on && {
                    let rest = &text[at + 1..];
                    let single = rest
                        .chars()
                        .nth(1)
                        .is_none_or(|second| !second.is_alphanumeric());
                    single && rest.starts_with(char::is_alphabetic)
                }
            }
            _ => false,
        };
        if !inside {
            break;
        }
        length = at + character.len_utf8();
    }
    length
}

fn digits(text: &str, negative: bool) -> Option<Digits> {
    let plain: String = text.chars().filter(|character| *character != ',').collect();
    let (whole, decimals) = plain.split_once('.').unwrap_or((&plain, ""));
    let value: f64 = plain.parse().ok()?;
    Some(Digits {
        value: if negative { -value } else { value },
        decimals: u8::try_from(decimals.len()).unwrap_or(u8::MAX),
        whole: u8::try_from(whole.len()).unwrap_or(u8::MAX),
        grouped: text.contains(','),
        negative,
    })
}

fn without_possessive(text: &str) -> (&str, bool) {
    for ending in ["'s", "’s", "'S", "’S"] {
        if let Some(bare) = text.strip_suffix(ending) {
            return (bare, true);
        }
    }
    (text, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lower(text: &str) -> Vec<String> {
        cut(text).into_iter().map(|token| token.lower).collect()
    }

    #[test]
    fn words_numbers_and_signs_are_separate() {
        for (text, expected) in [
            ("NVDA's close", vec!["nvda", "close"]),
            ("$1.2bn", vec!["$", "1.2", "bn"]),
            ("1,234.50 dollars.", vec!["1,234.50", "dollars"]),
            ("S&P 500, AT&T", vec!["s&p", "500", "at&t"]),
            ("BRK.B U.S. EUR/USD", vec!["brk.b", "u.s", "eur", "usd"]),
            ("10-K 13F P/E", vec!["10", "k", "13", "f", "p", "e"]),
            ("-3.2% to +4%", vec!["3.2", "%", "to", "4", "%"]),
        ] {
            assert_eq!(lower(text), expected, "{text}");
        }
    }

    #[test]
    fn an_abbreviation_ends_no_sentence() {
        for (text, stops) in [
            ("It closed at $53.73 on Oct. 22, 2024", 0),
            ("Ford Motor Co. fell on Feb. 3. GM rose", 1),
            ("Jobs in the U.S. rose. So did pay", 1),
        ] {
            let found = cut(text);
            let found = found.iter().filter(|token| token.join == Join::Stop);
            assert_eq!(found.count(), stops, "{text}");
        }
    }

    #[test]
    fn a_minus_belongs_to_its_number_and_a_hyphen_does_not() {
        let values = |text| -> Vec<f64> {
            cut(text)
                .iter()
                .filter_map(|token| token.number.map(|number| number.value))
                .collect()
        };
        assert_eq!(values("fell to -3.2 or −4"), [-3.2, -4.0]);
        assert_eq!(
            values("2020-2022, 50-day, 10–12"),
            [2020.0, 2022.0, 50.0, 10.0, 12.0]
        );
    }

    #[test]
    fn odd_text_is_cut_without_end() {
        for text in [
            "",
            "’s",
            "….'&",
            "１２３ ％",
            "a\u{301}b",
            "&&&",
            &"9,".repeat(900),
        ] {
            assert!(cut(text).len() <= MOST, "{text}");
        }
    }
}

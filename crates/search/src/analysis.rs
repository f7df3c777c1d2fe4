//! From text to terms, in the same way for documents, queries and highlights.
//!
//! A term is in lower case, without accents and stemmed. What belongs together stays one term: `3.5`, `1,000` (as
//! `1000`), `U.S.` (as `us`), `AT&T`, `don't` (as `dont`). A possessive `'s` is dropped, and `$` and `%` are ignored.
//! Chinese and Japanese text has no spaces, so each of its characters is a term and adjacent characters are found as
//! phrases. Stop words are terms like any other: the query decides whether they count.

use tantivy::tokenizer::{Language, Stemmer, TextAnalyzer, Token, TokenStream, Tokenizer};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The name under which the schema refers to this analysis.
pub(crate) const NAME: &str = "words";

/// Longer words are cut; no reader types them, and the dictionary need not hold them in full.
const LONGEST_TERM: usize = 64;

/// The complete analysis from text to terms.
pub(crate) fn analyzer() -> TextAnalyzer {
    TextAnalyzer::builder(Words)
        .filter(Stemmer::new(Language::English))
        .build()
}

/// Text in lower case and without accents: the spelling in which names can be compared with what a reader types.
pub fn fold_text(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for character in text.chars() {
        if !is_combining_mark(character) {
            fold(character, &mut folded);
        }
    }
    folded
}

/// The words of a text that is still being typed: stems of the finished ones, and the last one as far as it has been
/// typed, folded but not stemmed; `None` if the text ends after a word.
pub(crate) fn begun(text: &str) -> (Vec<String>, Option<String>) {
    let mut stems = terms(&mut analyzer(), text);
    let is_finished = text
        .chars()
        .next_back()
        .is_none_or(|last| !last.is_alphanumeric());
    let last = if is_finished {
        None
    } else {
        stems.pop();
        let mut words = TextAnalyzer::builder(Words).build();
        terms(&mut words, text).pop().map(|term| term.text)
    };
    (stems.into_iter().map(|term| term.text).collect(), last)
}

/// A term and the bytes of the text that it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Term {
    pub(crate) text: String,
    pub(crate) from: usize,
    pub(crate) to: usize,
}

/// All terms of a text in order.
pub(crate) fn terms(analyzer: &mut TextAnalyzer, text: &str) -> Vec<Term> {
    let mut terms = Vec::new();
    let mut stream = analyzer.token_stream(text);
    while stream.advance() {
        let token = stream.token();
        terms.push(Term {
            text: token.text.clone(),
            from: token.offset_from,
            to: token.offset_to,
        });
    }
    terms
}

/// Splits text into folded words.
#[derive(Clone, Copy, Debug, Default)]
struct Words;

/// The words of one text, found on demand.
#[derive(Debug)]
struct WordStream<'a> {
    text: &'a str,
    at: usize,
    token: Token,
}

impl Tokenizer for Words {
    type TokenStream<'a> = WordStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> WordStream<'a> {
        WordStream {
            text,
            at: 0,
            token: Token::default(),
        }
    }
}

impl TokenStream for WordStream<'_> {
    fn advance(&mut self) -> bool {
        while let Some(first) = self.text[self.at..].chars().next() {
            if !first.is_alphanumeric() {
                self.at += first.len_utf8();
                continue;
            }
            self.token.text.clear();
            self.token.offset_from = self.at;
            self.token.offset_to = if stands_alone(first) {
                self.take_character(first)
            } else {
                self.take_word()
            };
            if !self.token.text.is_empty() {
                self.token.position = self.token.position.wrapping_add(1);
                return true;
            }
        }
        false
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}

impl WordStream<'_> {
    fn take_character(&mut self, character: char) -> usize {
        fold(character, &mut self.token.text);
        self.at += character.len_utf8();
        self.at
    }

    /// Reads the word that starts here and returns where it ends; `at` may be further on, after a possessive.
    fn take_word(&mut self) -> usize {
        let text = self.text;
        let mut previous = None;
        // Letters so far, as long as single letters and dots alternate as in `U.S.`.
        let mut initials = Some(0_u32);
        // End of the word in the text and in the term, in case what follows the apostrophe is a possessive.
        let mut before_apostrophe = None;
        let mut end = self.at;
        while let Some(character) = text[self.at..].chars().next() {
            let after = self.at + character.len_utf8();
            if character.is_alphanumeric() && !stands_alone(character) {
                if self.token.text.len() < LONGEST_TERM {
                    fold(character, &mut self.token.text);
                }
                initials = match (initials, previous) {
                    (Some(count), None | Some('.')) if character.is_alphabetic() => Some(count + 1),
                    _ => None,
                };
                end = after;
            } else {
                let next = text[after..].chars().next();
                match character {
                    '\'' | '’'
                        if next
                            .is_some_and(|next| next.is_alphanumeric() && !stands_alone(next)) =>
                    {
                        before_apostrophe = Some((end, self.token.text.len()));
                    }
                    '.' if is_digit(previous) && is_digit(next) => self.token.text.push('.'),
                    '.' if initials.is_some() && starts_initial(&text[after..]) => {}
                    ',' if is_digit(previous) && starts_thousands(&text[after..]) => {}
                    '&' if self.token.text.len() <= 3 && next.is_some_and(char::is_alphabetic) => {
                        self.token.text.push('&');
                    }
                    // Soft hyphens, joiners and marks lie inside words without being part of them.
                    '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' => {}
                    _ if is_combining_mark(character) => {}
                    _ => break,
                }
            }
            previous = Some(character);
            self.at = after;
        }
        if let Some((word_end, term_end)) = before_apostrophe
            && self.token.text.get(term_end..) == Some("s")
        {
            self.token.text.truncate(term_end);
            return word_end;
        }
        end
    }
}

fn is_digit(character: Option<char>) -> bool {
    character.is_some_and(|character| character.is_ascii_digit())
}

/// A single letter, as the second one in `U.S.`.
fn starts_initial(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(char::is_alphabetic)
        && !characters.next().is_some_and(char::is_alphanumeric)
}

/// Exactly three digits, as after the comma in `1,000`.
fn starts_thousands(text: &str) -> bool {
    let digits = text.bytes().take(4).take_while(u8::is_ascii_digit).count();
    digits == 3
}

/// Whether a character is a term on its own: Han ideographs and Japanese syllables.
fn stands_alone(character: char) -> bool {
    matches!(character,
        '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}')
}

/// Appends a character in lower case and without accents.
fn fold(character: char, term: &mut String) {
    if character.is_ascii() {
        term.push(character.to_ascii_lowercase());
        return;
    }
    for lower in character.to_lowercase() {
        // Letters that do not decompose, and what their languages write instead.
        match lower {
            'ß' => term.push_str("ss"),
            'æ' => term.push_str("ae"),
            'œ' => term.push_str("oe"),
            'ø' => term.push('o'),
            'ł' => term.push('l'),
            'đ' | 'ð' => term.push('d'),
            'þ' => term.push_str("th"),
            'ı' => term.push('i'),
            _ => term.extend(
                std::iter::once(lower)
                    .nfkd()
                    .filter(|part| !is_combining_mark(*part)),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<String> = terms(&mut analyzer(), text)
            .into_iter()
            .map(|term| term.text)
            .collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn words_become_terms() {
        check("Nvidia's shares, rallying.", &["nvidia", "share", "ralli"]);
        check(
            "NVDA $TSLA BRK.B AT&T S&P 500",
            &["nvda", "tsla", "brk", "b", "at&t", "s&p", "500"],
        );
        check(
            "up 3.5% to 1,234.50 from 1,2",
            &["up", "3.5", "to", "1234.50", "from", "1", "2"],
        );
        check(
            "U.S. and the U.S.A. (e.g. here)",
            &["us", "and", "the", "usa", "eg", "here"],
        );
        check(
            "São Paulo, Zürich, Łódź, Straße",
            &["sao", "paulo", "zurich", "lodz", "strass"],
        );
        check("don’t O'Brien", &["dont", "obrien"]);
        check(
            "東京株 rise 서울",
            &[
                "東",
                "京",
                "株",
                "rise",
                "서울".nfkd().collect::<String>().as_str(),
            ],
        );
        check("co\u{ad}operate e\u{301}lan", &["cooper", "elan"]);
        check("end. Start node.js", &["end", "start", "node", "js"]);
        check("— … !? 🙂", &[]);
    }

    #[test]
    fn what_is_begun_is_not_stemmed() {
        let check = |text: &str, stems: &[&str], last: Option<&str>| {
            let (found, begun) = begun(text);
            assert_eq!(found, stems, "{text:?}");
            assert_eq!(begun.as_deref(), last, "{text:?}");
        };
        check("Rising Pri", &["rise"], Some("pri"));
        check("rising prices ", &["rise", "price"], None);
        check("são", &[], Some("sao"));
        check("", &[], None);
    }

    #[test]
    fn folded_text_has_no_case_and_no_accents() {
        assert_eq!(
            fold_text("São Paulo & Łódź Straße"),
            "sao paulo & lodz strasse"
        );
        assert_eq!(fold_text("e\u{301}lan"), "elan");
    }

    #[test]
    fn a_possessive_is_outside_the_term() {
        let found = terms(&mut analyzer(), "Nvidia's");
        assert_eq!((found[0].from, found[0].to), (0, 6));
    }

    proptest! {
        #[test]
        fn terms_lie_in_the_text_in_order(text in any::<String>()) {
            let mut end = 0;
            for term in terms(&mut analyzer(), &text) {
                prop_assert!(term.from >= end && term.to > term.from);
                prop_assert!(text.get(term.from..term.to).is_some());
                prop_assert!(term.text.len() <= LONGEST_TERM + 80);
                end = term.to;
            }
        }
    }
}

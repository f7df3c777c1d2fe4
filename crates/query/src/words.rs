//! A question as words.

use std::ops::Range;

/// How many words of a question are read; 500 characters contain no more.
const MOST: usize = 250;

/// One word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// In lower case, without apostrophes and a possessive ending.
    pub(crate) lower: String,
    /// Bytes of the question, without a possessive ending.
    pub(crate) bytes: Range<usize>,
    /// Whether it was written in capitals only.
    pub(crate) is_capitals: bool,
    /// Whether a dollar sign precedes it.
    pub(crate) is_cashtag: bool,
    /// Whether punctuation that separates sentences or clauses precedes it.
    pub(crate) is_parted: bool,
}

impl Word {
    pub(crate) fn is(&self, word: &str) -> bool {
        self.lower == word
    }

    pub(crate) fn is_any(&self, words: &[&str]) -> bool {
        words.contains(&self.lower.as_str())
    }

    pub(crate) fn is_number(&self) -> bool {
        self.lower.starts_with(|first: char| first.is_ascii_digit())
    }
}

/// Splits a question into words. Points, hyphens, slashes and ampersands inside a word split it, except in share
/// classes (`BRK.B`, `BRK-B`) and in numbers; `&` is a word.
pub(crate) fn cut(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut is_cashtag = false;
    let mut is_parted = false;
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        if words.len() == MOST {
            break;
        }
        if first == '&' {
            words.push(Word {
                lower: "&".to_owned(),
                bytes: at..at + 1,
                is_capitals: false,
                is_cashtag: false,
                is_parted,
            });
            at += 1;
            continue;
        }
        if !first.is_alphanumeric() && first != '^' {
            is_cashtag = first == '$';
            is_parted |= matches!(first, '.' | ',' | ';' | ':' | '?' | '!' | '(' | ')' | '\n');
            at += first.len_utf8();
            continue;
        }
        let end = at + length(&text[at..]);
        let written = &text[at..end];
        let bare = written
            .strip_suffix("'s")
            .or_else(|| written.strip_suffix("’s"))
            .or_else(|| written.strip_suffix("'S"))
            .filter(|bare| !is_contraction(bare))
            .unwrap_or(written);
        let word = |bytes: Range<usize>, lower: String| Word {
            is_capitals: bare.chars().any(char::is_alphabetic)
                && !bare.chars().any(char::is_lowercase),
            lower,
            bytes,
            is_cashtag: is_cashtag && first.is_alphabetic(),
            is_parted,
        };
        if let Some((asks, verb)) = contracted(bare) {
            let middle = at + asks.len();
            words.push(word(at..middle, asks.to_lowercase()));
            let verb = Word {
                is_parted: false,
                ..word(middle..at + bare.len(), verb.to_owned())
            };
            words.push(verb);
        } else {
            let lower: String = bare
                .chars()
                .filter(|character| !matches!(character, '\'' | '’'))
                .flat_map(char::to_lowercase)
                .collect();
            words.push(word(at..at + bare.len(), usual(lower)));
        }
        is_cashtag = false;
        is_parted = false;
        at = end;
    }
    words
}

/// The question word and its verb, in `why'd` and `what're`.
fn contracted(word: &str) -> Option<(&str, &'static str)> {
    const ASKS: [&str; 6] = ["what", "how", "where", "who", "when", "why"];
    const VERBS: [(&str, &str); 4] = [("d", "did"), ("re", "are"), ("ve", "have"), ("ll", "will")];
    let (asks, short) = word.split_once(['\'', '’'])?;
    let (_, verb) = VERBS.iter().find(|(known, _)| *known == short)?;
    let is_asking = ASKS.iter().any(|known| asks.eq_ignore_ascii_case(known));
    is_asking.then_some((asks, verb))
}

/// A word in its usual spelling, if it is one that is spelt differently in chats.
fn usual(word: String) -> String {
    const SPELLINGS: [(&str, &str); 24] = [
        ("stonk", "stock"),
        ("stonks", "stocks"),
        ("stox", "stocks"),
        ("wen", "when"),
        ("wk", "week"),
        ("wks", "weeks"),
        ("mth", "month"),
        ("yr", "year"),
        ("yrs", "years"),
        ("qtr", "quarter"),
        ("mkt", "market"),
        ("mkts", "markets"),
        ("biz", "business"),
        ("ppl", "people"),
        ("shld", "should"),
        ("whys", "why"),
        ("whyd", "why"),
        ("abt", "about"),
        ("rly", "really"),
        ("fwd", "forward"),
        ("pls", "please"),
        ("plz", "please"),
        ("bc", "because"),
        ("divvy", "dividend"),
    ];
    let usual = SPELLINGS.iter().find(|(chat, _)| *chat == word);
    usual.map_or(word, |(_, usual)| (*usual).to_owned())
}

/// `what's` is `what is`, not a possessive.
fn is_contraction(word: &str) -> bool {
    let lower = word.to_lowercase();
    [
        "what", "how", "where", "who", "when", "why", "that", "there", "it", "here", "let", "he",
        "she",
    ]
    .contains(&lower.as_str())
}

/// Whether a letter belongs to a script that is written without spaces between words: Chinese, Japanese, Korean.
const fn is_unparted(letter: char) -> bool {
    matches!(letter as u32, 0x2e80..=0xd7af | 0xf900..=0xfaff | 0xff66..=0xff9f)
}

/// Length in bytes of the word at the beginning.
fn length(text: &str) -> usize {
    let mut characters = text.char_indices().peekable();
    let mut end = 0;
    while let Some((at, character)) = characters.next() {
        let next = characters.peek().map(|(_, next)| *next);
        let is_inner = match character {
            '\'' | '’' => next.is_some_and(char::is_alphanumeric),
            // `BRK.B` and `3.5`, not `up.And`.
            '.' | '-' => {
                // `BRK.B`, `NESN.SW`, `005930.KS`.
                let suffix = text[at + character.len_utf8()..]
                    .chars()
                    .take_while(|one| one.is_alphanumeric());
                let suffix: Vec<char> = suffix.take(4).collect();
                let is_class = (1..=3).contains(&suffix.len())
                    && suffix.iter().all(char::is_ascii_uppercase)
                    && (suffix.len() == 1 || character == '.')
                    && text[..at].chars().all(|one| {
                        // `10-K` is two words.
                        one.is_ascii_uppercase() || character == '.' && one.is_ascii_digit()
                    });
                // `brk.b`; in small letters a class is a single letter, and `p.m` is not a symbol.
                let is_small_class = character == '.'
                    && at >= 2
                    && text[..at].chars().all(|one| one.is_ascii_lowercase())
                    && matches!(suffix[..], [one] if one.is_ascii_lowercase() && one != 'i');
                let is_number = character == '.'
                    && next.is_some_and(|next| next.is_ascii_digit())
                    && text[..at].ends_with(|one: char| one.is_ascii_digit());
                is_class || is_small_class || is_number
            }
            ',' => {
                next.is_some_and(|next| next.is_ascii_digit())
                    && text[..at].ends_with(|one: char| one.is_ascii_digit())
            }
            '^' => at == 0,
            // `ACMEの株価`: another script begins another word.
            other => {
                let before = text[..at].chars().next_back();
                let changes = before.is_some_and(|before| {
                    before.is_alphanumeric() && is_unparted(before) != is_unparted(other)
                });
                other.is_alphanumeric() && !changes
            }
        };
        if !is_inner {
            break;
        }
        end = at + character.len_utf8();
    }
    end.max(text.chars().next().map_or(1, char::len_utf8))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lower(text: &str) -> Vec<String> {
        cut(text).into_iter().map(|word| word.lower).collect()
    }

    #[test]
    fn words_are_cut_as_people_mean_them() {
        assert_eq!(lower("What's NVDA's P/E?"), ["whats", "nvda", "p", "e"]);
        assert_eq!(
            lower("BRK.B vs BRK-B, AT&T"),
            ["brk.b", "vs", "brk-b", "at", "&", "t"]
        );
        assert_eq!(lower("up 3.5% of 1,000"), ["up", "3.5", "of", "1,000"]);
        assert_eq!(lower("up.And ^GSPC"), ["up", "and", "^gspc"]);
        assert_eq!(
            lower("brk.b p/e at 3 p.m. up.and up.i think"),
            [
                "brk.b", "p", "e", "at", "3", "p", "m", "up", "and", "up", "i", "think"
            ]
        );
        assert_eq!(
            lower("NESN.SW or 005930.KS."),
            ["nesn.sw", "or", "005930.ks"]
        );
        assert_eq!(lower("why'd it drop"), ["why", "did", "it", "drop"]);
        assert_eq!(
            lower("What’re stonks doing"),
            ["what", "are", "stocks", "doing"]
        );
        assert_eq!(lower("they'd say"), ["theyd", "say"]);
        assert_eq!(lower("10-K and 8-K"), ["10", "k", "and", "8", "k"]);
        assert!(cut("is $TSLA ok")[1].is_cashtag);
        assert!(!cut("has $5")[1].is_cashtag);
        assert!(cut("").is_empty());
    }

    #[test]
    fn bytes_lie_within_the_text() {
        for text in ["é’s ü.", "日本 株?", "'''", "a'", "^^", "x.Y z-Ä"] {
            for word in cut(text) {
                assert!(text.get(word.bytes).is_some());
            }
        }
    }
}

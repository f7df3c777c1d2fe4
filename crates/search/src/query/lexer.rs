//! The query text in pieces.

use tantivy::tokenizer::TextAnalyzer;

use crate::analysis;

/// Any more words and phrases than this are cut off: no question needs them, and each costs a walk through the index.
const MOST_WORDS: usize = 48;
/// Brackets nested more deeply are skipped.
const DEEPEST_NESTING: u32 = 12;

/// Words that questions are made of and that no brief is about. Short on purpose: anything listed here cannot be found
/// outside quotes, unless nothing else is asked for.
const STOP_WORDS: &[&str] = &[
    "a", "about", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "could",
    "did", "do", "does", "for", "from", "had", "has", "have", "how", "i", "if", "in", "into", "is",
    "it", "its", "me", "my", "of", "on", "or", "our", "so", "that", "the", "their", "them", "then",
    "there", "these", "they", "this", "those", "to", "us", "was", "we", "were", "what", "when",
    "where", "which", "who", "whom", "whose", "why", "will", "with", "would", "you", "your",
];

/// Stop words that are names when they are written like this.
const NAMES_IN_CAPITALS: &[&str] = &["IT", "US", "WHO"];

/// One piece of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Lexeme {
    Open,
    Close,
    And,
    Or,
    /// `NOT`, or a minus before a word, phrase or bracket.
    Not,
    /// Terms that belong together.
    Terms {
        terms: Vec<String>,
        quoted: bool,
    },
}

/// All pieces in order. Stop words are left out, unless there is nothing else to look for.
pub(super) fn lexemes(text: &str, analyzer: &mut TextAnalyzer) -> Vec<Lexeme> {
    let pieces = pieces(text);
    // In a text without lower-case letters, capitals mean nothing.
    let capitals_matter = text.chars().any(char::is_lowercase);
    let mut with_all = Lexer {
        capitals_matter,
        keep_stop_words: false,
        analyzer,
        lexemes: Vec::new(),
        words: 0,
    };
    for piece in &pieces {
        with_all.read(piece);
    }
    let found_any = with_all.words > 0;
    if !found_any {
        with_all.keep_stop_words = true;
        with_all.lexemes.clear();
        for piece in &pieces {
            with_all.read(piece);
        }
    }
    with_all.lexemes
}

/// The text without operators and what they exclude, and whether it had neither operators nor quotes.
pub(super) fn spoken(text: &str) -> (String, bool) {
    let (mut spoken, mut is_plain) = (String::new(), true);
    let mut negated = false;
    // Brackets opened since one that is excluded.
    let mut hidden = 0_u32;
    for piece in pieces(text) {
        match piece {
            Piece::Minus | Piece::Word("NOT") => {
                is_plain = false;
                negated = true;
                continue;
            }
            Piece::Word("AND" | "OR") => is_plain = false,
            Piece::Open if negated || hidden > 0 => hidden += 1,
            Piece::Close => hidden = hidden.saturating_sub(1),
            Piece::Open => {}
            Piece::Quoted(words) | Piece::Word(words) => {
                is_plain &= matches!(piece, Piece::Word(_));
                if !negated && hidden == 0 {
                    spoken.push_str(words);
                    spoken.push(' ');
                }
            }
        }
        negated = false;
    }
    (spoken, is_plain)
}

/// Text between separators, before analysis.
#[derive(Clone, Copy, Debug)]
enum Piece<'a> {
    Open,
    Close,
    Minus,
    Quoted(&'a str),
    Word(&'a str),
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    let (mut depth, mut skipped) = (0_u32, 0_u32);
    let mut at_start_of_word = true;
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        let mut next_at_start = true;
        match first {
            _ if first.is_whitespace() => rest = after,
            '(' => {
                if depth < DEEPEST_NESTING {
                    depth += 1;
                    pieces.push(Piece::Open);
                } else {
                    skipped += 1;
                }
                rest = after;
            }
            ')' => {
                if skipped > 0 {
                    skipped -= 1;
                } else if depth > 0 {
                    depth -= 1;
                    pieces.push(Piece::Close);
                }
                rest = after;
            }
            _ if is_quote(first) => match after.find(is_quote) {
                Some(end) => {
                    pieces.push(Piece::Quoted(&after[..end]));
                    let mut behind = after[end..].chars();
                    behind.next();
                    rest = behind.as_str();
                }
                None => rest = after,
            },
            '-' if at_start_of_word
                && after.starts_with(|next: char| {
                    next.is_alphanumeric() || next == '(' || is_quote(next)
                }) =>
            {
                pieces.push(Piece::Minus);
                rest = after;
            }
            _ => {
                let end = rest
                    .find(|next: char| !is_word_part(next))
                    .unwrap_or(rest.len());
                if end == 0 {
                    // Punctuation that means nothing here; a minus after it is not an operator.
                    rest = after;
                    next_at_start = false;
                } else {
                    pieces.push(Piece::Word(&rest[..end]));
                    rest = &rest[end..];
                    next_at_start = false;
                }
            }
        }
        at_start_of_word = next_at_start;
    }
    pieces
}

fn is_quote(character: char) -> bool {
    matches!(character, '"' | '“' | '”' | '„')
}

/// What keeps a word together: `covid-19`, `BRK.B`, `AT&T`, `ai_ml`, `O'Brien`, `1,000`. Colons, slashes, stars and the
/// like separate words.
fn is_word_part(character: char) -> bool {
    let separates = matches!(
        character,
        '(' | ')'
            | ':'
            | '/'
            | '*'
            | '?'
            | '!'
            | '~'
            | '^'
            | '['
            | ']'
            | '{'
            | '}'
            | '|'
            | '\\'
            | '<'
            | '>'
            | '='
            | ';'
            | '…'
            | '—'
            | '–'
    );
    !(separates || character.is_whitespace() || is_quote(character))
}

struct Lexer<'a> {
    capitals_matter: bool,
    keep_stop_words: bool,
    analyzer: &'a mut TextAnalyzer,
    lexemes: Vec<Lexeme>,
    words: usize,
}

impl Lexer<'_> {
    fn read(&mut self, piece: &Piece<'_>) {
        match *piece {
            Piece::Open => self.lexemes.push(Lexeme::Open),
            Piece::Close => self.lexemes.push(Lexeme::Close),
            Piece::Minus | Piece::Word("NOT") => self.lexemes.push(Lexeme::Not),
            Piece::Word("AND") => self.lexemes.push(Lexeme::And),
            Piece::Word("OR") => self.lexemes.push(Lexeme::Or),
            Piece::Quoted(text) => self.read_terms(text, true),
            Piece::Word(text) => self.read_terms(text, false),
        }
    }

    fn read_terms(&mut self, text: &str, quoted: bool) {
        if self.words >= MOST_WORDS {
            return;
        }
        let mut terms = analysis::terms(self.analyzer, text);
        let is_ignored = match terms.as_slice() {
            [] => true,
            [only] => {
                !quoted && !self.keep_stop_words && self.is_stop_word(&text[only.from..only.to])
            }
            _ => false,
        };
        if is_ignored {
            // An operator before a word that does not count has nothing to act on.
            while matches!(self.lexemes.last(), Some(Lexeme::Not)) {
                self.lexemes.pop();
            }
            return;
        }
        terms.truncate(MOST_WORDS);
        self.words += 1;
        let terms = terms.into_iter().map(|term| term.text).collect();
        self.lexemes.push(Lexeme::Terms { terms, quoted });
    }

    fn is_stop_word(&self, word: &str) -> bool {
        let is_name = self.capitals_matter && NAMES_IN_CAPITALS.contains(&word);
        !is_name && STOP_WORDS.contains(&word.to_lowercase().as_str())
    }
}

//! A table of words and phrases for lookup while walking along a text: a hash trie with one probe per word.

use model::table;
use rustc_hash::FxHashMap;

use super::lexed::{Token, extend, gap, lex};

/// Whether capitals matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// `Target` and `target` differ.
    Exact,
    /// They are the same.
    AnyCase,
}

/// Words and phrases, each with a value.
#[derive(Debug)]
pub(crate) struct PhraseTable<T> {
    nodes: FxHashMap<u64, Node<T>>,
    spelling: Spelling,
}

#[derive(Debug)]
struct Node<T> {
    value: Option<T>,
    longer: bool,
}

impl<T: Clone> PhraseTable<T> {
    /// An empty table.
    pub(crate) fn new(spelling: Spelling) -> Self {
        Self {
            nodes: FxHashMap::default(),
            spelling,
        }
    }

    /// Adds a phrase. If it is already there, `merge` decides.
    pub(crate) fn insert_with(&mut self, phrase: &str, value: T, merge: impl FnOnce(&mut T, T)) {
        let mut tokens = Vec::new();
        lex(phrase, &mut tokens);
        let mut key = 0;
        let last = tokens.len().saturating_sub(1);
        for (at, token) in tokens.iter().enumerate() {
            // Possessive endings were cut from the text as well, so `McDonald's` matches `McDonald`.
            key = extend(key, self.hash(token));
            let node = self.nodes.entry(key).or_insert(Node {
                value: None,
                longer: false,
            });
            if at < last {
                node.longer = true;
            } else {
                match &mut node.value {
                    Some(present) => return merge(present, value),
                    None => node.value = Some(value),
                }
                return;
            }
        }
    }

    /// The longest phrase that the words begin with, as its word count and its value.
    pub(crate) fn longest<'t>(&'t self, tokens: &[Token<'_>]) -> Option<(usize, &'t T)> {
        let mut key = 0;
        let mut found = None;
        for (at, token) in tokens.iter().enumerate() {
            if at > 0 && token.after(gap::BREAK) {
                break;
            }
            key = extend(key, self.hash(token));
            let Some(node) = self.nodes.get(&key) else {
                break;
            };
            if let Some(value) = &node.value {
                found = Some((at + 1, value));
            }
            if !node.longer {
                break;
            }
        }
        found
    }

    fn hash(&self, token: &Token<'_>) -> u64 {
        match self.spelling {
            Spelling::Exact => token.exact,
            Spelling::AnyCase => token.lower,
        }
    }
}

/// The rows of a data file as tab-separated columns, skipping empty lines and lines that begin with `#`.
pub(crate) fn rows(data: &'static str) -> impl Iterator<Item = std::str::Split<'static, char>> {
    table::lines(data).map(|line| line.split('\t'))
}

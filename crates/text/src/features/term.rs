//! Words as stable hashes. They are the same on every machine and in every version, because they are stored.

use std::cell::RefCell;

use rust_stemmers::{Algorithm, Stemmer};
use rustc_hash::FxHashMap;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::rarity;
use crate::token;

/// A word as used in clustering.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Term {
    /// The hash of its stem.
    pub(crate) hash: u32,
    /// How informative it is, from the background table.
    pub(crate) rarity: f32,
}

/// The terms of a text in order, with stop words left out and hyphenated words split.
pub(crate) fn terms(text: &str) -> impl Iterator<Item = Term> {
    let stemmer = Stemmer::create(Algorithm::English);
    let mut ideograph: Option<&str> = None;
    token::words(text)
        .map(without_article)
        .flat_map(|word| word.split(['-', '‐', '‑', '_']))
        .filter_map(move |word| {
            // In scripts without spaces, pairs of neighbouring characters stand for words.
            let sign = word
                .chars()
                .next()
                .is_some_and(is_ideograph)
                .then_some(word);
            let before = std::mem::replace(&mut ideograph, sign);
            match (before, sign) {
                (Some(first), Some(second)) => Some(Term {
                    hash: term_hash(&[first, second].concat()),
                    rarity: rarity::UNKNOWN * 0.6,
                }),
                (_, Some(_)) => None,
                _ => word_term(&stemmer, word),
            }
        })
}

/// `l’audition` and `qu'il` without the shortened word before the apostrophe.
fn without_article(word: &str) -> &str {
    match word.split_once(['\'', '’']) {
        Some((article, rest))
            if rest.len() >= 2
                && ["l", "d", "j", "s", "n", "m", "c", "qu"]
                    .iter()
                    .any(|short| article.eq_ignore_ascii_case(short)) =>
        {
            rest
        }
        _ => word,
    }
}

/// How many words are cached per thread. When full, the cache is cleared and starts over.
const REMEMBERED: usize = 30_000;

thread_local! {
    // Stemming is most of the work of reading a text, and most of the words in a text were also in the previous one.
    // The cached values are exactly what would be recomputed, so the cache affects nothing but the time.
    static KNOWN: RefCell<FxHashMap<Box<str>, Option<Term>>> = RefCell::new(FxHashMap::default());
}

fn word_term(stemmer: &Stemmer, word: &str) -> Option<Term> {
    if word.len() > 40 {
        return work_out(stemmer, word);
    }
    KNOWN.with_borrow_mut(|known| {
        if let Some(term) = known.get(word) {
            return *term;
        }
        let term = work_out(stemmer, word);
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(word.into(), term);
        term
    })
}

fn work_out(stemmer: &Stemmer, word: &str) -> Option<Term> {
    let plain = plain(word);
    if plain.is_empty() || token::is_stop_word(&plain) {
        return None;
    }
    let digits = plain.bytes().filter(u8::is_ascii_digit).count();
    if digits > 0 && digits * 2 >= plain.len() {
        let year =
            plain.len() == 4 && digits == 4 && (plain.starts_with("19") || plain.starts_with("20"));
        let share = if year || plain.len() == 1 { 0.25 } else { 0.5 };
        return Some(Term {
            hash: mix(fnv1a(&plain), Kind::Number).max(NUMBER_STEP),
            rarity: rarity::UNKNOWN * share,
        });
    }
    plain.chars().nth(1)?;
    let hash = term_hash(&stemmer.stem(&plain));
    Some(Term {
        hash,
        rarity: rarity::of(hash),
    })
}

/// Lower case, without accents, possessives, grouping commas and dots.
fn plain(word: &str) -> String {
    let lower: String = if word.is_ascii() {
        word.to_ascii_lowercase()
    } else {
        word.nfkd()
            .filter(|character| !is_combining_mark(*character))
            .flat_map(char::to_lowercase)
            .collect()
    };
    let owner = lower
        .strip_suffix("'s")
        .or_else(|| lower.strip_suffix("’s"))
        .unwrap_or(&lower);
    if owner.bytes().all(|byte| byte.is_ascii_alphanumeric()) && owner.len() == lower.len() {
        return lower;
    }
    let number = owner
        .bytes()
        .all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','));
    owner
        .chars()
        .filter(|character| {
            character.is_alphanumeric() || *character == '&' || (number && *character == '.')
        })
        .collect()
}

fn is_ideograph(character: char) -> bool {
    matches!(u32::from(character), 0x3040..=0x30ff | 0x3400..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x2fa1f)
}

/// The terms of a text in scripts without spaces: each pair of adjacent characters in a word or sentence, and each
/// character that is on its own.
pub fn sign_terms(text: &str) -> impl Iterator<Item = u32> {
    runs_of_signs(text).flat_map(|run| {
        let is_single = run.chars().nth(1).is_none();
        let single = is_single.then(|| term_hash(run));
        single.into_iter().chain(pairs(run))
    })
}

/// The [`sign_terms`] of a text to be searched: a search for a single character also finds it next to others.
pub fn sign_terms_within(text: &str) -> impl Iterator<Item = u32> {
    runs_of_signs(text).flat_map(|run| {
        let signs = run.char_indices();
        let signs = signs.map(|(at, sign)| term_hash(&run[at..at + sign.len_utf8()]));
        signs.chain(pairs(run))
    })
}

fn runs_of_signs(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character| !is_ideograph(character))
        .filter(|run| !run.is_empty())
}

fn pairs(run: &str) -> impl Iterator<Item = u32> {
    let starts = run.char_indices().map(|(at, _)| at);
    let ends = run.char_indices().map(|(at, sign)| at + sign.len_utf8());
    starts
        .zip(ends.skip(1))
        .map(|(start, end)| term_hash(&run[start..end]))
}

/// The term of a word, for tables of terms. `None` for stop words and punctuation.
pub fn stem_hash(word: &str) -> Option<u32> {
    terms(word).next().map(|term| term.hash)
}

/// The term of a word with its rarity. `None` for stop words and punctuation.
pub(crate) fn first_term(word: &str) -> Option<(u32, f32)> {
    terms(word).next().map(|term| (term.hash, term.rarity))
}

/// The kind of a term, in the two lowest bits of its hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Digits.
    Number = 0,
    /// The stem of a word.
    Word = 1,
    /// Two neighbouring words of a headline.
    Pair = 2,
    /// The name of an entity.
    Name = 3,
}

/// Whether a term is a number.
pub(crate) fn is_number(hash: u32) -> bool {
    hash & 3 == Kind::Number as u32
}

/// Whether a term is a pair of neighbouring words.
pub(crate) fn is_pair(hash: u32) -> bool {
    hash & 3 == Kind::Pair as u32
}

/// Whether a term is the name of an entity.
pub(crate) fn is_name(hash: u32) -> bool {
    hash & 3 == Kind::Name as u32
}

/// The lowest hash of a number. Zero is reserved for the template mark.
const NUMBER_STEP: u32 = 4;

/// FNV-1a with a final mix. Never zero, which is reserved.
pub fn term_hash(text: &str) -> u32 {
    mix(fnv1a(text), Kind::Word)
}

fn fnv1a(text: &str) -> u32 {
    let mut hash = 0x811c_9dc5_u32;
    for byte in text.bytes() {
        hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    }
    hash
}

/// The term of a pair of neighbouring terms.
pub(super) fn pair_hash(first: u32, second: u32) -> u32 {
    mix(
        first.rotate_left(5) ^ second.wrapping_mul(0x9e37_79b1),
        Kind::Pair,
    )
}

/// The term of an entity name.
pub(super) fn name_hash(name: &str) -> u32 {
    mix(term_hash(&name.to_lowercase()) ^ 0x5bd1_e995, Kind::Name)
}

fn mix(mut hash: u32, kind: Kind) -> u32 {
    hash ^= hash >> 16;
    hash = hash.wrapping_mul(0x85eb_ca6b);
    hash ^= hash >> 13;
    hash = hash.wrapping_mul(0xc2b2_ae35);
    ((hash ^ (hash >> 16)) & !3) | kind as u32
}

//! What a capitalised word is part of, as judged by a sequence model: a person, a place, an organisation or nothing.
//!
//! A linear model with transitions, decoded by Viterbi within each run of capitals. Words in lower case are not names.
//! It weighs the word, its neighbours, how they are written, what the tables know and the cues next to it. The weights
//! are fitted by `evals --fit` on passages labelled by hand. The model decides only what tables and rules leave open.
//! It canonicalises nothing and never runs where every word is capitalised.

use model::EntityKind;

use super::cues::cue;
use super::gazetteer::GAZETTEER;
use crate::annotate::lexed::{Lexed, Token, gap, shape};
use crate::chain::{Chain, LABELS};

/// Rows in the weight table. Features are hashed into them.
pub const ROWS: usize = 1 << 16;
/// Bytes in the weight file: transitions from each label (the last row: from the start), then the rows.
pub const FILE_BYTES: usize = (LABELS + ROWS) * LABELS;

/// Its spans are people, places and organisations.
static NAMES: Chain = Chain::of(include_bytes!("../../data/entities/tagger.bin"), 1);

/// Maximum number of words in one run. Longer ones are lists in capitals.
const LONGEST_RUN: usize = 24;
/// A final pair of joining words and the name after them may exceed it.
const ROOM: usize = LONGEST_RUN + 3;

/// A stretch of words that the model considers a name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tagged {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) kind: EntityKind,
}

/// The names in the words `start..end` of one sentence.
pub(super) fn tag(lexed: &Lexed<'_>, cues: &[u16], start: usize, end: usize) -> Vec<Tagged> {
    let mut found = Vec::new();
    let mut features = Vec::with_capacity(64);
    let mut at = start;
    while let Some((from, to)) = next_run(lexed, cues, at, end) {
        at = to;
        let mut scores: Vec<[i32; LABELS]> = Vec::with_capacity(to - from);
        let tables = tables(&lexed.tokens, from, to, end);
        for word in from..to {
            features.clear();
            observe(
                lexed,
                cues,
                (start, end),
                (from, &tables),
                word,
                &mut features,
            );
            scores.push(NAMES.emission(&features));
        }
        let labels = NAMES.decode(&scores);
        let mut open: Option<usize> = None;
        for (offset, &label) in labels.iter().enumerate() {
            if label % 2 == 1 || label == 0 {
                open = None;
            }
            if label == 0 {
                continue;
            }
            if let Some(index) = open {
                let name: &mut Tagged = &mut found[index];
                name.to = from + offset + 1;
            } else {
                open = Some(found.len());
                found.push(Tagged {
                    from: from + offset,
                    to: from + offset + 1,
                    kind: match label {
                        1 | 2 => EntityKind::Person,
                        3 | 4 => EntityKind::Location,
                        _ => EntityKind::Organization,
                    },
                });
            }
        }
    }
    found
}

/// The next run of capitalised words. Small words that join two of them belong to it.
fn next_run(lexed: &Lexed<'_>, cues: &[u16], at: usize, end: usize) -> Option<(usize, usize)> {
    let tokens = &lexed.tokens;
    let from = (at..end).find(|&at| starts_name(&tokens[at]))?;
    let mut to = from + 1;
    while to < end && to - from < LONGEST_RUN && !tokens[to].after(gap::BREAK) {
        if starts_name(&tokens[to]) || tokens[to].is(shape::NUMBER) {
            to += 1;
            continue;
        }
        let joined = (to + 1..end.min(to + 3))
            .find(|&next| starts_name(&tokens[next]) && !tokens[next].after(gap::BREAK));
        match joined {
            Some(next)
                if (to..next).all(|word| {
                    cues[word] & cue::JOINS != 0 && !tokens[word].after(gap::BREAK)
                }) =>
            {
                to = next + 1;
            }
            _ => break,
        }
    }
    Some((from, to))
}

fn starts_name(token: &Token<'_>) -> bool {
    token.is(shape::CAPITAL) || token.text.chars().skip(1).any(char::is_uppercase)
}

/// What the tables know about each word of a run, with 0 for nothing.
fn tables(tokens: &[Token<'_>], from: usize, to: usize, end: usize) -> [u8; ROOM] {
    let mut known = [0; ROOM];
    let mut at = from;
    while at < to {
        let Some((length, code)) = GAZETTEER.kind_at(tokens, at, end) else {
            at += 1;
            continue;
        };
        for word in at..(at + length).min(to) {
            known[word - from] = 2 * code + u8::from(word > at);
        }
        at += length;
    }
    known
}

/// The model's features for one word, as rows of the weight table.
fn observe(
    lexed: &Lexed<'_>,
    cues: &[u16],
    (start, end): (usize, usize),
    (from, tables): (usize, &[u8; ROOM]),
    at: usize,
    features: &mut Vec<u32>,
) {
    let tokens = &lexed.tokens;
    let token = &tokens[at];
    let mut add = |kind: u64, value: u64| features.push(row(kind, value));
    let near = |offset: isize| {
        at.checked_add_signed(offset)
            .filter(|near| (start..end).contains(near))
    };
    let word =
        |offset: isize| near(offset).map_or(offset.unsigned_abs() as u64, |at| tokens[at].lower);
    let look = |offset: isize| near(offset).map_or(99, |at| looks(&tokens[at]));
    let known = |offset: isize| {
        near(offset)
            .and_then(|at| at.checked_sub(from))
            .and_then(|at| tables.get(at))
            .map_or(0, |&code| u64::from(code))
    };
    add(0, 0);
    add(1, token.lower);
    add(2, word(-1));
    add(3, word(1));
    add(4, word(-2));
    add(5, word(2));
    add(6, pair(word(-1), token.lower));
    add(7, pair(token.lower, word(1)));
    add(8, look(0));
    add(9, pair(look(-1), look(0)));
    add(10, pair(look(0), look(1)));
    add(11, pair(pair(look(-1), look(0)), look(1)));
    add(12, ending(token.text, 3));
    add(13, ending(token.text, 2));
    add(14, opening(token.text, 3));
    add(15, known(0));
    add(16, pair(known(-1), known(0)));
    add(17, pair(known(0), known(1)));
    add(18, pair(known(0), look(0)));
    let first = u64::from(at == start);
    let begins = u64::from(at == from);
    let ends = u64::from(
        near(1).is_none_or(|next| tokens[next].after(gap::BREAK) || !starts_name(&tokens[next])),
    );
    let alone = begins * 2 + ends;
    add(19, pair(first, alone));
    add(20, pair(alone, known(0)));
    add(21, pair(pair(first, look(0)), known(0)));
    let before = u64::from(token.gap);
    let after = near(1).map_or(255, |next| u64::from(tokens[next].gap));
    add(22, before);
    add(23, pair(after, alone));
    add(
        24,
        u64::from(token.shape & (shape::POSSESSIVE | shape::DOLLAR | shape::STOPPED)),
    );
    add(25, pair(word(1), alone));
    add(26, pair(word(-1), alone));
    for (offset, kind) in [(-2, 40), (-1, 60), (0, 80), (1, 100), (2, 120)] {
        let Some(near) = near(offset) else { continue };
        let mut bits = cues[near];
        if bits == 0 {
            add(kind + 19, alone);
        }
        while bits != 0 {
            let bit = u64::from(bits.trailing_zeros());
            add(kind + bit, if offset == 0 { alone } else { 0 });
            if offset.abs() == 1 {
                add(kind + bit + 200, pair(look(0), known(0)));
            }
            bits &= bits - 1;
        }
    }
    // The word that ends the run reveals a lot about all of its words.
    let last = (at..end)
        .take_while(|&next| {
            next == at || !tokens[next].after(gap::BREAK) && starts_name(&tokens[next])
        })
        .last()
        .unwrap_or(at);
    add(27, tokens[last].lower);
    add(28, pair(u64::from(cues[last]), alone));
    if last + 1 < end {
        add(29, tokens[last + 1].lower);
        add(
            30,
            u64::from(cues[last + 1] & (cue::SAYS | cue::COMPANY | cue::TITLE)),
        );
    }
    if from > start {
        add(31, tokens[from - 1].lower);
        add(32, pair(u64::from(cues[from - 1]), begins));
    }
    add(33, pair((last - from.min(last)) as u64, (at - from) as u64));
}

fn row(kind: u64, value: u64) -> u32 {
    let mixed = pair(kind.wrapping_add(1_000), value);
    (mixed >> 40) as u32 & (ROWS as u32 - 1)
}

fn pair(left: u64, right: u64) -> u64 {
    let mixed =
        (left.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ right).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ (mixed >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb)
}

/// How a word is written, as a small number.
fn looks(token: &Token<'_>) -> u64 {
    let length = token.text.len();
    if token.is(shape::NUMBER) {
        1
    } else if token.is(shape::ALL_CAPS) {
        if length <= 2 {
            2
        } else if length <= 5 {
            3
        } else {
            4
        }
    } else if token.is(shape::CAPITAL) {
        if length == 1 {
            5
        } else if token.text.chars().skip(1).any(char::is_uppercase) {
            6
        } else {
            7
        }
    } else if token.text.chars().any(char::is_uppercase) {
        8
    } else {
        9
    }
}

fn ending(text: &str, letters: usize) -> u64 {
    text.chars()
        .rev()
        .take(letters)
        .fold(7, |sum, letter| pair(sum, u64::from(u32::from(letter))))
}

fn opening(text: &str, letters: usize) -> u64 {
    text.chars()
        .take(letters)
        .fold(3, |sum, letter| pair(sum, u64::from(u32::from(letter))))
}

/// One word in a run of capitals as the model sees it, for fitting.
#[derive(Clone, Debug)]
pub struct Seen {
    /// Bytes of the word.
    pub bytes: std::ops::Range<usize>,
    /// The rows of the weight table for it.
    pub features: Vec<u32>,
}

/// The runs of capitals in a text.
pub fn observations(text: &str) -> Vec<Vec<Seen>> {
    let lexed = Lexed::new("", text);
    let cues: Vec<u16> = lexed.tokens.iter().map(super::cues::of).collect();
    let mut runs = Vec::new();
    for sentence in lexed.body() {
        let mut at = sentence.start;
        while let Some((from, to)) = next_run(&lexed, &cues, at, sentence.end) {
            at = to;
            let tables = tables(&lexed.tokens, from, to, sentence.end);
            let run = (from..to).map(|word| {
                let mut features = Vec::new();
                let place = (sentence.start, sentence.end);
                observe(&lexed, &cues, place, (from, &tables), word, &mut features);
                Seen {
                    bytes: lexed.bytes(text, word, word + 1),
                    features,
                }
            });
            runs.push(run.collect());
        }
    }
    runs
}

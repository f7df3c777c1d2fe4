//! A sentence as seen from the position of one name.
//!
//! Words lose their endings, other names become `@`, numbers `#` and the name itself `_`, and marks that separate
//! phrases are kept. So `_ # lower` or `@ buy _` mean the same whatever they name.

use super::super::lexicon::{Entry, longest};
use super::super::rules;
use crate::annotate::lexed::{Token, gap, lower_hash, shape};
use crate::entities::is_common;

/// Number of words on either side that are examined.
const REACH: usize = 30;
/// Number of words on either side whose distance matters.
const NEAR: usize = 8;

/// A word in the view.
#[derive(Clone, Copy, Debug)]
pub(super) struct Symbol<'a> {
    pub(super) word: &'a str,
    pub(super) key: u64,
}

impl<'a> Symbol<'a> {
    fn new(word: &'a str) -> Self {
        Self {
            word,
            key: lower_hash(word),
        }
    }

    fn is(&self, word: &str) -> bool {
        self.word == word
    }

    fn parts(&self) -> bool {
        matches!(self.word, ";" | ":")
            || [
                "while", "whil", "as", "but", "despit", "though", "although", "wherea", "amid",
                "after",
            ]
            .iter()
            .any(|known| self.word.eq_ignore_ascii_case(known))
    }
}

/// A sentence seen from its words `from..to`.
#[derive(Debug)]
pub(super) struct View<'t, 'a> {
    tokens: &'t [Token<'a>],
    from: usize,
    to: usize,
    /// The whole sentence, between `^` and `$`, with the name (and its list) as a single `_`.
    whole: Vec<Symbol<'a>>,
    /// The position of `_`.
    at: usize,
    listed: bool,
}

impl<'t, 'a> View<'t, 'a> {
    pub(super) fn new(tokens: &'t [Token<'a>], from: usize, to: usize) -> Self {
        let (first, last) = (from.saturating_sub(REACH), tokens.len().min(to + REACH));
        let mut symbols = Vec::with_capacity(last - first + 8);
        symbols.push(Symbol::new("^"));
        let mut at = 0;
        for (index, token) in tokens.iter().enumerate().take(last).skip(first) {
            if index > first
                && let Some(mark) = mark(token)
            {
                symbols.push(Symbol::new(mark));
            }
            let symbol = if (from..to).contains(&index) {
                Symbol::new("_")
            } else if token.is(shape::NUMBER) {
                Symbol::new("#")
            } else if token.is(shape::CAPITAL) && !is_common(token) {
                Symbol::new("@")
            } else {
                Symbol::new(stem(token.text))
            };
            let repeats = matches!(symbol.word, "_" | "#" | "@")
                && symbols.last().is_some_and(|last| last.is(symbol.word));
            if !repeats {
                symbols.push(symbol);
            }
            if index == from {
                at = symbols.len() - 1;
            }
        }
        symbols.push(Symbol::new("$"));
        let (mut begin, mut end) = (at, at + 1);
        while end < symbols.len() && symbols[end].is("_") {
            end += 1;
        }
        let joins =
            |symbol: &Symbol<'_>| matches!(symbol.word, "," | "and" | "or" | "et" | "und" | "y");
        while end + 1 < symbols.len() && joins(&symbols[end]) && symbols[end + 1].is("@") {
            end += 2;
        }
        while begin >= 2 && joins(&symbols[begin - 1]) && symbols[begin - 2].is("@") {
            begin -= 2;
        }
        let listed = end - begin > 1;
        symbols[begin] = symbols[at];
        symbols.drain(begin + 1..end);
        Self {
            tokens,
            from,
            to,
            whole: symbols,
            at: begin,
            listed,
        }
    }

    /// Yields every feature of the view, each as a tag and words.
    pub(super) fn each(&self, mut give: impl FnMut(&'static str, &[Symbol<'a>])) {
        let whole = &self.whole;
        for (index, symbol) in whole.iter().enumerate() {
            give("u", &[*symbol]);
            if let Some(next) = whole.get(index + 1) {
                give("u", &[*symbol, *next]);
            }
        }
        let right = &whole[self.at + 1..];
        let left: Vec<Symbol<'a>> = whole[..self.at].iter().rev().copied().collect();
        if self.listed {
            give("list", &[]);
        }
        if self.at == 1 {
            give("first", &[]);
        } else if right.len() == 1 {
            give("last", &[]);
        }
        for (tags, side) in [(&RIGHT, right), (&LEFT, &left[..])] {
            for (distance, symbol) in side.iter().enumerate() {
                give(tags.anywhere, &[*symbol]);
                if distance < NEAR {
                    give(
                        tags.near[usize::from(distance > 0) + usize::from(distance > 2)],
                        &[*symbol],
                    );
                    if let Some(next) = side.get(distance + 1) {
                        give(tags.anywhere, &[*symbol, *next]);
                    }
                }
            }
            if let [first, second, ..] = side {
                give(tags.next, &[*first, *second]);
            }
            let clause = side.iter().position(Symbol::parts).unwrap_or(side.len());
            for symbol in &side[..clause] {
                give("c", &[*symbol]);
                give(tags.clause, &[*symbol]);
            }
            give(
                tags.border,
                side.get(clause).map_or(&[], std::slice::from_ref),
            );
        }
        if let (Some(before), Some(after)) = (left.first(), right.first()) {
            give("between", &[*before, *after]);
        }
        self.each_class(&mut give);
    }

    /// Yields the lexicon classes of the surrounding words.
    fn each_class(&self, give: &mut impl FnMut(&'static str, &[Symbol<'a>])) {
        let last = self.tokens.len().min(self.to + REACH);
        let first = self.from.saturating_sub(REACH);
        let classes = classes(&self.tokens[first..last]);
        let (mut right, mut left) = (Vec::new(), Vec::new());
        for index in self.to..last {
            let token = &self.tokens[index];
            right.extend(
                mark(token)
                    .filter(|mark| matches!(*mark, "," | ":" | ";"))
                    .map(part),
            );
            right.extend(conjunction(token));
            right.extend(classes[index - first]);
        }
        for index in (first..self.from).rev() {
            let token = &self.tokens[index];
            left.extend(conjunction(token));
            left.extend(classes[index - first]);
            if index > first {
                left.extend(
                    mark(token)
                        .filter(|mark| matches!(*mark, "," | ":" | ";"))
                        .map(part),
                );
            }
        }
        for (tags, side) in [(&RIGHT, right), (&LEFT, left)] {
            let side: Vec<Symbol<'a>> = side.into_iter().map(Symbol::new).collect();
            for (tag, symbol) in tags.classes.iter().zip(&side) {
                give(tag, &[*symbol]);
            }
            give(tags.class, &side[..side.len().min(2)]);
            if side.len() > 2 {
                give(tags.class, &side[..3]);
            }
            let clause = side
                .iter()
                .position(|symbol| symbol.word.starts_with('|'))
                .unwrap_or(side.len());
            let has = |word: &str| side[..clause].iter().any(|symbol| symbol.is(word));
            let seen: Vec<Symbol<'a>> = ["up", "down", "good", "bad", "praise", "blame", "not"]
                .into_iter()
                .filter(|word| has(word))
                .map(Symbol::new)
                .collect();
            give(tags.seen, &seen);
        }
        let clause = self.clause(first, last);
        let raw = rules::score(&self.tokens[clause]).raw;
        give(
            "rules",
            &[Symbol::new(match raw {
                raw if raw > 2.0 => "very good",
                raw if raw > 0.7 => "good",
                raw if raw > 0.1 => "rather good",
                raw if raw < -2.0 => "very bad",
                raw if raw < -0.7 => "bad",
                raw if raw < -0.1 => "rather bad",
                _ => "none",
            })],
        );
    }

    /// The words of the clause that contains the name.
    fn clause(&self, first: usize, last: usize) -> std::ops::Range<usize> {
        let parts = |token: &Token<'_>| {
            conjunction(token).is_some() || token.after(gap::COLON | gap::OTHER)
        };
        let begin = (first + 1..=self.from)
            .rev()
            .find(|index| parts(&self.tokens[*index]))
            .unwrap_or(first);
        let end = (self.to..last)
            .find(|index| parts(&self.tokens[*index]))
            .unwrap_or(last);
        begin..end
    }
}

/// The tags for one side.
struct Side {
    anywhere: &'static str,
    near: [&'static str; 3],
    next: &'static str,
    clause: &'static str,
    border: &'static str,
    classes: [&'static str; 3],
    class: &'static str,
    seen: &'static str,
}

static RIGHT: Side = Side {
    anywhere: "r",
    near: ["r0", "r1", "r2"],
    next: "rr",
    clause: "cr",
    border: "br",
    classes: ["kr0", "kr1", "kr2"],
    class: "kr",
    seen: "sr",
};

static LEFT: Side = Side {
    anywhere: "l",
    near: ["l0", "l1", "l2"],
    next: "ll",
    clause: "cl",
    border: "bl",
    classes: ["kl0", "kl1", "kl2"],
    class: "kl",
    seen: "sl",
};

fn mark(token: &Token<'_>) -> Option<&'static str> {
    Some(match token {
        token if token.after(gap::COLON) => ":",
        token if token.after(gap::OTHER) => ";",
        token if token.after(gap::COMMA) => ",",
        token if token.after(gap::OPEN | gap::CLOSE) => "(",
        token if token.after(gap::QUOTE) => "'",
        _ => return None,
    })
}

fn part(mark: &'static str) -> &'static str {
    if mark == "," { "," } else { "|" }
}

/// `|` where a separate clause begins, `|but` where that clause says the opposite.
fn conjunction(token: &Token<'_>) -> Option<&'static str> {
    const ALIKE: [&str; 3] = ["as", "after", "amid"];
    const OPPOSITE: [&str; 6] = ["while", "but", "despite", "though", "although", "whereas"];
    if ALIKE
        .iter()
        .any(|word| token.text.eq_ignore_ascii_case(word))
    {
        Some("|")
    } else if OPPOSITE
        .iter()
        .any(|word| token.text.eq_ignore_ascii_case(word))
    {
        Some("|but")
    } else {
        None
    }
}

fn classes(tokens: &[Token<'_>]) -> Vec<Option<&'static str>> {
    let mut classes = vec![None; tokens.len()];
    let mut at = 0;
    while at < tokens.len() {
        if let Some((length, entry)) = longest(&tokens[at..]) {
            classes[at] = Some(class(entry));
            at += length;
        } else {
            at += 1;
        }
    }
    classes
}

fn class(entry: &Entry) -> &'static str {
    let signed = |value: f32, good, bad| if value > 0.0 { good } else { bad };
    if entry.negation {
        "not"
    } else if entry.quantity != 0.0 {
        signed(entry.quantity, "good", "bad")
    } else if entry.direction != 0.0 {
        signed(entry.direction, "up", "down")
    } else if entry.polarity != 0.0 {
        signed(entry.polarity, "praise", "blame")
    } else {
        "degree"
    }
}

/// A word without its ending: `rallies`, `rallied` and `rally` match, as far as headlines need it.
fn stem(word: &str) -> &str {
    if !word.is_ascii() {
        return word;
    }
    let ends = |ending: &str| {
        word.len() >= ending.len() + 3
            && word.as_bytes()[word.len() - ending.len()..].eq_ignore_ascii_case(ending.as_bytes())
    };
    let ending = ["ingly", "edly", "ing", "ies", "ied", "ed", "es", "s", "ly"]
        .into_iter()
        .find(|ending| ends(ending));
    let mut stem = &word[..word.len() - ending.map_or(0, str::len)];
    let bytes = stem.as_bytes();
    if let [.., before, last] = bytes
        && ending.is_some()
        && bytes.len() > 3
        && before == last
        && !matches!(last, b's' | b'l')
    {
        stem = &stem[..stem.len() - 1];
    }
    if stem.len() > 4 {
        stem.trim_end_matches(['e', 'y'])
    } else {
        stem
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_do_not_matter() {
        for (one, other) in [
            ("gains", "gained"),
            ("slips", "slipped"),
            ("rallies", "rallied"),
            ("surges", "surging"),
        ] {
            assert_eq!(stem(one), stem(other), "{one} {other}");
        }
    }

    #[test]
    fn a_list_is_one_name() {
        let mut tokens = Vec::new();
        crate::annotate::lexed::lex("TCS, Infosys and Wipro gain 3%", &mut tokens);
        let words = |at: usize| -> Vec<String> {
            View::new(&tokens, at, at + 1)
                .whole
                .iter()
                .map(|symbol| symbol.word.to_owned())
                .collect()
        };
        assert_eq!(words(1), ["^", "_", "gain", "#", "$"]);
        assert_eq!(words(0), words(3));
    }
}

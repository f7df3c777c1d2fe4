//! Words for more and for less.

use std::sync::LazyLock;

use model::table;
use rustc_hash::FxHashMap;
use text::statement::proposition::Proposition;

use crate::figures::token::{Join, Token};

static SIGNS: LazyLock<FxHashMap<&'static str, i8>> = LazyLock::new(|| {
    table::lines(include_str!("../../data/directions.txt"))
        .zip([1, -1])
        .flat_map(|(line, sign)| line.split_whitespace().map(move |word| (word, sign)))
        .collect()
});

/// Number of words on either side of a figure that are searched for its direction.
const BEFORE: usize = 6;
const AFTER: usize = 3;

/// 1 for a word meaning more, -1 for one meaning less, 0 for any other.
pub(super) fn sign(word: &str) -> i8 {
    SIGNS.get(word).copied().unwrap_or(0)
}

/// The direction given by the words near a figure: those before it in its clause first.
pub(super) fn of_figure(tokens: &[Token<'_>], first: usize, next: usize) -> i8 {
    let mut stopped = tokens.get(first).is_some_and(|token| is_stop(token.join));
    for token in tokens[first.saturating_sub(BEFORE)..first].iter().rev() {
        if stopped {
            break;
        }
        // `more than 80 %` bounds the figure.
        let sign = if token.is_any(&["more", "most", "less", "least", "above", "below", "record"]) {
            0
        } else {
            sign(&token.lower)
        };
        if sign != 0 {
            return sign;
        }
        stopped = is_stop(token.join);
    }
    tokens
        .get(next..(next + AFTER).min(tokens.len()))
        .unwrap_or_default()
        .iter()
        .take_while(|token| !is_stop(token.join))
        .map(|token| sign(&token.lower))
        .find(|sign| *sign != 0)
        .unwrap_or(0)
}

const fn is_stop(join: Join) -> bool {
    matches!(join, Join::Break | Join::Stop)
}

/// How many words for more and for less a sentence has, with denied ones counted on the other side.
pub(super) fn counts(sentence: &Proposition<'_>) -> (usize, usize) {
    let (mut more, mut less) = (0, 0);
    for word in &sentence.words {
        let sign = sign(&word.text.to_lowercase()) * if word.is_denied { -1 } else { 1 };
        more += usize::from(sign > 0);
        less += usize::from(sign < 0);
    }
    (more, less)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_are_read_and_share_no_word() {
        assert_eq!((sign("rose"), sign("shrank"), sign("house")), (1, -1, 0));
        let lines: Vec<&str> = table::lines(include_str!("../../data/directions.txt")).collect();
        assert_eq!(lines.len(), 2);
        let right: Vec<&str> = lines[1].split_whitespace().collect();
        assert!(
            lines[0]
                .split_whitespace()
                .all(|word| !right.contains(&word))
        );
    }

    #[test]
    fn denied_words_count_on_the_other_side() {
        let counts = |text: &str| counts(&Proposition::parse(text));
        assert_eq!(counts("Sales rose"), (1, 0));
        assert_eq!(counts("Sales did not rise"), (0, 1));
    }
}

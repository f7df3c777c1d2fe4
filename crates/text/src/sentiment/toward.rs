//! The sentiment of a sentence towards an entity that it names.
//!
//! `Nifty slips while Infosys gains` is bad for one and good for the other, so the words are read relative to the
//! position of the name: its clause, the words right before and after it, and the rest of the sentence. A list
//! (`TCS, Infosys and Wipro`) is read as one name. Fitted weights combine these. Which other entities are named does
//! not matter here.

use std::ops::Range;
use std::sync::LazyLock;

use ::model::Score;

use super::weights::Weights;
use crate::annotate::lexed::{Token, extend, lex, lower_hash, shape};
use crate::entities::is_common;

mod view;

use view::View;

static WEIGHTS: LazyLock<Weights> =
    LazyLock::new(|| Weights::parse(include_str!("../../data/sentiment/toward.tsv")));

/// Sentiment of a sentence towards what the bytes in `span` name.
pub(super) fn score(sentence: &str, span: &Range<usize>) -> Score {
    let mut tokens = Vec::new();
    lex(sentence, &mut tokens);
    let polarity = words(sentence, &tokens, span).map_or(0.0, |(from, to)| {
        polarity(&tokens, from, to).unwrap_or_else(|| super::polarity(&tokens))
    });
    Score::clamped(f64::midpoint(1.0, f64::from(polarity)))
}

/// The features of a sentence as seen from the position of a name, spelled out.
pub(super) fn views(sentence: &str, span: &Range<usize>) -> Vec<String> {
    let mut tokens = Vec::new();
    lex(sentence, &mut tokens);
    let mut found = Vec::new();
    if let Some((from, to)) = words(sentence, &tokens, span) {
        View::new(&tokens, from, to).each(|tag, symbols| {
            let mut name = tag.to_owned();
            for symbol in symbols {
                name.push(' ');
                name.push_str(&symbol.word.to_lowercase());
            }
            found.push(name);
        });
    }
    found
}

/// The polarity of a sentence, -1 to 1, towards the name in its words `from..to`. `None` if too few of its words are
/// English to judge.
pub(crate) fn polarity(tokens: &[Token<'_>], from: usize, to: usize) -> Option<f32> {
    let around = || tokens[..from].iter().chain(&tokens[to..]);
    let plain = around().filter(|token| !token.is(shape::CAPITAL | shape::NUMBER));
    let (words, known) = plain.fold((0, 0), |(words, known), token| {
        (words + 1, known + usize::from(is_common(token)))
    });
    if known * 2 < words {
        return None;
    }
    let mut sum = WEIGHTS.sum();
    View::new(tokens, from, to).each(|tag, symbols| {
        sum.add(
            symbols
                .iter()
                .fold(extend(0, lower_hash(tag)), |key, symbol| {
                    extend(key, symbol.key)
                }),
        );
    });
    Some(sum.polarity())
}

/// The words that a span of bytes touches.
fn words(sentence: &str, tokens: &[Token<'_>], span: &Range<usize>) -> Option<(usize, usize)> {
    let base = sentence.as_ptr() as usize;
    let start = |token: &Token<'_>| token.text.as_ptr() as usize - base;
    let from = tokens
        .iter()
        .position(|token| start(token) + token.text.len() > span.start)?;
    let to = tokens.iter().rposition(|token| start(token) < span.end)? + 1;
    (from < to).then_some((from, to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(sentence: &str, name: &str, expected: &str) {
        let at = sentence.find(name).unwrap();
        let score = score(sentence, &(at..at + name.len())).get();
        let label = if score > 0.55 {
            "positive"
        } else if score < 0.45 {
            "negative"
        } else {
            "neutral"
        };
        assert_eq!(label, expected, "{sentence} / {name}: {score}");
    }

    #[test]
    fn each_name_has_the_sentiment_of_its_part() {
        let split = "Nifty slips below 8,000 while Infosys gains 3%";
        check(split, "Nifty", "negative");
        check(split, "Infosys", "positive");
        let advice = "Buy Tata Steel, sell Hindalco: Mitesh Thacker";
        check(advice, "Tata Steel", "positive");
        check(advice, "Hindalco", "negative");
        check(advice, "Mitesh Thacker", "neutral");
        let list = "TCS, Infosys and Wipro surge on strong results";
        check(list, "TCS", "positive");
        check(list, "Wipro", "positive");
    }

    #[test]
    fn another_language_is_read_as_a_whole() {
        let sentence = "La Bourse de Paris grimpe, Renault bondit";
        let at = sentence.find("Renault").unwrap();
        assert_eq!(
            score(sentence, &(at..at + 7)),
            super::super::sentence(sentence)
        );
    }

    proptest! {
        #[test]
        fn every_place_of_every_text_has_a_sentiment(text in "\\PC{0,120}", start in 0..140_usize, length in 0..30_usize) {
            prop_assert!((0.0..=1.0).contains(&score(&text, &(start..start + length)).get()));
        }

        #[test]
        fn white_space_around_does_not_matter(before in "[ \t]{0,4}", after in "[ \t]{0,4}") {
            let plain = "Nifty slips while Infosys gains";
            let padded = format!("{before}{plain}{after}");
            let moved = before.len();
            prop_assert_eq!(score(plain, &(18..25)), score(&padded, &(18 + moved..25 + moved)));
        }
    }
}

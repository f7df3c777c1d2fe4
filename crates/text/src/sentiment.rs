//! The sentiment of a text, as perceived by a reader of market and general news.
//!
//! A lexicon gives words their own polarity. Directions (`rose`, `narrowed`) take theirs from what they move (`profit`,
//! `loss`), and `to EUR 13.1 mn from 8.7 mn` is compared as numbers. Fitted weights for words and pairs of words are
//! added. Neutral stays at 0.5.

use std::ops::Range;

use ::model::Score;

use crate::annotate::lexed::{Lexed, Token};

mod lexicon;
mod model;
mod rules;
pub(crate) mod toward;
mod weights;

/// Sentiment of a headline and its body, 0.5 neutral.
pub fn document(title: &str, body: &str) -> Score {
    let lexed = Lexed::new(title, body);
    whole(&lexed, &polarities(&lexed))
}

/// Sentiment of one sentence, 0.5 neutral.
pub fn sentence(text: &str) -> Score {
    let mut tokens = Vec::new();
    crate::annotate::lexed::lex(text, &mut tokens);
    Score::clamped(f64::midpoint(1.0, f64::from(polarity(&tokens))))
}

/// Sentiment of a sentence towards what the bytes in `span` name, 0.5 neutral. A span that touches no word is neutral.
pub fn toward(sentence: &str, span: Range<usize>) -> Score {
    toward::score(sentence, &span)
}

/// The features of a sentence as seen from the position of a name, each as words separated by spaces. They are the
/// input for fitting the weights.
#[doc(hidden)]
pub fn views(sentence: &str, span: Range<usize>) -> Vec<String> {
    toward::views(sentence, &span)
}

/// The score of a sentence by the rules alone, unbounded: the input for fitting the word weights.
#[doc(hidden)]
pub fn by_rules(text: &str) -> f64 {
    let mut tokens = Vec::new();
    crate::annotate::lexed::lex(text, &mut tokens);
    f64::from(rules::score(&tokens).raw)
}

/// The polarity of each sentence, -1 to 1, headline first.
pub(crate) fn polarities(lexed: &Lexed<'_>) -> Vec<f32> {
    lexed
        .sentences
        .iter()
        .map(|sentence| polarity(lexed.words(sentence)))
        .collect()
}

/// The overall sentiment from the polarities of the sentences: the headline weighs most, and late sentences weigh
/// least.
pub(crate) fn whole(lexed: &Lexed<'_>, polarities: &[f32]) -> Score {
    let (mut sum, mut weights) = (0.0, 0.0);
    for (at, (sentence, polarity)) in lexed.sentences.iter().zip(polarities).enumerate() {
        if sentence.start == sentence.end {
            continue;
        }
        let weight = match at {
            0 => 3.0,
            1..=3 => 1.0,
            4..=10 => 0.5,
            _ => 0.2,
        };
        sum += weight * f64::from(*polarity);
        weights += weight;
    }
    if weights == 0.0 {
        Score::NEUTRAL
    } else {
        Score::clamped(0.5 + 0.55 * sum / weights)
    }
}

fn polarity(tokens: &[Token<'_>]) -> f32 {
    if tokens.is_empty() {
        return 0.0;
    }
    let reading = rules::score(tokens);
    let words = model::polarity(tokens, reading.raw, &reading.turned);
    if reading.measured {
        return words;
    }
    // The weights know markets. Outside that subject the lexicon knows more. Positive words are used freely, so it
    // takes more of them.
    let raw = if reading.raw > 0.0 {
        (reading.raw - 1.2).max(0.0)
    } else {
        (reading.raw + 0.4).min(0.0)
    };
    let rules = raw / (1.4 + raw.abs());
    (words + (1.0 - words.abs()) * 0.5 * rules).clamp(-1.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, expected: &str) {
        let score = sentence(text).get();
        let label = if score > 0.55 {
            "positive"
        } else if score < 0.45 {
            "negative"
        } else {
            "neutral"
        };
        assert_eq!(label, expected, "{text}: {score}");
    }

    #[test]
    fn directions_take_the_polarity_of_what_they_move() {
        check(
            "Operating profit rose to EUR 13.1 mn from EUR 8.7 mn a year earlier",
            "positive",
        );
        check(
            "Operating profit fell to EUR 8.7 mn from EUR 13.1 mn a year earlier",
            "negative",
        );
        check(
            "Net loss narrowed to EUR 1.2 mn from EUR 3.4 mn",
            "positive",
        );
        check("Net loss widened to EUR 3.4 mn from EUR 1.2 mn", "negative");
        check("Net sales rose from EUR76m to EUR131m", "positive");
        check(
            "Revenue amounted to EUR 7.1 mn , compared with EUR 8.9 mn a year earlier",
            "negative",
        );
        check("The group swung to a loss in the quarter", "negative");
        check("The group returned to profit in the quarter", "positive");
        check("Unemployment fell sharply in May", "positive");
        check("Costs surge as inflation rises", "negative");
        check("Shares plunge after profit warning", "negative");
        check("Shares jump to a record high", "positive");
    }

    #[test]
    fn plain_statements_are_neutral() {
        check(
            "The company is based in Helsinki and has two plants",
            "neutral",
        );
        check("The annual meeting will be held on 12 April", "neutral");
        check("", "neutral");
    }

    #[test]
    fn the_headline_weighs_most() {
        let good = document(
            "Profit surges to record",
            "The plant was built in 1990. It stands by the river.",
        )
        .get();
        let bad = document(
            "Profit plunges, thousands of jobs cut",
            "The plant was built in 1990. It stands by the river.",
        )
        .get();
        assert!(good > 0.55 && bad < 0.45, "{good} {bad}");
        assert_eq!(document("", ""), Score::NEUTRAL);
    }

    proptest! {
        #[test]
        fn every_text_has_a_sentiment(text in "\\PC{0,200}") {
            prop_assert!((0.0..=1.0).contains(&sentence(&text).get()));
        }

        #[test]
        fn white_space_around_does_not_matter(text in "\\PC{0,200}") {
            prop_assert_eq!(sentence(text.trim()), sentence(&format!(" \t{text} \n")));
        }
    }
}

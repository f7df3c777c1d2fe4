//! The tone of a text, as a reader of market and general news takes it.
//!
//! A lexicon gives words their own tone, directions (`rose`, `narrowed`) take theirs from what they move (`profit`,
//! `loss`), and `to EUR 13.1 mn from 8.7 mn` is compared as numbers. Neutral stays at 0.5.

use model::Score;

use crate::annotate::lexed::{Lexed, Token};

mod lexicon;
mod rules;

/// Tone of a headline and its body, 0.5 neutral.
pub fn document(title: &str, body: &str) -> Score {
    let lexed = Lexed::new(title, body);
    whole(&lexed, &tones(&lexed))
}

/// Tone of one sentence, 0.5 neutral.
pub fn sentence(text: &str) -> Score {
    let mut tokens = Vec::new();
    crate::annotate::lexed::lex(text, &mut tokens);
    Score::clamped(f64::midpoint(1.0, f64::from(tone(&tokens))))
}

/// The tone of each sentence, -1 to 1, headline first.
pub(crate) fn tones(lexed: &Lexed<'_>) -> Vec<f32> {
    lexed.sentences.iter().map(|sentence| tone(lexed.words(sentence))).collect()
}

/// The tone of the whole from that of its sentences: the headline weighs most, what comes late weighs least.
pub(crate) fn whole(lexed: &Lexed<'_>, tones: &[f32]) -> Score {
    let (mut sum, mut weights) = (0.0, 0.0);
    for (at, (sentence, tone)) in lexed.sentences.iter().zip(tones).enumerate() {
        if sentence.start == sentence.end {
            continue;
        }
        let weight = match at {
            0 => 3.0,
            1..=3 => 1.0,
            4..=10 => 0.5,
            _ => 0.2,
        };
        sum += weight * f64::from(*tone);
        weights += weight;
    }
    if weights == 0.0 { Score::NEUTRAL } else { Score::clamped(0.5 + 0.55 * sum / weights) }
}

fn tone(tokens: &[Token<'_>]) -> f32 {
    let raw = rules::raw(tokens);
    raw / (1.8 + raw.abs())
}

//! Loaded wording, framing and one-sidedness, judged by what a text says and how it says it.

use model::{BiasReading, Score};
use rustc_hash::FxHashSet;

use crate::annotate::lexed::{Lexed, Token, gap, lex, shape};

mod coloured;
mod terms;

/// A sentence that reaches this score is coloured.
pub const COLOURED: f64 = 0.5;

/// Number of words of a text that are read.
const READ: usize = 1_500;
/// Number of terms that are shown.
const SHOWN: usize = 10;

/// How far one sentence colours what it reports, 0 to 1.
pub fn sentence(text: &str) -> Score {
    let mut words = Vec::new();
    lex(text, &mut words);
    Score::clamped(coloured::score(text, &words))
}

/// Assesses how a text colours what it reports.
pub fn assess(title: &str, body: &str) -> BiasReading {
    assess_lexed(&Lexed::new(title, body))
}

#[derive(Debug, Default)]
struct Count {
    words: f64,
    loaded: f64,
    left: f64,
    right: f64,
    sensational: f64,
    promotional: f64,
    superlatives: f64,
    first_person: f64,
    shouted: f64,
}

/// Assesses a text that is already split into words.
pub(crate) fn assess_lexed(lexed: &Lexed<'_>) -> BiasReading {
    let mut count = Count::default();
    let mut found: Vec<(f32, String)> = Vec::new();
    let (mut attributed, mut otherwise, mut sentences, mut questions, mut exclamations) =
        (0_u32, 0_u32, 0_u32, 0_u32, 0_u32);
    let mut speakers: FxHashSet<u64> = FxHashSet::default();
    for (number, sentence) in lexed.sentences.iter().enumerate() {
        if sentence.start == sentence.end || sentence.start > READ {
            continue;
        }
        sentences += 1;
        // Every reader sees the headline.
        let weight = if number == 0 { 2.0 } else { 1.0 };
        let quoted = sentence.text.contains(['“', '"', '«', '„']);
        questions += u32::from(sentence.text.ends_with('?') && !quoted);
        exclamations += u32::from(sentence.text.ends_with('!') && !quoted);
        let mut is_attributed = false;
        let words = lexed.words(sentence);
        let mut at = 0;
        while at < words.len() {
            let token = &words[at];
            count.words += 1.0;
            if !quoted && terms::is_first_person(token) {
                count.first_person += 1.0;
            }
            if token.is(shape::ALL_CAPS)
                && token.text.len() >= 5
                && token.text.bytes().all(|byte| byte.is_ascii_alphabetic())
            {
                count.shouted += weight;
            }
            let Some((length, colour)) = terms::at(words, at) else {
                at += 1;
                continue;
            };
            // Inside quotation marks the wording is somebody else's.
            let own = if quoted { 0.4 } else { 1.0 } * weight;
            count.loaded += f64::from(colour.loaded) * own;
            count.left += f64::from(colour.left) * own;
            count.right += f64::from(colour.right) * own;
            count.sensational += f64::from(colour.sensational) * own;
            count.promotional += f64::from(colour.promotional) * own;
            count.superlatives += if colour.superlative { own } else { 0.0 };
            is_attributed |= colour.attributed;
            otherwise += u32::from(colour.otherwise);
            if colour.attributed {
                speaker(words, at, length).map(|speaker| speakers.insert(speaker));
            }
            let strength = colour.loaded.max(colour.left).max(colour.right);
            if strength > 0.4 {
                let term = lexed
                    .written(sentence.start + at, sentence.start + at + length)
                    .to_lowercase();
                if !found.iter().any(|(_, known)| *known == term) {
                    found.push((strength * weight as f32, term));
                }
            }
            at += length;
        }
        attributed += u32::from(is_attributed || quoted);
    }
    found.sort_by(|left, right| right.0.total_cmp(&left.0));
    let loaded_terms = found
        .into_iter()
        .take(SHOWN)
        .map(|(_, term)| term)
        .collect();
    let words = count.words.max(1.0);
    // In a short text, one loaded word in the headline counts for a lot, but not for everything.
    let share = |hits: f64| hits / words.max(25.0) * 100.0;
    let sentences_read = f64::from(sentences.max(1));
    let unattributed = if sentences <= 1 {
        0.0
    } else {
        1.0 - f64::from(attributed) / sentences_read
    };
    let framing =
        0.35 * unattributed.max(0.0) * saturate(share(count.loaded + count.superlatives), 2.0)
            + 0.2 * saturate(f64::from(questions) / sentences_read * 10.0, 1.5)
            + 0.2 * saturate(share(count.superlatives), 1.5)
            + 0.2 * saturate(share(count.first_person), 3.0)
            + 0.25 * saturate(share(count.shouted) + f64::from(exclamations), 1.5);
    BiasReading {
        loaded_wording: saturate(share(count.loaded), 2.5),
        framing: framing.clamp(0.0, 1.0),
        one_sidedness: one_sidedness(lexed, sentences, speakers.len(), otherwise),
        loaded_terms,
        lean: {
            let (left, right) = (count.left, count.right);
            ((right - left) / (left + right + 2.0)).clamp(-1.0, 1.0)
        },
        promotional: saturate(share(count.promotional), 2.0),
        sensational: saturate(
            share(count.sensational) + 0.5 * share(count.shouted) + f64::from(exclamations) * 0.3,
            2.5,
        ),
    }
}

/// 0 for nothing, a half at `half`, approaching 1 for a lot.
fn saturate(value: f64, half: f64) -> f64 {
    (value / (value + half)).clamp(0.0, 1.0)
}

/// The speaker: the capitalised word nearest to `said`.
fn speaker(words: &[Token<'_>], at: usize, length: usize) -> Option<u64> {
    let before = words[..at].iter().rev().take(4).find(|word| {
        word.is(shape::CAPITAL)
            || matches!(word.text, "officials" | "police" | "he" | "she" | "they")
    });
    let after = || {
        words[at + length..]
            .iter()
            .take(4)
            .find(|word| word.is(shape::CAPITAL) && !word.after(gap::QUOTE))
    };
    before.or_else(after).map(|word| word.lower)
}

fn one_sidedness(lexed: &Lexed<'_>, sentences: u32, speakers: usize, otherwise: u32) -> f64 {
    // A headline or teaser cannot show who was asked for comment.
    if lexed.body().is_empty() || sentences <= 5 {
        return 0.5;
    }
    let balance: f64 = match speakers {
        0 => 0.85,
        1 => 0.7,
        2 => 0.5,
        3 => 0.38,
        4 | 5 => 0.28,
        _ => 0.2,
    };
    (balance - 0.06 * f64::from(otherwise.min(4))).clamp(0.05, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sober_news_is_unbiased_and_rants_are_not() {
        let sober = assess(
            "Council approves budget",
            "The council approved the budget on Monday, officials said. Opponents said that fees were too high. The mayor denied this. \
             According to the treasurer, fees will stay the same. A resident, Ana Duarte, said that she was content. \
             The clerk said the vote was close.",
        );
        let rant = assess(
            "OUTRAGEOUS! Radical left mob destroys everything",
            "This disgraceful regime of corrupt liars is insane. Everyone knows that it is a sham. When will these pathetic cowards stop? \
             It is the worst government of all time! They wreck whatever they touch. The country pays for their greed.",
        );
        assert!(
            sober.loaded_wording < 0.3 && sober.framing < 0.2 && sober.one_sidedness < 0.5,
            "{sober:?}"
        );
        assert!(
            rant.loaded_wording > 0.7 && rant.framing > 0.3 && rant.one_sidedness > 0.6,
            "{rant:?}"
        );
        assert!(rant.lean > 0.2 && rant.sensational > 0.3, "{rant:?}");
        assert!(
            rant.loaded_terms.iter().any(|term| term == "disgraceful"),
            "{rant:?}"
        );
    }

    #[test]
    fn a_headline_alone_shows_nobody_quoted() {
        assert_eq!(assess("Council approves budget", "").one_sidedness, 0.5);
    }

    #[test]
    fn praise_of_products_is_promotional() {
        let reading = assess(
            "Our award-winning, industry-leading app",
            "We are thrilled to announce a revolutionary must-have. Sign up today.",
        );
        assert!(reading.promotional > 0.5, "{reading:?}");
    }

    proptest! {
        #[test]
        fn every_sentence_has_a_colour(text in "\\PC{0,200}") {
            prop_assert!((0.0..=1.0).contains(&sentence(&text).get()));
            prop_assert_eq!(sentence(text.trim()), sentence(&format!("  {text}\t")));
        }

        #[test]
        fn readings_stay_in_their_bounds(title in "\\PC{0,80}", body in "\\PC{0,400}") {
            let reading = assess(&title, &body);
            for value in [reading.loaded_wording, reading.framing, reading.one_sidedness, reading.promotional, reading.sensational] {
                prop_assert!((0.0..=1.0).contains(&value));
            }
            prop_assert!((-1.0..=1.0).contains(&reading.lean) && reading.loaded_terms.len() <= SHOWN);
        }
    }
}

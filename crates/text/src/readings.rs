//! What kind of text an article is, judged by linear models over its words: its subject and its form.
//!
//! An article is represented as weighted rows of a table: the words and pairs of words of its headline, the words of
//! its opening, how the headline is written, the meaning of both, and what the tables of topic words indicate. A model
//! has one weight for each row and class. The weights are fitted by `scripts/fit_readings.py` on articles labelled by
//! reading them ([`crate::linear`]).

use model::Category;

use crate::annotate::lexed::{Lexed, Token, extend, floor_boundary, gap, shape};
use crate::embedding::{self, DIMENSIONS, word_pieces};
use crate::linear::{self, Linear, Weighted, add_block, add_meaning};

/// Rows into which words are hashed.
const HASHED: usize = 1 << 15;
/// Rows of meaning and topic words, which precede the hashed rows.
const PLAIN: usize = 2 * DIMENSIONS + Category::ALL.len() + 1;
/// Number of words of the body that are read.
const OPENING: usize = 60;
/// Number of bytes of a sentence that are split into pieces.
const LONGEST: usize = 1_000;
/// The weight of meaning relative to words.
const MEANING: f32 = 0.5;
/// Added to the topic word scores before shares are taken, so that a single word does not decide.
const DOUBT: f32 = 2.0;

/// The features of an article, as rows.
pub(crate) fn observe(lexed: &Lexed<'_>, topics: &[f32; Category::ALL.len()]) -> Vec<Weighted> {
    let title = lexed.title();
    let opening = &lexed.tokens[title.len()..lexed.tokens.len().min(title.len() + OPENING)];
    let mut rows = Vec::with_capacity(PLAIN + 3 * title.len() + opening.len() + 16);
    let headline = lexed.sentences.first().map_or("", |first| first.text);
    let read: Vec<&str> = lexed
        .sentences
        .iter()
        .take_while(|sentence| sentence.start < title.len() + OPENING)
        .map(|sentence| sentence.text)
        .collect();
    add_meaning(&mut rows, 0, &embedding::embed(headline), MEANING);
    let meaning = embedding::embed(&read.join(" "));
    add_meaning(&mut rows, DIMENSIONS, &meaning, MEANING);
    let all: f32 = topics.iter().sum::<f32>() + DOUBT;
    for (at, score) in topics.iter().enumerate().filter(|(_, score)| **score > 0.0) {
        rows.push(((2 * DIMENSIONS + at) as u32, score / all));
    }
    rows.push((PLAIN as u32 - 1, 1.0));

    let words: Vec<u64> = title.iter().map(masked).collect();
    let mut block: Vec<u32> = words.iter().map(|word| row(1, *word)).collect();
    block.extend(
        words
            .windows(2)
            .map(|pair| row(2, extend(pair[0], pair[1]))),
    );
    add_block(&mut rows, block);
    let block = words.iter().copied().chain(opening.iter().map(masked));
    add_block(&mut rows, block.map(|word| row(3, word)).collect());
    add_block(&mut rows, marks(headline, lexed, &words));
    rows
}

/// The word pieces of the headline and of the sentences after it, until there are `enough` of these.
pub(crate) fn pieces(lexed: &Lexed<'_>, enough: usize) -> [Vec<u16>; 2] {
    let cut = |text: &str| word_pieces(&text[..floor_boundary(text, LONGEST)]);
    let headline = cut(lexed.sentences.first().map_or("", |first| first.text));
    let mut opening = Vec::new();
    for sentence in lexed.body() {
        if opening.len() >= enough {
            break;
        }
        opening.extend(cut(sentence.text));
    }
    [headline, opening]
}

/// The features of how a headline is written.
fn marks(headline: &str, lexed: &Lexed<'_>, words: &[u64]) -> Vec<u32> {
    let title = lexed.title();
    let mut marks = vec![row(4, (words.len() / 3).min(6) as u64)];
    let is_said = [
        headline.trim_end().ends_with('?'),
        headline.contains('!'),
        title.iter().any(|word| word.after(gap::COLON)),
        title.iter().any(|word| word.after(gap::QUOTE)),
        headline.contains('|'),
        title.first().is_some_and(|word| word.is(shape::NUMBER)),
        title.iter().any(|word| word.is(shape::NUMBER)),
        title.iter().any(|word| word.is(shape::PERCENT)),
        lexed.title_case,
    ];
    marks.extend(
        (0..)
            .zip(is_said)
            .filter(|(_, is)| *is)
            .map(|(at, _)| row(5, at)),
    );
    marks.extend(
        (6..)
            .zip(words.iter().take(2))
            .map(|(kind, word)| row(kind, *word)),
    );
    marks.extend(words.last().map(|word| row(8, *word)));
    marks
}

/// A word, with all numbers treated alike.
fn masked(word: &Token<'_>) -> u64 {
    if word.is(shape::NUMBER) {
        1
    } else {
        word.lower
    }
}

fn row(kind: u64, value: u64) -> u32 {
    PLAIN as u32 + linear::hashed(kind, value, HASHED)
}

/// The forms of articles, in the order of their model.
pub(crate) const FORMS: [&str; 6] = ["report", "series", "roundup", "live", "opinion", "other"];

static CATEGORIES: Linear<{ Category::ALL.len() }> =
    Linear::of(include_bytes!("../data/readings/categories.bin"));
static OF_FORMS: Linear<{ FORMS.len() }> = Linear::of(include_bytes!("../data/readings/forms.bin"));

/// The evidence for each category, in the order of [`Category::ALL`].
pub(crate) fn categories(rows: &[Weighted]) -> [f32; Category::ALL.len()] {
    CATEGORIES.logits(rows)
}

/// The probability of each form for an article.
pub(crate) fn forms(rows: &[Weighted]) -> [f32; FORMS.len()] {
    linear::shares(OF_FORMS.logits(rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_models_are_whole() {
        let bytes = |classes: usize| 4 + (PLAIN + HASHED) * classes;
        assert_eq!(CATEGORIES.bytes.len(), bytes(Category::ALL.len()));
        assert_eq!(OF_FORMS.bytes.len(), bytes(FORMS.len()));
    }

    #[test]
    fn rows_lie_in_the_table_and_blocks_have_one_length() {
        let topics = [0.0; Category::ALL.len()];
        for (title, body) in [
            ("", ""),
            ("Port reopens", ""),
            (
                "5 things to know: \"rates\" rise 0.25%?",
                "Rates rise. Then they fall!",
            ),
        ] {
            let lexed = Lexed::new(title, body);
            let rows = observe(&lexed, &topics);
            assert!(
                rows.iter()
                    .all(|(row, amount)| (*row as usize) < PLAIN + HASHED && amount.is_finite())
            );
            let words: f32 = rows
                .iter()
                .filter(|(row, _)| *row as usize >= PLAIN)
                .map(|(_, amount)| amount * amount)
                .sum();
            assert!(words <= 3.001, "{words}");
        }
    }

    #[test]
    fn sentences_are_cut_into_pieces_until_these_are_enough() {
        let of = |body: &str, enough| pieces(&Lexed::new("Port reopens", body), enough);
        let body = "Ships wait. Crews rest. Cranes turn.";
        assert_eq!(
            of(body, 44),
            [word_pieces("Port reopens"), word_pieces(body)]
        );
        assert_eq!(of(body, 4)[1], word_pieces("Ships wait. Crews rest."));
        assert!(of("", 44)[1].is_empty());
        let long = "ships and crews ".repeat(2_000);
        assert!((100..1_000).contains(&of(&long, 44)[1].len()));
    }

    #[test]
    fn shares_come_to_one() {
        let rows = observe(
            &Lexed::new("Central bank cuts rates", ""),
            &[0.0; Category::ALL.len()],
        );
        let all: f32 = forms(&rows).iter().sum();
        assert!((all - 1.0).abs() < 1e-5);
    }
}

//! What is measured of a claim and a passage.

use text::embedding::{embed, similarity};
use text::statement::proposition::{Exactness, Proposition, Quantity};

use super::opposites::is_whole;
use super::overlap::{Overlap, Vectors};

/// The names of the features, in their order. The table of the model names them too.
pub const FEATURES: [&str; 34] = [
    "exact_all",
    "soft_all",
    "exact_best",
    "soft_best",
    "pairs_best",
    "run_best",
    "names_held",
    "names_missing",
    "name_replaced",
    "numbers_held",
    "numbers_missing",
    "quantity_conflict",
    "number_conflict",
    "year_conflict",
    "claim_has_number",
    "passage_has_number",
    "meaning_best",
    "meaning_all",
    "rest_meaning",
    "turned",
    "opposed_missing",
    "opposed_held",
    "claim_denials",
    "best_denials",
    "denials_differ",
    "claim_hedged",
    "best_hedged",
    "best_doubted",
    "claim_words",
    "best_words",
    "sentences",
    "rarest_missing",
    "wholes_missing",
    "order_turned",
];

/// Sentences of a passage that are laid against a claim.
const MOST_SENTENCES: usize = 40;

/// Measured features of a claim and a passage, in the order of [`FEATURES`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Features([f32; FEATURES.len()]);

impl Features {
    /// Measures a passage, given as its sentences, by a claim.
    pub fn of(claim: &Proposition<'_>, passage: &[Proposition<'_>]) -> Self {
        let mut vectors = Vectors::default();
        let sentences: Vec<&Proposition<'_>> = passage.iter().take(MOST_SENTENCES).collect();
        let all = Overlap::new(claim, &sentences, &mut vectors);
        let best = sentences
            .iter()
            .map(|sentence| (*sentence, Overlap::new(claim, &[sentence], &mut vectors)))
            .reduce(|best, other| {
                if other.1.soft() > best.1.soft() {
                    other
                } else {
                    best
                }
            });
        let Some((sentence, best)) = best else {
            return Self::of_claim_alone(claim);
        };
        let claim_meaning = embed(claim.text);
        let meaning_best = similarity(&claim_meaning, &embed(sentence.text));
        let whole = sentences
            .iter()
            .map(|sentence| sentence.text)
            .collect::<Vec<_>>()
            .join(" ");
        let numbers = Numbers::new(claim, sentence, &sentences);
        let names: Vec<_> = all
            .matches
            .iter()
            .filter(|found| found.word.is_name)
            .collect();
        let names_missing = names.iter().filter(|found| found.share < 0.9).count();
        let new_names = sentence
            .words
            .iter()
            .filter(|word| word.is_name)
            .filter(|word| !claim.words.iter().any(|other| other.stem == word.stem))
            .count();
        let missing: Vec<&str> = best.missing().map(|found| found.word.text).collect();
        let extra: Vec<&str> = sentence
            .content()
            .filter(|word| !claim.words.iter().any(|other| other.stem == word.stem))
            .map(|word| word.text)
            .collect();
        let rest_meaning = if missing.is_empty() || extra.is_empty() {
            0.0
        } else {
            similarity(&embed(&missing.join(" ")), &embed(&extra.join(" ")))
        };
        let of_all = |value: bool| f32::from(u8::from(value));
        Self([
            all.exact(),
            all.soft(),
            best.exact(),
            best.soft(),
            pairs_held(claim, sentence),
            longest_run(claim, sentence),
            if names.is_empty() {
                1.0
            } else {
                1.0 - names_missing as f32 / names.len() as f32
            },
            names_missing.min(5) as f32,
            of_all(names_missing > 0 && new_names > 0),
            numbers.held,
            numbers.missing,
            numbers.quantity_conflict,
            numbers.number_conflict,
            numbers.year_conflict,
            numbers.of_claim,
            numbers.of_passage,
            meaning_best,
            similarity(&claim_meaning, &embed(&whole)),
            rest_meaning,
            best.share(|found| of_all(found.is_turned)),
            best.missing()
                .filter(|found| found.is_opposed)
                .count()
                .min(4) as f32,
            best.matches
                .iter()
                .filter(|found| found.share >= 1.0 && found.is_opposed)
                .count()
                .min(4) as f32,
            claim.denials.min(3) as f32,
            sentence.denials.min(3) as f32,
            of_all((claim.denials > 0) != (sentence.denials > 0)),
            of_all(claim.is_hedged),
            of_all(sentence.is_hedged),
            of_all(sentence.is_doubted),
            claim.content().count().min(40) as f32,
            sentence.content().count().min(60) as f32,
            sentences.len() as f32,
            all.missing()
                .map(|found| found.word.rarity)
                .fold(0.0, f32::max),
            wholes_missing(claim, &sentences),
            order_turned(claim, sentence),
        ])
    }

    /// The features as numbers, in the order of [`FEATURES`].
    pub fn values(&self) -> &[f32; FEATURES.len()] {
        &self.0
    }

    /// A claim without a passage.
    fn of_claim_alone(claim: &Proposition<'_>) -> Self {
        let mut values = [0.0; FEATURES.len()];
        for (value, name) in values.iter_mut().zip(FEATURES) {
            *value = match name {
                "claim_has_number" => {
                    f32::from(u8::from(claim.words.iter().any(|word| word.is_number)))
                }
                "claim_denials" => claim.denials.min(3) as f32,
                "claim_hedged" => f32::from(u8::from(claim.is_hedged)),
                "claim_words" => claim.content().count().min(40) as f32,
                "rarest_missing" => claim.content().map(|word| word.rarity).fold(0.0, f32::max),
                _ => 0.0,
            };
        }
        Self(values)
    }
}

struct Numbers {
    held: f32,
    missing: f32,
    quantity_conflict: f32,
    number_conflict: f32,
    year_conflict: f32,
    of_claim: f32,
    of_passage: f32,
}

impl Numbers {
    fn new(claim: &Proposition<'_>, best: &Proposition<'_>, all: &[&Proposition<'_>]) -> Self {
        let mut wanted = 0;
        let mut held = 0;
        let mut quantity_conflict = 0;
        for quantity in &claim.quantities {
            wanted += 1;
            let is_held = all.iter().any(|sentence| {
                sentence
                    .quantities
                    .iter()
                    .any(|other| is_comparable(quantity, other) && agrees(quantity, other))
                    || sentence
                        .numbers
                        .iter()
                        .any(|other| is_close(quantity.value.abs(), *other, 0.005))
            });
            held += usize::from(is_held);
            let has_another = best
                .quantities
                .iter()
                .any(|other| is_comparable(quantity, other));
            quantity_conflict += usize::from(!is_held && has_another);
        }
        let mut number_conflict = 0;
        for number in &claim.numbers {
            wanted += 1;
            let is_held = all.iter().any(|sentence| {
                let quantities = sentence.quantities.iter().map(|other| other.value.abs());
                sentence
                    .numbers
                    .iter()
                    .copied()
                    .chain(quantities)
                    .any(|other| is_close(*number, other, 0.005))
            });
            held += usize::from(is_held);
            number_conflict += usize::from(!is_held && !best.numbers.is_empty());
        }
        let mut year_conflict = 0;
        for year in &claim.years {
            wanted += 1;
            let is_held = all.iter().any(|sentence| sentence.years.contains(year));
            held += usize::from(is_held);
            year_conflict += usize::from(!is_held && !best.years.is_empty());
        }
        let has_number =
            |sentence: &Proposition<'_>| sentence.words.iter().any(|word| word.is_number);
        Self {
            held: if wanted == 0 {
                1.0
            } else {
                held as f32 / wanted as f32
            },
            missing: (wanted - held).min(4) as f32,
            quantity_conflict: quantity_conflict.min(3) as f32,
            number_conflict: number_conflict.min(3) as f32,
            year_conflict: year_conflict.min(2) as f32,
            of_claim: f32::from(u8::from(wanted > 0)),
            of_passage: f32::from(u8::from(has_number(best))),
        }
    }
}

/// Whether two quantities measure in one unit.
pub(crate) fn is_comparable(left: &Quantity<'_>, right: &Quantity<'_>) -> bool {
    left.kind == right.kind
        && left.unit == right.unit
        && !(left.measure.is_some() && right.measure.is_some() && left.measure != right.measure)
}

/// Whether two quantities can both be true: equal after the coarser rounding, or within what their bounds allow.
pub(crate) fn agrees(claim: &Quantity<'_>, other: &Quantity<'_>) -> bool {
    let (here, there) = (claim.value.abs(), other.value.abs());
    if claim.value.signum() * other.value.signum() < 0.0 && claim.is_change && other.is_change {
        return false;
    }
    let about = [claim.exactness, other.exactness].contains(&Exactness::About);
    if is_close(here, there, if about { 0.1 } else { 0.005 }) {
        return true;
    }
    match (claim.exactness, other.exactness) {
        (Exactness::AtLeast, _) => there >= here,
        (Exactness::AtMost, _) => there <= here,
        (_, Exactness::AtLeast) => here >= there && here <= 1.3 * there,
        (_, Exactness::AtMost) => here <= there && here >= 0.7 * there,
        _ => is_rounded(here, there),
    }
}

/// Whether one figure is the other, rounded to at most three digits: `1.2 million` of `1,234,567`.
fn is_rounded(left: f64, right: f64) -> bool {
    let rounds_to = |exact: f64, round: f64| {
        (2..=3).any(|digits| {
            let scale = 10_f64.powi(digits - 1 - exact.abs().log10().floor() as i32);
            ((exact * scale).round() / scale - round).abs() <= 1e-9 * round.abs()
        })
    };
    left > 0.0 && right > 0.0 && (rounds_to(left, right) || rounds_to(right, left))
}

fn is_close(left: f64, right: f64, tolerance: f64) -> bool {
    (left - right).abs() <= tolerance * left.abs().max(right.abs())
}

/// Share of neighbouring pairs of the claim's meaningful words that stand side by side in the sentence too.
fn pairs_held(claim: &Proposition<'_>, sentence: &Proposition<'_>) -> f32 {
    let stems = |read: &Proposition<'_>| -> Vec<u32> {
        read.content().filter_map(|word| word.stem).collect()
    };
    let (here, there) = (stems(claim), stems(sentence));
    if here.len() < 2 {
        return 0.0;
    }
    let held = here
        .windows(2)
        .filter(|pair| there.windows(2).any(|other| other == *pair))
        .count();
    held as f32 / (here.len() - 1) as f32
}

/// The longest run of the claim's meaningful words that the sentence has in this order, as a share of them.
fn longest_run(claim: &Proposition<'_>, sentence: &Proposition<'_>) -> f32 {
    let there: Vec<u32> = sentence.content().filter_map(|word| word.stem).collect();
    let mut row = vec![0_usize; there.len() + 1];
    let mut count = 0;
    for stem in claim.content().filter_map(|word| word.stem) {
        count += 1;
        let mut diagonal = 0;
        for (at, other) in there.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if *other == stem {
                diagonal + 1
            } else {
                above.max(row[at])
            };
            diagonal = above;
        }
    }
    if count == 0 {
        0.0
    } else {
        row[there.len()] as f32 / count as f32
    }
}

fn wholes_missing(claim: &Proposition<'_>, sentences: &[&Proposition<'_>]) -> f32 {
    let is_missing = |wanted: &str| {
        !sentences
            .iter()
            .flat_map(|sentence| &sentence.words)
            .any(|word| word.text.eq_ignore_ascii_case(wanted))
    };
    claim
        .words
        .iter()
        .filter(|word| is_whole(word.text) && is_missing(word.text))
        .count()
        .min(3) as f32
}

/// 1 where two names of the claim stand in the sentence the other way round, with one of the claim's verbs or nouns between
/// them in both.
fn order_turned(claim: &Proposition<'_>, sentence: &Proposition<'_>) -> f32 {
    let place = |read: &Proposition<'_>, stem: u32| {
        read.words.iter().position(|word| word.stem == Some(stem))
    };
    let names: Vec<u32> = claim
        .words
        .iter()
        .filter(|word| word.is_name)
        .filter_map(|word| word.stem)
        .collect();
    let (Some(first), Some(last)) = (names.first(), names.last()) else {
        return 0.0;
    };
    if first == last {
        return 0.0;
    }
    match (place(sentence, *first), place(sentence, *last)) {
        (Some(first), Some(last)) if last < first => 1.0,
        _ => 0.0,
    }
}

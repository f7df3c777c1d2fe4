//! The clustering features of a text: weighted terms and a sketch.
//!
//! A term is the hash of a stemmed word, of a pair of neighbouring words in the headline, or of an entity name. Its
//! weight is `ln(1 + count) × idf`, where a mention in the headline counts more than one in the body. The rarity
//! (`idf`) comes from a static background table, so the features of a text never depend on what else was read. The
//! heaviest terms are kept and scaled to a Euclidean length of one.
//!
//! Headlines that are used for different content every day ("Stock market today", "Morning brief") say nothing about
//! the story. Their words are left out and the features carry [`TEMPLATE`], which makes clustering more careful.

mod form;
pub(crate) mod names;
mod pattern;
mod rarity;
mod template;
pub(crate) mod term;

use model::{Article, EntityMention, Features};
use rustc_hash::FxHashMap;

use crate::annotate::mentions::Mentions;
use crate::readings::FORMS;
use crate::{embedding, sketch};

pub(crate) use form::is_opinion;
pub use template::is_template;
pub(crate) use term::first_term;
pub(crate) use term::{Term, is_name, is_number, is_pair, terms};
pub use term::{sign_terms, sign_terms_within, stem_hash, term_hash};

/// The reserved term that marks a headline made from a template. Its weight is zero.
pub const TEMPLATE: u32 = 0;
/// The reserved term that marks an article that reports no single event. Its weight is zero.
pub(crate) const ALONE: u32 = 1;

/// How many terms are kept.
const KEPT: usize = 64;
/// The weights of a mention in the headline, the teaser, the opening and the rest of the body.
const TITLE: f32 = 3.0;
const DESCRIPTION: f32 = 1.2;
const OPENING: f32 = 1.0;
const REST: f32 = 0.35;
/// How many words of the body form its opening, and how many are read in total.
const OPENING_WORDS: usize = 120;
const READ_WORDS: usize = 600;
/// How many terms of a headline are kept in order.
const HEADLINE: usize = 16;
/// Pairs and names repeat evidence that their words have already given.
const PAIR: f32 = 0.45;
const NAME: f32 = 0.5;

/// The features of an article, with a mark if it reports no single event. `forms` gives the probability of each form.
pub(crate) fn of_article(
    article: &Article,
    entities: &[EntityMention],
    mentions: &Mentions<'_>,
    forms: [f32; FORMS.len()],
) -> Features {
    let mut found = of_text(
        [&article.title, &article.description, &article.body],
        entities,
        mentions,
    );
    // 0 means that nothing is known about it.
    found.report = (forms[0] * f32::from(u8::MAX)).round().max(1.0) as u8;
    if form::stands_alone(article) {
        let at = found.terms.partition_point(|(term, _)| *term <= ALONE);
        found.terms.insert(at, (ALONE, 0.0));
    }
    found
}

/// Whether a term is a mark rather than a word.
pub(crate) fn is_mark(term: u32) -> bool {
    term <= ALONE
}

/// The features of a text.
pub fn features(
    title: &str,
    description: &str,
    body: &str,
    entities: &[EntityMention],
) -> Features {
    of_text(
        [title, description, body],
        entities,
        &Mentions::new(entities),
    )
}

fn of_text(
    [title, description, body]: [&str; 3],
    entities: &[EntityMention],
    mentions: &Mentions<'_>,
) -> Features {
    let mut weights: FxHashMap<u32, (f32, f32)> = FxHashMap::default();
    let mut count = |term: Term, amount: f32| {
        let slot = weights.entry(term.hash).or_insert((0.0, term.rarity));
        slot.0 += amount;
    };

    let (template, headline) = template::informative_part(title);
    let mut previous: Option<Term> = None;
    let mut in_headline: Vec<u32> = Vec::new();
    for term in terms(&headline) {
        count(term, TITLE);
        if in_headline.len() < HEADLINE {
            in_headline.push(term.hash);
        }
        if let Some(before) = previous {
            let hash = term::pair_hash(before.hash, term.hash);
            count(
                Term {
                    hash,
                    rarity: before.rarity.midpoint(term.rarity) * PAIR,
                },
                TITLE,
            );
        }
        previous = Some(term);
    }
    terms(description).for_each(|term| count(term, DESCRIPTION));
    for (position, term) in terms(body).take(READ_WORDS).enumerate() {
        count(
            term,
            if position < OPENING_WORDS {
                OPENING
            } else {
                REST
            },
        );
    }
    for entity in entities.iter().take(12) {
        let hash = term::name_hash(&entity.name);
        let amount = 1.0 + (entity.mentions as f32).min(8.0) * 0.25;
        // A name is as informative as its rarest word: a country is less informative than a village.
        let rarest = terms(&entity.name)
            .map(|term| term.rarity)
            .fold(0.0, f32::max);
        count(
            Term {
                hash,
                rarity: rarest * NAME,
            },
            amount,
        );
    }

    let mut terms: Vec<(u32, f32)> = weights
        .into_iter()
        .map(|(hash, (amount, rarity))| (hash, amount.ln_1p() * rarity))
        .collect();
    terms.sort_unstable_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
    terms.truncate(KEPT);
    let length = terms
        .iter()
        .map(|(_, weight)| weight * weight)
        .sum::<f32>()
        .sqrt();
    if length > 0.0 {
        for (_, weight) in &mut terms {
            *weight /= length;
        }
    }
    if template {
        terms.push((TEMPLATE, 0.0));
    }
    terms.sort_unstable_by_key(|(hash, _)| *hash);

    let text = if body.trim().is_empty() {
        [title, description].join("\n\n")
    } else {
        [title, body].join("\n\n")
    };
    let meaning = embedding::embed(&format!("{title}. {description}"));
    Features {
        terms,
        sketch: sketch::sketch(&text),
        headline: in_headline,
        pattern: pattern::of(title, entities),
        names: names::of(title, entities, mentions),
        meaning: if meaning.is_zero() {
            Vec::new()
        } else {
            meaning.to_bytes().to_vec()
        },
        report: 0,
    }
}

/// Cosine similarity of two term vectors, 0 to 1.
pub fn cosine(left: &Features, right: &Features) -> f64 {
    let (mut here, mut there) = (left.terms.iter().peekable(), right.terms.iter().peekable());
    let mut sum = 0.0_f64;
    while let (Some((term, weight)), Some((other, other_weight))) = (here.peek(), there.peek()) {
        match term.cmp(other) {
            std::cmp::Ordering::Less => drop(here.next()),
            std::cmp::Ordering::Greater => drop(there.next()),
            std::cmp::Ordering::Equal => {
                sum += f64::from(*weight) * f64::from(*other_weight);
                here.next();
                there.next();
            }
        }
    }
    sum.clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests;

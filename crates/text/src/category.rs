//! What a text is mainly about: weighted words, the headline counting most, with the hints of its source as a prior.

use std::sync::LazyLock;

use model::{Category, EntityMention};
use rustc_hash::FxHashMap;

use crate::annotate::lexed::{Lexed, extend, shape};
use crate::annotate::phrases::{PhraseTable, Spelling, rows};

/// Words of the body that are read; what stands later adds little.
const READ: usize = 600;
/// The same phrase counts at most this often.
const REPEATS: u8 = 3;

type Weights = [f32; Category::ALL.len()];

/// What one phrase says.
#[derive(Clone, Debug, Default)]
struct Keyword {
    categories: Vec<(u8, f32)>,
    /// Only where it is written in capitals: `AI`, but not the French `ai`.
    capitals: bool,
}

static KEYWORDS: LazyLock<PhraseTable<Keyword>> = LazyLock::new(|| {
    let mut table = PhraseTable::new(Spelling::AnyCase);
    for mut row in rows(include_str!("../data/category/keywords.tsv")) {
        let Some(category) = row.next().and_then(index) else { continue };
        let weight: f32 = row.next().and_then(|weight| weight.parse().ok()).unwrap_or(1.0);
        for phrase in row.next().unwrap_or("").split('|') {
            let (phrase, capitals) = phrase.strip_prefix('^').map_or((phrase, false), |phrase| (phrase, true));
            table.insert_with(phrase, Keyword { categories: vec![(category, weight)], capitals }, |present, more| {
                if !present.categories.iter().any(|(known, _)| *known == category) {
                    present.categories.extend(more.categories);
                }
            });
        }
    }
    table
});

static HINTS: LazyLock<FxHashMap<&'static str, Vec<(u8, f32)>>> = LazyLock::new(|| {
    let mut hints: FxHashMap<_, Vec<_>> = FxHashMap::default();
    for mut row in rows(include_str!("../data/category/hints.tsv")) {
        let (Some(hint), Some(category)) = (row.next(), row.next().and_then(index)) else { continue };
        let weight = row.next().and_then(|weight| weight.parse().ok()).unwrap_or(1.0);
        hints.entry(hint).or_default().push((category, weight));
    }
    hints
});

fn index(slug: &str) -> Option<u8> {
    Category::ALL.iter().position(|category| category.as_str() == slug).map(|at| at as u8)
}

/// The category of a text. `hints` are words such as `business` or `ai_tech` that came with it.
pub fn classify(title: &str, body: &str, hints: &[String]) -> Category {
    read(&Lexed::new(title, body), &[], hints).category
}

/// The category of a text, and the telling phrases that it uses.
#[derive(Debug)]
pub(crate) struct Subject<'a> {
    /// What it is mainly about.
    pub(crate) category: Category,
    /// Topic phrases of the text in that category, most telling first, each as the words that form it.
    pub(crate) topics: Vec<Topic<'a>>,
}

/// A phrase that tells the category.
#[derive(Debug)]
pub(crate) struct Topic<'a> {
    /// First and last word as written.
    pub(crate) words: Vec<&'a str>,
    /// How much it tells.
    pub(crate) weight: f32,
}

/// Reads what a text that was cut already is about.
pub(crate) fn read<'a>(lexed: &Lexed<'a>, entities: &[EntityMention], hints: &[String]) -> Subject<'a> {
    let mut scores: Weights = [0.0; Category::ALL.len()];
    for hint in hints {
        for &(category, weight) in HINTS.get(hint.trim().to_lowercase().as_str()).map_or(&[][..], Vec::as_slice) {
            scores[category as usize] += weight / (hints.len() as f32).sqrt();
        }
    }
    let title = lexed.title().len();
    let stop = lexed.tokens.len().min(title + READ);
    let mut seen: FxHashMap<u64, Seen<'_>> = FxHashMap::default();
    let body_scale = 1.0 / (1.0 + (stop - title) as f32 / 120.0).sqrt();
    let mut at = 0;
    while at < stop {
        let end = if at < title { title } else { stop };
        let Some((length, keyword)) = KEYWORDS.longest(&lexed.tokens[at..end.min(at + 8)]) else {
            at += 1;
            continue;
        };
        let words = &lexed.tokens[at..at + length];
        at += length;
        if keyword.capitals && !words[0].is(shape::ALL_CAPS) {
            continue;
        }
        let scale = if at <= title { 2.5 } else { body_scale * if at < title + 60 { 1.6 } else { 1.0 } };
        let key = words.iter().fold(0, |key, word| extend(key, word.lower));
        let entry = seen.entry(key).or_insert(Seen { times: 0, at, length, weight: 0.0, keyword });
        if entry.times < REPEATS {
            entry.times += 1;
            entry.weight += scale;
            for &(category, weight) in &keyword.categories {
                scores[category as usize] += weight * scale;
            }
        }
    }
    for entity in entities.iter().take(6) {
        let weight = if entity.role == model::EntityRole::Subject { 1.2 } else { 0.4 };
        match (entity.kind, &entity.ticker) {
            (model::EntityKind::Product, Some(_)) => add(&mut scores, Category::Crypto, weight),
            (model::EntityKind::Organization, Some(_)) => {
                add(&mut scores, Category::Business, weight * 0.6);
                add(&mut scores, Category::Markets, weight * 0.3);
            }
            (model::EntityKind::Location, _) => add(&mut scores, Category::World, weight * 0.3),
            _ => {}
        }
    }
    let mut best = Category::World as usize;
    for at in 0..scores.len() {
        if scores[at] > scores[best] {
            best = at;
        }
    }
    if scores[best] == 0.0 {
        best = Category::World as usize;
    }
    let mut topics: Vec<_> = seen
        .into_values()
        .filter_map(|seen| {
            let weight = seen.keyword.categories.iter().find(|(category, _)| *category as usize == best).map(|(_, weight)| *weight)?;
            let words = lexed.tokens[seen.at - seen.length..seen.at].iter().map(|token| token.text).collect();
            (weight >= 2.0).then(|| (seen.at, Topic { words, weight: weight * seen.weight + seen.length as f32 * 0.6 }))
        })
        .collect();
    topics.sort_by(|left, right| right.1.weight.total_cmp(&left.1.weight).then(left.0.cmp(&right.0)));
    Subject { category: Category::ALL[best], topics: topics.into_iter().map(|(_, topic)| topic).collect() }
}

#[derive(Debug)]
struct Seen<'t> {
    times: u8,
    /// Index after its last word.
    at: usize,
    length: usize,
    weight: f32,
    keyword: &'t Keyword,
}

fn add(scores: &mut Weights, category: Category, weight: f32) {
    scores[category as usize] += weight;
}

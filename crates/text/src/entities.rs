//! The people, organisations and other entities that a text names.
//!
//! Known names come from the data files next to this crate. Unknown ones are recognised by their context: a title
//! before them, a legal form after them, a given name, a symbol in brackets. Short forms count towards the long name in
//! the text. Headlines that capitalise every word yield only names that are known or that the body also contains.

use std::ops::Range;

use model::{EntityKind, EntityMention, EntityRole, Score};
use rustc_hash::FxHashMap;

use crate::annotate::lexed::{Lexed, Token, lex};
use crate::sentiment;

mod cues;
mod gazetteer;
pub mod naming;
mod scan;
pub mod tagger;
mod tongue;

pub use gazetteer::Distinctness;
use gazetteer::{GAZETTEER, Sort};
use scan::{Mention, Scan, Who};

/// More entities than this say nothing about a text.
const MOST: usize = 25;
/// Number of sentences from the beginning in which each name is assessed separately.
const READ_CLOSELY: usize = 8;

/// The entities of a text, most important first.
pub fn find(title: &str, body: &str) -> Vec<EntityMention> {
    let lexed = Lexed::new(title, body);
    let polarities = sentiment::polarities(&lexed);
    find_lexed(&lexed, &polarities)
}

/// Whether a word is ordinary English, so that a capital on it, as in headlines, carries no information.
pub fn is_common_word(word: &str) -> bool {
    cues::is_common(word)
}

/// A stretch of a text that names something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Whether it is in the headline. Its bytes are then counted in the headline, otherwise in the body.
    pub in_title: bool,
    /// Bytes of the name as written, without its title and possessive ending.
    pub bytes: Range<usize>,
    /// Canonical name.
    pub name: String,
    /// What kind of thing it is.
    pub kind: EntityKind,
    /// Symbol of listed companies and coins.
    pub ticker: Option<String>,
}

/// All names in a text with their positions, headline first. The spans are in order and do not overlap.
pub fn spans(title: &str, body: &str) -> Vec<Span> {
    let lexed = Lexed::new(title, body);
    let scan = Scan::new(&lexed);
    scan.mentions
        .iter()
        .map(|mention| {
            let in_title = mention.sentence == 0;
            let (name, kind, ticker, _) = describe(&scan, mention.who);
            Span {
                in_title,
                bytes: lexed.bytes(
                    if in_title { title } else { body },
                    mention.from,
                    mention.to,
                ),
                name: name.to_owned(),
                kind,
                ticker: ticker.map(str::to_owned),
            }
        })
        .collect()
}

/// The name that people use for an entity, for topic words: `Apple` for `Apple Inc.`.
pub(crate) fn short_name(entity: &EntityMention) -> &str {
    GAZETTEER
        .by_name(&entity.name)
        .map_or(entity.name.as_str(), |known| known.short)
}

/// The canonical name of the known entity that these words as a whole name.
pub(crate) fn canonical_name(words: &[Token<'_>]) -> Option<&'static str> {
    GAZETTEER.whole(words).map(|known| known.name)
}

/// The canonical name of the known entity that a text as a whole names: `Tesla, Inc.` for `Tesla`.
pub fn canonical(text: &str) -> Option<&'static str> {
    let mut words = Vec::new();
    lex(text, &mut words);
    canonical_name(&words)
}

/// The kind and symbol of the known entity that a text as a whole names, whatever its context.
pub fn listed(text: &str) -> Option<(EntityKind, Option<&'static str>)> {
    let mut words = Vec::new();
    lex(text, &mut words);
    GAZETTEER
        .whole(&words)
        .map(|known| (known.kind, known.ticker))
}

/// Whether a text as a whole is the name of a company, listed or not, and of nothing else.
pub fn is_company(text: &str) -> bool {
    let mut words = Vec::new();
    lex(text, &mut words);
    GAZETTEER.whole(&words).is_some() && GAZETTEER.is_company(&words)
}

/// The symbol of the company or coin that a text as a whole names, and whether the name alone identifies it.
pub fn traded(text: &str) -> Option<(&'static str, Distinctness)> {
    let mut words = Vec::new();
    lex(text, &mut words);
    GAZETTEER.traded(&words)
}

/// Unambiguous names of one word, with the symbols of the companies and coins that they name.
pub fn single_names() -> impl Iterator<Item = (&'static str, &'static str)> {
    GAZETTEER.single_names()
}

/// The usual spelling of a known one-word name that has capitals inside: `OpenAI` for `openai`.
pub fn spelling(lower: &str) -> Option<&'static str> {
    GAZETTEER.spelling(lower)
}

/// Whether a word is normally written in lower case, so that a capital on it carries no information.
pub(crate) fn is_common(word: &Token<'_>) -> bool {
    cues::of(word) & cues::cue::COMMON != 0
}

/// Whether this is the canonical name of something in the tables.
pub(crate) fn is_known(name: &str) -> bool {
    GAZETTEER.by_name(name).is_some()
}

/// Whether this is the name of a news outlet or agency.
pub(crate) fn is_media(name: &str) -> bool {
    GAZETTEER
        .by_name(name)
        .is_some_and(|known| known.sort == Sort::Media)
}

#[derive(Debug, Default)]
struct Tally {
    mentions: u32,
    attributions: u32,
    in_title: bool,
    first: u32,
    polarity: f64,
    weight: f64,
}

/// The entities of a text that is already split into words. `polarities` contains the polarity of each sentence, on a
/// scale of -1 to 1.
pub(crate) fn find_lexed(lexed: &Lexed<'_>, polarities: &[f32]) -> Vec<EntityMention> {
    let scan = Scan::new(lexed);
    let mut tallies: FxHashMap<Who, Tally> = FxHashMap::default();
    for mention in scan.mentions.iter().filter(|mention| !mention.gloss) {
        let tally = tallies.entry(mention.who).or_insert_with(|| Tally {
            first: u32::MAX,
            ..Tally::default()
        });
        tally.mentions += 1;
        tally.attributions += u32::from(mention.attribution);
        tally.in_title |= mention.sentence == 0;
        tally.first = tally.first.min(mention.sentence);
        let weight = if mention.sentence == 0 { 1.5 } else { 1.0 };
        tally.polarity += weight * f64::from(polarity_towards(lexed, mention, polarities));
        tally.weight += weight;
    }
    let headline_only = lexed.body().is_empty();
    let mut ranked: Vec<(f64, Who, Tally)> = tallies
        .into_iter()
        .filter(|(_, tally)| tally.attributions < tally.mentions)
        .map(|(who, tally)| (importance(&scan, who, &tally), who, tally))
        .collect();
    ranked.sort_by(|left, right| {
        right
            .0
            .total_cmp(&left.0)
            .then(left.2.first.cmp(&right.2.first))
            .then(left.1.cmp(&right.1))
    });
    ranked.truncate(MOST);
    let most = ranked
        .iter()
        .map(|(_, _, tally)| tally.mentions)
        .max()
        .unwrap_or(0);
    ranked
        .into_iter()
        .map(|(_, who, tally)| {
            let (name, kind, ticker, sort) = describe(&scan, who);
            let source = sort == Sort::Media && !tally.in_title;
            let role = if tally.in_title && (!headline_only || sort != Sort::Media)
                || tally.mentions == most && most >= 3 && !source
            {
                EntityRole::Subject
            } else if (tally.mentions >= 2 || tally.first <= 3) && !source {
                EntityRole::Related
            } else {
                EntityRole::Mentioned
            };
            EntityMention {
                name: name.to_owned(),
                kind,
                ticker: ticker.map(str::to_owned),
                role,
                mentions: tally.mentions,
                sentiment: Score::clamped(0.5 + 0.5 * tally.polarity / tally.weight.max(1.0)),
            }
        })
        .collect()
}

/// What the sentence containing a mention says about it. Late in a long text the polarity of the sentence is good
/// enough.
fn polarity_towards(lexed: &Lexed<'_>, mention: &Mention, polarities: &[f32]) -> f32 {
    let at = mention.sentence as usize;
    let polarity = polarities.get(at).copied().unwrap_or(0.0);
    let Some(sentence) = lexed.sentences.get(at).filter(|_| at <= READ_CLOSELY) else {
        return polarity;
    };
    let words = lexed.words(sentence);
    let (from, to) = (mention.from - sentence.start, mention.to - sentence.start);
    if at == 0 {
        sentiment::toward::polarity(words, from, to).unwrap_or(polarity)
    } else {
        // Sentences in a body are longer and calmer than the headlines that the weights were fitted on.
        sentiment::toward::polarity(words, from, to)
            .map_or(polarity, |towards| f32::midpoint(towards, polarity))
    }
}

fn describe<'s>(scan: &'s Scan<'_, '_>, who: Who) -> (&'s str, EntityKind, Option<&'s str>, Sort) {
    match who {
        Who::Known(index) => {
            let known = &GAZETTEER.known[index as usize];
            (known.name, known.kind, known.ticker, known.sort)
        }
        Who::Found(index) => {
            let found = &scan.found[index as usize];
            (found.name.as_ref(), found.kind, found.ticker, Sort::Other)
        }
    }
}

fn importance(scan: &Scan<'_, '_>, who: Who, tally: &Tally) -> f64 {
    let (_, kind, ticker, sort) = describe(scan, who);
    let place = if tally.in_title { 4.0 } else { 0.0 } + if tally.first <= 2 { 1.5 } else { 0.0 };
    let kind = match (kind, sort) {
        (_, Sort::Media) if !tally.in_title => 0.3,
        (EntityKind::Location, _) => 0.7,
        (EntityKind::Event | EntityKind::Product, _) => 0.9,
        _ => 1.0,
    };
    let listed = if ticker.is_some() { 1.1 } else { 1.0 };
    (f64::from(tally.mentions).min(12.0) + place) * kind * listed
}

#[cfg(test)]
mod tests;

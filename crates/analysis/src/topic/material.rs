//! Gathering the briefs of a topic.

use std::collections::HashMap;

use model::{Brief, Timestamp, TrustLevel};
use search::{Depth, Filters, Index, SearchRequest, Sort};
use store::{BriefQuery, Store, StoredBrief};
use text::embedding::Embedding;

use super::{TopicQuery, subject};
use crate::sentences::{Sentence, quotable, quoted, sentence_case};
use crate::terms::{coverage, terms};
use crate::{Result, light};

/// The briefs that are requested: the best matches, and those that most outlets report; and the briefs that are read.
const ASKED: [(Sort, usize); 2] = [(Sort::Relevance, 80), (Sort::MostSources, 60)];
const READ: usize = 40;
/// The number of sentences that are weighed against each other.
const WEIGHED: usize = 160;
/// A brief whose relevance is below this fraction of the best one's is left out.
const NEIGHBOUR: f64 = 0.5;
/// A brief must contain this share of the topic's words to name it.
const ABOUT: f64 = 0.74;
/// A sentence below a headline that names the topic names it with this share of its words too: `rates` for
/// `interest rates`.
const NAMED: f64 = 0.5;
/// The minimum for an analysis: briefs about the topic, outlets, and sentences that deal with it.
pub(super) const LEAST_BRIEFS: usize = 3;
const LEAST_OUTLETS: usize = 2;
const LEAST_SENTENCES: usize = 3;
/// The language of the words around quotations.
const FRAME: &str = "en";

/// A brief about the topic.
#[derive(Clone, Debug)]
pub(super) struct Relevant {
    pub(super) stored: StoredBrief,
    /// How much it is about the topic, 0 to 1.
    pub(super) relevance: f64,
    /// How much the brief is about the topic rather than merely naming it, 0 to 1.
    pub(super) focus: f64,
    /// Whether its headline names the topic.
    pub(super) titled: bool,
    /// Names in it that contain a word of the topic but do not mean the topic.
    pub(super) others: Vec<String>,
    /// The meaning of what it says apart from the topic's own words.
    pub(super) meaning: Embedding,
    /// Sentiment towards the topic if the topic is one of its entities, otherwise of the whole brief; 0.5 is neutral.
    pub(super) sentiment: f64,
}

impl Relevant {
    /// Its headline, to be quoted inside a sentence.
    pub(super) fn headline(&self) -> String {
        headline(&self.stored.brief)
    }

    /// How much it says about the topic, and how many independent sources say it.
    pub(super) fn importance(&self) -> f64 {
        let brief = &self.stored.brief;
        self.relevance
            * (0.5 + 0.5 * brief.confidence.score.get())
            * (1.0 + f64::from(brief.source_count.max(1)).ln())
    }
}

/// A headline, to be quoted inside a sentence.
pub(super) fn headline(brief: &Brief) -> String {
    let names = brief.entities.iter().map(|entity| entity.name.as_str());
    quoted(&sentence_case(&brief.headline, names))
}

/// Everything that an answer about a topic is made from.
#[derive(Debug)]
pub(super) struct Material {
    pub(super) topic: String,
    /// The stems of the topic's words.
    pub(super) words: Vec<u32>,
    pub(super) start: Timestamp,
    pub(super) end: Timestamp,
    /// The most important first.
    pub(super) briefs: Vec<Relevant>,
    /// The language of the answer.
    pub(super) language: String,
    /// What can be quoted, in that language.
    pub(super) sentences: Vec<Sentence>,
    /// If there are no briefs: when the newest brief about the topic was published, whenever that was.
    pub(super) newest_available: Option<Timestamp>,
    /// How many briefs in the period name the topic, including those that are not about it.
    pub(super) named: usize,
    /// Why there is too little for an analysis; `None` if there is enough, and if no brief names the topic at all.
    pub(super) too_little: Option<String>,
}

impl Material {
    pub(super) async fn gather(store: &Store, index: &Index, query: &TopicQuery) -> Result<Self> {
        let topic = query.topic.trim().to_owned();
        let words = terms(&topic);
        let start = query.end.plus_ms(-query.period.days() * Timestamp::DAY_MS);
        let mut briefs = find(store, index, query, &words, Some(start)).await?;
        let newest_named = briefs
            .iter()
            .map(|relevant| relevant.stored.brief.published_at)
            .max();
        let best = briefs
            .iter()
            .map(|brief| brief.relevance)
            .fold(0.0, f64::max);
        let least = NEIGHBOUR * best;
        briefs.retain(|brief| brief.relevance >= least);
        let named = briefs.len();
        subject::keep(&mut briefs, &topic, &words);
        briefs.truncate(READ);
        let newest_available = match (briefs.is_empty(), newest_named) {
            (false, _) => None,
            (true, None) => newest(store, index, query, &words).await?,
            (true, named) => named,
        };
        let language = language(&briefs, &topic, LEAST_BRIEFS);
        let sentences = quotable(
            briefs
                .iter()
                .enumerate()
                .filter(|(_, relevant)| relevant.stored.brief.language == language)
                .map(|(place, relevant)| (place, &relevant.stored)),
        );
        let mut material = Self {
            topic,
            words,
            start,
            end: query.end,
            briefs,
            language,
            sentences,
            newest_available,
            named,
            too_little: None,
        };
        let mut rated: Vec<(f64, Sentence)> = std::mem::take(&mut material.sentences)
            .into_iter()
            .map(|sentence| (material.weight(&sentence), sentence))
            .collect();
        rated.sort_by(|left, right| right.0.total_cmp(&left.0));
        rated.truncate(WEIGHED);
        material.sentences = rated.into_iter().map(|(_, sentence)| sentence).collect();
        material.too_little = material.scarcity();
        Ok(material)
    }

    /// Whether a sentence names the topic.
    pub(super) fn names(&self, sentence: &Sentence) -> bool {
        let named = self.naming(sentence);
        named >= ABOUT || named >= NAMED && self.briefs[sentence.brief].titled
    }

    /// The share of the topic's words that a sentence contains.
    pub(super) fn naming(&self, sentence: &Sentence) -> f64 {
        let others = &self.briefs[sentence.brief].others;
        if others.is_empty() {
            return coverage(&self.words, &sentence.terms);
        }
        coverage(
            &self.words,
            &terms(&subject::without(&sentence.text, others)),
        )
    }

    /// Whether a sentence deals with the topic: it names it, or it opens a brief whose headline does.
    pub(super) fn speaks_of(&self, sentence: &Sentence) -> bool {
        sentence.leads && self.briefs[sentence.brief].titled || self.names(sentence)
    }

    fn scarcity(&self) -> Option<String> {
        let (about, outlets) = (self.briefs.len(), self.outlets().len());
        let sentences = self
            .sentences
            .iter()
            .filter(|sentence| self.speaks_of(sentence))
            .count();
        let is_enough =
            about >= LEAST_BRIEFS && outlets >= LEAST_OUTLETS && sentences >= LEAST_SENTENCES;
        if self.named == 0 || is_enough {
            return None;
        }
        let found = match (self.named, about) {
            (1, 1) => "one brief is about it".to_owned(),
            (1, _) => "the only brief that names it is about something else".to_owned(),
            (named, 0) => format!("{named} briefs name it, and none is about it"),
            (named, about) => format!(
                "of {named} briefs that name it, {about} {} about it",
                if about == 1 { "is" } else { "are" }
            ),
        };
        let supported = match about {
            0 => String::new(),
            _ => format!(
                ", with {} of {}",
                counted(sentences, "sentence"),
                counted(outlets, "outlet")
            ),
        };
        Some(format!(
            "Too little is known of {} from {} to {}: {found}{supported}.",
            quoted(&self.topic),
            self.start.date(),
            self.end.date(),
        ))
    }

    /// The `Outlet` of a sentence.
    pub(super) fn outlet(&self, sentence: &Sentence) -> &str {
        let sources = &self.briefs[sentence.brief].stored.brief.sources;
        sources
            .get(sentence.source)
            .or(sources.first())
            .map_or("One source", |source| source.name.as_str())
    }

    /// How much a sentence says about the topic, 0 to about 2: the topic's words, the rank of its brief, figures.
    pub(super) fn weight(&self, sentence: &Sentence) -> f64 {
        let brief = &self.briefs[sentence.brief];
        let named = coverage(&self.words, &sentence.terms);
        let figures = sentence
            .text
            .chars()
            .any(|character| character.is_ascii_digit());
        brief.relevance * (0.4 + named)
            + 0.15 * brief.stored.brief.confidence.score.get()
            + if figures { 0.1 } else { 0.0 }
            + if sentence.leads { 0.2 } else { 0.0 }
    }

    /// The registrable domains of the reporting outlets, without copies, and their trust.
    pub(super) fn outlets(&self) -> HashMap<&str, TrustLevel> {
        self.briefs
            .iter()
            .flat_map(|relevant| &relevant.stored.brief.sources)
            .filter(|source| source.copy_of.is_none())
            .map(|source| (source.domain.as_str(), source.trust_level))
            .collect()
    }
}

/// `1 report`, `2 reports`.
pub(super) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// How many briefs contain the topic's words in the first and the second half of the period, as far as stored news
/// goes back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Halves {
    pub(super) early: u64,
    pub(super) late: u64,
    /// When the stored news begins, if that is well within the period.
    pub(super) since: Option<Timestamp>,
    /// Whether that leaves too little of the period to show a trend.
    pub(super) is_short: bool,
}

impl Halves {
    pub(super) async fn of(store: &Store, index: &Index, query: &TopicQuery) -> Result<Self> {
        let length = query.period.days() * Timestamp::DAY_MS;
        let asked = query.end.plus_ms(-length);
        let briefs = store.briefs();
        let first = briefs
            .first_published(asked, query.end, query.as_of)
            .await?;
        // In a full period, the first report comes within the first tenth.
        let since = first.filter(|first| first.since_ms(asked) > length / 10);
        let start = since.unwrap_or(asked);
        let held = query.end.since_ms(start);
        let middle = start.plus_ms(held / 2);
        let (early, late) = (
            request(query, Some(start), middle, 0),
            request(query, Some(middle), query.end.plus_ms(1), 0),
        );
        let searched = index.clone();
        light(move || {
            Ok(Self {
                early: searched.search(&early)?.total,
                late: searched.search(&late)?.total,
                since,
                is_short: held < length / 4,
            })
        })
        .await?
    }
}

/// The search for briefs that contain the topic's words.
fn request(
    query: &TopicQuery,
    from: Option<Timestamp>,
    to: Timestamp,
    limit: usize,
) -> SearchRequest {
    SearchRequest {
        query: plain(&query.topic),
        depth: Depth::Fast,
        sort: Sort::Relevance,
        filters: Filters {
            categories: query.categories.clone(),
            from,
            to: Some(to),
            ..Filters::default()
        },
        offset: 0,
        limit,
        as_of: query.as_of,
    }
}

/// The briefs that name the topic, most important first.
pub(super) async fn find(
    store: &Store,
    index: &Index,
    query: &TopicQuery,
    words: &[u32],
    start: Option<Timestamp>,
) -> Result<Vec<Relevant>> {
    if words.is_empty() {
        return Ok(Vec::new());
    }
    let requests = ASKED.map(|(sort, limit)| SearchRequest {
        sort,
        // The period includes its end.
        ..request(query, start, query.end.plus_ms(1), limit)
    });
    let searched = index.clone();
    let hits = light(move || {
        let mut hits = Vec::new();
        for request in &requests {
            hits.extend(searched.search(request)?.hits);
        }
        Ok::<_, search::Error>(hits)
    })
    .await??;
    let mut named: Vec<_> = hits
        .iter()
        .map(|hit| (hit.brief_id, hit.revision))
        .collect();
    named.sort_unstable();
    named.dedup();
    let best = hits.iter().map(|hit| hit.score).fold(0.0, f64::max);
    let scores: HashMap<_, _> = hits
        .iter()
        .map(|hit| {
            (
                hit.brief_id,
                if best > 0.0 { hit.score / best } else { 0.0 },
            )
        })
        .collect();
    let mut briefs: Vec<Relevant> = store
        .briefs()
        .load(&named)
        .await?
        .into_iter()
        .filter_map(|stored| {
            let score = scores.get(&stored.brief.id).copied().unwrap_or(0.0);
            relevant(stored, words, score)
        })
        .collect();
    briefs.sort_by(|left, right| {
        right
            .importance()
            .total_cmp(&left.importance())
            .then(left.stored.brief.id.cmp(&right.stored.brief.id))
    });
    Ok(briefs)
}

/// The topic as plain words: what readers type as a topic is not a query language.
fn plain(topic: &str) -> String {
    text::token::words(topic)
        .filter(|word| !matches!(*word, "AND" | "OR" | "NOT"))
        .collect::<Vec<_>>()
        .join(" ")
}

/// A brief that names the topic, and how strongly.
fn relevant(stored: StoredBrief, words: &[u32], score: f64) -> Option<Relevant> {
    let brief = &stored.brief;
    let headline = terms(&brief.headline);
    let names: Vec<&str> = brief
        .entities
        .iter()
        .map(|entity| entity.name.as_str())
        .collect();
    let mut tickers: Vec<&str> = brief
        .entities
        .iter()
        .filter_map(|entity| entity.ticker.as_deref())
        .collect();
    tickers.dedup();
    let about = terms(&format!(
        "{} {} {} {} {}",
        brief.headline,
        brief.summary,
        names.join(" "),
        tickers.join(" "),
        brief.tags.join(" "),
    ));
    let held = coverage(words, &about);
    if held < ABOUT {
        return None;
    }
    let relevance = 0.45 * coverage(words, &headline) + 0.25 * held + 0.3 * score;
    let entity = brief.entities.iter().find(|entity| {
        let named = terms(&entity.name);
        !named.is_empty() && (coverage(words, &named) >= 1.0 || coverage(&named, words) >= 1.0)
    });
    let sentiment = entity
        .map_or(brief.sentiment, |entity| entity.sentiment)
        .get();
    let others = subject::others(brief, words);
    let focus = subject::focus(brief, words, &others);
    let titled = subject::is_titled(brief, words, &others);
    Some(Relevant {
        stored,
        relevance: relevance.clamp(0.0, 1.0),
        focus,
        titled,
        others,
        meaning: Embedding::ZERO,
        sentiment,
    })
}

/// When the topic was last in the news before the period; if it never was, when the stored news ends.
async fn newest(
    store: &Store,
    index: &Index,
    query: &TopicQuery,
    words: &[u32],
) -> Result<Option<Timestamp>> {
    let earlier = find(store, index, query, words, None).await?;
    if let Some(at) = earlier
        .iter()
        .map(|relevant| relevant.stored.brief.published_at)
        .max()
    {
        return Ok(Some(at));
    }
    let any = BriefQuery {
        categories: query.categories.clone(),
        limit: 1,
        as_of: query.as_of,
        ..BriefQuery::default()
    };
    let page = store.briefs().list(&any).await?;
    Ok(page.briefs.first().map(|stored| stored.brief.published_at))
}

/// The language in which a topic is answered. First choice is the language of the question, then English, the language
/// of the words around the quotations, if there are at least this many briefs in it; otherwise the language of most
/// briefs, by relevance.
pub(super) fn language(briefs: &[Relevant], topic: &str, least: usize) -> String {
    let mut weights: Vec<(&str, f64, usize)> = Vec::new();
    for relevant in briefs {
        let language = relevant.stored.brief.language.as_str();
        match weights.iter_mut().find(|(other, ..)| *other == language) {
            Some((_, weight, count)) => {
                *weight += relevant.relevance;
                *count += 1;
            }
            None => weights.push((language, relevant.relevance, 1)),
        }
    }
    answered_in(&weights, text::language::detect(topic), least).to_owned()
}

/// The language of an answer, given the weight and number of briefs in each language and the language of the question.
fn answered_in<'l>(briefs: &[(&'l str, f64, usize)], asked: &'l str, least: usize) -> &'l str {
    let is_enough = |wanted: &&str| {
        briefs
            .iter()
            .any(|(language, _, count)| language == wanted && *count >= least)
    };
    let most = briefs
        .iter()
        .copied()
        .reduce(|best, other| if other.1 > best.1 { other } else { best });
    [asked, FRAME]
        .into_iter()
        .find(is_enough)
        .or(most.map(|(language, ..)| language))
        .unwrap_or(FRAME)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_in_the_language_of_its_question() {
        for (briefs, asked, expected) in [
            (&[("fr", 9.0, 12), ("en", 2.0, 3)][..], "und", "en"),
            (&[("fr", 9.0, 12), ("en", 2.0, 3)], "fr", "fr"),
            (&[("fr", 2.0, 3), ("en", 9.0, 12)], "fr", "fr"),
            // If too few briefs are in it, the others are better than none.
            (&[("fr", 9.0, 12), ("en", 1.0, 2)], "en", "fr"),
            (&[("fr", 1.0, 2), ("en", 2.0, 2)], "de", "en"),
            (&[], "fr", "en"),
        ] {
            assert_eq!(
                answered_in(briefs, asked, 3),
                expected,
                "{briefs:?} {asked}"
            );
        }
    }
}

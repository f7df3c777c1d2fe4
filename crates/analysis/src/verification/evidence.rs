//! The passages that may decide a claim.

use std::collections::HashMap;

use model::{Timestamp, TrustLevel};
use search::{Depth, Filters, Index, SearchRequest, Sort};
use serde::{Deserialize, Serialize};
use store::{Store, StoredArticle, StoredBrief};
use text::statement::proposition::Proposition;
use text::token;

use super::ClaimQuery;
use super::answer::{BriefAbout, SourceKind};
use super::sentences::Words;
use crate::{Result, light};

/// The briefs that are considered, and those whose articles are read in full.
const BRIEFS: usize = 24;
const READ: usize = 10;
/// The number of words in a claim that are searched for: the rarest ones.
const SEARCHED: usize = 14;
/// The number of sentences in an article that are read, and of those, the number that are compared with the claim.
const SENTENCES: usize = 120;
pub(super) const OF_ARTICLE: usize = 3;
/// A further sentence from an article must add at least this share of the claim's words.
const BRINGS: f32 = 0.04;
/// The maximum number of passages compared in total.
pub(super) const MOST: usize = 32;
/// A passage covers at least this share of the claim's words, weighted by rarity.
pub(super) const LEAST: f32 = 0.3;

/// A passage from one source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Passage {
    /// What kind of source it is.
    pub kind: SourceKind,
    /// Outlet, document or series.
    pub name: String,
    /// Where it can be read.
    pub url: Option<String>,
    /// The independent source it comes from: copies of one text share it.
    pub origin: String,
    /// How far the outlet is trusted.
    pub trust: TrustLevel,
    /// When it was published.
    pub published_at: Option<Timestamp>,
    /// The brief it belongs to.
    pub brief: Option<BriefAbout>,
    /// The headline or title above it; empty if there is none.
    pub title: String,
    /// The sentences that deal with the claim, in their order.
    pub text: String,
}

impl Passage {
    /// What is quoted from it next to a claim: its sentences, preceded by the headline if that has words of the claim,
    /// or figures, that the sentences lack.
    pub(super) fn quote(&self, words: &Words) -> String {
        let (title, text) = (self.title.trim_end(), self.text.as_str());
        if title.is_empty() || text.is_empty() {
            return format!("{title}{text}");
        }
        let is_headed = matches!(self.kind, SourceKind::Corpus | SourceKind::Live)
            && (words.share(&[title, text]) >= words.share(&[text]) + BRINGS
                || has_further_figures(title, text));
        if !is_headed {
            return text.to_owned();
        }
        let is_ended = title
            .trim_end_matches(['"', '”', '’', ')'])
            .ends_with(['.', '!', '?', '…']);
        format!("{title}{} {text}", if is_ended { "" } else { "." })
    }
}

/// Whether a headline contains a figure that is missing from the text below it.
fn has_further_figures(title: &str, text: &str) -> bool {
    let figures = |of| {
        token::words(of).filter(|word: &&str| word.contains(|sign: char| sign.is_ascii_digit()))
    };
    figures(title).any(|figure| figures(text).all(|other| other != figure))
}

/// The passages from stored articles that share most with a claim, best first.
///
/// A description that the claim adds about somebody is searched for separately, because its words would crowd out
/// those of the claim.
pub async fn gather(store: &Store, index: &Index, query: &ClaimQuery) -> Result<Vec<Passage>> {
    let Some(apposition) = query.claim.apposition() else {
        return gather_for(store, index, query).await;
    };
    let mut passages = Vec::new();
    for claim in [apposition.told, apposition.described] {
        let query = ClaimQuery {
            claim,
            ..query.clone()
        };
        for passage in gather_for(store, index, &query).await? {
            if !passages.contains(&passage) {
                passages.push(passage);
            }
        }
    }
    Ok(passages)
}

async fn gather_for(store: &Store, index: &Index, query: &ClaimQuery) -> Result<Vec<Passage>> {
    let briefs = find(store, index, query).await?;
    let mut read = Vec::with_capacity(briefs.len());
    for (place, (brief, relevance)) in briefs.into_iter().enumerate() {
        let articles = if place < READ {
            store
                .briefs()
                .articles_of(brief.brief.id, query.as_of)
                .await?
        } else {
            Vec::new()
        };
        read.push((brief, relevance, articles));
    }
    let claim = query.claim.text.clone();
    light(move || choose(&claim, &read)).await
}

/// The briefs found by a search for the claim's rarest words, with their relevance, 0 to 1.
async fn find(store: &Store, index: &Index, query: &ClaimQuery) -> Result<Vec<(StoredBrief, f64)>> {
    let request = SearchRequest {
        query: searched(&query.claim.text),
        depth: Depth::Standard,
        sort: Sort::Relevance,
        filters: Filters {
            categories: query.categories.clone(),
            ..Filters::default()
        },
        offset: 0,
        limit: BRIEFS,
        as_of: query.as_of,
    };
    if request.query.is_empty() {
        return Ok(Vec::new());
    }
    let searched = index.clone();
    let hits = light(move || searched.search(&request)).await??.hits;
    let best = hits.iter().map(|hit| hit.score).fold(0.0, f64::max);
    let named: Vec<_> = hits
        .iter()
        .map(|hit| (hit.brief_id, hit.revision))
        .collect();
    let relevance: HashMap<_, _> = hits
        .iter()
        .map(|hit| {
            (
                hit.brief_id,
                if best > 0.0 { hit.score / best } else { 0.0 },
            )
        })
        .collect();
    let briefs = store.briefs().load(&named).await?;
    Ok(briefs
        .into_iter()
        .map(|stored| {
            let relevance = relevance.get(&stored.brief.id).copied().unwrap_or(0.0);
            (stored, relevance)
        })
        .collect())
}

/// The rarest words of a claim as a query: words only, so that nothing in a claim acts as an operator.
fn searched(claim: &str) -> String {
    let proposition = Proposition::parse(claim);
    let mut words: Vec<(f32, usize, &str)> = proposition
        .words
        .iter()
        .enumerate()
        .filter(|(_, word)| word.stem.is_some())
        .map(|(at, word)| (word.rarity, at, word.text))
        .collect();
    words.sort_by(|left, right| right.0.total_cmp(&left.0));
    words.truncate(SEARCHED);
    words.sort_by_key(|(_, at, _)| *at);
    words
        .iter()
        .flat_map(|(.., word)| token::words(word))
        .filter(|word| !matches!(*word, "AND" | "OR" | "NOT"))
        .collect::<Vec<_>>()
        .join(" ")
}

/// What a search found, ready to be cut into passages.
type Read = (StoredBrief, f64, Vec<StoredArticle>);

fn choose(claim: &str, read: &[Read]) -> Vec<Passage> {
    let words = Words::of(claim);
    let mut rated: Vec<(f32, Passage)> = Vec::new();
    for (brief, relevance, articles) in read {
        let about = BriefAbout::new(&brief.brief, *relevance);
        if articles.is_empty() {
            rated.extend(of_sources(&words, brief, &about));
        }
        for stored in articles {
            rated.extend(of_article(&words, brief, stored, &about));
        }
    }
    rated.sort_by(|left, right| right.0.total_cmp(&left.0));
    rated.truncate(MOST);
    rated.into_iter().map(|(_, passage)| passage).collect()
}

/// What an article says about the claim.
fn of_article(
    words: &Words,
    brief: &StoredBrief,
    stored: &StoredArticle,
    about: &BriefAbout,
) -> Vec<(f32, Passage)> {
    let article = &stored.article;
    let source = brief
        .brief
        .sources
        .iter()
        .find(|source| source.article_id == article.id);
    let whole = format!("{}\n\n{}", article.description, article.body);
    let mut sentences: Vec<&str> = text::sentence::split(&whole);
    sentences.truncate(SENTENCES);
    let passage = |text: &str| Passage {
        kind: SourceKind::Corpus,
        name: article.outlet.clone(),
        url: Some(article.link().to_owned()),
        origin: origin(brief, source, &article.domain),
        trust: source.map_or(TrustLevel::Unknown, |source| source.trust_level),
        published_at: Some(article.published_at),
        brief: Some(about.clone()),
        title: article.title.clone(),
        text: text.to_owned(),
    };
    let (share, chosen) = best_of(words, &article.title, &sentences);
    (share >= LEAST)
        .then(|| (share, passage(&chosen.join(" "))))
        .into_iter()
        .collect()
}

/// The few sentences that, together with the headline above them, cover most of a claim's words, in their order.
pub fn nearest_sentences<'a>(claim: &str, title: &str, sentences: &[&'a str]) -> Vec<&'a str> {
    best_of(&Words::of(claim), title, sentences).1
}

/// The sentences that, together with the headline, cover most of the claim's words, in their order, and the share they
/// cover.
fn best_of<'a>(words: &Words, title: &str, sentences: &[&'a str]) -> (f32, Vec<&'a str>) {
    let mut chosen: Vec<usize> = Vec::new();
    let mut share = words.share(&[title]);
    while chosen.len() < OF_ARTICLE {
        let best = (0..sentences.len())
            .filter(|at| !chosen.contains(at))
            .map(|at| {
                let mut texts = vec![title];
                texts.extend(chosen.iter().map(|at| sentences[*at]));
                texts.push(sentences[at]);
                (words.share(&texts), at)
            })
            .reduce(|best, other| if other.0 > best.0 { other } else { best });
        match best {
            Some((with, at)) if with >= share + BRINGS => {
                share = with;
                chosen.push(at);
            }
            _ => break,
        }
    }
    // A headline alone says little, so the sentence closest to the claim goes below it.
    if chosen.is_empty() {
        let alone = |at: &usize| words.share(&[sentences[*at]]);
        chosen.extend((0..sentences.len()).reduce(|best, other| {
            if alone(&other) > alone(&best) {
                other
            } else {
                best
            }
        }));
    }
    chosen.sort_unstable();
    (share, chosen.into_iter().map(|at| sentences[at]).collect())
}

/// The source headlines of a brief whose articles are not read.
fn of_sources(words: &Words, brief: &StoredBrief, about: &BriefAbout) -> Vec<(f32, Passage)> {
    brief
        .brief
        .sources
        .iter()
        .map(|source| (words.share(&[&source.title]), source))
        .filter(|(share, _)| *share >= LEAST)
        .map(|(share, source)| {
            let passage = Passage {
                kind: SourceKind::Corpus,
                name: source.name.clone(),
                url: Some(source.url.clone()),
                origin: origin(brief, Some(source), &source.domain),
                trust: source.trust_level,
                published_at: Some(source.published_at),
                brief: Some(about.clone()),
                title: source.title.clone(),
                text: String::new(),
            };
            (share, passage)
        })
        .collect()
}

/// The independent source of an article: if it is a copy, the outlet of the original text, otherwise its own outlet.
fn origin(brief: &StoredBrief, source: Option<&model::BriefSource>, domain: &str) -> String {
    source
        .and_then(|source| source.copy_of)
        .and_then(|original| brief.brief.sources.get(original as usize))
        .map_or_else(|| domain.to_owned(), |original| original.domain.clone())
}

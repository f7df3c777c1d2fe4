//! How outlets cover the same news: sentiment, coloured wording, and what only one of them says.
//!
//! Outlets are distinguished by their domain. What only one outlet says, and where figures differ, is determined within
//! one story only, because two stories on one topic differ in everything. Nothing is inferred: every sentence and
//! figure comes from one of the articles given, and a story with a single outlet has no exclusive content.

mod figures;
mod sentences;
mod statements;

use std::collections::BTreeMap;

use model::{Annotations, Article, BiasDirection, Score, Timestamp, TrustLevel};

use crate::compose::{self, Member};

pub use figures::ReportedFigure;
pub use sentences::ReportedSentence;
pub use statements::{Contrast, ContrastKind};

/// Number of loaded words shown per outlet.
const SHOWN_WORDS: usize = 10;

/// One article and the story to which it belongs.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// The article.
    pub article: &'a Article,
    /// What reading it found.
    pub annotations: &'a Annotations,
    /// The trust level of its outlet.
    pub trust: TrustLevel,
    /// The story it covers.
    pub story: i64,
    /// Whether it repeats another outlet's article almost word for word.
    pub is_copy: bool,
}

/// How the outlets cover the news.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Coverage {
    /// The outlets, with the first to publish at the top.
    pub outlets: Vec<OutletCoverage>,
    /// What they have in common.
    pub agreement: Agreement,
    /// Where they differ, figures first.
    pub differences: Vec<Contrast>,
}

/// How one outlet covers the news.
#[derive(Clone, Debug, PartialEq)]
pub struct OutletCoverage {
    /// Registrable domain.
    pub domain: String,
    /// Name for readers.
    pub name: String,
    /// Its trust level.
    pub trust: TrustLevel,
    /// Its articles, as indices into the input, in the order of publication.
    pub reports: Vec<usize>,
    /// Publication of its first article.
    pub first_published_at: Timestamp,
    /// Whether all its articles repeat articles of other outlets.
    pub is_syndicated: bool,
    /// Mean sentiment of its articles.
    pub sentiment: Score,
    /// Mean bias score of its articles, by the same formula as for briefs.
    pub bias_score: Score,
    /// The direction in which they lean overall.
    pub direction: BiasDirection,
    /// Its loaded words, those found in most articles first.
    pub loaded_words: Vec<String>,
    /// Sentences with no counterpart at other outlets covering the same story, at most three.
    pub only_sentences: Vec<ReportedSentence>,
    /// Figures that no other outlet covering the same story gives, at most five.
    pub only_figures: Vec<ReportedFigure>,
}

/// What outlets have in common.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Agreement {
    /// Pairs of figures from two outlets that measure the same thing.
    pub figures_compared: usize,
    /// The number of these pairs that agree.
    pub figures_agreeing: usize,
    /// Names that more than half of the outlets, and at least two, mention.
    pub shared_entities: Vec<String>,
    /// Figures that at least two outlets give.
    pub shared_figures: Vec<String>,
}

impl Agreement {
    /// The share of compared figures that agree, or `None` if none can be compared.
    pub fn score(&self) -> Option<Score> {
        (self.figures_compared > 0)
            .then(|| Score::clamped(self.figures_agreeing as f64 / self.figures_compared as f64))
    }
}

/// Compares the outlets of these articles.
pub fn compare(reports: &[Report<'_>]) -> Coverage {
    let mut by_domain: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, report) in reports.iter().enumerate() {
        by_domain
            .entry(&report.article.domain)
            .or_default()
            .push(index);
    }
    let mut outlets: Vec<OutletCoverage> = by_domain
        .into_values()
        .filter_map(|articles| outlet(reports, articles))
        .collect();
    outlets.sort_by(|left, right| {
        (left.first_published_at, &left.domain).cmp(&(right.first_published_at, &right.domain))
    });
    let figures = figures::gather(reports);
    let compared = figures::compare(reports, &figures);
    for (domain, figures) in compared.alone {
        if let Some(outlet) = outlets.iter_mut().find(|outlet| outlet.domain == domain) {
            outlet.only_figures = figures;
        }
    }
    for (domain, sentences) in sentences::alone(reports) {
        if let Some(outlet) = outlets.iter_mut().find(|outlet| outlet.domain == domain) {
            outlet.only_sentences = sentences;
        }
    }
    let mut differences = compared.disputes;
    differences.extend(statements::contrasts(&outlets, reports));
    Coverage {
        agreement: Agreement {
            figures_compared: compared.pairs,
            figures_agreeing: compared.agreeing,
            shared_entities: statements::shared_entities(&outlets, reports),
            shared_figures: compared.shared,
        },
        differences,
        outlets,
    }
}

/// The coverage of the outlet whose articles these are. They share one domain.
fn outlet(reports: &[Report<'_>], mut articles: Vec<usize>) -> Option<OutletCoverage> {
    articles.sort_by_key(|index| (reports[*index].article.published_at, *index));
    let first = &reports[*articles.first()?];
    let is_syndicated = articles.iter().all(|index| reports[*index].is_copy);
    let members: Vec<Member<'_>> = articles
        .iter()
        .map(|index| &reports[*index])
        // What it only passed on is not its own wording, unless it does nothing else.
        .filter(|report| is_syndicated || !report.is_copy)
        .map(|report| Member {
            article: report.article,
            annotations: report.annotations,
            outlet: &report.article.outlet,
            trust: report.trust,
            copy_of: None,
        })
        .collect();
    let sentiments = members
        .iter()
        .map(|member| member.annotations.sentiment.get());
    let bias = compose::bias_of(&members);
    Some(OutletCoverage {
        domain: first.article.domain.clone(),
        name: first.article.outlet.clone(),
        trust: first.trust,
        first_published_at: first.article.published_at,
        is_syndicated,
        sentiment: Score::clamped(sentiments.sum::<f64>() / members.len() as f64),
        bias_score: bias.score,
        direction: bias.direction,
        loaded_words: loaded_words(&members),
        only_sentences: Vec::new(),
        only_figures: Vec::new(),
        reports: articles,
    })
}

fn loaded_words(members: &[Member<'_>]) -> Vec<String> {
    let mut words: Vec<(String, usize)> = Vec::new();
    for term in members
        .iter()
        .flat_map(|member| &member.annotations.bias.loaded_terms)
    {
        match words.iter_mut().find(|(known, _)| known == term) {
            Some((_, articles)) => *articles += 1,
            None => words.push((term.clone(), 1)),
        }
    }
    // The sort is stable: equal counts keep the order of the texts.
    words.sort_by_key(|(_, articles)| std::cmp::Reverse(*articles));
    words
        .into_iter()
        .take(SHOWN_WORDS)
        .map(|(word, _)| word)
        .collect()
}

#[cfg(test)]
mod tests;

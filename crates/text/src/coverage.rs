//! How outlets cover the same news: sentiment, colouring, and what only one of them says.
//!
//! Outlets are distinguished by their domain. What an outlet says alone, and where figures differ, is looked for within
//! one story only, because two stories of one topic differ in everything. Nothing is inferred: every sentence and
//! figure is one of the articles given, and a story of a single outlet has nothing that only it says.

mod figures;
mod sentences;
mod statements;

use std::collections::BTreeMap;

use model::{Annotations, Article, BiasDirection, Score, Timestamp, TrustLevel};

use crate::compose::{self, Member};

pub use figures::ReportedFigure;
pub use sentences::ReportedSentence;
pub use statements::{Contrast, ContrastKind};

/// Loaded words that are shown of an outlet.
const SHOWN_WORDS: usize = 10;

/// One article and the story to which it belongs.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// The article.
    pub article: &'a Article,
    /// What reading it found.
    pub annotations: &'a Annotations,
    /// How far its outlet is trusted.
    pub trust: TrustLevel,
    /// The story that it covers.
    pub story: i64,
    /// Whether it repeats another outlet's article almost word for word.
    pub is_copy: bool,
}

/// How the outlets cover it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Coverage {
    /// The outlets, whoever published first at the top.
    pub outlets: Vec<OutletCoverage>,
    /// What they have in common.
    pub agreement: Agreement,
    /// In what they differ, figures first.
    pub differences: Vec<Contrast>,
}

/// How one outlet covers it.
#[derive(Clone, Debug, PartialEq)]
pub struct OutletCoverage {
    /// Registrable domain.
    pub domain: String,
    /// Name for readers.
    pub name: String,
    /// How far it is trusted.
    pub trust: TrustLevel,
    /// Its articles, as indices into what was given, in the order of publication.
    pub reports: Vec<usize>,
    /// Publication of its first article.
    pub first_published_at: Timestamp,
    /// Whether all its articles repeat those of others.
    pub is_syndicated: bool,
    /// Mean sentiment of its articles.
    pub sentiment: Score,
    /// Mean colouring of its articles, by the formula of briefs.
    pub bias_score: Score,
    /// Where they lean together.
    pub direction: BiasDirection,
    /// Its loaded words, those of most articles first.
    pub loaded_words: Vec<String>,
    /// Sentences like none of the other outlets of the same story, at most three.
    pub only_sentences: Vec<ReportedSentence>,
    /// Figures that no other outlet of the same story gives, at most five.
    pub only_figures: Vec<ReportedFigure>,
}

/// What outlets have in common.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Agreement {
    /// Pairs of figures of two outlets that measure the same.
    pub figures_compared: usize,
    /// Those of them that say the same.
    pub figures_agreeing: usize,
    /// Names that more than half of the outlets, and at least two, name.
    pub shared_entities: Vec<String>,
    /// Figures that at least two outlets give.
    pub shared_figures: Vec<String>,
}

impl Agreement {
    /// The share of compared figures that agree; `None` where none can be compared.
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

/// The outlet of these articles, which have one domain.
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

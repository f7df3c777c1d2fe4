//! Headlines for a text that is still being typed.
//!
//! The finished words must all stand in the headline, and one word must begin as the last one does. Nothing is ranked: the
//! newest come first.

use std::collections::BTreeMap;

use model::{BriefId, Category, Timestamp};
use tantivy::Term;
use tantivy::query::{BooleanQuery, Occur, Query, TermQuery};
use tantivy::schema::IndexRecordOption;

use crate::analysis;
use crate::collect::collect;
use crate::error::Result;
use crate::query::Compiled;
use crate::request::{Filters, SearchRequest, Sort};
use crate::view::View;

/// A last word that is shorter begins too many.
const SHORTEST: usize = 2;
/// Words that are tried for the last one, those of most headlines first.
const MOST_WORDS: usize = 8;

/// What is completed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CompletionRequest {
    /// What was typed so far.
    pub text: String,
    /// Only these; empty means all.
    pub categories: Vec<Category>,
    /// From the revisions known then; else from the current ones.
    pub as_of: Option<Timestamp>,
    /// How many at most.
    pub limit: usize,
}

/// A headline that goes on as the text begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The brief.
    pub brief_id: BriefId,
    /// Its revision.
    pub revision: u32,
    /// The headline.
    pub headline: String,
}

pub(crate) fn complete(view: &View, request: &CompletionRequest) -> Result<Vec<Completion>> {
    let (words, begun) = analysis::begun(&request.text);
    let term = |text: &str| -> Box<dyn Query> {
        let term = Term::from_field_text(view.fields.headline, text);
        Box::new(TermQuery::new(term, IndexRecordOption::Basic))
    };
    let mut clauses: Vec<Box<dyn Query>> = words.iter().map(|word| term(word)).collect();
    if let Some(begun) = begun {
        let expanded = expand(view, &begun)?;
        if expanded.is_empty() {
            return Ok(Vec::new());
        }
        let any = expanded.iter().map(|word| term(word)).collect();
        clauses.push(Box::new(BooleanQuery::union(any)));
    }
    if clauses.is_empty() || request.limit == 0 {
        return Ok(Vec::new());
    }
    let all = clauses
        .into_iter()
        .map(|clause| (Occur::Must, clause))
        .collect::<Vec<_>>();
    let query: Box<dyn Query> = Box::new(BooleanQuery::new(all));
    let compiled = Compiled {
        scored: query.box_clone(),
        plain: query,
    };
    let search = SearchRequest {
        sort: Sort::Newest,
        filters: Filters {
            categories: request.categories.clone(),
            ..Filters::default()
        },
        as_of: request.as_of,
        ..SearchRequest::default()
    };
    let found = collect(view, &compiled, &search, request.limit)?;
    found
        .best
        .iter()
        .map(|hit| {
            Ok(Completion {
                brief_id: hit.brief_id,
                revision: hit.revision,
                headline: view.stored_text(hit.address)?.headline,
            })
        })
        .collect()
}

/// The words of headlines that a beginning may become, itself as a whole word among them.
fn expand(view: &View, begun: &str) -> Result<Vec<String>> {
    if begun.chars().count() < SHORTEST {
        return Ok(Vec::new());
    }
    let mut counts: BTreeMap<Vec<u8>, u64> = BTreeMap::new();
    for reader in view.searcher.segment_readers() {
        let inverted = reader.inverted_index(view.fields.headline)?;
        let mut words = inverted
            .terms()
            .range()
            .ge(begun.as_bytes())
            .into_stream()
            .map_err(tantivy::TantivyError::from)?;
        while words.advance() && words.key().starts_with(begun.as_bytes()) {
            *counts.entry(words.key().to_vec()).or_default() += u64::from(words.value().doc_freq);
        }
    }
    let mut ranked: Vec<(Vec<u8>, u64)> = counts.into_iter().collect();
    ranked.sort_by_key(|(_, headlines)| std::cmp::Reverse(*headlines));
    ranked.truncate(MOST_WORDS);
    let mut words: Vec<String> = ranked
        .into_iter()
        .filter_map(|(word, _)| String::from_utf8(word).ok())
        .collect();
    // `rallying` begins no stem, but it is the whole of one.
    let whole = analysis::terms(&mut analysis::analyzer(), begun).pop();
    words.extend(
        whole
            .map(|term| term.text)
            .filter(|stem| !words.contains(stem)),
    );
    Ok(words)
}

//! Headlines for a text that is still being typed.
//!
//! All finished words must occur in the headline, and one word in it must begin with the last one typed. Nothing is
//! ranked: the newest headlines come first.

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

/// A shorter last word is the beginning of too many words.
const SHORTEST: usize = 2;
/// Words that are tried for the last one, starting with those in the most headlines.
const MOST_WORDS: usize = 8;

/// What is completed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CompletionRequest {
    /// The text typed so far.
    pub text: String,
    /// Only these categories; empty means all.
    pub categories: Vec<Category>,
    /// From the revisions known at that time; otherwise from the current ones.
    pub as_of: Option<Timestamp>,
    /// The maximum number returned.
    pub limit: usize,
}

/// A headline that completes the text.
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

/// The words in headlines that a beginning may become, including itself as a whole word.
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
    // `rallying` is not the beginning of any stem, but as a whole word it has one.
    let whole = analysis::terms(&mut analysis::analyzer(), begun).pop();
    words.extend(
        whole
            .map(|term| term.text)
            .filter(|stem| !words.contains(stem)),
    );
    Ok(words)
}

//! From a condition to the engine's queries.

use std::collections::BTreeSet;

use tantivy::Term;
use tantivy::query::{BooleanQuery, BoostQuery, Occur, PhraseQuery, Query, TermQuery};
use tantivy::schema::IndexRecordOption;

use super::exclusion::Exclusion;
use super::{Condition, Operand, Wanted};
use crate::schema::Fields;

/// Weight of a match in the headline, added to the match in the text, where it counts as well.
const HEADLINE_BOOST: f32 = 2.0;
/// The same for the summary, names and tags.
const LEAD_BOOST: f32 = 0.5;

/// The same condition twice: to find, and to score what was found.
pub(crate) struct Compiled {
    /// Finds matches; its scores mean nothing.
    pub(crate) plain: Box<dyn Query>,
    /// Finds the same matches and scores them.
    pub(crate) scored: Box<dyn Query>,
}

impl Compiled {
    /// None if the condition holds nowhere because it only excludes.
    ///
    /// All `wanted` terms count in the score, even those that a relaxed condition no longer requires.
    pub(crate) fn new(condition: &Condition, wanted: &Wanted, fields: &Fields) -> Option<Self> {
        let plain = positive(condition, fields)?;
        let terms: BTreeSet<&String> = wanted.iter().flatten().collect();
        let mut clauses = vec![(Occur::Must, plain.box_clone())];
        for term in terms {
            for (field, boost) in [(fields.headline, HEADLINE_BOOST), (fields.lead, LEAD_BOOST)] {
                let query = TermQuery::new(
                    Term::from_field_text(field, term),
                    IndexRecordOption::WithFreqs,
                );
                clauses.push((
                    Occur::Should,
                    Box::new(BoostQuery::new(Box::new(query), boost)),
                ));
            }
        }
        Some(Self {
            plain,
            scored: Box::new(BooleanQuery::new(clauses)),
        })
    }
}

/// What must hold; none for a condition that only excludes.
fn positive(condition: &Condition, fields: &Fields) -> Option<Box<dyn Query>> {
    match condition {
        Condition::Terms { terms, .. } => match terms.as_slice() {
            [] => None,
            [term] => {
                let term = Term::from_field_text(fields.text, term);
                Some(Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs)))
            }
            several => {
                let terms = several
                    .iter()
                    .map(|term| Term::from_field_text(fields.text, term))
                    .collect();
                Some(Box::new(PhraseQuery::new(terms)))
            }
        },
        Condition::Any(conditions) => {
            let mut queries: Vec<_> = conditions
                .iter()
                .filter_map(|condition| positive(condition, fields))
                .collect();
            match queries.len() {
                0 | 1 => queries.pop(),
                _ => Some(Box::new(BooleanQuery::union(queries))),
            }
        }
        Condition::All(operands) => conjunction(operands, fields),
        Condition::Not(_) => None,
    }
}

fn conjunction(operands: &[Operand], fields: &Fields) -> Option<Box<dyn Query>> {
    let mut clauses = Vec::with_capacity(operands.len());
    for operand in operands {
        if let Condition::Not(excluded) = &operand.condition {
            let query = positive(excluded, fields)
                .map(|query| Box::new(Exclusion(query)) as Box<dyn Query>);
            clauses.extend(query.map(|query| (Occur::MustNot, query)));
        } else {
            clauses.extend(positive(&operand.condition, fields).map(|query| (Occur::Must, query)));
        }
    }
    let required = clauses
        .iter()
        .filter(|(occur, _)| *occur == Occur::Must)
        .count();
    match (required, clauses.len()) {
        (0, _) => None,
        (1, 1) => clauses.pop().map(|(_, query)| query),
        _ => Some(Box::new(BooleanQuery::new(clauses))),
    }
}

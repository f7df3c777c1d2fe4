//! Where to go from here: topics that the best hits share.

use std::collections::{BTreeMap, BTreeSet};

use tantivy::tokenizer::TextAnalyzer;

use crate::analysis;
use crate::query::Wanted;

/// The best hits that have a say.
pub(crate) const VOTERS: usize = 20;
/// Suggestions at most.
const MOST: usize = 6;
/// A suggestion is a query, not a sentence.
const LONGEST: usize = 48;

/// The topics that most of the hits name, whose lists come best hit first. What the query asks for already is left out, as is
/// a topic that only repeats the words of a better one.
pub(crate) fn related_queries(
    topics: &[Vec<String>],
    wanted: &Wanted,
    analyzer: &mut TextAnalyzer,
) -> Vec<String> {
    let asked: BTreeSet<&str> = wanted.iter().flatten().map(String::as_str).collect();
    // By terms, so that `interest rate` and `Interest Rates` are one topic: votes and the first spelling.
    let mut votes: BTreeMap<Vec<String>, (f64, &str)> = BTreeMap::new();
    for (place, topics) in topics.iter().enumerate() {
        let weight = 1.0 / (1.0 + place as f64 / 10.0);
        let mut named = BTreeSet::new();
        for topic in topics {
            let terms: Vec<String> = analysis::terms(analyzer, topic)
                .into_iter()
                .map(|term| term.text)
                .collect();
            let is_new = terms.iter().any(|term| !asked.contains(term.as_str()));
            if is_new && topic.chars().count() <= LONGEST && named.insert(terms.clone()) {
                votes.entry(terms).or_insert((0.0, topic)).0 += weight;
            }
        }
    }
    let mut ranked: Vec<(Vec<String>, (f64, &str))> = votes.into_iter().collect();
    ranked.sort_by(|(_, (a, name_a)), (_, (b, name_b))| {
        b.total_cmp(a).then_with(|| name_a.cmp(name_b))
    });
    let mut chosen: Vec<(Vec<String>, &str)> = Vec::new();
    for (terms, (_, topic)) in ranked {
        let repeats = chosen
            .iter()
            .any(|(better, _)| terms.iter().all(|term| better.contains(term)));
        if !repeats {
            chosen.push((terms, topic));
        }
        if chosen.len() == MOST {
            break;
        }
    }
    chosen
        .into_iter()
        .map(|(_, topic)| topic.to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Query;

    fn lists(lists: &[&[&str]]) -> Vec<Vec<String>> {
        lists
            .iter()
            .map(|list| list.iter().map(|&topic| topic.to_owned()).collect())
            .collect()
    }

    #[test]
    fn shared_topics_come_first_and_the_query_is_left_out() {
        let topics = lists(&[
            &["Nvidia", "chips", "Jensen Huang"],
            &["NVIDIA", "AMD", "chip"],
            &["Nvidia", "AMD", "data centres"],
        ]);
        let wanted = Query::parse("nvidia").wanted();
        let related = related_queries(&topics, &wanted, &mut analysis::analyzer());
        assert_eq!(related, ["chips", "AMD", "Jensen Huang", "data centres"]);
    }

    #[test]
    fn at_most_six_short_ones() {
        let long = "x".repeat(60);
        let topics = lists(&[&["a1", "b1", "c1", "d1", "e1", "f1", "g1", &long]]);
        let related = related_queries(&topics, &Wanted::new(), &mut analysis::analyzer());
        assert_eq!(related, ["a1", "b1", "c1", "d1", "e1", "f1"]);
    }
}

//! Where to go from here: topics that the best hits share.

use std::collections::{BTreeMap, BTreeSet};

use crate::query::Wanted;
use crate::texts::Lexed;

/// The best hits that have a say.
pub(crate) const VOTERS: usize = 20;
/// Suggestions at most.
const MOST: usize = 6;
/// A suggestion is a query, not a sentence.
const LONGEST: usize = 48;

/// The topics that most of the hits name, whose lists come best hit first. What the query asks for already is left out, as is
/// a topic that only repeats the words of a better one.
pub(crate) fn related_queries(topics: &[&[Lexed]], wanted: &Wanted) -> Vec<String> {
    let asked: BTreeSet<&str> = wanted.iter().flatten().map(String::as_str).collect();
    // By terms, so that `interest rate` and `Interest Rates` are one topic: votes and the first spelling.
    let mut votes: BTreeMap<Vec<&str>, (f64, &str)> = BTreeMap::new();
    for (place, topics) in topics.iter().enumerate() {
        let weight = 1.0 / (1.0 + place as f64 / 10.0);
        let mut named = BTreeSet::new();
        for topic in *topics {
            let terms: Vec<&str> = topic.terms().collect();
            let is_new = terms.iter().any(|term| !asked.contains(term));
            if is_new && topic.text.chars().count() <= LONGEST && named.insert(terms.clone()) {
                votes.entry(terms).or_insert((0.0, &topic.text)).0 += weight;
            }
        }
    }
    let mut ranked: Vec<(Vec<&str>, (f64, &str))> = votes.into_iter().collect();
    ranked.sort_by(|(_, (a, name_a)), (_, (b, name_b))| {
        b.total_cmp(a).then_with(|| name_a.cmp(name_b))
    });
    let mut chosen: Vec<(Vec<&str>, &str)> = Vec::new();
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
    use crate::analysis;
    use crate::query::Query;

    fn related(lists: &[&[&str]], wanted: &Wanted) -> Vec<String> {
        let mut analyzer = analysis::analyzer();
        let mut lexed = |topic: &&str| Lexed::new((*topic).to_owned(), &mut analyzer);
        let lists: Vec<Vec<Lexed>> = lists
            .iter()
            .map(|list| list.iter().map(&mut lexed).collect())
            .collect();
        let lists: Vec<&[Lexed]> = lists.iter().map(Vec::as_slice).collect();
        related_queries(&lists, wanted)
    }

    #[test]
    fn shared_topics_come_first_and_the_query_is_left_out() {
        let topics: [&[&str]; 3] = [
            &["Nvidia", "chips", "Jensen Huang"],
            &["NVIDIA", "AMD", "chip"],
            &["Nvidia", "AMD", "data centres"],
        ];
        let wanted = Query::parse("nvidia").wanted();
        let related = related(&topics, &wanted);
        assert_eq!(related, ["chips", "AMD", "Jensen Huang", "data centres"]);
    }

    #[test]
    fn at_most_six_short_ones() {
        let long = "x".repeat(60);
        let topics: [&[&str]; 1] = [&["a1", "b1", "c1", "d1", "e1", "f1", "g1", &long]];
        let related = related(&topics, &Wanted::new());
        assert_eq!(related, ["a1", "b1", "c1", "d1", "e1", "f1"]);
    }
}

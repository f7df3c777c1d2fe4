//! Where to go next: topics that the best hits share.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};

use crate::query::Wanted;
use crate::texts::Lexed;

/// The number of best hits that have a vote.
pub(crate) const VOTERS: usize = 20;
/// Maximum number of suggestions.
const MOST: usize = 6;
/// A suggestion is a query, not a sentence.
const LONGEST: usize = 48;

/// The hits' votes for a topic.
struct Vote<'a> {
    weight: f64,
    /// The last hit that voted.
    of: Option<usize>,
    /// The spelling in the first hit.
    topic: &'a str,
}

/// A topic by its terms.
struct Terms<'a>(&'a Lexed);

impl PartialEq for Terms<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.0.terms().eq(other.0.terms())
    }
}

impl Eq for Terms<'_> {}

impl Hash for Terms<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.words().hash(state);
    }
}

/// The topics named by the most hits, given as lists with the best hit first. What the query already asks for is left
/// out, as is a topic that only repeats the words of a better one.
pub(crate) fn related_queries(topics: &[&[Lexed]], wanted: &Wanted) -> Vec<String> {
    let asked: Vec<&str> = wanted.iter().flatten().map(String::as_str).collect();
    // By terms, so that `interest rate` and `Interest Rates` are one topic: votes and the first spelling.
    let mut votes: HashMap<Terms<'_>, Vote<'_>> = HashMap::new();
    for (place, topics) in topics.iter().enumerate() {
        let weight = 1.0 / (1.0 + place as f64 / 10.0);
        for topic in *topics {
            let is_new = topic.terms().any(|term| !asked.contains(&term));
            if !is_new || topic.text.chars().count() > LONGEST {
                continue;
            }
            let vote = votes.entry(Terms(topic)).or_insert(Vote {
                weight: 0.0,
                of: None,
                topic: &topic.text,
            });
            // Each hit has one vote for a topic, however often it names the topic.
            if vote.of != Some(place) {
                vote.of = Some(place);
                vote.weight += weight;
            }
        }
    }
    let mut ranked: Vec<(Terms<'_>, Vote<'_>)> = votes.into_iter().collect();
    ranked.sort_by(|(_, a), (_, b)| {
        let by_weight = b.weight.total_cmp(&a.weight);
        by_weight.then_with(|| a.topic.cmp(b.topic))
    });
    let mut chosen: Vec<(Vec<&str>, &str)> = Vec::new();
    for (terms, Vote { topic, .. }) in ranked {
        let terms: Vec<&str> = terms.0.terms().collect();
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

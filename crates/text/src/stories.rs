//! Which story an article belongs to: streaming, one pass.
//!
//! A story is nothing but its articles: there are no centroids, so what a new article is compared with depends only
//! on what was inserted, and an index that is filled again after a restart answers the same. The index holds the
//! heaviest terms of each article in posting lists by UTC day; an article is compared with those within 72 hours (and
//! with those of unknown time). The score of a story comes from its best members' similarities and from those of its
//! members at large, less what other stories score; see [`scoring`]. A story that is old takes in only what is close
//! to it ([`Placement::for_story_since`]).

mod scoring;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use model::{Features, Timestamp};
use rustc_hash::FxHashMap;

use crate::sketch;
pub use scoring::Tuning;
use scoring::{Query, Vector};

/// How many posted articles are looked at for one new article.
const POSTINGS: usize = 6_000;

/// Where an article belongs.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement {
    /// The story that it joins; `None` founds a new one.
    pub story: Option<u64>,
    /// How well it fits, 0 to 1.
    pub similarity: f64,
    /// The article of which it is a near-duplicate (syndicated copy).
    pub copy_of: Option<u64>,
}

/// Up to this age a story takes in articles of moderate likeness.
const YOUNG_MS: i64 = 96 * Timestamp::HOUR_MS;
/// An article this much like its story belongs to it, however old that is.
const CLOSE: f64 = 0.5;

impl Placement {
    /// The placement of an article published at `time`, given when the first article of the story was published.
    ///
    /// A topic goes on for weeks, so articles of moderate likeness join only while a story is young. The index does
    /// not know when a story began, for it holds some days only; whoever keeps the stories does, and asks here before
    /// an article joins.
    #[must_use]
    pub fn for_story_since(self, began: Option<Timestamp>, time: Option<Timestamp>) -> Self {
        let is_young = match (began, time) {
            (Some(began), Some(time)) => time.since_ms(began) <= YOUNG_MS,
            _ => true,
        };
        if is_young || self.similarity >= CLOSE {
            return self;
        }
        Self {
            story: None,
            copy_of: None,
            ..self
        }
    }
}

/// The articles that a new one is compared with.
#[derive(Debug, Default)]
pub struct StoryIndex {
    entries: Vec<Option<Entry>>,
    free: Vec<u32>,
    /// `None` holds the articles of unknown time.
    days: BTreeMap<Option<i64>, Day>,
    tuning: Tuning,
}

/// One article, as small as it can be kept.
#[derive(Debug)]
struct Entry {
    article: u64,
    story: u64,
    time: Option<Timestamp>,
    vector: Vector,
    sketch: Box<[u32]>,
}

/// The articles of one day.
#[derive(Debug, Default)]
struct Day {
    slots: Vec<u32>,
    /// How many of its articles belong to each story.
    stories: FxHashMap<u64, u32>,
    postings: FxHashMap<u32, Vec<u32>>,
}

impl StoryIndex {
    /// An empty index.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty index that decides by other numbers, to see how much hangs on them.
    pub fn tuned(tuning: Tuning) -> Self {
        Self {
            tuning,
            ..Self::default()
        }
    }

    /// Where an article with these features belongs. `time` is `None` where it is unknown, then time does not count.
    pub fn place(&self, features: &Features, time: Option<Timestamp>) -> Placement {
        let days = self.days_near(time);
        let count = days.iter().map(|day| day.slots.len()).sum();
        let frequency = |term| {
            days.iter()
                .filter_map(|day| day.postings.get(&term))
                .map(Vec::len)
                .sum()
        };
        let query = Query::new(&self.tuning, features, time, count, frequency);
        let candidates = self.candidates(&query, &days);
        let mut stories: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
        let mut copy: Option<(Reverse<Timestamp>, Reverse<u64>, u64)> = None;
        for slot in candidates {
            let Some(entry) = self.entries[slot as usize].as_ref() else {
                continue;
            };
            let similarity = query.compare(&self.tuning, &entry.vector, entry.time);
            if similarity.cosine >= self.tuning.copy_cosine
                && !query.counts_otherwise(&entry.vector)
                && sketch::overlap(&features.sketch, &entry.sketch) >= self.tuning.copy_overlap
            {
                let found = (
                    Reverse(entry.time.unwrap_or(Timestamp::from_ms(i64::MIN))),
                    Reverse(entry.article),
                    entry.story,
                );
                copy = copy.max(Some(found));
            }
            if similarity.score > 0.0 {
                stories
                    .entry(entry.story)
                    .or_default()
                    .push(similarity.score);
            }
        }
        if let Some((_, Reverse(article), story)) = copy {
            return Placement {
                story: Some(story),
                similarity: 1.0,
                copy_of: Some(article),
            };
        }
        let mut scores: Vec<(u64, f64)> = stories
            .into_iter()
            .map(|(story, mut scores)| {
                scores.sort_unstable_by(|left, right| right.total_cmp(left));
                let size: u32 = days.iter().filter_map(|day| day.stories.get(&story)).sum();
                (story, scoring::story(&self.tuning, &scores, size as usize))
            })
            .collect();
        let best = (0..scores.len()).max_by(|left, right| {
            let (left, right) = (scores[*left], scores[*right]);
            left.1.total_cmp(&right.1).then(right.0.cmp(&left.0))
        });
        let Some(best) = best else {
            return Placement {
                story: None,
                similarity: 0.0,
                copy_of: None,
            };
        };
        let (story, score) = scores.swap_remove(best);
        let others = scores.into_iter().map(|(_, score)| score).collect();
        let similarity = scoring::contrasted(&self.tuning, score, others, time);
        Placement {
            story: (similarity >= self.tuning.threshold).then_some(story),
            similarity: similarity.clamp(0.0, 1.0),
            copy_of: None,
        }
    }

    /// Adds an article to a story (its own number where it founds one).
    pub fn insert(
        &mut self,
        article: u64,
        story: u64,
        features: &Features,
        time: Option<Timestamp>,
    ) {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.entries.push(None);
            self.entries.len() as u32 - 1
        });
        let day = self.days.entry(time.map(Timestamp::day)).or_default();
        day.slots.push(slot);
        *day.stories.entry(story).or_default() += 1;
        for (term, _) in scoring::heaviest(features, self.tuning.posted) {
            day.postings.entry(term).or_default().push(slot);
        }
        self.entries[slot as usize] = Some(Entry {
            article,
            story,
            time,
            vector: Vector::of(features),
            sketch: features.sketch.clone().into_boxed_slice(),
        });
    }

    /// Drops all articles of one day since the epoch, in UTC.
    pub fn forget_day(&mut self, day: i64) {
        if let Some(day) = self.days.remove(&Some(day)) {
            for slot in day.slots {
                self.entries[slot as usize] = None;
                self.free.push(slot);
            }
        }
    }

    /// How many articles it holds.
    pub fn len(&self) -> usize {
        self.entries.len() - self.free.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The days that hold articles near in time; all of them where the time is unknown.
    fn days_near(&self, time: Option<Timestamp>) -> Vec<&Day> {
        let Some(time) = time else {
            return self.days.values().collect();
        };
        let (first, last) = (
            time.plus_ms(-scoring::REACH_MS).day(),
            time.plus_ms(scoring::REACH_MS).day(),
        );
        self.days
            .get(&None)
            .into_iter()
            .chain(
                self.days
                    .range(Some(first)..=Some(last))
                    .map(|(_, day)| day),
            )
            .collect()
    }

    /// The slots that share heavy terms with the query, most promising first.
    fn candidates(&self, query: &Query, days: &[&Day]) -> Vec<u32> {
        let mut terms: Vec<(u32, f32)> = query
            .terms
            .iter()
            .map(|(term, weight, left)| (*term, weight * weight * left))
            .collect();
        terms.sort_unstable_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
        terms.truncate(self.tuning.asked);
        let mut sums: FxHashMap<u32, f32> = FxHashMap::default();
        let mut visited = 0;
        for (term, weight) in &terms {
            let lists: Vec<&Vec<u32>> = days
                .iter()
                .filter_map(|day| day.postings.get(term))
                .collect();
            let length: usize = lists.iter().map(|list| list.len()).sum();
            // A term of thousands of articles finds nobody that rarer terms do not find; without any, it is all there is.
            if visited + length > POSTINGS && !sums.is_empty() {
                continue;
            }
            visited += length;
            for slot in lists.into_iter().flatten() {
                *sums.entry(*slot).or_default() += weight;
            }
        }
        let mut found: Vec<(u32, f32)> = sums.into_iter().collect();
        let better = |left: &(u32, f32), right: &(u32, f32)| {
            right.1.total_cmp(&left.1).then(left.0.cmp(&right.0))
        };
        if found.len() > self.tuning.candidates {
            found.select_nth_unstable_by(self.tuning.candidates, better);
            found.truncate(self.tuning.candidates);
        }
        found.sort_unstable_by(better);
        found.into_iter().map(|(slot, _)| slot).collect()
    }
}

#[cfg(test)]
mod tests;

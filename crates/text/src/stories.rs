//! Assigns articles to stories: streaming, in one pass.
//!
//! A story is nothing but its articles. There are no centroids, so what a new article is compared with depends only on
//! what was inserted, and an index refilled after a restart gives the same answers. The index keeps the heaviest terms
//! of each article in posting lists by UTC day. An article is compared with those within 72 hours (and with those of
//! unknown time). A fitted model ([`chance`]) estimates how probable it is that two articles report one event from what
//! they have in common ([`pair`]). [`scoring`] turns this into a score for a story across its members. The index learns
//! what an outlet says every time from the articles of the days that it holds: those words lose weight, and a headline
//! whose pattern recurs at that outlet is an item in a series. An old story takes in only articles that are close to it
//! ([`Placement::for_story_since`]).

mod chance;
mod division;
pub mod pair;
mod scoring;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use model::{Features, Timestamp};
use rustc_hash::FxHashMap;

use crate::{address, features};
use division::Bonds;
use pair::{Kept, Measured, Query};
pub use scoring::Tuning;

/// How far apart in time two articles of one story may be.
const REACH_MS: i64 = 72 * Timestamp::HOUR_MS;
/// How many posted articles are examined for one new article.
const POSTINGS: usize = 6_000;

/// How many members of each of two stories are compared to decide whether they are one.
const MERGED: usize = 24;

/// How many postings of a term are used to estimate the number of stories it is spread over.
const SAMPLE: usize = 48;

/// Where an article belongs.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement {
    /// The story that it joins. `None` founds a new one.
    pub story: Option<u64>,
    /// How well it fits, 0 to 1.
    pub similarity: f64,
    /// The score that was required.
    pub threshold: f64,
    /// The article that it nearly duplicates (syndicated copy).
    pub copy_of: Option<u64>,
    /// The article in the best story that is most strongly tied to it.
    pub alike: Option<Alike>,
    /// Whether some member of its story that is near in time is unlikely to report the same event. The story may then
    /// be two ([`StoryIndex::divide`]).
    pub is_doubtful: bool,
    /// The runner-up story, if it would take the article too. Both may then be one ([`StoryIndex::are_one`]).
    pub rival: Option<Rival>,
}

/// The runner-up story for an article.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rival {
    /// The story.
    pub story: u64,
    /// How well the article fits it, 0 to 1.
    pub similarity: f64,
}

impl Rival {
    /// Whether it takes in an article published at `time`, given when its first article was published. See
    /// [`Placement::for_story_since`].
    #[must_use]
    pub fn takes_since(self, began: Option<Timestamp>, time: Option<Timestamp>) -> bool {
        takes_since(self.similarity, began, time)
    }
}

/// What an article has in common with an article in a story.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alike {
    /// The other article.
    pub article: u64,
    /// How probable it is that both report one event, 0 to 1.
    pub probability: f64,
    /// What they have in common, in the order of [`pair::FEATURES`].
    pub measured: Measured,
}

/// Up to this age a story takes in articles of moderate similarity.
const YOUNG_MS: i64 = 96 * Timestamp::HOUR_MS;
/// An article this similar to its story belongs to it, however old the story is.
const CLOSE: f64 = 0.5;

impl Placement {
    /// The placement of an article published at `time`, given when the first article of the story was published.
    ///
    /// A topic continues for weeks, so articles of moderate similarity join only while a story is young. The index does
    /// not know when a story began, because it holds only some days. Whoever stores the stories does know, and calls
    /// this before an article joins.
    #[must_use]
    pub fn for_story_since(self, began: Option<Timestamp>, time: Option<Timestamp>) -> Self {
        if takes_since(self.similarity, began, time) {
            return self;
        }
        Self {
            story: None,
            copy_of: None,
            alike: None,
            is_doubtful: false,
            rival: None,
            ..self
        }
    }
}

/// Whether a story that began then takes in an article with this similarity.
fn takes_since(similarity: f64, began: Option<Timestamp>, time: Option<Timestamp>) -> bool {
    let is_young = match (began, time) {
        (Some(began), Some(time)) => time.since_ms(began) <= YOUNG_MS,
        _ => true,
    };
    is_young || similarity >= CLOSE
}

/// An article prepared for comparison.
#[derive(Clone, Copy, Debug)]
pub struct Compared<'a> {
    /// Its features.
    pub features: &'a Features,
    /// Registrable domain of its outlet, or empty if unknown.
    pub domain: &'a str,
    /// When it was published. `None` if unknown, in which case time does not count.
    pub time: Option<Timestamp>,
}

impl Compared<'_> {
    fn outlet(&self) -> u32 {
        // Articles on a host shared by many outlets have nothing else in common.
        if self.domain.is_empty() || address::hosts_many(self.domain) {
            0
        } else {
            features::term_hash(self.domain)
        }
    }
}

/// The articles that a new one is compared with.
#[derive(Debug, Default)]
pub struct StoryIndex {
    entries: Vec<Option<Entry>>,
    free: Vec<u32>,
    /// `None` is the key for articles of unknown time.
    days: BTreeMap<Option<i64>, Day>,
    tuning: Tuning,
}

/// The members of a story that have something in common with a new article.
#[derive(Default)]
struct Members {
    strengths: Vec<f64>,
    /// How many are unlikely to report the same event.
    apart: usize,
    best: Option<(f64, Alike)>,
    /// Whether one comes from the same outlet as the new article and reports something else.
    another: bool,
}

impl Members {
    fn add(&mut self, strength: f64, alike: Alike) {
        self.strengths.push(strength);
        let is_better = self.best.as_ref().is_none_or(|(best, other)| {
            // If two are equal, the earlier one wins, whatever the order in which they are examined.
            strength > *best || strength == *best && alike.article < other.article
        });
        if is_better {
            self.best = Some((strength, alike));
        }
    }
}

/// One article.
#[derive(Debug)]
struct Entry {
    article: u64,
    story: u64,
    kept: Kept,
}

/// The articles of one day.
#[derive(Debug, Default)]
struct Day {
    slots: Vec<u32>,
    /// How many of its articles belong to each story.
    stories: FxHashMap<u64, u32>,
    /// How many come from each outlet, and from each combination of outlet and pattern.
    outlets: FxHashMap<u32, u32>,
    series: FxHashMap<(u32, u32), u32>,
    postings: FxHashMap<u32, Vec<u32>>,
}

impl StoryIndex {
    /// An empty index.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty index with other tuning values, to see how much depends on them.
    pub fn tuned(tuning: Tuning) -> Self {
        Self {
            tuning,
            ..Self::default()
        }
    }

    /// Where an article belongs.
    pub fn place(&self, article: Compared<'_>) -> Placement {
        let days = self.days_near(article.time);
        let (query, candidates) = self.query(&article, &days);
        let recurring = |series| days.iter().filter_map(|day| day.series.get(&series)).sum();
        let density = self.density(article.time, &days);
        let tuning = &self.tuning;
        let is_alone = tuning.forms && pair::is_alone(article.features);
        let mut stories: BTreeMap<u64, Members> = BTreeMap::new();
        let mut copy: Option<(Reverse<Timestamp>, Reverse<u64>, u64, Alike)> = None;
        for slot in candidates {
            let Some(entry) = self.entries[slot as usize].as_ref() else {
                continue;
            };
            let Some(measured) = query.measure(&entry.kept, recurring) else {
                continue;
            };
            let probability = chance::probability(&measured, density);
            let strength = chance::strength(tuning, &measured, probability);
            let alike = Alike {
                article: entry.article,
                probability,
                measured,
            };
            if chance::is_worded_alike(&measured)
                && probability >= tuning.copy
                && chance::may_join(tuning, &measured, probability)
                && !query.counts_otherwise(&entry.kept)
            {
                let found = (
                    Reverse(entry.kept.time.unwrap_or(Timestamp::from_ms(i64::MIN))),
                    Reverse(entry.article),
                );
                let is_first = copy.as_ref().is_none_or(|known| (known.0, known.1) < found);
                if is_first {
                    copy = Some((found.0, found.1, entry.story, alike));
                }
            }
            if is_alone || tuning.forms && entry.kept.is_alone {
                // An article that reports no single event joins only what it repeats, and is joined only by what
                // repeats it.
                continue;
            }
            let members = stories.entry(entry.story).or_default();
            members.another |= chance::tells_another(tuning, &measured, probability);
            members.apart += usize::from(probability < tuning.apart);
            members.add(strength, alike);
        }
        if let Some((_, Reverse(article), story, alike)) = copy {
            return Placement {
                story: Some(story),
                similarity: 1.0,
                threshold: 0.0,
                copy_of: Some(article),
                alike: Some(alike),
                is_doubtful: false,
                rival: None,
            };
        }
        let mut scores: Vec<(u64, f64)> = stories
            .iter_mut()
            .map(|(story, members)| {
                let scores = &mut members.strengths;
                scores.sort_unstable_by(|left, right| right.total_cmp(left));
                let size: u32 = days.iter().filter_map(|day| day.stories.get(story)).sum();
                let score = scoring::story(tuning, scores, size as usize, members.another);
                (*story, score)
            })
            .collect();
        // The best first. If two are equal, the one that began earlier.
        scores
            .sort_unstable_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
        let Some((story, score)) = scores.first().copied() else {
            return Placement {
                story: None,
                similarity: 0.0,
                threshold: tuning.threshold,
                copy_of: None,
                alike: None,
                is_doubtful: false,
                rival: None,
            };
        };
        let others = scores[1..].iter().map(|(_, score)| *score);
        let threshold = scoring::threshold(tuning, others, article.time);
        let takes = |score: f64| score > 0.0 && score >= threshold;
        let joins = takes(score);
        let rival = scores.get(1).filter(|(_, score)| takes(*score));
        let members = stories.remove(&story).unwrap_or_default();
        let size: u32 = days.iter().filter_map(|day| day.stories.get(&story)).sum();
        Placement {
            story: joins.then_some(story),
            similarity: score.clamp(0.0, 1.0),
            threshold,
            copy_of: None,
            is_doubtful: joins && (members.apart > 0 || members.strengths.len() < size as usize),
            alike: members.best.map(|(_, alike)| alike),
            rival: rival.map(|(story, score)| Rival {
                story: *story,
                similarity: score.clamp(0.0, 1.0),
            }),
        }
    }

    /// Whether two stories report one event, now that an article has arrived that either would take. It is the last one
    /// in the first story.
    ///
    /// The newest members of both are compared with each other, as in [`Self::divide`]. The new article resembles both,
    /// but on its own it is not evidence that they are one, so they must also be similar without it. An outlet seldom
    /// covers one event in two stories, so if both have articles from the same outlet, they must be more similar.
    pub fn are_one(&self, one: &[Compared<'_>], other: &[Compared<'_>]) -> bool {
        let Some(newest) = one.last() else {
            return false;
        };
        let days = self.days_near(newest.time);
        let recurring = |series| days.iter().filter_map(|day| day.series.get(&series)).sum();
        let density = self.density(newest.time, &days);
        let outlets: Vec<u32> = one.iter().map(Compared::outlet).collect();
        let is_shared = |outlet: u32| outlet != 0 && outlets.contains(&outlet);
        let least = if other.iter().map(Compared::outlet).any(is_shared) {
            self.tuning.one_outlet_merged
        } else {
            self.tuning.merged
        };
        let kept: Vec<Kept> = newest_of(other)
            .map(|member| Kept::of(member.features, member.outlet(), member.time))
            .collect();
        let probability = |member: &Compared<'_>| {
            let (query, _) = self.query(member, &days);
            let near = kept
                .iter()
                .filter_map(|kept| match query.measure(kept, recurring) {
                    Some(measured) => Some(chance::probability(&measured, density)),
                    None => query.is_near(kept).then_some(0.0),
                });
            near.fold((0.0, 0_u32), |(sum, count), one| (sum + one, count + 1))
        };
        let mut members = newest_of(one).map(probability);
        let of_newest = members.next().unwrap_or_default();
        let rest = members.fold((0.0, 0), |one, other| (one.0 + other.0, one.1 + other.1));
        let holds =
            |(sum, count): (f64, u32), least: f64| count > 0 && sum >= least * f64::from(count);
        holds((of_newest.0 + rest.0, of_newest.1 + rest.1), least)
            && holds(rest, self.tuning.merged_before)
    }

    /// Which members of a story, with the newest last, report a different event from the larger part of them. `None` if
    /// all may report one event. `together` lists pairs that are one report for other reasons.
    ///
    /// What the members have in common is assessed against the articles around the newest one, which are in the index
    /// whenever that one is placed. So the answer depends on the same articles as its placement.
    pub fn divide(
        &self,
        members: &[Compared<'_>],
        together: &[(usize, usize)],
    ) -> Option<Vec<usize>> {
        let time = members.last()?.time;
        if !self.tuning.divides || members.len() > division::LARGEST || time.is_none() {
            return None;
        }
        let days = self.days_near(time);
        let recurring = |series| days.iter().filter_map(|day| day.series.get(&series)).sum();
        let density = self.density(time, &days);
        let mut bonds = Bonds::new(members.len());
        let kept: Vec<Kept> = members
            .iter()
            .map(|member| Kept::of(member.features, member.outlet(), member.time))
            .collect();
        for (later, member) in members.iter().enumerate() {
            let (query, _) = self.query(member, &days);
            for (earlier, kept) in kept[..later].iter().enumerate() {
                let probability = match query.measure(kept, recurring) {
                    Some(measured) => Some(chance::probability(&measured, density)),
                    // Without shared words there is nothing to measure.
                    None => query.is_near(kept).then_some(0.0),
                };
                bonds.set(earlier, later, probability);
            }
        }
        for (left, right) in together {
            bonds.set(*left, *right, Some(1.0));
        }
        bonds.divide(self.tuning.apart)
    }

    /// Moves an article, published at `time`, to another story.
    pub fn reassign(&mut self, number: u64, time: Option<Timestamp>, story: u64) {
        let Some(day) = self.days.get_mut(&time.map(Timestamp::day)) else {
            return;
        };
        for slot in &day.slots {
            let Some(entry) = self.entries[*slot as usize].as_mut() else {
                continue;
            };
            if entry.article != number || entry.story == story {
                continue;
            }
            if let Some(count) = day.stories.get_mut(&entry.story) {
                *count -= 1;
                if *count == 0 {
                    day.stories.remove(&entry.story);
                }
            }
            *day.stories.entry(story).or_default() += 1;
            entry.story = story;
        }
    }

    /// To what extent the articles near in time report the same events, or zero if the time is unknown.
    fn density(&self, time: Option<Timestamp>, days: &[&Day]) -> f64 {
        if time.is_none() {
            return 0.0;
        }
        let articles = days.iter().map(|day| day.slots.len()).sum();
        let stories = days.iter().map(|day| day.stories.len()).sum();
        chance::density(&self.tuning, articles, stories)
    }

    /// What an article has in common with each article that it is compared with.
    pub fn measure(&self, article: Compared<'_>) -> Vec<(u64, Measured)> {
        let days = self.days_near(article.time);
        let (query, candidates) = self.query(&article, &days);
        let recurring = |series| days.iter().filter_map(|day| day.series.get(&series)).sum();
        let entries = candidates
            .into_iter()
            .filter_map(|slot| self.entries[slot as usize].as_ref());
        let measured =
            |entry: &Entry| Some((entry.article, query.measure(&entry.kept, recurring)?));
        entries.filter_map(measured).collect()
    }

    /// The article prepared for comparison, and the slots of those that share heavy terms with it, most promising
    /// first.
    fn query<'a>(&self, article: &Compared<'a>, days: &[&Day]) -> (Query<'a>, Vec<u32>) {
        let count = days.iter().map(|day| day.stories.len()).sum();
        let frequency = |term| self.spread(term, days);
        let outlet = article.outlet();
        let mut query = Query::new(article.features, outlet, article.time, count, frequency);
        let (candidates, of_outlet) = self.candidates(&query, days);
        if outlet != 0 && self.tuning.boilerplate {
            let articles = days.iter().filter_map(|day| day.outlets.get(&outlet)).sum();
            query.discount(&of_outlet, articles);
        }
        (query, candidates)
    }

    /// The number of stories that a term is spread over, estimated from its newest postings. Words used in one large
    /// story are not common just for that reason.
    fn spread(&self, term: u32, days: &[&Day]) -> usize {
        let lists = days.iter().filter_map(|day| day.postings.get(&term));
        let count: usize = lists.clone().map(Vec::len).sum();
        let newest = lists.rev().flat_map(|list| list.iter().rev()).take(SAMPLE);
        let mut stories: Vec<u64> = newest
            .filter_map(|slot| self.entries[*slot as usize].as_ref())
            .map(|entry| entry.story)
            .collect();
        let sampled = stories.len().max(1);
        stories.sort_unstable();
        stories.dedup();
        (count * stories.len()).div_ceil(sampled)
    }

    /// Adds an article to a story (its own number if it founds one).
    pub fn insert(&mut self, number: u64, story: u64, article: Compared<'_>) {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.entries.push(None);
            self.entries.len() as u32 - 1
        });
        let kept = Kept::of(article.features, article.outlet(), article.time);
        let day = self
            .days
            .entry(article.time.map(Timestamp::day))
            .or_default();
        day.slots.push(slot);
        *day.stories.entry(story).or_default() += 1;
        let (outlet, pattern) = kept.series();
        if outlet != 0 {
            *day.outlets.entry(outlet).or_default() += 1;
            if pattern != 0 {
                *day.series.entry((outlet, pattern)).or_default() += 1;
            }
        }
        for (term, _) in scoring::heaviest(article.features, self.tuning.posted) {
            day.postings.entry(term).or_default().push(slot);
        }
        self.entries[slot as usize] = Some(Entry {
            article: number,
            story,
            kept,
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

    /// The days that hold articles near in time, or all of them if the time is unknown.
    fn days_near(&self, time: Option<Timestamp>) -> Vec<&Day> {
        let Some(time) = time else {
            return self.days.values().collect();
        };
        let (first, last) = (time.plus_ms(-REACH_MS).day(), time.plus_ms(REACH_MS).day());
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

    /// The slots that share heavy terms with the query, most promising first, and how many articles from its outlet
    /// contain each of its terms.
    fn candidates(&self, query: &Query<'_>, days: &[&Day]) -> (Vec<u32>, Vec<u32>) {
        let mut of_outlet = vec![0; query.terms.len()];
        let mut terms: Vec<(usize, u32, f32)> = query
            .terms
            .iter()
            .enumerate()
            .map(|(at, own)| (at, own.term, own.weight * own.weight * own.left))
            .collect();
        terms.sort_unstable_by(|left, right| right.2.total_cmp(&left.2).then(left.1.cmp(&right.1)));
        terms.truncate(self.tuning.asked);
        let mut sums: FxHashMap<u32, f32> = FxHashMap::default();
        let mut visited = 0;
        for (at, term, weight) in &terms {
            let lists: Vec<&Vec<u32>> = days
                .iter()
                .filter_map(|day| day.postings.get(term))
                .collect();
            let length: usize = lists.iter().map(|list| list.len()).sum();
            // A term in thousands of articles finds nothing that rarer terms do not find. If there are no rarer terms,
            // it is all there is.
            if visited + length > POSTINGS && !sums.is_empty() {
                continue;
            }
            visited += length;
            for slot in lists.into_iter().flatten() {
                *sums.entry(*slot).or_default() += weight;
                let entry = self.entries[*slot as usize].as_ref();
                let (outlet, _) = entry.map_or((0, 0), |entry| entry.kept.series());
                of_outlet[*at] += u32::from(outlet == query.outlet());
            }
        }
        let mut found: Vec<(u32, f32)> = sums.into_iter().collect();
        // By number, not by slot, because an article's slot depends on what was forgotten before it.
        let number = |slot: u32| {
            self.entries[slot as usize]
                .as_ref()
                .map(|entry| entry.article)
        };
        let better = |left: &(u32, f32), right: &(u32, f32)| {
            let by_number = || number(left.0).cmp(&number(right.0));
            right.1.total_cmp(&left.1).then_with(by_number)
        };
        if found.len() > self.tuning.candidates {
            found.select_nth_unstable_by(self.tuning.candidates, better);
            found.truncate(self.tuning.candidates);
        }
        found.sort_unstable_by(better);
        let slots = found.into_iter().map(|(slot, _)| slot).collect();
        (slots, of_outlet)
    }
}

/// The most recent members of a story.
fn newest_of<'a, 'f>(members: &'a [Compared<'f>]) -> impl Iterator<Item = &'a Compared<'f>> {
    members.iter().rev().take(MERGED)
}

#[cfg(test)]
mod tests;

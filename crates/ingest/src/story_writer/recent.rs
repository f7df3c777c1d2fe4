//! The stories of the days around the articles that are being published, kept in memory.
//!
//! What is kept is read from the store and limited: days by their number and by the number of articles in them, stories
//! by their number.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use model::{Annotations, Article, Brief, Timestamp};
use store::{NewsTransaction, Store};
use text::stories::{Compared, Placement, StoryIndex};

use super::Prepared;
use super::part::Told;
use crate::error::Result;
use crate::velocity::Velocity;

/// Articles this many days apart never belong to one story (72 hours).
const REACH_DAYS: i64 = 3;
/// Days kept in memory; the least recently used go first.
const MOST_DAYS: usize = 60;
/// Articles kept in memory, some 100 MiB. Above this number days are dropped before [`MOST_DAYS`] is reached, but never
/// those around one article.
const MOST_ARTICLES: usize = 100_000;
/// Days around one article.
const LEAST_DAYS: usize = 2 * REACH_DAYS as usize + 1;
/// A story takes no more articles than this: if it goes on longer, it continues in another brief.
const LARGEST_STORY: usize = 200;
/// Stories whose articles are kept in memory for the next revision.
const MOST_STORIES: usize = 400;

/// The stories in memory.
pub(super) struct RecentStories {
    index: StoryIndex,
    velocity: Velocity,
    /// Loaded days and when each was last needed.
    days: BTreeMap<i64, u64>,
    uses: u64,
    seen: i64,
    /// How often the store had removed old news when the first of the days was loaded.
    pruned: i64,
    materials: HashMap<i64, Material>,
}

/// A story with everything its next revision needs.
pub(super) struct Material {
    pub(super) articles: Vec<Told>,
    pub(super) brief: Arc<Brief>,
    /// When this revision became known.
    pub(super) known_from: Timestamp,
    pub(super) trending_at: Option<Timestamp>,
    used: u64,
}

impl Material {
    pub(super) fn began(&self) -> Option<Timestamp> {
        let published = self.articles.iter();
        published.map(|told| told.stored.article.published_at).min()
    }

    fn has_room(&self) -> bool {
        self.articles.len() < LARGEST_STORY
    }
}

impl Default for RecentStories {
    fn default() -> Self {
        Self {
            index: StoryIndex::new(),
            velocity: Velocity::default(),
            days: BTreeMap::new(),
            uses: 0,
            seen: 0,
            pruned: 0,
            materials: HashMap::new(),
        }
    }
}

impl RecentStories {
    /// How often the store had removed old news when the first of the days was loaded.
    pub(super) fn pruned(&self) -> i64 {
        self.pruned
    }

    /// Finds the story that an article belongs to.
    pub(super) fn place(&self, article: &Article, annotations: &Annotations) -> Placement {
        self.index.place(compared(article, annotations))
    }

    /// Which articles of a story, of which the newest is last, report a different event from the majority.
    pub(super) fn divide(&self, articles: &[Told]) -> Option<Vec<usize>> {
        let members = all_compared(articles);
        // A copy stays with its original, and a stand-in with its article.
        let mut together = Vec::new();
        for (later, Told { stored, .. }) in articles.iter().enumerate() {
            for (earlier, Told { stored: other, .. }) in articles.iter().enumerate() {
                let is_one = stored.copy_of == Some(other.article.id)
                    || stored.article.is_stand_in()
                        && stored.article.is_replaced_by(&other.article);
                if earlier != later && is_one {
                    together.push((earlier, later));
                }
            }
        }
        self.index.divide(&members, &together)
    }

    /// Whether two stories report one event, judging by the newest article, which is the last of the first story.
    pub(super) fn are_one(&self, one: &[Told], other: &[Told]) -> bool {
        one.len() + other.len() <= LARGEST_STORY
            && self.index.are_one(&all_compared(one), &all_compared(other))
    }

    /// Moves an article to another story.
    pub(super) fn reassign(&mut self, seq: i64, published_at: Timestamp, story: i64) {
        self.index
            .reassign(seq as u64, Some(published_at), story as u64);
        self.velocity.reassign(seq, published_at, story);
    }

    /// Adds an article that was stored under the number `seq`.
    pub(super) fn insert(
        &mut self,
        seq: i64,
        story: i64,
        article: &Article,
        annotations: &Annotations,
    ) {
        self.seen = self.seen.max(seq);
        self.index
            .insert(seq as u64, story as u64, compared(article, annotations));
        self.velocity
            .note(seq, story, &article.domain, article.published_at);
    }

    /// Whether a story is trending.
    pub(super) fn trends(&self, story: i64, at: Timestamp) -> bool {
        self.velocity.trends(story, at)
    }

    /// Keeps a story for its next revision.
    pub(super) fn keep(
        &mut self,
        story: i64,
        articles: Vec<Told>,
        (brief, known_from): (Arc<Brief>, Timestamp),
        trending_at: Option<Timestamp>,
    ) {
        self.uses += 1;
        self.materials.insert(
            story,
            Material {
                articles,
                brief,
                known_from,
                trending_at,
                used: self.uses,
            },
        );
    }

    pub(super) fn put_back(&mut self, story: i64, material: Option<Material>) {
        if let Some(material) = material {
            self.materials.insert(story, material);
        }
    }

    /// The story, to be put back with one more article; `None` if it takes no more.
    pub(super) async fn take_material(
        &mut self,
        transaction: &mut NewsTransaction,
        story: i64,
    ) -> Result<Option<Material>> {
        if !self.materials.contains_key(&story) {
            let Some(current) = transaction.current_brief(story).await? else {
                return Ok(None);
            };
            let articles = transaction.story_articles(story).await?;
            let material = Material {
                articles: articles.into_iter().map(Told::new).collect(),
                brief: current.brief,
                known_from: current.known_from,
                trending_at: current.trending_at,
                used: self.uses,
            };
            self.materials.insert(story, material);
        }
        let has_room = self.materials.get(&story).is_some_and(Material::has_room);
        Ok(if has_room {
            self.materials.remove(&story)
        } else {
            None
        })
    }

    /// Reads the days around a batch that are not yet in memory.
    pub(super) async fn load_days(&mut self, store: &Store, batch: &[Prepared]) -> Result<()> {
        self.uses += 1;
        let days: HashSet<i64> = batch
            .iter()
            .map(|prepared| prepared.article.published_at.day())
            .flat_map(|day| day - REACH_DAYS..=day + REACH_DAYS)
            .collect();
        let mut missing: Vec<i64> = days
            .iter()
            .copied()
            .filter(|day| !self.days.contains_key(day))
            .collect();
        missing.sort_unstable();
        if self.seen == 0 && self.days.is_empty() {
            let mut transaction = store.news_transaction().await?;
            self.seen = transaction.last_seq().await?;
            self.pruned = transaction.pruned();
        }
        for day in missing {
            for stored in store.articles().of_days(day, day).await? {
                if stored.seq <= self.seen {
                    self.remember(&stored);
                }
            }
            self.days.insert(day, self.uses);
        }
        for day in days {
            self.days.insert(day, self.uses);
        }
        Ok(())
    }

    /// Adds what other processes have published since then.
    pub(super) async fn catch_up(&mut self, transaction: &mut NewsTransaction) -> Result<()> {
        let last = transaction.last_seq().await?;
        if last <= self.seen {
            return Ok(());
        }
        for stored in transaction.articles_since(self.seen).await? {
            self.materials.remove(&stored.story);
            if self.days.contains_key(&stored.published_at.day()) {
                self.remember(&stored);
            }
        }
        for moved in transaction.moved_since(self.seen).await? {
            self.materials.remove(&moved.left);
            self.materials.remove(&moved.story);
            self.reassign(moved.seq, moved.published_at, moved.story);
        }
        self.seen = last;
        Ok(())
    }

    fn remember(&mut self, stored: &store::ArticleFeatures) {
        self.index.insert(
            stored.seq as u64,
            stored.story as u64,
            Compared {
                features: &stored.features,
                domain: &stored.domain,
                time: Some(stored.published_at),
            },
        );
        self.velocity.note(
            stored.seq,
            stored.story,
            &stored.domain,
            stored.published_at,
        );
    }

    pub(super) fn forget_everything(&mut self) {
        self.index = StoryIndex::new();
        self.velocity = Velocity::default();
        self.days.clear();
        self.materials.clear();
        self.seen = 0;
    }

    /// Keeps memory bounded between transactions.
    pub(super) fn tidy(&mut self) {
        while is_crowded(self.days.len(), self.velocity.len()) {
            let Some((&oldest, _)) = self.days.iter().min_by_key(|(day, used)| (**used, **day))
            else {
                break;
            };
            self.days.remove(&oldest);
            self.index.forget_day(oldest);
            self.velocity.forget_day(oldest);
        }
        if self.materials.len() > MOST_STORIES {
            let mut used: Vec<u64> = self
                .materials
                .values()
                .map(|material| material.used)
                .collect();
            used.sort_unstable();
            let limit = used[used.len() - MOST_STORIES / 2];
            self.materials.retain(|_, material| material.used >= limit);
        }
    }
}

fn compared<'a>(article: &'a Article, annotations: &'a Annotations) -> Compared<'a> {
    Compared {
        features: &annotations.features,
        domain: &article.domain,
        time: Some(article.published_at),
    }
}

fn all_compared(articles: &[Told]) -> Vec<Compared<'_>> {
    let articles = articles.iter().map(|told| &told.stored);
    articles
        .map(|stored| compared(&stored.article, &stored.annotations))
        .collect()
}

/// Whether days have to be dropped.
fn is_crowded(days: usize, articles: usize) -> bool {
    days > MOST_DAYS || (days > LEAST_DAYS && articles > MOST_ARTICLES)
}

/// As many articles of a batch as span no more days than are kept. A feed may date its items as it likes, and each date
/// loads all articles of its days into memory.
pub(super) fn near_in_time(batch: &[Prepared]) -> &[Prepared] {
    let mut days: HashSet<i64> = HashSet::new();
    let end = batch.iter().position(|prepared| {
        let day = prepared.article.published_at.day();
        days.extend(day - REACH_DAYS..=day + REACH_DAYS);
        days.len() > MOST_DAYS
    });
    // The first article alone spans fewer days.
    &batch[..end.unwrap_or(batch.len())]
}

#[cfg(test)]
mod tests {
    use text::clean::{Arrival, clean};

    use super::*;

    fn of_day(day: i64) -> Prepared {
        let raw = model::RawArticle {
            url: format!("https://a.test/{day}"),
            title: format!("Rates rise on day {day} of the year"),
            published_at: Some(Timestamp::start_of_day(day)),
            ..model::RawArticle::default()
        };
        let now = Timestamp::start_of_day(20_000);
        let article = clean(&raw, now, Arrival::Backfill).unwrap();
        let annotations = text::annotate::annotate(&article, &[]);
        Prepared::new(article, annotations)
    }

    #[test]
    fn items_of_many_dates_load_no_more_days_than_are_kept() {
        let batch: Vec<Prepared> = (0..100).map(|item| of_day(18_000 + item * 10)).collect();
        let days = |batch: &[Prepared]| batch.len() * LEAST_DAYS;
        let first = near_in_time(&batch);
        assert_eq!(first.len(), MOST_DAYS / LEAST_DAYS);
        assert!(days(first) <= MOST_DAYS);
        assert_eq!(near_in_time(&batch[..1]).len(), 1);
        let near: Vec<Prepared> = (0..100).map(|item| of_day(18_000 + item % 3)).collect();
        assert_eq!(near_in_time(&near).len(), 100);
    }

    #[test]
    fn days_go_when_there_are_too_many_articles() {
        assert!(is_crowded(MOST_DAYS + 1, 0));
        assert!(!is_crowded(MOST_DAYS, MOST_ARTICLES));
        assert!(is_crowded(LEAST_DAYS + 1, MOST_ARTICLES + 1));
        assert!(!is_crowded(LEAST_DAYS, MOST_ARTICLES + 1));
    }
}

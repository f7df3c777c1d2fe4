//! The story writer: an annotated article joins its story and the brief of that story is rewritten.
//!
//! What the story writer holds in memory is a pure function of the stored articles of the days around those that it works on, so
//! a restart, or another process that publishes too, comes to the same stories. Everything that one article changes is
//! written in one transaction of the store; a transaction takes only as many articles as fit into a short write transaction. Where
//! the store has removed old news, everything is forgotten and read again.

mod counted;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use model::{
    Annotations, Article, Brief, BriefId, BriefSource, OutboxKind, PublicBriefId, Timestamp,
};
use store::{NewArticle, NewsTransaction, Store, StoredArticle};
use text::compose::{Composition, Member, compose};
use text::stories::StoryIndex;
use uuid::Uuid;

use crate::error::Result;
use crate::listings::ListingNames;
use crate::outlets::OutletTable;
use crate::velocity::Velocity;

/// Articles this many days apart are never one story (72 hours).
const REACH_DAYS: i64 = 3;
/// Days kept in memory; the least recently used go first.
const MOST_DAYS: usize = 60;
/// Articles kept in memory, some 100 MiB; beyond them days go before [`MOST_DAYS`] is reached, but never those around one
/// article.
const MOST_ARTICLES: usize = 100_000;
/// Days around one article.
const LEAST_DAYS: usize = 2 * REACH_DAYS as usize + 1;
/// A transaction is closed after this time, so that other writers wait no longer than 50 ms.
const TRANSACTION_TIME: Duration = Duration::from_millis(25);
/// A story takes no more articles than this: what goes on longer continues in another brief.
const LARGEST_STORY: usize = 200;
/// Stories whose articles are kept at hand for the next revision.
const MOST_STORIES: usize = 400;

/// An article that was read and waits to be published.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The article.
    pub article: Article,
    /// What reading it found.
    pub annotations: Annotations,
}

/// What publishing a batch did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Articles stored.
    pub articles: u64,
    /// Articles whose address was stored already; nothing was changed for them.
    pub known: u64,
    /// Stored articles that are near copies of another one.
    pub copies: u64,
    /// First publications.
    pub briefs: u64,
    /// Revisions of briefs that were there.
    pub revisions: u64,
    /// Revisions that correct a key fact.
    pub corrections: u64,
    /// Stories that began to trend.
    pub trending: u64,
    /// Articles that could not be published because of a fault of ours; they are not stored, their neighbours are.
    pub failed: u64,
}

impl Outcome {
    /// Adds another batch.
    pub fn add(&mut self, other: Self) {
        self.articles += other.articles;
        self.known += other.known;
        self.copies += other.copies;
        self.briefs += other.briefs;
        self.revisions += other.revisions;
        self.corrections += other.corrections;
        self.trending += other.trending;
        self.failed += other.failed;
    }
}

/// How the brief of a story is written: [`compose`], or what a test wants.
pub(crate) type Compose = fn(&[Member<'_>], Option<&Brief>) -> Composition;

/// The live stories, and the way into the store.
pub(crate) struct StoryWriter {
    store: Store,
    outlets: Arc<OutletTable>,
    listings: ListingNames,
    index: StoryIndex,
    velocity: Velocity,
    /// Loaded days and when each was last needed.
    days: BTreeMap<i64, u64>,
    uses: u64,
    seen: i64,
    /// How often the store had removed old news when the first of the days was loaded.
    pruned: i64,
    materials: HashMap<i64, Material>,
    compose: Compose,
}

/// A story at hand.
struct Material {
    articles: Vec<StoredArticle>,
    brief: Arc<Brief>,
    trending_at: Option<Timestamp>,
    used: u64,
}

impl Material {
    fn began(&self) -> Option<Timestamp> {
        let published = self.articles.iter();
        published.map(|stored| stored.article.published_at).min()
    }

    fn has_room(&self) -> bool {
        self.articles.len() < LARGEST_STORY
    }
}

impl StoryWriter {
    pub(crate) fn new(store: Store, outlets: Arc<OutletTable>) -> Self {
        Self {
            store,
            outlets,
            listings: ListingNames::default(),
            index: StoryIndex::new(),
            velocity: Velocity::default(),
            days: BTreeMap::new(),
            uses: 0,
            seen: 0,
            pruned: 0,
            materials: HashMap::new(),
            compose,
        }
    }

    /// The same with another way to write briefs.
    pub(crate) fn composing_with(mut self, compose: Compose) -> Self {
        self.compose = compose;
        self
    }

    /// Another story writer of the same publisher that knows nothing yet.
    pub(crate) fn sibling(&self) -> Self {
        Self::new(self.store.clone(), Arc::clone(&self.outlets)).composing_with(self.compose)
    }

    /// Publishes a batch in its order. After an error the articles of the failed transaction are not stored, those before are.
    pub(crate) async fn publish(
        &mut self,
        batch: &mut [Prepared],
        recorded_at: Timestamp,
    ) -> Result<Outcome> {
        self.listings.refresh(&self.store).await?;
        for prepared in &mut *batch {
            self.listings
                .link(&prepared.article, &mut prepared.annotations);
        }
        let mut outcome = Outcome::default();
        let mut rest = &*batch;
        while !rest.is_empty() {
            match self.publish_some(rest, recorded_at).await {
                Ok((taken, of_transaction)) => {
                    outcome.add(of_transaction);
                    rest = &rest[taken..];
                }
                Err(error) => {
                    self.forget_everything();
                    return Err(error);
                }
            }
        }
        Ok(outcome)
    }

    /// Publishes as many articles as fit into one transaction; at least one.
    async fn publish_some(
        &mut self,
        batch: &[Prepared],
        recorded_at: Timestamp,
    ) -> Result<(usize, Outcome)> {
        let batch = near_in_time(&batch[..batch.len().min(128)]);
        let mut transaction = self.begin(batch).await?;
        let started = Instant::now();
        self.catch_up(&mut transaction).await?;
        // A feed's stand-in is known where the article under its address is.
        let urls: Vec<&str> = batch
            .iter()
            .flat_map(|prepared| [prepared.article.url.as_str(), prepared.article.link()])
            .collect();
        let mut known: HashSet<String> = transaction.known(&urls).await?;
        let mut outcome = Outcome::default();
        let mut taken = 0;
        for prepared in batch {
            taken += 1;
            let article = &prepared.article;
            if known.contains(article.link()) || !known.insert(article.url.clone()) {
                outcome.known += 1;
                continue;
            }
            self.publish_one(&mut transaction, prepared, recorded_at, &mut outcome)
                .await?;
            if started.elapsed() >= TRANSACTION_TIME {
                break;
            }
        }
        transaction.commit().await?;
        self.tidy();
        Ok((taken, outcome))
    }

    /// A transaction, with the days around a batch in memory.
    async fn begin(&mut self, batch: &[Prepared]) -> Result<NewsTransaction> {
        self.load_days(batch).await?;
        let transaction = self.store.news_transaction().await?;
        if transaction.pruned() == self.pruned {
            return Ok(transaction);
        }
        // Days are long to read: not while all publishers wait.
        drop(transaction);
        self.forget_everything();
        self.load_days(batch).await?;
        // News that went since then is forgotten before the next transaction, else a long removal would keep publishing from ever
        // getting the lock. Nothing joins it: the articles of a story are read from this transaction.
        Ok(self.store.news_transaction().await?)
    }

    async fn publish_one(
        &mut self,
        transaction: &mut NewsTransaction,
        prepared: &Prepared,
        recorded_at: Timestamp,
        outcome: &mut Outcome,
    ) -> Result<()> {
        let Prepared {
            article,
            annotations,
        } = prepared;
        let placement = self
            .index
            .place(&annotations.features, Some(article.published_at));
        let joined = placement.story.map(|story| story as i64);
        let mut material = match joined {
            Some(story) => self.take_material(transaction, story).await?,
            None => None,
        };
        let began = material.as_ref().and_then(Material::began);
        let placement = placement.for_story_since(began, Some(article.published_at));
        if let (Some(story), None) = (joined, placement.story) {
            self.put_back(story, material.take());
        }
        let story = if material.is_some() { joined } else { None };
        let copy_of = material.as_ref().and_then(|material| {
            let copied = placement.copy_of? as i64;
            material
                .articles
                .iter()
                .find(|stored| stored.seq == copied)
                .map(|stored| stored.article.id)
        });
        let brief_id = material
            .as_ref()
            .map_or_else(|| brief_id_of(article), |material| material.brief.id);
        let seq = transaction
            .insert_article(NewArticle {
                article,
                annotations,
                brief: brief_id,
                story,
                copy_of,
                recorded_at,
            })
            .await?;
        self.seen = self.seen.max(seq);
        let story = story.unwrap_or(seq);
        self.index.insert(
            seq as u64,
            story as u64,
            &annotations.features,
            Some(article.published_at),
        );
        self.velocity
            .note(seq, story, &article.domain, article.published_at);

        let mut articles = material
            .as_mut()
            .map_or_else(Vec::new, |material| std::mem::take(&mut material.articles));
        articles.push(StoredArticle {
            seq,
            article: article.clone(),
            annotations: annotations.clone(),
            brief: brief_id,
            story,
            copy_of,
            recorded_at,
        });
        let previous = material
            .as_ref()
            .map(|material| Arc::clone(&material.brief));
        let public_id = match &previous {
            Some(brief) => brief.public_id.clone(),
            None => PublicBriefId::new(
                article.known_at,
                transaction.next_public_number(&article.known_at).await?,
            ),
        };
        let (brief, corrects) = self.write(brief_id, public_id, &articles, previous.as_deref());
        let kind = match &previous {
            None => OutboxKind::BriefPublished,
            Some(_) if corrects => OutboxKind::BriefCorrected,
            Some(_) => OutboxKind::BriefUpdated,
        };
        transaction
            .insert_revision(&brief, story, brief.updated_at, recorded_at, kind)
            .await?;

        outcome.articles += 1;
        outcome.copies += u64::from(copy_of.is_some());
        match kind {
            OutboxKind::BriefPublished => outcome.briefs += 1,
            _ => outcome.revisions += 1,
        }
        outcome.corrections += u64::from(kind == OutboxKind::BriefCorrected);

        let mut trending_at = material.as_ref().and_then(|material| material.trending_at);
        let recently =
            trending_at.is_some_and(|at| article.known_at.since_ms(at) < 6 * Timestamp::HOUR_MS);
        if !recently && brief.source_count >= 4 && self.velocity.trends(story, article.published_at)
        {
            transaction
                .mark_trending(brief.id, brief.revision, article.known_at)
                .await?;
            trending_at = Some(article.known_at);
            outcome.trending += 1;
        }
        self.uses += 1;
        self.materials.insert(
            story,
            Material {
                articles,
                brief: Arc::new(brief),
                trending_at,
                used: self.uses,
            },
        );
        Ok(())
    }

    /// The brief of a story from its articles, with the identity of the previous revision, and whether it corrects that.
    fn write(
        &self,
        id: BriefId,
        public_id: PublicBriefId,
        articles: &[StoredArticle],
        previous: Option<&Brief>,
    ) -> (Brief, bool) {
        let counted = counted::counted(articles);
        let index_of: HashMap<_, _> = counted
            .iter()
            .enumerate()
            .map(|(at, (stored, _))| (stored.article.id, at))
            .collect();
        let members: Vec<Member<'_>> = counted
            .iter()
            .map(|(stored, copied)| Member {
                article: &stored.article,
                annotations: &stored.annotations,
                trust: self.outlets.trust(&stored.article.domain),
                copy_of: copied.and_then(|copied| index_of.get(&copied).copied()),
            })
            .collect();
        let Composition {
            headline,
            summary,
            body,
            sentences,
            category,
            confidence,
            bias,
            counter_argument,
            source_count,
            sentiment,
            tags,
            entities,
            events,
            data_points,
            contradictions,
            language,
            corrects_previous,
        } = (self.compose)(&members, previous);
        let sources = members
            .iter()
            .map(|member| BriefSource {
                article_id: member.article.id,
                name: self
                    .outlets
                    .name(&member.article.domain)
                    .unwrap_or(&member.article.outlet)
                    .to_owned(),
                url: member.article.link().to_owned(),
                domain: member.article.domain.clone(),
                trust_level: member.trust,
                title: member.article.title.clone(),
                published_at: member.article.published_at,
                known_at: member.article.known_at,
                copy_of: member.copy_of.map(|at| at as u32),
                via: member.article.via.clone(),
            })
            .collect();
        let first = members
            .iter()
            .map(|member| member.article.published_at)
            .min();
        let last = members.iter().map(|member| member.article.known_at).max();
        let brief = Brief {
            id,
            public_id,
            revision: articles.len() as u32,
            headline,
            summary,
            body,
            sentences,
            category,
            published_at: first.unwrap_or_default(),
            updated_at: last.unwrap_or_default(),
            confidence,
            bias,
            counter_argument,
            sources,
            source_count,
            update_count: articles.len() as u32 - 1,
            sentiment,
            tags,
            entities,
            events,
            data_points,
            contradictions,
            language,
            simulated: members.iter().all(|member| member.article.simulated),
        };
        (brief, corrects_previous)
    }

    fn put_back(&mut self, story: i64, material: Option<Material>) {
        if let Some(material) = material {
            self.materials.insert(story, material);
        }
    }

    /// The story at hand, to be put back with one more article; `None` where it takes no more.
    async fn take_material(
        &mut self,
        transaction: &mut NewsTransaction,
        story: i64,
    ) -> Result<Option<Material>> {
        if !self.materials.contains_key(&story) {
            let Some(current) = transaction.current_brief(story).await? else {
                return Ok(None);
            };
            let material = Material {
                articles: transaction.story_articles(story).await?,
                brief: current.brief,
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

    /// Reads the days around a batch that are not in memory yet.
    async fn load_days(&mut self, batch: &[Prepared]) -> Result<()> {
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
            let mut transaction = self.store.news_transaction().await?;
            self.seen = transaction.last_seq().await?;
            self.pruned = transaction.pruned();
        }
        for day in missing {
            for stored in self.store.articles().of_days(day, day).await? {
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

    /// Takes in what other processes published since.
    async fn catch_up(&mut self, transaction: &mut NewsTransaction) -> Result<()> {
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
        self.seen = last;
        Ok(())
    }

    fn remember(&mut self, stored: &store::ArticleFeatures) {
        self.index.insert(
            stored.seq as u64,
            stored.story as u64,
            &stored.features,
            Some(stored.published_at),
        );
        self.velocity.note(
            stored.seq,
            stored.story,
            &stored.domain,
            stored.published_at,
        );
    }

    fn forget_everything(&mut self) {
        self.index = StoryIndex::new();
        self.velocity = Velocity::default();
        self.days.clear();
        self.materials.clear();
        self.seen = 0;
    }

    /// Keeps memory bounded between transactions.
    fn tidy(&mut self) {
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

/// Whether days have to go.
fn is_crowded(days: usize, articles: usize) -> bool {
    days > MOST_DAYS || (days > LEAST_DAYS && articles > MOST_ARTICLES)
}

/// As many articles of a batch as are of no more days than are kept: a feed may date its items as it likes, and each date
/// brings all articles of its days into memory.
fn near_in_time(batch: &[Prepared]) -> &[Prepared] {
    let mut days: HashSet<i64> = HashSet::new();
    let end = batch.iter().position(|prepared| {
        let day = prepared.article.published_at.day();
        days.extend(day - REACH_DAYS..=day + REACH_DAYS);
        days.len() > MOST_DAYS
    });
    // The first article alone is of fewer days.
    &batch[..end.unwrap_or(batch.len())]
}

/// The identity of the brief that an article founds: derived from the article's, so the same input gives the same brief.
fn brief_id_of(article: &Article) -> BriefId {
    let mut bytes = *article.id.0.as_bytes();
    for byte in &mut bytes[9..] {
        *byte ^= 0xb5;
    }
    BriefId(Uuid::from_bytes(bytes))
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
        Prepared {
            article,
            annotations,
        }
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

//! The story writer: an annotated article joins its story and the brief of that story is rewritten.
//!
//! What the story writer holds in memory is a pure function of the stored articles of the days around those that it
//! works on, so a restart, or another process that publishes too, comes to the same stories. Everything that one
//! article changes is written in one transaction of the store, which takes only as many articles as keep it short.
//! Where the store has removed old news, everything is forgotten and read again.

mod brief;
mod counted;
mod recent;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use model::{
    Annotations, Article, Brief, BriefId, Joined, OutboxKind, OutletTable, PublicBriefId, Timestamp,
};
use store::{NewArticle, NewsTransaction, Store, StoredArticle};
use text::compose::{Composition, Member, compose};
use uuid::Uuid;

use crate::error::Result;
use crate::listings::ListingNames;

use recent::{Material, RecentStories, near_in_time};

/// A transaction is closed after this time, so that other writers wait no longer than 50 ms.
const TRANSACTION_TIME: Duration = Duration::from_millis(25);

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
    /// Articles that could not be published because of a bug; they are not stored, their neighbours are.
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

/// The recent stories, and the way into the store.
pub(crate) struct StoryWriter {
    store: Store,
    outlets: Arc<OutletTable>,
    listings: ListingNames,
    recent: RecentStories,
    compose: Compose,
}

impl StoryWriter {
    pub(crate) fn new(store: Store, outlets: Arc<OutletTable>) -> Self {
        Self {
            store,
            outlets,
            listings: ListingNames::default(),
            recent: RecentStories::default(),
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

    /// Publishes a batch in its order. After an error the articles of the failed transaction are not stored, those
    /// before are.
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
                    self.recent.forget_everything();
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
        self.recent.catch_up(&mut transaction).await?;
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
        self.recent.tidy();
        Ok((taken, outcome))
    }

    /// A transaction, with the days around a batch in memory.
    async fn begin(&mut self, batch: &[Prepared]) -> Result<NewsTransaction> {
        self.recent.load_days(&self.store, batch).await?;
        let transaction = self.store.news_transaction().await?;
        if transaction.pruned() == self.recent.pruned() {
            return Ok(transaction);
        }
        // Days are long to read: not while all publishers wait.
        drop(transaction);
        self.recent.forget_everything();
        self.recent.load_days(&self.store, batch).await?;
        // News that went since then is forgotten before the next transaction, else a long removal would keep publishing
        // from ever getting the lock. Nothing joins it: the articles of a story are read from this transaction.
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
        let placement = self.recent.place(article, annotations);
        let joined = placement.story.map(|story| story as i64);
        let mut material = match joined {
            Some(story) => self.recent.take_material(transaction, story).await?,
            None => None,
        };
        let began = material.as_ref().and_then(Material::began);
        let placement = placement.for_story_since(began, Some(article.published_at));
        if let (Some(story), None) = (joined, placement.story) {
            self.recent.put_back(story, material.take());
        }
        let story = if material.is_some() { joined } else { None };
        let member = |number: u64| {
            let mut articles = material.as_ref()?.articles.iter();
            let found = articles.find(|stored| stored.seq == number as i64)?;
            Some(found.article.id)
        };
        let copy_of = placement.copy_of.and_then(member);
        let because = placement.alike.and_then(|alike| {
            Some(Joined {
                alike: member(alike.article)?,
                probability: thousandths(alike.probability as f32),
                score: thousandths(placement.similarity as f32),
                threshold: thousandths(placement.threshold as f32),
                measured: alike.measured.map(thousandths).to_vec(),
            })
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
                joined: because.as_ref(),
                recorded_at,
            })
            .await?;
        let story = story.unwrap_or(seq);
        self.recent.insert(seq, story, article, annotations);

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
            joined: because,
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
        let (brief, corrects) = brief::write(
            self.compose,
            &self.outlets,
            (brief_id, public_id),
            &articles,
            previous.as_deref(),
        );
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
        if !recently && brief.source_count >= 4 && self.recent.trends(story, article.published_at) {
            transaction
                .mark_trending(brief.id, brief.revision, article.known_at)
                .await?;
            trending_at = Some(article.known_at);
            outcome.trending += 1;
        }
        self.recent
            .keep(story, articles, Arc::new(brief), trending_at);
        Ok(())
    }
}

/// As it is kept: digits beyond say nothing.
fn thousandths(number: f32) -> f32 {
    (number * 1_000.0).round() / 1_000.0
}

/// The identity of the brief that an article founds: derived from the article's, so the same input gives the same
/// brief.
fn brief_id_of(article: &Article) -> BriefId {
    let mut bytes = *article.id.0.as_bytes();
    for byte in &mut bytes[9..] {
        *byte ^= 0xb5;
    }
    BriefId(Uuid::from_bytes(bytes))
}

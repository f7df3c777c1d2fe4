//! The story writer: assigns an annotated article to its story and rewrites that story's brief.
//!
//! What the story writer holds in memory is a pure function of the stored articles of the days around those that it
//! works on, so a restart, or another process that also publishes, arrives at the same stories. Everything that one
//! article changes is written in a single transaction of the store, which takes only as many articles as keep it short.
//! If the store has removed old news, everything is forgotten and read again.

mod brief;
mod counted;
mod part;
mod recent;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use model::{
    Annotations, Article, Brief, BriefId, Joined, OutboxKind, OutletTable, PublicBriefId, Timestamp,
};
use store::{NewArticle, NewRevision, NewsTransaction, Replaced, Store, StoredArticle};
use text::compose::{Composition, Member, Reading, compose_read};
use text::stories::Rival;

use crate::error::Result;
use crate::listings::ListingNames;

use part::{Gone, Part, Told};
use recent::{Material, RecentStories, near_in_time};

/// A transaction is closed after this time, so that other writers wait at most 50 ms.
const TRANSACTION_TIME: Duration = Duration::from_millis(25);

/// An article that was read and is waiting to be published.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The article.
    pub article: Article,
    /// What reading it found.
    pub annotations: Annotations,
    /// What it contributes to a brief.
    reading: Arc<Reading>,
}

impl Prepared {
    /// An article, with what reading it found.
    pub fn new(article: Article, annotations: Annotations) -> Self {
        Self {
            reading: Arc::new(Reading::of(&article)),
            article,
            annotations,
        }
    }
}

/// What publishing a batch did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Articles stored.
    pub articles: u64,
    /// Articles whose address was already stored; nothing was changed for them.
    pub known: u64,
    /// Stored articles that are near copies of another one.
    pub copies: u64,
    /// First publications.
    pub briefs: u64,
    /// New revisions of existing briefs.
    pub revisions: u64,
    /// Revisions that correct a key fact.
    pub corrections: u64,
    /// Stories that began to trend.
    pub trending: u64,
    /// Stories that were split because they reported two events.
    pub splits: u64,
    /// Briefs that were merged into another one because both reported one event.
    pub merges: u64,
    /// Articles that could not be published because of a bug; they are not stored, but their neighbours are.
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
        self.splits += other.splits;
        self.merges += other.merges;
        self.failed += other.failed;
    }
}

/// How a story's brief is written: [`compose_read`], or a test's own function.
pub(crate) type Compose = fn(&[Member<'_>], &[&Reading], Option<&Brief>) -> Composition;

/// The article that is being published.
#[derive(Clone, Copy)]
struct Newest<'a> {
    seq: i64,
    article: &'a Article,
    recorded_at: Timestamp,
}

/// The recent stories, and access to the store.
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
            compose: compose_read,
        }
    }

    /// The same with another function that writes briefs.
    pub(crate) fn composing_with(mut self, compose: Compose) -> Self {
        self.compose = compose;
        self
    }

    /// Another story writer for the same publisher that holds nothing yet.
    pub(crate) fn sibling(&self) -> Self {
        Self::new(self.store.clone(), Arc::clone(&self.outlets)).composing_with(self.compose)
    }

    /// Publishes a batch in order. After an error the articles of the failed transaction are not stored; those before
    /// it are.
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
        // A feed's stand-in counts as known if the article under its address is stored.
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

    /// Opens a transaction, with the days around a batch in memory.
    async fn begin(&mut self, batch: &[Prepared]) -> Result<NewsTransaction> {
        self.recent.load_days(&self.store, batch).await?;
        let transaction = self.store.news_transaction().await?;
        if transaction.pruned() == self.recent.pruned() {
            return Ok(transaction);
        }
        // Days take long to read: not while all publishers wait.
        drop(transaction);
        self.recent.forget_everything();
        self.recent.load_days(&self.store, batch).await?;
        // News removed since then is forgotten before the next transaction, or else a long removal would keep
        // publishing from ever getting the lock. Nothing joins it: a story's articles are read from this transaction.
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
            reading,
        } = prepared;
        let placement = self.recent.place(article, annotations);
        let joined = placement.story.map(|story| story as i64);
        let mut material = match joined {
            Some(story) => self.recent.take_material(transaction, story).await?,
            None => None,
        };
        let began = material.as_ref().and_then(Material::began);
        let placement = placement.for_story_since(began, Some(article.published_at));
        let seq = transaction.last_seq().await? + 1;
        let member = |number: u64| {
            let mut articles = material.as_ref()?.articles.iter();
            let found = articles.find(|told| told.stored.seq == number as i64)?;
            Some(found.stored.article.id)
        };
        let mut stored = StoredArticle {
            seq,
            article: article.clone(),
            annotations: annotations.clone(),
            brief: BriefId::founded_by(article.id),
            story: seq,
            copy_of: placement.copy_of.and_then(member),
            joined: placement.alike.and_then(|alike| {
                Some(Joined {
                    alike: member(alike.article)?,
                    probability: thousandths(alike.probability as f32),
                    score: thousandths(placement.similarity as f32),
                    threshold: thousandths(placement.threshold as f32),
                    measured: alike.measured.map(thousandths).to_vec(),
                })
            }),
            recorded_at,
        };
        // Which members belong to another event, now that this article has arrived.
        let mut leaving = Vec::new();
        if let (Some(material), true) = (&mut material, placement.is_doubtful) {
            material.articles.push(Told {
                stored: stored.clone(),
                reading: Arc::clone(reading),
            });
            leaving = self.recent.divide(&material.articles).unwrap_or_default();
            material.articles.pop();
        }
        let stays_out = material
            .as_ref()
            .is_some_and(|material| leaving == [material.articles.len()]);
        if let Some(story) = joined
            && (placement.story.is_none() || stays_out)
        {
            self.recent.put_back(story, material.take());
            (stored.copy_of, stored.joined) = (None, None);
            leaving.clear();
        }
        let mut part = if let (Some(story), Some(material)) = (joined, material) {
            (stored.story, stored.brief) = (story, material.brief.id);
            Part::of(story, material)
        } else {
            (stored.copy_of, stored.joined) = (None, None);
            let number = transaction.next_public_number(&article.known_at).await?;
            let public_id = PublicBriefId::new(article.known_at, number);
            Part::new(seq, (stored.brief, public_id))
        };
        part.articles.push(Told {
            stored,
            reading: Arc::clone(reading),
        });
        let mut other = None;
        if !leaving.is_empty() {
            let number = transaction.next_public_number(&article.known_at).await?;
            other = Some(part.divide(&leaving, PublicBriefId::new(article.known_at, number)));
        }
        let mut gone = None;
        let rival = placement.rival;
        if let Some(rival) = rival.filter(|_| part.previous.is_some() && other.is_none()) {
            gone = self.take_if_one(transaction, rival, &mut part).await?;
        }
        let own = match &other {
            Some(other) if other.holds(seq) => other,
            _ => &part,
        };
        let last = own.articles.last().map(|told| &told.stored);
        let Some(stored) = last.filter(|stored| stored.seq == seq) else {
            return Ok(());
        };
        transaction
            .insert_article(NewArticle {
                article,
                annotations,
                brief: stored.brief,
                story: Some(stored.story),
                copy_of: stored.copy_of,
                joined: stored.joined.as_ref(),
                recorded_at,
            })
            .await?;
        self.recent.insert(seq, stored.story, article, annotations);
        outcome.articles += 1;
        outcome.copies += u64::from(stored.copy_of.is_some());

        let newest = Newest {
            seq,
            article,
            recorded_at,
        };
        if let Some(other) = other {
            return self
                .publish_divided(transaction, (part, other), newest, outcome)
                .await;
        }
        if let Some(gone) = gone {
            return self
                .publish_merged(transaction, (part, gone), newest, outcome)
                .await;
        }
        let (brief, corrects) = self.write(&part);
        let kind = match &part.previous {
            None => OutboxKind::BriefPublished,
            _ if corrects => OutboxKind::BriefCorrected,
            _ => OutboxKind::BriefUpdated,
        };
        match kind {
            OutboxKind::BriefPublished => outcome.briefs += 1,
            _ => outcome.revisions += 1,
        }
        outcome.corrections += u64::from(kind == OutboxKind::BriefCorrected);
        let known_from = transaction
            .insert_revision(NewRevision {
                brief: &brief,
                previous: part.replaced(),
                story: part.story,
                known_from: brief.updated_at,
                recorded_at,
                kind,
            })
            .await?;
        let published = (brief, known_from);
        self.finish(transaction, part, published, article, outcome)
            .await
    }

    /// Handles the runner-up story for the newest article of a part, if both report one event. The runner-up goes, and
    /// the part takes over its articles. If the runner-up is the one that stays, the part takes its identity.
    async fn take_if_one(
        &mut self,
        transaction: &mut NewsTransaction,
        rival: Rival,
        part: &mut Part,
    ) -> Result<Option<Gone>> {
        let story = rival.story as i64;
        let Some(material) = self.recent.take_material(transaction, story).await? else {
            return Ok(None);
        };
        let newest = part.articles.last();
        let published_at = newest.map(|told| told.stored.article.published_at);
        if !rival.takes_since(material.began(), published_at)
            || !self.recent.are_one(&part.articles, &material.articles)
        {
            self.recent.put_back(story, Some(material));
            return Ok(None);
        }
        let mut goes = Part::of(story, material);
        if !part.outlasts(&goes) {
            std::mem::swap(part, &mut goes);
        }
        Ok(part.take_in(goes))
    }

    /// Publishes both parts of a story that turns out to report two events.
    async fn publish_divided(
        &mut self,
        transaction: &mut NewsTransaction,
        (part, other): (Part, Part),
        newest: Newest<'_>,
        outcome: &mut Outcome,
    ) -> Result<()> {
        let Newest {
            seq,
            article,
            recorded_at,
        } = newest;
        outcome.splits += 1;
        outcome.briefs += 1;
        outcome.revisions += 1;
        let (mut brief, _) = self.write(&part);
        brief.split.into.push(other.identity.1.clone());
        // Also if the newest source went: it has been known since then that it went.
        let at = transaction
            .insert_revision(NewRevision {
                brief: &brief,
                previous: part.replaced(),
                story: part.story,
                known_from: article.known_at,
                recorded_at,
                kind: OutboxKind::BriefSplit,
            })
            .await?;
        let (mut divided, _) = self.write(&other);
        divided.split.from = Some(brief.public_id.clone());
        let divided_at = transaction
            .insert_revision(NewRevision {
                brief: &divided,
                previous: None,
                story: other.story,
                known_from: at,
                recorded_at,
                kind: OutboxKind::BriefPublished,
            })
            .await?;
        let articles = other.articles.iter().map(Told::seq_and_time);
        let moved: Vec<(i64, Timestamp)> = articles.filter(|moved| moved.0 != seq).collect();
        let places = (part.story, other.story, divided.id);
        self.move_articles(transaction, &moved, places, (seq, at))
            .await?;
        let revisions = [(part, (brief, at)), (other, (divided, divided_at))];
        for (part, published) in revisions {
            self.finish(transaction, part, published, article, outcome)
                .await?;
        }
        Ok(())
    }

    /// Publishes a story that absorbed another one, and ends the brief of the other.
    async fn publish_merged(
        &mut self,
        transaction: &mut NewsTransaction,
        (part, gone): (Part, Gone),
        newest: Newest<'_>,
        outcome: &mut Outcome,
    ) -> Result<()> {
        let Newest {
            seq,
            article,
            recorded_at,
        } = newest;
        outcome.merges += 1;
        outcome.revisions += 1;
        let known = part.previous.iter().map(|(_, known_from)| *known_from);
        let at = known.fold(article.known_at.max(gone.known_from), Timestamp::max);
        let mut ended = (*gone.brief).clone();
        ended.revision += 1;
        ended.merged.into = Some(part.identity.1.clone());
        let replaced = Replaced {
            brief: &gone.brief,
            known_from: gone.known_from,
            trending_at: None,
        };
        let into = (part.identity.0, at);
        transaction
            .end_brief(&ended, replaced, into, recorded_at)
            .await?;
        let (mut brief, _) = self.write(&part);
        brief.merged.from.push(gone.brief.public_id.clone());
        let at = transaction
            .insert_revision(NewRevision {
                brief: &brief,
                previous: part.replaced(),
                story: part.story,
                known_from: at,
                recorded_at,
                kind: OutboxKind::BriefMerged,
            })
            .await?;
        let moved: Vec<(i64, Timestamp)> = gone
            .articles
            .into_iter()
            .filter(|moved| moved.0 != seq)
            .collect();
        let places = (gone.story, part.story, brief.id);
        self.move_articles(transaction, &moved, places, (seq, at))
            .await?;
        self.finish(transaction, part, (brief, at), article, outcome)
            .await
    }

    /// Moves stored articles, given by their numbers and times of publication, from one story to another, in the store
    /// and in memory.
    async fn move_articles(
        &mut self,
        transaction: &mut NewsTransaction,
        moved: &[(i64, Timestamp)],
        (left, story, brief): (i64, i64, BriefId),
        (cause, at): (i64, Timestamp),
    ) -> Result<()> {
        let seqs: Vec<i64> = moved.iter().map(|(seq, _)| *seq).collect();
        transaction
            .move_articles(&seqs, (left, story, brief), cause, at)
            .await?;
        for (seq, published_at) in moved {
            self.recent.reassign(*seq, *published_at, story);
        }
        Ok(())
    }

    /// The brief of a part, and whether it corrects the previous one.
    fn write(&self, part: &Part) -> (Brief, bool) {
        let previous = part.previous.as_ref().map(|(brief, _)| &**brief);
        let identity = part.identity.clone();
        brief::write(
            self.compose,
            &self.outlets,
            identity,
            &part.articles,
            previous,
        )
    }

    /// Marks a published brief as trending if the new article made it so, and keeps its story for the next revision.
    async fn finish(
        &mut self,
        transaction: &mut NewsTransaction,
        part: Part,
        (brief, known_from): (Brief, Timestamp),
        article: &Article,
        outcome: &mut Outcome,
    ) -> Result<()> {
        let is_new = part.articles.last().map(|told| told.stored.article.id) == Some(article.id);
        let mut trending_at = part.trending_at;
        let recently =
            trending_at.is_some_and(|at| article.known_at.since_ms(at) < 6 * Timestamp::HOUR_MS);
        if is_new
            && !recently
            && brief.source_count >= 4
            && self.recent.trends(part.story, article.published_at)
        {
            transaction
                .mark_trending(brief.id, brief.revision, article.known_at)
                .await?;
            trending_at = Some(article.known_at);
            outcome.trending += 1;
        }
        self.recent.keep(
            part.story,
            part.articles,
            (Arc::new(brief), known_from),
            trending_at,
        );
        Ok(())
    }
}

/// Rounded as it is stored: further digits carry no information.
fn thousandths(number: f32) -> f32 {
    (number * 1_000.0).round() / 1_000.0
}

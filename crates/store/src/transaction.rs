//! The one transaction that publishes news.
//!
//! Rows are collected and written in batches; anything a transaction reads includes what it has collected. It does not
//! decide what belongs together.

mod brief_sentiments;
mod facets;
mod findings;
mod pending;

use std::collections::HashSet;

use model::{Annotations, Article, ArticleId, Brief, BriefId, Joined, OutboxKind, Timestamp};

use crate::articles::{
    BY_STORY, MOVED_SINCE, SINCE, article_features, known_urls, moved_article, packed,
    stored_article,
};
use crate::briefs::{CURRENT, brief_source, stored_brief};
use crate::database::{Database, Tx, Value, WriteLock, parameters, values};
use crate::entities::entity_key;
use crate::{
    ArticleFeatures, Error, MovedArticle, Result, StoredArticle, StoredBrief, document, features,
};

use pending::Pending;

/// An article to be stored.
#[derive(Clone, Copy, Debug)]
pub struct NewArticle<'a> {
    /// The article.
    pub article: &'a Article,
    /// What was found by reading it.
    pub annotations: &'a Annotations,
    /// The brief of its story.
    pub brief: BriefId,
    /// The story it joins; `None` founds a new one, named by its own `seq`.
    pub story: Option<i64>,
    /// The article it is a copy of.
    pub copy_of: Option<ArticleId>,
    /// Why it joined its story; `None` if it founds one.
    pub joined: Option<&'a Joined>,
    /// When it is written.
    pub recorded_at: Timestamp,
}

/// A revision that is being replaced, as it was published.
#[derive(Clone, Copy, Debug)]
pub struct Replaced<'a> {
    /// What it said.
    pub brief: &'a Brief,
    /// When it became known.
    pub known_from: Timestamp,
    /// When its story began to trend.
    pub trending_at: Option<Timestamp>,
}

/// A revision to be published.
#[derive(Clone, Copy, Debug)]
pub struct NewRevision<'a> {
    /// What it says.
    pub brief: &'a Brief,
    /// The revision it replaces; if nobody has it at hand, it is read.
    pub previous: Option<Replaced<'a>>,
    /// The story of the brief.
    pub story: i64,
    /// When it becomes known. Never before the revision it replaces: an earlier time is moved to that one's.
    pub known_from: Timestamp,
    /// When it is written.
    pub recorded_at: Timestamp,
    /// How subscribers are notified of it.
    pub kind: OutboxKind,
}

/// The one transaction that publishes news. Publishers in all processes queue for it; dropping it rolls it back.
///
/// After an error, the transaction can only be dropped. Keep it short: a few dozen articles, and await nothing but the
/// transaction itself.
#[derive(Debug)]
pub struct NewsTransaction {
    tx: Tx,
    pending: Pending,
    last_seq: i64,
    pruned: i64,
    /// A revision could not be published, so rows may be missing.
    void: bool,
}

impl NewsTransaction {
    pub(crate) async fn begin(database: &Database) -> Result<Self> {
        let mut tx = database.begin_locked(WriteLock::Publish).await?;
        let sql = "SELECT (SELECT COALESCE(MAX(seq), 0) FROM article), \
                   (SELECT COALESCE(MAX(value), 0) FROM counter WHERE name = 'pruned')";
        let row = tx.row(sql, Vec::new()).await?;
        let (last_seq, pruned) = match row {
            Some(row) => (row.int(0)?, row.int(1)?),
            None => (0, 0),
        };
        Ok(Self {
            tx,
            pending: Pending::default(),
            last_seq,
            pruned,
            void: false,
        })
    }

    /// The newest article sequence number; compare it with what you have seen and catch up.
    #[expect(
        clippy::unused_async,
        reason = "one shape for all calls of a transaction"
    )]
    pub async fn last_seq(&mut self) -> Result<i64> {
        Ok(self.last_seq)
    }

    /// How often news was removed; if this is more than you have seen, stories that you remember may be gone. It does
    /// not change while the transaction is open.
    pub fn pruned(&self) -> i64 {
        self.pruned
    }

    /// The features of the articles after `seq`, in order of arrival.
    pub async fn articles_since(&mut self, seq: i64) -> Result<Vec<ArticleFeatures>> {
        if seq >= self.last_seq {
            return Ok(Vec::new());
        }
        self.write_pending().await?;
        self.tx
            .rows(SINCE, values![seq, i64::MAX])
            .await?
            .iter()
            .map(article_features)
            .collect()
    }

    /// The articles that left their story because an article arrived after `seq`.
    pub async fn moved_since(&mut self, seq: i64) -> Result<Vec<MovedArticle>> {
        if seq >= self.last_seq {
            return Ok(Vec::new());
        }
        let rows = self.tx.rows(MOVED_SINCE, values![seq]).await?;
        rows.iter().map(moved_article).collect()
    }

    /// Which of these canonical addresses are already stored.
    pub async fn known(&mut self, urls: &[&str]) -> Result<HashSet<String>> {
        let mut known: HashSet<String> = urls
            .iter()
            .filter(|url| self.pending.has_url(url))
            .map(|url| (*url).to_owned())
            .collect();
        for (sql, values) in known_urls(urls) {
            for row in self.tx.rows(sql, values).await? {
                known.insert(row.text(0)?);
            }
        }
        Ok(known)
    }

    /// The articles of a story, in order of arrival.
    pub async fn story_articles(&mut self, story: i64) -> Result<Vec<StoredArticle>> {
        if self.pending.has_story(story) {
            self.write_pending().await?;
        }
        self.tx
            .rows(BY_STORY, values![story, Timestamp::END])
            .await?
            .iter()
            .map(stored_article)
            .collect()
    }

    /// The current revision of the brief of a story.
    pub async fn current_brief(&mut self, story: i64) -> Result<Option<StoredBrief>> {
        if self.pending.has_story(story) {
            self.write_pending().await?;
        }
        let sql = format!(
            "{} WHERE r.brief = (SELECT id FROM brief WHERE story = $1) AND {CURRENT}",
            brief_source!()
        );
        self.tx
            .row(sql, values![story])
            .await?
            .map(|row| stored_brief(&row, None))
            .transpose()
    }

    /// The day's next number for public identities, starting at 1.
    pub async fn next_public_number(&mut self, day_of: &Timestamp) -> Result<u64> {
        let day = day_of.day();
        let last = match self.pending.public_numbers.get(&day) {
            Some(&last) => last,
            None => {
                self.tx
                    .number(
                        "SELECT last FROM public_number WHERE day = $1",
                        values![day],
                    )
                    .await?
            }
        };
        self.pending.public_numbers.insert(day, last + 1);
        Ok(u64::try_from(last + 1).unwrap_or(1))
    }

    /// Stores an article and its mentions; returns its `seq`.
    pub async fn insert_article(&mut self, new: NewArticle<'_>) -> Result<i64> {
        let NewArticle {
            article,
            annotations,
            brief,
            story,
            copy_of,
            joined,
            recorded_at,
        } = new;
        let packed = packed(article, annotations, joined)?;
        let seq = self.last_seq + 1;
        let story = story.unwrap_or(seq);
        self.last_seq = seq;
        self.pending.articles.extend(values![
            seq,
            article.id.0,
            &article.url,
            story,
            brief.0,
            copy_of.map(|copy| copy.0),
            article.known_at,
            recorded_at,
            "",
            "",
            packed,
        ]);
        self.pending.features.extend(values![
            seq,
            story,
            article.published_at.day(),
            article.published_at,
            &article.domain,
            features::encode(&annotations.features),
        ]);
        let mut seen: Vec<String> = Vec::with_capacity(annotations.entities.len());
        for entity in &annotations.entities {
            let key = entity_key(&entity.name);
            if key.is_empty() || seen.contains(&key) {
                continue;
            }
            self.pending.mentions.extend(values![
                &key,
                article.known_at.day(),
                seq,
                annotations.category.as_str(),
                entity.mentions,
                entity.sentiment.get(),
                article.known_at,
            ]);
            self.pending.note_entity(&key, entity, 0, article.known_at);
            seen.push(key);
        }
        self.pending.note_article(&article.url, story);
        self.pending.count("articles", 1);
        self.write_if_large().await?;
        Ok(seq)
    }

    /// Publishes a revision of the brief of a story: closes the previous one and writes the outbox row. Returns when it
    /// becomes known. If the previous revision is not the current one, this may not be found out until the commit.
    pub async fn insert_revision(&mut self, new: NewRevision<'_>) -> Result<Timestamp> {
        let outcome = self.publish(new).await;
        self.void |= outcome.is_err();
        outcome
    }

    async fn publish(&mut self, new: NewRevision<'_>) -> Result<Timestamp> {
        let NewRevision {
            brief,
            story,
            recorded_at,
            kind,
            ..
        } = new;
        let mut known_from = new.known_from;
        let mut trending_at = None;
        let read;
        let mut previous = None;
        if brief.revision <= 1 {
            self.pending
                .briefs
                .extend(values![brief.id.0, brief.public_id.as_str(), story]);
            self.pending.count("briefs", 1);
            self.pending
                .count_brief(brief.category.as_str(), i64::from(brief.update_count), 1);
        } else {
            if self.pending.has_brief(brief.id) {
                self.write_pending().await?;
            }
            let replaced = if let Some(replaced) = new.previous {
                replaced
            } else {
                read = self.current(brief.id).await?.ok_or(Error::Conflict)?;
                Replaced {
                    brief: &read.brief,
                    known_from: read.known_from,
                    trending_at: read.trending_at,
                }
            };
            if (replaced.brief.id, replaced.brief.revision + 1) != (brief.id, brief.revision) {
                return Err(Error::Conflict);
            }
            known_from = known_from.max(replaced.known_from);
            trending_at = replaced.trending_at;
            self.close(&replaced, known_from).await?;
            self.pending.count_brief(
                replaced.brief.category.as_str(),
                i64::from(replaced.brief.update_count),
                -1,
            );
            previous = Some(replaced.brief);
            self.pending
                .count_brief(brief.category.as_str(), i64::from(brief.update_count), 1);
        }
        self.write_facets(brief, known_from, previous).await?;
        self.write_findings(brief, known_from, previous).await?;
        self.write_brief_sentiments(brief, known_from, previous)
            .await?;
        let valid = (known_from, Timestamp::END);
        self.note_revision(brief, valid, trending_at, recorded_at)?;
        self.note_event(kind, brief, known_from);
        self.pending.note_brief(brief.id, story);
        self.write_if_large().await?;
        Ok(known_from)
    }

    /// Ends a brief whose sources another one takes over. Its last revision, `ended`, says so; it is never returned to
    /// a caller, because it is known from the moment it ends. The revision of the other brief must be published after
    /// this, with the same time.
    pub async fn end_brief(
        &mut self,
        ended: &Brief,
        replaced: Replaced<'_>,
        (into, at): (BriefId, Timestamp),
        recorded_at: Timestamp,
    ) -> Result<()> {
        let outcome = self.end(ended, &replaced, (into, at), recorded_at).await;
        self.void |= outcome.is_err();
        outcome
    }

    async fn end(
        &mut self,
        ended: &Brief,
        replaced: &Replaced<'_>,
        (into, at): (BriefId, Timestamp),
        recorded_at: Timestamp,
    ) -> Result<()> {
        self.write_pending().await?;
        let before = replaced.brief;
        if (before.id, before.revision + 1) != (ended.id, ended.revision)
            || at < replaced.known_from
        {
            return Err(Error::Conflict);
        }
        self.close(replaced, at).await?;
        let update_count = i64::from(before.update_count);
        self.pending
            .count_brief(before.category.as_str(), update_count, -1);
        self.pending.count("briefs", -1);
        // Whatever it was found by ends with it.
        let nothing = Brief {
            sources: Vec::new(),
            tags: Vec::new(),
            entities: Vec::new(),
            events: Vec::new(),
            contradictions: Vec::new(),
            ..ended.clone()
        };
        self.write_facets(&nothing, at, Some(before)).await?;
        self.write_findings(&nothing, at, Some(before)).await?;
        self.write_brief_sentiments(&nothing, at, Some(before))
            .await?;
        let sql = "UPDATE brief SET merged_into = $1 WHERE id = $2";
        self.tx
            .queue_for_one(sql, values![into.0, ended.id.0])
            .await?;
        self.note_revision(ended, (at, at), None, recorded_at)?;
        let kind = OutboxKind::BriefMerged;
        self.note_event(kind, ended, at);
        self.write_if_large().await
    }

    /// Collects the rows of a revision.
    fn note_revision(
        &mut self,
        brief: &Brief,
        (known_from, known_to): (Timestamp, Timestamp),
        trending_at: Option<Timestamp>,
        recorded_at: Timestamp,
    ) -> Result<()> {
        let document = serde_json::to_string(brief).map_err(|source| Error::Encode {
            table: "brief_document",
            source,
        })?;
        let packed = document::pack(&document).map_err(|source| Error::Pack {
            table: "brief_document",
            source,
        })?;
        self.pending.revisions.extend(values![
            brief.id.0,
            brief.revision,
            known_from,
            known_to,
            recorded_at,
            trending_at,
            brief.category.as_str(),
            brief.published_at,
            brief.updated_at,
            brief.confidence.score.get(),
            brief.update_count,
        ]);
        self.pending
            .documents
            .extend(values![brief.id.0, brief.revision, "", packed]);
        self.pending.count("revisions", 1);
        Ok(())
    }

    fn note_event(&mut self, kind: OutboxKind, brief: &Brief, at: Timestamp) {
        let row = values![kind.as_str(), brief.id.0, brief.revision, at];
        self.pending.outbox.extend(row);
    }

    /// Moves articles from one story to another, whose brief is `brief`; they were in the first one until `left_at`,
    /// when the article `cause` became known.
    pub async fn move_articles(
        &mut self,
        articles: &[i64],
        (left, story, brief): (i64, i64, BriefId),
        cause: i64,
        left_at: Timestamp,
    ) -> Result<()> {
        self.write_pending().await?;
        for some in articles.chunks(250) {
            let seqs = || some.iter().map(|seq| Value::from(*seq));
            let sql = format!(
                "UPDATE article SET story = $1, brief = $2 WHERE seq IN ({})",
                parameters(3, some.len())
            );
            let mut values = values![story, brief.0];
            values.extend(seqs());
            self.tx.queue(sql, values).await?;
            let sql = format!(
                "UPDATE article_feature SET story = $1 WHERE seq IN ({})",
                parameters(2, some.len())
            );
            let mut values = values![story];
            values.extend(seqs());
            self.tx.queue(sql, values).await?;
            let mut rows = Vec::with_capacity(some.len() * 4);
            for seq in some {
                rows.extend(values![cause, *seq, left, left_at]);
            }
            let head = "INSERT INTO article_move (cause, article, story, left_at) VALUES";
            self.tx.queue_insert(head, "", 4, rows).await?;
        }
        Ok(())
    }

    /// Marks a revision as trending and writes the outbox row. If there is no such revision, this may not be found out
    /// until the commit.
    pub async fn mark_trending(
        &mut self,
        brief: BriefId,
        revision: u32,
        at: Timestamp,
    ) -> Result<()> {
        if self.pending.has_brief(brief) {
            self.write_pending().await?;
        }
        let sql = "UPDATE brief_revision SET trending_at = $1 WHERE brief = $2 AND revision = $3";
        let values = values![at, brief.0, revision];
        self.tx.queue_for_one(sql, values).await?;
        self.pending.outbox.extend(values![
            OutboxKind::BriefTrending.as_str(),
            brief.0,
            revision,
            at
        ]);
        Ok(())
    }

    /// Makes everything visible at once.
    pub async fn commit(mut self) -> Result<()> {
        if self.void {
            return Err(Error::Conflict);
        }
        self.pending.write(&mut self.tx).await?;
        self.pending.write_rest(&mut self.tx).await?;
        self.tx.commit().await
    }

    /// The current revision of a brief.
    async fn current(&mut self, brief: BriefId) -> Result<Option<StoredBrief>> {
        let sql = format!("{} WHERE r.brief = $1 AND {CURRENT}", brief_source!());
        let row = self.tx.row(sql, values![brief.0]).await?;
        row.map(|row| stored_brief(&row, None)).transpose()
    }

    /// Closes a revision; it must be the current one.
    async fn close(&mut self, replaced: &Replaced<'_>, at: Timestamp) -> Result<()> {
        let sql = "UPDATE brief_revision SET known_to = $1 \
                   WHERE brief = $2 AND revision = $3 AND known_to = 9223372036854775807 AND known_from = $4";
        let Brief { id, revision, .. } = replaced.brief;
        let values = values![at, id.0, *revision, replaced.known_from];
        self.tx.queue_for_one(sql, values).await
    }

    async fn write_if_large(&mut self) -> Result<()> {
        if self.pending.is_large() {
            self.write_pending().await
        } else {
            Ok(())
        }
    }

    async fn write_pending(&mut self) -> Result<()> {
        self.pending.write(&mut self.tx).await
    }
}

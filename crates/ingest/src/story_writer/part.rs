//! What a brief's next revision is written from: its articles, and the previous revision.

use std::sync::Arc;

use model::{Brief, BriefId, PublicBriefId, Timestamp};
use store::{Replaced, StoredArticle};
use text::compose::Reading;
use uuid::Uuid;

use super::recent::Material;

/// An article in a story, and what it contributes to the brief.
pub(super) struct Told {
    pub(super) stored: StoredArticle,
    /// It is the same in each revision, so it is kept.
    pub(super) reading: Arc<Reading>,
}

impl Told {
    pub(super) fn new(stored: StoredArticle) -> Self {
        Self {
            reading: Arc::new(Reading::deferred(&stored.article)),
            stored,
        }
    }

    /// Its number, and when it was published.
    pub(super) fn seq_and_time(&self) -> (i64, Timestamp) {
        (self.stored.seq, self.stored.article.published_at)
    }
}

/// A story that was absorbed by another one.
pub(super) struct Gone {
    pub(super) story: i64,
    /// Its last revision, and when that became known.
    pub(super) brief: Arc<Brief>,
    pub(super) known_from: Timestamp,
    /// The number of each of its articles, and when the article was published.
    pub(super) articles: Vec<(i64, Timestamp)>,
}

/// A story, or one of the two parts it is split into.
pub(super) struct Part {
    pub(super) story: i64,
    pub(super) identity: (BriefId, PublicBriefId),
    /// In the order of arrival.
    pub(super) articles: Vec<Told>,
    /// With the time at which it became known.
    pub(super) previous: Option<(Arc<Brief>, Timestamp)>,
    pub(super) trending_at: Option<Timestamp>,
}

impl Part {
    /// The revision that the next one replaces.
    pub(super) fn replaced(&self) -> Option<Replaced<'_>> {
        let (brief, known_from) = self.previous.as_ref()?;
        Some(Replaced {
            brief,
            known_from: *known_from,
            trending_at: self.trending_at,
        })
    }

    /// A story as it was read.
    pub(super) fn of(story: i64, material: Material) -> Self {
        Self {
            story,
            identity: (material.brief.id, material.brief.public_id.clone()),
            articles: material.articles,
            previous: Some((material.brief, material.known_from)),
            trending_at: material.trending_at,
        }
    }

    /// Whether it stays if both report one event: the larger one does, or with equal sizes the one that began first.
    pub(super) fn outlasts(&self, other: &Self) -> bool {
        let first = |part: &Self| part.articles.first().map(|told| told.stored.seq);
        let by_size = self.articles.len().cmp(&other.articles.len());
        by_size.then_with(|| first(other).cmp(&first(self))).is_ge()
    }

    /// Takes in the articles of another story, and returns what disappears with it; nothing if it has no brief.
    pub(super) fn take_in(&mut self, other: Self) -> Option<Gone> {
        let (brief, known_from) = other.previous?;
        self.trending_at = self.trending_at.max(other.trending_at);
        let articles = other.articles.iter().map(Told::seq_and_time).collect();
        for mut told in other.articles {
            (told.stored.story, told.stored.brief) = (self.story, self.identity.0);
            self.articles.push(told);
        }
        self.articles.sort_by_key(|told| told.stored.seq);
        Some(Gone {
            story: other.story,
            brief,
            known_from,
            articles,
        })
    }

    /// A story without articles.
    pub(super) fn new(story: i64, identity: (BriefId, PublicBriefId)) -> Self {
        Self {
            story,
            identity,
            articles: Vec::new(),
            previous: None,
            trending_at: None,
        }
    }

    pub(super) fn holds(&self, seq: i64) -> bool {
        self.articles.iter().any(|told| told.stored.seq == seq)
    }

    /// Takes the articles at these places, in ascending order, out of the story. They form a story of their own, named
    /// after the newest article, whose arrival splits the story: the same articles always give the same story and
    /// brief.
    pub(super) fn divide(&mut self, leaving: &[usize], public_id: PublicBriefId) -> Self {
        let cause = self.articles.last().map_or(0, |told| told.stored.seq);
        let (mut leaves, mut stays) = (Vec::new(), Vec::new());
        for (place, told) in std::mem::take(&mut self.articles).into_iter().enumerate() {
            if leaving.binary_search(&place).is_ok() {
                leaves.push(told);
            } else {
                stays.push(told);
            }
        }
        self.articles = stays;
        let first = leaves
            .first()
            .map_or(self.identity.0.0, |told| told.stored.article.id.0);
        let mut part = Self::new(
            -cause,
            (divided_id(self.identity.0.0, first, cause), public_id),
        );
        for Told { stored, .. } in &mut leaves {
            (stored.story, stored.brief) = (part.story, part.identity.0);
        }
        part.articles = leaves;
        part
    }
}

/// The identity of a brief that was split off from another. It has the time of its first article; the rest is a hash
/// (FNV-1a) of what identifies the split.
fn divided_id(from: Uuid, first: Uuid, cause: i64) -> BriefId {
    let parts = [
        from.as_bytes().as_slice(),
        first.as_bytes(),
        &cause.to_be_bytes(),
    ];
    let hash = parts
        .concat()
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
    let mut bytes = *first.as_bytes();
    bytes[9..].copy_from_slice(&hash.to_be_bytes()[1..]);
    BriefId(Uuid::from_bytes(bytes))
}

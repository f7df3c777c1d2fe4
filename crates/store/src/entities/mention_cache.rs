//! Mentions by hour, kept in memory once they have been requested.
//!
//! Two weeks hold several hundred thousand mentions, too many to add up in SQL while somebody waits. This cache is a
//! copy: before each answer it looks up the articles that have arrived since, and reads again the hours in which they
//! became known, whichever process wrote them.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use model::{Category, Timestamp};
use tokio::sync::Mutex;

use crate::Result;
use crate::database::{Database, values};

/// How many mentions are cached, about 40 bytes each; beyond that, the whole cache is dropped.
const MOST: usize = 1_000_000;
/// How many arrivals are looked at one by one; after more, the whole cache is dropped.
const MOST_ARRIVALS: u64 = 20_000;

/// The cached mentions.
#[derive(Debug, Default)]
pub(crate) struct MentionCache(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    /// The newest article taken into account.
    seq: i64,
    names: Names,
    hours: HashMap<i64, Arc<[Mention]>>,
    total: usize,
}

/// Entity keys by number.
#[derive(Debug, Default)]
struct Names {
    numbers: HashMap<Arc<str>, u32>,
    keys: Vec<Arc<str>>,
}

/// One article that names one entity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mention {
    pub(super) entity: u32,
    pub(super) category: Category,
    pub(super) known_at: Timestamp,
    pub(super) mentions: u32,
    pub(super) sentiment: f64,
    pub(super) story: i64,
}

/// The mentions of some hours, and which entities the numbers stand for.
pub(super) struct SpanMentions {
    pub(super) hours: Vec<Arc<[Mention]>>,
    pub(super) keys: Vec<Arc<str>>,
}

impl MentionCache {
    /// The mentions of every hour that a time span touches.
    pub(super) async fn mentions_in(
        &self,
        database: &Database,
        span: RangeInclusive<Timestamp>,
    ) -> Result<SpanMentions> {
        let mut kept = self.0.lock().await;
        kept.catch_up(database).await?;
        let wanted = hour(*span.start())..=hour(*span.end());
        if kept.total > MOST {
            kept.forget();
        }
        let missing: Vec<i64> = wanted
            .clone()
            .filter(|hour| !kept.hours.contains_key(hour))
            .collect();
        for run in missing.chunk_by(|hour, next| hour + 1 == *next) {
            if let (Some(first), Some(last)) = (run.first(), run.last()) {
                kept.read(database, *first..=*last).await?;
            }
        }
        Ok(SpanMentions {
            hours: wanted
                .filter_map(|hour| kept.hours.get(&hour).cloned())
                .collect(),
            keys: kept.names.keys.clone(),
        })
    }
}

impl Kept {
    /// Drops the hours in which newly arrived articles became known.
    async fn catch_up(&mut self, database: &Database) -> Result<()> {
        let newest = database
            .number("SELECT COALESCE(MAX(seq), 0) FROM article", Vec::new())
            .await?;
        if newest == self.seq {
            return Ok(());
        }
        let rows = if self.hours.is_empty() {
            Vec::new()
        } else {
            // What a mention counts towards also changes with its story.
            let sql = "SELECT known_at FROM article WHERE (seq > $1 AND seq <= $2) OR seq IN \
                       (SELECT article FROM article_move WHERE cause > $1 AND cause <= $2) LIMIT $3";
            database
                .rows(sql, values![self.seq, newest, MOST_ARRIVALS])
                .await?
        };
        if rows.len() as u64 >= MOST_ARRIVALS {
            self.forget();
        }
        for row in rows {
            if let Some(gone) = self.hours.remove(&hour(row.time(0)?)) {
                self.total -= gone.len();
            }
        }
        self.seq = newest;
        Ok(())
    }

    fn forget(&mut self) {
        *self = Self {
            seq: self.seq,
            ..Self::default()
        };
    }

    async fn read(&mut self, database: &Database, hours: RangeInclusive<i64>) -> Result<()> {
        let (from, to) = (start(*hours.start()), start(*hours.end() + 1));
        let sql = "SELECT m.entity, m.category, m.known_at, m.mentions, m.sentiment, f.story \
                   FROM mention m JOIN article_feature f ON f.seq = m.article \
                   WHERE m.known_at >= $1 AND m.known_at < $2 ORDER BY m.known_at";
        let mut found: HashMap<i64, Vec<Mention>> = hours.map(|hour| (hour, Vec::new())).collect();
        for row in database.rows(sql, values![from, to]).await? {
            let known_at = row.time(2)?;
            let category = row.text(1)?;
            let mention = Mention {
                entity: self.names.number(row.text(0)?),
                category: category
                    .parse()
                    .map_err(|_| crate::Error::corrupt("mention", category))?,
                known_at,
                mentions: u32::try_from(row.count(3)?).unwrap_or(u32::MAX),
                sentiment: row.real(4)?,
                story: row.int(5)?,
            };
            found.entry(hour(known_at)).or_default().push(mention);
        }
        for (hour, mentions) in found {
            self.total += mentions.len();
            self.hours.insert(hour, mentions.into());
        }
        Ok(())
    }
}

impl Names {
    fn number(&mut self, key: String) -> u32 {
        if let Some(number) = self.numbers.get(key.as_str()) {
            return *number;
        }
        let key: Arc<str> = key.into();
        let number = self.keys.len() as u32;
        self.keys.push(Arc::clone(&key));
        self.numbers.insert(key, number);
        number
    }
}

fn hour(time: Timestamp) -> i64 {
    time.ms().div_euclid(Timestamp::HOUR_MS)
}

fn start(hour: i64) -> Timestamp {
    Timestamp::from_ms(hour * Timestamp::HOUR_MS)
}

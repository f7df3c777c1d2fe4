//! Values that are kept for a while: made once for all who ask in that while, also when they ask at the same time.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use model::Timestamp;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use rustc_hash::FxHasher;

use crate::error::{Error, Result};
use crate::revision::DataRevision;

/// Values by question, each at most as old as its keeper says.
pub(crate) struct Kept<V> {
    cache: Cache<(Box<str>, i64), Arc<V>>,
}

impl<V> Kept<V> {
    /// Room for so many.
    pub(crate) fn new(most: usize) -> Self {
        Self {
            cache: Cache::new(most),
        }
    }

    /// The kept value, or the one that `make` makes. Time is cut into pieces of `seconds`, and a value lasts until the
    /// end of its piece, so that it is never older than that.
    pub(crate) async fn get<F>(
        &self,
        question: &str,
        now: Timestamp,
        seconds: i64,
        make: F,
    ) -> Result<Arc<V>>
    where
        F: Future<Output = Result<V>>,
    {
        let piece = now.ms().div_euclid(seconds.max(1) * 1000);
        let key = (Box::from(question), piece);
        self.cache
            .get_or_insert_async(&key, async { Ok::<_, Error>(Arc::new(make.await?)) })
            .await
    }
}

/// Results of operations of the last seconds, for whoever asks several at once for one caller after another.
///
/// What is equal in operation, arguments, time, scope and state of the data is made once. Gates are no part of it: they are
/// asked each time. Quotes are no part of it either: a result lasts for [`LASTS_MS`] at most, less than a price is kept for
/// whoever asks for it alone. While the rest of the data stand still, time only moves the ends of windows, which are hours
/// long. The ends of results are spread over that time, those about one symbol together, so that they agree: if all of them were
/// made again in one moment, whoever asks in that moment would wait for all.
pub struct KeptResults<T> {
    cache: Cache<ResultKey, (Arc<T>, u64), BySize>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct ResultKey {
    pub(crate) revision: DataRevision,
    /// The piece of time, so that no result is older than one.
    piece: i64,
    pub(crate) operation: &'static str,
    /// Arguments, point in time, scope and variant.
    pub(crate) question: Box<str>,
}

/// How old a result may get.
const LASTS_MS: i64 = 10_000;

impl ResultKey {
    /// `subject` is the symbol that it is about, or the operation.
    pub(crate) fn new(
        revision: DataRevision,
        now: Timestamp,
        operation: &'static str,
        subject: &str,
        question: String,
    ) -> Self {
        let mut hasher = FxHasher::default();
        subject.hash(&mut hasher);
        let begins = i64::try_from(hasher.finish() % LASTS_MS.cast_unsigned()).unwrap_or_default();
        Self {
            revision: revision.without_quotes(),
            piece: (now.ms() + begins).div_euclid(LASTS_MS),
            operation,
            question: question.into_boxed_str(),
        }
    }
}

#[derive(Clone)]
struct BySize;

impl<T> Weighter<ResultKey, (Arc<T>, u64)> for BySize {
    fn weight(&self, key: &ResultKey, (_, bytes): &(Arc<T>, u64)) -> u64 {
        key.question.len() as u64 + bytes + 256
    }
}

impl<T> KeptResults<T> {
    /// Room for results of so many bytes as they are written.
    pub fn new(bytes: u64) -> Self {
        Self {
            cache: Cache::with_weighter(2_048, bytes, BySize),
        }
    }

    pub(crate) async fn get<F>(&self, key: &ResultKey, make: F) -> Result<Arc<T>>
    where
        F: Future<Output = Result<(T, u64)>>,
    {
        let made = self.cache.get_or_insert_async(key, async {
            let (value, bytes) = make.await?;
            Ok::<_, Error>((Arc::new(value), bytes))
        });
        made.await.map(|(value, _)| value)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[tokio::test]
    async fn one_makes_it_for_all_who_ask_in_its_time() {
        let kept: Kept<u32> = Kept::new(10);
        let made = AtomicU32::new(0);
        let ask = async |at: i64| {
            let make = async {
                tokio::task::yield_now().await;
                Ok(made.fetch_add(1, Ordering::SeqCst))
            };
            *kept
                .get("stock:A", Timestamp::from_ms(at), 15, make)
                .await
                .unwrap()
        };
        let (first, second) = tokio::join!(ask(0), ask(14_999));
        assert_eq!((first, second), (0, 0));
        assert_eq!(ask(15_000).await, 1);
        assert_eq!(made.load(Ordering::SeqCst), 2);
    }

    #[test]
    fn results_last_ten_seconds_and_do_not_end_together() {
        let piece = |question: &str, at: i64| {
            let at = Timestamp::from_ms(at);
            let revision = DataRevision::default();
            ResultKey::new(revision, at, "show_price", question, question.to_owned()).piece
        };
        let changes = |question: &str| -> Vec<i64> {
            (0..30_000)
                .filter(|at| piece(question, *at) != piece(question, at + 1))
                .collect()
        };
        let questions: Vec<String> = (0..20).map(|number| format!("S{number}")).collect();
        let mut ends: Vec<i64> = Vec::new();
        for question in &questions {
            let changes = changes(question);
            assert!(changes.windows(2).all(|pair| pair[1] - pair[0] == LASTS_MS));
            ends.push(changes[0]);
        }
        ends.sort_unstable();
        ends.dedup();
        assert!(ends.len() >= 18, "{ends:?}");
    }

    #[tokio::test]
    async fn a_failure_is_not_kept() {
        let kept: Kept<u32> = Kept::new(10);
        let at = Timestamp::from_ms(0);
        let failing = async { Err(Error::invalid("no")) };
        assert!(kept.get("a", at, 15, failing).await.is_err());
        assert_eq!(*kept.get("a", at, 15, async { Ok(7) }).await.unwrap(), 7);
    }

    #[test]
    fn a_million_tickers_stay_within_the_room() {
        let kept: Kept<u64> = Kept::new(5_000);
        for number in 0..1_000_000_u64 {
            let question = format!("15 stock:{number}").into_boxed_str();
            kept.cache.insert((question, 0), Arc::new(number));
        }
        assert!(kept.cache.len() <= 5_500, "{}", kept.cache.len());
    }
}

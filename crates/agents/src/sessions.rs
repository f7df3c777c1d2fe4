//! The last question of a session, so that `and its P/E?` has a subject.

use model::Timestamp;
use operations::Payer;
use query::{Instrument, Intent, Reading, Series};
use quick_cache::sync::Cache;
use uuid::Uuid;

/// The most sessions to remember.
const MOST: usize = 20_000;
/// A session is forgotten after this time without a question.
const KEPT_MS: i64 = 2 * 3_600 * 1_000;

/// How many instruments, and how many series, are remembered beyond the last question of a session.
const RECENT: usize = 4;

/// The subjects of a session.
#[derive(Clone)]
pub(crate) struct Spoken {
    /// The last question.
    pub(crate) last: Reading,
    /// The instruments in all questions, newest first.
    pub(crate) recent: Vec<Instrument>,
    /// The series in all questions, newest first.
    pub(crate) recent_series: Vec<Series>,
}

impl Spoken {
    /// The subjects of a session after a question. A greeting leaves them unchanged.
    pub(crate) fn after(reading: Reading, earlier: Option<Self>) -> Self {
        let (last, instruments, series) = match earlier {
            Some(earlier) if is_aside(&reading) => return earlier,
            Some(earlier) => (reading, earlier.recent, earlier.recent_series),
            None => (reading, Vec::new(), Vec::new()),
        };
        let is_same = |left: &Instrument, right: &Instrument| left.symbol == right.symbol;
        let recent = newest(last.instruments.iter().cloned().chain(instruments), is_same);
        let is_same = |left: &Series, right: &Series| left == right;
        let recent_series = newest(last.series.iter().copied().chain(series), is_same);
        Self {
            last,
            recent,
            recent_series,
        }
    }
}

/// The first of them, each once.
fn newest<T>(all: impl Iterator<Item = T>, is_same: impl Fn(&T, &T) -> bool) -> Vec<T> {
    let mut kept: Vec<T> = Vec::new();
    for one in all {
        if kept.len() < RECENT && kept.iter().all(|known| !is_same(known, &one)) {
            kept.push(one);
        }
    }
    kept
}

/// Whether a question is not about markets, such as `hello` or `thanks`.
fn is_aside(reading: &Reading) -> bool {
    matches!(reading.intents[..], [Intent::Help | Intent::Unclear])
        && reading.instruments.is_empty()
        && reading.series.is_empty()
        && reading.unknown.is_empty()
}

/// The subjects of each session, by caller.
pub(crate) struct Sessions {
    last: Cache<(Payer, Box<str>), (Timestamp, Box<Spoken>)>,
}

impl Default for Sessions {
    fn default() -> Self {
        Self {
            last: Cache::new(MOST),
        }
    }
}

impl Sessions {
    /// What was said in a session of this caller.
    pub(crate) fn spoken(&self, payer: Payer, session: &str, now: Timestamp) -> Option<Spoken> {
        let (at, spoken) = self.last.get(&(payer, Box::from(session)))?;
        (now.since_ms(at) < KEPT_MS).then_some(*spoken)
    }

    pub(crate) fn note(&self, payer: Payer, session: &str, reading: Reading, now: Timestamp) {
        let earlier = self.spoken(payer, session, now);
        let spoken = Spoken::after(reading, earlier);
        let key = (payer, Box::from(session));
        self.last.insert(key, (now, Box::new(spoken)));
    }

    /// The name of a new session.
    pub(crate) fn fresh() -> String {
        format!("ses_{}", Uuid::new_v4().simple())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(intent: Intent, series: &[&'static str]) -> Reading {
        Reading {
            intents: vec![intent],
            series: series.iter().copied().map(Series::Known).collect(),
            ..Reading::default()
        }
    }

    #[test]
    fn a_greeting_leaves_the_subject() {
        let gold = Spoken::after(asked(Intent::Commodities, &["gold"]), None);
        let greeted = Spoken::after(asked(Intent::Help, &[]), Some(gold));
        assert_eq!(greeted.last.intents, [Intent::Commodities]);
        let news = Spoken::after(asked(Intent::News, &[]), Some(greeted));
        assert_eq!(news.last.intents, [Intent::News]);
        let first = Spoken::after(asked(Intent::Help, &[]), None);
        assert_eq!(first.last.intents, [Intent::Help]);
    }

    #[test]
    fn series_are_remembered_newest_first_and_once() {
        let gold = Spoken::after(asked(Intent::Commodities, &["gold"]), None);
        let silver = Spoken::after(asked(Intent::Commodities, &["silver"]), Some(gold));
        let again = Spoken::after(asked(Intent::Commodities, &["silver"]), Some(silver));
        let expected = [Series::Known("silver"), Series::Known("gold")];
        assert_eq!(again.recent_series, expected);
    }
}

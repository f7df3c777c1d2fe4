//! `/ask/popular`: the questions asked most often.
//!
//! A question is shown once three accounts have asked it within the hour, ignoring case, whitespace and punctuation. A
//! question asked by fewer might reveal who they are. Callers without an account are counted by address.

use std::collections::BTreeMap;

use model::Timestamp;
use operations::{About, Address, Context, Keeping, Operation, Payer, Result};
use parking_lot::Mutex;
use rustc_hash::FxHashSet;
use serde::Serialize;
use utoipa::ToSchema;

use crate::state::State;

/// Maximum number of questions of the last hour that are remembered, with who asked them.
const MOST: usize = 20_000;
/// How long a question counts.
const HOUR_MS: i64 = 3_600 * 1_000;
/// How long a list is shown before it is refreshed.
const REFRESH_MS: i64 = 5 * 60 * 1_000;
/// Number of different callers required before a question is shown.
const LEAST_ASKERS: usize = 3;
const SHOWN: usize = 10;

/// The questions of the last hour.
#[derive(Default)]
pub(crate) struct Popular(Mutex<Noted>);

#[derive(Default)]
struct Noted {
    asked: std::collections::VecDeque<(Timestamp, String, Payer)>,
    shown: Option<(Timestamp, Vec<String>)>,
}

impl Popular {
    pub(crate) fn note(&self, question: &str, payer: Payer, now: Timestamp) {
        let mut noted = self.0.lock();
        if noted.asked.len() == MOST {
            noted.asked.pop_front();
        }
        noted.asked.push_back((now, normal(question), payer));
    }

    fn list(&self, now: Timestamp) -> Vec<String> {
        let mut noted = self.0.lock();
        while noted
            .asked
            .front()
            .is_some_and(|(at, ..)| now.since_ms(*at) >= HOUR_MS)
        {
            noted.asked.pop_front();
        }
        if let Some((at, shown)) = &noted.shown
            && now.since_ms(*at) < REFRESH_MS
        {
            return shown.clone();
        }
        let mut counts: BTreeMap<&str, (usize, FxHashSet<Payer>)> = BTreeMap::new();
        for (_, question, payer) in &noted.asked {
            let count = counts.entry(question).or_default();
            count.0 += 1;
            count.1.insert(*payer);
        }
        let mut shown: Vec<(usize, usize, &str)> = counts
            .into_iter()
            .filter(|(_, (_, askers))| askers.len() >= LEAST_ASKERS)
            .map(|(question, (times, askers))| (askers.len(), times, question))
            .collect();
        shown.sort_unstable_by(|left, right| {
            (right.0, right.1)
                .cmp(&(left.0, left.1))
                .then_with(|| left.2.cmp(right.2))
        });
        let shown: Vec<String> = shown
            .into_iter()
            .take(SHOWN)
            .map(|(_, _, question)| question.to_owned())
            .collect();
        noted.shown = Some((now, shown.clone()));
        shown
    }
}

/// A question without case, punctuation at the ends of its words, and extra whitespace.
fn normal(question: &str) -> String {
    let words: Vec<String> = question
        .split_whitespace()
        .map(|word| word.trim_matches(|mark: char| matches!(mark, '?' | '!' | '.' | ',')))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join(" ")
}

/// The questions asked most often.
#[derive(Serialize, ToSchema)]
pub(crate) struct PopularBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The most asked questions of the last hour, in lower case; at most ten. A question is shown once three accounts
    /// have asked it.
    queries: Vec<String>,
}

/// `GET /ask/popular`.
pub(crate) struct ListPopular;

impl Operation for ListPopular {
    type Input = ();
    type Output = PopularBody;

    const ABOUT: About = About {
        name: "list_popular_questions",
        address: Address::get("/api/v1/ask/popular"),
        subject: "ask",
        summary: "Lists the most frequently asked questions of the last hour.",
        description: "The list is refreshed every five minutes. Only questions that at least three accounts asked are shown.",
        answer: "The questions",
        takes_as_of: false,
        keeping: Keeping::Never,
        ..About::READS
    };

    async fn run(context: Context, (): ()) -> Result<PopularBody> {
        let now = context.services.clock.now();
        Ok(PopularBody {
            status: "ok",
            queries: State::of(&context.services).popular.list(now),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use operations::ClientAddress;

    use super::*;

    fn payer(number: u8) -> Payer {
        Payer::Client(ClientAddress::new(IpAddr::V4(Ipv4Addr::new(
            10, 0, 0, number,
        ))))
    }

    #[test]
    fn three_must_ask_within_an_hour() {
        let popular = Popular::default();
        let at = Timestamp::from_ms;
        for asker in 0..3 {
            popular.note("Why did NVDA fall?", payer(asker), at(0));
        }
        for _ in 0..9 {
            popular.note("what does Ann hold", payer(1), at(0));
        }
        popular.note("  why did nvda  fall ", payer(9), at(0));
        assert_eq!(popular.list(at(1)), ["why did nvda fall"]);
        // A list stands for five minutes, and nothing counts for longer than an hour.
        for asker in 0..3 {
            popular.note("gold", payer(asker), at(2));
        }
        assert_eq!(popular.list(at(REFRESH_MS)), ["why did nvda fall"]);
        assert_eq!(popular.list(at(REFRESH_MS + 1)).len(), 2);
        assert!(popular.list(at(HOUR_MS + REFRESH_MS)).is_empty());
    }
}

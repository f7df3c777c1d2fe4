//! A simulated newswire.

use model::{Outlet, RawArticle, Timestamp};

use super::assignments::{LONGEST_STORY_DAYS, Story};
use super::facts::Value;
use super::kind::Direction;
use super::outlets::{Language, OutletProfile};
use super::world::World;
use super::writer::Writer;

/// Days that are ever simulated, so that no argument can run past the calendar.
const DAYS: std::ops::RangeInclusive<i64> = -100_000..=100_000;

/// The outlets of the simulated world, with their trust, for the source table.
pub fn outlets() -> Vec<Outlet> {
    World::get()
        .outlets
        .iter()
        .map(OutletProfile::outlet)
        .collect()
}

/// A newswire that can be read for any stretch of time.
#[derive(Clone, Debug)]
pub struct Newswire {
    seed: u64,
}

/// What a story means for a share: the link to simulated prices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoryFact {
    /// Day on which the story breaks, since the epoch.
    pub day: i64,
    /// When it breaks: nobody reports it earlier.
    pub breaks_at: Timestamp,
    /// Ticker of the company that it is about.
    pub ticker: String,
    /// Kind of story, such as `store_opening`.
    pub kind: String,
    /// Which way it moves the share.
    pub direction: Direction,
}

/// How far a story says that a market moved: the link to simulated prices.
#[derive(Clone, Debug, PartialEq)]
pub struct MarketFact {
    /// When the story breaks: nobody reports it earlier.
    pub breaks_at: Timestamp,
    /// The day from whose previous close to whose close the move is reported, since the epoch: the UTC day on which the
    /// story breaks, or the one before when it breaks in the first six hours. Stories of the same day and market agree.
    pub day: i64,
    /// What moved: `BTC`, `ETH`, `^GSPC`, `^IXIC`.
    pub what: String,
    /// The change in percent.
    pub change_pct: f64,
}

impl Newswire {
    /// The newswire of a seed.
    pub const fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// Every article whose `first_seen` lies in `from..to`, in that order. Reading `a..b` and `b..c` gives the same
    /// articles as reading `a..c`.
    pub fn between(&self, from: Timestamp, to: Timestamp) -> Vec<RawArticle> {
        let mut articles = Vec::new();
        if from >= to {
            return articles;
        }
        for day in clamped(from.day() - LONGEST_STORY_DAYS)..=clamped(to.day()) {
            for story in Story::on(self.seed, day) {
                let assignments = story.assignments();
                let due: Vec<usize> = (0..assignments.len())
                    .filter(|&index| (from..to).contains(&assignments[index].first_seen))
                    .collect();
                if due.is_empty() {
                    continue;
                }
                let writer = Writer::new(&story, &assignments);
                articles.extend(due.into_iter().filter_map(|index| writer.write(index)));
            }
        }
        articles.sort_by(|left, right| {
            (left.first_seen, &left.url).cmp(&(right.first_seen, &right.url))
        });
        articles
    }

    /// The stories about listed companies that break on the days `from..to` since the epoch.
    pub fn story_facts(&self, from: i64, to: i64) -> Vec<StoryFact> {
        let stories = (clamped(from)..clamped(to)).flat_map(|day| Story::on(self.seed, day));
        let facts = stories.filter_map(|story| {
            story.kind.subject.as_ref()?;
            let ticker = story
                .facts(None)
                .get(story.kind.subject.as_deref()?)?
                .text("ticker", story.kind.language)?;
            Some(StoryFact {
                day: story.day,
                breaks_at: story.breaks_at(),
                ticker,
                kind: story.kind.tag.clone(),
                direction: story.kind.moves,
            })
        });
        facts.collect()
    }

    /// The moves of markets reported by stories that break on the days `from..to` since the epoch.
    pub fn market_facts(&self, from: i64, to: i64) -> Vec<MarketFact> {
        let stories = (clamped(from)..clamped(to)).flat_map(|day| Story::on(self.seed, day));
        stories.filter_map(|story| market_fact(&story)).collect()
    }
}

fn market_fact(story: &Story) -> Option<MarketFact> {
    let moved = story.kind.market_move.as_ref()?;
    let facts = story.facts(None);
    let what = facts.get(&moved.price)?.text(&moved.symbol, Language::En)?;
    let sign = facts.get(&moved.way)?.text(&moved.sign, Language::En)?;
    let Some(&Value::Number { value, .. }) = facts.get(&moved.change) else {
        return None;
    };
    Some(MarketFact {
        breaks_at: story.breaks_at(),
        day: story.day_of_move(),
        what,
        change_pct: value * sign.parse::<f64>().ok()?,
    })
}

fn clamped(day: i64) -> i64 {
    day.clamp(*DAYS.start(), *DAYS.end())
}

#[cfg(test)]
mod tests;

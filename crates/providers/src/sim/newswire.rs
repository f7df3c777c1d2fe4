//! A simulated newswire.

use model::{Outlet, RawArticle, Timestamp};

use super::facts::Facts;
use super::kind::Direction;
use super::newsroom::{LONGEST_STORY_DAYS, Story};
use super::press::Press;
use super::world::World;
use super::writer::Writer;

/// Days that are ever told, so that no argument can run past the calendar.
const DAYS: std::ops::RangeInclusive<i64> = -100_000..=100_000;

/// The outlets of the simulated world, with their trust, for the source table.
pub fn outlets() -> Vec<Outlet> {
    World::get().outlets.iter().map(Press::outlet).collect()
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
    /// When it breaks: nobody tells it earlier.
    pub breaks_at: Timestamp,
    /// Ticker of the company that it is about.
    pub ticker: String,
    /// Kind of story, such as `store_opening`.
    pub kind: String,
    /// Which way it moves the share.
    pub direction: Direction,
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
                let tellings = story.tellings();
                let due: Vec<usize> = (0..tellings.len())
                    .filter(|&index| (from..to).contains(&tellings[index].first_seen))
                    .collect();
                if due.is_empty() {
                    continue;
                }
                let writer = Writer::new(&story, &tellings);
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
            let mut facts = Facts::default();
            facts.draw(&story.kind.slots, story.seed, story.day, None);
            let ticker = facts
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
}

fn clamped(day: i64) -> i64 {
    day.clamp(*DAYS.start(), *DAYS.end())
}

#[cfg(test)]
mod tests;

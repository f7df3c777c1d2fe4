//! A simulated newswire.

use std::sync::Arc;

use model::{Outlet, RawArticle, Timestamp};

use super::assignments::{LONGEST_STORY_DAYS, Story};
use super::kind::Direction;
use super::market::MarketWorld;
use super::outlets::OutletProfile;
use super::schedule;
use super::world::World;
use super::writer::Writer;

/// The range of days that can be simulated, so that no argument can run past the calendar.
const DAYS: std::ops::RangeInclusive<i64> = -100_000..=100_000;

/// The outlets of the simulated world, with their trust, for the source table.
pub fn outlets() -> Vec<Outlet> {
    World::get()
        .outlets
        .iter()
        .map(OutletProfile::outlet)
        .collect()
}

/// A newswire that can be read for any time span.
#[derive(Clone, Debug)]
pub struct Newswire {
    seed: u64,
    markets: Option<Arc<MarketWorld>>,
}

/// What a story means for a share: the link to the simulated prices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoryFact {
    /// The day on which the story breaks, since the epoch.
    pub day: i64,
    /// When it breaks: nobody reports it before that.
    pub breaks_at: Timestamp,
    /// Ticker of the company it is about.
    pub ticker: String,
    /// The kind of story, such as `store_opening`.
    pub kind: String,
    /// Which way it moves the share price.
    pub direction: Direction,
}

impl Newswire {
    /// The newswire of a simulated world: what it says about prices, results and statistics is what these markets
    /// contain.
    pub fn of(markets: Arc<MarketWorld>) -> Self {
        Self {
            seed: markets.seed(),
            markets: Some(markets),
        }
    }

    /// The stories for a seed that do not depend on the markets but move them.
    pub(crate) const fn without_markets(seed: u64) -> Self {
        Self {
            seed,
            markets: None,
        }
    }

    fn stories_on(&self, day: i64) -> Vec<Story> {
        let mut stories = Story::on(self.seed, day);
        if let Some(markets) = &self.markets {
            stories.extend(schedule::stories_on(markets, day));
        }
        stories
    }

    /// Every article with its `first_seen` in `from..to`, in that order. Reading `a..b` and `b..c` gives the same
    /// articles as reading `a..c`.
    pub fn between(&self, from: Timestamp, to: Timestamp) -> Vec<RawArticle> {
        let mut articles = Vec::new();
        if from >= to {
            return articles;
        }
        for day in clamped(from.day() - LONGEST_STORY_DAYS)..=clamped(to.day()) {
            for story in self.stories_on(day) {
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

    /// A short report on a price at this exact time; nothing without markets.
    pub fn snap(&self, at: Timestamp) -> Option<RawArticle> {
        let story = schedule::snap(self.markets.as_ref()?, at)?;
        let assignments = story.assignments();
        let article = Writer::new(&story, &assignments).write(0)?;
        Some(RawArticle {
            published_at: Some(at),
            ..article
        })
    }

    /// The short price reports in `from..until`, a few every hour. They are not part of [`Self::between`]: nobody keeps
    /// them, and anyone who was away has missed them.
    pub fn snaps(&self, from: Timestamp, until: Timestamp) -> Vec<RawArticle> {
        let Some(markets) = &self.markets else {
            return Vec::new();
        };
        let times = schedule::snap_times(markets, from, until);
        times.into_iter().filter_map(|at| self.snap(at)).collect()
    }

    /// The stories that move the shares of listed companies and break on the days `from..to` since the epoch.
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
}

fn clamped(day: i64) -> i64 {
    day.clamp(*DAYS.start(), *DAYS.end())
}

#[cfg(test)]
mod tests;

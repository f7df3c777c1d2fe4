//! Stories told by the simulated markets: closes, moves, results, statistics and decisions, each on its own day and
//! with the figures in the tables.
//!
//! Which of them outlets pick up is chance; what they say is read from the markets. A story breaks only after what it
//! reports has become known.

mod economy;
mod prices;
mod results;
mod shares;
mod snaps;

use model::Timestamp;
pub(crate) use snaps::{snap, snap_times};

use super::agreement::{Given, Occasion};
use super::assignments::Story;
use super::cast::Company;
use super::facts::Value;
use super::market::{MarketWorld, Priced};
use super::outlets::Language;
use super::prose;
use super::random::{Random, hash_word};
use super::world::World;

/// The values given to a story.
type Givens = Vec<(&'static str, Given)>;

/// The stories that the markets tell on a given day.
pub(crate) fn stories_on(world: &MarketWorld, day: i64) -> Vec<Story> {
    let mut day = Schedule {
        world,
        day,
        stories: Vec::new(),
    };
    // Until there are two weeks of sessions, nothing can be compared.
    if day.newest_session().is_some_and(|place| place > 10) {
        day.add_closes();
        day.add_coins();
        day.add_shares();
        day.add_results();
        day.add_economy();
    }
    day.stories
}

/// The stories of one day, as they are collected.
struct Schedule<'a> {
    world: &'a MarketWorld,
    day: i64,
    stories: Vec<Story>,
}

impl Schedule<'_> {
    /// Adds a story of a kind; `key` distinguishes it from others of its kind on that day.
    fn add(&mut self, kind: &str, key: &str, at: Timestamp, given: Givens) {
        let turn = None;
        self.add_occasion((kind, key), Occasion { at, given, turn });
    }

    /// The same with everything that defines it.
    fn add_occasion(&mut self, (kind, key): (&str, &str), occasion: Occasion) {
        let kind = World::get().kinds.iter().find(|known| known.tag == kind);
        self.stories.extend(kind.map(|kind| Story {
            kind,
            day: occasion.at.day(),
            seed: self.chance(&kind.tag, key).next(),
            occasion: Some(occasion),
        }));
    }

    /// The random stream for something on that day.
    fn chance(&self, what: &str, key: &str) -> Random {
        let words = [hash_word(what), hash_word(key)];
        Random::of(&[self.world.seed(), 6, self.day as u64, words[0], words[1]])
    }

    /// Whether outlets pick something up: always if there is daily news, otherwise in this share of cases.
    fn is_taken_up(&self, what: &str, share: f64) -> bool {
        self.world.has_daily_news(self.day) || self.chance("taken up", what).chance(share)
    }

    /// A time some minutes after another one, within the given range.
    fn after(&self, time: Timestamp, minutes: [i64; 2], key: &str) -> Timestamp {
        let [low, high] = minutes;
        let seconds = self.chance("time", key).range(low * 60, high * 60);
        time.plus_ms(seconds * 1000)
    }

    /// A time between two minutes of the day.
    fn between(&self, minutes: [i64; 2], key: &str) -> Timestamp {
        self.after(Timestamp::start_of_day(self.day), minutes, key)
    }

    /// The session of the day.
    fn session(&self) -> Option<usize> {
        self.world.session_on(self.day)
    }

    /// The session that was the newest when the day began.
    fn newest_session(&self) -> Option<usize> {
        self.world.newest_closed(Timestamp::start_of_day(self.day))
    }
}

/// The size of a change as written, always with two decimal places.
fn size(change_pct: f64) -> Given {
    Given::number(change_pct.abs(), 2)
}

/// A company that the newswire writes about.
fn company(ticker: &str) -> Option<&'static Company> {
    World::get()
        .companies
        .iter()
        .find(|company| company.ticker == ticker)
}

/// A share price as written in its currency.
fn share_price(ticker: &str, price: f64) -> Given {
    let currency = MarketWorld::currency(ticker).unwrap_or("USD");
    let decimals = if price >= 10_000.0 { 0 } else { 2 };
    let number = prose::number(price, decimals, Language::En);
    Given::text(&match currency {
        "USD" => format!("${number}"),
        "EUR" => format!("€{number}"),
        "GBP" => format!("£{number}"),
        "KRW" => format!("{number} won"),
        other => format!("{other} {number}"),
    })
}

/// The name, move and price of a listed company in a session, under these slot names. This is all that is known about
/// every one of them.
fn moved(names: [&'static str; 4], ticker: &str, priced: Priced) -> Option<Givens> {
    let [name, way, change, price] = names;
    let mut listed = MarketWorld::companies().iter();
    let company = listed.find(|company| company.ticker == ticker)?;
    Some(vec![
        (name, Given::Value(Value::Company(company))),
        (way, Given::way(priced.change_pct)),
        (change, size(priced.change_pct)),
        (price, share_price(ticker, priced.price)),
    ])
}

#[cfg(test)]
mod tests;

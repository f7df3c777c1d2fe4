//! Shares of the largest companies: which moved and how far, every day.
//!
//! Each of them has its own story every three days. A list would not work: it tells readers of one company about seven
//! others. One outlet's lists also resemble each other so much that a later one joins the brief of an earlier one,
//! which stays as old as it was.

use model::Timestamp;

use super::{Givens, Schedule, company, moved, share_price, size};
use crate::agreement::{Given, Occasion};
use crate::calendar;
use crate::facts::Value;
use crate::market::MarketWorld;
use crate::outlets::Language;
use crate::random::{Random, hash_word};

/// The companies that are reported on every day.
const LEADERS: [&str; 4] = ["NVDA", "AAPL", "TSLA", "MSFT"];
/// The number of days within which each of the largest companies has its own story.
const TURNS: i64 = 3;
/// Roughly how many such stories are told per day: headlines take turns by it.
const OWN_STORIES: i64 = 17;
/// What they look back on, in turn: the kind of story, and over how many sessions a share is measured, briefly and at
/// length.
const VIEWS: [(&str, [usize; 2]); 2] = [("share_week", [WEEK, 21]), ("share_quarter", [63, 252])];
/// When they are told (UTC): the first second of the day, and over how many seconds.
const FIRST_SECOND: i64 = 5 * 3600;
const SECONDS: i64 = 16 * 3600;
/// How much later in the day a company's next story is told. Articles less than 72 hours apart may become one brief,
/// and outlets date an article up to 25 minutes before it is seen.
const LATER_SECONDS: i64 = 3600;
/// Sessions in a week.
const WEEK: usize = 5;
/// The smallest share price move, in percent, that makes a story.
const NOTABLE: f64 = 2.5;

const SLOTS: [[&str; 4]; LEADERS.len()] = [
    ["c1", "w1", "m1", "p1"],
    ["c2", "w2", "m2", "p2"],
    ["c3", "w3", "m3", "p3"],
    ["c4", "w4", "m4", "p4"],
];

impl Schedule<'_> {
    pub(super) fn add_shares(&mut self) {
        if self.world.has_daily_news(self.day)
            && let Some(place) = self.newest_session()
        {
            self.add_leaders(place);
            self.add_own_stories(place);
        }
        if self.is_taken_up("share", 0.35) {
            self.add_move();
        }
    }

    /// A story about each of the largest companies whose turn it is, naming no other.
    fn add_own_stories(&mut self, place: usize) {
        let round = self.day.div_euclid(TURNS);
        for (nth, ticker) in self.own_turn().into_iter().enumerate() {
            let nth = nth as i64;
            let (kind, sessions) = VIEWS[(round + nth).rem_euclid(2) as usize];
            let Some(given) = self.looking_back(ticker, place, sessions) else {
                continue;
            };
            let mut lots = Random::of(&[self.world.seed(), 10, hash_word(ticker)]);
            let second = lots.range(0, SECONDS - 1) + round * LATER_SECONDS;
            let second = FIRST_SECOND + second.rem_euclid(SECONDS);
            // Every other one is of the same kind.
            let turn = (self.day * OWN_STORIES + nth).div_euclid(2);
            let occasion = Occasion {
                at: Timestamp::start_of_day(self.day).plus_ms(second * 1000),
                given,
                turn: usize::try_from(turn).ok(),
            };
            self.add_occasion((kind, ticker), occasion);
        }
    }

    /// The largest companies whose turn it is, in a fixed order. A company that was not among the largest on its last
    /// turn but is now gets its turn at once.
    fn own_turn(&self) -> Vec<&'static str> {
        let largest = |days_ago: i64| {
            let day = Timestamp::start_of_day(self.day - days_ago);
            let place = self.world.newest_closed(day);
            place.map_or_else(Vec::new, |place| self.world.largest_at(place))
        };
        let before = [largest(1), largest(2)];
        let mut due = largest(0);
        due.retain(|ranked| {
            let days_since_turn = (self.day - ranked.0 as i64).rem_euclid(TURNS) as usize;
            let mut since = before[..days_since_turn].iter();
            since.all(|earlier| !earlier.contains(ranked))
        });
        due.sort_unstable();
        due.into_iter().map(|(_, ticker)| ticker).collect()
    }

    /// What the closes up to a position say about a share over a number of sessions, briefly and at length, compared
    /// with the index.
    fn looking_back(
        &self,
        ticker: &'static str,
        place: usize,
        [brief, long]: [usize; 2],
    ) -> Option<Givens> {
        let key = format!("stock:{ticker}");
        let priced = self.world.closed(&key, place, brief)?;
        let long = self.world.closed(&key, place, long)?.change_pct;
        let index = self.world.closed("index:^GSPC", place, brief)?.change_pct;
        let until = i64::from(self.world.session(place)?.day.get());
        let mut given = moved(["co", "way", "move", "price"], ticker, priced)?;
        given.extend([
            ("long", size(long)),
            ("long_way", Given::way(long)),
            ("index", size(index)),
            ("index_way", Given::way(index)),
            ("pace", Given::way(priced.change_pct - index)),
            ("until", Given::text(calendar::weekday(until, Language::En))),
        ]);
        Some(given)
    }

    /// The leaders before trading, over the last five sessions; and after the close, for the day's session.
    fn add_leaders(&mut self, newest: usize) {
        let at = self.between([10 * 60, 11 * 60], "noon");
        self.add_list(("leaders_week", "noon"), at, (newest, WEEK));
        // After the close in winter too.
        let at = self.between([21 * 60 + 10, 22 * 60 + 20], "evening");
        let (kind, session) = match self.session() {
            Some(place) => ("leaders", (place, 1)),
            None => ("leaders_week", (newest, WEEK)),
        };
        self.add_list((kind, "evening"), at, session);
    }

    /// A story of a kind that names the leaders with their moves over a number of sessions up to a given one.
    fn add_list(
        &mut self,
        (kind, key): (&str, &str),
        at: Timestamp,
        (place, over): (usize, usize),
    ) {
        let mut given = Givens::new();
        for (names, ticker) in SLOTS.into_iter().zip(LEADERS) {
            let priced = self.world.closed(&format!("stock:{ticker}"), place, over);
            let moved = priced.and_then(|priced| moved(names, ticker, priced));
            given.extend(moved.unwrap_or_default());
        }
        if given.len() < LEADERS.len() * 4 {
            return;
        }
        given.push(("when", Given::text(&self.period(place, over))));
        self.add(kind, key, at, given);
    }

    /// The large company's share that moved most, if that is worth a story.
    fn add_move(&mut self) {
        let Some(place) = self.session() else {
            return;
        };
        let world = self.world;
        let largest = MarketWorld::largest().iter();
        let most = largest
            .filter_map(|&ticker| {
                let priced = world.closed(&format!("stock:{ticker}"), place, 1)?;
                Some((ticker, priced, company(ticker)?))
            })
            .filter(|(_, priced, _)| priced.change_pct.abs() >= NOTABLE)
            .max_by(|left, right| left.1.change_pct.abs().total_cmp(&right.1.change_pct.abs()));
        let Some((ticker, priced, company)) = most else {
            return;
        };
        let of = |key: &str, over| {
            world
                .closed(key, place, over)
                .map(|priced| priced.change_pct)
        };
        let month = of(&format!("stock:{ticker}"), 21).unwrap_or(0.0);
        let index = of("index:^GSPC", 1).unwrap_or(0.0);
        let reported = (self.day - 1..=self.day)
            .flat_map(|day| world.results_on(day))
            .any(|results| results.ticker == ticker);
        let reason = if reported {
            "after quarterly results"
        } else {
            "without news from the company"
        };
        let given: Givens = vec![
            ("co", Given::Value(Value::Company(company))),
            ("way", Given::way(priced.change_pct)),
            ("move", size(priced.change_pct)),
            ("price", share_price(ticker, priced.price)),
            ("month", size(month)),
            ("month_way", Given::way(month)),
            ("index", size(index)),
            ("index_way", Given::way(index)),
            ("reason", Given::text(reason)),
        ];
        let closes_at = world.session(place).map(|session| session.closes_at);
        if let Some(closes_at) = closes_at {
            let at = self.after(closes_at, [4, 50], ticker);
            self.add("share_move", ticker, at, given);
        }
    }

    fn period(&self, place: usize, sessions: usize) -> String {
        if sessions > 1 {
            return "over the last five sessions".to_owned();
        }
        let day = self
            .world
            .session(place)
            .map_or(self.day, |session| i64::from(session.day.get()));
        format!("on {}", calendar::weekday(day, Language::En))
    }
}

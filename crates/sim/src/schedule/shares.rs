//! Shares of the largest companies: who moved how far, every day.

use model::Timestamp;

use super::{Givens, Schedule, company, moved, share_price, size};
use crate::agreement::Given;
use crate::calendar;
use crate::facts::Value;
use crate::market::MarketWorld;
use crate::outlets::Language;

/// The companies that are looked at every day.
const LEADERS: [&str; 4] = ["NVDA", "AAPL", "TSLA", "MSFT"];
/// How many of the other large companies a list names, and how many stand beside the leaders at noon and in the evening.
const LIST: usize = 8;
const BESIDE: usize = 2;
/// Lists of a day, more where a turn has more of the largest companies.
const LISTS: usize = 2;
/// Days within which each of the other large companies is named once.
const TURNS: usize = 3;
/// As many of the largest companies as are named in any case: well above fifty, so that whoever rises among the fifty largest
/// was named before.
const NAMED: usize = 64;
/// Sessions in a week.
const WEEK: usize = 5;
/// The smallest move of a share in percent that is a story.
const NOTABLE: f64 = 2.5;

const SLOTS: [[&str; 4]; LIST] = [
    ["c1", "w1", "m1", "p1"],
    ["c2", "w2", "m2", "p2"],
    ["c3", "w3", "m3", "p3"],
    ["c4", "w4", "m4", "p4"],
    ["c5", "w5", "m5", "p5"],
    ["c6", "w6", "m6", "p6"],
    ["c7", "w7", "m7", "p7"],
    ["c8", "w8", "m8", "p8"],
];

impl Schedule<'_> {
    pub(super) fn add_shares(&mut self) {
        if self.world.has_daily_news(self.day)
            && let Some(place) = self.newest_session()
        {
            let others = self.others(place);
            let (beside, listed) = others.split_at((2 * BESIDE).min(others.len()));
            self.add_leaders(place, beside);
            for (turn, tickers) in listed.chunks(LIST).enumerate() {
                if turn == 0 {
                    self.add_morning(place, tickers);
                } else {
                    self.add_review(place, &turn.to_string(), tickers);
                }
            }
        }
        if self.is_taken_up("share", 0.35) {
            self.add_move();
        }
    }

    /// Large companies in the session of the day before, or else in the last five.
    fn add_morning(&mut self, place: usize, tickers: &[&'static str]) {
        let is_fresh = self.world.session_on(self.day - 1) == Some(place);
        let (kind, over) = if is_fresh {
            ("movers", 1)
        } else {
            ("movers_week", WEEK)
        };
        let at = self.between([6 * 60, 7 * 60 + 20], "morning");
        self.add_list((kind, ""), at, (place, over), tickers);
    }

    /// Further large companies in the last five sessions.
    fn add_review(&mut self, place: usize, key: &str, tickers: &[&'static str]) {
        let at = self.between([8 * 60 + 30, 9 * 60 + 40], key);
        self.add_list(("review_week", key), at, (place, WEEK), tickers);
    }

    /// The leaders before trading, in the last five sessions; and after the close, in the session of the day. Some of the others
    /// stand beside them at noon, some in the evening.
    fn add_leaders(&mut self, newest: usize, others: &[&'static str]) {
        let (noon, evening) = others.split_at(BESIDE.min(others.len()));
        let with = |others: &[&'static str]| [&LEADERS[..], others].concat();
        let at = self.between([10 * 60, 11 * 60], "noon");
        let key = ("leaders_week", "noon");
        self.add_list(key, at, (newest, WEEK), &with(noon));
        // After the close in winter as well.
        let at = self.between([21 * 60 + 10, 22 * 60 + 20], "evening");
        let (kind, session) = match self.session() {
            Some(place) => ("leaders", (place, 1)),
            None => ("leaders_week", (newest, WEEK)),
        };
        self.add_list((kind, "evening"), at, session, &with(evening));
    }

    /// A story of a kind that names these companies with their moves over so many sessions until one.
    fn add_list(
        &mut self,
        (kind, key): (&str, &str),
        at: Timestamp,
        (place, over): (usize, usize),
        tickers: &[&'static str],
    ) {
        let mut given = Givens::new();
        for (names, ticker) in SLOTS.into_iter().zip(tickers) {
            let priced = self.world.closed(&format!("stock:{ticker}"), place, over);
            let moved = priced.and_then(|priced| moved(names, ticker, priced));
            given.extend(moved.unwrap_or_default());
        }
        if given.len() < tickers.len() * 4 {
            return;
        }
        given.push(("when", Given::text(&self.period(place, over))));
        self.add(kind, key, at, given);
    }

    /// The share of a large company that moved most, where that is worth a story.
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

    /// The largest companies that have their turn, the leaders apart, in any order: those that are among the largest of all, and
    /// so many more that lists are full.
    fn others(&self, place: usize) -> Vec<&'static str> {
        let turn = self.day.rem_euclid(TURNS as i64) as usize;
        let mut others = self.world.of_turn(place, turn, TURNS);
        others.retain(|ticker| !LEADERS.contains(ticker));
        let all = self.world.of_turn(place, 0, 1);
        let largest = &all[..NAMED.min(all.len())];
        let named = others.iter().filter(|ticker| largest.contains(ticker));
        let in_lists = named.count().saturating_sub(2 * BESIDE);
        let lists = in_lists.div_ceil(LIST).max(LISTS);
        others.truncate(lists * LIST + 2 * BESIDE);
        self.chance("others", "").shuffle(&mut others);
        others
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

//! Shares of the largest companies: who moved how far, every day.

use super::{Givens, Schedule, company, moved, share_price, size};
use crate::agreement::Given;
use crate::calendar;
use crate::facts::Value;
use crate::market::MarketWorld;
use crate::outlets::Language;
use crate::random::Random;

/// The companies that are looked at every day.
const LEADERS: [&str; 4] = ["NVDA", "AAPL", "TSLA", "MSFT"];
/// How many of the other large companies a morning and an evening look at.
const MORNING: usize = 8;
const EVENING: usize = 2;
/// Sessions in a week.
const WEEK: usize = 5;
/// The smallest move of a share in percent that is a story.
const NOTABLE: f64 = 2.5;

const MORNING_SLOTS: [[&str; 4]; MORNING] = [
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
        if self.world.has_daily_news(self.day) {
            self.add_morning();
            self.add_leaders();
        }
        if self.is_taken_up("share", 0.35) {
            self.add_move();
        }
    }

    /// Eight of the largest companies: in the session of the day before, or else in the last five.
    fn add_morning(&mut self) {
        let Some(place) = self.newest_session() else {
            return;
        };
        let is_fresh = self.world.session_on(self.day - 1) == Some(place);
        let over = if is_fresh { 1 } else { WEEK };
        let mut given = Givens::new();
        let others = self.others(MORNING, self.day * MORNING as i64);
        for (names, ticker) in MORNING_SLOTS.into_iter().zip(others) {
            let priced = self.world.closed(&format!("stock:{ticker}"), place, over);
            given.extend(
                priced
                    .and_then(|priced| moved(names, ticker, priced))
                    .unwrap_or_default(),
            );
        }
        if given.len() < MORNING * 4 {
            return;
        }
        given.push(("when", Given::text(&self.period(place, over))));
        let at = self.between([6 * 60, 7 * 60 + 20], "morning");
        let kind = if is_fresh { "movers" } else { "movers_week" };
        self.add(kind, "", at, given);
    }

    /// The leaders before trading, in the last five sessions; and after the close, in the session of the day.
    fn add_leaders(&mut self) {
        if let Some(place) = self.newest_session() {
            self.add_look(place, WEEK, [10 * 60, 11 * 60]);
        }
        // After the close in winter as well.
        let evening = [21 * 60 + 10, 22 * 60 + 20];
        if let Some(place) = self.session() {
            self.add_look(place, 1, evening);
        } else if let Some(place) = self.newest_session() {
            self.add_look(place, WEEK, evening);
        }
    }

    /// The leaders and two more.
    fn add_look(&mut self, place: usize, over: usize, minutes: [i64; 2]) {
        let mut given = Givens::new();
        let half = (MarketWorld::largest().len() / 2) as i64;
        let turn = 2 * self.day + i64::from(minutes[0] > 12 * 60);
        let others = self.others(EVENING, turn * EVENING as i64 + half);
        let tickers = LEADERS.into_iter().chain(others);
        for (names, ticker) in MORNING_SLOTS.into_iter().zip(tickers) {
            let priced = self.world.closed(&format!("stock:{ticker}"), place, over);
            let moved = priced.and_then(|priced| moved(names, ticker, priced));
            given.extend(moved.unwrap_or_default());
        }
        if given.len() < (LEADERS.len() + EVENING) * 4 {
            return;
        }
        given.push(("when", Given::text(&self.period(place, over))));
        let key = if minutes[0] > 12 * 60 {
            "evening"
        } else {
            "noon"
        };
        let at = self.between(minutes, key);
        let kind = if over == 1 { "leaders" } else { "leaders_week" };
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

    /// The next of the largest companies in an order of their own, the leaders apart.
    fn others(&self, count: usize, from: i64) -> Vec<&'static str> {
        let mut others: Vec<&'static str> = MarketWorld::largest()
            .iter()
            .copied()
            .filter(|ticker| !LEADERS.contains(ticker))
            .collect();
        Random::of(&[self.world.seed(), 7]).shuffle(&mut others);
        let len = others.len().max(1) as i64;
        (0..count as i64)
            .filter_map(|step| others.get((from + step).rem_euclid(len) as usize).copied())
            .collect()
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

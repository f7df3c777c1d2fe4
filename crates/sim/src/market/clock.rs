//! Sessions and days: which one a time belongs to.

use model::{Day, Timestamp};

use super::{MarketWorld, Session};

/// Days of the simulation, in chronological order.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    sessions: Vec<Session>,
}

impl Clock {
    /// Sorts what the caller knows; anything that cannot be a session is left out.
    pub(super) fn new(mut sessions: Vec<Session>) -> Self {
        sessions.retain(|session| {
            session.day >= MarketWorld::FIRST_DAY && session.opens_at < session.closes_at
        });
        sessions.sort_by_key(|session| session.day);
        sessions.dedup_by_key(|session| session.day);
        Self { sessions }
    }

    /// Every session.
    pub(super) fn sessions(&self) -> &[Session] {
        &self.sessions
    }

    /// The session that was the newest when the day ended.
    pub(super) fn newest(&self, day: Day) -> Option<usize> {
        self.sessions
            .partition_point(|session| session.day <= day)
            .checked_sub(1)
    }

    /// The first session on or after that day.
    pub(super) fn next(&self, day: Day) -> Option<usize> {
        let place = self.sessions.partition_point(|session| session.day < day);
        (place < self.sessions.len()).then_some(place)
    }

    /// The first session that is still trading after a time.
    pub(super) fn trading_after(&self, time: Timestamp) -> Option<usize> {
        let place = self
            .sessions
            .partition_point(|session| session.closes_at <= time);
        (place < self.sessions.len()).then_some(place)
    }

    /// How many sessions had ended before a time.
    pub(super) fn closed_before(&self, time: Timestamp) -> usize {
        self.sessions
            .partition_point(|session| session.closes_at < time)
    }

    /// Calendar days from the first day to the day of the last session.
    pub(super) fn days(&self) -> usize {
        self.sessions.last().map_or(0, |session| {
            (session.day.since(MarketWorld::FIRST_DAY) + 1).max(0) as usize
        })
    }

    /// Where the prices in the tables apply.
    pub(super) fn reference(&self) -> usize {
        self.newest(MarketWorld::REFERENCE_DAY).unwrap_or(0)
    }
}

/// How many UTC days since the first day had ended before a time.
pub(super) fn days_over_before(time: Timestamp) -> usize {
    // A day that ends exactly now has not ended before now.
    let day = Day::of(time.plus_ms(-1));
    day.since(MarketWorld::FIRST_DAY).max(0) as usize
}

/// When a day ends in UTC.
pub(super) fn end_of(day: Day) -> Timestamp {
    day.plus(1).starts_at()
}

/// The day, or the Monday after it.
pub(super) const fn working_day(day: Day) -> Day {
    match day.since(day.monday()) {
        5 => day.plus(2),
        6 => day.plus(1),
        _ => day,
    }
}

/// Months since year zero, numbered consecutively: used to draw documents.
pub(super) fn month_of(day: Day) -> i32 {
    let date = day.date();
    i32::from(date.year()) * 12 + i32::from(date.month()) - 1
}

/// The first day of a consecutively numbered month.
pub(super) fn month_begin(month: i32) -> Day {
    let text = format!("{:04}-{:02}-01", month / 12, month % 12 + 1);
    Day::parse(&text).unwrap_or(Day::MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_are_counted_through() {
        for month in 1900 * 12..2100 * 12 {
            let begin = month_begin(month);
            assert_eq!(month_of(begin), month);
            assert_eq!(begin.first_of_month(), begin);
        }
    }

    #[test]
    fn weekends_are_put_off() {
        let day = |text: &str| Day::parse(text).unwrap();
        assert_eq!(working_day(day("2026-03-06")), day("2026-03-06"));
        assert_eq!(working_day(day("2026-03-07")), day("2026-03-09"));
        assert_eq!(working_day(day("2026-03-08")), day("2026-03-09"));
    }

    #[test]
    fn a_day_is_known_at_its_end() {
        let first = MarketWorld::FIRST_DAY;
        assert_eq!(days_over_before(end_of(first)), 0);
        assert_eq!(days_over_before(end_of(first).plus_ms(1)), 1);
        assert_eq!(days_over_before(Timestamp::from_ms(i64::MIN)), 0);
    }
}

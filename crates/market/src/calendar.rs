//! The calendar of the American stock exchanges: sessions, hours, half days.
//!
//! Hours are in New York time: pre-market 04:00-09:30 (`PRE`), regular trading 09:30-16:00 (`REGULAR`), after-hours
//! until 20:00 (`POST`), otherwise `CLOSED`. On a half day regular trading ends at 13:00 and after-hours trading at
//! 17:00. Holidays and half days follow the exchange's rules in force since 2022, and the earlier rules back to 2000;
//! one-off closures (mourning, storms) are listed. A closure declared after this was written is not known here. The
//! time zone rules are compiled in from the bundled time zone database, so no file is read.

mod holidays;

use jiff::civil::{Time, Weekday, time};
use jiff::tz::TimeZone;
use model::Timestamp;

use crate::Day;

static NEW_YORK: TimeZone = jiff::tz::get!("America/New_York");

const PRE_OPEN: Time = time(4, 0, 0, 0);
const OPEN: Time = time(9, 30, 0, 0);
const CLOSE: Time = time(16, 0, 0, 0);
const HALF_DAY_CLOSE: Time = time(13, 0, 0, 0);
const POST_CLOSE: Time = time(20, 0, 0, 0);
const HALF_DAY_POST_CLOSE: Time = time(17, 0, 0, 0);

/// Whether the exchange trades at a given time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MarketState {
    /// Before regular trading.
    Pre,
    /// Regular trading.
    Regular,
    /// After regular trading.
    Post,
    /// No trading.
    Closed,
}

impl MarketState {
    /// The word of the wire contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pre => "PRE",
            Self::Regular => "REGULAR",
            Self::Post => "POST",
            Self::Closed => "CLOSED",
        }
    }
}

/// The kind of day it is for the exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Session {
    /// Trading until 16:00.
    Full,
    /// Trading until 13:00.
    Half,
    /// Saturday, Sunday or a holiday.
    None,
}

/// The kind of day it is for the exchange.
pub fn session(day: Day) -> Session {
    if matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday) || holidays::is_holiday(day) {
        Session::None
    } else if holidays::is_half_day(day) {
        Session::Half
    } else {
        Session::Full
    }
}

/// Whether the exchange trades on a day.
pub fn is_session(day: Day) -> bool {
    session(day) != Session::None
}

/// Sessions from `first` to `last`, inclusive.
pub fn sessions(first: Day, last: Day) -> impl Iterator<Item = Day> {
    (first.get()..=last.get())
        .filter_map(Day::new)
        .filter(|day| is_session(*day))
}

/// The first session after a day.
pub fn next_session(day: Day) -> Option<Day> {
    sessions(day.plus(1), day.plus(14)).next()
}

/// The last session before a day.
pub fn previous_session(day: Day) -> Option<Day> {
    (1..=14)
        .map(|back| day.plus(-back))
        .find(|day| is_session(*day))
}

/// When regular trading begins on a day; `None` on days without a session.
pub fn opens_at(day: Day) -> Option<Timestamp> {
    is_session(day).then(|| at_time(day, OPEN)).flatten()
}

/// When regular trading ends on a day, which is when its candle is known; `None` on days without a session.
pub fn closes_at(day: Day) -> Option<Timestamp> {
    match session(day) {
        Session::Full => at_time(day, CLOSE),
        Session::Half => at_time(day, HALF_DAY_CLOSE),
        Session::None => None,
    }
}

/// The date in New York.
pub fn day_of(at: Timestamp) -> Option<Day> {
    local(at).map(|(day, _)| day)
}

/// The newest session whose regular trading had ended by a given time.
pub fn newest_closed_session(at: Timestamp) -> Option<Day> {
    let (today, _) = local(at)?;
    let closed = closes_at(today).is_some_and(|close| close <= at);
    if closed {
        Some(today)
    } else {
        previous_session(today)
    }
}

/// Whether the exchange trades at a given time.
pub fn market_state(at: Timestamp) -> MarketState {
    let Some((day, now)) = local(at) else {
        return MarketState::Closed;
    };
    let (close, post_close) = match session(day) {
        Session::Full => (CLOSE, POST_CLOSE),
        Session::Half => (HALF_DAY_CLOSE, HALF_DAY_POST_CLOSE),
        Session::None => return MarketState::Closed,
    };
    if now < PRE_OPEN || now >= post_close {
        MarketState::Closed
    } else if now < OPEN {
        MarketState::Pre
    } else if now < close {
        MarketState::Regular
    } else {
        MarketState::Post
    }
}

/// Date and time of day in New York.
fn local(at: Timestamp) -> Option<(Day, Time)> {
    let zoned = jiff::Timestamp::from_millisecond(at.ms())
        .ok()?
        .to_zoned(NEW_YORK.clone());
    Some((Day::from_date(zoned.date()), zoned.time()))
}

fn at_time(day: Day, time: Time) -> Option<Timestamp> {
    let zoned = day
        .date()
        .to_datetime(time)
        .to_zoned(NEW_YORK.clone())
        .ok()?;
    Some(Timestamp::from_ms(zoned.timestamp().as_millisecond()))
}

#[cfg(test)]
mod tests;

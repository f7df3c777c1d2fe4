//! Sessions for which a line has no value. A row may have been rejected or never delivered, so its value is unknown: a
//! highest, a lowest or a `never` is not decided across such a session.

use jiff::civil::{Date, Weekday, date};
use market::calendar;
use model::{AssetType, Day, Frequency};

use super::line::{Line, Published};

/// The exchange calendar is known from this day on.
const KNOWN_FROM: Date = date(2000, 1, 1);

/// The days on which a line has values.
#[derive(Clone, Copy)]
enum Rhythm {
    /// Every day.
    Daily,
    /// At each session of the American exchanges.
    Sessions,
    /// As above, without the days on which another market or office is closed.
    OtherMarket,
    /// Once in this many days.
    Steps(i32),
}

fn rhythm(line: &Line) -> Rhythm {
    if line.frequency != Frequency::Daily {
        return Rhythm::Steps(line.step_days());
    }
    match &line.published {
        Published::AtClose(AssetType::Crypto) => Rhythm::Daily,
        Published::AtClose(_) => Rhythm::Sessions,
        Published::AsSeries(series) => match series.id.kind() {
            "crypto" | "cap" => Rhythm::Daily,
            "index" | "close" => Rhythm::Sessions,
            _ => Rhythm::OtherMarket,
        },
        Published::At(_) => Rhythm::Steps(line.step_days()),
    }
}

/// The first session between two days for which a line has no value. Before its first and after its last value a line
/// has no data at all, which is a separate matter.
pub(super) fn first_missing(line: &Line, first: Day, last: Day) -> Option<Day> {
    let (begin, end) = line.held()?;
    let (first, last) = (first.max(begin), last.min(end));
    if first > last {
        return None;
    }
    let points = line.within(first, last);
    let is_held = |day: &Day| points.binary_search_by_key(day, |point| point.day).is_ok();
    let from = first.max(Day::from_date(KNOWN_FROM));
    match rhythm(line) {
        Rhythm::Daily => (0..=last.since(first))
            .map(|count| first.plus(count))
            .find(|day| !is_held(day)),
        Rhythm::Sessions => calendar::sessions(from, last).find(|day| !is_held(day)),
        Rhythm::OtherMarket => {
            calendar::sessions(from, last).find(|day| !is_held(day) && !rests_elsewhere(*day))
        }
        Rhythm::Steps(most) => points
            .windows(2)
            .find(|pair| pair[1].day.since(pair[0].day) > most)
            .map(|pair| pair[0].day.plus(most)),
    }
}

/// Whether bond markets, European central banks or London are closed on a day on which the American exchanges trade.
fn rests_elsewhere(day: Day) -> bool {
    let date = day.date();
    let is_monday = date.weekday() == Weekday::Monday;
    let is_friday = date.weekday() == Weekday::Friday;
    let after_good_friday = is_monday && !calendar::is_session(day.plus(-3));
    match (date.month(), date.day()) {
        // Around New Year, 1 May, jubilees, the June holiday before the exchanges observed it, and Veterans Day.
        (12, 24..) | (1, 1..=3) | (5, 1) | (6, 1..=5 | 18..=20) | (11, 10..=12) => true,
        (3 | 4, _) => after_good_friday,
        // The first and last Mondays in May, the last in August, and Columbus Day.
        (5, 2..=8 | 25..) | (8, 25..) | (10, 8..=14) => is_monday,
        // The day after the fourth Thursday in November.
        (11, 23..=29) => is_friday,
        _ => false,
    }
}

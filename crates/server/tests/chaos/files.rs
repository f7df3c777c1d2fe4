//! Generated files: news of invented harbours, and bars of invented shares.

use std::fmt::Write as _;
use std::path::Path;

use model::Timestamp;
use serde_json::json;

use crate::random::Random;

/// The first of March 2026, in days.
pub(crate) const FIRST_DAY: i64 = 20_513;

const PLACES: [&str; 12] = [
    "Aldermouth",
    "Brackwater",
    "Corvale",
    "Dunmere",
    "Eastholm",
    "Farrow Bay",
    "Gullport",
    "Haverness",
    "Inverley",
    "Jarrowby",
    "Kelder Point",
    "Lowmoor",
];
const CAUSES: [&str; 8] = [
    "a storm",
    "a strike of pilots",
    "a fire in a warehouse",
    "thick fog",
    "a broken lock gate",
    "a spill of grain",
    "an ice warning",
    "a faulty crane",
];
const GOODS: [&str; 8] = [
    "timber",
    "copper",
    "coffee",
    "barley",
    "salt",
    "wool",
    "cement",
    "fertiliser",
];

/// One item of news: title and text. Many report the same stories in other words.
pub(crate) fn news(random: &mut Random) -> (String, String) {
    let place = random.one_of(&PLACES);
    let cause = random.one_of(&CAUSES);
    let goods = random.one_of(&GOODS);
    let ships = 3 + random.below(90);
    let days = 1 + random.below(9);
    let (title, text) = match random.below(3) {
        0 => (
            format!("{place} harbour closed for {days} days by {cause}"),
            format!(
                "The harbour of {place} was closed on Monday by {cause}. {ships} ships with {goods} wait off the coast. \
                 The harbour authority expects to reopen within {days} days."
            ),
        ),
        1 => (
            format!("{ships} ships with {goods} wait off {place} harbour"),
            format!(
                "After {cause}, {ships} ships could not enter the harbour of {place}. Traders said that {goods} would \
                 arrive {days} days late. The harbour authority of {place} gave no date."
            ),
        ),
        _ => (
            format!("{goods} prices rise as {place} harbour stays shut"),
            format!(
                "Prices of {goods} rose by {days} percent because the harbour of {place} stays shut after {cause}. \
                 About {ships} ships are waiting, the harbour authority said."
            ),
        ),
    };
    (title, text)
}

/// Articles as JSON lines, each with an address of its own.
pub(crate) fn write_articles(path: &Path, file: u64, count: u64, random: &mut Random) {
    let mut lines = String::new();
    for number in 0..count {
        let (title, text) = news(random);
        let hour = (file * count + number) % (20 * 24);
        let at = Timestamp::start_of_day(FIRST_DAY).plus_ms(hour as i64 * Timestamp::HOUR_MS);
        let line = json!({
            "url": format!("https://outlet{}.example/{file}/{number}", number % 7),
            "title": title,
            "text": text,
            "source": format!("Outlet {}", number % 7),
            "published_at": at.to_string(),
        });
        writeln!(lines, "{line}").unwrap();
    }
    std::fs::write(path, lines).unwrap();
}

/// Daily bars of a share in the weeks before March 2026. With another count, the last ones differ: corrections.
pub(crate) fn write_candles(path: &Path, count: u64) {
    let mut lines = "Date,Open,High,Low,Close,Volume\n".to_owned();
    for session in 0..200 {
        let day = FIRST_DAY - 300 + session as i64;
        // The epoch was a Thursday; there is no trading at weekends.
        if (day + 3).rem_euclid(7) >= 5 {
            continue;
        }
        let close = 100 + session % 17 + if session + 20 > count { count % 13 } else { 0 };
        let date = Timestamp::start_of_day(day).date();
        writeln!(
            lines,
            "{date},{close},{},{},{close},{}",
            close + 2,
            close - 2,
            1_000 + session
        )
        .unwrap();
    }
    std::fs::write(path, lines).unwrap();
}

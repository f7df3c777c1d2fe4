//! What the documents in the SEC's archive have in common: accession numbers, addresses, days and times in New York.

use std::fmt::Write as _;

use jiff::civil::{DateTime, Time, time};
use jiff::tz::TimeZone;
use model::{Day, Timestamp};
use sha2::{Digest, Sha256};
use text::date::{Figures, Order};

static NEW_YORK: TimeZone = jiff::tz::get!("America/New_York");

/// Filings are accepted from 06:00 to 22:00 in New York; a little more is allowed for those in the queue.
const FIRST_ACCEPTANCE: Time = time(5, 55, 0, 0);
const LAST_ACCEPTANCE: Time = time(22, 30, 0, 0);

/// An accession number such as `0000320193-25-000079`, with or without its dashes.
pub(super) fn accession(text: &str) -> Option<String> {
    let text = text.trim();
    let digits: String = text.chars().filter(|c| *c != '-').collect();
    let sound = digits.len() == 18
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && matches!(text.len(), 18 | 20);
    sound.then(|| format!("{}-{}-{}", &digits[..10], &digits[10..12], &digits[12..]))
}

/// The accession number in a file name, such as `form4_AIR_0001127602-25-001055.xml`.
pub(super) fn accession_in(name: &str) -> Option<String> {
    name.split(|c: char| !c.is_ascii_digit() && c != '-')
        .find_map(|part| accession(part.trim_matches('-')))
}

/// The substitute for the accession number of a document that came without one: `file-` and a hash of its contents,
/// so that the same document read twice is one document.
pub(super) fn accession_of_contents(bytes: &[u8]) -> String {
    let mut accession = String::from("file-");
    for byte in Sha256::digest(bytes).iter().take(10) {
        let _ = write!(accession, "{byte:02x}");
    }
    accession
}

/// Address of a document in a filing; without a document, that of the filing's folder.
pub(super) fn filing_url(cik: u64, accession: &str, document: Option<&str>) -> String {
    if accession.starts_with("file-") {
        return String::new();
    }
    let folder = accession.replace('-', "");
    let document = document.unwrap_or("");
    format!("https://www.sec.gov/Archives/edgar/data/{cik}/{folder}/{document}")
}

/// A day written `2025-01-10`, `20250110`, `01-10-2025` or `01/10/2025`, the first with or without a time zone after
/// it. The SEC and the clerks of Congress write the month first.
pub(super) fn day(text: &str) -> Option<Day> {
    let text = text.trim();
    if let Some(day) = text.get(..10).and_then(Day::parse) {
        return Some(day);
    }
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if text.len() >= 8 && text.get(..8).is_some_and(is_digits) {
        return Day::parse(&format!("{}-{}-{}", &text[..4], &text[4..6], &text[6..8]));
    }
    Figures::parse(text)?.day(Order::MonthFirst)
}

/// A time in the header of a submission, `20250110160730` on New York's clock.
pub(super) fn header_time(text: &str) -> Option<Timestamp> {
    new_york(DateTime::strptime("%Y%m%d%H%M%S", text.trim()).ok()?)
}

/// The time in `acceptanceDateTime`. The service writes a `Z` after every time, but means New York time in some
/// documents and UTC in others, and both within one. A reading outside the acceptance hours is impossible. If both
/// are possible the later one, New York's, counts, so that nothing is known before it was.
pub(super) fn acceptance(text: &str) -> Option<Timestamp> {
    let clock = DateTime::strptime("%Y-%m-%dT%H:%M:%S", text.trim().get(..19)?).ok()?;
    let accepts = |time: Time| (FIRST_ACCEPTANCE..=LAST_ACCEPTANCE).contains(&time);
    let utc = clock.to_zoned(TimeZone::UTC).ok()?.timestamp();
    if !accepts(clock.time()) && accepts(utc.to_zoned(NEW_YORK.clone()).time()) {
        return Some(Timestamp::from_ms(utc.as_millisecond()));
    }
    new_york(clock)
}

fn new_york(clock: DateTime) -> Option<Timestamp> {
    let zoned = clock.to_zoned(NEW_YORK.clone()).ok()?;
    Some(Timestamp::from_ms(zoned.timestamp().as_millisecond()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accession_numbers_have_one_spelling() {
        let expected = Some("0001127602-25-001055".to_owned());
        assert_eq!(accession("000112760225001055"), expected);
        assert_eq!(accession_in("form4_AIR_0001127602-25-001055.xml"), expected);
        assert_eq!(accession_in("form4_snow.xml"), None);
        assert_eq!(accession_of_contents(b"a"), accession_of_contents(b"a"));
        assert_ne!(accession_of_contents(b"a"), accession_of_contents(b"b"));
    }

    #[test]
    fn days_have_four_spellings() {
        let expected = Day::parse("2025-01-10");
        for text in [
            "2025-01-10",
            "20250110",
            "01-10-2025",
            "1/10/2025",
            "2025-01-10-05:00",
        ] {
            assert_eq!(day(text), expected, "{text}");
        }
        for text in ["", "2025-13-01", "99999999", "é", "0021-06-22x", "1/2/21"] {
            assert!(
                day(text).is_none_or(|day| day.date().year() == 21),
                "{text}"
            );
        }
    }

    #[test]
    fn an_acceptance_is_never_too_early() {
        let read = |text: &str| acceptance(text).unwrap().to_string();
        // Half past eight in the evening in New York, given in UTC: the only possible reading.
        assert!(read("2026-01-29T01:55:03.000Z").starts_with("2026-01-29T01:55:03"));
        // Either half past four or half past eleven in New York: the later counts.
        assert!(read("2026-01-29T16:30:33.000Z").starts_with("2026-01-29T21:30:33"));
        assert!(acceptance("").is_none());
        assert_eq!(
            header_time("20250110160730"),
            acceptance("2025-01-10T16:07:30.000Z")
        );
    }
}

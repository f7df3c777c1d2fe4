//! Projects when a company will report next from when it reported before.
//!
//! Companies report a quarter at about the same time every year and on the same day of the week: 52 weeks later. So
//! the next report is projected from the same quarter in up to three years: each date is moved by 52 weeks for every
//! year, and the middle one counts. Example: reports on Thursday 2023-11-02, Thursday 2024-10-31 and Thursday
//! 2025-10-30 all move to Thursday 2026-10-29.

use market::calendar::{self, MarketState};
use model::{Day, Filing, ReportTime, Timestamp};

/// The same day of the week a year later.
const YEAR: i32 = 364;
/// The number of years considered.
const YEARS: i32 = 3;
/// How many days the same quarter in another year may be off.
const OFF: i32 = 21;
/// The minimum number of days between two reports of one company.
const APART: i32 = 45;
/// After this many days without a report there is no rhythm to project from.
const SILENT: i32 = 200;
/// The minimum number of reports for a rhythm.
const REPORTS: usize = 4;

/// The 8-K item under which results are announced.
const RESULTS: &str = "2.02";

/// A report: its day, and the time of day it was published, if known.
pub(super) type Report = (Day, Option<ReportTime>);

/// A projected report.
#[derive(Clone, Debug, PartialEq)]
pub struct Projection {
    /// Its day.
    pub day: Day,
    /// The reports for the same quarter that it was projected from, newest first.
    pub from: Vec<Day>,
    /// The time of day, if most of the last reports were published at that time.
    pub time: Option<ReportTime>,
}

/// The next report after `today`; `reports` may be in any order. `None` if they have no rhythm.
pub(super) fn projected(mut reports: Vec<Report>, today: Day) -> Option<Projection> {
    reports.retain(|(day, _)| *day <= today);
    reports.sort_by_key(|(day, _)| std::cmp::Reverse(*day));
    reports.dedup_by(|next, kept| kept.0.since(next.0) < APART);
    let newest = reports.first()?.0;
    if reports.len() < REPORTS || today.since(newest) > SILENT {
        return None;
    }
    let expected = reports
        .iter()
        .map(|(day, _)| day.plus(YEAR))
        .filter(|day| *day >= today && day.since(newest) >= APART)
        .min()?;
    // From the same quarter, each moved to the year in question.
    let same: Vec<(Day, Day)> = (1..=YEARS)
        .filter_map(|years| {
            let moved = |day: Day| day.plus(YEAR * years);
            let off = |day: &Day| moved(*day).since(expected).abs();
            let days = reports.iter().map(|(day, _)| *day);
            let nearest = days.min_by_key(off)?;
            (off(&nearest) <= OFF).then(|| (moved(nearest), nearest))
        })
        .collect();
    let mut moved: Vec<Day> = same.iter().map(|(moved, _)| *moved).collect();
    moved.sort_unstable();
    let day = moved[moved.len() / 2].max(today);
    Some(Projection {
        day,
        from: same.into_iter().map(|(_, day)| day).collect(),
        time: usual_time(&reports),
    })
}

/// The time of day of at least three of the last four reports.
fn usual_time(reports: &[Report]) -> Option<ReportTime> {
    let times: Vec<ReportTime> = reports
        .iter()
        .take(REPORTS)
        .filter_map(|(_, time)| *time)
        .collect();
    let count = |time: &ReportTime| times.iter().filter(|other| *other == time).count();
    times
        .iter()
        .copied()
        .find(|time| count(time) + 1 >= REPORTS)
}

/// The time of day of an announcement, by date and time in New York: an evening there is the next day in UTC. `None`
/// on days without trading.
fn time_of(at: Timestamp) -> Option<ReportTime> {
    let closes = calendar::closes_at(calendar::day_of(at)?)?;
    Some(match calendar::market_state(at) {
        MarketState::Regular => ReportTime::DuringMarket,
        _ if at < closes => ReportTime::BeforeMarket,
        _ => ReportTime::AfterMarket,
    })
}

/// The results announcements among the filings: 8-Ks with that item, or otherwise the reports themselves.
pub(super) fn announcements(filings: &[Filing]) -> Vec<Report> {
    let report = |filing: &Filing| (filing.filed_date, filing.accepted_at.and_then(time_of));
    let announced: Vec<Report> = filings
        .iter()
        .filter(|filing| filing.form_type == "8-K" && filing.description.contains(RESULTS))
        .map(report)
        .collect();
    if announced.len() >= REPORTS {
        return announced;
    }
    // When a report was filed says nothing about when its results were announced.
    let periodic = |filing: &&Filing| matches!(filing.form_type.as_str(), "10-Q" | "10-K");
    let filed = filings.iter().filter(periodic);
    filed.map(|filing| (filing.filed_date, None)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Day {
        Day::parse(text).unwrap()
    }

    fn reports(days: &[&str]) -> Vec<Report> {
        days.iter().map(|text| (day(text), None)).collect()
    }

    #[test]
    fn the_same_quarter_of_earlier_years_counts() {
        let days = [
            "2026-07-30",
            "2026-04-30",
            "2026-01-29",
            "2025-10-30",
            "2025-07-31",
            "2025-05-01",
            "2025-01-30",
            "2024-10-31",
            "2023-11-02",
        ];
        let found = projected(reports(&days), day("2026-08-10")).unwrap();
        assert_eq!(found.day, day("2026-10-29"));
        let from = ["2025-10-30", "2024-10-31", "2023-11-02"].map(day);
        assert_eq!(found.from, from);
        // One year it was a week late.
        let days = days.map(|text| {
            if text == "2025-10-30" {
                "2025-11-06"
            } else {
                text
            }
        });
        let found = projected(reports(&days), day("2026-08-10")).unwrap();
        assert_eq!(found.day, day("2026-10-29"));
        // The summer report is due next, not the autumn one.
        let found = projected(reports(&days[1..]), day("2026-07-20")).unwrap();
        assert_eq!(found.day, day("2026-07-30"));
    }

    #[test]
    fn what_has_no_rhythm_is_not_projected() {
        let days = ["2026-04-30", "2026-01-29", "2025-10-30", "2025-07-31"];
        assert_eq!(projected(reports(&days[..3]), day("2026-05-10")), None);
        assert!(projected(reports(&days), day("2026-05-10")).is_some());
        // Silent for too long.
        assert_eq!(projected(reports(&days), day("2026-11-20")), None);
        // Two filings of the same report count as one.
        let days = ["2026-04-30", "2026-04-29", "2026-01-29", "2025-10-30"];
        assert_eq!(projected(reports(&days), day("2026-05-10")), None);
    }

    #[test]
    fn the_time_of_day_is_that_of_most_reports() {
        let at = |text: &str| (day(&text[..10]), time_of(text.parse().unwrap()));
        let days = [
            at("2026-07-30T20:31:00Z"),
            at("2026-04-30T20:31:00Z"),
            at("2026-01-29T21:31:00Z"),
            at("2025-10-30T20:31:00Z"),
        ];
        let found = projected(days.to_vec(), day("2026-08-10")).unwrap();
        assert_eq!(found.time, Some(ReportTime::AfterMarket));
        let early = [
            days[0],
            at("2026-04-30T11:00:00Z"),
            at("2026-01-29T12:00:00Z"),
            days[3],
        ];
        // Evenings in New York are the next day in UTC; an hour after midnight there is before the open.
        for (at, time) in [
            ("2025-01-30T02:09:00Z", Some(ReportTime::AfterMarket)),
            ("2025-01-29T21:09:00Z", Some(ReportTime::AfterMarket)),
            ("2025-01-30T04:59:00Z", Some(ReportTime::AfterMarket)),
            ("2025-01-30T06:00:00Z", Some(ReportTime::BeforeMarket)),
            ("2025-01-30T14:29:00Z", Some(ReportTime::BeforeMarket)),
            ("2025-01-30T14:30:00Z", Some(ReportTime::DuringMarket)),
            ("2025-02-01T02:09:00Z", Some(ReportTime::AfterMarket)),
            ("2025-02-01T12:00:00Z", None),
        ] {
            assert_eq!(time_of(at.parse().unwrap()), time, "{at}");
        }
        assert_eq!(
            projected(early.to_vec(), day("2026-08-10")).unwrap().time,
            None
        );
    }
}

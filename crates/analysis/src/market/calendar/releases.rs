//! Economic releases whose days follow a rule.

use jiff::civil::Weekday;
use market::calendar;
use model::{Day, Timestamp};

use super::{EventDetails, EventKind, ScheduledEvent};

/// The releases in a period, in no particular order.
pub(super) fn between(from: Day, to: Day) -> Vec<ScheduledEvent> {
    let mut found = Vec::new();
    // The report on a month is published in the month after it, within the first days at the latest.
    let mut month = from.first_of_month().months_before(1);
    while month <= to {
        let day = employment(month);
        found.push(release(
            day,
            "Employment Situation: nonfarm payroll and unemployment rate",
            if day.weekday() == Weekday::Friday {
                "Bureau of Labor Statistics; as a rule, the third Friday after the week of the 12th"
            } else {
                "Bureau of Labor Statistics; as a rule, the third Friday after the week of the 12th, the Thursday before where that is a holiday"
            },
        ));
        month = month.plus(31).first_of_month();
    }
    let mut thursday = from.monday().plus(3);
    while thursday <= to.plus(1) {
        let day = claims(thursday);
        found.push(release(
            day,
            "Unemployment insurance weekly claims",
            if day == thursday {
                "Department of Labor; as a rule, on Thursdays"
            } else {
                "Department of Labor; as a rule, on Thursdays, on the Wednesday before where that is a holiday"
            },
        ));
        thursday = thursday.plus(7);
    }
    found.retain(|event| (from..=to).contains(&event.day));
    found
}

fn release(day: Day, title: &str, source: &str) -> ScheduledEvent {
    ScheduledEvent {
        day,
        kind: EventKind::Economic,
        title: title.to_owned(),
        ticker: None,
        at: half_past_eight(day),
        is_confirmed: false,
        details: EventDetails {
            source: source.to_owned(),
            ..EventDetails::default()
        },
    }
}

/// The report on the month that begins on this day: on the third Friday after the week, Sunday to Saturday, that
/// contains the 12th; a week later if that is New Year's Day, a day earlier if Independence Day is observed on it.
fn employment(month: Day) -> Day {
    let twelfth = month.plus(11);
    let saturday = if twelfth.weekday() == Weekday::Sunday {
        twelfth.plus(6)
    } else {
        twelfth.monday().plus(5)
    };
    let friday = saturday.plus(20);
    let date = friday.date();
    match (date.month(), date.day()) {
        (1, 1) => friday.plus(7),
        (7, 3 | 4) if !calendar::is_session(friday) => friday.plus(-1),
        _ => friday,
    }
}

/// A week's claims are published on its Thursday, or the day before if Thursday is a holiday.
fn claims(thursday: Day) -> Day {
    let date = thursday.date();
    let is_veterans_day = (date.month(), date.day()) == (11, 11);
    if calendar::is_session(thursday) && !is_veterans_day {
        thursday
    } else {
        thursday.plus(-1)
    }
}

/// 08:30 in New York: an hour before the exchange opens, or would open.
fn half_past_eight(day: Day) -> Option<Timestamp> {
    let hour_before = |opens: Timestamp| opens.plus_ms(-Timestamp::HOUR_MS);
    if let Some(opens) = calendar::opens_at(day) {
        return Some(hour_before(opens));
    }
    let before = calendar::previous_session(day)?;
    let days = i64::from(day.since(before));
    calendar::opens_at(before).map(|opens| hour_before(opens).plus_ms(days * Timestamp::DAY_MS))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(from: &str, to: &str, title: &str) -> Vec<String> {
        let day = |text| Day::parse(text).unwrap();
        between(day(from), day(to))
            .into_iter()
            .filter(|event| event.title.starts_with(title))
            .map(|event| event.day.to_string())
            .collect()
    }

    #[test]
    fn employment_comes_when_it_came() {
        // As published by the Bureau of Labor Statistics.
        assert_eq!(
            days("2023-01-01", "2023-12-31", "Employment"),
            [
                "2023-01-06",
                "2023-02-03",
                "2023-03-10",
                "2023-04-07",
                "2023-05-05",
                "2023-06-02",
                "2023-07-07",
                "2023-08-04",
                "2023-09-01",
                "2023-10-06",
                "2023-11-03",
                "2023-12-08",
            ]
        );
        assert_eq!(
            days("2021-01-01", "2021-01-31", "Employment"),
            ["2021-01-08"]
        );
        assert_eq!(
            days("2025-07-01", "2025-07-31", "Employment"),
            ["2025-07-03"]
        );
        assert_eq!(
            days("2025-07-04", "2025-07-31", "Employment"),
            [] as [&str; 0]
        );
    }

    #[test]
    fn claims_come_on_thursdays() {
        assert_eq!(
            days("2026-11-17", "2026-11-29", "Unemployment"),
            ["2026-11-19", "2026-11-25"]
        );
        // A day that does not follow the rule carries a reason.
        let day = |text| Day::parse(text).unwrap();
        for event in between(day("2023-01-01"), day("2028-12-31")) {
            let (claims, weekday) = (event.title.starts_with("Unemployment"), event.day.weekday());
            let usual = if claims {
                Weekday::Thursday
            } else {
                Weekday::Friday
            };
            let says = event.details.source.contains("where that is a holiday");
            assert_eq!(
                says,
                weekday != usual,
                "{} {:?}",
                event.day,
                event.details.source
            );
        }
        let thanksgiving = Day::parse("2026-11-26").unwrap();
        assert!(between(thanksgiving, thanksgiving).is_empty());
    }

    #[test]
    fn the_hour_is_that_of_new_york() {
        let at = |text| {
            half_past_eight(Day::parse(text).unwrap())
                .unwrap()
                .to_string()
        };
        assert_eq!(at("2026-03-06"), "2026-03-06T13:30:00Z");
        // Good Friday, in daylight saving time.
        assert_eq!(at("2026-04-03"), "2026-04-03T12:30:00Z");
    }
}

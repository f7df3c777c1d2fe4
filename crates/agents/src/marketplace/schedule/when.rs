//! When a schedule runs next: a pure function of the time.

use jiff::civil::Time;
use jiff::tz::TimeZone;
use model::Timestamp;
use store::AgentSchedule;

/// Shortest and longest time between two runs.
pub(super) const EVERY_MS: std::ops::RangeInclusive<i64> =
    15 * Timestamp::MINUTE_MS..=31 * Timestamp::DAY_MS;

/// `15m`, `4h`, `1d`.
pub(super) fn parse_every(text: &str) -> Option<i64> {
    let text = text.trim();
    let unit = match text.chars().last()? {
        'm' => Timestamp::MINUTE_MS,
        'h' => Timestamp::HOUR_MS,
        'd' => Timestamp::DAY_MS,
        _ => return None,
    };
    let number: i64 = text[..text.len() - 1].parse().ok()?;
    let ms = number.checked_mul(unit)?;
    EVERY_MS.contains(&ms).then_some(ms)
}

/// Milliseconds as `4h`.
pub(super) fn written_every(ms: i64) -> String {
    for (unit, letter) in [
        (Timestamp::DAY_MS, 'd'),
        (Timestamp::HOUR_MS, 'h'),
        (Timestamp::MINUTE_MS, 'm'),
    ] {
        if ms % unit == 0 {
            return format!("{}{letter}", ms / unit);
        }
    }
    format!("{ms}ms")
}

/// `07:30` as a minute of the day.
pub(super) fn parse_at(text: &str) -> Option<i64> {
    let (hour, minute) = text.trim().split_once(':')?;
    if hour.len() > 2 || minute.len() != 2 {
        return None;
    }
    let (hour, minute): (i64, i64) = (hour.parse().ok()?, minute.parse().ok()?);
    ((0..24).contains(&hour) && (0..60).contains(&minute)).then_some(hour * 60 + minute)
}

/// A minute of the day as `07:30`.
pub(super) fn written_at(minute: i64) -> String {
    format!("{:02}:{:02}", minute / 60, minute % 60)
}

/// Whether a time zone is known here.
pub(super) fn is_zone(name: &str) -> bool {
    zone(name).is_some()
}

fn zone(name: &str) -> Option<TimeZone> {
    if name == "UTC" {
        return Some(TimeZone::UTC);
    }
    TimeZone::get(name).ok()
}

/// The first time after `now`. Runs missed in the meantime are not made up for.
pub(super) fn next(schedule: &AgentSchedule, now: Timestamp) -> Option<Timestamp> {
    if let Some(every) = schedule.every_ms {
        let start = schedule.next_at.unwrap_or(now);
        let passed = now.since_ms(start).max(0) / every + 1;
        return Some(start.plus_ms(passed * every));
    }
    at(schedule.minute?, &schedule.zone, now)
}

/// The first time after `now` at which the clock in a time zone shows that minute of the day.
pub(super) fn at(minute: i64, zone_name: &str, now: Timestamp) -> Option<Timestamp> {
    let zone = zone(zone_name)?;
    let now = jiff::Timestamp::from_millisecond(now.ms()).ok()?;
    let time = Time::new(
        i8::try_from(minute / 60).ok()?,
        i8::try_from(minute % 60).ok()?,
        0,
        0,
    )
    .ok()?;
    let mut date = now.to_zoned(zone.clone()).date();
    for _ in 0..3 {
        // If the clock skips it, the time after the gap.
        let then = date
            .to_datetime(time)
            .to_zoned(zone.clone())
            .ok()?
            .timestamp();
        if then > now {
            return Some(Timestamp::from_ms(then.as_millisecond()));
        }
        date = date.tomorrow().ok()?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn words_are_read_within_bounds() {
        assert_eq!(parse_every("4h"), Some(4 * Timestamp::HOUR_MS));
        for wrong in [
            "",
            "4",
            "h",
            "14m",
            "32d",
            "-1h",
            "1.5h",
            "99999999999999999d",
        ] {
            assert_eq!(parse_every(wrong), None, "{wrong}");
        }
        assert_eq!(written_every(4 * Timestamp::HOUR_MS), "4h");
        assert_eq!(parse_at("07:30"), Some(450));
        for wrong in ["", "24:00", "7:3", "07:60", "noon", "+7:30"] {
            assert!(
                parse_at(wrong).is_none_or(|minute| minute == 450),
                "{wrong}"
            );
        }
        assert_eq!(written_at(450), "07:30");
    }

    #[test]
    fn a_time_of_the_day_follows_the_clocks_of_its_zone() {
        let at = |zone: &str, now: &str| at(450, zone, time(now)).map(|at| at.to_string());
        assert_eq!(
            at("UTC", "2026-03-01T06:00:00Z").unwrap(),
            "2026-03-01T07:30:00Z"
        );
        assert_eq!(
            at("UTC", "2026-03-01T07:30:00Z").unwrap(),
            "2026-03-02T07:30:00Z"
        );
        assert_eq!(at("Nowhere/Land", "2026-03-01T06:00:00Z"), None);
        if is_zone("Europe/Berlin") {
            assert_eq!(
                at("Europe/Berlin", "2026-03-28T12:00:00Z").unwrap(),
                "2026-03-29T05:30:00Z"
            );
            assert_eq!(
                at("Europe/Berlin", "2026-03-27T12:00:00Z").unwrap(),
                "2026-03-28T06:30:00Z"
            );
        }
    }
}

use super::*;

fn day(text: &str) -> Day {
    Day::parse(text).unwrap()
}

fn closures(year: &str) -> Vec<String> {
    let (first, last) = (day(&format!("{year}-01-01")), day(&format!("{year}-12-31")));
    (first.get()..=last.get())
        .filter_map(Day::new)
        .filter(|day| !matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday))
        .filter(|day| !is_session(*day))
        .map(|day| day.to_string()[5..].to_owned())
        .collect()
}

#[test]
fn holidays_are_those_that_the_exchange_published() {
    for (year, expected) in [
        (
            "2018",
            "01-01 01-15 02-19 03-30 05-28 07-04 09-03 11-22 12-05 12-25",
        ),
        (
            "2020",
            "01-01 01-20 02-17 04-10 05-25 07-03 09-07 11-26 12-25",
        ),
        (
            "2021",
            "01-01 01-18 02-15 04-02 05-31 07-05 09-06 11-25 12-24",
        ),
        (
            "2022",
            "01-17 02-21 04-15 05-30 06-20 07-04 09-05 11-24 12-26",
        ),
        (
            "2023",
            "01-02 01-16 02-20 04-07 05-29 06-19 07-04 09-04 11-23 12-25",
        ),
        (
            "2024",
            "01-01 01-15 02-19 03-29 05-27 06-19 07-04 09-02 11-28 12-25",
        ),
        (
            "2025",
            "01-01 01-09 01-20 02-17 04-18 05-26 06-19 07-04 09-01 11-27 12-25",
        ),
        (
            "2026",
            "01-01 01-19 02-16 04-03 05-25 06-19 07-03 09-07 11-26 12-25",
        ),
        (
            "2027",
            "01-01 01-18 02-15 03-26 05-31 06-18 07-05 09-06 11-25 12-24",
        ),
        (
            "2028",
            "01-17 02-21 04-14 05-29 06-19 07-04 09-04 11-23 12-25",
        ),
    ] {
        assert_eq!(closures(year).join(" "), expected, "{year}");
    }
}

#[test]
fn half_days_are_those_that_the_exchange_published() {
    let half_days = |year: i16| -> String {
        (0..366)
            .map(|offset| Day::from_date(jiff::civil::date(year, 1, 1)).plus(offset))
            .filter(|day| day.date().year() == year && session(*day) == Session::Half)
            .map(|day| day.to_string()[5..].to_owned())
            .collect::<Vec<_>>()
            .join(" ")
    };
    for (year, expected) in [
        (2007, "07-03 11-23 12-24"),
        (2013, "07-03 11-29 12-24"),
        (2020, "11-27 12-24"),
        (2021, "11-26"),
        (2022, "11-25"),
        (2023, "07-03 11-24"),
        (2024, "07-03 11-29 12-24"),
        (2025, "07-03 11-28 12-24"),
        (2026, "11-27 12-24"),
        (2027, "11-26"),
        (2028, "07-03 11-24"),
    ] {
        assert_eq!(half_days(year), expected, "{year}");
    }
}

#[test]
fn states_follow_new_york_through_the_change_of_clocks() {
    for (time, state) in [
        // Winter: New York is five hours behind.
        ("2026-01-05T08:59:59Z", "CLOSED"),
        ("2026-01-05T09:00:00Z", "PRE"),
        ("2026-01-05T14:29:59Z", "PRE"),
        ("2026-01-05T14:30:00Z", "REGULAR"),
        ("2026-01-05T20:59:59Z", "REGULAR"),
        ("2026-01-05T21:00:00Z", "POST"),
        ("2026-01-06T01:00:00Z", "CLOSED"),
        // Summer: four hours, from 8 March on.
        ("2026-03-06T14:00:00Z", "PRE"),
        ("2026-03-09T13:30:00Z", "REGULAR"),
        ("2026-03-09T20:00:00Z", "POST"),
        // Half day, holiday, weekend.
        ("2026-11-27T17:59:59Z", "REGULAR"),
        ("2026-11-27T18:00:00Z", "POST"),
        ("2026-11-27T22:00:00Z", "CLOSED"),
        ("2026-11-26T16:00:00Z", "CLOSED"),
        ("2026-11-28T16:00:00Z", "CLOSED"),
    ] {
        assert_eq!(
            market_state(time.parse().unwrap()).as_str(),
            state,
            "{time}"
        );
    }
    assert_eq!(market_state(Timestamp::END), MarketState::Closed);
}

#[test]
fn a_candle_is_known_at_its_close() {
    let closes = |text| closes_at(day(text)).unwrap().to_string();
    assert_eq!(closes("2026-01-05"), "2026-01-05T21:00:00Z");
    assert_eq!(closes("2026-11-27"), "2026-11-27T18:00:00Z");
    assert_eq!(closes_at(day("2026-11-26")), None);
    assert_eq!(
        opens_at(day("2026-07-06")).unwrap().to_string(),
        "2026-07-06T13:30:00Z"
    );
    let newest = |text: &str| {
        newest_closed_session(text.parse().unwrap())
            .unwrap()
            .to_string()
    };
    assert_eq!(newest("2026-01-05T20:59:59Z"), "2026-01-02");
    assert_eq!(newest("2026-01-05T21:00:00Z"), "2026-01-05");
    assert_eq!(newest("2026-11-26T21:00:00Z"), "2026-11-25");
    assert_eq!(next_session(day("2026-11-25")), Some(day("2026-11-27")));
    assert_eq!(previous_session(day("2026-01-02")), Some(day("2025-12-31")));
    assert_eq!(sessions(day("2026-11-23"), day("2026-11-29")).count(), 4);
}

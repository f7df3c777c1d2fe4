use model::{Observation, SeriesId};

use super::*;

fn history(measure: Measure, frequency: Frequency, dates: (&str, &str)) -> History {
    History {
        values: vec![100.0, 98.87],
        first_date: dates.0.to_owned(),
        last_date: dates.1.to_owned(),
        measure,
        frequency,
        per_year: if frequency == Frequency::Daily {
            252.0
        } else {
            12.0
        },
    }
}

#[test]
fn commodities_indices_and_pairs_are_subjects_and_rates_are_not() {
    let of = |series| quoted(series).map(|one| (one.name, one.kind));
    for (series, expected) in [
        (
            Series::Known("gold"),
            Some(("Gold".to_owned(), QuotedKind::Commodity)),
        ),
        (
            Series::Known("sp500"),
            Some(("S&P 500".to_owned(), QuotedKind::Index)),
        ),
        (
            Series::Pair("EUR", "USD"),
            Some(("EUR/USD".to_owned(), QuotedKind::Pair)),
        ),
        (
            Series::Pair("JPY", "USD"),
            Some(("JPY/USD".to_owned(), QuotedKind::Inverse)),
        ),
        (Series::Pair("SEK", "NOK"), None),
        (Series::Known("unemployment"), None),
        (Series::Known("brent_wti"), None),
    ] {
        assert_eq!(of(series), expected, "{series:?}");
    }
}

#[test]
fn a_monthly_price_is_called_monthly() {
    let unit = || Measure::Unit("USD per troy ounce".to_owned());
    let monthly = history(unit(), Frequency::Monthly, ("2025-01-01", "2026-03-01"));
    assert_eq!(
        monthly.stood(),
        "stood at 98.87 USD per troy ounce in March 2026, the newest of its monthly prices"
    );
    assert_eq!(monthly.counted(2), "2 monthly values");
    let daily = history(unit(), Frequency::Daily, ("2025-01-01", "2026-05-08"));
    assert_eq!(
        daily.stood(),
        "stood at 98.87 USD per troy ounce on 8 May 2026"
    );
    let share = history(
        Measure::Money("USD".to_owned()),
        Frequency::Daily,
        ("2025-01-01", "2026-05-08"),
    );
    assert_eq!(share.stood(), "closed at $98.87 on 8 May 2026");
    assert_eq!(share.steps_to(Day::parse("2026-08-08").unwrap()), 63);
    assert_eq!(monthly.steps_to(Day::parse("2026-08-08").unwrap()), 5);
}

#[test]
fn a_price_older_than_the_time_ahead_is_not_forecast_from() {
    let today = Day::parse("2026-05-08").unwrap();
    for (frequency, newest, ahead, expected) in [
        (Frequency::Daily, "2026-05-07", 7, false),
        (Frequency::Daily, "2026-04-20", 7, false),
        (Frequency::Daily, "2026-03-01", 7, true),
        (Frequency::Daily, "2026-03-01", 91, false),
        (Frequency::Daily, "2025-07-07", 91, true),
        (Frequency::Daily, "2021-07-06", 365, true),
        (Frequency::Monthly, "2026-03-01", 30, false),
        (Frequency::Monthly, "2024-04-01", 91, true),
    ] {
        let one = history(Measure::Rate, frequency, ("2020-01-01", newest));
        assert_eq!(
            one.is_too_old(today, ahead),
            expected,
            "{frequency:?} {newest} {ahead}"
        );
    }
}

#[test]
fn values_that_are_no_prices_are_left_out_and_an_inverse_is_turned_round() {
    let day = |text: &str| Day::parse(text).unwrap();
    let series = model::Series {
        id: SeriesId::new("fx", "USDJPY"),
        name: "USD/JPY".to_owned(),
        unit: "JPY".to_owned(),
        frequency: Frequency::Daily,
        source: "ECB".to_owned(),
        publication_lag_days: 0,
    };
    let observations = [
        ("2026-05-06", 160.0),
        ("2026-05-07", -37.0),
        ("2026-05-08", 125.0),
    ]
    .map(|(date, value)| Observation {
        day: day(date),
        value,
    });
    let pair = quoted(Series::Pair("JPY", "USD")).unwrap();
    let made = of_observations(&pair, series, &observations).unwrap();
    assert_eq!(made.values, [1.0 / 160.0, 0.008]);
    assert_eq!(made.price(made.last()), "0.008");
    assert_eq!(made.first_date(), "6 May 2026");
}

#[test]
fn nothing_is_forecast_from_a_price_below_zero() {
    let oil = quoted(Series::Known("crude")).unwrap();
    let series = model::Series {
        id: model::SeriesId::new("commodity", "crude/spot"),
        name: "Crude Oil (WTI)".into(),
        unit: "USD per barrel".into(),
        frequency: Frequency::Daily,
        source: "EIA".into(),
        publication_lag_days: 0,
    };
    let seen = |day: &str, value| Observation {
        day: Day::parse(day).unwrap(),
        value,
    };
    let mut observations = vec![seen("2020-04-17", 18.31), seen("2020-04-20", -36.98)];
    let why = of_observations(&oil, series.clone(), &observations).unwrap_err();
    assert!(why.contains("20 Apr 2020, is not above zero"), "{why}");
    // The next day counts from the day before.
    observations.push(seen("2020-04-21", 8.91));
    let made = of_observations(&oil, series, &observations).unwrap();
    assert_eq!(made.values, [18.31, 8.91]);
}

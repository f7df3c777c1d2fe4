//! Levels of unlisted subjects, including zero, and times that begin or end with a day.

use model::Symbol;

use super::{reading, symbols, today};
use crate::{Intent, Kind, Listed, LookUp, Names, Wanted, read};

/// The level that is asked about, whether prices above it are meant, and which of the days is wanted.
fn level(text: &str) -> Option<(f64, bool, Wanted)> {
    match reading(text).look_up {
        Some(LookUp::Crossing(found)) => Some((found.level, found.is_above, found.wanted)),
        _ => None,
    }
}

#[test]
fn a_level_of_a_commodity_or_an_index_is_looked_up() {
    use Wanted::{Count, First, Last};
    for (text, expected) in [
        (
            "Did oil close below zero in April 2020?",
            (0.0, false, Last),
        ),
        ("Did crude go negative in 2020?", (0.0, false, Last)),
        ("was oil ever negative?", (0.0, false, Last)),
        (
            "Did gold close above 2000 in August 2020?",
            (2_000.0, true, Last),
        ),
        (
            "When did the S&P 500 first close above 5000?",
            (5_000.0, true, First),
        ),
        (
            "how often did oil close below 20 in April 2020",
            (20.0, false, Count),
        ),
        ("Did gold hit 2000 in August 2020?", (2_000.0, true, Last)),
        (
            "Did gold close above 1800 euros in August 2020?",
            (1_800.0, true, Last),
        ),
        (
            "Did gold rise above 2000 in August 2020?",
            (2_000.0, true, Last),
        ),
        (
            "Did NVDA close above 400 in June 2023?",
            (400.0, true, Last),
        ),
    ] {
        assert_eq!(level(text), Some(expected), "{text}");
        assert_eq!(reading(text).unserved, None, "{text}");
    }
    for text in [
        "did NVDA turn negative this year",
        "did oil fall in April 2020",
        "was inflation ever below zero",
        "did Apple sell over 200 phones",
        "oil price below 20",
        "Did the S&P 500 fall over 100 points on Monday?",
        "Did gold rise over 50 dollars?",
        "Did Apple drop over 5 dollars today?",
    ] {
        assert_eq!(level(text), None, "{text}");
    }
}

#[test]
fn a_yes_or_a_no_answers_only_what_one_day_decides() {
    for (text, expected) in [
        ("Did oil close below zero in April 2020?", true),
        ("Did gold close above 2000 in August 2020?", true),
        ("Did gold stay above 2000 in August 2020?", false),
        ("Did gold close the year above 2000 in 2020?", false),
        ("how often did oil close below 20 in April 2020", false),
    ] {
        let Some(LookUp::Crossing(found)) = reading(text).look_up else {
            panic!("{text}");
        };
        assert_eq!(found.is_yes_or_no, expected, "{text}");
    }
    let asked = reading("Did gold close above 1800 euros in August 2020?").look_up;
    let Some(LookUp::Crossing(found)) = asked else {
        panic!("{asked:?}");
    };
    assert_eq!(found.currency, Some("EUR"));
}

#[test]
fn steps_of_a_rate_are_not_counted() {
    for text in [
        "How many Fed hikes were there in 2022?",
        "how many times did the Fed cut rates in 2019",
        "how many rate cuts in 2024",
    ] {
        assert_eq!(
            reading(text).unserved,
            Some("numbers of rate rises and cuts"),
            "{text}"
        );
    }
    assert_eq!(
        reading("how many jobs were lost in April 2020").unserved,
        None
    );
}

#[test]
fn the_low_of_what_is_named_is_the_lowest_of_its_time() {
    use crate::Statistic::{Highest, Lowest};
    assert_eq!(reading("GBPUSD low in 2022").statistics, [Lowest]);
    assert_eq!(reading("gold high in 2021 and when?").statistics, [Highest]);
    assert_eq!(reading("was gold high in 2021").statistics, []);
}

#[test]
fn words_for_the_highest_are_no_symbols() {
    // A company that is listed under such a word, and whose name means nothing else.
    let peak = Listed {
        symbol: Symbol::parse("PEAK").unwrap(),
        name: "PEAK".to_owned(),
        kind: Kind::Share,
        currency: "USD".to_owned(),
        size: 90.0,
    };
    let found = read("peak inflation 2022", today(), &Names::new([peak.clone()]));
    assert!(found.instruments.is_empty(), "{:?}", found.instruments);
    let found = read("price of PEAK", today(), &Names::new([peak]));
    assert_eq!(found.instruments.len(), 1);
    assert_eq!(symbols("peak inflation 2022"), Vec::<String>::new());
    assert_eq!(reading("peak inflation 2022").intents, [Intent::Macro]);
    // The end of a question about a value does not ask for a report.
    for text in [
        "highest close of Exxon in 2022 and when?",
        "lowest oil price in 2020, and when?",
    ] {
        assert!(!reading(text).wants(Intent::Earnings), "{text}");
        assert!(!reading(text).wants(Intent::Calendar), "{text}");
    }
    assert!(reading("price of Apple and when does it report earnings").wants(Intent::Earnings));
}

#[test]
fn what_was_bought_at_the_end_of_a_year_is_priced_there() {
    let found = reading(
        "If I had put $10,000 into Nvidia at the end of 2020, what was it worth at the end of 2022?",
    );
    let [position] = &found.positions[..] else {
        panic!("{:?}", found.positions);
    };
    let days = |span: Option<(model::Day, model::Day)>| {
        span.map(|(from, to)| (from.to_string(), to.to_string()))
    };
    let at_end = |first: &str, last: &str| Some((first.to_owned(), last.to_owned()));
    assert_eq!(days(position.bought), at_end("2020-12-31", "2020-12-31"));
    // 31 December 2022 was a Saturday.
    assert_eq!(days(position.end()), at_end("2022-12-30", "2022-12-31"));
}

#[test]
fn a_dividend_and_a_weekend_end_no_time() {
    for text in [
        "If I had put $10,000 into Nvidia for its dividend in 2020, what was it worth?",
        "If I had put $10,000 into Nvidia on a weekend in 2020, what was it worth?",
    ] {
        let found = reading(text);
        let bought = found.positions.first().and_then(|one| one.bought);
        assert!(
            bought.is_none_or(|(from, to)| from < to),
            "{text}: {bought:?}"
        );
    }
}

#[test]
fn a_stretch_begins_with_a_day_where_one_is_named() {
    for (text, expected) in [
        ("how did Apple do from 19 Feb 2020 to 23 March 2020", true),
        ("gold since 3 March 2021", true),
        ("gold from 1 January 2021 to 7 May 2021", false),
        ("gold since 1 November 2021", false),
        ("gold between 3 March 2021 and 17 April 2021", true),
        ("how did Apple do in 2022", false),
        ("gold since March 2021", false),
        ("gold from 2020 to 2022", false),
        ("price of gold on 3 March 2021", false),
    ] {
        assert_eq!(reading(text).when.begins_on_day, expected, "{text}");
    }
}

#[test]
fn a_coin_is_wanted_in_another_where_their_ratio_is() {
    let found = reading("ETH/BTC ratio on 1 June 2021")
        .coin_conversion
        .unwrap();
    assert_eq!(
        (found.amount, found.from.as_str(), found.to.as_str()),
        (1.0, "ETH", "BTC")
    );
    assert!(reading("ratio of ETH to BTC").coin_conversion.is_some());
    for text in [
        "golden cross on BTC or ETH",
        "Sharpe ratio of BTC and ETH",
        "did ETH/BTC cross below 0.05",
    ] {
        assert_eq!(reading(text).coin_conversion, None, "{text}");
    }
}

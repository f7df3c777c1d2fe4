//! Questions about the values of a period, about several subjects, about counted days, and in several parts.

use super::{reading, symbols};
use crate::{Intent, Series, Statistic};

#[test]
fn the_highest_the_lowest_and_the_mean_of_a_series_are_wanted_of_all_its_values() {
    use Intent as I;
    use Statistic::{Highest, Lowest, Mean};
    for (text, statistics, intent) in [
        ("lowest oil price in 2020", vec![Lowest], I::Commodities),
        (
            "highest VIX close in 2020",
            vec![Highest],
            I::MarketOverview,
        ),
        (
            "lowest unemployment rate since 2000",
            vec![Lowest],
            I::Macro,
        ),
        ("When was US inflation highest?", vec![Highest], I::Macro),
        ("average of the 10-year yield in 2022", vec![Mean], I::Macro),
        (
            "what was the highest euro dollar rate in 2021",
            vec![Highest],
            I::Forex,
        ),
        ("52 week high of gold", vec![Highest], I::Commodities),
    ] {
        let found = reading(text);
        assert_eq!(found.statistics, statistics, "{text}");
        assert_eq!(found.intents, [intent], "{text}");
        assert_eq!(found.unserved, None, "{text}");
    }
    for text in [
        "gold price in 2020",
        "why is inflation so high",
        "Dow Jones Industrial Average in 2022",
        "will gold reach its highest price this year",
        "is it true that unemployment was the lowest in 2023",
        "maximum drawdown of gold in 2022",
        "highest RSI of gold in 2022",
    ] {
        assert_eq!(reading(text).statistics, [], "{text}");
    }
}

#[test]
fn the_best_and_the_worst_session_of_a_series_are_wanted_of_all_its_values() {
    use Statistic::{BestSession, WorstSession};
    for (text, statistic) in [
        (
            "What was the S&P 500's biggest one-day drop in 2020 and when was it?",
            WorstSession,
        ),
        ("worst day of the Dow in 2020", WorstSession),
        ("best day of the Nasdaq in 2020", BestSession),
    ] {
        let found = reading(text);
        assert_eq!(found.statistics, [statistic], "{text}");
        assert_eq!(found.intents, [Intent::MarketOverview], "{text}");
        assert_eq!(found.unserved, None, "{text}");
    }
    let found = reading("biggest one-day move of unemployment in 2020");
    assert_eq!(found.statistics, []);
}

#[test]
fn a_year_behind_a_limit_is_a_time_and_how_long_something_took_is_none() {
    let year = |text: &str| {
        let when = reading(text).when;
        let day = |day: Option<model::Day>| day.map(|day| day.to_string());
        (day(when.from), day(when.to))
    };
    let of = |year: &str| (Some(format!("{year}-01-01")), Some(format!("{year}-12-31")));
    for text in [
        "USD/JPY high of 2022?",
        "gold's low of 2022",
        "biggest drop of gold in a day in 2022",
        "how often did the S&P 500 fall by more than 2% in a day in 2022?",
    ] {
        assert_eq!(year(text), of("2022"), "{text}");
    }
    assert_eq!(
        reading("EUR/USD high of 2022").statistics,
        [Statistic::Highest]
    );
    for text in [
        "did gold fall from a high of 2011",
        "is gold below its high of 2011 dollars",
    ] {
        assert_eq!(year(text), (None, None), "{text}");
    }
}

#[test]
fn what_is_counted_and_which_stretch_was_best_are_said_not_to_be_worked_out() {
    for text in [
        "how often did the S&P 500 fall by more than 2% in a day in 2022?",
        "On how many days did AAPL close higher in October 2021?",
        "how many down days did gold have in 2020",
        "What was the worst week of the Dow in 2020?",
        "Which month of 2022 was the best one for the S&P 500?",
    ] {
        assert!(reading(text).unserved.is_some(), "{text}");
    }
    for text in [
        "how often does AAPL beat its estimates",
        "how did the Dow do last month",
        "which stocks did best last week",
    ] {
        assert_eq!(reading(text).unserved, None, "{text}");
    }
}

#[test]
fn a_limit_of_a_time_stands_in_the_history_of_a_coin_and_in_no_figure_of_a_company() {
    let found = reading("highest bitcoin price in 2021");
    assert_eq!(found.intents, [Intent::Performance]);
    let found = reading("highest P/E of AAPL in 2022");
    assert!(found.unserved.is_some());
}

#[test]
fn named_ones_that_are_ranked_are_compared() {
    for text in [
        "Which of NVDA, AAPL and MSFT fell most in 2022?",
        "of NVDA and TSLA, which was the biggest loser this year",
        "which of AAPL, MSFT and AMZN rose the most today",
    ] {
        let found = reading(text);
        assert!(symbols(text).len() >= 2, "{text}");
        assert!(
            found.wants(Intent::Comparison),
            "{text}: {:?}",
            found.intents
        );
        assert!(!found.wants(Intent::Movers), "{text}");
    }
    let found = reading("which of gold, silver and copper rose the most in 2022");
    assert_eq!(found.intents, [Intent::Commodities]);
    assert_eq!(found.series.len(), 3);
    // If nothing is named, all shares are meant.
    assert_eq!(
        reading("which stock fell most in 2022").intents,
        [Intent::Movers]
    );
}

#[test]
fn a_time_that_is_counted_from_a_date_is_no_time_of_that_date() {
    let when = reading("What was the price of Apple two weeks before 10 June 2024?").when;
    let day = |day: Option<model::Day>| day.map(|day| day.to_string());
    assert_eq!(day(when.from).as_deref(), Some("2024-05-27"));
    assert_eq!(when.from, when.to);
}

#[test]
fn that_month_is_the_one_that_was_named() {
    let found = reading("What was the fed funds rate in July 2023 and CPI that month?");
    assert_eq!(found.intents, [Intent::Macro]);
    assert_eq!(
        found.series,
        [Series::Known("fed_funds"), Series::Known("cpi")]
    );
    let day = |day: Option<model::Day>| day.map(|day| day.to_string());
    assert_eq!(day(found.when.from).as_deref(), Some("2023-07-01"));
    assert_eq!(day(found.when.to).as_deref(), Some("2023-07-31"));
    assert!(found.notes.is_empty(), "{:?}", found.notes);
    for (text, is_again) in [
        ("fed funds rate in July 2023 and CPI that month", true),
        ("fed funds rate in July 2023 and CPI the same month", true),
        ("CPI in July 2024 and in the same month of 2023", false),
        ("CPI in July 2024 and the same month a year earlier", false),
        ("CPI in July 2024 and gold that day", false),
    ] {
        let words = crate::words::cut(text);
        let times = crate::subjects::mentions(text, &words, super::today()).times;
        let first = times[0].period;
        let again = times.iter().skip(1).any(|dated| dated.period == first);
        assert_eq!(again, is_again, "{text}");
    }
}

#[test]
fn a_part_that_no_wish_answers_is_named() {
    for (text, expected) in [
        (
            "What is the price of gold and who is the president of France?",
            vec!["who is the president of France"],
        ),
        (
            "Who painted the Mona Lisa and what is the price of gold?",
            vec!["Who painted the Mona Lisa"],
        ),
        (
            "How is AAPL doing and who won the world cup?",
            vec!["who won the world cup"],
        ),
        ("price of AAPL and what is the P/E", vec![]),
        ("price of AAPL and how much did revenue grow", vec![]),
        (
            "What is the price of AAPL and when does it report earnings?",
            vec![],
        ),
        ("What is the price of gold and what is CPI?", vec![]),
        ("who is the CEO of Apple and what is its P/E", vec![]),
        ("inflation in April, May and June 2024", vec![]),
        ("inflation in april and may of 2024", vec![]),
        ("What is the oil price and is the trend up?", vec![]),
        (
            "What is the oil price and is the moon up?",
            vec!["is the moon up"],
        ),
        ("compare AAPL and MSFT", vec![]),
    ] {
        assert_eq!(reading(text).unanswered, expected, "{text}");
    }
}

#[test]
fn a_clear_question_of_what_is_not_held_is_told_from_no_question() {
    for (text, expected) in [
        ("What is the capital of France?", true),
        ("How many people live in Germany?", true),
        ("who won the world cup", true),
        ("??", false),
        ("asdfgh qwerty", false),
        ("hmm and what about that then", false),
    ] {
        let found = reading(text);
        assert_eq!(found.intents, [Intent::Unclear], "{text}");
        assert_eq!(found.is_unheld, expected, "{text}");
    }
}

#[test]
fn shares_are_ranked_by_what_they_returned() {
    for (text, at_most, is_up) in [
        ("Top 5 stocks by return in 2021", Some(5), Some(true)),
        ("bottom 10 stocks by return in 2021", Some(10), Some(false)),
        (
            "top 10 worst stocks by return in 2021",
            Some(10),
            Some(false),
        ),
        ("highest returning stocks of 2021", None, Some(true)),
    ] {
        let found = reading(text);
        assert_eq!(found.intents, [Intent::Movers], "{text}");
        assert_eq!((found.at_most, found.is_up), (at_most, is_up), "{text}");
        assert!(found.when.from.is_some(), "{text}");
    }
    for text in [
        "stocks with the highest return on equity",
        "companies that return the most cash to shareholders",
    ] {
        assert!(!reading(text).wants(Intent::Movers), "{text}");
    }
}

#[test]
fn what_is_not_worked_out_of_a_series_is_named() {
    const FORECASTS: Option<&str> = Some("forecasts of prices");
    const MEDIANS: Option<&str> = Some("medians of prices");
    const RETURNS: Option<&str> = Some("total returns, with dividends,");
    const VOLATILITY: Option<&str> = Some("volatilities of indices, commodities and currencies");
    for (text, unserved) in [
        ("median close of the S&P 500 in 2025", MEDIANS),
        ("what was the median gold price last year", MEDIANS),
        ("total return of the Nasdaq over 5 years", RETURNS),
        ("how volatile was gold in 2022", VOLATILITY),
        ("volatility of the Dow in 2020", VOLATILITY),
        ("Is volatility high at the moment?", None),
        ("where is the volatility index", None),
        ("gold price in 2022", None),
        (
            "most volatile stocks this month",
            Some("rankings by volatility"),
        ),
        (
            "which stocks have the highest beta",
            Some("rankings by volatility"),
        ),
        ("top gainers this month", None),
        ("will gold go up next year", FORECASTS),
        ("will the S&P 500 hit 8000 this year", FORECASTS),
        ("where will the euro be in six months", FORECASTS),
        ("is the market going to crash", FORECASTS),
        ("price target for gold", FORECASTS),
        ("when will the market open", None),
        ("will MSFT rise", None),
        ("what will MSFT close at tomorrow", FORECASTS),
        (
            "how did MSFT react to earnings",
            Some("price moves after a report"),
        ),
        (
            "how did MSFT do after its last earnings",
            Some("price moves after a report"),
        ),
        ("when does MSFT report earnings", None),
        // Economic figures are no prices.
        ("median household income", None),
    ] {
        assert_eq!(reading(text).unserved, unserved, "{text}");
    }
}

#[test]
fn a_time_that_names_no_date_is_noticed() {
    for (text, said) in [
        (
            "what was unemployment when Obama took office",
            Some("when Obama took office"),
        ),
        (
            "how has gold done since the election?",
            Some("since the election"),
        ),
        ("S&P 500 during the pandemic", Some("during the pandemic")),
        ("how much is MSFT up since its low", Some("since its low")),
        ("how has gold done since March 2025", None),
        ("gold price during 2020", None),
        ("when does MSFT report", None),
        ("how has gold done since then", None),
        ("since gold is up, how is silver doing", None),
    ] {
        let found = reading(text);
        assert_eq!(
            found.has_unread_time,
            said.is_some(),
            "{text}: {:?}",
            found.notes
        );
        let is_noted = |said: &str| found.notes.iter().any(|note| note.contains(said));
        assert!(said.is_none_or(is_noted), "{text}: {:?}", found.notes);
    }
}

#[test]
fn the_present_is_compared_with_an_earlier_time() {
    for (text, from) in [
        ("is gold higher than a year ago", "2025-11-23"),
        ("is the S&P 500 higher than in January", "2026-01-31"),
        ("is MSFT cheaper than it was in 2024", "2024-12-31"),
        ("is oil lower than last week", "2026-11-22"),
        ("is gold above where it was six months ago", "2026-05-24"),
        ("is bitcoin up from a month ago", "2026-10-24"),
        ("gold price compared to last year", "2025-12-31"),
        ("how does MSFT revenue compare to last year", "2025-12-31"),
        ("is MSFT higher than on 3 March 2025", "2025-03-03"),
    ] {
        let when = reading(text).when;
        let found = when.from.map(|day| day.to_string());
        assert_eq!((found.as_deref(), when.to), (Some(from), None), "{text}");
        assert!(when.begins_on_day, "{text}");
    }
    for text in [
        "was gold higher in 2020 than in 2011",
        "is gold more expensive than silver in 2025",
        "MSFT in 2024 vs 2023",
    ] {
        assert!(reading(text).when.to.is_some(), "{text}");
    }
}

#[test]
fn a_part_of_a_named_period_is_read() {
    for (text, from, to) in [
        (
            "oil in the last week of October",
            "2026-10-25",
            "2026-10-31",
        ),
        (
            "MSFT in the first week of November",
            "2026-11-01",
            "2026-11-07",
        ),
        (
            "MSFT price at the beginning of 2025",
            "2025-01-01",
            "2025-01-01",
        ),
        (
            "gold at the start of October 2026",
            "2026-10-01",
            "2026-10-01",
        ),
        (
            "MSFT close on the last trading day of August",
            "2026-08-31",
            "2026-08-31",
        ),
        ("MSFT in October", "2026-10-01", "2026-10-31"),
    ] {
        let when = reading(text).when;
        let found = [when.from, when.to].map(|day| day.map(|day| day.to_string()));
        assert_eq!(
            found,
            [Some(from.to_owned()), Some(to.to_owned())],
            "{text}"
        );
    }
}

#[test]
fn a_currency_falls_where_its_rate_to_the_dollar_rises() {
    use Statistic::{BestSession, Highest, Lowest, WorstSession};
    for (text, statistic) in [
        ("the yen's worst day this year", BestSession),
        ("yen's lowest point in 2025", Highest),
        ("lowest USD/JPY in 2025", Lowest),
        ("the euro's worst day this year", WorstSession),
    ] {
        assert_eq!(reading(text).statistics, [statistic], "{text}");
    }
}

#[test]
fn a_month_in_lower_case_before_a_day_is_a_month() {
    for (text, day) in [
        ("AAPL close on march 13 2023", "2023-03-13"),
        ("AAPL close may 5 2023", "2023-05-05"),
        ("AAPL price on may 5th 2023", "2023-05-05"),
    ] {
        let when = reading(text).when;
        assert_eq!(
            when.from.map(|from| from.to_string()).as_deref(),
            Some(day),
            "{text}"
        );
        assert_eq!(when.from, when.to, "{text}");
    }
}

#[test]
fn what_is_left_out_is_not_what_is_asked_about() {
    for text in [
        "Which tech stocks other than AAPL rose most in 2021?",
        "best stocks of 2021 except NVDA",
        "top stocks of 2021 apart from AAPL",
    ] {
        assert_eq!(
            reading(text).unserved,
            Some("lists that leave out named shares"),
            "{text}"
        );
    }
    assert_eq!(reading("how did AAPL do in 2021").unserved, None);
}

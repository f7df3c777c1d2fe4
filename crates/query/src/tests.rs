use model::{Day, Symbol};
use proptest::prelude::*;

use crate::{Intent, Kind, Listed, Names, Reading, Series, read};

mod asked_facts;
mod asked_of_levels;
mod asked_of_times;
mod everyday_words;
mod other_words;

fn names() -> Names {
    let share = |symbol: &str, name: &str, size: f64| {
        (symbol.to_owned(), name.to_owned(), Kind::Share, size)
    };
    let coin = |symbol: &str, name: &str| (symbol.to_owned(), name.to_owned(), Kind::Coin, 50.0);
    let all = [
        share("AAPL", "Apple Inc.", 90.0),
        share("NVDA", "NVIDIA Corporation", 99.0),
        share("MSFT", "Microsoft Corporation", 95.0),
        share("AMZN", "Amazon.com, Inc.", 80.0),
        share("TSLA", "Tesla, Inc.", 70.0),
        share("XOM", "Exxon Mobil Corporation", 60.0),
        share("TGT", "Target Corporation", 30.0),
        share("GAP", "The Gap, Inc.", 5.0),
        share("GOOGL", "Alphabet Inc.", 85.0),
        share("F", "Ford Motor Company", 20.0),
        share("DE", "Deere & Company", 40.0),
        share("V", "Visa Inc.", 65.0),
        share("BRK.B", "Berkshire Hathaway Inc.", 75.0),
        share("K", "Kellanova", 30.0),
        coin("BTC", "Bitcoin"),
        coin("ETH", "Ethereum"),
    ];
    Names::new(all.map(|(symbol, name, kind, size)| Listed {
        symbol: Symbol::parse(&symbol).unwrap(),
        name,
        kind,
        currency: "USD".to_owned(),
        size,
    }))
}

fn today() -> Day {
    Day::parse("2026-11-23").unwrap()
}

fn reading(text: &str) -> Reading {
    read(text, today(), &names())
}

fn symbols(text: &str) -> Vec<String> {
    let found = reading(text).instruments;
    found.iter().map(|one| one.symbol.to_string()).collect()
}

#[test]
fn companies_are_found_however_they_are_written() {
    for (text, expected) in [
        ("What's NVDA at?", vec!["NVDA"]),
        ("nvda rsi", vec!["NVDA"]),
        ("how is nvidea doing", vec!["NVDA"]),
        ("appel stock", vec!["AAPL"]),
        ("$tsla and $f", vec!["TSLA", "F"]),
        ("should I buy apple or microsoft", vec!["AAPL", "MSFT"]),
        ("google earnings", vec!["GOOGL"]),
        ("price target for nvda", vec!["NVDA"]),
        ("mind the price gap in TSLA", vec!["TSLA"]),
        ("Target stock", vec!["TGT"]),
        ("is visa overbought?", vec!["V"]),
        ("do I need a visa for Japan", vec![]),
        ("what's the P/E of brk.b", vec!["BRK.B"]),
        ("tell me about QQX-DE corp", vec![]),
        ("10-K filings that mention going concern", vec![]),
        ("latest 10-K of K", vec!["K"]),
        ("BTC-USD and AAPL-MSFT", vec!["BTC", "AAPL", "MSFT"]),
        ("bitcoin vs eth", vec!["BTC", "ETH"]),
        ("what is the pie in the sky", vec![]),
    ] {
        assert_eq!(symbols(text), expected, "{text}");
    }
}

#[test]
fn a_symbol_that_nothing_is_listed_under_is_said() {
    assert_eq!(reading("price of XQZT").unknown, ["XQZT"]);
    assert_eq!(reading("$ZZZQ earnings").unknown, ["ZZZQ"]);
    assert_eq!(reading("price of SAP.DE").unknown, ["SAP.DE"]);
    assert!(reading("latest on USMCA").unknown.is_empty());
    assert_eq!(reading("latest 10-K of Microsoft").form, Some("10-K"));
    assert_eq!(
        reading("latest 10-K of Microsoft").intents,
        [Intent::Filings]
    );
}

#[test]
fn wishes_follow_the_words_and_the_kinds_of_subjects() {
    use Intent as I;
    for (text, expected) in [
        ("NVDA", vec![I::Outlook]),
        ("what is the price of apple", vec![I::Price]),
        ("price target for tesla", vec![I::Analysts]),
        ("why did TSLA fall yesterday", vec![I::WhyMoved]),
        ("AAPL vs MSFT", vec![I::Comparison]),
        ("is tesla up this month", vec![I::Performance]),
        ("is tesla going up this month", vec![I::Outlook]),
        ("what should I watch this week", vec![I::Calendar]),
        ("correlation between AAPL and MSFT", vec![I::Correlation]),
        ("oversold tech stocks with PE under 20", vec![I::Screener]),
        (
            "I hold AAPL and XOM, what should I worry about?",
            vec![I::Portfolio],
        ),
        ("biggest gainers today", vec![I::Movers]),
        ("how is the market doing", vec![I::MarketOverview]),
        (
            "what happened while the market was closed",
            vec![I::MarketOverview],
        ),
        ("is the yield curve inverted", vec![I::Macro]),
        (
            "is it true that Apple acquired Tesla",
            vec![I::Verification],
        ),
        ("gold price", vec![I::Commodities]),
        ("EUR/USD", vec![I::Forex]),
        ("bitcoin price", vec![I::Price, I::Crypto]),
        ("insider buying at tesla", vec![I::Insider]),
        ("what can you do?", vec![I::Help]),
        ("hello", vec![I::Help]),
        ("??", vec![I::Unclear]),
        ("who won the world cup", vec![I::Unclear]),
    ] {
        assert_eq!(reading(text).intents, expected, "{text}");
    }
}

#[test]
fn a_time_is_read_from_words() {
    let day = |text: &str| Some(Day::parse(text).unwrap());
    let when = reading("how did NVDA do last March").when;
    assert_eq!((when.from, when.to), (day("2026-03-01"), day("2026-03-31")));
    assert_eq!(when.past_end(today()), day("2026-03-31"));
    let when = reading("why did TSLA fall yesterday").when;
    assert_eq!(when.from, day("2026-11-22"));
    let when = reading("earnings next week").when;
    assert_eq!((when.from, when.is_ahead), (day("2026-11-30"), true));
    assert_eq!(
        reading("AAPL over the past 3 months")
            .when
            .days_back(today()),
        Some(91)
    );
    assert!(reading("AAPL").when.is_unsaid());
}

#[test]
fn rankings_by_a_figure_are_screens() {
    use market::screener::{Direction, SortBy};
    for (text, sort, sector) in [
        (
            "which tech stock has the lowest PE",
            Some(SortBy::PeRatio),
            Some("Information Technology"),
        ),
        (
            "what are the largest oil companies",
            Some(SortBy::MarketCap),
            None,
        ),
        (
            "biggest companies by market cap",
            Some(SortBy::MarketCap),
            None,
        ),
        (
            "highest dividend yield in the utilities sector",
            Some(SortBy::DividendYield),
            Some("Utilities"),
        ),
        ("top 5 stocks by market cap", Some(SortBy::MarketCap), None),
        (
            "top 10 companies by market cap",
            Some(SortBy::MarketCap),
            None,
        ),
        ("highest dividend stocks", Some(SortBy::DividendYield), None),
        (
            "best dividend payers in the S&P 500",
            Some(SortBy::DividendYield),
            None,
        ),
        ("stocks with the lowest P/E", Some(SortBy::PeRatio), None),
        ("cheapest stocks by P/E", Some(SortBy::PeRatio), None),
    ] {
        let read = reading(text);
        assert_eq!(read.intents, [Intent::Screener], "{text}");
        let screen = read.screen.unwrap();
        assert_eq!(screen.sort, sort, "{text}");
        assert_eq!(screen.sector.as_deref(), sector, "{text}");
    }
    let read = reading("best dividend payers in the S&P 500");
    assert_eq!(read.screened, "best dividend payers");
    assert!(!read.screen.unwrap().is_beyond);
    for text in ["biggest gainers this year", "top gainers this year"] {
        assert_eq!(reading(text).intents, [Intent::Movers], "{text}");
    }
    // The cheapest are not shown instead of the most expensive.
    let read = reading("the most expensive stock by PE in healthcare");
    assert_eq!(read.intents, [Intent::Screener]);
    let screen = read.screen.unwrap();
    assert_eq!(screen.sort, Some(SortBy::PeRatio));
    assert_eq!(screen.direction, Some(Direction::Descending));
}

#[test]
fn ranges_and_named_days_are_whole_times() {
    use Intent as I;
    for (text, from, to, intents) in [
        (
            "how did apple do between march and june",
            "2026-03-01",
            "2026-06-30",
            vec![I::Performance],
        ),
        (
            "TSLA from January to June 2025",
            "2025-01-01",
            "2025-06-30",
            vec![I::Performance],
        ),
        (
            "price of AAPL on christmas day 2025",
            "2025-12-25",
            "2025-12-25",
            vec![I::Price],
        ),
        (
            "price of gold on new year's day",
            "2026-01-01",
            "2026-01-01",
            vec![I::Commodities],
        ),
        (
            "what was the S&P on new year's eve",
            "2025-12-31",
            "2025-12-31",
            vec![I::MarketOverview],
        ),
        (
            "price of TSLA on good friday",
            "2026-04-03",
            "2026-04-03",
            vec![I::Price],
        ),
    ] {
        let read = reading(text);
        let found = (read.when.from, read.when.to);
        let expected = (Day::parse(from), Day::parse(to));
        assert_eq!(found, expected, "{text}");
        assert_eq!(read.intents, intents, "{text}");
        assert!(read.unknown.is_empty(), "{text}: {:?}", read.unknown);
        assert!(read.notes.is_empty(), "{text}: {:?}", read.notes);
    }
    let read = reading("what happened to MSFT between 10 and 20 November");
    let found = (read.when.from, read.when.to);
    assert_eq!(found, (Day::parse("2026-11-10"), Day::parse("2026-11-20")));
    // When the exchange trades is a question for its calendar.
    let read = reading("is the market closed on good friday");
    assert!(read.when.is_unsaid() || read.wants(I::Calendar));
}

#[test]
fn holdings_have_weights_and_sides() {
    let holdings = |text: &str| -> Vec<(String, f64, bool)> {
        reading(text)
            .holdings
            .into_iter()
            .map(|one| (one.symbol.to_string(), one.weight, one.is_short))
            .collect()
    };
    let one = |symbol: &str, weight, is_short| (symbol.to_owned(), weight, is_short);
    assert_eq!(
        holdings("I hold AAPL and XOM, what now?"),
        [one("AAPL", 0.5, false), one("XOM", 0.5, false)]
    );
    assert_eq!(
        holdings("my portfolio is 60% AAPL, 30% XOM and 10% bitcoin"),
        [
            one("AAPL", 0.6, false),
            one("XOM", 0.3, false),
            one("BTC", 0.1, false)
        ]
    );
    assert_eq!(
        holdings("I own AAPL 70%, XOM 30%"),
        [one("AAPL", 0.7, false), one("XOM", 0.3, false)]
    );
    assert!(holdings("I am short TSLA and long AAPL")[0].2);
}

#[test]
fn weights_stand_before_or_behind_names_also_beside_what_is_not_listed() {
    for (text, expected) in [
        (
            "my portfolio: AAPL 50%, MSFT 30%, cash 20%",
            vec![("AAPL", 50), ("MSFT", 30)],
        ),
        (
            "AAPL 50%, NVDA 30%, 20% cash",
            vec![("AAPL", 50), ("NVDA", 30)],
        ),
        (
            "NVDA 10%, XOM 20%, AAPL 30%, cash 40%",
            vec![("NVDA", 10), ("XOM", 20), ("AAPL", 30)],
        ),
        (
            "my portfolio is cash 20%, AAPL 50%, MSFT 30%",
            vec![("AAPL", 50), ("MSFT", 30)],
        ),
        (
            "I hold 50% AAPL, 30% MSFT and 20% cash",
            vec![("AAPL", 50), ("MSFT", 30)],
        ),
        (
            "my portfolio is AAPL 60% and XOM",
            vec![("AAPL", 60), ("XOM", 40)],
        ),
        (
            "How are my 60% MSFT 40% XOM doing this year?",
            vec![("MSFT", 60), ("XOM", 40)],
        ),
        ("AAPL or MSFT this year", vec![]),
    ] {
        let found = reading(text).holdings;
        let weights: Vec<(&str, i64)> = found
            .iter()
            .map(|one| (one.symbol.as_str(), (one.weight * 100.0).round() as i64))
            .collect();
        assert_eq!(weights, expected, "{text}");
    }
    let notes = reading("40% AAPL, 30% MSFT, 20% NVDA and 10% gold").notes;
    assert!(
        notes
            .iter()
            .any(|note| note.starts_with("gold is not among")),
        "{notes:?}"
    );
}

#[test]
fn counted_shares_of_a_portfolio_are_positions_also_over_a_time() {
    let found = reading("how has my portfolio of 10 AAPL and 5 MSFT done this year");
    let sizes: Vec<crate::Size> = found.positions.iter().map(|one| one.size).collect();
    assert_eq!(sizes, [crate::Size::Units(10.0), crate::Size::Units(5.0)]);
    assert!(found.weighs_performance());
    assert!(!reading("I hold 10 AAPL and 5 MSFT").weighs_performance());
}

#[test]
fn claims_are_what_follows_the_asking() {
    let claim = |text: &str| reading(text).claim.unwrap_or_default();
    assert_eq!(
        claim("Is it true that Apple acquired Tesla?"),
        "Apple acquired Tesla"
    );
    assert_eq!(
        claim("Fact check: inflation fell to 2% in May"),
        "inflation fell to 2% in May"
    );
    assert_eq!(claim("Did Apple really buy Tesla?"), "Apple buy Tesla");
    assert_eq!(
        claim("Inflation fell to 2% in May, true or false?"),
        "Inflation fell to 2% in May"
    );
}

#[test]
fn series_are_read_as_claims_read_them() {
    let series = |text: &str| reading(text).series;
    assert_eq!(
        series("oil and the euro against the dollar"),
        [Series::Known("crude"), Series::Pair("EUR", "USD")]
    );
    assert_eq!(series("unemployment rate"), [Series::Known("unemployment")]);
}

proptest! {
    #[test]
    fn any_text_is_read(text in ".{0,500}") {
        let reading = reading(&text);
        prop_assert!(!reading.intents.is_empty());
        prop_assert!(reading.instruments.len() <= 10);
        prop_assert!(reading.holdings.iter().all(|one| one.weight > 0.0 && one.weight <= 1.0));
    }

    #[test]
    fn any_mixture_of_words_of_the_trade_is_read(
        words in prop::collection::vec(prop::sample::select(vec![
            "NVDA", "apple", "price", "why", "did", "fall", "60%", "yesterday", "and", "vs", "I", "hold", "stocks", "under", "$10",
            "is it true", "?", ",", "last March", "oil", "insider", "really", "^GSPC", "&", "'s", "é", "，",
        ]), 0..40)
    ) {
        let reading = reading(&words.join(" "));
        prop_assert!(!reading.intents.is_empty());
    }
}

#[test]
fn extremes_of_a_price_are_about_its_performance() {
    for text in [
        "how volatile is tesla",
        "ethereum 30 day volatility",
        "worst day for AAPL in 2022",
        "highest price of nvidia in 2021",
        "biggest single day drop of MSFT",
    ] {
        assert_eq!(reading(text).intents[0], Intent::Performance, "{text}");
    }
}

#[test]
fn the_best_of_a_stretch_of_time_are_its_movers() {
    for text in [
        "what was the best stock of 2021",
        "worst performing shares in 2022",
        "top gainers last month",
        "which stocks fell the most this year",
    ] {
        assert_eq!(reading(text).intents, [Intent::Movers], "{text}");
    }
}

#[test]
fn months_need_no_capital_where_only_a_month_can_stand() {
    for (text, from, to) in [
        ("oil price in march 2022", "2022-03-01", "2022-03-31"),
        ("fed funds rate in may 2023", "2023-05-01", "2023-05-31"),
        ("AAPL on 14 march 2022", "2022-03-14", "2022-03-14"),
        ("AAPL on 3rd may 2021", "2021-05-03", "2021-05-03"),
        ("crypto crash may 2021", "2021-05-01", "2021-05-31"),
        ("NVDA performance in march", "2026-03-01", "2026-03-31"),
        ("NVDA last may", "2026-05-01", "2026-05-31"),
    ] {
        let when = reading(text).when;
        let days = [when.from, when.to].map(|day| day.map(|day| day.to_string()));
        assert_eq!(days, [Some(from.to_owned()), Some(to.to_owned())], "{text}");
    }
    for text in [
        "NVDA may rise",
        "AAPL will march on",
        "the 3 may merge with NVDA",
    ] {
        assert!(reading(text).when.is_unsaid(), "{text}");
    }
}

fn converted(text: &str) -> Option<(f64, &'static str, &'static str)> {
    let found = *reading(text).conversions.first()?;
    Some((found.amount, found.from, found.to))
}

#[test]
fn sums_are_converted_from_the_currency_that_has_the_number() {
    for (text, expected) in [
        ("what is 100 euros in yen", (100.0, "EUR", "JPY")),
        ("convert 250 usd to gbp", (250.0, "USD", "GBP")),
        ("how much is 5,000 yen in dollars", (5_000.0, "JPY", "USD")),
        ("£750 to euros please", (750.0, "GBP", "EUR")),
        (
            "how many swiss francs do I get for 2k pounds",
            (2_000.0, "GBP", "CHF"),
        ),
        ("1 million usd in inr", (1e6, "USD", "INR")),
        ("yen for $300", (300.0, "USD", "JPY")),
        ("how many yen to the dollar", (1.0, "USD", "JPY")),
        ("what is a pound worth in euros", (1.0, "GBP", "EUR")),
        ("EUR/JPY", (1.0, "EUR", "JPY")),
        ("dollars per euro", (1.0, "EUR", "USD")),
        ("audnzd rate", (1.0, "AUD", "NZD")),
    ] {
        assert_eq!(converted(text), Some(expected), "{text}");
        assert_eq!(reading(text).intents, [Intent::Forex], "{text}");
    }
    for text in [
        "is the dollar strong",
        "euro, pound and yen against the dollar",
        "what are 100 shares of Apple worth",
    ] {
        assert_eq!(converted(text), None, "{text}");
    }
}

#[test]
fn positions_are_read_with_size_price_and_time() {
    use crate::Size::{Money, Units, Unsaid};
    for (text, size, paid, year) in [
        (
            "what are 100 shares of Apple worth",
            Units(100.0),
            None,
            None,
        ),
        ("value of 2.5 ETH", Units(2.5), None, None),
        ("cost of 40 Tesla shares", Units(40.0), None, None),
        (
            "I bought 100 MSFT at 200, what is my profit",
            Units(100.0),
            Some(200.0),
            None,
        ),
        (
            "bought 15 shares of Exxon at $110 in 2022, gain or loss?",
            Units(15.0),
            Some(110.0),
            None,
        ),
        (
            "my average cost in Nvidia is $95 a share, am I in profit",
            Unsaid,
            Some(95.0),
            None,
        ),
        (
            "how many Amazon shares can I get for $5,000",
            Money(5_000.0, "USD"),
            None,
            None,
        ),
        (
            "$1000 invested in NVDA in 2019 would be worth",
            Money(1_000.0, "USD"),
            None,
            Some("2019"),
        ),
        (
            "what would 10k put into bitcoin in 2020 have become",
            Money(10_000.0, "USD"),
            None,
            Some("2020"),
        ),
        (
            "what would 500 dollars in bitcoin in 2018 be worth",
            Money(500.0, "USD"),
            None,
            Some("2018"),
        ),
        (
            "if I had bought Tesla in March 2020",
            Unsaid,
            None,
            Some("2020"),
        ),
        (
            "had we put 2,500 dollars into Apple in January 2023",
            Money(2_500.0, "USD"),
            None,
            Some("2023"),
        ),
    ] {
        let found = reading(text).positions;
        let [one] = &found[..] else {
            panic!("{text}: {found:?}");
        };
        assert_eq!(one.size, size, "{text}");
        assert_eq!(one.paid, paid, "{text}");
        let bought = one.bought.map(|(from, _)| from.to_string()[..4].to_owned());
        assert_eq!(bought.as_deref(), year, "{text}");
    }
    for text in [
        "I own 20 NVDA and 30 AAPL, what is that worth",
        "20 nvda 30 aapl what should i watch",
        "20 shares of Nvidia, 30 of Apple: any trouble ahead?",
    ] {
        let sizes: Vec<_> = reading(text).positions.iter().map(|one| one.size).collect();
        assert_eq!(sizes, [Units(20.0), Units(30.0)], "{text}");
    }
    for text in [
        "what are the top 3 Apple suppliers worth knowing",
        "should I buy Tesla this week",
        "50 day average of AAPL price",
        "did insiders of Tesla sell 5,000 shares",
        "how much is Apple worth",
        "I hold 60% AAPL and 40% XOM, what should I worry about?",
        "60% AAPL 40% XOM",
        "top 10 NVDA and AAPL news",
        "did 5 AAPL or 3 NVDA insiders sell in 2024",
    ] {
        assert_eq!(reading(text).positions, [], "{text}");
    }
}

#[test]
fn a_position_that_was_sold_has_both_times() {
    let found =
        reading("if I had bought Apple in March 2020 and sold it in November 2021").positions;
    let day = |text: &str| Day::parse(text).unwrap();
    assert_eq!(
        found[0].bought,
        Some((day("2020-03-01"), day("2020-03-31")))
    );
    assert_eq!(found[0].sold, Some((day("2021-11-01"), day("2021-11-30"))));
}

#[test]
fn a_position_may_be_wanted_at_its_worth_of_then() {
    let day = |text: &str| Day::parse(text).unwrap();
    for text in [
        "if I had put $10,000 into Apple in March 2020, what would it be worth in November 2021?",
        "what would $10,000 put into Apple in March 2020 have become by November 2021",
        "$10,000 invested in Apple in March 2020 was worth how much in November 2021?",
        "what was it worth in November 2021 if I had put $10,000 into Apple in March 2020",
    ] {
        let found = reading(text).positions;
        let [one] = &found[..] else {
            panic!("{text}: {found:?}");
        };
        let (march, november) = (
            (day("2020-03-01"), day("2020-03-31")),
            (day("2021-11-01"), day("2021-11-30")),
        );
        assert_eq!(one.bought, Some(march), "{text}");
        assert_eq!((one.valued, one.sold), (Some(november), None), "{text}");
    }
    // A second time that is only used for comparison is not one at which the position ends.
    let text = "I put $10,000 into Apple in March 2020, was that better than in March 2019?";
    for one in reading(text).positions {
        assert_eq!(one.end(), None);
    }
}

#[test]
fn rankings_by_price_are_movers_and_screens_are_screens() {
    use Intent as I;
    for (text, expected) in [
        ("which stocks fell more than 20% this year", vec![I::Movers]),
        ("shares that gained over 50% since January", vec![I::Movers]),
        ("what stock has risen the most since March", vec![I::Movers]),
        ("companies that doubled in 2025", vec![I::Movers]),
        ("stocks near their 52-week high", vec![I::Screener]),
        ("companies trading close to 52 week lows", vec![I::Screener]),
        ("oversold tech stocks with PE under 20", vec![I::Screener]),
        ("which sector did best this year", vec![I::Sectors]),
    ] {
        assert_eq!(reading(text).intents, expected, "{text}");
    }
}

#[test]
fn trades_of_insiders_have_a_least_value_and_executives_are_insiders() {
    for (text, least) in [
        (
            "insiders who bought more than $1m of stock this month",
            Some(1e6),
        ),
        (
            "did any Tesla executive sell shares worth over 5 million lately",
            Some(5e6),
        ),
        ("insider buying at tesla", None),
    ] {
        let read = reading(text);
        assert!(read.wants(Intent::Insider), "{text}: {:?}", read.intents);
        assert_eq!(read.least_value, least, "{text}");
    }
}

#[test]
fn a_form_of_filing_that_is_money_is_money_and_years_ago_is_a_day() {
    let read = reading("what would 10k put into bitcoin three years ago have become");
    assert!(!read.wants(Intent::Filings), "{:?}", read.intents);
    let day = Day::parse("2023-11-23").unwrap();
    let bought = read.positions[0].bought.unwrap();
    assert!((bought.0.since(day)).abs() <= 2, "{bought:?}");
    assert!(reading("latest 10k of Apple").wants(Intent::Filings));
    let when = reading("what was the price of Apple five years ago").when;
    assert_eq!(when.from, when.to);
    assert_eq!(when.from.unwrap().to_string()[..7], *"2021-11");
    // The present is asked about, and that day only begins the comparison.
    assert_eq!(reading("is AAPL cheaper than a year ago").when.to, None);
}

#[test]
fn a_symbol_that_is_known_and_not_listed_is_no_company_of_like_name() {
    let listed = |symbol: &str, name: &str| Listed {
        symbol: Symbol::parse(symbol).unwrap(),
        name: name.to_owned(),
        kind: Kind::Share,
        currency: "USD".to_owned(),
        size: 1.0,
    };
    let names = Names::new([
        listed("AVX", "Avax One Technology Ltd."),
        listed("AAPL", "Apple"),
    ]);
    let found = read("what is the price of AVAX", today(), &names);
    assert_eq!(found.instruments, []);
    assert_eq!(found.unknown, ["AVAX"]);
    let found = read("how is Avax One doing", today(), &names);
    assert_eq!(found.instruments[0].symbol.as_str(), "AVX");
}

#[test]
fn of_other_languages_only_names_are_understood() {
    for text in [
        "Was kostet die Aktie jetzt gerade?",
        "Wat kost de koers van dit aandeel vandaag?",
        "cual es el precio de la accion ahora",
        "Quelles actions ont augmenté aujourd'hui ?",
    ] {
        let found = reading(text);
        assert_eq!(found.intents, [Intent::Unclear], "{text}");
        assert_eq!(symbols(text), Vec::<String>::new(), "{text}");
    }
    for (text, expected) in [
        ("Wat is de koers van Apple vandaag?", "AAPL"),
        ("Wat is de koers van $tsla vandaag?", "TSLA"),
        ("Wie hoch ist der Kurs von DE?", "DE"),
        ("Pourquoi Tesla a baissé hier ?", "TSLA"),
    ] {
        let found = reading(text);
        assert_eq!(symbols(text), [expected], "{text}");
        assert_eq!(found.intents, [Intent::Outlook], "{text}");
        assert!(found.notes[0].contains("in English"), "{text}");
    }
    assert!(reading("how is de doing today").notes.is_empty());
    assert_eq!(symbols("de stock"), ["DE"]);
}

#[test]
fn what_is_not_taken_of_a_time_is_said() {
    for (text, told) in [
        ("S&P 500 return 2021 vs 2022", "ask for 2022 by itself"),
        (
            "Was the S&P 500 higher in 2022 than in 2020",
            "the figures are of 2022; ask for 2020 by itself",
        ),
        (
            "oil price when russia invaded ukraine",
            "“when russia invaded ukraine” names no date",
        ),
        ("price of AAPL when the iphone came out?", "names no date"),
    ] {
        let notes = reading(text).notes;
        assert!(
            notes.iter().any(|note| note.contains(told)),
            "{text}: {notes:?}"
        );
    }
    for text in [
        "when does AAPL report",
        "fed funds rate and when is the next meeting",
        "apple price on 14 March 2022",
        "apple from March 2021 to June 2022",
        "price of AAPL when it closed on 3 May 2021",
        "how did Tesla do in 2022",
    ] {
        assert_eq!(reading(text).notes, Vec::<String>::new(), "{text}");
    }
}

#[test]
fn a_small_word_in_running_text_begins_no_name() {
    let shares = [
        ("ON", "ON Semiconductor Corporation"),
        ("UAA", "Under Armour, Inc."),
        ("NKE", "Nike, Inc."),
    ];
    let names = Names::new(shares.map(|(symbol, name)| Listed {
        symbol: Symbol::parse(symbol).unwrap(),
        name: name.to_owned(),
        kind: Kind::Share,
        currency: "USD".to_owned(),
        size: 50.0,
    }));
    let symbols = |text: &str| -> Vec<String> {
        let found = read(text, today(), &names).instruments;
        found.iter().map(|one| one.symbol.to_string()).collect()
    };
    for text in [
        "What do sanctions on semiconductor exports to Russia mean for chip makers?",
        "On semiconductor exports, what did the Commerce Department decide?",
        "WHAT DO SANCTIONS ON SEMICONDUCTOR EXPORTS MEAN?",
    ] {
        assert!(symbols(text).is_empty(), "{text}: {:?}", symbols(text));
    }
    for (text, expected) in [
        ("Is the outlook for ON Semiconductor good?", vec!["ON"]),
        ("What moved ON Semiconductor last week?", vec!["ON"]),
        ("on semiconductor", vec!["ON"]),
        ("on semiconductor stock", vec!["ON"]),
        ("is on semiconductor a buy", vec!["ON"]),
        ("nike or under armour", vec!["NKE", "UAA"]),
        ("under armour vs nike", vec!["UAA", "NKE"]),
    ] {
        assert_eq!(symbols(text), expected, "{text}");
    }
}

#[test]
fn groups_of_commodities_are_their_members() {
    let known = |codes: &[&'static str]| -> Vec<Series> {
        codes.iter().map(|code| Series::Known(code)).collect()
    };
    for (text, expected) in [
        ("where are energy prices going", known(&["crude", "natgas"])),
        ("precious metals update", known(&["gold", "silver"])),
        ("metals prices today", known(&["gold", "silver", "copper"])),
        ("grains look weak", known(&["wheat", "corn"])),
        ("base metals", known(&["copper"])),
        ("metals stocks with PE under 20", vec![]),
    ] {
        assert_eq!(reading(text).series, expected, "{text}");
    }
}

#[test]
fn known_companies_need_no_capital_and_no_turnover() {
    let listed = |symbol: &str, name: &str, size: f64| Listed {
        symbol: Symbol::parse(symbol).unwrap(),
        name: name.to_owned(),
        kind: Kind::Share,
        currency: "USD".to_owned(),
        size,
    };
    let names = Names::new([
        listed("AAPL", "Apple", 9.0),
        listed("UBER", "Uber Technologies, Inc.", 0.0),
        listed("HOOD", "Robinhood Markets, Inc.", 0.0),
        listed("SE", "Sea Limited", 0.0),
        listed("WTF", "Waton Financial Limited", 9.0),
    ]);
    let symbols = |text: &str| -> Vec<String> {
        let found = read(text, today(), &names).instruments;
        found.iter().map(|one| one.symbol.to_string()).collect()
    };
    assert_eq!(symbols("what's uber trading at right now"), ["UBER"]);
    assert_eq!(symbols("any news about robinhood this week"), ["HOOD"]);
    assert_eq!(symbols("is Sea Limited a buy"), ["SE"]);
    // Part of a place name, and small talk.
    for text in [
        "latest on shipping in the Red Sea",
        "red sea attacks news",
        "wtf is going on with the market",
    ] {
        assert_eq!(symbols(text), [] as [&str; 0], "{text}");
    }
    assert_eq!(symbols("$WTF price"), ["WTF"]);
}

#[test]
fn the_mood_of_the_market_is_a_sentiment_and_an_index_may_be_a_pool_of_shares() {
    use Intent as I;
    for (text, expected) in [
        (
            "what is the market sentiment",
            vec![I::MarketOverview, I::Sentiment],
        ),
        (
            "is the market greedy or scared today",
            vec![I::MarketOverview, I::Sentiment],
        ),
        ("best performing dow stock this month", vec![I::Movers]),
        ("worst performing stocks in the S&P 500", vec![I::Movers]),
        ("how is the dow doing", vec![I::MarketOverview]),
    ] {
        assert_eq!(reading(text).intents, expected, "{text}");
    }
}

use model::{Day, Symbol};
use query::{Kind, Listed, Names, read};

use super::*;

fn planned(question: &str) -> Plan {
    planned_on(question, "2026-11-23")
}

fn planned_on(question: &str, day: &str) -> Plan {
    let today = Day::parse(day).unwrap();
    let listed = [
        ("AAPL", "Apple", Kind::Share),
        ("MSFT", "Microsoft", Kind::Share),
        ("NVDA", "Nvidia", Kind::Share),
        ("BTC", "Bitcoin", Kind::Coin),
    ];
    let names = Names::new(listed.map(|(symbol, name, kind)| Listed {
        symbol: Symbol::parse(symbol).unwrap(),
        name: name.to_owned(),
        kind,
        currency: "USD".to_owned(),
        size: 1.0,
    }));
    plan(&read(question, today, &names), today)
}

fn needed(question: &str) -> Vec<String> {
    let steps = planned(question).steps.into_iter();
    steps
        .filter(|step| step.is_needed)
        .map(|step| step.endpoint.replace("/api/v1/", ""))
        .collect()
}

#[test]
fn questions_reach_the_operations_that_answer_them() {
    for (question, expected) in [
        ("what is the price of AAPL", vec!["ticker/AAPL/price"]),
        ("NVDA", vec!["ticker/NVDA/analysis"]),
        (
            "AAPL vs MSFT",
            vec!["ticker/AAPL/analysis", "ticker/MSFT/analysis"],
        ),
        ("bitcoin price", vec!["crypto/BTC"]),
        ("is the yield curve inverted", vec!["economy/yields"]),
        ("what is inflation right now", vec!["economy/inflation"]),
        ("biggest losers today", vec!["market/movers"]),
        ("euro dollar rate", vec!["forex/EURUSD"]),
        ("gold price", vec!["commodities/gold"]),
        (
            "is it true that Apple acquired Tesla last year",
            vec!["verify"],
        ),
        ("hello", vec![]),
        (
            "did AAPL beat estimates last quarter",
            vec!["ticker/AAPL/full", "ticker/AAPL/earnings"],
        ),
        (
            "is the revenue of AAPL growing",
            vec!["ticker/AAPL/financials", "ticker/AAPL/statements"],
        ),
        (
            "what happened while the market was closed",
            vec!["market/summary", "feed"],
        ),
        ("how is the market doing", vec!["market/summary"]),
        (
            "when did NVDA last close above 150",
            vec!["ticker/NVDA/candles"],
        ),
        (
            "when did bitcoin first hit 100000",
            vec!["ticker/CRYPTO:BTC/candles"],
        ),
        ("upcoming IPOs", vec!["events"]),
    ] {
        assert_eq!(needed(question), expected, "{question}");
    }
}

#[test]
fn a_budget_takes_what_is_not_needed_first() {
    let mut plan = planned("How is NVDA doing?");
    assert!(plan.credits() > 2);
    plan.cut_to(2);
    assert_eq!(plan.credits(), 2);
    assert!(plan.steps[0].is_needed);
    plan.cut_to(0);
    assert_eq!(plan.credits(), plan.least_credits(), "what is needed stays");
    assert!(!plan.notes.is_empty());
}

#[test]
fn the_past_is_answered_from_the_past() {
    let plan = planned("what was the P/E of AAPL in March 2024");
    assert_eq!(plan.as_of, Day::parse("2024-03-31"));
    assert_eq!(plan.steps[0].arguments["as_of"], "2024-04-01T00:00:00Z");
    assert_eq!(planned("P/E of AAPL").as_of, None);
}

#[test]
fn no_question_asks_more_than_its_bound() {
    let all = "how are AAPL MSFT NVDA BTC doing: price, technicals, earnings, news, insiders, filings, analysts, congress, institutions, sentiment";
    assert!(planned(all).credits() <= MOST_SOURCES);
}

#[test]
fn a_stretch_of_time_is_measured_from_the_value_before_it() {
    for (question, key, before) in [
        (
            "S&P 500 performance in 2022",
            "market_before",
            "2022-01-01T00:00:00Z",
        ),
        (
            "oil price in march 2022",
            "commodities_before",
            "2022-03-01T00:00:00Z",
        ),
        (
            "euro vs dollar 2022 performance",
            "forex_before",
            "2022-01-01T00:00:00Z",
        ),
    ] {
        let plan = planned(question);
        let step = plan.steps.iter().find(|step| step.key == key);
        let step = step.unwrap_or_else(|| panic!("{question}: {:?}", plan.steps));
        assert_eq!(step.arguments["as_of"], before, "{question}");
        assert!(!step.is_needed, "{question}");
    }
    for question in [
        "oil price",
        "oil price on 3 March 2022",
        "how is the S&P 500",
    ] {
        let plan = planned(question);
        let has = plan.steps.iter().any(|step| step.key.ends_with("_before"));
        assert!(!has, "{question}");
    }
}

#[test]
fn this_week_has_begun_on_its_second_day() {
    let before = |day: &str, question: &str| {
        let plan = planned_on(question, day);
        let mut steps = plan.steps.into_iter();
        steps.find(|step| step.key == "commodities_before")
    };
    let question = "why is oil up this week";
    assert!(before("2026-11-23", question).is_none(), "a Monday");
    let step = before("2026-11-24", question).unwrap();
    assert_eq!(step.arguments["as_of"], "2026-11-23T00:00:00Z");
    assert!(before("2026-11-24", "oil price in the last day").is_none());
}

#[test]
fn what_is_asked_beside_figures_has_a_step_of_its_own() {
    assert!(needed("crypto market cap and bitcoin dominance").contains(&"crypto".to_owned()));
    assert!(!needed("bitcoin price").contains(&"crypto".to_owned()));
    let keys = |question: &str| {
        let steps = planned(question).steps.into_iter();
        steps.map(|step| step.key).collect::<Vec<_>>()
    };
    assert!(keys("how much does MSFT pay in dividends").contains(&"dividends"));
    assert!(!keys("P/E of MSFT").contains(&"dividends"));
}

#[test]
fn an_indicator_of_a_past_month_is_read_when_it_was_published() {
    let plan = planned("unemployment in april 2020");
    assert_eq!(plan.steps[0].arguments["as_of"], "2020-07-02T00:00:00Z");
    assert_eq!(plan.as_of, None, "no step looks at the end of April");
    let recent = planned("unemployment in October 2026");
    assert_eq!(recent.steps[0].arguments.get("as_of"), None);
}

#[test]
fn comparisons_of_a_stretch_have_its_prices() {
    let plan = planned("Compare AAPL and MSFT over the past year");
    let histories = plan.steps.iter().filter(|step| step.key == "candles");
    assert_eq!(histories.count(), 2);
    let plan = planned("Compare AAPL and MSFT");
    assert!(plan.steps.iter().all(|step| step.key != "candles"));
}

#[test]
fn movers_of_a_stretch_begin_with_it() {
    for (question, from, as_of) in [
        (
            "what was the best stock of 2022",
            Some("2022-01-01"),
            Some("2023-01-01T00:00:00Z"),
        ),
        ("top gainers today", None, None),
    ] {
        let plan = planned(question);
        let step = plan.steps.iter().find(|step| step.key == "movers");
        let step = step.unwrap_or_else(|| panic!("{question}: {:?}", plan.steps));
        let argument = |name| step.arguments.get(name).and_then(Value::as_str);
        assert_eq!(
            (argument("from"), argument("as_of")),
            (from, as_of),
            "{question}"
        );
    }
}

#[test]
fn trades_of_a_person_are_asked_by_name() {
    for (question, member) in [
        ("what did Nancy Pelosi buy?", Some("Nancy Pelosi")),
        ("pelosi trades", Some("pelosi")),
        ("what did Josh Gottheimer trade", Some("Josh Gottheimer")),
        ("senators buying oil stocks", None),
        ("latest congress trades", None),
    ] {
        let plan = planned(question);
        let step = plan.steps.iter().find(|step| step.key == "congress");
        let step = step.unwrap_or_else(|| panic!("{question}: {:?}", plan.steps));
        let asked = step.arguments.get("member").and_then(Value::as_str);
        assert_eq!(asked, member, "{question}");
    }
}

#[test]
fn sums_and_positions_ask_for_the_rates_and_prices_they_need() {
    for (question, expected) in [
        ("100 euros in yen", vec!["forex/EURUSD", "forex/USDJPY"]),
        ("convert 250 usd to gbp", vec!["forex/GBPUSD"]),
        (
            "what are 100 shares of Apple worth",
            vec!["ticker/AAPL/price"],
        ),
        (
            "$1000 invested in NVDA in 2019 would be worth",
            vec!["ticker/NVDA/candles", "ticker/NVDA/price"],
        ),
        (
            "what would 500 dollars put into bitcoin in 2020 be worth",
            vec!["ticker/CRYPTO:BTC/candles", "crypto/BTC"],
        ),
    ] {
        assert_eq!(needed(question), expected, "{question}");
    }
    // The current price, not the one then.
    let plan = planned("$1000 invested in NVDA in 2019 would be worth");
    assert_eq!(plan.as_of, None);
    let bought = &plan.steps[0].arguments;
    assert_eq!(bought["from"], "2018-12-25");
    assert_eq!(bought["to"], "2020-01-07");
}

#[test]
fn events_are_those_of_the_time_that_is_asked_about() {
    for (question, period, as_of) in [
        ("lawsuits against Apple", "30d", None),
        ("lawsuits against Apple this year", "365d", None),
        (
            "which companies went public in October 2026",
            "90d",
            Some("2026-11-01T00:00:00Z"),
        ),
        ("mergers announced over the past week", "7d", None),
    ] {
        let plan = planned(question);
        let step = plan.steps.iter().find(|step| step.key == "events");
        let step = step.unwrap_or_else(|| panic!("{question}: {:?}", plan.steps));
        let argument = |name| step.arguments.get(name).and_then(Value::as_str);
        assert_eq!(
            (argument("period"), argument("as_of")),
            (Some(period), as_of),
            "{question}"
        );
    }
}

#[test]
fn sectors_are_ranked_by_price_unless_their_coverage_is_meant() {
    let by_price = needed("which sector did best this year");
    assert_eq!(by_price, ["sectors", "market/movers"]);
    assert_eq!(needed("which sectors have the best coverage"), ["sectors"]);
    assert_eq!(needed("real GDP growth last quarter"), ["economy/real_gdp"]);
}

#[test]
fn a_coin_over_years_has_its_candles_and_not_a_chart_of_one() {
    let plan = planned("how has bitcoin done since 2020");
    let history = plan.steps.iter().find(|step| step.key == "candles");
    let arguments = &history.expect("candles").arguments;
    assert_eq!(arguments["symbol"], "CRYPTO:BTC");
    assert!(arguments["from"].as_str().unwrap() < "2020-01-01");
    let plan = planned("how has bitcoin done this year");
    assert!(plan.steps.iter().any(|step| step.key == "chart"));
}

#[test]
fn what_a_run_has_no_room_for_is_no_budget_of_the_caller() {
    let step = |key: &'static str| Step {
        key,
        subject: None,
        operation: "show_price",
        endpoint: String::new(),
        arguments: Map::new(),
        is_needed: true,
    };
    let context = Step {
        is_needed: false,
        ..step("context")
    };
    let mut plan = Plan {
        steps: vec![step("price"), step("news"), context],
        ..Plan::default()
    };
    plan.cut_to_room(2);
    assert_eq!(plan.steps.len(), 2);
    assert_eq!(
        plan.notes,
        ["1 further source was not asked: this run has room for 2"]
    );
    plan.cut_to_room(2);
    assert_eq!(plan.notes.len(), 1);
}

#[test]
fn groups_moods_and_members_of_an_index_reach_what_answers_them() {
    assert_eq!(
        needed("precious metals update"),
        ["commodities/gold", "commodities/silver"]
    );
    assert_eq!(
        needed("what is the market sentiment"),
        ["sectors", "market/summary"]
    );
    let plan = planned("best performing dow stock this month");
    let first = plan.steps.first().map(|step| step.endpoint.as_str());
    assert_eq!(first, Some("/api/v1/market/movers"));
    assert!(plan.notes.iter().any(|note| note.contains("members")));
}

#[test]
fn facts_of_a_company_reach_the_one_place_where_they_stand() {
    for (question, expected) in [
        (
            "when was the last split of Apple",
            &["ticker/AAPL/actions"][..],
        ),
        ("who is the CEO of Nvidia", &["ticker/NVDA/insider"]),
        (
            "how much cash does Microsoft have",
            &["ticker/MSFT/statements", "ticker/MSFT/financials"],
        ),
    ] {
        assert_eq!(needed(question), expected, "{question}");
    }
    let elsewhere = planned("how many subscribers does Apple have");
    let search = elsewhere.steps.iter().find(|step| step.key == "search");
    assert_eq!(search.unwrap().arguments["q"], "Apple subscribers");
}

#[test]
fn rankings_of_prices_compare_lists_of_two_times() {
    let steps = |question: &str| {
        let steps = planned(question).steps.into_iter();
        steps
            .map(|step| (step.key, step.arguments.get("as_of").cloned()))
            .collect::<Vec<_>>()
    };
    let midnight = |day: &str| Some(serde_json::json!(format!("{day}T00:00:00Z")));
    assert_eq!(
        steps("best performing commodity this year"),
        [
            ("commodities", None),
            ("commodities_before", midnight("2026-01-01"))
        ]
    );
    assert_eq!(
        steps("which coin lost the most since November 1"),
        [("coins", None), ("coins_before", midnight("2026-11-01"))]
    );
    // The first day of a week, and the day itself, since the day before.
    for question in ["top crypto gainers today", "best performing coin this week"] {
        assert_eq!(
            steps(question),
            [("coins", None), ("coins_before", midnight("2026-11-23"))],
            "{question}"
        );
    }
    // Without a time, over a month.
    assert_eq!(
        steps("is the dollar getting stronger"),
        [("forex", None), ("forex_before", midnight("2026-10-25"))]
    );
}

#[test]
fn a_sum_in_another_currency_takes_its_rate() {
    assert_eq!(needed("0.5 BTC in euros"), ["forex/EURUSD", "crypto/BTC"]);
    assert_eq!(
        needed("what is 250 dollars and 300 euros in pounds"),
        ["forex/GBPUSD", "forex/EURUSD"]
    );
}

#[test]
fn one_sum_takes_the_rates_of_each_currency_it_is_wanted_in() {
    assert_eq!(
        needed("200 pounds in euros and yen"),
        ["forex/EURUSD", "forex/GBPUSD", "forex/USDJPY"]
    );
}

#[test]
fn holdings_over_a_time_have_the_prices_of_it() {
    for question in [
        "how are my 60% MSFT 40% NVDA doing this year",
        "how has my portfolio of 10 AAPL and 5 MSFT done this year",
    ] {
        let plan = planned(question);
        let histories = plan.steps.iter().filter(|step| step.key == "candles");
        assert_eq!(histories.count(), 2, "{question}: {:?}", plan.steps);
    }
}

#[test]
fn a_price_of_what_is_not_listed_is_looked_for_in_no_news() {
    assert!(planned("Blorptech share price").steps.is_empty());
    // A company is searched for in the news by its name, even one in capitals.
    let steps = planned("IKEA").steps;
    assert!(
        steps.iter().any(|step| step.operation == "search_briefs"),
        "{steps:?}"
    );
    assert_eq!(needed("mortgage rates"), ["economy/yields"]);
}

#[test]
fn the_hours_of_the_exchange_are_no_overview_of_the_market() {
    assert_eq!(needed("is the market open now"), ["events/calendar"]);
    assert!(needed("how is the market doing").contains(&"market/summary".to_owned()));
}

#[test]
fn as_many_trades_are_asked_for_as_are_wanted() {
    let limit = |question: &str| {
        let plan = planned(question);
        plan.steps[0].arguments["limit"].as_u64()
    };
    assert_eq!(limit("show me the last 40 purchases by insiders"), Some(40));
    assert_eq!(limit("newest insider purchases"), Some(20));
}

#[test]
fn a_screen_that_was_taken_over_has_the_words_of_the_question() {
    let reading = Reading {
        intents: vec![Intent::Screener],
        question: "what about energy stocks".to_owned(),
        ..Reading::default()
    };
    let plan = plan(&reading, Day::parse("2026-11-23").unwrap());
    let step = plan.steps.iter().find(|step| step.key == "screener");
    assert_eq!(step.unwrap().arguments["query"], "what about energy stocks");
}

#[test]
fn a_limit_is_looked_for_in_the_candles_that_it_is_one_of() {
    let of = |question: &str| {
        let steps = planned(question).steps;
        let step = steps.into_iter().find(|step| step.key == "candles");
        step.map(|step| step.arguments).unwrap_or_default()
    };
    assert_eq!(of("all-time high of AAPL")["from"], "1900-01-01");
    let then = of("what was NVDA's 52 week high on 7 June 2024");
    assert_eq!(then["range"], "2y");
    assert_eq!(then["as_of"], "2024-06-08T00:00:00Z");
}

#[test]
fn the_values_of_a_time_are_asked_for_where_they_are_held() {
    for (question, endpoint, from, to) in [
        (
            "lowest WTI oil price in 2020",
            "commodities/crude",
            "2020-01-01",
            Some("2020-12-31"),
        ),
        (
            "average of the 10-year yield in 2022",
            "economy/treasury_10y",
            "2022-01-01",
            Some("2022-12-31"),
        ),
        (
            "lowest 10y yield in the last two years",
            "economy/treasury_10y",
            "2025-01-02",
            None,
        ),
        (
            "highest VIX close in 2020",
            "ticker/^VIX/candles",
            "2020-01-01",
            Some("2020-12-31"),
        ),
        (
            "highest euro dollar rate in 2021",
            "forex/EURUSD",
            "2021-01-01",
            Some("2021-12-31"),
        ),
        (
            "lowest unemployment rate since 2000",
            "economy/unemployment",
            "2000-01-01",
            None,
        ),
        (
            "52 week high of gold",
            "commodities/gold",
            "2025-11-23",
            None,
        ),
    ] {
        let plan = planned(question);
        let needed: Vec<&Step> = plan.steps.iter().filter(|step| step.is_needed).collect();
        let [step] = needed[..] else {
            panic!("{question}: {:?}", plan.steps);
        };
        let argument = |name| step.arguments.get(name).and_then(Value::as_str);
        assert_eq!(step.endpoint, format!("/api/v1/{endpoint}"), "{question}");
        assert_eq!(
            (argument("from"), argument("to"), argument("as_of")),
            (Some(from), to, None),
            "{question}"
        );
        assert!(!plan.is_partial, "{question}");
    }
    // All monthly and quarterly values on record are requested; for daily values, no more than three answers hold.
    let plan = planned("when was US inflation highest");
    assert_eq!(plan.steps.len(), 2);
    let plan = planned("when was the 10-year yield highest");
    assert_eq!((plan.steps.len(), plan.is_partial), (3, true));
}

#[test]
fn a_correlation_is_that_of_the_time_that_is_asked_about() {
    let of = |question: &str| {
        let plan = planned(question);
        let step = plan.steps.iter().find(|step| step.key == "correlation");
        let arguments = step.expect("a correlation").arguments.clone();
        (
            arguments["days"].as_i64(),
            arguments
                .get("as_of")
                .and_then(Value::as_str)
                .map(str::to_owned),
            plan.is_partial,
        )
    };
    assert_eq!(
        of("correlation between AAPL and MSFT in 2024"),
        (Some(365), Some("2025-01-01T00:00:00Z".to_owned()), false)
    );
    assert_eq!(
        of("correlation between AAPL and MSFT in March 2024"),
        (Some(30), Some("2024-04-01T00:00:00Z".to_owned()), false)
    );
    assert_eq!(
        of("correlation between AAPL and MSFT since 2020"),
        (Some(365), None, true)
    );
    assert_eq!(
        of("correlation between AAPL and MSFT"),
        (Some(90), None, false)
    );
}

#[test]
fn the_yields_of_a_day_are_read_as_published_on_the_next() {
    let plan = planned("10 year treasury yield on 19 October 2023");
    let steps: Vec<_> = plan
        .steps
        .iter()
        .map(|step| (step.key, step.arguments["as_of"].as_str(), step.is_needed))
        .collect();
    assert_eq!(
        steps,
        [
            ("yields", Some("2023-10-21T00:00:00Z"), true),
            ("yields_before", Some("2023-10-20T00:00:00Z"), false),
        ]
    );
    assert_eq!(plan.as_of, Day::parse("2023-10-19"));
}

#[test]
fn the_best_of_those_that_are_named_are_none_of_all_shares() {
    let steps = needed("which of AAPL, MSFT and NVDA fell most in 2022");
    assert!(!steps.contains(&"market/movers".to_owned()), "{steps:?}");
    assert!(
        steps.contains(&"ticker/NVDA/candles".to_owned()),
        "{steps:?}"
    );
    let plan = planned("Top 5 stocks by return in 2021");
    assert_eq!(plan.steps[0].operation, "list_market_movers");
    assert_eq!(plan.steps[0].arguments["from"], "2021-01-01");
    assert_eq!(plan.steps[0].arguments["as_of"], "2022-01-01T00:00:00Z");
}

#[test]
fn a_topic_that_is_a_category_is_read_from_its_briefs() {
    for (question, category) in [
        ("crypto news today", "crypto"),
        ("latest technology news", "tech"),
        ("any news about AI", "ai_ml"),
    ] {
        let plan = planned(question);
        let news = plan.steps.iter().find(|step| step.key == "news");
        let arguments = &news.expect(question).arguments;
        assert_eq!(arguments["category"], category, "{question}");
    }
    let plan = planned("news about the price of energy drinks");
    let news = plan.steps.iter().find(|step| step.key == "news");
    assert!(news.is_none_or(|step| step.operation == "search_briefs"));
}

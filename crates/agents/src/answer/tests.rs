use model::{Day, Symbol};
use query::{Kind, Listed, Names, read};
use serde_json::{Value, json};

use super::*;

mod of_prices;
mod of_reports;
mod of_times;

/// The summary for a question, given its results.
fn summary(question: &str, data: Value) -> String {
    answered(question, data).summary
}

/// The answer to a question, given its results.
fn answered(question: &str, data: Value) -> Answer {
    let today = Day::parse("2026-11-26").unwrap();
    let listed = [
        ("AAPL", "Apple", Kind::Share, "USD"),
        ("NVDA", "Nvidia", Kind::Share, "USD"),
        ("SAP.DE", "SAP", Kind::Share, "EUR"),
        ("ETH", "Ethereum", Kind::Coin, "USD"),
        ("BTC", "Bitcoin", Kind::Coin, "USD"),
        ("DOGE", "Dogecoin", Kind::Coin, "USD"),
    ];
    let names = Names::new(listed.map(|(symbol, name, kind, currency)| Listed {
        symbol: Symbol::parse(symbol).unwrap(),
        name: name.to_owned(),
        kind,
        currency: currency.to_owned(),
        size: 1.0,
    }));
    let reading = read(question, today, &names);
    let plan = crate::plan::plan(&reading, today);
    let Value::Object(mut data) = data else {
        panic!("no object");
    };
    derive(&mut data, &reading);
    write(&reading, &plan, &data, &[])
}

#[test]
fn commodities_are_ranked_by_what_they_did() {
    let of = |price: [f64; 3], date: &str| {
        json!({"commodities": [
            {"symbol": "gold", "name": "Gold", "price": price[0], "date": date},
            {"symbol": "silver", "name": "Silver", "price": price[1], "date": date},
            {"symbol": "corn", "name": "Corn", "price": price[2], "date": "2021-06-09"},
        ]})
    };
    let text = summary(
        "best performing commodity this year",
        json!({
            "commodities": of([110.0, 60.0, 5.0], "2026-11-25"),
            "commodities_before": of([100.0, 40.0, 5.0], "2025-12-31"),
        }),
    );
    assert!(
        text.contains("**Silver** did best: **+50.00%** from 31 Dec 2025 to 25 Nov 2026"),
        "{text}"
    );
    assert!(
        text.contains("No price from that period is on record for Corn."),
        "{text}"
    );
}

#[test]
fn a_change_over_more_than_is_on_record_is_said_not_to_be_known() {
    let gold = |date: &str| json!({"gold": {"name": "Gold", "price": 110.0, "date": date, "unit": "USD per troy ounce"}});
    for (question, data, expected) in [
        (
            "how has gold done over the last 10 years",
            json!({"commodities": gold("2026-11-25")}),
            "The record of Gold does not go back far enough for its change over that time.",
        ),
        (
            "how much did gold move this week",
            json!({"commodities": gold("2026-11-20"), "commodities_before": gold("2026-11-20")}),
            "No value of Gold from that time is on record yet.",
        ),
    ] {
        let answer = answered(question, data);
        assert!(answer.summary.contains(expected), "{}", answer.summary);
        assert!(answer.at_most.is_some(), "{question}");
    }
    let told = answered(
        "how has gold done over the last 10 years",
        json!({"commodities": gold("2026-11-25"), "commodities_before": gold("2016-11-25")}),
    );
    assert!(!told.summary.contains("Not known"), "{}", told.summary);
    assert_eq!(told.at_most, None);
}

#[test]
fn a_comparison_begins_with_the_figure_that_is_asked_for() {
    let analysis = |score: u64| {
        json!({"price": 100.0, "price_date": "2026-11-25",
            "trade_signal": {"action": "hold", "score": score, "factors": []}})
    };
    let text = summary(
        "beta of AAPL vs NVDA",
        json!({
            "analysis": {"AAPL": analysis(50), "NVDA": analysis(60)},
            "financials": {"AAPL": {"beta": 0.94}, "NVDA": {"beta": 1.3}},
        }),
    );
    assert!(
        text.starts_with("By beta **NVDA** is higher with **1.30**, **AAPL** lower with **0.94**."),
        "{text}"
    );
    assert!(text.contains("| Beta | 0.94 | 1.30 |"), "{text}");
}

#[test]
fn positions_in_two_currencies_are_added_in_one() {
    let price = |price: f64| json!({"price": price, "updated_at": "2026-11-25T21:00:00Z"});
    let text = summary(
        "10 shares of AAPL and 10 shares of SAP.DE, what are they worth together",
        json!({
            "price": {"AAPL": price(100.0), "SAP.DE": price(200.0)},
            "forex": {"EURUSD": {"pair": "EURUSD", "rate": 1.1, "date": "2026-11-25"}},
        }),
    );
    assert!(
        text.contains("Together they are worth **$3,200.00**."),
        "{text}"
    );
}

#[test]
fn a_coin_is_worth_something_in_the_currency_that_is_asked_for() {
    let text = summary(
        "0.5 ETH in euros",
        json!({
            "coin": {"price": 4000.0, "updated_at": "2026-11-26T09:00:00Z"},
            "forex": {"EURUSD": {"pair": "EURUSD", "rate": 1.25, "date": "2026-11-25"}},
        }),
    );
    assert!(
        text.contains("That is **1,600.00 EUR** at the rate of 25 Nov 2026"),
        "{text}"
    );
}

#[test]
fn one_coin_in_pounds_is_told_in_pounds() {
    let text = summary(
        "1 DOGE in pounds",
        json!({
            "coin": {"price": 0.25, "updated_at": "2026-11-26T09:00:00Z"},
            "forex": {"GBPUSD": {"pair": "GBPUSD", "rate": 1.25, "date": "2026-11-25"}},
        }),
    );
    assert!(text.contains("That is **0.2 GBP**"), "{text}");
}

#[test]
fn a_coin_is_converted_to_another_by_both_prices() {
    let coin = |price: f64| json!({"price": price, "updated_at": "2026-11-26T09:00:00Z"});
    let text = summary(
        "3 bitcoin in ethereum",
        json!({"coin": {"BTC": coin(100_000.0), "ETH": coin(4_000.0)}}),
    );
    assert!(
        text.starts_with("**3 BTC = 75 ETH** at the prices of 26 Nov 2026"),
        "{text}"
    );
}

#[test]
fn one_sum_is_converted_to_each_currency_that_has_a_rate() {
    let rate = |pair: &str, rate: f64| json!({"pair": pair, "rate": rate, "date": "2026-11-25"});
    let text = summary(
        "200 pounds in euros and pesos",
        json!({"forex": {"GBPUSD": rate("GBPUSD", 1.25), "EURUSD": rate("EURUSD", 1.0)}}),
    );
    assert!(
        text.starts_with("**200 GBP = 250 EUR** at the rate of 25 Nov 2026"),
        "{text}"
    );
    assert!(
        text.contains("No rate of the pound sterling in the Mexican peso is on record."),
        "{text}"
    );
    let text = summary("100 dollars in argentine pesos", json!({}));
    assert!(
        text.contains("No rate of the US dollar in the Argentine peso is on record."),
        "{text}"
    );
}

/// Closes of two holdings over the year: 100 to 120, and 100 to 90.
fn year_of_two() -> Value {
    let candles = |last: f64| {
        let candle = |date: &str, close: f64| json!({"date": date, "high": close, "low": close, "close": close, "volume": 1.0});
        json!({"candles": [candle("2025-12-31", 100.0), candle("2026-11-25", last)]})
    };
    json!({"candles": {"AAPL": candles(120.0), "NVDA": candles(90.0)}})
}

#[test]
fn holdings_over_a_time_are_weighed_before_each_is_told() {
    let text = summary(
        "how are my 60% AAPL 40% NVDA doing this year",
        year_of_two(),
    );
    assert!(
        text.starts_with("Together the holdings made **+8.00%** from 31 Dec 2025 to 25 Nov 2026"),
        "{text}"
    );
    assert!(text.contains("**Apple (AAPL)** went from"), "{text}");
}

#[test]
fn counted_shares_are_weighed_by_their_values() {
    let question = "how has my portfolio of 30 AAPL and 10 NVDA done this year";
    let text = summary(question, year_of_two());
    assert!(
        text.starts_with("Together the holdings made **+12.50%**"),
        "{text}"
    );
    assert!(text.contains("from $4,000.00 to $4,500.00"), "{text}");
}

#[test]
fn what_is_not_listed_is_said_before_any_report() {
    let today = Day::parse("2026-11-26").unwrap();
    let reading = read("how is Enron doing", today, &Names::new([]));
    let mut plan = crate::plan::plan(&reading, today);
    plan.notes.push("nothing is listed as Enron".to_owned());
    let news =
        json!({"briefs": [{"headline": "Copper rises", "summary": "In Chile.", "id": "PR-1"}]});
    let data = json!({"news": news});
    let text = write(&reading, &plan, data.as_object().unwrap(), &[]).summary;
    assert!(text.starts_with("Nothing is listed as Enron."), "{text}");
}

#[test]
fn mortgage_rates_are_said_not_to_be_on_record() {
    let text = summary(
        "mortgage rates",
        json!({"yields": {"yields": [
            {"maturity": "30y", "name": "30-year Treasury", "yield_pct": 4.61, "date": "2026-11-25"},
        ]}}),
    );
    assert!(
        text.starts_with("Mortgage rates are not on record here; the closest series on record is the 30-year Treasury yield."),
        "{text}"
    );
    assert!(text.contains("**4.61%** on 25 Nov 2026"), "{text}");
}

/// Candles for given closes, with a high above and a low below each.
fn candles(closes: &[(&str, f64)]) -> Value {
    let candles: Vec<Value> = closes
        .iter()
        .map(|(date, close)| {
            json!({"date": date, "open": close, "high": close + 1.0, "low": close - 1.0, "close": close, "volume": 10.0})
        })
        .collect();
    json!({"adjust": "splits", "candle_count": candles.len(), "candles": candles})
}

#[test]
fn the_day_of_a_level_is_looked_up_in_the_candles() {
    let all = || {
        json!({"candles": candles(&[
            ("2026-11-18", 148.0),
            ("2026-11-19", 151.0),
            ("2026-11-20", 152.5),
            ("2026-11-23", 149.0),
            ("2026-11-24", 149.5),
        ])})
    };
    let text = summary("when did NVDA last close above 150", all());
    assert!(
        text.starts_with("**Nvidia (NVDA)** last closed above $150.00 on **20 Nov 2026**, at **$152.50**. In the next session, on 23 Nov 2026, it closed at $149.00, -2.30%."),
        "{text}"
    );
    assert!(
        text.contains("the last of 2 such sessions in a row, the first of them on 19 Nov 2026"),
        "{text}"
    );
    // If no split is on record, nothing is said about any.
    assert!(!text.contains("adjusted"), "{text}");
    let text = summary("when did NVDA first hit 152", all());
    assert!(
        text.starts_with("**Nvidia (NVDA)** first traded at $152.00 or above on **19 Nov 2026**: the high of that session was **$152.00**, its close $151.00."),
        "{text}"
    );
    assert!(text.contains("begin on 18 Nov 2026"), "{text}");
    let text = summary("when did NVDA last close below 100", all());
    assert!(
        text.starts_with("In the candles on record, from 18 Nov 2026 to 24 Nov 2026, **Nvidia (NVDA)** never closed below $100.00. Its lowest close in that time was **$148.00**, on 18 Nov 2026. The newest close is $149.50."),
        "{text}"
    );
    let text = summary("when was NVDA last above 149", all());
    assert!(
        text.contains("on **24 Nov 2026**, at **$149.50**. That is the newest session on record."),
        "{text}"
    );
}

#[test]
fn a_level_before_a_split_is_told_as_it_was_traded() {
    let all = |splits: Value| {
        let mut candles = candles(&[
            ("2026-11-18", 118.0),
            ("2026-11-19", 121.0),
            ("2026-11-20", 119.0),
            ("2026-11-23", 122.0),
        ]);
        candles["splits"] = splits;
        json!({"candles": candles})
    };
    let reported = || all(json!({"2026-11-20": {"ratio": 10.0}}));
    let text = summary("has NVDA ever closed above 1000", reported());
    assert!(
        text.starts_with("In prices as they were traded, **Nvidia (NVDA)** last closed above $1,000.00 on **19 Nov 2026**, at **$1,210.00**, $121.00 adjusted for splits since. In the split-adjusted candles on record, "),
        "{text}"
    );
    let text = summary("when did NVDA last close below 120", reported());
    assert!(
        text.starts_with(
            "**Nvidia (NVDA)** last closed below $120.00 on **20 Nov 2026**, at **$119.00**."
        ),
        "{text}"
    );
    let inferred = json!({"2026-11-20": {"no_later_than": "2026-11-23", "ratio": 10.0}});
    let text = summary("has NVDA ever closed above 1000", all(inferred));
    assert!(
        text.starts_with("In the split-adjusted candles on record, "),
        "{text}"
    );
    assert!(text.contains("is not known"), "{text}");
}

#[test]
fn days_beyond_a_level_and_volumes_are_worked_out() {
    let all = || {
        json!({"candles": candles(&[
            ("2026-11-18", 148.0),
            ("2026-11-19", 151.0),
            ("2026-11-20", 152.5),
            ("2026-11-23", 149.0),
        ])})
    };
    let text = summary("how many days did NVDA close above 150 this year", all());
    assert!(
        text.starts_with("**Nvidia (NVDA)** closed above $150.00 on **2** of 4 sessions from 18 Nov 2026 to 23 Nov 2026."),
        "{text}"
    );
    let text = summary("average volume of NVDA in November 2026", all());
    assert!(
        text.starts_with("The mean volume of a session of **Nvidia (NVDA)** was **10**, over "),
        "{text}"
    );
}

#[test]
fn what_is_not_worked_out_is_said_first() {
    let all = || json!({"candles": candles(&[("2026-11-19", 151.0), ("2026-11-23", 149.0)])});
    for (question, expected) in [
        ("median close of AAPL in 2026", "Medians of prices are"),
        (
            "total return of AAPL over 5 years",
            "Total returns, with dividends, are",
        ),
        (
            "when did AAPL last close below its 200 day average",
            "Days on which a price crossed one of its averages are",
        ),
    ] {
        let text = summary(question, all());
        let expected = format!("{expected} not provided here");
        assert!(text.starts_with(&expected), "{question}: {text}");
    }
}

#[test]
fn an_old_move_stands_beside_no_news_of_now() {
    let mut old = candles(&[("2026-08-19", 151.0), ("2026-08-20", 149.0)]);
    old["data_status"] = json!([{
        "field": "candles",
        "reason": "the latest candle for this symbol is from 2026-08-20",
        "stale": true,
    }]);
    let text = summary("why did Nvidia move", json!({"candles": old}));
    assert!(
        text.starts_with("No move of **Nvidia (NVDA)** is on record for recent days: the newest session on record is that of 20 Aug 2026."),
        "{text}"
    );
    assert!(!text.contains("-1.32%"), "{text}");
}

#[test]
fn coins_are_compared_by_what_all_of_them_are_worth() {
    let analysis = || json!({"price": 100.0, "price_date": "2026-11-25"});
    let text = summary(
        "bitcoin vs ethereum market cap",
        json!({
            "analysis": {"BTC": analysis(), "ETH": analysis()},
            "coin": {"BTC": {"market_cap": 2e12}, "ETH": {"market_cap": 4e11}},
        }),
    );
    assert!(
        text.starts_with("By market value **BTC** is larger with "),
        "{text}"
    );
}

#[test]
fn a_limit_names_its_time_and_closes_where_they_are_asked_for() {
    let all = || {
        json!({"candles": candles(&[
            ("2020-01-02", 300.0),
            ("2025-12-31", 100.0),
            ("2026-02-02", 150.0),
            ("2026-11-25", 120.0),
        ])})
    };
    for (question, expected) in [
        (
            "all-time high of AAPL",
            "The highest price of **Apple (AAPL)** in the candles held from 2 Jan 2020 to 25 Nov 2026 was **$301.00**, on 2 Jan 2020.",
        ),
        (
            "highest close of AAPL in 2026",
            "The highest close of **Apple (AAPL)** from 2 Feb 2026 to 25 Nov 2026 was **$150.00**, on 2 Feb 2026.",
        ),
        (
            "how far is AAPL from its all-time high",
            "**Apple (AAPL)** closed **60.1%** below its highest price in the candles held from 2 Jan 2020 to 25 Nov 2026, $301.00 on 2 Jan 2020.",
        ),
        (
            "52 week high of AAPL",
            "from 31 Dec 2025 to 25 Nov 2026 was **$151.00**, on 2 Feb 2026.",
        ),
    ] {
        let text = summary(question, all());
        assert!(text.contains(expected), "{question}: {text}");
    }
}

#[test]
fn the_mean_of_a_price_is_that_of_the_sessions_of_the_time() {
    let text = summary(
        "average closing price of AAPL in October 2026",
        json!({"candles": candles(&[
            ("2026-09-30", 500.0),
            ("2026-10-01", 100.0),
            ("2026-10-15", 110.0),
            ("2026-10-30", 120.0),
        ])}),
    );
    assert!(
        text.contains("The mean close of **Apple (AAPL)** was **$110.00**, over 3 sessions from 1 Oct 2026 to 30 Oct 2026."),
        "{text}"
    );
}

#[test]
fn whether_it_is_overbought_goes_before_any_signal() {
    let technicals = |rsi: f64| {
        json!({"technicals": {"date": "2026-11-25", "latest": {"rsi_14": rsi, "price": 100.0},
            "signal_summary": {"overall": "buy", "buy": 12, "sell": 6, "total": 20}}})
    };
    for (rsi, expected) in [
        (
            72.24,
            "**Apple (AAPL)** is **overbought (70 or more)**: its RSI(14) is **72.2** at the close of 25 Nov 2026. **Apple (AAPL): technicals say buy**",
        ),
        (
            50.0,
            "**Apple (AAPL)** is **neither overbought nor oversold**: its RSI(14) is **50.0**",
        ),
    ] {
        let text = summary("is AAPL overbought", technicals(rsi));
        assert!(text.starts_with(expected), "{text}");
        assert_eq!(text.matches("RSI(14)").count(), 1, "{text}");
    }
    let text = summary("technicals of AAPL", technicals(50.0));
    assert!(text.starts_with("**Apple (AAPL): technicals say"), "{text}");
}

#[test]
fn a_ranking_begins_with_what_stands_first() {
    let row = |ticker: &str, value: f64| {
        json!({"ticker": ticker, "entity_name": ticker, "price": 10.0, "currency": "USD", "date": "2026-11-25",
            "sort_value": value, "match_reasons": []})
    };
    let text = summary(
        "highest dividend stocks",
        json!({"screener": {
            "matches": [row("MO", 7.12), row("T", 5.5)],
            "filters_applied": {},
            "total_scanned": 500,
            "total_matches": 500,
            "understood": {"sort": "dividend_yield"},
            "explanation": ["highest dividend: sort dividend_yield", "stocks: asset_type equity"],
            "not_understood": [],
        }}),
    );
    assert!(
        text.starts_with("**Highest dividend yield**: MO (MO) with **7.1%**."),
        "{text}"
    );
    assert!(
        text.contains("| Symbol | Name | Dividend yield |"),
        "{text}"
    );
    assert!(text.contains("| T | T | 5.5% |"), "{text}");
}

#[test]
fn dates_of_offerings_are_said_not_to_be_on_record() {
    let text = summary("upcoming IPOs", json!({"events": {"events": []}}));
    assert!(
        text.starts_with("Dates of upcoming initial public offerings are not on record here; only news reports about them are. No IPO was reported"),
        "{text}"
    );
}

#[test]
fn a_price_of_another_time_answers_no_question_about_one() {
    let text = summary(
        "AAPL price on 2026-03-16",
        json!({"price": {"price": 209.95, "currency": "USD", "updated_at": "2025-07-07T20:00:00Z"}}),
    );
    assert!(
        text.contains("No price of **Apple (AAPL)** from the requested period is on record"),
        "{text}"
    );
}

#[test]
fn who_holds_an_office_is_told_by_the_newest_form() {
    let trades = json!({"insider": {"insider_trades": [
        {"name": "Ann Example", "title": "Chief Financial Officer", "date": "2026-11-01"},
        {"name": "Bo Sample", "title": "Chief Executive Officer", "date": "2026-10-05"},
    ]}});
    let text = summary("who is the CEO of Apple", trades);
    assert!(
        text.starts_with("**Bo Sample** is Chief Executive Officer of **Apple (AAPL)**"),
        "{text}"
    );
    let text = summary(
        "who is the CEO of Apple",
        json!({"insider": {"insider_trades": []}}),
    );
    assert!(
        text.starts_with("Who is Chief Executive Officer of **Apple (AAPL)** is not on record"),
        "{text}"
    );
}

#[test]
fn what_is_on_record_nowhere_is_said_and_nothing_else_stands_in_its_place() {
    let text = summary(
        "how many subscribers does Apple have",
        json!({
            "search": {"briefs": [{"headline": "Apple opens a shop", "summary": "In Rome.", "id": "PR-1"}]},
            "news": {"briefs": []},
        }),
    );
    assert!(
        text.starts_with("The subscribers of **Apple (AAPL)** are not on record here."),
        "{text}"
    );
    assert!(!text.contains("On the question"), "{text}");
}

#[test]
fn a_term_is_explained_without_a_source() {
    let text = summary("what is a short squeeze", json!({}));
    assert!(
        text.starts_with("**short squeeze**: A rise that forces"),
        "{text}"
    );
}

#[test]
fn a_list_of_everything_answers_no_condition() {
    let text = summary(
        "energy stocks with the highest dividend",
        json!({"screener": {
            "matches": [{"ticker": "XOM", "price": 1.0}],
            "filters_applied": {}, "total_scanned": 37, "total_matches": 37,
            "explanation": ["energy: sector Energy"], "not_understood": ["highest", "dividend"],
        }}),
    );
    assert!(
        text.starts_with("Shares cannot be screened by this: highest, dividend."),
        "{text}"
    );
    assert!(!text.contains("XOM"), "{text}");
}

#[test]
fn a_screen_says_how_many_of_its_matches_it_shows() {
    let matches: Vec<Value> = (0..12)
        .map(|number| json!({"ticker": format!("T{number}"), "price": 1.0}))
        .collect();
    let asked = |total: u64| {
        summary(
            "oversold tech stocks",
            json!({"screener": {
                "matches": matches, "filters_applied": {"rsi_below": 30},
                "total_scanned": 500, "total_matches": total,
            }}),
        )
    };
    assert!(asked(54).contains("The table shows the first 10 of 54."));
    let few = summary(
        "oversold tech stocks",
        json!({"screener": {
            "matches": [{"ticker": "T1", "price": 1.0}], "filters_applied": {"rsi_below": 30},
            "total_scanned": 500, "total_matches": 1,
        }}),
    );
    assert!(!few.contains("The table shows"), "{few}");
}

#[test]
fn the_market_over_a_time_goes_before_its_last_day() {
    let indices = |level: f64, date: &str| json!({"indices": [{"symbol": "^GSPC", "name": "S&P 500", "price": level, "change_pct": 0.3, "date": date}]});
    let text = summary(
        "how did the stock market do this year",
        json!({
            "market": indices(110.0, "2026-11-25"),
            "market_before": indices(100.0, "2025-12-31"),
        }),
    );
    assert!(
        text.starts_with("**US shares rose** from 31 Dec 2025 to 25 Nov 2026"),
        "{text}"
    );
    assert!(
        text.contains("| S&P 500 | 110.00 | +10.00% | +0.30% | 25 Nov 2026 |"),
        "{text}"
    );
}

#[test]
fn a_year_before_is_told_by_its_month_where_one_is_missing() {
    let months = [
        ("2026-05-01", 110.0),
        ("2026-04-01", 108.0),
        ("2026-03-01", 107.0),
        ("2026-02-01", 106.0),
        ("2026-01-01", 105.0),
        ("2025-12-01", 104.0),
        ("2025-11-01", 103.0),
        ("2025-09-01", 102.0),
        ("2025-08-01", 101.0),
        ("2025-07-01", 100.5),
        ("2025-06-01", 100.2),
        ("2025-05-01", 100.0),
        ("2025-04-01", 99.0),
    ];
    let observations: Vec<Value> = months
        .iter()
        .map(|(date, value)| json!({"date": date, "value": value}))
        .collect();
    let text = summary(
        "consumer price index",
        json!({"economy": {"cpi": {
            "name": "Consumer Price Index", "unit": "index", "frequency": "monthly",
            "observations": observations,
        }}}),
    );
    assert!(
        text.contains(
            "A year before, for May 2025, it was 100.00, which makes **+10.00%** in a year."
        ),
        "{text}"
    );
}

#[test]
fn prices_of_another_time_are_not_compared_over_the_one_that_is_asked_about() {
    let analysis = json!({"price": 100.0, "price_date": "2023-06-29"});
    let text = summary(
        "AAPL vs NVDA since March",
        json!({"analysis": {"AAPL": analysis, "NVDA": analysis}}),
    );
    assert!(
        text.starts_with("No prices from the requested period are on record"),
        "{text}"
    );
}

#[test]
fn a_past_price_that_rests_on_an_inferred_split_says_so() {
    let reason = "prices are adjusted for a split that is inferred, and what was paid is not known";
    let status = json!([{
        "field": "price",
        "reason": reason,
        "source": model::CorporateAction::INFERRED,
        "stale": false,
    }]);
    let mut found = candles(&[("2026-11-18", 148.0)]);
    found["data_status"] = status.clone();
    let price = json!({"price": 148.0, "currency": "USD", "data_status": status});
    let text = summary(
        "price of NVDA on 18 November 2026",
        json!({"candles": found, "price": price}),
    );
    assert!(text.contains("what was paid is not known"), "{text}");
}

//! Wordings used by traders, reporters and programs, and how each is read.

use super::super::Measure;
use super::{Assertion, Bound, Unit, short};

fn check(rows: &[(&str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|(text, expected)| {
            let found = short(text);
            (found != *expected)
                .then(|| format!("{text}\n  found    {found}\n  expected {expected}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn closes_and_levels() {
    check(&[
        (
            "NVDA closed above $120 on 14 March 2024",
            "NVDA Price(Close) 2024-03-14 Any: > 120 USD",
        ),
        (
            "NVDA closed at 121.40 on March 14, 2024",
            "NVDA Price(Close) 2024-03-14: = 121.4",
        ),
        (
            "On 2024-03-14 NVDA settled at $121.40.",
            "NVDA Price(Close) 2024-03-14: = 121.4 USD",
        ),
        (
            "NVDA finished the day at $121.40 on 14 Mar 2024",
            "NVDA Price(Close) 2024-03-14: = 121.4 USD",
        ),
        (
            "NVDA's closing price was $121.40 on 14 March 2024",
            "NVDA Price(Close) 2024-03-14: = 121.4 USD",
        ),
        (
            "The closing price of NVDA on 14 March 2024 was above 120 dollars",
            "NVDA Price(Close) 2024-03-14: > 120 USD",
        ),
        (
            "Apple closed 2022 at $129.93",
            "Apple Price(Close) 2022-01-01/2022-12-31 End: = 129.93 USD",
        ),
        (
            "NVDA closed on 14 March at $87.94",
            "NVDA Price(Close) 2024-03-14: = 87.94 USD",
        ),
        (
            "NVDA opened at $89.58 on 14 March 2024",
            "NVDA Price(Open) 2024-03-14: = 89.58 USD",
        ),
        (
            "NVDA traded above $90 on 14 March 2024",
            "NVDA Price(Traded) 2024-03-14 Any: > 90 USD",
        ),
        (
            "NVDA hit $90 on 14 March 2024",
            "NVDA Price(Traded) 2024-03-14 Reached: = 90 USD",
        ),
        (
            "NVDA topped $100 in March 2024",
            "NVDA Price(Traded) 2024-03-01/2024-03-31 Any: > 100 USD",
        ),
        (
            "NVDA dipped below $80 in March 2024",
            "NVDA Price(Traded) 2024-03-01/2024-03-31 Any: < 80 USD",
        ),
        (
            "NVDA did not close above $100 in March 2024",
            "NVDA Price(Close) 2024-03-01/2024-03-31 Any: not > 100 USD",
        ),
        (
            "NVDA never closed above $100 in 2023",
            "NVDA Price(Close) 2023-01-01/2023-12-31 Any: not > 100 USD",
        ),
        (
            "NVDA stayed above $80 throughout March 2024",
            "NVDA - 2024-03-01/2024-03-31 Every: > 80 USD",
        ),
        (
            "NVDA closed between $80 and $90 on 14 March 2024",
            "NVDA Price(Close) 2024-03-14 Any: 80 USD to 90 USD",
        ),
        (
            "Brent crude averaged about $101 a barrel in 2022",
            "brent - 2022-01-01/2022-12-31 Mean: ~ 101 USD",
        ),
        (
            "The VIX was above 30 in March 2020",
            "vix - 2020-03-01/2020-03-31: > 30",
        ),
        (
            "Bitcoin's market value topped $1 trillion in February 2021",
            "Bitcoin MarketValue 2021-02-01/2021-02-28 Any: > 1000000000000 USD",
        ),
        (
            "1.54 billion NVDA shares changed hands on 25 May 2023",
            "NVDA Volume 2023-05-25: = 1540000000 count",
        ),
        (
            "NVDA's trading volume exceeded 1.5 billion shares on 25 May 2023",
            "NVDA Volume 2023-05-25 Any: > 1500000000 count",
        ),
        (
            "NVDA's 14-day RSI was above 70 on 30 May 2023",
            "NVDA Rsi 2023-05-30: > 70",
        ),
        (
            "NVDA's 50-day moving average was $27.50 on 30 May 2023",
            "NVDA Average(50, Simple) 2023-05-30: = 27.5 USD",
        ),
    ]);
}

#[test]
fn changes() {
    check(&[
        (
            "NVDA rose 24% on 25 May 2023",
            "NVDA - 2023-05-25: up = 24%",
        ),
        (
            "NVDA fell by 3.2 percent on 25 May 2023",
            "NVDA - 2023-05-25: down = 3.2%",
        ),
        (
            "Apple lost a fifth of its value in 2022",
            "Apple - 2022-01-01/2022-12-31: down 20% part (18..22.5)",
        ),
        (
            "NVDA shed about a third of its value in 2022",
            "NVDA - 2022-01-01/2022-12-31: down ~ 33.333333% part",
        ),
        (
            "NVDA lost more than half of its value in 2022",
            "NVDA - 2022-01-01/2022-12-31: down > 50% part",
        ),
        (
            "NVDA was up more than 200% in 2023",
            "NVDA - 2023-01-01/2023-12-31: up > 200%",
        ),
        (
            "Shares of NVDA were down 5% on the day on 14 March 2024",
            "NVDA - 2024-03-14: down = 5%",
        ),
        (
            "NVDA gained $5 on 14 March 2024",
            "NVDA - 2024-03-14: up = 5 USD",
        ),
        (
            "NVDA doubled in 2023",
            "NVDA - 2023-01-01/2023-12-31: times 2x (1.9..2.85)",
        ),
        (
            "NVDA more than tripled in 2023",
            "NVDA - 2023-01-01/2023-12-31: times > 3x",
        ),
        (
            "NVDA rose tenfold between 2015 and 2020",
            "NVDA - 2015-01-01/2015-12-31..2020-01-01/2020-12-31: times 10x (9.5..10.45)",
        ),
        (
            "NVDA halved in 2022",
            "NVDA - 2022-01-01/2022-12-31: times 0.5x (0.26..0.53)",
        ),
        ("NVDA fell in 2022", "NVDA - 2022-01-01/2022-12-31: down"),
        (
            "The S&P 500 fell 19.4% in 2022.",
            "sp500 - 2022-01-01/2022-12-31: down = 19.4%",
        ),
        (
            "Over the past year NVDA rose 150%",
            "NVDA - past 1 years: up = 150%",
        ),
        (
            "NVDA is up 80% year to date",
            "NVDA - 2024-01-01/2024-06-20: up = 80%",
        ),
        (
            "NVDA rose 20% from March to May 2024",
            "NVDA - 2024-03-01/2024-03-31..2024-05-01/2024-05-31: up = 20%",
        ),
        (
            "NVDA has risen 50% since 2 January 2024",
            "NVDA - since 2024-01-02: up = 50%",
        ),
        (
            "NVDA fell for five straight sessions",
            "NVDA - past 5 sessions Every: down",
        ),
        (
            "The 10-year Treasury yield rose 20 basis points on 14 March 2024",
            "ust_10y - 2024-03-14: up = 20bp",
        ),
        (
            "The 10-year yield fell from 4.2% to 3.9% in December 2023",
            "ust_10y - 2023-12-01/2023-12-31 End: from = 4.2%, = 3.9%, down",
        ),
        (
            "NVDA closed at $121.40 on 14 March 2024, up 3%",
            "NVDA Price(Close) 2024-03-14: = 121.4 USD, up = 3%",
        ),
        (
            "NVDA's annual return was 239% in 2023",
            "NVDA - 2023-01-01/2023-12-31: up = 239%",
        ),
        (
            "Gold was unchanged in May 2024",
            "gold - 2024-05-01/2024-05-31: flat",
        ),
    ]);
}

#[test]
fn words_for_a_size() {
    check(&[
        (
            "META lost a quarter of its value in one day in February 2022",
            "META StepChange 2022-02-01/2022-02-28 Any: -25% (-30..-22.5)",
        ),
        (
            "META shed about a fifth of its market value in a single trading session in February 2022",
            "META StepChange 2022-02-01/2022-02-28 Any: -20% (-22..-18)",
        ),
        (
            "GME doubled within a day in January 2021",
            "GME StepChange 2021-01-01/2021-01-31 Any: 100% (90..185)",
        ),
        (
            "NVDA rose by half in 2023",
            "NVDA - 2023-01-01/2023-12-31: up 50% part (45..60)",
        ),
        (
            "NVDA quadrupled in 2023",
            "NVDA - 2023-01-01/2023-12-31: times 4x (3.8..4.75)",
        ),
        (
            "The Dow fell 1,000 points in one day in February 2018",
            "unclear: changes within one session are compared in percent only",
        ),
    ]);
}

#[test]
fn a_quarter_that_is_not_named_is_not_a_year() {
    let open = "unclear: the quarter is not named";
    check(&[
        ("Walmart reports quarterly revenue of $223.93 billion", open),
        ("Apple net income came to $30 billion in the quarter", open),
    ]);
}

#[test]
fn ratios_and_announcements_are_no_figures() {
    let none = "no claim about a figure";
    check(&[
        ("Amazon announced a 20-for-1 stock split", none),
        ("AMZN declared a 20:1 stock split", none),
        ("NVDA split its shares 10-for-1 in June 2024", none),
        ("Tesla approved a 3 for 1 stock split in August 2022", none),
        (
            "Apple announced a $110 billion share buyback in May 2024",
            none,
        ),
        ("Exxon agreed a $60 billion merger with Pioneer", none),
        (
            "AMZN closed at $124.79 on 6 June 2022 after its 20-for-1 split",
            "AMZN Price(Close) 2022-06-06: = 124.79 USD",
        ),
        (
            "Amazon announced revenue of $127.4 billion in the first quarter of 2023",
            "Amazon Revenue 2023-01-01/2023-03-31: = 127400000000 USD",
        ),
    ]);
}

#[test]
fn targets_and_real_growth() {
    check(&[
        (
            "The Fed raised rates to 5.25% in May 2023",
            "fed_target - 2023-05-01/2023-05-31: = 5.25%, up",
        ),
        (
            "The Fed's target range was 5.5% in August 2023",
            "fed_target - 2023-08-01/2023-08-31: = 5.5%",
        ),
        (
            "The effective federal funds rate was 5.33% in August 2023",
            "fed_funds - 2023-08-01/2023-08-31: = 5.33%",
        ),
        (
            "The fed funds rate was near zero in April 2020",
            "fed_funds - 2020-04-01/2020-04-30: ~ 0",
        ),
        (
            "Oil closed below zero in April 2020",
            "crude Price(Close) 2020-04-01/2020-04-30 Any: < 0",
        ),
        (
            "US GDP shrank in the first quarter of 2022",
            "real_gdp - 2022-01-01/2022-03-31: down",
        ),
        (
            "Nominal GDP rose 2% in the first quarter of 2022",
            "gdp - 2022-01-01/2022-03-31: up = 2%",
        ),
        (
            "GDP reached $25 trillion in the second quarter of 2022",
            "gdp Price(Traded) 2022-04-01/2022-06-30 Reached: = 25000000000000 USD",
        ),
    ]);
}

#[test]
fn who_buys_a_company_discloses_no_trade() {
    for text in [
        "Microsoft is acquiring Activision Blizzard for $69 billion",
        "Exxon bought Pioneer",
        "MSFT bought ATVI",
    ] {
        assert_eq!(short(text), "no claim about a figure", "{text}");
    }
    for text in [
        "Nancy Pelosi bought NVDA shares in January 2025",
        "Rep. Josh Gottheimer sold Microsoft in 2024",
        "An insider at Snowflake sold shares in 2024",
    ] {
        assert!(
            super::claim(text).is_ok_and(|claim| claim.disclosure.is_some()),
            "{text}"
        );
    }
}

#[test]
fn the_economy() {
    check(&[
        (
            "CPI rose 3.2 % in May",
            "cpi - 2024-05-01/2024-05-31: up = 3.2%",
        ),
        (
            "CPI rose 3.3% year on year in May 2024",
            "cpi - 2024-05-01/2024-05-31 YearOnYear: up = 3.3%",
        ),
        (
            "Consumer prices rose 3.3% in the 12 months to May 2024",
            "cpi - 2024-05-01/2024-05-31 YearOnYear: up = 3.3%",
        ),
        (
            "Core CPI rose 0.2% month over month in May 2024",
            "core_cpi - 2024-05-01/2024-05-31 MonthOnMonth: up = 0.2%",
        ),
        (
            "US inflation was 3.3% in May 2024",
            "inflation - 2024-05-01/2024-05-31: = 3.3%",
        ),
        (
            "Inflation peaked at 9.1% in June 2022",
            "inflation Price(High) 2022-06-01/2022-06-30 Highest: = 9.1%",
        ),
        (
            "The unemployment rate fell to 3.4 percent in January 2023",
            "unemployment - 2023-01-01/2023-01-31: = 3.4%, down",
        ),
        (
            "Unemployment was 3.4% in April 2023, the lowest since 1969",
            "unemployment - 2023-04-01/2023-04-30: = 3.4%, lowest since 1969-01-01/1969-12-31",
        ),
        (
            "US payrolls rose by 272,000 in May 2024",
            "payrolls - 2024-05-01/2024-05-31: up = 272000",
        ),
        (
            "The US economy added 272,000 jobs in May 2024",
            "payrolls - 2024-05-01/2024-05-31: up = 272000 count",
        ),
        (
            "The federal funds rate was above 5% in August 2023",
            "fed_funds - 2023-08-01/2023-08-31: > 5%",
        ),
        (
            "The Fed raised rates in July 2023",
            "fed_target - 2023-07-01/2023-07-31: up",
        ),
        (
            "the yield curve has been inverted for a month",
            "spread_10y_2y - past 1 months Every: < 0",
        ),
        (
            "The 2-year/10-year spread was inverted on 3 July 2023",
            "spread_10y_2y - 2023-07-03: < 0",
        ),
        (
            "The yield on the 10-year Treasury note stood at 4.2 % at the end of February 2024",
            "ust_10y - 2024-02-01/2024-02-29 End: = 4.2%",
        ),
        (
            "Initial jobless claims topped 6 million in the week ended 4 April 2020",
            "jobless_claims Price(Traded) 2020-03-30/2020-04-05 Any: > 6000000",
        ),
        (
            "US retail sales were higher in 2023 than in 2022",
            "retail_sales - 2023-01-01/2023-12-31 vs 2022-01-01/2022-12-31: up",
        ),
        (
            "The Fed's balance sheet was $8.97 trillion in April 2022",
            "fed_assets - 2022-04-01/2022-04-30: = 8970000000000 USD",
        ),
        (
            "Nominal GDP was $28.3 trillion in the first quarter of 2024",
            "gdp - 2024-01-01/2024-03-31: = 28300000000000 USD",
        ),
        (
            "Housing starts fell in Q1 2024",
            "housing_starts - 2024-01-01/2024-03-31: down",
        ),
    ]);
}

#[test]
fn comparisons() {
    check(&[
        (
            "NVDA closed above its 50-day moving average on 2023-06-01",
            "NVDA Price(Close) 2023-06-01: more than Average(50, Simple)",
        ),
        (
            "Gold outperformed silver in 2020",
            "gold - 2020-01-01/2020-12-31: more change than silver",
        ),
        (
            "AAPL underperformed MSFT by 5 percentage points in 2022",
            "AAPL - 2022-01-01/2022-12-31: less change than MSFT by = 5pp",
        ),
        (
            "AAPL fell more than the S&P 500 in 2022",
            "AAPL - 2022-01-01/2022-12-31: less change than sp500",
        ),
        (
            "The 2-year Treasury yield was above the 10-year yield on 3 July 2023",
            "ust_2y - 2023-07-03: more than ust_10y",
        ),
        (
            "Apple's highest close of 2021 was $180.33",
            "Apple Price(Close) 2021-01-01/2021-12-31 Highest: = 180.33 USD",
        ),
        (
            "NVDA closed at its highest level of 2021 on 29 November",
            "NVDA Price(Close) 2021-01-01/2021-12-31: highest on 2021-11-29",
        ),
    ]);
}

#[test]
fn currencies_and_commodities() {
    check(&[
        (
            "EUR/USD closed above 1.20 on 4 January 2021",
            "EUR/USD Price(Close) 2021-01-04 Any: > 1.2",
        ),
        (
            "EURUSD was 1.2296 on 4 January 2021",
            "EUR/USD - 2021-01-04: = 1.2296",
        ),
        (
            "The euro fell below parity with the dollar in September 2022",
            "EUR/USD Price(Traded) 2022-09-01/2022-09-30 Any: < 1",
        ),
        (
            "The pound lost 7.8% against the dollar on 24 June 2016",
            "GBP/USD - 2016-06-24: down = 7.8%",
        ),
        (
            "The dollar bought 131.88 yen at the end of 2022",
            "USD/JPY Price(Traded) 2022-01-01/2022-12-31 End: = 131.88 JPY",
        ),
        (
            "WTI crude settled at $71.21 a barrel on December 31, 2021",
            "crude Price(Close) 2021-12-31: = 71.21 USD",
        ),
        (
            "Corn closed at 772.75 cents a bushel on 7 May 2021",
            "corn Price(Close) 2021-05-07: = 7.7275 USD",
        ),
        (
            "Oil went negative on April 20, 2020.",
            "crude - 2020-04-20 Any: < 0",
        ),
    ]);
}

#[test]
fn company_reports() {
    check(&[
        (
            "Tesla's revenue fell in 2024",
            "Tesla Revenue 2024-01-01/2024-12-31: down",
        ),
        (
            "Snowflake reported revenue of $2.07 billion in fiscal 2023",
            "Snowflake Revenue FY2023: = 2070000000 USD",
        ),
        (
            "Snowflake's revenue for Q3 FY2025 was $942.1 million",
            "Snowflake Revenue FY2025Q3: = 942100000 USD",
        ),
        (
            "Snowflake's revenue for the third quarter of fiscal 2025 was $942.1 million",
            "Snowflake Revenue FY2025Q3: = 942100000 USD",
        ),
        (
            "3M has a dividend yield of 1.75%",
            "3M DividendYield unsaid: = 1.75%",
        ),
        (
            "Microsoft's P/E ratio was 27.6",
            "Microsoft PriceEarnings unsaid: = 27.6",
        ),
    ]);
}

#[test]
fn zeros_are_rounded_less_in_a_close() {
    for (text, agrees, differs) in [
        ("NVR closed at $6,000 on 3 January 2022", 5_945.0, 5_757.01),
        (
            "Amazon closed at $3,000 on 3 January 2022",
            2_975.0,
            2_912.82,
        ),
        (
            "Nvidia closed at exactly $1,000 on 23 May 2024",
            1_000.4,
            1_001.0,
        ),
        (
            "Bitcoin closed at $60,000 on 23 May 2024",
            59_600.0,
            59_400.0,
        ),
        (
            "Nvidia closed at about $1,000 on 23 May 2024",
            1_037.99,
            1_060.0,
        ),
        (
            "The Dow closed at 40,000 on 23 May 2024",
            40_400.0,
            40_600.0,
        ),
    ] {
        let claim = super::claim(text).unwrap();
        let [Assertion::Value(bound)] = claim.assertions[..] else {
            panic!("{text}: {claim:?}");
        };
        assert!(
            bound.holds(agrees) && !bound.holds(differs),
            "{text}: {bound:?}"
        );
    }
}

#[test]
fn a_loss_a_share_is_one_of_each_share() {
    for text in [
        "Snowflake reported a loss of $2.55 a share for fiscal 2024",
        "Snowflake had a net loss of $2.55 per share in fiscal 2024",
    ] {
        let claim = super::claim(text).unwrap();
        assert_eq!(claim.measure, Some(Measure::Eps), "{text}");
        let [Assertion::Value(Bound::Equal(amount))] = claim.assertions[..] else {
            panic!("{text}: {claim:?}");
        };
        assert_eq!(amount.value, -2.55, "{text}");
    }
    let whole = super::claim("Snowflake reported a loss of $836 million for fiscal 2024").unwrap();
    assert_eq!(whole.measure, Some(Measure::NetIncome));
}

#[test]
fn what_one_of_them_is_worth_is_a_price() {
    let claim = super::claim("Bitcoin was worth less than $4,000 at the end of 2018").unwrap();
    assert_eq!(claim.measure, None);
    let all = super::claim("Bitcoin was worth more than $400 billion at the end of 2020").unwrap();
    assert_eq!(all.measure, Some(Measure::MarketValue));
}

#[test]
fn the_name_of_a_company_may_stand_before_its_shares() {
    for text in [
        "Michael Scarpelli sold 73,170 Snowflake shares on 13 December 2022",
        "Michael Scarpelli sold 73,170 shares of Snowflake on 13 December 2022",
        "Snowflake director Jane Roe bought 73,170 Snowflake shares on 13 December 2022",
    ] {
        let claim = super::claim(text).unwrap();
        assert!(claim.disclosure.is_some(), "{text}");
        let [Assertion::Value(bound)] = claim.assertions[..] else {
            panic!("{text}: {claim:?}");
        };
        assert_eq!(
            (bound.amount().value, bound.amount().unit),
            (73_170.0, Unit::Count),
            "{text}"
        );
    }
}

use super::*;

/// Filters, type, sector, order and limit as one line; `!` before anything not understood.
fn read(sentence: &str) -> String {
    let found = understand(sentence);
    let mut parts: Vec<String> = found
        .filters
        .iter()
        .map(|(key, value)| match value {
            FilterValue::Number(number) => format!("{}={number}", key.as_str()),
            _ => key.as_str().to_owned(),
        })
        .collect();
    parts.extend(found.asset_type.map(|kind| kind.as_str().to_owned()));
    parts.extend(found.sector);
    parts.extend(found.industry.map(|industry| industry.name.to_owned()));
    let without = found.without.iter();
    parts.extend(without.map(|part| format!("without {}", part.name())));
    parts.extend(found.exchange.map(|exchange| format!("on {exchange}")));
    parts.extend(found.sort.map(|sort| format!("by {}", sort.as_str())));
    parts.extend(found.direction.map(|way| way.as_str().to_owned()));
    parts.extend(found.limit.map(|limit| format!("limit {limit}")));
    parts.extend(found.not_understood.iter().map(|word| format!("!{word}")));
    parts.join(" ")
}

#[test]
fn sentences_mean_screens() {
    let cases = [
        ("RSI under 30", "rsi_below=30"),
        ("P/E below 15", "pe_below=15"),
        ("market cap over 10 billion", "market_cap_above=10"),
        ("market cap over $10b", "market_cap_above=10"),
        ("market cap above 500 million", "market_cap_above=0.5"),
        ("worth more than 1.5 trillion", "market_cap_above=1500"),
        ("over $10 billion in market cap", "market_cap_above=10"),
        ("market cap > 25", "market_cap_above=25"),
        (
            "market cap above 10,000,000,000 dollars",
            "market_cap_above=10",
        ),
        (
            "oversold tech stocks above their 200-day average",
            "rsi_below=30 above_sma_200 equity Information Technology",
        ),
        (
            "stocks under $10 with dividend yield above 3%",
            "price_below=10 dividend_yield_above=3 equity",
        ),
        ("companies over $10 billion", "market_cap_above=10 equity"),
        ("share price above 250", "price_above=250"),
        ("priced between $5 and $20", "price_above=5 price_below=20"),
        ("yielding more than 4 percent", "dividend_yield_above=4"),
        ("market cap below 2 billion", "market_cap_below=2"),
        ("small caps", "market_cap_below=2"),
        ("mid caps", "market_cap_above=2 market_cap_below=10"),
        ("low volume coins", "volume_below=100000 crypto"),
        ("penny stocks", "price_below=5 equity"),
        ("cheap", "pe_below=15"),
        ("bullish sentiment", "sentiment_above=0.58"),
        ("large cap", "market_cap_above=10"),
        ("mega-cap stocks", "market_cap_above=200 equity"),
        ("high volume", "volume_above=1000000"),
        ("most oversold first", "by rsi"),
        ("ETFs", "etf"),
        ("coins", "crypto"),
        (
            "oversold crypto sorted by volume",
            "rsi_below=30 crypto by volume",
        ),
        ("rsi between 40 and 60", "rsi_above=40 rsi_below=60"),
        ("RSI 20-30", "rsi_above=20 rsi_below=30"),
        ("rsi from 60 to 40", "rsi_above=40 rsi_below=60"),
        ("RSI(14) < 25", "rsi_below=25"),
        ("RSI of at most 35", "rsi_below=35"),
        ("rsi 30 or less", "rsi_below=30"),
        ("RSI below thirty", "rsi_below=30"),
        ("less than 12 times earnings", "pe_below=12"),
        ("price-to-earnings ratio lower than 20", "pe_below=20"),
        ("sentiment above 70%", "sentiment_above=0.7"),
        ("sentiment over 0.8", "sentiment_above=0.8"),
        ("sentiment score under 40", "sentiment_below=0.4"),
        ("average volume above 2m", "volume_above=2000000"),
        ("bullish MACD", "macd_bullish"),
        ("MACD is negative", "macd_bearish"),
        ("macd crossing above its signal line", "macd_bullish"),
        (
            "above their 50 and 200 day moving averages",
            "above_sma_50 above_sma_200",
        ),
        ("below the 20dma", "below_sma_20"),
        (
            "rsi below 30 and price above 200 day average",
            "rsi_below=30 above_sma_200",
        ),
        ("price under sma200", "below_sma_200"),
        ("above the moving average of 50 days", "above_sma_50"),
        (
            "health care names with good news",
            "sentiment_above=0.58 equity Health Care",
        ),
        ("deeply oversold bank stocks", "rsi_below=20 equity Banks"),
        ("cheapest energy stocks", "equity Energy by pe_ratio"),
        ("top 10 largest companies", "equity by market_cap limit 10"),
        ("show me 5 overbought etfs", "rsi_above=70 etf limit 5"),
        (
            "profitable utilities in an uptrend",
            "pe_above=0 above_sma_200 Utilities",
        ),
        ("rsi below 40 and rsi below 30", "rsi_below=30"),
        ("blue chips with low P/E", "market_cap_above=10 pe_below=15"),
    ];
    for (sentence, expected) in cases {
        assert_eq!(read(sentence), expected, "{sentence}");
        assert!(understand(sentence).checked().is_ok(), "{sentence}");
    }
}

#[test]
fn a_word_that_makes_another_figure_loses_the_sentence() {
    for sentence in [
        "free cash flow yield above 5%",
        "fcf yield above 5%",
        "bond yield above 4%",
        "earnings yield above 8%",
        "operating margin above 20%",
        "tech stocks with gross margin above 50%",
        "forward P/E below 15",
        "net debt to equity below 1",
        "target price above 100",
        "tech stocks by fcf yield",
        "stocks without dividends and P/E below 12",
        "cheap stocks that don't pay dividends",
    ] {
        let found = understand(sentence);
        assert!(found.is_nothing(), "{sentence}: {found:?}");
        assert!(!found.explanation.is_empty(), "{sentence}");
    }
    for (sentence, meaning) in [
        ("current P/E below 15", "pe_below=15"),
        (
            "solid revenue growth above 20%",
            "revenue_growth_above=20 !solid",
        ),
        ("closing price above 250", "price_above=250 !closing"),
        (
            "banks boasting dividend yields above 3%",
            "dividend_yield_above=3 Banks",
        ),
    ] {
        assert_eq!(read(sentence), meaning, "{sentence}");
        assert!(!understand(sentence).is_nothing(), "{sentence}");
    }
}

#[test]
fn whoever_pays_dividends_has_a_yield() {
    for (sentence, meaning) in [
        (
            "stocks paying dividends and P/E below 12 and RSI below 40",
            "dividend_yield_above=0 pe_below=12 rsi_below=40 equity",
        ),
        ("stocks that pay dividends", "dividend_yield_above=0 equity"),
        ("banks that pay a dividend", "dividend_yield_above=0 Banks"),
        (
            "dividend-paying utilities",
            "dividend_yield_above=0 Utilities",
        ),
        (
            "cheap stocks with dividends",
            "pe_below=15 dividend_yield_above=0 equity",
        ),
        ("paying dividends above 3%", "dividend_yield_above=3"),
        ("dividend yield, descending", "by dividend_yield"),
        ("dividend yield, ascending", "by dividend_yield asc"),
    ] {
        assert_eq!(read(sentence), meaning, "{sentence}");
        assert!(!understand(sentence).is_nothing(), "{sentence}");
    }
}

#[test]
fn rankings_are_orders() {
    let cases = [
        ("highest dividend stocks", "equity by dividend_yield"),
        (
            "stocks with the highest dividend yield",
            "equity by dividend_yield",
        ),
        ("best dividend payers", "by dividend_yield"),
        (
            "which companies pay the highest dividends",
            "equity by dividend_yield",
        ),
        ("highest yielding utilities", "Utilities by dividend_yield"),
        (
            "top 10 dividend stocks",
            "equity by dividend_yield limit 10",
        ),
        (
            "energy stocks by dividend yield",
            "equity Energy by dividend_yield",
        ),
        (
            "dividend stocks sorted by yield",
            "dividend_yield_above=0 equity by dividend_yield",
        ),
        ("stocks with the lowest P/E", "equity by pe_ratio"),
        ("cheapest stocks by P/E", "equity by pe_ratio"),
        ("biggest gainers this year", "by change_ytd"),
        (
            "best performing tech stocks year to date",
            "equity Information Technology by change_ytd",
        ),
        (
            "top 5 performers over the past 12 months",
            "by change_1y limit 5",
        ),
        ("coins with the highest ytd return", "crypto by change_ytd"),
        ("lowest price to earnings", "by pe_ratio"),
        ("highest trading volume", "by volume"),
        ("highest average volume stocks", "equity by volume"),
        ("highest market capitalization", "by market_cap"),
        (
            "stocks with the highest market value",
            "equity by market_cap",
        ),
        ("biggest gain in share price this year", "by change_ytd"),
        (
            "biggest gainers in large caps this year",
            "market_cap_above=10 by change_ytd",
        ),
        (
            "highest returns on the Nasdaq this year",
            "on NASDAQ by change_ytd",
        ),
        (
            "energy stocks sorted by return this year",
            "equity Energy by change_ytd",
        ),
        ("largest US banks", "Banks by market_cap"),
        (
            "biggest oversold tech stocks",
            "rsi_below=30 equity Information Technology by market_cap",
        ),
        (
            "largest non-bank financials",
            "Financials without Banks by market_cap",
        ),
        ("which stock is the biggest", "equity by market_cap"),
    ];
    for (sentence, expected) in cases {
        assert_eq!(read(sentence), expected, "{sentence}");
        assert!(!understand(sentence).is_nothing(), "{sentence}");
    }
}

#[test]
fn a_direction_is_that_of_the_order_or_is_said() {
    let cases = [
        (
            "stocks sorted by market cap, highest first",
            "equity by market_cap",
        ),
        ("by RSI, lowest first", "by rsi"),
        ("sort by P/E lowest to highest", "by pe_ratio"),
        (
            "tech stocks, largest first",
            "equity Information Technology by market_cap",
        ),
        ("stocks in descending order of volume", "equity by volume"),
        (
            "ranked by dividend yield from high to low",
            "by dividend_yield",
        ),
        ("coins by ytd return, descending", "crypto by change_ytd"),
        ("stocks sorted by P/E descending", "equity by pe_ratio desc"),
        ("sorted by market cap, lowest first", "by market_cap asc"),
        ("by volume ascending", "by volume asc"),
        (
            "ranked by dividend yield from low to high",
            "by dividend_yield asc",
        ),
        (
            "stocks in ascending order of market cap",
            "equity by market_cap asc",
        ),
        ("lowest dividend yield", "by dividend_yield asc"),
        ("stocks by highest P/E", "equity by pe_ratio desc"),
        (
            "the 5 most expensive tech stocks by P/E",
            "equity Information Technology by pe_ratio desc limit 5",
        ),
        ("most overbought stocks", "equity by rsi desc"),
        (
            "smallest companies in the energy sector",
            "equity Energy by market_cap asc",
        ),
        (
            "worst performing stocks this year",
            "equity by change_ytd asc",
        ),
        ("biggest losers this year", "by change_ytd asc"),
        ("biggest profit margins", "by profit_margin"),
        ("largest revenue growth", "by revenue_growth"),
        ("lowest debt to equity", "by debt_to_equity"),
        ("sorted by revenue growth", "by revenue_growth"),
        (
            "tech stocks by profit margin",
            "equity Information Technology by profit_margin",
        ),
        ("highest priced stocks", "equity by price"),
    ];
    for (sentence, expected) in cases {
        assert_eq!(read(sentence), expected, "{sentence}");
    }
}

#[test]
fn two_sums_of_money_bound_a_price_or_the_value_of_a_company() {
    for (sentence, expected) in [
        (
            "stocks between $20 and $30",
            "price_above=20 price_below=30 equity",
        ),
        (
            "which stocks trade between 20 and 30 dollars",
            "price_above=20 price_below=30 equity",
        ),
        (
            "tech stocks $5-$10",
            "price_above=5 price_below=10 equity Information Technology",
        ),
        (
            "companies from $10 billion to $50 billion",
            "market_cap_above=10 market_cap_below=50 equity",
        ),
        ("RSI between 30 and 40", "rsi_above=30 rsi_below=40"),
    ] {
        assert_eq!(read(sentence), expected, "{sentence}");
    }
}

#[test]
fn a_bound_behind_an_order_is_a_condition_too() {
    let cases = [
        (
            "tech stocks with the highest dividend yield above 4%",
            "dividend_yield_above=4 equity Information Technology by dividend_yield",
        ),
        (
            "best yields over 5%",
            "dividend_yield_above=5 by dividend_yield",
        ),
        ("lowest P/E above 5", "pe_above=5 by pe_ratio"),
        (
            "highest market cap above $10 billion",
            "market_cap_above=10 by market_cap",
        ),
        (
            "coins by ytd return above 10%, highest first",
            "change_ytd_above=10 crypto by change_ytd",
        ),
        // A price, not a yield.
        (
            "highest dividend yield under $20",
            "price_below=20 by dividend_yield",
        ),
    ];
    for (sentence, expected) in cases {
        assert_eq!(read(sentence), expected, "{sentence}");
        assert!(!understand(sentence).is_nothing(), "{sentence}");
    }
}

#[test]
fn an_order_that_is_not_understood_leaves_nothing_to_search() {
    for sentence in [
        "biggest gainers today",
        "tech stocks with the most employees",
        "dividend stocks with the fewest cuts",
        "highest dividend growth",
        "best dividend growth stocks",
        "companies with the highest return on equity this year",
        "biggest gain in sales this year",
        "largest drop in profit margins this year",
        "biggest movers",
        "stocks ranked by beta",
        "ordered by dividend growth",
    ] {
        let found = understand(sentence);
        assert!(
            found.is_beyond && found.is_nothing() && !found.not_understood.is_empty(),
            "{sentence}: {found:?}"
        );
    }
}

#[test]
fn extremes_changes_growth_and_debt_are_filters() {
    let cases = [
        (
            "stocks near their 52-week high",
            "from_52w_high_below=5 equity",
        ),
        (
            "shares close to the one-year low",
            "from_52w_low_below=5 equity",
        ),
        ("hitting new 52 week lows", "from_52w_low_below=1"),
        (
            "coins making new yearly highs",
            "from_52w_high_below=1 crypto",
        ),
        ("within 3% of the 52-week high", "from_52w_high_below=3"),
        (
            "more than 20% below their 52-week high",
            "from_52w_high_above=20",
        ),
        (
            "down 30 percent from their 52-week high",
            "from_52w_high_above=30",
        ),
        (
            "less than 10% above the 52-week low",
            "from_52w_low_below=10",
        ),
        (
            "stocks that fell more than 20% this year",
            "change_ytd_below=-20 equity",
        ),
        (
            "tech stocks up at least 15% over the past year",
            "change_1y_above=15 equity Information Technology",
        ),
        (
            "up less than 5% year to date",
            "change_ytd_above=0 change_ytd_below=5",
        ),
        ("stocks down this year", "change_ytd_below=0 equity"),
        ("gained 50% in the last 12 months", "change_1y_above=50"),
        ("ytd return above 10%", "change_ytd_above=10"),
        (
            "revenue growth above 25% and low debt on the Nasdaq",
            "revenue_growth_above=25 debt_to_equity_below=0.5 on NASDAQ",
        ),
        ("earnings growth over 10%", "eps_growth_above=10"),
        (
            "profit margin between 10% and 30%",
            "profit_margin_above=10 profit_margin_below=30",
        ),
        ("debt to equity below 0.5", "debt_to_equity_below=0.5"),
        (
            "companies with growing revenue listed on the NYSE",
            "revenue_growth_above=0 equity on NYSE",
        ),
        // A week or a year of something else is not bent into one of these.
        ("stocks that fell 20%", "equity !fell !20%"),
    ];
    for (sentence, meaning) in cases {
        assert_eq!(read(sentence), meaning, "{sentence}");
    }
}

#[test]
fn a_number_is_applied_where_it_was_meant() {
    let cases = [
        (
            "price more than 10 percent off its 52 week high",
            "from_52w_high_above=10",
        ),
        (
            "stocks trading more than 10% below their 52-week high",
            "from_52w_high_above=10 equity",
        ),
        (
            "share price within 3% of the 52-week high",
            "from_52w_high_below=3",
        ),
        (
            "price below 85% of its 52-week high",
            "from_52w_high_above=15",
        ),
        (
            "price above 120% of its 52-week low",
            "from_52w_low_above=20",
        ),
        ("growing revenue more than 20%", "revenue_growth_above=20"),
        ("growing sales by 15%", "revenue_growth_above=15"),
        ("growing revenue at least 20%", "revenue_growth_above=20"),
        ("growing revenue less than 5%", "revenue_growth_below=5"),
        ("rising earnings over 10 percent", "eps_growth_above=10"),
        ("revenue up more than 30%", "revenue_growth_above=30"),
        ("high profit margins above 30%", "profit_margin_above=30"),
        (
            "stocks trading at least 5 million shares a day",
            "volume_above=5000000 equity",
        ),
        ("trading more than 2m shares daily", "volume_above=2000000"),
        (
            "fewer than 100k shares traded per day",
            "volume_below=100000",
        ),
        (
            "unprofitable tech stocks",
            "profit_margin_below=0 equity Information Technology",
        ),
        (
            "stocks that are not profitable",
            "profit_margin_below=0 equity",
        ),
        ("negative profit margin", "profit_margin_below=0"),
        ("negative revenue growth", "revenue_growth_below=0"),
        ("shrinking sales", "revenue_growth_below=0"),
        ("positive earnings growth", "eps_growth_above=0"),
        ("RSI below 30%", "rsi_below=30"),
    ];
    for (sentence, meaning) in cases {
        assert_eq!(read(sentence), meaning, "{sentence}");
        assert!(!understand(sentence).is_nothing(), "{sentence}");
    }
}

#[test]
fn a_number_that_is_not_understood_leaves_nothing_to_search() {
    for sentence in [
        "price below 15 percent of high",
        "tech stocks with a price below 15%",
        "P/E below 10 percent",
        "market cap above 5%",
        "oversold stocks with more than 5000 employees",
        "oversold stocks 10% above their 52-week high",
        "stocks below 15% of their 52-week high",
        "trading more than 5 million shares a week",
        "trading at least $5 million a day",
        "S&P 500 stocks under $10",
        "cheap stocks that fell 20%",
        "oversold with RSI below 300",
        "tech stocks with beta below 1",
    ] {
        let found = understand(sentence);
        assert!(
            found.is_nothing() && !found.not_understood.is_empty(),
            "{sentence}: {found:?}"
        );
    }
}

#[test]
fn negation_turns_a_filter_around() {
    let cases = [
        ("not oversold", "rsi_above=30"),
        ("stocks that are not overbought", "rsi_below=70 equity"),
        ("not above their 200-day average", "below_sma_200"),
        ("not too expensive", "pe_below=30"),
        ("rsi not above 60", "rsi_below=60"),
        ("no more than 15 times earnings", "pe_below=15"),
        ("rsi no less than 50", "rsi_above=50"),
        ("without bearish macd", "macd_bullish"),
        ("no tech stocks", "equity without Information Technology"),
        (
            "cheap stocks, excluding energy and banks",
            "pe_below=15 equity without Energy without Banks",
        ),
        (
            "oversold non-bank financials",
            "rsi_below=30 Financials without Banks",
        ),
        (
            "oversold stocks outside of the energy sector",
            "rsi_below=30 equity without Energy",
        ),
        ("not large cap", "market_cap_below=10"),
    ];
    for (sentence, expected) in cases {
        assert_eq!(read(sentence), expected, "{sentence}");
    }
}

#[test]
fn misspelt_words_are_read_as_what_they_are_near_to() {
    let cases = [
        ("oversld stokcs", "rsi_below=30 equity"),
        (
            "tehcnology shares with bulish sentimnet",
            "sentiment_above=0.58 equity Information Technology",
        ),
        ("markt cap abvoe 10 bilion", "market_cap_above=10"),
        ("ovrbought utilites", "rsi_above=70 Utilities"),
    ];
    for (sentence, expected) in cases {
        assert_eq!(read(sentence), expected, "{sentence}");
        assert!(understand(sentence).explanation[0].contains("read as"));
    }
}

#[test]
fn what_cannot_be_asked_is_said_and_not_bent() {
    let cases = [
        ("above their 100-day average", "!above !100 !day !average"),
        ("dividend yield above 300", "!dividend !yield !above !300"),
        ("RSI below 300", "!rsi !below !300"),
        ("stocks and ETFs", "equity !etfs"),
        ("tech or energy", "Information Technology !energy"),
        (
            "rsi below 30 or p/e under 10",
            "rsi_below=30 !p !e !under !10",
        ),
        ("software or bank stocks", "equity Software !bank"),
        ("founded by pirates", "!founded !pirates"),
        ("stocks most worth buying", "equity !most !worth !buying"),
        ("rsi", "!rsi"),
        ("???", ""),
        ("", ""),
    ];
    for (sentence, expected) in cases {
        assert_eq!(read(sentence), expected, "{sentence}");
    }
    assert!(understand("please show me all of them").is_nothing());
    let found = understand("above their 30 day average");
    assert!(found.explanation[0].contains("only averages of 20, 50 and 200 days"));
}

#[test]
fn what_is_beyond_the_screener_has_no_answer() {
    for sentence in [
        "tech or energy stocks",
        "rsi below 30 or p/e under 10",
        "oversold or overbought stocks",
        "stocks and ETFs with rsi below 30",
        "above the 50 or the 200 day average",
        "rsi below 30 or above 70",
    ] {
        let found = understand(sentence);
        assert!(
            found.is_beyond && found.is_nothing(),
            "{sentence}: {found:?}"
        );
    }
    for sentence in [
        "cheap or undervalued stocks",
        "RSI of 30 or less",
        "oversold tech stocks",
        "stocks at or near their 52-week high",
        "no banks",
    ] {
        let found = understand(sentence);
        assert!(
            !found.is_beyond && !found.is_nothing(),
            "{sentence}: {found:?}"
        );
    }
}

#[test]
fn contradictions_are_named() {
    for (sentence, key) in [
        ("oversold and overbought", "rsi_above"),
        ("rsi under 30 and rsi over 70", "rsi_above"),
        (
            "above the 50 day average but below the 50 day average",
            "above_sma_50",
        ),
        ("bullish macd and bearish macd", "macd_bullish"),
        ("very bullish with bad news", "sentiment_above"),
    ] {
        let error = understand(sentence).checked().unwrap_err();
        assert_eq!(error.key(), key, "{sentence}");
    }
}

#[test]
fn no_sentence_makes_it_stumble() {
    let pieces = [
        "not",
        "rsi",
        "below",
        "30",
        "-",
        "between",
        "and",
        "top",
        "200",
        "day",
        "%",
        "1e999",
        "..",
        "٣",
        "é",
        "macd",
        "p",
        "sort",
        "by",
        "9999999999999999999999999999999999 t",
        "<=",
        "of",
    ];
    for first in pieces {
        for second in pieces {
            for third in pieces {
                let found = understand(&format!("{first} {second} {third}"));
                let _ = found.checked();
                for (_, value) in &found.filters {
                    if let FilterValue::Number(number) = value {
                        assert!(number.is_finite());
                    }
                }
            }
        }
    }
}

#[test]
fn dollars_are_us_dollars_and_a_bare_number_is_of_no_currency() {
    for (sentence, filters, currency) in [
        ("stocks under $10", "price_below=10 equity", Some("USD")),
        (
            "stocks under 10 dollars",
            "price_below=10 equity",
            Some("USD"),
        ),
        (
            "trading between 5 and 20 usd",
            "price_above=5 price_below=20",
            None,
        ),
        ("penny stocks", "price_below=5 equity", Some("USD")),
        ("share price above 250", "price_above=250", None),
        ("worth over $10 billion", "market_cap_above=10", None),
    ] {
        assert_eq!(read(sentence), filters, "{sentence}");
        assert_eq!(understand(sentence).currency, currency, "{sentence}");
    }
    let mut priced = understand("priced between $5 and $20 with rsi below 30");
    priced.convert_prices(0.5);
    let filters = [
        (FilterKey::PriceAbove, FilterValue::Number(2.5)),
        (FilterKey::PriceBelow, FilterValue::Number(10.0)),
        (FilterKey::RsiBelow, FilterValue::Number(30.0)),
    ];
    assert_eq!(priced.filters, filters);
}

//! The figure by which a question compares: `which is cheaper`, `the riskier of the two`, `beta of Apple and Tesla`.

use crate::words::Word;

/// A figure by which instruments are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each measure names itself")]
pub enum Measure {
    PriceToEarnings,
    MarketValue,
    DividendYield,
    ProfitMargin,
    Volatility,
    Beta,
    Debt,
    Sentiment,
    RevenueGrowth,
}

impl Measure {
    /// Whether it is one of the figures of a company rather than part of its assessment.
    pub const fn is_of_company(self) -> bool {
        matches!(
            self,
            Self::PriceToEarnings
                | Self::MarketValue
                | Self::DividendYield
                | Self::ProfitMargin
                | Self::Beta
                | Self::Debt
        )
    }
}

/// The measure that the words of a question name first.
pub(crate) fn asked(words: &[Word]) -> Option<Measure> {
    /// Beginnings of words.
    const NAMED: [(Measure, &[&str]); 9] = [
        (Measure::RevenueGrowth, &["grow", "faster"]),
        (Measure::Beta, &["beta"]),
        (
            Measure::Volatility,
            &["volatil", "risk", "safe", "swing", "stable", "calm", "wild"],
        ),
        (
            Measure::PriceToEarnings,
            &[
                "cheap",
                "expensive",
                "pricey",
                "pricier",
                "dear",
                "undervalu",
                "overvalu",
                "valuation",
                "multiple",
            ],
        ),
        (
            Measure::MarketValue,
            &["big", "larg", "small", "mcap", "valuable", "capitali"],
        ),
        (
            Measure::DividendYield,
            &["dividend", "yield", "payout", "income"],
        ),
        (Measure::ProfitMargin, &["profitab", "margin"]),
        (Measure::Debt, &["debt", "leverag", "indebted"]),
        (
            Measure::Sentiment,
            &["sentiment", "press", "mood", "coverage"],
        ),
    ];
    words.iter().enumerate().find_map(|(at, word)| {
        let next = |known: &str| words.get(at + 1).is_some_and(|next| next.is(known));
        match word.lower.as_str() {
            // `P/E`, `market cap`, `worth more`.
            "p" if next("e") => return Some(Measure::PriceToEarnings),
            "pe" => return Some(Measure::PriceToEarnings),
            "market" if next("cap") || next("value") => return Some(Measure::MarketValue),
            "worth" if next("more") || next("most") => return Some(Measure::MarketValue),
            _ => {}
        }
        NAMED.iter().find_map(|(measure, beginnings)| {
            let begins = beginnings.iter().any(|one| word.lower.starts_with(one));
            begins.then_some(*measure)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words;

    #[test]
    fn a_measure_is_found_by_the_words_for_it() {
        for (text, expected) in [
            ("which is riskier, NVDA or KO", Some(Measure::Volatility)),
            ("beta of Apple vs Tesla", Some(Measure::Beta)),
            (
                "market cap of Microsoft vs Apple",
                Some(Measure::MarketValue),
            ),
            (
                "which of AAPL and MSFT is the cheapest",
                Some(Measure::PriceToEarnings),
            ),
            ("AAPL or MSFT by P/E", Some(Measure::PriceToEarnings)),
            (
                "who pays the better dividend, KO or PEP",
                Some(Measure::DividendYield),
            ),
            ("compare KO and PEP", None),
        ] {
            assert_eq!(asked(&words::cut(text)), expected, "{text}");
        }
    }
}

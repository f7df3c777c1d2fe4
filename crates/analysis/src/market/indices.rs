//! The indices of the market summary.

/// An index of American shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarketIndex {
    /// Such as `^GSPC`.
    pub symbol: &'static str,
    /// Such as `S&P 500`.
    pub name: &'static str,
    /// Series of its level; that with the newest value counts, of equals the first.
    pub series: &'static [&'static str],
}

/// Every index, the index of expected volatility last.
pub const INDICES: [MarketIndex; 5] = [
    MarketIndex {
        symbol: "^GSPC",
        name: "S&P 500",
        series: &["index:^GSPC", "macro:SP500"],
    },
    MarketIndex {
        symbol: "^DJI",
        name: "Dow Jones Industrial Average",
        series: &["index:^DJI", "macro:DJIA"],
    },
    MarketIndex {
        symbol: "^IXIC",
        name: "NASDAQ Composite",
        series: &["index:^IXIC", "macro:NASDAQCOM"],
    },
    MarketIndex {
        symbol: "^RUT",
        name: "Russell 2000",
        series: &["index:^RUT"],
    },
    MarketIndex {
        symbol: "^VIX",
        name: "CBOE Volatility Index",
        series: &["index:^VIX", "macro:VIXCLS"],
    },
];

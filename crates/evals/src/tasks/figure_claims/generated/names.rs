//! What claims are generated about, and how people call it.

/// Shares by symbol and the names that people use.
pub(super) const SHARES: [(&str, &[&str]); 24] = [
    ("AAPL", &["Apple", "AAPL", "Apple's stock"]),
    ("MSFT", &["Microsoft", "MSFT", "shares of Microsoft"]),
    ("NVDA", &["Nvidia", "NVDA", "Nvidia stock"]),
    ("AMZN", &["Amazon", "AMZN"]),
    ("TSLA", &["Tesla", "TSLA", "Tesla shares"]),
    ("JPM", &["JPMorgan Chase", "JPM", "JPMorgan"]),
    ("JNJ", &["Johnson & Johnson", "JNJ"]),
    ("WMT", &["Walmart", "WMT", "Walmart shares"]),
    ("UNH", &["UnitedHealth", "UNH"]),
    ("GM", &["General Motors", "GM"]),
    ("PYPL", &["PayPal", "PYPL"]),
    ("BBY", &["Best Buy", "BBY"]),
    ("AMGN", &["Amgen", "AMGN"]),
    ("XOM", &["Exxon Mobil", "ExxonMobil", "XOM"]),
    ("KO", &["Coca-Cola", "KO"]),
    ("PFE", &["Pfizer", "PFE"]),
    ("BA", &["Boeing", "BA shares"]),
    ("DIS", &["Disney", "Walt Disney", "DIS"]),
    ("INTC", &["Intel", "INTC"]),
    ("NFLX", &["Netflix", "NFLX"]),
    ("F", &["Ford", "Ford Motor", "Ford shares"]),
    ("BRK.B", &["Berkshire Hathaway", "BRK.B"]),
    ("CVX", &["Chevron", "CVX"]),
    ("GS", &["Goldman Sachs", "GS shares"]),
];
pub(super) const COINS: [(&str, &[&str]); 6] = [
    ("BTC", &["Bitcoin", "BTC", "bitcoin"]),
    ("ETH", &["Ethereum", "Ether", "ETH"]),
    ("DOGE", &["Dogecoin", "DOGE"]),
    ("LTC", &["Litecoin", "LTC"]),
    ("XRP", &["XRP"]),
    ("SOL", &["Solana"]),
];
pub(super) const SERIES: [(&str, &[&str], &str, usize); 14] = [
    ("index:^GSPC", &["The S&P 500", "The S&P 500 index"], "", 2),
    (
        "index:^DJI",
        &["The Dow", "The Dow Jones Industrial Average"],
        "",
        2,
    ),
    (
        "index:^IXIC",
        &["The Nasdaq Composite", "The Nasdaq"],
        "",
        2,
    ),
    ("index:^RUT", &["The Russell 2000"], "", 2),
    (
        "index:^VIX",
        &["The VIX", "The Cboe Volatility Index"],
        "",
        2,
    ),
    ("commodity:brent/spot", &["Brent", "Brent crude"], "$", 2),
    ("commodity:gold/futures", &["Gold", "Gold futures"], "$", 1),
    (
        "commodity:silver/futures",
        &["Silver", "Silver futures"],
        "$",
        2,
    ),
    (
        "commodity:copper/futures",
        &["Copper", "Copper futures"],
        "$",
        3,
    ),
    ("fx:EURUSD", &["EUR/USD", "The euro"], "$", 4),
    ("fx:GBPUSD", &["GBP/USD", "The pound"], "$", 4),
    ("close:XLK", &["XLK"], "$", 2),
    ("close:XLE", &["XLE"], "$", 2),
    ("commodity:natgas/spot", &["Henry Hub natural gas"], "$", 2),
];
pub(super) const YIELDS: [(&str, &[&str]); 5] = [
    (
        "macro:DGS10",
        &[
            "The 10-year Treasury yield",
            "The yield on the 10-year Treasury note",
            "The ten-year Treasury yield",
        ],
    ),
    (
        "macro:DGS2",
        &["The 2-year Treasury yield", "The two-year yield"],
    ),
    (
        "macro:DGS30",
        &[
            "The 30-year Treasury yield",
            "The yield on 30-year Treasuries",
        ],
    ),
    ("macro:DGS5", &["The 5-year Treasury yield"]),
    (
        "macro:DGS3MO",
        &[
            "The 3-month Treasury yield",
            "The 3-month Treasury bill yield",
        ],
    ),
];
pub(super) const RATES: [(&str, &[&str]); 4] = [
    (
        "macro:UNRATE",
        &[
            "The unemployment rate",
            "US unemployment",
            "The US jobless rate",
        ],
    ),
    (
        "macro:FEDFUNDS",
        &["The federal funds rate", "The effective fed funds rate"],
    ),
    (
        "macro:UMCSENT",
        &[
            "Consumer sentiment",
            "The University of Michigan consumer sentiment index",
        ],
    ),
    ("macro:INDPRO", &["The industrial production index"]),
];

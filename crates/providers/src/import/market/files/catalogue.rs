//! What is known of the usual series: name and unit. Files seldom say.

use model::{Frequency, Series, SeriesId};

/// Identifier, name and unit of the usual series of FRED.
const SERIES: &[(&str, &str, &str)] = &[
    ("GDP", "Gross Domestic Product", "billions of USD"),
    (
        "GDPC1",
        "Real Gross Domestic Product",
        "billions of chained USD",
    ),
    ("GDPNOW", "GDPNow Estimate of Real GDP Growth", "percent"),
    ("CPIAUCSL", "Consumer Price Index, All Items", "index"),
    (
        "CPIAUCNS",
        "Consumer Price Index, All Items, Not Seasonally Adjusted",
        "index",
    ),
    (
        "CPILFESL",
        "Consumer Price Index Less Food and Energy",
        "index",
    ),
    (
        "CPIAUCSL_PCH_YOY",
        "Consumer Price Inflation, Year on Year",
        "percent",
    ),
    (
        "MEDCPIM159SFRBCLE",
        "Median Consumer Price Index, Year on Year",
        "percent",
    ),
    ("CUSR0000SAH1", "Consumer Price Index, Shelter", "index"),
    (
        "CUSR0000SACL1E",
        "Consumer Price Index, Commodities Less Food and Energy",
        "index",
    ),
    (
        "PCE",
        "Personal Consumption Expenditures",
        "billions of USD",
    ),
    (
        "PCEPI",
        "Personal Consumption Expenditures Price Index",
        "index",
    ),
    (
        "PCEPILFE",
        "Personal Consumption Expenditures Less Food and Energy",
        "index",
    ),
    ("UNRATE", "Unemployment Rate", "percent"),
    (
        "SAHMREALTIME",
        "Sahm Rule Recession Indicator",
        "percentage points",
    ),
    ("PAYEMS", "Nonfarm Payrolls", "thousands of persons"),
    ("CES0500000003", "Average Hourly Earnings", "USD per hour"),
    ("JTSJOL", "Job Openings", "thousands"),
    ("ICSA", "Initial Jobless Claims", "number"),
    ("CCSA", "Continued Jobless Claims", "number"),
    ("UMCSENT", "Consumer Sentiment", "index"),
    ("INDPRO", "Industrial Production", "index"),
    ("RSAFS", "Retail Sales", "millions of USD"),
    (
        "MARTSMPCSM44X72USS",
        "Retail Sales, Month on Month",
        "percent",
    ),
    ("HOUST", "Housing Starts", "thousands of units"),
    ("FEDFUNDS", "Federal Funds Rate", "percent"),
    ("DFF", "Federal Funds Rate, Daily", "percent"),
    ("SOFR", "Secured Overnight Financing Rate", "percent"),
    ("IORB", "Interest Rate on Reserve Balances", "percent"),
    ("GS10", "10-Year Treasury Yield, Monthly", "percent"),
    (
        "T10Y2Y",
        "10-Year Minus 2-Year Treasury Yield",
        "percentage points",
    ),
    (
        "T10Y3M",
        "10-Year Minus 3-Month Treasury Yield",
        "percentage points",
    ),
    ("T10YIE", "10-Year Breakeven Inflation Rate", "percent"),
    ("M2SL", "M2 Money Stock", "billions of USD"),
    ("WM2NS", "M2 Money Stock, Weekly", "billions of USD"),
    (
        "WALCL",
        "Total Assets of the Federal Reserve",
        "millions of USD",
    ),
    ("NFCI", "Chicago Fed Financial Conditions Index", "index"),
    (
        "BAMLH0A0HYM2",
        "High Yield Corporate Bond Spread",
        "percent",
    ),
    ("BAMLC0A0CM", "Corporate Bond Spread", "percent"),
    ("SP500", "S&P 500", "index"),
    ("DJIA", "Dow Jones Industrial Average", "index"),
    ("NASDAQCOM", "NASDAQ Composite", "index"),
    ("VIXCLS", "CBOE Volatility Index", "index"),
    ("DCOILWTICO", "Crude Oil Price, WTI", "USD per barrel"),
    ("DCOILBRENTEU", "Crude Oil Price, Brent", "USD per barrel"),
    (
        "DHHNGSP",
        "Henry Hub Natural Gas Price",
        "USD per million BTU",
    ),
    ("EXUSEU", "US Dollars to Euro, Monthly", "USD per EUR"),
    ("SHILLER_SP500", "S&P Composite, Monthly", "index"),
    (
        "SHILLER_DIVIDEND",
        "Dividend of the S&P Composite",
        "index points",
    ),
    (
        "SHILLER_EARNINGS",
        "Earnings of the S&P Composite",
        "index points",
    ),
    (
        "SHILLER_CPI",
        "Consumer Price Index in Shiller's Data",
        "index",
    ),
    (
        "SHILLER_LONG_RATE",
        "Long Interest Rate in Shiller's Data",
        "percent",
    ),
    (
        "SHILLER_REAL_PRICE",
        "Real Price of the S&P Composite",
        "index",
    ),
    (
        "SHILLER_REAL_DIVIDEND",
        "Real Dividend of the S&P Composite",
        "index points",
    ),
    (
        "SHILLER_REAL_EARNINGS",
        "Real Earnings of the S&P Composite",
        "index points",
    ),
    (
        "SHILLER_PE10",
        "Cyclically Adjusted Price-Earnings Ratio",
        "ratio",
    ),
];

/// Slug of a commodity, its name, and the unit of its price.
const COMMODITIES: [(&str, &str, &str); 17] = [
    ("crude", "Crude Oil (WTI)", "USD per barrel"),
    ("brent", "Crude Oil (Brent)", "USD per barrel"),
    ("natgas", "Natural Gas", "USD per million BTU"),
    ("gold", "Gold", "USD per troy ounce"),
    ("silver", "Silver", "USD per troy ounce"),
    ("platinum", "Platinum", "USD per troy ounce"),
    ("palladium", "Palladium", "USD per troy ounce"),
    ("copper", "Copper", "USD per pound"),
    ("wheat", "Wheat", "US cents per bushel"),
    ("corn", "Corn", "US cents per bushel"),
    ("soybean", "Soybeans", "US cents per bushel"),
    ("coffee", "Coffee", "US cents per pound"),
    ("cotton", "Cotton", "US cents per pound"),
    ("sugar", "Sugar", "US cents per pound"),
    ("cocoa", "Cocoa", "USD per tonne"),
    ("heating_oil", "Heating Oil", "USD per gallon"),
    ("gasoline", "Gasoline", "USD per gallon"),
];

/// Spot prices whose unit is another than that of the future: the monthly world prices of the IMF.
const SPOT_UNITS: [(&str, &str); 6] = [
    ("copper", "USD per tonne"),
    ("wheat", "USD per tonne"),
    ("corn", "USD per tonne"),
    ("coffee", "US cents per pound"),
    ("cotton", "US cents per pound"),
    ("sugar", "US cents per pound"),
];

/// Whether FRED has a well-known series of this identifier.
pub(super) fn is_known(id: &str) -> bool {
    SERIES.iter().any(|(known, _, _)| *known == id) || maturity(id).is_some()
}

/// Whether a commodity has this slug.
pub(super) fn is_commodity(slug: &str) -> bool {
    COMMODITIES.iter().any(|(known, _, _)| *known == slug)
}

/// The words for a series of which a file tells only values. A value that is published late carries a lag: the usual delay
/// of monthly and quarterly statistics behind the first day of what they are about.
pub(super) fn series(id: SeriesId, frequency: Option<Frequency>, source: &str) -> Series {
    let frequency = frequency.unwrap_or(Frequency::Daily);
    let (name, unit) = words(&id);
    let publication_lag_days = match (id.kind(), frequency) {
        ("macro", Frequency::Daily) => 1,
        ("macro", Frequency::Weekly) => 7,
        ("macro" | "commodity", Frequency::Monthly) => 45,
        ("macro", Frequency::Quarterly) => 120,
        ("macro", Frequency::Annual) => 395,
        _ => 0,
    };
    Series {
        id,
        name,
        unit,
        frequency,
        source: source.to_owned(),
        publication_lag_days,
    }
}

fn words(id: &SeriesId) -> (String, String) {
    let name = id.name();
    let pair = |(name, unit): (&str, &str)| (name.to_owned(), unit.to_owned());
    match id.kind() {
        "macro" => {
            let known = SERIES.iter().find(|(known, _, _)| *known == name);
            match (known, maturity(name)) {
                (Some((_, name, unit)), _) => pair((name, unit)),
                (None, Some(maturity)) => pair((&format!("{maturity} Treasury Yield"), "percent")),
                // FRED has hundreds of thousands of series; what is not known is called by its identifier.
                (None, None) => pair((name, "")),
            }
        }
        "commodity" => {
            let (slug, market) = name.split_once('/').unwrap_or((name, ""));
            let known = COMMODITIES.iter().find(|(known, _, _)| *known == slug);
            let spot = SPOT_UNITS.iter().find(|(known, _)| *known == slug);
            match (known, spot) {
                (Some((_, name, _)), Some((_, unit))) if market == "spot" => pair((name, unit)),
                (Some((_, name, unit)), _) => pair((name, unit)),
                (None, _) => pair((slug, "USD")),
            }
        }
        "fx" => match (name.get(..3), name.get(3..)) {
            (Some(base), Some(quote)) => {
                pair((&format!("{base}/{quote}"), &format!("{quote} per {base}")))
            }
            _ => pair((name, "")),
        },
        "index" => pair((name, "index")),
        "cap" => pair((&format!("Market value of {name}"), "USD")),
        _ => pair((name, "USD")),
    }
}

/// `10-Year` of `DGS10`, `3-Month` of `DGS3MO`.
fn maturity(id: &str) -> Option<String> {
    let rest = id.strip_prefix("DGS")?;
    let (digits, word) = match rest.strip_suffix("MO") {
        Some(digits) => (digits, "Month"),
        None => (rest, "Year"),
    };
    let plausible = !digits.is_empty()
        && digits.len() <= 3
        && digits
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'_');
    plausible.then(|| format!("{}-{word}", digits.replace('_', ".")))
}

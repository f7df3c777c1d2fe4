//! What a question wants to know.

/// An intent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each wish names itself")]
pub enum Intent {
    Verification,
    Portfolio,
    WhyMoved,
    Correlation,
    Comparison,
    Competitors,
    Screener,
    Movers,
    Sectors,
    MarketOverview,
    Calendar,
    Price,
    Performance,
    Technicals,
    Fundamentals,
    Earnings,
    Analysts,
    Insider,
    Congress,
    Institutions,
    Filings,
    Sentiment,
    Events,
    Contradictions,
    News,
    Outlook,
    Macro,
    Crypto,
    Forex,
    Commodities,
    Topic,
    Help,
    Unclear,
}

impl Intent {
    /// Every intent.
    pub const ALL: [Self; 33] = [
        Self::Verification,
        Self::Portfolio,
        Self::WhyMoved,
        Self::Correlation,
        Self::Comparison,
        Self::Competitors,
        Self::Screener,
        Self::Movers,
        Self::Sectors,
        Self::MarketOverview,
        Self::Calendar,
        Self::Price,
        Self::Performance,
        Self::Technicals,
        Self::Fundamentals,
        Self::Earnings,
        Self::Analysts,
        Self::Insider,
        Self::Congress,
        Self::Institutions,
        Self::Filings,
        Self::Sentiment,
        Self::Events,
        Self::Contradictions,
        Self::News,
        Self::Outlook,
        Self::Macro,
        Self::Crypto,
        Self::Forex,
        Self::Commodities,
        Self::Topic,
        Self::Help,
        Self::Unclear,
    ];

    /// The word for it in answers.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Verification => "verification",
            Self::Portfolio => "portfolio",
            Self::WhyMoved => "why_moved",
            Self::Correlation => "correlation",
            Self::Comparison => "comparison",
            Self::Competitors => "competitors",
            Self::Screener => "screener",
            Self::Movers => "movers",
            Self::Sectors => "sectors",
            Self::MarketOverview => "market_overview",
            Self::Calendar => "calendar",
            Self::Price => "price",
            Self::Performance => "performance",
            Self::Technicals => "technicals",
            Self::Fundamentals => "fundamentals",
            Self::Earnings => "earnings",
            Self::Analysts => "analysts",
            Self::Insider => "insider",
            Self::Congress => "congress",
            Self::Institutions => "institutions",
            Self::Filings => "filings",
            Self::Sentiment => "sentiment",
            Self::Events => "events",
            Self::Contradictions => "contradictions",
            Self::News => "news",
            Self::Outlook => "outlook",
            Self::Macro => "macro",
            Self::Crypto => "crypto",
            Self::Forex => "forex",
            Self::Commodities => "commodities",
            Self::Topic => "topic",
            Self::Help => "help",
            Self::Unclear => "unclear",
        }
    }

    /// The intent for a word.
    pub fn find(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == word)
    }
}

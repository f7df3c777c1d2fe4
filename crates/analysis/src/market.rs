//! Market data: one symbol, many, and the economy around them, as known at a point in time.
//!
//! Each kind of question has its own service ([`Prices`], [`Fundamentals`], [`Coverage`] …). The services share
//! [`MarketCache`], which keeps instruments, candles and latest prices in memory, in step with the store. Everything
//! else is read from the store on demand. No upstream is called from here. A figure without a source is absent, and
//! [`DataIssue`] says why.

mod actions;
mod assessment;
mod backtesting;
mod cache;
mod calendar;
mod catalog;
mod companies;
mod coverage;
mod crypto;
mod defi;
mod disclosures;
mod earnings;
mod economy;
mod estimates;
mod financials;
mod freshness;
mod fundamentals;
mod institutions;
mod instruments;
mod issue;
mod listing;
mod movers;
mod names;
mod nearest;
mod peers;
mod point_in_time;
mod portfolio;
mod prices;
mod ratings;
mod records;
mod renaming;
mod resolve;
mod screener;
mod sectors;
mod sentiment;
mod sentiment_past;
mod sentiment_trend;
mod services;
mod time_series;
mod valuation;

pub use actions::Actions;
pub use assessment::{Assessment, Assessments, old_signal, old_votes};
pub use backtesting::{BacktestAnswer, BacktestQuestion, Backtests};
pub use cache::MarketCache;
pub use calendar::{EventCalendar, EventDetails, EventKind, ScheduleQuery, ScheduledEvent};
pub use catalog::{
    COMMODITIES, CURRENCY_PAIRS, INDICES, LISTED_COMMODITIES, PricedSeries, currencies,
};
pub use coverage::{
    Coverage, CoverageDay, CoverageWindow, CoveringBrief, SentimentShift, Statements,
};
pub use crypto::{AllTimeHigh, Coin, CoinCloses, Coins, Crypto, CryptoTotals};
pub use defi::{DefiOverview, ProtocolHistory};
pub use disclosures::{CongressQuery, Disclosures, FilingQuery, InsiderQuery, RecentInsiderQuery};
pub use earnings::{EarningsView, Projection, Surprise};
pub use economy::{
    Derivation, Economy, INDICATORS, Indicator, IndicatorReading, LISTED, TreasuryYield, YIELDS,
};
pub use estimates::Estimates;
pub use financials::Financials;
pub use freshness::{Freshness, left_out, without_signal};
pub use fundamentals::{FundamentalStep, Fundamentals};
pub use institutions::{Holder, Holders};
pub use instruments::{Instruments, Traded};
pub use issue::DataIssue;
pub use listing::{HistoryView, Listing, MAX_AGE, PricePoint};
pub use movers::SessionBoard;
pub use names::{NameMatch, match_names};
pub use nearest::nearest;
pub use peers::{Peer, Peers};
pub use point_in_time::PointInTime;
pub use portfolio::{PortfolioBrief, PortfolioNews};
pub use prices::{Adjust, Prices};
pub use ratings::{Consensus, consensus};
pub use resolve::Unknown;
pub use screener::{Screened, Screener};
pub use sectors::SectorBoard;
pub use sentiment::{SENTIMENT_DAYS, Sentiment, SentimentBoard, TickerSentiment};
pub use sentiment_trend::{NewsItem, SentimentTrend, impact_score};
pub use services::MarketServices;
pub(crate) use time_series::known_at;
pub use time_series::{Level, TimeSeries, Values};
pub use valuation::{CompanyValuation, ValuationSource, Valuations};

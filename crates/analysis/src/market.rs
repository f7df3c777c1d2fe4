//! The market half: what is known of a symbol, of many, and of the economy around them, at a moment.
//!
//! Each kind of question has a service of its own ([`Prices`], [`Fundamentals`], [`Coverage`] …). They share [`MarketCache`],
//! which holds instruments, candles and newest prices in memory in step with the store; everything else is read from the
//! store when it is asked for. Nothing goes upstream from here. A figure without a source is absent, and
//! [`Gap`] says why.

mod backtesting;
mod cache;
mod commodities;
mod cross;
mod crypto;
mod defi;
mod disclosures;
mod earnings;
mod economy;
mod estimates;
mod figures;
mod financials;
mod forex;
mod gap;
mod indices;
mod institutions;
mod instruments;
mod judgement;
mod listing;
mod moment;
mod movers;
mod names;
mod nearest;
mod opinions;
mod peers;
mod portfolio;
mod press;
mod prices;
mod ratings;
mod records;
mod resolve;
mod schedule;
mod screening;
mod sectors;
mod sentiment_steps;
mod services;
mod values;
mod worth;

pub use backtesting::{BacktestAnswer, BacktestQuestion, Backtests};
pub use cache::MarketCache;
pub use commodities::{COMMODITIES, Commodity};
pub use cross::{NewsItem, ToneShift, impact_score};
pub use crypto::{AllTimeHigh, Coin, CoinCloses, Coins, Crypto, CryptoTotals};
pub use defi::{DefiOverview, ProtocolHistory};
pub use disclosures::{CongressQuery, Disclosures, FilingQuery, InsiderQuery, RecentInsiderQuery};
pub use earnings::{EarningsView, Surprise};
pub use economy::{Derivation, Economy, INDICATORS, Indicator, IndicatorReading, YIELDS};
pub use estimates::Estimates;
pub use figures::{FundamentalStep, Fundamentals};
pub use financials::Financials;
pub use forex::{PAIRS, Pair};
pub use gap::Gap;
pub use indices::{INDICES, MarketIndex};
pub use institutions::{Holder, Holders};
pub use instruments::Instruments;
pub use judgement::{Assessments, Judgement};
pub use listing::{HistoryView, Listing, PricePoint};
pub use moment::Moment;
pub use movers::SessionBoard;
pub use names::{NameMatch, match_names};
pub use nearest::nearest;
pub use opinions::{SENTIMENT_DAYS, Sentiment, SentimentBoard, Tone};
pub use peers::{Peer, Peers};
pub use portfolio::{PortfolioBrief, PortfolioNews};
pub use press::{Coverage, CoveringBrief, DayOfPress, Press, Turn};
pub use prices::Prices;
pub use ratings::{Consensus, consensus};
pub use resolve::Unknown;
pub use schedule::{EventCalendar, EventDetails, EventKind, ScheduleQuery, ScheduledEvent};
pub use screening::{Screened, Screener};
pub use sectors::SectorBoard;
pub use services::MarketServices;
pub use values::{Level, TimeSeries, Values};
pub use worth::{Worth, WorthSource, Worths};

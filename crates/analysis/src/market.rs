//! The market half: what is known of a symbol, of many, and of the economy around them, at a moment.
//!
//! The [`Book`] holds instruments, candles and newest prices in memory, in step with the store; everything else is read
//! from the store when it is asked for. Nothing goes upstream from here. A figure without a source is absent, and
//! [`Gap`] says why.

mod backtesting;
mod book;
mod commodities;
mod cross;
mod crypto;
mod defi;
mod disclosed;
mod earnings;
mod economy;
mod figures;
mod financials;
mod forex;
mod gap;
mod indices;
mod institutions;
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
mod ratings;
mod resolve;
mod schedule;
mod screening;
mod sectors;
mod sentiment_steps;
mod spelling;
mod values;
mod worth;

pub use backtesting::{BacktestAnswer, BacktestQuestion};
pub use book::Book;
pub use commodities::{COMMODITIES, Commodity};
pub use cross::{NewsItem, ToneShift, impact_score};
pub use crypto::{AllTimeHigh, Coin, CoinCloses, Coins, CryptoTotals};
pub use defi::{DefiOverview, ProtocolHistory};
pub use earnings::{EarningsView, Surprise};
pub use economy::{Derivation, INDICATORS, Indicator, IndicatorReading, YIELDS, treasury_yields};
pub use figures::FundamentalStep;
pub use financials::Financials;
pub use forex::{PAIRS, Pair};
pub use gap::Gap;
pub use indices::{INDICES, MarketIndex};
pub use institutions::{Holder, Holders};
pub use judgement::Judgement;
pub use listing::{HistoryView, Listing, PricePoint};
pub use moment::Moment;
pub use movers::SessionBoard;
pub use names::{NameMatch, match_names};
pub use nearest::nearest;
pub use opinions::{SENTIMENT_DAYS, SentimentBoard, Tone};
pub use peers::{Peer, Peers};
pub use portfolio::{PortfolioBrief, PortfolioNews, portfolio_news};
pub use press::{DayOfPress, Press, Turn, events_of};
pub use ratings::{Consensus, consensus};
pub use resolve::Unknown;
pub use schedule::{EventDetails, EventKind, ScheduleQuery, ScheduledEvent, schedule};
pub use screening::{Screened, Screening};
pub use sectors::SectorBoard;
pub use values::{Level, Values};
pub use worth::{Worth, WorthSource, Worths};

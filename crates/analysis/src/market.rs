//! The market half: what is known of a symbol, of many, and of the economy around them, at a moment.
//!
//! The [`Book`] holds instruments, candles and newest prices in memory, in step with the store; everything else is read
//! from the store when it is asked for. Nothing goes upstream from here. A figure without a source is absent, and
//! [`Gap`] says why.

mod backtesting;
mod book;
mod cross;
mod disclosed;
mod earnings;
mod figures;
mod financials;
mod gap;
mod institutions;
mod listing;
mod moment;
mod opinions;
mod peers;
mod portfolio;
mod ratings;
mod resolve;
mod screening;
mod sectors;
mod sentiment_steps;
mod spelling;
mod worth;

pub use backtesting::{BacktestAnswer, BacktestQuestion};
pub use book::Book;
pub use cross::{NewsItem, ToneShift, impact_score};
pub use earnings::{EarningsView, Surprise};
pub use figures::FundamentalStep;
pub use financials::Financials;
pub use gap::Gap;
pub use institutions::{Holder, Holders};
pub use listing::{HistoryView, Listing, PricePoint};
pub use moment::Moment;
pub use opinions::{SENTIMENT_DAYS, SentimentBoard, Tone};
pub use peers::{Peer, Peers};
pub use portfolio::{PortfolioBrief, PortfolioNews, portfolio_news};
pub use ratings::{Consensus, consensus};
pub use resolve::{Unknown, resolve};
pub use screening::{Screened, Screening};
pub use sectors::SectorBoard;
pub use worth::{Worth, WorthSource, Worths};

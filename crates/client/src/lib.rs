//! The command line as a client of the JSON API: `assay ask`, `verify`, `search`, `brief`, `ticker`, `screen`, `backtest`, `market`,
//! `report` and `listen`.
//!
//! A [`Command`] sends its request to a [`Service`] and prints the answer on a [`Terminal`]: as a page for people, as JSON or
//! as CSV. Answers are read leniently: a field that is missing is shown as missing.
//!
//! It knows neither the store nor how a server is started: whoever has no address of a server serves one, and passes its
//! address on. It never computes what the API did not say.

mod address;
mod agent;
mod ask;
mod backtest;
mod brief;
mod cell;
mod command;
mod completions;
mod error;
mod events;
mod filter;
mod json;
mod listen;
mod markdown;
mod market;
mod number;
mod page;
mod plain;
mod report;
mod screen;
mod search;
mod service;
mod session;
mod table;
mod terminal;
mod ticker;
mod verify;
mod view;

pub use ask::Ask;
pub use backtest::Backtest;
pub use brief::ShowBrief;
pub use command::{Command, Common};
pub use completions::{Shell, write_completions};
pub use error::{Error, Result};
pub use filter::Filter;
pub use listen::Listen;
pub use market::{Market, MarketView};
pub use report::Report;
pub use screen::Screen;
pub use search::Search;
pub use service::{PASS_HEADER, Service};
pub use terminal::Terminal;
pub use ticker::{Ticker, TickerView};
pub use verify::Verify;

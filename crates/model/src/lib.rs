//! The words of the domain: nouns and units that every other crate shares.
//!
//! Nothing here does I/O, reads a clock or knows a wire format beyond serde. Value types implement serde. Records that
//! contain secrets (accounts, keys) do not live here, so a stray derive cannot leak a hash.

mod account;
mod action;
mod alert;
mod article;
mod brief;
mod candle;
mod cardinal;
mod category;
mod coin;
mod company;
mod day;
mod disclosure;
mod entity;
mod feed;
mod finding;
mod instrument;
mod market_batch;
mod mode;
mod named_day;
mod outbox;
mod outlet_table;
mod plan;
mod score;
mod secret_url;
mod series;
mod source;
pub mod table;
mod time;

pub use account::{AccountId, KeyId, KeyScope};
pub use action::{ActionKind, CorporateAction, PriceScale};
pub use alert::AlertType;
pub use article::{
    Annotations, Article, ArticleId, BiasReading, Features, Joined, RawArticle, TextOrigin, Via,
};
pub use brief::{
    BiasDirection, Brief, BriefBias, BriefConfidence, BriefId, BriefSource, Merged, PublicBriefId,
    Section, SourcedSentence, Split,
};
pub use candle::{Candle, Defect, PRICE_MAX, PRICE_MIN, VOLUME_MAX};
pub use cardinal::{CARDINALS, cardinal};
pub use category::{Category, UnknownCategory};
pub use coin::{Chain, CoinSnapshot, CryptoGlobal, HourBar, Protocol};
pub use company::{
    AnalystRating, Concept, Earnings, EarningsStatus, Fact, FactSet, Rating, ReportTime, Valuation,
};
pub use day::{Day, InvalidDay};
pub use disclosure::{
    Amendment, Chamber, CongressTrade, Filing, Holding, HoldingLine, HoldingsReport, InsiderAction,
    InsiderForm, InsiderLine, InsiderTrade,
};
pub use entity::{EntityKind, EntityMention, EntityRole, UnknownEntityKind, UnknownEntityRole};
pub use feed::FeedSource;
pub use finding::{
    Amount, Contradiction, DataPoint, DataPointKind, Disagreement, Event, EventKind, Severity,
    SourceClaim, UnknownWord,
};
pub use instrument::{
    AssetType, Instrument, InstrumentKey, InvalidSymbol, Market, NameSource, Symbol,
    UnknownAssetType,
};
pub use market_batch::MarketBatch;
pub use mode::DataMode;
pub use named_day::{NAMED_DAYS, NamedDay, easter_sunday};
pub use outbox::{OutboxEvent, OutboxKind};
pub use outlet_table::OutletTable;
pub use plan::{Credits, MicroUsd, Plan, UnknownPlan};
pub use score::Score;
pub use secret_url::{SecretUrl, redact};
pub use series::{Frequency, Observation, Quote, Series, SeriesId, SimulatedSentiment};
pub use source::{Outlet, TrustLevel};
pub use time::{InvalidTimestamp, Timestamp};

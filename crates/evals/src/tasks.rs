//! The tasks, each a file of its own. A task finds its data by what they hold and returns its tables; none where they are
//! absent, which [`Data`] notes.

mod answers;
mod asked_names;
mod bias;
mod briefs;
mod category;
mod confidence;
mod contradictions;
mod copies;
mod embedding;
mod entities;
mod entity_sentiment;
mod events;
mod figure_claims;
mod forecasts;
mod language;
mod news_claims;
mod pages;
mod questions;
mod sentiment;
mod stance;
mod stories;
mod tickers;
mod trust;

pub(crate) use news_claims::{write_features as write_news_features, write_reliability};
pub(crate) use pages::addresses as page_addresses;
pub(crate) use questions::write_features as write_wish_features;
pub(crate) use stories::write_features as write_story_features;

use crate::data::Data;
use crate::table::Table;

/// What a task does.
pub(crate) type Task = fn(&Data) -> anyhow::Result<Vec<Table>>;

/// Every task by its name, in the order in which they run.
pub(crate) const ALL: &[(&str, Task)] = &[
    ("sentiment", sentiment::run),
    ("answers", answers::run),
    ("embedding", embedding::run),
    ("entities", entities::run),
    ("tickers", tickers::run),
    ("category", category::run),
    ("language", language::run),
    ("entity_sentiment", entity_sentiment::run),
    ("bias", bias::run),
    ("trust", trust::run),
    ("events", events::run),
    ("contradictions", contradictions::run),
    ("stories", stories::run),
    ("pairs", stories::pairs),
    ("copies", copies::run),
    ("briefs", briefs::run),
    ("confidence", confidence::run),
    ("pages", pages::run),
    ("stance", stance::run),
    ("news_claims", news_claims::run),
    ("figure_claims", figure_claims::run),
    ("questions", questions::run),
    ("asked_names", asked_names::run),
    ("forecasts", forecasts::run),
];

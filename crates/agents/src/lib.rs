//! Plans over operations: a question in plain English becomes steps, steps become an answer.
//!
//! [`plan`] turns what [`query`] read into operations with typed arguments; [`ask`] runs them side by side under a
//! budget and writes the answer from what they returned, and from nothing else. Each step goes through the registry of
//! [`operations`], so that the caller's scope and gate apply to it. The template is the answer; if the operator named a
//! language model, it may add prose that is supported by its data.

mod alike;
pub mod answer;
pub mod ask;
mod attribution;
pub mod chart;
mod daily;
mod figures;
mod forecast;
pub mod marketplace;
mod names;
pub mod plan;
mod popular;
mod prose;
pub mod reports;
mod research;
mod run;
mod runs;
mod sessions;
mod state;
mod swarm;
mod tested;
mod view;
mod written;

pub use names::listed;
pub use runs::{RunStatus, StepRecord};

use std::sync::{Arc, LazyLock};

use model::Plan;
use operations::{Gate, Price, Registry, operation};

/// The most sources that one question may query.
pub const MOST_SOURCES: u64 = 20;

/// What steps may call.
static OPERATIONS: LazyLock<Registry> = LazyLock::new(Registry::new);

/// Every operation: those of [`operations`], and those built from them.
pub fn registry() -> Arc<Registry> {
    let price = Price::between(1, MOST_SOURCES, "1 per source queried");
    let forecast = Price::between(
        forecast::operation::STANDARD,
        forecast::operation::DEEP,
        "15 standard, 95 deep",
    );
    let analysis = Price::between(swarm::LEAST, swarm::MOST, "9-25 by work done");
    let mut lines = vec![
        operation::<ask::operation::Ask>(price, Gate::Read),
        operation::<ask::operation::AskByQuery>(price, Gate::Read),
        operation::<popular::ListPopular>(Price::FREE, Gate::Read),
        operation::<reports::operation::Generate>(
            Price::between(10, 1_000, "10 quick, 250 full, 1000 deep"),
            Gate::Key,
        ),
        operation::<reports::operation::ShowCached>(Price::FREE, Gate::Read),
        operation::<reports::operation::Upload>(Price::FREE, Gate::Key),
        operation::<reports::operation::List>(Price::FREE, Gate::Key),
        operation::<reports::operation::Show>(Price::FREE, Gate::None),
        operation::<reports::operation::Publish>(Price::FREE, Gate::Key),
        operation::<reports::operation::Delete>(Price::FREE, Gate::Key),
        operation::<research::operation::Research>(
            Price::fixed(research::operation::CREDITS),
            Gate::Plan(Plan::Growth),
        ),
        operation::<forecast::operation::MakeForecast>(forecast, Gate::Paid),
        operation::<swarm::operation::RunSwarm>(analysis, Gate::Read),
        operation::<swarm::operation::RunRuntime>(analysis, Gate::Plan(Plan::Startup)),
    ];
    lines.extend(marketplace::lines());
    Arc::new(Registry::new().extended(lines))
}

//! Plans over operations: a question in plain English becomes steps, steps become an answer.
//!
//! [`plan`] turns what [`query`] read into operations with typed arguments; [`ask`] runs them side by side under a budget
//! and writes the answer from what they returned, and from nothing else. Each step goes through the registry of
//! [`operations`], so that scope and gate of the caller hold for it. No model is asked: the template is the answer.

pub mod answer;
pub mod ask;
mod names;
pub mod plan;
mod popular;
mod run;
mod sessions;
mod state;

pub use names::listed;

use std::sync::{Arc, LazyLock};

use operations::{Gate, Price, Registry, operation};

/// The most sources that one question asks.
pub const MOST_SOURCES: u64 = 20;

/// What steps may call.
static OPERATIONS: LazyLock<Registry> = LazyLock::new(Registry::new);

/// Every operation: those of [`operations`] and the ones made of them.
pub fn registry() -> Arc<Registry> {
    let price = Price::up_to(MOST_SOURCES, "1 per source queried");
    Arc::new(Registry::new().extended(vec![
        operation::<ask::operation::Ask>(price, Gate::Read),
        operation::<ask::operation::AskByQuery>(price, Gate::Read),
        operation::<popular::ListPopular>(Price::FREE, Gate::Read),
    ]))
}

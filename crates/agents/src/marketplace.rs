//! The marketplace: agents, which are pipelines of this server's own operations, written in TOML.
//!
//! A pipeline is read and checked as a whole when it is saved ([`read`]): operations, arguments, references and bounds,
//! so that a later run holds no surprises. A run ([`execute`]) performs its steps under a budget, in parallel if they
//! do not depend on each other, and writes its text from their results. The language has expressions and texts but no
//! code: it cannot loop without a bound, call what its caller may not call, or reach anything but the operations of the
//! registry.

mod builtin;
mod catalogue;
mod delivery;
mod detail;
mod execute;
mod expression;
mod format;
mod inputs;
mod manage;
mod operation;
mod pipeline;
mod read;
mod record;
mod run;
pub mod schedule;
mod shape;
mod source;
mod text;

pub use run::{AgentRun, AgentRunOutcome, PRICE, RUN_AGENT, RunRequest};

use operations::{Gate, Line, Price, operation};

/// The kind of their runs.
const KIND: &str = "agent";

/// The operations of the marketplace; fixed words come before slugs.
pub(crate) fn lines() -> Vec<Line> {
    vec![
        operation::<operation::List>(Price::FREE, Gate::Read),
        operation::<operation::Leaderboard>(Price::FREE, Gate::Read),
        operation::<operation::Featured>(Price::FREE, Gate::Read),
        operation::<operation::Collections>(Price::FREE, Gate::Read),
        operation::<operation::ShowRun>(Price::FREE, Gate::Key),
        operation::<schedule::List>(Price::FREE, Gate::Key),
        operation::<schedule::Remove>(Price::FREE, Gate::Key),
        operation::<run::RunAgent>(PRICE, Gate::Key),
        operation::<operation::Show>(Price::FREE, Gate::Read),
        operation::<manage::Create>(Price::FREE, Gate::Key),
        operation::<manage::Replace>(Price::FREE, Gate::Key),
        operation::<manage::Remove>(Price::FREE, Gate::Key),
        operation::<manage::Fork>(Price::FREE, Gate::Key),
        operation::<manage::Review>(Price::FREE, Gate::Key),
        operation::<schedule::Create>(Price::FREE, Gate::Key),
    ]
}

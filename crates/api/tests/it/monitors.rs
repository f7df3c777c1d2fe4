//! Monitors of agents: what they check, what they send, and what others see of them.

mod checks;
mod delivery;
pub(crate) mod fixtures;
mod management;

//! Monitors of agents: what they check, what they send, and what others see of them.

mod checks;
mod delivery;
mod fixtures;
mod management;

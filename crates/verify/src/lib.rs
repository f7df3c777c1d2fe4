//! Claims and evidence: what a text claims, how a passage relates to a claim, what several passages add up to, and how
//! anyone can later prove what was answered.
//!
//! No I/O, no clock, no randomness: times, random bytes and stored rows are arguments, and the same input gives the
//! same answer. Evidence is gathered elsewhere; a text is treated as data, whatever it says.

pub mod central_banks;
pub mod claim;
pub mod figures;
pub mod grounding;
pub mod places;
pub mod receipt;
pub mod stance;
pub mod verdict;

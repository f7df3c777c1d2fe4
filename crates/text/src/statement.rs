//! What a text states, sentence by sentence: its sentences and the figures in them, whether it says that something
//! happened or denies it, and whether two statements are about the same thing and agree.
//!
//! Nothing here knows about stories, briefs or events. Those modules compare and weigh what is read here.

pub(crate) mod comparison;
pub mod cues;
pub(crate) mod denial;
pub(crate) mod figures;
pub(crate) mod outcome;
pub mod proposition;
pub mod sentence;
pub(crate) mod terms;

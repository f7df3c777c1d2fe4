//! The five analysts of a full report. Each reads its own part of the facts, says what it finds, and takes a side
//! according to the rules of [`finding`](super::finding).

pub(super) mod economy;
pub(super) mod fundamental;
pub(super) mod news;
pub(super) mod sentiment;
pub(super) mod technical;

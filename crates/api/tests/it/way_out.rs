//! The way out: alerts, webhooks, live streams.

mod alerts;
mod clocks;
mod figures;
mod hostile;
mod receivers;
mod subscribe;
mod webhooks;
mod world;
mod ws;

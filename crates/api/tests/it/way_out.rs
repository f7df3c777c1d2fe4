//! The way out: alerts, webhooks, live streams.

mod alerts;
mod subscribe;
mod webhooks;
mod world;
mod ws;

//! The commands against a server on this machine whose answers are written here, after the shapes of the API.

#![expect(clippy::unwrap_used, reason = "a test ends where it cannot go on")]

mod ask;
mod errors;
mod files;
mod listen;
mod output;
mod pages;
mod server;
mod verify;

//! The simulated world from the inside, without a server around it: what is written of it, and whether it holds.

#![expect(clippy::unwrap_used, reason = "a test ends where it cannot go on")]

mod simulated {
    mod answers;
    mod reports;
    mod world;
}

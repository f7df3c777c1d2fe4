//! Loaded wording, framing and one-sidedness.

use model::BiasReading;

/// Reads how a text colours what it tells.
pub fn read(title: &str, body: &str) -> BiasReading {
    let _ = (title, body);
    BiasReading::default()
}

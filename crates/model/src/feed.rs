//! A feed that is polled.

use serde::{Deserialize, Serialize};

use crate::{Category, SecretUrl};

/// One line of the feed list in the configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeedSource {
    /// Address of the RSS, Atom or JSON Feed.
    pub url: SecretUrl,
    /// Outlet name for readers.
    pub name: String,
    /// Category of its items, if the feed covers a single topic.
    #[serde(default)]
    pub category: Option<Category>,
    /// Whether it is polled.
    #[serde(default = "enabled")]
    pub enabled: bool,
    /// Domains it speaks for in addition to that of its address, starting with the outlet's own: `bbc.co.uk` for a feed
    /// on `feeds.bbci.co.uk`. Only whoever lists a feed can say so; what the feed says about itself does not count.
    #[serde(default)]
    pub speaks_for: Vec<String>,
}

const fn enabled() -> bool {
    true
}

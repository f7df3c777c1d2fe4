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
    /// Category of what stands in it, where the feed is about one thing.
    #[serde(default)]
    pub category: Option<Category>,
    /// Whether it is polled.
    #[serde(default = "enabled")]
    pub enabled: bool,
    /// Domains that it speaks for besides that of its address, the outlet's own first: `bbc.co.uk` for a feed on
    /// `feeds.bbci.co.uk`. Only who lists a feed can say so; what the feed says of itself does not count.
    #[serde(default)]
    pub speaks_for: Vec<String>,
}

const fn enabled() -> bool {
    true
}

//! The hosts that an operator allows explicitly: `network.allow`.

use std::str::FromStr;

use url::{Host, Url};

/// Exact `host:port` pairs that may be reached even though they are private: for tests and closed networks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allow(Vec<(Host<String>, u16)>);

/// Text that is not a `host:port` pair.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a host:port such as 10.0.0.5:8080, [::1]:8080 or feeds.internal:443")]
pub struct InvalidAllowEntry(pub String);

impl Allow {
    /// Allows nothing.
    pub const fn nothing() -> Self {
        Self(Vec::new())
    }

    /// Reads a list of `host:port` entries.
    pub fn parse<Entry: AsRef<str>>(
        entries: impl IntoIterator<Item = Entry>,
    ) -> Result<Self, InvalidAllowEntry> {
        entries
            .into_iter()
            .map(|entry| parse_entry(entry.as_ref()))
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// Allows the host and port of an address and nothing else; nothing if it has no host.
    pub fn only(url: &Url) -> Self {
        let host = url.host().map(|host| host.to_owned());
        Self(host.zip(url.port_or_known_default()).into_iter().collect())
    }

    /// Whether this exact host and port is allowed.
    pub fn holds(&self, host: &Host<&str>, port: u16) -> bool {
        self.0.iter().any(|(opened, opened_port)| {
            *opened_port == port
                && match (opened, host) {
                    (Host::Domain(opened), Host::Domain(host)) => {
                        opened.eq_ignore_ascii_case(host.trim_end_matches('.'))
                    }
                    (Host::Ipv4(opened), Host::Ipv4(host)) => opened == host,
                    (Host::Ipv6(opened), Host::Ipv6(host)) => opened == host,
                    _ => false,
                }
        })
    }

    /// Whether nothing is allowed.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromStr for Allow {
    type Err = InvalidAllowEntry;

    /// Entries separated by commas or spaces, as in an environment variable.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(
            text.split([',', ' ', '\n', '\t'])
                .filter(|entry| !entry.is_empty()),
        )
    }
}

fn parse_entry(entry: &str) -> Result<(Host<String>, u16), InvalidAllowEntry> {
    let invalid = || InvalidAllowEntry(entry.chars().take(80).collect());
    let entry = entry.trim();
    let (host, port) = entry.rsplit_once(':').ok_or_else(invalid)?;
    let port = port.parse().map_err(|_| invalid())?;
    // A bare IPv6 address would lose its last group to the port: it must be in brackets.
    if host.contains(':') && !host.starts_with('[') {
        return Err(invalid());
    }
    let host = Host::parse(host.trim_end_matches('.')).map_err(|_| invalid())?;
    Ok((host, port))
}

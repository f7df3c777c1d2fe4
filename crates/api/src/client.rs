//! From which address a request comes, as far as limits are concerned.
//!
//! An IPv6 customer owns at least a /64, so that whole network counts as one client.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use http::HeaderMap;
use ipnet::IpNet;

/// One client address: an IPv4 address, or the /64 network of an IPv6 one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClientAddress(IpAddr);

impl ClientAddress {
    /// The client of that address.
    pub fn new(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() >> 64 << 64)),
            v4 @ IpAddr::V4(_) => v4,
        })
    }

    /// The network around it, which one attacker may well have as a whole: an IPv4 /24, an IPv6 /48.
    pub(crate) fn network(self) -> Self {
        Self(match self.0 {
            IpAddr::V4(v4) => IpAddr::V4(Ipv4Addr::from_bits(v4.to_bits() >> 8 << 8)),
            IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() >> 80 << 80)),
        })
    }

    /// Who calls: the peer itself, or whom trusted proxies name in `X-Forwarded-For`.
    ///
    /// The list is read from its end, because only what a trusted proxy appended can be believed.
    pub fn of_request(peer: Option<IpAddr>, headers: &HeaderMap, trusted: &[IpNet]) -> Self {
        let Some(mut address) = peer.map(|peer| peer.to_canonical()) else {
            return Self(IpAddr::V6(Ipv6Addr::UNSPECIFIED));
        };
        if trusted.is_empty() {
            return Self::new(address);
        }
        let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(&address));
        let lines: Vec<&str> = headers
            .get_all("x-forwarded-for")
            .iter()
            .filter_map(|line| line.to_str().ok())
            .collect();
        let mut named = lines.iter().rev().flat_map(|line| line.rsplit(','));
        while is_trusted(address) {
            match named.next().and_then(parse_address) {
                Some(before) => address = before,
                None => break,
            }
        }
        Self::new(address)
    }
}

/// An address of `X-Forwarded-For`, with or without a port.
fn parse_address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    text.parse::<IpAddr>()
        .ok()
        .or_else(|| {
            text.parse::<std::net::SocketAddr>()
                .ok()
                .map(|socket| socket.ip())
        })
        .or_else(|| text.strip_prefix('[')?.strip_suffix(']')?.parse().ok())
        .map(|address| address.to_canonical())
}

impl ClientAddress {
    /// The network that one owner may have: the /16 of an IPv4 address, the /32 of an IPv6 one.
    pub(crate) fn allocation(self) -> IpAddr {
        match self.0 {
            IpAddr::V4(v4) => IpAddr::V4((v4.to_bits() >> 16 << 16).into()),
            IpAddr::V6(v6) => IpAddr::V6((v6.to_bits() >> 96 << 96).into()),
        }
    }
}

impl fmt::Display for ClientAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            IpAddr::V4(address) => address.fmt(f),
            IpAddr::V6(address) => write!(f, "{address}/64"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(peer: &str, forwarded: &[&str], trusted: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for line in forwarded {
            headers.append("x-forwarded-for", line.parse().unwrap());
        }
        let trusted: Vec<IpNet> = trusted
            .iter()
            .map(|network| network.parse().unwrap())
            .collect();
        ClientAddress::of_request(Some(peer.parse().unwrap()), &headers, &trusted).to_string()
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        assert_eq!(client("203.0.113.9", &["198.51.100.1"], &[]), "203.0.113.9");
        assert_eq!(
            client("203.0.113.9", &["198.51.100.1"], &["10.0.0.0/8"]),
            "203.0.113.9"
        );
        assert_eq!(
            client("10.0.0.1", &["198.51.100.1"], &["10.0.0.0/8"]),
            "198.51.100.1"
        );
        assert_eq!(
            client(
                "10.0.0.1",
                &["1.1.1.1, 198.51.100.1, 10.0.0.2"],
                &["10.0.0.0/8"]
            ),
            "198.51.100.1"
        );
        assert_eq!(
            client(
                "10.0.0.1",
                &["1.1.1.1", "198.51.100.7:4711"],
                &["10.0.0.0/8"]
            ),
            "198.51.100.7"
        );
        assert_eq!(
            client("10.0.0.1", &["nonsense"], &["10.0.0.0/8"]),
            "10.0.0.1"
        );
        assert_eq!(
            client("::ffff:10.0.0.1", &["198.51.100.1"], &["10.0.0.0/8"]),
            "198.51.100.1"
        );
    }

    #[test]
    fn ipv6_counts_by_network() {
        assert_eq!(
            client("2001:db8:1:2:3:4:5:6", &[], &[]),
            "2001:db8:1:2::/64"
        );
        assert_eq!(client("::ffff:192.0.2.1", &[], &[]), "192.0.2.1");
    }
}

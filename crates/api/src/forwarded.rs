//! Which client a request comes from, through proxies that the operator trusts.

use std::net::{IpAddr, Ipv6Addr};

use http::HeaderMap;
use ipnet::IpNet;
use operations::ClientAddress;

/// Who calls: the peer itself, or the client that trusted proxies name in `X-Forwarded-For`.
///
/// The list is read from its end, because only what a trusted proxy appended can be believed.
pub fn client_of(peer: Option<IpAddr>, headers: &HeaderMap, trusted: &[IpNet]) -> ClientAddress {
    let Some(mut address) = peer.map(|peer| peer.to_canonical()) else {
        return ClientAddress::new(Ipv6Addr::UNSPECIFIED.into());
    };
    if trusted.is_empty() {
        return ClientAddress::new(address);
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
    ClientAddress::new(address)
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
        client_of(Some(peer.parse().unwrap()), &headers, &trusted).to_string()
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

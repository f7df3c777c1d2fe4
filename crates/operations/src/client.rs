//! From which address a request comes, as far as limits are concerned.
//!
//! An IPv6 customer owns at least a /64, so that whole network counts as one client.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

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

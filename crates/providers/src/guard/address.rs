//! Which addresses belong to the public internet.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether an address is globally reachable unicast. IPv6 forms that carry an IPv4 address are judged by that address
/// too.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

/// Follows the IANA special-purpose registry.
fn is_public_v4(address: Ipv4Addr) -> bool {
    let [first, second, third, _] = address.octets();
    let is_special = matches!(
        (first, second, third),
        // "This network", RFC 1918 ten-net, loopback, and everything from multicast up to broadcast.
        (0 | 10 | 127 | 224..=255, ..)
            // Carrier-grade NAT, link-local with the cloud metadata services, RFC 1918, and benchmarking.
            | (100, 64..=127, _)
            | (169, 254, _)
            | (172, 16..=31, _)
            | (192, 168, _)
            | (198, 18 | 19, _)
            // Protocol assignments, documentation (three blocks) and the retired 6to4 relay do not host websites.
            | (192, 0, 0 | 2)
            | (192, 88, 99)
            | (198, 51, 100)
            | (203, 0, 113)
    );
    !is_special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    match address.segments() {
        // Mapped, translated, NAT64 by its well-known prefix, and 6to4: the address reached is the IPv4 address
        // inside.
        [0, 0, 0, 0, 0, 0xffff, high, low]
        | [0, 0, 0, 0, 0xffff, 0, high, low]
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
        | [0x2002, high, low, ..] => is_public_v4(v4(high, low)),
        // Teredo: the server in clear text, the client inverted.
        [0x2001, 0, high, low, _, _, client_high, client_low] => {
            is_public_v4(v4(high, low)) && is_public_v4(v4(!client_high, !client_low))
        }
        // The rest of 2001::/23 (ORCHID, benchmarking, …) and both documentation blocks.
        [0x2001, 0x1..=0x1ff | 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => false,
        // ISATAP puts an IPv4 address after a fixed interface identifier.
        [first, _, _, _, 0 | 0x200, 0x5efe, high, low] => {
            is_global_unicast(first) && is_public_v4(v4(high, low))
        }
        [first, ..] => is_global_unicast(first),
    }
}

/// Global unicast is `2000::/3`. Loopback, unique local, link-local, multicast, local NAT64 and unassigned space are
/// not.
const fn is_global_unicast(first: u16) -> bool {
    first >> 13 == 1
}

fn v4(high: u16, low: u16) -> Ipv4Addr {
    Ipv4Addr::from(u32::from(high) << 16 | u32::from(low))
}

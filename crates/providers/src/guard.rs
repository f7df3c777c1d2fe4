//! The private-address guard: what this process refuses to connect to.
//!
//! The check happens at the connection. Names are resolved by [`PublicResolver`], which gives the client public
//! addresses only. So the address that was checked is the one that is dialled, and a name that changes its answer
//! gains nothing. Hosts that are addresses never reach a resolver; [`check`] examines those before every request and
//! redirect, along with names that no public host has.

mod address;
mod allow;
mod name;
mod resolver;

use std::net::IpAddr;

use model::redact;
use url::{Host, Url};

use crate::error::{AddressFault, Error};

pub use address::is_public;
pub use allow::{Allow, InvalidAllowEntry};
pub(crate) use resolver::only_public;
pub use resolver::{Blocked, Names, OpenResolver, PublicResolver, StrictResolver};

/// Ports below this belong to system services. Of these only the two web ports are called, so that nobody can make
/// this process talk to a mail server or a database.
const FIRST_FREE_PORT: u16 = 1_024;

/// Whether the operator allowed this exact host and port, or the guard watches over the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passage {
    /// Listed in `network.allow`.
    Opened,
    /// Public addresses only.
    Guarded,
}

/// Parses an address and refuses whatever can be refused before a name is resolved.
pub fn check(address: &str, allow: &Allow) -> Result<(Url, Passage), Error> {
    let fault = |fault| Error::Address {
        url: redact(address),
        fault,
    };
    let url = Url::parse(address.trim()).map_err(|_| fault(AddressFault::Malformed))?;
    let passage = check_url(&url, allow)?;
    Ok((url, passage))
}

/// The same for an address that is already parsed, such as the target of a redirect.
pub fn check_url(url: &Url, allow: &Allow) -> Result<Passage, Error> {
    let fault = |fault| Error::Address {
        url: redact(url.as_str()),
        fault,
    };
    if !matches!(url.scheme(), "http" | "https") {
        return Err(fault(AddressFault::Scheme));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(fault(AddressFault::Credentials));
    }
    let (Some(host), Some(port)) = (url.host(), url.port_or_known_default()) else {
        return Err(fault(AddressFault::Host));
    };
    if allow.holds(&host, port) {
        return Ok(Passage::Opened);
    }
    // The url crate has already normalised decimal, octal, hexadecimal and shortened spellings to an address.
    let (address, may_be_public) = match &host {
        Host::Ipv4(address) => (Some(IpAddr::V4(*address)), is_public((*address).into())),
        Host::Ipv6(address) => (Some(IpAddr::V6(*address)), is_public((*address).into())),
        Host::Domain(name) => (None, name::may_be_public(name)),
    };
    if !may_be_public {
        return Err(Error::Blocked {
            host: host.to_string(),
            address,
        });
    }
    if port < FIRST_FREE_PORT && !matches!(port, 80 | 443) {
        return Err(fault(AddressFault::Port));
    }
    Ok(Passage::Guarded)
}

#[cfg(test)]
mod tests;

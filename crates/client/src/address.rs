//! The address of a server, as it is given.

use std::net::IpAddr;

use reqwest::Url;

use crate::error::{Error, Result};
use crate::plain;

/// The address without what is added to it.
pub(crate) fn parse_address(address: &str) -> Result<Url> {
    let wrong = || Error::Address(plain::line(address));
    let mut url = Url::parse(address.trim()).map_err(|_| wrong())?;
    let is_plain = matches!(url.scheme(), "http" | "https")
        && url.has_host()
        && url.username().is_empty()
        && url.password().is_none();
    if !is_plain {
        return Err(wrong());
    }
    url.set_query(None);
    url.set_fragment(None);
    // Whoever copied the address of an operation means its server.
    let path = url.path().trim_end_matches('/').to_owned();
    let path = path.strip_suffix("/api/v1").unwrap_or(&path);
    url.set_path(path);
    Ok(url)
}

/// Whether it is on this machine.
pub(crate) fn is_this_machine(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || bare.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_those_of_servers() {
        for (given, expected) in [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/"),
            ("https://a.example/api/v1/", "https://a.example/"),
            ("https://a.example/assay/?x=1", "https://a.example/assay"),
        ] {
            assert_eq!(parse_address(given).unwrap().as_str(), expected);
        }
        for wrong in [
            "127.0.0.1:8080",
            "ftp://a.example",
            "https://me:pw@a.example",
            "",
            "http://",
        ] {
            assert!(
                matches!(parse_address(wrong), Err(Error::Address(_))),
                "{wrong}"
            );
        }
    }

    #[test]
    fn loopback_goes_past_proxies() {
        for (address, expected) in [
            ("http://127.0.0.1:1", true),
            ("http://[::1]:1", true),
            ("http://localhost", true),
            ("http://127.example", false),
        ] {
            assert_eq!(
                is_this_machine(&Url::parse(address).unwrap()),
                expected,
                "{address}"
            );
        }
    }
}

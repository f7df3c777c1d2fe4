use std::net::SocketAddr;

use super::resolver::keep_public;
use super::*;

fn public(text: &str) -> bool {
    is_public(text.parse().unwrap())
}

#[test]
fn private_and_special_addresses_are_not_public() {
    for text in [
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "100.64.0.1",
        "100.127.255.255",
        "127.0.0.1",
        "127.8.9.10",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.170",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.1.1",
        "198.18.0.1",
        "198.19.255.255",
        "198.51.100.7",
        "203.0.113.9",
        "224.0.0.1",
        "239.255.255.250",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::7f00:1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:0:10.0.0.1",
        "64:ff9b::a00:1",
        "64:ff9b::7f00:1",
        "64:ff9b:1::1",
        "100::1",
        "2001::1",
        "2001:2::1",
        "2001:10::1",
        "2001:db8::1",
        "2002:a00:1::",
        "2002:7f00:1::",
        "2002:c0a8:101::1",
        "3fff::1",
        "fc00::1",
        "fd12:3456::1",
        "fe80::1",
        "fec0::1",
        "ff02::1",
        "2001:0:a00:1::",
        "2001:0:5ef5:79fd::f5ff:fffe",
        "2a00:1450::5efe:10.0.0.1",
        "4000::1",
    ] {
        assert!(!public(text), "{text} must not be public");
    }
}

#[test]
fn ordinary_addresses_are_public() {
    for text in [
        "1.1.1.1",
        "8.8.8.8",
        "93.184.216.34",
        "100.63.255.255",
        "100.128.0.1",
        "172.15.0.1",
        "172.32.0.1",
        "192.0.1.1",
        "198.17.0.1",
        "198.20.0.1",
        "223.255.255.255",
        "2606:4700::1111",
        "2a00:1450:4001:81b::200e",
        "::ffff:8.8.8.8",
        "64:ff9b::808:808",
        "2002:808:808::1",
    ] {
        assert!(public(text), "{text} must be public");
    }
}

#[test]
fn every_spelling_of_a_private_host_is_refused() {
    for address in [
        "http://127.0.0.1/",
        "http://2130706433/",
        "http://0177.0.0.1/",
        "http://0x7f.0.0.1/",
        "http://0x7f000001/",
        "http://127.1/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://169.254.169.254/latest/meta-data",
        "http://0/",
        "http://10.1/",
        "https://192.168.0.1:8443/x",
        "http://１２７.0.0.1/",
        "http://127.0.0.1./",
        "http://localhost/",
        "http://localhost./",
        "https://app.localhost:8443/x",
        "https://metadata.google.internal/",
        "https://intranet/",
    ] {
        assert!(
            matches!(
                check(address, &Allow::nothing()),
                Err(Error::Blocked { .. })
            ),
            "{address}"
        );
    }
}

#[test]
fn odd_addresses_are_refused() {
    for (address, expected) in [
        ("ftp://example.com/", AddressFault::Scheme),
        ("file:///etc/passwd", AddressFault::Scheme),
        ("gopher://example.com/", AddressFault::Scheme),
        ("https://user:word@example.com/", AddressFault::Credentials),
        ("https://user@example.com/", AddressFault::Credentials),
        ("/feed.xml", AddressFault::Malformed),
        ("http://", AddressFault::Malformed),
        ("", AddressFault::Malformed),
    ] {
        match check(address, &Allow::nothing()) {
            Err(Error::Address { fault, .. }) => assert_eq!(fault, expected, "{address}"),
            other => panic!("{address}: {other:?}"),
        }
    }
}

#[test]
fn only_the_listed_port_is_opened() {
    let allow = Allow::parse(["127.0.0.1:9001", "[::1]:9002", "Feeds.Internal:443"]).unwrap();
    let passage = |address| check(address, &allow).map(|(_, passage)| passage);
    assert_eq!(passage("http://127.0.0.1:9001/a").unwrap(), Passage::Opened);
    assert_eq!(passage("http://[::1]:9002/").unwrap(), Passage::Opened);
    assert_eq!(
        passage("https://feeds.internal/x").unwrap(),
        Passage::Opened
    );
    assert_eq!(
        passage("http://feeds.example.com/x").unwrap(),
        Passage::Guarded
    );
    assert!(passage("http://feeds.internal/x").is_err());
    assert!(passage("http://127.0.0.1:9002/").is_err());
    assert!(passage("http://127.0.0.1/").is_err());
}

#[test]
fn malformed_allow_entries_are_named() {
    for entry in [
        "",
        "localhost",
        "localhost:",
        "localhost:99999",
        "::1:80",
        "a b:80",
        ":80",
    ] {
        assert!(Allow::parse([entry]).is_err(), "{entry:?}");
    }
    assert_eq!(
        "a.test:1, b.test:2".parse::<Allow>().unwrap(),
        Allow::parse(["a.test:1", "b.test:2"]).unwrap()
    );
}

#[test]
fn a_strict_name_has_public_addresses_only() {
    let addresses = |texts: &[&str]| {
        texts
            .iter()
            .map(|text| text.parse::<SocketAddr>().unwrap())
            .collect::<Vec<_>>()
    };
    let public = addresses(&["8.8.8.8:0", "[2606:4700::1]:0"]);
    assert_eq!(only_public("all.test", public.clone()).unwrap(), public);
    let mixed = addresses(&["8.8.8.8:0", "10.0.0.1:0"]);
    let blocked = only_public("mixed.test", mixed).unwrap_err();
    assert_eq!(blocked.address.to_string(), "10.0.0.1");
}

#[test]
fn a_name_keeps_its_public_addresses_only() {
    let addresses = |texts: &[&str]| {
        texts
            .iter()
            .map(|text| text.parse::<SocketAddr>().unwrap())
            .collect::<Vec<_>>()
    };
    let kept = keep_public(
        "mixed.test",
        addresses(&["10.0.0.1:0", "8.8.8.8:0", "[::1]:0"]),
    )
    .unwrap();
    assert_eq!(kept, addresses(&["8.8.8.8:0"]));
    let blocked = keep_public("inside.test", addresses(&["10.0.0.1:0", "[::1]:0"])).unwrap_err();
    assert_eq!(blocked.address.to_string(), "10.0.0.1");
    assert!(keep_public("nowhere.test", Vec::new()).unwrap().is_empty());
}

//! RSS, Atom and JSON feeds, well formed or not.
#![no_main]

use libfuzzer_sys::fuzz_target;
use providers::feeds::FetchFeed;
use providers::{Call, HttpBody};

fuzz_target!(|bytes: &[u8]| {
    let address = "https://www.example.com/feed";
    let body = HttpBody::new(address, bytes.to_vec());
    if let Ok(feed) = FetchFeed::new(address).parse(&body) {
        assert!(feed.items.len() <= 1_000);
    }
});

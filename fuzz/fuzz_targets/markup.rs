//! Fragments of markup: what is left holds no more markup.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|fragment: &str| {
    let plain = text::markup::strip(fragment);
    assert!(!plain.contains("<p>") && !plain.contains("<script"));
    assert_eq!(text::markup::strip(&plain), plain);
});

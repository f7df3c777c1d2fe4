//! Dates as pages, feeds and queries write them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use model::Timestamp;

fuzz_target!(|written: &str| {
    let _ = text::page::parse_date(written);
    let _ = Timestamp::parse_date(written);
    if let Ok(time) = written.parse::<Timestamp>() {
        assert_eq!(time.to_string().parse::<Timestamp>().ok(), Some(time));
    }
});

//! Lines of imported files.
#![no_main]

use libfuzzer_sys::fuzz_target;
use providers::import::articles::Reader;

fuzz_target!(|bytes: &[u8]| {
    let lines = bytes.split(|byte| *byte == b'\n').count();
    assert!(Reader::new(bytes).count() <= lines + 1);
});

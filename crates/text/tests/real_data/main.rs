//! Reading real streams, pages and sentences. Runs where `ASSAY_TEST_DATA` names the data folder.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "tests that report what they measured"
)]

mod clean_streams;
mod page_corpus;
mod sentiment_bank;

use std::path::PathBuf;

/// The data folder, or `None`, said aloud, where none is named. A name without a folder fails.
fn folder() -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("ASSAY_TEST_DATA").map(PathBuf::from) else {
        println!("skipped: ASSAY_TEST_DATA is not set");
        return None;
    };
    assert!(
        folder.is_dir(),
        "ASSAY_TEST_DATA names {}, which is no folder",
        folder.display()
    );
    Some(folder)
}

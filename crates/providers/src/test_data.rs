//! Where the real files for tests are: they are not part of the repository.

use std::path::PathBuf;

/// The folder that `ASSAY_TEST_DATA` names, or `None`, with a message, if that is not set. A name without a folder
/// fails.
pub(crate) fn folder() -> Option<PathBuf> {
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

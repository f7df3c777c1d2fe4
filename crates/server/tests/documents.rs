//! What the documents say can be done: the examples of the README are run in the demo world and their answers compared in
//! shape, and every command and path that a page of `docs/` names is looked up. The two commands of the README's
//! start are run by `.ci/run`, in a clone of their own.

#![expect(clippy::unwrap_used, reason = "a test ends where it cannot go on")]

mod documents {
    pub(crate) mod commands;
    pub(crate) mod examples;
    pub(crate) mod markdown;
    pub(crate) mod paths;
    pub(crate) mod service;
    pub(crate) mod shape;
}

use std::path::{Path, PathBuf};

/// The folder of the project.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .unwrap()
        .to_owned()
}

/// README and every page of `docs/`, with their names.
fn pages() -> Vec<(String, String)> {
    let mut files = vec![root().join("README.md"), root().join("CONTRIBUTING.md")];
    let docs = std::fs::read_dir(root().join("docs")).unwrap();
    files.extend(docs.map(|entry| entry.unwrap().path()));
    files.retain(|path| path.extension().is_some_and(|suffix| suffix == "md"));
    files.sort();
    files
        .into_iter()
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect()
}

//! Layers, lints and the faces of crates are as `ARCHITECTURE.md` draws them.

#![expect(clippy::unwrap_used, reason = "a test ends where it cannot go on")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Every dependency that is allowed, also those of crates that are not built yet.
const ARROWS: [(&str, &[&str]); 22] = [
    ("model", &[]),
    ("encoder", &[]),
    ("charts", &["model"]),
    ("text", &["model", "encoder"]),
    ("market", &["model"]),
    ("store", &["model"]),
    ("search", &["model", "text"]),
    ("providers", &["model", "text"]),
    ("sim", &["model"]),
    ("extraction", &["text"]),
    ("verify", &["model", "text", "encoder"]),
    (
        "ingest",
        &[
            "model",
            "market",
            "text",
            "store",
            "search",
            "providers",
            "extraction",
            "verify",
        ],
    ),
    (
        "analysis",
        &[
            "model",
            "text",
            "market",
            "store",
            "search",
            "providers",
            "verify",
        ],
    ),
    ("notify", &["model", "market", "store", "providers"]),
    (
        "operations",
        &[
            "model",
            "text",
            "market",
            "store",
            "search",
            "providers",
            "extraction",
            "verify",
            "analysis",
            "notify",
        ],
    ),
    (
        "api",
        &[
            "model",
            "store",
            "search",
            "providers",
            "extraction",
            "analysis",
            "notify",
            "operations",
            "agents",
        ],
    ),
    ("query", &["model", "text", "market", "verify"]),
    (
        "agents",
        &[
            "model",
            "text",
            "market",
            "verify",
            "query",
            "charts",
            "store",
            "providers",
            "analysis",
            "operations",
        ],
    ),
    ("mcp", &["operations"]),
    ("client", &[]),
    (
        "server",
        &[
            "model",
            "text",
            "market",
            "store",
            "search",
            "providers",
            "sim",
            "extraction",
            "verify",
            "ingest",
            "analysis",
            "notify",
            "operations",
            "agents",
            "api",
            "client",
            "mcp",
        ],
    ),
    (
        "evals",
        &[
            "model",
            "text",
            "market",
            "store",
            "search",
            "sim",
            "providers",
            "verify",
            "ingest",
            "analysis",
            "query",
            "agents",
        ],
    ),
];

fn crates() -> Vec<(String, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned();
    let mut found: Vec<_> = fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().join("Cargo.toml").exists())
        .map(|entry| (entry.file_name().into_string().unwrap(), entry.path()))
        .collect();
    found.sort();
    found
}

fn manifest(path: &Path) -> toml::Table {
    fs::read_to_string(path.join("Cargo.toml"))
        .unwrap()
        .parse()
        .unwrap()
}

#[test]
fn dependencies_point_down_the_layers() {
    let names: BTreeSet<String> = crates().into_iter().map(|(name, _)| name).collect();
    for (name, path) in crates() {
        let allowed = ARROWS
            .iter()
            .find(|(known, _)| *known == name)
            .unwrap_or_else(|| {
                panic!("crate {name} has no layer; draw it in ARCHITECTURE.md and here")
            })
            .1;
        let manifest = manifest(&path);
        for table in ["dependencies", "build-dependencies"] {
            let Some(dependencies) = manifest.get(table).and_then(toml::Value::as_table) else {
                continue;
            };
            for dependency in dependencies
                .keys()
                .filter(|dependency| names.contains(*dependency))
            {
                assert!(
                    allowed.contains(&dependency.as_str()),
                    "{name} must not depend on {dependency}"
                );
            }
        }
    }
}

#[test]
fn every_crate_is_private_and_takes_the_workspace_lints() {
    for (name, path) in crates() {
        let manifest = manifest(&path);
        assert_eq!(
            manifest["package"]["name"].as_str(),
            Some(name.as_str()),
            "folder and crate name differ"
        );
        assert_eq!(
            manifest["package"]["publish"]["workspace"].as_bool(),
            Some(true),
            "{name} could be published"
        );
        assert_eq!(
            manifest["lints"]["workspace"].as_bool(),
            Some(true),
            "{name} does not take the workspace lints"
        );
    }
}

#[test]
fn faces_stay_short_and_nothing_is_called_mod() {
    for (name, path) in crates() {
        let face = path.join("src/lib.rs");
        if face.exists() {
            let lines = fs::read_to_string(&face).unwrap().lines().count();
            assert!(
                lines <= 80,
                "the face of {name} has {lines} lines; a face is docs and `pub use`"
            );
        }
        for file in sources(&path) {
            assert!(
                !file.ends_with("mod.rs"),
                "{} should stand beside its folder",
                file.display()
            );
        }
    }
}

/// rustdoc takes seconds for a crate, with or without an example in it; only crates with one pay them.
#[test]
fn examples_in_documentation_are_tested() {
    for (name, path) in crates() {
        if !path.join("src/lib.rs").exists() {
            continue;
        }
        let manifest = manifest(&path);
        let setting = manifest.get("lib").and_then(|lib| lib.get("doctest"));
        let is_tested = setting.and_then(toml::Value::as_bool).unwrap_or(true);
        let has_example = sources(&path).iter().any(|file| {
            let text = fs::read_to_string(file).unwrap();
            text.lines().any(|line| {
                let line = line.trim_start();
                let said = line
                    .strip_prefix("///")
                    .or_else(|| line.strip_prefix("//!"));
                said.is_some_and(|said| said.trim_start().starts_with("```"))
            })
        });
        assert_eq!(
            is_tested, has_example,
            "`doctest` of {name} and whether its documentation has an example differ"
        );
    }
}

/// The files of a crate's `src`.
fn sources(path: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![path.join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap().path();
            if entry.is_dir() {
                folders.push(entry);
            } else if entry.extension().is_some_and(|ending| ending == "rs") {
                found.push(entry);
            }
        }
    }
    found
}

//! The commands that the pages name: the binary must accept them, and what cargo is asked for must exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::markdown::{blocks, spans};
use super::service::assay;

/// Every command of every page, with the place where it stands. Of blocks, those of development only: the README's others
/// are run.
fn commands() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (name, page) in crate::pages() {
        for (line, span) in spans(&page) {
            found.push((format!("{name}:{line}"), span));
        }
        for block in blocks(&page)
            .into_iter()
            .filter(|block| block.language == "sh")
        {
            for line in block.text.lines() {
                found.push((format!("{name}:{}", block.line), line.to_owned()));
            }
        }
    }
    found
}

#[test]
fn every_command_of_the_binary_is_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let mut tried = 0;
    for (place, command) in commands() {
        let Some(arguments) = command.strip_prefix("assay ") else {
            continue;
        };
        // Without a comment, and up to where the shell takes over.
        let arguments: Vec<String> = arguments
            .split_whitespace()
            .take_while(|word| !matches!(*word, "#" | "|" | ">" | "&"))
            .map(|word| example_of(word.trim_matches(['[', ']'])).to_owned())
            .collect();
        let output = assay(folder.path())
            .args(&arguments)
            .arg("--help")
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{place}: assay {}: {}",
            arguments.join(" "),
            String::from_utf8_lossy(&output.stderr)
        );
        tried += 1;
    }
    assert!(tried >= 15, "only {tried} commands were found");
}

/// A value for a word that stands for one.
fn example_of(word: &str) -> &str {
    match word {
        "KIND" => "articles",
        "TIME" => "2026-01-02T03:04:05Z",
        "N" => "30",
        "…" | "FILE…" | "FILE" | "DIR" | "DATA" | "NEW" => "a-file",
        other => other,
    }
}

#[test]
fn what_cargo_is_asked_for_exists() {
    let root = crate::root();
    let packages: BTreeSet<String> = fs::read_dir(root.join("crates"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    for (place, command) in commands() {
        let words: Vec<&str> = command.split_whitespace().collect();
        let Some(("cargo", rest)) = words.split_first().map(|(first, rest)| (*first, rest)) else {
            check_script(&root, &place, &words);
            continue;
        };
        let asked = |flag: &str| {
            let flags = rest.iter().zip(rest.iter().skip(1));
            flags
                .filter(|(word, _)| **word == flag)
                .map(|(_, value)| *value)
                .collect::<Vec<_>>()
        };
        let chosen = asked("-p");
        for package in &chosen {
            assert!(packages.contains(*package), "{place}: no package {package}");
        }
        for example in asked("--example") {
            let file = format!("examples/{example}.rs");
            let holds = |package: &&str| root.join("crates").join(package).join(&file).is_file();
            assert!(chosen.iter().any(holds), "{place}: no example {example}");
        }
        if rest.first() == Some(&"bench") {
            for package in chosen {
                let benches = root.join("crates").join(package).join("benches");
                assert!(benches.is_dir(), "{place}: {package} has no bench");
            }
        }
    }
}

fn check_script(root: &Path, place: &str, words: &[&str]) {
    for word in words {
        let is_script = ["benchmarks/", "scripts/", ".ci/", "fuzz/"]
            .iter()
            .any(|folder| word.starts_with(folder) && word.len() > folder.len());
        if is_script
            && !word.contains(['*', '<'])
            && !word.starts_with("fuzz/corpus")
            && !word.starts_with("fuzz/artifacts")
        {
            assert!(root.join(word).exists(), "{place}: no {word}");
        }
    }
}

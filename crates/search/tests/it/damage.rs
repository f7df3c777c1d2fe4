//! Files that are not as they were left.

use std::fs;
use std::path::{Path, PathBuf};

use model::Timestamp;
use search::{Error, Index, RevisionDocument, Swap};
use tantivy::schema::{Schema, TEXT};

use crate::sample::{START, at, written};

fn fill(path: &Path) {
    let index = Index::open(path).unwrap();
    let mut writer = index.writer().unwrap();
    for number in 0..40 {
        let brief = written(number, "Oil falls", "A summary of some words", "And a body");
        writer
            .put(&RevisionDocument {
                brief: &brief,
                known_from: START,
                known_to: Timestamp::END,
            })
            .unwrap();
    }
    writer.commit(&at(1)).unwrap();
}

fn segment_files(path: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files
        .filter(|file| {
            let name = file.file_name().unwrap().to_string_lossy();
            !name.starts_with('.') && name != "meta.json"
        })
        .collect();
    files.sort();
    files
}

fn must_be_rebuilt(path: &Path, what: &str) {
    match Index::open(path) {
        Err(Error::Rebuild { .. }) => {}
        Err(other) => panic!("{what}: {other:?}"),
        Ok(_) => panic!("{what}: opened"),
    }
}

#[test]
fn missing_and_cut_files_are_noticed() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("index");
    fill(&path);
    let files = segment_files(&path);
    assert!(files.len() >= 5);
    for file in &files {
        let bytes = fs::read(file).unwrap();
        for cut in [0, 1, bytes.len() / 2, bytes.len() - 1] {
            fs::write(file, &bytes[..cut]).unwrap();
            must_be_rebuilt(&path, &format!("{} cut to {cut}", file.display()));
        }
        fs::remove_file(file).unwrap();
        must_be_rebuilt(&path, &format!("{} missing", file.display()));
        fs::write(file, &bytes).unwrap();
    }
    Index::open(&path).unwrap();
}

#[test]
fn verifying_finds_a_changed_byte() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("index");
    fill(&path);
    Index::open(&path).unwrap().verify().unwrap();
    let mut bytes_changed = 0;
    for file in segment_files(&path) {
        let mut bytes = fs::read(&file).unwrap();
        bytes[0] ^= 1;
        fs::write(&file, &bytes).unwrap();
        if let Ok(index) = Index::open(&path) {
            assert!(
                matches!(index.verify(), Err(Error::Rebuild { .. })),
                "{}",
                file.display()
            );
            bytes_changed += 1;
        }
        bytes[0] ^= 1;
        fs::write(&file, &bytes).unwrap();
    }
    assert!(bytes_changed > 0);
}

#[test]
fn an_unreadable_or_foreign_state_is_noticed() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("index");
    fill(&path);
    let meta = path.join("meta.json");
    let text = fs::read_to_string(&meta).unwrap();
    for damaged in [
        String::new(),
        "{".to_owned(),
        text[..text.len() / 2].to_owned(),
        text.replace(r#"\"version\":3"#, r#"\"version\":99"#),
        text.replace(r#"\"position\":1"#, r#"\"position\":\"x\""#),
        text.replace(r#"\"documents\":40"#, r#"\"documents\":41"#),
    ] {
        assert_ne!(damaged, text);
        fs::write(&meta, &damaged).unwrap();
        must_be_rebuilt(&path, &damaged);
    }
    fs::write(&meta, text).unwrap();
    Index::open(&path).unwrap();
}

#[test]
fn another_schema_is_rebuilt_by_a_replacement() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("index");
    fs::create_dir(&path).unwrap();
    let mut schema = Schema::builder();
    schema.add_text_field("title", TEXT);
    tantivy::Index::create_in_dir(&path, schema.build()).unwrap();
    must_be_rebuilt(&path, "another schema");
    let mut replacement = Index::build_beside(&path).unwrap();
    replacement.commit(&at(7)).unwrap();
    assert_eq!(replacement.swap().unwrap(), Swap::Done);
    assert_eq!(Index::open(&path).unwrap().position(), 7);
}

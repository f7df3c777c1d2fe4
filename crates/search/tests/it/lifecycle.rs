//! Writing, reopening, crashing, replacing.

use std::path::Path;

use model::{Brief, Timestamp};
use search::{Error, Index, RevisionDocument, SearchRequest, Swap};

use crate::sample::{START, at, written};

fn current(brief: &Brief) -> RevisionDocument<'_> {
    RevisionDocument {
        brief,
        known_from: START,
        known_to: Timestamp::END,
    }
}

fn total(index: &Index, query: &str) -> u64 {
    index
        .search(&SearchRequest {
            query: query.into(),
            limit: 5,
            ..SearchRequest::default()
        })
        .unwrap()
        .total
}

fn filled(directory: &Path) -> Index {
    let index = Index::open(directory).unwrap();
    let mut writer = index.writer().unwrap();
    writer
        .put(&current(&written(1, "Oil falls", "", "")))
        .unwrap();
    writer.commit(&at(41)).unwrap();
    index
}

#[test]
fn position_and_documents_survive_a_restart() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("index");
    drop(filled(&path));
    let index = Index::open(&path).unwrap();
    assert_eq!(
        (index.position(), index.documents(), total(&index, "oil")),
        (41, 1, 1)
    );
}

#[test]
fn a_commit_is_seen_at_once_by_every_clone() {
    let index = Index::in_memory().unwrap();
    let clone = index.clone();
    let mut writer = index.writer().unwrap();
    writer
        .put(&current(&written(1, "Oil falls", "", "")))
        .unwrap();
    assert_eq!(total(&clone, "oil"), 0);
    writer.commit(&at(3)).unwrap();
    assert_eq!((clone.position(), total(&clone, "oil")), (3, 1));
    clone.reopen().unwrap();
    writer.commit(&at(4)).unwrap();
    assert_eq!(clone.position(), 4);
}

#[test]
fn a_crash_loses_only_what_was_not_committed() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("index");
    let index = filled(&path);
    let mut writer = index.writer().unwrap();
    writer
        .put(&current(&written(2, "Gold rises", "", "")))
        .unwrap();
    drop(writer);
    drop(index);
    let index = Index::open(&path).unwrap();
    assert_eq!(
        (
            index.position(),
            total(&index, "oil"),
            total(&index, "gold")
        ),
        (41, 1, 0)
    );
}

#[test]
fn putting_again_replaces() {
    let index = Index::in_memory().unwrap();
    let mut writer = index.writer().unwrap();
    writer
        .put(&current(&written(1, "Oil falls", "", "")))
        .unwrap();
    writer
        .put(&current(&written(1, "Gold falls", "", "")))
        .unwrap();
    writer.commit(&at(1)).unwrap();
    assert_eq!(
        (
            index.documents(),
            total(&index, "oil"),
            total(&index, "gold")
        ),
        (1, 0, 1)
    );
    let mut second = written(1, "Zinc falls", "", "");
    second.revision = 2;
    writer
        .put(&RevisionDocument {
            known_to: START.plus_ms(5),
            ..current(&written(1, "Gold falls", "", ""))
        })
        .unwrap();
    writer
        .put(&RevisionDocument {
            known_from: START.plus_ms(5),
            ..current(&second)
        })
        .unwrap();
    writer.commit(&at(2)).unwrap();
    assert_eq!(
        (
            index.documents(),
            total(&index, "gold"),
            total(&index, "zinc")
        ),
        (2, 0, 1)
    );
    let then = SearchRequest {
        query: "gold".into(),
        as_of: Some(START),
        ..SearchRequest::default()
    };
    assert_eq!(index.search(&then).unwrap().total, 1);
    let later = SearchRequest {
        as_of: Some(START.plus_ms(5)),
        ..then
    };
    assert_eq!(index.search(&later).unwrap().total, 0);
}

#[test]
fn what_is_removed_is_not_found_and_may_come_back() {
    let index = Index::in_memory().unwrap();
    let mut writer = index.writer().unwrap();
    let [oil, gold, zinc] = [(1, "Oil falls"), (2, "Gold falls"), (3, "Zinc falls")]
        .map(|(number, headline)| written(number, headline, "", ""));
    writer.put(&current(&oil)).unwrap();
    writer.put(&current(&gold)).unwrap();
    writer.commit(&at(1)).unwrap();

    // One that is there, the same again, a revision that is not there, and one that was put a moment ago.
    writer.remove(oil.id, 1).unwrap();
    writer.remove(oil.id, 1).unwrap();
    writer.remove(gold.id, 2).unwrap();
    writer.put(&current(&zinc)).unwrap();
    writer.remove(zinc.id, 1).unwrap();
    writer.commit(&at(2)).unwrap();
    assert_eq!((index.documents(), total(&index, "falls")), (1, 1));

    writer.remove(gold.id, 1).unwrap();
    writer.put(&current(&gold)).unwrap();
    writer.put(&current(&oil)).unwrap();
    writer.commit(&at(3)).unwrap();
    assert_eq!((index.documents(), total(&index, "falls")), (2, 2));
}

#[test]
fn a_commit_of_an_earlier_version_has_seen_no_removal() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("index");
    let index = filled(&path);
    let mut checkpoint = at(42);
    checkpoint.pruned = 3;
    index.writer().unwrap().commit(&checkpoint).unwrap();
    drop(index);
    assert_eq!(Index::open(&path).unwrap().checkpoint(), checkpoint);

    let meta = path.join("meta.json");
    let text = std::fs::read_to_string(&meta).unwrap();
    let earlier = text.replace(r#"\"pruned\":3,"#, "");
    assert_ne!(earlier, text);
    std::fs::write(&meta, earlier).unwrap();
    assert_eq!(Index::open(&path).unwrap().checkpoint(), at(42));
}

#[test]
fn there_is_one_writer() {
    let directory = tempfile::tempdir().unwrap();
    let index = Index::open(directory.path()).unwrap();
    let writer = index.writer().unwrap();
    assert!(matches!(index.writer(), Err(Error::Locked)));
    assert!(matches!(
        Index::open(directory.path()).unwrap().writer(),
        Err(Error::Locked)
    ));
    drop(writer);
    index.writer().unwrap();
}

#[test]
fn deletions_do_not_pile_up() {
    let directory = tempfile::tempdir().unwrap();
    let index = Index::open(directory.path()).unwrap();
    let mut writer = index.writer().unwrap();
    for round in 0..30 {
        for number in 0..50 {
            writer
                .put(&current(&written(
                    number,
                    "Oil falls",
                    "again and again",
                    "",
                )))
                .unwrap();
        }
        writer.commit(&at(round)).unwrap();
    }
    writer.finish().unwrap();
    let mut writer = index.writer().unwrap();
    writer.commit(&at(31)).unwrap();
    assert_eq!((index.documents(), total(&index, "oil")), (50, 50));
    let files = std::fs::read_dir(directory.path()).unwrap().count();
    assert!(files < 120, "{files} files");
}

#[test]
fn a_replacement_goes_into_place() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("index");
    let index = filled(&path);
    let mut replacement = Index::build_beside(&path).unwrap();
    assert!(matches!(Index::build_beside(&path), Err(Error::Locked)));
    replacement
        .put(&current(&written(2, "Gold rises", "", "")))
        .unwrap();
    replacement.commit(&at(50)).unwrap();
    assert_eq!(replacement.swap().unwrap(), Swap::Done);
    assert_eq!((index.position(), total(&index, "oil")), (41, 1));
    index.reopen().unwrap();
    assert_eq!(
        (
            index.position(),
            total(&index, "oil"),
            total(&index, "gold")
        ),
        (50, 0, 1)
    );
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
fn a_replacement_waits_for_the_writer() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("index");
    let index = filled(&path);
    let mut writer = index.writer().unwrap();
    let mut replacement = Index::build_beside(&path).unwrap();
    replacement
        .put(&current(&written(2, "Gold rises", "", "")))
        .unwrap();
    replacement.commit(&at(50)).unwrap();
    assert!(!index.replacement_waits());
    assert_eq!(replacement.swap().unwrap(), Swap::Waiting);
    assert!(index.replacement_waits());
    writer
        .put(&current(&written(3, "Zinc rises", "", "")))
        .unwrap();
    writer.commit(&at(60)).unwrap();
    assert_eq!((index.position(), total(&index, "zinc")), (60, 1));
    drop(writer);
    let mut writer = index.writer().unwrap();
    assert!(!index.replacement_waits());
    assert_eq!(
        (
            index.position(),
            total(&index, "zinc"),
            total(&index, "gold")
        ),
        (50, 0, 1)
    );
    writer
        .put(&current(&written(3, "Zinc rises", "", "")))
        .unwrap();
    writer.commit(&at(60)).unwrap();
    assert_eq!((index.position(), index.documents()), (60, 2));
}

#[test]
fn a_swap_that_broke_off_is_made_good() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("index");
    let writer = filled(&path).writer().unwrap();
    let mut replacement = Index::build_beside(&path).unwrap();
    replacement
        .put(&current(&written(2, "Gold rises", "", "")))
        .unwrap();
    replacement.commit(&at(50)).unwrap();
    assert_eq!(replacement.swap().unwrap(), Swap::Waiting);
    drop(writer);
    std::fs::rename(&path, directory.path().join("index.old")).unwrap();
    let index = Index::open(&path).unwrap();
    assert_eq!((index.position(), total(&index, "gold")), (50, 1));
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
fn an_unfinished_replacement_is_built_again() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("index");
    drop(filled(&path));
    let mut replacement = Index::build_beside(&path).unwrap();
    replacement
        .put(&current(&written(2, "Gold rises", "", "")))
        .unwrap();
    replacement.commit(&at(50)).unwrap();
    drop(replacement);
    let index = Index::open(&path).unwrap();
    assert_eq!((index.position(), index.replacement_waits()), (41, false));
    assert_eq!(
        Index::build_beside(&path).unwrap().swap().unwrap(),
        Swap::Done
    );
    index.reopen().unwrap();
    assert_eq!((index.position(), index.documents()), (0, 0));
}

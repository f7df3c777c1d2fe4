//! Writing that fails: at the end every document is there, and none twice.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use model::{Brief, Timestamp};
use search::{Error, Index, RevisionDocument, Writer};
use tantivy::directory::MmapDirectory;
use tantivy::schema::{STRING, Schema};
use tantivy::{IndexWriter, doc};
use tempfile::TempDir;

use crate::faulty::{DISK_FULL, FaultyDirectory, Plan, TOO_MANY_FILES};
use crate::sample::{START, at, written};

/// Revisions that each batch adds.
const ADDED: i64 = 4;
const BATCHES: i64 = 12;

fn brief(number: i64) -> Brief {
    written(
        number as u128,
        "Oil falls",
        "A summary of some words",
        "And a body",
    )
}

/// When the validity of a document ends: with the batch after its own.
fn end(number: i64, position: i64) -> Timestamp {
    let batch = number / ADDED + 1;
    if batch < position {
        START.plus_ms(batch)
    } else {
        Timestamp::END
    }
}

/// One batch as the loop of the server puts it: what is new, and again what was new in the batch before, with its end.
fn put_batch(writer: &mut Writer, position: i64) -> Result<(), Error> {
    let first = (position - 1) * ADDED;
    for number in (first - ADDED).max(0)..first + ADDED {
        writer.put(&RevisionDocument {
            brief: &brief(number),
            known_from: START,
            known_to: end(number, position),
        })?;
    }
    writer.commit(&at(position))
}

/// Writes batches until `last`, taking a new writer after each failure. Counts the failures.
fn follow(index: &Index, last: i64, mut failed: impl FnMut(&Error)) -> u32 {
    let outcome = try_follow(index, last, |error| {
        failed(error);
        true
    });
    outcome.unwrap_or_else(|failures| failures)
}

/// As [`follow`], until `goes_on` no longer says so: then the count is the error.
fn try_follow(
    index: &Index,
    last: i64,
    mut goes_on: impl FnMut(&Error) -> bool,
) -> Result<u32, u32> {
    let mut failures = 0;
    let mut kept: Option<Writer> = None;
    while index.position() < last {
        let writer = kept.take().map_or_else(|| index.writer(), Ok);
        let outcome = writer.and_then(|mut writer| {
            // A new writer may show that the last commit went further than its error said.
            if index.position() < last {
                put_batch(&mut writer, index.position() + 1)?;
            }
            Ok(writer)
        });
        match outcome {
            Ok(writer) => kept = Some(writer),
            Err(error) => {
                failures += 1;
                assert!(failures < 200, "never recovers from {error:?}");
                if !goes_on(&error) {
                    return Err(failures);
                }
            }
        }
    }
    Ok(failures)
}

/// Asserts that the index holds each revision up to a position once, with its validity.
fn assert_complete(index: &Index, position: i64, what: &str) {
    let mut found: BTreeMap<i64, Vec<Timestamp>> = BTreeMap::new();
    index.for_each_revision(|one| {
        let number = one.brief_id.0.as_u128() as i64;
        found.entry(number).or_default().push(one.known_to);
    });
    let wanted: BTreeMap<i64, Vec<Timestamp>> = (0..position * ADDED)
        .map(|number| (number, vec![end(number, position)]))
        .collect();
    assert_eq!(found, wanted, "{what}");
    assert_eq!(index.documents(), wanted.len() as u64, "{what}");
}

/// A directory without a disk under it where the machine has one: what is tested here writes and syncs thousands of files.
fn scratch() -> TempDir {
    let memory = Path::new("/dev/shm");
    tempfile::tempdir_in(memory).unwrap_or_else(|_| tempfile::tempdir().unwrap())
}

fn faulty(path: &Path, plan: &Arc<Plan>) -> FaultyDirectory {
    fs::create_dir_all(path).unwrap();
    FaultyDirectory {
        files: Box::new(MmapDirectory::open(path).unwrap()),
        plan: Arc::clone(plan),
    }
}

/// What the rule of [`Writer`] is for: the engine reports a dead indexing thread once, then commits without its documents.
#[test]
fn the_engine_itself_commits_nothing_after_a_failure() {
    let directory = tempfile::tempdir().unwrap();
    let plan = Plan::new(DISK_FULL);
    let mut schema = Schema::builder();
    let word = schema.add_text_field("word", STRING);
    let files: Box<dyn tantivy::Directory> = Box::new(faulty(directory.path(), &plan));
    let index = tantivy::Index::open_or_create(files, schema.build()).unwrap();
    let mut writer: IndexWriter = index.writer_with_num_threads(1, 15_000_000).unwrap();
    plan.fail(1, 2);
    writer.add_document(doc!(word => "oil")).unwrap();
    assert!(writer.commit().is_err());
    writer.add_document(doc!(word => "oil")).unwrap();
    assert!(writer.commit().is_ok(), "as if nothing had happened");
    let found = index.reader().unwrap().searcher().num_docs();
    assert_eq!(found, 0, "neither document is there");
}

#[test]
fn a_writer_that_failed_refuses_everything_and_frees_the_index() {
    let directory = tempfile::tempdir().unwrap();
    let plan = Plan::new(DISK_FULL);
    let index = Index::open_in(faulty(directory.path(), &plan)).unwrap();
    let mut writer = index.writer().unwrap();
    put_batch(&mut writer, 1).unwrap();
    plan.fail(1, 2);
    put_batch(&mut writer, 2).unwrap_err();
    assert!(matches!(put_batch(&mut writer, 2), Err(Error::Broken)));
    assert!(matches!(writer.commit(&at(3)), Err(Error::Broken)));
    assert_eq!(index.position(), 1);
    let mut second = index.writer().unwrap();
    put_batch(&mut second, 2).unwrap();
    assert!(matches!(writer.finish(), Err(Error::Broken)));
    assert_complete(&index, 2, "with a second writer");
}

/// Set to let every single write fail in turn, not only some of each kind.
const EVERY_WRITE: &str = "ASSAY_TEST_EVERY_WRITE";

#[test]
fn whichever_write_fails_nothing_is_lost_or_doubled() {
    let plan = Plan::new(DISK_FULL);
    let directory = scratch();
    let index = Index::open_in(faulty(directory.path(), &plan)).unwrap();
    let begun = plan.done();
    follow(&index, BATCHES, |_| {});
    let all = plan.done() - begun;
    assert!(all > 100, "{all} operations are too few to tell");

    let is_thorough = std::env::var_os(EVERY_WRITE).is_some();
    let step = if is_thorough { 1 } else { all as usize / 30 };
    let (mut runs, mut failures, mut rebuilds) = (0, 0, 0);
    for (number, nth) in (1..=all).step_by(step).enumerate() {
        // One failure, or a few in a row, which meet the first attempt to recover too.
        for length in if is_thorough {
            vec![1, 5]
        } else {
            vec![1 + 4 * (number as u64 % 2)]
        } {
            runs += 1;
            let errno = [DISK_FULL, TOO_MANY_FILES][number % 2];
            let plan = Plan::new(errno);
            let directory = scratch();
            let index = Index::open_in(faulty(directory.path(), &plan)).unwrap();
            plan.fail(nth, nth + length);
            let what = format!("{length} operations from {nth}");
            let followed = try_follow(&index, BATCHES, |error| {
                !matches!(error, Error::Rebuild { .. })
            });
            match followed {
                Ok(seen) => failures += seen,
                // Rebuilt by whoever follows the store.
                Err(seen) => {
                    failures += seen;
                    rebuilds += 1;
                    continue;
                }
            }
            assert_complete(&index, BATCHES, &what);
            // And so after a restart.
            drop(index);
            let index = Index::open_in(faulty(directory.path(), &plan)).unwrap();
            assert_eq!(index.position(), BATCHES, "{what}");
            assert_complete(&index, BATCHES, &what);
        }
    }
    println!("{runs} runs of {all} writes: {failures} failures, {rebuilds} indexes to be rebuilt");
    assert!(failures >= runs / 2, "{failures} failures in {runs} runs");
    assert!(rebuilds <= runs / 5, "{rebuilds} of {runs} to be rebuilt");
}

#[test]
fn a_disk_that_stays_full_loses_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let plan = Plan::new(DISK_FULL);
    let index = Index::open_in(faulty(directory.path(), &plan)).unwrap();
    follow(&index, 3, |_| {});
    plan.fail(4, u64::MAX);
    let mut seen = 0;
    let failures = follow(&index, BATCHES, |_| {
        seen += 1;
        assert_eq!(index.position(), 3, "what is not there does not count");
        assert_complete(&index, 3, "readers go on with what there is");
        if seen == 8 {
            plan.heal();
        }
    });
    // What a thread of the engine met before the disk was cleared may be reported after it.
    assert!((8..16).contains(&failures), "{failures} failures");
    assert!(!plan.has_failed());
    assert_complete(&index, BATCHES, "after the disk was cleared");
}

#[test]
fn a_full_file_system_loses_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"])
        .arg(directory.path())
        .status();
    if !mounted.is_ok_and(|status| status.success()) {
        println!("left out: no file system can be mounted here, which only root may");
        return;
    }
    let outcome = std::panic::catch_unwind(|| fill_the_disk(directory.path()));
    let unmounted = Command::new("umount")
        .arg("-l")
        .arg(directory.path())
        .status();
    if let Err(panic) = outcome {
        std::panic::resume_unwind(panic);
    }
    assert!(unmounted.unwrap().success());
}

fn fill_the_disk(mount: &Path) {
    for left_kb in [0, 8, 24, 48] {
        let path = mount.join(format!("index-{left_kb}"));
        let index = Index::open(&path).unwrap();
        follow(&index, 2, |_| {});
        let filler = mount.join("filler");
        fill(&filler, left_kb);
        let mut seen = 0;
        follow(&index, BATCHES, |error| {
            seen += 1;
            assert!(!matches!(error, Error::Rebuild { .. }), "{error:?}");
            if seen == 3 {
                fs::remove_file(&filler).unwrap();
            }
        });
        let _ = fs::remove_file(&filler);
        assert!(left_kb > 8 || seen > 0, "the disk was not full");
        assert_complete(&index, BATCHES, &format!("{left_kb} KiB left"));
        drop(index);
        let index = Index::open(&path).unwrap();
        index.verify().unwrap();
        assert_complete(&index, BATCHES, "opened again");
        drop(index);
        fs::remove_dir_all(path).unwrap();
    }
}

/// Fills the file system but for some kilobytes.
fn fill(path: &Path, left_kb: u64) {
    use std::io::Write;
    let mut file = File::create(path).unwrap();
    let kilobyte = [1_u8; 1_024];
    let mut written = 0;
    while file.write_all(&kilobyte).is_ok() {
        written += 1;
    }
    file.set_len((written - left_kb.min(written)) * 1_024)
        .unwrap();
}

/// Set in the process that may open only few files.
const FEW_FILES: &str = "ASSAY_TEST_FEW_FILES";

#[test]
fn too_many_open_files_lose_nothing() {
    if std::env::var_os(FEW_FILES).is_some() {
        println!("descriptors ran out {} times", run_out_of_descriptors());
        return;
    }
    let output = Command::new("sh")
        .args(["-c", "ulimit -n 64; exec \"$0\" \"$@\""])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "failing::too_many_open_files_lose_nothing"])
        .arg("--nocapture")
        .env(FEW_FILES, "1")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}{errors}");
    assert!(text.contains("descriptors ran out"), "{text}{errors}");
}

/// Tells how many attempts failed.
fn run_out_of_descriptors() -> u32 {
    let directory = scratch();
    let mut total = 0;
    for left in (0..24).step_by(3) {
        let path = directory.path().join(format!("index-{left}"));
        let index = Index::open(&path).unwrap();
        follow(&index, 2, |_| {});
        let mut held: Vec<File> = std::iter::from_fn(|| File::open("/dev/null").ok()).collect();
        held.truncate(held.len().saturating_sub(left));
        let mut seen = 0;
        follow(&index, BATCHES, |error| {
            seen += 1;
            assert!(
                !matches!(error, Error::Rebuild { .. }),
                "a lack of descriptors is no damage: {error:?}"
            );
            if seen == 2 {
                held.clear();
            }
        });
        drop(held);
        total += seen;
        assert_complete(&index, BATCHES, &format!("{left} descriptors left"));
    }
    assert!(total > 0);
    total
}

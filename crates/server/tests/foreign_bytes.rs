//! Every reader of foreign bytes on mutations of examples: the short run of the fuzz targets, on a bare machine.
//!
//! The targets are those of `fuzz/`, where libFuzzer runs them for longer and by coverage. Here each meets the same few
//! hundred inputs every time: pieces cut out, doubled, exchanged and replaced by what readers stumble over. With
//! `ASSAY_TEST_DATA` the examples are joined by files of the data folder; `ASSAY_FUZZ_RUNS` sets another number of runs.

#![expect(clippy::unwrap_used, reason = "a test ends where it cannot go on")]

#[path = "../../../fuzz/src/targets.rs"]
mod targets;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use targets::{TARGETS, Target};

/// Runs of each target where nothing else is asked for.
const RUNS: usize = 400;
/// Larger inputs would take the time of many small ones.
const LARGEST: usize = 16 << 10;

/// What readers stumble over: signs of markup and JSON, limits of numbers, letters that change their length, broken UTF-8.
const WORDS: &[&[u8]] = &[
    b"<",
    b">",
    b"</x>",
    b"<b id=i>",
    b"<![CDATA[",
    b"]]>",
    b"<!--",
    b"&#x1F600;",
    b"&amp;amp;",
    b"&",
    b"\"",
    b"'",
    b"\\u0000",
    b"\\ud800",
    b"[",
    b"{",
    b"}",
    b"]",
    b":",
    b",",
    b"null",
    b"-0",
    b"1e999",
    b"-1e308",
    b"NaN",
    b"inf",
    b"99999999999999999999",
    b"0x",
    b"%",
    b"%zz",
    b"*",
    b"$",
    b"\0",
    b"\n",
    b"\r\n",
    b"\t",
    b"\x1f\x8b\x08",
    b"PAR1",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\xc3",
    b"\xed\xa0\x80",
    "İ".as_bytes(),
    "ẞ".as_bytes(),
    "ŉ".as_bytes(),
    "\u{202e}".as_bytes(),
    "👩‍👩‍👧".as_bytes(),
    "é".as_bytes(),
    b"2024-02-30",
    b"0000-00-00",
    b"9999-12-31T23:59:60Z",
    b"12/31/1969",
    b"xn--",
    b"http://[::1]:0/",
    b"https://",
    b"#",
    b"?",
];

#[test]
fn no_reader_breaks_on_foreign_bytes() {
    let runs = std::env::var("ASSAY_FUZZ_RUNS").ok();
    let runs = runs.and_then(|runs| runs.parse().ok()).unwrap_or(RUNS);
    let broken: Vec<String> = std::thread::scope(|scope| {
        let running: Vec<_> = TARGETS
            .iter()
            .map(|target| scope.spawn(move || first_break(target, runs)))
            .collect();
        running
            .into_iter()
            .filter_map(|target| target.join().unwrap())
            .collect()
    });
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn targets_have_names_of_their_own() {
    let names: std::collections::BTreeSet<&str> =
        TARGETS.iter().map(|target| target.name).collect();
    assert_eq!(names.len(), TARGETS.len());
}

/// The first input on which a target breaks.
fn first_break(target: &Target, runs: usize) -> Option<String> {
    let mut examples = vec![target.example.to_vec()];
    examples.extend(files_for(target.name));
    let mut random = SmallRng::seed_from_u64(target.name.bytes().map(u64::from).sum());
    for run in 0..runs {
        let input = if run < examples.len() {
            examples[run].clone()
        } else {
            mutated(&examples, &mut random)
        };
        if catch_unwind(AssertUnwindSafe(|| (target.run)(&input))).is_err() {
            return Some(format!(
                "{} breaks on {}",
                target.name,
                input.escape_ascii()
            ));
        }
    }
    None
}

/// An example with one to six changes.
fn mutated(examples: &[Vec<u8>], random: &mut SmallRng) -> Vec<u8> {
    let mut input = examples.choose(random).cloned().unwrap_or_default();
    for _ in 0..random.random_range(1..=6) {
        let at = random.random_range(0..=input.len());
        let end = (at + random.random_range(0..32)).min(input.len());
        match random.random_range(0..8) {
            0 => drop(input.drain(at..end)),
            1 => {
                let piece = input[at..end].to_vec();
                let times = random.random_range(1..200);
                input.splice(at..at, piece.repeat(times));
            }
            2 => {
                let other = examples.choose(random).map_or(&[][..], Vec::as_slice);
                let from = random.random_range(0..=other.len());
                let to = (from + random.random_range(0..64)).min(other.len());
                input.splice(at..end, other[from..to].iter().copied());
            }
            3 if at < input.len() => input[at] = random.random(),
            4 if at < input.len() => input[at] ^= 1 << random.random_range(0..8),
            5 => input.truncate(at),
            _ => {
                let word = WORDS.choose(random).copied().unwrap_or_default();
                let times = if random.random_ratio(1, 16) { 300 } else { 1 };
                input.splice(at..end, word.repeat(times));
            }
        }
        input.truncate(LARGEST);
    }
    input
}

/// Files of the data folder that a target can begin from, where there is one.
fn files_for(target: &str) -> Vec<Vec<u8>> {
    let Some(data) = std::env::var_os("ASSAY_TEST_DATA").map(PathBuf::from) else {
        return Vec::new();
    };
    let folder = match target {
        "feed" => "wire/feeds/feed_rs",
        "form4" | "holdings" | "filings" => "wire/sec",
        "fx" => "wire/ecb",
        "indicators" => "wire/fred",
        "crypto" => "wire/coingecko",
        _ => return Vec::new(),
    };
    let entries = std::fs::read_dir(data.join(folder)).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let small: Vec<Vec<u8>> = paths
        .iter()
        .filter(|path| {
            let metadata = std::fs::metadata(path).unwrap();
            metadata.is_file() && metadata.len() <= LARGEST as u64
        })
        .take(20)
        .map(|path| std::fs::read(path).unwrap())
        .collect();
    assert!(!small.is_empty(), "{folder} has no small file");
    small
}

//! The sets of a folder of data, found by what they hold.
//!
//! A file belongs to a kind when it lies in the kind's folder and has its columns; its name only names it in the report.
//! So another sample is measured as it lies, whatever its dates and numbers. A kind that is not there is noted, and the
//! report says so in words.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use flate2::read::GzDecoder;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// What a file holds, known by its folder and its columns.
#[derive(Debug)]
pub(crate) struct Kind {
    /// What the report calls it.
    pub(crate) name: &'static str,
    folder: &'static str,
    /// `jsonl` for lines of JSON, `csv` for comma-separated values; `.gz` may follow.
    ending: &'static str,
    /// Columns that it has; of alternatives apart by `|` at least one.
    columns: &'static [&'static str],
    /// Columns by which other kinds of the folder differ.
    without: &'static [&'static str],
}

/// Articles in the order in which they became known.
pub(crate) const STREAMS: Kind = Kind {
    name: "streams of news",
    folder: "news",
    ending: "jsonl",
    columns: &["url", "title", "first_seen"],
    without: &[],
};

/// Articles whose story is known.
pub(crate) const STORIES: Kind = Kind {
    name: "articles labelled with their story",
    folder: "news",
    ending: "jsonl",
    columns: &["title", "event_id|story_id"],
    without: &[],
};

/// Whole articles without labels.
pub(crate) const FULL_TEXTS: Kind = Kind {
    name: "full texts of articles",
    folder: "news",
    ending: "jsonl",
    columns: &["url", "title", "text"],
    without: &["event_id", "story_id", "first_seen"],
};

/// Articles that came with words for their category.
pub(crate) const CATEGORISED: Kind = Kind {
    name: "articles with a category",
    folder: "news",
    ending: "jsonl",
    columns: &["title", "category|categories"],
    without: &[],
};

/// Articles with an outlet, from which, or from a column of its own, the language follows.
pub(crate) const OUTLETS: Kind = Kind {
    name: "headlines with their outlet",
    folder: "news",
    ending: "jsonl",
    columns: &["title", "outlet"],
    without: &[],
};

/// Sentences labelled as coloured or plain.
pub(crate) const BIASED_SENTENCES: Kind = Kind {
    name: "sentences labelled as biased or not",
    folder: "news",
    ending: "jsonl",
    columns: &["text", "label_bias"],
    without: &[],
};

/// Outlets with the factuality that others give them.
pub(crate) const RELIABILITY: Kind = Kind {
    name: "outlets with their factuality",
    folder: "news",
    ending: "csv",
    columns: &["domain", "factuality"],
    without: &[],
};

/// Words labelled as parts of names.
pub(crate) const NAME_TOKENS: Kind = Kind {
    name: "words labelled as names",
    folder: "ner",
    ending: "csv",
    columns: &["gold_label", "gold_token", "doc_idx", "sent_idx"],
    without: &[],
};

/// Sentences with their sentiment.
pub(crate) const SENTENCE_SENTIMENTS: Kind = Kind {
    name: "sentences labelled with their sentiment",
    folder: "sentiment",
    ending: "jsonl",
    columns: &["text", "label"],
    without: &[],
};

/// Headlines with the sentiment towards each whom they name.
pub(crate) const NAME_SENTIMENTS: Kind = Kind {
    name: "headlines labelled with the sentiment towards each name",
    folder: "sentiment",
    ending: "jsonl",
    columns: &["title", "entities"],
    without: &[],
};

/// Claims with evidence and what people judged of them.
pub(crate) const CLAIMS: Kind = Kind {
    name: "claims with evidence",
    folder: "claims",
    ending: "jsonl",
    columns: &["claim", "label", "evidence|gold_evidence"],
    without: &["supporting_sentences"],
};

/// Claims with a whole article each, which may support a part of them only.
pub(crate) const CLAIMS_OF_ARTICLES: Kind = Kind {
    name: "claims with whole articles",
    folder: "claims",
    ending: "jsonl",
    columns: &["claim", "label", "evidence", "supporting_sentences"],
    without: &[],
};

/// Pairs of claim and evidence that a model may be fitted on.
pub(crate) const CLAIM_PAIRS: Kind = Kind {
    name: "pairs of claim and evidence for fitting",
    folder: "claims_train",
    ending: "jsonl",
    columns: &["claim", "label", "evidence", "source"],
    without: &[],
};

/// One file of a kind.
#[derive(Debug)]
pub(crate) struct Set {
    /// The name of its file without endings.
    pub(crate) name: String,
    path: PathBuf,
}

impl Set {
    fn of(path: PathBuf) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = name.split('.').next().unwrap_or_default().to_owned();
        Self { name, path }
    }

    /// The text of the file.
    pub(crate) fn text(&self) -> anyhow::Result<String> {
        load(&self.path)
    }

    /// Its rows, whether they are lines of JSON or of comma-separated values.
    pub(crate) fn rows<T: DeserializeOwned>(&self) -> anyhow::Result<Vec<T>> {
        let text = self.text()?;
        if has_ending(&self.path, "csv") {
            return csv::Reader::from_reader(text.as_bytes())
                .deserialize()
                .map(|record| record.with_context(|| self.path.display().to_string()))
                .collect();
        }
        text.lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty())
            .map(|(number, line)| {
                serde_json::from_str(line)
                    .with_context(|| format!("{} line {}", self.path.display(), number + 1))
            })
            .collect()
    }

    fn has(&self, kind: &Kind) -> bool {
        if !has_ending(&self.path, kind.ending) {
            return false;
        }
        let columns = columns(&self.path).unwrap_or_default();
        let has = |name: &str| columns.contains(name);
        kind.columns.iter().all(|any| any.split('|').any(has))
            && !kind.without.iter().any(|name| has(name))
    }
}

/// A folder of labelled data.
pub(crate) struct Data {
    folder: PathBuf,
    absent: RefCell<BTreeSet<String>>,
}

impl Data {
    pub(crate) fn open(folder: PathBuf) -> anyhow::Result<Self> {
        if !folder.is_dir() {
            bail!("there is no folder {}", folder.display());
        }
        Ok(Self {
            folder,
            absent: RefCell::default(),
        })
    }

    /// The sets of a kind in the order of their names, for what can do without.
    pub(crate) fn find(&self, kind: &Kind) -> Vec<Set> {
        self.entries(kind.folder)
            .into_iter()
            .filter(|path| path.is_file())
            .map(Set::of)
            .filter(|set| set.has(kind))
            .collect()
    }

    /// The sets of a kind in the order of their names; that there is none is noted.
    pub(crate) fn sets(&self, kind: &Kind) -> Vec<Set> {
        let found = self.find(kind);
        if found.is_empty() {
            let columns = kind.columns.join(", ").replace('|', " or ");
            self.note_absent(&format!(
                "{} (`{}/*.{}` with the columns {columns})",
                kind.name, kind.folder, kind.ending
            ));
        }
        found
    }

    /// The folders in a folder that hold a file of this name; that there is none is noted.
    pub(crate) fn folders(&self, folder: &str, file: &str, name: &str) -> Vec<PathBuf> {
        let found: Vec<PathBuf> = self
            .entries(folder)
            .into_iter()
            .filter(|path| path.join(file).is_file())
            .collect();
        if found.is_empty() {
            self.note_absent(&format!("{name} (folders of `{folder}/` with `{file}`)"));
        }
        found
    }

    /// What lies in a folder, in the order of the names.
    pub(crate) fn entries(&self, folder: &str) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.folder.join(folder)).into_iter().flatten();
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        paths
    }

    /// Notes that a kind of data is not there.
    pub(crate) fn note_absent(&self, what: &str) {
        self.absent.borrow_mut().insert(what.to_owned());
    }

    /// The kinds that were looked for in vain since this was asked last.
    pub(crate) fn take_absent(&self) -> BTreeSet<String> {
        self.absent.take()
    }
}

/// The data folder of tests, which `ASSAY_TEST_DATA` names; a name without a folder is a failure.
#[cfg(test)]
pub(crate) fn of_tests() -> Option<Data> {
    let Some(folder) = std::env::var_os("ASSAY_TEST_DATA") else {
        println!("skipped: ASSAY_TEST_DATA is not set");
        return None;
    };
    Some(Data::open(folder.into()).unwrap())
}

/// The text of a file, plain or compressed by gzip.
pub(crate) fn load(path: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    open(path)?
        .read_to_end(&mut bytes)
        .with_context(|| format!("cannot read {}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn open(path: &Path) -> anyhow::Result<Box<dyn BufRead>> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(if path.extension().is_some_and(|ending| ending == "gz") {
        Box::new(BufReader::new(GzDecoder::new(file)))
    } else {
        Box::new(BufReader::new(file))
    })
}

/// Whether a name has an ending, such as `jsonl` in `stream.jsonl.gz`.
fn has_ending(path: &Path, wanted: &str) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.split('.').skip(1).any(|ending| ending == wanted)
}

/// The names of the columns of a file; `None` where it cannot be read as what its ending says.
fn columns(path: &Path) -> Option<BTreeSet<String>> {
    let mut first = String::new();
    open(path).ok()?.read_line(&mut first).ok()?;
    if has_ending(path, "csv") {
        let mut reader = csv::Reader::from_reader(first.as_bytes());
        let headers = reader.headers().ok()?;
        return Some(headers.iter().map(|name| name.trim().to_owned()).collect());
    }
    let row: Value = serde_json::from_str(&first).ok()?;
    Some(row.as_object()?.keys().cloned().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: &str = r#"{"outlet":"Paper","title":"A","url":"https://a.example/1","first_seen":"2031-05-01T00:00:00Z","categories":[]}"#;
    const STORY: &str = r#"{"event_id":"e1","title":"A","url":"https://a.example/1","text":"B"}"#;
    const WHOLE: &str = r#"{"url":"https://a.example/1","title":"A","text":"B"}"#;

    fn names(sets: &[Set]) -> Vec<&str> {
        sets.iter().map(|set| set.name.as_str()).collect()
    }

    #[test]
    fn sets_are_found_by_what_they_hold() {
        let folder = tempfile::tempdir().unwrap();
        let news = folder.path().join("news");
        fs::create_dir(&news).unwrap();
        for (name, text) in [
            ("stream_2031-05-01_03.jsonl", STREAM),
            ("wire_of_may.jsonl", STREAM),
            ("clusters_other.jsonl", STORY),
            ("weeks.jsonl", WHOLE),
            ("outlets.csv", "domain,factuality\na.example,high\n"),
            ("notes.txt", STREAM),
            ("broken.jsonl", "not json"),
        ] {
            fs::write(news.join(name), text).unwrap();
        }
        let data = Data::open(folder.path().to_owned()).unwrap();
        assert_eq!(
            names(&data.sets(&STREAMS)),
            ["stream_2031-05-01_03", "wire_of_may"]
        );
        assert_eq!(names(&data.sets(&STORIES)), ["clusters_other"]);
        assert_eq!(names(&data.sets(&FULL_TEXTS)), ["weeks"]);
        let outlets: Vec<(String, String)> = data.sets(&RELIABILITY)[0].rows().unwrap();
        assert_eq!(outlets[0].0, "a.example");
        assert!(data.take_absent().is_empty());
    }

    #[test]
    fn every_kind_is_in_the_data_folder() {
        let Some(data) = of_tests() else {
            return;
        };
        for kind in [
            &STREAMS,
            &STORIES,
            &FULL_TEXTS,
            &CATEGORISED,
            &OUTLETS,
            &BIASED_SENTENCES,
            &RELIABILITY,
            &NAME_TOKENS,
            &SENTENCE_SENTIMENTS,
            &NAME_SENTIMENTS,
        ] {
            data.sets(kind);
        }
        assert_eq!(data.take_absent(), BTreeSet::new());
    }

    #[test]
    fn an_absent_kind_is_noted_once() {
        let folder = tempfile::tempdir().unwrap();
        let data = Data::open(folder.path().to_owned()).unwrap();
        assert!(data.sets(&STREAMS).is_empty() && data.sets(&STREAMS).is_empty());
        let absent = data.take_absent();
        assert_eq!(absent.len(), 1);
        assert!(
            absent
                .iter()
                .all(|what| what.starts_with("streams of news"))
        );
        assert!(data.take_absent().is_empty());
    }
}

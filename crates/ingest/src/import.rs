//! Importing articles from files.
//!
//! Reading, cleaning and annotating run ahead of publishing, on the other core. With backfill, the items in a stretch
//! of the file are published in the order in which they became known, so that stories grow as they did at the time.
//! Running the same file again finds every address stored and changes nothing; a run that was cut off is completed by
//! the next.

use std::collections::{BTreeMap, HashSet};

use model::{Annotations, Article, RawArticle, Timestamp};
use rayon::iter::Either;
use rayon::prelude::*;
use store::Store;
use text::clean::{Arrival, clean};
use tokio::sync::mpsc;

use crate::error::{Error, Result};
use crate::isolated::{Refusal, isolated};
use crate::publisher::Publisher;
use crate::story_writer::{Outcome, Prepared};

/// Bytes of raw text that are sorted at a time.
const STRETCH_BYTES: usize = 32 << 20;
/// Items that are annotated at a time.
const CHUNK: usize = 256;

/// How a file is imported.
#[derive(Clone, Copy, Debug)]
pub struct ImportOptions {
    /// Whether items became known when their record says, or become known now.
    pub arrival: Arrival,
    /// Only count; store nothing.
    pub dry_run: bool,
    /// When it runs.
    pub now: Timestamp,
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, Default)]
pub struct ImportProgress {
    /// Lines handled so far.
    pub lines: u64,
    /// What was published.
    pub outcome: Outcome,
}

/// A line that was not imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineProblem {
    /// Line of the file, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub reason: String,
}

/// What a run did.
#[derive(Clone, Debug, Default)]
pub struct ImportSummary {
    /// Lines read.
    pub lines: u64,
    /// What was published; in a dry run `articles` is the number that would be.
    pub outcome: Outcome,
    /// Lines that could not be read: the first thousand of them.
    pub failed: Vec<LineProblem>,
    /// How many could not be read.
    pub failed_total: u64,
    /// Items that are not articles, by reason.
    pub rejected: BTreeMap<String, u64>,
    /// The first of these, with their lines.
    pub rejected_examples: Vec<LineProblem>,
}

/// Failures that are held before they are handed over.
const MOST_FAILED: usize = 10_000;

/// One line: its number, and the item on it or why there is none.
pub type Line = (u64, Result<RawArticle, String>);

enum Read {
    Batch {
        lines: u64,
        prepared: Vec<Prepared>,
        known: u64,
    },
    Counted {
        lines: u64,
        articles: u64,
        known: u64,
    },
    Problems {
        failed: Vec<LineProblem>,
        rejected: Vec<LineProblem>,
    },
}

/// Imports lines through a publisher. `progress` is called after every batch.
pub async fn import_articles(
    lines: impl Iterator<Item = Line> + Send + 'static,
    store: &Store,
    publisher: &Publisher,
    options: ImportOptions,
    mut progress: impl FnMut(ImportProgress) + Send,
) -> Result<ImportSummary> {
    let (sender, mut batches) = mpsc::channel::<Result<Read>>(3);
    let reading = {
        let store = store.clone();
        let runtime = tokio::runtime::Handle::current();
        tokio::task::spawn_blocking(move || {
            let reader = Reader {
                store,
                runtime,
                options,
                sender: sender.clone(),
            };
            if let Err(error) = reader.run(lines) {
                let _ = sender.blocking_send(Err(error));
            }
        })
    };
    let mut summary = ImportSummary::default();
    while let Some(read) = batches.recv().await {
        match read? {
            Read::Problems { failed, rejected } => {
                summary.lines += (failed.len() + rejected.len()) as u64;
                summary.failed_total += failed.len() as u64;
                let room = 1000_usize.saturating_sub(summary.failed.len());
                summary.failed.extend(failed.into_iter().take(room));
                for problem in rejected {
                    *summary.rejected.entry(problem.reason.clone()).or_default() += 1;
                    if summary.rejected_examples.len() < 100 {
                        summary.rejected_examples.push(problem);
                    }
                }
            }
            Read::Batch {
                lines,
                prepared,
                known,
            } => {
                summary.lines += lines;
                summary
                    .outcome
                    .add(publisher.publish(prepared, options.now).await?);
                summary.outcome.known += known;
            }
            Read::Counted {
                lines,
                articles,
                known,
            } => {
                summary.lines += lines;
                summary.outcome.articles += articles;
                summary.outcome.known += known;
            }
        }
        progress(ImportProgress {
            lines: summary.lines,
            outcome: summary.outcome,
        });
    }
    reading.await.map_err(|_| Error::Closed)?;
    Ok(summary)
}

struct Reader {
    store: Store,
    runtime: tokio::runtime::Handle,
    options: ImportOptions,
    sender: mpsc::Sender<Result<Read>>,
}

impl Reader {
    fn run(&self, lines: impl Iterator<Item = Line>) -> Result<()> {
        let mut stretch: Vec<(u64, RawArticle)> = Vec::new();
        let mut bytes = 0;
        let mut failed = Vec::new();
        let backfill = self.options.arrival == Arrival::Backfill;
        for (line, item) in lines {
            match item {
                Ok(raw) => {
                    bytes += size(&raw);
                    stretch.push((line, raw));
                }
                Err(reason) => failed.push(LineProblem { line, reason }),
            }
            let full = if backfill {
                bytes >= STRETCH_BYTES
            } else {
                stretch.len() >= CHUNK
            };
            if full || failed.len() >= MOST_FAILED {
                self.hand_over(std::mem::take(&mut stretch), &mut failed)?;
                bytes = 0;
            }
        }
        self.hand_over(stretch, &mut failed)
    }

    fn hand_over(
        &self,
        stretch: Vec<(u64, RawArticle)>,
        failed: &mut Vec<LineProblem>,
    ) -> Result<()> {
        let now = self.options.now;
        let mut cleaned = Vec::with_capacity(stretch.len());
        let mut rejected = Vec::new();
        for (line, raw) in stretch {
            let read = || clean(&raw, now, self.options.arrival).map_err(Refusal::from);
            match isolated(read).flatten() {
                Ok(article) => cleaned.push((line, article, raw.categories)),
                Err(refusal) => rejected.push(LineProblem {
                    line,
                    reason: refusal.to_string(),
                }),
            }
        }
        if !(failed.is_empty() && rejected.is_empty()) {
            self.send(Read::Problems {
                failed: std::mem::take(failed),
                rejected,
            })?;
        }
        if self.options.arrival == Arrival::Backfill {
            cleaned.sort_by_key(|(line, article, _)| (article.known_at, *line));
        }
        let mut cleaned = cleaned.into_iter();
        loop {
            let chunk: Vec<_> = cleaned.by_ref().take(CHUNK).collect();
            if chunk.is_empty() {
                break;
            }
            let lines = chunk.len() as u64;
            let urls: Vec<&str> = chunk
                .iter()
                .map(|(_, article, _)| article.url.as_str())
                .collect();
            let stored = self.runtime.block_on(self.store.articles().exists(&urls))?;
            let mut fresh = HashSet::new();
            let news: Vec<_> = chunk
                .into_iter()
                .filter(|(_, article, _)| {
                    !stored.contains(&article.url) && fresh.insert(article.url.clone())
                })
                .collect();
            let known = lines - news.len() as u64;
            if self.options.dry_run {
                self.send(Read::Counted {
                    lines,
                    articles: news.len() as u64,
                    known,
                })?;
            } else {
                let (prepared, rejected) = annotate_all(news, text::annotate::annotate);
                self.send(Read::Batch {
                    lines: lines - rejected.len() as u64,
                    prepared,
                    known,
                })?;
                if !rejected.is_empty() {
                    self.send(Read::Problems {
                        failed: Vec::new(),
                        rejected,
                    })?;
                }
            }
        }
        Ok(())
    }

    fn send(&self, read: Read) -> Result<()> {
        self.sender
            .blocking_send(Ok(read))
            .map_err(|_| Error::Closed)
    }
}

/// Annotates articles; those whose annotation panics are reported.
fn annotate_all(
    news: Vec<(u64, Article, Vec<String>)>,
    annotate: impl Fn(&Article, &[String]) -> Annotations + Sync,
) -> (Vec<Prepared>, Vec<LineProblem>) {
    news.into_par_iter()
        .partition_map(|(line, article, hints)| {
            let read = isolated(|| {
                let annotations = annotate(&article, &hints);
                Prepared::new(article, annotations)
            });
            match read {
                Ok(prepared) => Either::Left(prepared),
                Err(refusal) => Either::Right(LineProblem {
                    line,
                    reason: refusal.to_string(),
                }),
            }
        })
}

fn size(raw: &RawArticle) -> usize {
    let optional = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    256 + raw.url.len() + raw.title.len() + optional(&raw.description) + optional(&raw.body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_that_makes_the_reader_panic_costs_only_itself() {
        let article = |number: u32| {
            let raw = RawArticle {
                url: format!("https://a.test/{number}"),
                title: format!("Rates rise for the {number}th time in a row"),
                ..RawArticle::default()
            };
            let now = Timestamp::from_ms(1_700_000_000_000);
            clean(&raw, now, Arrival::Live).unwrap()
        };
        let news = (0..20)
            .map(|number| (u64::from(number), article(number), Vec::new()))
            .collect();
        let (prepared, broken) = annotate_all(news, |article, hints| {
            assert!(!article.url.ends_with("/7"), "a defect");
            text::annotate::annotate(article, hints)
        });
        assert_eq!(prepared.len(), 19);
        let expected = LineProblem {
            line: 7,
            reason: Refusal::Defect.to_string(),
        };
        assert_eq!(broken, [expected]);
    }
}

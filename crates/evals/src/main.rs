//! Quality on labelled data: one task for each ability, one table for each task.
//!
//! `cargo run --release -p evals -- [TASK…] --data DIR [--write docs/quality.md]`. Files are found by folder and columns,
//! so another sample of the same layout can be measured by giving another folder. Everything is deterministic: the same
//! data gives the same figures, whoever runs it. It measures; only `--fit` fits, on labels of our own.
#![expect(clippy::print_stdout, reason = "a command-line tool")]

mod articles;
mod claims;
mod data;
mod diagram;
mod document;
mod events;
mod fit;
mod held_out;
mod judged;
mod labels;
mod linear;
mod market_data;
mod news;
mod placement;
mod published;
mod random;
mod readings;
mod score;
mod seen;
mod table;
mod tasks;

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Parser;

use data::Data;

/// Measures the quality of text analysis on labelled data.
#[derive(Parser)]
struct Arguments {
    /// Tasks to run; all of them where none is named.
    tasks: Vec<String>,
    /// The folder of labelled data.
    #[arg(long, env = "ASSAY_TEST_DATA")]
    data: PathBuf,
    /// A Markdown file whose blocks `<!-- evals: TASK -->` … `<!-- end -->` are written again.
    #[arg(long)]
    write: Option<PathBuf>,
    /// Fits the weights of the names model, writes them to this file, and measures nothing.
    #[arg(long)]
    fit: Option<PathBuf>,
    /// Writes what is measured of the training pairs of claims and evidence to this file, and measures nothing.
    #[arg(long)]
    stance_features: Option<PathBuf>,
    /// Writes what is measured of the claims of the first file and the passages of the streams to the second one, and measures
    /// nothing.
    #[arg(long, num_args = 2, value_names = ["CLAIMS", "FILE"])]
    news_features: Option<Vec<PathBuf>>,
    /// Writes what the items of streams and labelled sets have in common to files of this folder, and measures nothing.
    #[arg(long)]
    story_features: Option<PathBuf>,
    /// Writes what the labelled questions show of their wishes to this file, and measures nothing.
    #[arg(long)]
    wish_features: Option<PathBuf>,
    /// Writes what the articles labelled with their category and form show, and their word pieces, to this file, and measures nothing.
    #[arg(long)]
    reading_features: Option<PathBuf>,
    /// Writes what the sentences labelled with their event show to this file, and measures nothing.
    #[arg(long)]
    event_features: Option<PathBuf>,
    /// With it, also what the sentences of this file show, which a larger model has read (`scripts/teach_events.py`).
    #[arg(long, requires = "event_features")]
    taught: Option<PathBuf>,
    /// Writes the sentences labelled with their event to this file, and measures nothing.
    #[arg(long)]
    event_texts: Option<PathBuf>,
    /// Draws how often verdicts of each confidence are right to this SVG file, and measures nothing.
    #[arg(long)]
    reliability: Option<PathBuf>,
    /// Prints the digests by which `data/seen.tsv` knows the sets of the data, and measures nothing.
    #[arg(long)]
    digests: bool,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let data = Data::open(arguments.data)?;
    if let Some(file) = &arguments.fit {
        return fit::names(&data, file);
    }
    if let Some(file) = &arguments.stance_features {
        return claims::write_features(&data, file);
    }
    if let Some([claims, file]) = arguments.news_features.as_deref() {
        return tasks::write_news_features(&data, claims, file);
    }
    if let Some(file) = &arguments.story_features {
        return tasks::write_story_features(&data, file);
    }
    if let Some(file) = &arguments.wish_features {
        return tasks::write_wish_features(&data, file);
    }
    if let Some(file) = &arguments.reading_features {
        return readings::write_features(&data, file);
    }
    if let Some(file) = &arguments.event_features {
        return events::write_features(&data, file, arguments.taught.as_deref());
    }
    if let Some(file) = &arguments.event_texts {
        return events::write_texts(&data, file);
    }
    if let Some(file) = &arguments.reliability {
        return tasks::write_reliability(&data, file);
    }
    if arguments.digests {
        for line in seen::lines(&data)? {
            println!("{line}");
        }
        return Ok(());
    }
    for name in &arguments.tasks {
        if !tasks::ALL.iter().any(|(known, _)| known == name) {
            let known: Vec<&str> = tasks::ALL.iter().map(|(known, _)| *known).collect();
            bail!("no task is called {name:?}; there are {}", known.join(", "));
        }
    }
    for (name, run) in tasks::ALL {
        if !arguments.tasks.is_empty() && !arguments.tasks.iter().any(|asked| asked == name) {
            continue;
        }
        let tables = run(&data).with_context(|| format!("task {name}"))?;
        let mut printed: Vec<String> = tables.iter().map(ToString::to_string).collect();
        printed.extend(
            data.take_absent()
                .iter()
                .map(|what| format!("Absent from these data, so not measured: {what}.\n")),
        );
        let printed = printed.join("\n");
        println!("## {name}\n\n{printed}");
        if let Some(file) = &arguments.write {
            document::write(file, name, &printed)?;
        }
    }
    Ok(())
}

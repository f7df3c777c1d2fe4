//! Claims about market and economic figures against the imported data.
//!
//! Two sets: claims generated from the stored values by templates, half of them made false by a changed number, name, date
//! or direction; and claims written freely, each with the verdict that the data give. A claim counts as right only where
//! its verdict is the expected one.

mod generated;
mod written;

use std::collections::BTreeMap;

use analysis::claims::{FigureFinding, FigureServices, Verdict, check_figures};
use analysis::market::MarketServices;
use model::{DataMode, Timestamp};
use store::{Location, Store};

use crate::data::Data;
use crate::labels;
use crate::market_data;
use crate::table::{Table, figure};

/// The time at which every claim is asked about: after the newest of the data.
const NOW: &str = "2026-09-01T00:00:00Z";

/// Claims that are generated.
const GENERATED: usize = 1_000;

/// The market data of the folder.
pub(crate) fn run(data: &Data) -> anyhow::Result<Vec<Table>> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .worker_threads(2)
        .build()?;
    runtime.block_on(measure(data))
}

async fn measure(data: &Data) -> anyhow::Result<Vec<Table>> {
    let now: Timestamp = NOW.parse()?;
    let store = Store::open(&Location::Memory, DataMode::Real).await?;
    if market_data::import(data, &store, now).await? == 0 {
        data.note_absent("market data (`market/`, `macro/`, `wire/`)");
        return Ok(Vec::new());
    }
    let services = MarketServices::new(store);
    let figures = FigureServices::of(&services);
    let mut table = Table::new(
        "Claims about figures, checked against the imported market data",
        &[
            "set",
            "claims",
            "right",
            "wrong verdict",
            "not decided",
            "share right",
        ],
    );
    let claims = generated::claims(&services, now, GENERATED).await?;
    let mut counts = Counts {
        prints: true,
        ..Counts::default()
    };
    let mut by_kind: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for claim in &claims {
        let found = check_figures(&figures, &claim.text, None, now).await?;
        let expected = if claim.is_true {
            "supported"
        } else {
            "contradicted"
        };
        let before = counts.right;
        counts.add(Some(expected), found.as_ref(), &claim.text);
        let kind = by_kind.entry(claim.kind).or_default();
        kind[0] += 1;
        kind[1] += counts.right - before;
    }
    table.row(counts.row("generated"));
    let kinds = by_kind
        .iter()
        .map(|(kind, [all, right])| format!("{kind} {right}/{all}"));
    table.note(format!(
        "Generated, by kind: {}.",
        kinds.collect::<Vec<_>>().join(", ")
    ));
    let [
        press,
        copy,
        mixed,
        evaluator,
        checkers,
        assistants,
        investors,
        recaps,
    ] = [
        written::PRESS,
        written::COPY,
        written::MIXED,
        written::EVALUATOR,
        written::CHECKERS,
        written::ASSISTANTS,
        written::INVESTORS,
        written::RECAPS,
    ]
    .map(labels::halves);
    // What each is called, whether rules were mended on it, and whether its misses are looked at.
    for (name, file, is_mended, is_read) in [
        (
            "written freely, rules mended on them",
            written::WRITTEN,
            true,
            true,
        ),
        (
            "written from the documentation, then looked at",
            written::FREE,
            false,
            true,
        ),
        ("the same, looked at later", written::HELD_OUT, false, true),
        (
            "written later from the documentation, then looked at",
            written::DOCUMENTED,
            false,
            true,
        ),
        ("as the press writes, first half", press.0, false, true),
        ("as the press writes, second half", press.1, false, false),
        ("in newspapers and notes, first 160", copy.0, false, true),
        ("in newspapers and notes, last 60", copy.1, false, false),
        ("of four kinds of writers, first 80", mixed.0, false, true),
        ("of four kinds of writers, last 80", mixed.1, false, false),
        ("of an evaluator, first 75", evaluator.0, false, true),
        ("of an evaluator, last 75", evaluator.1, false, false),
        ("of fact checkers, first 100", checkers.0, false, true),
        ("of fact checkers, last 60", checkers.1, false, false),
        ("of assistants, first 100", assistants.0, false, true),
        ("of assistants, last 60", assistants.1, false, false),
        ("of investors, first 100", investors.0, false, true),
        ("of investors, last 60", investors.1, false, false),
        ("of newsletters, first 100", recaps.0, false, true),
        ("of newsletters, last 60", recaps.1, false, false),
        (
            "made to be misread, then looked at",
            written::TRAPS,
            false,
            true,
        ),
    ] {
        let mut counts = Counts {
            prints: is_read,
            ..Counts::default()
        };
        for claim in &written::claims(file) {
            let found = check_figures(&figures, claim.text, claim.as_of, now).await?;
            // What is not read as a claim about a figure is left to the news, which know nothing here.
            let expected = claim
                .expected
                .filter(|expected| is_mended || found.is_some() || *expected != "unverifiable");
            counts.add(expected, found.as_ref(), claim.text);
        }
        table.row(counts.row(name));
    }
    table.note(
        "Of the claims written freely, 134 were judged once before any rule was mended on them: 62 of 71 and 52 of 63 were right, \
         two decided wrongly, the rest left open. Of those written from the documentation 95 of 150 were right and 5 decided \
         wrongly before they were looked at.",
    );
    Ok(vec![table])
}

/// How many claims were decided how.
#[derive(Default)]
struct Counts {
    right: usize,
    wrong: usize,
    open: usize,
    /// Whether what is not right is printed; claims that nothing is mended on are not read.
    prints: bool,
}

impl Counts {
    fn add(&mut self, expected: Option<&str>, found: Option<&FigureFinding>, text: &str) {
        let word = found.map(|found| match found.verdict {
            Verdict::Supported => "supported",
            Verdict::Contradicted => "contradicted",
            Verdict::Unverifiable(_) => "unverifiable",
        });
        if word == expected {
            self.right += 1;
            return;
        }
        let statement = found.map_or("no claim about a figure", |found| found.statement.as_str());
        if self.prints {
            println!("expected {expected:?}, found {word:?}: {text}\n    {statement}");
        }
        if matches!(word, None | Some("unverifiable")) {
            self.open += 1;
        } else {
            self.wrong += 1;
        }
    }

    fn row(&self, name: &str) -> [String; 6] {
        let all = self.right + self.wrong + self.open;
        [
            name.to_owned(),
            all.to_string(),
            self.right.to_string(),
            self.wrong.to_string(),
            self.open.to_string(),
            figure(self.right as f64 / all.max(1) as f64),
        ]
    }
}

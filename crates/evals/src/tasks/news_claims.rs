//! Claims that were written from reading the real streams: true ones, ones made false, and ones that the streams cannot know.
//!
//! The claims are our own words about public events; the streams are read from the data folder and never stored here.

mod kinds;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::Path;

use analysis::verification::{ClaimQuery, Finding, verify_claim};
use anyhow::Context as _;
use tokio::runtime::Runtime;
use verify::claim::Claim;
use verify::stance::{FEATURES, Features, Reading};
use verify::verdict::Verdict;

use super::stance::Surest;
use crate::data::{self, Data};
use crate::diagram;
use crate::published::Published;
use crate::table::{Table, figure};

/// The rounds: of the first two the misses were looked at while rules were written; thresholds and the calibration were chosen
/// on the first three; nothing was chosen on the held-out one. The last one is of a reader who had seen neither rules nor
/// verdicts; its misses were looked at.
const ROUNDS: [(&str, &str); 5] = [
    (
        "first, looked at",
        include_str!("../../data/news_claims.tsv"),
    ),
    (
        "second, looked at",
        include_str!("../../data/news_claims_more.tsv"),
    ),
    (
        "third, only counted",
        include_str!("../../data/news_claims_unseen.tsv"),
    ),
    (
        "held out",
        include_str!("../../data/news_claims_held_out.tsv"),
    ),
    (
        "of a reader, looked at",
        include_str!("../../data/news_claims_reader.tsv"),
    ),
];
/// Confidences are compared with what is right in bins of this width.
const BINS: usize = 5;
const VERDICTS: [Verdict; 3] = [
    Verdict::Supported,
    Verdict::Contradicted,
    Verdict::Unverifiable,
];

struct Row {
    id: &'static str,
    label: Verdict,
    changed: &'static str,
    claim: &'static str,
    stream: &'static str,
}

/// A claim that was judged.
struct Judged {
    round: &'static str,
    row: Row,
    finding: Finding,
}

impl Judged {
    fn verdict(&self) -> Verdict {
        self.finding.assessment.verdict
    }

    fn is_right(&self) -> bool {
        self.verdict() == self.row.label
    }

    fn confidence(&self) -> f64 {
        self.finding.assessment.confidence
    }
}

/// The streams that claims were written from, published.
struct Streams {
    names: Vec<String>,
    runtime: Runtime,
    published: Published,
}

impl Streams {
    /// `None` where the data have none.
    fn of(data: &Data) -> anyhow::Result<Option<Self>> {
        let sets = data.sets(&data::STREAMS);
        if sets.is_empty() {
            return Ok(None);
        }
        let texts: Vec<String> = sets
            .iter()
            .map(crate::data::Set::text)
            .collect::<anyhow::Result<_>>()?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .worker_threads(2)
            .build()?;
        let published = runtime.block_on(Published::of(texts))?;
        Ok(Some(Self {
            names: sets.into_iter().map(|set| set.name.clone()).collect(),
            runtime,
            published,
        }))
    }

    fn has(&self, name: &str) -> bool {
        self.names.iter().any(|own| own == name)
    }

    fn look_at(&self, claim: &str) -> anyhow::Result<Finding> {
        let query = ClaimQuery {
            claim: Claim::parse(claim),
            categories: Vec::new(),
            as_of: None,
            now: self.published.end,
        };
        let Published { store, index, .. } = &self.published;
        Ok(self
            .runtime
            .block_on(verify_claim(store, index, &query, Vec::new()))?)
    }

    /// Judges the rounds whose streams are all there.
    fn judge(&self) -> anyhow::Result<Vec<Judged>> {
        let mut judged = Vec::new();
        for (round, file) in ROUNDS {
            let rows = rows(file)?;
            if !rows.iter().all(|row| self.has(row.stream)) {
                continue;
            }
            for row in rows {
                judged.push(Judged {
                    round,
                    finding: self.look_at(row.claim)?,
                    row,
                });
            }
        }
        Ok(judged)
    }
}

pub(crate) fn run(data: &Data) -> anyhow::Result<Vec<Table>> {
    let Some(streams) = Streams::of(data)? else {
        return Ok(Vec::new());
    };
    let judged = streams.judge()?;
    let mut table = Table::new(
        "Claims written from the real streams",
        &[
            "claims",
            "label",
            "count",
            "supported",
            "contradicted",
            "unverifiable",
            "right",
            "mean confidence",
        ],
    );
    for (name, _) in ROUNDS {
        let mut found: BTreeMap<&str, Vec<(Verdict, f64)>> = BTreeMap::new();
        for claim in judged.iter().filter(|claim| claim.round == name) {
            if !claim.is_right() && name.contains("looked at") {
                let Row {
                    id,
                    label,
                    changed,
                    claim: text,
                    ..
                } = claim.row;
                explain(
                    &format!("{id} {} ({changed})", label.as_str()),
                    text,
                    &claim.finding,
                );
            }
            found
                .entry(claim.row.label.as_str())
                .or_default()
                .push((claim.verdict(), claim.confidence()));
        }
        if found.is_empty() {
            continue;
        }
        for label in VERDICTS {
            let verdicts = found.remove(label.as_str()).unwrap_or_default();
            let count = |verdict| {
                verdicts
                    .iter()
                    .filter(|(found, _)| *found == verdict)
                    .count()
            };
            let confidence: f64 = verdicts.iter().map(|(_, confidence)| confidence).sum();
            let mut cells = vec![
                name.to_owned(),
                label.as_str().to_owned(),
                verdicts.len().to_string(),
            ];
            cells.extend(VERDICTS.map(|verdict| count(verdict).to_string()));
            cells.push(figure(count(label) as f64 / verdicts.len().max(1) as f64));
            cells.push(figure(confidence / verdicts.len().max(1) as f64));
            table.cells(cells);
        }
    }
    table.note(
        "Each claim is in words of its own; the false ones have a number, name, date, place, direction or negation changed. \
         `partially_supported` counts as none of the three.",
    );
    let mut tables = Vec::new();
    if !judged.is_empty() {
        tables.extend([table, calibration(&judged)]);
    }
    tables.extend(surest(&judged));
    tables.extend(kinds::table(&streams)?);
    Ok(tables)
}

/// How much is right where only the surest verdicts are given.
fn surest(judged: &[Judged]) -> Option<Table> {
    let mut surest = Surest::new(
        "Verdicts on claims from the streams, where only the surest are given",
        "claims",
    );
    for (name, _) in ROUNDS {
        let of: Vec<(f64, bool)> = judged
            .iter()
            .filter(|claim| claim.round == name)
            .map(|claim| (claim.confidence(), claim.is_right()))
            .collect();
        if !of.is_empty() {
            surest.add_sure(name, &of);
        }
    }
    surest.table()
}

/// How often verdicts of a confidence are right, over the rounds that nobody looked at and over the one on which nothing was
/// chosen.
fn calibration(judged: &[Judged]) -> Table {
    let mut table = Table::new(
        "Confidence of verdicts on claims from the streams",
        &[
            "claims",
            "verdicts",
            "count",
            "right",
            "mean confidence",
            "calibration error",
            "Brier score",
            "Brier score of the mean",
        ],
    );
    for (claims, rounds) in [
        (
            "third and held out",
            &["third, only counted", "held out"][..],
        ),
        ("held out", &["held out"]),
    ] {
        for (verdicts, wanted) in [
            ("supported", &[Verdict::Supported][..]),
            ("contradicted", &[Verdict::Contradicted]),
            ("all three", &VERDICTS),
        ] {
            let of: Vec<(f64, f64)> = judged
                .iter()
                .filter(|claim| rounds.contains(&claim.round) && wanted.contains(&claim.verdict()))
                .map(|claim| (claim.confidence(), f64::from(u8::from(claim.is_right()))))
                .collect();
            let count = of.len().max(1) as f64;
            let right = of.iter().map(|(_, right)| right).sum::<f64>() / count;
            let mean = of.iter().map(|(confidence, _)| confidence).sum::<f64>() / count;
            let error: f64 = (0..BINS)
                .map(|bin| {
                    let inside = |confidence: f64| {
                        ((confidence * BINS as f64) as usize).min(BINS - 1) == bin
                    };
                    of.iter()
                        .filter(|(confidence, _)| inside(*confidence))
                        .map(|(confidence, right)| confidence - right)
                        .sum::<f64>()
                        .abs()
                })
                .sum::<f64>()
                / count;
            let squares = |guess: &dyn Fn(f64) -> f64| {
                of.iter()
                    .map(|(confidence, right)| (guess(*confidence) - right).powi(2))
                    .sum::<f64>()
                    / count
            };
            table.cells(vec![
                claims.to_owned(),
                verdicts.to_owned(),
                of.len().to_string(),
                figure(right),
                figure(mean),
                figure(error),
                figure(squares(&|confidence| confidence)),
                figure(squares(&|_| right)),
            ]);
        }
    }
    table.note("Right means that the verdict is the label. The calibration error is the mean distance of confidence and share right in five bins.");
    table
}

/// Draws how often verdicts of each confidence are right as SVG, over the rounds whose misses nobody looked at (on the third of them numbers
/// were fitted).
pub(crate) fn write_reliability(data: &Data, file: &Path) -> anyhow::Result<()> {
    let judged = match Streams::of(data)? {
        Some(streams) => streams.judge()?,
        None => Vec::new(),
    };
    let of: Vec<(f64, f64)> = judged
        .iter()
        .filter(|claim| !claim.round.contains("looked at"))
        // What is no claim has no confidence.
        .filter(|claim| claim.confidence() > 0.0)
        .map(|claim| (claim.confidence(), f64::from(u8::from(claim.is_right()))))
        .collect();
    anyhow::ensure!(
        !of.is_empty(),
        "the streams of the claims are not in the data"
    );
    fs::write(file, diagram::reliability(&of)).with_context(|| file.display().to_string())
}

/// Writes what is measured of the claims of a file and the passages that the streams have for them: claim, label, what was
/// changed, origin, trust, words and features.
pub(crate) fn write_features(data: &Data, claims: &Path, file: &Path) -> anyhow::Result<()> {
    let text = fs::read_to_string(claims).with_context(|| claims.display().to_string())?;
    let rows = rows(Box::leak(text.into_boxed_str()))?;
    let streams = Streams::of(data)?.context("the data have no streams")?;
    let created = File::create(file).with_context(|| file.display().to_string())?;
    let mut out = BufWriter::new(created);
    writeln!(
        out,
        "claim\tlabel\tchanged\tshown\torigin\ttrust\ttext\t{}",
        FEATURES.join("\t")
    )?;
    for row in &rows {
        let finding = streams.look_at(row.claim)?;
        let claim = Reading::of_claim(row.claim);
        let shown = finding.passages();
        if shown.is_empty() {
            writeln!(
                out,
                "{}\t{}\t{}\tnothing",
                row.id,
                row.label.as_str(),
                row.changed
            )?;
        }
        for passage in shown {
            let read = Reading::of_passage(&passage.title, &passage.text, passage.published_at);
            write!(
                out,
                "{}\t{}\t{}\tarticle\t{}\t{:?}\t{}",
                row.id,
                row.label.as_str(),
                row.changed,
                passage.origin,
                passage.trust,
                format!("{} | {}", passage.title, passage.text).replace(['\t', '\n', '\r'], " ")
            )?;
            for value in Features::of(&claim, &read).values() {
                write!(out, "\t{value}")?;
            }
            writeln!(out)?;
        }
    }
    out.flush()?;
    println!("{} claims", rows.len());
    Ok(())
}

fn explain(label: &str, claim: &str, finding: &Finding) {
    println!(
        "{label} found {}: {claim}",
        finding.assessment.verdict.as_str()
    );
    if let Some(reason) = finding.claim.unchecked {
        println!("    {reason:?}");
    }
    for evidence in finding.evidence.iter().take(3) {
        let stance = &evidence.stance;
        println!(
            "    +{:.2} -{:.2} {} | {} | {}",
            stance.supports,
            stance.contradicts,
            evidence.passage.name,
            evidence.passage.title,
            evidence.passage.text.chars().take(140).collect::<String>()
        );
    }
}

fn rows(file: &'static str) -> anyhow::Result<Vec<Row>> {
    file.lines()
        .skip(1)
        .filter(|line| !line.is_empty())
        .map(|line| {
            let cells: Vec<&'static str> = line.split('\t').collect();
            let [id, label, changed, claim, stream, ..] = cells[..] else {
                anyhow::bail!("a claim has too few cells: {line}");
            };
            let label = Verdict::parse(label).with_context(|| format!("label {label:?}"))?;
            Ok(Row {
                id,
                label,
                changed,
                claim,
                stream,
            })
        })
        .collect()
}

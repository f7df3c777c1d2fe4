//! What five readings come to, and where they disagree.
//!
//! The whole is the mean of the readings, each weighted by its confidence; its confidence is their mean confidence, less where
//! they take opposite sides.

use super::document::{Block, Section, Sentence, Stance, Verdict};
use super::facts::Facts;
use super::finding::{Finding, Reading, Topic, stance, strongest};
use super::summary::{action, heaviest};
use super::words::{capital, count, list};

/// Score and verdict of all readings together.
pub(super) fn weigh(facts: &Facts, readings: &[Reading]) -> (f64, Verdict) {
    let readings: Vec<&Reading> = readings.iter().filter(|one| !one.is_silent()).collect();
    let weight: f64 = readings.iter().map(|one| one.confidence).sum();
    let score = if weight > 0.0 {
        readings
            .iter()
            .map(|one| one.score * one.confidence)
            .sum::<f64>()
            / weight
    } else {
        0.0
    };
    let mean = weight / readings.len().max(1) as f64;
    let of = |side: Stance| readings.iter().filter(|one| one.stance == side).count();
    let split = of(Stance::Bullish).min(of(Stance::Bearish)) as f64;
    let signal = facts
        .of("analysis")
        .at("trade_signal")
        .and_then(|signal| Some((signal.text("action")?.to_owned(), signal.whole("score")?)));
    let verdict = Verdict {
        stance: stance(score),
        signal,
        // A sum of nothing is a negative zero.
        confidence: (mean * (1.0 - 0.2 * split).max(0.4)).max(0.0) + 0.0,
    };
    (score, verdict)
}

/// The opening of a longer report.
pub(super) fn in_short(facts: &Facts, readings: &[Reading]) -> Section {
    let (_, verdict) = weigh(facts, readings);
    let mut sentences = vec![Sentence::from(super::summary::identity(facts))];
    if let Some(stale) = super::price::stale(facts) {
        sentences.push(stale.into());
    }
    sentences.extend(super::summary::arguments(
        &all_findings(readings),
        verdict.stance != Stance::Bearish,
    ));
    Section {
        title: "In short".to_owned(),
        verdict: None,
        blocks: Block::paragraph(sentences).into_iter().collect(),
    }
}

pub(super) fn all_findings(readings: &[Reading]) -> Vec<Finding> {
    readings
        .iter()
        .flat_map(|reading| reading.findings.iter().cloned())
        .collect()
}

fn title(name: &str) -> &str {
    match name {
        "fundamental" => "fundamentals",
        "technical" => "the chart",
        "sentiment" => "sentiment",
        "news" => "the news",
        _ => "the economy",
    }
}

/// Where the readings disagree, and what follows.
pub(super) fn read(facts: &Facts, readings: &[Reading]) -> Section {
    let (_, verdict) = weigh(facts, readings);
    let mut sentences: Vec<Sentence> = Vec::new();
    let side = |stance: Stance| -> Vec<&Reading> {
        readings
            .iter()
            .filter(|one| !one.is_silent() && one.stance == stance)
            .collect()
    };
    let (bulls, bears, neither) = (
        side(Stance::Bullish),
        side(Stance::Bearish),
        side(Stance::Neutral),
    );
    let names = |these: &[&Reading]| {
        list(
            &these
                .iter()
                .map(|one| title(&one.name).to_owned())
                .collect::<Vec<_>>(),
        )
    };
    match (strongest_of(&bulls), strongest_of(&bears)) {
        (Some(bull), Some(bear)) => {
            let because = |reading: &Reading| {
                strongest(&reading.findings, reading.score > 0.0, 1)
                    .first()
                    .map_or_else(String::new, |one| format!(" because {}", one.clause))
            };
            sentences.push(
                format!(
                    "{} {} for it{}, {} against it{}.",
                    capital(&names(&bulls)),
                    if bulls.len() == 1 && bulls[0].name != "fundamental" {
                        "speaks"
                    } else {
                        "speak"
                    },
                    because(bull),
                    names(&bears),
                    because(bear)
                )
                .into(),
            );
        }
        (Some(bull), None) => sentences.push(one_sided(&bulls, &neither, bull, true).into()),
        (None, Some(bear)) => sentences.push(one_sided(&bears, &neither, bear, false).into()),
        (None, None) if neither.is_empty() => {
            sentences.push(
                "There is too little on record for any of the five to take a side."
                    .to_owned()
                    .into(),
            );
        }
        (None, None) => {
            let best = readings
                .iter()
                .max_by(|left, right| left.score.abs().total_cmp(&right.score.abs()));
            let nearest = best.map_or_else(String::new, |best| {
                let reason = strongest(&best.findings, best.score > 0.0, 1)
                    .first()
                    .map_or_else(String::new, |one| format!(", where {}", one.clause));
                format!(
                    ", and the nearest to one is found in {}{reason}",
                    title(&best.name)
                )
            });
            sentences
                .push(format!("None of the five finds enough to take a side{nearest}.").into());
        }
    }
    // Within one reading, where both sides are strong.
    let torn = readings.iter().filter_map(|reading| {
        let (good, bad) = (
            strongest(&reading.findings, true, 1),
            strongest(&reading.findings, false, 1),
        );
        let (good, bad): (Finding, Finding) = ((*good.first()?).clone(), (*bad.first()?).clone());
        Some((reading, good.lean.min(-bad.lean), good, bad))
    });
    if let Some((reading, size, good, bad)) = torn.max_by(|left, right| left.1.total_cmp(&right.1))
        && size > 0.3
    {
        sentences.push(
            format!(
                "{} {} divided within, since {} while {}.",
                capital(title(&reading.name)),
                if reading.name == "fundamental" {
                    "are"
                } else {
                    "is"
                },
                good.clause,
                bad.clause
            )
            .into(),
        );
    }
    sentences.extend(beside_signal(facts, readings, &verdict));
    sentences.extend(change_of_mind(facts, verdict.stance).map(Sentence::from));
    let rows = readings.iter().map(|one| {
        let lead = strongest(&one.findings, one.score >= 0.0, 1)
            .first()
            .map_or_else(
                || "nothing of weight".to_owned(),
                |found| found.short().to_owned(),
            );
        if one.is_silent() {
            return vec![
                capital(&one.name),
                "no data".to_owned(),
                "–".to_owned(),
                "–".to_owned(),
                "–".to_owned(),
            ];
        }
        vec![
            capital(&one.name),
            one.stance.as_str().to_owned(),
            score_of(one.score),
            format!("{:.0}%", one.confidence * 100.0),
            lead,
        ]
    });
    let table = Block::Table {
        caption: "The five readings".to_owned(),
        head: ["Analyst", "Stance", "Score", "Confidence", "Above all"]
            .map(str::to_owned)
            .to_vec(),
        rows: rows.collect(),
    };
    Section {
        title: "Where they disagree".to_owned(),
        verdict: None,
        blocks: Block::paragraph(sentences)
            .into_iter()
            .chain([table])
            .collect(),
    }
}

/// The service's own signal, where it takes another side than these readings.
fn beside_signal(facts: &Facts, readings: &[Reading], verdict: &Verdict) -> Option<Sentence> {
    let (word, points) = verdict.signal.as_ref()?;
    let theirs = match word.as_str() {
        "strong_buy" | "lean_buy" => Stance::Bullish,
        "strong_sell" | "lean_sell" => Stance::Bearish,
        _ => Stance::Neutral,
    };
    if theirs == verdict.stance {
        return None;
    }
    let part = heaviest(facts).map_or_else(String::new, |part| format!(" for {part}"));
    // The signal counts trend, momentum and sentiment, and nothing else.
    let beyond = |one: &&Finding| {
        !matches!(
            one.topic,
            Topic::Trend | Topic::Momentum | Topic::Mood | Topic::Coverage
        )
    };
    let all = all_findings(readings);
    let most = all
        .iter()
        .filter(beyond)
        .max_by(|left, right| left.lean.abs().total_cmp(&right.lean.abs()))
        .map_or_else(String::new, |one| {
            format!(", above all that {}", one.clause)
        });
    Some(
        format!(
            "The service's own signal is {} ({points} of 100){part}, where these readings come to {} because they count more than price and sentiment{most}.",
            action(word),
            verdict.stance.as_str()
        )
        .into(),
    )
}

fn score_of(score: f64) -> String {
    let shown = format!("{:+.2}", if score.abs() < 0.005 { 0.0 } else { score });
    shown.replace('-', "−")
}

/// The reading that takes its side with most weight.
fn strongest_of<'a>(these: &[&'a Reading]) -> Option<&'a Reading> {
    let weight = |one: &Reading| one.score.abs() * one.confidence;
    these
        .iter()
        .copied()
        .max_by(|left, right| weight(left).total_cmp(&weight(right)))
}

fn one_sided(
    side: &[&Reading],
    neither: &[&Reading],
    strongest_one: &Reading,
    bullish: bool,
) -> String {
    let reason = strongest(&strongest_one.findings, bullish, 1)
        .first()
        .map_or_else(String::new, |one| format!(", because {}", one.clause));
    let word = if bullish { "positive" } else { "negative" };
    let these = list(
        &side
            .iter()
            .map(|one| title(&one.name).to_owned())
            .collect::<Vec<_>>(),
    );
    let rest = list(
        &neither
            .iter()
            .map(|one| title(&one.name).to_owned())
            .collect::<Vec<_>>(),
    );
    match (side.len(), neither.len()) {
        (all, 0) => format!(
            "All {} that have data are {word}, {} most of all{reason}.",
            count(all),
            title(&strongest_one.name)
        ),
        (1, _) => format!(
            "Only {these} {} a side, a {word} one{reason}.",
            if strongest_one.name == "fundamental" {
                "take"
            } else {
                "takes"
            }
        ),
        (_, _) => format!(
            "No reading contradicts another outright: {these} are {word}, {} most of all{reason}, and {rest} undecided.",
            title(&strongest_one.name)
        ),
    }
}

/// What would turn it.
fn change_of_mind(facts: &Facts, stance: Stance) -> Option<String> {
    let latest = facts.of("technicals").at("latest")?;
    let (last, mean) = (
        facts.series.last()?.close,
        latest
            .number("sma_200")
            .or_else(|| latest.number("sma_50"))?,
    );
    let above = last > mean;
    let level = facts.price(mean);
    let next = facts
        .of("earnings")
        .text("earnings_date")
        .map(super::words::date);
    let report = next.map_or_else(String::new, |on| {
        format!(", or by figures on {on} that miss what is expected")
    });
    let surprise = facts
        .of("earnings")
        .text("earnings_date")
        .map(super::words::date)
        .map_or_else(String::new, |on| {
            format!(", or by figures on {on} that beat what is expected")
        });
    let gap = super::words::pct((mean / last - 1.0) * 100.0);
    Some(match (stance, above) {
        (Stance::Bullish, true) => format!(
            "This view would be refuted by a close below {level}, the long average {gap} below the price{report}."
        ),
        (Stance::Bullish, false) => format!(
            "The chart has yet to confirm this view with a close above {level}, {gap} higher{}.",
            if report.is_empty() {
                ""
            } else {
                ", and disappointing figures would end it"
            }
        ),
        (Stance::Bearish, false) => format!(
            "This view would be refuted by a close above {level}, the long average {gap} above the price{surprise}."
        ),
        (Stance::Bearish, true) => format!(
            "The chart does not share this view as long as the price stays above {level}, {gap} lower."
        ),
        // A neutral view is tipped by whatever comes first.
        (Stance::Neutral, _) => return None,
    })
}

//! What the five readings add up to, and where they disagree.
//!
//! The overall score is the mean of the readings, each weighted by its confidence; its confidence is their mean
//! confidence, reduced if they take opposite sides.

use super::document::{Block, Section, Sentence, Stance, Verdict};
use super::facts::Facts;
use super::finding::{Finding, Reading, Topic, stance, strongest};
use super::summary::{action, heaviest};
use super::words::{capital, count, list};

/// The share of the confidence that remains if the newest price is old.
pub(super) const OLD_PRICE: f64 = 0.25;

/// The score and verdict of all readings together.
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
    // A price from long ago is not a view on today.
    let (score, fresh) = if facts.has_old_price() {
        (0.0, OLD_PRICE)
    } else {
        (score, 1.0)
    };
    let verdict = Verdict {
        stance: stance(score),
        signal,
        // An empty sum is a negative zero.
        confidence: (mean * (1.0 - 0.2 * split).max(0.4) * fresh).max(0.0) + 0.0,
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

/// Where the readings disagree, and what follows from that.
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
    let told = told_before(readings);
    match (strongest_of(&bulls), strongest_of(&bears)) {
        (Some(bull), Some(bear)) => {
            let because = |reading: &Reading| match reason(reading, reading.score > 0.0, &told) {
                Some(Reason::New(one)) => format!(" because {}", one.clause),
                Some(Reason::Told(one)) => format!(" for {}", one.short()),
                None => String::new(),
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
        (Some(bull), None) => sentences.push(one_sided(&bulls, &neither, bull, &told).into()),
        (None, Some(bear)) => sentences.push(one_sided(&bears, &neither, bear, &told).into()),
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
                let reason = match reason(best, best.score > 0.0, &told) {
                    Some(Reason::New(one)) => format!(", where {}", one.clause),
                    Some(Reason::Told(one)) => format!(", by {}", one.short()),
                    None => String::new(),
                };
                format!(
                    ", and the nearest to one is found in {}{reason}",
                    title(&best.name)
                )
            });
            sentences
                .push(format!("None of the five finds enough to take a side{nearest}.").into());
        }
    }
    // Within a single reading, if both sides are strong.
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
        // What has already been said is not repeated.
        && !(told.contains(&good.clause) && told.contains(&bad.clause))
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
            .chain(change_of_mind(facts, verdict.stance))
            .chain([table])
            .collect(),
    }
}

/// The service's own signal, if it takes a different side from these readings.
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

/// The reading that takes its side with the most weight.
fn strongest_of<'a>(these: &[&'a Reading]) -> Option<&'a Reading> {
    let weight = |one: &Reading| one.score.abs() * one.confidence;
    these
        .iter()
        .copied()
        .max_by(|left, right| weight(left).total_cmp(&weight(right)))
}

/// The clauses with which the report opens.
fn told_before(readings: &[Reading]) -> Vec<String> {
    let all = all_findings(readings);
    let side = |bullish: bool| strongest(&all, bullish, super::summary::ARGUMENTS);
    let both = side(true).into_iter().chain(side(false));
    both.map(|one| one.clause.clone()).collect()
}

/// Why a reading takes its side.
enum Reason<'a> {
    /// In a clause that the report has not said yet.
    New(&'a Finding),
    /// In a few words, because the opening already says it.
    Told(&'a Finding),
}

/// The strongest reason of a reading that has not been given yet, otherwise its strongest.
fn reason<'a>(reading: &'a Reading, bullish: bool, told: &[String]) -> Option<Reason<'a>> {
    let all = strongest(&reading.findings, bullish, usize::MAX);
    let new = all.iter().find(|one| !told.contains(&one.clause));
    new.copied()
        .map(Reason::New)
        .or_else(|| all.first().copied().map(Reason::Told))
}

fn one_sided(
    side: &[&Reading],
    neither: &[&Reading],
    strongest_one: &Reading,
    told: &[String],
) -> String {
    let bullish = strongest_one.score > 0.0;
    let reason = match reason(strongest_one, bullish, told) {
        Some(Reason::New(one)) => format!(", because {}", one.clause),
        Some(Reason::Told(one)) => format!(", for {}", one.short()),
        None => String::new(),
    };
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

/// What would refute a view, or what it still lacks: levels and days are figures for a table, not points that stand
/// out.
fn change_of_mind(facts: &Facts, stance: Stance) -> Option<Block> {
    let latest = facts.of("technicals").at("latest")?;
    let (last, mean) = (
        facts.series.last()?.close,
        latest
            .number("sma_200")
            .or_else(|| latest.number("sma_50"))?,
    );
    let above = last > mean;
    let way = super::words::signed((mean / last - 1.0) * 100.0);
    let (caption, close, figures) = match (stance, above) {
        (Stance::Bullish, true) => (REFUTE, "A close below its long average", Some("miss")),
        (Stance::Bullish, false) => (LACKS, "A close above its long average", None),
        (Stance::Bearish, false) => (REFUTE, "A close above its long average", Some("beat")),
        (Stance::Bearish, true) => (LACKS, "A close below its long average", None),
        // A neutral view is tipped by whatever comes first.
        (Stance::Neutral, _) => return None,
    };
    let mut rows = vec![vec![
        close.to_owned(),
        facts.price(mean),
        format!("{way} from the price"),
    ]];
    let next = facts.of("earnings").text("earnings_date");
    rows.extend(next.zip(figures).map(|(on, figures)| {
        vec![
            format!("Figures that {figures} what is expected"),
            super::words::date(on),
            "–".to_owned(),
        ]
    }));
    Some(Block::Table {
        caption: caption.to_owned(),
        head: ["What", "Where or when", "How far"]
            .map(str::to_owned)
            .to_vec(),
        rows,
    })
}

const REFUTE: &str = "What would refute this view";
const LACKS: &str = "What this view still lacks";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reports::finding::Draft;

    #[test]
    fn what_the_opening_says_is_no_reason_a_second_time() {
        let mut draft = Draft::default();
        draft.asks(true);
        draft.find(Topic::Trend, 0.8, "it is far above its average");
        draft.find(Topic::Relative, 0.5, "it beats the market");
        draft.find(Topic::Volume, 0.3, "rising days draw more volume");
        let reading = draft.finish("technical", "Technical analysis");
        let told = told_before(std::slice::from_ref(&reading));
        let text = one_sided(&[&reading], &[&reading, &reading], &reading, &told);
        assert_eq!(
            text,
            "Only the chart takes a side, a positive one, because rising days draw more volume."
        );
        let all: Vec<String> = reading
            .findings
            .iter()
            .map(|one| one.clause.clone())
            .collect();
        let text = one_sided(&[&reading], &[&reading, &reading], &reading, &all);
        assert_eq!(
            text,
            "Only the chart takes a side, a positive one, for the long trend."
        );
    }
}

//! Whether briefs that were later corrected had less confidence than those that were not.

use std::collections::BTreeMap;

use model::{Brief, BriefId, BriefSource, OutletTable, PublicBriefId, Timestamp};
use text::compose::{Composition, Member, compose};
use text::stories::Tuning;
use uuid::Uuid;

use crate::articles::{self, Streamed};
use crate::data::Data;
use crate::news::shipped_outlets;
use crate::placement;
use crate::random::Random;
use crate::seen;
use crate::table::{Table, figure};

/// One revision that another article was added to.
struct Revision {
    confidence: f64,
    parts: [f64; 4],
    sources: u32,
    /// Whether the next article took a key fact back.
    corrected: bool,
}

/// The real streams are replayed; a revision is compared with revisions of as many sources that were updated too.
pub(crate) fn run(data: &Data) -> anyhow::Result<Vec<Table>> {
    let (mut revisions, mut marks) = (Vec::new(), Vec::new());
    let outlets = shipped_outlets();
    for stream in articles::streams(data, "confidence")? {
        revisions.extend(replay(&stream.articles, &outlets));
        marks.push(stream.seen);
    }
    if revisions.is_empty() {
        return Ok(Vec::new());
    }
    let seen = seen::strongest(&marks);
    Ok(vec![order(&revisions, seen), quantiles(&revisions, seen)])
}

/// `outlets` is the table that ships with the service, so that confidence is what a reader would see.
fn replay(stream: &[Streamed], outlets: &OutletTable) -> Vec<Revision> {
    let articles = stream.iter().map(Streamed::compared);
    let placed = placement::place(articles, &Tuning::default());
    let mut stories: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (number, placed) in placed.iter().enumerate() {
        stories.entry(placed.story).or_default().push(number);
    }
    let mut revisions = Vec::new();
    for numbers in stories.values().filter(|numbers| numbers.len() > 1) {
        let members: Vec<Member<'_>> = numbers
            .iter()
            .map(|number| Member {
                article: &stream[*number].article,
                annotations: &stream[*number].annotations,
                outlet: outlets
                    .name(&stream[*number].article.domain)
                    .unwrap_or(&stream[*number].article.outlet),
                trust: outlets.trust(&stream[*number].article.domain),
                copy_of: placed[*number]
                    .copy_of
                    .and_then(|original| numbers.iter().position(|member| *member == original)),
            })
            .collect();
        let mut previous: Option<Brief> = None;
        for count in 1..=members.len().min(40) {
            let composition = compose(&members[..count], previous.as_ref());
            if let Some(before) = &previous {
                let parts = &before.confidence;
                revisions.push(Revision {
                    confidence: parts.score.get(),
                    parts: [
                        parts.corroboration,
                        parts.source_trust,
                        parts.agreement,
                        parts.freshness,
                    ]
                    .map(model::Score::get),
                    sources: before.source_count,
                    corrected: composition.corrects_previous,
                });
            }
            previous = Some(brief(composition, &members[..count]));
        }
    }
    revisions
}

fn brief(composition: Composition, members: &[Member<'_>]) -> Brief {
    let sources = members.iter().map(|member| BriefSource {
        article_id: member.article.id,
        name: member.article.outlet.clone(),
        url: member.article.url.clone(),
        domain: member.article.domain.clone(),
        trust_level: member.trust,
        title: member.article.title.clone(),
        published_at: member.article.published_at,
        known_at: member.article.known_at,
        copy_of: member.copy_of.map(|at| at as u32),
        via: None,
    });
    Brief {
        id: BriefId(Uuid::nil()),
        public_id: PublicBriefId::new(Timestamp::default(), 1),
        revision: members.len() as u32,
        sources: sources.collect(),
        published_at: Timestamp::default(),
        updated_at: Timestamp::default(),
        update_count: members.len() as u32 - 1,
        simulated: false,
        split: model::Split::default(),
        merged: model::Merged::default(),
        headline: composition.headline,
        summary: composition.summary,
        body: composition.body,
        sentences: composition.sentences,
        category: composition.category,
        confidence: composition.confidence,
        bias: composition.bias,
        counter_argument: composition.counter_argument,
        source_count: composition.source_count,
        sentiment: composition.sentiment,
        tags: composition.tags,
        entities: composition.entities,
        events: composition.events,
        data_points: composition.data_points,
        contradictions: composition.contradictions,
        language: composition.language,
    }
}

/// Groups of revisions with as many sources.
const GROUPS: [(&str, u32, u32); 4] = [
    ("1", 1, 1),
    ("2", 2, 2),
    ("3", 3, 3),
    ("4 and more", 4, u32::MAX),
];

fn order(revisions: &[Revision], seen: &str) -> Table {
    let mut table = Table::new(
        "Confidence of revisions that the next article corrected, against those that it did not",
        &[
            "independent sources",
            "seen",
            "revisions",
            "corrected",
            "mean confidence, corrected",
            "mean confidence, not corrected",
            "AUC (95 %)",
            "AUC of agreement",
            "of trust",
            "of freshness",
        ],
    );
    let mut row = |name: &str, group: Vec<&Revision>| {
        let (corrected, kept): (Vec<&Revision>, Vec<&Revision>) =
            group.iter().partition(|revision| revision.corrected);
        let mean = |group: &[&Revision]| {
            if group.is_empty() {
                return "–".to_owned();
            }
            figure(group.iter().map(|one| one.confidence).sum::<f64>() / group.len().max(1) as f64)
        };
        let of = |value: fn(&Revision) -> f64| {
            let values =
                |group: &[&Revision]| -> Vec<f64> { group.iter().map(|one| value(one)).collect() };
            (values(&kept), values(&corrected))
        };
        let (right, wrong) = of(|one| one.confidence);
        let (low, high) = spread(&right, &wrong);
        let part = |value: fn(&Revision) -> f64| {
            let (right, wrong) = of(value);
            if wrong.is_empty() {
                return "–".to_owned();
            }
            figure(auc(&right, &wrong))
        };
        table.row([
            name.to_owned(),
            seen.to_owned(),
            group.len().to_string(),
            corrected.len().to_string(),
            mean(&corrected),
            mean(&kept),
            if wrong.is_empty() {
                "–".to_owned()
            } else {
                format!("{} ({low:.2}–{high:.2})", figure(auc(&right, &wrong)))
            },
            part(|one| one.parts[2]),
            part(|one| one.parts[1]),
            part(|one| one.parts[3]),
        ]);
    };
    for (name, least, most) in GROUPS {
        let group = revisions
            .iter()
            .filter(|one| (least..=most).contains(&one.sources));
        row(name, group.collect());
    }
    row("all", revisions.iter().collect());
    table.note(
        "AUC: how often a revision that stood had more confidence than one that was corrected; 0.5 is chance. The interval \
         comes from drawing the revisions again 200 times. Only revisions to which an article was added can be corrected, \
         so only these are compared.",
    );
    table
}

fn quantiles(revisions: &[Revision], seen: &str) -> Table {
    let mut sorted: Vec<&Revision> = revisions.iter().collect();
    sorted.sort_by(|left, right| left.confidence.total_cmp(&right.confidence));
    let mut table = Table::new(
        "Corrections by fifths of confidence",
        &[
            "fifth",
            "seen",
            "confidence",
            "revisions",
            "corrected",
            "share",
        ],
    );
    for fifth in 0..5 {
        let part = &sorted[sorted.len() * fifth / 5..sorted.len() * (fifth + 1) / 5];
        let (Some(first), Some(last)) = (part.first(), part.last()) else {
            continue;
        };
        let corrected = part.iter().filter(|one| one.corrected).count();
        table.row([
            (fifth + 1).to_string(),
            seen.to_owned(),
            format!("{:.2}–{:.2}", first.confidence, last.confidence),
            part.len().to_string(),
            corrected.to_string(),
            figure(corrected as f64 / part.len() as f64),
        ]);
    }
    table
}

/// How often a value of the first kind is larger than one of the second; ties count half.
fn auc(right: &[f64], wrong: &[f64]) -> f64 {
    if right.is_empty() || wrong.is_empty() {
        return 0.5;
    }
    let mut sorted = right.to_vec();
    sorted.sort_by(f64::total_cmp);
    let sum: f64 = wrong
        .iter()
        .map(|value| {
            let below = sorted.partition_point(|other| other < value);
            let up_to = sorted.partition_point(|other| other <= value);
            (sorted.len() - up_to) as f64 + (up_to - below) as f64 / 2.0
        })
        .sum();
    sum / (right.len() * wrong.len()) as f64
}

/// The middle 95 % of the AUC of samples drawn with replacement.
fn spread(right: &[f64], wrong: &[f64]) -> (f64, f64) {
    if right.is_empty() || wrong.is_empty() {
        return (0.0, 1.0);
    }
    let mut random = Random::seeded(1);
    let mut draw = |values: &[f64]| -> Vec<f64> {
        values
            .iter()
            .map(|_| values[random.below(values.len())])
            .collect()
    };
    let mut found: Vec<f64> = (0..200).map(|_| auc(&draw(right), &draw(wrong))).collect();
    found.sort_by(f64::total_cmp);
    (found[4], found[195])
}

#[cfg(test)]
mod tests {
    use super::auc;

    #[test]
    fn auc_counts_ties_half() {
        assert_eq!(auc(&[0.9, 0.8], &[0.1]), 1.0);
        assert_eq!(auc(&[0.9, 0.1], &[0.5]), 0.5);
        assert_eq!(auc(&[0.5], &[0.5]), 0.5);
    }
}

//! What an analyst finds, and how findings become a reading.
//!
//! A finding leans from −1 (against) to 1 (in favour). The score of a reading is the mean of its leans: from 0.15
//! upwards it is bullish, from −0.15 downwards bearish. Its confidence is the share of its questions that had data,
//! times 0.4 plus 0.6 of how far the leans agree: their sum over the sum of their sizes. With fewer than three
//! findings, or with fewer than five briefs if it is based on them, it is reduced in proportion.

use serde::{Deserialize, Serialize};

use super::document::{Block, Section, Sentence, Stance, Verdict};

/// From this score on, a reading takes a side.
const SIDE: f64 = 0.15;
/// With fewer findings a reading is less certain: that a single finding agrees with itself means nothing.
const ENOUGH: f64 = 3.0;
/// A lean below this is not an argument.
pub(super) const ARGUMENT: f64 = 0.12;

/// The topic of a finding: a rebuttal first looks for an answer within it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Topic {
    Trend,
    Momentum,
    Relative,
    Volume,
    Valuation,
    Business,
    Balance,
    /// The return of a fund or coin.
    Return,
    /// How much of its deepest fall a fund has recovered.
    Recovery,
    /// How far a coin is from its record high.
    Record,
    Street,
    Insiders,
    Mood,
    Coverage,
    Reaction,
    Rates,
    Market,
}

/// One argument.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Finding {
    pub(super) topic: Topic,
    /// −1 to 1.
    pub(super) lean: f64,
    /// A clause with its figures, without an initial capital or a full stop.
    pub(super) clause: String,
}

/// The verdict of one analyst.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Reading {
    /// Such as `fundamental`.
    pub(super) name: String,
    pub(super) section: Section,
    pub(super) findings: Vec<Finding>,
    pub(super) score: f64,
    pub(super) stance: Stance,
    pub(super) confidence: f64,
}

impl Reading {
    /// Whether none of its questions had data: in that case it abstains.
    pub(super) fn is_silent(&self) -> bool {
        self.findings.is_empty() && self.confidence == 0.0
    }
}

impl Finding {
    /// Its verdict in a few words, without figures.
    pub(super) fn short(&self) -> &'static str {
        match (self.topic, self.lean > 0.0) {
            (Topic::Trend, true) => "the long trend",
            (Topic::Trend, false) => "the broken trend",
            (Topic::Momentum, true) => "momentum on its side",
            (Topic::Momentum, false) => "failing momentum",
            (Topic::Relative, true) => "its lead on the market",
            (Topic::Relative, false) => "its lag behind the market",
            (Topic::Volume, true) => "volume on rising days",
            (Topic::Volume, false) => "volume on falling days",
            (Topic::Valuation, true) => "a modest price",
            (Topic::Valuation, false) => "a high price",
            (Topic::Business, true) => "a profitable business",
            (Topic::Business, false) => "a weak business",
            (Topic::Balance, true) => "a sound balance sheet",
            (Topic::Balance, false) => "its debts",
            (Topic::Return, true) => "what it returned",
            (Topic::Return, false) => "what it lost",
            (Topic::Recovery, true) => "its recovery from its deepest fall",
            (Topic::Recovery, false) => "a fall that it has not made up",
            (Topic::Record, true) => "how near it is to its record",
            (Topic::Record, false) => "how far it is from its record",
            (Topic::Street, true) => "the analysts' targets",
            (Topic::Street, false) => "targets below the price",
            (Topic::Insiders, true) => "insiders who buy",
            (Topic::Insiders, false) => "insiders who sell",
            (Topic::Mood, true) => "friendly coverage",
            (Topic::Mood, false) => "hostile coverage",
            (Topic::Coverage, true) => "brightening coverage",
            (Topic::Coverage, false) => "darkening coverage",
            (Topic::Reaction, true) => "the welcome its news gets",
            (Topic::Reaction, false) => "how its news is taken",
            (Topic::Rates, true) => "where rates go",
            (Topic::Rates, false) => "the course of rates",
            (Topic::Market, true) => "the market behind it",
            (Topic::Market, false) => "the market around it",
        }
    }
}

/// A reading while it is being written.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) blocks: Vec<Block>,
    pub(super) sentences: Vec<Sentence>,
    pub(super) findings: Vec<Finding>,
    asked: u32,
    answered: u32,
    /// How much there was to read, 0 to 1; 1 unless specified.
    pub(super) depth: Option<f64>,
}

impl Draft {
    /// A question that this analyst asks, and whether it had data.
    pub(super) fn asks(&mut self, has_data: bool) -> bool {
        self.asked += 1;
        self.answered += u32::from(has_data);
        has_data
    }

    pub(super) fn say(&mut self, sentence: impl Into<Sentence>) {
        let sentence = sentence.into();
        if !sentence.text.is_empty() {
            self.sentences.push(sentence);
        }
    }

    /// Ends the paragraph.
    pub(super) fn turn(&mut self) {
        self.blocks
            .extend(Block::paragraph(std::mem::take(&mut self.sentences)));
    }

    pub(super) fn show(&mut self, block: Block) {
        self.turn();
        self.blocks.push(block);
    }

    pub(super) fn find(&mut self, topic: Topic, lean: f64, clause: impl Into<String>) {
        if lean.is_finite() {
            self.findings.push(Finding {
                topic,
                lean: lean.clamp(-1.0, 1.0),
                clause: clause.into(),
            });
        }
    }

    /// The finished reading.
    pub(super) fn finish(mut self, name: &str, title: &str) -> Reading {
        self.turn();
        let count = self.findings.len().max(1) as f64;
        let score = self.findings.iter().map(|one| one.lean).sum::<f64>() / count;
        let size = self.findings.iter().map(|one| one.lean.abs()).sum::<f64>();
        let agreement = if size > 0.0 {
            (score * count).abs() / size
        } else {
            0.0
        };
        let coverage = if self.asked == 0 {
            0.0
        } else {
            f64::from(self.answered) / f64::from(self.asked)
        };
        let evidence = (count / ENOUGH).min(1.0) * self.depth.unwrap_or(1.0).clamp(0.0, 1.0);
        let confidence = coverage * (0.4 + 0.6 * agreement) * evidence;
        let stance = stance(score);
        Reading {
            name: name.to_owned(),
            section: Section {
                title: title.to_owned(),
                verdict: (self.answered > 0).then_some(Verdict {
                    stance,
                    signal: None,
                    confidence,
                }),
                blocks: self.blocks,
            },
            findings: self.findings,
            score,
            stance,
            confidence,
        }
    }
}

/// The side of a score.
pub(super) fn stance(score: f64) -> Stance {
    if score >= SIDE {
        Stance::Bullish
    } else if score <= -SIDE {
        Stance::Bearish
    } else {
        Stance::Neutral
    }
}

/// Findings on one side, strongest first, each topic once.
pub(super) fn strongest(findings: &[Finding], bullish: bool, most: usize) -> Vec<&Finding> {
    let mut side: Vec<&Finding> = findings
        .iter()
        .filter(|one| (one.lean > 0.0) == bullish && one.lean.abs() >= ARGUMENT)
        .collect();
    side.sort_by(|left, right| right.lean.abs().total_cmp(&left.lean.abs()));
    let mut topics = Vec::new();
    side.retain(|one| {
        !topics.contains(&one.topic) && {
            topics.push(one.topic);
            true
        }
    });
    side.truncate(most);
    side
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_follows_its_findings() {
        let reading = |leans: &[f64], asked: &[bool]| {
            let mut draft = Draft::default();
            for has_data in asked {
                draft.asks(*has_data);
            }
            for lean in leans {
                draft.find(Topic::Trend, *lean, "x");
            }
            draft.finish("technical", "Technical")
        };
        let sure = reading(&[0.5, 0.7, 0.6], &[true, true]);
        assert_eq!(sure.stance, Stance::Bullish);
        assert!((sure.confidence - 1.0).abs() < 1e-9);
        let torn = reading(&[0.5, -0.5, 0.5, -0.5], &[true, true]);
        assert_eq!(torn.stance, Stance::Neutral);
        assert!((torn.confidence - 0.4).abs() < 1e-9);
        let half = reading(&[-0.4, -0.4, -0.4], &[true, false]);
        assert_eq!(half.stance, Stance::Bearish);
        assert!((half.confidence - 0.5).abs() < 1e-9);
        let single = reading(&[-0.4], &[true, true]);
        assert!((single.confidence - 1.0 / 3.0).abs() < 1e-9);
        assert_eq!(reading(&[], &[false]).confidence, 0.0);
    }

    #[test]
    fn arguments_are_one_for_each_topic() {
        let mut draft = Draft::default();
        draft.find(Topic::Trend, 0.3, "weak");
        draft.find(Topic::Trend, 0.8, "strong");
        draft.find(Topic::Mood, -0.9, "against");
        draft.find(Topic::Volume, 0.05, "nothing");
        let found = strongest(&draft.findings, true, 5);
        assert_eq!(
            found.iter().map(|one| &*one.clause).collect::<Vec<_>>(),
            ["strong"]
        );
    }
}

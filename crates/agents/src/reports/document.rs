//! A report as it is kept: sections of sentences, tables and charts. Markdown, the page and JSON are made from it.

use model::Day;
use serde::{Deserialize, Serialize};

/// A whole report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// What stands on top.
    pub title: String,
    /// Symbol.
    pub ticker: String,
    /// Name of the company, fund or coin.
    pub entity_name: String,
    /// `equity`, `etf` or `crypto`.
    pub asset_type: String,
    /// `quick`, `full` or `deep`.
    pub tier: String,
    /// The newest session that it rests on, YYYY-MM-DD; absent without prices.
    pub as_of: Option<String>,
    /// When it was written.
    pub written_at: String,
    /// Whether the data are those of the demo world.
    pub simulated: bool,
    /// The reading of the whole.
    pub verdict: Verdict,
    /// A few figures, side by side.
    pub figures: Vec<Figure>,
    /// The text.
    pub sections: Vec<Section>,
    /// What is missing, each said once.
    pub missing: Vec<Missing>,
    /// Numbered from 1, as sentences cite them.
    pub sources: Vec<Source>,
    /// Claims of the report that were tested.
    pub claims: Vec<TestedClaim>,
    /// Receipt of the run; absent until it is issued.
    pub receipt: Option<String>,
}

/// How something is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stance {
    /// In favour.
    Bullish,
    /// Neither.
    Neutral,
    /// Against.
    Bearish,
}

impl Stance {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Bullish => "bullish",
            Self::Neutral => "neutral",
            Self::Bearish => "bearish",
        }
    }
}

/// The reading of a report or of one of its analysts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// In one word.
    pub stance: Stance,
    /// The signal of the service, such as `hold`, with its score from 0 to 100; absent where it gives none.
    pub signal: Option<(String, u64)>,
    /// 0 to 1: how much of what is looked at was there, and how far it agrees.
    pub confidence: f64,
}

/// One figure of the head.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// What it is.
    pub label: String,
    /// The figure.
    pub value: String,
    /// What it is compared with, or of when.
    pub note: String,
}

/// A part of the text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Section {
    /// Heading.
    pub title: String,
    /// The reading, where the section is one analyst's.
    pub verdict: Option<Verdict>,
    /// What it consists of.
    pub blocks: Vec<Block>,
}

/// Something of a section.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Block {
    /// Sentences in a row.
    Paragraph {
        /// The sentences.
        sentences: Vec<Sentence>,
    },
    /// Points.
    List {
        /// Each a sentence or two.
        items: Vec<Sentence>,
    },
    /// A table.
    Table {
        /// What it shows.
        caption: String,
        /// Heads of the columns.
        head: Vec<String>,
        /// Rows, as long as the head.
        rows: Vec<Vec<String>>,
    },
    /// Daily prices with volume.
    Prices {
        /// What it shows.
        title: String,
        /// Day number, open, high, low, close, volume.
        bars: Vec<(i32, f64, f64, f64, f64, f64)>,
        /// Lines over the bars: name and a value for each bar, null where there is none.
        averages: Vec<(String, Vec<Option<f64>>)>,
        /// The RSI of 14 days for each bar, null where there is none; empty in reports from before it was drawn.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        rsi: Vec<Option<f64>>,
    },
    /// Columns by quarter, one panel for each measure.
    Quarters {
        /// What it shows.
        title: String,
        /// Names of the quarters, oldest first.
        periods: Vec<String>,
        /// Name of the measure, whether its values are amounts of money in large numbers, and a value for each quarter,
        /// null where it is not known.
        panels: Vec<(String, bool, Vec<Option<f64>>)>,
    },
    /// A line by day.
    Line {
        /// What it shows.
        title: String,
        /// Name and points.
        lines: Vec<(String, Vec<(i32, f64)>)>,
        /// Whether all begin at 100.
        is_indexed: bool,
    },
    /// Horizontal bars.
    Bars {
        /// What it shows.
        title: String,
        /// Label, value, the value in words, whether it is the subject's.
        bars: Vec<(String, f64, String, bool)>,
    },
    /// Why a part has nothing to say; worded alike wherever the reason is the same.
    Absent {
        /// The sentence.
        text: String,
    },
    /// How something was computed; the same in every report.
    Method {
        /// The sentences.
        text: String,
    },
}

/// A sentence and what it rests on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sentence {
    /// Plain text.
    pub text: String,
    /// Numbers of sources.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cites: Vec<usize>,
}

impl From<String> for Sentence {
    fn from(text: String) -> Self {
        Self {
            text,
            cites: Vec::new(),
        }
    }
}

/// Something that is not there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missing {
    /// What.
    pub what: String,
    /// Why.
    pub why: String,
}

/// What a sentence rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Headline or description.
    pub title: String,
    /// Outlet.
    pub outlet: String,
    /// Where it can be read; absent where no address is known.
    pub url: Option<String>,
    /// When it was published, YYYY-MM-DD.
    pub date: String,
}

/// A claim that was tested.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestedClaim {
    /// The claim.
    pub claim: String,
    /// What the verifier says of it.
    pub verdict: String,
    /// 0 to 1.
    pub confidence: f64,
    /// Receipt of the test.
    pub receipt: String,
}

impl Block {
    /// Sentences in a row; nothing where there are none.
    pub(super) fn paragraph(sentences: Vec<Sentence>) -> Option<Self> {
        (!sentences.is_empty()).then_some(Self::Paragraph { sentences })
    }

    /// Points; nothing where there are none.
    pub(super) fn list(items: Vec<Sentence>) -> Option<Self> {
        (!items.is_empty()).then_some(Self::List { items })
    }
}

impl Document {
    /// Every sentence of the text, in order.
    pub fn sentences(&self) -> impl Iterator<Item = &Sentence> {
        let blocks = self.sections.iter().flat_map(|section| &section.blocks);
        blocks.flat_map(|block| match block {
            Block::Paragraph { sentences: texts } | Block::List { items: texts } => {
                texts.as_slice()
            }
            _ => &[],
        })
    }
}

/// A row of a table, with a dash where there is nothing to say.
pub(super) fn filled<const COLUMNS: usize>(row: [String; COLUMNS]) -> Vec<String> {
    let cells = row.into_iter().map(|cell| {
        if cell.is_empty() {
            "–".to_owned()
        } else {
            cell
        }
    });
    cells.collect()
}

/// A day by its number.
pub(super) fn day_of(number: i32) -> Option<Day> {
    Day::new(number)
}

//! A report as it is stored: sections of sentences, tables and charts. Markdown, the page and JSON are made from it.

use model::Day;
use serde::{Deserialize, Serialize};

/// A whole report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// The title at the top.
    pub title: String,
    /// Symbol.
    pub ticker: String,
    /// Name of the company, fund or coin.
    pub entity_name: String,
    /// `equity`, `etf` or `crypto`.
    pub asset_type: String,
    /// `quick`, `full` or `deep`.
    pub tier: String,
    /// The newest session that it is based on, YYYY-MM-DD; absent without prices.
    pub as_of: Option<String>,
    /// When it was written.
    pub written_at: String,
    /// Whether the data come from the demo world.
    pub simulated: bool,
    /// The overall verdict.
    pub verdict: Verdict,
    /// A few figures, side by side.
    pub figures: Vec<Figure>,
    /// The text.
    pub sections: Vec<Section>,
    /// What is missing, each item once.
    pub missing: Vec<Missing>,
    /// The sources, numbered from 1, as sentences cite them.
    pub sources: Vec<Source>,
    /// Claims of the report that were tested.
    pub claims: Vec<TestedClaim>,
    /// Receipt of the run; absent until it is issued.
    pub receipt: Option<String>,
}

/// The verdict on something.
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

/// The verdict of a report or of one of its analysts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// The verdict in one word.
    pub stance: Stance,
    /// The signal of the service, such as `hold`, with its score from 0 to 100; absent if there is none.
    pub signal: Option<(String, u64)>,
    /// 0 to 1: how much of the data was available, and how far it agrees.
    pub confidence: f64,
}

/// One figure in the header.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// What it is.
    pub label: String,
    /// The figure.
    pub value: String,
    /// What it is compared with, or the time it refers to.
    pub note: String,
}

/// A part of the text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Section {
    /// Heading.
    pub title: String,
    /// The verdict, if the section belongs to one analyst.
    pub verdict: Option<Verdict>,
    /// What it consists of.
    pub blocks: Vec<Block>,
}

/// A part of a section.
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
        /// One or two sentences each.
        items: Vec<Sentence>,
    },
    /// A table.
    Table {
        /// What it shows.
        caption: String,
        /// Headings of the columns.
        head: Vec<String>,
        /// Rows, as long as the header.
        rows: Vec<Vec<String>>,
    },
    /// Daily prices with volume.
    Prices {
        /// What it shows.
        title: String,
        /// Day number, open, high, low, close, volume.
        bars: Vec<(i32, f64, f64, f64, f64, f64)>,
        /// Lines over the bars: a name and a value for each bar, null if there is none.
        averages: Vec<(String, Vec<Option<f64>>)>,
        /// The 14-day RSI for each bar, null if there is none; empty in reports from before it was drawn.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        rsi: Vec<Option<f64>>,
    },
    /// Columns by quarter, with one panel for each measure.
    Quarters {
        /// What it shows.
        title: String,
        /// Names of the quarters, oldest first.
        periods: Vec<String>,
        /// Name of the measure, whether its values are large amounts of money, and a value for each quarter, null if
        /// unknown.
        panels: Vec<(String, bool, Vec<Option<f64>>)>,
    },
    /// A line by day.
    Line {
        /// What it shows.
        title: String,
        /// Name and points.
        lines: Vec<(String, Vec<(i32, f64)>)>,
        /// Whether all lines begin at 100.
        is_indexed: bool,
    },
    /// Horizontal bars.
    Bars {
        /// What it shows.
        title: String,
        /// Label, value, the value in words, and whether it belongs to the subject.
        bars: Vec<(String, f64, String, bool)>,
    },
    /// Why a part has nothing to say; worded the same wherever the reason is the same.
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

/// A sentence and its sources.
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

/// Something that is missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missing {
    /// What.
    pub what: String,
    /// Why.
    pub why: String,
}

/// A source of a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Headline or description.
    pub title: String,
    /// Outlet.
    pub outlet: String,
    /// The address; absent if none is known.
    pub url: Option<String>,
    /// When it was published, YYYY-MM-DD.
    pub date: String,
}

/// A claim that was tested.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestedClaim {
    /// The claim.
    pub claim: String,
    /// The verdict of the verifier.
    pub verdict: String,
    /// 0 to 1.
    pub confidence: f64,
    /// Receipt of the test.
    pub receipt: String,
}

impl Block {
    /// Sentences in a row; nothing if there are none.
    pub(super) fn paragraph(sentences: Vec<Sentence>) -> Option<Self> {
        (!sentences.is_empty()).then_some(Self::Paragraph { sentences })
    }

    /// Points; nothing if there are none.
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

/// A row of a table, with a dash where there is no value.
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

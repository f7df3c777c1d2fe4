//! A question, read.

mod wishes;

pub use wishes::{is_commodity, is_index, is_macro, is_pair};

use market::screener::natural::{Understood, understand};
use model::Day;

use crate::cues;
use crate::holdings::{self, Holding};
use crate::intent::Intent;
use crate::names::Names;
use crate::subjects::{self, How, Instrument, Series, Subjects};
use crate::time::{self, When};
use crate::topic;
use crate::words;

/// Instruments of a question that are looked at; the rest are counted.
const MOST_INSTRUMENTS: usize = 10;

/// What a question asks for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// What is to be known, the most important first; never empty.
    pub intents: Vec<Intent>,
    /// Shares, funds and coins that it names, each once, in the order of the question; at most ten.
    pub instruments: Vec<Instrument>,
    /// How many more it names.
    pub left_out: usize,
    /// Indicators, indices, commodities and pairs that it names, each once.
    pub series: Vec<Series>,
    /// Sectors that it names.
    pub sectors: Vec<&'static str>,
    /// Words written as symbols that nothing is listed under.
    pub unknown: Vec<String>,
    /// When it is about.
    pub when: When,
    /// What somebody says to hold.
    pub holdings: Vec<Holding>,
    /// The screen that it describes, where it asks for one.
    pub screen: Option<Understood>,
    /// The claim that it wants to have tested.
    pub claim: Option<String>,
    /// The words that a search needs; may be empty.
    pub topic: String,
    /// Words of the question about kinds of events, such as `acquisition`; the first.
    pub event: Option<&'static str>,
    /// Whether dates or figures of earnings are asked for.
    pub asks_earnings: bool,
    /// Whether purchases or sales are asked for, where only one of them is.
    pub side: Option<Side>,
    /// How it was read, in sentences.
    pub explanation: Vec<String>,
    /// The question.
    pub question: String,
}

/// One side of a trade.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each side names itself")]
pub enum Side {
    Buy,
    Sell,
}

impl Side {
    /// Its word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Buy => "buy",
            Self::Sell => "sell",
        }
    }
}

impl Reading {
    /// Whether it wants this, too.
    pub fn wants(&self, intent: Intent) -> bool {
        self.intents.contains(&intent)
    }
}

/// Reads a question of at most 500 characters. `today` is the day from which it is read.
pub fn read(text: &str, today: Day, names: &Names) -> Reading {
    read_about(text, today, names, &[])
}

/// As [`read`], for a question that leans on one before: where it names nothing of its own, it is about `before`.
pub fn read_about(text: &str, today: Day, names: &Names, before: &[Instrument]) -> Reading {
    let words = words::cut(text);
    let nothing = vec![false; words.len()];
    let spoken = cues::find(&words, &nothing);
    let is_cue = |at: usize| {
        spoken
            .iter()
            .any(|cue| !cue.has_gap && cue.words.contains(&at))
    };
    let mentions = subjects::mentions(text, today);
    let mut found = Subjects::find(text, &words, &mentions, names, &is_cue);
    if found.is_nothing() {
        let before = before.iter().cloned();
        found.instruments = before.map(|instrument| (instrument, 0..0)).collect();
    }
    let mut is_name = nothing.clone();
    for range in found.instruments.iter().map(|(_, range)| range) {
        is_name[range.clone()].fill(true);
    }
    let mut is_time = nothing;
    for dated in &mentions.times {
        is_time[subjects::covered(&words, &dated.bytes)].fill(true);
    }
    let cues = cues::find_whole(&words, &is_name);
    let screen = understand(text);
    let wishes = wishes::Wishes {
        words: &words,
        cues: &cues,
        found: &found,
        screen: &screen,
    };
    let intents = wishes.intents();
    let mut reading = Reading {
        when: time::find(text, &words, &mentions.times, today),
        topic: topic::words(text, &words, &is_time, &cues),
        event: wishes.event(),
        asks_earnings: wishes.has(Intent::Earnings),
        side: wishes.side(),
        question: text.trim().to_owned(),
        claim: intents
            .contains(&Intent::Verification)
            .then(|| wishes.claim(text)),
        screen: intents
            .contains(&Intent::Screener)
            .then_some(screen.clone()),
        holdings: if intents.contains(&Intent::Portfolio) {
            holdings::find(text, &words, &found.instruments)
        } else {
            Vec::new()
        },
        unknown: found.unknown.iter().map(|(said, _)| said.clone()).collect(),
        intents,
        ..Reading::default()
    };
    for (instrument, _) in found.instruments {
        if reading
            .instruments
            .iter()
            .any(|known| known.symbol == instrument.symbol && known.kind == instrument.kind)
        {
            continue;
        }
        if reading.instruments.len() == MOST_INSTRUMENTS {
            reading.left_out += 1;
            continue;
        }
        reading.explanation.push(said(&instrument));
        reading.instruments.push(instrument);
    }
    for (series, _) in found.series {
        if !reading.series.contains(&series) {
            reading.series.push(series);
        }
    }
    for (sector, _) in found.sectors {
        if !reading.sectors.contains(&sector) {
            reading.sectors.push(sector);
        }
    }
    reading
}

fn said(instrument: &Instrument) -> String {
    let Instrument {
        symbol,
        name,
        said,
        how,
        ..
    } = instrument;
    match how {
        How::Symbol => format!("{said} is {name} ({symbol})"),
        How::Name if said.eq_ignore_ascii_case(name) => format!("{name} is listed as {symbol}"),
        How::Name => format!("“{said}” is read as {name} ({symbol})"),
        How::Misspelt => format!("“{said}” is not a name on record; read as {name} ({symbol})"),
    }
}

//! The outlets of the simulated world: name, trust, voice, language and beat.

use model::{Outlet, TrustLevel};

use super::world::DataError;

const TABLE: &str = include_str!("../data/outlets.tsv");

/// How an outlet writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Voice {
    /// Sober, attributed, figures first.
    Agency,
    /// Written for people in the trade.
    Trade,
    /// A technology site that talks to its readers.
    Chatty,
    /// Partisan, on the left.
    Left,
    /// Partisan, on the right.
    Right,
    /// Loud.
    Tabloid,
}

/// The languages of the simulated outlets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Language {
    /// English.
    #[default]
    En,
    /// French.
    Fr,
    /// German.
    De,
}

impl Language {
    /// The language code that the article claims.
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Fr => "fr",
            Self::De => "de",
        }
    }
}

/// How an outlet formats its headlines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HeadlineCase {
    /// As a sentence.
    Sentence,
    /// With Every Main Word Capitalised.
    Title,
    /// As a sentence, followed by the outlet's name, as many feeds deliver it.
    Suffixed,
}

/// One outlet.
#[derive(Clone, Debug)]
pub(crate) struct OutletProfile {
    pub(crate) domain: String,
    pub(crate) name: String,
    pub(crate) trust: TrustLevel,
    pub(crate) voice: Voice,
    pub(crate) language: Language,
    pub(crate) case: HeadlineCase,
    beats: Vec<String>,
}

impl OutletProfile {
    /// How likely this outlet is to pick up a story: zero if the subject is outside its beat.
    pub(crate) fn interest(&self, categories: &[String]) -> u64 {
        if self.beats.iter().any(|beat| beat == "*") {
            2
        } else if categories
            .first()
            .is_some_and(|first| self.beats.contains(first))
        {
            5
        } else {
            u64::from(
                categories
                    .iter()
                    .any(|category| self.beats.contains(category)),
            ) * 2
        }
    }

    /// Whether others run its copy.
    pub(crate) fn is_agency(&self) -> bool {
        self.voice == Voice::Agency
            && self.trust == TrustLevel::High
            && self.language == Language::En
    }

    pub(crate) fn outlet(&self) -> Outlet {
        Outlet {
            domain: self.domain.clone(),
            name: Some(self.name.clone()),
            trust: self.trust,
        }
    }
}

/// Reads the table of outlets.
pub(crate) fn parse() -> Result<Vec<OutletProfile>, DataError> {
    TABLE
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(parse_line)
        .collect()
}

fn parse_line(line: &str) -> Result<OutletProfile, DataError> {
    let bad = || DataError(format!("outlet line {line:?}"));
    let cells: Vec<&str> = line.split('\t').collect();
    let &[domain, name, trust, voice, language, case, beats] = cells.as_slice() else {
        return Err(bad());
    };
    Ok(OutletProfile {
        domain: domain.to_owned(),
        name: name.to_owned(),
        trust: match trust {
            "high" => TrustLevel::High,
            "medium" => TrustLevel::Medium,
            "low" => TrustLevel::Low,
            "unknown" => TrustLevel::Unknown,
            _ => return Err(bad()),
        },
        voice: match voice {
            "agency" => Voice::Agency,
            "trade" => Voice::Trade,
            "chatty" => Voice::Chatty,
            "left" => Voice::Left,
            "right" => Voice::Right,
            "tabloid" => Voice::Tabloid,
            _ => return Err(bad()),
        },
        language: match language {
            "en" => Language::En,
            "fr" => Language::Fr,
            "de" => Language::De,
            _ => return Err(bad()),
        },
        case: match case {
            "sentence" => HeadlineCase::Sentence,
            "title" => HeadlineCase::Title,
            "suffix" => HeadlineCase::Suffixed,
            _ => return Err(bad()),
        },
        beats: beats.split(' ').map(str::to_owned).collect(),
    })
}

//! Kinds of story: what is drawn at random and the sentences that report it, read from the story files.

use serde::Deserialize;

use super::facts::{Recipe, Slot};
use super::outlets::{Language, Voice};
use super::world::DataError;

const FILES: [(&str, &str); 14] = [
    ("ai_tech", include_str!("../data/stories/ai_tech.toml")),
    (
        "climate_energy",
        include_str!("../data/stories/climate_energy.toml"),
    ),
    ("companies", include_str!("../data/stories/companies.toml")),
    (
        "crypto_security",
        include_str!("../data/stories/crypto_security.toml"),
    ),
    (
        "culture_sports",
        include_str!("../data/stories/culture_sports.toml"),
    ),
    ("economy", include_str!("../data/stories/economy.toml")),
    ("markets", include_str!("../data/stories/markets.toml")),
    ("policy", include_str!("../data/stories/policy.toml")),
    ("rumours", include_str!("../data/stories/rumours.toml")),
    (
        "science_health",
        include_str!("../data/stories/science_health.toml"),
    ),
    ("trouble", include_str!("../data/stories/trouble.toml")),
    ("world", include_str!("../data/stories/world.toml")),
    ("figures", include_str!("../data/stories/figures.toml")),
    ("shares", include_str!("../data/stories/shares.toml")),
];

/// Which way a story would move a share price.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Good news.
    Up,
    /// Bad news.
    Down,
    /// News that has little effect.
    #[default]
    Flat,
}

/// A kind of story.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "switches of a table, each independent of the others"
)]
pub(crate) struct Kind {
    /// Its name, such as `store_opening`.
    pub(crate) tag: String,
    /// Category labels of its articles, the main one first.
    pub(crate) categories: Vec<String>,
    /// How often it happens per week, at most.
    #[serde(default = "once")]
    pub(crate) weekly: usize,
    /// Could harm a company: written only about fictional ones.
    #[serde(default)]
    pub(crate) harmful: bool,
    /// Reported by a single outlet of low standing.
    #[serde(default)]
    pub(crate) rumour: bool,
    /// Only about prices and dates: reported by agencies and trade papers.
    #[serde(default)]
    pub(crate) sober: bool,
    /// Happens only on working days.
    #[serde(default)]
    pub(crate) weekdays: bool,
    /// First and last hour (UTC) in which it breaks, if it is limited to certain hours.
    #[serde(default)]
    pub(crate) hours: Option<[i64; 2]>,
    /// The fewest and most outlets that cover it. If only one does, nobody copies it.
    pub(crate) reach: [i64; 2],
    /// The figure that outlets may get wrong.
    #[serde(default)]
    pub(crate) key: Option<Key>,
    /// Happens when the markets say so (`schedule`), and is not dealt.
    #[serde(default)]
    pub(crate) scheduled: bool,
    /// The slot of the company it is about.
    #[serde(default)]
    pub(crate) subject: Option<String>,
    /// Which way it moves that company's share price.
    #[serde(default)]
    pub(crate) moves: Direction,
    /// The language of the whole story, if only outlets in that language cover it.
    #[serde(default)]
    pub(crate) language: Language,
    /// What is drawn at random.
    pub(crate) slots: Vec<Slot>,
    /// Headlines.
    pub(crate) head: Voices,
    /// First paragraphs.
    pub(crate) lede: Voices,
    /// Facts, each in several wordings; the first is the heart of the story.
    pub(crate) facts: Vec<Vec<String>>,
    /// What people say about it.
    #[serde(default)]
    pub(crate) quotes: Vec<String>,
    /// How each voice sees it.
    #[serde(default)]
    pub(crate) angle: Voices,
    /// How the story continues.
    #[serde(default)]
    pub(crate) next: Vec<Sequel>,
    /// The story in French, if outlets in that language pick it up.
    #[serde(default)]
    pub(crate) fr: Option<Script>,
    /// The story in German.
    #[serde(default)]
    pub(crate) de: Option<Script>,
}

/// The figure that outlets may get wrong.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Key {
    /// Its slot.
    pub(crate) slot: String,
    /// What a correction calls it, such as `the number of new stores`.
    pub(crate) label: String,
    /// How a correction writes it, including the slot.
    pub(crate) form: String,
}

/// A later chapter of a story.
#[derive(Debug, Deserialize)]
pub(crate) struct Sequel {
    /// The fewest and most days after the start.
    pub(crate) days: [i64; 2],
    /// What is drawn at random for this chapter.
    #[serde(default)]
    pub(crate) slots: Vec<Slot>,
    /// The sentences that report it.
    #[serde(flatten)]
    pub(crate) script: Script,
}

/// Sentences that do not depend on voice.
#[derive(Debug, Deserialize)]
pub(crate) struct Script {
    pub(crate) head: Vec<String>,
    pub(crate) lede: Vec<String>,
    pub(crate) facts: Vec<Vec<String>>,
    #[serde(default)]
    pub(crate) quotes: Vec<String>,
}

/// Sentences by voice; a voice without its own uses the neutral ones.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Voices {
    pub(crate) plain: Vec<String>,
    pub(crate) agency: Vec<String>,
    pub(crate) trade: Vec<String>,
    pub(crate) chatty: Vec<String>,
    pub(crate) left: Vec<String>,
    pub(crate) right: Vec<String>,
    pub(crate) tabloid: Vec<String>,
}

impl Voices {
    /// What is written only for this voice.
    pub(crate) fn own(&self, voice: Voice) -> &[String] {
        match voice {
            Voice::Agency => &self.agency,
            Voice::Trade => &self.trade,
            Voice::Chatty => &self.chatty,
            Voice::Left => &self.left,
            Voice::Right => &self.right,
            Voice::Tabloid => &self.tabloid,
        }
    }
}

impl Kind {
    /// Whether it reports something harmful, or mere rumour, about companies that may be real.
    fn could_harm_the_real(&self) -> bool {
        let slots = self
            .slots
            .iter()
            .chain(self.next.iter().flat_map(|sequel| &sequel.slots));
        let mut filters = slots.filter_map(|slot| match &slot.recipe {
            Recipe::Company(filter) => Some(filter),
            _ => None,
        });
        (self.harmful || self.rumour) && filters.any(|filter| filter.real != Some(false))
    }

    /// Whether it cannot be told without the markets.
    pub(crate) fn is_of_markets_alone(&self) -> bool {
        let mut recipes = self.slots.iter().map(|slot| &slot.recipe);
        recipes.any(|recipe| matches!(recipe, Recipe::Markets))
    }

    /// The story in a language other than its own.
    pub(crate) fn translation(&self, language: Language) -> Option<&Script> {
        match language {
            Language::En => None,
            Language::Fr => self.fr.as_ref(),
            Language::De => self.de.as_ref(),
        }
    }
}

/// Reads the story files.
pub(crate) fn parse() -> Result<Vec<Kind>, DataError> {
    #[derive(Deserialize)]
    struct File {
        kind: Vec<Kind>,
    }
    let mut kinds = Vec::new();
    for (name, text) in FILES {
        let file: File =
            toml::from_str(text).map_err(|error| DataError(format!("stories {name}: {error}")))?;
        if let Some(kind) = file.kind.iter().find(|kind| kind.could_harm_the_real()) {
            return Err(DataError(format!(
                "stories {name}: {} may name a real company",
                kind.tag
            )));
        }
        kinds.extend(file.kind);
    }
    Ok(kinds)
}

const fn once() -> usize {
    1
}

//! The triggers and the word classes, loaded from their files.

use std::sync::LazyLock;

use model::EventKind;
use rustc_hash::FxHashMap;

use crate::annotate::lexed::{Token, lower_hash};
use crate::annotate::phrases::{PhraseTable, Spelling, rows};

/// How a trigger relates to its roles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Somebody does it to something.
    Verb,
    /// A verb whose participle stands for the passive in headlines: `X fined`.
    Participle,
    /// Always passive, with `by` included.
    Passive,
    /// A noun with `of`: `Y's takeover of X`.
    Noun,
    /// Somebody is in that state, and there is no other party: `files for bankruptcy`.
    State,
    /// It happens to somebody, and the actor may follow: `hit with lawsuit by X`.
    Target,
    /// Two parties do it together: `X and Y join hands`.
    Pair,
    /// A noun that follows its owner or comes before `of`: `X's IPO`.
    Offer,
    /// It goes to the buyer, who is the actor: `X sells Y to Z`.
    Sale,
}

/// What must be next to a trigger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    None,
    /// A firm, or a name that is not a person.
    Asset,
    /// A firm, given by name or by a common word, or a sum.
    Firm,
    /// A part of a firm, a stake or a large asset.
    Unit,
    /// A name.
    Party,
    /// A sum and a financial term, or a sum alone if an organisation raises it.
    Capital,
    /// A sum and a financial term.
    Sum,
    /// A sum.
    Money,
    /// Anything except an attack, an inquiry or the like.
    Launch,
    /// A launch, but not of a paper.
    Novelty,
    /// A word or a number that indicates a product.
    Product,
    /// A stake in something.
    Stake,
    /// A product as the subject.
    Item,
    /// A shop, plant or office.
    Facility,
    /// A partnership, joint venture or agreement with somebody.
    Deal,
    /// An authority as the subject.
    Authority,
    /// An authority as the subject and a rule as the object.
    Law,
    /// An authority as the subject and a name as the object.
    Fined,
    /// An authority as the subject and a firm as the object.
    Probe,
    /// Anything except a report of a crime committed by a person.
    Suit,
}

/// What a phrase triggers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trigger {
    pub(crate) kind: EventKind,
    pub(crate) form: Form,
    pub(crate) need: Need,
    /// How reliably the phrase indicates such an event, 0 to 1.
    pub(crate) strength: f64,
}

static TRIGGERS: LazyLock<PhraseTable<Trigger>> = LazyLock::new(|| {
    let mut table = PhraseTable::new(Spelling::AnyCase);
    for row in rows(include_str!("../../data/events/triggers.tsv")) {
        let columns: Vec<&str> = row.collect();
        let Some((phrases, trigger)) = trigger(&columns) else {
            continue;
        };
        for phrase in phrases.split('|') {
            table.insert_with(phrase, trigger, |_, _| {});
        }
    }
    table
});

fn trigger<'t>(columns: &[&'t str]) -> Option<(&'t str, Trigger)> {
    let [phrases, kind, form, need, strength] = columns else {
        return None;
    };
    let form = match *form {
        "verb" => Form::Verb,
        "participle" => Form::Participle,
        "passive" => Form::Passive,
        "noun" => Form::Noun,
        "state" => Form::State,
        "target" => Form::Target,
        "pair" => Form::Pair,
        "offer" => Form::Offer,
        "sale" => Form::Sale,
        _ => return None,
    };
    let need = match *need {
        "none" => Need::None,
        "asset" => Need::Asset,
        "firm" => Need::Firm,
        "unit" => Need::Unit,
        "party" => Need::Party,
        "capital" => Need::Capital,
        "sum" => Need::Sum,
        "money" => Need::Money,
        "launch" => Need::Launch,
        "novelty" => Need::Novelty,
        "product" => Need::Product,
        "stake" => Need::Stake,
        "item" => Need::Item,
        "facility" => Need::Facility,
        "deal" => Need::Deal,
        "authority" => Need::Authority,
        "law" => Need::Law,
        "fined" => Need::Fined,
        "probe" => Need::Probe,
        "suit" => Need::Suit,
        _ => return None,
    };
    let strength: f64 = strength.parse().ok()?;
    let trigger = Trigger {
        kind: kind.parse().ok()?,
        form,
        need,
        strength: strength / 100.0,
    };
    Some((phrases, trigger))
}

/// The trigger that these words begin with, and its number of words.
pub(crate) fn at(tokens: &[Token<'_>]) -> Option<(usize, Trigger)> {
    TRIGGERS
        .longest(tokens)
        .map(|(length, trigger)| (length, *trigger))
}

/// Word classes, one bit each.
pub(crate) mod class {
    /// The names of the classes in the file, in the order of their bits.
    pub(crate) const NAMES: [&str; 26] = [
        "auxiliary",
        "adverb",
        "control",
        "rumour",
        "denial",
        "boundary",
        "preposition",
        "determiner",
        "pronoun",
        "authority",
        "firm",
        "inquiry",
        "hostile",
        "paper",
        "product",
        "law",
        "facility",
        "capital",
        "rates",
        "crime",
        "court",
        "explainer",
        "goods",
        "agreement",
        "verb",
        "part",
    ];
    pub(crate) const AUXILIARY: u32 = 1;
    pub(crate) const ADVERB: u32 = 1 << 1;
    pub(crate) const CONTROL: u32 = 1 << 2;
    pub(crate) const RUMOUR: u32 = 1 << 3;
    pub(crate) const DENIAL: u32 = 1 << 4;
    pub(crate) const BOUNDARY: u32 = 1 << 5;
    pub(crate) const PREPOSITION: u32 = 1 << 6;
    pub(crate) const DETERMINER: u32 = 1 << 7;
    pub(crate) const PRONOUN: u32 = 1 << 8;
    pub(crate) const AUTHORITY: u32 = 1 << 9;
    pub(crate) const FIRM: u32 = 1 << 10;
    pub(crate) const INQUIRY: u32 = 1 << 11;
    pub(crate) const HOSTILE: u32 = 1 << 12;
    pub(crate) const PAPER: u32 = 1 << 13;
    pub(crate) const PRODUCT: u32 = 1 << 14;
    pub(crate) const LAW: u32 = 1 << 15;
    pub(crate) const FACILITY: u32 = 1 << 16;
    pub(crate) const CAPITAL: u32 = 1 << 17;
    pub(crate) const RATES: u32 = 1 << 18;
    pub(crate) const CRIME: u32 = 1 << 19;
    pub(crate) const COURT: u32 = 1 << 20;
    pub(crate) const EXPLAINER: u32 = 1 << 21;
    pub(crate) const GOODS: u32 = 1 << 22;
    pub(crate) const AGREEMENT: u32 = 1 << 23;
    pub(crate) const VERB: u32 = 1 << 24;
    pub(crate) const PART: u32 = 1 << 25;
}

static CLASSES: LazyLock<FxHashMap<u64, u32>> = LazyLock::new(|| {
    let mut table: FxHashMap<u64, u32> = FxHashMap::default();
    for mut row in rows(include_str!("../../data/events/words.tsv")) {
        let (Some(name), Some(words)) = (row.next(), row.next()) else {
            continue;
        };
        let Some(bit) = class::NAMES.iter().position(|known| *known == name) else {
            continue;
        };
        for word in words.split(' ') {
            *table.entry(lower_hash(word)).or_default() |= 1 << bit;
        }
    }
    table
});

/// The classes of a word.
pub(crate) fn classes(token: &Token<'_>) -> u32 {
    CLASSES.get(&token.lower).copied().unwrap_or(0)
}

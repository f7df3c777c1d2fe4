//! The subjects of a question: which of its names are on record, and which are not.

use std::ops::Range;

use market::screener::natural::{Understood, understand};

use super::interpretation::Interpretation;
use super::question::Question;
use super::wishes::Wishes;
use super::{elsewhere, everyday, holders, members};
use crate::cues::{self, Cue};
use crate::intent::Intent;
use crate::names::Names;
use crate::subjects::{self, How, Instrument, Series, Subjects, is_macro, is_pair};
use crate::sums::{self, Conversion};
use crate::time;

/// The subjects of a question, resolved to what is on record.
pub(super) struct Resolved {
    pub(super) found: Subjects,
    /// Phrases that express an intent, outside names.
    pub(super) cues: Vec<Cue>,
    pub(super) conversions: Vec<Conversion>,
    /// The currency in which a value is wanted.
    pub(super) currency: Option<&'static str>,
    /// The question without an index whose members are not on record, and the screen that it describes.
    pub(super) screened: String,
    pub(super) screen: Understood,
    /// The bank of another country whose rate it is about.
    pub(super) other_bank: Option<Range<usize>>,
    /// Whether a country other than the United States is named.
    pub(super) is_elsewhere: bool,
    /// Whether it is about the economy of that country.
    pub(super) is_abroad: bool,
    /// Whether it asks what a large holder does with something listed.
    pub(super) asks_holder: bool,
    /// That holder, as written.
    pub(super) holder: Option<String>,
}

impl Resolved {
    /// A question that names nothing is about what was named `before`.
    pub(super) fn of(question: &Question<'_>, names: &Names, before: &[Instrument]) -> Self {
        let Question { text, words, .. } = question;
        let mut found = Subjects::find(text, words, &question.mentions, names, &|at| {
            question.is_cue(at)
        });
        let currency = sums::wanted(words, &question.currencies, &question.counted);
        let conversions = conversions(question, currency, &mut found);
        if question.is_foreign {
            leave_foreign_words(question, &mut found);
        }
        let other_bank = elsewhere::bank_of_rate(text, words);
        if let Some(bank) = &other_bank {
            leave_within(bank, &mut found);
        }
        let is_elsewhere = other_bank.is_some() || elsewhere::names_other_country(text, words);
        let is_abroad = is_elsewhere && found.series.iter().any(|(series, _)| is_macro(*series));
        if is_abroad {
            found.series.retain(|(series, _)| !is_macro(*series));
        }
        let screened = members::left_out(text, words, &found);
        let mut resolved = Self {
            found,
            cues: Vec::new(),
            conversions,
            currency,
            screen: understand(&screened),
            screened,
            other_bank,
            is_elsewhere,
            is_abroad,
            asks_holder: false,
            holder: None,
        };
        resolved.look_further(question, names);
        if resolved.found.is_nothing() && resolved.other_bank.is_none() {
            let before = before.iter().cloned();
            resolved.found.instruments = before.map(|instrument| (instrument, 0..0)).collect();
        }
        resolved.look_for_holders(question);
        resolved.cues = apart_from_names(question, &resolved.found);
        // `price of gold on Good Friday`: a time, and not a request for the calendar.
        for day in time::named_days(words, question.today) {
            let covered = subjects::covered(words, &day);
            let is_within =
                |cue: &Cue| covered.start <= cue.words.start && cue.words.end <= covered.end;
            resolved
                .cues
                .retain(|cue| cue.intent != Intent::Calendar || !is_within(cue));
        }
        resolved
    }

    /// What the intents of the question are decided by.
    pub(super) fn wishes<'a>(&'a self, question: &'a Question<'_>) -> Wishes<'a> {
        Wishes {
            asks_holder: self.asks_holder,
            ..self.wishes_about(question, &self.found, &self.cues)
        }
    }

    /// The same for subjects other than those that were found.
    fn wishes_about<'a>(
        &'a self,
        question: &'a Question<'_>,
        found: &'a Subjects,
        cues: &'a [Cue],
    ) -> Wishes<'a> {
        Wishes {
            words: &question.words,
            cues,
            found,
            screen: &self.screen,
            is_time: &question.is_time,
            has_bounds: question.bounds.is_some(),
            is_abroad: self.is_abroad,
            is_elsewhere: self.is_elsewhere,
            is_foreign: question.is_foreign,
            asks_holder: false,
            is_of_stretch: question.is_of_stretch(),
            is_everyday: everyday::is_everyday(&question.words),
            is_titled: question.is_titled(),
        }
    }

    /// If no name was found, takes words that may be one, if the question makes sense that way.
    fn look_further(&mut self, question: &Question<'_>, names: &Names) {
        if !self.found.is_nothing() || question.is_foreign || self.other_bank.is_some() {
            return;
        }
        let Question { text, words, .. } = question;
        let is_cue = |at: usize| question.is_cue(at);
        let makes_sense = |found: &Subjects| {
            let cues = apart_from_names(question, found);
            let wishes = self.wishes_about(question, found, &cues);
            wishes.observed().is_of_listed()
        };
        let unnamed = Subjects::default();
        let may_be_unlisted = || {
            self.wishes_about(question, &unnamed, &[]).may_be_a_name() || speaks_of_listed(question)
        };
        let possible = self.found.with_possible(text, words, names, &is_cue);
        if let Some(possible) = possible.filter(makes_sense) {
            self.found = possible;
            return;
        }
        let unlisted = self.found.with_unlisted(text, words, names, &is_cue);
        if let Some(unlisted) = unlisted.filter(|_| may_be_unlisted()) {
            self.found = unlisted;
        } else if makes_sense(&self.found) {
            self.found.take_unknown(text, words, names, &is_cue);
        }
    }

    /// Notes on how the subjects were read.
    pub(super) fn notes(
        &self,
        question: &Question<'_>,
        interpretation: &Interpretation,
    ) -> Vec<String> {
        let mut notes = Vec::new();
        if self.is_abroad && !interpretation.is_of_other_country {
            notes.push("economic figures on record are those of the United States only".to_owned());
        }
        if let Some(code) = interpretation.meant {
            notes.push(format!(
                "no series is named; from its wording the question is read as one about {}",
                Series::Known(code).name()
            ));
        }
        if question.is_foreign && !self.found.instruments.is_empty() {
            notes.push(
                "questions are understood in English; of this one only the names were".to_owned(),
            );
        }
        notes
    }

    fn look_for_holders(&mut self, question: &Question<'_>) {
        self.asks_holder = holders::asks_holder(&question.words, &self.found.instruments);
        self.holder = holders::named(question.text, &question.words, &self.found.instruments);
        let is_of_holders = |cue: &Cue| cue.intent == Intent::Institutions;
        if self.asks_holder || question.spoken.iter().any(is_of_holders) {
            holders::leave_held(&mut self.found.instruments);
        }
    }
}

/// The amounts to convert, unless a price is asked for. A currency in one of them is not a company with that name.
fn conversions(
    question: &Question<'_>,
    currency: Option<&'static str>,
    found: &mut Subjects,
) -> Vec<Conversion> {
    let conversions = sums::conversions(&question.words, &question.currencies, &question.counted);
    if !conversions.is_empty() || currency.is_some() {
        found.instruments.retain(|(_, range)| {
            let mut all = question.currencies.iter();
            all.all(|one| one.words.end <= range.start || range.end <= one.words.start)
        });
    }
    if found.instruments.is_empty() {
        if !conversions.is_empty() {
            found.convert(&conversions, &question.currencies);
        }
        return conversions;
    }
    // Wanting something in euros is about a price, not about a pair.
    if currency.is_some() {
        found.series.retain(|(series, _)| !is_pair(*series));
    }
    Vec::new()
}

/// A word of another language is not a misspelt name, and not a symbol in small letters.
fn leave_foreign_words(question: &Question<'_>, found: &mut Subjects) {
    found
        .instruments
        .retain(|(instrument, range)| match instrument.how {
            How::Symbol => {
                !instrument.said.chars().any(char::is_lowercase) || question.is_marked(range)
            }
            How::Name => true,
            How::Misspelt => false,
        });
    found.unknown.clear();
}

/// The figures on record are those of the United States, and no bank of another country is a share or an unknown
/// symbol.
fn leave_within(bank: &Range<usize>, found: &mut Subjects) {
    let is_apart = |range: &Range<usize>| range.end <= bank.start || bank.end <= range.start;
    found.instruments.retain(|(_, range)| is_apart(range));
    found.unknown.retain(|(_, range)| is_apart(range));
    found.sectors.retain(|(_, range)| is_apart(range));
    found.series.retain(|(_, range)| is_apart(range));
}

/// The phrases of intents outside the names of listed instruments.
fn apart_from_names(question: &Question<'_>, found: &Subjects) -> Vec<Cue> {
    cues::find_whole(&question.words, &found.is_listed_name(question.words.len()))
}

/// Whether the phrases of a question are those about something listed, and none of them about the news or a market as a
/// whole.
fn speaks_of_listed(question: &Question<'_>) -> bool {
    const ABOUT: [Intent; 8] = [
        Intent::Price,
        Intent::Performance,
        Intent::Technicals,
        Intent::Fundamentals,
        Intent::Earnings,
        Intent::Analysts,
        Intent::Outlook,
        Intent::Competitors,
    ];
    const OTHERS: [Intent; 9] = [
        Intent::News,
        Intent::Topic,
        Intent::Verification,
        Intent::Macro,
        Intent::Forex,
        Intent::Commodities,
        Intent::Crypto,
        Intent::Sectors,
        Intent::Screener,
    ];
    let says = |all: &[Intent]| question.spoken.iter().any(|cue| all.contains(&cue.intent));
    let mut words = question.words.iter();
    let names_share = words.any(|word| word.is_any(&["stock", "share", "shares"]));
    says(&ABOUT) && (!says(&OTHERS) || names_share && !says(&OTHERS[..3]))
}

//! A question as words, with the times, sums and currencies among them; names are not resolved yet.

use std::ops::Range;

use model::Day;
use verify::figures::Mentions;

use super::{elsewhere, tail};
use crate::cues::{self, Cue};
use crate::currencies::{self, Named};
use crate::ranking::{self, Bounds};
use crate::subjects;
use crate::sums::{self, Counted};
use crate::time::{self, When};
use crate::words::{self, Word};

/// A question as words.
pub(super) struct Question<'a> {
    pub(super) text: &'a str,
    pub(super) today: Day,
    pub(super) words: Vec<Word>,
    /// Phrases that express an intent, including those inside names.
    pub(super) spoken: Vec<Cue>,
    pub(super) mentions: Mentions,
    /// Amounts and counts.
    pub(super) counted: Vec<Counted>,
    pub(super) currencies: Vec<Named>,
    /// Which words name a time.
    pub(super) is_time: Vec<bool>,
    /// The day of `three years ago`.
    pub(super) ago: Option<(Day, Range<usize>)>,
    pub(super) when: When,
    /// How far prices moved.
    pub(super) bounds: Option<Bounds>,
    /// Whether it is written in a language other than English.
    pub(super) is_foreign: bool,
}

impl<'a> Question<'a> {
    pub(super) fn of(text: &'a str, today: Day) -> Self {
        let words = tail::without(words::cut(text));
        let spoken = cues::find(&words, &vec![false; words.len()]);
        let mentions = subjects::mentions(text, &words, today);
        let counted = sums::counted(&words, &mentions.amounts);
        let mut is_time = vec![false; words.len()];
        for dated in &mentions.times {
            is_time[subjects::covered(&words, &dated.bytes)].fill(true);
        }
        let ago = time::ago(&words, today);
        Self {
            currencies: currencies::find(text, &words),
            when: when(text, &words, &mentions, ago.clone(), today),
            bounds: ranking::bounds(&words, &counted),
            is_foreign: elsewhere::is_foreign(text, &words, &spoken),
            text,
            today,
            words,
            spoken,
            mentions,
            counted,
            is_time,
            ago,
        }
    }

    /// Whether a word belongs to a phrase that expresses an intent.
    pub(super) fn is_cue(&self, at: usize) -> bool {
        self.spoken
            .iter()
            .any(|cue| !cue.has_gap && cue.words.contains(&at))
    }

    /// Whether every longer word is capitalised.
    pub(super) fn is_titled(&self) -> bool {
        self.words.iter().all(|word| {
            let said = &self.text[word.bytes.clone()];
            said.chars().count() < 4 || said.starts_with(char::is_uppercase)
        })
    }

    /// Whether words are marked as a ticker: `$aapl`.
    pub(super) fn is_marked(&self, range: &Range<usize>) -> bool {
        let begin = self.words[range.start].bytes.start;
        self.text[..begin].ends_with('$') || self.text[begin..].starts_with('$')
    }

    /// Whether it is about a period that began before today, including the current one so far.
    pub(super) fn is_of_stretch(&self) -> bool {
        let begins = self.when.from.is_some_and(|from| from < self.today);
        let said = self.when.said.to_lowercase();
        let runs = ["this ", "since "]
            .iter()
            .any(|word| said.starts_with(word));
        !self.when.is_ahead && (begins || runs)
    }

    /// Whether it names a past period of more than one day.
    pub(super) fn names_stretch(&self) -> bool {
        self.when.from.is_some() && !self.when.is_ahead && self.when.from != self.when.to
    }
}

/// The time of a question. A price `three years ago` is the one on that day if it speaks of the past.
fn when(
    text: &str,
    words: &[Word],
    mentions: &Mentions,
    ago: Option<(Day, Range<usize>)>,
    today: Day,
) -> When {
    let found = time::find(text, words, &mentions.times, today);
    match ago {
        // `and a year ago?`: about the past, too.
        Some((day, range))
            if found.is_unsaid()
                && (words.len() <= 5 || words.iter().any(|word| word.is_any(&["was", "were"]))) =>
        {
            When {
                from: Some(day),
                to: Some(day),
                said: text[words[range.start].bytes.start..words[range.end - 1].bytes.end]
                    .to_owned(),
                is_ahead: false,
                begins_on_day: false,
                months: None,
            }
        }
        _ => found,
    }
}

//! Known names that mean something else in their context: part of a longer name, or another person with that surname.

use model::EntityKind;

use super::super::cues::cue;
use super::super::gazetteer::{GAZETTEER, Sort};
use super::around::Around;
use super::{Place, Scan, Who};
use crate::annotate::lexed::{gap, shape};

impl Scan<'_, '_> {
    /// If a known name is only part of a longer name that is not known (`Boston Police`), takes the longer one.
    pub(super) fn prefer_longer(
        &mut self,
        at: usize,
        length: usize,
        run: usize,
        who: u32,
        place: Place,
    ) -> Option<usize> {
        let Place {
            sentence,
            start,
            running,
            ..
        } = place;
        let known = &GAZETTEER.known[who as usize];
        if !running || run <= at + length || length > 2 {
            return None;
        }
        let last = self.cues[run - 1];
        // `Bondi Beach` is not a person, and `Barclays Center` is not a bank.
        let place = if known.sort == Sort::Company {
            matches!(
                self.lexed.tokens[run - 1].text,
                "Center" | "Arena" | "Stadium" | "Field" | "Park" | "Centre"
            )
        } else {
            last & cue::LOCATION != 0
        };
        let single = length == 1 || known.sort == Sort::Company;
        if place && single && run == at + length + 1 && known.kind != EntityKind::Event {
            let campus = self.lexed.tokens[run - 1].text == "State";
            let kind = if campus {
                EntityKind::Organization
            } else {
                EntityKind::Location
            };
            self.name(at, run, kind, sentence);
            return Some(run);
        }
        // `The Atlantic Coast Conference` is not a magazine.
        if known.sort == Sort::Media
            && self.cues[at + length] & (cue::TITLE | cue::NEVER) == 0
            && last & cue::ORGANIZATION != 0
            && !known.name.contains(self.lexed.tokens[run - 1].text)
        {
            let from = at + usize::from(self.lexed.tokens[at].text == "The");
            self.name(from, run, EntityKind::Organization, sentence);
            return Some(run);
        }
        if known.sort == Sort::Company {
            return None;
        }
        let institution = last & cue::ORGANIZATION != 0
            && !matches!(known.kind, EntityKind::Event | EntityKind::Product)
            && !matches!(
                self.lexed.tokens[run - 1].text,
                "Administration"
                    | "Campaign"
                    | "Army"
                    | "Forces"
                    | "Navy"
                    | "Force"
                    | "Government"
                    | "Exchange"
                    | "Group"
            );
        let person = known.kind == EntityKind::Location
            && self.cues[at] & cue::GIVEN != 0
            && length == 1
            && at > start
            && self.cues[run - 1] & (cue::COMMON | cue::NEVER | cue::LOCATION | cue::EVENT) == 0
            && run - at <= 3;
        if institution && known.kind != EntityKind::Organization {
            self.name(at, run, EntityKind::Organization, sentence);
            return Some(run);
        }
        if person {
            self.name(at, run, EntityKind::Person, sentence);
            return Some(run);
        }
        None
    }

    /// If a company name continues with a word from other companies' names, and several companies share its first word,
    /// another of them is meant (`Mitsubishi Electric`). Nothing is known about that one except its name. Returns where
    /// the name ends.
    pub(super) fn another_company(
        &mut self,
        at: usize,
        length: usize,
        who: u32,
        place: Place,
    ) -> Option<usize> {
        let tokens = &self.lexed.tokens;
        let known = &GAZETTEER.known[who as usize];
        // If every word is capitalised, the next one need not belong to the name.
        if !place.running || length > 1 || known.sort != Sort::Company || known.ticker.is_none() {
            return None;
        }
        let goes_on = |next: usize| {
            tokens[..place.end].get(next).is_some_and(|word| {
                word.is(shape::CAPITAL)
                    && !word.is(shape::ALL_CAPS)
                    && !word.after(gap::BREAK | gap::HYPHEN)
                    && !tokens[next - 1].is(shape::POSSESSIVE)
                    && self.cues[next] & (cue::TITLE | cue::NEVER) == 0
                    && GAZETTEER.continues_name(word)
            })
        };
        if !goes_on(at + 1) || !GAZETTEER.is_shared(&tokens[at]) {
            return None;
        }
        let end = (at + 2..place.end)
            .find(|next| !goes_on(*next))
            .unwrap_or(place.end);
        self.name(at, end, EntityKind::Organization, place.sentence);
        Some(end)
    }

    /// A surname that is also a place means the person if the text has named one.
    pub(super) fn names_person(&mut self, at: usize, who: u32, sentence: u32) -> bool {
        let token = &self.lexed.tokens[at];
        let place = GAZETTEER.known[who as usize].kind == EntityKind::Location
            && !token.is(shape::ALL_CAPS);
        match self.surnames.get(&token.lower).copied() {
            Some(person) if place && person != Who::Known(who) => {
                self.mention(person, (at, at + 1), sentence, false);
                true
            }
            _ => false,
        }
    }

    /// `Keanu Reeves` is not the other person with that surname, and `Paris Hilton` is not a place.
    pub(super) fn belongs_to_unknown_person(
        &mut self,
        at: usize,
        length: usize,
        who: u32,
        place: Place,
    ) -> bool {
        let Place {
            start,
            end,
            running,
            ..
        } = place;
        let known = &GAZETTEER.known[who as usize];
        if length > 1
            || at == start
            || known.name == self.lexed.tokens[at].text && known.kind == EntityKind::Event
        {
            return false;
        }
        let tokens = &self.lexed.tokens;
        if tokens[at].after(gap::BREAK | gap::HYPHEN)
            || tokens[at - 1].is(shape::POSSESSIVE)
            || known.sort == Sort::Coin
        {
            return false;
        }
        let before = self.cues[at - 1];
        let given = tokens[at - 1].is(shape::CAPITAL)
            && before & cue::GIVEN != 0
            && before & (cue::DOUBTFUL | cue::NEVER) == 0;
        // A given name before it makes it a person.
        if given
            && (known.kind != EntityKind::Person || !known.name.starts_with(tokens[at - 1].text))
        {
            let stop = if at + 1 < end
                && running
                && tokens[at + 1].is(shape::CAPITAL)
                && self.cues[at + 1] == 0
                && !tokens[at + 1].after(gap::BREAK)
            {
                at + 2
            } else {
                at + 1
            };
            let sentence = self.sentence_of(at);
            self.name(at - 1, stop, EntityKind::Person, sentence);
            return true;
        }
        // `spokesman Judd Deere said` does not name the tractor maker.
        if known.sort == Sort::Company
            && running
            && at > start + 1
            && before == 0
            && tokens[at - 1].is(shape::CAPITAL)
            && !tokens[at].is(shape::ALL_CAPS)
            && self.cues[at - 2] & (cue::TITLE | cue::HONOUR) != 0
        {
            let sentence = self.sentence_of(at);
            self.name(at - 1, at + 1, EntityKind::Person, sentence);
            return true;
        }
        known.kind == EntityKind::Person
            && running
            && tokens[at - 1].is(shape::CAPITAL)
            && at - 1 > start
            && before
                & (cue::TITLE
                    | cue::HONOUR
                    | cue::NEVER
                    | cue::COMMON
                    | cue::ORGANIZATION
                    | cue::EVENT
                    | cue::LOCATION)
                == 0
            && tokens[at - 1].text.len() > 2
            && !tokens[at - 1].is(shape::ALL_CAPS)
            && !self.mentions.last().is_some_and(|_| self.was_known(at - 1))
    }

    pub(super) fn was_known(&self, at: usize) -> bool {
        let around = Around {
            scan: self,
            place: Place {
                sentence: 0,
                start: at,
                end: at + 1,
                running: true,
            },
        };
        GAZETTEER
            .at(&self.lexed.tokens, at, at + 1, &around)
            .is_some()
    }
}

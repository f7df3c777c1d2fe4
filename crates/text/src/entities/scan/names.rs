//! Names that are not in any data file, recognised by how they are written and by the words next to them.

use model::EntityKind;

use super::super::cues::{self, cue};
use super::super::gazetteer::GAZETTEER;
use super::around::Around;
use super::{LONGEST_NAME, Place, Scan, Who, is_exchange};
use crate::annotate::lexed::{extend, gap, shape};

impl Scan<'_, '_> {
    /// Even if every word is capitalised, an unambiguous given name before a word that can be nothing else names a
    /// person.
    pub(super) fn person_in_capitals(
        &mut self,
        at: usize,
        end: usize,
        sentence: u32,
    ) -> Option<usize> {
        let tokens = &self.lexed.tokens;
        let given = tokens[at].is(shape::CAPITAL)
            && self.cues[at] & (cue::GIVEN | cue::DOUBTFUL | cue::NEVER | cue::COMMON)
                == cue::GIVEN;
        let surname = tokens[..end].get(at + 1)?;
        let named = given
            && surname.is(shape::CAPITAL)
            && !surname.after(gap::BREAK)
            && !surname.is(shape::ALL_CAPS)
            && self.cues[at + 1] & !(cue::GIVEN | cue::DOUBTFUL) == 0
            && surname.text.len() > 2
            && !self.was_known(at + 1);
        let ends = tokens[..end].get(at + 2).is_none_or(|next| {
            !next.is(shape::CAPITAL)
                || next.after(gap::BREAK)
                || surname.is(shape::POSSESSIVE)
                || cues::of(next) & (cue::COMMON | cue::NEVER | cue::SAYS) != 0
        });
        if !(named && ends) {
            return None;
        }
        self.name(at, at + 2, EntityKind::Person, sentence);
        Some(at + 2)
    }

    /// Where the run of capitalised words that begins at `at` ends.
    pub(super) fn run(&self, at: usize, end: usize) -> usize {
        let tokens = &self.lexed.tokens;
        let mut run = at + 1;
        while run < end && run - at < LONGEST_NAME {
            let token = &tokens[run];
            if token.after(gap::BREAK) || tokens[run - 1].is(shape::POSSESSIVE) {
                break;
            }
            if token.is(shape::CAPITAL) {
                // `Intelligence Committee Chairman Adam …`: the title begins another name.
                let titled = self.cues[run] & cue::TITLE != 0
                    && self.cues[run] & (cue::GIVEN | cue::ORGANIZATION) == 0;
                if titled
                    && tokens[..end]
                        .get(run + 1)
                        .is_some_and(|next| next.is(shape::CAPITAL) && !next.after(gap::BREAK))
                    && self.cues[run - 1] & cue::TITLE == 0
                {
                    break;
                }
                run += 1;
                continue;
            }
            // Small words join: `Ursula von der Leyen`, `University of Texas`.
            if self.cues[run] & cue::JOINS == 0 {
                break;
            }
            let institution = self.cues[at] & cue::ORGANIZATION_OF != 0;
            let mut next = run;
            while next < end
                && next < run + 2
                && self.cues[next] & cue::JOINS != 0
                && !tokens[next].after(gap::BREAK)
                && !tokens[next].is(shape::CAPITAL)
            {
                if matches!(tokens[next].text, "of" | "for" | "and") && !institution {
                    return run;
                }
                next += 1;
            }
            if next < end && tokens[next].is(shape::CAPITAL) && !tokens[next].after(gap::BREAK) {
                run = next + 1;
            } else {
                break;
            }
        }
        run
    }

    /// Reads a run of capitalised words that does not begin with a known name. Returns where to continue.
    pub(super) fn unknown(&mut self, at: usize, run: usize, place: Place) -> usize {
        let Place {
            sentence,
            start,
            end,
            ..
        } = place;
        let around = |scan: &Self, from: usize| {
            GAZETTEER.at(&scan.lexed.tokens, from, end, &Around { scan, place })
        };
        let tokens = &self.lexed.tokens;
        // `D-Texas` is a party and a state.
        if tokens[at].text.len() == 1
            && tokens[..end]
                .get(at + 1)
                .is_some_and(|next| next.after(gap::HYPHEN))
        {
            return at + 1;
        }
        let mut from = at;
        let mut titled = at > start
            && !tokens[at].after(gap::BREAK)
            && self.cues[at - 1] & (cue::TITLE | cue::HONOUR) != 0
            && tokens[at - 1].text.len() > 1;
        // Titles, and words that are not part of the name, in front of it.
        while from < run {
            let cues = self.cues[from];
            let title = cues & (cue::TITLE | cue::HONOUR) != 0
                && !(cues & cue::GIVEN != 0 && cues & cue::HONOUR == 0);
            let verb = from == start
                && ["ing", "ed", "ly"]
                    .iter()
                    .any(|ending| tokens[from].text.ends_with(ending))
                && cues & cue::GIVEN == 0;
            let opener = verb
                || cues & cue::NEVER != 0
                || (from == start
                    && cues & cue::COMMON != 0
                    && cues & (cue::GIVEN | cue::ORGANIZATION_OF | cue::LOCATION_BEFORE) == 0);
            let institution = cues & cue::ORGANIZATION_OF != 0
                && from + 1 < run
                && !tokens[from + 1].is(shape::CAPITAL);
            // `Northern Trade Institute` begins with its adjective.
            let adjective = cues & cue::ADJECTIVE != 0
                && run >= from + 3
                && self.cues[run - 1] & cue::ORGANIZATION != 0;
            if institution || adjective || !(title || opener) {
                break;
            }
            titled = title;
            from += 1;
            while from < run && !tokens[from].is(shape::CAPITAL) {
                from += 1;
            }
        }
        if from >= run {
            return run;
        }
        if from > at && around(self, from).is_some() {
            return from;
        }
        // A known name further along in the run stands for itself.
        let mut to = run;
        for (next, token) in tokens.iter().enumerate().take(run).skip(from + 1) {
            if token.is(shape::CAPITAL)
                && let Some((length, who)) = around(self, next)
                && (length > 1 || GAZETTEER.known[who as usize].kind == EntityKind::Organization)
                && self.cues[run - 1] & cue::ORGANIZATION == 0
                && self.cues[from] & cue::ORGANIZATION_OF == 0
            {
                to = next;
                break;
            }
        }
        while to > from + 1
            && (self.cues[to - 1] & (cue::NEVER | cue::JOINS) != 0
                && self.cues[to - 1] & (cue::EVENT | cue::ORGANIZATION | cue::GIVEN) == 0
                || !tokens[to - 1].is(shape::CAPITAL))
        {
            to -= 1;
        }
        if let Some(kind) = self.kind(from, to, end, titled) {
            self.name(from, to, kind, sentence);
            return self.abbreviation(to, end).map_or(to, |(next, symbol)| {
                if let Some(index) = self.by_phrase.get(&self.phrase(from, to)).copied() {
                    if symbol {
                        self.found[index as usize].ticker = Some(self.lexed.tokens[next - 1].text);
                        self.gloss(Who::Found(index), to, next, sentence);
                    } else {
                        let key = extend(0, self.lexed.tokens[next - 1].exact);
                        self.by_phrase.entry(key).or_insert(index);
                    }
                }
                next
            });
        }
        self.undecided.push((from, to, sentence));
        to
    }

    /// What a capitalised sequence names, if that is immediately clear.
    fn kind(&self, from: usize, to: usize, end: usize, titled: bool) -> Option<EntityKind> {
        let tokens = &self.lexed.tokens[from..to];
        let cues = &self.cues[from..to];
        let length = to - from;
        let (first, last) = (cues[0], cues[length - 1]);
        let plain = |cues: u16| cues & (cue::COMMON | cue::NEVER | cue::TITLE) == 0;
        let named = cues.iter().zip(tokens).any(|(&cues, token)| {
            token.is(shape::CAPITAL)
                && cues
                    & (cue::COMMON
                        | cue::NEVER
                        | cue::ORGANIZATION
                        | cue::EVENT
                        | cue::LOCATION
                        | cue::LOCATION_BEFORE
                        | cue::TITLE)
                    == 0
        });
        let shouted = tokens.iter().all(|token| token.is(shape::ALL_CAPS));
        if length >= 3
            && first & cue::ORGANIZATION_OF != 0
            && matches!(tokens[1].text, "of" | "for")
        {
            return (length > 2 && named).then_some(EntityKind::Organization);
        }
        if length >= 2 && last & cue::ORGANIZATION != 0 && last & cue::GIVEN == 0 {
            // Three capitalised words in a row are a name even if each of them is an ordinary word.
            let long = length >= 3 && tokens.iter().all(|token| token.is(shape::CAPITAL));
            return ((named || long) && !shouted).then_some(EntityKind::Organization);
        }
        let person = length <= 4
            && tokens.iter().zip(cues).all(|(token, &cues)| {
                !token.is(shape::NUMBER) && cues & (cue::ORGANIZATION | cue::EVENT) == 0
                    || cues & cue::GIVEN != 0
            })
            && !tokens
                .iter()
                .skip(1)
                .any(|token| token.is(shape::ALL_CAPS) && token.text.len() > 2);
        if person
            && length >= 2
            && first & cue::GIVEN != 0
            && last & (cue::COMMON | cue::NEVER) == 0
            && !shouted
            && (first & cue::DOUBTFUL == 0
                || length <= 3
                    && cues[1..]
                        .iter()
                        .all(|&cues| plain(cues) && cues & cue::LOCATION == 0))
        {
            return Some(EntityKind::Person);
        }
        if person && titled && plain(last) && !shouted && tokens[0].text.len() > 1 {
            return Some(EntityKind::Person);
        }
        // `Florida State` is a university.
        if length >= 2 && tokens[length - 1].text == "State" {
            return named.then_some(EntityKind::Organization);
        }
        if length >= 2 && last & cue::LOCATION != 0 {
            return named.then_some(EntityKind::Location);
        }
        if length >= 2
            && first & cue::LOCATION_BEFORE != 0
            && plain(last)
            && !matches!(
                tokens[0].text,
                "New" | "North" | "South" | "East" | "West" | "El" | "The"
            )
        {
            return Some(EntityKind::Location);
        }
        if length >= 2 && last & cue::EVENT != 0 {
            return (named
                && !matches!(
                    tokens[length - 1].text,
                    "War" | "Deal" | "Crisis" | "Act" | "Election" | "Elections" | "Agreement"
                ))
            .then_some(EntityKind::Event);
        }
        let next = self.lexed.tokens[..end].get(to);
        let speaks =
            next.is_some_and(|token| !token.after(gap::BREAK) && cues::of(token) & cue::SAYS != 0);
        if person
            && speaks
            && first & cue::GIVEN != 0
            && (2..=3).contains(&length)
            && cues.iter().all(|&cues| plain(cues))
            && !shouted
        {
            return Some(EntityKind::Person);
        }
        // `Aurelia Lindqvist, chief economist at …`
        let introduced =
            next.is_some_and(|token| token.after(gap::COMMA) && cues::of(token) & cue::TITLE != 0);
        if person
            && introduced
            && (2..=3).contains(&length)
            && cues.iter().all(|&cues| plain(cues))
            && !shouted
        {
            return Some(EntityKind::Person);
        }
        None
    }

    /// An abbreviation or symbol in brackets after a name: where it ends, and whether it is a symbol.
    fn abbreviation(&self, at: usize, end: usize) -> Option<(usize, bool)> {
        let tokens = &self.lexed.tokens;
        let first = tokens[..end].get(at)?;
        if !first.after(gap::OPEN) || !first.is(shape::ALL_CAPS) && !is_exchange(first.text) {
            return None;
        }
        if is_exchange(first.text)
            && let Some(symbol) = tokens[..end].get(at + 1)
            && symbol.after(gap::COLON)
            && symbol.is(shape::CAPITAL)
        {
            return Some((at + 2, true));
        }
        (first.text.len() <= 7).then_some((at + 1, false))
    }
}

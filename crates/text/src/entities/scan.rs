//! Walks along a text and collects what is named where: known names first, then names that their surroundings reveal.

use std::cell::OnceCell;

use model::EntityKind;
use rustc_hash::{FxHashMap, FxHashSet};

use super::cues::{self, cue};
use super::gazetteer::{GAZETTEER, Sort, Surroundings, is_legal_form};
use crate::annotate::lexed::{Lexed, Token, extend, gap, shape};

/// Words of a name at most.
const LONGEST_NAME: usize = 8;

/// Who is named: an entry of the gazetteer or a name found in this text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Who {
    /// Index into the gazetteer.
    Known(u32),
    /// Index into [`Scan::found`].
    Found(u32),
}

/// A name that is in no data file.
#[derive(Debug)]
pub(crate) struct FoundName<'a> {
    /// As written, without title.
    pub(crate) name: &'a str,
    /// What its surroundings say that it is.
    pub(crate) kind: EntityKind,
    /// Symbol given beside it.
    pub(crate) ticker: Option<&'a str>,
}

/// One place where something is named.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mention {
    /// Who is named.
    pub(crate) who: Who,
    /// Index of the sentence.
    pub(crate) sentence: u32,
    /// Named as the source of what is told.
    pub(crate) attribution: bool,
}

/// All names of a text.
#[derive(Debug)]
pub(crate) struct Scan<'l, 'a> {
    lexed: &'l Lexed<'a>,
    /// Cues of every word.
    cues: Vec<u16>,
    vocabulary: OnceCell<FxHashSet<u64>>,
    /// Names that are in no data file.
    pub(crate) found: Vec<FoundName<'a>>,
    by_phrase: FxHashMap<u64, u32>,
    surnames: FxHashMap<u64, Who>,
    stems: FxHashMap<u64, Who>,
    undecided: Vec<(usize, usize, u32)>,
    /// In the order of the text, headline last.
    pub(crate) mentions: Vec<Mention>,
}

impl<'l, 'a> Scan<'l, 'a> {
    /// Collects all names.
    pub(crate) fn new(lexed: &'l Lexed<'a>) -> Self {
        let mut scan = Self {
            lexed,
            cues: lexed.tokens.iter().map(cues::of).collect(),
            vocabulary: OnceCell::new(),
            found: Vec::new(),
            by_phrase: FxHashMap::default(),
            surnames: FxHashMap::default(),
            stems: FxHashMap::default(),
            undecided: Vec::new(),
            mentions: Vec::with_capacity(32),
        };
        for (at, sentence) in lexed.sentences.iter().enumerate().skip(1) {
            let running = !capitals_say_nothing(lexed.words(sentence));
            scan.sentence(at as u32, sentence.start, sentence.end, running);
        }
        let title = lexed.sentences[0];
        let running = !lexed.title_case && !capitals_say_nothing(lexed.title());
        scan.sentence(0, title.start, title.end, running);
        scan.settle();
        scan
    }

    fn sentence(&mut self, sentence: u32, start: usize, end: usize, running: bool) {
        let tokens = &self.lexed.tokens;
        let mut at = start;
        while at < end {
            let token = &tokens[at];
            if token.is(shape::DOLLAR) && token.is(shape::ALL_CAPS) && token.text.len() <= 5 {
                self.cashtag(at, sentence);
                at += 1;
                continue;
            }
            if !token.is(shape::CAPITAL | shape::NUMBER) && !token.text.starts_with(['e', 'i', 'b', 'x', 'm', 'd', 's', 'c', 'r', 'h', 'l', 'a', 't', 'w', 'o', 'p', 'f', 'u', 'z', 'k', 'v']) {
                at += 1;
                continue;
            }
            let known = GAZETTEER.at(tokens, at, end, &Around { scan: self, start, end: end, running });
            let run = if running && token.is(shape::CAPITAL) { self.run(at, end) } else { at };
            if let Some((length, who)) = known {
                if let Some(next) = self.prefer_longer(at, length, run, start, who, sentence, running) {
                    at = next;
                    continue;
                }
                if length == 1 && self.names_person(at, who, sentence) {
                    at += 1;
                    continue;
                }
                if self.belongs_to_unknown_person(at, length, start, end, who, running) {
                    at += length;
                    continue;
                }
                at = self.known(at, length, end, who, sentence);
                continue;
            }
            if run > at {
                at = self.unknown(at, run, start, end, sentence);
            } else {
                at = self.person_in_capitals(at, end, sentence).unwrap_or_else(|| self.again(at, end, sentence));
            }
        }
    }

    /// Where every word has a capital, a sure given name before a word that is nothing else still names a person.
    fn person_in_capitals(&mut self, at: usize, end: usize, sentence: u32) -> Option<usize> {
        let tokens = &self.lexed.tokens;
        let given = tokens[at].is(shape::CAPITAL) && self.cues[at] & (cue::GIVEN | cue::DOUBTFUL | cue::NEVER | cue::COMMON) == cue::GIVEN;
        let surname = tokens[..end].get(at + 1)?;
        let named = given
            && surname.is(shape::CAPITAL)
            && !surname.after(gap::BREAK)
            && !surname.is(shape::ALL_CAPS)
            && self.cues[at + 1] & !(cue::GIVEN | cue::DOUBTFUL) == 0
            && surname.text.len() > 2
            && !self.was_known(at + 1);
        let ends = tokens[..end].get(at + 2).is_none_or(|next| {
            !next.is(shape::CAPITAL) || next.after(gap::BREAK) || surname.is(shape::POSSESSIVE) || cues::of(next) & (cue::COMMON | cue::NEVER | cue::SAYS) != 0
        });
        if !(named && ends) {
            return None;
        }
        self.name(at, at + 2, EntityKind::Person, sentence);
        Some(at + 2)
    }

    /// Where the run of capitalised words that begins at `at` ends.
    fn run(&self, at: usize, end: usize) -> usize {
        let tokens = &self.lexed.tokens;
        let mut run = at + 1;
        while run < end && run - at < LONGEST_NAME {
            let token = &tokens[run];
            if token.after(gap::BREAK) || tokens[run - 1].is(shape::POSSESSIVE) {
                break;
            }
            if token.is(shape::CAPITAL) {
                // `Intelligence Committee Chairman Adam …`: the title begins another name.
                let titled = self.cues[run] & cue::TITLE != 0 && self.cues[run] & (cue::GIVEN | cue::ORGANIZATION) == 0;
                if titled && tokens[..end].get(run + 1).is_some_and(|next| next.is(shape::CAPITAL) && !next.after(gap::BREAK)) && self.cues[at] & cue::TITLE == 0 {
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
            while next < end && next < run + 2 && self.cues[next] & cue::JOINS != 0 && !tokens[next].after(gap::BREAK) && !tokens[next].is(shape::CAPITAL) {
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

    /// Where a known name is only part of a longer name that is no known one (`Boston Police`), takes the longer one.
    fn prefer_longer(&mut self, at: usize, length: usize, run: usize, start: usize, who: u32, sentence: u32, running: bool) -> Option<usize> {
        let known = &GAZETTEER.known[who as usize];
        if !running || run <= at + length || length > 2 {
            return None;
        }
        let last = self.cues[run - 1];
        // `Bondi Beach` is no person, `Barclays Center` no bank.
        let place = if known.sort == Sort::Company { matches!(self.lexed.tokens[run - 1].text, "Center" | "Arena" | "Stadium" | "Field" | "Park" | "Centre") } else { last & cue::LOCATION != 0 };
        if place && length == 1 && run == at + 2 && known.kind != EntityKind::Event {
            self.name(at, run, EntityKind::Location, sentence);
            return Some(run);
        }
        // `The Atlantic Coast Conference` is no magazine.
        if known.sort == Sort::Media && self.cues[at + length] & (cue::TITLE | cue::NEVER) == 0 && last & cue::ORGANIZATION != 0 && !known.name.contains(self.lexed.tokens[run - 1].text) {
            let from = at + usize::from(self.lexed.tokens[at].text == "The");
            self.name(from, run, EntityKind::Organization, sentence);
            return Some(run);
        }
        if known.sort == Sort::Company {
            return None;
        }
        let institution = last & cue::ORGANIZATION != 0 && !matches!(known.kind, EntityKind::Event | EntityKind::Product)
            && !matches!(self.lexed.tokens[run - 1].text, "Administration" | "Campaign" | "Army" | "Forces" | "Navy" | "Force" | "Government" | "Exchange" | "Group");
        let person = known.kind == EntityKind::Location && self.cues[at] & cue::GIVEN != 0 && length == 1 && at > start && self.cues[run - 1] & (cue::COMMON | cue::NEVER | cue::LOCATION | cue::EVENT) == 0 && run - at <= 3;
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

    /// A surname that is a place as well means the person where the text has named one.
    fn names_person(&mut self, at: usize, who: u32, sentence: u32) -> bool {
        let token = &self.lexed.tokens[at];
        let place = GAZETTEER.known[who as usize].kind == EntityKind::Location && !token.is(shape::ALL_CAPS);
        match self.surnames.get(&token.lower).copied() {
            Some(person) if place && person != Who::Known(who) => {
                self.mention(person, sentence, false);
                true
            }
            _ => false,
        }
    }

    /// `Keanu Reeves` is not the other person of that surname, `Paris Hilton` no place.
    fn belongs_to_unknown_person(&mut self, at: usize, length: usize, start: usize, end: usize, who: u32, running: bool) -> bool {
        let known = &GAZETTEER.known[who as usize];
        if length > 1 || at == start || known.name == self.lexed.tokens[at].text && known.kind == EntityKind::Event {
            return false;
        }
        let tokens = &self.lexed.tokens;
        if tokens[at].after(gap::BREAK) || tokens[at - 1].is(shape::POSSESSIVE) || known.sort == Sort::Coin {
            return false;
        }
        let before = self.cues[at - 1];
        let given = tokens[at - 1].is(shape::CAPITAL) && before & cue::GIVEN != 0 && before & (cue::DOUBTFUL | cue::NEVER) == 0;
        // A given name before it makes a person of it.
        if given && (known.kind != EntityKind::Person || !known.name.starts_with(tokens[at - 1].text)) {
            let stop = if at + 1 < end && running && tokens[at + 1].is(shape::CAPITAL) && self.cues[at + 1] == 0 && !tokens[at + 1].after(gap::BREAK) { at + 2 } else { at + 1 };
            let sentence = self.sentence_of(at);
            self.name(at - 1, stop, EntityKind::Person, sentence);
            return true;
        }
        // `spokesman Judd Deere said` names no tractor maker.
        if known.sort == Sort::Company
            && running
            && at > start + 1
            && before == 0
            && tokens[at - 1].is(shape::CAPITAL)
            && !tokens[at].is(shape::ALL_CAPS)
            && self.cues[at - 2] & (cue::TITLE | cue::HONOUR) != 0
            && tokens[..end].get(at + 1).is_some_and(|next| cues::of(next) & cue::SAYS != 0)
        {
            let sentence = self.sentence_of(at);
            self.name(at - 1, at + 1, EntityKind::Person, sentence);
            return true;
        }
        known.kind == EntityKind::Person
            && running
            && tokens[at - 1].is(shape::CAPITAL)
            && at - 1 > start
            && before & (cue::TITLE | cue::HONOUR | cue::NEVER | cue::COMMON | cue::ORGANIZATION | cue::EVENT | cue::LOCATION) == 0
            && tokens[at - 1].text.len() > 2
            && !tokens[at - 1].is(shape::ALL_CAPS)
            && !self.mentions.last().is_some_and(|_| self.was_known(at - 1))
    }

    fn was_known(&self, at: usize) -> bool {
        let around = Around { scan: self, start: at, end: at + 1, running: true };
        GAZETTEER.at(&self.lexed.tokens, at, at + 1, &around).is_some()
    }

    fn sentence_of(&self, at: usize) -> u32 {
        self.lexed.sentences.partition_point(|sentence| sentence.end <= at) as u32
    }

    fn known(&mut self, at: usize, length: usize, end: usize, who: u32, sentence: u32) -> usize {
        let tokens = &self.lexed.tokens;
        let known = &GAZETTEER.known[who as usize];
        let mut next = at + length;
        // `(NASDAQ: AAPL)` names the company, not the exchange.
        if let Some(symbol) = exchange(tokens, at, length, end) {
            if let Some(company) = GAZETTEER.ticker(tokens[symbol].text) {
                let repeated = self.mentions.last().is_some_and(|last| last.who == Who::Known(company) && last.sentence == sentence);
                if !repeated {
                    self.mention(Who::Known(company), sentence, false);
                }
            }
            return symbol + 1;
        }
        if known.kind == EntityKind::Organization {
            while next < end && tokens[next].is(shape::CAPITAL) && is_legal_form(tokens[next].text) && !tokens[next].after(gap::BREAK & !gap::COMMA) {
                next += 1;
            }
        }
        if known.kind == EntityKind::Person && let Some(&surname) = tokens[..at + length].last().map(|token| &token.lower) {
            self.surnames.entry(surname).or_insert(Who::Known(who));
        }
        let bracketed = tokens[at].after(gap::OPEN) && (next >= tokens.len() || tokens[next].after(gap::CLOSE | gap::OTHER));
        let told = at >= 2 && (matches!(tokens[at - 1].text, "told" | "to" | "by") || tokens[at - 1].text == "via");
        self.mention(Who::Known(who), sentence, known.sort == Sort::Media && (bracketed || told));
        next
    }

    fn cashtag(&mut self, at: usize, sentence: u32) {
        let token = self.lexed.tokens[at];
        if let Some(known) = GAZETTEER.ticker(token.text) {
            self.mention(Who::Known(known), sentence, false);
        } else {
            let index = self.intern(at, at + 1, EntityKind::Organization);
            self.found[index as usize].ticker = Some(token.text);
            self.mention(Who::Found(index), sentence, false);
        }
    }

    /// Reads a run of capitalised words that begins with no known name; answers where to go on.
    fn unknown(&mut self, at: usize, run: usize, start: usize, end: usize, sentence: u32) -> usize {
        let tokens = &self.lexed.tokens;
        let mut from = at;
        let mut titled = at > start && !tokens[at].after(gap::BREAK) && self.cues[at - 1] & (cue::TITLE | cue::HONOUR) != 0 && tokens[at - 1].text.len() > 1;
        // Titles and words that are no names in front of the name.
        while from < run {
            let cues = self.cues[from];
            let title = cues & (cue::TITLE | cue::HONOUR) != 0 && !(cues & cue::GIVEN != 0 && cues & cue::HONOUR == 0);
            let opener = cues & cue::NEVER != 0 || (from == start && cues & cue::COMMON != 0 && cues & (cue::GIVEN | cue::ORGANIZATION_OF | cue::LOCATION_BEFORE) == 0);
            let institution = cues & cue::ORGANIZATION_OF != 0 && from + 1 < run && !tokens[from + 1].is(shape::CAPITAL);
            if institution || !(title || opener) {
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
        if from > at && GAZETTEER.at(tokens, from, end, &Around { scan: self, start, end, running: true }).is_some() {
            return from;
        }
        // A known name further on in the run stands for itself.
        let mut to = run;
        for next in from + 1..run {
            if tokens[next].is(shape::CAPITAL)
                && let Some((length, who)) = GAZETTEER.at(tokens, next, end, &Around { scan: self, start, end, running: true })
                && (length > 1 || GAZETTEER.known[who as usize].kind == EntityKind::Organization)
                && self.cues[run - 1] & cue::ORGANIZATION == 0
                && self.cues[from] & cue::ORGANIZATION_OF == 0
            {
                to = next;
                break;
            }
        }
        while to > from + 1 && (self.cues[to - 1] & (cue::NEVER | cue::JOINS) != 0 && self.cues[to - 1] & (cue::EVENT | cue::ORGANIZATION | cue::GIVEN) == 0 || !tokens[to - 1].is(shape::CAPITAL)) {
            to -= 1;
        }
        if let Some(kind) = self.kind(from, to, end, titled) {
            self.name(from, to, kind, sentence);
            return self.abbreviation(to, end).map_or(to, |(next, symbol)| {
                if let Some(index) = self.by_phrase.get(&self.phrase(from, to)).copied() {
                    if symbol {
                        self.found[index as usize].ticker = Some(self.lexed.tokens[next - 1].text);
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

    /// What a capitalised sequence is, where that can be told at once.
    fn kind(&self, from: usize, to: usize, end: usize, titled: bool) -> Option<EntityKind> {
        let tokens = &self.lexed.tokens[from..to];
        let cues = &self.cues[from..to];
        let length = to - from;
        let (first, last) = (cues[0], cues[length - 1]);
        let plain = |cues: u16| cues & (cue::COMMON | cue::NEVER | cue::TITLE) == 0;
        let named = cues.iter().zip(tokens).any(|(&cues, token)| token.is(shape::CAPITAL) && cues & (cue::COMMON | cue::NEVER | cue::ORGANIZATION | cue::EVENT | cue::LOCATION | cue::LOCATION_BEFORE | cue::TITLE) == 0);
        let shouted = tokens.iter().all(|token| token.is(shape::ALL_CAPS));
        if length >= 3 && first & cue::ORGANIZATION_OF != 0 && matches!(tokens[1].text, "of" | "for") {
            return (length > 2 && named).then_some(EntityKind::Organization);
        }
        if length >= 2 && last & cue::ORGANIZATION != 0 && last & cue::GIVEN == 0 {
            return (named && !shouted).then_some(EntityKind::Organization);
        }
        let person = length <= 4
            && tokens.iter().zip(cues).all(|(token, &cues)| !token.is(shape::NUMBER) && cues & (cue::ORGANIZATION | cue::EVENT) == 0 || cues & cue::GIVEN != 0)
            && !tokens.iter().skip(1).any(|token| token.is(shape::ALL_CAPS) && token.text.len() > 2);
        if person && length >= 2 && first & cue::GIVEN != 0 && last & (cue::COMMON | cue::NEVER) == 0 && !shouted && (first & cue::DOUBTFUL == 0 || length <= 3 && cues[1..].iter().all(|&cues| plain(cues) && cues & cue::LOCATION == 0)) {
            return Some(EntityKind::Person);
        }
        if person && titled && plain(last) && !shouted && tokens[0].text.len() > 1 {
            return Some(EntityKind::Person);
        }
        if length >= 2 && last & cue::LOCATION != 0 {
            return named.then_some(EntityKind::Location);
        }
        if length >= 2 && first & cue::LOCATION_BEFORE != 0 && plain(last) && !matches!(tokens[0].text, "New" | "North" | "South" | "East" | "West" | "El" | "The") {
            return Some(EntityKind::Location);
        }
        if length >= 2 && last & cue::EVENT != 0 {
            return (named && !matches!(tokens[length - 1].text, "War" | "Deal" | "Crisis" | "Act" | "Election" | "Elections" | "Agreement")).then_some(EntityKind::Event);
        }
        let next = self.lexed.tokens[..end].get(to);
        let speaks = next.is_some_and(|token| !token.after(gap::BREAK) && cues::of(token) & cue::SAYS != 0);
        if person && speaks && (2..=3).contains(&length) && cues.iter().all(|&cues| plain(cues)) && !shouted {
            return Some(EntityKind::Person);
        }
        // `Aurelia Lindqvist, chief economist at …`
        let introduced = next.is_some_and(|token| token.after(gap::COMMA) && cues::of(token) & cue::TITLE != 0);
        if person && introduced && (2..=3).contains(&length) && cues.iter().all(|&cues| plain(cues)) && !shouted {
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
        if is_exchange(first.text) && let Some(symbol) = tokens[..end].get(at + 1) && symbol.after(gap::COLON) && symbol.is(shape::CAPITAL) {
            return Some((at + 2, true));
        }
        (first.text.len() <= 7).then_some((at + 1, false))
    }

    /// A name that was found earlier in the text, or a surname; answers where to go on.
    fn again(&mut self, at: usize, end: usize, sentence: u32) -> usize {
        let tokens = &self.lexed.tokens;
        if !tokens[at].is(shape::CAPITAL) {
            return at + 1;
        }
        let (mut key, mut hit) = (0, None);
        for next in at..end.min(at + LONGEST_NAME) {
            if next > at && tokens[next].after(gap::BREAK) {
                break;
            }
            key = extend(key, tokens[next].exact);
            if let Some(&index) = self.by_phrase.get(&key) {
                hit = Some((next + 1, index));
            }
        }
        if let Some((next, index)) = hit {
            self.mention(Who::Found(index), sentence, false);
            return next;
        }
        if self.cues[at] & (cue::NEVER | cue::COMMON) == 0 {
            self.undecided.push((at, at + 1, sentence));
        }
        at + 1
    }

    fn phrase(&self, from: usize, to: usize) -> u64 {
        self.lexed.tokens[from..to].iter().fold(0, |key, token| extend(key, token.exact))
    }

    fn intern(&mut self, from: usize, to: usize, kind: EntityKind) -> u32 {
        let key = self.phrase(from, to);
        if let Some(&index) = self.by_phrase.get(&key) {
            return index;
        }
        let name = self.lexed.written(from, to);
        let index = self.found.len() as u32;
        self.found.push(FoundName { name, kind, ticker: None });
        self.by_phrase.insert(key, index);
        let tokens = &self.lexed.tokens;
        match kind {
            EntityKind::Person => {
                self.surnames.entry(tokens[to - 1].lower).or_insert(Who::Found(index));
            }
            EntityKind::Organization if to - from > 1 && self.cues[from] & (cue::COMMON | cue::NEVER | cue::ORGANIZATION_OF | cue::GIVEN) == 0 => {
                self.stems.entry(tokens[from].exact).or_insert(Who::Found(index));
            }
            _ => {}
        }
        index
    }

    fn name(&mut self, from: usize, to: usize, kind: EntityKind, sentence: u32) {
        // A surname with a title is the person who was named in full before.
        if kind == EntityKind::Person && to - from == 1 && let Some(&who) = self.surnames.get(&self.lexed.tokens[from].lower) {
            self.mention(who, sentence, false);
            return;
        }
        let index = self.intern(from, to, kind);
        self.mention(Who::Found(index), sentence, false);
    }

    fn mention(&mut self, who: Who, sentence: u32, attribution: bool) {
        self.mentions.push(Mention { who, sentence, attribution });
    }

    /// Decides what the whole text tells about names that one place left open.
    fn settle(&mut self) {
        let undecided = std::mem::take(&mut self.undecided);
        // Full names of which the last word stands alone elsewhere are people.
        let mut alone: FxHashMap<u64, u32> = FxHashMap::default();
        let mut together: FxHashMap<u64, u32> = FxHashMap::default();
        for &(from, to, _) in &undecided {
            if to - from == 1 {
                *alone.entry(self.lexed.tokens[from].lower).or_insert(0) += 1;
            } else {
                *together.entry(self.phrase(from, to)).or_insert(0) += 1;
            }
        }
        for &(from, to, sentence) in &undecided {
            let length = to - from;
            if length < 2 {
                continue;
            }
            let tokens = &self.lexed.tokens;
            let plain = (from..to).all(|at| self.cues[at] & (cue::COMMON | cue::NEVER | cue::TITLE | cue::ORGANIZATION | cue::EVENT) == 0 && !tokens[at].is(shape::NUMBER));
            let shouted = tokens[from..to].iter().any(|token| token.is(shape::ALL_CAPS));
            let surname = self.surnames.contains_key(&tokens[to - 1].lower) && length == 2 && self.cues[from] & cue::GIVEN != 0;
            let times = together.get(&self.phrase(from, to)).copied().unwrap_or(0);
            let article = from > 0 && matches!(tokens[from - 1].text, "the" | "The" | "a" | "an") && !tokens[from].after(gap::BREAK);
            if self.by_phrase.contains_key(&self.phrase(from, to)) {
                self.name(from, to, EntityKind::Person, sentence);
            } else if length <= 3 && plain && !shouted && !article && (alone.contains_key(&tokens[to - 1].lower) || surname) {
                self.name(from, to, EntityKind::Person, sentence);
            } else if plain && times >= 2 && article && !shouted {
                self.name(from, to, EntityKind::Organization, sentence);
            }
        }
        for &(from, to, sentence) in &undecided {
            if to - from != 1 {
                continue;
            }
            let token = &self.lexed.tokens[from];
            if self.cues[from] & cue::NEVER != 0 {
                continue;
            }
            if let Some(&index) = self.by_phrase.get(&extend(0, token.exact)) {
                self.mention(Who::Found(index), sentence, false);
            } else if let Some(&who) = self.surnames.get(&token.lower).filter(|_| !token.is(shape::ALL_CAPS) || token.text.len() > 4) {
                self.mention(who, sentence, false);
            } else if let Some(&who) = self.stems.get(&token.exact) {
                self.mention(who, sentence, false);
            }
        }
    }
}

/// `NASDAQ: AAPL`, `NYSE: BRK.B`: the index of the symbol.
fn exchange(tokens: &[Token<'_>], at: usize, length: usize, end: usize) -> Option<usize> {
    let symbol = at + length;
    (length == 1 && is_exchange(tokens[at].text) && symbol < end && tokens[symbol].after(gap::COLON) && tokens[symbol].is(shape::ALL_CAPS) && tokens[symbol].text.len() <= 6)
        .then_some(symbol)
}

fn is_exchange(word: &str) -> bool {
    matches!(word, "NYSE" | "NASDAQ" | "Nasdaq" | "LSE" | "TSX" | "ASX" | "NSE" | "BSE" | "OTC" | "AMEX" | "HKEX" | "SGX" | "OTCQB" | "OTCQX" | "TSXV" | "CSE" | "Euronext" | "XETRA")
}

/// Whether a stretch of text capitalises (nearly) every word.
fn capitals_say_nothing(tokens: &[Token<'_>]) -> bool {
    let words = tokens.iter().skip(1).filter(|token| token.text.len() >= 4 && !token.is(shape::NUMBER)).count();
    let capitals = tokens.iter().skip(1).filter(|token| token.text.len() >= 4 && token.is(shape::CAPITAL)).count();
    words >= 4 && capitals * 10 >= words * 8
}

struct Around<'s, 'l, 'a> {
    scan: &'s Scan<'l, 'a>,
    start: usize,
    end: usize,
    running: bool,
}

impl Surroundings for Around<'_, '_, '_> {
    fn mentions_any(&self, words: &[u64]) -> bool {
        let vocabulary = self.scan.vocabulary.get_or_init(|| self.scan.lexed.tokens.iter().map(|token| token.lower).collect());
        words.iter().any(|word| vocabulary.contains(word))
    }

    fn company_cue(&self, start: usize, end: usize) -> bool {
        let cues = &self.scan.cues;
        (start.saturating_sub(3).max(self.start)..start).chain(end..(end + 4).min(self.end)).any(|at| cues[at] & cue::COMPANY != 0)
    }

    fn telling_capital(&self, start: usize, end: usize) -> bool {
        let tokens = &self.scan.lexed.tokens;
        let joined = |at: usize| !tokens[at].after(gap::BREAK);
        self.running
            && start > self.start
            && !tokens[start].after(gap::QUOTE | gap::COLON | gap::OTHER)
            && !(joined(start) && tokens[start - 1].is(shape::CAPITAL))
            && !(end < self.end && joined(end) && tokens[end].is(shape::CAPITAL))
    }
}

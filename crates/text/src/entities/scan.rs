//! Walks along a text and collects its names with their positions: first known names, then names that their context
//! reveals.

use std::borrow::Cow;
use std::cell::OnceCell;

use model::EntityKind;
use rustc_hash::{FxHashMap, FxHashSet};

use super::cues::{self, cue};
use super::gazetteer::{GAZETTEER, Sort};
use super::tongue::{self, Capitals};
use crate::annotate::lexed::{Lexed, Token, extend, gap, shape};
use crate::company::is_written_legal_form;

mod abbreviations;
mod around;
mod capitals;
mod conflicts;
mod names;
mod settle;
mod weigh;

use around::Around;
use capitals::Calm;

/// Maximum number of words in a name.
const LONGEST_NAME: usize = 8;

/// The named entity: an entry in the gazetteer or a name found in this text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Who {
    /// Index into the gazetteer.
    Known(u32),
    /// Index into [`Scan::found`].
    Found(u32),
}

/// A name that is not in any data file.
#[derive(Debug)]
pub(crate) struct FoundName<'a> {
    /// As written, without its title.
    pub(crate) name: Cow<'a, str>,
    /// What its context indicates that it is.
    pub(crate) kind: EntityKind,
    /// The symbol given next to it.
    pub(crate) ticker: Option<&'a str>,
}

/// One place where something is named.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mention {
    /// Who is named.
    pub(crate) who: Who,
    /// Index of its first word.
    pub(crate) from: usize,
    /// Index after its last word.
    pub(crate) to: usize,
    /// Index of the sentence.
    pub(crate) sentence: u32,
    /// Named as the source of what is reported.
    pub(crate) attribution: bool,
    /// Only a symbol that explains the name before it.
    pub(crate) gloss: bool,
}

/// One sentence and how its capitals are to be interpreted.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Index of the sentence.
    sentence: u32,
    /// Index of its first word.
    start: usize,
    /// Index after its last word.
    end: usize,
    /// Capitals mark names, because ordinary words have none.
    running: bool,
}

/// All names of a text.
#[derive(Debug)]
pub(crate) struct Scan<'l, 'a> {
    lexed: &'l Lexed<'a>,
    /// Cues of every word.
    cues: Vec<u16>,
    vocabulary: OnceCell<FxHashSet<u64>>,
    /// Names that are not in any data file.
    pub(crate) found: Vec<FoundName<'a>>,
    by_phrase: FxHashMap<u64, u32>,
    surnames: FxHashMap<u64, Who>,
    stems: FxHashMap<u64, Who>,
    undecided: Vec<(usize, usize, u32)>,
    /// Sentences in which capitals mark names.
    running: Vec<u32>,
    /// In the order of the text, headline first. None overlaps another.
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
            running: Vec::with_capacity(lexed.sentences.len()),
            mentions: Vec::with_capacity(32),
        };
        let capitals = tongue::capitals(lexed);
        let names = capitals != Capitals::Nouns;
        for (at, sentence) in lexed.sentences.iter().enumerate().skip(1) {
            let running = names && !capitals_say_nothing(lexed.words(sentence));
            scan.sentence(Place {
                sentence: at as u32,
                start: sentence.start,
                end: sentence.end,
                running,
            });
        }
        let title = lexed.sentences[0];
        let running = names && !lexed.title_case && !capitals_say_nothing(lexed.title());
        scan.sentence(Place {
            sentence: 0,
            start: title.start,
            end: title.end,
            running,
        });
        scan.settle();
        scan.order();
        if capitals == Capitals::English {
            scan.weigh();
            scan.order();
            scan.spell_out();
        }
        scan
    }

    fn sentence(&mut self, place: Place) {
        let Place {
            sentence,
            start,
            end,
            running,
        } = place;
        if running {
            self.running.push(sentence);
        }
        let tokens = &self.lexed.tokens;
        let mut at = start;
        while at < end {
            let token = &tokens[at];
            // `$704MM` is a sum of money.
            let is_symbol = token.is(shape::ALL_CAPS)
                && token.text.len() <= 5
                && token.text.starts_with(char::is_alphabetic);
            if token.is(shape::DOLLAR) && is_symbol {
                self.cashtag(at, sentence);
                at += 1;
                continue;
            }
            let known = GAZETTEER.at(tokens, at, end, &Around { scan: self, place });
            let run = if running && token.is(shape::CAPITAL) {
                self.run(at, end)
            } else {
                at
            };
            if let Some((length, who)) = known {
                if let Some(next) = self.prefer_longer(at, length, run, who, place) {
                    at = next;
                    continue;
                }
                if length == 1 && self.names_person(at, who, sentence) {
                    at += 1;
                    continue;
                }
                if self.belongs_to_unknown_person(at, length, who, place) {
                    at += length;
                    continue;
                }
                if let Some(next) = self.another_company(at, length, who, place) {
                    at = next;
                    continue;
                }
                at = self.known(at, length, who, place);
                continue;
            }
            if run > at {
                at = self.unknown(at, run, place);
            } else {
                let person = if self.named_before(at, end).is_none() {
                    self.person_in_capitals(at, end, sentence)
                } else {
                    None
                };
                at = person.unwrap_or_else(|| self.again(at, end, sentence));
            }
        }
    }

    fn sentence_of(&self, at: usize) -> u32 {
        self.lexed
            .sentences
            .partition_point(|sentence| sentence.end <= at) as u32
    }

    fn known(&mut self, at: usize, length: usize, who: u32, place: Place) -> usize {
        let Place { sentence, end, .. } = place;
        let tokens = &self.lexed.tokens;
        let known = &GAZETTEER.known[who as usize];
        let mut next = at + length;
        // `(NASDAQ: AAPL)` names the company, not the exchange.
        if let Some(symbol) = exchange(tokens, at, length, end) {
            if let Some(company) = GAZETTEER.ticker(tokens[symbol].text) {
                let repeated = self.mentions.last().is_some_and(|last| {
                    last.who == Who::Known(company) && last.sentence == sentence
                });
                if repeated {
                    self.gloss(Who::Known(company), at, symbol + 1, sentence);
                } else {
                    self.mention(Who::Known(company), (at, symbol + 1), sentence, false);
                }
            } else {
                let index = self.intern(symbol, symbol + 1, EntityKind::Organization);
                self.found[index as usize].ticker = Some(tokens[symbol].text);
                self.gloss(Who::Found(index), at, symbol + 1, sentence);
            }
            return symbol + 1;
        }
        if known.kind == EntityKind::Organization {
            while next < end
                && tokens[next].is(shape::CAPITAL)
                && is_written_legal_form(tokens[next].text)
                && !tokens[next].after(gap::BREAK & !gap::COMMA)
            {
                next += 1;
            }
        }
        if known.kind == EntityKind::Person
            && let Some(&surname) = tokens[..at + length].last().map(|token| &token.lower)
        {
            self.surnames.entry(surname).or_insert(Who::Known(who));
        }
        let bracketed = tokens[at].after(gap::OPEN)
            && (next >= tokens.len() || tokens[next].after(gap::CLOSE | gap::OTHER));
        let quoted = at >= 2
            && (matches!(tokens[at - 1].text, "told" | "to" | "by")
                || tokens[at - 1].text == "via");
        let reports = tokens[..end].get(next).is_some_and(|token| {
            !token.after(gap::BREAK)
                && matches!(
                    token.text,
                    "reported" | "reports" | "said" | "says" | "wrote"
                )
        });
        self.mention(
            Who::Known(who),
            (at, next),
            sentence,
            known.sort == Sort::Media && (bracketed || quoted || reports),
        );
        // `Freshworks Inc. (FRSH)`
        let symbol = tokens[..end]
            .get(next)
            .is_some_and(|token| token.after(gap::OPEN) && known.ticker == Some(token.text));
        if symbol {
            self.gloss(Who::Known(who), next, next + 1, sentence);
            return next + 1;
        }
        next
    }

    fn cashtag(&mut self, at: usize, sentence: u32) {
        let token = self.lexed.tokens[at];
        if let Some(known) = GAZETTEER.ticker(token.text) {
            self.mention(Who::Known(known), (at, at + 1), sentence, false);
        } else {
            let index = self.intern(at, at + 1, EntityKind::Organization);
            self.found[index as usize].ticker = Some(token.text);
            self.mention(Who::Found(index), (at, at + 1), sentence, false);
        }
    }

    /// The name found earlier in the text that begins here: where it ends, and its index.
    fn named_before(&self, at: usize, end: usize) -> Option<(usize, u32)> {
        let tokens = &self.lexed.tokens;
        let (mut key, mut hit) = (0, None);
        for (next, token) in tokens
            .iter()
            .enumerate()
            .take(end.min(at + LONGEST_NAME))
            .skip(at)
        {
            if next > at && token.after(gap::BREAK) {
                break;
            }
            key = extend(key, token.exact);
            if let Some(&index) = self.by_phrase.get(&key) {
                hit = Some((next + 1, index));
            }
        }
        hit
    }

    /// A name found earlier in the text, or a surname. Returns where to continue.
    fn again(&mut self, at: usize, end: usize, sentence: u32) -> usize {
        let tokens = &self.lexed.tokens;
        if !tokens[at].is(shape::CAPITAL) {
            return at + 1;
        }
        let hit = self.named_before(at, end);
        if let Some((next, index)) = hit {
            self.mention(Who::Found(index), (at, next), sentence, false);
            return next;
        }
        if self.cues[at] & (cue::NEVER | cue::COMMON) == 0 {
            self.undecided.push((at, at + 1, sentence));
        }
        at + 1
    }

    fn phrase(&self, from: usize, to: usize) -> u64 {
        self.lexed.tokens[from..to]
            .iter()
            .fold(0, |key, token| extend(key, token.exact))
    }

    fn intern(&mut self, from: usize, to: usize, kind: EntityKind) -> u32 {
        let key = self.phrase(from, to);
        if let Some(&index) = self.by_phrase.get(&key) {
            return index;
        }
        let name = Cow::Borrowed(self.lexed.written(from, to));
        let index = self.found.len() as u32;
        self.found.push(FoundName {
            name,
            kind,
            ticker: None,
        });
        self.by_phrase.insert(key, index);
        let tokens = &self.lexed.tokens;
        match kind {
            EntityKind::Person => {
                self.surnames
                    .entry(tokens[to - 1].lower)
                    .or_insert(Who::Found(index));
            }
            EntityKind::Organization
                if to - from > 1
                    && self.cues[from]
                        & (cue::COMMON | cue::NEVER | cue::ORGANIZATION_OF | cue::GIVEN)
                        == 0 =>
            {
                self.stems
                    .entry(tokens[from].exact)
                    .or_insert(Who::Found(index));
            }
            _ => {}
        }
        index
    }

    fn name(&mut self, from: usize, to: usize, kind: EntityKind, sentence: u32) {
        // A surname with a title is the person who was named in full earlier.
        if kind == EntityKind::Person
            && to - from == 1
            && let Some(&who) = self.surnames.get(&self.lexed.tokens[from].lower)
        {
            self.mention(who, (from, to), sentence, false);
            return;
        }
        let calm = self.calm(from, to, kind);
        if let Some(Calm::Known(known)) = calm {
            self.mention(Who::Known(known), (from, to), sentence, false);
            return;
        }
        let index = self.intern(from, to, kind);
        if let Some(Calm::Written(name)) = calm {
            self.rewrite(Who::Found(index), name);
        }
        self.mention(Who::Found(index), (from, to), sentence, false);
    }

    fn mention(&mut self, who: Who, (from, to): (usize, usize), sentence: u32, attribution: bool) {
        // `the Fed` is listed so that `Fed` need not be. The article is not part of the name.
        let article = to - from > 1 && self.lexed.tokens[from].text == "the";
        let from = from + usize::from(article);
        self.mentions.push(Mention {
            who,
            from,
            to,
            sentence,
            attribution,
            gloss: false,
        });
    }

    /// A symbol that explains the name before it. It is not a mention of its own.
    fn gloss(&mut self, who: Who, from: usize, to: usize, sentence: u32) {
        self.mentions.push(Mention {
            who,
            from,
            to,
            sentence,
            attribution: false,
            gloss: true,
        });
    }
}

/// `NASDAQ: AAPL`, `NYSE: BRK.B`: the index of the symbol.
fn exchange(tokens: &[Token<'_>], at: usize, length: usize, end: usize) -> Option<usize> {
    let symbol = at + length;
    (length == 1
        && is_exchange(tokens[at].text)
        && symbol < end
        && tokens[symbol].after(gap::COLON)
        && tokens[symbol].is(shape::ALL_CAPS)
        && tokens[symbol].text.len() <= 6)
        .then_some(symbol)
}

fn is_exchange(word: &str) -> bool {
    matches!(
        word,
        "NYSE"
            | "NASDAQ"
            | "Nasdaq"
            | "LSE"
            | "TSX"
            | "ASX"
            | "NSE"
            | "BSE"
            | "OTC"
            | "AMEX"
            | "HKEX"
            | "SGX"
            | "OTCQB"
            | "OTCQX"
            | "TSXV"
            | "CSE"
            | "Euronext"
            | "XETRA"
    )
}

/// Whether a stretch of text capitalises (nearly) every word.
fn capitals_say_nothing(tokens: &[Token<'_>]) -> bool {
    let words = tokens
        .iter()
        .skip(1)
        .filter(|token| token.text.len() >= 4 && !token.is(shape::NUMBER))
        .count();
    let capitals = tokens
        .iter()
        .skip(1)
        .filter(|token| token.text.len() >= 4 && token.is(shape::CAPITAL))
        .count();
    words >= 4 && capitals * 10 >= words * 9
}

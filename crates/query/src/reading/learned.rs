//! What a question in other words wants: a fitted model in addition to the phrases.
//!
//! Phrases find what they say and nothing else. The model knows what the words of a question mean: the words
//! themselves, their neighbours, their direction in the table of meanings, and what the phrases found. Its weights come
//! from `scripts/fit_wishes.py`, fitted on questions labelled with their intents.

use std::sync::LazyLock;

use model::table;
use rustc_hash::FxHashMap;

use super::wishes::Wishes;
use crate::intent::Intent;
use crate::names::Kind;
use crate::ranking::ranks_by_return;
use crate::subjects::{is_commodity, is_index, is_macro, is_pair};

const FILE: &str = include_str!("../../data/wishes.tsv");
/// How many letters forms of a word have in common.
const STEM: usize = 5;
/// How many words of a question are observed.
const MOST: usize = 60;
/// The weight of the direction in the table of meanings relative to a word.
const MEANING: f32 = 4.0;

/// How probable an intent in addition to the first one has to be.
const BESIDE: f32 = 0.35;
/// What a rule adds to the logit of its intent. Chosen from 0, 0.3, 0.6, 1, 1.5, 2, 2.5 and 3 on questions that no rule
/// was written for.
const RULED: f32 = 1.5;
/// How probable it has to be that a question is none, if anything else is half as probable.
const SURE: f32 = 0.6;
/// How probable the first intent has to be if a question names nothing.
const LIKELY: f32 = 0.15;
/// More probable than not.
const EVEN: f32 = 0.5;
/// Intents that apply only to shares, funds and coins.
const OF_LISTED: [Intent; 14] = [
    Intent::Portfolio,
    Intent::WhyMoved,
    Intent::Comparison,
    Intent::Competitors,
    Intent::Price,
    Intent::Performance,
    Intent::Technicals,
    Intent::Fundamentals,
    Intent::Earnings,
    Intent::Analysts,
    Intent::Insider,
    Intent::Institutions,
    Intent::Filings,
    Intent::Outlook,
];
/// Intents that allow no others.
const ALONE: [Intent; 5] = [
    Intent::Verification,
    Intent::Correlation,
    Intent::Screener,
    Intent::Help,
    Intent::Unclear,
];

type Scores = [f32; Intent::ALL.len()];

/// What a question shows of its intents.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observed {
    /// Features present: words and pairs of them, kinds of subjects, intents that phrases found.
    pub seen: Vec<String>,
    /// The position of its words in the table of meanings.
    pub meaning: Vec<f32>,
    /// The intents that the rules derive from its phrases.
    pub ruled: Vec<Intent>,
}

/// The weights of each intent, by what is seen.
static WEIGHTS: LazyLock<FxHashMap<&'static str, Vec<(u8, f32)>>> = LazyLock::new(|| {
    let place = |word: &str| Intent::ALL.iter().position(|one| one.as_str() == word);
    table::rows(FILE)
        .map(|[seen, weights]| {
            let of = weights.split(' ').filter_map(|one| {
                let (word, weight) = one.split_once('=')?;
                Some((place(word)? as u8, weight.parse().ok()?))
            });
            (seen, of.collect())
        })
        .collect()
});

/// The weights of each intent for each direction of meaning.
static MEANINGS: LazyLock<Vec<Vec<(u8, f32)>>> = LazyLock::new(|| {
    let of = |at: usize| WEIGHTS.get(format!("meaning {at}").as_str()).cloned();
    (0..text::embedding::DIMENSIONS)
        .map(|at| of(at).unwrap_or_default())
        .collect()
});

impl Observed {
    /// Whether the question most probably wants something that only a share, fund or coin has.
    pub(super) fn is_of_listed(&self) -> bool {
        let probabilities = self.probabilities().into_iter().zip(Intent::ALL);
        let first = probabilities.max_by(|left, right| left.0.total_cmp(&right.0));
        first
            .is_some_and(|(probability, intent)| probability >= EVEN && OF_LISTED.contains(&intent))
    }

    /// How probable each intent is.
    pub(super) fn probabilities(&self) -> Scores {
        let mut scores = [0.0; Intent::ALL.len()];
        let mut add = |weights: &[(u8, f32)], value: f32| {
            for (place, weight) in weights {
                scores[usize::from(*place)] += weight * value;
            }
        };
        for seen in &self.seen {
            if let Some(weights) = WEIGHTS.get(seen.as_str()) {
                add(weights, 1.0);
            }
        }
        for (weights, value) in MEANINGS.iter().zip(&self.meaning) {
            add(weights, *value);
        }
        for (score, intent) in scores.iter_mut().zip(Intent::ALL) {
            if self.ruled.contains(&intent) {
                *score += RULED;
            }
        }
        scores.map(|score| 1.0 / (1.0 + (-score).exp()))
    }
}

impl Wishes<'_> {
    /// What the question wants according to the model, if that can be had for what it names; otherwise what the phrases
    /// give. Never empty.
    pub(super) fn decided(&self, observed: &Observed) -> Vec<Intent> {
        // A filter on price moves does not depend on words, and nothing can be had for what is not listed.
        let is_of_rules = self.is_foreign
            || self.words.is_empty()
            || self.is_small_talk()
            || self.is_of_everyday_only() && self.intents() == [Intent::Unclear]
            || self.ranks_by_change() && (self.has_bounds || ranks_by_return(self.words))
            || self.ranks_by_figure()
            || self.found.instruments.is_empty() && !self.found.unknown.is_empty();
        if is_of_rules {
            return self.intents();
        }
        // `Lehman`, `Bear Stearns`: a name without any word of an intent is searched for, and nothing is guessed.
        if self.is_bare_name() {
            let ruled = self.intents();
            // Letters that form no word are a name if they are written like one.
            if ruled == [Intent::News] || ruled == [Intent::Unclear] && self.is_titled {
                return vec![Intent::News];
            }
        }
        let probabilities = observed.probabilities();
        let mut ranked: Vec<(f32, Intent)> = probabilities.into_iter().zip(Intent::ALL).collect();
        ranked.sort_by(|left, right| right.0.total_cmp(&left.0));
        let mut wanted: Vec<Intent> = Vec::new();
        // Whether what is named is already answered.
        let mut is_met = false;
        // If nothing is named and nothing is probable, the phrases decide; without any, it is not a question.
        let is_open = self.found.is_nothing();
        let is_unlikely = ranked
            .first()
            .is_none_or(|(probability, _)| *probability < LIKELY);
        if is_open && is_unlikely {
            return self.by_phrases();
        }
        let runner_up = ranked.get(1).map_or(0.0, |(probability, _)| *probability);
        for (probability, intent) in ranked {
            let is_first = wanted.is_empty() && !is_met;
            // If users are told that a question is none, that should be right; a search that finds nothing does less
            // harm.
            if intent == Intent::Unclear && probability < SURE && probability < 2.0 * runner_up {
                continue;
            }
            let least = match intent {
                _ if is_first && is_open => LIKELY,
                _ if is_first => 0.0,
                // An assessment is large, and fits every question a little.
                Intent::Outlook => EVEN,
                _ => BESIDE,
            };
            if probability < least {
                break;
            }
            let is_of_mood = intent == Intent::Sentiment && self.found.instruments.is_empty();
            let Some(intent) = self.possible(intent) else {
                continue;
            };
            if self.goes_with(intent) {
                is_met = true;
                continue;
            }
            if !wanted.contains(&intent) && (wanted.is_empty() || !ALONE.contains(&intent)) {
                wanted.push(intent);
            }
            if is_of_mood && intent != Intent::News {
                wanted.push(Intent::Sentiment);
            }
            if ALONE.contains(&intent) {
                break;
            }
        }
        if wanted.first().is_some_and(|first| ALONE.contains(first)) {
            return wanted;
        }
        if wanted.is_empty() {
            return if is_open {
                self.by_phrases()
            } else {
                self.intents()
            };
        }
        self.add_of_subjects(&mut wanted);
        wanted
    }

    /// What the phrases of a question that names nothing give. A search for words that no phrase asks for is not an
    /// intent.
    fn by_phrases(&self) -> Vec<Intent> {
        let ruled = self.intents();
        let asks_nothing = ruled == [Intent::News] && !self.has(Intent::News);
        if asks_nothing {
            vec![Intent::Unclear]
        } else {
            ruled
        }
    }

    /// The intent as it can be fulfilled with what the question names.
    fn possible(&self, intent: Intent) -> Option<Intent> {
        let names_listed = !self.found.instruments.is_empty();
        match intent {
            // `insider sales`: the word belongs to another intent.
            Intent::Fundamentals
                if self.has(intent) && self.is_only_asking(intent, self.count()) =>
            {
                None
            }
            Intent::Correlation if self.count() + self.found.series.len() < 2 => None,
            Intent::Comparison if self.count() < 2 => None,
            Intent::Calendar if names_listed => Some(Intent::Earnings),
            Intent::Topic if names_listed => Some(Intent::News),
            Intent::Macro if self.asks_words() => Some(Intent::News),
            // The figures on record are those of the United States.
            Intent::Macro if self.is_elsewhere => Some(Intent::News),
            // `best performing commodity`: it names what is ranked.
            Intent::Sectors
                if self.found.sectors.is_empty()
                    && self.has(Intent::Commodities)
                    && !self.has(Intent::Sectors) =>
            {
                Some(Intent::Commodities)
            }
            // `which of NVDA, AMD and INTC fell most`: the ones named, not all shares.
            Intent::Movers if self.count() >= 2 => Some(Intent::Comparison),
            Intent::Movers if !names_listed && self.has(Intent::Commodities) => {
                Some(Intent::Commodities)
            }
            Intent::Movers if !names_listed && self.has(Intent::Forex) => Some(Intent::Forex),
            Intent::Earnings if !names_listed => Some(Intent::Calendar),
            Intent::Sentiment if !names_listed => Some(self.mooded()),
            Intent::Filings if self.has_sum_to_invest() => None,
            // `the cheapest stock`: ranked by a figure, not by a move.
            Intent::Movers
                if !names_listed
                    && self.screen.sort.is_some_and(|order| !order.is_change())
                    && !self.moves() =>
            {
                Some(Intent::Screener)
            }
            // `is now a good time to buy`.
            Intent::Outlook if self.found.is_nothing() && self.asks_outlook() => {
                Some(Intent::MarketOverview)
            }
            Intent::Competitors
            | Intent::Technicals
            | Intent::Fundamentals
            | Intent::Price
            | Intent::Performance
            | Intent::Outlook
                if !names_listed =>
            {
                // The kind of series is added for it.
                self.of_subjects()
            }
            other => Some(other),
        }
    }

    /// Whose mood is asked about when nothing listed is named.
    fn mooded(&self) -> Intent {
        if !self.found.sectors.is_empty() {
            Intent::Sectors
        } else if self.asks_of_markets() || self.feels_about_nothing() {
            Intent::MarketOverview
        } else {
            Intent::News
        }
    }

    /// What the question shows.
    pub(super) fn observed(&self) -> Observed {
        let kinds = self.kinds();
        let mut seen = vec!["always".to_owned()];
        let mut note = |what: String| {
            if !seen.contains(&what) {
                seen.push(what);
            }
        };
        let mut spoken = String::new();
        let mut said: Vec<&str> = vec!["^"];
        for (at, word) in self.words.iter().enumerate().take(MOST) {
            let shown = match kinds[at] {
                // A name of several words counts once.
                Some(kind) if said.last() == Some(&kind) => continue,
                Some(kind) => kind,
                None if word.is_number() => "#",
                None => {
                    spoken.push_str(&word.lower);
                    spoken.push(' ');
                    let stem: String = word.lower.chars().take(STEM).collect();
                    note(format!("stem {stem}"));
                    word.lower.as_str()
                }
            };
            note(format!("word {shown}"));
            if let Some(before) = said.last() {
                note(format!("pair {before} {shown}"));
            }
            said.push(shown);
        }
        if let Some(last) = said.last() {
            note(format!("pair {last} $"));
        }
        for cue in self.cues {
            let length = if cue.words.len() > 1 { "phrase" } else { "cue" };
            note(format!("{length} {}", cue.intent.as_str()));
        }
        let count = self.found.instruments.len().min(3);
        note(format!("named {count}"));
        for flag in [
            (self.is_of_stretch, "of_stretch"),
            (self.is_everyday, "everyday"),
            (!self.screen.filters.is_empty(), "filters"),
            (self.has_bounds, "bounds"),
            (self.ranks_by_change(), "ranked"),
            (!self.found.unknown.is_empty(), "unknown"),
            (self.words.len() <= 3, "short"),
            (self.words.len() >= 15, "long"),
        ]
        .into_iter()
        .filter_map(|(is_so, flag)| is_so.then_some(flag))
        {
            note(format!("is {flag}"));
        }
        let ruled = self.intents();
        // A performance without its phrases is the one over a time that is named.
        let is_said = |one: &Intent| self.has(*one) || *one == Intent::Performance;
        let meaning = text::embedding::embed(&spoken).to_bytes();
        let parts = meaning.map(|part| f32::from(part.cast_signed()));
        let length = parts.iter().map(|part| part * part).sum::<f32>().sqrt();
        let scale = if length > 0.0 { MEANING / length } else { 0.0 };
        Observed {
            seen,
            meaning: parts.iter().map(|part| part * scale).collect(),
            ruled: ruled.into_iter().filter(is_said).collect(),
        }
    }

    /// What replaces the words that name a subject or a time.
    fn kinds(&self) -> Vec<Option<&'static str>> {
        let mut kinds: Vec<Option<&'static str>> = self
            .is_time
            .iter()
            .map(|is_time| is_time.then_some("@time"))
            .collect();
        for (series, range) in &self.found.series {
            let kind = match series {
                one if is_macro(*one) => "@macro",
                one if is_index(*one) => "@index",
                one if is_commodity(*one) => "@commodity",
                one if is_pair(*one) => "@pair",
                _ => "@series",
            };
            kinds[range.clone()].fill(Some(kind));
        }
        for (_, range) in &self.found.sectors {
            kinds[range.clone()].fill(Some("@sector"));
        }
        for (_, range) in &self.found.unknown {
            kinds[range.clone()].fill(Some("@unknown"));
        }
        for (one, range) in &self.found.instruments {
            let kind = match one.kind {
                Kind::Share => "@share",
                Kind::Fund => "@fund",
                Kind::Coin => "@coin",
            };
            kinds[range.clone()].fill(Some(kind));
        }
        kinds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_are_a_sound_table() {
        assert_eq!(table::fault(FILE, 2, 1), None);
        for [seen, weights] in table::rows(FILE) {
            for one in weights.split(' ') {
                let (word, weight) = one.split_once('=').unwrap();
                assert!(Intent::find(word).is_some(), "{seen}: {one}");
                assert!(
                    weight.parse::<f32>().is_ok_and(f32::is_finite),
                    "{seen}: {one}"
                );
            }
        }
        assert!(MEANINGS.iter().all(|weights| !weights.is_empty()));
    }
}

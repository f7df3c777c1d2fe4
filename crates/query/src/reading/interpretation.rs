//! What a question wants to know about its subjects.

use std::ops::Range;

use super::question::Question;
use super::resolved::Resolved;
use super::wishes::Wishes;
use super::{Observed, elsewhere, held, indicator, unlisted, valued};
use crate::between::{self, Between};
use crate::facts::{self, Fact};
use crate::holdings::Told;
use crate::intent::Intent;
use crate::look_up::{self, LookUp, Reach};
use crate::names::Kind;
use crate::statistic::{self, Statistic};
use crate::subjects::{Instrument, Series, is_commodity, is_index, is_macro};
use crate::sums::{CoinConversion, Position, Positions};
use crate::terms::{self, Term};
use crate::time;
use crate::words::Word;

/// The name for what prices will be.
const FORECASTS: &str = "forecasts of prices";

/// The name for shares ranked by how far their prices swing.
const RANKINGS: &str = "rankings by volatility";

/// The name for shares that an index is made of.
const MEMBERS: &str = "lists of the members of an index";
/// What leaves out shares that the question names.
const EXCLUSIONS: &str = "lists that leave out named shares";

/// What the question wants to know, and how.
pub(super) struct Interpretation {
    /// The most important first; never empty.
    pub(super) intents: Vec<Intent>,
    pub(super) fact: Option<Fact>,
    pub(super) term: Option<Term>,
    /// The indicator that is meant although none is named.
    pub(super) meant: Option<&'static str>,
    /// Whether it asks for an economic figure that no source here has.
    pub(super) is_unheld: bool,
    /// The series that stands in for it.
    pub(super) beside_unheld: Option<Series>,
    pub(super) look_up: Option<LookUp>,
    pub(super) between: Option<Between>,
    pub(super) statistics: Vec<Statistic>,
    pub(super) unserved: Option<&'static str>,
    pub(super) reach: Reach,
    pub(super) positions: Vec<Position>,
    pub(super) coin_conversion: Option<CoinConversion>,
    /// Whether it asks for figures of another country.
    pub(super) is_of_other_country: bool,
    /// Whether it asks what somebody said.
    pub(super) asks_words: bool,
}

/// Decides step by step what a question wants; `intents` is the result so far.
struct Interpreter<'a> {
    question: &'a Question<'a>,
    resolved: &'a Resolved,
    wishes: &'a Wishes<'a>,
    intents: Vec<Intent>,
}

/// Interprets a question by its phrases and by the fitted model of their meaning.
pub(super) fn interpret(
    question: &Question<'_>,
    resolved: &Resolved,
    wishes: &Wishes<'_>,
    observed: &Observed,
    told: &Told<'_>,
) -> Interpretation {
    let mut interpreter = Interpreter {
        question,
        resolved,
        wishes,
        intents: wishes.decided(observed),
    };
    let asks_words = interpreter.asks_words();
    held::retain_wishes(told, &mut interpreter.intents);
    interpreter.leave_calendar_of_what_was();
    interpreter.leave_movers_of_named();
    interpreter.take_performance_of_beaten();
    let fact = interpreter.fact();
    let unheld = interpreter.unheld();
    let unscheduled = interpreter.unscheduled();
    let foreign = interpreter.of_other_country(asks_words);
    let term = interpreter.term(foreign.is_some());
    // Explaining a term needs no search.
    let fact = fact
        .or(unheld.map(|(what, _)| what))
        .or(unscheduled)
        .or(foreign)
        .filter(|_| term.is_none());
    let meant = interpreter.meant(unheld.is_some());
    let of_prices = interpreter.of_prices(fact.is_some(), meant.is_some());
    let OfPrices {
        look_up,
        between,
        statistics,
        unserved,
        is_level,
    } = of_prices;
    let reach = interpreter.reach(fact.is_some(), !statistics.is_empty());
    let (positions, coin_conversion, of_sum) = interpreter.valued(look_up.is_some(), is_level);
    if let Some(wish) = unlisted::wish(&resolved.found, &question.spoken, &interpreter.intents) {
        interpreter.intents = vec![wish];
    }
    let names_figures = interpreter.names_series() || meant.is_some();
    Interpretation {
        intents: interpreter.intents,
        statistics: if names_figures && fact.is_none() {
            statistics
        } else {
            Vec::new()
        },
        fact,
        term,
        meant,
        is_unheld: unheld.is_some(),
        beside_unheld: unheld.and_then(|(_, beside)| beside),
        look_up,
        between,
        unserved: of_sum.or(unserved),
        reach,
        positions,
        coin_conversion,
        is_of_other_country: foreign.is_some(),
        asks_words,
    }
}

/// What is computed from prices.
struct OfPrices {
    look_up: Option<LookUp>,
    between: Option<Between>,
    statistics: Vec<Statistic>,
    unserved: Option<&'static str>,
    /// Whether a level of something unlisted is looked up.
    is_level: bool,
}

impl Interpreter<'_> {
    fn wants(&self, intent: Intent) -> bool {
        self.intents.contains(&intent)
    }

    fn wants_any(&self, intents: &[Intent]) -> bool {
        self.intents.iter().any(|intent| intents.contains(intent))
    }

    /// Whether something listed is named.
    fn names_listed(&self) -> bool {
        !self.resolved.found.instruments.is_empty()
    }

    /// Whether series are named, and nothing listed.
    fn names_series(&self) -> bool {
        !self.names_listed() && !self.resolved.found.series.is_empty()
    }

    fn names_macro(&self) -> bool {
        let mut all = self.resolved.found.series.iter();
        all.any(|(series, _)| is_macro(*series))
    }

    /// Whether it asks what somebody said; if so, it does not want economic figures.
    fn asks_words(&mut self) -> bool {
        let asks_words = self.wishes.asks_words() && self.intents.first() == Some(&Intent::News);
        if asks_words {
            self.intents.retain(|intent| *intent != Intent::Macro);
        }
        asks_words
    }

    /// The past is not on a calendar of upcoming events, so that is removed, unless a calendar is asked for.
    fn leave_calendar_of_what_was(&mut self) {
        let is_over = self.question.when.past_end(self.question.today).is_some();
        if self.intents.len() > 1 && is_over && !self.wishes.has(Intent::Calendar) {
            self.intents.retain(|intent| *intent != Intent::Calendar);
        }
    }

    /// `which of gold and silver rose most`: the ones named, not all shares.
    fn leave_movers_of_named(&mut self) {
        let is_ranked = |(series, _): &&(Series, Range<usize>)| !is_index(*series);
        if !self.names_listed()
            && self.resolved.found.series.iter().filter(is_ranked).count() >= 2
            && self.wants(Intent::Movers)
            && !self.wishes.ranks_by_change()
        {
            self.intents.retain(|intent| *intent != Intent::Movers);
            self.wishes.add_of_subjects(&mut self.intents);
        }
    }

    /// `did AAPL beat the S&P 500 this year`: how both performed, not what was expected of a report.
    fn take_performance_of_beaten(&mut self) {
        const BEATING: [&str; 11] = [
            "beat",
            "beats",
            "beaten",
            "beating",
            "trailed",
            "outperform",
            "outperforms",
            "outperformed",
            "outperforming",
            "underperform",
            "underperformed",
        ];
        let words = &self.question.words;
        let found = &self.resolved.found;
        let is_named = |at: usize| {
            let mut instruments = found.instruments.iter();
            let mut series = found.series.iter();
            instruments.any(|(_, range)| range.contains(&at))
                || series.any(|(_, range)| range.contains(&at))
        };
        let is_beaten = (0..words.len()).any(|at| {
            let next = at + 1 + usize::from(words.get(at + 1).is_some_and(|word| word.is("the")));
            words[at].is_any(&BEATING) && is_named(next)
        });
        let count = found.instruments.len() + found.series.len();
        if !is_beaten || count < 2 || !self.names_listed() {
            return;
        }
        self.intents.retain(|intent| *intent != Intent::Earnings);
        if !self.wants(Intent::Performance) {
            self.intents.insert(0, Intent::Performance);
        }
        self.wishes.add_of_subjects(&mut self.intents);
    }

    /// The fact about a named subject that a question asks for; the intents become those of the fact.
    fn fact(&mut self) -> Option<Fact> {
        if !self.names_listed() {
            return None;
        }
        let words = &self.question.words;
        let fact = facts::asked(words, &self.resolved.found.is_listed_name(words.len()))?;
        self.intents = fact.wishes(&self.intents)?;
        Some(fact)
    }

    /// The economic figure that is not on record here, and the series that is shown in its place; without one, reports
    /// about it are.
    fn unheld(&mut self) -> Option<(Fact, Option<Series>)> {
        let (fact, beside, place) = facts::of_economy(&self.question.words)
            .filter(|_| !self.names_listed() && self.wants(Intent::Macro))?;
        // Another figure that is asked for as well is not left out.
        let others = self.resolved.found.series.iter().filter(|(series, range)| {
            // `30 year mortgage rate`: words next to it belong to it.
            let touches = range.start <= place.end && place.start <= range.end;
            is_macro(*series) && !touches
        });
        if others.count() > usize::from(beside.is_some()) {
            return None;
        }
        if beside.is_none() {
            self.intents = vec![Intent::News];
        }
        Some((fact, beside))
    }

    /// A date that is on no calendar here.
    fn unscheduled(&mut self) -> Option<Fact> {
        const OTHERS: [Intent; 4] = [
            Intent::Verification,
            Intent::Movers,
            Intent::Portfolio,
            Intent::Unclear,
        ];
        let unscheduled = facts::unscheduled(&self.question.words)
            .filter(|_| self.resolved.found.is_nothing() && !self.wants_any(&OTHERS))?;
        self.intents = vec![Intent::Events];
        Some(unscheduled)
    }

    /// The fact asked for about another country, since no figure of the United States can answer for it.
    fn of_other_country(&mut self, asks_words: bool) -> Option<Fact> {
        const FIGURES: [Intent; 5] = [
            Intent::Macro,
            Intent::News,
            Intent::Topic,
            Intent::Calendar,
            Intent::Forex,
        ];
        const OTHERS: [Intent; 6] = [
            Intent::Verification,
            Intent::Portfolio,
            Intent::WhyMoved,
            Intent::Movers,
            Intent::Screener,
            Intent::Help,
        ];
        let names_bank = self.resolved.other_bank.is_some();
        let asks_news = [Intent::News, Intent::Topic, Intent::Calendar]
            .into_iter()
            .any(|intent| self.wishes.has(intent));
        let is_of_figures = names_bank || self.resolved.is_abroad || self.wishes.has(Intent::Macro);
        let may_be_one = |intent: &Intent| {
            if names_bank {
                !OTHERS.contains(intent)
            } else {
                FIGURES.contains(intent)
            }
        };
        let is_nothing_else = self.resolved.found.is_nothing()
            && self.intents.iter().all(may_be_one)
            && self.resolved.conversions.is_empty();
        let is_asked = self.resolved.is_elsewhere
            && is_of_figures
            && is_nothing_else
            && !asks_news
            && !asks_words
            && !self.question.is_foreign;
        if !is_asked {
            return None;
        }
        self.intents = vec![Intent::News];
        Some(if names_bank {
            elsewhere::RATES
        } else {
            elsewhere::FIGURES
        })
    }

    /// The term to explain. A term that has a value is answered by the value: `what is inflation`.
    fn term(&mut self, is_of_other_country: bool) -> Option<Term> {
        let is_valued = self.names_listed() || !self.resolved.found.series.is_empty();
        let term =
            terms::asked(&self.question.words).filter(|_| !is_valued && !is_of_other_country)?;
        self.intents = vec![Intent::Help];
        Some(term)
    }

    /// The indicator that is meant although none is named.
    fn meant(&self, is_unheld: bool) -> Option<&'static str> {
        let is_unnamed = self.resolved.found.series.is_empty() && !is_unheld;
        (self.intents.first() == Some(&Intent::Macro) && is_unnamed)
            .then(|| indicator::meant(self.question.text))
            .flatten()
    }

    /// What is to be computed from prices; for anything unlisted it becomes the only intent.
    fn of_prices(&mut self, has_fact: bool, has_meant: bool) -> OfPrices {
        let words = &self.question.words;
        let found = &self.resolved.found;
        let is_name = found.is_listed_name(words.len());
        let asked = look_up::Asked {
            words,
            is_name: &is_name,
            is_time: &self.question.is_time,
            counted: &self.question.counted,
        };
        let look_up = self.look_up(&asked, has_fact);
        let between = self.between();
        // Something that is not computed here is not a highest value; a level is, if it is the highest:
        // `when did gold hit its peak`.
        let not_worked_out = asked
            .unserved(self.names_series())
            .filter(|what| *what != look_up::REACTIONS || self.wants_moves())
            .or_else(|| self.unserved_volatility())
            .or_else(|| self.unserved_ranking())
            .or_else(|| self.unserved_forecast())
            .or_else(|| self.unserved_members())
            .or_else(|| self.unserved_exclusion());
        if not_worked_out == Some(FORECASTS) && self.names_series() {
            self.intents.clear();
            self.wishes.add_of_subjects(&mut self.intents);
        }
        let is_of_other =
            self.names_series() && not_worked_out.is_some_and(|what| what != look_up::LEVELS);
        let mut statistics = if is_of_other {
            Vec::new()
        } else {
            self.statistics()
        };
        // Economic figures have no sessions.
        if self.names_macro() || has_meant {
            statistics.retain(|statistic| !statistic.is_of_sessions());
        }
        let is_level = self.of_one_price() && look_up.is_some();
        if is_level {
            statistics.clear();
        }
        let is_worked_out =
            self.names_series() && (!statistics.is_empty() || between.is_some() || is_level);
        if is_worked_out {
            self.intents.clear();
            self.wishes.add_of_subjects(&mut self.intents);
        }
        let may_be_unserved = look_up.is_none() && !has_fact;
        let unserved = not_worked_out
            .filter(|what| may_be_unserved && !is_worked_out && self.may_be_unserved(what))
            .or_else(|| {
                let is_of_figures =
                    may_be_unserved && !statistics.is_empty() && self.asks_figures_over_time();
                is_of_figures
                    .then_some("the highest, lowest and mean figures of a company over a time")
            });
        OfPrices {
            look_up,
            between,
            statistics,
            unserved,
            is_level,
        }
    }

    /// Whether it asks for a price or what became of it, before anything else.
    fn wants_moves(&self) -> bool {
        let moves = [
            Intent::Price,
            Intent::Performance,
            Intent::WhyMoved,
            Intent::Earnings,
        ];
        self.intents
            .first()
            .is_some_and(|first| moves.contains(first))
    }

    /// How far the price of something unlisted swings, by its usual name; an index that measures it has values.
    fn unserved_volatility(&self) -> Option<&'static str> {
        let series = &self.resolved.found.series;
        let is_of_name = |at: usize| series.iter().any(|(_, range)| range.contains(&at));
        let mut words = self.question.words.iter().enumerate();
        let asks = words.any(|(at, word)| word.lower.starts_with("volatil") && !is_of_name(at));
        (asks && self.names_series())
            .then_some("volatilities of indices, commodities and currencies")
    }

    /// Shares ranked by how far their prices swing: `the most volatile stocks`.
    fn unserved_ranking(&self) -> Option<&'static str> {
        let words = &self.question.words;
        let is_utmost = |word: &Word| {
            word.is_any(&[
                "most", "least", "highest", "lowest", "biggest", "top", "riskiest", "safest",
            ])
        };
        let swings = |word: &Word| {
            word.lower.starts_with("volatil")
                || word.is_any(&["beta", "betas", "riskiest", "safest"])
        };
        let ranks = self.wants_any(&[Intent::Movers, Intent::Screener]);
        (ranks && words.iter().any(is_utmost) && words.iter().any(swings)).then_some(RANKINGS)
    }

    /// `the best stocks of the S&P 500`: all shares are ranked, since nothing here says which are its members.
    fn unserved_members(&self) -> Option<&'static str> {
        let mut series = self.resolved.found.series.iter();
        let names_index = series.any(|(series, _)| is_index(*series));
        let of_shares = self.question.words.iter().any(|word| {
            word.is_any(&[
                "stock",
                "stocks",
                "share",
                "shares",
                "companies",
                "members",
                "constituents",
                "components",
                "names",
            ])
        });
        let ranks = self.intents.first() == Some(&Intent::Movers);
        (names_index && of_shares && ranks && !self.names_listed()).then_some(MEMBERS)
    }

    /// `tech stocks other than Apple`: what is named is what is not asked about.
    fn unserved_exclusion(&self) -> Option<&'static str> {
        let words = &self.question.words;
        let is = |at: Option<usize>, all: &[&str]| {
            at.and_then(|at| words.get(at))
                .is_some_and(|word| word.is_any(all))
        };
        let mut named = self.resolved.found.instruments.iter();
        let is_excluded = named.any(|(_, range)| {
            let before = range.start.checked_sub(1);
            is(
                before,
                &["except", "excluding", "excl", "besides", "without"],
            ) || is(before, &["than"]) && is(range.start.checked_sub(2), &["other"])
                || is(before, &["from", "for"])
                    && is(range.start.checked_sub(2), &["apart", "aside", "except"])
        });
        is_excluded.then_some(EXCLUSIONS)
    }

    /// Where the price of something unlisted, or the market, will be. Shares and coins have a signal for it.
    fn unserved_forecast(&self) -> Option<&'static str> {
        const OTHERS: [Intent; 4] = [
            Intent::Verification,
            Intent::News,
            Intent::WhyMoved,
            Intent::Topic,
        ];
        let words = &self.question.words;
        let says = |any: &[&str]| words.iter().any(|word| word.is_any(any));
        let is_of_target = words
            .windows(2)
            .any(|pair| pair[0].is("price") && pair[1].is_any(&["target", "targets"]));
        let asks = time::asks_ahead(words)
            && !says(&["when", "open", "opens", "release", "released"])
            || says(&["forecast", "forecasts", "prediction", "predictions"])
            || is_of_target;
        let is_of_price = self.names_series() && !self.names_macro();
        let is_of_market = self.resolved.found.is_nothing() && self.wants(Intent::MarketOverview);
        // `what will MSFT close at tomorrow`: a signal has no price of a day.
        let is_of_day = self.names_listed()
            && time::asks_ahead(words)
            && self.question.when.is_ahead
            && matches!(
                self.intents.first(),
                Some(Intent::Price | Intent::Performance)
            );
        let is_asked = is_of_day || asks && (is_of_price || is_of_market);
        (is_asked && !self.wants_any(&OTHERS)).then_some(FORECASTS)
    }

    /// Whether a single price is named whose history is on record although it is not listed.
    fn of_one_price(&self) -> bool {
        match &self.resolved.found.series[..] {
            [(series, _)] if !self.names_listed() => is_commodity(*series) || is_index(*series),
            _ => false,
        }
    }

    /// What is looked up in the history of a price.
    fn look_up(&self, asked: &look_up::Asked<'_>, has_fact: bool) -> Option<LookUp> {
        const OTHERS: [Intent; 3] = [Intent::Verification, Intent::Portfolio, Intent::Unclear];
        let when = &self.question.when;
        let has_time = when.from.is_some() && !when.is_ahead;
        let mut series = self.resolved.found.series.iter();
        let of_commodity = self.of_one_price() && series.any(|(one, _)| is_commodity(*one));
        let look_up = asked.look_up(has_time, of_commodity)?;
        // `when did bitcoin first hit 10k`: the number is not a form of filing.
        let is_said = |intent: &Intent| {
            self.wishes.has(*intent)
                && !(*intent == Intent::Filings && self.wishes.filing_is_number())
        };
        let is_of_price = !has_fact && !look_up.others().iter().any(is_said);
        let is_level = self.of_one_price() && matches!(look_up, LookUp::Crossing(_));
        let is_meant = (self.names_listed() || is_level) && !self.wants_any(&OTHERS) && is_of_price;
        is_meant.then_some(look_up)
    }

    /// The figure that is wanted from two prices on one day.
    fn between(&self) -> Option<Between> {
        const OTHERS: [Intent; 4] = [
            Intent::Verification,
            Intent::News,
            Intent::Portfolio,
            Intent::WhyMoved,
        ];
        between::asked(&self.question.words, &self.resolved.found.series)
            .filter(|_| self.names_series() && !self.wants_any(&OTHERS))
    }

    /// What is wanted from all values of a period; nothing if something else is asked about them.
    fn statistics(&self) -> Vec<Statistic> {
        const OTHERS: [Intent; 9] = [
            Intent::Verification,
            Intent::Portfolio,
            Intent::WhyMoved,
            Intent::Correlation,
            Intent::Screener,
            Intent::Contradictions,
            Intent::Unclear,
            Intent::Help,
            Intent::Analysts,
        ];
        let asks_words = [Intent::News, Intent::Topic, Intent::WhyMoved]
            .into_iter()
            .any(|intent| self.wishes.has(intent));
        if asks_words || self.wants_any(&OTHERS) {
            return Vec::new();
        }
        let found = &self.resolved.found;
        let instruments = found.instruments.iter().map(|(_, range)| range.clone());
        let series = found.series.iter().map(|(_, range)| range.clone());
        let named: Vec<Range<usize>> = instruments.chain(series).collect();
        let mut asked =
            statistic::asked(&self.question.words, &named, self.question.names_stretch());
        // `the yen's worst day`: the day on which the dollar rose most in yen.
        if self.names_quote_only() {
            for statistic in &mut asked {
                *statistic = statistic.turned();
            }
        }
        asked
    }

    /// Whether a currency is named by itself whose rate says how much of it a dollar costs.
    fn names_quote_only(&self) -> bool {
        let words = &self.question.words;
        let names_dollar =
            |word: &Word| word.lower.starts_with("usd") || word.lower.starts_with("dollar");
        matches!(
            &self.resolved.found.series[..],
            [(Series::Pair("USD", _), _)] if !words.iter().any(names_dollar)
        )
    }

    /// Whether something that is not computed here is asked about a named subject, and nothing else is.
    fn may_be_unserved(&self, what: &str) -> bool {
        const OTHERS: [Intent; 6] = [
            Intent::Verification,
            Intent::Portfolio,
            Intent::Unclear,
            Intent::Screener,
            Intent::News,
            Intent::Help,
        ];
        let is_of_prices = !self.names_macro() || what == look_up::STEPS;
        let is_named = self.names_listed() || self.names_series() && is_of_prices;
        [RANKINGS, FORECASTS, MEMBERS, EXCLUSIONS].contains(&what)
            || is_named && !self.wants_any(&OTHERS)
    }

    /// Company figures come one per report, and not over a period.
    fn asks_figures_over_time(&self) -> bool {
        let asks_figures = matches!(
            self.intents.first(),
            Some(Intent::Fundamentals | Intent::Technicals | Intent::Sentiment)
        );
        asks_figures && self.names_listed() && self.question.names_stretch()
    }

    /// How far back to look for a highest or lowest price, which is in the history and not in the newest price.
    fn reach(&mut self, has_fact: bool, has_statistics: bool) -> Reach {
        let when = &self.question.when;
        let is_past = !when.is_ahead && !when.is_unsaid();
        let names_day = is_past && when.from == when.to;
        let reach = look_up::reach(&self.question.words, is_past && !names_day, names_day);
        if has_fact || !self.names_listed() {
            return reach;
        }
        let may_be_of_history = |intent: &Intent| {
            matches!(
                intent,
                Intent::Price | Intent::Performance | Intent::Technicals | Intent::Outlook
            )
        };
        let found = &self.resolved.found;
        let is_of_candles = |one: &(Instrument, Range<usize>)| one.0.kind != Kind::Coin;
        let is_of_history = if reach == Reach::Named {
            // The same goes for that of a period, even for a coin.
            let is_of_time =
                |intent: &Intent| may_be_of_history(intent) || *intent == Intent::Crypto;
            has_statistics
                && self.question.names_stretch()
                && found.series.is_empty()
                && self.intents.iter().all(is_of_time)
        } else {
            found.instruments.iter().all(is_of_candles)
                && self.intents.iter().all(may_be_of_history)
        };
        // `what did AAPL open at on 3 March`: the newest price of a day is its close.
        let says_open = self
            .question
            .words
            .iter()
            .any(|word| word.is_any(&["open", "opened", "opening"]));
        let is_open = names_day && says_open && self.intents[..] == [Intent::Price];
        if is_of_history || is_open {
            self.intents = vec![Intent::Performance];
        }
        reach
    }

    /// What is to be valued, and what is asked of a sum but not computed here.
    fn valued(
        &mut self,
        has_look_up: bool,
        is_level: bool,
    ) -> (Vec<Position>, Option<CoinConversion>, Option<&'static str>) {
        let question = self.question;
        let positions = Positions {
            text: question.text,
            words: &question.words,
            instruments: &self.resolved.found.instruments,
            counted: &question.counted,
            times: &question.mentions.times,
            ago: question.ago.as_ref().map(|(day, _)| *day),
            wanted: self.resolved.currency,
            today: question.today,
        };
        if let Some(what) = positions
            .unserved()
            .filter(|_| !self.wants_any(&[Intent::Verification, Intent::News]))
        {
            return (Vec::new(), None, Some(what));
        }
        let coin_conversion = positions.coin_conversion();
        if coin_conversion.is_some() {
            self.intents = vec![Intent::Price, Intent::Crypto];
        } else if has_look_up {
            if !is_level {
                self.intents = vec![Intent::Performance];
            }
        } else {
            let found = valued::positions(&positions, self.wishes, &mut self.intents);
            return (found, None, None);
        }
        (Vec::new(), coin_conversion, None)
    }
}

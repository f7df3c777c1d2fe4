//! A question, read.

mod counted;
mod elsewhere;
mod everyday;
mod held;
mod holders;
mod indicator;
mod learned;
mod members;
mod tail;
mod unlisted;
mod valued;
mod wishes;

use std::ops::Range;

use market::screener::natural::{Understood, understand};
use model::Day;
use verify::figures::Mentions;

use crate::between::{self, Between};
use crate::cues;
use crate::currencies;
use crate::facts::{self, Fact};
use crate::holdings::{self, Holding, Told};
use crate::intent::Intent;
use crate::look_up::{self, LookUp, Reach};
use crate::measure::{self, Measure};
use crate::names::{Kind, Names};
use crate::ranking::{self, Bounds};
use crate::statistic::{self, Statistic};
use crate::subjects::{
    self, How, Instrument, Series, Subjects, is_commodity, is_index, is_macro, is_pair,
};
use crate::sums::{self, CoinConversion, Conversion, Position, Positions};
use crate::terms::{self, Term};
use crate::time::{self, When};
use crate::topic;
use crate::unanswered;
use crate::words;

pub use learned::Observed;

/// Instruments of a question that are looked at; the rest are counted.
const MOST_INSTRUMENTS: usize = 10;

/// What a question asks for.
#[expect(
    clippy::struct_excessive_bools,
    reason = "what was found out about a question, each for itself"
)]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// What is to be known, the most important first; never empty.
    pub intents: Vec<Intent>,
    /// Shares, funds and coins that it names, each once, in the order of the question; at most ten.
    pub instruments: Vec<Instrument>,
    /// How many more it names.
    pub left_out: usize,
    /// Indicators, indices, commodities and pairs that it names, each once.
    pub series: Vec<Series>,
    /// Sectors that it names.
    pub sectors: Vec<&'static str>,
    /// Words that stand for something traded, and that nothing is listed under.
    pub unknown: Vec<String>,
    /// When it is about.
    pub when: When,
    /// What somebody says to hold.
    pub holdings: Vec<Holding>,
    /// The sums that it wants in another currency: several in the same, or one sum in each of several.
    pub conversions: Vec<Conversion>,
    /// The amount of a coin that it wants in another coin.
    pub coin_conversion: Option<CoinConversion>,
    /// The currency in which it wants what something is worth, where it names one.
    pub currency: Option<&'static str>,
    /// What it wants to have valued: shares, or a sum that was put into them.
    pub positions: Vec<Position>,
    /// How far the shares went that it asks for.
    pub bounds: Option<Bounds>,
    /// Which way prices went that it asks about, where it is one of both: up (`true`) or down.
    pub is_up: Option<bool>,
    /// Whether it asks of sectors what their prices did.
    pub is_by_price: bool,
    /// The least value in dollars of what is asked for.
    pub least_value: Option<f64>,
    /// Whether it ranks coins, commodities or currencies by what their prices did.
    pub ranks_prices: bool,
    /// The fact of a company that it asks for.
    pub fact: Option<Fact>,
    /// What it looks up in the history of a price.
    pub look_up: Option<LookUp>,
    /// The figure that it wants of two prices on one day.
    pub between: Option<Between>,
    /// What it wants of all values that the named series had over a time.
    pub statistics: Vec<Statistic>,
    /// Whether the values of the last year are meant, where it names no time: `the 52-week high of gold`.
    pub is_of_last_year: bool,
    /// The parts of it that none of its wishes answers, as they are written.
    pub unanswered: Vec<String>,
    /// Whether it is a clear question of something that is not held here.
    pub is_unheld: bool,
    /// What it wants to have worked out of a price and is worked out nowhere here, as it is called.
    pub unserved: Option<&'static str>,
    /// How far back it looks for a highest or lowest price.
    pub reach: Reach,
    /// The term that it wants to have explained.
    pub term: Option<Term>,
    /// The figure by which it compares.
    pub measure: Option<Measure>,
    /// The large holder that it names beside what is held, as it is written.
    pub holder: Option<String>,
    /// Which of many stand first, where the question says so.
    pub foremost: Option<Foremost>,
    /// How many of something are asked for: `top 5`.
    pub at_most: Option<usize>,
    /// The screen that it describes, where it asks for one.
    pub screen: Option<Understood>,
    /// The sentence of that screen: the question without an index whose members are not on record.
    pub screened: String,
    /// The claim that it wants to have tested.
    pub claim: Option<String>,
    /// The words that a search needs; may be empty.
    pub topic: String,
    /// Words of the question about kinds of events, such as `acquisition`; the first.
    pub event: Option<&'static str>,
    /// Whether dates or figures of earnings are asked for.
    pub asks_earnings: bool,
    /// Whether purchases or sales are asked for, where only one of them is.
    pub side: Option<Side>,
    /// The form of filing that is asked for, such as `10-K`.
    pub form: Option<&'static str>,
    /// What was not taken as it was said, in sentences.
    pub notes: Vec<String>,
    /// How it was read, in sentences.
    pub explanation: Vec<String>,
    /// The question.
    pub question: String,
}

/// Which of many stand first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each names itself")]
pub enum Foremost {
    Largest,
    Newest,
}

/// One side of a trade.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each side names itself")]
pub enum Side {
    Buy,
    Sell,
}

impl Side {
    /// Its word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Buy => "buy",
            Self::Sell => "sell",
        }
    }
}

impl Reading {
    /// Whether it wants this, too.
    pub fn wants(&self, intent: Intent) -> bool {
        self.intents.contains(&intent)
    }

    /// Whether all sums that it wants converted are wanted in the same currency.
    pub fn converts_to_one(&self) -> bool {
        let mut all = self.conversions.windows(2);
        all.all(|pair| pair[0].to == pair[1].to)
    }

    /// Whether it asks for what several holdings did together over a time.
    pub fn weighs_performance(&self) -> bool {
        let looks_back = |one: &Position| one.bought.is_some() || one.end().is_some();
        self.holdings.len() > 1
            && self.wants(Intent::Performance)
            && !self.positions.iter().any(looks_back)
    }

    /// Whether it asks for figures of one stretch of time.
    fn is_of_figures(&self) -> bool {
        self.wants(Intent::WhyMoved) || FIGURES.iter().any(|intent| self.wants(*intent))
    }
}

/// What asks for figures of a time.
pub(crate) const FIGURES: [Intent; 9] = [
    Intent::Price,
    Intent::Performance,
    Intent::MarketOverview,
    Intent::Forex,
    Intent::Commodities,
    Intent::Macro,
    Intent::Movers,
    Intent::Sectors,
    Intent::Crypto,
];

/// Reads a question of at most 500 characters. `today` is the day from which it is read.
pub fn read(text: &str, today: Day, names: &Names) -> Reading {
    read_about(text, today, names, &[])
}

/// As [`read`], for a question that leans on one before: where it names nothing of its own, it is about `before`.
pub fn read_about(text: &str, today: Day, names: &Names, before: &[Instrument]) -> Reading {
    let mut reading = read_observed(text, today, names, before).0;
    reading.unanswered = unanswered_parts(text, &reading, today, names);
    reading
}

/// The parts of a question that its wishes leave out: what they ask by themselves is looked for by none of these.
fn unanswered_parts(text: &str, whole: &Reading, today: Day, names: &Names) -> Vec<String> {
    const SEARCHING: [Intent; 8] = [
        Intent::News,
        Intent::Topic,
        Intent::Events,
        Intent::Verification,
        Intent::Portfolio,
        Intent::Contradictions,
        Intent::Help,
        Intent::Unclear,
    ];
    // Wishes that a part without any of its own is given.
    const GIVEN: [Intent; 4] = [
        Intent::Outlook,
        Intent::News,
        Intent::Topic,
        Intent::Unclear,
    ];
    let words = words::cut(text);
    let parts = unanswered::parts(text, &words);
    if parts.len() < 2 || SEARCHING.iter().any(|intent| whole.wants(*intent)) {
        return Vec::new();
    }
    let names_before =
        !whole.instruments.is_empty() || !whole.series.is_empty() || !whole.sectors.is_empty();
    let is_left_out = |said: &&str| {
        let asked = words::cut(said);
        let mut is_time = vec![false; asked.len()];
        for dated in subjects::mentions(said, &asked, today).times {
            is_time[subjects::covered(&asked, &dated.bytes)].fill(true);
        }
        if unanswered::is_time_only(&asked, &is_time)
            || names_before && unanswered::leans(&asked, &is_time)
        {
            return false;
        }
        let own = read_observed(said, today, names, &[]).0;
        let names_something = !own.instruments.is_empty()
            || !own.series.is_empty()
            || !own.sectors.is_empty()
            || !own.unknown.is_empty();
        let is_of_words = own.intents.iter().all(|intent| SEARCHING.contains(intent));
        if names_something || !is_of_words {
            return false;
        }
        // `and how much did revenue grow`: of what is named before.
        let about = read_observed(said, today, names, &whole.instruments).0;
        let is_met = about
            .intents
            .iter()
            .any(|intent| !GIVEN.contains(intent) && whole.wants(*intent));
        !is_met && (whole.fact.is_none() || about.fact != whole.fact)
    };
    let alone = parts
        .into_iter()
        .filter(|part| unanswered::stands_alone(&words[part.clone()]));
    alone
        .map(|part| &text[words[part.start].bytes.start..words[part.end - 1].bytes.end])
        .filter(is_left_out)
        .map(str::to_owned)
        .collect()
}

/// What a question shows of its wishes, to fit the model of them.
pub fn observed(text: &str, today: Day, names: &Names) -> Observed {
    read_observed(text, today, names, &[]).1
}

fn read_observed(
    text: &str,
    today: Day,
    names: &Names,
    before: &[Instrument],
) -> (Reading, Observed) {
    let words = tail::without(words::cut(text));
    let nothing = vec![false; words.len()];
    let spoken = cues::find(&words, &nothing);
    let is_cue = |at: usize| {
        spoken
            .iter()
            .any(|cue| !cue.has_gap && cue.words.contains(&at))
    };
    let mentions = subjects::mentions(text, &words, today);
    let counted = sums::counted(&words, &mentions.amounts);
    let currencies = currencies::find(text, &words);
    let conversions = sums::conversions(&words, &currencies, &counted);
    let is_foreign = elsewhere::is_foreign(text, &words, &spoken);
    let mut found = Subjects::find(text, &words, &mentions, names, &is_cue);
    let wanted = sums::wanted(&words, &currencies, &counted);
    if !conversions.is_empty() || wanted.is_some() {
        // A currency is no company of that name.
        found.instruments.retain(|(_, range)| {
            let is_apart = |one: &currencies::Named| {
                one.words.end <= range.start || range.end <= one.words.start
            };
            currencies.iter().all(is_apart)
        });
    }
    let conversions = if found.instruments.is_empty() {
        conversions
    } else {
        // What somebody wants in euros is asked of a price, and not of a pair.
        if wanted.is_some() {
            found.series.retain(|(series, _)| !is_pair(*series));
        }
        Vec::new()
    };
    if !conversions.is_empty() {
        found.convert(&conversions, &currencies);
    }
    if is_foreign {
        // A word of another language is no name that somebody misspelt, and no symbol in small letters.
        let is_marked = |range: &std::ops::Range<usize>| {
            let begin = words[range.start].bytes.start;
            text[..begin].ends_with('$') || text[begin..].starts_with('$')
        };
        found
            .instruments
            .retain(|(instrument, range)| match instrument.how {
                How::Symbol => !instrument.said.chars().any(char::is_lowercase) || is_marked(range),
                How::Name => true,
                How::Misspelt => false,
            });
        found.unknown.clear();
    }
    // The figures on record are those of the United States, and no bank of another country is a share or an unknown symbol.
    let other_bank = elsewhere::bank_of_rate(text, &words);
    if let Some(bank) = &other_bank {
        let is_apart = |range: &Range<usize>| range.end <= bank.start || bank.end <= range.start;
        found.instruments.retain(|(_, range)| is_apart(range));
        found.unknown.retain(|(_, range)| is_apart(range));
        found.sectors.retain(|(_, range)| is_apart(range));
        found.series.retain(|(_, range)| is_apart(range));
    }
    let is_elsewhere = other_bank.is_some() || elsewhere::names_other_country(text, &words);
    let is_abroad = is_elsewhere && found.series.iter().any(|(series, _)| is_macro(*series));
    if is_abroad {
        found.series.retain(|(series, _)| !is_macro(*series));
    }
    let mut is_time = nothing;
    for dated in &mentions.times {
        is_time[subjects::covered(&words, &dated.bytes)].fill(true);
    }
    let screened = members::left_out(text, &words, &found);
    let screen = understand(&screened);
    let ago = time::ago(&words, today);
    let when = when(text, &words, &mentions, ago.clone(), today);
    let unnamed = Subjects::default();
    let asked = wishes::Wishes {
        words: &words,
        cues: &[],
        found: &unnamed,
        screen: &screen,
        is_time: &is_time,
        has_bounds: ranking::bounds(&words, &counted).is_some(),
        is_abroad,
        is_elsewhere,
        is_foreign,
        asks_holder: false,
        is_of_stretch: is_of_stretch(&when, today),
        is_everyday: everyday::is_everyday(&words),
        is_titled: words.iter().all(|word| {
            let said = &text[word.bytes.clone()];
            said.chars().count() < 4 || said.starts_with(char::is_uppercase)
        }),
    };
    if found.is_nothing() && !is_foreign && other_bank.is_none() {
        let possible = found.with_possible(text, &words, names, &is_cue);
        if let Some(possible) = possible.filter(|possible| makes_sense(&asked, possible)) {
            found = possible;
        } else if let Some(unlisted) = found
            .with_unlisted(text, &words, names, &is_cue)
            .filter(|_| asked.may_be_a_name() || speaks_of_listed(&words, &spoken))
        {
            found = unlisted;
        } else if makes_sense(&asked, &found) {
            found.take_unknown(text, &words, names, &is_cue);
        }
    }
    if found.is_nothing() && other_bank.is_none() {
        let before = before.iter().cloned();
        found.instruments = before.map(|instrument| (instrument, 0..0)).collect();
    }
    let asks_holder = holders::asks_holder(&words, &found.instruments);
    let holder = holders::named(text, &words, &found.instruments);
    let is_of_holders = |cue: &cues::Cue| cue.intent == Intent::Institutions;
    if asks_holder || spoken.iter().any(is_of_holders) {
        holders::leave_held(&mut found.instruments);
    }
    let mut cues = cues_apart_from(&words, &found);
    // `price of gold on Good Friday`: a time, and no wish for the calendar.
    if let Some(day) = time::named_day(&words, today) {
        let covered = subjects::covered(&words, &day);
        let is_within =
            |cue: &cues::Cue| covered.start <= cue.words.start && cue.words.end <= covered.end;
        cues.retain(|cue| cue.intent != Intent::Calendar || !is_within(cue));
    }
    let wishes = wishes::Wishes {
        cues: &cues,
        found: &found,
        asks_holder,
        ..asked
    };
    let observed = wishes.observed();
    let mut intents = wishes.decided(&observed);
    let asks_words = wishes.asks_words() && intents.first() == Some(&Intent::News);
    if asks_words {
        intents.retain(|intent| *intent != Intent::Macro);
    }
    let others = held::beside_listed(&found);
    let told = Told {
        text,
        words: &words,
        instruments: &found.instruments,
        others: &others,
    };
    held::retain_wishes(&told, &mut intents);
    // What was is on no calendar of what comes, unless one is asked for.
    if intents.len() > 1 && when.past_end(today).is_some() && !wishes.has(Intent::Calendar) {
        intents.retain(|intent| *intent != Intent::Calendar);
    }
    // `which of gold and silver rose most`: those that are named, and not all shares.
    let is_ranked = |(series, _): &&(Series, Range<usize>)| !is_index(*series);
    if found.instruments.is_empty()
        && found.series.iter().filter(is_ranked).count() >= 2
        && intents.contains(&Intent::Movers)
        && !wishes.ranks_by_change()
    {
        intents.retain(|intent| *intent != Intent::Movers);
        wishes.add_of_subjects(&mut intents);
    }
    let fact = fact_of(&words, &found, &mut intents);
    let unheld = facts::of_economy(&words)
        .filter(|_| found.instruments.is_empty() && intents.contains(&Intent::Macro));
    let fact = fact.or(unheld.map(|(what, _)| what));
    let unscheduled = facts::unscheduled(&words).filter(|_| {
        const OTHERS: [Intent; 4] = [
            Intent::Verification,
            Intent::Movers,
            Intent::Portfolio,
            Intent::Unclear,
        ];
        let is_other = intents.iter().any(|intent| OTHERS.contains(intent));
        found.is_nothing() && !is_other
    });
    if unscheduled.is_some() {
        intents = vec![Intent::Events];
    }
    let fact = fact.or(unscheduled);
    // No figure of the United States answers for another country.
    let foreign = is_elsewhere.then(|| {
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
        let asks_news = [Intent::News, Intent::Topic, Intent::Calendar]
            .into_iter()
            .any(|intent| wishes.has(intent));
        let is_of_figures = other_bank.is_some() || is_abroad || wishes.has(Intent::Macro);
        let may_be_one = |intent: &Intent| match other_bank {
            Some(_) => !OTHERS.contains(intent),
            None => FIGURES.contains(intent),
        };
        let is_nothing_else =
            found.is_nothing() && intents.iter().all(may_be_one) && conversions.is_empty();
        let is_asked = is_of_figures && is_nothing_else && !asks_news && !asks_words && !is_foreign;
        let what = if other_bank.is_some() {
            elsewhere::RATES
        } else {
            elsewhere::FIGURES
        };
        is_asked.then_some(what)
    });
    let foreign = foreign.flatten();
    if foreign.is_some() {
        intents = vec![Intent::News];
    }
    let fact = fact.or(foreign);
    let term = terms::asked(&words).filter(|_| {
        // `what is inflation`: what has a value is answered by it.
        found.instruments.is_empty() && found.series.is_empty() && foreign.is_none()
    });
    if term.is_some() {
        intents = vec![Intent::Help];
    }
    // What is explained is looked for nowhere.
    let fact = fact.filter(|_| term.is_none());
    let is_unnamed = found.series.is_empty() && unheld.is_none();
    let meant = (intents.first() == Some(&Intent::Macro) && is_unnamed)
        .then(|| indicator::meant(text))
        .flatten();
    let positions = Positions {
        text,
        words: &words,
        instruments: &found.instruments,
        counted: &counted,
        times: &mentions.times,
        ago: ago.as_ref().map(|(day, _)| *day),
        wanted,
        today,
    };
    let coin_conversion = positions.coin_conversion();
    let has_time = when.from.is_some() && !when.is_ahead;
    let asked = look_up::Asked {
        words: &words,
        is_name: &names_among(&words, &found),
        is_time: &is_time,
        counted: &counted,
    };
    // Of what is not listed, one price whose history is held.
    let of_one_price = match &found.series[..] {
        [(series, _)] if found.instruments.is_empty() => is_commodity(*series) || is_index(*series),
        _ => false,
    };
    let of_commodity = of_one_price && found.series.iter().any(|(one, _)| is_commodity(*one));
    let look_up = asked.look_up(has_time, of_commodity).filter(|look_up| {
        const OTHERS: [Intent; 3] = [Intent::Verification, Intent::Portfolio, Intent::Unclear];
        let is_other = intents.iter().any(|intent| OTHERS.contains(intent));
        // `when did bitcoin first hit 10k`: the number is no form of filing.
        let is_said = |intent: &Intent| {
            wishes.has(*intent) && !(*intent == Intent::Filings && wishes.filing_is_number())
        };
        let is_of_price = fact.is_none() && !look_up.others().iter().any(is_said);
        let is_level = of_one_price && matches!(look_up, LookUp::Crossing(_));
        (!found.instruments.is_empty() || is_level) && !is_other && is_of_price
    });
    let names_series = found.instruments.is_empty() && !found.series.is_empty();
    let between = between::asked(&words, &found.series).filter(|_| {
        const OTHERS: [Intent; 4] = [
            Intent::Verification,
            Intent::News,
            Intent::Portfolio,
            Intent::WhyMoved,
        ];
        names_series && !OTHERS.iter().any(|intent| intents.contains(intent))
    });
    // What is worked out nowhere is no highest value; a level is, where it is the highest: `when did gold hit its peak`.
    let not_worked_out = asked.unserved(names_series);
    let is_of_other = names_series && not_worked_out.is_some_and(|what| what != look_up::LEVELS);
    let mut statistics = if is_of_other {
        Vec::new()
    } else {
        statistics(&words, &found, &when, &wishes, &intents)
    };
    // Figures of the economy have no sessions.
    if found.series.iter().any(|(series, _)| is_macro(*series)) || meant.is_some() {
        statistics.retain(|statistic| !statistic.is_of_sessions());
    }
    let names_figures = names_series || meant.is_some();
    let is_level = of_one_price && look_up.is_some();
    if is_level {
        statistics.clear();
    }
    if (!statistics.is_empty() || between.is_some() || is_level) && names_series {
        intents.clear();
        wishes.add_of_subjects(&mut intents);
    }
    let unserved = not_worked_out.filter(|_| {
        const OTHERS: [Intent; 6] = [
            Intent::Verification,
            Intent::Portfolio,
            Intent::Unclear,
            Intent::Screener,
            Intent::News,
            Intent::Help,
        ];
        let is_other = intents.iter().any(|intent| OTHERS.contains(intent));
        let is_of_economy = found.series.iter().any(|(series, _)| is_macro(*series));
        let counts_steps = not_worked_out == Some(look_up::STEPS);
        let is_named =
            !found.instruments.is_empty() || names_series && (!is_of_economy || counts_steps);
        let is_worked_out = names_series && (!statistics.is_empty() || between.is_some());
        look_up.is_none() && fact.is_none() && is_named && !is_other && !is_worked_out
    });
    // Of figures of a company there is one of each report, and none over a time.
    let asks_figures = matches!(
        intents.first(),
        Some(Intent::Fundamentals | Intent::Technicals | Intent::Sentiment)
    );
    let of_figures = (asks_figures
        && fact.is_none()
        && look_up.is_none()
        && !found.instruments.is_empty()
        && !statistics.is_empty()
        && is_stretch(&when))
    .then_some("the highest, lowest and mean figures of a company over a time");
    let unserved = unserved.or(of_figures);
    let reach = {
        let is_past = !when.is_ahead && !when.is_unsaid();
        let names_day = is_past && when.from == when.to;
        look_up::reach(&words, is_past && !names_day, names_day)
    };
    // The highest or lowest price of so long stands in the history, and in no newest price.
    let is_of_candles = |one: &(Instrument, Range<usize>)| one.0.kind != Kind::Coin;
    let may_be_of_history = |intent: &Intent| {
        matches!(
            intent,
            Intent::Price | Intent::Performance | Intent::Technicals | Intent::Outlook
        )
    };
    if reach != Reach::Named
        && fact.is_none()
        && !found.instruments.is_empty()
        && found.instruments.iter().all(is_of_candles)
        && intents.iter().all(may_be_of_history)
    {
        intents = vec![Intent::Performance];
    }
    // So does that of a time, also of a coin.
    let is_of_time = |intent: &Intent| may_be_of_history(intent) || *intent == Intent::Crypto;
    if !statistics.is_empty()
        && is_stretch(&when)
        && reach == Reach::Named
        && fact.is_none()
        && !found.instruments.is_empty()
        && found.series.is_empty()
        && intents.iter().all(is_of_time)
    {
        intents = vec![Intent::Performance];
    }
    let positions = if coin_conversion.is_some() {
        intents = vec![Intent::Price, Intent::Crypto];
        Vec::new()
    } else if look_up.is_some() {
        if !is_level {
            intents = vec![Intent::Performance];
        }
        Vec::new()
    } else {
        valued::positions(&positions, &wishes, &mut intents)
    };
    if let Some(wish) = unlisted::wish(&found, &spoken, &intents) {
        intents = vec![wish];
    }
    let mut notes = Vec::new();
    if is_abroad && foreign.is_none() {
        notes.push("economic figures on record are those of the United States only".to_owned());
    }
    if let Some(code) = meant {
        notes.push(format!(
            "no series is named; by what is asked it is read as {}",
            Series::Known(code).name()
        ));
    }
    if is_foreign && !found.instruments.is_empty() {
        notes.push(
            "questions are understood in English; of this one only the names were".to_owned(),
        );
    }
    let holdings = held::holdings(&told, &intents);
    if !holdings.is_empty() {
        notes.extend(held::unlisted_note(&told.unlisted()));
    }
    let mut reading = Reading {
        form: counted::form(&words),
        conversions: if intents.contains(&Intent::Forex) {
            conversions
        } else {
            Vec::new()
        },
        currency: wanted.filter(|_| !positions.is_empty()),
        positions,
        coin_conversion,
        ranks_prices: ranking::ranks_prices(&words),
        fact,
        look_up,
        between,
        is_of_last_year: statistic::is_of_last_year(&words),
        statistics: if names_figures && fact.is_none() {
            statistics
        } else {
            Vec::new()
        },
        is_unheld: intents[..] == [Intent::Unclear] && !is_foreign && unanswered::is_clear(&words),
        unserved,
        reach,
        term,
        measure: measure::asked(&words),
        holder: holder.filter(|_| intents.contains(&Intent::Institutions)),
        bounds: ranking::bounds(&words, &counted).filter(|_| intents.contains(&Intent::Movers)),
        is_up: ranking::direction(&words),
        is_by_price: ranking::is_by_price(&words),
        least_value: sums::least_value(&words, &counted),
        foremost: counted::foremost(&words, &when),
        at_most: counted::at_most(&words),
        when,
        topic: if intents.contains(&Intent::Institutions) {
            holders::without_trades(&topic::words(text, &words, &is_time, &cues))
        } else {
            topic::words(text, &words, &is_time, &cues)
        },
        event: wishes.event(),
        asks_earnings: wishes.has(Intent::Earnings),
        side: wishes.side(),
        question: text.trim().to_owned(),
        claim: intents
            .contains(&Intent::Verification)
            .then(|| wishes.claim(text)),
        screen: intents
            .contains(&Intent::Screener)
            .then_some(screen.clone()),
        screened: if intents.contains(&Intent::Screener) {
            screened
        } else {
            String::new()
        },
        holdings,
        unknown: found.unknown.iter().map(|(said, _)| said.clone()).collect(),
        intents,
        ..Reading::default()
    };
    if reading.positions.len() < 2 {
        notes.extend(holdings::note(text, &words, &reading.holdings));
    } else {
        notes.push("news of the holdings is weighed as if all were of the same value".to_owned());
    }
    if reading.is_of_figures() && reading.positions.is_empty() {
        notes.extend(time::not_taken(
            text,
            &words,
            &mentions.times,
            &reading.when,
        ));
    }
    reading.notes = notes;
    // What nothing is asked about is no subject: `apple pie recipe`.
    if reading.intents[..] == [Intent::Unclear] {
        found.instruments.clear();
    }
    for (instrument, _) in found.instruments {
        if reading
            .instruments
            .iter()
            .any(|known| known.symbol == instrument.symbol && known.kind == instrument.kind)
        {
            continue;
        }
        if reading.instruments.len() == MOST_INSTRUMENTS {
            reading.left_out += 1;
            continue;
        }
        reading.explanation.push(said(&instrument));
        reading.instruments.push(instrument);
    }
    let meant = meant.map(|series| (Series::Known(series), 0..0));
    // Another rate is none of mortgages: only what is held beside them is shown.
    reading.series.extend(unheld.map(|(_, beside)| beside));
    // `what did Powell say`: he stands for no rate there.
    let is_of_words = asks_words && !reading.wants(Intent::Macro);
    for (series, _) in found.series.into_iter().chain(meant) {
        if (is_of_words || unheld.is_some()) && is_macro(series) {
            continue;
        }
        if !reading.series.contains(&series) {
            reading.series.push(series);
        }
    }
    for (sector, _) in found.sectors {
        if !reading.sectors.contains(&sector) {
            reading.sectors.push(sector);
        }
    }
    (reading, observed)
}

/// What the question wants of all values of a time; nothing where something else is asked about them.
fn statistics(
    words: &[words::Word],
    found: &Subjects,
    when: &When,
    wishes: &wishes::Wishes<'_>,
    intents: &[Intent],
) -> Vec<Statistic> {
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
        .any(|intent| wishes.has(intent));
    if asks_words || intents.iter().any(|intent| OTHERS.contains(intent)) {
        return Vec::new();
    }
    let instruments = found.instruments.iter().map(|(_, range)| range.clone());
    let series = found.series.iter().map(|(_, range)| range.clone());
    let named: Vec<Range<usize>> = instruments.chain(series).collect();
    statistic::asked(words, &named, is_stretch(when))
}

/// Whether a past time of more than one day is named.
fn is_stretch(when: &When) -> bool {
    when.from.is_some() && !when.is_ahead && when.from != when.to
}

/// The fact of what is named that a question asks for; the wishes become those of it.
fn fact_of(words: &[words::Word], found: &Subjects, intents: &mut Vec<Intent>) -> Option<Fact> {
    if found.instruments.is_empty() {
        return None;
    }
    let fact = facts::asked(words, &names_among(words, found))?;
    *intents = fact.wishes(intents)?;
    Some(fact)
}

/// The phrases of wishes outside of the names.
fn cues_apart_from(words: &[words::Word], found: &Subjects) -> Vec<cues::Cue> {
    cues::find_whole(words, &names_among(words, found))
}

/// Which words are part of the name of something traded.
fn names_among(words: &[words::Word], found: &Subjects) -> Vec<bool> {
    let mut is_name = vec![false; words.len()];
    for (_, range) in &found.instruments {
        is_name[range.clone()].fill(true);
    }
    is_name
}

/// Whether the phrases of a question are those about something listed, and none of them about the news or a market as a whole.
fn speaks_of_listed(words: &[words::Word], spoken: &[cues::Cue]) -> bool {
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
    let says = |all: &[Intent]| spoken.iter().any(|cue| all.contains(&cue.intent));
    let names_share = words
        .iter()
        .any(|word| word.is_any(&["stock", "share", "shares"]));
    says(&ABOUT) && (!says(&OTHERS) || names_share && !says(&OTHERS[..3]))
}

/// Whether a question makes sense as one about these subjects.
fn makes_sense(asked: &wishes::Wishes<'_>, found: &Subjects) -> bool {
    let cues = cues_apart_from(asked.words, found);
    let wishes = wishes::Wishes {
        cues: &cues,
        found,
        ..*asked
    };
    wishes.observed().is_of_listed()
}

/// The time of a question. A price of `three years ago` is one of that day where it speaks of what was.
fn when(
    text: &str,
    words: &[words::Word],
    mentions: &Mentions,
    ago: Option<(Day, Range<usize>)>,
    today: Day,
) -> When {
    let found = time::find(text, words, &mentions.times, today);
    match ago {
        // `and a year ago?`: of then, too.
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
            }
        }
        _ => found,
    }
}

/// Whether a question is about a time that began before today, or about that part of the running one that is over.
fn is_of_stretch(when: &When, today: Day) -> bool {
    let begins = when.from.is_some_and(|from| from < today);
    let said = when.said.to_lowercase();
    let runs = ["this ", "since "]
        .iter()
        .any(|word| said.starts_with(word));
    !when.is_ahead && (begins || runs)
}

fn said(instrument: &Instrument) -> String {
    let Instrument {
        symbol,
        name,
        said,
        how,
        ..
    } = instrument;
    match how {
        How::Symbol => format!("{said} is {name} ({symbol})"),
        How::Name if said.eq_ignore_ascii_case(name) => format!("{name} is listed as {symbol}"),
        How::Name => format!("“{said}” is read as {name} ({symbol})"),
        How::Misspelt => format!("“{said}” is not a name on record; read as {name} ({symbol})"),
    }
}

//! The reading of a question.

mod counted;
mod elsewhere;
mod everyday;
mod held;
mod holders;
mod indicator;
mod interpretation;
mod learned;
mod members;
mod question;
mod resolved;
mod tail;
mod unlisted;
mod valued;
mod wishes;

use market::screener::natural::Understood;
use model::Day;

use self::interpretation::Interpretation;
use self::question::Question;
use self::resolved::Resolved;
use crate::between::Between;
use crate::facts::Fact;
use crate::holdings::{self, Holding, Told};
use crate::intent::Intent;
use crate::look_up::{LookUp, Reach};
use crate::measure::{self, Measure};
use crate::names::{Kind, Names};
use crate::ranking::{self, Bounds};
use crate::report::{self, Report};
use crate::statistic::{self, Statistic};
use crate::subjects::{self, How, Instrument, Series, is_macro};
use crate::sums::{self, CoinConversion, Conversion, Position};
use crate::terms::Term;
use crate::time::{self, When};
use crate::topic;
use crate::unanswered;
use crate::words::{self, Word};

pub use learned::Observed;

/// How many instruments of a question are considered; the rest are only counted.
const MOST_INSTRUMENTS: usize = 10;

/// What a question asks for.
#[expect(
    clippy::struct_excessive_bools,
    reason = "what was found out about a question, each for itself"
)]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// What the question wants to know, the most important first; never empty.
    pub intents: Vec<Intent>,
    /// Shares, funds and coins that it names, each once, in the order of the question; at most ten.
    pub instruments: Vec<Instrument>,
    /// How many more instruments it names.
    pub left_out: usize,
    /// Indicators, indices, commodities and pairs that it names, each once.
    pub series: Vec<Series>,
    /// Sectors that it names.
    pub sectors: Vec<&'static str>,
    /// Words that refer to something traded but match no listing.
    pub unknown: Vec<String>,
    /// The time it is about.
    pub when: When,
    /// What somebody says they hold.
    pub holdings: Vec<Holding>,
    /// The sums to convert to another currency: several to the same one, or one sum to each of several.
    pub conversions: Vec<Conversion>,
    /// The amount of a coin to convert to another coin.
    pub coin_conversion: Option<CoinConversion>,
    /// The currency in which it wants a value, if it names one.
    pub currency: Option<&'static str>,
    /// What it wants valued: shares, or a sum that was invested in them.
    pub positions: Vec<Position>,
    /// How far the wanted shares moved.
    pub bounds: Option<Bounds>,
    /// The direction of the price moves that it asks about, if it is a single one: up (`true`) or down.
    pub is_up: Option<bool>,
    /// Whether it asks for the price moves of sectors.
    pub is_by_price: bool,
    /// The lowest value in dollars of what it asks for.
    pub least_value: Option<f64>,
    /// Whether it ranks coins, commodities or currencies by their price moves.
    pub ranks_prices: bool,
    /// The fact of a company that it asks for.
    pub fact: Option<Fact>,
    /// The reported figures of named periods that it asks for.
    pub report: Option<Report>,
    /// What it looks up in the history of a price.
    pub look_up: Option<LookUp>,
    /// The figure that it wants of two prices on one day.
    pub between: Option<Between>,
    /// What it wants from all values of the named series over a period.
    pub statistics: Vec<Statistic>,
    /// Whether the values of the last year are meant when it names no time: `the 52-week high of gold`.
    pub is_of_last_year: bool,
    /// The parts of it that none of its intents answers, as written.
    pub unanswered: Vec<String>,
    /// Whether it is a clear question about something that is not on record here.
    pub is_unheld: bool,
    /// What it wants computed from a price but is not available here, by its usual name.
    pub unserved: Option<&'static str>,
    /// How far back it looks for a highest or lowest price.
    pub reach: Reach,
    /// The term that it wants explained.
    pub term: Option<Term>,
    /// The figure by which it compares.
    pub measure: Option<Measure>,
    /// The large holder that it names together with what is held, as written.
    pub holder: Option<String>,
    /// Which of many come first, if the question says so.
    pub foremost: Option<Foremost>,
    /// How many it asks for: `top 5`.
    pub at_most: Option<usize>,
    /// The screen that it describes, if it asks for one.
    pub screen: Option<Understood>,
    /// The sentence of that screen: the question without an index whose members are not on record.
    pub screened: String,
    /// The claim that it wants checked.
    pub claim: Option<String>,
    /// The words that a search needs; may be empty.
    pub topic: String,
    /// The first words of the question about a kind of event, such as `acquisition`.
    pub event: Option<&'static str>,
    /// Whether it asks for dates or figures of earnings.
    pub asks_earnings: bool,
    /// Whether it asks for purchases or sales, if for only one of them.
    pub side: Option<Side>,
    /// The form of filing that it asks for, such as `10-K`.
    pub form: Option<&'static str>,
    /// Whether it is about a time that names no date: `since the election`.
    pub has_unread_time: bool,
    /// What was not taken literally, in sentences.
    pub notes: Vec<String>,
    /// How it was read, in sentences.
    pub explanation: Vec<String>,
    /// The question.
    pub question: String,
}

/// Which of many come first.
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
    /// Whether it wants this as well.
    pub fn wants(&self, intent: Intent) -> bool {
        self.intents.contains(&intent)
    }

    /// Whether all the sums are to be converted to the same currency.
    pub fn converts_to_one(&self) -> bool {
        let mut all = self.conversions.windows(2);
        all.all(|pair| pair[0].to == pair[1].to)
    }

    /// Whether it asks how several holdings performed together over a period.
    pub fn weighs_performance(&self) -> bool {
        let looks_back = |one: &Position| one.bought.is_some() || one.end().is_some();
        self.holdings.len() > 1
            && self.wants(Intent::Performance)
            && !self.positions.iter().any(looks_back)
    }

    /// Whether it asks for figures of one period.
    fn is_of_figures(&self) -> bool {
        self.wants(Intent::WhyMoved) || FIGURES.iter().any(|intent| self.wants(*intent))
    }
}

/// Intents that ask for figures of a period.
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

/// Reads a question of at most 500 characters. `today` is the day as of which it is read.
pub fn read(text: &str, today: Day, names: &Names) -> Reading {
    read_about(text, today, names, &[])
}

/// Like [`read`], for a follow-up question: if it names nothing of its own, it is about `before`.
pub fn read_about(text: &str, today: Day, names: &Names, before: &[Instrument]) -> Reading {
    let mut reading = read_observed(text, today, names, before).0;
    reading.unanswered = unanswered_parts(text, &reading, today, names);
    reading
}

/// The parts of a question that its intents leave out: none of these covers what they ask on their own.
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
    // Intents that are given to a part without any of its own.
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
        // `and how much did revenue grow`: about what was named before.
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

/// What a question shows of its intents, to fit the model of them.
pub fn observed(text: &str, today: Day, names: &Names) -> Observed {
    read_observed(text, today, names, &[]).1
}

fn read_observed(
    text: &str,
    today: Day,
    names: &Names,
    before: &[Instrument],
) -> (Reading, Observed) {
    let question = Question::of(text, today);
    let resolved = Resolved::of(&question, names, before);
    let wishes = resolved.wishes(&question);
    let observed = wishes.observed();
    let others = held::beside_listed(&resolved.found);
    let told = Told {
        text,
        words: &question.words,
        instruments: &resolved.found.instruments,
        others: &others,
    };
    let interpretation = interpretation::interpret(&question, &resolved, &wishes, &observed, &told);
    let holdings = held::holdings(&told, &interpretation.intents);
    let mut notes = resolved.notes(&question, &interpretation);
    if !holdings.is_empty() {
        notes.extend(held::unlisted_note(&told.unlisted()));
    }
    let mut reading = Reading {
        event: wishes.event(),
        asks_earnings: wishes.has(Intent::Earnings),
        side: wishes.side(),
        claim: interpretation
            .intents
            .contains(&Intent::Verification)
            .then(|| wishes.claim(text)),
        holdings,
        notes,
        ..Reading::default()
    };
    reading.take_words(&question);
    reading.take_interpretation(&question, resolved, interpretation);
    reading.take_report(&question);
    reading.take_quarter(&question.words);
    reading.note_what_is_not_taken(&question);
    (reading, observed)
}

impl Reading {
    /// Details that the words give on their own, whatever the question is about.
    fn take_words(&mut self, question: &Question<'_>) {
        let words = &question.words;
        question.text.trim().clone_into(&mut self.question);
        self.when = question.when.clone();
        self.form = counted::form(words);
        self.foremost = counted::foremost(words, &question.when);
        self.at_most = counted::at_most(words);
        self.ranks_prices = ranking::ranks_prices(words);
        self.is_up = ranking::direction(words);
        self.is_by_price = ranking::is_by_price(words);
        self.is_of_last_year = statistic::is_of_last_year(words);
        self.measure = measure::asked(words);
        self.least_value = sums::least_value(words, &question.counted);
    }

    /// What the question wants to know, and about which subjects.
    fn take_interpretation(
        &mut self,
        question: &Question<'_>,
        resolved: Resolved,
        interpretation: Interpretation,
    ) {
        let Question { text, words, .. } = question;
        let topic = topic::words(text, words, &question.is_time, &resolved.cues);
        self.intents = interpretation.intents;
        self.topic = if self.wants(Intent::Institutions) {
            self.holder = resolved.holder;
            holders::without_trades(&topic)
        } else {
            topic
        };
        if self.wants(Intent::Forex) {
            self.conversions = resolved.conversions;
        }
        if self.wants(Intent::Movers) {
            self.bounds = question.bounds;
        }
        if self.wants(Intent::Screener) {
            self.screen = Some(resolved.screen);
            self.screened = resolved.screened;
        }
        if !interpretation.positions.is_empty() {
            self.currency = resolved.currency;
        }
        let is_unclear = self.intents[..] == [Intent::Unclear];
        self.is_unheld = is_unclear && !question.is_foreign && unanswered::is_clear(words);
        self.positions = interpretation.positions;
        self.coin_conversion = interpretation.coin_conversion;
        self.fact = interpretation.fact;
        self.look_up = interpretation.look_up;
        self.between = interpretation.between;
        self.statistics = interpretation.statistics;
        self.unserved = interpretation.unserved;
        self.reach = interpretation.reach;
        self.term = interpretation.term;
        let found = resolved.found;
        self.unknown = found.unknown.into_iter().map(|(name, _)| name).collect();
        // Something that nothing is asked about is not a subject: `apple pie recipe`.
        if !is_unclear {
            self.take_instruments(found.instruments.into_iter().map(|(one, _)| one));
        }
        // `what did Powell say` is not about a rate. For a rate that no source here has, only its stand-in is shown.
        let is_unmeant = interpretation.asks_words && !self.wants(Intent::Macro);
        let leaves_macro = is_unmeant || interpretation.is_unheld;
        let named = found.series.into_iter().map(|(series, _)| series);
        let series = named.chain(interpretation.meant.map(Series::Known));
        let taken = series.filter(|series| !(leaves_macro && is_macro(*series)));
        for series in interpretation.beside_unheld.into_iter().chain(taken) {
            if !self.series.contains(&series) {
                self.series.push(series);
            }
        }
        for (sector, _) in found.sectors {
            if !self.sectors.contains(&sector) {
                self.sectors.push(sector);
            }
        }
    }

    fn take_instruments(&mut self, found: impl Iterator<Item = Instrument>) {
        for instrument in found {
            let is_same = |known: &Instrument| {
                known.symbol == instrument.symbol && known.kind == instrument.kind
            };
            if self.instruments.iter().any(is_same) {
                continue;
            }
            if self.instruments.len() == MOST_INSTRUMENTS {
                self.left_out += 1;
                continue;
            }
            self.explanation.push(explained(&instrument));
            self.instruments.push(instrument);
        }
    }

    /// The figures of named fiscal periods stand in the statements of these periods.
    fn take_report(&mut self, question: &Question<'_>) {
        const OF_REPORTS: [Intent; 5] = [
            Intent::Fundamentals,
            Intent::Earnings,
            Intent::Comparison,
            Intent::Outlook,
            // `its net income over four years`.
            Intent::Performance,
        ];
        let is_of_companies = !self.instruments.is_empty()
            && self.instruments.iter().all(|one| one.kind == Kind::Share)
            && self.series.is_empty();
        let is_of_reports = self
            .intents
            .iter()
            .all(|intent| OF_REPORTS.contains(intent))
            && (self.wants(Intent::Fundamentals)
                || self.wants(Intent::Earnings)
                || self.wants(Intent::Comparison));
        let is_of_other = !matches!(self.fact, None | Some(Fact::Reported(_)))
            || self.unserved.is_some()
            || self.look_up.is_some()
            || !self.positions.is_empty()
            || !self.statistics.is_empty();
        if !is_of_companies || !is_of_reports || is_of_other {
            return;
        }
        let words = &question.words;
        let times = &question.mentions.times;
        let is_name: Vec<bool> = words
            .iter()
            .map(|word| {
                let said = &question.text[word.bytes.clone()];
                self.instruments.iter().any(|one| {
                    let mut names = one.said.split(|one: char| !one.is_alphanumeric());
                    names.any(|name| name.eq_ignore_ascii_case(said))
                })
            })
            .collect();
        let compares = self.wants(Intent::Comparison) && self.instruments.len() > 1;
        self.report = report::asked(
            question.text,
            words,
            &is_name,
            times,
            question.today,
            compares,
        );
        // `how did it do after its results`: what the price did.
        let is_of_price = self.wants(Intent::Performance)
            && self
                .report
                .as_ref()
                .is_some_and(|report| report.figures.is_empty());
        if is_of_price {
            self.report = None;
        }
        if self.report.is_some() {
            self.intents.retain(|intent| {
                matches!(
                    intent,
                    Intent::Fundamentals | Intent::Earnings | Intent::Comparison
                )
            });
            if !self.wants(Intent::Fundamentals) {
                self.intents.insert(0, Intent::Fundamentals);
            }
            self.fact = None;
            self.unserved = None;
            self.when = When::default();
        }
    }

    /// Company figures of the last quarter are the newest. What no statement has, such as a ratio to the price, is not
    /// picked out for a named quarter: what was known at its end would be that of an earlier one.
    fn take_quarter(&mut self, words: &[Word]) {
        let is_reported = matches!(self.fact, Some(Fact::Reported(_)))
            || self.fact.is_none() && self.intents.first() == Some(&Intent::Fundamentals);
        if !is_reported || self.when.is_unsaid() {
            return;
        }
        let said = self.when.said.to_lowercase();
        // `higher than last quarter` compares the newest ones, `this quarter` has none yet.
        if self.when.begins_on_day || said.contains("this ") {
            return;
        }
        let is_last = [
            "last quarter",
            "latest quarter",
            "recent quarter",
            "past quarter",
            "previous quarter",
        ]
        .iter()
        .any(|last| said.ends_with(last));
        if is_last {
            self.when = When::default();
            return;
        }
        let is_named = words.iter().any(|word| {
            word.is_any(&["quarter", "q1", "q2", "q3", "q4", "fiscal", "fy"])
                || word.lower.starts_with("fy2")
        });
        if is_named && self.unserved.is_none() {
            self.unserved = Some("figures of a named quarter or fiscal year");
        }
    }

    /// Notes on parts of the question that were not taken literally.
    fn note_what_is_not_taken(&mut self, question: &Question<'_>) {
        let Question { text, words, .. } = question;
        if self.positions.len() < 2 {
            self.notes
                .extend(holdings::note(text, words, &self.holdings));
        } else {
            self.notes.push(
                "news of the holdings is weighed as if all were of the same value".to_owned(),
            );
        }
        if self.is_of_figures() && self.positions.is_empty() {
            let not_taken = time::not_taken(text, words, &question.mentions.times, &self.when);
            self.notes.extend(not_taken);
            self.has_unread_time = time::unread(text, words, &self.when).is_some();
        } else if !self.wants(Intent::Verification)
            && let Some(date) = time::unread_date(text, &self.when)
        {
            self.notes.push(time::unread_note(date));
            self.has_unread_time = true;
        }
    }
}

/// How a name was read, as a sentence.
fn explained(instrument: &Instrument) -> String {
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

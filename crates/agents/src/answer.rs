//! Writes answers: from what the sources returned, and from nothing else.
//!
//! An answer begins with what was asked. Then come the figures it is based on, the evidence against it, what is ahead,
//! the news, and what is not known. Every number is in `data`: figures computed here are put there first ([`derive`]).

mod comparison;
mod derived;
mod disclosures;
mod instrument;
mod markets;
mod news;
mod next;
mod side_by_side;
mod sums;

use query::{Intent, Reading};
use serde_json::{Map, Value};

pub use derived::derive;
pub(crate) use instrument::names_office;

use crate::alike;
use crate::ask::MissingBody;
use crate::figures;
use crate::plan::Plan;
use crate::view::View;

/// The assessment of one instrument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TradeSignal {
    /// `strong_buy`, `lean_buy`, `hold`, `lean_sell` or `strong_sell`.
    pub action: String,
    /// 0 to 100.
    pub score: u64,
    /// What it is based on.
    pub factors: Vec<String>,
}

/// An answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// Markdown.
    pub summary: String,
    /// Present if one instrument was assessed.
    pub trade_signal: Option<TradeSignal>,
    /// Questions that can be asked as they stand.
    pub follow_ups: Vec<String>,
    /// The upper limit of its confidence if something that was asked for is missing: 0 to 1.
    pub at_most: Option<f64>,
}

/// The answer as it is being written.
#[derive(Debug, Default)]
struct Sheet {
    /// What was asked for, which comes first.
    lead: Vec<String>,
    /// Tables and lists, as they are.
    blocks: Vec<String>,
    /// What coincides with a move without being its cause.
    beside: Vec<String>,
    supports: Vec<String>,
    against: Vec<String>,
    ahead: Vec<String>,
    news: Vec<String>,
    unknown: Vec<String>,
    /// The upper limit of the answer's confidence if something that was asked for is missing.
    at_most: Option<f64>,
}

/// The upper limits of confidence for an answer that lacks the figure that was asked for, and for one that has part of
/// what was asked for.
const OPEN: f64 = 0.4;
const PARTIAL: f64 = 0.7;

impl Sheet {
    /// Records that the answer lacks something: its confidence is no higher than this.
    fn at_most(&mut self, sure: f64) {
        self.at_most = Some(self.at_most.map_or(sure, |known| known.min(sure)));
    }

    fn lead(&mut self, sentence: impl Into<String>) {
        self.lead.push(sentence.into());
    }

    fn unknown(&mut self, sentence: impl Into<String>) {
        let sentence = sentence.into();
        if !self.unknown.contains(&sentence) {
            self.unknown.push(sentence);
        }
    }

    fn written(self) -> String {
        let mut parts = Vec::new();
        if !self.lead.is_empty() {
            parts.push(self.lead.join(" "));
        }
        parts.extend(self.blocks);
        for (title, lines) in [
            ("For comparison", self.beside),
            ("Points in favour", self.supports),
            ("Points against", self.against),
            ("Ahead", self.ahead),
            ("In the news", self.news),
            ("Not known", alike::merged(&self.unknown)),
        ] {
            if !lines.is_empty() {
                let lines: Vec<String> = lines.iter().map(|line| format!("- {line}")).collect();
                parts.push(format!("**{title}**\n\n{}", lines.join("\n")));
            }
        }
        parts.join("\n\n")
    }
}

/// What the writers have to work with.
struct Page<'a> {
    reading: &'a Reading,
    plan: &'a Plan,
    data: &'a Map<String, Value>,
}

impl<'a> Page<'a> {
    /// A result by its key.
    fn get(&self, key: &str) -> Option<View<'a>> {
        self.data.get(key).map(View)
    }

    /// A result about one instrument.
    fn of(&self, key: &str, symbol: &str) -> Option<View<'a>> {
        let value = self.data.get(key)?;
        if self.is_divided(key) {
            return value.get(symbol).map(View);
        }
        Some(View(value))
    }

    /// Whether the results of a key are grouped by symbol.
    fn is_divided(&self, key: &str) -> bool {
        // Figures computed for positions are grouped by symbol.
        if key == "position" {
            return self.reading.instruments.len() > 1;
        }
        let steps = self.plan.steps.iter();
        steps
            .filter(|step| {
                step.key == key
                    || matches!(key, "performance" | "crossing")
                        && matches!(step.key, "candles" | "chart")
            })
            .any(|step| step.subject.is_some())
    }

    fn wants(&self, intent: Intent) -> bool {
        self.reading.wants(intent)
    }

    /// The first day of the past time that the question names.
    fn asked_from(&self) -> Option<model::Day> {
        let when = &self.reading.when;
        when.from.filter(|_| !when.is_ahead)
    }
}

/// How many days before a period a value still counts as its starting value: a long weekend.
const NEAR: i32 = 5;

/// Whether a result of a source contains nothing.
pub(crate) fn is_empty(key: &str, data: &Value) -> bool {
    let lists: &[&str] = match key {
        "news" | "trending" | "portfolio" => &["/briefs"],
        "events" | "calendar" => &["/events"],
        "splits" => &["/actions"],
        "statements" => &["/statements"],
        "analysis" => return data.get("trade_signal").is_none_or(Value::is_null),
        "insider" => &["/insider_trades", "/trades"],
        "congress" => &["/trades"],
        "institutions" => &["/holders"],
        "filings" => &["/filings"],
        "sentiment" => &["/history"],
        "candles" => &["/candles"],
        "chart" => &["/prices"],
        "contradictions" => &["/contradictions"],
        // A filter that was not applied leaves the question open.
        "screener" => {
            let list = |name: &str| data.get(name).and_then(Value::as_array);
            return list("matches").is_none_or(Vec::is_empty)
                || list("not_understood").is_some_and(|words| !words.is_empty());
        }
        "price" | "coin" => return data.get("price").is_none_or(Value::is_null),
        "analysts" => return data.get("num_analysts").and_then(Value::as_u64) == Some(0),
        "verification" => {
            return data.get("verdict").and_then(Value::as_str) == Some("unverifiable");
        }
        "earnings" => return data.get("earnings_date").is_none_or(Value::is_null),
        _ => return false,
    };
    lists.iter().all(|list| {
        data.pointer(list)
            .and_then(Value::as_array)
            .is_none_or(Vec::is_empty)
    })
}

/// The share of what was asked that a source has found: 1, or less if it returns nothing, or returns results without
/// the figure that was asked for.
pub(crate) fn found(reading: &Reading, key: &str, data: &Value) -> f64 {
    /// The share counted for a source that returns nothing.
    const NOTHING: f64 = 0.4;
    if is_empty(key, data) {
        return NOTHING;
    }
    let share = match key {
        "financials" => instrument::share_of_figures(reading, View(data)),
        "statements" => instrument::share_of_reported(reading, View(data)),
        "dividends" if View(data).list("actions").is_empty() => 0.0,
        "movers" => {
            let lists = ["gainers", "losers", "most_active", "matching"];
            f64::from(lists.iter().any(|list| !View(data).list(list).is_empty()))
        }
        "market" => f64::from(!View(data).list("indices").is_empty()),
        "technicals" => f64::from(View(data).at("latest").is_some()),
        "correlation" => {
            let pairs = View(data).list("pairs");
            let is_known = |pair: &View<'_>| pair.number("correlation").is_some();
            f64::from(pairs.iter().any(is_known))
        }
        "economy" if View(data).at("observations").is_some() => {
            f64::from(!View(data).list("observations").is_empty())
        }
        "yields" => f64::from(!View(data).list("yields").is_empty()),
        "commodities" if View(data).at("commodities").is_none() => {
            f64::from(View(data).number("price").is_some())
        }
        "forex" if View(data).at("pairs").is_none() => {
            f64::from(View(data).number("rate").is_some())
        }
        _ => 1.0,
    };
    NOTHING + (1.0 - NOTHING) * share
}

/// Writes the answer of a reading from its data.
pub fn write(
    reading: &Reading,
    plan: &Plan,
    data: &Map<String, Value>,
    missing: &[MissingBody],
) -> Answer {
    let page = Page {
        reading,
        plan,
        data,
    };
    let mut sheet = Sheet::default();
    if let Some(term) = page.reading.term {
        sheet.lead(format!(
            "**{}**: {}",
            term.name,
            figures::sentence(term.meaning)
        ));
    } else if page.wants(Intent::Help) {
        sheet.lead(HELP);
    } else if page.wants(Intent::Unclear) && page.reading.is_unheld {
        sheet.lead(UNHELD);
    } else if page.wants(Intent::Unclear) {
        sheet.lead(UNCLEAR);
    } else {
        unlisted(&page, &mut sheet);
        unheld(&page, &mut sheet);
        if let Some(what) = page.reading.unserved {
            sheet.lead(figures::sentence(&format!(
                "{what} are not provided here; the data on record follows"
            )));
        }
        news::verification(&page, &mut sheet);
        side_by_side::together(&page, &mut sheet);
        sums::write(&page, &mut sheet);
        side_by_side::write(&page, &mut sheet);
        comparison::beside_series(&page, &mut sheet);
        instrument::write(&page, &mut sheet);
        markets::write(&page, &mut sheet);
        news::write(&page, &mut sheet);
    }
    for note in &plan.notes {
        // That a name matches no listing answers what was asked about it.
        let sentence = figures::sentence(note);
        if sheet.lead.contains(&sentence) {
            continue;
        }
        if is_of_unknown(reading, note) && sheet.lead.is_empty() {
            sheet.lead(sentence);
        } else {
            sheet.unknown(sentence);
        }
    }
    for part in &reading.unanswered {
        sheet.unknown(format!(
            "“{}” is not answered: no source here holds it.",
            figures::quoted(part)
        ));
        sheet.at_most(PARTIAL);
    }
    if plan.is_partial {
        sheet.at_most(PARTIAL);
    }
    stale(&page, &mut sheet);
    for gap in missing {
        sheet.unknown(figures::sentence(&gap.reason));
    }
    if reading.left_out > 0 {
        sheet.unknown(format!(
            "{} left out.",
            figures::count(
                reading.left_out as u64,
                "further instrument of the question was",
                "further instruments of the question were"
            )
        ));
    }
    if sheet.lead.is_empty() && sheet.blocks.is_empty() && sheet.news.is_empty() {
        if sheet.unknown.is_empty() {
            sheet.lead(if plan.steps.is_empty() {
                "Nothing could be asked for this question."
            } else {
                "The sources that were asked hold nothing on this."
            });
        } else {
            // The answer is what is missing.
            let first = sheet.unknown.remove(0);
            sheet.lead(first);
        }
    }
    delisted(&page, &mut sheet);
    if let Some(day) = plan.as_of {
        let day = figures::day(&day.to_string());
        sheet.lead.insert(0, format!("As of {day}:"));
    } else if let Some(day) = old_prices(&page) {
        let day = figures::day(&day);
        sheet.lead.insert(0, format!("As of {day}:"));
    }
    let trade_signal = instrument::signal(&page);
    Answer {
        at_most: sheet.at_most,
        summary: sheet.written(),
        follow_ups: next::follow_ups(&page),
        trade_signal,
    }
}

/// The day of prices that are older than they should be, according to what the source says about them.
pub(crate) fn old_since(result: View<'_>) -> Option<String> {
    const PRICES: [&str; 4] = ["price", "candles", "prices", "total_market_cap_formatted"];
    let states = result.list("data_status").into_iter();
    let mut old = states.filter(|status| {
        status.flag("stale")
            && status
                .text("field")
                .is_some_and(|field| PRICES.contains(&field))
    });
    let status = old.next()?;
    let bars = result.list("candles");
    let newest = bars.last().and_then(|bar| bar.text("date"));
    let day = newest
        .or_else(|| result.text("updated_at"))
        .or_else(|| status.text("reported_at"))
        .and_then(|moment| moment.get(..10))?;
    Some(day.to_owned())
}

/// If a question about the present has prices that are older than they should be, their day, if it is a single one: it
/// comes before the prices.
fn old_prices(page: &Page<'_>) -> Option<String> {
    if page.asked_from().is_some() || page.wants(Intent::WhyMoved) || page.reading.look_up.is_some()
    {
        return None;
    }
    let mut days: Vec<String> = Vec::new();
    for step in page.plan.steps.iter().filter(|step| step.is_needed) {
        let result = match &step.subject {
            Some(subject) => page.get(step.key).and_then(|all| all.at(subject)),
            None => page.get(step.key),
        };
        days.extend(result.and_then(old_since));
    }
    days.sort();
    days.dedup();
    if days.len() == 1 { days.pop() } else { None }
}

fn is_of_unknown(reading: &Reading, note: &str) -> bool {
    reading.unknown.iter().any(|said| note.contains(said))
}

/// If a question names only unlisted subjects, that comes first: no report is given instead.
fn unlisted(page: &Page<'_>, sheet: &mut Sheet) {
    let reading = page.reading;
    let names_other = !reading.instruments.is_empty()
        || !reading.series.is_empty()
        || !reading.sectors.is_empty();
    if names_other {
        return;
    }
    for note in &page.plan.notes {
        if is_of_unknown(reading, note) {
            sheet.lead(figures::sentence(note));
        }
    }
}

/// What is not on record, and the series or reports that are shown in its place.
fn unheld(page: &Page<'_>, sheet: &mut Sheet) {
    let (Some(query::Fact::Elsewhere(what)), []) =
        (page.reading.fact, &page.reading.instruments[..])
    else {
        return;
    };
    sheet.lead(figures::sentence(&match page.reading.series.first() {
        Some(beside) => format!(
            "{what} are not on record here; the closest series on record is the {}",
            beside.name()
        ),
        None => format!("{what} are not on record here; only news reports about them are"),
    }));
}

/// That something no longer trades is said before its figures.
fn delisted(page: &Page<'_>, sheet: &mut Sheet) {
    let mut sentences: Vec<String> = Vec::new();
    for step in &page.plan.steps {
        let result = match &step.subject {
            Some(subject) => page.get(step.key).and_then(|all| all.at(subject)),
            None => page.get(step.key),
        };
        // Comparisons with a time long ago are not part of the answer.
        let Some(result) = result.filter(|_| !step.key.ends_with("_before")) else {
            continue;
        };
        let ticker = result.text("ticker").or_else(|| result.text("symbol"));
        if let (Some(ticker), Some(last)) = (ticker, result.text("delisted")) {
            let last = figures::day(last);
            let sentence = format!("{ticker} was delisted; its last session was {last}.");
            if !sentences.contains(&sentence) {
                sentences.push(sentence);
            }
        }
    }
    sheet.lead.splice(..0, sentences);
}

/// What any source says about old figures: readers of the answer must know it.
fn stale(page: &Page<'_>, sheet: &mut Sheet) {
    for step in &page.plan.steps {
        let result = match &step.subject {
            Some(subject) => page.get(step.key).and_then(|all| all.at(subject)),
            None => page.get(step.key),
        };
        let unpaid = result.and_then(|result| not_known_as_paid(page.reading, page.plan, result));
        if let Some(reason) = unpaid {
            sheet.unknown(figures::sentence(reason));
        }
        let states = result.map(|result| result.list("data_status"));
        for status in states.into_iter().flatten() {
            // Not part of the answer are a figure of matches that are not shown, comparisons with a time long ago, and
            // newest values next to those of a past period.
            let is_told = |code: &String| markets::is_told(page, code);
            let is_shown =
                !step.key.ends_with("_before") && !step.subject.as_ref().is_some_and(is_told);
            if status.flag("stale")
                && is_shown
                && let Some(reason) = status.text("reason")
            {
                sheet.unknown(figures::sentence(reason));
            }
        }
    }
}

/// Why the price actually paid is not known, if a past price is asked for that depends on a split visible only in
/// prices.
pub(crate) fn not_known_as_paid<'a>(
    reading: &Reading,
    plan: &Plan,
    result: View<'a>,
) -> Option<&'a str> {
    let when = &reading.when;
    let is_day = when.from.is_some() && when.from == when.to;
    let is_past = plan.as_of.is_some() || (when.from.is_some() && !when.is_ahead);
    if !is_past || !(is_day || reading.wants(Intent::Price)) {
        return None;
    }
    let states = result.list("data_status").into_iter();
    let mut inferred = states.filter(|status| {
        let is_price = status.text("field") != Some("actions");
        is_price && status.text("source") == Some(model::CorporateAction::INFERRED)
    });
    inferred.next()?.text("reason")
}

const HELP: &str = "Ask about shares, funds, coins, currencies, commodities, the economy or the news, in plain English. For example: “How is NVDA doing?”, “Compare AAPL and MSFT”, “Why did TSLA fall yesterday?”, “Oversold tech stocks with a P/E below 20”, “I hold 60% AAPL and 40% XOM, what should I worry about?”, “Is the yield curve inverted?”, “Is it true that inflation fell last month?”. Each source that answers costs one credit; this answer cost none.";

const UNHELD: &str = "The answer to this is not on record here. The records cover prices, figures and disclosures of companies, funds and coins, currencies, commodities, indices, the economy of the United States, and what is reported in the news. No source was queried and nothing was charged.";

const UNCLEAR: &str = "No question could be read from this. Questions are understood in English; name a company, symbol, coin, currency, indicator or subject of the news, such as “AAPL earnings” or “latest on OPEC”. No source was queried and nothing was charged.";

#[cfg(test)]
mod tests;

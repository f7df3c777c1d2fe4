//! What a report is written from: results of operations, each called on behalf of the account that ordered the report.
//!
//! A source that returns nothing is absent here and listed, with the reason, in [`Facts::missing`]. Nothing is computed
//! here beyond reading.

mod wishes;

use std::sync::Arc;

use futures::future::join_all;
use model::Day;
use serde::Deserialize;
use serde_json::{Value, json};

use super::document::{Missing, Source};
use super::series::{Series, WrittenBar};
use super::tier::Tier;
use super::words;
use crate::run;
use crate::runs::Run;
use crate::view::View;
use wishes::wishes;

/// The number of peers whose figures are read.
const MOST_PEERS: usize = 5;
/// The number of days after which a price is no longer current.
const STALE_DAYS: i32 = 10;
/// How far a live quote may be from the newest close and still be a price on the same scale.
const SAME_SCALE: std::ops::RangeInclusive<f64> = 0.6..=1.6;
/// The fund that represents the market.
pub(super) const MARKET: &str = "SPY";

/// What kind of instrument it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Share,
    Fund,
    Coin,
}

/// A brief about the subject.
#[derive(Clone, Debug)]
pub(super) struct Brief {
    pub(super) id: String,
    pub(super) headline: String,
    pub(super) published_at: String,
    pub(super) sentiment: f64,
    pub(super) confidence: f64,
    pub(super) bias: f64,
    pub(super) source_count: u64,
    pub(super) role: String,
    /// How many instruments it is about or names, including the subject.
    pub(super) instruments: usize,
    /// Outlet, domain, address, trust level, and whether it repeats another.
    pub(super) outlets: Vec<Outlet>,
    /// What followed, if the next close is known.
    pub(super) after: Option<After>,
}

/// The moves after a brief, from the last price before it to the first close after it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct After {
    /// The time of that price, as the operation writes it.
    pub(super) since: String,
    /// How far the price moved, in percent.
    pub(super) pct: f64,
    /// How far the market moved, in percent; `None` if that is not known for the same period.
    pub(super) market: Option<f64>,
}

/// An outlet of a brief.
#[derive(Clone, Debug)]
pub(super) struct Outlet {
    pub(super) name: String,
    pub(super) url: String,
    pub(super) trust: String,
    pub(super) is_copy: bool,
}

/// A peer.
#[derive(Clone, Debug)]
pub(super) struct Peer {
    pub(super) ticker: String,
    pub(super) name: String,
    pub(super) change_pct: Option<f64>,
    pub(super) rsi: Option<f64>,
    pub(super) sentiment: Option<f64>,
    pub(super) briefs_7d: u64,
    pub(super) cap: Option<f64>,
    pub(super) pe: Option<f64>,
    pub(super) margin: Option<f64>,
}

/// Everything.
#[derive(Debug)]
pub(super) struct Facts {
    pub(super) ticker: String,
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) sector: Option<String>,
    pub(super) exchange: Option<String>,
    pub(super) currency: String,
    pub(super) simulated: bool,
    /// The day of the report.
    pub(super) now: Day,
    pub(super) series: Series,
    pub(super) market: Series,
    pub(super) briefs: Vec<Brief>,
    pub(super) peers: Vec<Peer>,
    pub(super) missing: Vec<Missing>,
    pub(super) sources: Vec<Source>,
    results: Vec<(&'static str, Arc<Value>)>,
}

impl Facts {
    /// Requests everything that a report of that tier is written from.
    pub(super) async fn gather(
        run: &Run<'_>,
        ticker: &str,
        kind: Kind,
        tier: Tier,
        now: Day,
    ) -> Self {
        let mut facts = Self {
            ticker: ticker.to_owned(),
            name: ticker.to_owned(),
            kind,
            sector: None,
            exchange: None,
            currency: "USD".to_owned(),
            simulated: false,
            now,
            series: Series::default(),
            market: Series::default(),
            briefs: Vec::new(),
            peers: Vec::new(),
            missing: Vec::new(),
            sources: Vec::new(),
            results: Vec::new(),
        };
        let asked = wishes(ticker, kind, tier)
            .into_iter()
            .map(|wish| async move {
                let answer = run.consult(wish.1, wish.2).await;
                (wish.0, wish.3, answer)
            });
        for (key, words, answer) in join_all(asked).await {
            match answer {
                Ok(value) => {
                    facts.note_absence(key, words, &value);
                    facts.results.push((key, value));
                }
                Err(_) if key == "market" => {
                    facts.lack(
                        words,
                        format!("{MARKET}, which stands for the market, is not in the store"),
                    );
                }
                Err(reason) => facts.lack(words, reason),
            }
        }
        facts.read();
        if let Some(why) = facts.undated_figures() {
            facts.lack("dated company figures", why);
        }
        if kind == Kind::Share {
            facts.read_peers(run).await;
        }
        facts
    }

    /// A result; an empty object if there is none.
    pub(super) fn of(&self, key: &str) -> View<'_> {
        static NOTHING: Value = Value::Null;
        let found = self.results.iter().find(|(name, _)| *name == key);
        View(found.map_or(&NOTHING, |(_, value)| value))
    }

    /// How far the market moved since the close of a day, in percent.
    pub(super) fn market_since(&self, from: Day) -> Option<f64> {
        let base = self.market.close_on_or_before(from)?;
        Some((self.market.last()?.close / base - 1.0) * 100.0)
    }

    /// Whether the newest price is old, so that nothing current may be compared with it.
    pub(super) fn has_old_price(&self) -> bool {
        self.day()
            .is_none_or(|day| self.now.since(day) > STALE_DAYS)
    }

    /// Why the figures of the company may be out of date, if they come without a date.
    pub(super) fn undated_figures(&self) -> Option<String> {
        let notes = self.of("financials").list("data_status");
        let note = notes
            .iter()
            .find(|note| note.text("field") == Some("financials") && note.flag("stale"))?;
        note.text("reason")
            .map(|reason| words::foreign(reason, 200))
    }

    /// The nearest price levels below and above the report's own close: averages, bands, the channel and retracements.
    /// The service's levels are around the live quote, and a level may lie between that quote and the close.
    pub(super) fn levels(&self) -> (Option<f64>, Option<f64>) {
        let (Some(last), Some(latest)) = (self.series.last(), self.of("technicals").at("latest"))
        else {
            return (None, None);
        };
        nearest_levels(latest, last.close)
    }

    /// The newest session.
    pub(super) fn day(&self) -> Option<Day> {
        self.series.last().map(|bar| bar.day)
    }

    pub(super) fn price(&self, value: f64) -> String {
        words::price(value, &self.currency)
    }

    /// Trading days per year.
    pub(super) fn per_year(&self) -> f64 {
        if self.kind == Kind::Coin {
            365.0
        } else {
            252.0
        }
    }

    /// Sessions in a week, a month, a quarter and a year: coins trade every day.
    pub(super) fn week(&self) -> usize {
        if self.kind == Kind::Coin { 7 } else { 5 }
    }

    /// See [`Facts::week`].
    pub(super) fn month(&self) -> usize {
        if self.kind == Kind::Coin { 30 } else { 21 }
    }

    /// See [`Facts::week`].
    pub(super) fn quarter(&self) -> usize {
        if self.kind == Kind::Coin { 91 } else { 63 }
    }

    /// See [`Facts::week`].
    pub(super) fn year(&self) -> usize {
        if self.kind == Kind::Coin { 365 } else { 252 }
    }

    /// Records a source once; returns its number.
    pub(super) fn cite(&mut self, source: Source) -> usize {
        let known = self
            .sources
            .iter()
            .position(|one| one.title == source.title && one.outlet == source.outlet);
        known.unwrap_or_else(|| {
            self.sources.push(source);
            self.sources.len() - 1
        }) + 1
    }

    /// The first source of a brief, cited.
    pub(super) fn cite_brief(&mut self, brief: &Brief) -> Vec<usize> {
        let sources: Vec<Source> = brief
            .outlets
            .iter()
            .filter(|outlet| !outlet.is_copy)
            .chain(brief.outlets.iter())
            .take(1)
            .map(|outlet| Source {
                title: words::foreign(&brief.headline, 200),
                outlet: words::foreign(&outlet.name, 80),
                url: Some(outlet.url.clone()),
                date: brief.published_at.get(..10).unwrap_or_default().to_owned(),
            })
            .collect();
        sources
            .into_iter()
            .map(|source| self.cite(source))
            .collect()
    }

    /// Records once that something is missing.
    pub(super) fn lack(&mut self, what: &str, why: impl Into<String>) {
        let why = why.into();
        if self.missing.iter().all(|one| one.what != what) {
            self.missing.push(Missing {
                what: what.to_owned(),
                why,
            });
        }
    }

    /// Records why an empty list is empty.
    fn note_absence(&mut self, key: &'static str, words: &str, value: &Value) {
        let list = match key {
            "candles" | "market" => "candles",
            "news" => "briefs",
            "insider" => "insider_trades",
            "filings" => "filings",
            "statements" => "statements",
            "institutions" => "holders",
            "congress" => "trades",
            "competitors" => "competitors",
            "sentiment" => "history",
            "analysts" => "recent_ratings",
            _ => "",
        };
        let view = View(value);
        let is_empty = match key {
            "earnings" => view.text("earnings_date").is_none(),
            "financials" => view.number("market_cap").is_none() && view.number("revenue").is_none(),
            "technicals" => view.at("latest").is_none(),
            _ => !list.is_empty() && view.list(list).is_empty(),
        };
        if is_empty {
            let why = view
                .why_empty()
                .unwrap_or_else(|| "nothing on record".to_owned());
            self.lack(words, why);
        }
    }

    fn read(&mut self) {
        let record = self.of("record");
        let text = |path: &str| record.text(path).map(|text| words::foreign(text, 120));
        let (name, sector, exchange) = (text("entity_name"), text("sector"), text("exchange"));
        let currency = text("price/currency");
        let simulated = record.flag("simulated");
        self.name = name.unwrap_or_else(|| self.ticker.clone());
        (self.sector, self.exchange, self.simulated) = (sector, exchange, simulated);
        if let Some(currency) = currency {
            self.currency = currency;
        }
        let bars = |view: View<'_>| -> Series {
            let candles = view
                .at("candles")
                .map(|candles| Vec::<WrittenBar>::deserialize(candles.0));
            candles
                .and_then(Result::ok)
                .map(|bars| Series::of(&bars))
                .unwrap_or_default()
        };
        (self.series, self.market) = (bars(self.of("candles")), bars(self.of("market")));
        self.value_at_close();
        let impacts: Vec<(String, After)> = self
            .of("impact")
            .list("briefs")
            .iter()
            .filter_map(|one| Some((one.text("brief_id")?.to_owned(), self.after(*one)?)))
            .collect();
        self.briefs = self
            .of("news")
            .list("briefs")
            .into_iter()
            .filter_map(|view| brief(view, &impacts))
            .collect();
        let peers = self.of("competitors").list("competitors").into_iter();
        self.peers = peers.filter_map(peer).collect();
    }

    /// The moves after a brief, from the operation's answer.
    fn after(&self, measured: View<'_>) -> Option<After> {
        let since = measured.text("priced_at")?;
        let price = measured.number("price_at_publish")?;
        let on = Day::parse(since.get(..10)?)?;
        Some(After {
            since: since.to_owned(),
            pct: measured.number("impact_1d_pct")?,
            market: self.series.other_after(&self.market, on, price),
        })
    }

    /// Restates figures that compare with a price at the report's own close: the service uses the live quote, and a
    /// report has one price.
    fn value_at_close(&mut self) {
        let Some(close) = self.series.last().map(|bar| bar.close) else {
            return;
        };
        let found = self
            .results
            .iter_mut()
            .find(|(key, _)| *key == "financials");
        let Some((_, financials)) = found else { return };
        let times = View(financials)
            .number("price")
            .map(|price| close / price)
            // A different scale is not a different price.
            .filter(|times| SAME_SCALE.contains(times));
        let Some(times) = times else { return };
        let mut scaled = (**financials).clone();
        for (field, times) in [
            ("market_cap", times),
            ("pe_ratio", times),
            ("dividend_yield", 1.0 / times),
        ] {
            if let Some(value) = scaled.get_mut(field)
                && let Some(number) = value.as_f64()
            {
                *value = json!(number * times);
            }
        }
        *financials = Arc::new(scaled);
    }

    /// The figures of the nearest peers.
    async fn read_peers(&mut self, run: &Run<'_>) {
        let asked = self.peers.iter().take(MOST_PEERS).map(|peer| {
            let arguments = json!({"symbol": peer.ticker});
            async move { run.consult("show_financials", arguments).await }
        });
        let answers = join_all(asked).await;
        for (peer, answer) in self.peers.iter_mut().zip(answers) {
            if let Ok(value) = answer {
                let view = View(&value);
                peer.pe = view.number("pe_ratio");
                peer.margin = view.number("profit_margin");
            }
        }
    }
}

/// The paths of the price levels in an operation's answer.
const WATCHED: [&str; 12] = [
    "sma_20",
    "sma_50",
    "sma_200",
    "bollinger/upper",
    "bollinger/lower",
    "donchian/upper",
    "donchian/lower",
    "fibonacci/r_0.236",
    "fibonacci/r_0.382",
    "fibonacci/r_0.5",
    "fibonacci/r_0.618",
    "fibonacci/r_0.786",
];

/// The nearest of the price levels below and above a close.
fn nearest_levels(latest: View<'_>, close: f64) -> (Option<f64>, Option<f64>) {
    let levels = || WATCHED.iter().filter_map(|path| latest.number(path));
    (
        levels()
            .filter(|level| *level < close)
            .max_by(f64::total_cmp),
        levels()
            .filter(|level| *level > close)
            .min_by(f64::total_cmp),
    )
}

/// The day of the newest data known.
pub(super) fn today(facts: &Facts) -> Option<Day> {
    let newest = facts
        .briefs
        .iter()
        .filter_map(|brief| Day::parse(brief.published_at.get(..10)?))
        .max();
    facts.day().max(newest)
}

fn brief(view: View<'_>, impacts: &[(String, After)]) -> Option<Brief> {
    let id = view.text("id")?.to_owned();
    let outlets = view.list("sources").into_iter().map(|source| Outlet {
        name: source
            .text("name")
            .unwrap_or("an unnamed outlet")
            .to_owned(),
        url: source.text("url").unwrap_or_default().to_owned(),
        trust: source.text("trust_level").unwrap_or("unknown").to_owned(),
        is_copy: source.flag("syndicated"),
    });
    let after = impacts.iter().find(|(brief, _)| *brief == id);
    Some(Brief {
        headline: view.text("headline")?.to_owned(),
        published_at: view.text("published_at")?.to_owned(),
        sentiment: view.number("sentiment_score")?,
        confidence: view.number("confidence_score").unwrap_or_default(),
        bias: view.number("bias_score").unwrap_or_default(),
        source_count: view.whole("source_count").unwrap_or(1),
        role: view.text("role").unwrap_or("mentioned").to_owned(),
        instruments: run::instruments_of(view),
        outlets: outlets.collect(),
        after: after.map(|(_, after)| after.clone()),
        id,
    })
}

fn peer(view: View<'_>) -> Option<Peer> {
    if view.flag("stale") {
        return None;
    }
    Some(Peer {
        ticker: view.text("ticker")?.to_owned(),
        name: words::foreign(view.text("entity_name")?, 80),
        change_pct: view.number("change_pct"),
        rsi: view.number("rsi_14"),
        sentiment: view.number("sentiment_score"),
        briefs_7d: view.whole("briefs_7d").unwrap_or_default(),
        cap: view.number("market_cap_b"),
        pe: None,
        margin: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_lie_around_the_close() {
        let latest = json!({
            "sma_20": 101.0, "sma_50": 99.0, "sma_200": 100.0,
            "bollinger": {"upper": 104.0, "lower": 96.0},
            "donchian": {"upper": 103.0, "lower": 97.0},
            "fibonacci": {"r_0.236": 100.5, "r_0.382": 95.0, "r_0.5": 94.0, "r_0.618": 93.0, "r_0.786": 92.0},
        });
        let levels = |close: f64| nearest_levels(View(&latest), close);
        assert_eq!(levels(100.2), (Some(100.0), Some(100.5)));
        assert_eq!(
            levels(100.0),
            (Some(99.0), Some(100.5)),
            "a level at the close is on neither side"
        );
        assert_eq!(levels(105.0), (Some(104.0), None));
        assert_eq!(levels(90.0), (None, Some(92.0)));
    }
}

//! A strategy tried on what was known: candles, sentiment and company figures, each as of the session that it is judged at.

use std::collections::HashMap;
use std::sync::Arc;

use market::backtest::{Backtest, Instrument, Steps, Strategy, backtest};
use market::filters::{FilterKey, Metric};
use market::fundamentals::fundamentals;
use market::{Candles, Day, Range};
use model::{AssetType, Category, FactSet, Timestamp};
use store::RecordQuery;

use super::sentiment_steps::SentimentPast;
use super::{Book, HistoryView, Listing, Moment};
use crate::{Error, Result};

/// What is to be tried.
#[derive(Clone, Debug)]
pub struct BacktestQuestion {
    /// The rule.
    pub strategy: Strategy,
    /// Which kind of symbols.
    pub asset_type: AssetType,
    /// Only this sector, in any case.
    pub sector: Option<String>,
    /// How far back from the newest session.
    pub period: Range,
}

/// What came of it, and what it rests on.
#[derive(Debug)]
pub struct BacktestAnswer {
    /// The figures, the curve and the trades.
    pub backtest: Backtest,
    /// The period: where it should begin, and the newest session. `None` without any candle.
    pub period: Option<(Day, Day)>,
    /// Symbols of that kind and sector that have candles.
    pub scanned: usize,
    /// The first candle of any of them, where the period begins before it.
    pub history_begins: Option<Day>,
    /// Symbols without a candle in the period.
    pub dropped: Vec<String>,
    /// Symbols whose history is shorter than the entry filters need.
    pub short: Vec<String>,
    /// The day before which sentiment is simulated.
    pub simulated_before: Option<Day>,
}

/// Candles before an indicator has a value.
fn needed(key: FilterKey) -> usize {
    match key.reference().unwrap_or(key.metric()) {
        Metric::Rsi => 15,
        Metric::MacdHistogram => 34,
        Metric::Sma20 | Metric::Volume => 20,
        Metric::Sma50 => 50,
        Metric::Sma200 => 200,
        _ => 1,
    }
}

/// Values of one instrument that hold from their day on.
type OwnSteps = (Vec<Day>, Vec<f64>);

impl Book {
    /// Tries a strategy on the instruments of a kind and sector.
    pub async fn backtest(
        &self,
        question: BacktestQuestion,
        moment: Moment,
        categories: &[Category],
    ) -> Result<std::result::Result<BacktestAnswer, market::Error>> {
        let mut universe = self.universe(&[question.asset_type], moment).await?;
        if let Some(sector) = &question.sector {
            universe.retain(|(listing, _)| {
                let own = listing.instrument.sector.as_deref();
                own.is_some_and(|own| own.eq_ignore_ascii_case(sector))
            });
        }
        let newest = universe.iter().filter_map(|(_, history)| newest(history));
        let period = newest.max().map(|newest| (question.period.start(newest), newest));
        let needs = |metric| {
            question.strategy.entry.need(metric) || question.strategy.exit.need(metric)
        };
        let past = match period {
            Some((start, _)) if needs(Metric::Sentiment) => {
                SentimentPast::load(self.store(), start, moment, categories).await?
            }
            _ => SentimentPast::default(),
        };
        let facts = match period {
            Some((start, newest)) if needs(Metric::PeRatio) || needs(Metric::MarketCap) => {
                self.facts(start, newest, moment).await?
            }
            _ => HashMap::new(),
        };
        let compute = move || run(&question, &universe, period, &past, &facts);
        tokio::task::spawn_blocking(compute)
            .await
            .map_err(|_| Error::Interrupted)
    }

    /// The filings whose numbers can be the newest of some session of the period, by symbol.
    async fn facts(
        &self,
        start: Day,
        newest: Day,
        moment: Moment,
    ) -> Result<HashMap<String, Vec<FactSet>>> {
        // Twelve months may need the annual report of the year before and its quarters.
        let query = RecordQuery {
            from: Some(start.plus(-3 * 365)),
            to: Some(newest),
            as_of: moment.as_of,
            ..RecordQuery::default()
        };
        let mut found: HashMap<String, Vec<FactSet>> = HashMap::new();
        for stored in self.store().records::<FactSet>().list(&query).await? {
            let symbol = stored.record.symbol.to_string();
            found.entry(symbol).or_default().push(stored.record);
        }
        Ok(found)
    }
}

fn newest(history: &HistoryView) -> Option<Day> {
    history.candles().days().last().copied()
}

fn run(
    question: &BacktestQuestion,
    universe: &[(Arc<Listing>, HistoryView)],
    period: Option<(Day, Day)>,
    past: &SentimentPast,
    facts: &HashMap<String, Vec<FactSet>>,
) -> std::result::Result<BacktestAnswer, market::Error> {
    let start = period.map_or(Day::MIN, |(start, _)| start);
    let sessions = sessions(universe, start);
    let closes: Vec<Timestamp> = sessions
        .iter()
        .map(|day| Moment::known_at(*day, question.asset_type))
        .collect();
    let (tones, simulated_before) = past.at(&closes);
    let figures: HashMap<&str, (OwnSteps, OwnSteps)> = universe
        .iter()
        .filter_map(|(listing, history)| {
            let sets = facts.get(listing.ticker())?;
            Some((listing.ticker(), figures(sets, history.candles().since(start))))
        })
        .collect();
    let none = (OwnSteps::default(), OwnSteps::default());
    let instruments: Vec<Instrument<'_>> = universe
        .iter()
        .map(|(listing, history)| {
            let tone = tones.get(listing.ticker());
            let (ratio, value) = figures.get(listing.ticker()).unwrap_or(&none);
            Instrument {
                ticker: listing.ticker(),
                candles: history.candles(),
                sentiment: tone.map_or(Steps::default(), |tone| Steps::new(&sessions, tone)),
                pe_ratio: Steps::new(&ratio.0, &ratio.1),
                market_cap_b: Steps::new(&value.0, &value.1),
                delisted: listing.instrument.delisted,
            }
        })
        .collect();
    let backtest = backtest(&question.strategy, &instruments, start)?;
    let least = question.strategy.entry.conditions().iter();
    let least = least.map(|one| needed(one.key())).max().unwrap_or(1);
    let named = |keep: &dyn Fn(Candles<'_>) -> bool| -> Vec<String> {
        let kept = instruments.iter().filter(|one| keep(one.candles));
        kept.map(|one| one.ticker.to_owned()).collect()
    };
    let first = instruments
        .iter()
        .filter_map(|one| one.candles.days().first())
        .min();
    Ok(BacktestAnswer {
        backtest,
        period,
        scanned: universe.len(),
        history_begins: first.copied().filter(|first| *first > start.plus(7)),
        dropped: named(&|candles| candles.since(start).is_empty()),
        short: named(&|candles| !candles.since(start).is_empty() && candles.len() < least),
        simulated_before,
    })
}

/// Every day from `start` on that any instrument traded on.
fn sessions(universe: &[(Arc<Listing>, HistoryView)], start: Day) -> Vec<Day> {
    let mut days: Vec<Day> = Vec::new();
    for (_, history) in universe {
        let window = history.candles().since(start);
        // Most have the same days as those before them.
        if window.days() != days.as_slice() {
            days.extend(window.days());
            days.sort_unstable();
            days.dedup();
        }
    }
    days
}

/// Price over earnings and market value at each session, from what was filed before it.
fn figures(sets: &[FactSet], window: Candles<'_>) -> (OwnSteps, OwnSteps) {
    let mut filed: Vec<Day> = sets.iter().map(|set| set.filed).collect();
    filed.sort_unstable();
    filed.dedup();
    let sets: Vec<&FactSet> = sets.iter().collect();
    let mut known: Option<(usize, Option<f64>, Option<f64>)> = None;
    let (mut ratio, mut value) = (OwnSteps::default(), OwnSteps::default());
    for (day, close) in window.days().iter().zip(window.close()) {
        // A filing of the day may come after the close, so it counts from the next session on.
        let count = filed.partition_point(|filed| filed < day);
        if known.is_none_or(|(of, _, _)| of != count) {
            let found = fundamentals(&sets, day.plus(-1));
            known = Some((
                count,
                found.as_ref().and_then(|found| found.eps_ttm),
                found.as_ref().and_then(|found| found.shares_outstanding),
            ));
        }
        let (eps, shares) = known.map_or((None, None), |(_, eps, shares)| (eps, shares));
        ratio.0.push(*day);
        ratio.1.push(eps.map_or(f64::NAN, |eps| close / eps));
        value.0.push(*day);
        value.1.push(shares.map_or(f64::NAN, |shares| close * shares / 1e9));
    }
    (ratio, value)
}

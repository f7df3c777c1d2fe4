//! A strategy tested on what was known: candles, sentiment and company figures, each as of the session being judged.

use std::collections::HashMap;
use std::sync::Arc;

use market::actions::missing_split;
use market::backtest::{
    Backtest, Comparison, Instrument, Steps, Strategy, Trade, backtest, compare,
};
use market::filters::{FilterKey, Metric};
use market::{Candles, Day, Range};
use model::{AssetType, Category, Timestamp};

use super::sentiment_past::SentimentPast;
use super::{
    CompanyValuation, FundamentalStep, Fundamentals, HistoryView, Listing, PointInTime, Prices,
    Sentiment,
};
use crate::{Permit, Result};

/// The currency of the capital if nothing else is specified.
const DOLLAR: &str = "USD";

/// What to test.
#[derive(Clone, Debug)]
pub struct BacktestQuestion {
    /// The rule.
    pub strategy: Strategy,
    /// Which kind of symbols.
    pub asset_type: AssetType,
    /// Only this sector, case-insensitive.
    pub sector: Option<String>,
    /// How far back from the newest session.
    pub period: Range,
    /// The first day, instead of a period.
    pub from: Option<Day>,
    /// The last day, instead of the newest session.
    pub to: Option<Day>,
    /// What could have been held instead.
    pub benchmark: Option<Arc<Listing>>,
}

/// The result, and what it rests on.
#[derive(Debug)]
pub struct BacktestAnswer {
    /// The figures, the curve and the trades.
    pub backtest: Backtest,
    /// How it compares with its benchmark, if one was requested.
    pub comparison: Option<Comparison>,
    /// The period: where it should begin, and the newest session. `None` if there are no candles.
    pub period: Option<(Day, Day)>,
    /// Symbols of that kind and in that sector that have candles.
    pub scanned: usize,
    /// The first candle of any of them, if the period begins before it.
    pub history_begins: Option<Day>,
    /// The currency of all amounts.
    pub currency: String,
    /// Symbols that are excluded because they are priced in another currency.
    pub other_currencies: Vec<String>,
    /// Symbols without a candle in the period.
    pub dropped: Vec<String>,
    /// Symbols whose history is shorter than the entry filters need.
    pub short: Vec<String>,
    /// Symbols for which the prices actually paid are unknown for part of the period, if the rule asks for prices.
    pub not_known_as_paid: Vec<String>,
    /// Symbols for which the price actually paid in a trade is unknown, because of a split that is inferred from
    /// prices alone.
    pub not_traded_as_paid: Vec<String>,
    /// Traded symbols whose prices jump before the last sale as if there had been a split, with no split on record,
    /// and the day of the jump.
    pub missing_splits: Vec<(String, Day)>,
    /// The day before which sentiment is simulated.
    pub simulated_before: Option<Day>,
}

/// The number of candles before an indicator has a value.
fn needed(key: FilterKey) -> usize {
    match key.reference().unwrap_or(key.metric()) {
        Metric::Rsi => 15,
        Metric::MacdHistogram => 34,
        Metric::Sma20 | Metric::Volume => 20,
        Metric::Sma50 => 50,
        Metric::Sma200 => 200,
        Metric::ChangeYear => 252,
        _ => 1,
    }
}

/// What one company reported, from each of these days on, in the order of [`Metric::OF_COMPANIES`].
type Reported = (Vec<Day>, [Vec<f64>; Metric::OF_COMPANIES.len()]);

/// Runs strategies on historical data.
#[derive(Clone, Debug)]
pub struct Backtests {
    prices: Prices,
    fundamentals: Fundamentals,
    sentiment: Sentiment,
}

impl Backtests {
    pub(super) fn new(prices: Prices, fundamentals: Fundamentals, sentiment: Sentiment) -> Self {
        Self {
            prices,
            fundamentals,
            sentiment,
        }
    }

    /// Runs a strategy on the instruments of one kind and sector. The permit is held until the computation has ended.
    pub async fn run(
        &self,
        question: BacktestQuestion,
        when: PointInTime,
        categories: &[Category],
        permit: Permit,
    ) -> Result<std::result::Result<BacktestAnswer, market::Error>> {
        let mut universe = self.prices.universe(&[question.asset_type], when).await?;
        if let Some(sector) = &question.sector {
            universe.retain(|(listing, _)| {
                let own = listing.instrument.sector.as_deref();
                own.is_some_and(|own| own.eq_ignore_ascii_case(sector))
            });
        }
        if let Some(to) = question.to {
            let days = universe.iter().map(|(_, history)| history.candles().days());
            let first = days.filter_map(|days| days.first().copied()).min();
            if let Some(first) = first
                && to < first
            {
                return Ok(Err(market::Error::BeforeFirst { to, first }));
            }
            universe = universe
                .into_iter()
                .map(|(listing, history)| (listing, history.until(to)))
                .filter(|(_, history)| !history.candles().is_empty())
                .collect();
        }
        let Some(currency) = currency(&universe) else {
            return Ok(Err(market::Error::Parameter {
                name: "strategy",
                wanted: "of symbols priced in one currency, or at least partly in USD: the capital is counted in one currency",
            }));
        };
        let mut other_currencies = Vec::new();
        universe.retain(|(listing, _)| {
            let is_same = listing.instrument.currency() == currency;
            if !is_same {
                other_currencies.push(listing.ticker().to_owned());
            }
            is_same
        });
        let comparable = question.benchmark.as_ref();
        let comparable = comparable.filter(|listing| listing.instrument.currency() == currency);
        let benchmark = match comparable {
            Some(listing) => Some(self.prices.history(listing, when).await?),
            None => None,
        };
        let newest = universe.iter().filter_map(|(_, history)| newest(history));
        let period = newest.max().map(|newest| {
            let start = question.from.unwrap_or(question.period.start(newest));
            (start, newest)
        });
        if let (Some(from), Some((_, newest))) = (question.from, period)
            && from > newest
        {
            return Ok(Err(market::Error::AfterNewest { from, newest }));
        }
        let needs =
            |metric| question.strategy.entry.need(metric) || question.strategy.exit.need(metric);
        let past = match period {
            Some((start, _)) if needs(Metric::Sentiment) => {
                self.sentiment.past(start, when, categories).await?
            }
            _ => SentimentPast::default(),
        };
        let mut facts = HashMap::new();
        if question.asset_type == AssetType::Equity && Metric::OF_COMPANIES.into_iter().any(needs) {
            for (listing, _) in &universe {
                let steps = self
                    .fundamentals
                    .steps_of(&listing.instrument.symbol, when.scale())
                    .await?;
                if !steps.is_empty() {
                    facts.insert(listing.ticker().to_owned(), steps);
                }
            }
        }
        permit
            .compute(move |_| {
                let answer = run(&question, &universe, period, &past, &facts, when.scale())?;
                let comparison = benchmark
                    .map(|history| compare(&answer.backtest.equity_curve, history.candles()));
                Ok(BacktestAnswer {
                    comparison,
                    currency,
                    other_currencies,
                    ..answer
                })
            })
            .await
    }
}

/// The currency in which a universe is tested: dollars if anything is priced in dollars, otherwise the one currency of
/// all its symbols. `None` if they have several currencies, because their prices cannot be added up.
fn currency(universe: &[(Arc<Listing>, HistoryView)]) -> Option<String> {
    let mut found: Vec<&str> = universe
        .iter()
        .map(|(listing, _)| listing.instrument.currency())
        .collect();
    found.sort_unstable();
    found.dedup();
    match &found[..] {
        [] => Some(DOLLAR.to_owned()),
        [one] => Some((*one).to_owned()),
        several => several.contains(&DOLLAR).then(|| DOLLAR.to_owned()),
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
    facts: &HashMap<String, Arc<Vec<FundamentalStep>>>,
    scale: Day,
) -> std::result::Result<BacktestAnswer, market::Error> {
    let start = period.map_or(Day::MIN, |(start, _)| start);
    let sessions = sessions(universe, start);
    let closes: Vec<Timestamp> = sessions
        .iter()
        .map(|day| PointInTime::known_at(*day, question.asset_type))
        .collect();
    let (sentiments, simulated_before) = past.at(&closes);
    let figures: HashMap<&str, Reported> = universe
        .iter()
        .filter_map(|(listing, history)| {
            let steps = facts.get(listing.ticker())?;
            let window = history.candles().since(start);
            Some((listing.ticker(), figures(listing, steps, window)))
        })
        .collect();
    let splits: HashMap<&str, (Vec<Day>, Vec<f64>)> = universe
        .iter()
        .filter(|(listing, _)| !listing.splits.is_empty())
        .map(|(listing, _)| (listing.ticker(), later_splits(listing, scale)))
        .collect();
    let none = Reported::default();
    let instruments: Vec<Instrument<'_>> = universe
        .iter()
        .map(|(listing, history)| {
            let sentiment = sentiments.get(listing.ticker());
            let (days, reported) = figures.get(listing.ticker()).unwrap_or(&none);
            Instrument {
                ticker: listing.ticker(),
                candles: history.candles(),
                later_splits: splits
                    .get(listing.ticker())
                    .map_or(Steps::default(), |(days, shares)| Steps::new(days, shares)),
                sentiment: sentiment.map_or(Steps::default(), |sentiment| {
                    Steps::new(&sessions, sentiment)
                }),
                reported: reported.each_ref().map(|values| Steps::new(days, values)),
                delisted: listing.last_session(history.candles()),
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
    let asks_for_price =
        question.strategy.entry.need(Metric::Price) || question.strategy.exit.need(Metric::Price);
    let not_known_as_paid = universe
        .iter()
        .filter(|(listing, history)| {
            let first = history.candles().since(start).days().first().copied();
            let is_unknown = |first| !listing.splits.are_known_between(first, scale);
            asks_for_price && first.is_some_and(is_unknown)
        })
        .map(|(listing, _)| listing.ticker().to_owned())
        .collect();
    let traded = traded(universe, &backtest.trades);
    let not_traded_as_paid = traded
        .iter()
        .filter(|(listing, _, (first, _))| !listing.splits.are_known_between(*first, scale))
        .map(|(listing, ..)| listing.ticker().to_owned())
        .collect();
    let missing_splits = traded
        .iter()
        .filter(|(listing, ..)| !listing.is_never_split())
        .filter_map(|(listing, history, (_, last))| {
            let until = history.candles().since(start).until(*last);
            let day = missing_split(until, &listing.splits)?;
            Some((listing.ticker().to_owned(), day))
        })
        .collect();
    Ok(BacktestAnswer {
        backtest,
        comparison: None,
        currency: String::new(),
        other_currencies: Vec::new(),
        period,
        scanned: universe.len(),
        history_begins: first.copied().filter(|first| *first > start.plus(7)),
        dropped: named(&|candles| candles.since(start).is_empty()),
        short: named(&|candles| !candles.since(start).is_empty() && candles.len() < least),
        not_known_as_paid,
        not_traded_as_paid,
        missing_splits,
        simulated_before,
    })
}

/// The traded symbols, each with the days of its first purchase and its last sale.
fn traded<'u>(
    universe: &'u [(Arc<Listing>, HistoryView)],
    trades: &[Trade],
) -> Vec<(&'u Listing, &'u HistoryView, (Day, Day))> {
    let mut found: HashMap<&str, (Day, Day)> = HashMap::new();
    for trade in trades {
        let (entry, exit) = (trade.entry_day, trade.exit_day);
        let days = found.entry(&trade.ticker).or_insert((entry, exit));
        *days = (days.0.min(entry), days.1.max(exit));
    }
    let symbols = universe.iter();
    let traded = symbols.filter_map(|(listing, history)| {
        let days = found.get(listing.ticker())?;
        Some((listing.as_ref(), history, *days))
    });
    traded.collect()
}

/// How many shares one share has become by the end of the day `scale`, depending on its starting day; not a number if
/// an inferred split leaves it open.
fn later_splits(listing: &Listing, scale: Day) -> (Vec<Day>, Vec<f64>) {
    let splits = &listing.splits;
    let known_from = splits.iter().filter_map(|split| split.no_later_than);
    let mut days: Vec<Day> = std::iter::once(Day::MIN)
        .chain(splits.iter().map(|split| split.ex_date))
        .chain(known_from)
        .collect();
    days.sort_unstable();
    let shares = days
        .iter()
        .map(|day| {
            if splits.are_known_between(*day, scale) {
                splits.shares(*day, scale)
            } else {
                f64::NAN
            }
        })
        .collect();
    (days, shares)
}

/// Every day from `start` on when any instrument traded.
fn sessions(universe: &[(Arc<Listing>, HistoryView)], start: Day) -> Vec<Day> {
    let mut days: Vec<Day> = Vec::new();
    for (_, history) in universe {
        let window = history.candles().since(start);
        // Most have the same days as the instruments before them.
        if window.days() != days.as_slice() {
            days.extend(window.days());
            days.sort_unstable();
            days.dedup();
        }
    }
    days
}

/// What a company had reported by each close, valued at that close.
fn figures(listing: &Listing, steps: &[FundamentalStep], window: Candles<'_>) -> Reported {
    let mut found = Reported::default();
    for (day, close) in window.days().iter().zip(window.close()) {
        let known = steps.partition_point(|(known, _)| known <= day);
        let company = known.checked_sub(1).map(|newest| &steps[newest].1);
        let valuation = company.map(|company| {
            CompanyValuation::of_filings(&listing.instrument, company, Some((*close, *day)))
        });
        found.0.push(*day);
        for (metric, values) in Metric::OF_COMPANIES.iter().zip(&mut found.1) {
            let valued = valuation.as_ref();
            let value = match metric {
                Metric::PeRatio => valued.and_then(|one| one.pe_ratio),
                Metric::MarketCap => valued.and_then(CompanyValuation::market_cap_b),
                Metric::DividendYield => valued.and_then(|one| one.dividend_yield),
                Metric::RevenueGrowth => company.and_then(|one| one.revenue_growth_pct),
                Metric::EpsGrowth => company.and_then(|one| one.eps_growth_pct),
                Metric::ProfitMargin => company.and_then(|one| one.profit_margin_pct),
                Metric::DebtToEquity => company.and_then(|one| one.debt_to_equity),
                _ => None,
            };
            values.push(value.unwrap_or(f64::NAN));
        }
    }
    found
}

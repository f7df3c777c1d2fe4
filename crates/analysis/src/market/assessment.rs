//! A symbol as a whole: what indicators, coverage, events and figures say together, each in words and with its number.
//!
//! The trade signal is a documented function ([`market::trade_signal`]), and every factor names what it rests on. No
//! text is written without a number behind it.

use market::composite::Composite;
use market::signals::SignalSummary;
use market::technicals::Technicals;
use market::trade_signal::{
    Component, Contribution, Parts, TradeSignal, contributions, fundamental_part, technical_part,
    trade_signal,
};
use market::{Range, signals};
use model::{Category, Day};

use super::{
    Coverage, DataIssue, Financials, Fundamentals, HistoryView, Listing, PointInTime, PricePoint,
    Prices,
};
use crate::Result;

/// The number of days from which briefs count.
const DAYS: u16 = 7;

/// The assessment of a symbol.
#[derive(Clone, Debug)]
pub struct Assessment {
    /// `None` if there is nothing known for a signal to rest on.
    pub signal: Option<TradeSignal>,
    /// What each component adds to the 50 points of a neutral score; 50 plus all of these is the score. The largest
    /// contribution comes first, the cap last.
    pub contributions: Vec<Contribution>,
    /// The same in words with their numbers; without a signal, what is known, without points.
    pub factors: Vec<String>,
    /// The newest price.
    pub price: Option<PricePoint>,
    /// The newest indicators.
    pub technicals: Option<Technicals>,
    /// The indicators' votes; none if the newest price is old.
    pub votes: Option<SignalSummary>,
    /// News and price combined.
    pub composite: Composite,
    /// Briefs of the last seven days.
    pub briefs_7d: usize,
    /// What the company reports.
    pub financials: Financials,
    /// The nearest levels below and above the price: moving averages, bands, channel, retracements.
    pub support: Option<f64>,
    /// See `support`.
    pub resistance: Option<f64>,
    /// The whole assessment in sentences.
    pub summary: String,
    /// What is missing.
    pub issues: Vec<DataIssue>,
}

/// Combines a symbol's prices, coverage and figures.
#[derive(Clone, Debug)]
pub struct Assessments {
    prices: Prices,
    coverage: Coverage,
    fundamentals: Fundamentals,
}

impl Assessments {
    pub(super) fn new(prices: Prices, coverage: Coverage, fundamentals: Fundamentals) -> Self {
        Self {
            prices,
            coverage,
            fundamentals,
        }
    }

    /// Assesses a symbol from briefs in these categories (empty means all).
    pub async fn assess(
        &self,
        listing: &Listing,
        when: PointInTime,
        categories: &[Category],
    ) -> Result<Assessment> {
        let history = self.prices.history(listing, when).await?;
        let reading = self.read(listing, &history, when, categories).await?;
        let Reading {
            composite,
            briefs_7d,
            old,
        } = reading;
        let financials = self.fundamentals.financials_of(listing, when).await?;
        let technicals = market::technicals::technicals(history.candles(), Range::SixMonths);
        let votes = technicals.as_ref().filter(|_| old.is_none());
        let votes = votes.map(signals::summary);
        let price = listing.price(history.candles(), when);
        let outdated = financials.outdated(when);
        let is_same_currency =
            financials.currency.as_deref() == Some(listing.instrument.currency());
        let earnings_yield = financials
            .eps
            .zip(price)
            .filter(|_| outdated.is_none() && is_same_currency)
            .map(|(eps, price)| eps / price.current)
            .filter(|earned| earned.is_finite());
        let margin = financials.profit_margin.filter(|_| outdated.is_none());
        let signal = trade_signal(Parts {
            composite: composite.composite_score,
            technicals: votes.as_ref().and_then(technical_part),
            fundamentals: fundamental_part(earnings_yield, margin),
        })
        // An old price and current news do not make a signal together.
        .filter(|_| old.is_none());
        let levels = technicals.as_ref().map(levels).unwrap_or_default();
        let current = price.map(|price| price.current);
        let mut assessment = Assessment {
            signal,
            contributions: Vec::new(),
            factors: Vec::new(),
            technicals,
            votes,
            composite,
            briefs_7d,
            support: nearest(&levels, current, |level, price| level < price),
            resistance: nearest(&levels, current, |level, price| level > price),
            price,
            financials,
            summary: String::new(),
            issues: Vec::new(),
        };
        if let Some(signal) = &assessment.signal {
            let mut points = contributions(signal, &assessment.composite, earnings_yield, margin);
            points.sort_by(|left, right| {
                let bound_last = |one: &Contribution| one.component == Component::Bound;
                let weight = right.points.abs().total_cmp(&left.points.abs());
                bound_last(left).cmp(&bound_last(right)).then(weight)
            });
            assessment.contributions = points;
        }
        assessment.factors = factors(&assessment, outdated.is_none());
        let delisting = listing.delisting("trade_signal", when);
        assessment.summary = summary(
            listing,
            &assessment,
            delisting.as_ref(),
            old,
            outdated.as_deref(),
        );
        assessment.issues = old
            .map(|day| old_signal("trade_signal", day))
            .into_iter()
            .chain(issues(&assessment))
            .chain(outdated.as_deref().map(uncounted))
            .collect();
        let stale = listing.staleness("price", history.candles(), when);
        assessment.issues.extend(stale);
        let unmeasured = listing.unmeasured("technicals", history.candles());
        assessment.issues.extend(unmeasured);
        assessment.issues.splice(..0, delisting);
        let interrupted = listing.interrupted("technicals", history.candles());
        assessment.issues.extend(interrupted);
        assessment
            .issues
            .extend(listing.inferred_scale("price", when));
        Ok(assessment)
    }
}

/// News and price of a symbol combined.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The score and its parts. There is no score if the newest price is old, because it would mix an old price with
    /// current news.
    pub composite: Composite,
    /// Briefs of the last seven days.
    pub briefs_7d: usize,
    /// The newest session of the symbol, if it is old; without any candle, the session of its price.
    pub old: Option<Day>,
}

impl Assessments {
    /// Reads the news and price of a symbol, from briefs in these categories (empty means all). Every view of a symbol
    /// rests on this.
    pub async fn read(
        &self,
        listing: &Listing,
        history: &HistoryView,
        when: PointInTime,
        categories: &[Category],
    ) -> Result<Reading> {
        let window = self.coverage.of(listing, when, DAYS, categories).await?;
        let events = self.coverage.events_of(listing, when, categories).await?;
        // A current quote does not make the candles before it any newer.
        let newest = history.candles().days().last().copied();
        let newest = newest.or_else(|| Some(listing.price(history.candles(), when)?.day));
        let old = newest.filter(|day| listing.is_old(*day, when));
        let mut composite = if old.is_some() {
            window.composite(&HistoryView::default(), &events)
        } else {
            window.composite(history, &events)
        };
        if old.is_some() {
            composite.composite_score = None;
        }
        Ok(Reading {
            composite,
            briefs_7d: window.opinions.len(),
            old,
        })
    }
}

/// Notes that there is no signal because the newest price is old.
pub fn old_signal(field: &'static str, day: Day) -> DataIssue {
    DataIssue {
        stale: true,
        ..DataIssue::absent(
            field,
            format!("the newest price is of {day}: an old price and current news give no signal"),
        )
    }
}

/// Notes that indicators cast no votes because the newest candle is old.
pub fn old_votes(field: &'static str, day: Day) -> DataIssue {
    DataIssue {
        stale: true,
        ..DataIssue::absent(
            field,
            format!("the newest candle is of {day}: its indicators give no current signal"),
        )
    }
}

/// Price levels that traders watch.
fn levels(technicals: &Technicals) -> Vec<f64> {
    let mut levels: Vec<f64> = [technicals.sma_20, technicals.sma_50, technicals.sma_200]
        .into_iter()
        .flatten()
        .collect();
    for bands in [technicals.bollinger, technicals.donchian]
        .into_iter()
        .flatten()
    {
        levels.extend([bands.upper, bands.lower]);
    }
    if let Some(retraced) = technicals.fibonacci {
        levels.extend(retraced.levels);
    }
    levels
}

fn nearest(levels: &[f64], price: Option<f64>, side: impl Fn(f64, f64) -> bool) -> Option<f64> {
    let price = price?;
    levels
        .iter()
        .copied()
        .filter(|level| side(*level, price))
        .min_by(|left, right| (left - price).abs().total_cmp(&(right - price).abs()))
}

/// Notes that figures from long ago are not factors of a signal.
fn uncounted(why: &str) -> DataIssue {
    DataIssue {
        stale: true,
        ..DataIssue::absent(
            "trade_signal.factors",
            format!("earnings and margin do not count: {why}"),
        )
    }
}

/// What the score is made of, each part with its number and its points. Without a signal, what is known, including the
/// company's figures only if they are current.
fn factors(assessment: &Assessment, with_figures: bool) -> Vec<String> {
    let Some(signal) = assessment.signal else {
        let of_figures = [Component::EarningsYield, Component::ProfitMargin];
        return [Component::Sentiment, Component::Events]
            .into_iter()
            .chain(of_figures.into_iter().filter(|_| with_figures))
            .filter_map(|component| stated(assessment, component))
            .collect();
    };
    let neutral = "a neutral score (50 points)".to_owned();
    let parts = assessment.contributions.iter().filter_map(|one| {
        let words = match one.component {
            Component::Bound => format!(
                "held at {} because news and price together are {}",
                signal.score,
                assessment.composite.signal.as_str().replace('_', " ")
            ),
            component => stated(assessment, component)?,
        };
        // No minus sign before a zero.
        Some(format!("{words} ({:+.1} points)", one.points + 0.0))
    });
    std::iter::once(neutral).chain(parts).collect()
}

/// What a component rests on; `None` without data.
fn stated(assessment: &Assessment, component: Component) -> Option<String> {
    let Composite {
        sentiment,
        momentum,
        volume,
        events,
        ..
    } = &assessment.composite;
    let financials = &assessment.financials;
    let briefs = |count: usize| format!("{count} brief{}", if count == 1 { "" } else { "s" });
    Some(match component {
        Component::Sentiment => format!(
            "sentiment {:.2} across {} in seven days",
            sentiment.value?,
            briefs(assessment.briefs_7d)
        ),
        Component::Momentum => format!(
            "momentum {:.2}: the price is {} over 20 sessions",
            momentum.value?,
            momentum.direction?.as_str()
        ),
        Component::Attention => format!(
            "attention {:.2}: {} in 24 hours",
            volume.value?,
            briefs(volume.briefs_24h)
        ),
        Component::Events => format!(
            "events {:.2}: {} in seven days, the latest {}",
            events.value?,
            events.count_7d,
            events.latest_type?.as_str()
        ),
        Component::Technicals => {
            let votes = assessment.votes?;
            format!(
                "technicals {}: {} of {} indicators signal buy, {} sell",
                votes.overall, votes.buy, votes.total, votes.sell
            )
        }
        Component::EarningsYield => match (financials.pe_ratio, financials.eps) {
            (Some(ratio), _) => format!("price-to-earnings ratio {ratio:.1}"),
            (None, Some(eps)) if eps <= 0.0 => "no profit over twelve months".to_owned(),
            (None, eps) => format!("earnings per share {:.2}", eps?),
        },
        Component::ProfitMargin => format!("profit margin {:.1}%", financials.profit_margin?),
        Component::Bound => return None,
    })
}

fn summary(
    listing: &Listing,
    assessment: &Assessment,
    delisting: Option<&DataIssue>,
    old: Option<Day>,
    outdated: Option<&str>,
) -> String {
    let name = listing.instrument.entity_name();
    let mut sentences = Vec::new();
    sentences.extend(delisting.map(|delisting| format!("{}.", delisting.reason)));
    if let Some(day) = old {
        sentences.push(format!(
            "The newest price of {} is of {day}, so there is no signal.",
            listing.ticker()
        ));
    }
    sentences.push(match assessment.signal {
        Some(signal) => format!(
            "**{name} ({})**: {} with a score of {} out of 100.",
            listing.ticker(),
            signal.action.as_str().replace('_', " "),
            signal.score
        ),
        None if old.is_some() => format!("**{name} ({})**.", listing.ticker()),
        None => format!(
            "**{name} ({})**: not enough data for a signal.",
            listing.ticker()
        ),
    });
    if let Some(price) = assessment.price {
        let change = price.change_pct.map_or(String::new(), |change| {
            format!(", {change:+.2}% from the previous close")
        });
        sentences.push(format!(
            "The price{} is {:.2} {}{change}.",
            old.map_or(String::new(), |_| format!(" of {}", price.day)),
            price.current,
            listing.instrument.currency()
        ));
    }
    if let (Some(support), Some(resistance)) = (assessment.support, assessment.resistance) {
        sentences.push(format!(
            "The nearest support is {support:.2}, the nearest resistance {resistance:.2}."
        ));
    }
    if !assessment.factors.is_empty() {
        sentences.push(format!("Factors: {}.", assessment.factors.join("; ")));
    }
    if let Some(why) = outdated {
        sentences.push(format!("Earnings and margin do not count: {why}."));
    }
    sentences.push("Derived from fixed rules; neither advice nor a forecast.".to_owned());
    sentences.join(" ")
}

fn issues(assessment: &Assessment) -> Vec<DataIssue> {
    let mut issues = assessment.financials.issues.clone();
    if assessment.technicals.is_none() {
        issues.push(DataIssue::absent(
            "technicals",
            "no candles are available for this symbol",
        ));
    }
    if assessment.composite.sentiment.value.is_none() {
        issues.push(DataIssue::absent(
            "sentiment",
            "no brief in the last seven days mentions this symbol",
        ));
    }
    issues
}

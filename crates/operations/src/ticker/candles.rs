//! `/ticker/{symbol}/candles`: traded prices by day, week or month.

use std::collections::BTreeMap;

use analysis::market::{Adjust, DataIssue, Listing};
use market::actions::Split;
use market::{Candle, Candles, Interval, Measured, Range};
use model::{AssetType, Day, HourBar};
use serde::Serialize;
use utoipa::ToSchema;

use crate::data_status::{DataStatusBody, written};
use crate::error::Result;
use crate::ticker::SYMBOL;
use crate::{About, Address, Arguments, Context, Operation, Parameters};

/// Length of a candle: an hour, or a day or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Length {
    Hour,
    Of(Interval),
}

const INTERVALS: [(&str, Length); 4] = [
    ("1h", Length::Hour),
    ("1d", Length::Of(Interval::Day)),
    ("1wk", Length::Of(Interval::Week)),
    ("1mo", Length::Of(Interval::Month)),
];

const ADJUSTMENTS: [(&str, Adjust); 3] = [
    ("splits", Adjust::Splits),
    ("all", Adjust::All),
    ("none", Adjust::Nothing),
];

/// Which candles of a symbol to list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    interval: Length,
    range: Range,
    from: Option<Day>,
    to: Option<Day>,
    adjust: Adjust,
}

impl Window {
    /// Reads its arguments.
    pub(crate) fn read(arguments: &mut Arguments<'_>) -> Self {
        let ranges = Range::ALL.map(|range| (range.as_str(), range));
        let window = Self {
            interval: arguments.word_or(
                "interval",
                &INTERVALS,
                Length::Of(Interval::Day),
                "Length of a candle; hourly candles are available for coins only",
            ),
            range: arguments.word_or(
                "range",
                &ranges,
                Range::SixMonths,
                "Period up to the latest session",
            ),
            from: arguments
                .date("from", "First day, YYYY-MM-DD; replaces `range`")
                .map(Day::of),
            to: arguments
                .date("to", "Last day, YYYY-MM-DD; replaces `range`")
                .map(Day::of),
            adjust: arguments.word_or(
                "adjust",
                &ADJUSTMENTS,
                Adjust::Splits,
                "What prices are adjusted for: splits, splits and dividends, or nothing (prices as traded)",
            ),
        };
        arguments.in_order(window.from, window.to);
        window
    }

    /// What the prices are adjusted for, as named in the response.
    pub(crate) fn adjustment(&self) -> &'static str {
        ADJUSTMENTS
            .iter()
            .find(|(_, adjust)| *adjust == self.adjust)
            .map_or("splits", |(word, _)| word)
    }

    /// The candles of an instrument, oldest first, with the reason if there are none and any other notes on them.
    pub(crate) async fn cut(
        &self,
        context: &Context,
        listing: &Listing,
    ) -> Result<(Vec<CandleBody>, Vec<DataIssue>)> {
        let interval = match self.interval {
            Length::Hour => return self.hours(context, listing).await,
            Length::Of(interval) => interval,
        };
        let when = context.when();
        let between = self.from.is_some() || self.to.is_some();
        let history = if between {
            context.prices.whole_history(listing, when).await?
        } else {
            context.prices.history(listing, when).await?
        };
        // Of a period that ended before the newest candle nothing is missing.
        let newest = history.candles().last();
        let is_past = self
            .to
            .zip(newest)
            .is_some_and(|(to, newest)| to <= newest.day);
        let stale = listing.staleness("candles", history.candles(), when);
        let stale = stale.filter(|_| !is_past);
        let held = history.clone();
        let adjusted = context.prices.adjusted(listing, history, when, self.adjust);
        let history = adjusted.await?;
        let chart = if between {
            market::chart_between(history.candles(), interval, self.from, self.to)
        } else {
            market::chart(history.candles(), interval, self.range)
        };
        let unknown = self.unknown_as_traded(held.candles(), history.candles());
        // A range ends with the newest session that is held, and not with the newest of which is known what was paid.
        let chart = match held.candles().last() {
            Some(newest) if unknown.is_some() && !between => {
                let first = self.range.start(newest.day);
                market::chart_between(history.candles(), interval, Some(first), None)
            }
            _ => chart,
        };
        let known = history.candles().until(self.to.unwrap_or(Day::MAX));
        let closes_only = !known.measured().has_ranges();
        let bars = chart.view().iter();
        let candles: Vec<CandleBody> = bars
            .map(|candle| CandleBody {
                closes_only,
                ..CandleBody::from(candle)
            })
            .collect();
        let mut issues: Vec<DataIssue> = stale.into_iter().collect();
        if !candles.is_empty() {
            issues.extend(unmeasured(known.measured(), listing));
        }
        let days = |bar: Option<&CandleBody>| bar.and_then(|bar| Day::parse(&bar.date));
        let since = days(candles.first()).unwrap_or(Day::MIN);
        issues.extend(listing.inferred_splits("candles", since));
        if let (Some(first), Some(last)) = (days(candles.first()), days(candles.last())) {
            issues.extend(listing.former_symbols("candles", (first, last), when));
        }
        if self.adjust == Adjust::All
            && !candles.is_empty()
            && !context.prices.has_dividends(listing, when).await?
        {
            issues.push(DataIssue::absent(
                "adjust",
                format!(
                    "no dividend of {} is on record, so these are split-adjusted prices",
                    listing.ticker()
                ),
            ));
        }
        let is_known = unknown.is_none();
        issues.extend(unknown);
        if candles.is_empty() && is_known {
            let reason = if history.candles().is_empty() {
                "no candles are available for this symbol"
            } else {
                "no candle lies in the period"
            };
            issues.push(DataIssue::absent("candles", reason));
        }
        Ok((candles, issues))
    }

    /// States that the traded prices of some candles in the period are unknown, so that these candles are left out.
    fn unknown_as_traded(&self, held: Candles<'_>, traded: Candles<'_>) -> Option<DataIssue> {
        let within = |candles: Candles<'_>| {
            let until = candles.until(self.to.unwrap_or(Day::MAX));
            let is_range = self.from.is_none() && self.to.is_none();
            let newest = held.last().filter(|_| is_range);
            let first = newest.map(|newest| self.range.start(newest.day));
            until.since(self.from.or(first).unwrap_or(Day::MIN)).len()
        };
        let (held, traded) = (within(held), within(traded));
        (traded < held).then(|| {
            DataIssue::absent(
                "candles",
                format!(
                    "of {} of {held} sessions it is not known at which price they were traded: what is held was adjusted for splits before it came, and no reported split says for which; import actions of this symbol, or prices with --as-traded",
                    held - traded
                ),
            )
        })
    }

    /// The hourly candles of a coin.
    async fn hours(
        &self,
        context: &Context,
        listing: &Listing,
    ) -> Result<(Vec<CandleBody>, Vec<DataIssue>)> {
        let when = context.when();
        if listing.asset_type() != AssetType::Crypto {
            let reason = "hourly candles are held of coins only";
            return Ok((Vec::new(), vec![DataIssue::absent("candles", reason)]));
        }
        let days = if self.from.is_some() || self.to.is_some() {
            (self.from.unwrap_or(Day::MIN), self.to.unwrap_or(Day::MAX))
        } else {
            let today = Day::of(when.end);
            (self.range.start(today), today)
        };
        let symbol = &listing.instrument.symbol;
        let hours = context.crypto.hours(symbol, days, when).await?;
        let issue = hours
            .is_empty()
            .then(|| DataIssue::absent("candles", "no hour of the period is known"));
        let candles = hours.into_iter().map(CandleBody::from);
        Ok((candles.collect(), issue.into_iter().collect()))
    }
}

/// What the values in the bars stand for if not all of them were measured.
fn unmeasured(measured: Measured, listing: &Listing) -> Option<DataIssue> {
    let ticker = listing.ticker();
    let (field, reason) = match measured {
        Measured::Bars => return None,
        Measured::Prices => (
            "candles.volume",
            format!("no volumes of {ticker} are held; 0 stands for what is not known"),
        ),
        Measured::Closes => (
            "candles.closes_only",
            format!(
                "only closes of {ticker} are held; open, high and low repeat the close, and 0 stands for the volume"
            ),
        ),
    };
    Some(DataIssue::absent(field, reason))
}

/// The symbol, and which of its candles to list.
pub(crate) struct CandlesQuery {
    symbol: String,
    window: Window,
}

impl Parameters for CandlesQuery {
    fn read(arguments: &mut Arguments<'_>) -> Self {
        Self {
            symbol: arguments.path("symbol", SYMBOL),
            window: Window::read(arguments),
        }
    }
}

/// Candles, oldest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct CandlesBody {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// Symbol.
    ticker: String,
    /// ISO 4217 code of the prices.
    currency: String,
    /// Price adjustment: `splits`, `all` (splits and dividends) or `none`.
    adjust: &'static str,
    /// Splits for which these prices are adjusted, keyed by the first session after the split (or the first possible
    /// one, if it is not known exactly); absent if there are none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    splits: BTreeMap<String, CandleSplitBody>,
    /// Number of candles.
    candle_count: usize,
    /// The candles, oldest first.
    candles: Vec<CandleBody>,
    /// Why figures are missing, stale or from another source; absent if none are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    data_status: Vec<DataStatusBody>,
}

/// A split for which prices are adjusted.
#[derive(Serialize, ToSchema)]
#[schema(as = CandleSplit)]
pub(crate) struct CandleSplitBody {
    /// The last possible session, if the split is inferred from prices alone.
    #[schema(format = "date")]
    #[serde(skip_serializing_if = "Option::is_none")]
    no_later_than: Option<String>,
    /// New shares for each old share.
    ratio: f64,
}

impl From<Split> for CandleSplitBody {
    fn from(split: Split) -> Self {
        Self {
            no_later_than: split.no_later_than.map(|last| last.to_string()),
            ratio: split.ratio,
        }
    }
}

/// One bar.
#[derive(Serialize, ToSchema)]
#[schema(as = Candle)]
pub(crate) struct CandleBody {
    /// Date of the candle, YYYY-MM-DD: the Monday for a week, the first day for a month. For an hour, the time at which
    /// the hour began.
    #[schema(format = "date or date-time")]
    date: String,
    /// Opening price of the period, in the currency of the listing.
    open: f64,
    /// Highest price, in the currency of the listing.
    high: f64,
    /// Lowest price, in the currency of the listing.
    low: f64,
    /// Closing price, in the currency of the listing.
    close: f64,
    /// Number of shares or coins traded.
    volume: f64,
    /// Whether only closes are on record, in which case open, high and low repeat the close and the volume is 0. Absent
    /// otherwise.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    closes_only: bool,
}

impl From<Candle> for CandleBody {
    fn from(candle: Candle) -> Self {
        Self {
            date: candle.day.to_string(),
            open: candle.open,
            high: candle.high,
            low: candle.low,
            close: candle.close,
            volume: candle.volume,
            closes_only: false,
        }
    }
}

impl From<HourBar> for CandleBody {
    fn from(hour: HourBar) -> Self {
        Self {
            date: hour.at.to_string(),
            open: hour.open,
            high: hour.high,
            low: hour.low,
            close: hour.close,
            volume: hour.volume,
            closes_only: false,
        }
    }
}

/// `GET /ticker/{symbol}/candles`.
pub(crate) struct ListCandles;

impl Operation for ListCandles {
    type Input = CandlesQuery;
    type Output = CandlesBody;

    const ABOUT: About = About {
        name: "list_candles",
        address: Address::get("/api/v1/ticker/{symbol}/candles"),
        subject: "ticker",
        summary: "Lists the candles of a symbol.",
        description: "The range ends with the latest session, or with the latest one known at `as_of`. Days without trades are omitted, never filled in. Prices and volumes are adjusted for all splits up to that time; `adjust=none` shows them as traded.",
        answer: "Candles, oldest first",
        missing: Some("Unknown symbol, with suggestions"),
        example: r#"{"symbol": "AAPL", "range": "1mo"}"#,
        ..About::READS
    };

    async fn run(context: Context, asked: CandlesQuery) -> Result<CandlesBody> {
        let listing = context.listing(&asked.symbol).await?;
        let (candles, issues) = asked.window.cut(&context, &listing).await?;
        let first = candles.first().and_then(|first| Day::parse(&first.date));
        let first = first.filter(|_| asked.window.adjust != Adjust::Nothing);
        let splits = first.map(|first| listing.splits_since(first, context.when()));
        Ok(CandlesBody {
            status: "ok",
            ticker: listing.ticker().to_owned(),
            currency: listing.instrument.currency().to_owned(),
            adjust: asked.window.adjustment(),
            splits: splits
                .into_iter()
                .flatten()
                .map(|split| (split.ex_date.to_string(), CandleSplitBody::from(split)))
                .collect(),
            candle_count: candles.len(),
            candles,
            data_status: written(issues),
        })
    }
}

//! The loop over the sessions. The module above explains what each step does and why.

use crate::Day;
use crate::backtest::readings::Readings;
use crate::backtest::timeline::Timeline;
use crate::backtest::{EquityPoint, ExitReason, Instrument, NoTrades, Strategy, Trade};
use crate::filters::Metric;

/// An order to buy at the open of a session.
struct Order {
    instrument: usize,
    due: usize,
    signal_day: Day,
    reason: String,
}

/// An open position.
struct Position {
    order: Order,
    entry_day: Day,
    entry_price: f64,
    shares: f64,
    cost: f64,
    stop: Option<f64>,
    newest_close: f64,
    /// The session at whose open it is to be sold, and why.
    exit: Option<(usize, ExitReason)>,
}

struct Engine<'a> {
    strategy: &'a Strategy,
    instruments: &'a [Instrument<'a>],
    timeline: Timeline,
    readings: Vec<Readings>,
    cash: f64,
    positions: Vec<Position>,
    orders: Vec<Order>,
    curve: Vec<EquityPoint>,
    trades: Vec<Trade>,
    matched: bool,
}

/// Runs a checked strategy.
pub(super) fn run(
    strategy: &Strategy,
    instruments: &[Instrument<'_>],
    start: Day,
) -> (Vec<EquityPoint>, Vec<Trade>, Option<NoTrades>) {
    let readings = instruments.iter();
    let mut engine = Engine {
        strategy,
        instruments,
        timeline: Timeline::new(instruments, start, strategy.rebalance),
        readings: readings
            .map(|instrument| Readings::new(instrument, strategy))
            .collect(),
        cash: strategy.initial_capital,
        positions: Vec::new(),
        orders: Vec::new(),
        curve: Vec::new(),
        trades: Vec::new(),
        matched: false,
    };
    for session in 0..engine.timeline.sessions().len() {
        engine.sell_at_open(session);
        engine.buy_at_open(session);
        engine.sell_at_stops(session);
        engine.value(session);
        engine.judge_exits(session);
        engine.judge_entries(session);
    }
    let no_trades = engine.trades.is_empty().then(|| engine.why_nothing());
    (engine.curve, engine.trades, no_trades)
}

impl Engine<'_> {
    fn metric(&self, instrument: usize, bar: usize, metric: Metric) -> Option<f64> {
        self.readings[instrument].metric(&self.instruments[instrument], bar, metric)
    }

    /// Sells every position for which `price` returns a price and a reason.
    fn sell_where(
        &mut self,
        day: Day,
        price: impl Fn(&Self, &Position) -> Option<(f64, ExitReason)>,
    ) {
        let mut at = 0;
        while let Some(position) = self.positions.get(at) {
            let Some((price, reason)) = price(self, position) else {
                at += 1;
                continue;
            };
            let position = self.positions.remove(at);
            let price = price * (1.0 - self.slippage());
            let proceeds = position.shares * price * (1.0 - self.fee());
            self.cash += proceeds;
            self.trades.push(Trade {
                ticker: self.instruments[position.order.instrument]
                    .ticker
                    .to_owned(),
                signal_day: position.order.signal_day,
                entry_day: position.entry_day,
                entry_price: position.entry_price,
                entry_reason: position.order.reason,
                exit_day: day,
                exit_price: price,
                exit_reason: reason,
                cost: position.cost,
                proceeds,
                return_pct: (proceeds / position.cost - 1.0) * 100.0,
            });
        }
    }

    fn slippage(&self) -> f64 {
        self.strategy.slippage_bps / 10_000.0
    }

    fn fee(&self) -> f64 {
        self.strategy.fees_bps / 10_000.0
    }

    fn sell_at_open(&mut self, session: usize) {
        let day = self.timeline.sessions()[session];
        self.sell_where(day, |engine, position| {
            let bar = engine.timeline.bar(position.order.instrument, session)?;
            let open = engine.instruments[position.order.instrument].candles.open()[bar];
            match (position.exit, position.stop) {
                (Some((due, reason)), _) if due <= session => Some((open, reason)),
                (_, Some(stop)) if open <= stop => Some((open, ExitReason::StopLoss)),
                _ => None,
            }
        });
    }

    fn buy_at_open(&mut self, session: usize) {
        let Some(last) = self.curve.last() else {
            return;
        };
        let share_of_equity = last.value / self.strategy.max_positions as f64;
        let (due, later): (Vec<_>, Vec<_>) = std::mem::take(&mut self.orders)
            .into_iter()
            .partition(|order| order.due <= session);
        self.orders = later;
        for order in due {
            let Some(bar) = self.timeline.bar(order.instrument, session) else {
                continue;
            };
            let cost = share_of_equity.min(self.cash);
            // The last cents left after rounding do not make a trade.
            let is_material = cost > share_of_equity * 1e-9;
            if !is_material || self.positions.len() >= self.strategy.max_positions {
                continue;
            }
            let open = self.instruments[order.instrument].candles.open()[bar];
            let price = open * (1.0 + self.slippage());
            self.cash -= cost;
            self.positions.push(Position {
                entry_day: self.timeline.sessions()[session],
                entry_price: price,
                shares: cost / (price * (1.0 + self.fee())),
                cost,
                stop: self
                    .strategy
                    .exit
                    .stop_loss_pct()
                    .map(|percent| price * (1.0 - percent / 100.0)),
                newest_close: open,
                exit: None,
                order,
            });
        }
    }

    fn sell_at_stops(&mut self, session: usize) {
        let day = self.timeline.sessions()[session];
        self.sell_where(day, |engine, position| {
            let stop = position.stop?;
            let bar = engine.timeline.bar(position.order.instrument, session)?;
            let low = engine.instruments[position.order.instrument].candles.low()[bar];
            (low <= stop).then_some((stop, ExitReason::StopLoss))
        });
    }

    fn value(&mut self, session: usize) {
        let day = self.timeline.sessions()[session];
        for position in &mut self.positions {
            let instrument = position.order.instrument;
            if let Some(bar) = self.timeline.bar(instrument, session) {
                position.newest_close = self.instruments[instrument].candles.close()[bar];
            }
        }
        let ends = session + 1 == self.timeline.sessions().len();
        self.sell_where(day, |engine, position| {
            let delisted = engine.instruments[position.order.instrument].delisted;
            if delisted.is_some_and(|last| last <= day) {
                Some((position.newest_close, ExitReason::Delisted))
            } else if engine.timeline.ends(position.order.instrument, session) {
                Some((position.newest_close, ExitReason::NoMorePrices))
            } else {
                ends.then_some((position.newest_close, ExitReason::EndOfPeriod))
            }
        });
        let held: f64 = self
            .positions
            .iter()
            .map(|position| position.shares * position.newest_close)
            .sum();
        self.curve.push(EquityPoint {
            day,
            value: self.cash + held,
            cash: self.cash,
            positions: self.positions.len(),
        });
    }

    fn judge_exits(&mut self, session: usize) {
        for at in 0..self.positions.len() {
            let position = &self.positions[at];
            let instrument = position.order.instrument;
            let Some(bar) = self.timeline.bar(instrument, session) else {
                continue;
            };
            if position.exit.is_none() {
                let matching = self
                    .strategy
                    .exit
                    .matching(|metric| self.metric(instrument, bar, metric));
                self.positions[at].exit = matching.map(|condition| {
                    let due = session + 1 + self.strategy.lag;
                    (due, ExitReason::Filter(condition.key()))
                });
            }
        }
    }

    fn judge_entries(&mut self, session: usize) {
        if !self.timeline.is_rebalance(session) {
            return;
        }
        let day = self.timeline.sessions()[session];
        let staying = self
            .positions
            .iter()
            .filter(|position| position.exit.is_none());
        let taken = staying.count() + self.orders.len();
        let free = self.strategy.max_positions.saturating_sub(taken);
        let mut candidates: Vec<(f64, usize, usize)> = (0..self.instruments.len())
            .filter_map(|instrument| {
                let bar = self.timeline.bar(instrument, session)?;
                let distance = self
                    .strategy
                    .entry
                    .distance(|metric| self.metric(instrument, bar, metric))?;
                Some((distance, instrument, bar))
            })
            .collect();
        self.matched |= !candidates.is_empty();
        candidates.retain(|(_, instrument, _)| {
            let gone = self.instruments[*instrument]
                .delisted
                .is_some_and(|last| last <= day);
            let known = |order: &Order| order.instrument == *instrument;
            !gone
                && !self.orders.iter().any(known)
                && !self.positions.iter().any(|position| known(&position.order))
        });
        candidates.sort_by(|a, b| {
            b.0.total_cmp(&a.0).then_with(|| {
                self.instruments[a.1]
                    .ticker
                    .cmp(self.instruments[b.1].ticker)
            })
        });
        for (_, instrument, bar) in candidates.into_iter().take(free) {
            let reasons = self
                .strategy
                .entry
                .reasons(|metric| self.metric(instrument, bar, metric));
            self.orders.push(Order {
                instrument,
                due: session + 1 + self.strategy.lag,
                signal_day: day,
                reason: if reasons.is_empty() {
                    "no entry filter".to_owned()
                } else {
                    reasons.join("; ")
                },
            });
        }
    }

    /// Why nothing was bought.
    fn why_nothing(&self) -> NoTrades {
        let sessions = self.timeline.sessions().len();
        if sessions == 0 {
            return NoTrades::NoSessions;
        }
        if self.matched {
            return NoTrades::NoOpen;
        }
        let ever = |wanted: Metric| {
            (0..self.instruments.len()).any(|instrument| {
                (0..sessions).any(|session| {
                    self.timeline
                        .bar(instrument, session)
                        .is_some_and(|bar| self.metric(instrument, bar, wanted).is_some())
                })
            })
        };
        let without_values = self.strategy.entry.conditions().iter().find(|condition| {
            let key = condition.key();
            !ever(key.metric()) || key.reference().is_some_and(|other| !ever(other))
        });
        without_values.map_or(NoTrades::NothingMatched, |condition| {
            NoTrades::NoValues(condition.key())
        })
    }
}

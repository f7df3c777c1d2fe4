//! Three strategies that can be followed with pencil and paper.
//!
//! Days are sessions from Monday 2025-01-06 on, Monday to Friday. Sentiment gives the signals, because it is set by hand.

use market::backtest::{
    Backtest, ExitReason, Instrument, NoTrades, Rebalance, Steps, Strategy, backtest,
};
use market::filters::{ExitFilters, FilterKey, FilterValue, Filters};
use market::{Candle, CandleColumns, Day};

/// The n-th weekday after Monday 2025-01-06.
fn session(n: usize) -> Day {
    let n = n as i32;
    Day::parse("2025-01-06").unwrap().plus(n / 5 * 7 + n % 5)
}

/// Candles of `[open, high, low, close]` on consecutive sessions.
fn candles(bars: &[[f64; 4]]) -> CandleColumns {
    let rows = bars
        .iter()
        .enumerate()
        .map(|(n, [open, high, low, close])| Candle {
            day: session(n),
            open: *open,
            high: *high,
            low: *low,
            close: *close,
            volume: 1.0,
        });
    let (columns, refusals) = CandleColumns::sift(rows);
    assert!(refusals.is_empty());
    columns
}

/// A bar whose open and close are one price.
fn at(price: f64) -> [f64; 4] {
    [price; 4]
}

fn strategy(entry: &[(&str, f64)], exit: &[(&str, f64)]) -> Strategy {
    let values = |filters: &[(&'static str, f64)]| {
        filters
            .iter()
            .map(|(key, value)| (*key, FilterValue::Number(*value)))
            .collect::<Vec<_>>()
    };
    let owned = |filters: &[(&str, f64)]| -> Vec<(&'static str, f64)> {
        filters
            .iter()
            .map(|(key, value)| {
                let known = FilterKey::ALL.map(FilterKey::as_str);
                let name = known
                    .into_iter()
                    .chain(["stop_loss_pct"])
                    .find(|name| name == key);
                (name.unwrap(), *value)
            })
            .collect()
    };
    Strategy {
        entry: Filters::parse(values(&owned(entry))).unwrap(),
        exit: ExitFilters::parse(values(&owned(exit))).unwrap(),
        initial_capital: 1000.0,
        max_positions: 2,
        ..Strategy::default()
    }
}

fn values(found: &Backtest) -> Vec<f64> {
    found
        .equity_curve
        .iter()
        .map(|point| (point.value * 1e6).round() / 1e6)
        .collect()
}

/// One share, bought on Tuesday's open after Monday's signal, sold at the open after Thursday's.
///
/// Monday close 10, sentiment 0.9: matched. Tuesday opens at 10: half of 1000 buys 50 shares; close 11: 500 + 550 = 1050.
/// Wednesday close 12: 1100. Thursday close 13, sentiment 0.2: sell at the next open; 1150. Friday opens at 14: 700 + 500 = 1200.
#[test]
fn one_trade_from_signal_to_filter() {
    let prices = candles(&[
        at(10.0),
        [10.0, 11.0, 10.0, 11.0],
        [11.0, 12.0, 11.0, 12.0],
        [12.0, 13.0, 12.0, 13.0],
        [14.0, 15.0, 9.0, 9.0],
    ]);
    let days = [session(0), session(3)];
    let instrument = Instrument {
        sentiment: Steps::new(&days, &[0.9, 0.2]),
        ..Instrument::of_prices("A", prices.view())
    };
    let rule = strategy(&[("sentiment_above", 0.6)], &[("sentiment_below", 0.3)]);
    let found = backtest(&rule, &[instrument], session(0)).unwrap();
    assert_eq!(values(&found), [1000.0, 1050.0, 1100.0, 1150.0, 1200.0]);
    let [trade] = &found.trades[..] else {
        panic!("{:?}", found.trades)
    };
    assert_eq!(
        (trade.signal_day, trade.entry_day, trade.exit_day),
        (session(0), session(1), session(4))
    );
    assert_eq!((trade.entry_price, trade.exit_price), (10.0, 14.0));
    assert_eq!(trade.exit_reason.as_str(), "sentiment_below");
    assert_eq!(trade.entry_reason, "sentiment 0.90 above 0.6");
    assert!((trade.return_pct - 40.0).abs() < 1e-9);
    assert!((found.performance.total_return_pct - 20.0).abs() < 1e-9);
    assert_eq!(found.performance.win_rate, Some(100.0));
    assert_eq!(found.performance.profit_factor, None);
    assert_eq!(found.performance.avg_holding_days, Some(3.0));

    // One bar later: bought on Wednesday at 11, and the exit falls beyond the end.
    let late = Strategy { lag: 1, ..rule };
    let found = backtest(&late, &[instrument], session(0)).unwrap();
    let [trade] = &found.trades[..] else {
        panic!("{:?}", found.trades)
    };
    assert_eq!((trade.entry_day, trade.entry_price), (session(2), 11.0));
    assert_eq!(
        (trade.exit_reason, trade.exit_price),
        (ExitReason::EndOfPeriod, 9.0)
    );
}

/// Two places for three candidates; a stop that is reached, a stop that is gapped through, and fees.
///
/// Sentiment: C 0.9, B 0.8, A 0.8 on the first Monday: C is farthest, A comes before B by name. On Tuesday both are bought for
/// 500 less a fee of 1 %: cost 500 = shares · price · 1.01. Stop 10 %.
/// C: bought at 100, 4.950495 shares; on Wednesday its low 85 is under 90: sold at 90 · 0.99, 441.089109.
/// A: bought at 20, 24.752475 shares; on Thursday it opens at 15, below 18: sold at 15 · 0.99, 367.574257.
/// No candidate is left on the second Monday (their sentiment has fallen), so cash 808.663366 stays.
#[test]
fn places_stops_gaps_and_fees() {
    let a = candles(&[
        at(20.0),
        at(20.0),
        at(20.0),
        [15.0, 15.0, 14.0, 14.0],
        at(14.0),
        at(14.0),
    ]);
    let b = candles(&[at(5.0); 6]);
    let c = candles(&[
        at(100.0),
        at(100.0),
        [100.0, 100.0, 85.0, 95.0],
        at(95.0),
        at(95.0),
        at(95.0),
    ]);
    let days = [session(0), session(1)];
    let sentiments = [[0.8, 0.1], [0.8, 0.1], [0.9, 0.1]];
    let instruments =
        [("B", &b, 1), ("C", &c, 2), ("A", &a, 0)].map(|(ticker, columns, sentiment)| Instrument {
            sentiment: Steps::new(&days, &sentiments[sentiment]),
            ..Instrument::of_prices(ticker, columns.view())
        });
    let rule = Strategy {
        fees_bps: 100.0,
        ..strategy(&[("sentiment_above", 0.5)], &[("stop_loss_pct", 10.0)])
    };
    let found = backtest(&rule, &instruments, session(0)).unwrap();
    let trades: Vec<_> = found
        .trades
        .iter()
        .map(|trade| {
            (
                trade.ticker.as_str(),
                trade.exit_day,
                trade.exit_price,
                trade.exit_reason,
            )
        })
        .collect();
    assert_eq!(
        trades,
        [
            ("C", session(2), 90.0, ExitReason::StopLoss),
            ("A", session(3), 15.0, ExitReason::StopLoss),
        ]
    );
    let last = *values(&found).last().unwrap();
    assert!((last - 808.663366).abs() < 1e-6, "{last}");
    assert_eq!(found.performance.win_rate, Some(0.0));
    assert_eq!(found.performance.profit_factor, Some(0.0));
    // Tuesday's equity: 4.950495 · 100 + 24.752475 · 20 = 990.09901.
    assert_eq!(values(&found)[1], 990.09901);
}

/// Monthly: the first sessions are 6 January (the period's) and 3 February. D matches on both, is delisted in January, and what E
/// holds at the end is sold at the last close.
///
/// D: signalled on 6 January, bought on the 7th at 10 for 500: 50 shares; its last day is the 9th, close 8: 400. Equity 900.
/// E: no value before February; signalled on the 3rd, bought on the 4th at 50 for 450: 9 shares; last close 60: 540. Equity 990.
#[test]
fn monthly_with_a_delisting_and_an_end() {
    let d = candles(&[at(10.0), at(10.0), at(9.0), at(8.0)]);
    let mut prices = vec![at(50.0); 22];
    prices[21] = [50.0, 60.0, 50.0, 60.0];
    let e = candles(&prices);
    let (first, february) = ([session(0)], [session(20)]);
    assert_eq!(session(20).to_string(), "2025-02-03");
    let instruments = [
        Instrument {
            sentiment: Steps::new(&first, &[0.9]),
            delisted: Some(session(3)),
            ..Instrument::of_prices("D", d.view())
        },
        Instrument {
            sentiment: Steps::new(&february, &[0.9]),
            ..Instrument::of_prices("E", e.view())
        },
    ];
    let rule = Strategy {
        rebalance: Rebalance::Monthly,
        ..strategy(&[("sentiment_above", 0.5)], &[])
    };
    let found = backtest(&rule, &instruments, session(0)).unwrap();
    let trades: Vec<_> = found
        .trades
        .iter()
        .map(|trade| {
            (
                trade.ticker.as_str(),
                trade.entry_day,
                trade.exit_day,
                trade.exit_reason.as_str(),
            )
        })
        .collect();
    assert_eq!(
        trades,
        [
            ("D", session(1), session(3), "delisted"),
            ("E", session(21), session(21), "end_of_period"),
        ]
    );
    assert_eq!(values(&found)[3], 900.0);
    assert_eq!(values(&found)[21], 990.0);
    assert_eq!(found.performance.total_trades, 2);
    assert!((found.performance.profit_factor.unwrap() - 0.9).abs() < 1e-9);
}

#[test]
fn what_stops_trading_is_sold_at_its_last_price_and_frees_its_money() {
    let gone = candles(&[at(10.0); 5]);
    let stays = candles(&[at(50.0); 20]);
    let (first, later) = ([session(0)], [session(9)]);
    let instruments = [
        Instrument {
            sentiment: Steps::new(&first, &[0.9]),
            ..Instrument::of_prices("GONE", gone.view())
        },
        Instrument {
            sentiment: Steps::new(&later, &[0.9]),
            ..Instrument::of_prices("STAYS", stays.view())
        },
    ];
    let rule = Strategy {
        max_positions: 1,
        slippage_bps: 100.0,
        ..strategy(&[("sentiment_above", 0.5)], &[])
    };
    let found = backtest(&rule, &instruments, session(0)).unwrap();
    let trades: Vec<_> = found
        .trades
        .iter()
        .map(|trade| {
            (
                trade.ticker.as_str(),
                trade.exit_day,
                trade.exit_reason.as_str(),
            )
        })
        .collect();
    assert_eq!(
        trades,
        [
            ("GONE", session(14), "no_more_prices"),
            ("STAYS", session(19), "end_of_period"),
        ]
    );
    // Bought one percent above the open and sold one below the close.
    assert_eq!(found.trades[0].entry_price, 10.1);
    assert_eq!(found.trades[0].exit_price, 9.9);
    // Nine silent sessions may be a late delivery: it stays until the end.
    let short = candles(&[at(50.0); 14]);
    let found = backtest(
        &rule,
        &[instruments[0], Instrument::of_prices("STAYS", short.view())],
        session(0),
    )
    .unwrap();
    assert_eq!(found.trades[0].exit_reason, ExitReason::EndOfPeriod);
}

#[test]
fn what_is_silent_for_ten_sessions_is_sold_though_its_prices_come_back() {
    let stays = candles(&[at(50.0); 40]);
    let all = candles(&[at(10.0); 40]);
    let (columns, _) = market::CandleColumns::sift(
        all.view()
            .iter()
            .filter(|candle| candle.day <= session(4) || candle.day >= session(30)),
    );
    let first = [session(0)];
    let instruments = [
        Instrument {
            sentiment: Steps::new(&first, &[0.9]),
            ..Instrument::of_prices("GAP", columns.view())
        },
        Instrument::of_prices("STAYS", stays.view()),
    ];
    let rule = Strategy {
        max_positions: 1,
        ..strategy(&[("sentiment_above", 0.5)], &[])
    };
    let found = backtest(&rule, &instruments, session(0)).unwrap();
    let first = &found.trades[0];
    assert_eq!(first.exit_reason, ExitReason::NoMorePrices);
    assert_eq!(first.exit_day, session(14));
}

#[test]
fn a_strategy_that_never_trades_says_why() {
    let prices = candles(&[at(10.0); 12]);
    let one = [Instrument::of_prices("A", prices.view())];
    let why = |entry: &[(&str, f64)], start| backtest(&strategy(entry, &[]), &one, start).unwrap();
    let never = why(&[("rsi_below", 30.0)], session(0));
    assert_eq!(
        never.no_trades,
        Some(NoTrades::NoValues(FilterKey::RsiBelow))
    );
    assert_eq!(values(&never), [1000.0; 12]);
    assert_eq!(never.performance.win_rate, None);
    assert_eq!(never.performance.sharpe_ratio, None);
    assert_eq!(
        why(&[("pe_below", 10.0)], session(0)).no_trades,
        Some(NoTrades::NoValues(FilterKey::PeBelow))
    );
    assert_eq!(why(&[], session(11)).no_trades, Some(NoTrades::NoOpen));
    let nothing = why(&[], session(12));
    assert_eq!(nothing.no_trades, Some(NoTrades::NoSessions));
    assert!(nothing.equity_curve.is_empty());
    let first = [session(0)];
    let sentiment = [Instrument {
        sentiment: Steps::new(&first, &[0.4]),
        ..one[0]
    }];
    let found = backtest(
        &strategy(&[("sentiment_above", 0.5)], &[]),
        &sentiment,
        session(0),
    )
    .unwrap();
    assert_eq!(found.no_trades, Some(NoTrades::NothingMatched));
}

#[test]
fn numbers_out_of_range_are_named() {
    let prices = candles(&[at(10.0); 3]);
    let one = [Instrument::of_prices("A", prices.view())];
    let good = strategy(&[], &[]);
    for (rule, name) in [
        (
            Strategy {
                initial_capital: 0.0,
                ..good.clone()
            },
            "initial_capital",
        ),
        (
            Strategy {
                initial_capital: f64::NAN,
                ..good.clone()
            },
            "initial_capital",
        ),
        (
            Strategy {
                max_positions: 0,
                ..good.clone()
            },
            "max_positions",
        ),
        (
            Strategy {
                fees_bps: -1.0,
                ..good.clone()
            },
            "fees_bps",
        ),
        (
            Strategy {
                lag: 21,
                ..good.clone()
            },
            "lag",
        ),
    ] {
        assert_eq!(backtest(&rule, &one, session(0)).unwrap_err().key(), name);
    }
}

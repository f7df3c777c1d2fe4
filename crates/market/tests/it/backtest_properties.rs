//! What holds for every strategy on every market.

use market::backtest::{Backtest, ExitReason, Instrument, Rebalance, Strategy, backtest};
use market::filters::{ExitFilters, Filters};
use market::{CandleColumns, Day};
use proptest::prelude::*;
use proptest::strategy::Strategy as _;

use crate::degenerate::walks;

fn markets() -> impl proptest::strategy::Strategy<Value = Vec<CandleColumns>> {
    prop::collection::vec(walks(30..160), 1..8)
}

fn strategies() -> impl proptest::strategy::Strategy<Value = Strategy> {
    let entry = prop_oneof![
        Just(Filters::default()),
        (30.0_f64..70.0).prop_map(|rsi| Filters::parse([("rsi_below", rsi.into())]).unwrap()),
        Just(Filters::parse([("above_sma_20", true.into())]).unwrap()),
        Just(Filters::parse([("below_sma_20", true.into()), ("rsi_below", 60.0.into())]).unwrap()),
    ];
    let exit = prop_oneof![
        Just(ExitFilters::default()),
        (1.0_f64..20.0)
            .prop_map(|stop| ExitFilters::parse([("stop_loss_pct", stop.into())]).unwrap()),
        (40.0_f64..80.0, 1.0_f64..20.0).prop_map(|(rsi, stop)| {
            ExitFilters::parse([("rsi_above", rsi.into()), ("stop_loss_pct", stop.into())]).unwrap()
        }),
    ];
    let rebalance = prop_oneof![Just(Rebalance::Weekly), Just(Rebalance::Monthly)];
    (
        entry,
        exit,
        rebalance,
        1_usize..5,
        0.0_f64..50.0,
        0_usize..3,
    )
        .prop_map(
            |(entry, exit, rebalance, max_positions, fees_bps, lag)| Strategy {
                entry,
                exit,
                rebalance,
                initial_capital: 10_000.0,
                max_positions,
                fees_bps,
                slippage_bps: 0.0,
                lag,
            },
        )
}

fn run(strategy: &Strategy, market: &[CandleColumns], until: Day) -> Backtest {
    let names: Vec<String> = (0..market.len()).map(|n| format!("S{n}")).collect();
    let instruments: Vec<_> = market
        .iter()
        .zip(&names)
        .map(|(columns, name)| Instrument::of_prices(name, columns.view().until(until)))
        .collect();
    backtest(strategy, &instruments, Day::new(15_010).unwrap()).unwrap()
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn nothing_is_bought_before_it_was_signalled(market in markets(), strategy in strategies()) {
        let found = run(&strategy, &market, Day::MAX);
        let session = |day: Day| found.equity_curve.iter().position(|point| point.day == day).unwrap();
        for trade in &found.trades {
            prop_assert_eq!(session(trade.entry_day), session(trade.signal_day) + 1 + strategy.lag);
            prop_assert!(trade.exit_day >= trade.entry_day);
            let columns = &market[trade.ticker[1..].parse::<usize>().unwrap()];
            let bar = columns.view().days().iter().position(|day| *day == trade.entry_day).unwrap();
            prop_assert_eq!(trade.entry_price, columns.view().open()[bar]);
        }
        prop_assert_eq!(found.trades.is_empty(), found.no_trades.is_some());
    }

    #[test]
    fn later_bars_change_no_closed_trade(market in markets(), strategy in strategies(), cut in 20_i32..150) {
        let until = Day::new(15_010 + cut).unwrap();
        let (early, whole) = (run(&strategy, &market, until), run(&strategy, &market, Day::MAX));
        let closed = |found: &Backtest| {
            found
                .trades
                .iter()
                .filter(|trade| trade.exit_reason != ExitReason::EndOfPeriod && trade.exit_day < until)
                .cloned()
                .collect::<Vec<_>>()
        };
        prop_assert_eq!(closed(&early), closed(&whole));
        // What was open at the earlier end was bought in the same way.
        for trade in early.trades.iter().filter(|trade| trade.exit_reason == ExitReason::EndOfPeriod) {
            let same = whole.trades.iter().any(|other| {
                (&other.ticker, other.entry_day, other.cost) == (&trade.ticker, trade.entry_day, trade.cost)
            });
            prop_assert!(same);
        }
        let days = early.equity_curve.len().saturating_sub(1);
        prop_assert_eq!(&early.equity_curve[..days], &whole.equity_curve[..days]);
    }

    #[test]
    fn equity_is_cash_and_positions_every_day(market in markets(), strategy in strategies()) {
        let found = run(&strategy, &market, Day::MAX);
        let fee = strategy.fees_bps / 10_000.0;
        for point in &found.equity_curve {
            let (mut cash, mut held, mut positions) = (strategy.initial_capital, 0.0, 0);
            for trade in &found.trades {
                if trade.entry_day <= point.day {
                    cash -= trade.cost;
                }
                if trade.exit_day <= point.day {
                    cash += trade.proceeds;
                } else if trade.entry_day <= point.day {
                    let columns = &market[trade.ticker[1..].parse::<usize>().unwrap()];
                    let close = columns.view().until(point.day).last().unwrap().close;
                    held += trade.cost / (trade.entry_price * (1.0 + fee)) * close;
                    positions += 1;
                }
            }
            prop_assert!(near(point.cash, cash), "cash {} and {}", point.cash, cash);
            prop_assert!(near(point.value, cash + held), "value {} and {}", point.value, cash + held);
            prop_assert!(point.value.is_finite() && point.cash >= 0.0);
            prop_assert_eq!(point.positions, positions);
            prop_assert!(positions <= strategy.max_positions);
        }
    }

    #[test]
    fn stops_are_respected(market in markets(), strategy in strategies()) {
        let found = run(&strategy, &market, Day::MAX);
        let Some(percent) = strategy.exit.stop_loss_pct() else { return Ok(()) };
        for trade in &found.trades {
            let stop = trade.entry_price * (1.0 - percent / 100.0);
            let columns = &market[trade.ticker[1..].parse::<usize>().unwrap()];
            let held = columns.view().since(trade.entry_day).until(trade.exit_day);
            let before = held.bars(0, held.len() - 1);
            if trade.exit_reason == ExitReason::StopLoss {
                let last = held.last().unwrap();
                prop_assert_eq!(trade.exit_price, stop.min(last.open));
                prop_assert!(last.low <= stop);
                prop_assert!(before.low().iter().all(|low| *low > stop));
            } else if held.last().unwrap().day == trade.exit_day {
                prop_assert!(before.low().iter().all(|low| *low > stop));
            }
        }
    }

    #[test]
    fn the_curve_and_the_trades_tell_the_same_return(market in markets(), strategy in strategies()) {
        let found = run(&strategy, &market, Day::MAX);
        let profit: f64 = found.trades.iter().map(|trade| trade.proceeds - trade.cost).sum();
        let from_trades = profit / strategy.initial_capital * 100.0;
        prop_assert!(near(found.performance.total_return_pct, from_trades));
        prop_assert_eq!(found.equity_curve[0].value, strategy.initial_capital);
        prop_assert_eq!(&run(&strategy, &market, Day::MAX), &found);
    }
}

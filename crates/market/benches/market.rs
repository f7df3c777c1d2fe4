//! Lower bounds of speed: twenty indicators, a weekly strategy on 500 symbols, the screener, correlation.
//!
//! `cargo bench -p market`. All on one thread, on generated prices.

#![expect(
    clippy::unwrap_used,
    reason = "a measurement ends where it cannot go on"
)]

use std::hint::black_box;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use market::backtest::{Instrument, Strategy, backtest};
use market::correlation::correlation;
use market::filters::{ExitFilters, Filters};
use market::indicators as i;
use market::screener::{PriceMetrics, Screen, ScreenerRow, Snapshot, SortBy, screen};
use market::signals::summary;
use market::technicals::technicals;
use market::{Candle, CandleColumns, Candles, Day, Range};

/// Numbers in 0 to 1 from a seed.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

fn walk(seed: u64, days: i32) -> CandleColumns {
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15 ^ (seed << 32 | 1));
    let mut price = 20.0 + 200.0 * dice.next();
    let rows = (0..days).map(|day| {
        let open = price;
        price *= 1.0 + (dice.next() - 0.5) * 0.04;
        Candle {
            day: Day::new(18_000 + day).unwrap(),
            open,
            high: open.max(price) * (1.0 + dice.next() * 0.01),
            low: open.min(price) * (1.0 - dice.next() * 0.01),
            close: price,
            volume: (dice.next() * 1e7).floor(),
        }
    });
    CandleColumns::sift(rows).0
}

/// Every indicator at every bar.
fn every_line(candles: Candles<'_>) {
    let close = candles.close();
    for period in [20, 50, 200] {
        black_box(i::sma::sma(close, period));
    }
    for period in [12, 26] {
        black_box(i::ema::ema(close, period));
    }
    black_box(i::rsi::rsi(close));
    black_box(i::macd::macd(close));
    black_box(i::bollinger::bollinger(close));
    black_box(i::stochastic::stochastic(candles));
    black_box(i::atr::atr(candles));
    black_box(i::adx::adx(candles));
    black_box(i::obv::obv(candles));
    black_box(i::vwap::vwap(candles));
    black_box(i::williams_r::williams_r(candles));
    black_box(i::cci::cci(candles));
    black_box(i::mfi::mfi(candles));
    black_box(i::roc::roc(close));
    black_box(i::parabolic_sar::parabolic_sar(candles));
    black_box(i::ichimoku::ichimoku(candles));
    black_box(i::ppo::ppo(close));
    black_box(i::trix::trix(close));
    black_box(i::donchian::donchian(candles));
    black_box(i::fibonacci::fibonacci(candles));
}

fn indicators(bench: &mut Criterion) {
    let columns = walk(1, 1_260);
    bench.bench_function("20 indicators at every bar, 1260 days", |b| {
        b.iter(|| every_line(black_box(columns.view())));
    });
    bench.bench_function("technicals and signals, 1260 days", |b| {
        b.iter(|| {
            let found = technicals(black_box(columns.view()), Range::SixMonths).unwrap();
            (summary(&found), found)
        });
    });
    let universe: Vec<_> = (0..500).map(|seed| walk(seed, 1_260)).collect();
    bench.bench_function("20 indicators at every bar, 1260 days, 500 symbols", |b| {
        b.iter(|| {
            for columns in &universe {
                every_line(columns.view());
            }
        });
    });
}

fn strategies(bench: &mut Criterion) {
    let universe: Vec<_> = (0..500)
        .map(|seed| (format!("S{seed:03}"), walk(seed, 504)))
        .collect();
    let instruments: Vec<_> = universe
        .iter()
        .map(|(ticker, columns)| Instrument::of_prices(ticker, columns.view()))
        .collect();
    let start = Day::new(18_000).unwrap();
    let rsi = Strategy {
        entry: Filters::parse([("rsi_below", 30.0.into())]).unwrap(),
        exit: ExitFilters::parse([("rsi_above", 60.0.into()), ("stop_loss_pct", 8.0.into())])
            .unwrap(),
        ..Strategy::default()
    };
    let many = Strategy {
        entry: Filters::parse([
            ("rsi_below", 60.0.into()),
            ("macd_bullish", true.into()),
            ("above_sma_20", true.into()),
            ("above_sma_50", true.into()),
            ("above_sma_200", true.into()),
            ("volume_above", 1e6.into()),
        ])
        .unwrap(),
        ..rsi.clone()
    };
    for (name, strategy) in [("RSI", rsi), ("six filters", many)] {
        let found = backtest(&strategy, &instruments, start).unwrap();
        assert!(found.performance.total_trades > 20);
        bench.bench_function(&format!("weekly {name}, 500 symbols, 504 days"), |b| {
            b.iter(|| backtest(black_box(&strategy), &instruments, start));
        });
    }
}

fn screener(bench: &mut Criterion) {
    let mut dice = Dice(7);
    let sectors = [
        "Energy",
        "Health Care",
        "Information Technology",
        "Financials",
    ];
    let snapshot: Snapshot = (0..10_000)
        .map(|row| ScreenerRow {
            ticker: format!("T{row:05}"),
            entity_name: format!("Company {row}"),
            sector: sectors[row % sectors.len()].to_owned(),
            prices: PriceMetrics {
                date: None,
                price: Some(10.0 + 100.0 * dice.next()),
                change_pct: Some(dice.next() * 4.0 - 2.0),
                rsi_14: Some(100.0 * dice.next()),
                macd_histogram: Some(dice.next() - 0.5),
                sma_20: Some(10.0 + 100.0 * dice.next()),
                sma_50: Some(10.0 + 100.0 * dice.next()),
                sma_200: Some(10.0 + 100.0 * dice.next()),
                volume: Some(1e7 * dice.next()),
                ..PriceMetrics::default()
            },
            sentiment_score: Some(dice.next()),
            pe_ratio: Some(60.0 * dice.next()),
            market_cap_b: Some(1e3 * dice.next()),
            ..ScreenerRow::default()
        })
        .collect();
    let question = Screen {
        filters: Filters::parse([
            ("rsi_below", 60.0.into()),
            ("pe_below", 40.0.into()),
            ("macd_bullish", true.into()),
            ("above_sma_50", true.into()),
        ])
        .unwrap(),
        limit: 50,
        ..Screen::default()
    };
    let broad = Screen {
        limit: 50,
        sort: SortBy::MarketCap,
        sector: Some("Energy".to_owned()),
        ..Screen::default()
    };
    for (name, question) in [("four filters", question), ("a sector by size", broad)] {
        bench.bench_function(&format!("screener, 10000 symbols, {name}"), |b| {
            b.iter(|| screen(black_box(&snapshot), &question).total_matches);
        });
    }
}

fn correlations(bench: &mut Criterion) {
    let columns: Vec<_> = (0..10).map(|seed| walk(seed, 366)).collect();
    let views: Vec<_> = columns.iter().map(CandleColumns::view).collect();
    bench.bench_function("correlation, 10 tickers, 365 days", |b| {
        b.iter_batched(
            || views.clone(),
            |views| correlation(black_box(&views), 365),
            BatchSize::SmallInput,
        );
    });
}

criterion_group!(floors, indicators, strategies, screener, correlations);
criterion_main!(floors);

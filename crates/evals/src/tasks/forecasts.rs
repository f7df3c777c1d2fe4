//! What forecasts of prices and of economic series come to: made again at earlier times from what was known then, and compared with
//! what came.
//!
//! Nothing of the method is fitted to these prices: its constants are those of the literature. Beside each score stands climatology's,
//! the share of earlier times in which the same happened.

use analysis::market::{INDICATORS, MarketServices, PointInTime};
use market::forecast::{Calibration, calibrate, calibrate_series};
use model::{DataMode, Frequency, Timestamp};
use store::{Location, Store};

use crate::data::Data;
use crate::market_data;
use crate::table::Table;

/// The day on which the prices are read.
const TODAY: &str = "2026-11-23";
/// Sessions ahead, and the change in percent beyond which the outer cases lie.
const HORIZONS: [(usize, f64); 4] = [(21, 5.0), (63, 10.0), (126, 15.0), (252, 20.0)];
/// Instruments that are measured, the most traded first.
const MOST: usize = 400;

/// Forecasts of every traded instrument of the folder.
pub(crate) fn run(data: &Data) -> anyhow::Result<Vec<Table>> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .worker_threads(2)
        .build()?;
    runtime.block_on(measure(data))
}

async fn measure(data: &Data) -> anyhow::Result<Vec<Table>> {
    let now: Timestamp = format!("{TODAY}T12:00:00Z").parse()?;
    let store = Store::open(&Location::Memory, DataMode::Real).await?;
    if market_data::import(data, &store, now).await? == 0 {
        data.note_absent("market data (`market/`, `macro/`, `wire/`)");
        return Ok(Vec::new());
    }
    let services = MarketServices::new(store);
    let mut traded = services.instruments.traded().await?;
    let when = PointInTime {
        end: now,
        as_of: None,
    };
    let (mut shares, mut coins) = (Vec::new(), Vec::new());
    traded.sort_by(|one, other| other.turnover.total_cmp(&one.turnover));
    for one in traded.iter().take(MOST) {
        let listing = &one.listing;
        let history = services.prices.history(listing, when).await?;
        let closes = history.candles().close().to_vec();
        if listing.asset_type().never_closes() {
            coins.push(closes);
        } else {
            shares.push(closes);
        }
    }
    let mut table = Table::new(
        "Forecasts of prices, made again at earlier days",
        &[
            "instruments",
            "sessions ahead",
            "histories",
            "forecasts",
            "Brier score",
            "climatology",
            "skill",
            "constant, in hindsight",
            "inside the 80% range",
        ],
    );
    for (name, histories) in [("shares and funds", &shares), ("coins", &coins)] {
        for (sessions, beyond) in HORIZONS {
            let found: Vec<Calibration> = histories
                .iter()
                .filter_map(|closes| calibrate(closes, sessions, (-beyond, beyond)))
                .collect();
            if found.is_empty() {
                continue;
            }
            let all = Calibration::together(&found);
            table.row([
                name.to_owned(),
                sessions.to_string(),
                found.len().to_string(),
                all.forecasts.to_string(),
                format!("{:.4}", all.brier),
                format!("{:.4}", all.climatology),
                format!("{:+.3}", all.skill()),
                format!("{:.4}", all.hindsight()),
                format!("{:.3}", all.inside_80),
            ]);
        }
    }
    table.note(
        "Three events each: a higher close, and a change beyond ±5, ±10, ±15 and ±20 percent. Forecasts of one history overlap, so that \
         their number says little about their independence. Skill is the share of climatology's score that is saved; with four years of history the share of earlier times is a poor forecast \
         of a year. The constant is the score of saying of each event, every time, how often it came in the end over all instruments, \
         which nobody knew beforehand.",
    );
    Ok(vec![table, series(&services, when).await?])
}

/// Observations of a series that a forecast reads, the newest.
const OBSERVATIONS: usize = 360;
/// Months ahead.
const MONTHS: [f64; 2] = [3.0, 12.0];

/// Forecasts of the economic indicators.
async fn series(services: &MarketServices, when: PointInTime) -> anyhow::Result<Table> {
    let mut table = Table::new(
        "Forecasts of economic series, made again at earlier observations",
        &[
            "indicator",
            "months ahead",
            "forecasts",
            "Brier score",
            "climatology",
            "skill",
            "inside the 80% range",
            "ranges wider by",
        ],
    );
    for indicator in INDICATORS.iter() {
        let Some(found) = services.economy.indicator(indicator, when).await? else {
            continue;
        };
        let a_year = match found.frequency {
            Frequency::Daily => 252.0,
            Frequency::Weekly => 52.18,
            Frequency::Monthly => 12.0,
            Frequency::Quarterly => 4.0,
            Frequency::Annual => 1.0,
        };
        let values: Vec<f64> = found.observations.iter().map(|one| one.value).collect();
        let values = &values[values.len().saturating_sub(OBSERVATIONS)..];
        for months in MONTHS {
            let ahead = ((a_year * months / 12.0).round() as usize).max(1);
            let Some(tested) = calibrate_series(values, ahead) else {
                continue;
            };
            table.row([
                indicator.name.to_owned(),
                format!("{months:.0}"),
                tested.forecasts.to_string(),
                format!("{:.4}", tested.brier),
                format!("{:.4}", tested.climatology),
                format!("{:+.3}", tested.skill()),
                format!("{:.3}", tested.inside_80),
                format!("{:.2}", tested.widen),
            ]);
        }
    }
    table.note(
        "Three cases each: within the usual change, above it, below it. Climatology is the share of earlier times in which the case \
         came; where the method does no better, a forecast takes those shares, and ranges that held too little are as much wider as it \
         would have taken.",
    );
    Ok(table)
}

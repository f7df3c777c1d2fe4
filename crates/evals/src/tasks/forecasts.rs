//! What forecasts of prices come to: made again at earlier days from what was known then, and compared with what came.
//!
//! Nothing of the method is fitted to these prices: its constants are those of the literature. Beside each score stands climatology's,
//! the share of earlier times in which the same happened.

use analysis::market::{MarketServices, PointInTime};
use market::forecast::{Calibration, calibrate};
use model::{DataMode, Timestamp};
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
    let mut traded = services.instruments.traded(0).await?.unwrap_or_default();
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
    Ok(vec![table])
}

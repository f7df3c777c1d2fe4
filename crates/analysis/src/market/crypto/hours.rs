//! The hours of coins.

use std::collections::BTreeSet;

use model::{Day, HourBar, Symbol, Timestamp};
use store::RecordQuery;

use super::{Coin, Crypto};
use crate::Result;
use crate::market::PointInTime;
use crate::market::time_series::change_pct;

const HOUR_MS: i64 = Timestamp::HOUR_MS;
/// The most hours that are read of a coin, the newest: more than a year.
const MOST: u64 = 10_000;

impl Crypto {
    /// The hours of a coin that began in a stretch of days and were over at a point in time, oldest first; of more than
    /// 10,000 the newest.
    pub async fn hours(
        &self,
        symbol: &Symbol,
        (from, to): (Day, Day),
        when: PointInTime,
    ) -> Result<Vec<HourBar>> {
        let query = RecordQuery {
            symbol: Some(symbol.clone()),
            from: Some(from),
            to: Some(to),
            limit: MOST,
            ..RecordQuery::default()
        };
        let stored = self.records.known::<HourBar>(when, query).await?;
        let mut bars: Vec<HourBar> = stored.into_iter().map(|stored| stored.record).collect();
        bars.sort_by_key(|bar| bar.at);
        Ok(bars)
    }

    /// Gives coins their change over an hour where no provider reports it: against the hourly close nearest to an hour before
    /// their price.
    pub(super) async fn add_changes_of_an_hour(
        &self,
        coins: &mut [Coin],
        when: PointInTime,
    ) -> Result<()> {
        let begin_of = |coin: &Coin| {
            let at = coin.price_at.filter(|_| coin.change_1h.is_none())?;
            Some(nearest_full_hour(at.plus_ms(-HOUR_MS)).plus_ms(-HOUR_MS))
        };
        let begins: BTreeSet<Timestamp> = coins.iter().filter_map(begin_of).collect();
        let Some((first, last)) = begins.first().zip(begins.last()) else {
            return Ok(());
        };
        // Prices of long ago have no hours; those of one moment have the same.
        let oldest = last.plus_ms(-Timestamp::DAY_MS).max(*first);
        let hours: BTreeSet<i64> = begins.iter().map(|at| hour_of(*at)).collect();
        let query = RecordQuery {
            words: hours.iter().map(i64::to_string).collect(),
            from: Some(Day::of(oldest)),
            to: Some(Day::of(*last)),
            ..RecordQuery::default()
        };
        let stored = self.records.known::<HourBar>(when, query).await?;
        for coin in coins {
            let Some(begin) = begin_of(coin) else {
                continue;
            };
            let bar = stored
                .iter()
                .map(|stored| &stored.record)
                .find(|bar| bar.at == begin && bar.symbol == coin.symbol);
            coin.change_1h = bar
                .zip(coin.price)
                .and_then(|(bar, price)| change_pct(price, bar.close));
        }
        Ok(())
    }
}

fn hour_of(at: Timestamp) -> i64 {
    at.ms().rem_euclid(Timestamp::DAY_MS) / HOUR_MS
}

fn nearest_full_hour(at: Timestamp) -> Timestamp {
    Timestamp::from_ms((at.ms() + HOUR_MS / 2).div_euclid(HOUR_MS) * HOUR_MS)
}

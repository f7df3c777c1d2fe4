//! The hourly bars of coins.

use std::collections::BTreeSet;

use model::{Day, HourBar, Symbol, Timestamp};
use store::RecordQuery;

use super::{Coin, Crypto};
use crate::Result;
use crate::market::PointInTime;
use crate::market::time_series::change_pct;

const HOUR_MS: i64 = Timestamp::HOUR_MS;
/// The maximum number of hours read for a coin, the newest ones: more than a year.
const MOST: u64 = 10_000;

impl Crypto {
    /// The hours of a coin that began within a range of days and had ended at a point in time, oldest first; if there
    /// are more than 10,000, the newest.
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

    /// Gives coins their changes over an hour and over a day if no provider reports them: against the hourly close
    /// nearest to that long before their price. Over a day, a daily close at exactly that time serves as well.
    pub(super) async fn add_changes_of_hours(
        &self,
        coins: &mut [Coin],
        when: PointInTime,
    ) -> Result<()> {
        let hour_before = |coin: &Coin| {
            let at = coin.price_at.filter(|_| coin.change_1h.is_none())?;
            Some(at.plus_ms(-HOUR_MS))
        };
        let day_before = |coin: &Coin| {
            let at = coin.price_at.filter(|_| coin.is_day_rough)?;
            Some(at.plus_ms(-Timestamp::DAY_MS))
        };
        let begins: BTreeSet<Timestamp> = coins
            .iter()
            .flat_map(|coin| [hour_before(coin), day_before(coin)])
            .flatten()
            .map(begin_of_hour_before)
            .collect();
        let Some((first, last)) = begins.first().zip(begins.last()) else {
            return Ok(());
        };
        // Very old prices have no hours; prices at the same time share the same hours, and those of a day earlier.
        let oldest = last.plus_ms(-2 * Timestamp::DAY_MS).max(*first);
        let hours: BTreeSet<i64> = begins.iter().map(|at| hour_of(*at)).collect();
        let query = RecordQuery {
            words: hours.iter().map(i64::to_string).collect(),
            from: Some(Day::of(oldest)),
            to: Some(Day::of(*last)),
            ..RecordQuery::default()
        };
        let stored = self.records.known::<HourBar>(when, query).await?;
        for coin in coins {
            let change = |before: Option<Timestamp>| {
                let begin = begin_of_hour_before(before?);
                let bars = stored.iter().map(|stored| &stored.record);
                let mut bars = bars.filter(|bar| bar.symbol == coin.symbol);
                let bar = bars.find(|bar| bar.at == begin)?;
                change_pct(coin.price?, bar.close)
            };
            let (of_hour, of_day) = (change(hour_before(coin)), change(day_before(coin)));
            if coin.change_1h.is_none() {
                coin.change_1h = of_hour;
            }
            if let Some(change) = of_day {
                coin.take_change_of_a_day(change);
            }
        }
        Ok(())
    }
}

/// The start of the hour that ended nearest to a given time.
fn begin_of_hour_before(at: Timestamp) -> Timestamp {
    nearest_full_hour(at).plus_ms(-HOUR_MS)
}

fn hour_of(at: Timestamp) -> i64 {
    at.ms().rem_euclid(Timestamp::DAY_MS) / HOUR_MS
}

fn nearest_full_hour(at: Timestamp) -> Timestamp {
    Timestamp::from_ms((at.ms() + HOUR_MS / 2).div_euclid(HOUR_MS) * HOUR_MS)
}

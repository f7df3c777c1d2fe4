//! The point in time at which a question is asked, and as of which it is answered.

use market::{Day, calendar};
use model::{AssetType, Timestamp};

/// The point in time of a question. Windows end at [`Self::end`]; prices are from the newest session known then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointInTime {
    /// The end of every window: the requested time, or now.
    pub end: Timestamp,
    /// As known then; `None` means now.
    pub as_of: Option<Timestamp>,
}

impl PointInTime {
    /// The day that sets the scale for prices and reported figures: they contain the splits up to then.
    pub fn scale(self) -> Day {
        Day::of(self.end)
    }

    /// The newest day with a known candle: the newest closed session, or for markets that never close, the newest full
    /// UTC day.
    pub fn newest_day(self, asset_type: AssetType) -> Day {
        let yesterday = Day::of(self.end).plus(-1);
        if asset_type.never_closes() {
            yesterday
        } else {
            calendar::newest_closed_session(self.end).unwrap_or(yesterday)
        }
    }

    /// When the candle for a given day became known. A day on which the exchange was closed, as in a series from
    /// another exchange, counts as known at its end.
    pub fn known_at(day: Day, asset_type: AssetType) -> Timestamp {
        let end_of_day = day.plus(1).starts_at();
        if asset_type.never_closes() {
            end_of_day
        } else {
            calendar::closes_at(day).unwrap_or(end_of_day)
        }
    }
}

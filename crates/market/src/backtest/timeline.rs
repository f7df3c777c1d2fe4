//! The sessions of a period, and which bar of each instrument belongs to which.

use crate::Day;
use crate::backtest::{Instrument, Rebalance};

/// Marks a session on which an instrument has no bar.
const NO_BAR: u32 = u32::MAX;

/// After this many sessions without a bar, an instrument counts as no longer traded.
pub(super) const SILENT_SESSIONS: usize = 10;

/// Sessions in order, with a table from session and instrument to bar.
pub(super) struct Timeline {
    sessions: Vec<Day>,
    rebalances: Vec<bool>,
    /// One row of sessions per instrument.
    bars: Vec<u32>,
}

impl Timeline {
    /// The sessions from `start` on: every day on which at least one instrument has a candle.
    pub(super) fn new(instruments: &[Instrument<'_>], start: Day, rebalance: Rebalance) -> Self {
        let windows: Vec<_> = instruments
            .iter()
            .map(|instrument| instrument.candles.since(start))
            .collect();
        let newest = windows
            .iter()
            .filter_map(|window| window.days().last())
            .max();
        let span = newest.map_or(0, |newest| newest.since(start) as usize + 1);
        let mut traded = vec![false; span];
        for window in &windows {
            for day in window.days() {
                traded[day.since(start) as usize] = true;
            }
        }
        let sessions: Vec<_> = (0..span)
            .filter(|offset| traded[*offset])
            .map(|offset| start.plus(offset as i32))
            .collect();
        let mut session_of = vec![0; span];
        for (session, day) in sessions.iter().enumerate() {
            session_of[day.since(start) as usize] = session;
        }
        let mut bars = vec![NO_BAR; sessions.len() * instruments.len()];
        for (row, (window, instrument)) in windows.iter().zip(instruments).enumerate() {
            let before = instrument.candles.len() - window.len();
            let row = &mut bars[row * sessions.len()..][..sessions.len()];
            for (offset, day) in window.days().iter().enumerate() {
                row[session_of[day.since(start) as usize]] = (before + offset) as u32;
            }
        }
        let mut previous = None;
        let rebalances = sessions
            .iter()
            .map(|day| {
                let label = Some(rebalance.label(*day));
                std::mem::replace(&mut previous, label) != label
            })
            .collect();
        Self {
            sessions,
            rebalances,
            bars,
        }
    }

    /// The days of the sessions.
    pub(super) fn sessions(&self) -> &[Day] {
        &self.sessions
    }

    /// Whether entries are evaluated at the close of a session.
    pub(super) fn is_rebalance(&self, session: usize) -> bool {
        self.rebalances[session]
    }

    /// Whether this session shows that an instrument is no longer traded: so many sessions have passed without a bar
    /// that a late delivery is ruled out. This cannot be known earlier, nor can it be known whether its prices will
    /// resume.
    pub(super) fn ends(&self, instrument: usize, session: usize) -> bool {
        let Some(last) = session.checked_sub(SILENT_SESSIONS) else {
            return false;
        };
        self.bar(instrument, session).is_none()
            && self.bar(instrument, last).is_some()
            && (last + 1..session).all(|between| self.bar(instrument, between).is_none())
    }

    /// An instrument's bar at a session.
    pub(super) fn bar(&self, instrument: usize, session: usize) -> Option<usize> {
        let bar = self.bars[instrument * self.sessions.len() + session];
        (bar != NO_BAR).then_some(bar as usize)
    }
}

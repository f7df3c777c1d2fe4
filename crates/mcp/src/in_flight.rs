//! Calls in flight over HTTP, so that a notification in another request can cancel them.
//!
//! Requests over HTTP know nothing of each other: a conversation has an id, issued when it is opened, and nothing else
//! about it is kept. A call is listed here only while it is being answered, so there are hardly more entries than
//! connections. Beyond the limit calls are still answered, but only hanging up cancels them. The payer is part of the
//! key: anybody who guesses the id of another's conversation cancels nothing.

use std::collections::HashMap;
use std::sync::Arc;

use http::HeaderMap;
use operations::Payer;
use parking_lot::Mutex;
use rmcp::model::RequestId;
use tokio_util::sync::CancellationToken;

/// The header that carries the id of a conversation.
pub(crate) const SESSION_HEADER: &str = "mcp-session-id";
/// Hexadecimal digits of an id.
const LENGTH: usize = 32;
/// Calls that can be cancelled at any one time.
const MOST: usize = 16_384;

/// The id of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SessionId(Box<str>);

impl SessionId {
    /// An id that nobody else has.
    pub(crate) fn fresh() -> Self {
        let random: [u8; LENGTH / 2] = rand::random();
        Self(hex::encode(random).into())
    }

    /// The id that a request names; `None` for anything that was not issued here.
    pub(crate) fn of(headers: &HeaderMap) -> Option<Self> {
        let text = headers.get(SESSION_HEADER)?.to_str().ok()?;
        let is_ours = text.len() == LENGTH && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_ours.then(|| Self(text.into()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whose call it is, in which conversation, and with which number.
type Key = (Payer, SessionId, RequestId);

/// Calls in flight.
#[derive(Clone, Default)]
pub(crate) struct InFlight(Arc<Mutex<HashMap<Key, CancellationToken>>>);

impl InFlight {
    /// Keeps a call here until the returned value is dropped; `None` if there are too many, or if a call with this
    /// number is already in flight.
    pub(crate) fn enter(
        &self,
        payer: Payer,
        session: SessionId,
        id: RequestId,
        cancel: CancellationToken,
    ) -> Option<Entered> {
        let key = (payer, session, id);
        let mut calls = self.0.lock();
        if calls.len() >= MOST || calls.contains_key(&key) {
            return None;
        }
        calls.insert(key.clone(), cancel);
        drop(calls);
        Some(Entered {
            calls: self.clone(),
            key,
        })
    }

    /// Cancels a call; one that is no longer in flight is left alone.
    pub(crate) fn cancel(&self, payer: Payer, session: SessionId, id: RequestId) {
        if let Some(cancel) = self.0.lock().get(&(payer, session, id)) {
            cancel.cancel();
        }
    }

    #[cfg(test)]
    fn count(&self) -> usize {
        self.0.lock().len()
    }
}

/// A call in flight.
pub(crate) struct Entered {
    calls: InFlight,
    key: Key,
}

impl Drop for Entered {
    fn drop(&mut self) {
        self.calls.0.lock().remove(&self.key);
    }
}

#[cfg(test)]
mod tests {
    use operations::ClientAddress;

    use super::*;

    fn payer(last: u8) -> Payer {
        Payer::Client(ClientAddress::new([192, 0, 2, last].into()))
    }

    #[test]
    fn only_its_own_payer_cancels_a_call() {
        let calls = InFlight::default();
        let (session, cancel) = (SessionId::fresh(), CancellationToken::new());
        let id = RequestId::Number(7);
        let entered = calls.enter(payer(1), session.clone(), id.clone(), cancel.clone());
        let again = CancellationToken::new();
        assert!(
            calls
                .enter(payer(1), session.clone(), id.clone(), again)
                .is_none()
        );
        calls.cancel(payer(2), session.clone(), id.clone());
        calls.cancel(payer(1), SessionId::fresh(), id.clone());
        calls.cancel(payer(1), session.clone(), RequestId::Number(8));
        assert!(!cancel.is_cancelled());
        calls.cancel(payer(1), session, id);
        assert!(cancel.is_cancelled());
        drop(entered);
        assert_eq!(calls.count(), 0);
    }

    #[test]
    fn there_is_a_bound() {
        let (calls, session) = (InFlight::default(), SessionId::fresh());
        let entered: Vec<_> = (0..MOST as i64 + 10)
            .map(|id| {
                let cancel = CancellationToken::new();
                calls.enter(payer(1), session.clone(), RequestId::Number(id), cancel)
            })
            .collect();
        assert_eq!(calls.count(), MOST);
        drop(entered);
        assert_eq!(calls.count(), 0);
    }

    #[test]
    fn only_ids_of_ours_are_read() {
        let of = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(SESSION_HEADER, text.parse().unwrap());
            SessionId::of(&headers)
        };
        let fresh = SessionId::fresh();
        assert_eq!(of(fresh.as_str()), Some(fresh));
        assert_eq!(of("abc"), None);
        assert_eq!(of(&"x".repeat(LENGTH)), None);
        assert_eq!(of(&"a".repeat(LENGTH + 1)), None);
    }
}

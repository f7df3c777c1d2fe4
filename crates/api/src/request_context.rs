//! One request and what is learnt about it on its way in.
//!
//! The frame creates it, the gate fills it in, and the frame writes the headers from it, whatever answered in between.

use std::net::IpAddr;
use std::sync::{Arc, OnceLock};

use axum::extract::ConnectInfo;
use http::{Extensions, HeaderValue, Request};
use operations::{Allowance, Attempt, Caller, Charge, ClientAddress, Error, Result};
use store::StoredAnswer;

use crate::forwarded::client_of;
use crate::presented::Presented;
use crate::router::Route;
use crate::settings::Settings;
use crate::state::AppState;

/// The context of one request, shared by its layers.
pub(crate) struct RequestContext {
    /// The caller's own request id, or a fresh one.
    pub(crate) id: HeaderValue,
    /// Who opened the connection.
    pub(crate) peer: Option<IpAddr>,
    /// Whom limits are counted for.
    pub(crate) client: ClientAddress,
    /// The credential as sent; an error if there are two.
    pub(crate) presented: Result<Presented>,
    caller: OnceLock<Caller>,
    allowance: OnceLock<Allowance>,
    route: OnceLock<Arc<Route>>,
    /// What it is charged.
    pub(crate) charge: Charge,
}

impl RequestContext {
    /// Reads what the headers say.
    pub(crate) fn open<B>(request: &Request<B>, settings: &Settings) -> Arc<Self> {
        let peer = request
            .extensions()
            .get::<ConnectInfo<std::net::SocketAddr>>()
            .map(|ConnectInfo(address)| address.ip().to_canonical());
        Arc::new(Self {
            id: request_id(request.headers().get("x-request-id")),
            peer,
            client: client_of(peer, request.headers(), &settings.trusted_proxies),
            presented: Presented::of_request(request.headers(), request.uri()),
            caller: OnceLock::new(),
            allowance: OnceLock::new(),
            route: OnceLock::new(),
            charge: Charge::default(),
        })
    }

    /// The context that the frame put there.
    pub(crate) fn of(extensions: &Extensions) -> Result<&Arc<Self>> {
        extensions
            .get()
            .ok_or_else(|| Error::internal("a request has no context"))
    }

    pub(crate) fn caller(&self) -> Option<&Caller> {
        self.caller.get()
    }

    /// The caller, known behind a gate.
    pub(crate) fn known_caller(&self) -> Result<&Caller> {
        self.caller()
            .ok_or_else(|| Error::internal("a handler without a gate asks for the caller"))
    }

    pub(crate) fn set_caller(&self, caller: Caller) -> &Caller {
        self.caller.get_or_init(|| caller)
    }

    pub(crate) fn allowance(&self) -> Option<Allowance> {
        self.allowance.get().copied()
    }

    pub(crate) fn set_allowance(&self, allowance: Allowance) {
        let _ = self.allowance.set(allowance);
    }

    pub(crate) fn route(&self) -> Option<&Arc<Route>> {
        self.route.get()
    }

    /// Reserves the highest price, if that had to wait until the request was known not to be a repetition.
    pub(crate) fn pay(&self, state: &AppState) -> Result<()> {
        match (self.caller(), self.route()) {
            (Some(caller), Some(route)) => self.charge.pay(state, caller, &route.tariff),
            _ => Ok(()),
        }
    }

    /// Stores the answer for a replay, and the charge with it if there is one.
    pub(crate) async fn commit(
        &self,
        state: &AppState,
        attempt: &Arc<Attempt>,
        answer: StoredAnswer,
    ) -> Result<()> {
        let (store, attempt) = (state.store.clone(), attempt.clone());
        let Some(route) = self.route().filter(|_| self.caller().is_some()) else {
            return Ok(attempt.complete(&store, &answer).await?);
        };
        let write = |entry| async move {
            let completion = attempt.completion(&answer);
            store.ledger().append_completing(entry, completion).await?;
            Ok(())
        };
        self.charge.commit(route.tariff.price.most, write).await
    }

    pub(crate) fn set_route(&self, route: Arc<Route>) {
        let _ = self.route.set(route);
    }
}

/// The caller's id if it is short and harmless, so that it can be found in both logs; otherwise a random one.
fn request_id(sent: Option<&HeaderValue>) -> HeaderValue {
    let is_sane = |value: &&HeaderValue| {
        let bytes = value.as_bytes();
        (1..=128).contains(&bytes.len())
            && bytes.iter().all(|byte| {
                byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b':')
            })
    };
    if let Some(sent) = sent.filter(is_sane) {
        return sent.clone();
    }
    let mut text = [0_u8; 32];
    let random: [u8; 16] = rand::random();
    match hex::encode_to_slice(random, &mut text)
        .ok()
        .and_then(|()| HeaderValue::from_bytes(&text).ok())
    {
        Some(fresh) => fresh,
        None => HeaderValue::from_static("unknown"),
    }
}

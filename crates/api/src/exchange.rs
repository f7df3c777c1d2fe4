//! One request and what is learnt about it on its way in.
//!
//! The frame makes it, the gate fills it in, and the frame writes the headers from it, whatever answered in between.

use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use axum::extract::ConnectInfo;
use http::{Extensions, HeaderValue, Request};
use parking_lot::Mutex;

use crate::access::Presented;
use crate::caller::Caller;
use crate::client::ClientAddress;
use crate::error::{Error, Result};
use crate::limiter::Allowance;
use crate::meter::Reservation;
use crate::operation::Operation;
use crate::settings::Settings;

/// The context of one request, shared by its layers.
pub(crate) struct Exchange {
    /// The caller's own request id or a fresh one.
    pub(crate) id: HeaderValue,
    /// Who dialled.
    pub(crate) peer: Option<IpAddr>,
    /// Whom limits count.
    pub(crate) client: ClientAddress,
    /// The credential as sent; an error when there are two.
    pub(crate) presented: Result<Presented>,
    caller: OnceLock<Caller>,
    allowance: OnceLock<Allowance>,
    operation: OnceLock<Arc<Operation>>,
    /// What the work was promised to cost at most.
    pub(crate) reservation: Mutex<Option<Reservation>>,
    charged: AtomicU64,
}

impl Exchange {
    /// Reads what the headers say.
    pub(crate) fn open<B>(request: &Request<B>, settings: &Settings) -> Arc<Self> {
        let peer = request
            .extensions()
            .get::<ConnectInfo<std::net::SocketAddr>>()
            .map(|ConnectInfo(address)| address.ip().to_canonical());
        Arc::new(Self {
            id: request_id(request.headers().get("x-request-id")),
            peer,
            client: ClientAddress::of_request(peer, request.headers(), &settings.trusted_proxies),
            presented: Presented::of_request(request.headers(), request.uri()),
            caller: OnceLock::new(),
            allowance: OnceLock::new(),
            operation: OnceLock::new(),
            reservation: Mutex::new(None),
            charged: AtomicU64::new(0),
        })
    }

    /// The exchange that the frame put there.
    pub(crate) fn of(extensions: &Extensions) -> Result<&Arc<Self>> {
        extensions
            .get()
            .ok_or_else(|| Error::internal("a request did not pass the frame"))
    }

    pub(crate) fn caller(&self) -> Option<&Caller> {
        self.caller.get()
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

    pub(crate) fn operation(&self) -> Option<&Arc<Operation>> {
        self.operation.get()
    }

    pub(crate) fn set_operation(&self, operation: Arc<Operation>) {
        let _ = self.operation.set(operation);
    }

    /// Sets the highest price of the operation aside where that waited until it was known to be no repetition.
    pub(crate) fn pay(&self, settings: &Settings) -> Result<()> {
        let (Some(caller), Some(operation)) = (self.caller(), self.operation()) else {
            return Ok(());
        };
        let terms = caller.terms(settings);
        match &mut *self.reservation.lock() {
            Some(reservation) => reservation.raise(operation.price.most, terms, caller.cap(terms)),
            None => Ok(()),
        }
    }

    pub(crate) fn charged(&self) -> u64 {
        self.charged.load(Ordering::Relaxed)
    }

    pub(crate) fn set_charged(&self, credits: u64) {
        self.charged.store(credits, Ordering::Relaxed);
    }
}

/// The caller's id where it is short and harmless, so that it can be found in both logs; else a random one.
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

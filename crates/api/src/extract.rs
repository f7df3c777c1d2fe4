//! From a request to the arguments of a handler.
//!
//! Every error names the parameter and what it must be. Unknown parameters and fields are ignored. A handler that takes
//! [`OwnerOf`] cannot forget that an account is needed; one that takes [`CallerOf`] answers the demo key as well.

mod json;

use axum::extract::FromRequestParts;
use http::request::Parts;
use model::Timestamp;
use operations::{
    Arguments, AsOf, Caller, Charge, ClientAddress, Input, Owner, Parameters, Result,
};

use crate::error::Failure;
use crate::request_context::RequestContext;
use crate::state::AppState;

pub use json::ValidJson;
pub(crate) use json::{read_body, require_json};

/// A checked query. All errors are reported at once.
#[derive(Clone, Debug)]
pub struct ValidQuery<T>(pub T);

impl<T: Parameters, S: Sync> FromRequestParts<S> for ValidQuery<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Failure> {
        let query = parts.uri.query().unwrap_or_default();
        Ok(Self(T::of_request(Arguments::of_query(query), &[])?))
    }
}

/// Who calls.
#[derive(Clone, Debug)]
pub struct CallerOf(pub Caller);

impl<S: Sync> FromRequestParts<S> for CallerOf {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Failure> {
        Ok(Self(
            RequestContext::of(&parts.extensions)?
                .known_caller()?
                .clone(),
        ))
    }
}

/// Which account calls.
#[derive(Clone, Debug)]
pub struct OwnerOf(pub Owner);

impl<S: Sync> FromRequestParts<S> for OwnerOf {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Failure> {
        let owner = Owner::of(RequestContext::of(&parts.extensions)?.known_caller()?)?;
        Ok(Self(owner))
    }
}

/// The client address of any request, gated or not.
#[derive(Clone, Copy, Debug)]
pub struct ClientOf(pub ClientAddress);

impl<S: Sync> FromRequestParts<S> for ClientOf {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Failure> {
        Ok(Self(RequestContext::of(&parts.extensions)?.client))
    }
}

/// What the request is charged.
pub struct ChargeOf(pub Charge);

impl<S: Sync> FromRequestParts<S> for ChargeOf {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Failure> {
        Ok(Self(RequestContext::of(&parts.extensions)?.charge.clone()))
    }
}

/// The as-of time to answer for, from the query parameter `as_of`.
#[derive(Clone, Copy, Debug)]
pub struct AsOfQuery(pub AsOf);

impl FromRequestParts<AppState> for AsOfQuery {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Failure> {
        Ok(Self(as_of(parts, state)?))
    }
}

/// The query parameter `as_of`, checked.
pub(crate) fn as_of(parts: &Parts, state: &AppState) -> Result<AsOf> {
    let Some(query) = parts.uri.query() else {
        return AsOf::new(None, state);
    };
    let mut arguments = Arguments::of_query(query);
    let asked = arguments.parsed::<Timestamp>("as_of", "Time");
    arguments.finish()?;
    AsOf::new(asked, state)
}

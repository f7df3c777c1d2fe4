//! From untrusted text to checked values.
//!
//! Every fault is named: which parameter, and what it must be. Unknown parameters and fields are ignored.

mod as_of;
mod json;

use axum::extract::FromRequestParts;
use http::request::Parts;

use crate::error::{Error, Result};
use crate::operations::{Arguments, Input, Parameters};

pub use as_of::AsOf;
pub use json::{Checked, Faults, ValidJson};
pub(crate) use json::{parse, read_body, require_json, whole};

/// A checked query. All faults are reported at once.
#[derive(Clone, Debug)]
pub struct ValidQuery<T>(pub T);

impl<T: Parameters, S: Sync> FromRequestParts<S> for ValidQuery<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self> {
        let query = parts.uri.query().unwrap_or_default();
        T::of_request(Arguments::of_query(query), &[]).map(Self)
    }
}

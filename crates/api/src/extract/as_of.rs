//! As of when to answer.

use axum::extract::FromRequestParts;
use http::request::Parts;
use model::Timestamp;

use crate::error::{Error, Result};
use crate::operations::Arguments;
use crate::state::AppState;

/// As of when ingested data are read: the query parameter `as_of`, bounded by the moment at which the server is frozen,
/// if it is. `None` is now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AsOf(pub Option<Timestamp>);

impl AsOf {
    /// The moment itself, for windows that end with it.
    pub fn end(self, state: &AppState) -> Timestamp {
        self.0.unwrap_or_else(|| state.clock.now())
    }

    /// Checks a moment that was asked for, in a query or a body.
    pub fn new(asked: Option<Timestamp>, state: &AppState) -> Result<Self> {
        let frozen = state.settings.as_of;
        let Some(asked) = asked else {
            return Ok(Self(frozen));
        };
        let newest = frozen.unwrap_or_else(|| state.clock.now());
        if asked > newest {
            return Err(Error::invalid(format!(
                "as_of must not be in the future; it is {newest} here"
            )));
        }
        Ok(Self(Some(asked)))
    }
}

impl FromRequestParts<AppState> for AsOf {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self> {
        let Some(query) = parts.uri.query() else {
            return Self::new(None, state);
        };
        let mut arguments = Arguments::of_query(query);
        let asked = arguments.parsed::<Timestamp>("as_of", "Time");
        arguments.finish()?;
        Self::new(asked, state)
    }
}

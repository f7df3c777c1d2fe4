//! The point in time of a response.

use model::Timestamp;
use serde_json::Value;

use crate::error::{Error, Result};
use crate::services::Services;

/// The point in time as of which ingested data is read: the query parameter `as_of`, no later than the time at which
/// the server is frozen, if it is. `None` means now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AsOf(pub Option<Timestamp>);

impl AsOf {
    /// The time itself, for windows that end at it.
    pub fn end(self, services: &Services) -> Timestamp {
        self.0.unwrap_or_else(|| services.clock.now())
    }

    /// Checks a time requested in a query or a body.
    pub fn new(asked: Option<Timestamp>, services: &Services) -> Result<Self> {
        let frozen = services.settings.as_of;
        let Some(asked) = asked else {
            return Ok(Self(frozen));
        };
        let newest = frozen.unwrap_or_else(|| services.clock.now());
        if asked > newest {
            return Err(Error::invalid(format!(
                "as_of must not be in the future; the current time here is {newest}"
            )));
        }
        Ok(Self(Some(asked)))
    }

    /// The earlier of this time and the one in the `as_of` field of a JSON body, if there is one: a caller who sends a
    /// body expects the field to apply there. A value that is not a time is refused, so that a response never uses
    /// today's data instead.
    pub fn narrowed_by_body(self, body: &[u8], services: &Services) -> Result<Self> {
        #[derive(serde::Deserialize)]
        struct Timed {
            as_of: Option<Value>,
        }
        match serde_json::from_slice(body) {
            Ok(Timed { as_of: None }) => Ok(self),
            Ok(Timed {
                as_of: Some(Value::String(text)),
            }) => self.narrowed(&text, services),
            Ok(Timed { as_of: Some(_) }) => Err(no_time()),
            // A field that stands twice; what is no object was refused before.
            Err(fault) => Err(Error::invalid(format!("the body cannot be read: {fault}"))),
        }
    }

    /// The earlier of this time and one given in a body.
    pub fn narrowed(self, text: &str, services: &Services) -> Result<Self> {
        let at = text
            .trim()
            .parse()
            .map_err(|error| Error::invalid(format!("as_of: {error}")))?;
        let Self(asked) = Self::new(Some(at), services)?;
        Ok(Self(match (asked, self.0) {
            (Some(asked), Some(other)) => Some(asked.min(other)),
            (asked, other) => asked.or(other),
        }))
    }
}

/// The error for a value that is not a string.
pub(crate) fn no_time() -> Error {
    Error::invalid("as_of must be a string such as 2026-03-01T00:00:00Z")
}

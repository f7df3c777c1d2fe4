//! The credential of a request, as it was sent.

use http::{HeaderMap, Uri, header};
use operations::{DEMO_KEY, Error, ErrorCode, Result};

/// A credential as it was sent.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Presented {
    /// None at all.
    Nothing,
    /// The demo key, by name.
    Demo,
    /// Some text that may be a key or a token.
    Text(Box<str>),
}

impl Presented {
    /// The one credential of a request.
    pub(crate) fn of_request(headers: &HeaderMap, uri: &Uri) -> Result<Self> {
        let mut found: Option<Box<str>> = None;
        let mut add = |text: &str| {
            let text = text.trim();
            match &found {
                Some(earlier) if **earlier != *text => Err(conflict()),
                Some(_) => Ok(()),
                None => {
                    found = Some(text.into());
                    Ok(())
                }
            }
        };
        for value in headers.get_all(header::AUTHORIZATION) {
            add(bearer(value.as_bytes()).ok_or_else(|| {
                Error::refused(
                    ErrorCode::InvalidCredential,
                    "the Authorization header must be: Bearer <key or token>",
                )
            })?)?;
        }
        for value in headers.get_all("x-api-key") {
            add(value.to_str().map_err(|_| Error::unknown_credential())?)?;
        }
        if let Some(query) = uri.query().filter(|query| query.contains("api_key")) {
            let pairs: Vec<(std::borrow::Cow<'_, str>, std::borrow::Cow<'_, str>)> =
                serde_urlencoded::from_str(query).unwrap_or_default();
            for (_, value) in pairs.iter().filter(|(name, _)| name == "api_key") {
                add(value)?;
            }
        }
        Ok(found.map_or(Self::Nothing, |text| Self::of_text(&text)))
    }

    fn of_text(text: &str) -> Self {
        match text {
            DEMO_KEY => Self::Demo,
            text => Self::Text(text.into()),
        }
    }

    /// The one credential of a request and of the first message after it.
    pub(crate) fn beside(self, text: &str) -> Result<Self> {
        let other = Self::of_text(text.trim());
        match self {
            Self::Nothing => Ok(other),
            same if same == other => Ok(same),
            _ => Err(conflict()),
        }
    }
}

fn conflict() -> Error {
    Error::refused(
        ErrorCode::ConflictingCredentials,
        "two different credentials were sent; send one, preferably as Authorization: Bearer",
    )
}

/// The credential in a `Bearer` header, whose scheme is case-insensitive.
fn bearer(value: &[u8]) -> Option<&str> {
    let (scheme, rest) = std::str::from_utf8(value).ok()?.trim().split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| rest.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn presented(headers: &[(&'static str, &str)], path: &str) -> Result<Presented> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, value.parse().unwrap());
        }
        Presented::of_request(&map, &path.parse().unwrap())
    }

    #[test]
    fn one_credential_however_it_is_sent() {
        let text = |text: &str| Presented::Text(text.into());
        assert!(presented(&[], "/x?q=1").unwrap() == Presented::Nothing);
        assert!(presented(&[("authorization", "Bearer abc")], "/x").unwrap() == text("abc"));
        assert!(presented(&[("authorization", "bearer  abc ")], "/x").unwrap() == text("abc"));
        assert!(presented(&[("x-api-key", "abc")], "/x?api_key=abc").unwrap() == text("abc"));
        assert!(presented(&[], "/x?api_key=a%62c&q=1").unwrap() == text("abc"));
        assert!(presented(&[], "/x?api_key=demo").unwrap() == Presented::Demo);
        let code = |result: Result<Presented>| result.err().unwrap().code();
        assert_eq!(
            code(presented(&[("x-api-key", "a")], "/x?api_key=b")),
            ErrorCode::ConflictingCredentials
        );
        assert_eq!(
            code(presented(&[], "/x?api_key=a&api_key=b")),
            ErrorCode::ConflictingCredentials
        );
        assert_eq!(
            code(presented(&[("authorization", "Basic YTpi")], "/x")),
            ErrorCode::InvalidCredential
        );
    }
}

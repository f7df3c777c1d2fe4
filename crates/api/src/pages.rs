//! Answers of the last second, ready to be sent again.
//!
//! A reader's answer depends on the path, the query, the categories that the key may see, the data revision and, a
//! little, on the time. If all of these are equal, the answer is made once, even when many ask at the same moment. The
//! entity tag names the revision, question, scope and program, not the bytes, because an answer contains how long it
//! took.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::io::Write;
use std::sync::{Arc, OnceLock};

use axum::extract::FromRequestParts;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use model::Timestamp;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use store::Store;

use operations::{Caller, DataRevision, Error, Result, Work};

use crate::error::Failure;
use crate::request_context::RequestContext;
use crate::state::AppState;

/// Below this size, compression costs more than it saves.
const WORTH_COMPRESSING: usize = 1_024;

/// The answers.
pub struct Pages {
    cache: Cache<Key, Arc<Page>, ByBytes>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    revision: DataRevision,
    /// Seconds since the start, so that no answer is older than one.
    second: u64,
    question: Box<str>,
}

struct Page {
    body: Bytes,
    gzip: OnceLock<Option<Bytes>>,
}

#[derive(Clone)]
struct ByBytes;

impl Weighter<Key, Arc<Page>> for ByBytes {
    fn weight(&self, key: &Key, page: &Arc<Page>) -> u64 {
        // Counted twice, because a compressed form may be added later.
        (key.question.len() + 2 * page.body.len() + 128) as u64
    }
}

impl Pages {
    pub(crate) fn new(bytes: u64) -> Self {
        Self {
            cache: Cache::with_weighter(4_096, bytes, ByBytes),
        }
    }
}

/// A question whose answer may be cached: take it as a handler's argument, then call [`Cacheable::answer`].
pub struct Cacheable {
    question: Box<str>,
    /// The revision of the data before any work was done.
    revision: DataRevision,
    if_none_match: Option<HeaderValue>,
    takes_gzip: bool,
    media: &'static str,
}

impl FromRequestParts<AppState> for Cacheable {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Failure> {
        let caller = RequestContext::of(&parts.extensions)?.known_caller()?;
        Ok(Self {
            revision: state.data_revision().await?,
            question: question(caller, parts.uri.path(), parts.uri.query()),
            if_none_match: parts.headers.get(header::IF_NONE_MATCH).cloned(),
            takes_gzip: takes_gzip(&parts.headers),
            media: "application/json",
        })
    }
}

/// The path, the query without the credential and in a fixed order, and the scope.
fn question(caller: &Caller, path: &str, query: Option<&str>) -> Box<str> {
    let mut text = String::with_capacity(path.len() + query.map_or(0, str::len) + 16);
    text.push_str(path);
    let mut pairs: Vec<&str> = query
        .unwrap_or_default()
        .split('&')
        .filter(|pair| !pair.is_empty() && !pair.starts_with("api_key="))
        .collect();
    // The sort is stable, so that the first of two equal names stays first.
    pairs.sort_by_key(|pair| pair.split('=').next());
    for pair in pairs {
        text.push('&');
        text.push_str(pair);
    }
    let mut categories: Vec<&str> = caller
        .categories()
        .iter()
        .map(|category| category.as_str())
        .collect();
    categories.sort_unstable();
    for category in categories {
        // A space cannot stand in a path or query.
        text.push(' ');
        text.push_str(category);
    }
    text.into_boxed_str()
}

fn takes_gzip(headers: &HeaderMap) -> bool {
    headers
        .get_all(header::ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .any(|value| {
            value.split(',').any(|coding| {
                let mut parts = coding.split(';').map(str::trim);
                let is_gzip = parts
                    .next()
                    .is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
                let weight = parts
                    .find_map(|part| part.strip_prefix("q="))
                    .and_then(|weight| weight.parse::<f32>().ok());
                is_gzip && weight.is_none_or(|weight| weight > 0.0)
            })
        })
}

impl Cacheable {
    /// For an answer that also depends on something that is not part of the question.
    pub(crate) fn varying_by(mut self, what: &str) -> Self {
        // A space cannot stand in a path or query.
        self.question = format!("{} {what}", self.question).into_boxed_str();
        self
    }

    /// For an answer that is written in this media type instead of JSON.
    pub(crate) fn written_as(self, media: &'static str) -> Self {
        Self {
            media,
            ..self.varying_by(media)
        }
    }

    /// The cached answer, or the one that `make` makes. 304 if the caller already has it.
    ///
    /// Not an `async fn`, so that what the caller awaits is small: the work, whose future is large, is boxed, and
    /// created only if there is work to do.
    pub fn answer<'a>(
        self,
        state: &'a AppState,
        make: impl FnOnce() -> Work<'a, Vec<u8>>,
    ) -> impl Future<Output = Result<Response>> {
        let next = match self.look_up(state) {
            LookUp::Answered(response) => Ok(response),
            LookUp::Missing(missing) => Err((missing, make())),
        };
        async move {
            match next {
                Ok(response) => Ok(response),
                Err((missing, make)) => missing.fill(&state.pages, make).await,
            }
        }
    }

    fn look_up(self, state: &AppState) -> LookUp {
        let tag = self.tag(state);
        if self
            .if_none_match
            .as_ref()
            .is_some_and(|sent| is_match(sent, &tag))
        {
            return LookUp::Answered(dressed(StatusCode::NOT_MODIFIED.into_response(), tag));
        }
        let key = Key {
            revision: self.revision,
            second: state.started.elapsed().as_secs(),
            question: self.question,
        };
        match state.pages.cache.get(&key) {
            Some(page) => LookUp::Answered(page.into_response(self.takes_gzip, self.media, tag)),
            None => LookUp::Missing(Missing {
                key,
                tag,
                takes_gzip: self.takes_gzip,
                media: self.media,
            }),
        }
    }

    fn tag(&self, state: &AppState) -> HeaderValue {
        let mut hasher = DefaultHasher::new();
        self.revision.hash(&mut hasher);
        self.question.hash(&mut hasher);
        // Another version of the program may answer the same question differently, and so may one that runs as of the
        // past.
        state.http.version.hash(&mut hasher);
        Store::schema_version().hash(&mut hasher);
        state.settings.as_of.hash(&mut hasher);
        // Ages, labels and timelines change even while the data do not.
        (state.clock.now().ms() / Timestamp::HOUR_MS).hash(&mut hasher);
        let [index, head, market, quotes] = self.revision.counts();
        let digest = hasher.finish();
        let mut buffer = [0_u8; 96];
        let mut rest = &mut buffer[..];
        let _ = write!(
            rest,
            "W/\"{index:x}.{head:x}.{market:x}.{quotes:x}-{digest:016x}\""
        );
        let written = 96 - rest.len();
        HeaderValue::from_bytes(&buffer[..written])
            .unwrap_or_else(|_| HeaderValue::from_static("W/\"0\""))
    }
}

/// The result of looking up a cached answer.
enum LookUp {
    Answered(Response),
    Missing(Missing),
}

/// An answer that has to be made.
struct Missing {
    key: Key,
    tag: HeaderValue,
    takes_gzip: bool,
    media: &'static str,
}

impl Missing {
    /// Makes it, or waits if somebody is already making it.
    async fn fill(
        self,
        pages: &Pages,
        make: impl Future<Output = Result<Vec<u8>>>,
    ) -> Result<Response> {
        let make = async {
            let body = make.await?;
            Ok::<_, Error>(Arc::new(Page {
                body: body.into(),
                gzip: OnceLock::new(),
            }))
        };
        let page = pages.cache.get_or_insert_async(&self.key, make).await?;
        Ok(page.into_response(self.takes_gzip, self.media, self.tag))
    }
}

impl Page {
    fn into_response(
        self: Arc<Self>,
        takes_gzip: bool,
        media: &'static str,
        tag: HeaderValue,
    ) -> Response {
        let compressed = if takes_gzip { self.gzip() } else { None };
        let is_compressed = compressed.is_some();
        let mut response =
            axum::body::Body::from(compressed.unwrap_or_else(|| self.body.clone())).into_response();
        response
            .headers_mut()
            .insert(header::CONTENT_TYPE, HeaderValue::from_static(media));
        if is_compressed {
            response
                .headers_mut()
                .insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        dressed(response, tag)
    }

    fn gzip(&self) -> Option<Bytes> {
        if self.body.len() < WORTH_COMPRESSING {
            return None;
        }
        self.gzip
            .get_or_init(|| {
                let mut encoder = flate2::write::GzEncoder::new(
                    Vec::with_capacity(self.body.len() / 3),
                    flate2::Compression::fast(),
                );
                encoder.write_all(&self.body).ok()?;
                encoder.finish().ok().map(Bytes::from)
            })
            .clone()
    }
}

fn dressed(mut response: Response, tag: HeaderValue) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::ETAG, tag);
    headers.insert(
        header::VARY,
        HeaderValue::from_static("Accept, Authorization, X-API-Key, Accept-Encoding"),
    );
    headers.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static("private, no-cache"),
    );
    response
}

/// Weak comparison, as RFC 9110 requires here; `*` matches nothing, because it is not yet known whether there is an
/// answer.
fn is_match(sent: &HeaderValue, tag: &HeaderValue) -> bool {
    let opaque = |text: &str| text.trim().trim_start_matches("W/").to_owned();
    let (Ok(sent), Ok(tag)) = (sent.to_str(), tag.to_str()) else {
        return false;
    };
    sent.split(',').any(|one| opaque(one) == opaque(tag))
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;
    use operations::ClientAddress;

    #[test]
    fn the_question_has_one_spelling_and_no_key() {
        let caller = Caller {
            member: None,
            client: ClientAddress::new(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        };
        let ask = |query| question(&caller, "/api/v1/feed", Some(query)).into_string();
        assert_eq!(
            ask("page=2&category=tech&api_key=secret"),
            "/api/v1/feed&category=tech&page=2"
        );
        assert_eq!(ask("category=tech&page=2"), ask("page=2&&category=tech"));
        assert_ne!(
            ask("page=1&page=2"),
            ask("page=2&page=1"),
            "the first of two wins, so their order matters"
        );
    }

    #[test]
    fn encodings_and_tags_are_compared_as_the_standards_say() {
        let takes = |text: &'static str| {
            takes_gzip(&HeaderMap::from_iter([(
                header::ACCEPT_ENCODING,
                HeaderValue::from_static(text),
            )]))
        };
        assert!(
            takes("br, gzip")
                && takes("GZIP;q=0.5")
                && !takes("gzip;q=0, br")
                && !takes("identity")
        );
        let matches = |sent: &'static str| {
            is_match(
                &HeaderValue::from_static(sent),
                &HeaderValue::from_static("W/\"1-2\""),
            )
        };
        assert!(
            matches("\"1-2\"")
                && matches("W/\"x\", W/\"1-2\"")
                && !matches("*")
                && !matches("W/\"1-3\"")
        );
    }

    #[test]
    fn a_million_questions_stay_within_their_bytes() {
        const BYTES: u64 = 4 << 20;
        let pages = Pages::new(BYTES);
        let page = Arc::new(Page {
            body: Bytes::from_static(&[b'x'; 300]),
            gzip: OnceLock::new(),
        });
        for number in 0..1_000_000_u64 {
            let key = Key {
                revision: DataRevision::default(),
                second: number / 10_000,
                question: format!("/api/v1/search&q={number}").into_boxed_str(),
            };
            pages.cache.insert(key, Arc::clone(&page));
        }
        assert!(pages.cache.weight() <= BYTES, "{}", pages.cache.weight());
    }
}

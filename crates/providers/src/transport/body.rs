//! Reading a body without trusting its size.

use bytes::{Bytes, BytesMut};
use reqwest::Response;

use super::request::Overflow;

/// Why a body could not be read to its end.
#[derive(Debug)]
pub(super) enum Fault {
    /// More than the limit, after decompression.
    TooLarge,
    /// The connection broke, or the compressed data is damaged.
    Broken(reqwest::Error),
}

/// Reads chunk by chunk and stops at the limit, so that a small response that unpacks to gigabytes costs `limit`
/// bytes.
pub(super) async fn load(
    mut response: Response,
    limit: usize,
    overflow: Overflow,
) -> Result<Bytes, Fault> {
    // Absent if the response is compressed: the client removes the length, which no longer applies.
    let announced = response
        .content_length()
        .and_then(|length| usize::try_from(length).ok());
    if overflow == Overflow::Refuse && announced.is_some_and(|length| length > limit) {
        return Err(Fault::TooLarge);
    }
    let mut body = BytesMut::with_capacity(announced.unwrap_or(0).min(64 << 10));
    while let Some(chunk) = response.chunk().await.map_err(Fault::Broken)? {
        if body.len() + chunk.len() > limit {
            if overflow == Overflow::Cut {
                let room = limit.saturating_sub(body.len());
                body.extend_from_slice(&chunk[..room]);
                break;
            }
            return Err(Fault::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body.freeze())
}

//! One attempt to deliver a message, and when the next one is due.
//!
//! Whoever keeps the messages claims one, attempts it and records the outcome. Nothing is remembered here, so a restart
//! loses nothing.

use std::time::Duration;

use bytes::Bytes;
use model::{SecretUrl, Timestamp};
use providers::Error;
use providers::callbacks::{CallbackRequest, Callbacks};

use crate::signature::SigningSecret;

/// The type of a message that only tests a receiver: it is attempted once.
pub const TEST: &str = "webhook.test";

/// The pauses after each failed attempt. If the attempt after the last pause fails too, the message is given up.
const PAUSES: [Duration; 9] = [
    Duration::from_secs(5),
    Duration::from_mins(5),
    Duration::from_mins(30),
    Duration::from_hours(2),
    Duration::from_hours(5),
    Duration::from_hours(10),
    Duration::from_hours(14),
    Duration::from_hours(20),
    Duration::from_hours(24),
];
/// A pause is lengthened by up to this share, so that messages that failed together are not retried together.
const JITTER: f64 = 0.1;
/// The longest pause that a receiver may ask for.
const LONGEST_PAUSE: Duration = Duration::from_hours(24);

/// What is delivered.
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    /// The message id: the same in every attempt, so that a receiver recognises a repeat.
    pub id: &'a str,
    /// Where it goes.
    pub address: &'a SecretUrl,
    /// The secret that it is signed with, as written by [`SigningSecret::expose`].
    pub secret: &'a str,
    /// A second signing secret: the previous one, for as long as it is valid.
    pub previous_secret: Option<&'a str>,
    /// The body, as JSON.
    pub body: &'a str,
}

/// Why an attempt failed, for the owner of the receiver. It reveals nothing about this machine's network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// The receiver answered with a status other than success.
    #[error("status {0}")]
    Status(u16),
    /// The receiver answered with a redirect, which is not followed.
    #[error("redirect {0}")]
    Redirect(u16),
    /// No answer in time.
    #[error("timeout")]
    Timeout,
    /// No connection, no TLS, or the connection broke.
    #[error("connection failed")]
    Connection,
    /// The name resolves to an address that is not public.
    #[error("private address")]
    Private,
    /// The address cannot be called.
    #[error("invalid address")]
    Address,
    /// The message cannot be signed.
    #[error("invalid secret")]
    Secret,
}

impl Reason {
    /// The status that the receiver answered with, if it did.
    pub const fn status(self) -> Option<u16> {
        match self {
            Self::Status(status) | Self::Redirect(status) => Some(status),
            _ => None,
        }
    }
}

/// The outcome of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The receiver has it.
    Delivered {
        /// What it answered.
        status: u16,
    },
    /// The receiver wants no more messages (410).
    Gone,
    /// Neither.
    Failed {
        /// Why.
        reason: Reason,
        /// How long the receiver asks not to be called for.
        retry_after: Option<Duration>,
    },
}

impl Outcome {
    /// What an answer means.
    fn of_status(status: u16, retry_after: Option<Duration>) -> Self {
        match status {
            200..=299 => Self::Delivered { status },
            410 => Self::Gone,
            300..=399 => Self::Failed {
                reason: Reason::Redirect(status),
                retry_after,
            },
            _ => Self::Failed {
                reason: Reason::Status(status),
                retry_after,
            },
        }
    }

    /// The name used in metrics.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Delivered { .. } => "delivered",
            Self::Gone => "gone",
            Self::Failed { .. } => "failed",
        }
    }
}

/// Signs a message and posts it once.
pub async fn attempt(callbacks: &Callbacks, message: Message<'_>, now: Timestamp) -> Outcome {
    let failed = |reason| Outcome::Failed {
        reason,
        retry_after: None,
    };
    let Ok(secret) = SigningSecret::parse(message.secret) else {
        tracing::error!(
            message.id,
            "the message {} cannot be signed: its secret cannot be read",
            message.id
        );
        return failed(Reason::Secret);
    };
    let previous = message
        .previous_secret
        .and_then(|text| SigningSecret::parse(text).ok());
    let body = message.body.as_bytes();
    let request = CallbackRequest {
        url: message.address.expose().to_owned(),
        headers: secret
            .sign_beside(previous.as_ref(), message.id, now, body)
            .into(),
        body: Bytes::copy_from_slice(body),
    };
    match callbacks.post(request).await {
        Ok(reply) => Outcome::of_status(reply.status, reply.retry_after),
        Err(error) => {
            tracing::debug!(
                message.id,
                error = &error as &dyn std::error::Error,
                "the message {} was not delivered: {error}",
                message.id
            );
            failed(match error {
                Error::Timeout { .. } => Reason::Timeout,
                Error::Blocked { .. } => Reason::Private,
                Error::Address { .. } => Reason::Address,
                _ => Reason::Connection,
            })
        }
    }
}

/// When a message is attempted again after this number of attempts, including the failed one; `None` if it is given up.
/// `jitter` is a random number from 0 to 1.
pub fn retry_at(
    now: Timestamp,
    attempts: u32,
    retry_after: Option<Duration>,
    jitter: f64,
) -> Option<Timestamp> {
    let made = usize::try_from(attempts.max(1)).ok()? - 1;
    let pause = PAUSES
        .get(made)?
        .mul_f64(1.0 + JITTER * jitter.clamp(0.0, 1.0));
    let asked = retry_after.unwrap_or_default().min(LONGEST_PAUSE);
    let pause = i64::try_from(pause.max(asked).as_millis()).ok()?;
    Some(now.plus_ms(pause))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_ms(1_000_000);

    fn pause(attempts: u32, retry_after: Option<u64>, jitter: f64) -> Option<i64> {
        let retry_after = retry_after.map(Duration::from_secs);
        let at = retry_at(NOW, attempts, retry_after, jitter)?;
        Some(at.since_ms(NOW) / 1_000)
    }

    #[test]
    fn pauses_grow_until_a_message_is_given_up() {
        let hour = 3_600;
        let pauses: Vec<Option<i64>> = (1..=11).map(|made| pause(made, None, 0.0)).collect();
        let expected = [
            5,
            300,
            1_800,
            2 * hour,
            5 * hour,
            10 * hour,
            14 * hour,
            20 * hour,
            24 * hour,
        ];
        assert_eq!(pauses[..9], expected.map(Some));
        assert_eq!(pauses[9..], [None, None], "ten attempts in all");
    }

    #[test]
    fn a_receiver_may_ask_for_more_and_chance_adds_a_tenth_at_most() {
        assert_eq!(pause(1, Some(120), 0.0), Some(120));
        assert_eq!(pause(2, Some(120), 0.0), Some(300), "never earlier");
        assert_eq!(pause(1, Some(90_000_000), 0.0), Some(86_400));
        assert_eq!(pause(10, Some(120), 0.0), None);
        assert_eq!(pause(2, None, 1.0), Some(330));
        assert_eq!(pause(2, None, 7.0), Some(330));
    }

    #[test]
    fn only_success_is_delivered() {
        let failed = |reason| Outcome::Failed {
            reason,
            retry_after: None,
        };
        for (status, expected) in [
            (200, Outcome::Delivered { status: 200 }),
            (204, Outcome::Delivered { status: 204 }),
            (301, failed(Reason::Redirect(301))),
            (404, failed(Reason::Status(404))),
            (410, Outcome::Gone),
            (503, failed(Reason::Status(503))),
        ] {
            assert_eq!(Outcome::of_status(status, None), expected, "{status}");
        }
    }
}

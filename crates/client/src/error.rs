//! Why a command failed, with which exit code it ends, and what to do next.

use std::io;

/// The result of a command.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The command line asks for something that does not exist.
    #[error("{0}")]
    Usage(String),
    /// The address of the server is none.
    #[error("{0:?} is not the address of a server, such as http://127.0.0.1:8080")]
    Address(String),
    /// Nobody answers.
    #[error("no server answers at {address}")]
    Unreachable {
        /// Where.
        address: String,
        /// Why.
        #[source]
        source: reqwest::Error,
    },
    /// The answer took too long.
    #[error("the server at {0} took too long to answer")]
    TimedOut(String),
    /// The server said no.
    #[error("{message}")]
    Refused {
        /// HTTP status.
        status: u16,
        /// The server's own words, free of control characters.
        message: String,
        /// Seconds after which to try again.
        retry_after: Option<u64>,
        /// What may have been meant.
        suggestions: Vec<String>,
    },
    /// What came back is no answer of this service.
    #[error("the answer of {0} cannot be read: is it an Assay server?")]
    Unreadable(String),
    /// The connection broke within an answer.
    #[error("the answer broke off")]
    BrokenOff(#[source] Option<reqwest::Error>),
    /// The answer is longer than anything that this service sends.
    #[error("the answer is longer than {} MiB", crate::service::MOST_BYTES >> 20)]
    TooLong,
    /// The connections could not be set up.
    #[error("connections cannot be set up")]
    Client(#[source] reqwest::Error),
    /// The output could not be written.
    #[error("the output cannot be written")]
    Output(#[from] io::Error),
}

impl Error {
    /// The exit code: 0 where the reader had enough, 2 where the command line is wrong, else 1.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => 0,
            Self::Usage(_) | Self::Address(_) | Self::Refused { status: 400, .. } => 2,
            _ => 1,
        }
    }

    /// Whether there is anything to say: not where the reader of a pipe had enough.
    pub fn is_quiet(&self) -> bool {
        self.exit_code() == 0
    }

    /// What to do next, as a sentence.
    pub fn next_step(&self) -> Option<String> {
        match self {
            Self::Unreachable { .. } => Some(
                "start one with `assay serve`, or give the address of another with --url or ASSAY_URL"
                    .to_owned(),
            ),
            Self::TimedOut(_) => Some("try again in a moment, or ask for less".to_owned()),
            Self::BrokenOff(_) => Some("what was printed is incomplete; try again".to_owned()),
            // The service often says it itself.
            Self::Refused { message, .. } if message.contains("try again") => None,
            Self::Refused {
                status,
                retry_after,
                suggestions,
                message,
            } => {
                let unsaid = |name: &&String| !message.contains(name.as_str());
                let suggestions: Vec<&str> =
                    suggestions.iter().filter(unsaid).map(String::as_str).collect();
                after_refusal(*status, *retry_after, &suggestions)
            }
            _ => None,
        }
    }
}

fn after_refusal(status: u16, retry_after: Option<u64>, suggestions: &[&str]) -> Option<String> {
    let again = || {
        let pause = match retry_after {
            None => "in a moment".to_owned(),
            Some(1) => "in 1 second".to_owned(),
            Some(seconds @ 0..120) => format!("in {seconds} seconds"),
            Some(seconds @ 120..7200) => format!("in {} minutes", seconds.div_ceil(60)),
            Some(seconds) => format!("in {} hours", seconds.div_ceil(3600)),
        };
        format!("try again {pause}")
    };
    match status {
        401 => Some(
            "set ASSAY_API_KEY to a key of this server; `assay key create` makes one".to_owned(),
        ),
        402 => Some("use a key of a paid plan".to_owned()),
        403 => Some("use a key that may do this: set ASSAY_API_KEY".to_owned()),
        404 if !suggestions.is_empty() => Some(format!("did you mean {}?", suggestions.join(", "))),
        429 | 503 => Some(again()),
        500..=599 => Some("try again; if it stays, the server's log has the cause".to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(status: u16, retry_after: Option<u64>) -> Error {
        Error::Refused {
            status,
            message: "no".to_owned(),
            retry_after,
            suggestions: Vec::new(),
        }
    }

    #[test]
    fn exit_codes_tell_usage_from_failure() {
        assert_eq!(Error::Usage("x".to_owned()).exit_code(), 2);
        assert_eq!(refused(400, None).exit_code(), 2);
        for status in [401, 402, 403, 404, 429, 500, 503] {
            assert_eq!(refused(status, None).exit_code(), 1, "{status}");
        }
        let closed = Error::Output(io::ErrorKind::BrokenPipe.into());
        assert!(closed.is_quiet());
        assert_eq!(
            Error::Output(io::ErrorKind::StorageFull.into()).exit_code(),
            1
        );
    }

    #[test]
    fn the_next_step_says_when_to_try_again() {
        let next = |seconds| refused(429, seconds).next_step().unwrap();
        assert_eq!(next(None), "try again in a moment");
        assert_eq!(next(Some(1)), "try again in 1 second");
        assert_eq!(next(Some(42)), "try again in 42 seconds");
        assert_eq!(next(Some(601)), "try again in 11 minutes");
        assert_eq!(next(Some(86_400)), "try again in 24 hours");
    }
}

//! Whether a connection to PostgreSQL is encrypted.
//!
//! What leaves the machine is encrypted and the server's certificate verified, unless the address says otherwise in so
//! many words. The modes that fall back to plain text when the server prefers it are refused: whoever sits in between
//! could prefer it too.

use std::path::Path;
use std::str::FromStr;

use sqlx::postgres::{PgConnectOptions, PgSslMode};

use crate::{Error, Result};

/// The options of an address. Nothing is dialled.
pub(super) fn options(url: &str) -> Result<PgConnectOptions> {
    let options = PgConnectOptions::from_str(url)?;
    let stated = states_mode(url) || std::env::var_os("PGSSLMODE").is_some();
    let mode = mode(&options, stated)?;
    Ok(options.ssl_mode(mode))
}

/// Whether the address names a mode.
fn states_mode(url: &str) -> bool {
    let query = url.split_once('?').map_or("", |(_, query)| query);
    query.split('&').any(|pair| {
        pair.split_once('=')
            .is_some_and(|(name, _)| matches!(name, "sslmode" | "ssl-mode"))
    })
}

fn mode(options: &PgConnectOptions, stated: bool) -> Result<PgSslMode> {
    let is_local = is_local(options);
    match options.get_ssl_mode() {
        // Nobody listens between two processes of one machine.
        _ if !stated && is_local => Ok(PgSslMode::Disable),
        _ if !stated => Ok(PgSslMode::VerifyFull),
        mode @ (PgSslMode::Allow | PgSslMode::Prefer) if !is_local => Err(Error::PlainText {
            host: options.get_host().to_owned(),
            mode: if matches!(mode, PgSslMode::Allow) {
                "allow"
            } else {
                "prefer"
            },
        }),
        mode => Ok(mode),
    }
}

/// Whether the database is reached without a network.
fn is_local(options: &PgConnectOptions) -> bool {
    if options.get_socket().is_some() {
        return true;
    }
    let host = options.get_host();
    let bare = host
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
        .unwrap_or(host);
    Path::new(host).is_absolute()
        || host.eq_ignore_ascii_case("localhost")
        || bare
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.to_canonical().is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(url: &str) -> Result<PgSslMode> {
        let options = PgConnectOptions::from_str(url)?;
        mode(&options, states_mode(url))
    }

    #[test]
    fn plain_text_leaves_the_machine_only_when_asked_for() {
        for (url, expected) in [
            ("postgres://me@localhost/a", PgSslMode::Disable),
            ("postgres://me@127.0.0.1:5432/a", PgSslMode::Disable),
            ("postgres://me@[::1]/a", PgSslMode::Disable),
            ("postgres:///a?host=/var/run/postgresql", PgSslMode::Disable),
            ("postgres://me@%2Fvar%2Frun/a", PgSslMode::Disable),
            ("postgres://me@db.example/a", PgSslMode::VerifyFull),
            ("postgres://me@10.0.0.7/a", PgSslMode::VerifyFull),
            (
                "postgres://me@localhost/a?host=db.example",
                PgSslMode::VerifyFull,
            ),
            ("postgres://me@localhost.example/a", PgSslMode::VerifyFull),
            (
                "postgres://me@db.example/a?sslmode=disable",
                PgSslMode::Disable,
            ),
            (
                "postgres://me@db.example/a?sslmode=require",
                PgSslMode::Require,
            ),
            (
                "postgres://me@db.example/a?ssl-mode=verify-ca",
                PgSslMode::VerifyCa,
            ),
            (
                "postgres://me@127.0.0.1/a?sslmode=prefer",
                PgSslMode::Prefer,
            ),
            (
                "postgres://me@127.0.0.1/a?sslmode=verify-full",
                PgSslMode::VerifyFull,
            ),
        ] {
            let chosen = chosen(url).unwrap();
            assert_eq!(format!("{chosen:?}"), format!("{expected:?}"), "{url}");
        }
        for refused in [
            "postgres://me:word@db.example/a?sslmode=prefer",
            "postgres://me:word@10.0.0.7/a?application_name=x&sslmode=allow",
        ] {
            let error = chosen(refused).unwrap_err();
            assert!(matches!(error, Error::PlainText { .. }), "{error}");
            assert!(!error.to_string().contains("word"));
        }
    }
}

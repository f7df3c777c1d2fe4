//! How PostgreSQL is reached: the options in its address, and whether the connection is encrypted.
//!
//! Data leaving the machine is encrypted and the server's certificate verified, unless the address explicitly says
//! otherwise. Modes that fall back to plain text when the server prefers it are refused: anyone in the middle could
//! prefer it too. Parameters that the driver does not know are also refused, because it would log their values, such as
//! a misspelt password.

use std::path::Path;
use std::str::FromStr;

use sqlx::postgres::{PgConnectOptions, PgSslMode};
use url::Url;

use crate::{Error, Result};

/// What sqlx reads from the query of an address, besides `options[…]`.
const PARAMETERS: [&str; 18] = [
    "sslmode",
    "ssl-mode",
    "sslrootcert",
    "ssl-root-cert",
    "ssl-ca",
    "sslcert",
    "ssl-cert",
    "sslkey",
    "ssl-key",
    "statement-cache-capacity",
    "host",
    "hostaddr",
    "port",
    "dbname",
    "user",
    "password",
    "application_name",
    "options",
];

/// The placeholder for an unknown parameter whose name may be part of a password.
const UNSHOWN: &str = "***";

/// Longer names are not shown.
const LONGEST_NAME: usize = 40;

/// The options of an address. No connection is made.
pub(super) fn options(url: &str) -> Result<PgConnectOptions> {
    check_parameters(url)?;
    let options = PgConnectOptions::from_str(url)?;
    let stated = states_mode(url) || std::env::var_os("PGSSLMODE").is_some();
    let mode = mode(&options, stated)?;
    Ok(options.ssl_mode(mode))
}

/// Refuses parameters that sqlx does not know, before it can log them.
fn check_parameters(url: &str) -> Result<()> {
    let Ok(url) = Url::parse(url) else {
        // Not an address at all; sqlx refuses it without quoting any of it.
        return Ok(());
    };
    for (name, value) in url.query_pairs() {
        let is_known = PARAMETERS.contains(&&*name)
            || name
                .strip_prefix("options[")
                .and_then(|rest| rest.strip_suffix(']'))
                .is_some_and(|option| !option.is_empty());
        if !is_known {
            return Err(Error::UnknownParameter(shown(&name, &value).to_owned()));
        }
    }
    Ok(())
}

/// The name of an unknown parameter, if it really is one: what follows a `?` in a password also looks like a parameter.
fn shown<'a>(name: &'a str, value: &str) -> &'a str {
    let is_name = name.len() <= LONGEST_NAME
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_-.[]".contains(&byte));
    if is_name && !value.is_empty() && !value.contains('@') {
        name
    } else {
        UNSHOWN
    }
}

/// Whether the address specifies a mode.
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
        // Nobody listens in between two processes on one machine.
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
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tracing::span::{Attributes, Id, Record};
    use tracing::{Event, Level, Metadata, Subscriber};

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

    #[test]
    fn an_unknown_parameter_is_named_without_its_value_and_never_logged() {
        for (address, expected) in [
            ("me@db.example/a?pasword=hunter2", "pasword"),
            (
                "me@db.example/a?sslmode=require&PASSWORD=hunter2",
                "PASSWORD",
            ),
            ("me@db.example/a?p%61sswd=hunter2", "passwd"),
            (
                "me@db.example/a?options[search_path=hunter2",
                "options[search_path",
            ),
            ("me@db.example/a?options[]=hunter2", "options[]"),
            // None of these is certain to be a name.
            ("me@db.example/a?hunter2", UNSHOWN),
            ("me@db.example/a?hunter2=", UNSHOWN),
            ("me:5432?hunter2@db.example/a", UNSHOWN),
            ("me:5432?hunter2=x@db.example/a", UNSHOWN),
            ("me:5432?x=hunter2@db.example/a", UNSHOWN),
        ] {
            let url = format!("postgres://{address}");
            let (refused, logged) = logged(|| options(&url).err());
            let error = refused.expect(address);
            assert!(
                matches!(&error, Error::UnknownParameter(name) if name == expected),
                "{url}: {error}"
            );
            assert!(error.to_string().contains(expected), "{error}");
            assert!(!format!("{error} {error:?}").contains("hunter2"), "{error}");
            assert_eq!(logged, 0, "{url}");
        }
    }

    /// The list is sqlx's: it logs what it does not know.
    #[test]
    fn sqlx_knows_every_parameter_that_is_let_through() {
        let value = |name: &str| match name {
            "sslmode" | "ssl-mode" => "require",
            "hostaddr" => "10.0.0.7",
            "port" | "statement-cache-capacity" => "5433",
            _ => "x",
        };
        for name in PARAMETERS.into_iter().chain(["options[search_path]"]) {
            let url = format!("postgres://me:word@db.example/a?{name}={}", value(name));
            let (read, logged) = logged(|| options(&url));
            assert!(read.is_ok(), "{name}");
            assert_eq!(logged, 0, "{name}");
        }
        let unknown = "postgres://me:word@db.example/a?pasword=x";
        let (_, logged) = logged(|| PgConnectOptions::from_str(unknown));
        assert_eq!(logged, 1, "what is counted here is what sqlx logs");
    }

    /// The result of a piece of work, and how many warnings it logs.
    fn logged<T>(work: impl FnOnce() -> T) -> (T, usize) {
        let warnings = Arc::new(AtomicUsize::new(0));
        let done = tracing::subscriber::with_default(Warnings(Arc::clone(&warnings)), work);
        (done, warnings.load(Ordering::SeqCst))
    }

    struct Warnings(Arc<AtomicUsize>);

    impl Subscriber for Warnings {
        fn enabled(&self, metadata: &Metadata<'_>) -> bool {
            *metadata.level() <= Level::WARN
        }

        fn new_span(&self, _: &Attributes<'_>) -> Id {
            Id::from_u64(1)
        }

        fn record(&self, _: &Id, _: &Record<'_>) {}

        fn record_follows_from(&self, _: &Id, _: &Id) {}

        fn event(&self, _: &Event<'_>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }

        fn enter(&self, _: &Id) {}

        fn exit(&self, _: &Id) {}
    }
}

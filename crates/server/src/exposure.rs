//! What the server is exposed to: who can read without a credential, under which names, and from which web pages.
//!
//! The defaults follow from one question: whose data is this? The simulated world is for everybody to try. Real data
//! belongs to the operator, and no page that the operator happens to visit may read it through the browser.

use std::net::SocketAddr;

use anyhow::{Context, ensure};
use api::{Hosts, MetricsAccess, Origins};
use model::DataMode;

use crate::config::{CorsOrigins, Metrics, Server, Switch};

/// What follows from the configuration, the data and the address.
#[derive(Debug)]
pub(crate) struct Exposure {
    pub(crate) anonymous: bool,
    pub(crate) hosts: Hosts,
    pub(crate) origins: Origins,
    pub(crate) metrics: MetricsAccess,
    /// Real data that anyone may read.
    is_open: bool,
    is_loopback: bool,
}

/// The minimum length of a `/metrics` token.
const SHORTEST_TOKEN: usize = 16;

impl Exposure {
    pub(crate) fn new(server: &Server, mode: DataMode, local: SocketAddr) -> anyhow::Result<Self> {
        let is_loopback = local.ip().to_canonical().is_loopback();
        let anonymous = server.anonymous.holds(mode);
        let is_open = anonymous && mode == DataMode::Real;
        Ok(Self {
            anonymous,
            hosts: hosts(
                &server.hosts,
                mode == DataMode::Real && (is_loopback || anonymous),
            ),
            origins: origins(&server.cors_origins, mode)?,
            metrics: match server.metrics_token.expose() {
                "" if server.metrics == Metrics::Everyone => MetricsAccess::Everyone,
                "" => MetricsAccess::ThisMachine,
                token => {
                    // Nobody counts how often someone tries to guess it.
                    ensure!(
                        token.len() >= SHORTEST_TOKEN,
                        "server.metrics_token is shorter than {SHORTEST_TOKEN} characters"
                    );
                    MetricsAccess::Token(operations::digest(token))
                }
            },
            is_open,
            is_loopback,
        })
    }

    /// A warning for the operator.
    pub(crate) fn warning(&self) -> Option<&'static str> {
        match (&self.origins, self.is_open) {
            (Origins::Any, true) => Some(
                "server.anonymous is on and server.cors_origins is *: any web page opened by somebody who can reach this \
                 server can read its data",
            ),
            (_, true) if !self.is_loopback => Some(
                "server.anonymous is on: anyone who can reach this server can read its data without a credential",
            ),
            _ => None,
        }
    }
}

impl Switch {
    /// Whether it is on for this data.
    pub(crate) fn holds(self, mode: DataMode) -> bool {
        match self {
            Self::On => true,
            Self::Off => false,
            Self::Auto => mode == DataMode::Demo,
        }
    }
}

/// Configured names always count; without any, only a server that a page could reach by rebinding a name is strict.
fn hosts(names: &[String], is_strict: bool) -> Hosts {
    if names.iter().any(|name| name == "*") || (names.is_empty() && !is_strict) {
        Hosts::any()
    } else {
        Hosts::only(names.iter().cloned())
    }
}

fn origins(configured: &CorsOrigins, mode: DataMode) -> anyhow::Result<Origins> {
    let list: Vec<&str> = match configured {
        CorsOrigins::Word(word) if word == "auto" => {
            return Ok(match mode {
                DataMode::Demo => Origins::Any,
                DataMode::Real => Origins::default(),
            });
        }
        CorsOrigins::Word(word) => word.split(',').map(str::trim).collect(),
        CorsOrigins::List(list) => list.iter().map(String::as_str).collect(),
    };
    if list.contains(&"*") {
        return Ok(Origins::Any);
    }
    let mut origins = Vec::with_capacity(list.len());
    for entry in list.into_iter().filter(|entry| !entry.is_empty()) {
        let said = || {
            format!(
                "server.cors_origins: {entry:?} is not an origin such as https://app.example.org"
            )
        };
        // As browsers write it: scheme, host, and the port if it is not the default.
        let origin = url::Url::parse(entry).with_context(said)?.origin();
        ensure!(
            origin.is_tuple()
                && !entry.contains('*')
                && origin.ascii_serialization() == entry.trim_end_matches('/'),
            said()
        );
        origins.push(origin.ascii_serialization().parse().with_context(said)?);
    }
    Ok(Origins::Only(origins))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn exposure(text: &str, mode: DataMode, listen: &str) -> anyhow::Result<Exposure> {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(
            directory.path().join("assay.toml"),
            format!("[server]\n{text}"),
        )
        .unwrap();
        let config = Config::load(None, directory.path()).unwrap();
        Exposure::new(&config.server, mode, listen.parse().unwrap())
    }

    #[test]
    fn real_data_are_closed_unless_the_operator_opens_them() {
        for listen in ["127.0.0.1:8080", "[::1]:8080", "0.0.0.0:8080"] {
            let real = exposure("", DataMode::Real, listen).unwrap();
            assert!(!real.anonymous, "{listen}");
            assert!(
                matches!(&real.origins, Origins::Only(origins) if origins.is_empty()),
                "{listen}"
            );
            assert!(matches!(real.metrics, MetricsAccess::ThisMachine));
            assert_eq!(real.warning(), None);
            let demo = exposure("", DataMode::Demo, listen).unwrap();
            assert!(demo.anonymous && matches!(demo.origins, Origins::Any));
        }
        let open = exposure("anonymous = \"on\"", DataMode::Real, "127.0.0.1:1").unwrap();
        assert!(open.anonymous && matches!(&open.origins, Origins::Only(o) if o.is_empty()));
        let everyone = "anonymous = \"on\"\ncors_origins = \"*\"";
        let everyone = exposure(everyone, DataMode::Real, "127.0.0.1:1").unwrap();
        assert!(everyone.warning().is_some());
        let closed = exposure("anonymous = \"off\"", DataMode::Demo, "127.0.0.1:1").unwrap();
        assert!(!closed.anonymous);
    }

    #[test]
    fn origins_are_whole_origins() {
        let of = |text: &str| exposure(text, DataMode::Real, "127.0.0.1:1").map(|e| e.origins);
        let Origins::Only(origins) =
            of("cors_origins = [\"https://a.example\", \"http://localhost:3000\"]").unwrap()
        else {
            panic!("these are two");
        };
        assert_eq!(origins, ["https://a.example", "http://localhost:3000"]);
        for wrong in [
            "a.example",
            "https://a.example/path",
            "https://user@a.example",
            "null",
            "https://*.a.example",
        ] {
            let text = format!("cors_origins = [{wrong:?}]");
            assert!(of(&text).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_token_decides_who_reads_metrics() {
        let short = exposure("metrics_token = \"t\"", DataMode::Real, "127.0.0.1:1");
        assert!(short.is_err(), "it could be guessed");
        let text = "metrics = \"everyone\"\nmetrics_token = \"a token of many letters\"";
        let exposure = exposure(text, DataMode::Real, "127.0.0.1:1").unwrap();
        assert!(
            matches!(exposure.metrics, MetricsAccess::Token(digest) if digest == operations::digest("a token of many letters"))
        );
    }
}

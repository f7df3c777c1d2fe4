//! The services of live web search, as configured.

use std::sync::Arc;

use anyhow::{Context, ensure};
use model::DataMode;
use providers::web_search::{ApiKey, WebSearch, WebSearchSettings, WebSearches};
use providers::{Transport, TransportSettings};

use crate::config::{Config, Secret};

/// The services, ready for callers. The demo world has none, whatever the configuration.
pub(crate) fn searches(
    config: &Config,
    mode: DataMode,
    transport: &Transport,
) -> anyhow::Result<WebSearches> {
    if mode == DataMode::Demo {
        return Ok(WebSearches::default());
    }
    let services = services(config, transport.settings())?;
    for service in &services {
        let name = service.provider();
        tracing::info!(
            web_search.provider = name.as_str(),
            "web search: {name} is configured"
        );
    }
    Ok(WebSearches::new(services))
}

/// The services that the operator named; makes no connection. `way_out` says how requests go out in general.
pub(crate) fn services(
    config: &Config,
    way_out: &TransportSettings,
) -> anyhow::Result<Vec<Arc<dyn WebSearch>>> {
    let wanted = &config.web_search;
    ensure!(
        !wanted.wikipedia || way_out.contact.is_some(),
        "web_search.wikipedia needs network.contact (or --contact EMAIL): Wikimedia wants to know who asks"
    );
    let searxng = wanted.searxng.expose().trim();
    let settings = WebSearchSettings {
        searxng: (!searxng.is_empty()).then(|| searxng.to_owned()),
        wikipedia: wanted.wikipedia,
        brave: key("brave_key", &wanted.brave_key)?,
        tavily: key("tavily_key", &wanted.tavily_key)?,
        exa: key("exa_key", &wanted.exa_key)?,
        serper: key("serper_key", &wanted.serper_key)?,
    };
    settings.services(way_out).context("web_search.searxng")
}

fn key(name: &str, secret: &Secret) -> anyhow::Result<Option<ApiKey>> {
    let text = secret.expose().trim();
    if text.is_empty() {
        return Ok(None);
    }
    let key = ApiKey::new(text).with_context(|| {
        format!("web_search.{name} is no key: it has blanks or other signs that no header takes")
    })?;
    Ok(Some(key))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn named(lines: &str) -> anyhow::Result<Vec<&'static str>> {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("assay.toml");
        std::fs::write(&file, format!("[web_search]\n{lines}")).unwrap();
        let config = Config::load(Some(&file), Path::new("nowhere"))?;
        let way_out = TransportSettings {
            contact: lines
                .contains("# contact")
                .then(|| "desk@assay.test".to_owned()),
            ..TransportSettings::default()
        };
        let services = services(&config, &way_out)?;
        Ok(services
            .iter()
            .map(|service| service.provider().as_str())
            .collect())
    }

    #[test]
    fn nobody_is_asked_unless_the_operator_says_so() {
        assert!(named("").unwrap().is_empty());
        let all = "searxng = \"http://127.0.0.1:8888\"\nwikipedia = true # contact\nbrave_key = \"a\"\n\
                   tavily_key = \"b\"\nexa_key = \"c\"\nserper_key = \"d\"";
        assert_eq!(
            named(all).unwrap(),
            ["searxng", "wikipedia", "brave", "tavily", "exa", "serper"]
        );
    }

    #[test]
    fn what_cannot_work_is_refused_at_the_start_without_its_secret() {
        for lines in [
            "wikipedia = true",
            "brave_key = \"hush hush\"",
            "searxng = \"http://me:hush@searx.example\"",
            "searxng = \"searx.example\"",
            "duckduckgo = true",
        ] {
            let fault = format!("{:#}", named(lines).unwrap_err());
            assert!(
                fault.contains("web_search") || fault.contains("duckduckgo"),
                "{fault}"
            );
            assert!(!fault.contains("hush"), "{fault}");
        }
    }
}

//! The language model, as configured.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, ensure};
use providers::Transport;
use providers::chat::{ChatModel, ChatSettings, Prices, SpendingLimits, TimeLimits};
use providers::web_search::ApiKey;

use crate::config::Config;

/// The model, if one is named; makes no connection.
pub(crate) fn model(
    config: &Config,
    transport: &Transport,
) -> anyhow::Result<Option<Arc<ChatModel>>> {
    let chat = &config.chat;
    if chat.base_url.is_empty() {
        ensure!(
            chat.model.is_empty(),
            "chat.model names {:?}, but chat.base_url is empty",
            chat.model
        );
        return Ok(None);
    }
    let text = chat.api_key.expose().trim();
    let key = (!text.is_empty()).then(|| ApiKey::new(text));
    ensure!(
        !matches!(key, Some(None)),
        "chat.api_key is no key: it has blanks or other signs that no header takes"
    );
    ensure!(
        chat.seconds > 0 && chat.silence_seconds > 0,
        "chat.seconds and chat.silence_seconds must be at least 1"
    );
    let money = [
        chat.usd_per_day,
        chat.usd_per_million_input,
        chat.usd_per_million_output,
    ];
    ensure!(
        money.iter().all(|usd| usd.is_finite() && *usd >= 0.0),
        "amounts of [chat] must not be negative"
    );
    ensure!(
        chat.usd_per_day == 0.0 || chat.usd_per_million_input + chat.usd_per_million_output > 0.0,
        "chat.usd_per_day needs the prices of the model"
    );
    let settings = ChatSettings {
        base_url: chat.base_url.clone(),
        key: key.flatten(),
        model: chat.model.trim().to_owned(),
        time: TimeLimits {
            silence: Duration::from_secs(chat.silence_seconds),
            whole: Duration::from_secs(chat.seconds),
        },
        spending: SpendingLimits {
            tokens: chat.tokens_per_day,
            usd: chat.usd_per_day,
            prices: Prices {
                input_usd: chat.usd_per_million_input,
                output_usd: chat.usd_per_million_output,
            },
        },
        at_once: chat.at_once,
    };
    let model = ChatModel::new(settings, transport.settings()).context("[chat]")?;
    tracing::info!(
        chat.model = model.name(),
        "the language model {} adds prose to answers",
        model.name()
    );
    Ok(Some(Arc::new(model)))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use providers::TransportSettings;

    use super::*;

    fn named(lines: &str) -> anyhow::Result<Option<String>> {
        let directory = tempfile::tempdir()?;
        let file = directory.path().join("assay.toml");
        std::fs::write(&file, format!("[chat]\n{lines}"))?;
        let config = Config::load(Some(&file), Path::new("nowhere"))?;
        let transport = Transport::new(TransportSettings::default())?;
        Ok(model(&config, &transport)?.map(|model| model.name().to_owned()))
    }

    #[test]
    fn there_is_none_unless_the_operator_names_one() {
        assert_eq!(named("").unwrap(), None);
        let local = "base_url = \"http://127.0.0.1:11434/v1\"\nmodel = \"small\"";
        assert_eq!(named(local).unwrap().as_deref(), Some("small"));
    }

    #[test]
    fn what_cannot_work_is_refused_at_the_start_without_its_secret() {
        let local = "base_url = \"http://127.0.0.1:11434/v1\"\nmodel = \"small\"\n";
        for lines in [
            "model = \"small\"".to_owned(),
            "base_url = \"http://me:hush@models.example/v1\"\nmodel = \"small\"".to_owned(),
            "base_url = \"models.example\"\nmodel = \"small\"".to_owned(),
            "base_url = \"http://127.0.0.1:1/v1\"".to_owned(),
            format!("{local}api_key = \"hush hush\""),
            format!("{local}usd_per_day = 5.0"),
            format!("{local}usd_per_day = -1.0"),
            format!("{local}seconds = 0"),
        ] {
            let fault = format!("{:#}", named(&lines).unwrap_err());
            assert!(fault.contains("chat"), "{lines}: {fault}");
            assert!(!fault.contains("hush"), "{fault}");
        }
    }
}

//! Messages in the formats of chat services: Slack blocks, Discord embeds.
//!
//! Each message stays within the limits that the service publishes, whatever the brief says. Text is escaped, so that a
//! headline can neither mention anybody nor link anywhere. Pure.

use model::{Brief, DataMode, OutboxKind, Timestamp};
use serde_json::{Value, json};
use store::WebhookFormat;

/// Slack: characters in a header, in the text of a section and in a context element; elements in a context.
const SLACK_HEADER: usize = 150;
const SLACK_SECTION: usize = 3_000;
const SLACK_ELEMENT: usize = 2_000;
/// Slack: characters in the text that notifications show; the service cuts longer ones.
const SLACK_TEXT: usize = 4_000;
/// Discord: characters in the title, the description, a field value and the footer.
const DISCORD_TITLE: usize = 256;
const DISCORD_DESCRIPTION: usize = 4_096;
const DISCORD_VALUE: usize = 1_024;
/// Number of sources that are named.
const SOURCES: usize = 5;

/// What happened, for a reader.
const fn words(kind: OutboxKind) -> &'static str {
    match kind {
        OutboxKind::BriefPublished => "Published",
        OutboxKind::BriefUpdated => "Updated",
        OutboxKind::BriefTrending => "Trending",
        OutboxKind::BriefCorrected => "Corrected",
        OutboxKind::BriefSplit => "Divided",
        OutboxKind::BriefMerged => "Merged",
    }
}

/// The body of a Slack incoming webhook.
pub fn slack(kind: OutboxKind, brief: &Brief) -> Value {
    let mut blocks = vec![json!({
        "type": "header",
        "text": {"type": "plain_text", "text": cut(or_dash(&brief.headline), SLACK_HEADER), "emoji": false},
    })];
    if !brief.summary.trim().is_empty() {
        blocks.push(json!({
            "type": "section",
            "text": {"type": "mrkdwn", "text": slack_text(&brief.summary, SLACK_SECTION), "verbatim": true},
        }));
    }
    blocks.push(json!({
        "type": "context",
        "elements": [
            {"type": "mrkdwn", "text": slack_text(&about(kind, brief), SLACK_ELEMENT), "verbatim": true},
            {"type": "mrkdwn", "text": slack_text(&or_dash(&sources(brief)), SLACK_ELEMENT), "verbatim": true},
        ],
    }));
    let text = format!("{}: {}", words(kind), brief.headline);
    json!({"text": slack_text(&text, SLACK_TEXT), "blocks": blocks, "unfurl_links": false})
}

/// The body of a Discord webhook.
pub fn discord(kind: OutboxKind, brief: &Brief) -> Value {
    let mut embed = json!({
        "title": discord_text(&or_dash(&brief.headline), DISCORD_TITLE),
        "description": discord_text(&brief.summary, DISCORD_DESCRIPTION - 1_500),
        "timestamp": brief.updated_at.to_string(),
        "footer": {"text": cut(brief.public_id.as_str(), 100)},
        "fields": [
            {"name": "Event", "value": discord_text(&about(kind, brief), DISCORD_VALUE), "inline": false},
            {"name": "Sources", "value": discord_text(&or_dash(&sources(brief)), DISCORD_VALUE), "inline": false},
        ],
    });
    let link = brief.sources.iter().map(|source| &*source.url);
    let mut links = link.filter(|url| {
        (url.starts_with("https://") || url.starts_with("http://")) && units(url) <= 2_048
    });
    if let Some(url) = links.next() {
        embed["url"] = url.into();
    }
    json!({"embeds": [embed], "allowed_mentions": {"parse": []}})
}

/// A message to a webhook's owner that is not about a brief.
#[derive(Clone, Debug)]
pub struct Notice<'a> {
    /// Its type.
    pub kind: &'static str,
    /// What it is about, in a word or two.
    pub title: &'static str,
    /// What it says.
    pub text: &'a str,
    /// The data for programs.
    pub data: Value,
}

/// A notice in the format of its webhook.
pub fn notice(format: WebhookFormat, notice: &Notice<'_>, now: Timestamp, mode: DataMode) -> Value {
    let body = match format {
        WebhookFormat::Raw => json!({
            "type": notice.kind,
            "timestamp": now.to_string(),
            "data": notice.data,
        }),
        WebhookFormat::Slack => json!({
            "text": slack_text(notice.text, SLACK_TEXT),
            "blocks": [{
                "type": "section",
                "text": {"type": "plain_text", "text": cut(notice.text, SLACK_SECTION)},
            }],
        }),
        WebhookFormat::Discord => json!({
            "embeds": [{
                "title": notice.title,
                "description": discord_text(notice.text, DISCORD_DESCRIPTION),
                "timestamp": now.to_string(),
                "fields": [],
            }],
            "allowed_mentions": {"parse": []},
        }),
    };
    simulated(body, format, mode)
}

/// Marks messages of the demo world as simulated, in the words of their format.
pub fn simulated(mut body: Value, format: WebhookFormat, mode: DataMode) -> Value {
    if mode == DataMode::Demo {
        match format {
            WebhookFormat::Raw => body["data"]["simulated"] = true.into(),
            WebhookFormat::Slack => {
                let note = json!({"type": "mrkdwn", "text": "simulated"});
                if let Some(blocks) = body["blocks"].as_array_mut() {
                    blocks.push(json!({"type": "context", "elements": [note]}));
                }
            }
            WebhookFormat::Discord => {
                if let Some(fields) = body["embeds"][0]["fields"].as_array_mut() {
                    fields.push(json!({"name": "Note", "value": "simulated", "inline": true}));
                }
            }
        }
    }
    body
}

fn about(kind: OutboxKind, brief: &Brief) -> String {
    let sources = match brief.sources.len() {
        1 => "1 source".to_owned(),
        count => format!("{count} sources"),
    };
    format!(
        "{} · {} · confidence {:.2} · {} · {}",
        words(kind),
        brief.category.as_str(),
        brief.confidence.score.get(),
        sources,
        brief.public_id.as_str(),
    )
}

fn sources(brief: &Brief) -> String {
    let names: Vec<&str> = brief.sources.iter().map(|source| &*source.name).collect();
    let more = names.len().saturating_sub(SOURCES);
    let text = names[..names.len() - more].join(", ");
    if more == 0 {
        text
    } else {
        format!("{text} and {more} more")
    }
}

/// No text field may be empty.
fn or_dash(text: &str) -> String {
    if text.trim().is_empty() {
        "–".to_owned()
    } else {
        text.to_owned()
    }
}

/// Escapes the three characters that have a meaning in Slack, and keeps the result within the limit.
fn slack_text(text: &str, most: usize) -> String {
    escaped(text, most, |character| match character {
        '&' => Some("&amp;".to_owned()),
        '<' => Some("&lt;".to_owned()),
        '>' => Some("&gt;".to_owned()),
        _ => None,
    })
}

/// Puts a backslash before Markdown marks.
fn discord_text(text: &str, most: usize) -> String {
    escaped(text, most, |character| {
        "\\*_~`|>#[]()@<-"
            .contains(character)
            .then(|| format!("\\{character}"))
    })
}

/// Replaces characters and ends with an ellipsis before the text becomes too long; no replacement is cut.
fn escaped(text: &str, most: usize, replace: impl Fn(char) -> Option<String>) -> String {
    let mut written = String::new();
    let mut length = 0;
    let mut end = 0;
    for character in text.trim().chars() {
        let piece = replace(character).unwrap_or_else(|| character.to_string());
        length += units(&piece);
        if length > most {
            written.truncate(end);
            written.push('…');
            return written;
        }
        written.push_str(&piece);
        if length < most {
            end = written.len();
        }
    }
    written
}

fn cut(text: impl AsRef<str>, most: usize) -> String {
    escaped(text.as_ref(), most, |_| None)
}

/// Length in UTF-16 units, as the services count, so that it is never too long by another count.
fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

#[cfg(test)]
mod tests;

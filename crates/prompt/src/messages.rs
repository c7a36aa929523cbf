//! What follows the system prompt: summary, history, and the message being sent with its runtime suffix.
//!
//! Time, channel, chat and sender stand here and never in the system prompt, whose cached copy they would
//! break (facts: user message).

use std::collections::BTreeMap;

use jiff::Timestamp;
use model::{Context, Finding, McpList, Message, Severity, UserMessage, text};
use serde_json::{Map, Value, json};

use crate::{js, mcp};

/// The image files of a context's `media`, read by the caller: path to `data:` URL, or `None` for a file that
/// cannot be read. A path that is not here counts as not readable.
pub type Attachments = BTreeMap<String, Option<String>>;

/// The suffix of the message being sent; empty when nothing but the time is known.
pub(crate) fn runtime_suffix(context: &Context, findings: &mut Vec<Finding>) -> String {
    let known = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
    let mut parts = Vec::new();
    for (name, value) in [("Channel", &context.channel), ("Chat ID", &context.chat_id), ("Sender", &context.sender_id)]
    {
        if let Some(value) = known(value) {
            parts.push(format!("{name}: {value}"));
        }
    }
    if parts.is_empty() {
        return String::new();
    }
    let zone = context.time_zone.as_deref().unwrap_or("UTC");
    match context.time.as_deref().map(str::parse::<Timestamp>) {
        Some(Ok(time)) => parts.insert(0, format!("Time: {} ({zone})", js::iso_string(time))),
        Some(Err(error)) => {
            let message = text!("time-unreadable", cause = error.to_string());
            findings.push(Finding::new("time-unreadable", Severity::Error, message));
        }
        None => findings.push(Finding::new("time-missing", Severity::Info, text!("time-missing"))),
    }
    format!("\n\n[runtime: {}]", parts.join(" | "))
}

/// The message being sent.
pub(crate) fn user_message(context: &Context, findings: &mut Vec<Finding>) -> UserMessage {
    let suffix = runtime_suffix(context, findings);
    let mut text = context.message.clone().unwrap_or_default();
    if context.mcp_list == Some(McpList::UserMessage)
        && let Some(list) = mcp::list(context)
    {
        text.push_str("\n\nConnected tools:\n");
        text.push_str(&list);
    }
    text.push_str(&suffix);
    UserMessage { text, suffix }
}

/// Summary, history, and the message being sent.
pub(crate) fn messages(context: &Context, user: &UserMessage, attachments: &Attachments) -> Vec<Message> {
    let from_user = |content| Message { role: "user".to_owned(), content, rest: Map::new() };
    let mut list = Vec::new();
    if let Some(summary) = context.session_summary.as_deref().filter(|summary| !summary.is_empty()) {
        list.push(from_user(Value::String(format!("[Previous conversation summary]:\n{summary}"))));
    }
    list.extend(context.history.iter().flatten().cloned());
    let media = context.media.as_deref().unwrap_or_default();
    let whole = if media.is_empty() { Value::String(user.text.clone()) } else { parts(&user.text, media, attachments) };
    list.push(from_user(whole));
    list
}

/// The content list of a message with attachments.
fn parts(text: &str, media: &[String], attachments: &Attachments) -> Value {
    let image = |url: &str| json!({"type": "image_url", "image_url": {"url": url}});
    let attached = media.iter().map(|entry| {
        let begins = |scheme: &&str| entry.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
        if ["data:", "http://", "https://"].iter().any(begins) {
            return image(entry);
        }
        match attachments.get(entry) {
            Some(Some(url)) => image(url),
            _ => json!({"type": "text", "text": format!("[image: {}]", entry.rsplit('/').next().unwrap_or(entry))}),
        }
    });
    let text = (!text.is_empty()).then(|| json!({"type": "text", "text": text}));
    text.into_iter().chain(attached).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

    use super::*;

    fn suffix(context: &str) -> String {
        runtime_suffix(&Context::from_json(context).unwrap(), &mut Vec::new())
    }

    #[test]
    fn the_suffix_needs_more_than_the_time() {
        let time = r#""time": "2025-03-04T07:06:07.0899+02:00""#;
        assert_eq!(suffix(&format!("{{{time}}}")), "");
        assert_eq!(suffix(&format!(r#"{{{time}, "channel": "", "chat_id": "", "sender_id": ""}}"#)), "");
        assert_eq!(
            suffix(&format!(r#"{{{time}, "channel": "", "chat_id": "7", "time_zone": ""}}"#)),
            "\n\n[runtime: Time: 2025-03-04T05:06:07.089Z () | Chat ID: 7]"
        );
    }

    #[test]
    fn attachments_make_the_content_a_list() {
        let context = Context::from_json(
            r#"{"message": "", "media": ["HTTPS://x/a.png", "/p/b.png", "/p/c.png"], "history": [{"role": "tool", "content": [1], "name": "n"}]}"#,
        )
        .unwrap();
        let attachments = Attachments::from([("/p/b.png".to_owned(), Some("data:image/png;base64,AA==".to_owned()))]);
        let user = user_message(&context, &mut Vec::new());
        let messages = serde_json::to_value(messages(&context, &user, &attachments)).unwrap();
        assert_eq!(
            messages,
            json!([
                {"role": "tool", "content": [1], "name": "n"},
                {"role": "user", "content": [
                    {"type": "image_url", "image_url": {"url": "HTTPS://x/a.png"}},
                    {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}},
                    {"type": "text", "text": "[image: c.png]"},
                ]},
            ])
        );
    }
}

//! The system prompt in a log: as it was sent, or in the JSON that it was sent in.
//!
//! A log that is no JSON is the prompt itself, to the byte. Nothing is guessed: what was taken is said.

use serde_json::Value;

/// A prompt out of a log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sent {
    /// Its text.
    pub(crate) text: String,
    /// What was taken from where; `None`: the log is the prompt.
    pub(crate) note: Option<String>,
}

/// Reads a log: a JSON string, a request body of Anthropic, OpenAI or Gemini, a list of messages, JSON Lines of these,
/// a text whose line ends are written as `\n`, or the prompt itself.
pub(crate) fn read(log: &str) -> Sent {
    let said = |text: String, note: &str| Sent { text, note: Some(note.to_owned()) };
    let trimmed = log.trim_start_matches('\u{FEFF}').trim();
    if trimmed.starts_with(['{', '[', '"']) {
        if let Ok(value) = serde_json::from_str::<Value>(trimmed) {
            if let Some((text, note)) = of_json(&value) {
                return said(text, note);
            }
        } else if trimmed.starts_with('{') {
            let mut lines = trimmed.lines().rev().filter_map(|line| serde_json::from_str::<Value>(line).ok());
            if let Some((text, _)) = lines.find_map(|line| of_json(&line)) {
                return said(text, "The log has one request a line. The system prompt of the last one was taken.");
            }
        }
    }
    // One alone may be a path of Windows.
    if !log.contains('\n') && log.matches("\\n").count() > 1 {
        let quoted = format!("\"{}\"", trimmed.trim_matches('"'));
        if let Ok(text) = serde_json::from_str::<String>(&quoted) {
            return said(text, "The text was escaped as in JSON. It was compared without the escapes.");
        }
    }
    Sent { text: log.to_owned(), note: None }
}

/// The system prompt in a value, and how it stood there.
fn of_json(value: &Value) -> Option<(String, &'static str)> {
    match value {
        Value::String(text) => Some((text.clone(), "The log is a JSON string. It was compared without the escapes.")),
        Value::Array(messages) => of_messages(messages),
        Value::Object(body) => {
            for key in ["system", "instructions"] {
                if let Some(text) = body.get(key).and_then(text_of) {
                    return Some((
                        text,
                        "The log is a request. Its system prompt was taken, without the escapes of JSON.",
                    ));
                }
            }
            let gemini = body.get("systemInstruction").or_else(|| body.get("system_instruction"));
            if let Some(text) = gemini.and_then(|given| text_of(given.get("parts")?)) {
                return Some((
                    text,
                    "The log is a request. Its system instruction was taken, without the escapes of JSON.",
                ));
            }
            for key in ["messages", "input"] {
                if let Some(found) = body.get(key).and_then(Value::as_array).and_then(|messages| of_messages(messages))
                {
                    return Some(found);
                }
            }
            ["request", "body", "params", "kwargs", "data"].into_iter().find_map(|key| {
                let inner = body.get(key)?;
                match inner.as_str().map(serde_json::from_str::<Value>) {
                    Some(parsed) => of_json(parsed.ok().as_ref().filter(|value| !value.is_string())?),
                    None => of_json(inner),
                }
            })
        }
        _ => None,
    }
}

fn of_messages(messages: &[Value]) -> Option<(String, &'static str)> {
    let mut system = messages.iter().filter_map(|message| {
        let role = message.get("role")?.as_str()?;
        matches!(role, "system" | "developer").then(|| text_of(message.get("content")?))?
    });
    let first = system.next()?;
    if system.next().is_some() {
        return Some((first, "The log has several system messages. The first one was taken."));
    }
    Some((first, "The log is a list of messages. Its system message was taken, without the escapes of JSON."))
}

/// A text, or the texts of a list of content blocks in a row.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(blocks) => {
            let texts: Vec<&str> = blocks.iter().filter_map(|block| block.get("text")?.as_str()).collect();
            (!texts.is_empty()).then(|| texts.concat())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(log: &str) -> (String, bool) {
        let sent = read(log);
        (sent.text, sent.note.is_some())
    }

    #[test]
    fn every_form_gives_the_same_prompt() {
        for log in [
            r#""a\n\"b\" é""#,
            r#"{"model":"m","system":"a\n\"b\" é","messages":[{"role":"user","content":"x"}]}"#,
            r#"{"system":[{"type":"text","text":"a\n","cache_control":{"type":"ephemeral"}},{"type":"text","text":"\"b\" é"}]}"#,
            r#"{"messages":[{"role":"system","content":"a\n\"b\" \u00e9"},{"role":"user","content":"x"}]}"#,
            r#"[{"role":"developer","content":[{"type":"text","text":"a\n\"b\" é"}]}]"#,
            r#"{"instructions":"a\n\"b\" é","input":"x"}"#,
            r#"{"systemInstruction":{"parts":[{"text":"a\n\"b\" é"}]}}"#,
            r#"{"time":1,"request":{"body":"{\"system\":\"a\\n\\\"b\\\" é\"}"}}"#,
            "{\"system\":\"older\"}\n{\"system\":\"a\\n\\\"b\\\" é\"}\n{\"level\":\"info\"}\n",
        ] {
            assert_eq!(taken(log), ("a\n\"b\" é".to_owned(), true), "{log}");
        }
        assert_eq!(taken(r#"a\n\"b\"\né"#), ("a\n\"b\"\né".to_owned(), true));
    }

    #[test]
    fn anything_else_is_the_prompt_to_the_byte() {
        for log in ["", " a\n", "{not json}\n", "{\"model\":\"m\"}\n", "[1]", "a\\nb\nc", "C:\\new", "\u{FEFF}a"] {
            assert_eq!(taken(log), (log.to_owned(), false), "{log}");
        }
    }
}

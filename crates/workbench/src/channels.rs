//! The channels that the target is known to have.

/// Channels that are offered, with their names for people. Any other can be typed into the context.
pub(crate) const CHANNELS: &[(&str, &str)] = &[
    ("desktop", "Desktop"),
    ("telegram", "Telegram"),
    ("discord", "Discord"),
    ("qq", "QQ"),
    ("whatsapp", "WhatsApp"),
    ("sms", "SMS"),
    ("email", "E-mail"),
    ("cli", "Command line"),
    ("mochat", "MoChat"),
    ("wecom", "WeCom"),
    ("wechat", "WeChat"),
    ("websocket", "WebSocket"),
];

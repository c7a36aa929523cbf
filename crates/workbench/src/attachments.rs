//! Images of the message being sent: read here, because the assembly itself reads nothing.

use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use model::Context;
use prompt::Attachments;

/// Largest image that is read, in bytes.
const LARGEST: u64 = 32 * 1024 * 1024;

/// Reads the image files among the context's `media`. What cannot be read is left out; the assembly then names it.
pub(crate) fn read(context: &Context) -> Attachments {
    let mut attachments = Attachments::default();
    for path in context.media.iter().flatten() {
        let readable = fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() <= LARGEST);
        if readable
            && let Ok(bytes) = fs::read(path)
            && let Some(kind) = by_extension(Path::new(path)).or_else(|| by_signature(&bytes))
        {
            let encoded = STANDARD.encode(bytes);
            attachments.insert(path.clone(), Some(format!("data:{kind};base64,{encoded}")));
        }
    }
    attachments
}

/// The media type by the file's extension; `None` for what is no image's.
fn by_extension(path: &Path) -> Option<&'static str> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    Some(match extension.as_str() {
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "svg" => "image/svg+xml",
        "bmp" => "image/bmp",
        _ => return None,
    })
}

/// The media type by the file's first bytes, as their formats define them; `None` for what is no image.
fn by_signature(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => Some("image/png"),
        [0xFF, 0xD8, 0xFF, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}

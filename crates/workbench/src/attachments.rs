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
        if readable && let (Some(kind), Ok(bytes)) = (mime(Path::new(path)), fs::read(path)) {
            let encoded = STANDARD.encode(bytes);
            attachments.insert(path.clone(), Some(format!("data:{kind};base64,{encoded}")));
        }
    }
    attachments
}

/// The media type by the file's extension; `None` for what is no image.
fn mime(path: &Path) -> Option<&'static str> {
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

//! Which of WebKitGTK's drawing paths the window takes.
//!
//! WebKit reads these variables once, at its start, and their presence alone counts. Neither is set for
//! everybody: without the buffer transport that suits a machine WebKit falls back to slower drawing, or crashes.

/// How the window is to be drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rendering {
    /// As WebKit thinks best, with a known fault of NVIDIA's own driver gone round.
    Usual,
    /// Without the graphics card.
    Safe,
}

/// Tells WebKit how to draw. A variable that the person has set already is left alone.
///
/// Must be called at the very start, before there is a second thread.
#[cfg(target_os = "linux")]
pub fn prepare_rendering(rendering: Rendering) {
    // Present exactly when NVIDIA's own kernel module is loaded; nouveau has no such file.
    let nvidia = std::path::Path::new("/proc/driver/nvidia/version").exists();
    let person_chose = CHOICES.iter().any(|name| std::env::var_os(name).is_some());
    for name in variables(rendering, nvidia && !person_chose) {
        if std::env::var_os(name).is_none() {
            // SAFETY: called first thing in `main`, while this is the only thread.
            #[allow(unsafe_code, reason = "WebKit can be told in no other way")]
            unsafe {
                std::env::set_var(name, "1");
            }
        }
    }
}

/// Tells WebKit how to draw: nothing to say on this system.
#[cfg(not(target_os = "linux"))]
pub fn prepare_rendering(_rendering: Rendering) {}

/// Variables by which people choose a drawing path themselves.
#[cfg(target_os = "linux")]
const CHOICES: [&str; 3] =
    ["WEBKIT_DISABLE_DMABUF_RENDERER", "WEBKIT_DISABLE_COMPOSITING_MODE", "WEBKIT_DMABUF_RENDERER_FORCE_SHM"];

/// The variables to set.
///
/// NVIDIA's driver hands WebKit buffers that it cannot map, which leaves the window blank; buffers in shared
/// memory avoid it and keep a working transport, which `WEBKIT_DISABLE_DMABUF_RENDERER` does not.
#[cfg(target_os = "linux")]
fn variables(rendering: Rendering, nvidia: bool) -> &'static [&'static str] {
    match (rendering, nvidia) {
        (Rendering::Safe, _) => &["WEBKIT_DISABLE_COMPOSITING_MODE", "WEBKIT_DMABUF_RENDERER_FORCE_SHM"],
        (Rendering::Usual, true) => &["WEBKIT_DMABUF_RENDERER_FORCE_SHM"],
        (Rendering::Usual, false) => &[],
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_set_where_nothing_is_wrong() {
        assert!(variables(Rendering::Usual, false).is_empty());
    }

    #[test]
    fn the_buffer_transport_is_never_taken_away() {
        for (rendering, nvidia) in [(Rendering::Usual, true), (Rendering::Safe, false), (Rendering::Safe, true)] {
            assert!(!variables(rendering, nvidia).contains(&"WEBKIT_DISABLE_DMABUF_RENDERER"));
        }
    }
}

//! What the tests of this crate share.

use std::path::Path;
use std::sync::Arc;

use model::{AppFiles, Places, Target};

use crate::reader::ReadRequest;

/// The target that ships.
#[allow(clippy::unwrap_used, reason = "a test may panic")]
pub(crate) fn catbuddy() -> Target {
    toml::from_str(include_str!("../../../targets/catbuddy.toml")).unwrap()
}

/// A request for `workspace`, with the global profile below `home`.
pub(crate) fn request(home: &Path, workspace: &Path) -> ReadRequest {
    let text = |path: &Path| path.to_string_lossy().into_owned();
    ReadRequest {
        places: Places {
            home: text(home),
            workspace: text(workspace),
            global: text(&home.join(".catbuddy/workspace")),
            project: None,
            app: None,
            process_cwd: text(home),
        },
        target: Arc::new(catbuddy()),
        shipped: Arc::new(AppFiles::default()),
    }
}

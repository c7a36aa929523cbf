//! The use cases that both shells call: the window through its commands, `cbw` directly.

pub mod api;
pub mod assembling;
mod attachments;
mod channels;
pub mod contexts;
mod counting;
mod kept_prompt;
mod lines;
mod log_parts;
pub mod machine;
mod phrase;
pub mod place;
mod recording;
mod sent;
mod session;
pub mod settings;
mod text_edit;
pub mod use_cases;
pub mod variants;
pub mod window;

pub use model::{Language, speaking, text};
pub use session::{OnChange, Session, SessionOptions};

//! The use cases that both shells call: the window through its commands, `cbw` directly.

pub mod api;

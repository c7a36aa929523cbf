//! The use cases that both shells call.

//! Shared pieces of the whole-product tests.

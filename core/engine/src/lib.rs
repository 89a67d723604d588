//! The native engine: it plays compiled games, as the Python engine does, and knows no ruleset.
//!
//! It has no dependencies and no unsafe code. Python reaches it through the crate `door` only.

#![forbid(unsafe_code)]

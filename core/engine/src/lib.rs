//! The native engine: it plays compiled games, as the Python engine does, and knows no ruleset.

#![forbid(unsafe_code)]

pub mod board;
mod board_reading;
mod grid;
mod placements;
pub mod preview;
pub mod tables;

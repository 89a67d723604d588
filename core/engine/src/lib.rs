//! The native engine of Tilewright: a board, a match, and an interpreter of verified bytecode.
//!
//! It knows no ruleset. The Python engine is complete without it, and decides what is right: both
//! are compared choice by choice.
#![forbid(unsafe_code)]

mod arena;
pub mod board;
mod board_reading;
pub mod chance;
pub mod changes;
mod covers;
mod exchange;
mod facts_read;
pub mod final_score;
pub mod game;
mod grid;
pub mod hashing;
pub mod image;
pub mod instructions;
mod kept;
pub mod limits;
mod links;
pub mod lists;
mod met;
mod placements;
pub mod play;
pub mod preview;
#[rustfmt::skip]
mod primitive_calls;
#[rustfmt::skip]
pub mod primitive_table;
mod primitives;
pub mod queries;
mod recasts;
pub mod registers;
mod relaying;
pub mod rollouts;
pub mod row;
pub mod search;
pub mod simulate;
pub mod state;
pub mod state_reading;
pub mod tables;
pub mod tally;
mod trail;
mod trials;
pub mod verify;
pub mod vm;
pub mod worlds;

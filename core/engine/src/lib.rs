//! The native engine of Tilewright: a board, a match, and an interpreter of verified bytecode.
//!
//! It knows no ruleset. The Python engine is complete without it, and decides what is right: both
//! are compared choice by choice.
#![forbid(unsafe_code)]

pub mod board;
mod board_reading;
pub mod chance;
pub mod changes;
mod covers;
mod facts_read;
pub mod final_score;
pub mod game;
mod grid;
pub mod hashing;
pub mod instructions;
mod kept;
mod links;
pub mod lists;
mod placements;
pub mod play;
pub mod preview;
pub mod queries;
mod recasts;
pub mod registers;
pub mod rollouts;
pub mod row;
pub mod search;
pub mod simulate;
pub mod state;
pub mod tables;
pub mod tally;
mod trail;
pub mod verify;
pub mod vm;
pub mod worlds;

//! The Python module `tilewright._core`: it translates between Python and the engine, and no more.

#![deny(unsafe_code)]

use pyo3::prelude::*;

mod bots;
mod matches;
mod simulate;

/// Number of the interface between this module and the Python package.
///
/// Increase it with every change of what they pass to each other, here and in
/// `interpreter/tilewright/play/native/engine.py`: a core with another number is not used.
const INTERFACE: u32 = 26;

#[pymodule]
mod _core {
    use pyo3::prelude::*;
    use tilewright_core::instructions::ALL;

    #[pymodule_export]
    use super::bots::{Greedy, TreeSearch};
    #[pymodule_export]
    use super::matches::{Game, Lots, Match};
    #[pymodule_export]
    use super::simulate::Simulator;

    /// The number of the interface; Python uses a core only if it expects this number.
    #[pyfunction]
    fn interface() -> u32 {
        super::INTERFACE
    }

    /// The version of the core, and the processor and system for which it was built.
    #[pyfunction]
    fn describe() -> String {
        format!(
            "core {} for {} on {}",
            env!("CARGO_PKG_VERSION"),
            std::env::consts::ARCH,
            std::env::consts::OS
        )
    }

    /// The instructions of the bytecode by number: name, and roles of the operands.
    #[pyfunction]
    fn instructions() -> Vec<(&'static str, &'static str)> {
        ALL.iter().map(|&(_, name, roles)| (name, roles)).collect()
    }
}

//! The Python module `tilewright._core`: it translates between Python and the engine, and no more.

#![deny(unsafe_code)]

use std::time::Duration;

use pyo3::prelude::*;

mod bots;
mod matches;
mod simulate;

/// Number of the interface between this module and the Python package.
///
/// Increase it with every change of what they pass to each other, here and in
/// `interpreter/tilewright/play/native/engine.py`: a core with another number is not used.
const INTERFACE: u32 = 30;

/// The processor time of this thread: what else the computer does makes no choice too long.
#[cfg(unix)]
#[allow(unsafe_code)]
fn thread_time() -> Duration {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the system writes into `time`, which is there for the whole call
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The time since the first call, where the system has no such clock.
#[cfg(not(unix))]
fn thread_time() -> Duration {
    static BEGUN: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    BEGUN.get_or_init(std::time::Instant::now).elapsed()
}

#[pymodule]
mod _core {
    use pyo3::prelude::*;
    use tilewright_core::instructions::ALL;
    use tilewright_core::vm::set_clock;

    #[pymodule_export]
    use super::bots::{Greedy, TreeSearch};
    #[pymodule_export]
    use super::matches::{Game, Lots, Match};
    #[pymodule_export]
    use super::simulate::Simulator;

    #[pymodule_init]
    fn init(_: &Bound<'_, PyModule>) -> PyResult<()> {
        set_clock(super::thread_time);
        Ok(())
    }

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

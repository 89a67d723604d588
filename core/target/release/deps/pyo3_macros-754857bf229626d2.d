/work/w-native/core/target/release/deps/pyo3_macros-754857bf229626d2.d: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/pyo3-macros-0.29.3/src/lib.rs

/work/w-native/core/target/release/deps/libpyo3_macros-754857bf229626d2.so: /root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/pyo3-macros-0.29.3/src/lib.rs

/root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/pyo3-macros-0.29.3/src/lib.rs:

# env-dep:CARGO_PKG_VERSION=0.29.3

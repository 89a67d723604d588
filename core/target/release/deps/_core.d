/work/w-native/core/target/release/deps/_core.d: door/src/lib.rs door/src/matches.rs

/work/w-native/core/target/release/deps/lib_core.so: door/src/lib.rs door/src/matches.rs

door/src/lib.rs:
door/src/matches.rs:

# env-dep:CARGO_PKG_VERSION=0.1.0

/work/w-native/core/target/release/deps/tilewright_core-0d7faef7cb495358.d: engine/src/lib.rs engine/src/board.rs engine/src/board_reading.rs engine/src/grid.rs engine/src/placements.rs engine/src/chance.rs engine/src/changes.rs engine/src/enter.rs engine/src/game.rs engine/src/instructions.rs engine/src/play.rs engine/src/preview.rs engine/src/queries.rs engine/src/state.rs engine/src/tables.rs engine/src/verify.rs engine/src/vm.rs

/work/w-native/core/target/release/deps/libtilewright_core-0d7faef7cb495358.rlib: engine/src/lib.rs engine/src/board.rs engine/src/board_reading.rs engine/src/grid.rs engine/src/placements.rs engine/src/chance.rs engine/src/changes.rs engine/src/enter.rs engine/src/game.rs engine/src/instructions.rs engine/src/play.rs engine/src/preview.rs engine/src/queries.rs engine/src/state.rs engine/src/tables.rs engine/src/verify.rs engine/src/vm.rs

/work/w-native/core/target/release/deps/libtilewright_core-0d7faef7cb495358.rmeta: engine/src/lib.rs engine/src/board.rs engine/src/board_reading.rs engine/src/grid.rs engine/src/placements.rs engine/src/chance.rs engine/src/changes.rs engine/src/enter.rs engine/src/game.rs engine/src/instructions.rs engine/src/play.rs engine/src/preview.rs engine/src/queries.rs engine/src/state.rs engine/src/tables.rs engine/src/verify.rs engine/src/vm.rs

engine/src/lib.rs:
engine/src/board.rs:
engine/src/board_reading.rs:
engine/src/grid.rs:
engine/src/placements.rs:
engine/src/chance.rs:
engine/src/changes.rs:
engine/src/enter.rs:
engine/src/game.rs:
engine/src/instructions.rs:
engine/src/play.rs:
engine/src/preview.rs:
engine/src/queries.rs:
engine/src/state.rs:
engine/src/tables.rs:
engine/src/verify.rs:
engine/src/vm.rs:

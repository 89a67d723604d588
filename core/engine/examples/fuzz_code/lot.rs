//! Random numbers, most of them near those of games.

use tilewright_core::instructions::{MISSING, NONE};

/// A sequence of random numbers.
pub struct Lot(pub u64);

impl Lot {
    /// The next 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let mixed = (self.0 ^ (self.0 >> 29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed ^ (mixed >> 32)
    }

    /// A number below `limit`, or 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 11) as usize % limit.max(1)
    }

    /// Whether one of `many` equal chances came up.
    pub fn once_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }

    /// A number as games have it, a limit, or any number.
    pub fn number(&mut self) -> i64 {
        match self.below(10) {
            0 => EXTREMES[self.below(EXTREMES.len())],
            1 => self.next() as i64,
            2 => 1024 * 512 + 512 + self.below(6000) as i64 - 3000,
            3 => -(self.below(3000) as i64),
            4 => self.below(1 << 16) as i64,
            _ => self.below(40) as i64,
        }
    }
}

/// Numbers at the limits of types, rules and tables.
pub const EXTREMES: [i64; 19] = [
    NONE,
    MISSING,
    i64::MIN + 2,
    i64::MAX,
    i64::MAX - 1,
    i64::MAX - 1000,
    -1,
    -2,
    -1000,
    -1001,
    1 << 20,
    1 << 31,
    1 << 32,
    1 << 62,
    10_000,
    10_001,
    1_000_000_000_000,
    1_000_000_000_001,
    -1_000_000_000_001,
];

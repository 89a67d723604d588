//! The Mersenne Twister, as Python's `random.Random` has it, so that bots choose alike everywhere.

use crate::hashing::sha512;

const N: usize = 624;
const M: usize = 397;
/// The state that every key is mixed into.
const BEGIN: [u32; N] = begin();

const fn begin() -> [u32; N] {
    let mut state = [0u32; N];
    state[0] = 19_650_218;
    let mut i = 1;
    while i < N {
        let before = state[i - 1];
        state[i] = (before ^ (before >> 30))
            .wrapping_mul(1_812_433_253)
            .wrapping_add(i as u32);
        i += 1;
    }
    state
}

/// A source of random numbers.
#[derive(Clone)]
pub struct Twister {
    state: [u32; N],
    /// The place of the next number; each is made when it is needed.
    index: usize,
}

impl Twister {
    /// The source for a key: the 32-bit words, lowest first, of the whole number that Python makes
    /// of a seed.
    pub fn new(key: &[u32]) -> Twister {
        let none = [0];
        let key = if key.is_empty() { &none } else { key };
        let mut state = BEGIN;
        let (mut i, mut j, mut last) = (1, 0, state[0]);
        for _ in 0..N.max(key.len()) {
            last = (state[i] ^ (last ^ (last >> 30)).wrapping_mul(1_664_525))
                .wrapping_add(key[j])
                .wrapping_add(j as u32);
            state[i] = last;
            i += 1;
            j += 1;
            if j == key.len() {
                j = 0;
            }
            if i == N {
                state[0] = last;
                i = 1;
            }
        }
        for _ in 0..N - 1 {
            last = (state[i] ^ (last ^ (last >> 30)).wrapping_mul(1_566_083_941))
                .wrapping_sub(i as u32);
            state[i] = last;
            i += 1;
            if i == N {
                state[0] = last;
                i = 1;
            }
        }
        state[0] = 0x8000_0000;
        Twister { state, index: 0 }
    }

    /// The source that `random.Random` is for a text.
    pub fn of_text(text: &str) -> Twister {
        let mut bytes = text.as_bytes().to_vec();
        bytes.extend(sha512(text.as_bytes()));
        let zeros = bytes.iter().take_while(|&&b| b == 0).count();
        let key = bytes[zeros..]
            .rchunks(4)
            .map(|four| four.iter().fold(0, |n, &b| n << 8 | u32::from(b)))
            .collect::<Vec<u32>>();
        Twister::new(&key)
    }

    fn next(&mut self) -> u32 {
        let i = self.index;
        self.index = if i + 1 == N { 0 } else { i + 1 };
        let y = (self.state[i] & 0x8000_0000) | (self.state[self.index] & 0x7fff_ffff);
        let twist = if y & 1 == 0 { 0 } else { 0x9908_b0df };
        let far = if i + M < N { i + M } else { i + M - N };
        let mut y = self.state[far] ^ (y >> 1) ^ twist;
        self.state[i] = y;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c_5680;
        y ^= (y << 15) & 0xefc6_0000;
        y ^ (y >> 18)
    }

    /// A number from 0 up to 1, as `random.random()`.
    pub fn random(&mut self) -> f64 {
        let (a, b) = (u64::from(self.next() >> 5), u64::from(self.next() >> 6));
        (a * 67_108_864 + b) as f64 * (1.0 / 9_007_199_254_740_992.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Twister;

    #[test]
    fn it_gives_what_python_gives() {
        let mut lots = Twister::new(&[1]);
        assert_eq!(lots.random(), 0.13436424411240122);
        assert_eq!(lots.random(), 0.8474337369372327);
        for _ in 0..998 {
            lots.random();
        }
        assert_eq!(lots.random(), 0.4116430517162146);
    }

    #[test]
    fn a_text_seeds_it_as_in_python() {
        let mut lots = Twister::of_text("1/0/1");
        assert_eq!(lots.random(), 0.7382291040408072);
    }
}

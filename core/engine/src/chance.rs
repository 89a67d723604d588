//! The Mersenne Twister, as Python's `random.Random` has it, so that bots choose alike everywhere.

const N: usize = 624;
const M: usize = 397;

/// A source of random numbers.
#[derive(Clone)]
pub struct Twister {
    state: [u32; N],
    index: usize,
}

impl Twister {
    /// The source for a key: the 32-bit words, lowest first, of the whole number that Python makes
    /// of a seed.
    pub fn new(key: &[u32]) -> Twister {
        let none = [0];
        let key = if key.is_empty() { &none } else { key };
        let mut state = [0u32; N];
        state[0] = 19_650_218;
        for i in 1..N {
            state[i] = 1_812_433_253u32
                .wrapping_mul(state[i - 1] ^ (state[i - 1] >> 30))
                .wrapping_add(i as u32);
        }
        let (mut i, mut j) = (1, 0);
        for _ in 0..N.max(key.len()) {
            let mixed = (state[i - 1] ^ (state[i - 1] >> 30)).wrapping_mul(1_664_525);
            state[i] = (state[i] ^ mixed)
                .wrapping_add(key[j])
                .wrapping_add(j as u32);
            i += 1;
            j = (j + 1) % key.len();
            if i >= N {
                state[0] = state[N - 1];
                i = 1;
            }
        }
        for _ in 0..N - 1 {
            let mixed = (state[i - 1] ^ (state[i - 1] >> 30)).wrapping_mul(1_566_083_941);
            state[i] = (state[i] ^ mixed).wrapping_sub(i as u32);
            i += 1;
            if i >= N {
                state[0] = state[N - 1];
                i = 1;
            }
        }
        state[0] = 0x8000_0000;
        Twister { state, index: N }
    }

    fn next(&mut self) -> u32 {
        if self.index >= N {
            for i in 0..N {
                let y = (self.state[i] & 0x8000_0000) | (self.state[(i + 1) % N] & 0x7fff_ffff);
                let twist = if y & 1 == 0 { 0 } else { 0x9908_b0df };
                self.state[i] = self.state[(i + M) % N] ^ (y >> 1) ^ twist;
            }
            self.index = 0;
        }
        let mut y = self.state[self.index];
        self.index += 1;
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

    /// 64 random bits, as `random.getrandbits(64)`.
    pub fn bits_64(&mut self) -> u64 {
        let low = u64::from(self.next());
        (u64::from(self.next()) << 32) | low
    }

    /// A number below `n`, which is not 0, as `random.randrange(n)`.
    pub fn below(&mut self, n: u32) -> u32 {
        loop {
            let found = self.next() >> n.leading_zeros();
            if found < n {
                return found;
            }
        }
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
        assert_eq!(lots.bits_64(), 1164115433906158532);
        let row: Vec<u32> = (1..=8).map(|n| lots.below(n)).collect();
        assert_eq!(row, [0, 0, 1, 3, 3, 5, 3, 3]);
    }
}

//! Random numbers: the streams of stacks, and the Mersenne Twister of Python's `random.Random`, so
//! that bots make the same choices everywhere.

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

/// The next number below `many` of a stream, which is the chance of one stack.
pub fn next_below(stream: &mut u64, many: usize) -> usize {
    *stream = stream
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (((*stream >> 32) * many as u64) >> 32) as usize
}

/// As many numbers are made at once, or fewer where the state ends: the processor makes several at a time.
const BLOCK: usize = 32;

/// A source of random numbers.
#[derive(Clone)]
pub struct Twister {
    state: [u32; N],
    /// The place in the state of the next block.
    index: usize,
    /// The numbers of this block, and which of them comes next.
    block: [u32; BLOCK],
    next: usize,
    made: usize,
}

impl Twister {
    /// The source for a key: the 32-bit words, lowest first, of the whole number that Python makes
    /// of a seed.
    pub fn new(key: &[u32]) -> Twister {
        let [found] = mixed(&[key]);
        found
    }

    /// The sources that `random.Random` is for some texts.
    pub fn of_texts<'a>(texts: impl IntoIterator<Item = &'a String>) -> Vec<Twister> {
        let keys: Vec<Vec<u32>> = texts.into_iter().map(|text| key_of(text)).collect();
        let keys: Vec<&[u32]> = keys.iter().map(Vec::as_slice).collect();
        let mut found = Vec::with_capacity(keys.len());
        let mut rest = keys.as_slice();
        while take::<16>(&mut rest, &mut found)
            || take::<8>(&mut rest, &mut found)
            || take::<4>(&mut rest, &mut found)
            || take::<1>(&mut rest, &mut found)
        {}
        found
    }

    #[inline]
    fn next(&mut self) -> u32 {
        if self.next >= self.made {
            self.make_block();
        }
        let found = self.block[self.next % BLOCK];
        self.next += 1;
        found
    }

    /// Make the next numbers, up to a place where one of the indices begins again.
    #[inline(never)]
    fn make_block(&mut self) {
        let first = self.index;
        let (end, far) = if first < N - M {
            (N - M, first + M)
        } else {
            (N - 1, first + M - N)
        };
        let end = if first == N - 1 {
            N
        } else {
            end.min(first + BLOCK)
        };
        let many = end - first;
        let after = if end == N {
            &self.state[..1]
        } else {
            &self.state[first + 1..=end]
        };
        let rows = self.state[first..end]
            .iter()
            .zip(after)
            .zip(&self.state[far..far + many]);
        for (made, ((&one, &after), &far)) in self.block.iter_mut().zip(rows) {
            let y = (one & 0x8000_0000) | (after & 0x7fff_ffff);
            *made = far ^ (y >> 1) ^ ((y & 1).wrapping_neg() & 0x9908_b0df);
        }
        self.state[first..end].copy_from_slice(&self.block[..many]);
        for y in &mut self.block {
            *y ^= *y >> 11;
            *y ^= (*y << 7) & 0x9d2c_5680;
            *y ^= (*y << 15) & 0xefc6_0000;
            *y ^= *y >> 18;
        }
        self.index = end % N;
        (self.next, self.made) = (0, many);
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

/// The sources for `L` keys of the same length. Each step needs the one before it, so many sources are
/// made in the time of one: a row has the same place of all of them.
fn mixed<const L: usize>(keys: &[&[u32]; L]) -> [Twister; L] {
    let many = keys[0].len();
    let key: Vec<[u32; L]> = match many {
        0 => vec![[0; L]],
        _ => (0..many).map(|j| keys.map(|key| key[j])).collect(),
    };
    let mut rows: Vec<[u32; L]> = BEGIN.map(|word| [word; L]).to_vec();
    let mut last = [BEGIN[0]; L];
    let (mut i, mut j) = (1, 0);
    for _ in 0..N.max(many) {
        let (row, word) = (&mut rows[i], &key[j]);
        for lane in 0..L {
            let before = (last[lane] ^ (last[lane] >> 30)).wrapping_mul(1_664_525);
            let sum = (row[lane] ^ before).wrapping_add(word[lane]);
            last[lane] = sum.wrapping_add(j as u32);
            row[lane] = last[lane];
        }
        j = if j + 1 == key.len() { 0 } else { j + 1 };
        i = next_place(i, &mut rows);
    }
    for _ in 0..N - 1 {
        let row = &mut rows[i];
        for lane in 0..L {
            let before = (last[lane] ^ (last[lane] >> 30)).wrapping_mul(1_566_083_941);
            last[lane] = (row[lane] ^ before).wrapping_sub(i as u32);
            row[lane] = last[lane];
        }
        i = next_place(i, &mut rows);
    }
    rows[0] = [0x8000_0000; L];
    std::array::from_fn(|lane| Twister {
        state: std::array::from_fn(|i| rows[i][lane]),
        index: 0,
        block: [0; BLOCK],
        next: 0,
        made: 0,
    })
}

/// The place after this one; behind the last one it is the second, and the first has the last's.
fn next_place<const L: usize>(i: usize, rows: &mut [[u32; L]]) -> usize {
    if i + 1 < N {
        return i + 1;
    }
    rows[0] = rows[i];
    1
}

/// Add the sources for the first `L` keys to `out` if there are so many of the same length; the others
/// remain.
fn take<const L: usize>(keys: &mut &[&[u32]], out: &mut Vec<Twister>) -> bool {
    let Some((first, rest)) = keys.split_first_chunk::<L>() else {
        return false;
    };
    let is_even = first.iter().all(|key| key.len() == first[0].len());
    if is_even {
        out.extend(mixed(first));
        *keys = rest;
    }
    is_even
}

/// The number that Python makes of a text, in words of 32 bits, the lowest first.
fn key_of(text: &str) -> Vec<u32> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.extend(sha512(text.as_bytes()));
    let zeros = bytes.iter().take_while(|&&b| b == 0).count();
    bytes[zeros..]
        .rchunks(4)
        .map(|four| four.iter().fold(0, |n, &b| n << 8 | u32::from(b)))
        .collect()
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
    fn texts_seed_them_as_in_python() {
        let texts = ["1/0/1"; 5].map(String::from);
        let mut lots = Twister::of_texts(&texts);
        for found in &mut lots {
            assert_eq!(found.random(), 0.7382291040408072);
        }
        let texts = ["1", "1/0/1", "22", "4444", "55555"].map(String::from);
        assert_eq!(Twister::of_texts(&texts)[1].random(), 0.7382291040408072);
    }

    #[test]
    fn it_gives_whole_numbers_as_python() {
        let mut lots = Twister::new(&[1]);
        lots.random();
        lots.random();
        assert_eq!(lots.bits_64(), 1164115433906158532);
        let row: Vec<u32> = (1..=8).map(|n| lots.below(n)).collect();
        assert_eq!(row, [0, 0, 1, 3, 3, 5, 3, 3]);
    }
}

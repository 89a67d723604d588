//! The two hashes that seeds are made with, of short texts: `SHA-512` (FIPS 180-4) and `BLAKE2b`
//! (RFC 7693) with eight bytes of output. They are for chance, not for secrets.

const IV: [u64; 8] = [
    0x6a09_e667_f3bc_c908,
    0xbb67_ae85_84ca_a73b,
    0x3c6e_f372_fe94_f82b,
    0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1,
    0x9b05_688c_2b3e_6c1f,
    0x1f83_d9ab_fb41_bd6b,
    0x5be0_cd19_137e_2179,
];

/// The first 64 bits of the fractional parts of the cube roots of the first 80 primes.
#[rustfmt::skip]
const K: [u64; 80] = [
    0x428a_2f98_d728_ae22, 0x7137_4491_23ef_65cd, 0xb5c0_fbcf_ec4d_3b2f, 0xe9b5_dba5_8189_dbbc,
    0x3956_c25b_f348_b538, 0x59f1_11f1_b605_d019, 0x923f_82a4_af19_4f9b, 0xab1c_5ed5_da6d_8118,
    0xd807_aa98_a303_0242, 0x1283_5b01_4570_6fbe, 0x2431_85be_4ee4_b28c, 0x550c_7dc3_d5ff_b4e2,
    0x72be_5d74_f27b_896f, 0x80de_b1fe_3b16_96b1, 0x9bdc_06a7_25c7_1235, 0xc19b_f174_cf69_2694,
    0xe49b_69c1_9ef1_4ad2, 0xefbe_4786_384f_25e3, 0x0fc1_9dc6_8b8c_d5b5, 0x240c_a1cc_77ac_9c65,
    0x2de9_2c6f_592b_0275, 0x4a74_84aa_6ea6_e483, 0x5cb0_a9dc_bd41_fbd4, 0x76f9_88da_8311_53b5,
    0x983e_5152_ee66_dfab, 0xa831_c66d_2db4_3210, 0xb003_27c8_98fb_213f, 0xbf59_7fc7_beef_0ee4,
    0xc6e0_0bf3_3da8_8fc2, 0xd5a7_9147_930a_a725, 0x06ca_6351_e003_826f, 0x1429_2967_0a0e_6e70,
    0x27b7_0a85_46d2_2ffc, 0x2e1b_2138_5c26_c926, 0x4d2c_6dfc_5ac4_2aed, 0x5338_0d13_9d95_b3df,
    0x650a_7354_8baf_63de, 0x766a_0abb_3c77_b2a8, 0x81c2_c92e_47ed_aee6, 0x9272_2c85_1482_353b,
    0xa2bf_e8a1_4cf1_0364, 0xa81a_664b_bc42_3001, 0xc24b_8b70_d0f8_9791, 0xc76c_51a3_0654_be30,
    0xd192_e819_d6ef_5218, 0xd699_0624_5565_a910, 0xf40e_3585_5771_202a, 0x106a_a070_32bb_d1b8,
    0x19a4_c116_b8d2_d0c8, 0x1e37_6c08_5141_ab53, 0x2748_774c_df8e_eb99, 0x34b0_bcb5_e19b_48a8,
    0x391c_0cb3_c5c9_5a63, 0x4ed8_aa4a_e341_8acb, 0x5b9c_ca4f_7763_e373, 0x682e_6ff3_d6b2_b8a3,
    0x748f_82ee_5def_b2fc, 0x78a5_636f_4317_2f60, 0x84c8_7814_a1f0_ab72, 0x8cc7_0208_1a64_39ec,
    0x90be_fffa_2363_1e28, 0xa450_6ceb_de82_bde9, 0xbef9_a3f7_b2c6_7915, 0xc671_78f2_e372_532b,
    0xca27_3ece_ea26_619c, 0xd186_b8c7_21c0_c207, 0xeada_7dd6_cde0_eb1e, 0xf57d_4f7f_ee6e_d178,
    0x06f0_67aa_7217_6fba, 0x0a63_7dc5_a2c8_98a6, 0x113f_9804_bef9_0dae, 0x1b71_0b35_131c_471b,
    0x28db_77f5_2304_7d84, 0x32ca_ab7b_40c7_2493, 0x3c9e_be0a_15c9_bebc, 0x431d_67c4_9c10_0d4c,
    0x4cc5_d4be_cb3e_42b6, 0x597f_299c_fc65_7e2a, 0x5fcb_6fab_3ad6_faec, 0x6c44_198c_4a47_5817,
];

/// The SHA-512 of some bytes.
pub fn sha512(data: &[u8]) -> [u8; 64] {
    let mut state = IV;
    let mut blocks = data.chunks_exact(128);
    for block in blocks.by_ref() {
        compress_sha(&mut state, block);
    }
    let rest = blocks.remainder();
    let mut last = [0u8; 256];
    last[..rest.len()].copy_from_slice(rest);
    last[rest.len()] = 0x80;
    let end = if rest.len() < 112 { 128 } else { 256 };
    last[end - 8..end].copy_from_slice(&(data.len() as u64 * 8).to_be_bytes());
    for block in last[..end].chunks_exact(128) {
        compress_sha(&mut state, block);
    }
    let mut found = [0; 64];
    for (eight, word) in found.chunks_exact_mut(8).zip(state) {
        eight.copy_from_slice(&word.to_be_bytes());
    }
    found
}

fn compress_sha(state: &mut [u64; 8], block: &[u8]) {
    let mut w = [0u64; 80];
    for (word, eight) in w.iter_mut().zip(block.chunks_exact(8)) {
        *word = u64::from_be_bytes(eight.try_into().unwrap_or_default());
    }
    for i in 16..80 {
        let (x, y) = (w[i - 15], w[i - 2]);
        let low = x.rotate_right(1) ^ x.rotate_right(8) ^ (x >> 7);
        let high = y.rotate_right(19) ^ y.rotate_right(61) ^ (y >> 6);
        w[i] = w[i - 16]
            .wrapping_add(low)
            .wrapping_add(w[i - 7])
            .wrapping_add(high);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for i in 0..80 {
        let one = e.rotate_right(14) ^ e.rotate_right(18) ^ e.rotate_right(41);
        let first = h
            .wrapping_add(one)
            .wrapping_add((e & f) ^ (!e & g))
            .wrapping_add(K[i])
            .wrapping_add(w[i]);
        let other = a.rotate_right(28) ^ a.rotate_right(34) ^ a.rotate_right(39);
        let second = other.wrapping_add((a & b) ^ (a & c) ^ (b & c));
        (h, g, f, e) = (g, f, e, d.wrapping_add(first));
        (d, c, b, a) = (c, b, a, first.wrapping_add(second));
    }
    for (word, new) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(new);
    }
}

const SIGMA: [[usize; 16]; 10] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];

/// The BLAKE2b of some bytes, eight bytes long, as a number with its highest byte first.
pub fn blake2b_number(data: &[u8]) -> u64 {
    let mut state = IV;
    state[0] ^= 0x0101_0008; // eight bytes of output, no key
    let many = data.len().div_ceil(128).max(1);
    for number in 0..many {
        let from = number * 128;
        let chunk = &data[from..data.len().min(from + 128)];
        let mut block = [0u8; 128];
        block[..chunk.len()].copy_from_slice(chunk);
        compress_blake(
            &mut state,
            &block,
            (from + chunk.len()) as u64,
            number + 1 == many,
        );
    }
    u64::from_be_bytes(state[0].to_le_bytes())
}

fn compress_blake(state: &mut [u64; 8], block: &[u8; 128], read: u64, is_last: bool) {
    let mut m = [0u64; 16];
    for (word, eight) in m.iter_mut().zip(block.chunks_exact(8)) {
        *word = u64::from_le_bytes(eight.try_into().unwrap_or_default());
    }
    let mut v = [0u64; 16];
    v[..8].copy_from_slice(state);
    v[8..].copy_from_slice(&IV);
    v[12] ^= read;
    if is_last {
        v[14] = !v[14];
    }
    for round in 0..12 {
        let s = &SIGMA[round % 10];
        for i in 0..8 {
            let turn = if i < 4 { 0 } else { 1 };
            let at = |row: usize| 4 * row + (i + row * turn) % 4;
            let (a, b, c, d) = (at(0), at(1), at(2), at(3));
            v[a] = v[a].wrapping_add(v[b]).wrapping_add(m[s[2 * i]]);
            v[d] = (v[d] ^ v[a]).rotate_right(32);
            v[c] = v[c].wrapping_add(v[d]);
            v[b] = (v[b] ^ v[c]).rotate_right(24);
            v[a] = v[a].wrapping_add(v[b]).wrapping_add(m[s[2 * i + 1]]);
            v[d] = (v[d] ^ v[a]).rotate_right(16);
            v[c] = v[c].wrapping_add(v[d]);
            v[b] = (v[b] ^ v[c]).rotate_right(63);
        }
    }
    for i in 0..8 {
        state[i] ^= v[i] ^ v[i + 8];
    }
}

#[cfg(test)]
mod tests {
    use super::{blake2b_number, sha512};

    #[test]
    fn sha512_of_texts_is_what_the_standard_says() {
        let hex = |data: &[u8]| -> String {
            let found = sha512(data);
            found[..8].iter().map(|b| format!("{b:02x}")).collect()
        };
        assert_eq!(hex(b""), "cf83e1357eefb8bd");
        assert_eq!(hex(b"abc"), "ddaf35a193617aba");
        assert_eq!(hex(&[b'x'; 200]), "ef978e23dc520404");
    }

    #[test]
    fn blake2b_of_texts_is_what_python_gives() {
        assert_eq!(blake2b_number(b""), 0xe4a6_a057_7479_b2b4);
        assert_eq!(blake2b_number(b"1/0"), 0x099b_9dd8_225c_354b);
        assert_eq!(blake2b_number(&[b'x'; 128]), 0x901c_e374_e8e1_2402);
        assert_eq!(blake2b_number(&[b'x'; 200]), 0x5630_4c0e_1b76_a18d);
    }
}

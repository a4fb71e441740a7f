//! Special floating-point numbers.

/// Numbers with special cases in additions and comparisons, as 8 bytes of an `f64`, `f32`s or halves.
pub(crate) const SPECIAL: [u64; 32] = {
    let mut all = [0; 32];
    let doubles = [
        0,
        1,
        0x3ff0_0000_0000_0000,
        0xbff0_0000_0000_0001,
        0x7ff0_0000_0000_0000,
        0xfff0_0000_0000_0000,
        0x7ff8_0000_0000_0001,
        0xfff0_0000_0000_0002,
        0x8000_0000_0000_0000,
        0x7fef_ffff_ffff_ffff,
        0x800f_ffff_ffff_ffff,
        0x0010_0000_0000_0000,
    ];
    let singles = [
        0x8000_0000_0000_0001,
        0x007f_ffff_3f80_0001,
        0xbf80_0000_3380_0000,
        0x7f7f_ffff_7f80_0000,
        0xff80_0000_7f80_0001,
        0xffc0_1234_0080_0000,
        0xff7f_ffff_8080_0000,
    ];
    let halves = [
        0x0001_8001_03ff_0400,
        0x3c00_bc00_3c01_1000,
        0x7bff_7c00_fc00_7c01,
        0xfe12_fbff_8400_8000,
        0x007f_0080_8080_3f80,
        0xbf80_3f81_3b80_7f7f,
        0x7f80_ff80_7f81_ffc5,
        0xff7f_0000_8000_0100,
    ];
    let mut i = 0;
    while i < all.len() {
        all[i] = match i {
            0..12 => doubles[i],
            12..19 => singles[i - 12],
            19..27 => halves[i - 19],
            _ => !(doubles[i - 27] ^ singles[i - 27]),
        };
        i += 1;
    }
    all
};

//! Measurements of instructions on an H100: for each, the results for 256 threads with different sources, as one
//! checksum. The test `gpu_interpreter` of the package `tests` repeats them.

use alloc::format;
use alloc::string::String;

/// The number of threads for each instruction.
pub const THREADS: u64 = 256;

/// The number of bytes of each thread's sources, where it also stores its result.
pub const BYTES: u64 = 32;

/// The instructions, with their measured checksums. They write `%r0` or `%d0`.
pub const MEASURED: &[(&str, u64)] = &[
    ("add.sat.s32 %r0, %r1, %r2;", 0x0000_7885_11ee_7559),
    ("sub.sat.s32 %r0, %r1, %r2;", 0x0000_801b_aaf5_d519),
    ("mul.hi.u64 %d0, %d1, %d2;", 0x83aa_1f9e_9e98_0ad0),
    ("mul.hi.s64 %d0, %d1, %d2;", 0x7ced_43cb_b602_83fb),
    ("mul.hi.s32 %r0, %r1, %r2;", 0x0000_7848_ff1d_fbf6),
    ("mul.wide.s32 %d0, %r1, %r2;", 0xbf07_8788_99a0_b7bd),
    ("mad.hi.u32 %r0, %r1, %r2, %r3;", 0x0000_74aa_92d9_732c),
    ("mad.hi.s64 %d0, %d1, %d2, %d3;", 0x78c6_468b_7af9_f2b6),
    ("mad.hi.sat.s32 %r0, %r1, %r2, %r3;", 0x0000_84f1_e5c0_573e),
    ("mad.wide.u32 %d0, %r1, %r2, %d3;", 0xd336_7abe_2204_b1d3),
    ("mul24.hi.s32 %r0, %r1, %r2;", 0x0000_8a30_380d_99d2),
    ("mul24.lo.s32 %r0, %r1, %r2;", 0x0000_78a5_28c2_0a6e),
    ("mul24.hi.u32 %r0, %r1, %r2;", 0x0000_5840_6a3a_dd24),
    ("mad24.hi.s32 %r0, %r1, %r2, %r3;", 0x0000_7bd8_bbbf_e8ef),
    ("mad24.lo.u32 %r0, %r1, %r2, %r3;", 0x0000_813c_387a_8b73),
    ("mad24.hi.sat.s32 %r0, %r1, %r2, %r3;", 0x0000_8ad9_b29c_d41f),
    ("sad.s32 %r0, %r1, %r2, %r3;", 0x0000_7f34_5d32_22f1),
    ("sad.u64 %d0, %d1, %d2, %d3;", 0xc24c_ba7d_663f_caca),
    ("div.s32 %r0, %r1, -7;", 0x0000_8c09_5208_2670),
    ("div.s64 %d0, %d1, -9;", 0x29d4_a706_15c0_1379),
    ("rem.s32 %r0, %r1, -7;", 0x0000_6b93_0000_13d4),
    ("rem.s64 %d0, %d1, 10;", 0xffff_ffff_fffe_e47d),
    ("abs.s64 %d0, %d1;", 0x9c07_369b_190e_0d25),
    ("abs.s32 %r0, %r1;", 0x0000_3ab8_d896_a093),
    ("min.s64 %d0, %d1, %d2;", 0xd713_5d56_cc86_aad6),
    ("popc.b64 %r0, %d1;", 0x0000_0000_001f_fe86),
    ("clz.b64 %r0, %d1;", 0x0000_0000_000a_998a),
    ("clz.b32 %r0, %r1;", 0x0000_0000_0003_e4fd),
    ("bfind.s32 %r0, %r1;", 0x0000_0558_0016_5f09),
    ("bfind.u64 %r0, %d1;", 0x0000_0067_0031_5e3b),
    ("bfind.s64 %r0, %d1;", 0x0000_03f4_002b_0615),
    ("bfind.shiftamt.s32 %r0, %r1;", 0x0000_03fc_0006_9990),
    ("bfind.shiftamt.u64 %r0, %d1;", 0x0000_0204_000c_d6fb),
    ("fns.b32 %r0, %r1, 5, -2;", 0x0000_1e0d_0002_2458),
    ("fns.b32 %r0, %r1, 3, 2;", 0x0000_1b5a_0005_28d4),
    ("fns.b32 %r0, %r1, 0, 0;", 0x0000_7ed4_ffff_812b),
    ("brev.b64 %d0, %d1;", 0xeadd_bedf_27ab_b2f3),
    ("bfe.u32 %r0, %r1, %r2, %r3;", 0x0000_01c3_c391_3032),
    ("bfe.s32 %r0, %r1, %r2, %r3;", 0x0000_795e_b37c_60a8),
    ("bfe.u64 %d0, %d1, %r2, %r3;", 0x386b_35a9_c193_ce01),
    ("bfe.s64 %d0, %d1, %r2, %r3;", 0x6f49_6449_75be_55e4),
    ("bfi.b32 %r0, %r1, %r2, %r3, %r4;", 0x0000_8260_b74e_7f5c),
    ("bfi.b64 %d0, %d1, %d2, %r3, %r4;", 0xcfe3_e920_c73f_c53e),
    ("bmsk.clamp.b32 %r0, %r1, %r2;", 0x0000_16af_07bd_5aa2),
    ("bmsk.wrap.b32 %r0, %r1, %r2;", 0x0000_6f84_2520_7eea),
    ("szext.clamp.s32 %r0, %r1, %r2;", 0x0000_7f58_1da6_6c72),
    ("szext.wrap.s32 %r0, %r1, %r2;", 0x0000_7f03_de47_f7e2),
    ("szext.wrap.u32 %r0, %r1, %r2;", 0x0000_0334_9fe9_49cc),
    ("dp4a.s32.u32 %r0, %r1, %r2, %r3;", 0x0000_811e_31c5_7dcd),
    ("dp4a.u32.u32 %r0, %r1, %r2, %r3;", 0x0000_5ab5_4590_e64d),
    ("dp2a.lo.s32.s32 %r0, %r1, %r2, %r3;", 0x0000_88ff_2227_c293),
    ("dp2a.hi.u32.s32 %r0, %r1, %r2, %r3;", 0x0000_74cd_5e5a_c0ec),
    ("lop3.b32 %r0, %r1, %r2, %r3, 0x1b;", 0x0000_7b6d_4101_07c2),
    ("shf.l.clamp.b32 %r0, %r1, %r2, %r3;", 0x0000_871f_dcc8_2263),
    ("shf.r.clamp.b32 %r0, %r1, %r2, %r3;", 0x0000_7d5d_bfba_5293),
    ("shf.l.wrap.b32 %r0, %r1, %r2, %r3;", 0x0000_8aea_123e_04b2),
    ("shf.r.wrap.b32 %r0, %r1, %r2, %r3;", 0x0000_8d19_c96e_609e),
    ("shl.b64 %d0, %d1, %r2;", 0xcc3e_8d97_758d_fb53),
    ("shr.s64 %d0, %d1, %r2;", 0x3b80_6398_c004_65ce),
    ("shr.s32 %r0, %r1, %r2;", 0x0000_67f0_2f11_4d90),
    ("shl.b32 %r0, %r1, %r2;", 0x0000_12a8_5ebc_c890),
    ("prmt.b32 %r0, %r1, %r2, %r3;", 0x0000_8c79_1386_4b65),
    ("prmt.b32.f4e %r0, %r1, %r2, %r3;", 0x0000_85f5_ee2b_2100),
    ("prmt.b32.b4e %r0, %r1, %r2, %r3;", 0x0000_8004_29e6_7ff8),
    ("prmt.b32.rc8 %r0, %r1, %r2, %r3;", 0x0000_89fb_0c0b_8211),
    ("prmt.b32.ecl %r0, %r1, %r2, %r3;", 0x0000_70b7_f57b_7189),
    ("prmt.b32.ecr %r0, %r1, %r2, %r3;", 0x0000_833a_e969_fa83),
    ("prmt.b32.rc16 %r0, %r1, %r2, %r3;", 0x0000_8057_3458_b402),
    ("slct.s32.s32 %r0, %r1, %r2, %r3;", 0x0000_7da2_9598_6c51),
    ("set.lt.s32.u32 %r0, %r1, %r2;", 0x0000_6d7d_ffff_9282),
    ("cnot.b64 %d0, %d1;", 0x0000_0000_0000_023e),
    ("cvt.s8.s32 %r0, %r1;", 0x0000_8b81_fff9_21f1),
    ("cvt.u8.s64 %r0, %d1;", 0x0000_0000_0087_78bc),
    ("cvt.sat.s8.s32 %r0, %r1;", 0x0000_771e_000a_85ee),
    ("cvt.sat.u16.s32 %r0, %r1;", 0x0000_0000_7252_9508),
    ("cvt.sat.u64.s64 %d0, %d1;", 0x1617_a913_c902_629f),
    ("cvt.sat.s32.u64 %r0, %d1;", 0x0000_6fcf_7ff1_5dc9),
    ("cvt.s64.s8 %d0, %r1;", 0xffff_ffff_fffd_1340),
];

/// Returns a program that loads the sources from the address in `%d8`, and leaves the result in `%d0`.
pub fn measuring(instruction: &str) -> String {
    let load = |n: u64| {
        let at = n * 8 - 8;
        format!("ld.global.b64 %d{n}, [%d8+{at}];\ncvt.u32.u64 %r{n}, %d{n};\n")
    };
    let mut text = [1, 2, 3, 4].map(load).concat();
    // A destination that is not written stays zero.
    text += "mov.b32 %r0, 0;\nmov.b64 %d0, 0;\n";
    text + instruction + "\ncvt.u64.u32 %d7, %r0;\nxor.b64 %d0, %d0, %d7;\n"
}

/// Returns a source: a small number, one where registers wrap, or any number.
pub fn source(instruction: u64, thread: u64, word: u64) -> u64 {
    let number = mixed((instruction << 20) + thread * 4 + word);
    match number >> 61 {
        0 => number & 31,
        1 => (number & 31).wrapping_neg(),
        2 => number & 0xff | 0x7fff_ff00,
        _ => number,
    }
}

/// Mixes a number so that each bit of the result depends on each bit of the input (`SplitMix64`). The checksums above are
/// those for its numbers.
fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// Returns a checksum of all results.
pub fn summed(results: impl Iterator<Item = u64>) -> u64 {
    (0..)
        .zip(results)
        .fold(0, |sum: u64, (thread, result)| sum.wrapping_add(result.wrapping_mul(2 * thread + 1)))
}

//! The modifiers with requirements beyond those of their instructions. The versions and architectures are
//! those of ptxas; requirements that every target of this crate meets are not listed.

use super::row::{Needs, Qualifier};
use super::target_sets::{FROM_100, TENSOR_MEMORY, TENSOR_MEMORY_SPECIFIC};
use crate::target::{Target, Version};

/// The targets with 8-bit floats in `multimem`.
const MULTIMEM_FP8: &[Target] = &[
    Target::Sm100f,
    Target::Sm100a,
    Target::Sm101f,
    Target::Sm101a,
    Target::Sm103f,
    Target::Sm103a,
    Target::Sm107f,
    Target::Sm107a,
    Target::Sm110f,
    Target::Sm110a,
    Target::Sm120a,
    Target::Sm121a,
];

/// The targets with stochastic rounding.
const ROUNDING: &[Target] = &[Target::Sm100a, Target::Sm103a, Target::Sm107a];

/// The targets with integers in `tcgen05.mma`.
const INTEGERS: &[Target] = &[Target::Sm100a, Target::Sm101a, Target::Sm110a];

macro_rules! qualifiers {
    ($(
        $opcode:literal [$($word:literal),+] $(without [$($other:literal),+])?
        ($major:literal, $minor:literal) $arch:literal $(: $only:ident)?
        $(below $below:literal ($below_major:literal, $below_minor:literal))?;
    )*) => {
        /// Every modifier with requirements beyond its instruction's.
        pub const QUALIFIERS: &[Qualifier] = &[$(Qualifier {
            opcode: $opcode,
            words: &[$($word),+],
            without: &[$($($other),+)?],
            name: concat!($opcode, $($word),+),
            needs: Needs {
                since: Version::new($major, $minor),
                since_below: qualifiers!(@ below $($below ($below_major, $below_minor))?),
                min_arch: $arch,
                only: qualifiers!(@ $($only)?),
            },
        }),*];
    };
    (@ below) => { None };
    (@ below $arch:literal ($major:literal, $minor:literal)) => {
        Some(($arch, Version::new($major, $minor)))
    };
    (@ $only:ident) => { $only };
    (@) => { &[] };
}

qualifiers! {
    "cos" [".approx"] (1, 4) 10;
    "lg2" [".approx"] (1, 4) 10;
    "rcp" [".approx"] (1, 4) 10;
    "rsqrt" [".approx"] (1, 4) 10;
    "sin" [".approx"] (1, 4) 10;
    "sqrt" [".approx"] (1, 4) 10;
    "shfl" [".sync"] (6, 0) 30;
    "vote" [".sync"] (6, 0) 30;
    "ld" [".v8"] (8, 8) 100;
    "ld" [".v4", ".b64"] (8, 8) 100;
    "ld" [".v4", ".u64"] (8, 8) 100;
    "ld" [".v4", ".s64"] (8, 8) 100;
    "ld" [".v4", ".f64"] (8, 8) 100;
    "ld" [".b128"] (8, 3) 70;
    "ld" [".weak"] (6, 0) 70;
    "ld" [".relaxed"] (6, 0) 70;
    "ld" [".acquire"] (6, 0) 70;
    "ld" [".cluster"] (7, 8) 90;
    "ld" [".mmio"] (8, 2) 70;
    "ld" [".L1"] (7, 4) 70;
    "ld" [".L2::64B"] (7, 4) 75;
    "ld" [".L2::128B"] (7, 4) 75;
    "ld" [".L2::256B"] (7, 4) 80;
    "ld" [".L2::cache_hint"] (7, 4) 80;
    "st" [".v8"] (8, 8) 100;
    "st" [".v4", ".b64"] (8, 8) 100;
    "st" [".v4", ".u64"] (8, 8) 100;
    "st" [".v4", ".s64"] (8, 8) 100;
    "st" [".v4", ".f64"] (8, 8) 100;
    "st" [".b128"] (8, 3) 70;
    "st" [".weak"] (6, 0) 70;
    "st" [".relaxed"] (6, 0) 70;
    "st" [".release"] (6, 0) 70;
    "st" [".cluster"] (7, 8) 90;
    "st" [".mmio"] (8, 2) 70;
    "st" [".L1"] (7, 4) 70;
    "st" [".L2::cache_hint"] (7, 4) 80;
    "ldu" [".b128"] (8, 3) 70;
    "st.async" [".mmio"] (8, 7) 100;
    "multimem.ld_reduce" [".acc::f32"] (8, 2) 90;
    "multimem.ld_reduce" [".e4m3x4"] (8, 6) 100: MULTIMEM_FP8;
    "multimem.ld_reduce" [".e5m2x4"] (8, 6) 100: MULTIMEM_FP8;
    "multimem.st" [".e4m3x4"] (8, 6) 100: MULTIMEM_FP8;
    "multimem.st" [".e5m2x4"] (8, 6) 100: MULTIMEM_FP8;
    "prefetch" [".L2::evict_last"] (7, 4) 80;
    "prefetch" [".L2::evict_normal"] (7, 4) 80;
    "isspacep" [".param"] (7, 7) 70;
    "cvta" [".param"] (7, 7) 70;
    "cp.async" [".L2::64B"] (7, 4) 80;
    "cp.async" [".L2::128B"] (7, 4) 80;
    "cp.async" [".L2::256B"] (7, 4) 80;
    "cp.async" [".L2::cache_hint"] (7, 4) 80;
    "cp.async.bulk" [".shared::cta.global"] (8, 6) 90;
    "cp.async.bulk" [".cp_mask"] (8, 6) 100;
    "multimem.cp.async.bulk" [".cp_mask"] (9, 1) 100;
    "cp.async.bulk.tensor" [".cta_group"] (8, 6) 100: TENSOR_MEMORY;
    "cp.async.bulk.tensor" [".tile::gather4"] (8, 6) 100;
    "cp.async.bulk.tensor" [".shared::cluster.global.tile::gather4"] (8, 6) 100: TENSOR_MEMORY;
    "cp.async.bulk.tensor" [".im2col::w"] (8, 6) 100;
    "cp.async.bulk.tensor" [".shared::cluster.global.im2col::w"] (8, 6) 100: TENSOR_MEMORY;
    "cp.async.bulk.tensor" [".tile::scatter4"] (8, 6) 100: TENSOR_MEMORY;
    "cp.reduce.async.bulk.tensor" [".tile::scatter4"] (8, 6) 100: TENSOR_MEMORY;
    "cp.async.bulk.prefetch.tensor" [".tile::gather4"] (8, 6) 100: TENSOR_MEMORY;
    "cp.async.bulk.prefetch.tensor" [".im2col::w"] (8, 6) 100: TENSOR_MEMORY;
    "tensormap.replace" [".swizzle_atomicity"] (8, 6) 100: FROM_100;
    "tex" [".f16"] (4, 2) 53;
    "tex" [".f16x2"] (4, 2) 53;
    "tld4" [".a2d"] (4, 3) 30;
    "tld4" [".cube"] (4, 3) 30;
    "tld4" [".acube"] (4, 3) 30;
    "txq" [".array_size"] (4, 1) 10;
    "txq" [".num_mipmap_levels"] (4, 1) 20;
    "txq" [".level"] (4, 3) 30;
    "suq" [".array_size"] (4, 1) 10;
    "suq" [".memory_layout"] (4, 2) 10;
    "sured" [".min", ".u64"] (8, 1) 50;
    "sured" [".min", ".s64"] (8, 1) 50;
    "sured" [".max", ".u64"] (8, 1) 50;
    "sured" [".max", ".s64"] (8, 1) 50;
    "atom" [".cta"] (5, 0) 60;
    "atom" [".gpu"] (5, 0) 60;
    "atom" [".sys"] (5, 0) 60;
    "atom" [".cluster"] (7, 8) 90;
    "atom" [".relaxed"] (6, 0) 70;
    "atom" [".acquire"] (6, 0) 70;
    "atom" [".acq_rel"] (6, 0) 70;
    "atom" [".release"] (6, 0) 70;
    "atom" [".f64"] (5, 0) 60;
    "atom" [".b16"] (6, 3) 70;
    "atom" [".b128"] (8, 3) 90;
    "atom" [".f16"] (6, 3) 70;
    "atom" [".f16x2"] (6, 2) 60;
    "atom" [".bf16"] (7, 8) 90;
    "atom" [".bf16x2"] (7, 8) 90;
    "atom" [".v2"] (8, 1) 90;
    "atom" [".v4"] (8, 1) 90;
    "atom" [".v8"] (8, 1) 90;
    "atom" [".L2::cache_hint"] (7, 4) 80;
    "red" [".cta"] (5, 0) 60;
    "red" [".gpu"] (5, 0) 60;
    "red" [".sys"] (5, 0) 60;
    "red" [".cluster"] (7, 8) 90;
    "red" [".relaxed"] (6, 0) 70;
    "red" [".release"] (6, 0) 70;
    "red" [".f64"] (5, 0) 60;
    "red" [".f16"] (6, 3) 70;
    "red" [".f16x2"] (6, 2) 60;
    "red" [".bf16"] (7, 8) 90;
    "red" [".bf16x2"] (7, 8) 90;
    "red" [".v2"] (8, 1) 90;
    "red" [".v4"] (8, 1) 90;
    "red" [".v8"] (8, 1) 90;
    "red" [".L2::cache_hint"] (7, 4) 80;
    "red.async" [".mmio"] (8, 7) 100;
    "mbarrier.arrive" [".release"] (8, 0) 80;
    "mbarrier.arrive" [".relaxed"] (8, 6) 90;
    "mbarrier.arrive" [".cluster"] (8, 0) 90;
    "mbarrier.arrive" [".expect_tx"] (8, 0) 90;
    "mbarrier.arrive" [".shared::cluster"] (8, 0) 90;
    "mbarrier.arrive_drop" [".release"] (8, 0) 80;
    "mbarrier.arrive_drop" [".relaxed"] (8, 6) 90;
    "mbarrier.arrive_drop" [".cluster"] (8, 0) 90;
    "mbarrier.arrive_drop" [".expect_tx"] (8, 0) 90;
    "mbarrier.arrive_drop" [".shared::cluster"] (8, 0) 90;
    "mbarrier.test_wait" [".parity"] (7, 1) 80;
    "mbarrier.test_wait" [".acquire"] (8, 0) 80;
    "mbarrier.test_wait" [".relaxed"] (8, 6) 90;
    "mbarrier.try_wait" [".acquire"] (8, 0) 90;
    "mbarrier.try_wait" [".relaxed"] (8, 6) 90;
    "mbarrier.test_wait" [".cluster"] (8, 0) 90;
    "clusterlaunchcontrol.try_cancel" [".multicast"] (8, 6) 100: FROM_100;
    "wmma.load" [".aligned"] (6, 3) 70;
    "wmma.load" [".s8"] (6, 3) 72;
    "wmma.load" [".u8"] (6, 3) 72;
    "wmma.load" [".s4"] (6, 3) 75;
    "wmma.load" [".u4"] (6, 3) 75;
    "wmma.load" [".b1"] (6, 3) 75;
    "wmma.load" [".bf16"] (7, 0) 80;
    "wmma.load" [".tf32"] (7, 0) 80;
    "wmma.load" [".s32"] (6, 3) 72;
    "wmma.load" [".m8n8k32"] (6, 3) 75;
    "wmma.load" [".m8n8k128"] (6, 3) 75;
    "wmma.load" [".f64"] (7, 0) 80;
    "wmma.load" [".m16n16k8"] (7, 0) 80;
    "wmma.store" [".aligned"] (6, 3) 70;
    "wmma.store" [".s32"] (6, 3) 72;
    "wmma.store" [".m8n8k32"] (6, 3) 75;
    "wmma.store" [".m8n8k128"] (6, 3) 75;
    "wmma.store" [".f64"] (7, 0) 80;
    "wmma.store" [".m16n16k8"] (7, 0) 80;
    "ldmatrix" [".m16n16"] (8, 6) 100: FROM_100;
    "ldmatrix" [".m8n16"] (8, 6) 100: FROM_100;
    "stmatrix" [".m16n8"] (8, 6) 100: FROM_100;
    "tcgen05.mma" [".kind::i8"] (8, 6) 100: INTEGERS;
    "tcgen05.mma" [".kind::mxf4nvf4"] (8, 7) 100: TENSOR_MEMORY;
    "tcgen05.mma" [".scale_vec"] (8, 6) 100: TENSOR_MEMORY_SPECIFIC;
    "tcgen05.mma" [".block_scale"] without [".scale_vec", ".block16", ".block32"] (8, 8) 100: TENSOR_MEMORY;
    "tcgen05.mma" [".block16"] (8, 8) 100: TENSOR_MEMORY;
    "tcgen05.mma" [".block32"] (8, 8) 100: TENSOR_MEMORY;
    "barrier.cluster.arrive" [".release"] (8, 0) 90;
    "barrier.cluster.arrive" [".relaxed"] (8, 0) 90;
    "barrier.cluster.wait" [".acquire"] (8, 0) 90;
    "membar" [".proxy"] (7, 5) 60;
    "fence" [".cluster"] (7, 8) 90;
    "fence" [".sync_restrict"] (8, 6) 90;
    "fence.proxy" [".tensormap::generic"] (8, 3) 90;
    "cvt" [".e4m3x2"] (7, 8) 89 below 90 (8, 1);
    "cvt" [".e5m2x2"] (7, 8) 89 below 90 (8, 1);
    "cvt" [".satfinite", ".f16.f32"] (8, 1) 70;
    "cvt" [".satfinite", ".f16x2.f32"] (8, 1) 80;
    "cvt" [".rna.satfinite.tf32"] (8, 1) 80;
    "cvt" [".pack"] (6, 5) 72;
    "cvt" [".rs"] (8, 7) 100: ROUNDING;
    "add" [".u16x2"] (8, 0) 90;
    "add" [".s16x2"] (8, 0) 90;
    "min" [".u16x2"] (8, 0) 90;
    "min" [".s16x2"] (8, 0) 90;
    "max" [".u16x2"] (8, 0) 90;
    "max" [".s16x2"] (8, 0) 90;
    "min" [".relu", ".s32"] (8, 0) 90;
    "max" [".relu", ".s32"] (8, 0) 90;
    "min" [".xorsign"] (7, 2) 86;
    "max" [".xorsign"] (7, 2) 86;
    "fma" [".oob"] (8, 1) 90;
    "lop3" [".or"] (8, 2) 70;
    "lop3" [".and"] (8, 2) 70;
    "mov" [".b128"] (8, 3) 70;
    "mma" [".m16n8k8"] (6, 5) 75;
    "mma" [".s8"] (6, 5) 75;
    "mma" [".u8"] (6, 5) 75;
    "mma" [".s4"] (6, 5) 75;
    "mma" [".u4"] (6, 5) 75;
    "mma" [".b1"] (7, 0) 75;
    "mma" [".b1", ".and"] (7, 1) 80;
    "mma" [".m16n8k32", ".e4m3"] (8, 4) 89;
    "mma" [".m16n8k32", ".e5m2"] (8, 4) 89;
    "mma" [".f16.e4m3"] (8, 7) 89;
    "mma" [".f16.e5m2"] (8, 7) 89;
    "mma" [".m16n8k16", ".e4m3"] (8, 7) 89;
    "mma" [".m16n8k16", ".e5m2"] (8, 7) 89;
    "mma.sp" [".m16n8k64", ".e4m3"] (8, 4) 89;
    "mma.sp" [".m16n8k64", ".e5m2"] (8, 4) 89;
    "mma" [".sp::ordered_metadata"] (8, 5) 80;
}

//! The modifiers with requirements beyond those of their instructions. The versions and architectures are
//! those of ptxas; requirements that every target of this crate meets are not listed.

use super::row::{Needs, OperandForm, Qualifier};
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

/// The targets with scales of blocks in `mma`.
const BLOCK_SCALED: &[Target] = &[Target::Sm120f, Target::Sm120a, Target::Sm121f, Target::Sm121a];

/// The targets with floats in `redux.sync`.
const REDUX: &[Target] = &[Target::Sm100f, Target::Sm100a, Target::Sm103f, Target::Sm103a];

/// Each row is one or more opcodes with one or more combinations of modifiers; every pair of them is a qualifier.
macro_rules! qualifiers {
    ($(
        $($opcode:literal)+ $([$($word:literal),*])+ $(without [$($other:literal),+])?
        $(with $kind:ident operand $operand:literal as $form:literal)?
        ($major:literal, $minor:literal) $arch:literal $(: $only:ident)?
        $(below $below:literal ($below_major:literal, $below_minor:literal))?;
    )*) => {
        /// The qualifiers of each row, by opcode.
        const ROWS: &[&[&[Qualifier]]] = &[$(qualifiers! {
            @row [$($opcode)+] [$([$($word),*])+] [
                &[$($($other),+)?],
                qualifiers!(@ operand $($operand $kind)?),
                [$($form)?],
                Needs {
                    since: Version::new($major, $minor),
                    since_below: qualifiers!(@ below $($below ($below_major, $below_minor))?),
                    min_arch: $arch,
                    only: qualifiers!(@ $($only)?),
                }
            ]
        }),*];
    };
    (@row [$($opcode:literal)+] $combinations:tt $rest:tt) => {
        &[$(qualifiers!(@opcode $opcode $combinations $rest)),+]
    };
    (@opcode $opcode:literal [$([$($word:literal),*])+] $rest:tt) => {
        &[$(qualifiers!(@one $opcode [$($word),*] $rest)),+]
    };
    (@one $opcode:literal [$($word:literal),*]
        [$without:expr, $operand:expr, [$($form:literal)?], $needs:expr $(,)?]
    ) => {
        Qualifier {
            opcode: $opcode,
            words: &[$($word),*],
            without: $without,
            operand: $operand,
            name: concat!($opcode $(, $word)* $(, $form)?),
            needs: $needs,
        }
    };
    (@ operand) => { None };
    (@ operand $operand:literal $kind:ident) => { Some(($operand, OperandForm::$kind)) };
    (@ below) => { None };
    (@ below $arch:literal ($major:literal, $minor:literal)) => {
        Some(($arch, Version::new($major, $minor)))
    };
    (@ $only:ident) => { $only };
    (@) => { &[] };
}

qualifiers! {
    "cos" "lg2" "rcp" "rsqrt" "sin" "sqrt" [".approx"] (1, 4) 10;
    "shfl" "vote" [".sync"] (6, 0) 30;
    "ld" "st" [".v8"] [".v4", ".b64"] [".v4", ".u64"] [".v4", ".s64"] [".v4", ".f64"]
        (8, 8) 100;
    "ld" "st" "ldu" "mov" [".b128"] (8, 3) 70;
    "ld" "st" [".weak"] (6, 0) 70;
    "ld" "st" "atom" "red" [".relaxed"] (6, 0) 70;
    "ld" "atom" [".acquire"] (6, 0) 70;
    "ld" "st" "atom" "red" "fence" [".cluster"] (7, 8) 90;
    "ld" "st" [".mmio"] (8, 2) 70;
    "ld" "st" [".L1"] (7, 4) 70;
    "ld" [".L2::64B"] [".L2::128B"] (7, 4) 75;
    "ld" "cp.async" [".L2::256B"] (7, 4) 80;
    "ld" "st" "cp.async" "atom" "red" [".L2::cache_hint"] (7, 4) 80;
    "ld" "st" [".sys", ".b128"] (8, 4) 70;
    "st" "atom" "red" [".release"] (6, 0) 70;
    "st.async" "red.async" [".mmio"] (8, 7) 100;
    "multimem.ld_reduce" [".acc::f32"] (8, 2) 90;
    "multimem.ld_reduce" "multimem.st" [".e4m3x4"] [".e5m2x4"] [".e4m3"] [".e4m3x2"] [".e5m2x2"]
        (8, 6) 100: MULTIMEM_FP8;
    "prefetch" [".L2::evict_last"] [".L2::evict_normal"] (7, 4) 80;
    "isspacep" "cvta" [".param"] (7, 7) 70;
    "cp.async" [".L2::64B"] [".L2::128B"] (7, 4) 80;
    "cp.async" [] with Predicate operand 3 as " [dst], [src], size, ignored" (7, 5) 80;
    "cp.async.bulk" [".shared::cta.global"] (8, 6) 90;
    "cp.async.bulk" [".cp_mask"] (8, 6) 100;
    "multimem.cp.async.bulk" [".cp_mask"] (9, 1) 100;
    "cp.async.bulk.tensor" [".tile::gather4"] [".im2col::w"] (8, 6) 100;
    "cp.async.bulk.tensor" [".cta_group"] [".shared::cluster.global.tile::gather4"]
        [".shared::cluster.global.im2col::w"] [".shared::cta.global.im2col::w::128"] (8, 6) 100:
        TENSOR_MEMORY;
    "cp.async.bulk.tensor" "cp.reduce.async.bulk.tensor" [".tile::scatter4"] (8, 6) 100:
        TENSOR_MEMORY;
    "cp.async.bulk.prefetch.tensor" [".tile::gather4"] [".im2col::w"] (8, 6) 100: TENSOR_MEMORY;
    "tensormap.replace" [".swizzle_atomicity"] (8, 6) 100: FROM_100;
    "tex" [".f16"] [".f16x2"] (4, 2) 53;
    "tex" "tld4" [] with WithPredicate operand 0 as " d|p, [texture]" (7, 1) 60;
    "tld4" [".a2d"] [".cube"] [".acube"] (4, 3) 30;
    "txq" [".level"] (4, 3) 30;
    "txq" "suq" [".array_size"] (4, 1) 10;
    "txq" [".num_mipmap_levels"] (4, 1) 20;
    "suq" [".memory_layout"] (4, 2) 10;
    "sured" [".min", ".u64"] [".min", ".s64"] [".max", ".u64"] [".max", ".s64"] [".min", ".b64"]
        [".max", ".b64"] (8, 1) 50;
    "atom" [".acq_rel"] (6, 0) 70;
    "atom" "red" "add" "sub" "mul" "ex2" "tanh" "set" "setp" [".bf16"] [".bf16x2"] (7, 8) 90;
    "atom" "red" [".cta"] [".gpu"] [".sys"] [".f64"] (5, 0) 60;
    "atom" [".b16"] (6, 3) 70;
    "atom" "red" [".f16"] (6, 3) 70;
    "atom" [".b128"] (8, 3) 90;
    "atom" "red" [".f16x2"] (6, 2) 60;
    "atom" "red" [".v2"] [".v4"] [".v8"] (8, 1) 90;
    "red.async" "st.async" [".global"] (8, 7) 100;
    "mbarrier.arrive" "mbarrier.arrive_drop" "mbarrier.test_wait" "mbarrier.try_wait"
        [".relaxed"] (8, 6) 90;
    "mbarrier.arrive" "mbarrier.arrive_drop" [".release"] (8, 0) 80;
    "mbarrier.arrive" "mbarrier.arrive_drop" "mbarrier.test_wait" [".cluster"] (8, 0) 90;
    "mbarrier.arrive" "mbarrier.arrive_drop" [".expect_tx"] [".shared::cluster"] (8, 0) 90;
    "mbarrier.arrive" "mbarrier.arrive_drop" [".b64"] without [".noComplete", ".expect_tx"]
        with Any operand 2 as " state, [addr], count" (7, 8) 90;
    "mbarrier.arrive" [] with Discarded operand 0 as " _, [addr]" (7, 1) 80;
    "mbarrier.test_wait" [".acquire"] (8, 0) 80;
    "mbarrier.test_wait" [".parity"] (7, 1) 80;
    "mbarrier.try_wait" "barrier.cluster.wait" [".acquire"] (8, 0) 90;
    "clusterlaunchcontrol.try_cancel" [".multicast"] (8, 6) 100: FROM_100;
    "wmma.load" "wmma.store" "wmma.mma" [".aligned"] (6, 3) 70;
    "wmma.load" "wmma.mma" [".s8"] [".u8"] (6, 3) 72;
    "wmma.load" "wmma.store" [".s32"] (6, 3) 72;
    "wmma.load" "wmma.mma" [".s4"] [".u4"] [".b1"] (6, 3) 75;
    "wmma.load" "wmma.store" [".m8n8k32"] [".m8n8k128"] (6, 3) 75;
    "wmma.load" "abs" "neg" "fma" "min" "max" "mma" "wmma.mma" [".bf16"] (7, 0) 80;
    "wmma.load" "wmma.mma" "cvt" "mma" [".tf32"] (7, 0) 80;
    "wmma.load" "wmma.store" "wmma.mma" "mma" [".f64"] (7, 0) 80;
    "wmma.load" "wmma.store" [".m16n16k8"] (7, 0) 80;
    "ldmatrix" [".m16n16"] [".m8n16"] (8, 6) 100: FROM_100;
    "stmatrix" [".m16n8"] (8, 6) 100: FROM_100;
    "tcgen05.mma" [".kind::i8"] (8, 6) 100: INTEGERS;
    "tcgen05.mma" [".kind::mxf4nvf4"] (8, 7) 100: TENSOR_MEMORY;
    "tcgen05.mma" [".scale_vec"] (8, 6) 100: TENSOR_MEMORY_SPECIFIC;
    "tcgen05.mma" [".block_scale"] without [".scale_vec", ".block16", ".block32"] (8, 8) 100:
        TENSOR_MEMORY;
    "tcgen05.mma" [".block16"] [".block32"] (8, 8) 100: TENSOR_MEMORY;
    "barrier.cluster.arrive" [".release"] [".relaxed"] (8, 0) 90;
    "membar" [".proxy"] (7, 5) 60;
    "fence" [".sync_restrict"] (8, 6) 90;
    "fence.proxy" [".tensormap::generic"] (8, 3) 90;
    "cvt" [".rn", ".tf32"] [".rz", ".tf32"] (7, 8) 90;
    "cvt" [".satfinite", ".rn", ".tf32"] [".satfinite", ".rz", ".tf32"] (8, 6) 100;
    "cvt" [".e2m3x2"] [".e3m2x2"] [".e2m1x2"] [".ue8m0x2"] (8, 6) 100: FROM_100;
    "cvt" [".f32.bf16"] (7, 1) 80;
    "cvt" [".bf16.f32"] [".bf16x2.f32"] [".f16x2.f32"] (7, 0) 80;
    "cvt" [".e4m3x2"] [".e5m2x2"] (7, 8) 89 below 90 (8, 1);
    "cvt" [".satfinite", ".f16.f32"] (8, 1) 70;
    "cvt" [".satfinite", ".f16x2.f32"] [".rna.satfinite.tf32"] [".satfinite", ".bf16.f32"]
        [".satfinite", ".bf16x2.f32"] (8, 1) 80;
    "cvt" [".pack"] (6, 5) 72;
    "cvt" [".rs"] (8, 7) 100: ROUNDING;
    "cvt" [".bf16"] without [".f32"] (7, 8) 90;
    "add" "sub" "mul" "fma" [".f32x2"] (8, 6) 100;
    "add" "sub" "fma" [".f32.f16"] [".f32.bf16"] (8, 6) 100;
    "add" "min" "max" [".u16x2"] [".s16x2"] (8, 0) 90;
    "min" "max" [".relu", ".s32"] (8, 0) 90;
    "min" "max" [".f16"] [".f16x2"] [".NaN"] (7, 0) 80;
    "min" "max" [".xorsign"] (7, 2) 86;
    "min" "max" [".f32"] with Any operand 3 as " d, a, b, c" (8, 8) 100;
    "fma" [".oob"] (8, 1) 90;
    "fma" "cvt" [".relu"] (7, 0) 80;
    "lop3" [".or"] [".and"] (8, 2) 70;
    "mma" [".m16n8k4", ".f64"] [".m16n8k8", ".f64"] [".m16n8k16", ".f64"] (7, 8) 90;
    "mma" [".kind::f8f6f4"] (8, 6) 100: FROM_100;
    "wmma.mma" "mma" [".b1", ".and"] (7, 1) 80;
    "mma" [".m16n8k16"] [".m16n8k32"] [".m16n8k64"] [".m16n8k128"] [".m16n8k256"] (7, 0) 80;
    "mma" [".m16n8k8"] [".s8"] [".u8"] [".s4"] [".u4"] (6, 5) 75;
    "mma" [".b1"] (7, 0) 75;
    "mma" [".m16n8k32", ".e4m3"] [".m16n8k32", ".e5m2"] (8, 4) 89;
    "mma" [".f16.e4m3"] [".f16.e5m2"] [".m16n8k16", ".e4m3"] [".m16n8k16", ".e5m2"] (8, 7) 89;
    "mma" [".sp::ordered_metadata"] (8, 5) 80;
    "mma" [".kind::mxf8f6f4"] [".e3m2"] [".e2m3"] [".e2m1"] [".kind::mxf4"] [".kind::mxf4nvf4"]
        (8, 7) 120: BLOCK_SCALED;
    "mma.sp" [".m16n8k64", ".e4m3"] [".m16n8k64", ".e5m2"] (8, 4) 89;
    "mma.sp" [".f16.e4m3"] [".f16.e5m2"] (8, 7) 120: BLOCK_SCALED;
    "abs" "neg" "fma" "min" "max" [".bf16x2"] (7, 0) 80;
    "add" "sub" "mul" "fma" "set" "setp" [".f16"] [".f16x2"] (4, 2) 53;
    "neg" [".f16"] [".f16x2"] (6, 0) 53;
    "fma" [".f32"] (2, 0) 20;
    "abs" [".f16"] [".f16x2"] (6, 5) 53;
    "ex2" [".f16"] [".f16x2"] (7, 0) 75;
    "set" [".u16.f16"] [".s16.f16"] [".u32.f16"] [".s32.f16"] [".u32.f16x2"] [".s32.f16x2"]
        (6, 5) 53;
    "redux" [".f32"] (8, 6) 100: REDUX;
    "wgmma.mma_async" [".s8.u8"] [".u8.s8"] (8, 4) 90;
}

/// Every modifier with requirements beyond its instruction's.
pub const QUALIFIERS: &[Qualifier] = &{
    let mut all = [ROWS[0][0][0]; number()];
    let (mut row, mut opcode, mut combination) = (0, 0, 0);
    let mut n = 0;
    while n < all.len() {
        if combination == ROWS[row][opcode].len() {
            (opcode, combination) = (opcode + 1, 0);
        }
        if opcode == ROWS[row].len() {
            (row, opcode) = (row + 1, 0);
        }
        all[n] = ROWS[row][opcode][combination];
        (n, combination) = (n + 1, combination + 1);
    }
    all
};

/// The number of qualifiers.
const fn number() -> usize {
    let (mut row, mut number) = (0, 0);
    while row < ROWS.len() {
        number += ROWS[row].len() * ROWS[row][0].len();
        row += 1;
    }
    number
}

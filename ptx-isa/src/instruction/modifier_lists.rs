//! The types and state spaces that instructions name among their modifiers: the lists of the table's columns.

/// What an instruction names, for the first modifier that it has; an empty modifier always matches. Each list has, for
/// each of the types or state spaces in order, the words that may stand there; where there are none, any may. Of
/// several lists for one modifier, the instruction has one.
pub type ModifierLists = &'static [(&'static str, &'static [&'static str])];

/// Neither types nor state spaces.
pub(super) const NOTHING: ModifierLists = &[("", &[])];

const ALL_SPACES: &str = "global shared shared::cta shared::cluster local const param param::entry";

// State spaces.
pub(super) const ANY_SPACE: ModifierLists = &[("", &[ALL_SPACES])];
pub(super) const LOADED: ModifierLists = &[
    ("nc", &["global"]),
    ("", &["global shared shared::cta shared::cluster local const param param::entry param::func"]),
    ("", &[]),
];
pub(super) const STORED: ModifierLists =
    &[("", &["global shared shared::cta shared::cluster local param param::func"]), ("", &[])];
pub(super) const GLOBAL: ModifierLists = &[("", &["global"]), ("", &[])];
pub(super) const ONLY_GLOBAL: ModifierLists = &[("", &["global"])];
pub(super) const ONLY_CONST: ModifierLists = &[("", &["const"])];
pub(super) const ONLY_PARAM: ModifierLists = &[("", &["param"])];
pub(super) const GLOBAL_OR_LOCAL: ModifierLists = &[("", &["global local"]), ("", &[])];
/// Where atomic operations are.
pub(super) const SHARED_OR_GLOBAL: ModifierLists =
    &[("", &["global shared shared::cta shared::cluster"]), ("", &[])];
pub(super) const GLOBAL_OR_CLUSTER: ModifierLists = &[("", &["global shared::cluster"]), ("", &[])];
pub(super) const SHARED: ModifierLists = &[("", &["shared shared::cta"]), ("", &[])];
pub(super) const SHARED_OR_CLUSTER: ModifierLists =
    &[("", &["shared shared::cta shared::cluster"]), ("", &[])];
pub(super) const IN_BLOCK: ModifierLists = &[("", &["shared::cta"]), ("", &[])];
pub(super) const IN_CLUSTER: ModifierLists = &[("", &["shared::cluster"]), ("", &[])];
pub(super) const OF_FRAGMENTS: ModifierLists = &[("", &["global shared shared::cta"]), ("", &[])];
pub(super) const OF_MAP: ModifierLists = &[("", &["global shared::cta"]), ("", &[])];
pub(super) const OF_COPY: ModifierLists = &[("", &["shared shared::cta", "global"])];
pub(super) const OF_BULK_COPY: ModifierLists = &[
    ("", &["shared::cluster shared::cta", "global"]),
    ("", &["shared::cluster", "shared::cta"]),
    ("", &["global", "shared::cta"]),
];
pub(super) const OF_BULK_REDUCTION: ModifierLists =
    &[("", &["global shared::cluster", "shared::cta"])];
pub(super) const OF_TENSOR_LOAD: ModifierLists =
    &[("", &["shared::cluster shared::cta", "global"])];
pub(super) const OF_TENSOR_STORE: ModifierLists = &[("", &["global", "shared::cta"])];

const INTEGERS: &str = "u16 u32 u64 s16 s32 s64";
const WORDS: &str = "u32 u64 s32 s64";
const BITS: &str = "b16 b32 b64";
const WORDS_OF_BITS: &str = "b32 b64";
const BIT_TYPES: &str = "pred b16 b32 b64";
const FLOATS: &str = "f32 f64";
/// All floating-point numbers with arithmetic.
const NUMBERS: &str = "f32 f64 f16 bf16 f16x2 bf16x2 f32x2";
/// The operand of a sum in another format than its result.
const NARROW: &str = "f16 bf16";
const HALVES: &str = "f16 bf16 f16x2 bf16x2";
/// Types of memory and of registers (PTX ISA 5.2.2).
const MEMORY: &str = "b32 b64 b8 b16 b128 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64";
const EXTREMES: &str = "u32 s32 f32 u16 u64 s16 s64 f64 f16 bf16 f16x2 bf16x2 u16x2 s16x2";
/// Elements of matrices of 8, 6 and 4 bits.
const SMALL: &str = "e4m3 e5m2 e2m3 e3m2 e2m1";
const SMALL_PAIRS: &str = "e4m3x2 e5m2x2 e2m3x2 e3m2x2 e2m1x2 ue8m0x2";
const SMALL_FOURS: &str = "e4m3x4 e5m2x4 e2m3x4 e3m2x4 e2m1x4 ue8m0x4";
const CONVERTED: &str = "u8 u16 u32 u64 s8 s16 s32 s64 f16 bf16 f32 f64";
const COMPARED: &str = "u32 s32 b32 f32 u16 u64 s16 s64 b16 b64 f64 f16 bf16 f16x2 bf16x2 b1";
/// What vectors of a multimem instruction have, too.
const MULTIMEM: &str =
    "u32 s32 b32 f32 u64 s64 b64 f64 f16 bf16 f16x2 bf16x2 e4m3 e5m2 e4m3x2 e5m2x2 e4m3x4 e5m2x4";

// The types of arithmetic.
pub(super) const OF_SUM: ModifierLists = &[
    ("cc", &[WORDS]),
    ("", &["u32 s32 f32 u16 u64 s16 s64 f64 f16 bf16 f16x2 bf16x2 u16x2 s16x2 f32x2"]),
    ("", &["f32", NARROW]),
];
pub(super) const OF_DIFFERENCE: ModifierLists = &[
    ("cc", &[WORDS]),
    ("", &["u32 s32 f32 u16 u64 s16 s64 f64 f16 bf16 f16x2 bf16x2 f32x2"]),
    ("", &["f32", NARROW]),
];
pub(super) const OF_PRODUCT: ModifierLists =
    &[("wide", &["u16 u32 s16 s32"]), ("lo", &[INTEGERS]), ("hi", &[INTEGERS]), ("", &[NUMBERS])];
pub(super) const OF_PRODUCT_AND_SUM: ModifierLists = &[
    ("cc", &[WORDS]),
    ("wide", &["u16 u32 s16 s32"]),
    ("lo", &[INTEGERS]),
    ("hi", &[INTEGERS]),
    ("", &[FLOATS]),
];
pub(super) const OF_FUSED: ModifierLists =
    &[("relu", &[HALVES]), ("", &[NUMBERS]), ("", &["f32", NARROW])];
pub(super) const OF_QUOTIENT: ModifierLists =
    &[("approx", &["f32"]), ("full", &["f32"]), ("", &["u32 s32 f32 u16 u64 s16 s64 f64"])];
pub(super) const OF_EXTREME: ModifierLists = &[("relu", &["s32 s16x2"]), ("", &[EXTREMES])];
pub(super) const OF_SIGN: ModifierLists =
    &[("", &["s32 f32 s16 s64 f64 f16 bf16 f16x2 bf16x2 u16 u32 u64"])];
pub(super) const OF_INTEGERS: ModifierLists = &[("", &[INTEGERS])];
pub(super) const OF_WORDS: ModifierLists = &[("", &[WORDS])];
pub(super) const OF_U32_OR_S32: ModifierLists = &[("", &["u32 s32"])];
pub(super) const OF_U32_OR_U64: ModifierLists = &[("", &["u32 u64"])];
pub(super) const OF_U32: ModifierLists = &[("", &["u32"])];
pub(super) const OF_B32: ModifierLists = &[("", &["b32"])];
pub(super) const OF_B64: ModifierLists = &[("", &["b64"])];
pub(super) const OF_B128: ModifierLists = &[("", &["b128"])];
pub(super) const OF_B32_OR_B64: ModifierLists = &[("", &[WORDS_OF_BITS])];
pub(super) const OF_BITS: ModifierLists = &[("", &[BITS])];
pub(super) const OF_BITS_OR_PRED: ModifierLists = &[("", &[BIT_TYPES])];
pub(super) const OF_RIGHT_SHIFT: ModifierLists = &[("", &["b16 b32 b64 u16 u32 u64 s16 s32 s64"])];
pub(super) const OF_F32: ModifierLists = &[("", &["f32"])];
pub(super) const OF_FLOATS: ModifierLists = &[("", &[FLOATS])];
pub(super) const OF_F32_OR_HALVES: ModifierLists = &[("", &["f32 f16 bf16 f16x2 bf16x2"])];
pub(super) const OF_TWO_WORDS: ModifierLists = &[("", &["u32 s32", "u32 s32"])];
pub(super) const OF_SELECTION: ModifierLists =
    &[("", &["b32 u32 s32 f32 b16 u16 s16 b64 u64 s64 f64"])];
pub(super) const OF_SELECTION_BY_SIGN: ModifierLists =
    &[("", &["b32 u32 s32 f32 b16 u16 s16 b64 u64 s64 f64", "s32 f32"])];
pub(super) const OF_COMPARISON: ModifierLists = &[("", &[COMPARED])];
pub(super) const OF_SET: ModifierLists = &[
    ("", &["u32 s32 f32 f16 bf16", "u32 s32 b32 f32 u16 u64 s16 s64 b16 b64 f64 b1"]),
    ("", &["u32 s32 u16 s16 f16 bf16", "f16 bf16"]),
    ("", &["u32 s32 f16x2 bf16x2", "f16x2 bf16x2"]),
];
pub(super) const OF_CONVERSION: ModifierLists = &[
    ("pack", &["u16 s16", "s32"]),
    ("pack", &["u8 s8 u4 s4 u2 s2", "s32", "b32"]),
    ("", &[CONVERTED, CONVERTED]),
    ("", &["f16x2 bf16x2", "f32"]),
    ("", &["f16x2 bf16x2", SMALL_PAIRS]),
    ("", &[SMALL_PAIRS, "f32 f16x2 bf16x2"]),
    ("", &[SMALL_FOURS, "f32"]),
    ("", &["tf32", "f32"]),
];
pub(super) const OF_COPIES: ModifierLists =
    &[("", &["b32 u32 s32 f32 b16 u16 s16 b64 u64 s64 f64 pred b128"])];

// Those of memory.
pub(super) const OF_MEMORY: ModifierLists = &[("", &[MEMORY])];
pub(super) const OF_ASYNC_STORE: ModifierLists =
    &[("", &["b32 u32 s32 f32 b64 u64 s64 f64 b8 u8 s8 b16 u16 s16"])];
pub(super) const OF_ATOMIC: ModifierLists = &[
    ("cas", &["b32 b64 b16 b128"]),
    ("exch", &["b32 b64 b128"]),
    ("and", &[WORDS_OF_BITS]),
    ("or", &[WORDS_OF_BITS]),
    ("xor", &[WORDS_OF_BITS]),
    ("inc", &["u32"]),
    ("dec", &["u32"]),
    ("noftz", &[HALVES]),
    ("min", &[WORDS]),
    ("max", &[WORDS]),
    ("add", &["u32 s32 u64 f32 f64 f16 bf16 f16x2 bf16x2"]),
];
pub(super) const OF_ASYNC_REDUCTION: ModifierLists = &[
    ("and", &["b32"]),
    ("or", &["b32"]),
    ("xor", &["b32"]),
    ("inc", &["u32"]),
    ("dec", &["u32"]),
    ("min", &["u32 s32"]),
    ("max", &["u32 s32"]),
    ("add", &[WORDS]),
];
pub(super) const OF_BULK_OPERATION: ModifierLists = &[
    ("and", &[WORDS_OF_BITS]),
    ("or", &[WORDS_OF_BITS]),
    ("xor", &[WORDS_OF_BITS]),
    ("inc", &["u32"]),
    ("dec", &["u32"]),
    ("noftz", &["f16 bf16"]),
    ("min", &["u32 s32 u64 s64 f16 bf16"]),
    ("max", &["u32 s32 u64 s64 f16 bf16"]),
    ("add", &["u32 s32 u64 f32 f64"]),
];
pub(super) const OF_MULTIMEM: ModifierLists = &[
    ("and", &[WORDS_OF_BITS]),
    ("or", &[WORDS_OF_BITS]),
    ("xor", &[WORDS_OF_BITS]),
    ("", &[MULTIMEM]),
];
pub(super) const OF_MULTIMEM_REDUCTION: ModifierLists = &[
    ("and", &[WORDS_OF_BITS]),
    ("or", &[WORDS_OF_BITS]),
    ("xor", &[WORDS_OF_BITS]),
    ("min", &["u32 s32 u64 s64 f16 bf16 f16x2 bf16x2"]),
    ("max", &["u32 s32 u64 s64 f16 bf16 f16x2 bf16x2"]),
    ("add", &["u32 s32 f32 u64 f64 f16 bf16 f16x2 bf16x2"]),
];
pub(super) const OF_TEXTURE: ModifierLists = &[("", &["f32 s32 u32 f16 f16x2", "f32 s32 u32"])];
pub(super) const OF_GATHER: ModifierLists = &[("", &["f32 s32 u32", "f32"])];
pub(super) const OF_SURFACE: ModifierLists = &[("p", &["b32"]), ("", &["b32 b64 b8 b16"])];
pub(super) const OF_SURFACE_REDUCTION: ModifierLists = &[("", &["u32 s32 b32 u64 s64 b64"])];
pub(super) const OF_OPAQUE: ModifierLists = &[("", &["texref samplerref surfref"])];

// Those of barriers and warps.
pub(super) const OF_BLOCK_REDUCTION: ModifierLists =
    &[("popc", &["u32"]), ("and", &["pred"]), ("or", &["pred"])];
pub(super) const OF_VOTE: ModifierLists =
    &[("ballot", &["b32"]), ("all", &["pred"]), ("any", &["pred"]), ("uni", &["pred"])];
pub(super) const OF_WARP_REDUCTION: ModifierLists = &[
    ("and", &["b32"]),
    ("or", &["b32"]),
    ("xor", &["b32"]),
    ("add", &["u32 s32"]),
    ("min", &["u32 s32 f32"]),
    ("max", &["u32 s32 f32"]),
];

// Those of matrices.
pub(super) const OF_FRAGMENT_LOAD: ModifierLists =
    &[("", &["f16 bf16 tf32 f32 f64 s8 u8 s4 u4 b1 s32 u32"])];
pub(super) const OF_FRAGMENT_STORE: ModifierLists = &[("", &["f16 f32 f64 s32 u32"])];
pub(super) const OF_ROWS_LOAD: ModifierLists =
    &[("", &["b16 b8"]), ("", &["b8x16", "b6x16_p32 b4x16_p64"])];
pub(super) const OF_ROWS_STORE: ModifierLists = &[("", &["b16 b8"])];
pub(super) const OF_REDUCING_LOAD: ModifierLists = &[("", &["u32 s32 f32"])];
pub(super) const OF_FRAGMENTS_PRODUCT: ModifierLists = &[
    // The type of the scales follows.
    ("block_scale", &["f32", SMALL, SMALL, "f32", ""]),
    ("", &["f32 f16", "f16", "f16", "f32 f16"]),
    ("", &["f32", "bf16", "bf16", "f32"]),
    ("", &["f32", "tf32", "tf32", "f32"]),
    ("", &["f64", "f64", "f64", "f64"]),
    ("", &["f32 f16", SMALL, SMALL, "f32 f16"]),
    ("", &["s32", "s8 u8", "s8 u8", "s32"]),
    ("", &["s32", "s4 u4", "s4 u4", "s32"]),
    ("", &["s32", "b1", "b1", "s32"]),
];
pub(super) const OF_MATRICES_PRODUCT: ModifierLists = &[
    ("", &["f32 f16", "f16", "f16"]),
    ("", &["f32", "bf16", "bf16"]),
    ("", &["f32", "tf32", "tf32"]),
    ("", &["f32 f16", "e4m3 e5m2", "e4m3 e5m2"]),
    ("", &["s32", "s8 u8", "s8 u8"]),
    ("", &["s32", "b1", "b1"]),
];

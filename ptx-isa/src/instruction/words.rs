//! The words of instructions: opcodes, and modifiers, regardless of the instruction.
//!
//! They are those of PTX ISA 9.3, and those that ptxas 13.0 and 13.5 accept beyond it. Shapes (`.m16n8k16`, `.32x32b`) are
//! not listed, since matrices have hundreds of them. A word that is not listed may be newer than this table, so it is
//! treated as a mistake only if it is similar to a listed one.

use alloc::vec::Vec;

use super::buckets::{Buckets, bucket};
use crate::near::nearest;

/// The kind of a word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WordKind {
    /// The first word of an instruction: `ld`.
    Opcode,
    /// After a dot: `.shared`.
    Modifier,
    /// After two colons: `::cta`.
    Submodifier,
}

impl WordKind {
    /// The separator before the word.
    pub const fn separator(self) -> &'static str {
        match self {
            Self::Opcode => "",
            Self::Modifier => ".",
            Self::Submodifier => "::",
        }
    }

    /// The name of the kind.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Opcode => "instruction",
            Self::Modifier | Self::Submodifier => "modifier",
        }
    }

    /// The known words of this kind, sorted.
    pub const fn words(self) -> &'static [&'static str] {
        match self {
            Self::Opcode => OPCODES,
            Self::Modifier => MODIFIERS,
            Self::Submodifier => SUBMODIFIERS,
        }
    }

    /// The index of a known word, or a greater number for any other.
    pub fn number(self, word: &str) -> u16 {
        self.index(word).and_then(|number| u16::try_from(number).ok()).unwrap_or(u16::MAX)
    }

    /// Whether this word is known.
    pub fn knows(self, word: &str) -> bool {
        self.index(word).is_some()
    }

    fn index(self, word: &str) -> Option<usize> {
        let same = match self {
            Self::Opcode => OPCODE_BUCKETS.of(word),
            Self::Modifier => MODIFIER_BUCKETS.of(word),
            Self::Submodifier => SUBMODIFIER_BUCKETS.of(word),
        };
        same.iter().copied().find(|n| self.words()[*n] == word)
    }

    /// Whether it is one of the known words, or one whose meaning it spells out: a shape, or a number.
    pub fn understands(self, word: &str) -> bool {
        // Words that start with `_` are internal to ptxas, and those that start with a digit are numbers or shapes.
        let is_word = word.starts_with(|c: char| c.is_ascii_alphabetic());
        self.knows(word) || !is_word || is_shape(word)
    }
}

/// Known words that may be meant, the likeliest first; empty if the word is known, or not similar to any that is.
pub fn meant(kind: WordKind, word: &str) -> Vec<&'static str> {
    if kind.understands(word) {
        return Vec::new();
    }
    nearest(word, kind.words().iter().copied())
}

/// Whether a word is part of opcodes alone, which ptxas does not take for a modifier: `.wide` of `mad.wide`.
pub fn is_part_of_opcodes(word: &str) -> bool {
    const PARTS: &[&str] = &[
        "arrive",
        "arrive_drop",
        "commit_group",
        "complete_tx",
        "expect_tx",
        "init",
        "inval",
        "ld_reduce",
        "mma_async",
        "prefetch",
        "query_cancel",
        "replace",
        "test_wait",
        "to",
        "try_cancel",
        "try_wait",
        "wait_all",
        "wait_group",
        "wide",
    ];
    PARTS.contains(&word)
}

/// Whether a word is a shape: `m16n8`, `m16n8k16`.
fn is_shape(word: &str) -> bool {
    let Some(rest) = word.strip_prefix('m') else { return false };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    rest.split_once('n').is_some_and(|(m, rest)| {
        let (n, k) = rest.split_once('k').unwrap_or((rest, "1"));
        is_number(m) && is_number(n) && is_number(k)
    })
}

static OPCODE_BUCKETS: Buckets<{ OPCODES.len() }> = Buckets::new(&buckets(OPCODES));
static MODIFIER_BUCKETS: Buckets<{ MODIFIERS.len() }> = Buckets::new(&buckets(MODIFIERS));
static SUBMODIFIER_BUCKETS: Buckets<{ SUBMODIFIERS.len() }> = Buckets::new(&buckets(SUBMODIFIERS));

/// The bucket of each word.
const fn buckets<const N: usize>(words: &[&str]) -> [usize; N] {
    let (mut buckets, mut n) = ([0; N], 0);
    while n < N {
        buckets[n] = bucket(words[n]);
        n += 1;
    }
    buckets
}

/// Opcodes, sorted.
const OPCODES: &[&str] = &[
    "abs",
    "activemask",
    "add",
    "addc",
    "alloca",
    "and",
    "applypriority",
    "atom",
    "bar",
    "barrier",
    "bfe",
    "bfi",
    "bfind",
    "bmsk",
    "bra",
    "brev",
    "brkpt",
    "brx",
    "call",
    "cctl",
    "cctlu",
    "clusterlaunchcontrol",
    "clz",
    "cnot",
    "copysign",
    "cos",
    "cp",
    "createpolicy",
    "cvt",
    "cvta",
    "discard",
    "div",
    "dp2a",
    "dp4a",
    "elect",
    "ex2",
    "exit",
    "fence",
    "fma",
    "fns",
    "getctarank",
    "griddepcontrol",
    "isspacep",
    "istypep",
    "ld",
    "ldmatrix",
    "ldu",
    "lg2",
    "lop3",
    "mad",
    "mad24",
    "madc",
    "mapa",
    "match",
    "max",
    "mbarrier",
    "membar",
    "min",
    "mma",
    "mov",
    "movmatrix",
    "mul",
    "mul24",
    "multimem",
    "nanosleep",
    "neg",
    "not",
    "or",
    "pmevent",
    "popc",
    "prefetch",
    "prefetchu",
    "prmt",
    "rcp",
    "red",
    "redux",
    "rem",
    "ret",
    "rsqrt",
    "sad",
    "selp",
    "set",
    "setmaxnreg",
    "setp",
    "shf",
    "shfl",
    "shl",
    "shr",
    "sin",
    "slct",
    "spdecompress",
    "sqrt",
    "st",
    "stackrestore",
    "stacksave",
    "stmatrix",
    "sub",
    "subc",
    "suld",
    "suq",
    "sured",
    "sust",
    "szext",
    "tanh",
    "tcgen05",
    "tensormap",
    "testp",
    "tex",
    "tld4",
    "trap",
    "txq",
    "vabsdiff",
    "vabsdiff2",
    "vabsdiff4",
    "vadd",
    "vadd2",
    "vadd4",
    "vavrg2",
    "vavrg4",
    "vmad",
    "vmax",
    "vmax2",
    "vmax4",
    "vmin",
    "vmin2",
    "vmin4",
    "vote",
    "vset",
    "vset2",
    "vset4",
    "vshl",
    "vshr",
    "vsub",
    "vsub2",
    "vsub4",
    "wgmma",
    "wmma",
    "xor",
];

/// Modifiers after a dot, sorted.
const MODIFIERS: &[&str] = &[
    "0",
    "1",
    "1d",
    "2",
    "2d",
    "2dms",
    "3",
    "3d",
    "4d",
    "5d",
    "L1",
    "L2",
    "NaN",
    "a",
    "a1d",
    "a2d",
    "a2dms",
    "abs",
    "acc",
    "acq_rel",
    "acquire",
    "acube",
    "add",
    "addr_mode_0",
    "addr_mode_1",
    "addr_mode_2",
    "alias",
    "aligned",
    "all",
    "alloc",
    "alloc_class_large",
    "alloc_large",
    "alloc_same",
    "alloc_small",
    "and",
    "any",
    "approx",
    "array_size",
    "arrive",
    "arrive_drop",
    "ashift",
    "async",
    "b",
    "b0",
    "b1",
    "b1024",
    "b128",
    "b16",
    "b2",
    "b3",
    "b32",
    "b4",
    "b4e",
    "b4x16_p64",
    "b64",
    "b6x16_p32",
    "b8",
    "b8x16",
    "ballot",
    "base",
    "bf16",
    "bf16x2",
    "bfly",
    "block16",
    "block32",
    "block_scale",
    "box_dim",
    "bulk",
    "bulk_group",
    "c",
    "ca",
    "cas",
    "cc",
    "cg",
    "channel_data_type",
    "channel_order",
    "check_layout",
    "clamp",
    "cluster",
    "col",
    "collector",
    "commit",
    "commit_group",
    "complete_tx",
    "const",
    "cp",
    "cp_fenceproxy",
    "cp_mask",
    "cs",
    "cta",
    "cta_group",
    "cube",
    "cv",
    "cvt",
    "d",
    "dealloc",
    "dec",
    "depth",
    "dis",
    "down",
    "e0m3x2",
    "e0m3x4",
    "e2m1",
    "e2m1x2",
    "e2m1x4",
    "e2m3",
    "e2m3x2",
    "e2m3x4",
    "e3m2",
    "e3m2x2",
    "e3m2x4",
    "e4m3",
    "e4m3x2",
    "e4m3x4",
    "e5m2",
    "e5m2x2",
    "e5m2x4",
    "ecl",
    "ecr",
    "element_stride",
    "elemtype",
    "en",
    "eq",
    "equ",
    "evict_first",
    "evict_last",
    "evict_normal",
    "evict_unchanged",
    "exch",
    "expect_tx",
    "f16",
    "f16x2",
    "f32",
    "f32x2",
    "f4e",
    "f64",
    "fence",
    "fill_mode",
    "filter_mode",
    "finite",
    "force_unnormalized_coords",
    "fractional",
    "ftz",
    "full",
    "fused",
    "g",
    "ge",
    "generic",
    "get_first_ctaid",
    "geu",
    "gl",
    "global",
    "global_address",
    "global_dim",
    "global_stride",
    "gpu",
    "grad",
    "group",
    "gt",
    "gtu",
    "h0",
    "h1",
    "height",
    "hi",
    "hs",
    "idx",
    "ignoreC",
    "ignoreC_pred",
    "ignore_oob",
    "im2col",
    "im2col_no_offs",
    "inc",
    "infinite",
    "init",
    "interleave_layout",
    "inv",
    "inval",
    "invall",
    "is_canceled",
    "kind",
    "l",
    "launch_dependents",
    "layout",
    "ld",
    "ld_reduce",
    "le",
    "leu",
    "level",
    "lo",
    "load",
    "local",
    "ls",
    "lt",
    "ltu",
    "lu",
    "mask",
    "matrix",
    "max",
    "maxabs",
    "mbarrier",
    "mbarrier_init",
    "memory_layout",
    "min",
    "mma",
    "mma_async",
    "mmio",
    "mode",
    "multicast",
    "multimem",
    "nan",
    "nc",
    "ne",
    "negA",
    "negB",
    "neu",
    "noComplete",
    "no_allocate",
    "no_membermask_overlap",
    "noftz",
    "noinc",
    "normal",
    "normalized_coords",
    "notanumber",
    "num",
    "num_mipmap_levels",
    "num_samples",
    "number",
    "one",
    "oob",
    "op_restrict",
    "or",
    "ordered_metadata",
    "p",
    "pack",
    "param",
    "parity",
    "pending_count",
    "po",
    "pop",
    "popc",
    "pred",
    "prefetch",
    "proxy",
    "pzo",
    "query",
    "query_cancel",
    "r",
    "range",
    "rank",
    "rc16",
    "rc8",
    "read",
    "red",
    "reduce",
    "regoffset",
    "relaxed",
    "release",
    "relinquish_alloc_permit",
    "relu",
    "replace",
    "rm",
    "rmi",
    "rn",
    "rna",
    "rni",
    "row",
    "rp",
    "rpi",
    "rs",
    "rz",
    "rzi",
    "s16",
    "s16x2",
    "s2",
    "s2f6x2",
    "s32",
    "s4",
    "s64",
    "s8",
    "s8x4",
    "safeadd",
    "samplerref",
    "sat",
    "satfinite",
    "sc",
    "scale_vec",
    "scaled",
    "scope",
    "scratch",
    "shared",
    "shift",
    "shiftamt",
    "shr15",
    "shr7",
    "sp",
    "sparse",
    "spcompress",
    "st",
    "store",
    "subnormal",
    "surfref",
    "swizzle_atomicity",
    "swizzle_mode",
    "sync",
    "sync_restrict",
    "sys",
    "tensor",
    "tensormap",
    "test_wait",
    "tex",
    "texref",
    "tf32",
    "thread",
    "tile",
    "to",
    "trans",
    "transA",
    "transB",
    "trap",
    "try_cancel",
    "try_wait",
    "tx",
    "u16",
    "u16x2",
    "u2",
    "u32",
    "u4",
    "u64",
    "u8",
    "u8x4",
    "ue4m3",
    "ue5m3x2",
    "ue8m0",
    "ue8m0x2",
    "ue8m0x4",
    "unanimous",
    "uni",
    "unified",
    "unpack",
    "up",
    "v2",
    "v4",
    "v8",
    "valid_addr",
    "volatile",
    "w",
    "wait",
    "wait_all",
    "wait_group",
    "warp",
    "warpx2",
    "warpx4",
    "wb",
    "weak",
    "wide",
    "width",
    "wrap",
    "ws",
    "wt",
    "x",
    "x1",
    "x128",
    "x16",
    "x2",
    "x32",
    "x4",
    "x64",
    "x8",
    "xor",
    "xorsign",
    "y",
    "z",
    "zero",
];

/// Modifiers after two colons, sorted.
const SUBMODIFIERS: &[&str] = &[
    "01_23",
    "02_13",
    "1",
    "128",
    "128B",
    "16b",
    "1X",
    "2",
    "256B",
    "2X",
    "3",
    "32B",
    "4",
    "4X",
    "64B",
    "A",
    "B",
    "D",
    "a",
    "acquire",
    "after_thread_sync",
    "alias",
    "all",
    "arrive",
    "async",
    "b0",
    "b1",
    "b2",
    "b3",
    "before_thread_sync",
    "bytes",
    "ca",
    "cache_hint",
    "cluster",
    "complete_tx",
    "cta",
    "cta_group",
    "discard",
    "entry",
    "evict_first",
    "evict_last",
    "evict_normal",
    "evict_unchanged",
    "eviction_priority",
    "f16",
    "f32",
    "f8f6f4",
    "fill",
    "func",
    "gather4",
    "generic",
    "global",
    "i8",
    "im2col",
    "lastuse",
    "ld",
    "mbarrier",
    "meet_tx",
    "multicast",
    "mxf4",
    "mxf4nvf4",
    "mxf8f6f4",
    "n1",
    "n2",
    "n4",
    "no_allocate",
    "num_src",
    "num_target",
    "one",
    "ordered_metadata",
    "proxy",
    "read",
    "readonly",
    "release",
    "scaleA",
    "scaleB",
    "scatter4",
    "shared",
    "sparseMetadata",
    "st",
    "sync_restrict",
    "tensormap",
    "tf32",
    "ue8m0",
    "use",
    "w",
    "x",
    "y",
    "z",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_in_order() {
        for words in [OPCODES, MODIFIERS, SUBMODIFIERS] {
            assert!(words.is_sorted_by(|one, other| one < other), "{words:?}");
        }
    }

    #[test]
    fn rows_are_written_with_known_words() {
        let rows = crate::instruction::INSTRUCTIONS.iter().map(|row| row.opcode);
        let with = crate::instruction::QUALIFIERS.iter().map(|row| row.opcode);
        let words = crate::instruction::QUALIFIERS.iter().flat_map(|row| row.words.iter().copied());
        let mut count = 0;
        for text in rows.chain(with).chain(words) {
            let mut kind = WordKind::Opcode;
            for (n, part) in text.split('.').enumerate() {
                if n > 0 {
                    kind = WordKind::Modifier;
                }
                for (n, word) in part.split("::").enumerate().filter(|(_, word)| !word.is_empty()) {
                    let kind = if n > 0 { WordKind::Submodifier } else { kind };
                    assert!(
                        kind.knows(word) || is_shape(word),
                        "`{word}` of `{text}` is not a known {kind:?}"
                    );
                    count += 1;
                }
            }
        }
        assert!(count > 500, "{count} words were looked up");
    }

    #[test]
    fn types_and_state_spaces_are_known() {
        let types = crate::ScalarType::ALL.iter().map(|ty| ty.name());
        let spaces =
            [crate::Space::Global, crate::Space::Const, crate::Space::Shared, crate::Space::Local]
                .map(crate::Space::name);
        for word in types.chain(spaces).chain(["param"]) {
            assert!(WordKind::Modifier.knows(word.trim_start_matches('.')), "{word}");
        }
    }

    #[test]
    fn a_misspelt_word_has_a_suggestion() {
        use WordKind::{Modifier, Opcode, Submodifier};
        assert_eq!(meant(Modifier, "sahred"), ["shared"]);
        assert_eq!(meant(Modifier, "f23"), ["f32"]);
        assert_eq!(meant(Modifier, "asnyc"), ["async"]);
        assert_eq!(meant(Modifier, "inti"), ["init"]);
        assert_eq!(meant(Opcode, "addd"), ["add", "addc"]);
        assert_eq!(meant(Submodifier, "complte_tx"), ["complete_tx"]);
    }

    #[test]
    fn a_word_that_resembles_none_is_not_judged() {
        for word in
            ["shared", "m16n8k16", "m64n256k32", "m16n8", "_ldldu", "32x32b", "quantised_tiles"]
        {
            assert!(meant(WordKind::Modifier, word).is_empty(), "{word}");
        }
        assert_eq!(meant(WordKind::Modifier, "m16n8j16"), ["m16n8j16"; 0]);
    }
}
